"""A page that is drawn late: it notes what is laid onto it, and draws only what is new.

Theory
    From one move to the next a page hardly changes, and to blend sprites, look up palette colours
    and deflate rows is what a picture costs. So a sheet is an empty ground plus a list of notes:
    this shape, here, in this colour. It is cut into tiles: a cell each, and narrow ones between
    cells. What a tile looks like depends on nothing but the ground and the notes that touch it, in
    order. That saves work twice.

    * The page last finished in the same series (a match, say) is at hand with its notes. The next
      one is a copy of it, with a tile pasted wherever ground or notes differ; and only the bands
      of rows with such a tile are deflated anew (:mod:`renderers.png`).
    * A tile is kept under its ground and notes, reduced to the palette already, so that a page
      without a predecessor, or a player bar on turn again, is pasted together from tiles.

    Player bars are sheets on the sheet, cut in their own way. Reducing goes pixel by pixel, so the
    outcome equals that of reducing the page drawn as a whole.

Shapes and sprites come from the store, whose serial numbers stand for them in keys.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from threading import Lock
from typing import NamedTuple

from PIL import Image

from renderers.cache import serial, store, visible
from renderers.canvas import RGB, Page
from renderers.png import Band, band, png

__all__ = ["Flat", "Latest", "Sheet", "ground_in", "latest"]

_OVERHEAD = 200_000
"""Bytes that a page takes besides its pixels: deflated rows, and what each tile shows."""

_Box = tuple[int, int, int, int]


class _Note(NamedTuple):
    """One thing laid down, corner first; ``colour`` None for a sprite, which has its own."""

    serial: int
    left: int
    top: int
    colour: RGB | None


class _Tile(NamedTuple):
    """A sheet's number on its page (0 is the page itself), and the tile's column and row."""

    sheet: int
    column: int
    row: int


_Look = tuple[int, tuple[_Note, ...]]
"""All that a tile shows: its ground by number, and its notes."""


@dataclass(frozen=True, slots=True)
class Flat:
    """A finished page, its pixels numbers of palette colours (mode ``L``).

    ``looks`` has every tile with something to show.
    """

    image: Image.Image
    colours: bytes
    rows: tuple[int, ...]
    looks: dict[_Tile, _Look]
    _bands: dict[int, Band]

    def png(self) -> bytes:
        """The page as a PNG file."""
        for row, (top, bottom) in enumerate(pairwise(self.rows)):
            if row not in self._bands:
                self._bands[row] = band(self.image, top, bottom)
        return png(
            self.image, self.colours, (self._bands[row] for row in range(len(self.rows) - 1))
        )

    def bands_without(self, changed: set[int]) -> dict[int, Band]:
        """What is deflated already, but for some rows of tiles."""
        return {row: one for row, one in self._bands.copy().items() if row not in changed}


class Latest:
    """The page last finished in each series, at most ``limit`` bytes in all."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self._pages: OrderedDict[Hashable, Flat] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Flat | None:
        """The page last finished there, if it is still here."""
        with self._lock:
            return self._pages.get(key)

    def put(self, key: Hashable, flat: Flat) -> None:
        """Keep a page in place of the one before; the series gone longest without one go first."""
        with self._lock:
            before = self._pages.pop(key, None)
            if before is not None:
                self.size -= _weight(before)
            self._pages[key] = flat
            self.size += _weight(flat)
            while self.size > self.limit and len(self._pages) > 1:
                self.size -= _weight(self._pages.popitem(last=False)[1])

    def clear(self) -> None:
        """Forget everything, as in a fresh process."""
        with self._lock:
            self._pages.clear()
            self.size = 0


def _weight(flat: Flat) -> int:
    return flat.image.width * flat.image.height + _OVERHEAD


latest = Latest(limit=5 * 1024 * 1024)
"""The pages of this process: of three matches at the usual size."""


