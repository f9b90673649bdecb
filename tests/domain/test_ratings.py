"""Ratings: the paper's example, the reference libraries, and what must always hold."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import glicko2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import BradleyTerryPart

from bot.domain import play
from bot.domain.events import Change
from bot.domain.game_state import game_state_of
from bot.domain.match import Actor, Ending, MatchStatus
from bot.domain.ratings.glicko import GLICKO, Game, Glicko, rate_period
from bot.domain.ratings.rated import RatingRecord, apply, counts, is_too_short, ranks_of, system_of
from bot.domain.ratings.system import SKILL, Rating, Skill
from bot.errors import UserError
from tests.domain.people import accepted, at, offered, played, started
from tests.support.kit import ANN, BOB, CYD, DAN, START

ratings = st.builds(Rating, st.floats(400, 3000), st.floats(45, 350), st.floats(0.03, 0.1))
skills = st.builds(Rating, st.floats(-10, 60), st.floats(1, 25 / 3))


def test_the_example_of_the_paper() -> None:
    player = Rating(1500, 200, 0.06)
    games = (
        Game(Rating(1400, 30, 0.06), 1),
        Game(Rating(1550, 100, 0.06), 0),
        Game(Rating(1700, 300, 0.06), 0),
    )
    after = rate_period(player, games, tau=0.5)
    assert after.mean == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_period_without_games_widens_the_deviation_as_the_paper_says() -> None:
    assert rate_period(Rating(1500, 200, 0.06), ()).deviation == pytest.approx(200.2714, abs=1e-4)


@given(ratings, st.lists(st.tuples(ratings, st.sampled_from((0, 0.5, 1))), min_size=1, max_size=5))
def test_it_agrees_with_the_glicko2_package(player: Any, games: Any) -> None:
    """But for the volatility, where the package squares the rating instead of the deviation."""
    theirs = glicko2.Player(player.mean, player.deviation, player.volatility)
    theirs.update_player(
        [other.mean for other, _ in games],
        [other.deviation for other, _ in games],
        [score for _, score in games],
    )
    ours = rate_period(
        player, [Game(other, score) for other, score in games], tau=glicko2.Player._tau
    )
    assert ours.mean == pytest.approx(theirs.rating, abs=0.5)
    assert ours.deviation == pytest.approx(theirs.rd, abs=0.1)


@given(ratings, ratings, st.sampled_from((0, 0.5, 1)))
def test_the_volatility_solves_the_equation_of_step_5(player: Any, other: Any, score: Any) -> None:
    tau = 0.75
    phi, phi_j = player.deviation / 173.7178, other.deviation / 173.7178
    g = 1 / math.sqrt(1 + 3 * phi_j**2 / math.pi**2)
    expected = 1 / (1 + math.exp(-g * (player.mean - other.mean) / 173.7178))
    v = 1 / (g**2 * expected * (1 - expected))
    delta = v * g * (score - expected)

    def f(x: Any) -> Any:
        spread = phi**2 + v + math.exp(x)
        return math.exp(x) * (delta**2 - spread) / (2 * spread**2) - (
            x - math.log(player.volatility**2)
        ) / (tau**2)

    found = rate_period(player, (Game(other, score),), tau=tau).volatility
    assert f(2 * math.log(found) - 1e-4) > 0 > f(2 * math.log(found) + 1e-4)


def test_the_zero_of_step_5_is_looked_for_as_far_down_as_it_lies() -> None:
    """Far more volatile than the many even games say: the first step down does not reach it."""
    player = Rating(1500.0, 1.0, 20.0)
    even = [Game(Rating(1500.0, 1.0, 0.06), 0.5)] * 1000
    tau = 5.0
    found = 2 * math.log(rate_period(player, even, tau=tau).volatility)
    assert found < 2 * math.log(20.0) - tau
    phi = 1.0 / 173.7178

    def f(x: Any) -> Any:
        spread = phi**2 + 0.004 + math.exp(x)
        return -math.exp(x) / (2 * spread) - (x - 2 * math.log(20.0)) / tau**2

    assert f(found - 1e-2) > 0 > f(found + 1e-2)


@given(ratings, ratings, st.sampled_from(((0, 1), (1, 0), (0, 0))))
def test_glicko_rewards_the_winner_within_limits(one: Any, other: Any, ranks: Any) -> None:
    after = GLICKO.after((one, other), ranks)
    for before, now, rank in zip((one, other), after, ranks, strict=True):
        assert 45 <= now.deviation <= 350
        assert now.deviation <= before.deviation or now.deviation == 45
        assert abs(now.mean - before.mean) <= 700
        if ranks != (0, 0):
            assert now.mean >= before.mean if rank == 0 else now.mean <= before.mean


@given(ratings, ratings, st.sampled_from(((0, 1), (1, 0), (0, 0))))
def test_glicko_does_not_care_who_is_named_first(one: Any, other: Any, ranks: Any) -> None:
    there = GLICKO.after((one, other), ranks)
    back = GLICKO.after((other, one), ranks[::-1])
    assert there == back[::-1]


@given(ratings, st.floats(0, 5000), st.floats(0, 5000))
def test_time_makes_a_rating_less_certain(rating: Any, days: Any, more: Any) -> None:
    once = GLICKO.aged(rating, days)
    twice = GLICKO.aged(once, more)
    assert (twice.mean, twice.volatility) == (rating.mean, rating.volatility)
    assert rating.deviation <= once.deviation <= twice.deviation <= 350
    assert twice.deviation == pytest.approx(GLICKO.aged(rating, days + more).deviation)


def test_a_certain_rating_becomes_provisional_after_a_year_without_a_match() -> None:
    rating = Rating(1800, 60, 0.06)
    assert GLICKO.aged(rating, 350).deviation < GLICKO.certain < GLICKO.aged(rating, 380).deviation


def test_a_clock_that_went_back_makes_nothing_more_certain() -> None:
    record = RatingRecord(Rating(1500, 100, 0.06), last_at=START)
    assert record.aged(GLICKO, START - timedelta(days=9)) == record.rating


@given(st.lists(skills, min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_openskill_is_what_the_library_says(people: Any, random: Any) -> None:
    ranks = tuple(random.randrange(len(people)) for _ in people)
    model = BradleyTerryPart()
    teams = [[model.rating(mu=one.mean, sigma=one.deviation)] for one in people]
    wanted = model.rate(teams, ranks=[float(rank) for rank in ranks])
    after = SKILL.after(tuple(people), ranks)
    assert [(one.mean, one.deviation) for one in after] == [
        (team[0].mu, team[0].sigma) for team in wanted
    ]


def test_who_wins_at_a_table_of_four_rises_and_who_is_last_falls() -> None:
    after = SKILL.after((SKILL.newcomer,) * 4, (2, 0, 3, 1))
    shown = [one.mean for one in after]
    assert shown[1] > shown[3] > shown[0] > shown[2]
    assert shown[1] > SKILL.newcomer.mean > shown[2]


@pytest.mark.parametrize("system", [GLICKO, SKILL])
def test_a_newcomer_is_shown_1500_and_uncertain(system: Glicko | Skill) -> None:
    assert system.shown(system.newcomer) == 1500
    assert system.newcomer.deviation > system.certain


@pytest.mark.parametrize(("system", "chairs", "most"), [(GLICKO, 2, 15), (SKILL, 4, 30)])
def test_a_rating_settles(system: Glicko | Skill, chairs: int, most: int) -> None:
    random = Random(1)
    records = tuple(RatingRecord(system.newcomer) for _ in range(chairs))
    for number in range(most):
        ranks = tuple(random.sample(range(chairs), chairs))
        records = apply(system, records, ranks, START + timedelta(days=number))
    assert all(record.rating.deviation <= system.certain for record in records)


def test_a_record_counts_wins_draws_and_losses() -> None:
    records: tuple[RatingRecord, ...] = (
        RatingRecord(GLICKO.newcomer),
        RatingRecord(GLICKO.newcomer),
    )
    for ranks in ((0, 1), (0, 0), (1, 0), (0, 1)):
        records = apply(GLICKO, records, ranks, START)
    assert [(one.matches, one.won, one.drawn, one.lost) for one in records] == [
        (4, 2, 1, 1),
        (4, 1, 1, 2),
    ]


def test_a_shared_win_at_a_table_of_four_is_a_win() -> None:
    records = apply(SKILL, (RatingRecord(SKILL.newcomer),) * 4, (0, 0, 2, 3), START)
    assert [one.won for one in records] == [1, 1, 0, 0]


# ---- which matches count --------------------------------------------------------------------


def test_games_for_two_have_glicko_and_others_openskill() -> None:
    assert {game: system_of(game).key for game in ("quax", "quux", "pythagoras", "gone")} == {
        "quax": "glicko2",
        "quux": "glicko2",
        "pythagoras": "openskill",
        "gone": "glicko2",
    }


def rated(*others: Actor, **more: Any) -> Change:
    return offered(*others, rated=True, seat=more.pop("seat", None), **more)


def test_a_rated_match_has_a_usual_size_and_lots_decide_who_begins() -> None:
    assert rated(BOB, game="quax", options={"size": 7}).match.rated
    with pytest.raises(UserError, match="rated_options") as caught:
        rated(BOB, game="quax", options={"size": 5})
    assert caught.value.params == {"option": "size", "offered": "7, 9, 11, 13, 15"}
    with pytest.raises(UserError, match="rated_side"):
        rated(BOB, game="quax", seat=1)


def test_a_match_that_hardly_began_does_not_count() -> None:
    match = accepted(rated(BOB, game="quax", options={"size": 7}).match, BOB).match
    for text in ("a1", "b2", "c3"):
        match = played(match, text)
    assert not counts(match)
    early = play.resign(match, at(9), ANN).match
    assert early.status is MatchStatus.FINISHED
    assert not counts(early)
    assert is_too_short(early)
    late = play.resign(played(match, "d4"), at(9), ANN).match
    assert counts(late)
    assert not is_too_short(late)
    assert not counts(replace(late, rated=False))


def test_the_ranks_of_two() -> None:
    match = played(started(BOB, game="quax", options={"size": 7}), "a1 b2 c3 d4")
    first = match.players[0]
    lost = play.resign(match, at(9), ANN if first == ANN.user_id else BOB).match
    assert ranks_of(lost) == (1, 0)
    with pytest.raises(ValueError, match=match.id):
        ranks_of(match)


def test_the_ranks_follow_the_person_across_a_swap() -> None:
    match = played(started(BOB, game="quax", options={"size": 3}), "b2 swap")
    match = played(match, "a1")
    while match.status is MatchStatus.RUNNING:
        table = game_state_of(match)
        moves = list(table.game.legal_moves(table.position))
        match = played(match, table.game.notation(table.position, moves[-1]))
    assert match.result is not None
    assert match.result.ending is Ending.GAME
    assert [ranks_of(match)[player] for player in match.result.winners] == [0]
    assert sorted(ranks_of(match)) == [0, 1]


def test_a_player_who_left_a_table_of_four_is_last() -> None:
    match = started(BOB, CYD, DAN, game="pythagoras")
    match = play.resign(match, at(5), ANN).match
    match = play.resign(match, at(6), BOB).match
    over = play.resign(match, at(7), CYD).match
    assert over.status is MatchStatus.FINISHED
    ranks = ranks_of(over)
    dan = over.players.index(DAN.user_id)
    assert ranks[dan] == 0
    assert all(ranks[index] > 0 for index in range(4) if index != dan)
