"""A page that is drawn late: it notes what is laid onto it, and draws only what is new.

Theory
    From one move to the next a page hardly changes, and to blend sprites and look up palette
    colours is what a picture costs. So a sheet is an empty board plus a list of notes: this shape,
    here, in this colour. The board is cut into tiles of a cell each. What a tile looks like depends
    on nothing but the board and the notes that touch it, in order; that is its key, and a finished
    tile, reduced to the palette already, is kept under it. Drawing a position is then a copy of
    the reduced empty board and a paste for every tile with something on it. Reducing goes pixel by
    pixel, so the outcome equals that of reducing the page drawn as a whole.

Shapes and sprites come from the store, whose serial numbers stand for them in keys.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import NamedTuple

from PIL import Image

from renderers.cache import serial, store
from renderers.canvas import RGB, Page

__all__ = ["Sheet", "board_in"]


class _Note(NamedTuple):
    """One thing laid down, corner first; ``colour`` None for a sprite, which has its own."""

    serial: int
    left: int
    top: int
    colour: RGB | None


class _Panel(NamedTuple):
    key: Hashable
    draw: Callable[[], Image.Image]
    place: tuple[int, int]

    def reduced(self, palette: Image.Image) -> Image.Image:
        key = ("panel", self.key, serial(palette))
        return store.get(key, lambda: _reduced(self.draw(), palette))


@dataclass(slots=True)
class Sheet:
    """An empty board, and what lies on it.

    ``board`` comes from the store, best in the palette's colours already, which takes a quarter of
    the room. Tiles are ``pitch`` pixels wide, one corner of them lies at (``left``, ``top``).
    Panels are opaque and nothing else lies on them; one is drawn only if none is kept by its key.
    """

    board: Image.Image
    pitch: int
    left: int
    top: int
    _notes: list[_Note] = field(default_factory=list)
    _images: dict[int, Image.Image] = field(default_factory=dict)
    _panels: list[_Panel] = field(default_factory=list)

    def stamp(self, shape: Image.Image, left: float, top: float, colour: RGB) -> None:
        """Lay a mask down in one colour, its corner at (``left``, ``top``)."""
        number = serial(shape)
        self._images[number] = shape
        self._notes.append(_Note(number, round(left), round(top), colour))

    def centred(self, shape: Image.Image, x: float, y: float, colour: RGB) -> None:
        """Lay a mask down in one colour, its middle at (``x``, ``y``)."""
        self.stamp(shape, x - shape.width / 2, y - shape.height / 2, colour)

    def sprite(self, image: Image.Image, x: float, y: float) -> None:
        """Lay a sprite down, its middle at (``x``, ``y``)."""
        number = serial(image)
        self._images[number] = image
        left, top = round(x - image.width / 2), round(y - image.height / 2)
        self._notes.append(_Note(number, left, top, None))

    def panel(self, key: Hashable, draw: Callable[[], Image.Image], left: int, top: int) -> None:
        """Lay an opaque image down where nothing else is."""
        self._panels.append(_Panel(key, draw, (left, top)))

    def whole(self) -> Image.Image:
        """The page in RGB, drawn in one go."""
        page = Page(self.board.convert("RGB"))
        self._draw(page, self._notes, 0, 0)
        for panel in self._panels:
            page.image.paste(panel.draw(), panel.place)
        return page.image

    def reduced(self, palette: Image.Image) -> Image.Image:
        """The page in the colours of ``palette``, which comes from the store."""
        page = self.board.copy() if self.board.mode == "P" else _reduced(self.board, palette)
        for (column, row), notes in self._by_tile().items():
            left, top = self.left + column * self.pitch, self.top + row * self.pitch
            tile = self._tile(notes, left, top, palette)
            page.paste(tile, (max(0, left), max(0, top)))
        for panel in self._panels:
            page.paste(panel.reduced(palette), panel.place)
        return page

    def _by_tile(self) -> dict[tuple[int, int], list[_Note]]:
        """The notes that touch each tile, in order."""
        found: dict[tuple[int, int], list[_Note]] = {}
        pitch = self.pitch
        for note in self._notes:
            image = self._images[note.serial]
            left, top = note.left - self.left, note.top - self.top
            columns = range(left // pitch, (left + image.width - 1) // pitch + 1)
            for row in range(top // pitch, (top + image.height - 1) // pitch + 1):
                for column in columns:
                    found.setdefault((column, row), []).append(note)
        return found

    def _tile(self, notes: list[_Note], left: int, top: int, palette: Image.Image) -> Image.Image:
        box = (
            max(0, left),
            max(0, top),
            min(self.board.width, left + self.pitch),
            min(self.board.height, top + self.pitch),
        )

        def draw() -> Image.Image:
            tile = Page(self.board.crop(box).convert("RGB"))
            self._draw(tile, notes, box[0], box[1])
            return _reduced(tile.image, palette)

        key = ("tile", serial(self.board), serial(palette), box, tuple(notes))
        return store.get(key, draw)

    def _draw(self, page: Page, notes: list[_Note], left: int, top: int) -> None:
        """Draw notes on a page whose corner lies at (``left``, ``top``) of the sheet."""
        for note in notes:
            image = self._images[note.serial]
            place = (note.left - left, note.top - top)
            page.image.paste(image if note.colour is None else note.colour, place, image)


def _reduced(image: Image.Image, palette: Image.Image) -> Image.Image:
    """An image in the nearest colours of a palette."""
    return image.quantize(palette=palette, dither=Image.Dither.NONE)


def board_in(board: Callable[[], Image.Image], key: Hashable, palette: Image.Image) -> Image.Image:
    """An empty board in the colours of a palette, kept by its key."""
    return store.get(("board", key, serial(palette)), lambda: _reduced(board(), palette))
