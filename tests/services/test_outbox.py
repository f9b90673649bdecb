"""Messages after a commit: all of them, in order, once."""

from __future__ import annotations

import asyncio
import itertools
import logging
import sqlite3
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.domain.clock import TimeControl
from bot.domain.game_state import player_on_turn
from bot.domain.ids import ChannelId, MatchId
from bot.domain.match import MatchStatus, Venue
from bot.domain.preferences import NoticeWay
from bot.domain.quiet_hours import QuietHours
from bot.domain.requests import RequestKind
from bot.posts.notices import NoticeKind
from bot.posts.outgoing import LEASE
from bot.posts.sending import (
    DeliveryKind,
    Gone,
    Notice,
    Recipient,
    Refused,
    Reminder,
    Retry,
)
from bot.privacy.services import PrivacyService
from bot.store import Store, match_feed, open_store, outbox
from bot.store.opening import sqlite_path
from tests.support.databases import answer_instead, both
from tests.support.kit import (
    ANN,
    BOB,
    CHANNEL,
    CYD,
    DAN,
    PLACE,
    Club,
    HandClock,
    PaperDiscord,
    a_match,
    next_unsent,
    of_match,
)
from tests.support.not_none import not_none

TURN = NoticeKind.TURN
MOVES = "b2 a1 a2 c2 c1 a3 b3 b1 c3"


def notices(club: Club) -> list[tuple[str, int, int]]:
    return [(told.notice.value, told.player, told.ply) for told in club.discord.told]


async def assert_converged(club: Club, match_id: MatchId) -> None:
    """The newest board is shown, with buttons, and no other has any; nobody was told twice."""
    match = await club.service.match(ANN, match_id)
    boards = club.discord.boards(match_id)
    assert boards[-1].version == match.version
    assert [board.retired for board in boards] == [True] * (len(boards) - 1) + [False]
    versions = [board.version for board in boards]
    assert versions == sorted(set(versions))
    turns = [t.ply for t in club.discord.told if (t.match_id, t.notice) == (match_id, TURN)]
    assert turns == sorted(set(turns))
    assert await next_unsent(club.store) is None


async def test_each_ply_has_one_board_and_one_notice_in_order(store: Store) -> None:
    club, match_id = await a_match(store, BOB)
    for ply, text in enumerate(MOVES.split(), 1):
        match = await club.plays(match_id, text)
        assert club.discord.boards(match_id)[-1].version == match.version
        if match.status is MatchStatus.RUNNING:
            assert notices(club)[-1] == ("turn", ply % 2, ply)
    await assert_converged(club, match_id)
    assert len(club.discord.boards(match_id)) == 1 + 9
    turns = [notice for notice in notices(club) if notice[0] == "turn"]
    assert turns == [("turn", ply % 2, ply) for ply in range(9)]
    # The last stone filled the board: the other player is told that it is over.
    assert notices(club)[-1] == ("over", 1, 9)
    assert "make_thread" in club.discord.calls
    home = (await club.service.match(ANN, match_id)).home_id
    assert {board.channel_id for board in club.discord.boards(match_id)} == {home}


async def test_boards_and_turns_that_are_overtaken_are_dropped(store: Store) -> None:
    club, match_id = await a_match(store, BOB)
    club.discord.trouble.append(("post_board", Retry(5)))
    await club.plays(match_id, "b2")
    await club.play(match_id, "a1 c1 a3")
    await club.later(seconds=6)
    assert [board.version for board in club.discord.boards(match_id)] == [2, 6]
    assert [told for told in notices(club) if told[0] == "turn"] == [("turn", 0, 0), ("turn", 0, 4)]
    await assert_converged(club, match_id)


@both
async def test_a_crash_between_sending_and_marking_posts_nothing_twice(store: Store) -> None:
    club, match_id = await a_match(store, BOB)
    for name in ("show_board", "notify", "retire_board", "erase"):
        died = asyncio.Event()
        real = getattr(club.discord, name)

        async def die_after(*args: Any, real: Any = real, died: Any = died, **named: Any) -> None:
            await real(*args, **named)
            died.set()
            await asyncio.Event().wait()

        setattr(club.discord, name, die_after)
        await club.play(match_id, MOVES.split()[(await club.service.match(ANN, match_id)).ply])
        await died.wait()
        for task in list(club.worker._serving):
            task.cancel()
        setattr(club.discord, name, real)
        # Another process looks; the dead one's lease has to run out first.
        again = club.another_worker()
        await again.drain()
        club.clock.forward(seconds=LEASE.total_seconds() + 1)
        await again.drain()
        await assert_converged(club, match_id)
        assert len(lines(club, match_id)) == 1


