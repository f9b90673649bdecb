"""Statistics of matches against numbers worked by hand."""

from __future__ import annotations

from math import log
from random import Random

import pytest

from engines.statistics import SequentialTest, Sprt, elo, expected, is_admitted, wilson


def test_wilson_of_eight_in_ten() -> None:
    # (0.8 + 3.8416/20 +- 1.96 sqrt(0.016 + 0.009604)) / 1.38416
    found = wilson(8, 10, 1.96)
    assert found.low == pytest.approx(0.4902, abs=1e-4)
    assert found.high == pytest.approx(0.9433, abs=1e-4)


def test_wilson_never_leaves_nought_to_one() -> None:
    assert wilson(0, 5).low == 0.0
    assert wilson(5, 5).high == 1.0
    assert wilson(5, 5, 1.96).low == pytest.approx(1 / (1 + 3.8416 / 5), abs=1e-4)


def test_elo_of_three_in_four_is_about_191() -> None:
    assert elo(0.75) == pytest.approx(400 * log(3) / log(10))
    assert elo(0.5) == 0
    assert elo(1.0) is None
    assert elo(0.0) is None
    assert expected(400) == pytest.approx(10 / 11)


def test_sprt_adds_up_what_each_game_says() -> None:
    test = Sprt(elo0=0, elo1=400)
    # A win is 10/11 against 1/2, a loss 1/11 against 1/2; 19 to 1 decides.
    assert test.bound == pytest.approx(log(19))
    assert test.ratio(1, 1) == pytest.approx(log(20 / 11))
    assert test.ratio(0, 1) == pytest.approx(log(2 / 11))
    assert test.verdict(4, 4) == "undecided"  # 2.39 of 2.94
    assert test.verdict(5, 5) == "stronger"  # 2.99
    assert test.verdict(0, 1) == "undecided"
    assert test.verdict(0, 2) == "not stronger"  # -3.41
    assert test.ratio(1, 2) == pytest.approx(log(20 / 11) + log(2 / 11))


def test_a_step_needs_sixty_in_a_hundred_with_ninety_per_cent_confidence() -> None:
    # Twenty games: 15 wins have the lower bound 0.6099, 14 have 0.5562 (z = 1.2816).
    assert is_admitted(15, 20)
    assert not is_admitted(14, 20)
    assert not is_admitted(0, 0)


def test_a_wager_is_walds_test_of_sixty_against_eighty_in_a_hundred() -> None:
    sequential = SequentialTest()
    sequential.add(1)
    assert sequential.money == pytest.approx(0.8 / 0.6)
    sequential.add(0)
    assert sequential.money == pytest.approx(0.8 / 0.6 * 0.2 / 0.4)
    assert not sequential.is_won
    assert not sequential.is_lost


def after(*scores: float) -> SequentialTest:
    sequential = SequentialTest()
    for score in scores:
        sequential.add(score)
    return sequential


def test_nine_wins_in_a_row_win_a_wager_and_four_losses_lose_it() -> None:
    assert not after(*[1] * 8).is_won  # (4/3)^8 = 9.99
    assert after(*[1] * 9).is_won
    assert not after(0, 0, 0).is_lost
    assert after(0, 0, 0, 0).is_lost
    assert after(0.5).money == pytest.approx(11 / 12)


def test_a_player_of_sixty_in_a_hundred_seldom_wins_a_wager() -> None:
    rng, won = Random(1), 0
    for _ in range(400):
        sequential = SequentialTest()
        for _ in range(80):
            sequential.add(float(rng.random() < 0.6))
            if sequential.is_won:
                won += 1
                break
    assert won <= 40


def test_six_wins_in_a_row_show_who_is_better() -> None:
    sequential = SequentialTest(*SequentialTest.BETTER)
    for games in range(1, 7):
        sequential.add(1)
        assert sequential.is_won == (games == 6)  # 1.5^5 = 7.6, 1.5^6 = 11.4
    even = SequentialTest(*SequentialTest.BETTER)
    even.add(0.5)
    assert even.money == 1
