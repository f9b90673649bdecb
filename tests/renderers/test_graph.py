"""The picture of a rating over time."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from renderers import THEMES, Style, fonts, rating_graph
from renderers.graph import _LINES, _colour, _scale
from renderers.incremental.images import RGB
from renderers.themes import contrast, theme_named


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


def height_of(image: Image.Image, colour: RGB, x: int) -> float | None:
    rows = [y for y in range(image.height) if image.getpixel((x, y)) == colour]
    return sum(rows) / len(rows) if rows else None


@pytest.mark.parametrize("theme", THEMES)
def test_a_rising_rating_rises_in_the_picture(theme: str) -> None:
    picture = rating_graph("Quax", [1500, 1520, 1560], Style(theme=theme))
    image = opened(picture.png)
    assert image.size == (picture.width, picture.height)
    colour = _colour(theme_named(theme))
    left, middle = height_of(image, colour, 110), height_of(image, colour, 600)
    assert left is not None
    assert middle is not None
    assert middle < left
    assert contrast(colour, theme_named(theme).card) >= 3
    assert len(picture.png) < 40_000


def test_after_one_match_a_line_leads_from_where_the_rating_began() -> None:
    colour = _colour(theme_named(Style().theme))
    began = opened(rating_graph("Quax", [1512], Style(), start=1500).png)
    left, right = height_of(began, colour, 300), height_of(began, colour, 700)
    assert left is not None
    assert right is not None
    assert right < left, "it rises"
    alone = opened(rating_graph("Quax", [1512], Style()).png)
    assert height_of(alone, colour, 300) is None


def test_a_few_matches_have_points_and_many_have_a_line() -> None:
    few = rating_graph("Quax", [1510, 1500, 1520], Style())
    many = rating_graph("Quax", [1510, 1500, 1520] * 5, Style())
    tone = theme_named(Style().theme).muted

    def marked(png: bytes) -> int:
        image = opened(png).crop((100, 60, 840, 400))
        return sum(count for count, each in image.getcolors(1 << 20) or () if each == tone)

    assert marked(few.png) > marked(many.png)


def test_the_words_say_what_the_line_shows() -> None:
    picture = rating_graph("Anna in Quax", [1500, 1480, 1530, 1510], Style())
    assert picture.alt_text == (
        "Anna in Quax. 4 matches. First 1500, lowest 1480, highest 1530, now 1510."
    )


@settings(max_examples=50)
@given(st.lists(st.integers(-500, 5000), min_size=1, max_size=30))
@pytest.mark.long
def test_any_ratings_can_be_drawn(points: list[int]) -> None:
    low, high, step = _scale(points)
    assert low <= min(points) <= max(points) <= high
    assert 1 <= (high - low) // step <= _LINES + 1
    assert opened(rating_graph("x" * 200, points, Style()).png).width == 960


def test_a_title_that_no_font_here_can_draw_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "_can_shape", lambda: False)
    fonts.can_draw.cache_clear()
    fonts.drawable.cache_clear()
    try:
        strange = rating_graph("\x1e\U000109bcעברית\nשלום", [1500, 1520], Style())
        without = rating_graph("", [1500, 1520], Style())
    finally:
        fonts.can_draw.cache_clear()
        fonts.drawable.cache_clear()
    assert strange.png == without.png
    assert "עברית" in strange.alt_text


def test_the_alt_text_of_a_graph_is_on_one_line() -> None:
    assert "\n" not in rating_graph("a\nb", [1500], Style()).alt_text
