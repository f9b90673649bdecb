"""A sheet: some rows of a page, of which only the changes are drawn.

Theory
    A sheet is an empty ground and the notes on it. The last finished sheet with the same ground in
    the same series (a match, for example) is cached with its notes. Around each note that came or
    went, a box is drawn: the ground, then every note that touches the box, in order, then all of it
    in the colours of the palette. The boxes are pasted onto the earlier sheet, whose bands of rows
    are deflated again only where a box lies (:mod:`renderers.incremental.png`). Colours are reduced
    pixel by pixel, so the outcome equals that of reducing the whole page.

    Much has been drawn before: many cells look the same, and numbers recur. So boxes are cached by
    their content, which is the ground below them and the notes on it, for any place on a page. A
    digest of the part of the ground identifies it, computed once for each place.

    The bar of the player on turn has another ground than the others, so a bar follows the one of
    two moves ago and differs from it in a few numbers.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from threading import Lock
from typing import NamedTuple

from PIL import Image

from renderers.incremental.images import Box, Store, shape_of, store, stored
from renderers.incremental.layer import DrawOp, Layer
from renderers.incremental.png import Bands, Patch

_OVERHEAD = 1000
"""Bytes of a box and its key besides the pixels."""
_CUTTING = 450
"""Bytes of the digest of a part of a ground with its key."""
_LARGEST = 32 * 1024
"""The pixels of the largest box worth caching: larger ones hardly recur."""


Notes = tuple[DrawOp, ...]


class _Finished(NamedTuple):
    """A sheet and its notes."""

    notes: Notes
    bands: Bands

    @property
    def weight(self) -> int:
        """Its approximate bytes."""
        return self.bands.weight + 200 * len(self.notes)


class Latest:
    """The last finished sheet of each ground in each series, at most ``limit`` bytes in all.

    The newest ``ready`` of them are stored as pixels, the others deflated.
    """

    def __init__(self, limit: int, ready: int) -> None:
        self.limit = limit
        self.ready = ready
        self.size = 0
        self._sheets: OrderedDict[Hashable, _Finished] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> _Finished | None:
        """The last finished sheet of that key, if it is still here."""
        with self._lock:
            return self._sheets.get(key)

    def put(self, key: Hashable, sheet: _Finished) -> None:
        """Store a sheet in place of the one before; those longest unused go first."""
        with self._lock:
            before = self._sheets.pop(key, None)
            self._sheets[key] = sheet
            self.size += sheet.weight - (before.weight if before else 0)
            for other in islice(reversed(self._sheets), self.ready, self.ready + 1):
                whole = self._sheets[other]
                packed = self._sheets[other] = _Finished(whole.notes, whole.bands.packed())
                self.size += packed.weight - whole.weight
            while self.size > self.limit and len(self._sheets) > 1:
                self.size -= self._sheets.popitem(last=False)[1].weight

    def clear(self) -> None:
        """Forget everything, as in a fresh process."""
        with self._lock:
            self._sheets.clear()
            self.size = 0


latest = Latest(limit=7 * 1024 * 1024, ready=15)
"""The sheets of this process: as pixels those of three matches of two, some forty in all."""

boxes: Store[bytes] = Store(5 * 1024 * 1024, lambda pixels: len(pixels) + _OVERHEAD)
"""Drawn boxes; apart from images, which take more effort to draw."""
cuttings: Store[bytes] = Store(1024 * 1024, lambda _: _CUTTING)
"""Digests of parts of grounds, by their places."""


@dataclass(slots=True)
class Sheet(Layer):
    """Some rows of a page, from side to side: an empty ground, and the notes on it.

    ``ground`` comes from the store, in the colours of ``palette`` (mode ``P``), which comes from
    the store as well; RGB if there is no palette and the page is only for :meth:`whole`. Its upper
    edge is row ``top`` of the page.
    """

    ground: Image.Image
    palette: Image.Image | None
    top: int = 0

    def whole(self) -> Image.Image:
        """The sheet in RGB, drawn in one go."""
        sheet = self.ground.convert("RGB")
        self._draw(sheet, self._notes, 0, self.top)
        return sheet

    def reduced(self) -> Image.Image:
        """The sheet in the colours of its palette (mode ``P``)."""
        return self._reduced(self.whole())

    def finished(self, series: Hashable) -> Bands:
        """The sheet in the colours of its palette, as the next one of a series."""
        key = (shape_of(self.ground), series)
        before = latest.get(key)
        if before is None:
            bands = Bands.of(self.reduced())
        else:
            bands = before.bands.pasted(self.patches(before.notes))
        latest.put(key, _Finished(self.notes, bands))
        return bands

    def patches(self, known: Notes) -> list[Patch]:
        """The patches that turn a sheet with the same ground and those notes into this one."""
        old, new = set(known), set(self._notes)
        if [note for note in known if note in new] != [note for note in self._notes if note in old]:
            return [Patch.of(self.reduced())]
        width, height = self.ground.size
        found: list[Patch] = []
        for left, top, right, bottom in _joined({note.box for note in old ^ new}):
            first, last = max(top, self.top), min(bottom, self.top + height)
            box = (max(left, 0), first, min(right, width), last)
            if box[0] < box[2] and box[1] < box[3]:
                found.append(self._patch(box))
        return found

    def _patch(self, box: Box) -> Patch:
        left, top, right, bottom = box
        notes = [
            note
            for note in self._notes
            if (its := note.box)[0] < right and its[2] > left and its[1] < bottom and its[3] > top
        ]
        width, height = right - left, bottom - top
        within = (left, top - self.top, right, bottom - self.top)
        if width * height > _LARGEST:
            pixels = self._pixels(within, notes)
        else:
            laid = tuple(
                (note.shape, note.place[0] - left, note.place[1] - top, note.colour)
                for note in notes
            )
            palette = self.palette and shape_of(self.palette)
            key = (palette, width, self._cutting(within), laid)
            pixels = boxes.get(key) or boxes.put(key, self._pixels(within, notes))
        return Patch(pixels, width, height, left, top - self.top)

    def _cutting(self, box: Box) -> bytes:
        """A digest of the palette numbers of the ground in a box."""
        ground = shape_of(self.ground)
        found = cuttings.get((ground, box))
        if found is not None:
            return found
        pixels = self.ground.crop(box).tobytes()
        return cuttings.put((ground, box), blake2b(pixels, digest_size=16).digest())

    def _pixels(self, box: Box, notes: Iterable[DrawOp]) -> bytes:
        """The pixels of notes on the part of the ground in a box."""
        image = self.ground.crop(box).convert("RGB")
        self._draw(image, notes, box[0], self.top + box[1])
        return self._reduced(image).tobytes()

    def _draw(self, image: Image.Image, notes: Iterable[DrawOp], left: int, top: int) -> None:
        """Draw notes on an RGB image whose corner lies at (``left``, ``top``) of the page."""
        for note in notes:
            thing = self._images[note.shape]
            x, y = note.place
            ink = thing if note.colour is None else note.colour
            image.paste(ink, (x - left, y - top), thing)

    def _reduced(self, image: Image.Image) -> Image.Image:
        return _in_palette(image, self.palette)


def _joined(boxes: Iterable[Box]) -> list[Box]:
    """Boxes around boxes that touch each other."""
    found: list[Box] = []
    for one in boxes:
        box = one
        while near := _touching(box, found):
            found = [other for other in found if other not in near]
            lefts, tops, rights, bottoms = zip(box, *near, strict=True)
            box = (min(lefts), min(tops), max(rights), max(bottoms))
        found.append(box)
    return found


def _touching(box: Box, others: Iterable[Box]) -> list[Box]:
    """The others that have a pixel in common with a box."""
    left, top, right, bottom = box
    return [
        other
        for other in others
        if other[0] < right and other[2] > left and other[1] < bottom and other[3] > top
    ]


def _in_palette(image: Image.Image, palette: Image.Image | None) -> Image.Image:
    """An image in the nearest colours of a palette; as it is if there is none."""
    if palette is None:
        return image
    return image.quantize(palette=palette, dither=Image.Dither.NONE)


def ground_in(
    draw: Callable[[], Image.Image], key: Hashable, palette: Image.Image | None
) -> Image.Image:
    """An empty ground in the colours of a palette, cached by its key; RGB without a palette."""
    key = ("ground", key, palette and shape_of(palette))
    return store.get(key) or stored(key, _in_palette(draw(), palette))
