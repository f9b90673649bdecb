"""Computers at play: everything once, whatever happens to the process that thinks for them."""

from __future__ import annotations

import contextlib
from collections import deque
from dataclasses import replace
from datetime import timedelta
from typing import Any, cast

import pytest

from bot.computers import store as jobs
from bot.computers.domain.hints import Found, FoundMove
from bot.computers.domain.questions import LEASE, ThinkingFailed, Thought
from bot.computers.domain.reviews import chances, moments, settled
from bot.domain.clock import TimeControl
from bot.domain.events import EventKind
from bot.domain.game_state import GameState
from bot.domain.ids import ChannelId, GuildId, MatchId
from bot.domain.match import Actor, MatchStatus, Place
from bot.domain.playthrough import play_through
from bot.domain.requests import RequestKind
from bot.errors import UserError
from bot.services.pairing import Limits
from bot.store import Store, transactions
from bot.store.errors import StoreUnavailable
from games.search import Search
from tests.computers.thinking_here import ThinkerHere, computers_of, level, play_first_moves
from tests.support.databases import both
from tests.support.kit import ANN, BOB, CYD, PLACE, Club, person, refused
from tests.support.not_none import not_none


async def whole(club: Club, match_id: MatchId, who: Actor = ANN) -> Any:
    """The match and its history."""
    match = await club.service.match(who, match_id)
    return match, await club.store.read(transactions.history, match_id, who.scope)


async def test_what_failed_is_asked_again_and_thought_about_less_at_last(club: Club) -> None:
    match_id = (await club.offer(level(3))).match.id
    await club.move(ANN, match_id, "a1")
    thinker = ThinkerHere(trouble=deque(ThinkingFailed("killed") for _ in range(3)))
    computers = computers_of(club, thinker)
    for _ in range(3):
        assert await computers.work_once()
        assert not await computers.work_once()
        club.clock.forward(minutes=1)
    assert await computers.work_once()
    assert [each.attempt for each in thinker.asked] == [0, 1, 2, 3]
    assert len({each.seed for each in thinker.asked}) == 1
    match, _ = await whole(club, match_id)
    assert match.ply == 2


class Killed(BaseException):
    """The process is gone."""


class DyingStore:
    """A store whose process dies, or cannot reach it, at the call of that number."""

    def __init__(self, store: Store, at: int, *, after: bool, error: BaseException) -> None:
        self._store, self._left, self._after, self._error = store, at, after, error

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        if not callable(method):
            return method

        async def called(*args: Any, **named: Any) -> Any:
            self._left -= 1
            if self._left == 0 and not self._after:
                raise self._error
            found = await method(*args, **named)
            if self._left == 0:
                raise self._error
            return found

        return called


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("error", [Killed(), StoreUnavailable("away")], ids=["killed", "away"])
async def test_killed_at_any_instant_every_move_is_played_once(
    store: Store, club: Club, after: bool, error: BaseException
) -> None:
    human = await club.start(BOB, by=CYD)
    before = replace(await club.service.match(CYD, human), home_id=None)
    for at in range(1, 9):
        match_id = (await club.offer(level(2))).match.id
        await club.move(ANN, match_id, "a1")
        dying = cast("Store", DyingStore(store, at, after=after, error=error))
        club.service.store = dying
        with contextlib.suppress(Killed, StoreUnavailable):
            await computers_of(club, store=dying).work_once()
        club.service.store = store
        club.clock.forward(seconds=LEASE.total_seconds() + 5)
        computers = computers_of(club)
        while await computers.work_once():
            pass
        _, events = await whole(club, match_id)
        moves = [event for event in events if event.kind is EventKind.MOVED]
        assert [event.player for event in moves] == [0, 1], at
        await club.resign(ANN, match_id)
    assert replace(await club.service.match(CYD, human), home_id=None) == before


async def test_a_person_who_is_faster_is_not_overruled(store: Store, club: Club) -> None:
    match_id = (await club.offer(level(2))).match.id
    await club.move(ANN, match_id, "a1")
    job = await store.write(jobs.claim, club.clock.now(), club.clock.now() + LEASE)
    await club.resign(ANN, match_id)
    assert not await store.write(jobs.finish, not_none(job))
    assert not await computers_of(club).work_once()
    match, _ = await whole(club, match_id)
    assert match.status is MatchStatus.FINISHED


