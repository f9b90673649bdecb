"""Crosstables as pictures, letters and words."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from renderers.crosstable import (
    CrossRow,
    Crosstable,
    Meeting,
    Met,
    crosstable_pages,
    crosstable_text,
    crosstable_words,
    draw_crosstable,
)
from renderers.names import columns
from renderers.style import Style
from renderers.themes import THEMES, theme_named
from tests.gallery.events import round_robin, swiss_rounds


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


@pytest.mark.long
@pytest.mark.parametrize("theme", THEMES)
def test_every_result_of_a_round_robin_is_in_its_picture(theme: str) -> None:
    table = round_robin(6)
    before = opened(draw_crosstable(table, Style(theme=theme)).png)
    boxes = set()
    for index, row in enumerate(table.rows):
        for column, cell in enumerate(row.cells):
            if cell.met is Met.SELF:
                continue
            other = Meeting(Met.LOST, "0") if cell.met is Met.WON else Meeting(Met.WON, "1")
            cells = (*row.cells[:column], other, *row.cells[column + 1 :])
            rows = (*table.rows[:index], replace(row, cells=cells), *table.rows[index + 1 :])
            after = opened(draw_crosstable(replace(table, rows=rows), Style(theme=theme)).png)
            box = ImageChops.difference(before, after).getbbox()
            assert box is not None, (index, column)
            assert box not in boxes, "each in a place of its own"
            assert box[2] - box[0] < 90
            assert box[3] - box[1] <= 44
            boxes.add(box)


def test_a_win_is_on_green_and_a_loss_is_not() -> None:
    table = round_robin(4)
    green = theme_named("dark").selected
    wins = sum(cell.met is Met.WON for row in table.rows for cell in row.cells)
    shown = {
        colour: count
        for count, colour in opened(draw_crosstable(table, Style()).png).getcolors(1 << 20) or []
    }
    none = replace(table, rows=tuple(replace(row, cells=()) for row in table.rows))
    assert wins
    assert shown[green] > wins * 800
    colours = opened(draw_crosstable(none, Style()).png).getcolors(1 << 20) or []
    assert green not in [colour for _, colour in colours]


@pytest.mark.parametrize(
    ("table", "pages"),
    [
        (round_robin(10), 1),
        (round_robin(3), 1),
        (swiss_rounds(16, 7), 1),
        (swiss_rounds(17, 7), 2),
        (swiss_rounds(256, 15), 48),
        (Crosstable("None yet", (), "Points", ()), 1),
    ],
)
def test_pages_have_every_row_and_column_once(table: Crosstable, pages: int) -> None:
    assert crosstable_pages(table) == pages
    said = [crosstable_text(table, page) for page in range(pages)]
    for page in {0, pages - 1}:
        picture = draw_crosstable(table, Style(), page)
        assert picture.width == 1000
        assert picture.height <= 1250
        assert len(picture.alt_text) <= 1024
    cells = sum(len(row.cells) for row in table.rows)
    results = [token for text in said for token in text.split() if "=" in token]
    if any(cell.note for row in table.rows for cell in row.cells):
        assert len(results) == cells
        assert not [each for each in results if "…" in each], "a result is never cut"
    totals = [row.total for row in table.rows]
    shown = [line.split()[-1] for text in said for line in text.splitlines()]
    assert not totals or all(shown.count(each) >= totals.count(each) for each in totals)
    assert all(columns(line) <= 40 for text in said for line in text.splitlines())
    assert all(len(text) < 2000 for text in said)
    with pytest.raises(ValueError, match="no page"):
        draw_crosstable(table, Style(), pages)


def test_words_and_letters_tell_each_result_from_its_row() -> None:
    rows = (
        CrossRow("1", "Ada", (Meeting(Met.SELF), Meeting(Met.WON, "1")), "1"),
        CrossRow("2", "Bo", (Meeting(Met.LOST, "0"), Meeting(Met.SELF)), "0"),
    )
    table = Crosstable("Duel", ("1", "2"), "Points", rows, "over")
    assert crosstable_words(table) == "Duel. over\n1. Ada 1: 2 1\n2. Bo 0: 1 0"
    assert [line.split() for line in crosstable_text(table).splitlines()] == [
        ["1", "2"],
        ["1", "Ada", "-", "1", "1"],
        ["2", "Bo", "0", "-", "0"],
    ]


def test_letters_keep_the_result_apart_from_the_place_of_the_opponent() -> None:
    cells = (Meeting(Met.WON, "1", "62"), Meeting(Met.LOST, "0", "1+"), Meeting(Met.OPEN, "", "3"))
    table = Crosstable("Open", ("1", "2", "3"), "Points", (CrossRow("2", "Ada", cells, "1"),))
    assert crosstable_text(table).splitlines() == [
        "                        1    2    3",
        "2 Ada                   62=1 1+=0 3    1",
    ], "each cell under its head"


def test_words_that_are_too_long_keep_every_total_before_any_result() -> None:
    words = crosstable_words(round_robin(24, seed=1))
    assert len(words) <= 1024
    assert "24. " in words


@given(st.lists(st.text(max_size=40), max_size=8), st.text(max_size=12))
@settings(max_examples=25, deadline=None)
def test_any_name_and_any_result_fit(names: list[str], value: str) -> None:
    rows = tuple(
        CrossRow(str(place), name, (Meeting(Met.DRAWN, value, value),) * 3, value, "x")
        for place, name in enumerate(names, 1)
    )
    table = Crosstable(value, (value, value, value), value, rows, value)
    assert len(draw_crosstable(table, Style()).alt_text) <= 1024


@pytest.mark.parametrize(("players", "high"), [(16, 18), (256, 15)])
def test_places_of_opponents_are_as_large_as_their_cells_allow(players: int, high: int) -> None:
    table = swiss_rounds(players, 7)
    first, *others = table.rows
    drawn = []
    for note in ("8w", "1w"):
        cells = (replace(first.cells[0], note=note), *first.cells[1:])
        rows = (replace(first, cells=cells), *others)
        drawn.append(opened(draw_crosstable(replace(table, rows=rows), Style()).png))
    left, top, right, bottom = ImageChops.difference(*drawn).getbbox() or (0, 0, 0, 0)
    assert bottom - top >= high, "a figure's height"
    assert right > left
