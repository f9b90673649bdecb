"""Documents for a browser: templates filled in, with everything they need inside.

A document loads nothing: its style and its script stand in it, named by their digests in its
content security policy, and pictures are ``data:`` addresses. Templates escape all text; markup is
a :class:`markupsafe.Markup`.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from babel.dates import format_date
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from bot.domain.playthrough import Playthrough
from bot.i18n import Language, closed_up
from bot.ui.pages.typed_times import locale_of
from renderers import PictureLayer, SharedLayers, Steps, Style, steps

_TEMPLATES = Path(__file__).parent / "templates"


def _set(value: object) -> object:
    return closed_up(value) if type(value) is str else value


_ENVIRONMENT = Environment(
    finalize=_set,
    loader=FileSystemLoader(_TEMPLATES),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def _inside(name: str) -> tuple[Markup, str]:
    """One of our files as markup, and its source for the policy."""
    text = (_TEMPLATES / name).read_text(encoding="utf-8").strip()
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return Markup(text), f"'sha256-{digest}'"  # noqa: S704 - a file of ours, from no person


_STYLE, _STYLE_SOURCE = _inside("style.css")
_SCRIPT, _SCRIPT_SOURCE = _inside("script.js")
_POLICY = (
    f"default-src 'none'; img-src data:; style-src {_STYLE_SOURCE}; script-src {_SCRIPT_SOURCE};"
    " base-uri 'none'; form-action 'none'"
)


def document(template: str, language: Language, **about: Any) -> bytes:
    """A whole document in UTF-8."""
    filled = _ENVIRONMENT.get_template(template).render(
        **about, locale=language.locale, policy=_POLICY, style=_STYLE, script=_SCRIPT
    )
    return filled.encode()


def fragment(template: str, **about: Any) -> Markup:
    """A part of a document."""
    return Markup(_ENVIRONMENT.get_template(template).render(**about))  # noqa: S704 - escaped there


def day_words(day: date, language: Language) -> str:
    """A day in full."""
    return format_date(day, "long", locale=locale_of(language))


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


def drawn(line: Playthrough, style: Style, shared: SharedLayers) -> DrawnGame | None:
    """The boards of a game, drawn in this thread; None where it has no move, or too many.

    ``shared`` are layers of the games before in the same document.
    """
    if not 0 < line.plies <= MOST_MOVES:
        return None
    movers = []
    for ply, seat in enumerate(line.seats):
        side = style.translate(line.table.game.seats[seat].name)
        movers.append(f"{style.names[line.mover(ply)]} ({side})")
    views = [line.view(ply) for ply in range(line.plies + 1)]
    return DrawnGame(steps(views, style, shared), tuple(movers))


class Album:
    """The pictures of a document within a number of bytes."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._ids: dict[bytes, int] = {}
        self.images: list[Markup] = []

    def add(self, one: DrawnGame) -> Markup | None:
        """The board of a game to step through; None if there is no room for it and its pictures."""
        game = one.steps
        steps = (game.first, *game.changes)
        new: dict[bytes, PictureLayer] = {}
        for layer in (layer for step in steps for layer in step):
            if layer.webp not in self._ids:
                new.setdefault(layer.webp, layer)
        ids = self._ids | {webp: len(self._ids) + at for at, webp in enumerate(new)}
        images = [_image(ids[webp], layer) for webp, layer in new.items()]
        board = fragment(
            "board.html",
            width=game.width,
            height=game.height,
            steps=[[(ids[layer.webp], layer.left, layer.top) for layer in step] for step in steps],
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
