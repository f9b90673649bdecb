"""Promises of pages along a whole match: one height, fitting words, the last moves marked."""

from __future__ import annotations

import io
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from PIL import Image, ImageChops

from bot.i18n import Languages
from games import catalog
from games.view import Arrow, BoardView, Marks, Side, Sign, Text, TrayMark
from renderers import Style, render
from renderers.fonts import text_width
from renderers.layout import Box, Layout, layout_of
from renderers.picture import compose, rows_for_captions
from renderers.themes import theme_named
from renderers.titles import PITCH, WORDS, title_lines
from tests import gallery
from tests.support.random_views import random_views

LANGUAGES = Languages().known()
CASES: list[tuple[str, dict[str, int | str]]] = [
    *((key, {}) for key in catalog.GAMES),
    ("pythagoras", {"seats": 2}),
    ("quux", {"size": 3, "pie": "on"}),
]


def layout(view: BoardView, style: Style) -> Layout:
    return layout_of(view, 1.0, flipped=False, caption_lines=rows_for_captions(view, style))


def changed(before: BoardView, after: BoardView) -> tuple[int, int, int, int]:
    pages = [
        Image.open(io.BytesIO(render(view, Style()).png)).convert("RGB") for view in (before, after)
    ]
    box = ImageChops.difference(*pages).getbbox()
    assert box is not None
    return box


@pytest.mark.parametrize("locale", LANGUAGES)
@pytest.mark.parametrize(("key", "options"), CASES, ids=str)
@pytest.mark.long
def test_all_pages_are_of_one_height(key: str, options: dict[str, int | str], locale: str) -> None:
    style = Style(locale=locale, translate=LANGUAGES[locale])
    views = list(random_views(key, options, seed=5, plies=300))
    heights = {layout(view, style).height for view in views}
    # A match that is resigned, or lost on time, ends with another word than the rules'.
    left = replace(views[0], to_move=None, captions=(), result=Text.of("Ada resigned " * 9))
    heights.add(layout(left, style).height)
    assert len(heights) == 1


@pytest.mark.parametrize("locale", LANGUAGES)
@pytest.mark.parametrize("larger", [False, True])
def test_the_rule_of_each_grid_is_always_shown_whole(locale: str, larger: bool) -> None:
    style = Style(locale=locale, translate=LANGUAGES[locale])
    game: Any = catalog.GAMES["pythagoras"]({})
    start_of_all = game.initial(Random(0))
    for owner in (None, *range(4)):
        view = game.view(replace(start_of_all, bonuses=(owner,) * 3), None)
        where = layout_of(view, 1.5 if larger else 1.0, flipped=False, caption_lines=1)
        assert len(where.titles) == 3
        for place in where.titles:
            start, lines = title_lines(place, where, style)
            told = "".join("".join(lines).split())
            said = " ".join(style.translate(text) for text in place.grid.captions)
            assert told == "".join(said.split())
            assert len(lines) <= place.box.height // where.px(PITCH)
            for number, line in enumerate(lines):
                room = place.box.width - (0 if number else start)
                assert text_width(line, where.px(WORDS)) <= room


@pytest.mark.parametrize("bars", [2, 4])
def test_the_rules_beside_grids_are_read_at_400_pixels_and_cover_nothing(bars: int) -> None:
    where = layout(gallery.three_grids(bars=bars), Style())
    assert WORDS * 400 / where.width >= 13
    assert PITCH > 1.1 * WORDS
    places = [each.box for each in where.titles]
    taken = [place.box.grown(where.rim) for place in where.grids]
    labels = [Box(x - 20, y - 20, x + 20, y + 20) for _, x, y in where.files]
    for number, box in enumerate(places):
        assert box.right < where.width
        for other in (*places[:number], *taken, *labels, *where.bars):
            apart = box.right <= other.left or other.right <= box.left
            assert apart or box.bottom <= other.top or other.bottom <= box.top


def test_cells_of_several_grids_are_large_enough_for_a_phone() -> None:
    where = layout(gallery.three_grids(), Style())
    assert where.cell * 400 / where.width >= 36
    boxes = [place.box for place in where.grids]
    assert boxes[0].bottom < boxes[1].top
    assert boxes[1].bottom == boxes[2].bottom
    assert all(bar.width > 0.9 * where.width for bar in where.bars)


def test_what_was_put_off_the_board_is_ringed_in_its_tray() -> None:
    view = replace(gallery.piled(), marks=Marks())
    slot = next(slot for slot in view.colours[1].trays[0].slots if slot.count)
    marked = replace(view, marks=Marks(trays=(TrayMark("exited", slot.piece),)))
    left, top, right, bottom = changed(view, marked)
    bar = layout(view, Style()).bars[1]
    assert bar.left < left < right < bar.right
    assert bar.top < top < bottom < bar.bottom


def test_earlier_moves_are_marked_more_quietly_than_the_last() -> None:
    view = replace(gallery.three_grids(), marks=Marks())
    where = layout(view, Style())
    quiet = changed(view, replace(view, marks=Marks(earlier=("a1",))))
    assert quiet[0] < where.middles["a1"][0] < quiet[2]
    last = replace(view, marks=Marks(last=("a1",)))
    earlier = replace(view, marks=Marks(earlier=("a1",)))
    assert render(last, Style()).png != render(earlier, Style()).png


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("side", [Side.TOP, Side.BOTTOM])
def test_what_leaves_the_board_is_drawn_across_its_edge(side: Side, flipped: bool) -> None:
    start, via = ("b6", "") if side is Side.TOP else ("b2", "c1")
    view = replace(gallery.piled(), marks=Marks())
    cells = tuple(replace(cell, stack=(), ghost=None) for cell in view.cells)
    view = replace(view, cells=cells)
    marks = Marks(arrows=(Arrow(start, None, via=via, side=side),))
    style = Style(flipped=flipped)
    box = ImageChops.difference(
        compose(view, style).whole(), compose(replace(view, marks=marks), style).whole()
    ).getbbox()
    assert box is not None
    where = layout_of(view, 1.0, flipped=flipped, caption_lines=0)
    edge = where.grids[0].box
    if (side is Side.TOP) != flipped:
        assert box[1] < edge.top - where.rim
    else:
        assert box[3] > edge.bottom + where.rim
        column = compose(view, style).whole().crop((box[0], edge.bottom + where.rim, box[2], 2000))
        letter = ImageChops.difference(
            column, Image.new("RGB", column.size, theme_named(style.theme).card)
        ).getbbox()
        assert letter is not None
        assert box[3] < edge.bottom + where.rim + letter[1], "the letter of the file is free"


@pytest.mark.parametrize("key", ["sideways", "pass"])
def test_a_sign_of_a_colour_shows_on_its_bar(key: str) -> None:
    view = gallery.labelled()
    signed = replace(view.colours[1], signs=(Sign(key, Text.of("")),))
    after = replace(view, colours=(view.colours[0], signed))
    left, top, right, bottom = changed(view, after)
    bar = layout(view, Style()).bars[1]
    assert bar.left < left < right < bar.right
    assert bar.top < top < bottom < bar.bottom


def test_nothing_is_said_of_captures_before_there_are_any() -> None:
    views = list(random_views("pux", {}, seed=2, plies=80))
    assert not any(colour.trays for colour in views[0].colours)
    assert any(colour.trays for colour in views[-1].colours)
