"""Refusals and delays of Discord: the clock of that turn, and the next attempt."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.clock import Span, TimeControl
from bot.domain.ids import ChannelId, GuildId, MatchId
from bot.domain.match import MatchStatus, Venue
from bot.domain.preferences import NoticeWay
from bot.domain.quiet_hours import QuietHours
from bot.domain.requests import RequestKind
from bot.domain.untold_turns import AT_MOST
from bot.posts.notices import NOTICES, NoticeKind
from bot.posts.outgoing import LEASE, PutOff, match_key
from bot.posts.sending import DeliveryKind, Refused, Retry
from bot.services.rate_limits import Paced
from bot.services.timeouts import sweep_flags
from bot.services.verification import verify_all
from bot.store import Store, match_feed, outbox, outgoing, presence
from bot.store import blocked as stored_blocked
from bot.store.errors import StoreUnavailable
from bot.store.presence import EVERYWHERE, guild_scope
from bot.store.records import Outage
from tests.support.databases import answer_instead, both, both_in_soak
from tests.support.kit import ANN, BOB, CHANNEL, GUILD, PLACE, Club, head, next_unsent
from tests.support.not_none import not_none

MINUTES = TimeControl(timedelta(minutes=10), per_move=True)
DAYS = TimeControl(timedelta(days=3), per_move=True)
NO = Refused("refused_403_50013")


async def playing(
    store: Store, *, clock: Any = MINUTES, venue: Venue = Venue.CHANNEL, moves: str = "b2 a1"
) -> tuple[Club, MatchId]:
    """A match in which both have moved, and all is told."""
    club = Club(store)
    await store.write(presence.beat, (EVERYWHERE,), club.clock.now(), timedelta(days=99))
    match_id = await club.start(BOB, clock=clock, venue=venue)
    for move in ("", *moves.split()):
        await club.plays(match_id, move)
    return club, match_id


def refusing(club: Club, *names: Any, error: Exception = NO) -> None:
    """From now on Discord refuses these calls."""

    def refuse(name: str) -> None:
        if name in names:
            raise error

    club.discord.before = refuse


async def passes(club: Club, **by: Any) -> int:
    """Let time pass in which people could have acted, and sweep."""
    club.clock.forward(**by)
    await club.store.write(presence.beat, (EVERYWHERE,), club.clock.now(), timedelta(days=99))
    await club.worker.drain()
    await club.untold_turns.sweep()
    return await sweep_flags(club.store, club.clock, club.vacations)


async def the_turn(club: Club, match_id: MatchId) -> Any:
    """The turn (:class:`UntoldTurn`) of which its player knows nothing; None if there is none."""
    await club.blocked.look()
    match = await head(club.store, match_id)
    return club.blocked.turn(match)


async def test_a_post_that_takes_long_costs_nobody_time(store: Store) -> None:
    club, match_id = await playing(store)
    refusing(club, "post_board", error=Retry(60))
    await club.play(match_id, "a2")
    assert await passes(club, seconds=1) == 0
    began = club.clock.now() - timedelta(seconds=1)
    turn = await the_turn(club, match_id)
    assert (turn.player, turn.user_id, turn.began_at) == (1, BOB.user_id, began)
    assert await passes(club, hours=1) == 0
    refusing(club)
    assert await passes(club, seconds=61) == 0
    assert await the_turn(club, match_id) is None
    match = await head(store, match_id)
    told_at = club.clock.now()
    assert match.deadline == told_at + MINUTES.bank
    assert await passes(club, minutes=9) == 0
    assert await passes(club, minutes=1, seconds=6) == 1
    assert not (await verify_all(store)).problems


async def test_a_post_that_is_a_little_late_is_nothing_to_speak_of(store: Store) -> None:
    club, match_id = await playing(store)
    for _ in range(3):
        club.discord.trouble.append(("post_board", Retry()))
    await club.play(match_id, "a2")
    for _ in range(8):
        await passes(club, seconds=1)
    assert await the_turn(club, match_id) is None
    match = await head(store, match_id)
    assert match.deadline == match.updated_at + MINUTES.bank


async def test_a_refused_turn_is_called_in_the_channel_and_its_clock_runs(store: Store) -> None:
    club, match_id = await playing(store, venue=Venue.THREAD)
    home = (await head(store, match_id)).home_id
    before = len(club.discord.told)
    refusing(club, "post_board")
    match = await club.plays(match_id, "a2")
    (told,) = club.discord.told[before:]
    assert (told.notice, told.player, told.to.channel_id) == (NoticeKind.TURN, 1, CHANNEL)
    assert await the_turn(club, match_id) is None
    calls = [each for each in club.discord.messages.values() if each.kind == "turn"]
    assert [each.channel_id for each in calls] == [CHANNEL], "the one in the thread is gone"
    assert await passes(club, minutes=10, seconds=6) == 1
    refusing(club)
    await club.later(hours=2)
    assert club.discord.boards(match_id)[-1].channel_id == home
    assert match.id == match_id
    assert await next_unsent(store) is None


async def test_a_refused_turn_whose_player_is_told_directly_runs(store: Store) -> None:
    club, match_id = await playing(store)
    await club.choose(BOB, way=NoticeWay.DIRECT)
    refusing(club, "post_board")
    await club.plays(match_id, "a2")
    assert await the_turn(club, match_id) is None
    assert await passes(club, minutes=10, seconds=6) == 1


@pytest.mark.parametrize("way", [NoticeWay.NOTHING, NoticeWay.DIGEST, NoticeWay.MENTION])
async def test_who_is_not_told_of_turns_is_waited_for(store: Store, way: NoticeWay) -> None:
    club, match_id = await playing(store)
    await club.choose(BOB, way=way)
    refusing(club, "post_board")
    await club.plays(match_id, "a2")
    assert await passes(club, hours=5) == 0
    turn = await the_turn(club, match_id)
    assert club.blocked.owed_to(BOB.user_id)[0] == (turn,)
    assert club.blocked.owed_to(ANN.user_id) == ((), ())
    await club.untold_turns.reached(turn)
    assert await the_turn(club, match_id) is None
    match = await head(store, match_id)
    assert match.deadline == club.clock.now() + MINUTES.bank
    assert await passes(club, minutes=10, seconds=6) == 1


async def test_a_digest_tells_of_a_turn_as_well(store: Store) -> None:
    club, match_id = await playing(store, clock=DAYS)
    await club.choose(BOB, way=NoticeWay.DIGEST)
    refusing(club, "post_board")
    await club.plays(match_id, "a2")
    assert await the_turn(club, match_id) is not None
    await club.later(hours=25)
    assert club.discord.digests
    assert await the_turn(club, match_id) is None


async def test_a_call_that_waits_for_the_morning_waits_as_its_player_wants(store: Store) -> None:
    club, match_id = await playing(store)
    await club.choose(BOB, quiet=QuietHours(9, 17))
    await club.plays(match_id, "a2")
    assert await passes(club, minutes=10, seconds=6) == 1


async def test_a_call_that_is_refused_though_its_board_was_not_waits_like_one(store: Store) -> None:
    club, match_id = await playing(store)
    refusing(club, "notify")
    before = len(club.discord.told)
    await club.plays(match_id, "a2")
    assert await passes(club, minutes=30) == 0
    refusing(club)
    club.blocked.touched(match_id)
    async with asyncio.timeout(10):
        while len(club.discord.told) == before:
            await asyncio.sleep(0.01)
            await club.worker.drain()
    assert [told.notice for told in club.discord.told[before:]] == [NoticeKind.TURN]
    assert await passes(club, minutes=9) == 0


async def test_no_flag_falls_where_something_before_the_board_is_in_the_way(club: Club) -> None:
    """A thread that cannot be made keeps the first board from being sent."""
    refusing(club, "make_thread", error=Retry(5))
    match_id = await club.begun(BOB, clock=MINUTES)
    for _ in range(5):
        assert await passes(club, minutes=5) == 0
    refusing(club)
    assert await passes(club, minutes=1) == 0
    assert await the_turn(club, match_id) is None
    assert await passes(club, minutes=10, seconds=6) == 1


async def test_a_reminder_that_waits_keeps_no_turn_from_its_player(store: Store) -> None:
    """While it is tried the next turn begins, whose board is sent only after it."""
    club, match_id = await playing(store, clock=DAYS)
    club.clock.forward(days=2, hours=23)
    now = club.clock.now()
    (batch,) = await store.write(outbox.claim, now, now + LEASE, 8, lambda _: True)
    assert [each.kind for each in batch] == [DeliveryKind.REMINDER.value]
    await club.play(match_id, "a2")
    waiting = PutOff(now + timedelta(hours=1), "stopped", certain=True)
    await store.write(outbox.settle, batch, (waiting,), now, None)
    assert await the_turn(club, match_id) is None
    assert not await store.write(match_feed.spare, match_id, now)


async def test_after_two_weeks_in_which_people_could_act_a_match_is_aborted(store: Store) -> None:
    club, match_id = await playing(store)
    refusing(club, "post_board")
    await club.plays(match_id, "a2")
    began = club.clock.now()
    outage = Outage(guild_scope(GUILD), began, began + timedelta(days=3))
    await store.write(presence.note_outages, (outage,))
    await passes(club, seconds=AT_MOST.total_seconds() + 60)
    assert (await head(store, match_id)).status is MatchStatus.RUNNING
    await passes(club, days=3)
    match = await head(store, match_id)
    assert match.was_put_aside
    assert match.result is None
    refusing(club)
    before = len(club.discord.told)
    await club.later(hours=1)
    assert {(told.player, told.notice) for told in club.discord.told[before:]} == {
        (0, NoticeKind.OVER),
        (1, NoticeKind.OVER),
    }
    await club.untold_turns.tidy()
    assert (await store.read(stored_blocked.blockages)).turns == ()
    assert not (await verify_all(store)).problems


async def test_a_match_without_a_clock_waits_as_long_as_it_takes(store: Store) -> None:
    club, match_id = await playing(store, clock=None)
    refusing(club, "post_board")
    await club.plays(match_id, "a2")
    await passes(club, days=40)
    turn = await the_turn(club, match_id)
    assert turn.user_id == BOB.user_id
    await club.untold_turns.reached(turn)
    assert (await head(store, match_id)).status is MatchStatus.RUNNING
    assert await store.read(stored_blocked.to_settle, 9) == ()


async def test_a_player_who_is_shown_the_board_again_was_told_before(store: Store) -> None:
    """A board that is posted once more, in vain, stops no clock."""
    club, match_id = await playing(store)
    await club.plays(match_id, "a2")
    refusing(club, "post_board")
    await club.service.show_again(ANN, match_id)
    await club.worker.drain()
    assert await the_turn(club, match_id) is None
    assert await passes(club, minutes=10, seconds=6) == 1


async def test_a_takeback_that_is_agreed_on_ends_the_turn_that_was_not_told(store: Store) -> None:
    club, match_id = await playing(store)
    refusing(club, "post_board")
    await club.plays(match_id, "a2")
    first = await the_turn(club, match_id)
    club.clock.forward(hours=1)
    await club.move(BOB, match_id, "c2")
    await club.worker.drain()
    second = await the_turn(club, match_id)
    assert (first.player, second.player) == (1, 0)
    match = await head(store, match_id)
    assert not_none(match.times).left[1] == MINUTES.bank
    assert Span(second.began_at, club.clock.now()).start == match.updated_at


# ---- when it is tried again ------------------------------------------------------------------


async def test_a_server_is_woken_where_posting_looks_possible(store: Store) -> None:
    club, match_id = await playing(store)
    refusing(club, "post_board")
    await club.plays(match_id, "a2")
    refusing(club)
    asked = []

    def may_post(guild_id: GuildId | None, channel_id: ChannelId) -> bool:
        asked.append((guild_id, channel_id))
        return False

    club.blocked.may_post = may_post
    await club.blocked.wake(GUILD)
    await club.worker.drain()
    assert set(asked) == {(GUILD, CHANNEL)}
    assert len(club.discord.boards(match_id)) == 3
    club.blocked.may_post = lambda *_: True
    await club.blocked.wake(GuildId(GUILD + 1))
    await club.worker.drain()
    assert len(club.discord.boards(match_id)) == 3
    await club.blocked.wake(GUILD)
    await club.worker.drain()
    assert len(club.discord.boards(match_id)) == 4
    assert await next_unsent(store) is None


@both
async def test_what_is_on_its_way_while_something_changes_is_tried_once_more(store: Store) -> None:
    club, match_id = await playing(store)
    refusals: list[Any] = []

    def refuse(name: str) -> None:
        if name == "post_board" and not refusals:
            refusals.append(name)
            club.blocked.moved(GUILD)
            raise NO

    club.discord.before = refuse
    await club.plays(match_id, "a2")
    assert len(club.discord.boards(match_id)) == 3
    await club.later(seconds=1)
    assert len(club.discord.boards(match_id)) == 4
    await club.blocked.close()


async def test_what_discord_could_not_do_is_tried_once_it_does_other_things(store: Store) -> None:
    club, match_id = await playing(store)
    other = await club.start(BOB, place=replace(PLACE, channel_id=ChannelId(77)))
    await club.worker.drain()
    refusing(club, "post_board", error=Retry(600))
    await club.plays(match_id, "a2")
    refusing(club)
    club.clock.forward(seconds=31)
    await club.plays(other, "b2")
    assert len(club.discord.boards(match_id)) == 4, "long before the ten minutes are over"
    assert await next_unsent(store) is None


async def test_what_was_read_last_of_a_match_is_what_is_known(store: Store) -> None:
    club, match_id = await playing(store)
    read = store.read
    gates = [asyncio.Event(), asyncio.Event()]
    reads = iter(gates)

    async def slowly(of: MatchId | None = None) -> Any:
        gate, found = next(reads), await read(stored_blocked.blockages, of)
        await gate.wait()
        return found

    with pytest.MonkeyPatch.context() as patch:
        answer_instead(patch, store, stored_blocked.blockages, slowly)
        before = asyncio.create_task(club.blocked.learn(match_id))
        await asyncio.sleep(0.05)
        refusing(club, "post_board")
        await club.play(match_id, "c3")
        latest = asyncio.create_task(club.worker.drain())
        await asyncio.sleep(0.2)
        gates[1].set()
        await asyncio.sleep(0.05)
        gates[0].set()
        await asyncio.gather(before, latest)
    assert club.blocked.parked(await head(store, match_id)) is not None


async def test_quiet_hours_are_not_cut_short_by_a_wake(store: Store) -> None:
    club, match_id = await playing(store)
    await club.choose(BOB, quiet=QuietHours(9, 17))
    await club.plays(match_id, "a2")
    due = await next_unsent(store)
    await store.write(outgoing.retry_now, (match_key(match_id),), club.clock.now())
    await store.write(stored_blocked.retry_troubled, club.clock.now())
    assert await next_unsent(store) == due
    assert due == club.clock.now() + timedelta(hours=5)


async def test_what_is_paced_is_done_soon_and_not_too_often_and_never_forgotten() -> None:
    done = []

    async def work(key: str) -> None:
        done.append(key)

    paced = Paced(work, gap=1.0)
    loop = asyncio.get_running_loop()
    began = loop.time()
    for _ in range(5):
        paced.soon("a")
    paced.soon("b")
    await asyncio.sleep(0.02)
    assert sorted(done) == ["a", "b"]
    paced.soon("a")
    paced.soon("a")
    await asyncio.sleep(0.02)
    assert len(done) == 2
    while len(done) < 3:
        await asyncio.sleep(0.01)
    assert loop.time() - began >= 1.0
    paced.soon("a")
    await paced.close()
    assert len(done) == 3


async def test_what_is_paced_is_tried_again_with_a_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.services.rate_limits._STORE_AGAIN", 0.01)
    tries = []

    async def work(key: str) -> None:
        tries.append(key)
        if len(tries) < 3:
            raise StoreUnavailable("full")

    paced = Paced(work, gap=0.1)
    paced.soon("a")
    async with asyncio.timeout(5):
        while len(tries) < 3:
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.03)
    assert len(tries) == 3


async def playing_directly(
    store: Store, *, clock: TimeControl | None = MINUTES
) -> tuple[Club, MatchId]:
    """A match in direct messages in which both have moved, and BOB is on turn next but one."""
    return await playing(store, clock=clock, venue=Venue.DIRECT)


def told_since(club: Club, before: int) -> list[Any]:
    return [(each.notice, each.player) for each in club.discord.told[before:]]


@both_in_soak
async def test_no_clock_runs_for_a_player_who_closed_direct_messages(store: Store) -> None:
    club, match_id = await playing_directly(store)
    before = len(club.discord.told)
    club.discord.closed.add(BOB.user_id)
    match = await club.plays(match_id, "a2")
    turn = await the_turn(club, match_id)
    assert (turn.player, turn.user_id) == (1, BOB.user_id)
    assert told_since(club, before) == [(NoticeKind.UNTOLD, 0)], "the opponent hears it, once"
    assert [each.version for each in club.discord.boards(match_id)][-1] == match.version
    assert await passes(club, hours=2) == 0, "no flag falls"
    assert told_since(club, before) == [(NoticeKind.UNTOLD, 0)]
    club.discord.closed.clear()
    assert await passes(club, hours=1) == 0
    assert await the_turn(club, match_id) is None
    assert told_since(club, before)[1:] == [(NoticeKind.TURN, 1)]
    match = await head(store, match_id)
    assert match.deadline == club.clock.now() + MINUTES.bank
    await club.plays(match_id, "b1")
    assert not [each for each in club.discord.messages.values() if each.kind == "untold"]
    assert await next_unsent(store) is None
    assert not (await verify_all(store)).problems


async def test_a_move_in_spite_of_closed_messages_leaves_nothing_waiting(store: Store) -> None:
    club, match_id = await playing_directly(store)
    club.discord.closed.add(BOB.user_id)
    await club.play(match_id, "a2")
    await passes(club, minutes=30)
    await club.play(match_id, "b1")
    await club.plays(match_id, "a3")
    club.discord.closed.clear()
    assert await passes(club, hours=1) == 0
    boards = [each for each in club.discord.boards(match_id) if each.channel_id == BOB.user_id]
    assert [each.version for each in boards if not each.retired] == [
        (await head(store, match_id)).position_since
    ]
    assert await next_unsent(store) is None


async def test_after_two_weeks_of_closed_messages_nobody_has_lost(store: Store) -> None:
    club, match_id = await playing_directly(store)
    club.discord.closed.add(BOB.user_id)
    await club.play(match_id, "a2")
    await passes(club, days=AT_MOST.days - 1)
    assert (await head(store, match_id)).status is MatchStatus.RUNNING
    await passes(club, days=1, seconds=1)
    await club.worker.drain()
    assert (await head(store, match_id)).status is MatchStatus.ABORTED
    assert [(each.notice, each.player) for each in club.discord.told[-1:]] == [(NoticeKind.OVER, 0)]
    await club.blocked.look()
    (kept,) = club.blocked.owed_to(BOB.user_id)[1]
    assert (kept.delivery.notice, kept.user_id, kept.is_direct) == (
        NoticeKind.OVER,
        BOB.user_id,
        True,
    )
    await passes(club, days=AT_MOST.days + 1)
    assert await next_unsent(store) is None, "and is given up in the end"


async def test_closed_messages_lose_no_result_and_no_answer(store: Store) -> None:
    club, match_id = await playing_directly(store)
    await club.plays(match_id, "a2")
    await club.ask(BOB, match_id, RequestKind.DRAW)
    await club.worker.drain()
    club.discord.closed.add(BOB.user_id)
    before = len(club.discord.told)
    await club.answer(ANN, match_id, RequestKind.DRAW, accept=False)
    await club.resign(ANN, match_id)
    await club.worker.drain()
    await club.blocked.look()
    parked = club.blocked.owed_to(BOB.user_id)[1]
    assert {(each.delivery.notice, each.user_id) for each in parked} == {
        (NOTICES["draw_declined"], BOB.user_id),
        (NoticeKind.OVER, BOB.user_id),
    }
    assert told_since(club, before) == []
    # Their messages are open again, and within the hour they hear it.
    club.discord.closed.clear()
    await passes(club, hours=1, seconds=1)
    assert (NoticeKind.OVER, 1) in told_since(club, before)
    assert await next_unsent(store) is None
