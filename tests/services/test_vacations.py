"""Vacations: clocks stand, flags wait, days are counted, and every click counts once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.clock_text import read_clock
from bot.domain.events import Event, EventKind
from bot.domain.history import verify
from bot.domain.ids import ChannelId, MatchId, UserId
from bot.domain.match import Actor, Match, MatchStatus, Scope
from bot.domain.preferences import NoticeWay
from bot.domain.requests import RequestKind
from bot.errors import UserError
from bot.plans.services import PlanService
from bot.posts.outgoing import Claim, id_in
from bot.posts.sending import DeliveryKind
from bot.services.timeouts import sweep_flags
from bot.services.vacations import VacationStatus
from bot.store import Store, open_store, presence, transactions, vacations
from bot.store.errors import StoreUnavailable
from bot.store.presence import EVERYWHERE
from bot.store.records import Outage
from tests.support.databases import answer_instead, both
from tests.support.kit import ANN, BOB, CYD, GUILD, START, Club, head, refused, waiting
from tests.support.not_none import not_none

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
FOREVER = timedelta(days=10**4)


async def events_of(club: Club, match_id: MatchId) -> tuple[Event, ...]:
    return await club.store.read(transactions.history, match_id, Scope(GUILD))


async def begun(club: Club, clock: str = "3d", moves: str = "b2 a1", **more: Any) -> MatchId:
    """A match in which Ann is on turn, and both have moved."""
    match_id = await club.start(BOB, clock=read_clock(clock), options={"size": 4}, **more)
    await club.play(match_id, moves)
    return match_id


async def leave(club: Club, who: Actor = ANN, days: int = 10) -> VacationStatus:
    return await club.vacations.begin(who.user_id, lambda now: now + days * DAY, club.click())


async def passes(club: Club, **by: Any) -> None:
    """Time passes in which the host is there."""
    club.clock.forward(**by)
    await club.store.write(presence.beat, (EVERYWHERE,), club.clock.now(), FOREVER)


async def flags(club: Club) -> int:
    return await sweep_flags(club.store, club.clock, club.vacations)


async def checked(club: Club, *ids: MatchId) -> None:
    for match_id in ids:
        match = replace(await head(club.store, match_id))
        verify(match, await events_of(club, match_id))


async def test_a_vacation_stops_the_clock_of_its_player_in_all_their_matches(club: Club) -> None:
    mine, theirs = await begun(club), await begun(club, moves="b2")
    live = await begun(club, clock="10h")
    before = {each: (await head(club.store, each)).deadline for each in (mine, theirs, live)}
    await passes(club, hours=5)
    await leave(club, days=10)
    assert (await head(club.store, mine)).deadline == not_none(before[mine]) + 10 * DAY
    assert (await head(club.store, theirs)).deadline == before[theirs], "it is Bob's turn"
    assert (await head(club.store, live)).deadline == before[live], "a clock for one sitting"
    await passes(club, days=2)
    assert await flags(club) == 1
    assert (await head(club.store, live)).status is MatchStatus.FINISHED

    # A turn that starts during it begins with the clock standing.
    answer = await club.move(BOB, theirs, "a1")
    assert not_none(answer.match.times).since == START + 5 * HOUR + 10 * DAY
    assert answer.match.deadline == START + 5 * HOUR + 13 * DAY
    await passes(club, days=8)
    assert await flags(club) == 0
    await passes(club, days=3, hours=-5, seconds=-1)
    assert await flags(club) == 0
    await passes(club, hours=5, seconds=10)
    assert await flags(club) == 2
    await checked(club, mine, theirs, live)


async def test_boards_show_the_new_deadline_and_others_stay_quiet(club: Club) -> None:
    mine, theirs = await begun(club), await begun(club, moves="b2")
    await club.worker.drain()
    before = {each: club.discord.boards(each) for each in (mine, theirs)}
    told = len(club.discord.told)
    await leave(club)
    await club.worker.drain()
    shown = club.discord.boards(mine)
    assert shown[-1].version > before[mine][-1].version
    assert shown[:-1] == before[mine][:-1], "the fresh board is in the place of the one before"
    assert sum(not board.retired for board in shown) == 1
    assert club.discord.boards(theirs) == before[theirs]
    assert len(club.discord.told) == told, "nobody is called for it"


@both
async def test_a_click_thrice_begins_one_rest(store: Store, club: Club, database_url: str) -> None:
    other = Club(
        store if database_url.startswith("sqlite") else await open_store(database_url), club.clock
    )
    match_id = await begun(club)
    click = club.click()
    ends = START + 10 * DAY
    answers = await asyncio.gather(
        *(each.vacations.begin(ANN.user_id, lambda _: ends, click) for each in (club, other, club))
    )
    assert {not_none(each.current).ends_at for each in answers} == {ends}
    assert {each.left for each in answers} == {20}
    assert len(await store.read(vacations.vacations_of, ANN.user_id)) == 1
    events = [e for e in await events_of(club, match_id) if e.kind is EventKind.CREDITED]
    assert len(events) == 1
    back = club.click()
    await club.vacations.end(ANN.user_id, back)
    await asyncio.gather(*(each.vacations.end(ANN.user_id, back) for each in (club, other)))
    again = await other.vacations.begin(ANN.user_id, lambda _: ends, click)
    assert again.current is None, "an old click delivered once more begins nothing"
    await refused("not_on_vacation", club.vacations.end(ANN.user_id, club.click()))
    if other.store is not store:
        await other.store.close()


async def test_days_are_counted_and_no_more_are_given_than_there_are(club: Club) -> None:
    await refused("vacation_too_long", leave(club, days=31))
    with pytest.raises(UserError, match="vacation_past"):
        await leave(club, days=0)
    await leave(club, days=20)
    found = await club.vacations.of(ANN.user_id)
    assert (found.left, found.most) == (10, 30)
    await passes(club, days=20)
    await refused("vacation_too_long", leave(club, days=11))
    await leave(club, days=2)
    await passes(club, days=1, hours=1)
    # On the second day of it: the current day is the first of these eight.
    assert (await leave(club, days=8)).left == 1, "a current one is given another end"
    assert (await club.vacations.of(BOB.user_id)).left == 30


async def test_a_vacation_stops_no_clock_where_the_players_have_ruled_it_out(club: Club) -> None:
    match_id = await begun(club, clock="3d, no vacation")
    before = (await head(club.store, match_id)).deadline
    await leave(club)
    assert (await head(club.store, match_id)).deadline == before
    await passes(club, days=3, seconds=5)
    assert await flags(club) == 1


# ---- by itself -----------------------------------------------------------------------------------


async def test_vacation_begins_by_itself_at_the_deadline(store: Store, club: Club) -> None:
    match_id, other = await begun(club, clock="3d, automatic vacation"), await begun(club, "60d")
    over = (await head(club.store, match_id)).deadline
    await passes(club, days=3, seconds=4)
    assert await flags(club) == 0
    assert await store.read(vacations.vacations_of, ANN.user_id) == ()
    await passes(club, seconds=3)
    assert await flags(club) == 0
    (kept,) = await store.read(vacations.vacations_of, ANN.user_id)
    assert kept.vacation.by_itself
    assert (kept.vacation.began_at, kept.vacation.days) == (over, 30)
    assert (await head(club.store, match_id)).deadline == not_none(over) + 30 * DAY
    await club.vacations.sweep()
    assert (await head(club.store, other)).deadline == START + 90 * DAY

    # A move, here the other one, ends it a day later.
    await passes(club, days=2)
    await club.move(ANN, other, "c3")
    await club.vacations.sweep()
    assert (await head(club.store, match_id)).deadline == club.clock.now() + DAY
    assert (await club.vacations.of(ANN.user_id)).left == 26
    await passes(club, days=1, seconds=6)
    assert await flags(club) == 0, "and the next one begins by itself, while there are days"
    assert len(await store.read(vacations.vacations_of, ANN.user_id)) == 2
    await passes(club, days=27)
    assert await flags(club) == 1
    assert not_none((await head(club.store, match_id)).result).winners == (1,)
    await checked(club, match_id, other)


async def test_only_a_move_of_ones_own_ends_an_automatic_one(store: Store, club: Club) -> None:
    await begun(club, clock="3d, automatic vacation")
    other, third = await begun(club, "60d", moves="b2"), await begun(club, "60d")
    await PlanService(store, club.service).add(ANN, other, "a1 c3")
    await passes(club, days=3, seconds=7)
    await flags(club)
    (kept,) = await store.read(vacations.vacations_of, ANN.user_id)
    await club.move(BOB, other, "a1")
    assert (await head(club.store, other)).last_move == "c3"
    await club.resign(ANN, third)
    assert await store.read(vacations.vacations_of, ANN.user_id) == (kept,)


@pytest.mark.long
@both
async def test_two_processes_begin_one_rest(store: Store, club: Club, database_url: str) -> None:
    other = store if database_url.startswith("sqlite") else await open_store(database_url)
    club2 = Club(other, club.clock, seed=8)
    ids = [await begun(club, clock="3d, automatic vacation") for _ in range(3)]
    await passes(club, days=3, minutes=5)
    fallen = await asyncio.gather(flags(club), flags(club2), flags(club))
    assert sum(fallen) == 0
    assert len(await store.read(vacations.vacations_of, ANN.user_id)) == 1
    await checked(club, *ids)
    if other is not store:
        await other.close()


# ---- with everything else ------------------------------------------------------------------------


async def test_weekends_pauses_and_takebacks_know_of_vacations(club: Club) -> None:
    # START is a Sunday, so this clock stands until Monday anyway.
    match_id = await begun(club, clock="2d, weekends off")
    await leave(club, days=5)
    assert not_none((await head(club.store, match_id)).times).since == START + 5 * DAY
    assert (await head(club.store, match_id)).deadline == START + 9 * DAY, (
        "from Friday noon to Tuesday"
    )

    await club.ask(ANN, match_id, RequestKind.PAUSE)
    await club.ask(BOB, match_id, RequestKind.PAUSE)
    assert (await head(club.store, match_id)).deadline is None
    await passes(club, days=1)
    await club.resume(BOB, match_id)
    assert not_none((await head(club.store, match_id)).times).since == START + 5 * DAY
    await club.move(ANN, match_id, "c3")
    await club.ask(ANN, match_id, RequestKind.TAKEBACK)
    await club.ask(ANN, match_id, RequestKind.DRAW)
    answer = await club.answer(BOB, match_id, RequestKind.TAKEBACK, accept=True)
    assert not_none(answer.match.times).since == START + 5 * DAY
    await checked(club, match_id)


async def test_a_planned_answer_starts_a_standing_clock(store: Store, club: Club) -> None:
    match_id = await begun(club)
    await PlanService(store, club.service).add(BOB, match_id, "c3 d1")
    await leave(club)
    await club.move(ANN, match_id, "c3")
    match = await head(club.store, match_id)
    assert match.last_move == "d1"
    assert not_none(match.times).since == START + 10 * DAY
    await checked(club, match_id)


async def test_a_player_who_joins_on_vacation_begins_with_the_clock_standing(club: Club) -> None:
    await leave(club, BOB)
    offered = await club.offer(BOB, seat=1, clock=read_clock("3d"), options={"size": 4})
    match = (await club.accept(BOB, offered.match.id)).match
    assert not_none(match.times).running == 0 or match.players[0] == BOB.user_id
    assert match.deadline == START + 13 * DAY
    await checked(club, match.id)


async def test_a_move_on_its_way_is_seen_to_a_minute_later(store: Store, club: Club) -> None:
    """It was decided before the vacation and is written after all matches were looked through."""
    match_id = await begun(club, moves="b2")
    decided, looked_through = asyncio.Event(), asyncio.Event()
    commit = store.commit

    async def late(change: Any, **more: Any) -> tuple[Claim, ...]:
        if change.event.kind is EventKind.MOVED:
            decided.set()
            await looked_through.wait()
        return await commit(change, **more)

    store.commit = late
    move = asyncio.create_task(club.move(BOB, match_id, "a1"))
    await decided.wait()
    await leave(club)
    await club.vacations.sweep()
    looked_through.set()
    await move
    assert not_none((await head(club.store, match_id)).times).since == START
    club.clock.forward(seconds=61)
    await club.vacations.sweep()
    assert (await head(club.store, match_id)).deadline == START + 13 * DAY
    assert await store.read(vacations.vacations_to_line, START + 9 * DAY, 9) == ()
    await checked(club, match_id)


@pytest.mark.logs_errors
@pytest.mark.parametrize("trouble", [StoreUnavailable("unreachable"), ValueError("a bug")])
async def test_what_could_not_be_lined_up_is(store: Store, club: Club, trouble: Exception) -> None:
    match_id = await begun(club)

    async def fail(_user_id: UserId) -> Any:
        raise trouble

    with pytest.MonkeyPatch.context() as patch:
        answer_instead(patch, store, transactions.active_of, fail)
        await leave(club)
        for _ in range(3):
            await club.vacations.sweep()
            await passes(club, seconds=61)
        assert (await head(club.store, match_id)).deadline == START + 3 * DAY
    await club.vacations.sweep()
    assert (await head(club.store, match_id)).deadline == START + 13 * DAY
    assert await store.read(vacations.vacations_to_line, START + 9 * DAY, 9) == ()
    await checked(club, match_id)


@pytest.mark.long
@pytest.mark.logs_errors
async def test_a_match_that_cannot_be_brought_in_line_keeps_the_others_from_nothing(
    store: Store, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await club.choose(ANN, reminders=(24,))
    bad, good = await begun(club), await begun(club)
    await club.worker.drain()
    commit, read = store.commit, store.read

    async def fail(change: Any, **more: Any) -> tuple[Claim, ...]:
        if change.match.id == bad:
            raise ValueError("a bug")
        return await commit(change, **more)

    async def bad_first(*asked: Any) -> tuple[Match, ...]:
        return tuple(
            sorted(await read(transactions.active_of, *asked), key=lambda match: match.id != bad)
        )

    store.commit = fail
    answer_instead(monkeypatch, store, transactions.active_of, bad_first)
    await leave(club)
    for _ in range(2):
        assert (await head(club.store, good)).deadline == START + 13 * DAY
        await passes(club, seconds=61)
        await club.vacations.sweep()
    assert (await head(club.store, bad)).deadline == START + 3 * DAY
    store.commit = commit
    await club.vacations.sweep()
    assert (await head(club.store, bad)).deadline == START + 13 * DAY
    await club.worker.drain()
    due = await waiting(store, DeliveryKind.REMINDER.value)
    assert {id_in(each.key): each.due_at for each in due} == dict.fromkeys(
        (bad, good), START + 12 * DAY
    )
    assert await store.read(vacations.vacations_to_line, START + 9 * DAY, 9) == ()


# ---- being told ----------------------------------------------------------------------------------


async def told(club: Club) -> int:
    """Send what is due; returns how many were told about their vacation."""
    before = len(club.discord.holidays)
    await club.worker.drain()
    return len(club.discord.holidays) - before


async def test_begin_and_end_of_an_automatic_vacation_are_told(club: Club) -> None:
    match_id = await begun(club, clock="3d, automatic vacation")
    await passes(club, days=3, minutes=1)
    await flags(club)
    await told(club)
    await told(club)
    assert [told[1] for told in club.discord.holidays] == [False]
    await club.move(ANN, match_id, "c3")
    await club.move(BOB, match_id, "d1")
    await told(club)
    await passes(club, days=1, minutes=1)
    await told(club)
    await told(club)
    assert [told[1] for told in club.discord.holidays] == [False, True]


def words_of_vacation(club: Club) -> list[ChannelId]:
    """The words about vacations that stand anywhere, by their places."""
    found = club.discord.messages.values()
    return [each.channel_id for each in found if each.kind.startswith("vacation")]


async def test_a_word_of_a_vacation_goes_although_its_turn_is_over(club: Club) -> None:
    match_id = await begun(club)
    await club.worker.drain()
    await leave(club, days=3)
    await passes(club, days=3)
    club.discord.loses_answer("tell_of_vacation", after=20.0)
    assert await told(club) == 1
    await club.move(ANN, match_id, "c3")
    await club.worker.drain()
    await passes(club, seconds=20)
    assert await told(club) == 0
    assert words_of_vacation(club) == []
    assert len(club.discord.holidays) == 1


@pytest.mark.parametrize("way", [NoticeWay.DIRECT, NoticeWay.MENTION])
async def test_without_a_match_there_are_direct_messages_alone(club: Club, way: NoticeWay) -> None:
    await club.choose(CYD, way=way)
    await leave(club, CYD, days=1)
    await passes(club, days=1)
    assert await told(club) == (way is NoticeWay.DIRECT)


async def test_who_ends_it_by_hand_is_not_told(club: Club) -> None:
    await begun(club)
    await leave(club, days=3)
    await passes(club, days=1)
    await club.vacations.end(ANN.user_id, club.click())
    await passes(club, days=9)
    await told(club)
    assert club.discord.holidays == []


async def test_only_old_vacations_are_forgotten(store: Store, club: Club) -> None:
    await leave(club, days=3)
    await passes(club, days=200)
    await club.vacations.tidy()
    assert len(await store.read(vacations.vacations_of, ANN.user_id)) == 1
    await passes(club, days=700)
    await club.vacations.tidy()
    assert await store.read(vacations.vacations_of, ANN.user_id) == ()


async def test_old_outages_are_forgotten_once_no_clock_is_as_old(store: Store, club: Club) -> None:
    match_id = await begun(club)
    outage = Outage(EVERYWHERE, START + timedelta(hours=1), START + timedelta(hours=2))
    await store.write(presence.note_outages, (outage,))
    club.clock.forward(days=900)
    await club.vacations.tidy()
    assert await store.read(presence.newest_outages, 9) == (outage,)
    await refused("time_over", club.resign(ANN, match_id))
    await club.vacations.tidy()
    assert await store.read(presence.newest_outages, 9) == ()
