"""The empty board: frame, sides that players want to reach, cells, coordinates.

It is drawn once for each layout and theme, and kept in the palette's colours.
"""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from games.view import Side
from renderers.canvas import Page, diamond, mix, polygon, rounded
from renderers.emblems import emblem
from renderers.fonts import text_mask
from renderers.incremental.images import RGB
from renderers.layout import COORDINATE, Box, GridPlace, Layout
from renderers.themes import Ink, Theme, luminance

CUT = 0.293
"""How much of a side the corners of an octagonal cell take: a regular octagon."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardKey:
    """All that an empty board depends on; it equals nothing but itself."""

    theme: Theme
    inks: tuple[Ink, ...]
    layout: Layout


def line_width(layout: Layout) -> int:
    """The width of the lines between cells."""
    return max(layout.px(3), round(layout.cell * 0.022))


def empty_board(key: BoardKey) -> Image.Image:
    """The board's strip of the page, with nothing on the board."""
    layout, theme, inks = key.layout, key.theme, key.inks
    page = Page.blank(layout.width, layout.height, theme.card)
    for place in layout.grids:
        _frame(page, key, place, theme, inks)
        if layout.joined:
            _octagons(page, layout, place, theme)
        else:
            _squares(page, layout, place, theme)
    size = layout.px(COORDINATE)
    for text, x, y in (*layout.files, *layout.ranks):
        letters = text_mask(text, size)
        page.stamp(letters, x - letters.width / 2, y - size * (1.1 - 0.357), theme.text)
    strip = next(strip for strip in layout.strips if not strip.bars)
    return page.image.crop((0, strip.top, layout.width, strip.bottom))


def _frame(
    page: Page, key: BoardKey, place: GridPlace, theme: Theme, inks: tuple[Ink, ...]
) -> None:
    layout = key.layout
    rim = place.box.grown(layout.rim)
    if layout.edge:
        outer = rim.grown(layout.edge)
        _sides(page, key, outer, theme, inks)
        _owners(page, key, place, inks)
        page.fill((rim.left, rim.top, rim.right, rim.bottom), theme.frame)
    else:
        page.panel((rim.left, rim.top, rim.right, rim.bottom), layout.px(10), theme.frame)


def _sides(page: Page, key: BoardKey, outer: Box, theme: Theme, inks: tuple[Ink, ...]) -> None:
    """The owned sides, mitred at the corners."""
    layout = key.layout
    flip = {
        Side.LEFT: Side.RIGHT,
        Side.RIGHT: Side.LEFT,
        Side.TOP: Side.BOTTOM,
        Side.BOTTOM: Side.TOP,
    }
    colours = {
        flip[edge.side] if layout.flipped else edge.side: _side_tone(inks[edge.colour])
        for edge in key.layout.edges
    }
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


def _side_tone(ink: Ink) -> RGB:
    """A side in its owner's colour; near-black goes deeper, apart from a dark page."""
    return mix(ink.body, (0, 0, 0), 0.55) if luminance(ink.body) < 0.05 else ink.body


def _owners(page: Page, key: BoardKey, place: GridPlace, inks: tuple[Ink, ...]) -> None:
    """The owner's mark beside every outer cell."""
    layout, box, grid = key.layout, place.box, place.grid
    away = layout.rim + layout.edge // 2
    near = layout.flipped
    for edge in key.layout.edges:
        ink = inks[edge.colour]
        sign = emblem(ink.mark, layout.px(14))
        for index in range(grid.files if edge.side in (Side.TOP, Side.BOTTOM) else grid.ranks):
            along = index * layout.cell + layout.cell // 2
            if edge.side in (Side.TOP, Side.BOTTOM):
                high = (edge.side is Side.TOP) != near
                x, y = box.left + along, box.top - away if high else box.bottom + away
            else:
                first = (edge.side is Side.LEFT) != near
                x, y = box.left - away if first else box.right + away, box.top + along
            page.centred(sign, x, y, mix(ink.body, ink.ink, 0.88))


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
