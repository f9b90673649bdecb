"""Boards of hexagons: where cells lie, whose a side is, and what joins pieces."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import pairwise
from math import dist, sqrt

import pytest
from PIL import Image

from games.view import BoardView, Edge, Marks, Side
from renderers import THEMES, Style, render, text_board
from renderers.layout import Layout, layout_of
from renderers.themes import side_tone, theme_named
from renderers.words import describe
from tests import gallery

NEIGHBOURS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def layout(view: BoardView, *, flipped: bool = False) -> Layout:
    return layout_of(view, 1.0, flipped=flipped, caption_lines=0)


def drawn(view: BoardView, style: Style) -> Image.Image:
    return Image.open(io.BytesIO(render(view, style).png)).convert("RGB")


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("size", [3, 11, 15])
def test_a_cell_is_as_far_from_each_of_its_six_neighbours(size: int, flipped: bool) -> None:
    where = layout(gallery.hexagons(size), flipped=flipped)
    middle = where.middle(1, 1)
    for right, up in NEIGHBOURS:
        assert dist(middle, where.middle(1 + right, 1 + up)) == pytest.approx(where.cell, abs=1)
        across, down = where.step(right, up)
        assert (middle[0] + across, middle[1] + down) == where.middle(1 + right, 1 + up)
    others = [(2, 2), (0, 0)]
    assert all(dist(middle, where.middle(*each)) > 1.5 * where.cell for each in others)
    left, top, right_, bottom = (
        where.grids[0].box.left,
        where.grids[0].box.top,
        where.grids[0].box.right,
        where.grids[0].box.bottom,
    )
    for x, y in where.middles.values():
        assert left + where.cell // 2 <= x <= right_ - where.cell // 2
        assert top + where.cell / sqrt(3) - 1 <= y <= bottom - where.cell / sqrt(3) + 1


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("flipped", [False, True])
def test_each_side_is_in_the_colour_of_its_owner(theme: str, flipped: bool) -> None:
    view = replace(gallery.hexagons(5), marks=Marks())
    style, where = Style(theme=theme, flipped=flipped), layout(view, flipped=flipped)
    image, inks = drawn(view, style), theme_named(theme).inks("stones", 2)
    away = where.cell / 2 + where.rim + where.edge / 2
    slanted = away * sqrt(3) / 2
    ways = {
        Side.LEFT: (0, 2, -away, 0),
        Side.RIGHT: (4, 2, away, 0),
        Side.BOTTOM: (2, 0, -away / 2, slanted),
        Side.TOP: (2, 4, away / 2, -slanted),
    }
    turned = -1 if flipped else 1
    for edge in view.edges:
        file, rank, across, down = ways[edge.side]
        x, y = where.middle(file, rank)
        seen = image.getpixel((round(x + turned * across), round(y + turned * down)))
        assert isinstance(seen, tuple)
        # The palette has the nearest colour to it.
        assert dist(seen, side_tone(inks[edge.colour])) < 8, edge


def test_a_side_that_nobody_wants_to_reach_has_no_colour() -> None:
    view = replace(gallery.hexagons(5), marks=Marks(), edges=())
    where = layout(view)
    assert where.edge == 0
    x, y = where.middle(0, 2)
    theme = theme_named(Style().theme)
    assert drawn(view, Style()).getpixel((x - where.cell // 2 - 12, y)) == theme.card


def test_the_winning_chain_is_one_ribbon() -> None:
    view = replace(gallery.hexagons(5), marks=Marks(path=("a2", "b2", "b3", "a4")))
    where, image = layout(view), drawn(view, Style())
    for one, two in pairwise(view.marks.path):
        (ax, ay), (bx, by) = where.middles[one], where.middles[two]
        between = image.getpixel((round((ax + bx) / 2), round((ay + by) / 2)))
        assert between == theme_named(Style().theme).win


def test_ranks_of_a_text_board_lean_and_the_words_say_so() -> None:
    view = gallery.hexagons(4)
    block = text_board(view, Style()).split("```")[1].strip("\n").splitlines()
    starts = [len(line) - len(line.lstrip()) for line in block]
    assert starts == [4, 3, 2, 1, 3]
    assert "half a cell to the right" in describe(view, Style())
    assert "half a cell" not in describe(gallery.labelled(), Style())


@pytest.mark.parametrize("shown", ["linked", "topped", "hexagons"])
def test_a_side_to_reach_joins_no_pieces(shown: str) -> None:
    """Necks come of ``connects`` alone, whether a side is a player's or nobody's."""
    view = {
        "linked": gallery.linked(3, "b2 b1", ""),
        "topped": gallery.topped(),
        "hexagons": replace(gallery.hexagons(5), marks=Marks()),
    }[shown]
    view = replace(view, marks=Marks())
    for edges in ((), (Edge(Side.LEFT, 0),)):
        apart = drawn(replace(view, edges=edges, connects=False), Style())
        joined = drawn(replace(view, edges=edges, connects=True), Style())
        where = layout(replace(view, edges=edges))
        pairs = [
            (one, two)
            for one in view.cells
            for two in view.cells
            if (two.file - one.file, two.rank - one.rank) == (0, 1)
            and one.stack
            and two.stack
            and one.stack[-1].colour == two.stack[-1].colour
        ]
        assert pairs
        for one, two in pairs:
            (ax, ay), (bx, by) = where.centre(one), where.centre(two)
            place = round((ax + bx) / 2), round((ay + by) / 2)
            assert apart.getpixel(place) != joined.getpixel(place), (edges, one.name)
