"""The bars above and below the board: who plays what, who is on turn, what lies off the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from PIL import Image

from games.view import BoardView, Piece, Tray
from renderers.canvas import RGB, Page, mix
from renderers.emblems import emblem
from renderers.fonts import can_draw, fitting, text_mask, text_width
from renderers.layout import LINE, NAME, SMALL, Layout, Strip, pixels
from renderers.pieces import PieceLook, faded, piece_sprite
from renderers.sheet import Sheet, ground_in
from renderers.style import Style
from renderers.themes import Ink, Theme
from renderers.words import player_name, score_parts_of

__all__ = ["Bar", "bar_sheet", "bars_of"]

_TITLE = 24
_COUNT = 29
_ICONS = {1: 26, 2: 42, 3: 58}
_WIDE = 700
_SCORE = 52
_NARROW_NAME = 36
_NARROW_ICON = 0.66
"""A bar narrower than ``_WIDE`` has three lines, smaller letters and smaller pieces."""
_RADIUS, _FRAME, _LIT_FRAME = 18, 3, 5
"""Of a bar's corners; strokes of its frame."""
_PARTS, _PART_SIZES = 147, (SMALL, 25, 23, 20)
"""The line of a score's parts below them, and the sizes of its letters."""


@dataclass(frozen=True, slots=True)
class _Slot:
    """Pieces of one look in a tray; ``count`` is empty where the piece says enough."""

    look: PieceLook
    count: str
    there: bool