async def test_a_lease_that_ran_out_leaves_only_one_move(club: Club) -> None:
    """A slow process goes on with a job that has been done again meanwhile."""
    match_id = (await club.offer(level(2))).match.id
    await club.move(ANN, match_id, "a1")

    class Slow(ThinkerHere):
        async def think(self, question: Any) -> Thought:
            club.clock.forward(minutes=5)
            assert await computers_of(club).work_once()
            return await super().think(question)

    await computers_of(club, Slow()).work_once()
    match, _ = await whole(club, match_id)
    assert match.ply == 2
    assert not await computers_of(club).work_once()


async def test_nobody_waits_behind_anothers_many_matches(store: Store, club: Club) -> None:
    order = []
    for number in range(4):
        place = Place(GuildId(900), ChannelId(1000 + number))
        answer = await club.offer(level(1), place=place)
        await club.move(ANN, answer.match.id, "b2")
    elsewhere = Place(GuildId(901), ChannelId(2000))
    dan = person(4, guild=GuildId(901))
    for who, place in ((BOB, PLACE), (dan, elsewhere)):
        club.clock.forward(seconds=1)
        answer = await club.offer(level(1), by=who, place=place)
        await club.move(who, answer.match.id, "b2")
    for _ in range(6):
        club.clock.forward(seconds=1)
        job = await store.write(jobs.claim, club.clock.now(), club.clock.now() + LEASE)
        assert await store.write(jobs.finish, not_none(job))
        order.append(not_none(job).user_id)
    assert order == [ANN.user_id, dan.user_id, BOB.user_id, ANN.user_id, ANN.user_id, ANN.user_id]


@pytest.mark.long
async def test_what_computers_are_asked_for(club: Club) -> None:
    computers = computers_of(club, thinker := ThinkerHere())
    match_id = (
        await club.offer(level(2), clock=TimeControl(timedelta(minutes=10)), options={"size": 5})
    ).match.id
    await club.move(ANN, match_id, "a1")
    await computers.work_once()
    await club.ask(ANN, match_id, RequestKind.TAKEBACK)
    await computers.work_once()
    match, _ = await whole(club, match_id)
    assert (match.ply, match.requests) == (0, ())
    await club.ask(ANN, match_id, RequestKind.PAUSE)
    await computers.work_once()
    match, _ = await whole(club, match_id)
    assert match.is_paused
    await club.move(ANN, match_id, "a1")
    await computers.work_once()
    await club.ask(ANN, match_id, RequestKind.DRAW)
    thinker.thought = Thought(accepts=True)
    await computers.work_once()
    match, _ = await whole(club, match_id)
    assert match.result is not None
    assert match.result.winners == ()


async def test_a_computer_resigns_and_offers_draws_without_pestering(club: Club) -> None:
    computers = computers_of(club, thinker := ThinkerHere())
    match_id = (await club.offer(level(3), options={"size": 5})).match.id
    await club.move(ANN, match_id, "a1")
    thinker.thought = Thought("e5", offers_draw=True)
    await computers.work_once()
    match, events = await whole(club, match_id)
    assert [event.kind.value for event in events[-2:]] == ["draw_offered", "moved"]
    await club.move(ANN, match_id, "a2")
    thinker.thought = Thought("e4", offers_draw=True)
    await computers.work_once()
    match, events = await whole(club, match_id)
    assert events[-2].kind is EventKind.MOVED
    assert match.requests == ()
    await club.move(ANN, match_id, "c3")
    thinker.thought = Thought("e3", resigns=True)
    await computers.work_once()
    match, _ = await whole(club, match_id)
    assert match.result is not None
    assert match.result.winners == (0,)


async def test_a_person_has_so_many_matches_against_computers_and_the_host_so_much_to_do(
    store: Store,
) -> None:
    club = Club(store, limits=Limits(computer_matches=2, computers_waiting=3, running=10))
    for _ in range(2):
        await club.offer(level(1))
    assert await refused("computer_matches", club.offer(level(1))) == {"most": 2}
    await club.offer(BOB)
    for number in range(2):
        answer = await club.offer(level(1), by=person(50 + number))
        await club.move(person(50 + number), answer.match.id, "b2")
    elsewhere = person(52, guild=GuildId(99))
    theirs = await club.offer(
        Actor(level(1).user_id, GuildId(99)), by=elsewhere, place=Place(GuildId(99), ChannelId(991))
    )
    await club.move(elsewhere, theirs.match.id, "b2")
    await refused("computers_busy", club.offer(level(1), by=CYD))
    assert (await computers_of(club).queue()).waiting == 3