async def test_the_call_does_not_wait_for_what_the_board_has_replaced(store: Store) -> None:
    club, match_id = await a_match(store, BOB)
    before = len(club.discord.calls)
    club.discord.trouble += [("retire_board", Retry(5)), ("erase", Retry(5))]
    await club.plays(match_id, MOVES.split(maxsplit=1)[0])
    called, *after = club.discord.calls[before + 1 :]
    assert (called, sorted(after)) == ("notify", ["erase", "retire_board"])
    await club.later(seconds=5)
    await assert_converged(club, match_id)


async def test_a_cut_worker_leaves_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    club, match_id = await a_match(store, BOB)
    before, busy = asyncio.all_tasks(), []

    async def hang(*_args: Any, **_named: Any) -> None:
        busy.append(True)
        await asyncio.Event().wait()

    for name in ("retire_board", "erase"):
        monkeypatch.setattr(club.discord, name, hang)
    await club.play(match_id, MOVES.split(maxsplit=1)[0])
    while len(busy) < 2:
        await asyncio.sleep(0.001)
    serving = list(club.worker._serving)
    for task in serving:
        task.cancel()
    await asyncio.wait(serving)
    assert asyncio.all_tasks() == before


@both
async def test_a_board_is_found_when_its_nonce_is_forgotten(store: Store) -> None:
    """Discord keeps a nonce for some minutes, and the bot may be away for longer."""
    club, match_id = await a_match(store, BOB)
    club.discord.loses_answer("show_board", after=3600.0)
    await club.plays(match_id, "b2")
    club.discord.forget_nonces()
    await club.later(seconds=3601)
    assert [board.version for board in club.discord.boards(match_id)] == [2, 3]
    await assert_converged(club, match_id)
    # Asked for once more, the board of the same version is a new message all the same.
    before = club.discord.boards(match_id)[-1]
    await club.service.show_again(ANN, match_id)
    await club.worker.drain()
    assert [board.version for board in club.discord.boards(match_id)] == [2, 3]
    assert club.discord.boards(match_id)[-1].id > before.id


@pytest.mark.parametrize("trouble", [Gone("channel"), Refused("no")])
async def test_a_board_not_to_be_looked_for_is_posted(store: Store, trouble: Exception) -> None:
    club, match_id = await a_match(store, BOB)
    club.discord.trouble.append(("post_board", Retry(sent=True)))
    await club.plays(match_id, "b2")
    club.discord.trouble.append(("find_board", trouble))
    await club.later(seconds=60)
    assert [board.version for board in club.discord.boards(match_id)] == [2, 3]
    await assert_converged(club, match_id)


async def test_no_thread_then_the_channel(club: Club) -> None:
    club.discord.trouble.append(("make_thread", Refused("50013")))
    match_id = await club.start(BOB)
    await club.plays(match_id, "b2")
    assert (await club.service.match(ANN, match_id)).home_id == CHANNEL
    assert {board.channel_id for board in club.discord.boards(match_id)} == {CHANNEL}
    await assert_converged(club, match_id)


async def _in_a_deleted_thread(store: Store) -> Any:
    club, match_id = await a_match(store, BOB)
    club.discord.deleted.add(not_none((await club.service.match(ANN, match_id)).home_id))
    return club, match_id


async def test_the_player_is_told_in_the_thread_that_replaces_a_deleted_one(store: Store) -> None:
    club, match_id = await _in_a_deleted_thread(store)
    before = len(club.discord.told)
    await club.plays(match_id, "b2")
    assert (await club.service.match(ANN, match_id)).home_id not in club.discord.deleted
    assert notices(club)[before:] == [("turn", 1, 1)]
    assert lines(club, match_id)
    await assert_converged(club, match_id)


