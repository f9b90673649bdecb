"""Drawing player bars: pieces, words and numbers, laid out within their room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from renderers.bars import Bar, BarSlot, Frame, Head
from renderers.board import BoardKey
from renderers.canvas import Page, mix, ring, rounded_frame
from renderers.emblems import emblem
from renderers.fonts import fitting, size_for, text_mask, text_width
from renderers.incremental.images import RGB
from renderers.incremental.layer import Layer
from renderers.incremental.sheet import Sheet, ground_in
from renderers.layout import LEAN_BAR, LINE, NAME, SMALL, Strip
from renderers.pieces import PieceLook, faded, piece_sprite

_COUNT = 36
_ICONS = {1: 26, 2: 42, 3: 58}
_SCORE = 52
_LEAN_SIZES = (34, 30, 27, 24)
_LEAN_ICON = 0.66
"""A bar no higher than ``LEAN_BAR`` has smaller letters and smaller pieces."""
_PARTS, _PART_SIZES = 66, (SMALL, 25, 23, 22)
"""The line of a score's parts below them, and the sizes of its letters."""
_NAME_SIZES = (NAME, 34, 30, 27)
"""The sizes of the letters of a name, as of a computer with its level; a longer one is cut."""
_LINE_SIZES = (LINE, 26, 24, 22)
"""The sizes of the letters of a result, or of the turn: a long text is smaller, not cut."""


def bar_sheet(
    all_bars: Sequence[Bar], strip: Strip, key: BoardKey, palette: Image.Image | None
) -> Sheet:
    """A strip of the page with the bars that lie in it, in the colours of a palette."""
    bars = [all_bars[colour] for colour in strip.bars]
    frames = tuple(bar.head.frame for bar in bars)
    ground = _Ground(key.layout.width, strip, key.theme.card, frames)
    sheet = Sheet(ground_in(ground.draw, ground, palette), palette, strip.top)
    for bar in bars:
        _BarPainter(bar, _Pen(sheet, bar.head)).paint()
    return sheet


class _Ground(NamedTuple):
    """A strip of the page with empty bars."""

    width: int
    strip: Strip
    card: RGB
    frames: tuple[Frame, ...]

    def draw(self) -> Image.Image:
        page = Page.blank(self.width, self.strip.bottom - self.strip.top, self.card)
        for frame in self.frames:
            frame.draw(page)
        return page.image


@lru_cache(maxsize=32)
def _headed(head: Head, rights: tuple[int, int], line: str) -> Layer:
    """Piece, name and colour word, with a line below them, cut to end before their ``rights``."""
    layer, theme, px = Layer(), head.theme, head.px
    pen = _Pen(layer, head)
    pen.sprite(piece_sprite(head.look, px(60), theme.muted), px(54), head.box.height / 2)
    left, room = px(106), rights[0] - px(106)
    word = head.word if head.name else ""
    beside = text_width(word, px(LINE)) + px(14) if word else 0
    name, space = head.name or head.word, min(px(420), room - beside)
    size = size_for(name, _NAME_SIZES, space, px, bold=True)
    title = fitting(name, px(size), space, bold=True)
    upper, lower = px(48), px(84)
    pen.write(title, size, (left, upper), theme.text, bold=True)
    if word:
        after = left + text_width(title, px(size), bold=True) + px(14)
        pen.write(word, LINE, (after, upper), theme.muted)
    left += pen.signs(left, lower - px(LINE) * 0.36)
    pen.line(line, (left, lower), rights[1])
    return layer