async def test_one_server_has_half_of_what_waits_for_computers_and_one_place_to_think(
    store: Store,
) -> None:
    club = Club(store, limits=Limits(computer_matches=9, computers_waiting=4, running=10))
    for number in range(2):
        answer = await club.offer(level(1), by=person(50 + number))
        await club.move(person(50 + number), answer.match.id, "b2")
    await refused("computers_busy_here", club.offer(level(1), by=CYD))
    elsewhere = Actor(person(60).user_id, GuildId(99))
    there = Place(GuildId(99), ChannelId(991))
    theirs = (
        await club.offer(Actor(level(1).user_id, GuildId(99)), by=elsewhere, place=there)
    ).match
    await club.move(elsewhere, theirs.id, "b2")
    now = club.clock.now()
    first = await store.write(jobs.claim, now, now + LEASE)
    second = await store.write(jobs.claim, now, now + LEASE)
    assert not_none(second).match_id == theirs.id, "another server comes first"
    assert await store.write(jobs.claim, now, now + LEASE) is None, "each has one at a time"
    assert await store.write(jobs.finish, not_none(first))
    assert (not_none(await store.write(jobs.claim, now, now + LEASE))).match_id != theirs.id


async def test_computers_play_ten_moves_a_minute_against_one_person(club: Club) -> None:
    computers = computers_of(club, moves_a_minute=2)
    match_id = (await club.offer(level(1))).match.id
    for _ in range(2):
        await play_first_moves(club, ANN, match_id)
        assert not computers.rests(ANN.user_id)
        await computers.work_once()
    await play_first_moves(club, ANN, match_id)
    before = (await club.service.match(ANN, match_id)).version
    assert computers.rests(ANN.user_id)
    await computers.work_once()
    assert (await club.service.match(ANN, match_id)).version == before
    assert not await computers.work_once(), "it is put off, and nothing spins"
    club.clock.forward(seconds=30)
    await computers.work_once()
    assert (await club.service.match(ANN, match_id)).version > before


async def test_about_as_strong_as_the_last_match_says(club: Club) -> None:
    assert await club.ratings.computer_for(ANN.user_id, "rows") == 2
    match_id = (await club.offer(level(4))).match.id
    await club.move(ANN, match_id, "a1")
    await club.resign(ANN, match_id)
    assert await club.ratings.computer_for(ANN.user_id, "rows") == 3
    assert await club.ratings.computer_for(ANN.user_id, "quax") == 2
    assert await club.ratings.computer_for(BOB.user_id, "rows") == 2


@pytest.mark.long
async def test_a_review_is_worked_out_once_and_in_turns(club: Club) -> None:
    thinker = ThinkerHere()
    computers = computers_of(club, thinker)
    match_id = await club.start(BOB, options={"size": 4})
    await refused("review_over", computers.review(ANN, match_id))
    await club.play(match_id, "a1 d4 b1 d3 c1")
    await refused("no_such_match", computers.review(person(9, guild=GuildId(5)), match_id))
    for who in (ANN, BOB, ANN):
        assert len((await computers.review(who, match_id)).moves) == 0

    class Slow(ThinkerHere):
        async def think(self, question: Any) -> Thought:
            club.clock.forward(seconds=3)
            return await super().think(question)

    slow = Slow(trouble=deque([ThinkingFailed("killed")]))
    turns = 0
    while await computers_of(club, slow).work_once():
        turns += 1
        club.clock.forward(minutes=1)
    review = await computers.review(BOB, match_id)
    assert review.is_done
    first = [each.plies for each in slow.asked if each.about == "review"]
    again = [each.plies for each in slow.asked if each.about == "moment"]
    assert turns == len(slow.asked)
    assert first == [0, 0, 1, 2, 3, 4]
    assert again
    assert len(again) == len(set(again))
    assert review.moves[4].proof == "win"
    asked = len(slow.asked)
    await computers.review(ANN, match_id)
    assert not await computers.work_once()
    assert len(slow.asked) == asked


