"""A server manager's decisions about a match, and their effect on each player."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from bot.domain import managed
from bot.domain.ids import UserId
from bot.domain.match import MANAGED, UNCOUNTED, Ending, Match, Result
from bot.domain.ratings.rated import ranks_of
from bot.errors import UserError
from bot.servers.end_match import Verdict
from games import catalog
from tests.domain.people import at, played, started

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((1, 2), (1, 0)),
        ((1, 1), (HALF, HALF)),
        ((2, 1, 4, 3), (2, 3, 0, 1)),
        ((1, 1, 3, 4), (2 + HALF, 2 + HALF, 1, 0)),
        ((1, 2, 2, 2), (3, 1, 1, 1)),
        ((7, 7, 7, 7), (3 * HALF,) * 4),
    ],
)
def test_places_give_a_point_for_each_player_behind_and_half_for_each_level(
    places: tuple[int, ...], points: tuple[Fraction, ...]
) -> None:
    assert managed.points_of(places) == points


def _result(match: Match) -> Result:
    assert match.result is not None
    return match.result


def test_a_match_is_decided_for_its_winner_as_a_draw_or_without_ratings() -> None:
    match = played(started(), "a1")
    won = managed.decide(match, at(9), (2, 1), "unfair", counts=True).match
    assert _result(won).winners == (1,)
    assert (_result(won).ending, _result(won).reason) == (Ending.ADJUDICATION, MANAGED)
    assert won.verdict == "unfair"
    assert ranks_of(won) == (1, 0)
    drawn = managed.decide(match, at(9), (1, 1), "power cut", counts=False).match
    assert _result(drawn).winners == ()
    assert _result(drawn).reason == UNCOUNTED
    with pytest.raises(UserError, match="match_over"):
        managed.decide(won, at(9), (1, 2), "again", counts=True)


def test_a_match_whose_rules_are_gone_can_still_be_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    match = played(started(), "a1")
    monkeypatch.delitem(catalog.GAMES, "rows")
    won = managed.decide(match, at(9), (2, 1), "the game was taken away", counts=True).match
    assert (_result(won).winners, _result(won).scores) == ((1,), (0.0, 1.0))


def test_a_draw_at_a_table_is_for_those_who_have_not_left() -> None:
    match = replace(started(), players=(UserId(1), UserId(2), UserId(3)), retired=(1,))
    assert Verdict(match, how="draw").ranking() == (1, 4, 1)
    whole = replace(match, retired=())
    assert Verdict(whole, how="draw").ranking() == (1, 1, 1)
