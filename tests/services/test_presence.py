"""The heartbeat of a process, and what follows from its gaps."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.domain.clock import Span, TimeControl, merged
from bot.domain.events import CommandContext
from bot.domain.history import verify
from bot.domain.ids import GuildId
from bot.domain.match import Actor, MatchStatus, Place
from bot.domain.vacation import UserVacation, Vacation
from bot.errors import UserError
from bot.posts.notices import NoticeKind
from bot.posts.sending import Retry
from bot.services.presence import BEAT, GRACE, PATIENCE, Presence, is_late
from bot.services.timeouts import sweep_flags
from bot.store import Store, outbox, transactions
from bot.store import presence as stored
from bot.store.errors import StoreUnavailable
from bot.store.presence import EVERYWHERE, Availability, concerns, guild_scope, shard_scopes
from tests.support.databases import answer_instead, both
from tests.support.kit import (
    ANN,
    BOB,
    CHANNEL,
    CYD,
    GUILD,
    PLACE,
    START,
    Club,
    HandClock,
    head,
    person,
)
from tests.support.not_none import not_none

CONTROL = TimeControl(timedelta(minutes=10))


def later(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("restarts", "seconds", "is_outage"),
    [
        (False, PATIENCE.total_seconds(), False),
        (False, 6 * 3600, True),
        (True, 3, True),
        (True, 0.9, False),  # two processes, of which one takes over from the other
    ],
)
async def test_a_gap_between_beats_is_an_outage(
    store: Store, restarts: bool, seconds: float, is_outage: bool
) -> None:
    clock = HandClock()
    presence = Presence(store, clock)
    for _ in range(3):
        await presence.beat()
        clock.forward(seconds=BEAT)
    clock.forward(seconds=seconds - BEAT)
    presence = Presence(store, clock) if restarts else presence
    await presence.beat()
    span = (Span(later(2 * BEAT), clock.now()),) if is_outage else ()
    assert presence.standstills(GUILD) == presence.standstills(None) == span
    assert len(await store.read(stored.newest_outages, 9)) == is_outage


async def test_what_other_processes_have_written_down_is_known_after_a_while(store: Store) -> None:
    clock = HandClock()
    presence = Presence(store, clock, scopes=shard_scopes((0,), 2))
    other = Presence(store, clock, scopes=shard_scopes((1,), 2))
    there = GuildId(1 << 22)
    await presence.beat()
    await other.beat()
    clock.forward(seconds=20)
    await other.beat()
    await presence.beat()
    assert len(other.standstills(there)) == 1
    for _ in range(14):
        clock.forward(seconds=BEAT)
        await presence.beat()
    assert presence.standstills(there) == other.standstills(there)


async def test_a_server_that_discord_has_lost_stands_still_until_it_is_back(store: Store) -> None:
    clock = HandClock()
    presence = Presence(store, clock)
    await presence.beat()
    presence.left(GUILD)
    for _ in range(3):
        clock.forward(seconds=BEAT)
        presence.left(GUILD)
        await presence.beat()
    assert (await store.read(stored.availability, GUILD, START, later(99))).stopped_spans == (
        Span(START, later(15)),
    )
    assert (await store.read(stored.availability, None, START, later(99))).stopped_spans == ()
    clock.forward(seconds=2)
    await presence.came_back(GUILD)
    await presence.came_back(GUILD)
    clock.forward(seconds=3)
    await presence.beat()
    assert presence.standstills(GUILD) == (Span(START, later(17)),)
    assert presence.standstills(GuildId(GUILD + 1)) == ()


async def test_a_server_is_away_after_a_restart_until_it_is_back(store: Store) -> None:
    clock = HandClock()
    presence = Presence(store, clock)
    here, there = GUILD, GuildId(GUILD + 1)
    await presence.beat()
    presence.left(here)
    presence.left(there)
    clock.forward(seconds=BEAT)
    await presence.beat()
    await presence.came_back(there)
    clock.forward(seconds=BEAT)
    await presence.beat()
    for _ in range(2):
        clock.forward(hours=1)
        presence = Presence(store, clock)
        await presence.restore()
        await presence.beat()
        clock.forward(seconds=BEAT)
        await presence.beat()
        assert presence.away == {here}
    clock.forward(hours=1)
    await presence.came_back(here)
    back = clock.now()
    await presence.beat()
    clock.forward(seconds=BEAT)
    await presence.beat()
    again = Presence(store, clock)
    await again.restore()
    assert again.away == frozenset()
    stopped_spans = (await store.read(stored.availability, here, START, clock.now())).stopped_spans
    assert merged(stopped_spans) == (Span(START, back),)


async def test_a_process_does_not_wait_for_servers_of_others(store: Store) -> None:
    clock = HandClock()
    mine, theirs = shard_scopes((0,), 2), shard_scopes((1,), 2)
    there = GuildId(1 << 22)
    other = Presence(store, clock, scopes=theirs)
    await other.beat()
    other.left(there)
    clock.forward(seconds=BEAT)
    await other.beat()
    for scopes, away in ((mine, set()), (theirs, {there}), ((EVERYWHERE,), {there})):
        again = Presence(store, clock, scopes=scopes)
        await again.restore()
        assert again.away == away


@pytest.mark.long
async def test_however_many_servers_are_away_none_is_forgotten_by_a_restart(store: Store) -> None:
    clock = HandClock()
    presence = Presence(store, clock)
    servers = {GuildId(number) for number in range(1000, 1600)}
    await presence.beat()
    for each in servers:
        presence.left(each)
    clock.forward(seconds=BEAT)
    await presence.beat()
    for number in (1000, 1599):
        await presence.came_back(GuildId(number))
    clock.forward(seconds=BEAT)
    await presence.beat()
    again = Presence(store, clock)
    await again.restore()
    assert again.away == servers - {1000, 1599}


async def test_a_server_that_sent_us_away_meanwhile_stands_still(store: Store, club: Club) -> None:
    each = TimeControl(timedelta(hours=12), per_move=True)
    match_id = await club.start(BOB, clock=each)
    await club.play(match_id, "b2 a1")
    await Presence(store, club.clock).beat()
    club.clock.forward(minutes=5)
    presence = Presence(store, club.clock)
    await presence.restore()
    await presence.named([GuildId(GUILD + 1)])
    assert presence.away == {GUILD}
    await _beats(presence, club.clock, hours=13)
    assert await sweep_flags(store, club.clock) == 0
    stopped_spans = (
        await store.read(stored.availability, GUILD, START, club.clock.now())
    ).stopped_spans
    assert merged(stopped_spans) == (Span(START, club.clock.now()),), (
        "since people were last seen there"
    )

    again = Presence(store, club.clock)
    await again.restore()
    assert again.away == {GUILD}
    await again.named([GUILD])
    await again.came_back(GUILD)
    assert again.away == frozenset()
    await _beats(again, club.clock, hours=11)
    assert await sweep_flags(store, club.clock) == 0
    await _beats(again, club.clock, hours=2)
    assert await sweep_flags(store, club.clock) == 1


async def test_only_our_servers_with_players_are_missed(store: Store, club: Club) -> None:
    there = GuildId(1 << 22)
    await club.start(BOB)
    await club.start(
        person(BOB.user_id, guild=there),
        by=person(ANN.user_id, guild=there),
        place=Place(there, CHANNEL),
    )
    await club.start(person(5, guild=None), by=person(6, guild=None), place=Place(None, CHANNEL))
    over = GuildId(GUILD + 1)
    ended = await club.start(
        person(BOB.user_id, guild=over),
        by=person(ANN.user_id, guild=over),
        place=Place(over, CHANNEL),
    )
    await club.resign(person(ANN.user_id, guild=over), ended)
    for scopes, away in (
        (shard_scopes((0,), 2), {GUILD}),
        (shard_scopes((1,), 2), {there}),
        ((EVERYWHERE,), {GUILD, there}),
    ):
        presence = Presence(store, club.clock, scopes=scopes)
        await presence.named([])
        assert presence.away == away
        await presence.named([GUILD, there])
        assert presence.away == away, "until they are there, not only named"
        await presence.came_back(GUILD)
        await presence.came_back(there)
        assert presence.away == frozenset()


async def test_who_is_missed_is_known_before_the_first_beat(store: Store, club: Club) -> None:
    await club.start(BOB)
    await Presence(store, club.clock).beat()
    club.clock.forward(hours=1)
    presence = Presence(store, club.clock)
    reading, store.database.read = store.database.read, _full
    with pytest.raises(StoreUnavailable):
        await presence.named([])
    with pytest.raises(StoreUnavailable):
        await presence.beat()
    store.database.read = reading
    assert (await store.read(stored.availability, GUILD, START, START)).seen == START
    await presence.beat()
    assert presence.away == {GUILD}


@pytest.mark.parametrize("question", [stored.servers_playing, stored.availability])
async def test_a_server_that_asks_us_in_while_we_look_is_not_missed(
    store: Store, club: Club, monkeypatch: pytest.MonkeyPatch, question: Any
) -> None:
    await club.start(BOB)
    presence = Presence(store, club.clock)
    read = store.read

    async def meanwhile(*of: Any) -> Any:
        answer = await read(question, *of)
        await presence.came_back(GUILD)
        return answer

    answer_instead(monkeypatch, store, question, meanwhile)
    await presence.named([])
    assert presence.away == frozenset()


async def test_of_two_lists_of_servers_the_newer_counts(
    store: Store, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await club.start(BOB)
    presence = Presence(store, club.clock)

    async def meanwhile() -> tuple[()]:
        monkeypatch.undo()
        await presence.named([GuildId(GUILD + 1)])
        await presence.came_back(GUILD)
        return ()

    answer_instead(monkeypatch, store, stored.servers_playing, meanwhile)
    await presence.named([GUILD])
    assert presence.away == frozenset()
    await presence.beat()
    assert presence.away == frozenset(), "what was settled is not looked at again"


async def _beats(presence: Any, clock: Any, **by: Any) -> None:
    """Time in which the process is there, in longer steps than a real one's."""
    presence._patience = timedelta(hours=1)
    until = clock.now() + timedelta(**by)
    while clock.now() < until:
        clock.forward(minutes=30)
        await presence.beat()