@pytest.mark.long
@both
async def test_reviews_of_one_person_leave_room_for_those_of_others(
    store: Store, club: Club
) -> None:
    matches = []
    for _ in range(jobs.MOST_REVIEWS_OF_ONE + 1):
        matches.append(await club.start(BOB, options={"size": 4}))
        await club.play(matches[-1], "a1 d4 b1 d3 c1")
    computers = computers_of(club)
    for match_id in matches[:-1]:
        await computers.review(ANN, match_id)
    with pytest.raises(UserError) as caught:
        await computers.review(ANN, matches[-1])
    most = jobs.MOST_REVIEWS_OF_ONE
    assert (caught.value.code, caught.value.params) == ("reviews_waiting", {"most": most})
    first, second = [await computers.review(ANN, each) for each in matches[:2]]
    assert not first.moves, "it has been asked for already"
    assert (first.ahead, second.ahead) == (0, 1)
    assert not (await computers.review(BOB, matches[-1])).moves
    now = club.clock.now()
    job = not_none(await store.write(jobs.claim, now, now + LEASE))
    assert job.match_id == matches[0]
    found = {each: (await computers.review(ANN, each)).ahead for each in matches}
    assert found[matches[0]] == 0, "it is being looked at"
    assert sorted(found.values()) == list(range(most + 1))


@pytest.mark.long
async def test_no_move_of_a_won_end_is_called_a_mistake_or_made_a_puzzle(club: Club) -> None:
    computers = computers_of(club, ThinkerHere(is_quick=False))
    match_id = await club.start(BOB, game="quax", options={"size": 7, "pie": "off"})
    moves = "d4 e5 d5 d6 c4 d6e5 b4 c7 a4 f4 e4 f3 e3 f2 e2 f1 e1 g7 a1 e5f4 a2 d7"
    await club.play(match_id, moves)
    await computers.review(ANN, match_id)
    while await computers.work_once():
        club.clock.forward(minutes=1)
    match, events = await whole(club, match_id)
    found = await computers.review(ANN, match_id)
    played = play_through(match, events)
    review = settled(found, played)
    game = played.table.game
    winner = match.winners[0]
    chosen = moments(review)
    for ply in range(14, played.plies):
        # By the rules alone, while that is quick: the winner wins with two more moves or fewer.
        then = played.positions[ply + 1]
        own = 2 if ply >= 17 else 0
        if played.mover(ply) == winner and Search(game, played.seats[ply]).wins_within(then, own):
            assert review.moves[ply].loss == 0
            assert ply not in chosen
            assert not review.moves[ply].is_only
    graph = chances(review, [played.mover(ply) for ply in range(played.plies)], winner)
    for ply in chosen:
        fall = graph[ply] - graph[ply + 1]
        assert (fall if played.mover(ply) == winner else -fall) >= 0.09, "the graph shows it"


@pytest.mark.slow
async def test_a_job_that_only_takes_turns_is_not_one_that_failed(store: Store, club: Club) -> None:
    match_id = await club.start(BOB, options={"size": 4})
    await club.play(match_id, "a1 d4 b1 d3 c1")
    await computers_of(club).review(ANN, match_id)
    for anew, attempts in ((False, 1), (True, 0)):
        now = club.clock.now()
        job = not_none(await store.write(jobs.claim, now, now + LEASE))
        await store.write(jobs.put_off, job, now, anew=anew)
        again = not_none(await store.write(jobs.claim, now, now + LEASE))
        assert again.attempts == attempts
        await store.write(jobs.put_off, again, now, anew=True)


@pytest.mark.long
async def test_a_review_goes_on_where_another_process_stopped(store: Store, club: Club) -> None:
    match_id = await club.start(BOB, options={"size": 4})
    await club.play(match_id, "a1 d4 b1 d3 c1")
    await computers_of(club).review(ANN, match_id)
    for at in range(1, 12):
        dying = cast("Store", DyingStore(store, at, after=at % 2 == 0, error=Killed()))
        with contextlib.suppress(Killed):
            await computers_of(club, store=dying).work_once()
        club.clock.forward(seconds=LEASE.total_seconds() + 5)
    while await computers_of(club).work_once():
        club.clock.forward(minutes=1)
    review = await computers_of(club).review(ANN, match_id)
    assert review.is_done
    assert len(review.moves) == 5


