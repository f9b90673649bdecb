"""What joins stones: links that a player laid, and necks between neighbours that need none."""

from __future__ import annotations

from PIL import Image

from games.view import BoardView, Topology
from renderers.canvas import line, mix
from renderers.incremental.images import kept
from renderers.incremental.layer import Layer
from renderers.layout import Layout
from renderers.themes import Ink

_HIDDEN = 0.22
"""How much of a link at either end lies below its stones and need not be drawn."""


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
def _neck(ink: Ink, cell: int, upright: bool, reach: float) -> Image.Image:
    """A neck between two pieces side by side, or one above the other, as long as it reaches."""
    size = round(cell * reach)
    low, high, middle = 0.0, float(size), size / 2
    ends = ((middle, low), (middle, high)) if upright else ((low, middle), (high, middle))
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
    """Draw every link; where sides are goals, necks between orthogonal neighbours of one colour.

    Tops count; on squares it is seen between their pyramids and below them.
    """
    middles = layout.middles
    if view.edges or view.topology is Topology.OCTAGONS:
        # By file and rank in one number, which is quicker to look up than two.
        tops = {
            cell.file << 8 | cell.rank: (cell.stack[-1].colour, cell.name)
            for cell in view.cells
            if cell.stack
        }
        # To the edge of the smallest pyramid, and no farther than the light fill of a stone.
        reach = 0.5 if layout.joined else 0.62
        half = -layout.cell / 2 if layout.flipped else layout.cell / 2
        necks = [
            (
                page.sprites(_neck(ink, layout.cell, False, reach), layout, across=half),
                page.sprites(_neck(ink, layout.cell, True, reach), layout, down=-half),
            )
            for ink in inks
        ]
        for at, (colour, name) in tops.items():
            right, up = tops.get(at + (1 << 8)), tops.get(at + 1)
            if right is not None and right[0] == colour:
                page.put(necks[colour][0][name])
            if up is not None and up[0] == colour:
                page.put(necks[colour][1][name])
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
