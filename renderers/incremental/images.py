"""A cache of drawn images, bounded by size.

Sprites, empty boards and finished player bars are pure functions of small keys. They are kept in
one store with a limit in bytes, the least used going first, so that all themes, board sizes and
games together cannot grow without end. Several threads may use it: at worst one of them draws a
thing a second time, and stored things are only read.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import wraps
from threading import Lock
from typing import Generic, ParamSpec, TypeVar

from cachetools import LRUCache
from PIL import Image

P = ParamSpec("P")
T = TypeVar("T")
RGB = tuple[int, int, int]
"""Red, green and blue, each from 0 to 255."""
Box = tuple[int, int, int, int]
"""Left, top, right, bottom; the last two lie outside."""
_SHAPE = "shape"
_OVERHEAD = 2000
"""Bytes of an image and its key besides the pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """An image of the store, for the keys of others made from it: it equals nothing but itself.

    An image that was forgotten and drawn again has another shape. ``seen`` is the box of a mask or
    sprite outside which it is transparent, None if all of it is.
    """

    width: int
    height: int
    seen: Box | None

    @classmethod
    def of(cls, image: Image.Image) -> Shape:
        """The shape of a new image."""
        clear = image.mode in ("L", "RGBA")
        return cls(*image.size, image.getbbox() if clear else (0, 0, *image.size))


class Store(Generic[T]):
    """Things by key, at most ``limit`` bytes in all, with the weights of ``weigh``.

    A thing heavier than the limit is not stored at all. Several threads may use it.
    """

    def __init__(self, limit: int, weigh: Callable[[T], int]) -> None:
        self._things: LRUCache[Hashable, T] = LRUCache(limit, getsizeof=weigh)
        self._lock = Lock()

    @property
    def limit(self) -> int:
        """The limit of all things together in bytes."""
        return int(self._things.maxsize)

    @property
    def size(self) -> int:
        """The present size of all things in bytes."""
        return int(self._things.currsize)

    def get(self, key: Hashable) -> T | None:
        """The thing of that key, if it is here. Callers must not change it."""
        with self._lock:
            return self._things.get(key)

    def put(self, key: Hashable, thing: T) -> T:
        """Store a thing; returns the stored one, which another thread may have put there first."""
        with self._lock:
            try:
                return self._things.setdefault(key, thing)
            except ValueError:  # heavier than the limit
                return thing

    def clear(self) -> None:
        """Forget everything, as in a fresh process."""
        with self._lock:
            self._things.clear()


def shape_of(image: Image.Image) -> Shape:
    """The shape of an image from the store; :exc:`KeyError` for others."""
    shape: Shape = image.info[_SHAPE]
    return shape


def weight(image: Image.Image) -> int:
    """The approximate bytes of an image."""
    # Pillow keeps RGB in four bytes a pixel, as it does RGBA.
    return image.width * image.height * (1 if image.mode in ("L", "P") else 4) + _OVERHEAD


store: Store[Image.Image] = Store(7 * 1024 * 1024, weight)
"""All stored images, except their copies on pages."""


def stored(key: Hashable, image: Image.Image) -> Image.Image:
    """Put an image, which gets a shape, into the store of images; see :meth:`Store.put`."""
    image.load()
    image.info[_SHAPE] = Shape.of(image)  # A copy has the shape of its original.
    return store.put(key, image)


def kept(draw: Callable[P, Image.Image]) -> Callable[P, Image.Image]:
    """Cache the results of ``draw``, each an image of its own; all arguments must be hashable."""

    @wraps(draw)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> Image.Image:
        key = (draw, args, *kwargs.items())
        found = store.get(key)
        return stored(key, draw(*args, **kwargs)) if found is None else found

    return wrapper
