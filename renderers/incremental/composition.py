"""The composition of a page: sheets from side to side, one below the other."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from PIL import Image

from renderers.incremental.png import Patch, png
from renderers.incremental.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Composition:
    """The sheets of a page, from top to bottom."""

    sheets: tuple[Sheet, ...]

    @property
    def width(self) -> int:
        """In pixels."""
        return self.sheets[0].ground.width

    @property
    def height(self) -> int:
        """In pixels."""
        return sum(sheet.ground.height for sheet in self.sheets)

    def whole(self) -> Image.Image:
        """The page in RGB, drawn in one go."""
        page = Image.new("RGB", (self.width, self.height))
        for sheet in self.sheets:
            page.paste(sheet.whole(), (0, sheet.top))
        return page

    def reduced(self) -> Image.Image:
        """The page in the colours of its palette (mode ``P``)."""
        first = self.sheets[0].reduced()
        page = first.crop((0, 0, self.width, self.height))
        for sheet in self.sheets[1:]:
            page.paste(sheet.reduced(), (0, sheet.top))
        return page

    def png(self, series: Hashable) -> bytes:
        """The page as a PNG file, as the next one of a series (a match, for example)."""
        return png([sheet.finished(series) for sheet in self.sheets])

    def patches(self, before: Composition) -> Iterator[Patch]:
        """The patches that turn the page before, of the same layout, into this page."""
        for sheet, earlier in zip(self.sheets, before.sheets, strict=True):
            if sheet.ground is earlier.ground:
                found = sheet.patches(earlier.notes)
            else:
                found = [Patch.of(sheet.reduced())]
            for patch in found:
                yield patch._replace(top=sheet.top + patch.top)