@dataclass(frozen=True, slots=True)
class _Pen:
    """Adds things to a bar; places are counted from its corner."""

    layer: Layer
    head: Head

    def sprite(self, image: Image.Image, x: float, y: float) -> None:
        """Add a piece with its middle at (``x``, ``y``)."""
        self.layer.sprite(image, self.head.box.left + x, self.head.box.top + y)

    def stamp(self, shape: Image.Image, x: float, y: float, tone: RGB) -> None:
        """Add letters or a sign with the corner at (``x``, ``y``)."""
        self.layer.stamp(shape, self.head.box.left + x, self.head.box.top + y, tone)

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
            high = self.head.px(size)
            left, baseline = place
            self.stamp(text_mask(text, high, bold=bold), left, baseline - high * 1.1, tone)

    def signs(self, left: int, middle: float) -> int:
        """The winner's star and the colour's signs, from ``left`` on; returns their width."""
        taken = 0
        for key in (*(("star",) if self.head.won else ()), *self.head.signs):
            sign = emblem(key, self.head.px(26))
            self.stamp(sign, left + taken, middle - sign.height / 2, self.head.theme.star)
            taken += sign.width + self.head.px(10)
        return taken

    def ring(self, look: PieceLook, size: int, x: float, y: float) -> None:
        """A ring around a piece that has just come into its tray, in the tone of the last move."""
        stroke, wide = self.head.px(4), size + 2 * self.head.px(6)
        shape = (
            rounded_frame(wide, wide, self.head.px(6), stroke)
            if look.kind == "pyramid"
            else ring(wide, stroke)
        )
        self.stamp(shape, x - wide / 2, y - wide / 2, self.head.theme.last)

    def line(self, text: str, place: tuple[float, float], right: int) -> int:
        """The turn, and more in small letters, cut to end before ``right``; returns the width."""
        head, theme = self.head, self.head.theme
        tone = theme.text if head.active or head.won else theme.muted
        room = right - round(place[0])
        size = size_for(text, _LINE_SIZES, room, head.px)
        shown = fitting(text, head.px(size), room)
        self.write(shown, size, place, tone)
        return text_width(shown, head.px(size))


