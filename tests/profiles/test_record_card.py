"""Rows of results: streaks as people count them."""

from __future__ import annotations

from bot.profiles import ResultMark, longest_streak, streak

WON, DRAWN, LOST = ResultMark.WON, ResultMark.DRAWN, ResultMark.LOST


def test_a_streak_is_of_wins_and_ends_with_anything_else() -> None:
    assert streak([]) == 0
    assert streak([WON, WON, LOST, WON]) == 2
    assert streak([DRAWN, WON]) == 0
    assert longest_streak([WON, LOST, WON, WON, WON, DRAWN]) == 3