async def test_a_match_stays_where_a_player_has_moved_it_meanwhile(store: Store) -> None:
    club, match_id = await _in_a_deleted_thread(store)
    make_thread = club.discord.make_thread

    async def chosen_meanwhile(*args: Any, **more: Any) -> Any:
        await club.service.move_here(ANN, match_id, replace(PLACE, channel_id=ChannelId(777)))
        return await make_thread(*args, **more)

    club.discord.make_thread = chosen_meanwhile
    await club.plays(match_id, "b2")
    assert (await club.service.match(ANN, match_id)).home_id == 777
    assert club.discord.boards(match_id)[-1].channel_id == 777


@pytest.mark.parametrize(("mover", "told"), [(ANN, [1]), (BOB, [])])
async def test_a_match_that_moves_calls_the_other_player(club: Club, mover: Any, told: Any) -> None:
    match_id = await club.start(BOB)
    await club.plays(match_id, "b2")
    before = len(club.discord.told)
    await club.service.move_here(mover, match_id, replace(PLACE, channel_id=ChannelId(777)))
    await club.worker.drain()
    assert [(each.player, each.to.channel_id) for each in club.discord.told[before:]] == [
        (player, 777) for player in told
    ]
    assert len(lines(club, match_id)) == 1
    await club.plays(match_id, "a1")
    left = [each for each in club.discord.messages.values() if each.kind == "turn"]
    assert [each.channel_id for each in left] == [777]


async def test_a_call_that_waits_already_is_not_made_twice_elsewhere(store: Store) -> None:
    club, match_id = await a_match(store, BOB)
    club.discord.trouble.append(("post_board", Refused("50013")))
    club.discord.deleted.add(PLACE.channel_id)  # so that nobody can be called around it either
    await club.plays(match_id, "b2")
    before = len(club.discord.told)
    await club.service.move_here(ANN, match_id, replace(PLACE, channel_id=ChannelId(777)))
    await club.worker.drain()
    assert notices(club)[before:] == [("turn", 1, 1)]
    await assert_converged(club, match_id)


async def test_a_deleted_thread_is_replaced_once_however_often_posts_fail(store: Store) -> None:
    club, match_id = await _in_a_deleted_thread(store)
    before, posts = len(club.discord.threads), itertools.count(1)

    def fail(name: str) -> None:
        # The first is refused because the thread is gone, the next ones by chance.
        if name == "post_board" and 1 < next(posts) < 6:
            raise Retry(sent=True)

    club.discord.before = fail
    await club.play(match_id, "b2")
    for _ in range(6):
        await club.worker.drain()
        club.clock.forward(minutes=11)
    assert len(club.discord.threads) == before + 1
    await assert_converged(club, match_id)


@pytest.mark.parametrize("gone", ["closed", "erased"])
async def test_nobody_waits_for_a_player_out_of_reach(store: Store, club: Club, gone: Any) -> None:
    match_id = await club.start(BOB, venue=Venue.DIRECT)
    await club.plays(match_id, "b2 a1")
    before = len(club.discord.told)
    if gone == "closed":
        club.discord.closed.add(ANN.user_id)
        await club.resign(ANN, match_id)
    else:
        await PrivacyService(store, club.service, club.clock, Random(3)).erase(ANN.user_id)
    await club.worker.drain()
    assert [board.version for board in club.discord.boards(match_id)][-1] == 5
    assert {told.player for told in club.discord.told[before:]} == {1}
    assert await next_unsent(store) is None


async def test_direct_messages_come_where_the_board_cannot_be_posted(club: Club) -> None:
    await club.choose(BOB, way=NoticeWay.DIRECT)
    clock = TimeControl(timedelta(days=3), per_move=True)
    match_id = await club.start(BOB, venue=Venue.CHANNEL, clock=clock)
    await club.plays(match_id, "b2 a1")

    def refuse(name: str) -> None:
        if name == "post_board":
            raise Refused("50013")

    club.discord.before = refuse
    before = len(club.discord.told)
    for move in ("a2 c2", "c1"):
        await club.plays(match_id, move)
    told = club.discord.told[before:]
    assert {each.player for each in told} == {1}, "for others nothing can be said there"
    assert [each.ply for each in told] == [3, 5]
    assert all(each.to.channel_id is None for each in told)
    club.discord.before = lambda _: None
    await club.later(hours=1)
    await assert_converged(club, match_id)
    assert [each.ply for each in club.discord.told[before:]] == [3, 5], "and told once"