@dataclass(frozen=True, slots=True)
class _BarPainter:
    """Draws one bar from both ends: trays and notes from the right, words in the remaining room."""

    bar: Bar
    pen: _Pen

    def paint(self) -> None:
        """Draw it; where it is wide, a score's sum is at the right end, its parts among notes."""
        bar, head, px = self.bar, self.bar.head, self.bar.head.px
        if head.box.height <= px(LEAN_BAR):
            self.lean()
            return
        right = head.box.width - px(26)
        if bar.score:
            right = self.score(right, head.box.height / 2 + px(_SCORE) * 0.357) - px(10)
        notes = bar.notes
        if bar.parts:
            notes = " · ".join(filter(None, (notes, *map(" ".join, bar.parts))))
        if len(bar.trays) > 1 or not notes:
            right = self.titled_trays(right)
            line = " · ".join(filter(None, (head.line, notes)))
            self.pen.layer.add(_headed(head, (right, right), line))
        else:
            self.pen.layer.add(_headed(head, self.notes_and_trays(right, notes), head.line))

    def score(self, right: int, baseline: float) -> int:
        """The sum of the points, ending at ``right``; returns where the next thing may end."""
        score, px = self.bar.score, self.bar.head.px
        width = text_width(score, px(_SCORE), bold=True)
        place = (right - width, baseline)
        self.pen.write(score, _SCORE, place, self.bar.head.theme.text, bold=True)
        return right - width - px(16)

    def lean(self) -> None:
        """Two lines: name, colour and trays; turn, facts and a score's parts; its sum beside."""
        bar, head, pen = self.bar, self.bar.head, self.pen
        theme, px = head.theme, head.px
        pen.sprite(piece_sprite(head.look, px(50), theme.muted), px(42), head.box.height / 2)
        left, right = px(82), head.box.width - px(20)
        if bar.score:
            right = self.score(right, head.box.height / 2 + px(_SCORE) * 0.357)
        edge = right
        for tray in reversed(bar.trays):
            if not tray.slots:
                continue
            for slot in reversed(tray.slots):
                edge = self.slot(slot, edge, px(25), _LEAN_ICON)
            edge -= text_width(tray.title, px(SMALL))
            pen.write(tray.title, SMALL, (edge, px(35)), theme.muted)
            edge -= px(22)
        size = size_for(head.name or head.word, _LEAN_SIZES, edge - left, px, bold=True)
        name = fitting(head.name or head.word, px(size), edge - left, bold=True)
        pen.write(name, size, (left, px(36)), theme.text, bold=True)
        word = head.word if head.name else ""
        after = left + text_width(name, px(size), bold=True) + px(14)
        if word and after + text_width(word, px(LINE)) <= edge:
            pen.write(word, LINE, (after, px(36)), theme.muted)
            word = ""
        left += pen.signs(left, px(57))
        end = right - (self.parts_width(_PART_SIZES[-1]) + px(24) if bar.parts else 0)
        # The piece shows the colour; a star, the frame and the sum show who has won.
        said = [(word, head.line, bar.notes), (head.line, bar.notes), *([()] if head.won else [])]
        lines = [" · ".join(filter(None, each)) for each in said]
        fit = (each for each in lines if text_width(each, px(_LINE_SIZES[-1])) <= end - left)
        line = next(fit, lines[-1])
        taken = pen.line(line, (left, px(66)), end)
        self.parts(left + taken + px(24) if line else left, right)

    def parts_width(self, size: float) -> int:
        """How wide the parts of a score are in letters of that size."""
        parts, px = self.bar.parts, self.bar.head.px
        words = sum(text_width(title, px(size)) for title, _ in parts)
        points = sum(text_width(points, px(size), bold=True) for _, points in parts)
        return words + points + round(len(parts) * 1.4 * px(16))

    def parts(self, left: int, right: int) -> None:
        """The parts of the score, in one line, in smaller letters where there are many."""
        parts, theme, px = self.bar.parts, self.bar.head.theme, self.bar.head.px
        gap, room = px(16), right - left
        fits = (size for size in _PART_SIZES if self.parts_width(size) <= room)
        size = next(fits, _PART_SIZES[-1])
        for title, points in parts:
            self.pen.write(title, size, (left, px(_PARTS)), theme.muted)
            left += text_width(title, px(size)) + round(0.4 * gap)
            self.pen.write(points, size, (left, px(_PARTS)), theme.text, bold=True)
            left += text_width(points, px(size), bold=True) + gap

    def icon(self, slot: BarSlot, scale: float) -> int:
        size = slot.look.size if slot.look.kind == "pyramid" else 3
        return self.bar.head.px(_ICONS.get(size, _ICONS[3]) * scale)

    def notes_and_trays(self, right: int, notes: str) -> tuple[int, int]:
        """Notes at the right end, trays below them; returns the ends of the name and the line."""
        bar, head = self.bar, self.bar.head
        theme, px = head.theme, head.px
        notes = fitting(notes, px(SMALL), px(460))
        reach = text_width(notes, px(SMALL))
        # A long line below needs the whole width: the notes give way to it as they do to trays.
        crowded = text_width(head.line, px(LINE)) > right - reach - px(166)
        middle = px(28) if bar.trays or crowded else head.box.height / 2
        self.note(notes, right, middle)
        left = right
        needed = px(150) + text_width(head.line, px(_LINE_SIZES[-1]))
        for tray in reversed(bar.trays):
            for slot in reversed(tray.slots):
                left = self.slot(slot, left, px(72), 0.72)
            title = fitting(tray.title, px(SMALL), px(200))
            # Pieces show what their tray is; a result is said in words alone.
            if left - text_width(title, px(SMALL)) - px(20) >= needed:
                left -= text_width(title, px(SMALL))
                self.pen.write(title, SMALL, (left, px(79)), theme.muted)
            left -= px(20)
        beside = right - reach - px(24)
        if bar.trays:
            return min(beside, left + px(60)), left - px(4)
        return beside, right if crowded else beside

    def note(self, notes: str, right: int, middle: float) -> None:
        """Notes in small letters, ending at ``right``."""
        px = self.bar.head.px
        place = (right - text_width(notes, px(SMALL)), middle + px(SMALL) * 0.357)
        self.pen.write(notes, SMALL, place, self.bar.head.theme.muted)

    def titled_trays(self, right: int) -> int:
        """Trays side by side from the right end, each below its title; returns the left end."""
        px = self.bar.head.px
        for tray in reversed(self.bar.trays):
            left = right
            for slot in reversed(tray.slots):
                left = self.slot(slot, left, px(67), 0.95)
            title = fitting(tray.title, px(SMALL), px(200))
            width = text_width(title, px(SMALL))
            start = min((left + right - width) / 2, right - width)
            self.pen.write(title, SMALL, (start, px(30)), self.bar.head.theme.muted)
            right = min(left, round(start)) - px(22)
        return right

    def slot(self, slot: BarSlot, right: int, middle: int, scale: float) -> int:
        """One piece with its count, ending at ``right``; returns where the next one may end."""
        head = self.bar.head
        theme, px = head.theme, head.px
        if slot.count:
            width = text_width(slot.count, px(_COUNT), bold=True)
            tone = theme.text if slot.there else theme.muted
            baseline = middle + px(_COUNT) * 0.357
            self.pen.write(slot.count, _COUNT, (right - width, baseline), tone, bold=True)
            right -= width + px(7)
        size = self.icon(slot, scale)
        sprite = (
            piece_sprite(slot.look, size, theme.muted)
            if slot.there
            else faded(slot.look, size, mix(head.frame.inside, slot.look.ink.accent, 0.5))
        )
        if slot.fresh:
            self.pen.ring(slot.look, size, right - size / 2, middle)
        self.pen.sprite(sprite, right - size / 2, middle)
        return right - size - px(12)
