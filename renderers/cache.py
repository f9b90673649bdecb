"""What has been drawn once and is drawn again and again: a store that forgets by size.

Sprites, empty boards and finished player bars are pure functions of small keys. They are kept in
one store with a limit in bytes, the least used going first, so that every theme, board size and
game together cannot grow without end. Threads may ask at the same time: at worst one of them draws
a thing a second time, and whatever is in the store is only read.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import wraps
from threading import Lock
from typing import ParamSpec

from PIL import Image

__all__ = ["Box", "Shape", "Store", "kept", "shape_of", "store"]

P = ParamSpec("P")
Box = tuple[int, int, int, int]
"""Left, top, right, bottom; the last two lie outside."""
_SHAPE = "shape"
_OVERHEAD = 2000
"""Bytes that an image and its key take besides the pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """An image of the store, in keys of what is made from it: it equals nothing but itself.

    One that was forgotten and made anew has another shape. ``seen`` is the box of a mask or sprite
    outside which it is transparent, None if all of it is.
    """

    width: int
    height: int
    seen: Box | None

    @classmethod
    def of(cls, image: Image.Image) -> Shape:
        """The shape of an image that is new."""
        clear = image.mode in ("L", "RGBA")
        return cls(*image.size, image.getbbox() if clear else (0, 0, *image.size))


class Store:
    """Images by key, at most ``limit`` bytes of pixels in all."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self._images: OrderedDict[Hashable, Image.Image] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], Image.Image]) -> Image.Image:
        """The image of that key, made now if it is not here. Callers must not draw on it."""
        with self._lock:
            found = self._images.get(key)
            if found is not None:
                self._images.move_to_end(key)
                return found
        made = make()
        made.load()
        with self._lock:
            if key in self._images:
                return self._images[key]
            made.info[_SHAPE] = Shape.of(made)  # a copy brings along the shape of its model
            self._images[key] = made
            self.size += _weight(made)
            while self.size > self.limit and len(self._images) > 1:
                self.size -= _weight(self._images.popitem(last=False)[1])
        return made

    def clear(self) -> None:
        """Forget everything, as in a fresh process."""
        with self._lock:
            self._images.clear()
            self.size = 0


def shape_of(image: Image.Image) -> Shape:
    """The shape of an image from the store; :exc:`KeyError` for others."""
    shape: Shape = image.info[_SHAPE]
    return shape


def _weight(image: Image.Image) -> int:
    # Pillow keeps RGB in four bytes a pixel, as it does RGBA.
    return image.width * image.height * (1 if image.mode in ("L", "P") else 4) + _OVERHEAD


store = Store(limit=9 * 1024 * 1024)
"""The one store of this process."""


def kept(draw: Callable[P, Image.Image]) -> Callable[P, Image.Image]:
    """Keep what ``draw`` returns for its arguments, which must all hash."""

    @wraps(draw)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> Image.Image:
        key = (draw, args, *kwargs.items())
        return store.get(key, lambda: draw(*args, **kwargs))

    return wrapper
