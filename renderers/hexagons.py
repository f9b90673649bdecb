"""Hexagonal cells on their corner, alone and as an empty board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import cos, pi, sin, sqrt

from PIL import Image

from games.view import Side
from renderers.canvas import Page, Point, polygon
from renderers.emblems import emblem
from renderers.incremental.images import RGB, kept
from renderers.layout import GridPlace, Layout
from renderers.themes import Ink, Theme, side_tone, sign_tone

_WAYS = tuple((cos(pi / 3 * turn - pi / 2), sin(pi / 3 * turn - pi / 2)) for turn in range(6))
"""The way from the middle to each corner, from the upper one clockwise."""
_MIDDLES = tuple(
    ((ax + bx) / 2, (ay + by) / 2)
    for (ax, ay), (bx, by) in zip(_WAYS, (*_WAYS[1:], _WAYS[0]), strict=True)
)
"""The way to the middle of each side, from the upper right one clockwise."""
_REACHES = {
    Side.TOP: (5, 0, 1),
    Side.RIGHT: (1, 2, 3),
    Side.BOTTOM: (2, 3, 4),
    Side.LEFT: (4, 5, 0),
}
"""The corners of an outer cell that lie on each side of the board, clockwise."""


def hexagon(width: int) -> Image.Image:
    """The mask of a cell whose flat sides are ``width`` apart."""
    tall = round(width * 2 / sqrt(3) / 2) * 2
    high, low = tall / 4, tall * 3 / 4
    middle, far = width / 2, float(width)
    return polygon(
        width,
        tall,
        ((middle, 0.0), (far, high), (far, low), (middle, float(tall)), (0.0, low), (0.0, high)),
    )


@kept
def hollow_hexagon(width: int, stroke: int) -> Image.Image:
    """The outline of a cell."""
    hollow = hexagon(width).copy()
    inner = hexagon(width - 2 * stroke)
    place = (stroke, (hollow.height - inner.height) // 2)
    hollow.paste(0, place, inner)
    return hollow


def draw_hexagons(
    page: Page,
    layout: Layout,
    place: GridPlace,
    theme: Theme,
    *,
    owners: Mapping[Side, Ink],
    stroke: int,
) -> None:
    """An empty board; ``stroke`` is the width of its lines, ``owners`` are those of its sides."""
    corner = layout.cell / sqrt(3)
    rim = corner + layout.rim
    outer = rim + layout.edge
    colours = {side: side_tone(ink) for side, ink in owners.items()}
    if layout.edge:
        for x, y, _, ways in _outer_cells(layout, place):
            _wedge(page, (x, y), ways, outer + layout.px(3), theme.bar_line)
        for x, y, side, ways in _outer_cells(layout, place):
            _wedge(page, (x, y), ways, outer, colours.get(side, theme.frame))
        for x, y, side, _ in _outer_cells(layout, place):
            if side in owners:
                across, down = _WAYS[_REACHES[side][1]]
                away = rim + layout.edge / 2
                sign = emblem(owners[side].mark, layout.px(14))
                page.centred(sign, x + across * away, y + down * away, sign_tone(owners[side]))
    frame = hexagon(round(rim * sqrt(3)))
    for x, y in _middles(layout, place):
        page.centred(frame, x, y, theme.frame)
    ground, inner = hexagon(layout.cell + stroke), hexagon(layout.cell - stroke)
    for x, y in _middles(layout, place):
        page.centred(ground, x, y, theme.grid)
    for x, y in _middles(layout, place):
        page.centred(inner, x, y, theme.cell)


def _middles(layout: Layout, place: GridPlace) -> Iterator[tuple[int, int]]:
    grid = place.grid
    for file in range(grid.files):
        for rank in range(grid.ranks):
            yield layout.middle(grid.file + file, grid.rank + rank)


def _outer_cells(
    layout: Layout, place: GridPlace
) -> Iterator[tuple[int, int, Side, tuple[Point, ...]]]:
    """For each cell of each side its middle, the side, and the ways to its outer corners.

    Where two sides meet in a blunt corner, each has half of the outer edge that they share.
    """
    grid = place.grid
    for file in range(grid.files):
        for rank in range(grid.ranks):
            x, y = layout.middle(grid.file + file, grid.rank + rank)
            across, up = file, rank
            if layout.flipped:
                across, up = grid.files - 1 - file, grid.ranks - 1 - rank
            sides = {
                Side.LEFT: across == 0,
                Side.RIGHT: across == grid.files - 1,
                Side.BOTTOM: up == 0,
                Side.TOP: up == grid.ranks - 1,
            }
            for side, is_there in sides.items():
                if not is_there:
                    continue
                ways = [_WAYS[corner] for corner in _REACHES[side]]
                if side is Side.LEFT and sides[Side.TOP]:
                    ways[2] = _MIDDLES[5]
                if side is Side.TOP and sides[Side.LEFT]:
                    ways[0] = _MIDDLES[5]
                if side is Side.RIGHT and sides[Side.BOTTOM]:
                    ways[2] = _MIDDLES[2]
                if side is Side.BOTTOM and sides[Side.RIGHT]:
                    ways[0] = _MIDDLES[2]
                yield x, y, side, tuple(ways)


def _wedge(
    page: Page, at: tuple[int, int], ways: tuple[Point, ...], reach: float, colour: RGB
) -> None:
    """Fill from the middle of a cell to its outer corners, at this distance from it."""
    half = round(reach) + 1
    points = tuple((half + across * reach, half + down * reach) for across, down in ways)
    shape = polygon(2 * half, 2 * half, ((float(half), float(half)), *points))
    page.centred(shape, *at, colour)
