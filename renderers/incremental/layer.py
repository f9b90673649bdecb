"""Lists of images to draw on a page.

Masks and sprites come from the store, whose shapes stand for them in notes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from PIL import Image

from renderers.incremental.images import RGB, Box, Shape, shape_of
from renderers.layout import Layout


@dataclass(frozen=True, slots=True, eq=False)
class DrawOp:
    """One image to draw: its shape, the ``place`` of its corner, its colour.

    ``colour`` is None for an image with its own colours. It is visible in ``box``. Equal notes are
    the same object (:func:`_note`), unless one was forgotten in between, which only costs another
    drawing.
    """

    shape: Shape
    place: tuple[int, int]
    colour: RGB | None
    box: Box


@lru_cache(maxsize=8192)
def _note(shape: Shape, x: float, y: float, colour: RGB | None, centred: bool) -> DrawOp:
    """The note of an image whose corner or middle lies at (``x``, ``y``)."""
    if centred:
        x, y = x - shape.width / 2, y - shape.height / 2
    x, y = round(x), round(y)
    left, top, right, bottom = shape.seen or (0, 0, 0, 0)
    return DrawOp(shape, (x, y), colour, (x + left, y + top, x + right, y + bottom))


@lru_cache(maxsize=96)
def _notes_on(shape: Shape, layout: Layout, across: float, down: float) -> Mapping[str, DrawOp]:
    """The notes of an image at this distance from the middle of each cell, by the cell's name."""
    return {
        name: _note(shape, x + across, y + down, None, centred=True)
        for name, (x, y) in layout.middles.items()
    }


@dataclass(slots=True)
class Layer:
    """Images in the order of drawing; all places are on the page."""

    _notes: list[DrawOp] = field(default_factory=list, init=False)
    _images: dict[Shape, Image.Image] = field(default_factory=dict, init=False)

    def stamp(self, mask: Image.Image, left: float, top: float, colour: RGB) -> None:
        """Add a mask in one colour, its corner at (``left``, ``top``)."""
        self._lay(mask, left, top, colour, centred=False)

    def centred(self, mask: Image.Image, x: float, y: float, colour: RGB) -> None:
        """Add a mask in one colour, its middle at (``x``, ``y``)."""
        self._lay(mask, x, y, colour, centred=True)

    def sprite(self, image: Image.Image, x: float, y: float) -> None:
        """Add a sprite, its middle at (``x``, ``y``)."""
        self._lay(image, x, y, None, centred=True)

    def sprites(
        self, image: Image.Image, layout: Layout, across: float = 0, down: float = 0
    ) -> Mapping[str, DrawOp]:
        """The notes of a sprite for every cell by name, each for :meth:`put`.

        Its middle lies ``across`` and ``down`` from the middle of the cell.
        """
        shape = shape_of(image)
        self._images[shape] = image
        return _notes_on(shape, layout, across, down)

    def put(self, note: DrawOp) -> None:
        """Add a note made by :meth:`sprites`."""
        self._notes.append(note)

    def add(self, other: Layer) -> None:
        """Add everything of another layer on top."""
        self._notes += other._notes
        self._images |= other._images

    def _lay(
        self, image: Image.Image, x: float, y: float, colour: RGB | None, *, centred: bool
    ) -> None:
        shape = shape_of(image)
        if shape.seen:
            self._images[shape] = image
            self._notes.append(_note(shape, x, y, colour, centred))

    @property
    def notes(self) -> tuple[DrawOp, ...]:
        """All notes of the layer."""
        return tuple(self._notes)
