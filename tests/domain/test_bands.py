"""Rating bands and how long offers stand: what people write, and what it means."""

from __future__ import annotations

import contextlib
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.clock_text import LONGEST_OFFER, SHORTEST_OFFER, parse_offer_expiry, write_duration
from bot.domain.rating_range import (
    HIGHEST,
    LOWEST,
    NARROWEST,
    Around,
    RatingRange,
    format_rating_range,
    parse_rating_range,
    stored_rating_range,
)
from bot.errors import UserError
from tests.support.not_none import not_none

points = st.integers(LOWEST, HIGHEST)
bands = st.one_of(
    st.none(),
    st.builds(Around, st.integers(NARROWEST, HIGHEST)),
    st.lists(points, min_size=2, max_size=2, unique=True).map(
        lambda two: RatingRange(*sorted(two))
    ),
    st.builds(lambda least: RatingRange(least, None), st.integers(LOWEST, HIGHEST - 1)),
    st.builds(lambda most: RatingRange(None, most), st.integers(LOWEST + 1, HIGHEST)),
)


@given(bands)
def test_what_is_written_is_read_back(band: Any) -> None:
    assert parse_rating_range(format_rating_range(band)) == band


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused_in_words(text: Any) -> None:
    with contextlib.suppress(UserError):
        band = parse_rating_range(text)
        assert parse_rating_range(format_rating_range(band)) == band


@given(st.integers(NARROWEST, HIGHEST), points)
def test_one_is_always_in_the_band_around_oneself(around: Any, rating: Any) -> None:
    band = Around(around).of(rating)
    assert rating in band
    assert LOWEST <= not_none(band.least) <= not_none(band.most) <= HIGHEST


@pytest.mark.parametrize(
    ("text", "band"),
    [
        ("1400-1700", RatingRange(1400, 1700)),
        (" 1400 – 1700 ", RatingRange(1400, 1700)),
        ("from 1400 to 1700", RatingRange(1400, 1700)),
        ("１４００-１７００", RatingRange(1400, 1700)),
        ("1600+", RatingRange(1600, None)),
        ("at least 1600", RatingRange(1600, None)),
        (">= 1600", RatingRange(1600, None)),
        ("up to 1500", RatingRange(None, 1500)),
        ("-1500", RatingRange(None, 1500)),
        ("± 150", Around(150)),
        ("+-150", Around(150)),
        ("+/- 150", Around(150)),
        ("any", None),
        ("", None),
    ],
)
def test_a_band_is_read_as_people_write_it(text: str, band: Around | RatingRange | None) -> None:
    assert parse_rating_range(text) == band


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1700-1400", "band_range"),
        ("1500-1500", "band_range"),
        ("-0", "band_range"),
        ("4000+", "band_range"),
        ("5000+", "band_range"),
        ("±10", "band_range"),
        ("±999999", "band_range"),
        ("strong", "band_unclear"),
        ("1400", "band_unclear"),
        ("1400-1700-1800", "band_unclear"),
        ("-" * 5000, "band_unclear"),
        ("٣٠٠٠+", "band_unclear"),
    ],
)
def test_what_is_no_band_is_refused(text: str, code: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_rating_range(text)
    assert caught.value.code == code


@given(st.text(max_size=20) | st.sampled_from(["1500-1500", "-0", "4000+", "any", "±150"]))
def test_what_is_stored_is_read_as_it_stands_or_not_at_all(text: str) -> None:
    with contextlib.suppress(ValueError):
        assert format_rating_range(stored_rating_range(text)) == text


@given(bands.filter(lambda band: isinstance(band, RatingRange)), points)
def test_both_ends_are_in_a_band_and_nothing_beyond(band: Any, rating: Any) -> None:
    above = band.least is None or band.least <= rating
    assert (rating in band) == (above and (band.most is None or rating <= band.most))


def test_a_band_is_shown_alike_in_every_language() -> None:
    shown = [
        str(each)
        for each in (RatingRange(1400, 1700), RatingRange(1600, None), RatingRange(None, 1500))
    ]
    assert shown == ["1400–1700", "≥ 1600", "≤ 1500"]
    assert str(Around(150)) == "±150"
    assert str(Around(150).of(1500)) == "1350–1650"


DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("", 2 * DAY),
        ("6h", timedelta(hours=6)),
        ("2 days", 2 * DAY),
        ("1d12h", 1.5 * DAY),
        ("5m", SHORTEST_OFFER),
        ("30d", LONGEST_OFFER),
    ],
)
def test_how_long_an_offer_stands_is_read_as_people_write_it(text: str, time: timedelta) -> None:
    assert parse_offer_expiry(text, 2 * DAY) == time


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("4m59s", "lasting_range"),
        ("31d", "lasting_range"),
        ("9" * 50 + "d", "lasting_range"),
        ("soon", "lasting_unclear"),
        ("-6h", "lasting_unclear"),
        ("6", "lasting_unclear"),
        ("6h" * 5000, "lasting_unclear"),
    ],
)
def test_an_offer_stands_within_bounds(text: str, code: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_offer_expiry(text, DAY)
    assert caught.value.code == code


@given(st.integers(300, 30 * 86400))
def test_every_length_within_the_bounds_is_read_back(seconds: Any) -> None:
    time = timedelta(seconds=seconds)
    assert parse_offer_expiry(write_duration(time), DAY) == time