async def test_a_beat_that_is_not_written_down_counts_for_nothing(store: Store) -> None:
    clock = HandClock()
    presence = Presence(store, clock)
    await presence.beat()
    writing, store.database.write = store.database.write, _full
    clock.forward(seconds=60)
    with pytest.raises(StoreUnavailable):
        await presence.beat()
    store.database.write = writing
    clock.forward(seconds=60)
    await presence.beat()
    assert presence.standstills(GUILD) == (Span(START, later(120)),)


async def _full(*_args: Any, **_named: Any) -> Any:
    raise StoreUnavailable("full")


def test_scopes_cover_what_discord_puts_on_a_shard() -> None:
    server = 175928847299117063
    shard = (server >> 22) % 16
    for each, (scope,) in enumerate(shard_scopes((number,), 16) for number in range(16)):
        assert concerns(scope, server) is (each == shard)
        assert concerns(scope, None) is (each == 0), "direct messages come to shard 0"
    assert concerns(EVERYWHERE, server)
    assert concerns(EVERYWHERE, None)
    assert concerns(guild_scope(server), server)
    assert not concerns(guild_scope(server), server + 1)
    assert not concerns(guild_scope(server), None)
    assert shard_scopes(None, 4) == shard_scopes((0,), None) == (EVERYWHERE,)