@dataclass(frozen=True, slots=True)
class _Tray:
    title: str
    slots: tuple[_Slot, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """All that a player bar shows, in the viewer's language.

    ``name`` is empty where the player's own cannot be drawn; the colour's ``word`` stands in.
    ``parts`` are those of the score that are not nothing, each with its points. ``scale`` turns
    page units into pixels.
    """

    ink: Ink
    look: PieceLook
    name: str
    word: str
    line: str
    notes: str
    score: str
    parts: tuple[tuple[str, str], ...]
    trays: tuple[_Tray, ...]
    active: bool
    won: bool
    width: int
    height: int
    scale: float


def bars_of(
    view: BoardView, style: Style, layout: Layout, inks: tuple[Ink, ...]
) -> tuple[Bar, ...]:
    """The bars of all colours."""
    return tuple(
        _bar_of(view, colour, style, layout, look=look, inks=inks)
        for colour, look in enumerate(_looks(view, inks))
    )


def _bar_of(
    view: BoardView,
    colour: int,
    style: Style,
    layout: Layout,
    *,
    look: PieceLook,
    inks: tuple[Ink, ...],
) -> Bar:
    """The bar of a colour."""
    about, box = view.colours[colour], layout.bars[colour]
    name = player_name(view, colour, style)
    active, won = view.to_move == colour, colour in view.winners
    parts: list[str] = []
    if active:
        parts.append(style.say("to move"))
    if view.result is not None and (won or not view.winners):
        parts.append(style.translate(view.result))
    elif about.goal is not None:
        parts.append(style.translate(about.goal))
    return Bar(
        ink=inks[colour],
        look=look,
        name=name if name and can_draw(name) else "",
        word=style.translate(about.name),
        line=" · ".join(parts),
        notes=" · ".join(style.translate(note) for note in about.notes),
        score="" if about.score is None else _points(about.score),
        parts=tuple(
            (style.translate(part.title), _points(part.points[colour]))
            for part in score_parts_of(view)
            if part.points[colour]
        ),
        trays=tuple(_tray_of(tray, style, inks) for tray in about.trays),
        active=active,
        won=won,
        width=box.width,
        height=box.height,
        scale=layout.scale,
    )


def _points(points: int) -> str:
    return str(points).replace("-", "−")


def _looks(view: BoardView, inks: tuple[Ink, ...]) -> list[PieceLook]:
    """What stands for each colour: its largest piece in sight, a stone if there is none."""
    best: dict[int, Piece] = {}
    trays = (slot.piece for about in view.colours for tray in about.trays for slot in tray.slots)
    # Cells share equal stacks: each of those is looked at once.
    stacks = {id(cell.stack): cell.stack for cell in view.cells}.values()
    for piece in (*chain.from_iterable(stacks), *trays):
        if piece.colour not in best or piece.size > best[piece.colour].size:
            best[piece.colour] = piece
    return [
        PieceLook(ink, best[colour].kind, best[colour].size, "")
        if colour in best
        else PieceLook(ink, "stone", 1, "")
        for colour, ink in enumerate(inks)
    ]


def _tray_of(tray: Tray, style: Style, inks: tuple[Ink, ...]) -> _Tray:
    counted = any(slot.count > 1 for slot in tray.slots)
    return _Tray(
        title=style.translate(tray.title),
        slots=tuple(
            _Slot(
                PieceLook.of(slot.piece, inks),
                f"×{slot.count}" if counted else "",
                there=slot.count > 0,
            )
            for slot in tray.slots
        ),
    )


def bar_sheet(
    all_bars: Sequence[Bar],
    strip: Strip,
    layout: Layout,
    theme: Theme,
    palette: Image.Image | None,
) -> Sheet:
    """A strip of the page with the bars that lie in it, in the colours of a palette."""
    bars = [(all_bars[colour], layout.bars[colour]) for colour in strip.bars]
    frames = tuple(_Frame.of(bar, theme, box.left, box.top - strip.top) for bar, box in bars)
    ground = _Ground(layout.width, strip, theme.card, frames)
    sheet = Sheet(ground_in(ground.draw, ground, palette), palette, strip.top)
    for bar, box in bars:
        _BarPainter(sheet, bar, theme, box.left, box.top).paint()
    return sheet


class _Frame(NamedTuple):
    """A bar with nothing on it: its corner, its size, the width and tone of its frame.

    ``inside`` is its colour within the frame, ``radius`` says how round its corners are.
    """

    left: int
    top: int
    width: int
    height: int
    stroke: int
    radius: int
    tone: RGB
    inside: RGB

    @classmethod
    def of(cls, bar: Bar, theme: Theme, left: int, top: int) -> _Frame:
        """The frame of a bar; it is lit, that is to stand out, where somebody is on turn or won."""
        lit = bar.active or bar.won
        stroke = max(1, round((_LIT_FRAME if lit else _FRAME) * bar.scale))
        return cls(
            left,
            top,
            bar.width,
            bar.height,
            stroke if lit or theme.bar_framed else 0,
            round(_RADIUS * bar.scale),
            theme.win if bar.won else bar.ink.accent if bar.active else theme.bar_line,
            theme.bar_active if lit else theme.bar,
        )

    def draw(self, page: Page) -> None:
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


class _Ground(NamedTuple):
    """A strip of the page with empty bars."""

    width: int
    strip: Strip
    card: RGB
    frames: tuple[_Frame, ...]

    def draw(self) -> Image.Image:
        page = Page.blank(self.width, self.strip.bottom - self.strip.top, self.card)
        for frame in self.frames:
            frame.draw(page)
        return page.image


@dataclass(frozen=True, slots=True)
class _BarPainter:
    """Draws one bar from both ends: trays and notes from the right, words in what is left."""

    page: Sheet
    bar: Bar
    theme: Theme
    left: int
    top: int

    def sprite(self, image: Image.Image, x: float, y: float) -> None:
        """Lay a piece down, its middle at (``x``, ``y``) of the bar."""
        self.page.sprite(image, self.left + x, self.top + y)

    def stamp(self, shape: Image.Image, x: float, y: float, tone: RGB) -> None:
        """Lay letters or a sign down, the corner at (``x``, ``y``) of the bar."""
        self.page.stamp(shape, self.left + x, self.top + y, tone)

    def px(self, size: float) -> int:
        return pixels(size, self.bar.scale)

    def paint(self) -> None:
        bar, theme, px = self.bar, self.theme, self.px
        if bar.width < px(_WIDE):
            self.narrow()
            return
        self.sprite(piece_sprite(bar.look, px(60), theme.muted), px(54), bar.height / 2)
        right = bar.width - px(26)
        if len(bar.trays) > 1 or not bar.notes:
            right = self.titled_trays(right)
            self.words((right, right), (bar.line, bar.notes))
        else:
            self.words(self.notes_and_trays(right), (bar.line,))

    def words(self, rights: tuple[int, int], lines: tuple[str, ...]) -> None:
        """Name and colour word, below them turn and goal, cut to end before their ``rights``."""
        bar, theme, px = self.bar, self.theme, self.px
        left, room = px(106), rights[0] - px(106)
        word = bar.word if bar.name else ""
        beside = text_width(word, px(LINE)) + px(14) if word else 0
        title = fitting(bar.name or bar.word, px(NAME), min(px(420), room - beside), bold=True)
        upper, lower = px(48), px(84)
        self.write(title, NAME, (left, upper), theme.text, bold=True)
        if word:
            after = left + text_width(title, px(NAME), bold=True) + px(14)
            self.write(word, LINE, (after, upper), theme.muted)
        if bar.won:
            sign = emblem("star", px(26))
            self.stamp(sign, left, lower - px(LINE) * 0.36 - sign.height / 2, theme.star)
            left += px(36)
        line = fitting(" · ".join(filter(None, lines)), px(LINE), rights[1] - left)
        tone = bar.ink.accent if bar.active else theme.text if bar.won else theme.muted
        self.write(line, LINE, (left, lower), tone)

    def narrow(self) -> None:
        """Lines: name, colour; turn, facts; trays; a score's parts. Its sum is to the right."""
        bar, theme, px = self.bar, self.theme, self.px
        self.sprite(piece_sprite(bar.look, px(58), theme.muted), px(48), px(46))
        left, right = px(92), bar.width - px(22)
        if bar.score:
            width = text_width(bar.score, px(_SCORE), bold=True)
            self.write(bar.score, _SCORE, (right - width, px(62)), theme.text, bold=True)
            right -= width + px(16)
        name = fitting(bar.name or bar.word, px(_NARROW_NAME), right - left, bold=True)
        self.write(name, _NARROW_NAME, (left, px(40)), theme.text, bold=True)
        word = bar.word if bar.name else ""
        after = left + text_width(name, px(_NARROW_NAME), bold=True) + px(14)
        if word and after + text_width(word, px(LINE)) <= right:
            self.write(word, LINE, (after, px(40)), theme.muted)
            word = ""
        if bar.won:
            sign = emblem("star", px(26))
            self.stamp(sign, left, px(64) - sign.height / 2, theme.star)
            left += px(36)
        facts = (word, bar.line, bar.notes)
        line = fitting(" · ".join(filter(None, facts)), px(LINE), right - left)
        tone = bar.ink.accent if bar.active else theme.text if bar.won else theme.muted
        self.write(line, LINE, (left, px(74)), tone)
        left, right = px(20), bar.width - px(22)
        trays = [tray for tray in bar.trays if tray.slots]
        titled = sum(self.tray_width(tray) + px(18) for tray in trays) <= right - left
        for tray in trays:
            if titled or tray is not trays[0]:
                self.write(tray.title, SMALL, (left, px(111)), theme.muted)
                left += text_width(tray.title, px(SMALL)) + px(12)
            for slot in tray.slots:
                width = self.slot_width(slot, _NARROW_ICON)
                self.slot(slot, left + width, px(100), _NARROW_ICON)
                left += width + px(12)
            left += px(14)

        self.parts(px(20), bar.width - px(20))

    def parts(self, left: int, right: int) -> None:
        """What the score is made of, in one line, in smaller letters where it is made of much."""
        parts, gap = self.bar.parts, self.px(16)

        def width(size: float) -> float:
            words = sum(text_width(title, self.px(size)) for title, _ in parts)
            points = sum(text_width(points, self.px(size), bold=True) for _, points in parts)
            return words + points + len(parts) * 1.4 * gap

        size = next((size for size in _PART_SIZES if width(size) <= right - left), _PART_SIZES[-1])
        for title, points in parts:
            self.write(title, size, (left, self.px(_PARTS)), self.theme.muted)
            left += text_width(title, self.px(size)) + round(0.4 * gap)
            self.write(points, size, (left, self.px(_PARTS)), self.theme.text, bold=True)
            left += text_width(points, self.px(size), bold=True) + gap

    def tray_width(self, tray: _Tray) -> int:
        px = self.px
        slots = sum(self.slot_width(slot, _NARROW_ICON) + px(12) for slot in tray.slots)
        return text_width(tray.title, px(SMALL)) + px(12) + slots

    def slot_width(self, slot: _Slot, scale: float) -> int:
        count = text_width(slot.count, self.px(_COUNT), bold=True) if slot.count else 0
        return self.icon(slot, scale) + (count + self.px(7) if count else 0)

    def icon(self, slot: _Slot, scale: float) -> int:
        return self.px(_ICONS.get(slot.look.size, _ICONS[3]) * scale)

    def notes_and_trays(self, right: int) -> tuple[int, int]:
        """Notes at the right end, trays below them; where the name and the line have to end."""
        bar, theme, px = self.bar, self.theme, self.px
        notes = fitting(bar.notes, px(SMALL), px(460))
        reach = text_width(notes, px(SMALL))
        # A long line below wants all the width: the notes make way for it as they do for trays.
        crowded = text_width(bar.line, px(LINE)) > right - reach - px(166)
        middle = px(31) if bar.trays or crowded else bar.height / 2
        self.write(notes, SMALL, (right - reach, middle + px(SMALL) * 0.357), theme.muted)
        left = right
        for tray in reversed(bar.trays):
            for slot in reversed(tray.slots):
                left = self.slot(slot, left, px(70), 0.72)
            title = fitting(tray.title, px(_TITLE), px(200))
            left -= text_width(title, px(_TITLE))
            self.write(title, _TITLE, (left, px(79)), theme.muted)
            left -= px(20)
        beside = right - reach - px(24)
        if bar.trays:
            return min(beside, left + px(60)), left - px(4)
        return beside, right if crowded else beside

    def titled_trays(self, right: int) -> int:
        """Trays side by side from the right end, each below its title; the left end of it all."""
        px = self.px
        for tray in reversed(self.bar.trays):
            left = right
            for slot in reversed(tray.slots):
                left = self.slot(slot, left, px(64), 0.92)
            title = fitting(tray.title, px(_TITLE), px(200))
            width = text_width(title, px(_TITLE))
            start = min((left + right - width) / 2, right - width)
            self.write(title, _TITLE, (start, px(29)), self.theme.muted)
            right = min(left, round(start)) - px(22)
        return right

    def slot(self, slot: _Slot, right: int, middle: int, scale: float) -> int:
        """One piece with its count, ending at ``right``; where the next one may end."""
        px, theme = self.px, self.theme
        if slot.count:
            width = text_width(slot.count, px(_COUNT), bold=True)
            tone = theme.text if slot.there else theme.muted
            baseline = middle + px(_COUNT) * 0.357
            self.write(slot.count, _COUNT, (right - width, baseline), tone, bold=True)
            right -= width + px(7)
        size = self.icon(slot, scale)
        ground = theme.bar_active if self.bar.active or self.bar.won else theme.bar
        sprite = (
            piece_sprite(slot.look, size, theme.muted)
            if slot.there
            else faded(slot.look, size, mix(ground, slot.look.ink.accent, 0.5))
        )
        self.sprite(sprite, right - size / 2, middle)
        return right - size - px(12)

    def write(
        self,
        text: str,
        size: float,
        place: tuple[float, float],
        tone: RGB,
        *,
        bold: bool = False,
    ) -> None:
        """Write a text from the left end of its baseline at ``place``."""
        if text:
            letters = text_mask(text, self.px(size), bold=bold)
            left, baseline = place
            self.stamp(letters, left, baseline - self.px(size) * 1.1, tone)
