"""Pages without a board: a title above, lines of letters, small print below.

Tables, crosstables and brackets are drawn on them. Like a board, a page is an empty ground with
notes on it, so that after a result only the changes are drawn (:mod:`renderers.incremental`).
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from PIL import Image

from renderers.canvas import Page, rounded
from renderers.fonts import drawable, fitting, text_mask, text_width
from renderers.incremental.composition import Composition
from renderers.incremental.images import RGB, Box
from renderers.incremental.sheet import Sheet, ground_in
from renderers.names import clean_name, isolated
from renderers.picture import Picture, stored_palette
from renderers.style import Style
from renderers.themes import Theme, theme_named
from renderers.words import lacking_font

WIDTH, MARGIN, TOP, FOOT = 1000, 24, 84, 60
"""The page in pixels: its width, the free room at its sides, its head and its small print."""
TITLE, TEXT, SMALL = 36, 30, 24
"""Sizes of letters in pixels; at 400 pixels wide the smallest are nearly 10."""
ALT_TEXT_LIMIT = 1024
"""Most characters of an attachment's description (Discord, message attachments)."""
_PAGE_GAP = 26


class Panel(NamedTuple):
    """A rectangle in one colour: left, top, right, bottom (the last two outside)."""

    box: Box
    tone: RGB


class _Ground(NamedTuple):
    """A page without letters."""

    height: int
    card: RGB
    panels: tuple[Panel, ...]

    def draw(self) -> Image.Image:
        page = Page.blank(WIDTH, self.height, self.card)
        for panel in self.panels:
            page.fill(panel.box, panel.tone)
        return page.image


class Paper:
    """One page to write on, ``height`` pixels high, on constant ``panels``."""

    def __init__(self, style: Style, height: int, panels: tuple[Panel, ...] = ()) -> None:
        self._style = style
        self._names: list[str] = []
        self.theme: Theme = theme_named(style.theme)
        self.height = height
        bottom = height - FOOT
        rule = Panel((MARGIN, bottom, WIDTH - MARGIN, bottom + 3), self.theme.bar_line)
        ground = _Ground(height, self.theme.card, (*panels, rule))
        palette = stored_palette(style.theme, "pair", 2)
        self._sheet = Sheet(ground_in(ground.draw, ground, palette), palette)

    def frame(self, title: str, footer: str, page: int, pages: int) -> None:
        """Title, small print and, if there are several pages, the number of this one, from 0."""
        right = WIDTH - MARGIN
        number = f"{page + 1} / {pages}" if pages > 1 else ""
        self.write(number, SMALL, right, 28, self.theme.muted, from_right=True)
        room = right - MARGIN - text_width(number, SMALL) - _PAGE_GAP
        self.write(clean_text(title), TITLE, MARGIN, 16, self.theme.text, room=room)
        below = self.height - FOOT + 12
        self.write(clean_text(footer), SMALL, MARGIN, below, self.theme.muted, room=right - MARGIN)

    def write(
        self,
        text: str,
        size: int,
        x: int,
        top: int,
        tone: RGB,
        *,
        room: int | None = None,
        least: int | None = None,
        bold: bool = False,
        from_right: bool = False,
    ) -> int:
        """Letters from ``x`` on, or ending there; the baseline is 1.1 sizes below ``top``.

        Those that take more than ``room`` pixels are drawn in the ``least`` size, on the same
        baseline, and cut. Returns their width in pixels. Letters that no font here can draw are
        left out.
        """
        text = drawable(text)
        if room is not None:
            if least is not None and text_width(text, size, bold=bold) > room:
                top += round((size - least) * 1.1)
                size = least
            text = fitting(text, size, room, bold=bold)
        if not text:
            return 0
        letters = text_mask(text, size, bold=bold)
        self._sheet.stamp(letters, x - (letters.width if from_right else 0), top, tone)
        return letters.width

    def name(self, name: str, spare: str) -> str:
        """A player's name if fonts here can draw all of it, else its replacement."""
        clean = clean_name(name)
        self._names.append(clean)
        return clean if clean and drawable(clean) == clean else drawable(spare)

    def centred(self, text: str, size: int, middle: int, top: int, tone: RGB, *, room: int) -> None:
        """Letters around a ``middle``, cut to ``room`` pixels."""
        text = fitting(drawable(text), size, room, bold=True)
        if text:
            letters = text_mask(text, size, bold=True)
            self._sheet.stamp(letters, round(middle - letters.width / 2), top, tone)

    def box(self, box: Box, tone: RGB, radius: int = 3) -> None:
        """A rectangle with round corners."""
        left, top, right, bottom = box
        self._sheet.stamp(rounded(right - left, bottom - top, radius), left, top, tone)

    def shape(self, mask: Image.Image, x: float, y: float, tone: RGB) -> None:
        """A mask from the store of images, its middle at (``x``, ``y``)."""
        self._sheet.centred(mask, x, y, tone)

    def picture(self, words: str, series: Hashable) -> Picture:
        """The page as a picture, as the next one of a series (an event, for example).

        Where there is room, its words end with the names that no font here can draw.
        """
        for line in lacking_font(self._names, self._style):
            if len(words) + 1 + len(line) <= ALT_TEXT_LIMIT:
                words += f"\n{line}"
        page = Composition((self._sheet,))
        return Picture(page.png(("paper", series)), words, WIDTH, self.height)


def clean_text(text: str) -> str:
    """A title or a footer, perhaps with people's names, cleaned for drawing on one line."""
    return " ".join(text.split())


def shown_name(name: str, spare: str) -> str:
    """A player's name cleaned for reading out, or its replacement if nothing is left."""
    return isolated(clean_name(name)) or spare


def words_in_room(head: str, lines: list[str]) -> str:
    """Lines below a head in at most 1024 characters; an ellipsis replaces those without room."""
    said = head[:ALT_TEXT_LIMIT]
    for line in lines:
        if len(said) + len(line) + 1 > ALT_TEXT_LIMIT - 1:
            return f"{said[: ALT_TEXT_LIMIT - 1]}…"
        said += f"\n{line}"
    return said.strip()