async def test_a_machine_clock_that_jumps_ahead_flags_nobody(store: Store, club: Club) -> None:
    presence = Presence(store, club.clock)
    await presence.beat()
    match_id = await club.start(BOB, clock=TimeControl(timedelta(minutes=10)))
    await club.play(match_id, "b2 a1")
    club.clock.forward(hours=1)
    for _ in range(3):
        assert await sweep_flags(store, club.clock) == 0
        await presence.beat()
        club.clock.forward(seconds=BEAT)
    match = (await club.move(ANN, match_id, "c1")).match
    assert not_none(match.times).left[0] >= timedelta(minutes=9)


async def test_nothing_is_written_about_a_lost_server(store: Store, club: Club) -> None:
    """However long it is, and although a time runs out; others go on, and it all is given back."""
    presence = Presence(store, club.clock)
    match_id = await club.start(BOB, clock=CONTROL)
    await club.play(match_id, "b2 a1")
    elsewhere = await club.start(BOB, clock=CONTROL, place=replace(PLACE, guild_id=None))

    async def flags(minutes: int) -> int:
        fallen = 0
        for _ in range(minutes * 6):
            club.clock.forward(seconds=10)
            await presence.beat()
            fallen += await sweep_flags(store, club.clock)
        return fallen

    before = await head(store, match_id)
    presence.left(GUILD)
    assert await flags(12) == 1
    assert (await head(store, elsewhere)).status is MatchStatus.ABORTED
    assert await head(store, match_id) == before
    assert await store.read(stored.next_deadline) is None
    await presence.came_back(GUILD)
    assert await flags(9) == 0
    assert await flags(2) == 1
    match = await head(store, match_id)
    verify(match, await store.read(transactions.history, match_id, ANN.scope))


async def test_a_flag_of_three_is_told_to_its_owner_and_the_next(store: Store, club: Club) -> None:
    match_id = await club.start(BOB, CYD, options={"players": 3, "size": 5}, clock=CONTROL)
    await club.plays(match_id, "a1 b1 c1")
    club.discord.told.clear()
    club.clock.forward(minutes=10, seconds=5)
    assert await sweep_flags(store, club.clock) == 1
    await club.worker.drain()
    assert [(told.player, told.notice) for told in club.discord.told] == [
        (0, NoticeKind.OVER),
        (1, NoticeKind.TURN),
    ]
    club.discord.told.clear()
    club.clock.forward(minutes=10, seconds=5)
    assert await sweep_flags(store, club.clock) == 1
    await club.worker.drain()
    assert club.discord.told == [], "the last board calls both"
    match = await club.service.match(ANN, match_id)
    assert club.discord.pinged == match.players[1:], "who were still playing"


