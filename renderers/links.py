"""Connections of stones: links by players, and necks between neighbours that need none."""

from __future__ import annotations

from math import hypot

from PIL import Image

from games.view import BoardView, Topology
from renderers.canvas import line, mix
from renderers.incremental.images import kept
from renderers.incremental.layer import Layer
from renderers.layout import Layout
from renderers.themes import Ink

_NEIGHBOURS = {
    Topology.SQUARES: ((1, 0), (0, 1)),
    Topology.OCTAGONS: ((1, 0), (0, 1)),
    Topology.HEXAGONS: ((1, 0), (0, 1), (1, -1)),
}
"""Half of the neighbours of a cell, by files and ranks; the others have it as theirs."""
_HIDDEN = 0.22
"""The part of a link at either end that lies below its stones and need not be drawn."""


@kept
def _link(ink: Ink, cell: int, rising: bool) -> Image.Image:
    """A link between two stones across a corner: casing, body, a light line on the diamond."""
    size = cell
    low, high = size * _HIDDEN, size * (1 - _HIDDEN)
    ends = ((low, high), (high, low)) if rising else ((low, low), (high, high))
    image = Image.new("RGBA", (size, size), (0, 0, 0, 0))
    casing = max(2.0, cell * 0.026)
    body = cell * 0.29
    _stroke(image, ends, body + 2 * casing, ink.rim)
    _stroke(image, ends, body, ink.body)
    (ax, ay), (bx, by) = ends
    near, far = 0.18, 0.82
    core = (
        (ax + (bx - ax) * near, ay + (by - ay) * near),
        (ax + (bx - ax) * far, ay + (by - ay) * far),
    )
    _stroke(image, core, max(2.5, cell * 0.055), mix(ink.body, ink.ink, 0.82))
    return image


@kept
def _neck(ink: Ink, cell: int, way: tuple[float, float], reach: float) -> Image.Image:
    """A neck between two pieces, as long as it reaches; ``way`` leads along it and has length 1."""
    size = round(cell * reach)
    middle = size / 2
    across, down = way[0] * middle, way[1] * middle
    ends = ((middle - across, middle - down), (middle + across, middle + down))
    image = Image.new("RGBA", (size, size), (0, 0, 0, 0))
    casing = max(2.0, cell * 0.026)
    body = cell * 0.27
    _stroke(image, ends, body + 2 * casing, ink.rim)
    _stroke(image, ends, body, mix(ink.body, ink.rim, 0.12))
    return image


def _stroke(
    image: Image.Image,
    ends: tuple[tuple[float, float], tuple[float, float]],
    width: float,
    colour: tuple[int, int, int],
) -> None:
    shape = line(image.width, image.height, ends, width)
    layer = Image.new("RGBA", image.size, (*colour, 0))
    layer.putalpha(shape)
    image.alpha_composite(layer)


def draw_links(page: Layer, view: BoardView, layout: Layout, inks: tuple[Ink, ...]) -> None:
    """Draw every link; where tops connect, necks between neighbours of one colour.

    On squares they are visible between pyramids and below them.
    """
    middles = layout.middles
    if view.connects:
        # By file and rank in one number, which is quicker to look up than two.
        tops = {
            cell.file << 8 | cell.rank: (cell.stack[-1].colour, cell.name)
            for cell in view.cells
            if cell.stack
        }
        # To the edge of the smallest pyramid, and no farther than the light fill of a stone.
        reach = 0.5 if layout.topology is Topology.OCTAGONS else 0.62
        for files, ranks in _NEIGHBOURS[layout.topology]:
            across, down = layout.step(files, ranks)
            length = hypot(across, down)
            way = (abs(across) / length, abs(down) / length * (-1 if across * down < 0 else 1))
            necks = [
                page.sprites(
                    _neck(ink, layout.cell, way, reach), layout, across=across / 2, down=down / 2
                )
                for ink in inks
            ]
            for at, (colour, name) in tops.items():
                other = tops.get(at + (files << 8) + ranks)
                if other is not None and other[0] == colour:
                    page.put(necks[colour][name])
    links = {
        (colour, rising): _link(ink, layout.cell, rising)
        for colour, ink in enumerate(inks)
        for rising in (False, True)
        if view.links
    }
    for link in view.links:
        (ax, ay), (bx, by) = middles[link.start], middles[link.end]
        rising = (bx - ax) * (by - ay) < 0
        page.sprite(links[link.colour, rising], (ax + bx) / 2, (ay + by) / 2)
