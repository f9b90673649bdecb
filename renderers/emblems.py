"""The marks of sets of pieces, so that nothing depends on hue alone."""

from __future__ import annotations

from math import cos, pi, sin

from PIL import Image

from renderers.canvas import circle, diamond, line, polygon, ring
from renderers.fonts import text_mask
from renderers.incremental.images import kept


def emblem(mark: str, size: int) -> Image.Image:
    """The mask of a mark (:attr:`renderers.themes.Ink.mark`) or sign (:attr:`games.view.Sign.key`).

    It is about ``size`` pixels high; an unknown one is a disc. :func:`lettered` marks are letters,
    half as large again.
    """
    if is_letter(mark):
        return _letter(mark[1:], size)
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
    if mark == "sideways":
        return _sideways(size)
    if mark == "pass":
        return _pause(size)
    return circle(max(2, round(size * 0.92)))


def lettered(letter: str) -> str:
    """The mark that is a letter."""
    return f"={letter}"


def is_letter(mark: str) -> bool:
    """Whether a mark is a letter."""
    return mark.startswith("=")


@kept
def _letter(letter: str, size: int) -> Image.Image:
    drawn = text_mask(letter, round(size * 1.9), bold=True)
    left, _, right, _ = drawn.getbbox() or (0, 0, 1, 1)
    if right - left > size * 1.3:  # an M or a W
        drawn = text_mask(letter, round(size * 1.9 * size * 1.3 / (right - left)), bold=True)
    return drawn.crop(drawn.getbbox() or (0, 0, 1, 1))


@kept
def _sideways(size: int) -> Image.Image:
    """An arrow to both sides, struck through."""
    wide, middle = round(size * 1.5), size / 2
    head, half = size * 0.4, size * 0.09
    arrow = polygon(
        wide,
        size,
        (
            (0.0, middle),
            (head, size * 0.14),
            (head, middle - half),
            (wide - head, middle - half),
            (wide - head, size * 0.14),
            (float(wide), middle),
            (wide - head, size * 0.86),
            (wide - head, middle + half),
            (head, middle + half),
            (head, size * 0.86),
        ),
    )
    sign = arrow.copy()
    ends = ((wide * 0.28, float(size)), (wide * 0.72, 0.0))
    sign.paste(0, (0, 0), line(wide, size, ends, size * 0.34))
    sign.paste(255, (0, 0), line(wide, size, ends, size * 0.14))
    return sign


@kept
def _pause(size: int) -> Image.Image:
    """Two bars."""
    sign = Image.new("L", (size, size), 0)
    for left in (0.2, 0.6):
        sign.paste(255, (round(size * left), round(size * 0.1), round(size * (left + 0.2)), size))
    return sign


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
