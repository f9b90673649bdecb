"""Every match has a way out: a silent opponent is nudged, then the match is claimed; or it ends."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.domain import stalled
from bot.domain.clock import TimeControl
from bot.domain.events import CommandContext
from bot.domain.ids import InteractionId
from bot.domain.match import MANAGED, UNCOUNTED, Actor, Ending, MatchStatus
from bot.domain.requests import RequestKind
from bot.errors import UserError
from bot.store import Store, people
from tests.support.kit import ANN, BOB, CYD, Club, head, refused
from tests.support.not_none import not_none

WEEK = timedelta(days=7)


def act(at: datetime, number: int = 900) -> CommandContext:
    return CommandContext(at, InteractionId(number))


async def _begun(store: Store, **more: Any) -> Any:
    club = Club(store)
    match_id = await club.start(BOB, **more)
    await club.play(match_id, "a1")
    return club, (await head(store, match_id))


def code(change: Any, *args: Any, **more: Any) -> str:
    with pytest.raises(UserError) as refused:
        change(*args, **more)
    return refused.value.code


async def test_an_opponent_is_nudged_after_a_week_and_claimed_after_another(store: Store) -> None:
    club, match = await _begun(store)
    at = match.updated_at
    assert code(stalled.nudge, match, act(at + WEEK - timedelta(seconds=1)), ANN) == "nudge_early"
    assert code(stalled.nudge, match, act(at + WEEK), BOB) == "nudge_self"
    assert code(stalled.nudge, match, act(at + WEEK), CYD) == "not_a_player"
    assert code(stalled.claim, match, act(at + WEEK), ANN) == "claim_nudge"
    club.clock.forward(days=7)
    nudged = await club.nudge(ANN, match.id)
    assert nudged.code == "nudged"
    await club.worker.drain()
    await refused("claim_early", club.claim(ANN, match.id))
    club.clock.forward(days=7)
    await refused("nudge_self", club.claim(BOB, match.id))
    claimed = await club.claim(ANN, match.id)
    assert claimed.match.status is MatchStatus.FINISHED
    assert claimed.match.result is not None
    assert claimed.match.result.ending is Ending.TIME
    assert claimed.match.result.winners == (0,)
    await club.worker.drain()
    told = [(each.player, each.notice.value) for each in club.discord.told]
    assert (1, "nudged") in told
    assert (1, "over") in told
    assert (0, "over") not in told


async def test_a_move_after_the_nudge_ends_the_wait(store: Store) -> None:
    club, match = await _begun(store)
    club.clock.forward(days=7)
    await club.nudge(ANN, match.id)
    club.clock.forward(days=6)
    await club.move(BOB, match.id, "b2")
    await club.move(ANN, match.id, "c3")
    club.clock.forward(days=7)
    await refused("claim_nudge", club.claim(ANN, match.id))


async def test_where_a_clock_runs_time_decides(store: Store) -> None:
    control = TimeControl(timedelta(days=30), per_move=True)
    _, match = await _begun(store, clock=control)
    for ask in (stalled.nudge, stalled.claim):
        assert code(ask, match, act(match.updated_at + WEEK), ANN) == "nudge_clock"


async def test_who_manages_the_server_ends_a_match_and_everybody_is_told(store: Store) -> None:
    club, match = await _begun(store)
    manager = replace(CYD, guild_id=match.origin.guild_id)
    await refused(
        "no_such_match", club.service.end(replace(manager, guild_id=None), match.id, "asleep")
    )
    ended = await club.service.end(manager, match.id, "asleep")
    assert ended.match.status is MatchStatus.ABORTED
    assert ended.match.result is None
    assert ended.match.verdict == "asleep"
    assert not ended.match.was_put_aside
    await refused("match_over", club.service.end(manager, match.id, "asleep"))
    (entry,) = await store.read(people.audit_of, not_none(manager.guild_id), 5)
    assert (entry.user_id, entry.act) == (manager.user_id, "ended")
    assert entry.after == {"match": str(match.id), "reason": "asleep"}
    await club.worker.drain()
    over = {each.player for each in club.discord.told if each.notice.value == "over"}
    assert over == {0, 1}


@pytest.mark.parametrize(("counts", "after"), [(True, 2), (False, 0)])
async def test_who_manages_the_server_decides_a_match_whose_ratings_count_or_do_not(
    store: Store, club: Club, counts: Any, after: timedelta
) -> None:
    match_id = await club.start(BOB, rated=True, seat=None)
    match = await club.plays(match_id, "a1 b2 c3 a2")
    manager = replace(CYD, guild_id=match.origin.guild_id)
    await refused(
        "places_wrong", club.service.decide(manager, match_id, (1,), "unfair", counts=counts)
    )
    decided = await club.service.decide(manager, match_id, (2, 1), "unfair", counts=counts)
    result = decided.match.result
    assert decided.match.status is MatchStatus.FINISHED
    assert (not_none(result).ending, not_none(result).winners) == (Ending.ADJUDICATION, (1,))
    assert (await head(store, match_id)) == decided.match
    assert len(await club.ratings.gains(decided.match)) == after
    await refused(
        "match_over", club.service.decide(manager, match_id, (1, 2), "again", counts=counts)
    )
    (entry,) = await store.read(people.audit_of, not_none(manager.guild_id), 5)
    assert entry.act == "decided"
    assert entry.after == {"match": str(match_id), "reason": "unfair", "places": [2, 1]}
    await club.worker.drain()
    over = {each.player for each in club.discord.told if each.notice.value == "over"}
    assert over == {0, 1}


async def test_a_late_abort_needs_the_consent_of_all(store: Store) -> None:
    club, match = await _begun(store)
    await club.play(match.id, "b2")
    asked = await club.ask(ANN, match.id, RequestKind.ABORT)
    assert asked.code == "abort_asked"
    await club.worker.drain()
    refused = await club.answer(BOB, match.id, RequestKind.ABORT, accept=False)
    assert refused.code == "abort_refused"
    assert refused.match.status is MatchStatus.RUNNING
    await club.ask(BOB, match.id, RequestKind.ABORT)
    await club.worker.drain()
    agreed = await club.ask(ANN, match.id, RequestKind.ABORT)
    assert agreed.code == "abort_agreed"
    assert agreed.match.status is MatchStatus.ABORTED
    await club.worker.drain()
    assert [each[2].value for each in club.discord.closed_requests] == ["declined"]
    kinds = {each.kind for each in club.discord.messages.values()}
    assert "abort_asked" not in kinds, "what was asked for goes with the match"


@pytest.mark.parametrize("manager", [CYD, ANN], ids=["another", "a player"])
async def test_nobody_decides_for_themselves(store: Store, club: Club, manager: Actor) -> None:
    match_id = await club.start(BOB, rated=True, seat=None)
    await club.play(match_id, "a1 b2 c3 a2")
    await club.service.decide(manager, match_id, (1, 2), "power cut", counts=True)
    match = await head(store, match_id)
    assert match is not None
    assert match.result is not None
    assert match.result.reason == (UNCOUNTED if manager is ANN else MANAGED)