async def test_a_click_wakes_a_refusal(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    club, match_id = await a_match(store, BOB, venue=Venue.CHANNEL)
    club.discord.trouble.append(("post_board", Refused("50013")))
    with caplog.at_level(logging.WARNING):
        await club.plays(match_id, "b2")
    assert "50013" in caplog.text
    await club.later(minutes=30)
    assert len(club.discord.boards(match_id)) == 1
    await club.service.show_again(BOB, match_id)
    await club.worker.drain()
    await assert_converged(club, match_id)


async def test_players_are_told_what_others_did_alone(club: Club) -> None:
    service = club.service
    offered = await club.offer(BOB, seat=1)
    await service.accept(BOB, offered.match.id, interaction_id=club.click())
    await club.worker.drain()
    # Bob begins, so it is his turn; Ann hears that her offer was accepted.
    assert notices(club) == [("turn", 0, 0), ("started", 1, 0)]
    match_id = offered.match.id
    await club.ask(ANN, match_id, RequestKind.DRAW)
    await club.worker.drain()
    assert notices(club)[2:] == [("draw_asked", 0, 0)]
    await club.answer(BOB, match_id, RequestKind.DRAW, accept=False)
    await club.worker.drain()
    assert notices(club)[3:] == [("draw_declined", 1, 0)]
    assert len(club.discord.boards(match_id)) == 1
    await club.resign(BOB, match_id)
    await club.worker.drain()
    assert notices(club)[4:] == [("over", 1, 0)]
    await assert_converged(club, match_id)
    declined = await club.offer(BOB)
    await club.decline(BOB, declined.match.id)
    await club.worker.drain()
    assert notices(club)[5:] == [("declined", 0, 0)]
    assert club.discord.updates[-1][0].status is MatchStatus.DECLINED


async def test_all_who_have_a_seat_are_told_of_start_and_end(club: Club) -> None:
    service = club.service

    async def joined(*others: Any) -> MatchId:
        offered = await club.offer(DAN, game="pythagoras", seat=None)
        for other in others:
            await service.accept(other, offered.match.id, interaction_id=club.click())
        await club.worker.drain()
        club.discord.told.clear()
        return offered.match.id

    async def told() -> list[tuple[str, int, int]]:
        await club.worker.drain()
        return sorted(notices(club))

    begun = await joined(BOB, CYD)
    await service.accept(DAN, begun, interaction_id=club.click())
    match = await service.match(ANN, begun)
    first = player_on_turn(match)
    others = {0, 1, 2, 3} - {first, match.index_of(DAN.user_id)}
    turn = [("turn", first, 0)] if first is not None else []
    assert await told() == sorted([*(("started", each, 0) for each in others), *turn])

    declined = await joined(BOB)
    await club.decline(DAN, declined)
    match = await service.match(ANN, declined)
    seats = sorted(not_none(match.index_of(each.user_id)) for each in (ANN, BOB))
    assert await told() == [("declined", seat, 0) for seat in seats]

    withdrawn = await joined(BOB)
    await club.withdraw(ANN, withdrawn)
    match = await service.match(ANN, withdrawn)
    assert await told() == [("declined", match.index_of(BOB.user_id), 0)]


def lines(club: Club, match_id: MatchId) -> list[int]:
    """The lines that call a player and are still there: the version of the match at each."""
    found = club.discord.messages.values()
    return [line.version for line in found if (line.kind, line.match_id) == ("turn", match_id)]


async def test_a_line_goes_when_its_turn_is_over(store: Store) -> None:
    club, match_id = await a_match(store, BOB)
    assert lines(club, match_id) == [2]
    for text in MOVES.split():
        match = await club.plays(match_id, text)
        is_running = match.status is MatchStatus.RUNNING
        assert lines(club, match_id) == ([match.version] if is_running else [])
    assert club.discord.calls.count("erase") == 9
    assert await next_unsent(store) is None


@pytest.mark.parametrize("call", ["erase", "retire_board"])
async def test_what_could_not_be_put_away_is_later_and_holds_nothing_up(
    store: Store, call: str
) -> None:
    club, match_id = await a_match(store, BOB)
    club.discord.trouble.append((call, Retry(5)))
    await club.plays(match_id, "b2")
    live = [each.retired for each in club.discord.boards(match_id)].count(False)
    assert (lines(club, match_id), live) == (([2, 3], 1) if call == "erase" else ([3], 2))
    await club.later(seconds=5)
    assert lines(club, match_id) == [3]
    await assert_converged(club, match_id)
    club.discord.trouble.append((call, Retry(5)))
    await club.plays(match_id, "a1")
    await club.plays(match_id, "a2")
    assert lines(club, match_id) == [5], "with what the next move has ended"
    await assert_converged(club, match_id)


async def test_a_call_takes_the_place_of_the_line_before(store: Store, club: Club) -> None:
    """As where word of a vacation stands already when a call has waited for the morning."""
    await club.choose(BOB, quiet=QuietHours(9, 17))
    match_id = await club.start(BOB)
    await club.plays(match_id, "b2")
    match = await club.service.match(ANN, match_id)
    there = Recipient(channel_id=match.home_id)
    reminder = Notice(match, BOB.user_id, Reminder(club.clock.now()), "word")
    word = await club.discord.remind(reminder, there)
    await store.write(match_feed.replace_line, match, 1, word)
    await club.later(hours=6)
    assert word.message_id not in club.discord.messages
    assert lines(club, match_id) == [3]
    assert await next_unsent(store) is None


async def test_a_board_asked_for_again_leaves_the_line_of_the_turn(store: Store) -> None:
    club, match_id = await a_match(store, BOB)
    await club.plays(match_id, "b2")
    await club.ask(ANN, match_id, RequestKind.DRAW)
    await club.worker.drain()
    await club.service.show_again(ANN, match_id)
    await club.worker.drain()
    # It stands in the place of the one that showed the same position.
    assert [board.version for board in club.discord.boards(match_id)] == [2, 4]
    assert lines(club, match_id) == [3]
    await club.resign(BOB, match_id)
    await club.worker.drain()
    assert lines(club, match_id) == []


@both
async def test_two_workers_share_the_work_and_make_each_delivery_once(store: Store) -> None:
    clock = HandClock()
    club = Club(store, clock)
    service = club.service
    club.changes.outbox = None
    ids = []
    for number in range(6):
        offered = await club.offer(BOB if number % 2 else CYD, lasts=LEASE * 100)
        other = BOB if number % 2 else CYD
        await service.accept(other, offered.match.id, interaction_id=club.click())
        ids.append(offered.match.id)
    for match_id in ids:
        await club.play(match_id, "b2 a1")
    workers = [club.another_worker(at_once=3) for _ in range(2)]
    await asyncio.gather(*(worker.drain() for worker in workers))
    for match_id in ids:
        await assert_converged(club, match_id)
    assert club.discord.calls.count("make_thread") == 6
    assert club.discord.calls.count("post_board") == 6


async def test_the_worker_runs_wakes_at_a_commit_and_stops(club: Club) -> None:
    told = asyncio.Event()
    club.discord.before = lambda name: told.set() if name == "notify" else None
    club.changes.outbox = None
    running = asyncio.create_task(club.worker.run())
    await asyncio.sleep(0)
    match_id = await club.start(BOB)
    await club.play(match_id, "b2")
    club.worker.wake()
    async with asyncio.timeout(5):
        await told.wait()
    await club.worker.stop()
    async with asyncio.timeout(5):
        await running
    assert [board.version for board in club.discord.boards(match_id)][-1] == 3


async def test_a_crash_of_the_only_process_is_made_good_at_the_start(sqlite_url: str) -> None:
    first = await open_store(sqlite_url)
    club = Club(first)
    never: Any = PaperDiscord(before=lambda name: (_ for _ in ()).throw(Retry(3600)))
    club.discord = never
    club.deliveries.messenger = never
    match_id = await club.start(BOB)
    batch = await first.write(outbox.claim, club.clock.now(), club.clock.now() + LEASE, 5)
    assert batch == () or of_match(batch[0][0]).delivery.kind is not DeliveryKind.TIDY
    await club.worker.stop()
    await first.close()
    second = await open_store(sqlite_url)
    try:
        again = Club(second, HandClock(club.clock.now() + LEASE * 121), seed=9)
        await again.worker.drain()
        assert again.discord.boards(match_id)
        assert {told.notice for told in again.discord.told} == {NoticeKind.TURN}
    finally:
        await second.close()


async def test_what_was_posted_is_found_after_a_power_cut(sqlite_url: str, tmp_path: Path) -> None:
    """Everything after the last durable commit is lost, so the note of the posted board, too."""
    left = tmp_path / "left.db"

    def cut(name: str) -> None:
        if name == "make_thread" and not left.exists():
            with sqlite3.connect(sqlite_path(sqlite_url)) as file, sqlite3.connect(left) as copy:
                file.backup(copy)

    store = await open_store(sqlite_url)
    club = Club(store)
    club.discord.before = cut
    match_id = await club.begun(BOB)
    assert len(club.discord.boards(match_id)) == len(lines(club, match_id)) == 1
    await store.close()
    club.discord.forget_nonces()
    club.clock.forward(hours=1)
    store = await open_store(f"sqlite:///{left}")
    again = Club(store, club.clock, seed=8, discord=club.discord)
    worker = again.changes.outbox = again.another_worker()
    await worker.drain()
    assert len(club.discord.boards(match_id)) == len(lines(club, match_id)) == 1
    await again.play(match_id, "b2")
    await worker.drain()
    assert [board.retired for board in club.discord.boards(match_id)] == [True, False]
    assert len(lines(club, match_id)) == 1
    await store.close()


@both
async def test_an_offer_is_found_again_or_left_when_it_is_over(store: Store, club: Club) -> None:
    for over in (False, True):
        club.discord.loses_answer("show_offer")
        offered = await club.offer(BOB)
        await club.worker.drain()
        club.discord.forget_nonces()
        if over:
            await club.withdraw(ANN, offered.match.id)
        await club.later(minutes=10)
        found = [m for m in club.discord.messages.values() if m.match_id == offered.match.id]
        assert len(found) == 1
        shown = [posted for match, posted in club.discord.updates if match.id == offered.match.id]
        assert [each.message_id for each in shown] == ([found[0].id] if over else [])
    assert await next_unsent(store) is None


async def test_a_board_is_not_posted_for_the_next_to_replace(store: Store) -> None:
    club, match_id = await a_match(store, BOB)
    club.discord.trouble += [("post_board", Retry(sent=True))] * 2
    await club.plays(match_id, "b2")
    await club.later(seconds=1)
    await club.play(match_id, "a1")
    await club.later(minutes=1)
    assert [board.version for board in club.discord.boards(match_id)] == [2, 4]
    await assert_converged(club, match_id)


@pytest.mark.parametrize("way", [NoticeWay.MENTION, NoticeWay.DIRECT])
@pytest.mark.parametrize("ends", [False, True])
async def test_a_call_not_noted_goes_as_well(club: Club, way: NoticeWay, ends: Any) -> None:
    await club.choose(BOB, way=way)
    match_id = await club.begun(BOB)
    club.discord.loses_answer("notify")
    await club.plays(match_id, "b2")
    club.discord.forget_nonces()
    assert lines(club, match_id) == [3]
    if ends:
        await club.resign(BOB, match_id)
    else:
        await club.play(match_id, "a1")
    await club.later(seconds=2)
    assert lines(club, match_id) == ([] if ends else [4])
    await assert_converged(club, match_id)


async def test_a_call_that_still_stands_is_not_taken_for_one_that_was_not_noted(club: Club) -> None:
    match_id, notify, erase = await club.begun(BOB), club.discord.notify, club.discord.erase

    async def lost(*args: Any, **more: Any) -> Any:
        await notify(*args, **more)
        raise Retry(sent=True)

    async def away(*_args: Any, **_more: Any) -> None:
        raise Retry

    await club.plays(match_id, "b2")
    club.discord.erase = away
    await club.plays(match_id, "a1")
    club.discord.notify = lost
    await club.plays(match_id, "a2")
    club.discord.notify = notify
    club.discord.forget_nonces()
    assert lines(club, match_id) == [3, 4, 5]
    await club.play(match_id, "c2")
    await club.later(seconds=1)
    club.discord.erase = erase
    await club.later(minutes=1)
    assert lines(club, match_id) == [6]
    await assert_converged(club, match_id)


async def test_a_call_that_cannot_be_looked_for_holds_nothing_up(store: Store) -> None:
    club, match_id = await a_match(store, BOB)
    club.discord.trouble.append(("notify", Retry(sent=True)))
    await club.plays(match_id, "b2")
    club.discord.trouble += [("find_call", Retry()), ("find_call", Refused("no history"))]
    await club.play(match_id, "a1")
    for _ in range(4):
        await club.later(seconds=3)
    await assert_converged(club, match_id)
    assert not club.discord.trouble


async def test_what_a_player_has_deleted_already_is_not_missed(store: Store) -> None:
    club, match_id = await a_match(store, BOB)
    club.discord.messages.clear()
    await club.plays(match_id, "b2")
    assert await next_unsent(store) is None
    assert (
        [board.version for board in club.discord.boards(match_id)] == lines(club, match_id) == [3]
    )


async def test_a_refused_notice_is_no_bar(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    club, match_id = await a_match(store, BOB)
    club.discord.trouble.append(("notify", Refused("50007")))
    with caplog.at_level(logging.INFO):
        await club.plays(match_id, "b2")
    assert "50007" in caplog.text
    await club.plays(match_id, "a1")
    await assert_converged(club, match_id)


async def test_without_thread_and_without_channel_a_board_waits(store: Store) -> None:
    club, match_id = await a_match(store, BOB)
    club.discord.trouble.extend(
        [("post_board", Gone("10003")), ("make_thread", Gone("10003")), ("post_board", Gone("x"))]
    )
    await club.plays(match_id, "b2")
    assert await next_unsent(store) is not None
    await club.service.show_again(ANN, match_id)
    await club.worker.drain()
    await assert_converged(club, match_id)


async def test_what_falls_due_is_sent(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    club, match_id = await a_match(store, BOB)
    read, worker = store.read, club.worker

    async def slowly() -> datetime | None:
        found = await read(outbox.next_due)
        while worker._serving:
            await asyncio.sleep(0.01)
        return found

    club.discord.trouble.extend([("post_board", Gone("10003")), ("make_thread", Gone("10003"))])
    answer_instead(monkeypatch, store, outbox.next_due, slowly)
    await club.play(match_id, "b2")
    await worker.drain()
    await assert_converged(club, match_id)


async def test_a_move_waits_for_no_refusal(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    club, match_id = await a_match(store, BOB)
    post = club.discord.show_board

    async def refuse(*_: Any, **__: Any) -> Any:
        monkeypatch.setattr(club.discord, "show_board", post)
        await club.play(match_id, "a1")
        raise Refused("50013")

    monkeypatch.setattr(club.discord, "show_board", refuse)
    await club.plays(match_id, "b2")
    await assert_converged(club, match_id)


async def test_without_database_it_waits(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    from bot.store.errors import StoreUnavailable

    club, match_id = await a_match(store, BOB)

    async def away(*args: Any, **named: Any) -> None:
        raise StoreUnavailable("locked")

    with monkeypatch.context() as patch:
        answer_instead(patch, store, outbox.settle, away)
        await club.plays(match_id, "b2")
        answer_instead(patch, store, outbox.next_due, away)
        await club.worker.drain()
    await club.later(seconds=LEASE.total_seconds() + 1)
    await assert_converged(club, match_id)


@pytest.mark.logs_errors
async def test_it_outlives_any_error(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    club, match_id = await a_match(store, BOB)
    read, failures = store.read, iter([RuntimeError("once")])

    async def fail_once() -> datetime | None:
        for error in failures:
            raise error
        return await read(outbox.next_due)

    answer_instead(monkeypatch, store, outbox.next_due, fail_once)
    working = asyncio.create_task(club.worker.run())
    await club.service.show_again(ANN, match_id)
    async with asyncio.timeout(10):
        while await read(outbox.next_due) is not None:
            await asyncio.sleep(0.02)
    await club.worker.stop()
    await working