async def test_a_match_against_a_computer_can_begin_with_another_position(club: Club) -> None:
    match_id = await club.start(BOB, options={"size": 4})
    match = await club.play(match_id, "a1 d4 b1")
    await refused("start_for_computers", club.offer(CYD, options={"size": 4}, start=match.state))
    answer = await club.offer(level(1), options={"size": 4}, start=match.state, seat=1)
    assert answer.code == "started"
    assert answer.match.state == match.state
    await club.move(ANN, answer.match.id, "d3")
    assert await computers_of(club).work_once()
    after, _ = await whole(club, answer.match.id)
    assert after.ply == 2
    over = await club.play(match_id, "d3 c1")
    await refused("match_over", club.offer(level(1), options={"size": 4}, start=over.state))


async def line_of(club: Club, match_id: MatchId, *, without: int = 0) -> tuple[GameState, Any]:
    """A match as a player may have written it down, without its last moves."""
    match = await club.service.match(ANN, match_id)
    events = await club.store.read(transactions.history, match_id, ANN.scope)
    played = play_through(match, events)
    line = played.positions[: played.plies + 1 - without]
    return replace(played.table, position=line[-1]), line


async def test_a_refusal_of_help_says_what_keeps_the_computer(club: Club) -> None:
    class Asked(ThinkerHere):
        async def think(self, question: Any) -> Thought:
            await refused("still_thinking", help_ann())
            return await super().think(question)

    computers = computers_of(club, Asked(thought=Thought("a2")))
    match_id = await club.start(BOB, options={"size": 4})
    match = await club.service.match(ANN, match_id)
    table, line = await line_of(club, match_id)

    async def help_ann() -> None:
        await computers.analyse(ANN.user_id, match, table, line, 0)

    await help_ann()
    await club.resign(ANN, match_id)
    await refused("review_empty", computers.review(ANN, match_id))


async def test_no_help_with_a_match_that_one_plays_without_hints(club: Club) -> None:
    computers = computers_of(club, ThinkerHere(thought=Thought("a2")))

    async def ask(who: Actor, of: MatchId, *, without: int = 0) -> str:
        match = await club.service.match(ANN, of)
        table, line = await line_of(club, of, without=without)
        try:
            await computers.analyse(who.user_id, match, table, line, len(line) - 1)
        except UserError as error:
            return error.code
        return "helped"

    running = await club.start(BOB, options={"size": 4})
    await club.play(running, "a1 d4 b1")
    assert await ask(ANN, running) == "helped", "an opening is theirs to study"
    await club.play(running, "d3")
    for who in (ANN, BOB):
        assert await ask(who, running) == "still_played"
        assert await ask(who, running, without=1) == "still_played", "its answer would be shown"
        assert await ask(who, running, without=2) == "helped"
    # The same moves with a friend, where both have agreed to hints, are the same position.
    friendly = await club.start(CYD, options={"size": 4}, hints=True)
    people = (ANN, CYD)
    await club.play_as(people, friendly, "a1 d4 b1 d3")
    assert await ask(ANN, friendly) == "still_played"
    assert await ask(CYD, friendly) == "helped", "Cyd plays no such match"
    await club.play_as(people, friendly, "a3")
    assert await ask(ANN, friendly) == "still_played", "it goes on from that position"
    await club.play(running, "a4 c4")
    assert await ask(ANN, friendly) == "helped", "the two have parted"
    assert await ask(ANN, running) == "still_played"
    await club.resign(ANN, running)
    assert await ask(ANN, running) == "helped"


async def test_no_review_of_a_match_that_another_one_repeats(club: Club) -> None:
    found = Found((FoundMove("a1", 0.5),))
    computers = computers_of(club, ThinkerHere(thought=Thought(found=found)))
    over = await club.start(BOB, options={"size": 4})
    await club.play(over, "a1 d4 b1 d3 c1")
    await computers.review(ANN, over)
    while await computers.work_once():
        pass
    running = await club.start(BOB, options={"size": 4})
    await club.play(running, "a1 d4 b1")
    assert (await computers.review(ANN, over)).is_done
    await club.play(running, "d3")
    await refused("still_played", computers.review(ANN, over))
    await club.play(running, "a4 c4")
    assert (await computers.review(ANN, over)).is_done