async def test_of_two_players_both_are_told_that_time_has_decided(club: Club) -> None:
    match_id = await club.start(BOB, clock=CONTROL)
    await club.plays(match_id, "b2 a1")
    club.discord.told.clear()
    club.clock.forward(minutes=10, seconds=5)
    with pytest.raises(UserError) as caught:
        await club.move(ANN, match_id, "c3")
    assert caught.value.code == "time_over"
    await club.worker.drain()
    told = [(each.player, each.notice) for each in club.discord.told]
    assert told == [(0, NoticeKind.OVER), (1, NoticeKind.OVER)]


async def test_an_offer_taken_late_begins_its_clock_when_it_is_taken(club: Club) -> None:
    offer = await club.offer(BOB, clock=CONTROL)
    club.clock.forward(hours=30)
    started = await club.accept(BOB, offer.match.id)
    assert started.match.deadline == club.clock.now() + CONTROL.bank


async def test_what_a_game_cannot_decide_holds_nobody_up(store: Store, club: Club) -> None:
    broken = await club.start(BOB, clock=CONTROL)
    await club.play(broken, "b2 a1")
    club.clock.forward(seconds=1)
    whole = await club.start(BOB, clock=CONTROL)
    await club.play(whole, "b2 a1")
    await store.database.write(
        lambda c: c.exec_driver_sql(f"UPDATE matches SET rules_version = 99 WHERE id = '{broken}'")
    )
    club.clock.forward(minutes=11)
    assert await sweep_flags(store, club.clock) == 1
    assert (await head(store, broken)).status is MatchStatus.RUNNING
    assert (await head(store, whole)).status is MatchStatus.FINISHED


@both
async def test_a_clock_that_was_ahead_leaves_no_outage_in_the_future(store: Store) -> None:
    clock = HandClock()
    presence = Presence(store, clock)
    await presence.beat()
    clock.forward(minutes=10, seconds=5)
    await presence.beat()
    clock.forward(minutes=-10, seconds=15)
    await presence.beat()
    (outage,) = await store.read(stored.newest_outages, 9)
    assert (outage.began_at, outage.ended_at) == (START, later(20))
    (known,) = presence.standstills(GUILD)
    assert known.end == later(20), "what is shown as well"


@both
async def test_what_waits_a_moment_waits_no_hour_after_a_jump(store: Store, club: Club) -> None:
    presence = Presence(store, club.clock)
    await presence.beat()
    match_id = await club.begun(BOB)
    club.discord.trouble.append(("post_board", Retry(20.0)))
    await club.move(ANN, match_id, "b2")
    await club.worker.drain()
    assert await store.read(outbox.next_due) == later(20)
    club.clock.jump(hours=-1)
    await presence.beat()
    assert await store.read(outbox.next_due) == later(20 - 3600)
    club.clock.forward(seconds=20)
    before = len(club.discord.messages)
    await club.worker.drain()
    assert len(club.discord.messages) > before


@both
async def test_a_lease_from_before_a_jump_holds_nothing_up(store: Store, club: Club) -> None:
    presence = Presence(store, club.clock)
    await presence.beat()
    match_id = await club.begun(BOB)
    await club.move(ANN, match_id, "b2")
    await club.dies_before(outbox.settle)
    club.clock.jump(hours=-1)
    await presence.beat()
    calls = len(club.discord.calls)
    await club.worker.drain()
    assert len(club.discord.calls) > calls, "another looks after it"
    boards = [each for each in club.discord.messages.values() if each.kind == "board"]
    assert len({each.version for each in boards}) == len(boards), "nothing was posted twice"


@pytest.mark.parametrize(("player", "spans", "late"), [(ANN, 2, 0), (ANN, 1, 1), (BOB, 1, 0)])
async def test_an_outage_within_the_grace_counts_and_a_vacation_begun_there_does_not(
    store: Store, player: Actor, spans: int, late: int
) -> None:
    club = Club(store, HandClock())
    match = await head(store, await club.start(BOB, clock=CONTROL))  # the clock is Ann's
    began = not_none(match.deadline) + timedelta(seconds=1)
    ended = began + 2 * GRACE
    vacation = UserVacation(player.user_id, Vacation(began, ended))
    there = Availability((Span(began, ended),) * spans, seen=ended, vacations=(vacation,))
    act = CommandContext(ended, stopped_spans=there.stopped_spans)
    assert is_late(match, act, there) is bool(late)
