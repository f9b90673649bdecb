"""The empty board: frame, sides that players want to reach, cells, coordinates.

It is drawn once for each layout and theme, and cached in the palette's colours.
"""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from games.view import Side, Topology
from renderers.canvas import Page, diamond, polygon, rounded
from renderers.emblems import emblem
from renderers.fonts import text_mask
from renderers.hexagons import draw_hexagons
from renderers.layout import COORDINATE, Box, GridPlace, Layout
from renderers.themes import Ink, Theme, side_tone, sign_tone

CUT = 0.293
"""The part of a side that the corners of an octagonal cell take: a regular octagon."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardKey:
    """The data that an empty board depends on; a key equals nothing but itself."""

    theme: Theme
    inks: tuple[Ink, ...]
    layout: Layout


def line_width(layout: Layout) -> int:
    """The width of the lines between cells."""
    return max(layout.px(3), round(layout.cell * 0.022))


def empty_board(key: BoardKey) -> Image.Image:
    """The board's strip of the page, with nothing on the board."""
    layout, theme = key.layout, key.theme
    page = Page.blank(layout.width, layout.height, theme.card)
    owners = side_owners(key)
    for place in layout.grids:
        if layout.topology is Topology.HEXAGONS:
            draw_hexagons(page, layout, place, theme, owners=owners, stroke=line_width(layout))
            continue
        _frame(page, key, place, theme)
        if layout.topology is Topology.OCTAGONS:
            _octagons(page, layout, place, theme)
        else:
            _squares(page, layout, place, theme)
    size = layout.px(COORDINATE)
    for text, x, y in (*layout.files, *layout.ranks):
        letters = text_mask(text, size)
        page.stamp(letters, x - letters.width / 2, y - size * (1.1 - 0.357), theme.text)
    strip = next(strip for strip in layout.strips if not strip.bars)
    return page.image.crop((0, strip.top, layout.width, strip.bottom))


def _frame(page: Page, key: BoardKey, place: GridPlace, theme: Theme) -> None:
    layout = key.layout
    rim = place.box.grown(layout.rim)
    if layout.edge:
        outer = rim.grown(layout.edge)
        _sides(page, key, outer, theme)
        _owners(page, key, place)
        page.fill((rim.left, rim.top, rim.right, rim.bottom), theme.frame)
    else:
        page.panel((rim.left, rim.top, rim.right, rim.bottom), layout.px(10), theme.frame)


def side_owners(key: BoardKey) -> dict[Side, Ink]:
    """The ink of each side that a player wants to reach, as the board is drawn."""
    flip = {
        Side.LEFT: Side.RIGHT,
        Side.RIGHT: Side.LEFT,
        Side.TOP: Side.BOTTOM,
        Side.BOTTOM: Side.TOP,
    }
    return {
        flip[edge.side] if key.layout.flipped else edge.side: key.inks[edge.colour]
        for edge in key.layout.edges
    }


def _sides(page: Page, key: BoardKey, outer: Box, theme: Theme) -> None:
    """The owned sides, mitred at the corners."""
    layout = key.layout
    colours = {side: side_tone(ink) for side, ink in side_owners(key).items()}
    thin = layout.px(3)
    line = outer.grown(thin)
    page.fill((line.left, line.top, line.right, line.bottom), theme.bar_line)
    middle = (outer.left + outer.right) // 2
    left, right = colours.get(Side.LEFT, theme.frame), colours.get(Side.RIGHT, theme.frame)
    page.fill((outer.left, outer.top, middle, outer.bottom), left)
    page.fill((middle, outer.top, outer.right, outer.bottom), right)
    depth, width = layout.edge + layout.rim, outer.width
    top = polygon(width, depth, ((0.0, 0.0), (width, 0.0), (width - depth, depth), (depth, depth)))
    bottom = polygon(
        width, depth, ((depth, 0.0), (width - depth, 0.0), (width, depth), (0.0, depth))
    )
    page.stamp(top, outer.left, outer.top, colours.get(Side.TOP, theme.frame))
    page.stamp(bottom, outer.left, outer.bottom - depth, colours.get(Side.BOTTOM, theme.frame))


def _owners(page: Page, key: BoardKey, place: GridPlace) -> None:
    """The owner's mark beside every outer cell."""
    layout, box, grid = key.layout, place.box, place.grid
    away = layout.rim + layout.edge // 2
    for side, ink in side_owners(key).items():
        sign = emblem(ink.mark, layout.px(14))
        is_level = side in (Side.TOP, Side.BOTTOM)
        for index in range(grid.files if is_level else grid.ranks):
            along = index * layout.cell + layout.cell // 2
            if is_level:
                x, y = box.left + along, box.top - away if side is Side.TOP else box.bottom + away
            else:
                x, y = box.left - away if side is Side.LEFT else box.right + away, box.top + along
            page.centred(sign, x, y, sign_tone(ink))


def _octagons(page: Page, layout: Layout, place: GridPlace, theme: Theme) -> None:
    box, cell, line = place.box, layout.cell, line_width(layout)
    page.fill((box.left, box.top, box.right, box.bottom), theme.cell)
    for index in range(1, place.grid.files):
        x = box.left + index * cell - line // 2
        page.fill((x, box.top, x + line, box.bottom), theme.grid)
    for index in range(1, place.grid.ranks):
        y = box.top + index * cell - line // 2
        page.fill((box.left, y, box.right, y + line), theme.grid)
    size = round(cell * CUT) * 2 + line
    outer, inner = diamond(size), diamond(size - round(line * 2.83))
    for across in range(1, place.grid.files):
        for down in range(1, place.grid.ranks):
            x, y = box.left + across * cell, box.top + down * cell
            page.centred(outer, x, y, theme.grid)
            page.centred(inner, x, y, theme.diamond)


def _squares(page: Page, layout: Layout, place: GridPlace, theme: Theme) -> None:
    cell = layout.cell
    gap = max(layout.px(4), round(cell * 0.02)) // 2 * 2
    shape = rounded(cell - gap, cell - gap, max(layout.px(4), round(cell * 0.03)))
    for file in range(place.grid.files):
        for rank in range(place.grid.ranks):
            x, y = layout.middle(place.grid.file + file, place.grid.rank + rank)
            tone = theme.cell if (file + rank) % 2 else theme.cell_alt
            page.centred(shape, x, y, tone)
