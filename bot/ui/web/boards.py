"""Games to step through in a document: boards as layers, each picture once."""

from __future__ import annotations

import base64
from dataclasses import dataclass

from markupsafe import Markup

from bot.domain.playthrough import Playthrough
from bot.ui.web.document import fragment
from renderers import PictureLayer, Steps, Style, steps

MOST_MOVES = 400
"""Moves of a game that has pictures at most: they take four seconds to draw."""
_IMAGE = Markup(
    '<image id="i{id}" width="{width}" height="{height}" href="data:image/webp;base64,{data}"/>'
)


@dataclass(frozen=True, slots=True)
class DrawnGame:
    """The boards of a game, and of each move the player who made it with their side."""

    steps: Steps
    movers: tuple[str, ...]


def drawn(line: Playthrough, style: Style) -> DrawnGame | None:
    """The boards of a game, drawn in this thread; None where it has no move, or too many."""
    if not 0 < line.plies <= MOST_MOVES:
        return None
    movers = []
    for ply, seat in enumerate(line.seats):
        side = style.translate(line.table.game.seats[seat].name)
        movers.append(f"{style.names[line.mover(ply)]} ({side})")
    views = [line.view(ply) for ply in range(line.plies + 1)]
    return DrawnGame(steps(views, style), tuple(movers))


class Album:
    """The pictures of a document within a number of bytes."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._ids: dict[bytes, int] = {}
        self.images: list[Markup] = []

    def add(self, one: DrawnGame) -> Markup | None:
        """The board of a game to step through; None if there is no room for it and its pictures."""
        game = one.steps
        layers = [game.first, *(layer for change in game.changes for layer in change)]
        new: dict[bytes, PictureLayer] = {}
        for layer in layers:
            if layer.webp not in self._ids:
                new.setdefault(layer.webp, layer)
        ids = self._ids | {webp: len(self._ids) + at for at, webp in enumerate(new)}
        images = [_image(ids[webp], layer) for webp, layer in new.items()]
        board = fragment(
            "board.html",
            width=game.width,
            height=game.height,
            first=ids[game.first.webp],
            changes=[
                [(ids[layer.webp], layer.left, layer.top) for layer in change]
                for change in game.changes
            ],
            alt_texts=game.alt_texts,
            movers=one.movers,
        )
        needed = len(board.encode()) + sum(map(len, images))
        if needed > self._room:
            return None
        self._room -= needed
        self._ids = ids
        self.images += images
        return board


def _image(number: int, layer: PictureLayer) -> Markup:
    data = base64.b64encode(layer.webp).decode()
    return _IMAGE.format(id=number, width=layer.width, height=layer.height, data=data)
