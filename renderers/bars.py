"""The content of player bars: players and pieces, the turn, pieces off the board."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from games.view import BoardView, Piece, Sign, Text, Tray
from renderers.board import BoardKey
from renderers.canvas import Page
from renderers.fonts import can_draw
from renderers.incremental.images import RGB
from renderers.layout import Box, pixels
from renderers.pieces import PieceLook
from renderers.style import Style
from renderers.themes import Ink, Theme
from renderers.words import player_name, score_parts_of

_RADIUS, _FRAME, _LIT_FRAME = 18, 3, 5
"""Of a bar's corners; strokes of its frame."""


@dataclass(frozen=True, slots=True)
class BarSlot:
    """Pieces of one look in a tray; ``count`` is empty where the piece says enough.

    The last move put a ``fresh`` one there.
    """

    look: PieceLook
    count: str
    there: bool
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class BarTray:
    """Slots in a row, below a title."""

    title: str
    slots: tuple[BarSlot, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """The head of a player's bar; from turn to turn only the turn in it changes.

    ``name`` is empty where the player's own cannot be drawn; the colour's ``word`` stands in.
    ``scale`` turns page units into pixels. Equal heads are the same object (:func:`_head`).
    """

    look: PieceLook
    name: str
    word: str
    line: str
    signs: tuple[str, ...]
    active: bool
    won: bool
    theme: Theme
    box: Box
    scale: float
    frame: Frame

    def px(self, size: float) -> int:
        """A size in page units as pixels, at least one."""
        return pixels(size, self.scale)


class _Player(NamedTuple):
    """The data that a head depends on.

    ``kind`` and ``size`` are those of the piece that stands for the ``colour``, ``told`` is the
    result or the player's goal.
    """

    colour: int
    name: str
    kind: str
    size: int
    word: Text
    told: Text | None
    signs: tuple[Sign, ...]
    active: bool
    won: bool


class Bar(NamedTuple):
    """The whole content of a player bar, in the viewer's language.

    ``parts`` are the non-zero ones of the score, each with its points.
    """

    head: Head
    notes: str
    score: str
    parts: tuple[tuple[str, str], ...]
    trays: tuple[BarTray, ...]


def bars_of(view: BoardView, style: Style, key: BoardKey) -> tuple[Bar, ...]:
    """The bars of all colours."""
    return tuple(
        _bar_of(view, colour, style, key, piece) for colour, piece in enumerate(_largest(view))
    )


def _bar_of(view: BoardView, colour: int, style: Style, key: BoardKey, piece: Piece | None) -> Bar:
    """The bar of a colour, with the piece that stands for it."""
    about, won = view.colours[colour], colour in view.winners
    ended = view.result is not None and (won or not view.winners)
    name = player_name(view, colour, style)
    player = _Player(
        colour,
        name if can_draw(name) else "",
        *(("stone", 1) if piece is None else (piece.kind, piece.size)),
        about.name,
        view.result if ended else about.goal,
        about.signs,
        view.to_move == colour,
        won,
    )
    head = _head(key, style, player)
    return Bar(
        head,
        notes=" · ".join(style.translate(note) for note in about.notes),
        score="" if about.score is None else _points(about.score),
        parts=tuple(
            (style.translate(part.title), _points(part.points[colour]))
            for part in score_parts_of(view)
            if part.points[colour]
        ),
        trays=tuple(_tray_of(tray, view, style, key.inks) for tray in about.trays),
    )


@lru_cache(maxsize=64)
def _head(key: BoardKey, style: Style, player: _Player) -> Head:
    """The head of a player's bar."""
    layout, theme, ink = key.layout, key.theme, key.inks[player.colour]
    line = [style.say("to move")] if player.active else []
    if player.told is not None:
        line.append(style.translate(player.told))
    line += [style.translate(sign.words) for sign in player.signs]
    return Head(
        look=PieceLook(ink, player.kind, player.size, ""),
        name=player.name,
        word=style.translate(player.word),
        line=" · ".join(line),
        signs=tuple(sign.key for sign in player.signs),
        active=player.active,
        won=player.won,
        theme=theme,
        box=layout.bars[player.colour],
        scale=layout.scale,
        frame=_frame(key, player),
    )


def _points(points: int) -> str:
    return str(points).replace("-", "−")


def _largest(view: BoardView) -> list[Piece | None]:
    """The piece that stands for each colour: its largest visible one, if there is one."""
    best: dict[int, Piece] = {}
    trays = (slot.piece for about in view.colours for tray in about.trays for slot in tray.slots)
    # Cells share equal stacks: each of those is looked at once.
    stacks = {id(cell.stack): cell.stack for cell in view.cells if cell.stack}.values()
    for piece in (*chain.from_iterable(stacks), *trays):
        if piece.colour not in best or piece.size > best[piece.colour].size:
            best[piece.colour] = piece
    return [best.get(colour) for colour in range(len(view.colours))]


def _tray_of(tray: Tray, view: BoardView, style: Style, inks: tuple[Ink, ...]) -> BarTray:
    marked = [mark.piece for mark in view.marks.trays if mark.key == tray.key]
    counted = any(slot.count > 1 for slot in tray.slots)
    return BarTray(
        title=style.translate(tray.title),
        slots=tuple(
            BarSlot(
                PieceLook.of(slot.piece, inks),
                f"×{slot.count}" if counted and slot.count else "",
                there=slot.count > 0,
                fresh=slot.piece in marked,
            )
            for slot in tray.slots
        ),
    )


class Frame(NamedTuple):
    """An empty bar: its box in the strip, the width and tone of its frame.

    ``inside`` is its colour within the frame, ``radius`` is that of its corners.
    """

    left: int
    top: int
    width: int
    height: int
    stroke: int
    radius: int
    tone: RGB
    inside: RGB

    def draw(self, page: Page) -> None:
        """Draw it onto a page whose corner is that of the strip."""
        right, bottom = self.left + self.width, self.top + self.height
        if self.stroke:
            page.panel((self.left, self.top, right, bottom), self.radius, self.tone)
        inside = (
            self.left + self.stroke,
            self.top + self.stroke,
            right - self.stroke,
            bottom - self.stroke,
        )
        page.panel(inside, self.radius - self.stroke, self.inside)


def _frame(key: BoardKey, player: _Player) -> Frame:
    """The frame of a bar; it is lit, and stands out, where a player is on turn or has won."""
    layout, theme, lit = key.layout, key.theme, player.active or player.won
    box = layout.bars[player.colour]
    strip = next(strip for strip in layout.strips if player.colour in strip.bars)
    accent = key.inks[player.colour].accent if player.active else theme.bar_line
    return Frame(
        box.left,
        box.top - strip.top,
        box.width,
        box.height,
        stroke=(
            max(1, round((_LIT_FRAME if lit else _FRAME) * layout.scale))
            if lit or theme.bar_framed
            else 0
        ),
        radius=round(_RADIUS * layout.scale),
        tone=theme.win if player.won else accent,
        inside=theme.bar_active if lit else theme.bar,
    )
