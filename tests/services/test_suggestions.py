"""Suggestions while a player types."""

from __future__ import annotations

import asyncio
import dataclasses
from itertools import islice

import pytest

from bot.domain.match import MatchStatus
from bot.services.suggestions import effects, gathered, suggest
from games import catalog
from tests.domain.people import offered, played, started
from tests.support.kit import BOB
from tests.ui.taps import positions, sized


def test_what_fits_comes_first_where_it_begins_and_at_most_25() -> None:
    match = started(options={"size": 5})
    assert suggest(match, "")[:3] == ("a1", "b1", "c1")
    assert len(suggest(match, "")) == 25
    assert suggest(match, "c") == ("c1", "c2", "c3", "c4", "c5")
    assert suggest(match, " Ｃ 2") == ("c2",)
    assert suggest(match, "`C2`.") == ("c2",), "written in another way"
    assert suggest(match, "3") == ("a3", "b3", "c3", "d3", "e3")
    assert suggest(match, "z" * 6000) == ()


def test_only_legal_moves_are_suggested() -> None:
    match = played(started(options={"pie": "on"}), "b2")
    assert "b2" not in suggest(match, "b")
    assert suggest(match, "s") == ("swap",)


@pytest.mark.parametrize("key", catalog.GAMES)
def test_a_suggestion_says_what_its_move_does(key: str) -> None:
    game, match = sized(key, ""), started(game=key)
    for position in positions(game, most=6):
        at = dataclasses.replace(match, options=game.options, state=game.encode(position))
        for move in islice(game.legal_moves(position), 30):
            said = [each.english() for each in effects(at, game.notation(position, move))]
            assert ("captures" in said) == game.takes(position, move)
            outcome = game.outcome(game.play(position, move))
            mine = outcome is not None and outcome.winners == (game.to_move(position),)
            assert ("wins" in said) == mine


def test_nothing_is_suggested_where_nothing_can_be_played() -> None:
    assert suggest(offered(BOB).match, "a") == ()
    assert suggest(dataclasses.replace(started(), status=MatchStatus.ABORTED), "a") == ()
    assert suggest(dataclasses.replace(started(), rules_version=9), "a") == ()


async def test_the_event_loop_has_its_turn_and_no_more_is_asked_than_shown() -> None:
    match, seen, turns = started(options={"size": 5}), [], 0

    def nothing(_match: object) -> tuple[str, ...]:
        seen.append(turns)
        return ()

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(others())
    assert await gathered([match] * 20, nothing) == []
    beside.cancel()
    assert seen == sorted(set(seen)), "a turn after each"
    seen.clear()

    def many(_match: object) -> tuple[str, ...]:
        seen.append(1)
        return ("x" * 200, *(f"{number}" for number in range(30)))

    assert await gathered([match] * 20, many) == [f"{number}" for number in range(25)]
    assert len(seen) == 1
