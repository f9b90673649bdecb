"""The contract of every store for deadlines, heartbeats and outages, on both databases."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from bot.domain import play
from bot.domain.clock import Span, TimeControl
from bot.domain.events import CommandContext, EventKind
from bot.domain.history import verify
from bot.domain.ids import GuildId
from bot.domain.match import MatchStatus, Scope
from bot.services.presence import GRACE
from bot.services.timeouts import sweep_flags
from bot.store import Store, open_store, presence, transactions
from bot.store.errors import Conflict
from bot.store.presence import EVERYWHERE, Availability, guild_scope, shard_scopes
from bot.store.records import Outage
from tests.support.databases import both
from tests.support.kit import ANN, BOB, GUILD, START, Club, HandClock, head
from tests.support.not_none import not_none

pytestmark = both

HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)
CONTROL = TimeControl(HOUR, timedelta(minutes=10), cap=2 * HOUR)
EACH = TimeControl(HOUR, per_move=True)
FLAT = TimeControl(HOUR)


async def begun(store: Store, moves: str = "b2 a1", **more: Any) -> Any:
    club = Club(store, HandClock())
    match_id = await club.start(BOB, options={"size": 4}, **{"clock": FLAT, **more})
    await club.play(match_id, moves)
    return club, match_id


async def test_a_clock_is_read_as_it_was_written(store: Store) -> None:
    club, match_id = await begun(store, "", clock=CONTROL)
    club.clock.forward(minutes=20)
    await club.play(match_id, "b2")
    match = await head(club.store, match_id)
    assert match.clock == CONTROL
    assert not_none(match.times).left == (50 * SECOND * 60, HOUR)
    assert match.deadline == START + timedelta(minutes=80)
    verify(match, await store.read(transactions.history, match_id, Scope(GUILD)))
    assert await store.read(presence.next_deadline) == match.deadline


async def test_a_match_without_a_clock_has_no_deadline(store: Store) -> None:
    club, match_id = await begun(store, clock=None)
    match = await head(club.store, match_id)
    assert (match.clock, match.times, match.deadline) == (None, None, None)
    assert await store.read(presence.next_deadline) is None
    assert await store.read(presence.overdue, START + timedelta(days=9999), 9) == ()


async def test_overdue_matches_come_oldest_first(store: Store, club: Club) -> None:
    started = []
    for number in range(5):
        started.append(await club.start(BOB, clock=EACH))
        club.clock.forward(seconds=number % 2)
    club.clock.forward(hours=1)
    first = await store.read(presence.overdue, club.clock.now(), 2)
    second = await store.read(presence.overdue, club.clock.now(), 9, first[-1])
    assert sorted(each.match_id for each in first + second) == sorted(started)
    due = [each.deadline for each in first + second]
    assert due == sorted(due)
    assert await store.read(presence.overdue, club.clock.now(), 9, second[-1]) == ()
    assert await store.read(presence.overdue, START + HOUR - SECOND, 9) == ()


async def test_two_processes_flag_a_match_once(store: Store, club: Club, database_url: str) -> None:
    other = store if database_url.startswith("sqlite") else await open_store(database_url)
    started = [await club.start(BOB, clock=EACH, options={"size": 4}) for _ in range(12)]
    for match_id in started:
        await club.play(match_id, "b2 a1")
    club.clock.forward(hours=2)
    fallen = await asyncio.gather(sweep_flags(store, club.clock), sweep_flags(other, club.clock))
    assert sum(fallen) == len(started)
    for match_id in started:
        events = await store.read(transactions.history, match_id, Scope(GUILD))
        assert [event.kind for event in events].count(EventKind.FLAGGED) == 1
    if other is not store:
        await other.close()


async def test_the_first_commit_wins_between_a_move_and_the_flag(store: Store) -> None:
    club, match_id = await begun(store)
    match = await head(club.store, match_id)
    over = CommandContext(not_none(match.deadline) + GRACE)
    flag = play.flag(match, over)
    moved = play.move(match, CommandContext(not_none(match.deadline)), ANN, text="c3")
    await store.commit(moved)
    with pytest.raises(Conflict):
        await store.commit(not_none(flag))
    assert (await head(club.store, match_id)).status is MatchStatus.RUNNING

    match = await head(club.store, match_id)
    flag = play.flag(match, CommandContext(not_none(match.deadline) + GRACE))
    moved = play.move(match, CommandContext(not_none(match.deadline)), BOB, text="d1")
    await store.commit(not_none(flag))
    with pytest.raises(Conflict):
        await store.commit(moved)
    assert not_none((await head(club.store, match_id)).result).winners == (0,)


async def test_a_gap_between_beats_is_an_outage_and_a_pause_is_not(store: Store) -> None:
    most = 10 * SECOND
    assert await store.write(presence.beat, (EVERYWHERE,), START, most) is False
    assert await store.write(presence.beat, (EVERYWHERE,), START + most, most) is False
    assert await store.write(presence.beat, (EVERYWHERE,), START + 21 * SECOND, most) is True
    outage = Outage(EVERYWHERE, START + most, START + 21 * SECOND)
    assert await store.read(presence.newest_outages, 9) == (outage,)
    span = Span(outage.began_at, outage.ended_at)
    seen = START + 21 * SECOND
    assert await store.read(presence.availability, GUILD, START, START + HOUR) == Availability(
        (span,), seen
    )
    assert await store.read(presence.availability, None, START, START + HOUR) == Availability(
        (span,), seen
    )
    assert (
        await store.read(presence.availability, GUILD, outage.ended_at, START + HOUR)
    ).stopped_spans == ()
    assert (
        await store.read(presence.availability, GUILD, START, outage.began_at)
    ).stopped_spans == ()


async def test_a_machine_clock_put_back_is_no_outage_and_hides_none(store: Store) -> None:
    await store.write(presence.beat, (EVERYWHERE,), START + HOUR, SECOND)
    assert await store.write(presence.beat, (EVERYWHERE,), START, SECOND) is False
    assert (await store.read(presence.availability, GUILD, START, START)).seen == START
    assert await store.write(presence.beat, (EVERYWHERE,), START + 60 * SECOND, SECOND) is True


async def test_each_part_of_discord_has_its_own_beats_and_outages(store: Store) -> None:
    one, two = shard_scopes((0,), 2), shard_scopes((1,), 2)
    here, there = GUILD, GuildId(GUILD | 1 << 22)
    await store.write(presence.beat, one, START, SECOND)
    await store.write(presence.beat, two, START, SECOND)
    await store.write(presence.beat, one, START + HOUR, SECOND)
    later = START + 2 * HOUR
    assert await store.read(presence.availability, here, START, later) == Availability(
        (Span(START, START + HOUR),), START + HOUR
    )
    assert await store.read(presence.availability, None, START, later) == await store.read(
        presence.availability, here, START, later
    )
    assert await store.read(presence.availability, there, START, later) == Availability((), START)
    # The process that serves everything from now on was not there either.
    await store.write(presence.beat, (EVERYWHERE,), START + HOUR + SECOND, SECOND)
    assert (
        await store.read(presence.availability, there, START, later)
    ).seen == START + HOUR + SECOND


@pytest.mark.long
async def test_going_back_to_an_earlier_division_into_shards_is_no_outage(store: Store) -> None:
    halves = shard_scopes((0, 1), 2)
    await store.write(presence.beat, (EVERYWHERE,), START, SECOND)
    now = START
    for scopes in (halves, (EVERYWHERE,), halves, shard_scopes(range(3), 3), (EVERYWHERE,)):
        for _ in range(30):
            now += SECOND
            assert await store.write(presence.beat, scopes, now, SECOND) is False
    assert await store.read(presence.newest_outages, 9) == ()


async def test_in_a_new_division_servers_were_seen_with_their_shard(store: Store) -> None:
    one, two = shard_scopes((0,), 2), shard_scopes((1,), 2)
    here, there = GUILD, GuildId(GUILD | 1 << 22)
    await store.write(presence.beat, (EVERYWHERE,), START, SECOND)
    for scopes in (one, two):
        await store.write(presence.beat, scopes, START + SECOND, SECOND)
    await store.write(presence.beat, one, START + 60 * SECOND, HOUR)
    # One process went on for a minute after the other had stopped.
    now = START + HOUR
    assert await store.write(presence.beat, (EVERYWHERE,), now, SECOND) is True
    stopped_spans = {
        guild: (await store.read(presence.availability, guild, START, now + HOUR)).stopped_spans
        for guild in (here, None, there)
    }
    assert stopped_spans[here] == stopped_spans[None] == (Span(START + 60 * SECOND, now),)
    assert stopped_spans[there] == (Span(START + SECOND, now),)
    # And two of three know just as well since when they are missed.
    assert await store.write(presence.beat, shard_scopes((1, 2), 3), now + HOUR, SECOND) is True
    assert (await store.read(presence.availability, there, now, now + HOUR)).stopped_spans == (
        Span(now, now + HOUR),
    )
    assert (await store.read(presence.availability, None, now, now + HOUR)).stopped_spans == ()


async def test_an_outage_of_a_server_is_open_until_people_there_can_act_again(store: Store) -> None:
    one, two = shard_scopes((0,), 2), shard_scopes((1,), 2)
    here, there = guild_scope(GUILD), guild_scope(GUILD | 1 << 22)
    second = START + SECOND
    both_of = (Outage(there, START, second), Outage(here, second, second + SECOND))
    await store.write(presence.note_outages, both_of)
    assert await store.read(presence.open_outages) == (), "nobody keeps count"
    await store.write(presence.beat, one, second, SECOND)
    assert await store.read(presence.open_outages) == both_of[1:], "nobody serves the other"
    await store.write(presence.beat, two, second, SECOND)
    assert await store.read(presence.open_outages) == both_of
    await store.write(presence.beat, one, START + 3 * SECOND, SECOND)
    assert await store.read(presence.open_outages) == both_of[:1]
    await store.write(presence.beat, (EVERYWHERE,), START + 9 * SECOND, HOUR)
    assert await store.read(presence.open_outages) == (), (
        "the process that serves everything is there, and no other"
    )


async def test_a_server_plays_as_long_as_a_match_runs_there(store: Store, club: Club) -> None:
    assert await store.read(presence.servers_playing) == ()
    await club.offer(BOB)
    assert await store.read(presence.servers_playing) == ()
    first, second = await club.start(BOB), await club.start(BOB)
    assert await store.read(presence.servers_playing) == (GUILD,)
    await club.resign(ANN, first)
    assert await store.read(presence.servers_playing) == (GUILD,)
    await club.resign(ANN, second)
    assert await store.read(presence.servers_playing) == ()


async def test_a_lost_server_is_an_outage_for_that_server_alone_and_grows(store: Store) -> None:
    scope = guild_scope(GUILD)
    await store.write(presence.note_outages, (Outage(scope, START, START),))
    await store.write(presence.note_outages, (Outage(scope, START, START + SECOND),))
    await store.write(presence.note_outages, (Outage(scope, START, START + HOUR),))
    assert await store.read(presence.newest_outages, 9) == (Outage(scope, START, START + HOUR),)
    assert (await store.read(presence.availability, GUILD, START, START + HOUR)).stopped_spans == (
        Span(START, START + HOUR),
    )
    assert (
        await store.read(presence.availability, GuildId(GUILD + 1), START, START + HOUR)
    ).stopped_spans == ()
    assert (await store.read(presence.availability, None, START, START + HOUR)).stopped_spans == ()
