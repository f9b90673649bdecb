"""Brackets of 2 to 256 entrants with all byes, and meetings of one to three games."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import groupby
from random import Random

import pytest

from bot.tournaments.domain.crosstable import DRAW, LOSS, WIN
from bot.tournaments.domain.formats.knockout import (
    Bracket,
    Contest,
    Leg,
    Meeting,
    bracket,
    meeting,
    placed,
    resolve,
    seeds,
)
from bot.tournaments.domain.setup import Decider


def _play(ties: Bracket, rng: Random | None = None) -> dict[str, Contest]:
    """All ties played round by round; the higher seed wins unless lots are drawn."""
    won: dict[str, int | None] = {}
    for _, round_of in groupby(ties.ties, key=lambda tie: tie.round):
        contests = resolve(ties, won)
        for tie in round_of:
            contest = contests[tie.id]
            assert contest.is_known, tie.id
            if not contest.is_over:
                assert contest.one is not None
                assert contest.two is not None
                pair = [contest.one, contest.two]
                won[tie.id] = rng.choice(pair) if rng else min(pair)
    return dict(resolve(ties, won))


def test_the_order_of_seeds_is_the_usual_one() -> None:
    assert seeds(2) == (1, 2)
    assert seeds(8) == (1, 8, 4, 5, 2, 7, 3, 6)


@pytest.mark.slow
@pytest.mark.parametrize("double", [False, True], ids=["single", "double"])
def test_brackets_of_2_to_256_entrants(double: bool) -> None:
    for entrants in (*range(2, 34), 47, 63, 64, 65, 100, 127, 128, 129, 200, 255, 256):
        ties = bracket(entrants, double=double)
        size = 1 << (entrants - 1).bit_length()
        first = [
            contest
            for key, contest in resolve(ties, {}).items()
            if key.startswith("W1.") and None in (contest.one, contest.two)
        ]
        # Byes go to the top seeds, one each, and who has one is through at once.
        assert sorted(each.winner or 0 for each in first) == list(range(1, size - entrants + 1))
        contests = _play(ties)
        lost = Counter(each.loser for each in contests.values() if each.loser is not None)
        if double:
            # Favourites win: the reset final is not needed, and its entry repeats the final's.
            lost[contests["F2"].loser or 0] -= 1
        assert lost[1] == 0
        assert all(lost[seed] == (2 if double else 1) for seed in range(2, entrants + 1)), entrants
        groups = placed(ties, contests)
        assert groups[0] == (1,)
        assert groups[1] == (2,)
        assert sorted(seed for group in groups for seed in group) == list(range(1, entrants + 1))


def test_favourites_meet_as_late_as_can_be() -> None:
    contests = _play(bracket(16))
    for number, of in ((4, 2), (3, 4), (2, 8)):
        met = {
            seed
            for key, each in contests.items()
            if key.startswith(f"W{number}.")
            for seed in (each.one, each.two)
        }
        assert met == set(range(1, of + 1))


@pytest.mark.parametrize("entrants", range(2, 40))
def test_however_games_end_nobody_is_out_before_the_second_loss(entrants: int) -> None:
    ties = bracket(entrants, double=True)
    for seed in range(6):
        contests = _play(ties, Random(seed))
        reset = contests["F1"].winner == contests["F1"].two
        lost = Counter(each.loser for key, each in contests.items() if key != "F2" and each.loser)
        if reset:
            lost[contests["F2"].loser or 0] += 1
        champion = placed(ties, contests)[0]
        assert len(champion) == 1
        assert lost[champion[0]] <= 1
        assert all(lost[each] == 2 for each in range(1, entrants + 1) if each != champion[0])


def test_the_third_place_match_is_between_who_lost_the_semi_finals() -> None:
    ties = bracket(8, third=True)
    contests = _play(ties)
    assert (contests["T"].one, contests["T"].two) == (4, 3)
    assert placed(ties, contests) == [(1,), (2,), (3,), (4,), (5, 6, 7, 8)]
    assert not any(tie.id == "T" for tie in bracket(3, third=True).ties)
    won = {f"W1.{index}": seed for index, seed in ((1, 1), (2, 4), (3, 2), (4, 3))}
    won |= {"W2.1": 1, "W2.2": 2, "W3.1": 2}
    assert placed(ties, resolve(ties, won)) == [(1,), (5, 6, 7, 8)]


def test_where_neither_comes_the_next_opponent_goes_on_and_a_stranger_cannot_win() -> None:
    ties = bracket(4)
    contests = resolve(ties, {"W1.1": None, "W1.2": 2})
    assert contests["W2.1"] == Contest(None, 2, True, True, 2)
    assert placed(ties, contests) == [(2,), (1, 3, 4)]
    with pytest.raises(ValueError, match="3 is not in"):
        resolve(ties, {"W1.1": 3})
    with pytest.raises(ValueError, match="two"):
        bracket(1)
    assert bracket(2, double=True).rounds == 3
    assert bracket(2).rounds == 1


def _meet(
    *legs: Leg, best_of: int = 2, decider: Decider = Decider.EXTRA_GAME, begins: int = 1
) -> Meeting:
    return meeting(1, 2, legs, best_of=best_of, decider=decider, begins=begins)


def test_sides_are_exchanged_and_games_that_change_nothing_are_not_played() -> None:
    assert _meet() == Meeting(False, None, 1)
    assert _meet(begins=2) == Meeting(False, None, 2)
    assert _meet(Leg(1, WIN)) == Meeting(False, None, 2)
    assert _meet(Leg(1, WIN), Leg(2, DRAW)) == Meeting(True, 1, None)
    assert _meet(Leg(1, WIN), Leg(2, LOSS), best_of=3) == Meeting(True, 1, None)
    assert _meet(Leg(1, LOSS), Leg(2, LOSS), best_of=3) == Meeting(False, None, 1)
    assert _meet(Leg(1, WIN), best_of=1) == Meeting(True, 1, None)
    assert _meet(Leg(1, LOSS), best_of=1) == Meeting(True, 2, None)
    # 1 to 0 and half: in three games the last may still bring a level score.
    assert _meet(Leg(1, WIN), Leg(2, DRAW), best_of=3) == Meeting(False, None, 1)
    with pytest.raises(ValueError, match="one to three"):
        _meet(best_of=4)


@pytest.mark.parametrize(
    ("decider", "extra", "winner"),
    [
        (Decider.HIGHER_SEED, None, 1),
        (Decider.EXTRA_GAME, Leg(1, WIN), 1),
        (Decider.EXTRA_GAME, Leg(1, LOSS), 2),
        (Decider.EXTRA_GAME, Leg(1, DRAW), 1),
        (Decider.SECOND_WINS_DRAW, Leg(1, DRAW), 2),
        (Decider.SECOND_WINS_DRAW, Leg(1, WIN), 1),
        (Decider.SECOND_WINS_DRAW, Leg(1, LOSS, is_void=True), 1),
    ],
)
def test_the_stated_decider_decides(decider: Decider, extra: Leg | None, winner: int) -> None:
    level = (Leg(1, WIN), Leg(2, WIN))
    if extra is None:
        assert _meet(*level, decider=decider) == Meeting(True, winner, None)
        return
    assert _meet(*level, decider=decider) == Meeting(False, None, 1)
    assert _meet(*level, extra, decider=decider) == Meeting(True, winner, None)


def test_where_neither_player_ever_came_nobody_wins() -> None:
    void = Leg(1, Fraction(0), is_void=True)
    assert _meet(void, Leg(2, Fraction(0), is_void=True)) == Meeting(True, None, None)
    assert _meet(void, best_of=1) == Meeting(True, None, None)


def test_losers_drop_in_crosswise() -> None:
    into = {tie.id: tie.one.tie for tie in bracket(8, double=True).ties}
    assert (into["L2.1"], into["L2.2"]) == ("W2.2", "W2.1")


def test_the_final_is_played_again_only_if_the_winner_of_the_losers_has_won_it() -> None:
    ties = bracket(2, double=True)
    assert resolve(ties, {"W1.1": 1, "F1": 1})["F2"].winner == 1
    assert not resolve(ties, {"W1.1": 1, "F1": 2})["F2"].is_over
