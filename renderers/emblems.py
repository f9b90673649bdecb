"""The marks that stand for sets of pieces, so that nothing depends on hue alone."""

from __future__ import annotations

from math import cos, pi, sin

from PIL import Image

from renderers.canvas import circle, diamond, polygon, ring


def emblem(mark: str, size: int) -> Image.Image:
    """The mask of a mark (see :attr:`renderers.themes.Ink.mark`), about ``size`` pixels wide."""
    if mark == "ring":
        return ring(size, max(2.5, size * 0.2))
    if mark == "diamond":
        return diamond(round(size * 1.2))
    if mark == "triangle":
        top, base = size * 0.02, size * 0.95
        side = size * 1.1
        return polygon(round(side), size, ((side / 2, top), (side, base), (0.0, base)))
    if mark == "plus":
        return _plus(size)
    if mark == "star":
        return polygon(size, size, _star(size))
    return circle(max(2, round(size * 0.92)))


def _plus(size: int) -> Image.Image:
    low, high = size * 0.33, size * 0.67
    return polygon(
        size,
        size,
        (
            (low, 0.0),
            (high, 0.0),
            (high, low),
            (size, low),
            (size, high),
            (high, high),
            (high, size),
            (low, size),
            (low, high),
            (0.0, high),
            (0.0, low),
            (low, low),
        ),
    )


def _star(size: int) -> tuple[tuple[float, float], ...]:
    centre = size / 2
    return tuple(
        (
            centre + reach * size / 2 * sin(pi * corner / 5),
            centre * 1.05 - reach * size / 2 * cos(pi * corner / 5),
        )
        for corner in range(10)
        for reach in (0.42 if corner % 2 else 1.0,)
    )
