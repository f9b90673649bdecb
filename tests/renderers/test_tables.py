"""Tables of players, as pictures, letters and words."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from renderers.incremental.images import store
from renderers.incremental.sheet import latest
from renderers.names import columns
from renderers.style import Style
from renderers.tables import ROWS, Row, Table, draw_table, page_count, table_text, table_words
from renderers.themes import THEMES


def _table(count: int, name: str = "Zoë Åström") -> Table:
    rows = tuple(
        Row(str(place), f"{name} {place}", ("4½", "12½", "9.25"), f"#{place}", place == 1)
        for place in range(1, count + 1)
    )
    return Table("Autumn Swiss", ("Points", "Buchholz", "SB"), rows, "Round 3 of 7")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("count", [1, 3, 64, 256])
def test_every_row_is_on_one_page(theme: str, count: int) -> None:
    table = _table(count)
    assert page_count(table) == -(-count // ROWS)
    for page in (0, page_count(table) - 1):
        picture = draw_table(table, Style(theme=theme), page)
        image = Image.open(BytesIO(picture.png))
        assert image.size == (picture.width, picture.height)
        assert picture.width == 1000
        assert picture.height <= 1300
    said = "\n".join(table_text(table, page) for page in range(page_count(table)))
    assert len(said.splitlines()) == count + page_count(table), "with heads on each page"


@given(st.lists(st.text(max_size=60), max_size=30), st.text(max_size=30))
@settings(max_examples=25, deadline=None)
def test_any_name_fits(names: list[str], value: str) -> None:
    rows = tuple(Row(str(place), name, (value, "1"), "x") for place, name in enumerate(names, 1))
    table = Table("Cup", ("Points", "Wins"), rows)
    picture = draw_table(table, Style())
    assert len(picture.alt_text) <= 1024
    if "\n" not in value:
        assert all(columns(line) <= 40 for line in table_text(table).split("\n"))


def test_letters_without_a_font_are_left_out_of_the_picture_alone() -> None:
    strange = "\x1e\U000109bc"
    table = Table(strange, (strange,), (Row(strange, strange, (strange,), strange),), strange)
    assert strange in draw_table(table, Style()).alt_text


def test_what_is_written_says_place_name_and_points() -> None:
    assert table_words(_table(2)).splitlines()[1] == "1. Zoë Åström 1 4½"
    heads, line, _ = table_text(_table(2)).splitlines()
    assert line.startswith("1 Zoë Åström 1")
    assert heads.endswith(" Points Buchholz   SB")
    assert line.endswith("     4½      12½ 9.25")
    assert len(heads) == len(line) == 40


def test_heads_give_way_to_names_and_long_ones_are_cut() -> None:
    row = Row("1", "Bartholomäus Schmidt", ("4½", "12½", "9.25"), "#1")
    table = Table("Cup", ("Gesamtpunktzahl", "Buchholz-Wertung", "Sonneborn"), (row,))
    heads, line = table_text(table).splitlines()
    assert heads.split() == ["Gesamtp…", "Buchhol…"], "the third has no room"
    assert line.endswith("      4½      12½")
    wide = table_text(Table("杯", ("勝ち点",), (Row("1", "山田", ("3",), "#1"),)))
    assert [columns(each) for each in wide.splitlines()] == [40, 40]


def test_there_is_no_page_beyond_the_last() -> None:
    with pytest.raises(ValueError, match="no page"):
        draw_table(_table(3), Style(), 1)


def test_a_name_from_right_to_left_does_not_turn_the_numbers_beside_it() -> None:
    line = table_text(_table(1, "עברית"))
    assert "\u2068" in line
    assert line.index("\u2069") < line.index("4½")
    cut = table_text(_table(1, "עברית" * 9))
    assert cut.count("\u2068") == cut.count("\u2069") == 1


def test_a_result_is_drawn_onto_the_page_before_and_equals_a_page_drawn_anew() -> None:
    first = draw_table(_table(30), Style())
    rows = list(_table(30).rows)
    rows[3], rows[4] = rows[4], rows[3]
    second = draw_table(Table("Autumn Swiss", ("Points", "Buchholz", "SB"), tuple(rows)), Style())
    latest.clear()
    store.clear()
    again = draw_table(Table("Autumn Swiss", ("Points", "Buchholz", "SB"), tuple(rows)), Style())
    assert first.png != second.png
    assert _opened(second.png).tobytes() == _opened(again.png).tobytes()


def _opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


def test_heads_are_large_where_that_costs_no_column() -> None:
    """A phone shows a picture at 400 pixels, where small heads are hard to read."""

    def height(columns_of_values: int) -> int:
        heads = tuple(f"Head{n}" for n in range(columns_of_values))
        table = Table("Cup", heads, (Row("1", "Zoë", ("1",) * columns_of_values),))
        image = Image.open(BytesIO(draw_table(table, Style()).png)).convert("RGB")
        ground = Image.new("RGB", image.size, image.getpixel((0, 0)))
        drawn = ImageChops.difference(image, ground).crop((300, 80, 1000, 124)).getbbox()
        assert drawn is not None
        return drawn[3] - drawn[1]

    assert height(4) > height(7)
