"""Clocks as people write them."""

from __future__ import annotations

import contextlib
from datetime import timedelta
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import example, given

from bot.domain.clock_text import PRESETS, read_clock, write_clock, write_duration
from bot.errors import UserError
from tests.domain.test_clock import controls


@given(controls())
def test_what_is_written_is_read_back(control: Any) -> None:
    assert read_clock(write_clock(control)) == control


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("3d", "3d/move"),
        ("3 days a move", "3d/move"),
        ("3 Days per Turn", "3d/move"),
        ("1 day and 12 hours each move", "1d12h/move"),
        ("2 weeks/move", "14d/move"),
        ("7d + 1d", "7d+1d"),
        ("7 days + 1 day, at most 14 days", "7d+1d max 14d"),
        ("7d+1d (max 14)", "7d+1d max 14d"),
        ("7d+1d cap 2w", "7d+1d max 14d"),
        ("10+5", "10m+5s"),
        ("10 min + 5 sec a move", "10m+5s"),
        ("１０m+５s", "10m+5s"),
        ("90m+30s", "1h30m+30s"),
        ("7d+0", "7d+0s"),
        ("2d, weekends off", "2d/move, weekends off"),
        ("7d+1d no weekends", "7d+1d, weekends off"),
        ("3d, automatic vacation", "3d/move, automatic vacation"),
        ("3 days a move with auto vacation", "3d/move, automatic vacation"),
        ("7d+1d max 14d, no vacation", "7d+1d max 14d, no vacation"),
        ("3d without vacations, no weekends", "3d/move, weekends off, no vacation"),
        ("3d no weekends, vacation automatic", "3d/move, weekends off, automatic vacation"),
        ("3d, vacation allowed", "3d/move"),
        ("3d with vacation", "3d/move"),
        ("3d vacations begin by themselves", "3d/move, automatic vacation"),
        ("3d, vacation off, weekends off", "3d/move, weekends off, no vacation"),
        ("3d no weekends (no vacation)", "3d/move, weekends off, no vacation"),
        ("10m+5s, no vacation", "10m+5s"),
        ("  NONE ", "none"),
        ("no clock", "none"),
        ("unlimited", "none"),
    ],
)
def test_people_may_write_it_in_many_ways(typed: str, meant: str) -> None:
    assert write_clock(read_clock(typed)) == meant


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("", "unclear"),
        ("0", "unclear"),
        ("-1", "unclear"),
        ("-3d", "unclear"),
        ("+3d", "unclear"),
        ("3d+", "unclear"),
        ("1d1d", "unclear"),
        ("1h1d", "unclear"),
        ("5", "unclear"),
        ("1e5d", "unclear"),
        ("NaN", "unclear"),
        ("1.5d", "unclear"),
        ("٣d", "unclear"),
        ("1 month", "unclear"),
        ("3d/move max 4d", "unclear"),
        ("7d+1d+1d", "unclear"),
        ("d" * 5000, "unclear"),
        ("0d", "range"),
        ("59s", "range"),
        ("91d", "range"),
        ("366d+1d", "range"),
        ("1d+31d", "range"),
        ("1000000000000d", "range"),
        ("99999999999999999999h", "range"),
        ("1d+99999999999999999999h", "range"),
        ("99999999999999999999+5", "range"),
        ("7d+1d max 3d", "cap"),
        ("7d+1d max 400d", "range"),
        ("10m+5s weekends off", "weekends"),
        ("10m+5s, automatic vacation", "vacation"),
    ],
)
def test_what_is_no_clock_is_refused_with_words(typed: str, code: str) -> None:
    with pytest.raises(UserError) as caught:
        read_clock(typed)
    assert caught.value.code == f"clock_{code}"
    assert len(str(caught.value.params["text"])) <= 40


@given(st.text(alphabet="0123456789dhmsw+/ ,.-maxovecp()٣", max_size=30) | st.text(max_size=120))
@example("7d+1d max " + "9" * 80)
@example("9" * 90 + "+1")
def test_whatever_is_typed_is_a_clock_or_a_refusal(text: Any) -> None:
    with contextlib.suppress(UserError):
        control = read_clock(text)
        assert read_clock(write_clock(control)) == control


def test_presets_have_names_of_their_own() -> None:
    assert len({preset.key for preset in PRESETS}) == len(PRESETS)
    for preset in PRESETS:
        assert read_clock(preset.key.upper()) == preset.control


def test_lengths_are_written_with_each_unit_once() -> None:
    assert write_duration(timedelta(days=1, hours=2, minutes=3, seconds=4)) == "1d2h3m4s"
    assert write_duration(timedelta()) == "0s"