@dataclass(slots=True)
class Sheet:
    """An empty ground, and what lies on it.

    ``ground`` comes from the store, in the palette's colours unless the page is only to be seen
    :meth:`whole`. ``columns`` and ``rows`` are where tiles begin and end, ascending, from 0 to the
    width and height. Nothing else lies where a panel does.
    """

    ground: Image.Image
    columns: tuple[int, ...]
    rows: tuple[int, ...]
    _notes: list[_Note] = field(default_factory=list)
    _images: dict[int, Image.Image] = field(default_factory=dict)
    _panels: list[tuple[Sheet, int, int]] = field(default_factory=list)

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

    def panel(self, sheet: Sheet, left: int, top: int) -> None:
        """Lay a sheet down where nothing else is."""
        self._panels.append((sheet, left, top))

    def whole(self) -> Image.Image:
        """The page in RGB, drawn in one go."""
        page = Page(self.ground.convert("RGB"))
        self._draw(page, self._notes, 0, 0)
        for sheet, left, top in self._panels:
            page.image.paste(sheet.whole(), (left, top))
        return page.image

    def reduced(self, palette: Image.Image) -> Image.Image:
        """The page in the colours of ``palette``, which comes from the store."""
        flat = self._finished(palette, None)
        flat.image.putpalette(flat.colours)
        return flat.image

    def finished(self, palette: Image.Image, series: Hashable) -> Flat:
        """The page in the colours of ``palette``, to follow and to be followed in a series."""
        key = (serial(self.ground), serial(palette), series)
        flat = self._finished(palette, latest.get(key))
        latest.put(key, flat)
        return flat

    def _finished(self, palette: Image.Image, before: Flat | None) -> Flat:
        looks = self._looks()
        image = _numbers(self.ground) if before is None else before.image.copy()
        known = {} if before is None else before.looks
        changed = [tile for tile, look in looks.items() if known.get(tile) != look]
        changed += known.keys() - looks.keys()
        boxes: list[_Box] = []
        sheets = [(self, 0, 0), *self._panels]
        bare: _Look = (serial(self.ground), ())
        for tile in changed:
            sheet, x, y = sheets[tile.sheet]
            box = sheet._box(tile)
            image.paste(sheet._tile(looks.get(tile, bare), box, palette), (x + box[0], y + box[1]))
            boxes.append((x + box[0], y + box[1], x + box[2], y + box[3]))
        rows = {
            row
            for _, top, _, bottom in boxes
            for row in range(bisect_right(self.rows, top) - 1, bisect_left(self.rows, bottom))
        }
        bands = {} if before is None else before.bands_without(rows)
        colours = bytes(palette.getpalette("RGB") or ())
        return Flat(image, colours, self.rows, looks, bands)

    def _looks(self) -> dict[_Tile, _Look]:
        """What every tile of the page and of its panels shows, bare ones of the page left out."""
        looks: dict[_Tile, _Look] = {}
        number = serial(self.ground)
        for tile, notes in self._by_tile(0).items():
            looks[tile] = (number, tuple(notes))
        for index, (sheet, _, _) in enumerate(self._panels, start=1):
            number, found = serial(sheet.ground), sheet._by_tile(index)
            for tile in sheet._all(index):
                looks[tile] = (number, tuple(found.get(tile, ())))
        return looks

    def _all(self, index: int) -> Iterator[_Tile]:
        for column in range(len(self.columns) - 1):
            for row in range(len(self.rows) - 1):
                yield _Tile(index, column, row)

    def _by_tile(self, index: int) -> dict[_Tile, list[_Note]]:
        """The notes that touch each tile, in order."""
        found: dict[_Tile, list[_Note]] = {}
        for note in self._notes:
            box = visible(self._images[note.serial])
            if box is not None:
                left, top = note.left, note.top
                seen = (left + box[0], top + box[1], left + box[2], top + box[3])
                for tile in _touched(index, self.columns, self.rows, seen):
                    found.setdefault(tile, []).append(note)
        return found

    def _box(self, tile: _Tile) -> _Box:
        column, row = tile.column, tile.row
        return self.columns[column], self.rows[row], self.columns[column + 1], self.rows[row + 1]

    def _tile(self, look: _Look, box: _Box, palette: Image.Image) -> Image.Image:
        notes = look[1]

        def draw() -> Image.Image:
            bare = self.ground.crop(box)
            if not notes:
                return _numbers(bare)
            tile = Page(bare.convert("RGB"))
            self._draw(tile, notes, box[0], box[1])
            return _numbers(_reduced(tile.image, palette))

        return store.get(("tile", serial(palette), box, look), draw)

    def _draw(
        self, page: Page, notes: list[_Note] | tuple[_Note, ...], left: int, top: int
    ) -> None:
        """Draw notes on a page whose corner lies at (``left``, ``top``) of the sheet."""
        for note in notes:
            image = self._images[note.serial]
            place = (note.left - left, note.top - top)
            page.image.paste(image if note.colour is None else note.colour, place, image)


@lru_cache(maxsize=4096)
def _touched(
    index: int, columns: tuple[int, ...], rows: tuple[int, ...], box: _Box
) -> tuple[_Tile, ...]:
    """The tiles of a sheet that a box touches."""
    left, top, right, bottom = box
    return tuple(
        _Tile(index, column, row)
        for row in _between(rows, top, bottom)
        for column in _between(columns, left, right)
    )


def _between(cuts: tuple[int, ...], start: int, end: int) -> range:
    return range(max(0, bisect_right(cuts, start) - 1), min(len(cuts) - 1, bisect_left(cuts, end)))


def _reduced(image: Image.Image, palette: Image.Image) -> Image.Image:
    """An image in the nearest colours of a palette."""
    return image.quantize(palette=palette, dither=Image.Dither.NONE)


def _numbers(image: Image.Image) -> Image.Image:
    """The palette numbers of an image without the palette, which would weigh more than a tile."""
    return Image.frombytes("L", image.size, image.tobytes())


def ground_in(
    draw: Callable[[], Image.Image], key: Hashable, palette: Image.Image | None
) -> Image.Image:
    """An empty ground in the colours of a palette, kept by its key; as drawn if there is none."""
    if palette is None:
        return draw()
    return store.get(("ground", key, serial(palette)), lambda: _reduced(draw(), palette))
