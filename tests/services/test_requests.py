"""Notices of draws, takebacks and pauses: to all players, once, in their way."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.clock import TimeControl
from bot.domain.history import verify
from bot.domain.ids import MatchId
from bot.domain.match import Actor, Match, MatchStatus, Scope
from bot.domain.preferences import NoticeWay
from bot.domain.quiet_hours import QuietHours
from bot.domain.request_rules import LAST
from bot.domain.requests import RequestKind, find
from bot.errors import UserError
from bot.posts.notices import RequestNews
from bot.posts.sending import Retry
from bot.services.match_changes import Answer
from bot.services.timeouts import sweep_requests
from bot.store import Store, match_feed, outbox, presence, transactions
from bot.store import transactions as stored_transactions
from bot.store.errors import StoreUnavailable
from tests.support.databases import answer_instead, both
from tests.support.kit import ANN, BOB, CYD, DAN, GUILD, START, Club, head, refused
from tests.support.not_none import not_none

DRAW, TAKEBACK, PAUSE = RequestKind.DRAW, RequestKind.TAKEBACK, RequestKind.PAUSE
CLOCK = TimeControl(timedelta(days=9), per_move=True)
TWO_HOURS_LATER = ((START.hour + 2) % 24, (START.hour + 4) % 24)


class Table:
    """A match of a club, and what its players have been told since it was last asked."""

    def __init__(self, club: Club, match_id: MatchId) -> None:
        self.club, self.id = club, match_id
        self._seen = 0

    @classmethod
    async def laid(cls, store: Store, *others: Any, moves: str = "", **more: Any) -> Table:
        club = Club(store)
        table = cls(club, await club.start(*others, **more))
        await club.play(table.id, moves)
        await table.told()
        return table

    @classmethod
    async def of_two_left(cls, store: Store, **choices: Any) -> Table:
        """A table of four, in which Ann, who has chosen so, and Bob have not given up."""
        table = await cls.laid(store, BOB, CYD, DAN, game="pythagoras", options={"seats": "4"})
        await table.club.choose(ANN, **choices)
        for actor in (CYD, DAN):
            await table.club.resign(actor, table.id)
        await table.told()
        return table

    async def told(self) -> list[tuple[str, int]]:
        """The notices since then, with their player indices."""
        await self.club.worker.drain()
        told = [(each.notice.value, each.player) for each in self.club.discord.told]
        new, self._seen = told[self._seen :], len(told)
        return new

    async def match(self) -> Match:
        return await head(self.club.store, self.id)

    async def ask(self, actor: Actor, wish: RequestKind) -> Answer:
        return await self.club.ask(actor, self.id, wish)

    async def answer(self, actor: Actor, wish: RequestKind, **more: Any) -> Answer:
        return await self.club.answer(actor, self.id, wish, **more)

    async def withdraw(self, actor: Actor, wish: RequestKind) -> Answer:
        return await self.club.retract(actor, self.id, wish)

    async def holds(self) -> bool:
        match = await self.match()
        verify(
            match, await self.club.store.read(stored_transactions.history, self.id, Scope(GUILD))
        )
        return True


async def test_a_takeback_is_stored_told_once_and_shown_on_a_board(store: Store) -> None:
    table = await Table.laid(store, moves="a1 b2")
    assert (await table.ask(BOB, TAKEBACK)).code == "takeback_asked"
    assert await table.told() == [("takeback_asked", 0)]
    boards = len(table.club.discord.boards(table.id))
    answer = await table.answer(ANN, TAKEBACK, accept=True)
    assert (answer.code, answer.match.ply) == ("takeback_agreed", 1)
    assert await table.told() == [("takeback_agreed", 1)]
    shown = table.club.discord.boards(table.id)
    assert len(shown) == boards, "the board of the move taken back has gone"
    assert [each.version for each in shown][-1] == answer.match.version
    match = await table.match()
    assert (match.last_move, match.requests, match.lapses_at) == ("a1", (), None)
    await table.club.play(table.id, "c3")
    kinds = [each.kind for each in table.club.discord.messages.values()]
    assert "takeback_agreed" in kinds
    assert "turn" not in kinds, "the line that called for it has gone"
    assert await table.told() == [("turn", 0)]
    assert await table.holds()


@pytest.mark.long
@pytest.mark.parametrize("wish", list(RequestKind))
async def test_a_no_and_a_withdrawal_are_heard(store: Store, wish: RequestKind) -> None:
    table = await Table.laid(store, moves="a1 b2", clock=CLOCK)
    await table.ask(ANN, wish)
    assert await table.told() == [(f"{wish.value}_asked", 1)]
    await table.answer(BOB, wish, accept=False)
    assert await table.told() == [(f"{wish.value}_declined", 0)]
    await table.club.play(table.id, "c3 a2")
    await table.told()
    await table.ask(ANN, wish)
    assert await table.told() == [(f"{wish.value}_asked", 1)]
    await table.withdraw(ANN, wish)
    assert await table.told() == [], "its own message says so"
    assert (table.id, 1, RequestNews.WITHDRAWN) in table.club.discord.closed_requests
    assert await table.holds()


async def test_who_is_not_looking_there_still_hears_of_a_withdrawal(store: Store) -> None:
    table = await Table.laid(store, moves="a1 b2", clock=CLOCK)
    await table.club.choose(BOB, way=NoticeWay.DIRECT)
    await table.ask(ANN, DRAW)
    await table.told()
    await table.withdraw(ANN, DRAW)
    assert await table.told() == [("draw_withdrawn", 1)]


async def test_a_table_of_four_ends_with_one_message_for_all_who_read_there(store: Store) -> None:
    table = await Table.laid(store, BOB, CYD, DAN, game="pythagoras", options={"seats": "4"})
    club = table.club
    await club.choose(BOB, way=NoticeWay.DIRECT)
    match = await table.match()
    people = {each.user_id: each for each in (ANN, BOB, CYD, DAN)}
    seated = [people[not_none(user)] for user in match.players]
    for actor in seated[1:]:
        if actor is not BOB:
            await club.resign(actor, table.id)
    await table.told()
    await club.resign(BOB, table.id)
    assert await table.told() == [], "the board calls them"
    assert club.discord.pinged == (ANN.user_id,)


async def test_a_last_board_that_another_takes_the_place_of_leaves_it_to_call(store: Store) -> None:
    table = await Table.of_two_left(store)
    club = table.club
    club.discord.trouble.append(("post_board", Retry(60)))
    await club.resign(BOB, table.id)
    assert await table.told() == []
    await store.write(match_feed.show_again, table.id, club.clock.now())
    assert await table.told() == [], "the board calls them"
    assert club.discord.pinged == (ANN.user_id,)


async def test_a_last_board_in_quiet_hours_wakes_nobody(store: Store) -> None:
    table = await Table.of_two_left(store, quiet=QuietHours(*TWO_HOURS_LATER))
    club = table.club
    # Discord is away when it ends, and there again two hours later.
    club.discord.trouble.extend([("post_board", Retry(after=7200.0))])
    await club.resign(BOB, table.id)
    assert await table.told() == []
    club.clock.forward(hours=2)
    assert await table.told() == []
    assert club.discord.pinged == ()
    club.clock.forward(hours=2)
    index = (await table.match()).index_of(ANN.user_id)
    assert await table.told() == [("over", index)]


@both
async def test_who_was_called_is_not_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await Table.of_two_left(store, quiet=QuietHours(*TWO_HOURS_LATER))
    club = table.club

    async def killed(*_: object) -> None:
        raise StoreUnavailable("killed")

    # The process dies once the board is there, before anything is written of it.
    with monkeypatch.context() as dying:
        answer_instead(dying, store, outbox.settle, killed)
        await club.resign(BOB, table.id)
        await table.told()
    assert club.discord.pinged == (ANN.user_id,)
    club.clock.forward(hours=2.5)
    assert await table.told() == []
    club.clock.forward(hours=2)
    assert await table.told() == [], "the board has told it"


async def test_who_reads_direct_messages_hears_there_of_the_end(store: Store) -> None:
    table = await Table.of_two_left(store, way=NoticeWay.DIRECT)
    await table.club.resign(BOB, table.id)
    index = (await table.match()).index_of(ANN.user_id)
    assert await table.told() == [("over", index)]
    assert table.club.discord.pinged == ()


async def test_what_nobody_answers_lapses_at_its_time_and_its_message_says_so(store: Store) -> None:
    table = await Table.laid(store, moves="a1 b2", clock=CLOCK)
    for wish in RequestKind:
        await table.ask(ANN, wish)
    await table.told()
    table.club.clock.forward(seconds=LAST.total_seconds() - 1)
    assert await sweep_requests(store, table.club.clock) == 0
    table.club.clock.forward(seconds=1)
    await refused("request_gone", table.answer(BOB, DRAW, accept=True))
    swept = await asyncio.gather(*(sweep_requests(store, table.club.clock) for _ in range(2)))
    assert sum(swept) == 1
    assert await table.told() == [], "the messages of the requests say so"
    closed = table.club.discord.closed_requests
    assert closed == [(table.id, 1, RequestNews.LAPSED)] * len(RequestKind)
    assert (await table.match()).requests == ()
    assert await sweep_requests(store, table.club.clock) == 0
    assert await table.holds()


async def test_of_three_who_agrees_before_the_last_disturbs_nobody(store: Store) -> None:
    options = {"players": 3, "size": 5}
    table = await Table.laid(store, BOB, CYD, options=options, clock=CLOCK)
    people = {each.user_id: each for each in (ANN, BOB, CYD)}
    first, second, third = (people[not_none(user)] for user in (await table.match()).players)
    await table.ask(first, PAUSE)
    assert sorted(await table.told()) == [("pause_asked", 1), ("pause_asked", 2)]
    await table.answer(second, PAUSE, accept=True)
    assert await table.told() == []
    assert not_none(find((await table.match()).requests, PAUSE)).agreed == (0, 1)
    await table.answer(third, PAUSE, accept=True)
    assert sorted(await table.told()) == [("paused", 0), ("paused", 1)]
    await table.club.resume(second, table.id)
    assert sorted(await table.told()) == [("resumed", 0), ("resumed", 2)]


async def test_a_paused_match_has_no_deadline_in_the_store_until_it_goes_on(store: Store) -> None:
    table = await Table.laid(store, moves="a1 b2", clock=CLOCK)
    assert await store.read(presence.next_deadline) is not None
    await table.ask(ANN, PAUSE)
    await table.answer(BOB, PAUSE, accept=True)
    assert await store.read(presence.next_deadline) is None
    table.club.clock.forward(days=100)
    await table.club.resume(ANN, table.id)
    match = await table.match()
    assert await store.read(presence.next_deadline) == match.deadline
    assert match.deadline == table.club.clock.at + CLOCK.bank
    assert await table.holds()


@both
async def test_of_both_who_press_at_once_one_asks_and_one_agrees(store: Store) -> None:
    table = await Table.laid(store, moves="a1 b2", clock=CLOCK)
    other = Club(store, table.club.clock, seed=9)
    answers = await asyncio.gather(
        table.ask(ANN, PAUSE),
        other.ask(BOB, table.id, PAUSE),
    )
    assert sorted(each.code for each in answers) == ["pause_agreed", "pause_asked"]
    assert (await table.match()).is_paused
    await other.worker.drain()
    assert await table.holds()


@pytest.mark.long
async def test_an_agreement_and_a_move_at_once_end_in_one_of_two_ways(club: Club) -> None:
    for number in range(4):
        table = Table(club, await club.start(BOB))
        await club.play(table.id, "a1 b2 c3")
        asked = await table.ask(ANN, TAKEBACK)
        version = asked.match.requests[0].version
        answers = await asyncio.gather(
            table.answer(BOB, TAKEBACK, accept=True, version=version),
            table.club.move(BOB, table.id, "c1"),
            return_exceptions=True,
        )
        match = await table.match()
        assert sum(isinstance(each, Exception) for each in answers) == 1, number
        assert match.ply in (2, 4)
        assert match.requests == ()
        assert await table.holds()


@both
async def test_a_matches_requests_come_back_from_the_store_as_they_were(store: Store) -> None:
    table = await Table.laid(store, moves="a1 b2", clock=CLOCK)
    for actor, wish in ((ANN, DRAW), (BOB, TAKEBACK), (BOB, PAUSE)):
        answer = await table.ask(actor, wish)
    assert (await table.match()).requests == answer.match.requests
    assert len(answer.match.requests) == 3
    database = store.database
    lapsing = await database.read(
        lambda c: transactions.lapsed_requests(c, table.club.clock.at + LAST, 9)
    )
    assert lapsing == (table.id,)
    await table.club.resign(ANN, table.id)
    match = await table.match()
    assert (match.status, match.requests) == (MatchStatus.FINISHED, ())
    assert (
        await store.read(stored_transactions.lapsed_requests, table.club.clock.at + LAST, 9) == ()
    )


async def test_what_was_declined_is_asked_again_only_after_two_moves(club: Club) -> None:
    match_id = await club.start(BOB)
    await club.play(match_id, "a1 b2")

    async def ask(actor: Actor, wish: RequestKind = RequestKind.TAKEBACK) -> Answer:
        return await club.ask(actor, match_id, wish)

    await ask(ANN)
    await club.answer(BOB, match_id, RequestKind.TAKEBACK, accept=False)
    with pytest.raises(UserError, match="asked_already") as told:
        await ask(ANN)
    assert told.value.params["more"] == 2
    assert (await ask(ANN, RequestKind.ABORT)).code == "abort_asked"
    await club.move(ANN, match_id, "c3")
    await refused("asked_already", ask(ANN))
    await club.move(BOB, match_id, "a2")
    await ask(ANN)
    await club.retract(ANN, match_id, RequestKind.TAKEBACK)
    assert (await ask(ANN)).code == "takeback_asked"
