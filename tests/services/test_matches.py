"""Actions of people on matches."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.history import verify
from bot.domain.ids import ChannelId, GuildId, MatchId
from bot.domain.match import MatchStatus, Place, Scope, Venue
from bot.domain.requests import RequestKind
from bot.errors import UserError
from bot.store import Store, transactions
from bot.store.transactions import Loaded
from games.errors import IllegalMove
from tests.support.databases import answer_instead, both
from tests.support.kit import ANN, BOB, CHANNEL, CYD, GUILD, Club, person, refused


async def test_forty_simultaneous_moves_one_is_accepted_and_39_are_told_why(club: Club) -> None:
    match_id = await club.start(BOB, options={"size": 5})
    match = await club.service.match(ANN, match_id)
    cells = [f"{file}{rank}" for file in "abcde" for rank in "12345"] * 2
    results = await asyncio.gather(
        *(club.move(ANN, match_id, cell, expected_version=match.version) for cell in cells[:40]),
        return_exceptions=True,
    )
    accepted = [result for result in results if not isinstance(result, Exception)]
    codes = [result.code for result in results if isinstance(result, UserError)]
    assert len(accepted) == 1
    assert len(codes) == 39
    # Asked for the same cell a second time, Ann hears that it is played; else, what has happened.
    assert set(codes) <= {"position_changed", "already_played"}
    after = await club.service.match(ANN, match_id)
    assert (after.version, after.ply) == (match.version + 1, 1)


async def test_the_same_interaction_is_carried_out_once_and_answered_alike(store: Store) -> None:
    club, other = Club(store), Club(store, seed=8)
    match_id = await club.start(BOB)
    click = club.click()
    answers = await asyncio.gather(
        *(
            each.service.move(ANN, match_id, text="b2", interaction_id=click)
            for each in (club, other, club, other, club)
        )
    )
    assert {(answer.code, answer.params["move"]) for answer in answers} == {("moved", "b2")}
    assert sorted(answer.repeated for answer in answers) == [False, True, True, True, True]
    assert {answer.match.version for answer in answers} == {3}
    await club.play(match_id, "a1 c1")
    later = await club.service.move(ANN, match_id, text="b2", interaction_id=click)
    assert (later.code, later.params, later.repeated) == ("moved", {"move": "b2"}, True)
    assert later.match.version == 5


@both
async def test_no_move_is_played_on_a_head_that_was_left_behind(store: Store) -> None:
    club, other = Club(store), Club(store, seed=8)
    match_id = await club.begun(BOB, options={"size": 5, "pie": "off"})
    await club.move(ANN, match_id, "a1")
    # What the one process remembers, the other does not know of, and the other way round.
    await other.move(BOB, match_id, "b1")
    await other.move(ANN, match_id, "c1")
    await refused("not_your_turn", club.move(ANN, match_id, "d1"))
    assert (await club.move(BOB, match_id, "d1")).match.ply == 4
    with pytest.raises(IllegalMove):
        await other.move(ANN, match_id, "d1")
    await other.ask(ANN, match_id, RequestKind.DRAW)
    answer = await club.answer(BOB, match_id, RequestKind.DRAW, accept=False)
    assert answer.code == "draw_refused"
    assert (await other.move(ANN, match_id, "e1")).match.recent[-5:] == (
        "a1",
        "b1",
        "c1",
        "d1",
        "e1",
    )
    match = await club.service.match(ANN, match_id)
    verify(match, await store.read(transactions.history, match_id, ANN.scope))


async def test_others_cannot_see_or_touch_a_match_of_another_server(club: Club) -> None:
    match_id = await club.start(BOB)
    stranger = person(77, guild=GuildId(1))
    service = club.service
    for question in (
        service.match(stranger, match_id),
        service.history(stranger, match_id),
        club.resign(stranger, match_id),
        service.accept(stranger, match_id, interaction_id=club.click()),
        club.move(stranger, match_id, "a1"),
        service.show_again(stranger, match_id),
        service.match(ANN, MatchId("nosuchid22")),
        service.move(ANN, MatchId("-1"), text="a1", interaction_id=club.click()),
    ):
        await refused("no_such_match", question)
    assert await service.running_in(stranger, CHANNEL) == ()
    neighbour = person(77)
    assert (await service.match(neighbour, match_id)).id == match_id
    await refused("not_a_player", club.move(neighbour, match_id, "a1"))
    # Players reach their matches from anywhere.
    abroad = person(ANN.user_id, guild=GuildId(1))
    assert (await club.move(abroad, match_id, "a1")).code == "moved"


async def test_one_running_match_in_a_channel_without_threads(club: Club) -> None:
    waiting = await club.offer(BOB, by=CYD, venue=Venue.CHANNEL)
    running = await club.start(BOB, venue=Venue.CHANNEL)
    assert await refused("channel_busy", club.offer(BOB, venue=Venue.CHANNEL)) == {"match": running}
    await refused("channel_busy", club.accept(BOB, waiting.match.id))
    found = await club.service.running_in(BOB, CHANNEL)
    assert [match.id for match in found] == [running]
    await club.resign(ANN, running)
    answer = await club.accept(BOB, waiting.match.id)
    assert answer.code == "started"


async def test_matches_in_a_channel_and_of_a_person(club: Club) -> None:
    first = await club.start(BOB)
    second = await club.start(CYD, by=BOB)
    offered = await club.offer(CYD, place=Place(GuildId(5), ChannelId(6)))
    await club.worker.drain()
    threads = {match.home_id for match in await club.service.matches_of(BOB.user_id)}
    assert len(threads) == 2
    assert None not in threads
    in_channel = await club.service.running_in(CYD, CHANNEL)
    assert [match.id for match in in_channel] == [second, first]
    home = (await club.service.match(ANN, first)).home_id
    assert home is not None
    assert [match.id for match in await club.service.running_in(ANN, home)] == [first]
    assert {match.id for match in await club.service.matches_of(CYD.user_id)} == {
        second,
        offered.match.id,
    }
    await club.resign(ANN, first)
    assert {match.id for match in await club.service.matches_of(ANN.user_id)} == {offered.match.id}


async def test_direct_messages_need_named_people_and_stay_among_them(club: Club) -> None:
    ann = person(ANN.user_id, guild=None)
    bob = person(BOB.user_id, guild=None)
    direct = Place(None, ChannelId(33))
    await refused("direct_needs_people", club.offer(by=ann, place=direct, venue=Venue.DIRECT))
    offered = await club.offer(bob, by=ann, place=direct, venue=Venue.DIRECT)
    eve = person(66, guild=None)
    await refused("no_such_match", club.service.match(eve, offered.match.id))
    await club.accept(bob, offered.match.id)
    await club.worker.drain()
    await club.move(ann, offered.match.id, "a1")
    await club.worker.drain()
    boards = club.discord.boards(offered.match.id)
    assert {board.channel_id for board in boards} == {ANN.user_id, BOB.user_id}
    assert [board.retired for board in boards].count(False) == 2
    told = [(told.to.user_id, told.ply) for told in club.discord.told]
    assert told == [(ANN.user_id, 0), (BOB.user_id, 1)]
    assert all(told.to.channel_id is None for told in club.discord.told)


async def test_open_offers_lapse_once_and_not_early(store: Store, club: Club) -> None:
    from bot.services.timeouts import sweep_offers

    offered = await club.offer(BOB, lasts=timedelta(hours=1))
    kept = await club.offer(BOB, lasts=timedelta(hours=2))
    club.clock.forward(minutes=59, seconds=59.9)
    assert await sweep_offers(store, club.clock) == 0
    club.clock.forward(seconds=0.1)
    await refused("offer_closed", club.accept(BOB, offered.match.id))
    swept = await asyncio.gather(*(sweep_offers(store, club.clock) for _ in range(3)))
    assert sum(swept) == 1
    match = await club.service.match(BOB, offered.match.id)
    assert match.status is MatchStatus.EXPIRED
    assert [each.id for each in await club.service.matches_of(BOB.user_id)] == [kept.match.id]
    verify(match, await store.read(transactions.history, match.id, Scope(GUILD)))


async def test_the_database_says_that_a_channel_is_busy_if_nobody_saw_it_before(
    store: Store, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = await club.offer(BOB, by=CYD, venue=Venue.CHANNEL)
    await club.start(BOB, venue=Venue.CHANNEL)

    async def nobody(*args: Any) -> tuple[()]:
        return ()

    answer_instead(monkeypatch, store, transactions.running_in, nobody)
    await refused("channel_busy", club.accept(BOB, waiting.match.id))


async def test_a_match_that_others_keep_changing_is_given_up_after_many_tries(
    store: Store, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await club.start(BOB)
    stale = await store.read(transactions.load, match_id, None, club.clock.now(), ANN.user_id)
    await club.play(match_id, "b2")

    async def old(*args: Any) -> Loaded:
        return stale

    answer_instead(monkeypatch, store, transactions.load, old)
    assert await refused("store_unavailable", club.move(ANN, match_id, "a1")) == {
        "reason": "contended"
    }


@both
async def test_verification_names_the_match_that_does_not_hold(store: Store, club: Club) -> None:
    from sqlalchemy import update

    from bot.services.verification import verify_all
    from bot.store.tables import matches

    bad, good = await club.start(BOB), await club.start(CYD)
    await club.worker.drain()
    change = update(matches).where(matches.c.id == bad).values(ply=7)
    await store.database.write(lambda c: c.execute(change).close())
    found = await verify_all(store)
    assert found.checked == 2
    assert [(each.id, each.error.code) for each in found.problems] == [(bad, "head")]
    assert good != bad
