"""What people can do with matches."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.history import verify
from bot.domain.ids import ChannelId, GuildId, MatchId
from bot.domain.match import Ending, MatchStatus, Place, Scope, Venue
from bot.domain.requests import RequestKind
from bot.errors import UserError
from bot.store import Store, transactions
from bot.store.transactions import Loaded
from games.errors import IllegalMove, MoveSyntaxError, OptionError
from tests.databases import answer_instead, both, both_in_soak
from tests.kit import ANN, BOB, CHANNEL, CYD, GUILD, PLACE, Club, person


async def refused(code: str, question: Any) -> dict[str, Any]:
    with pytest.raises(UserError) as caught:
        await question
    assert caught.value.code == code
    return caught.value.params


@both_in_soak
async def test_a_game_from_offer_to_win(store: Store) -> None:
    club = Club(store)
    offered = await club.offer(BOB)
    assert offered.code == "offered"
    assert offered.match.status is MatchStatus.OFFERED
    assert offered.match.invited == (None, BOB.user_id)
    started = await club.service.accept(BOB, offered.match.id, interaction_id=club.click())
    assert started.code == "started"
    assert started.match.players == (ANN.user_id, BOB.user_id)
    match = await club.play(offered.match.id, "a1 a2 b1 b2 c1")
    assert match.status is MatchStatus.FINISHED
    assert match.result is not None
    assert (match.result.ending, match.result.reason) == (Ending.GAME, "row")
    assert (match.result.winners, match.result.scores) == ((0,), (1.0, 0.0))
    assert (match.version, match.ply, match.recent) == (7, 5, ("a1", "a2", "b1", "b2", "c1"))
    events = await store.read(transactions.history, match.id, ANN.scope)
    assert [event.kind.value for event in events] == ["offered", "started"] + ["moved"] * 5
    verify(await club.service.match(ANN, match.id), events)


@both_in_soak
async def test_swap_is_a_move_and_exchanges_the_players(store: Store) -> None:
    club = Club(store)
    match_id = await club.start(BOB, options={"pie": "on"})
    await club.play(match_id, "b2")
    answer = await club.move(BOB, match_id, "swap")
    assert answer.params == {"move": "swap"}
    # Blue's stones are Bob's now, so it is Ann who answers, with Gold's.
    await refused("not_your_turn", club.move(BOB, match_id, "a1"))
    match = (await club.move(ANN, match_id, "a1")).match
    assert match.players == (ANN.user_id, BOB.user_id)
    match = await club.play(match_id, "a2 a3 c2")
    assert match.result is not None
    assert match.result.winners == (1,)
    assert match.result.scores == (1.0, 0.0)


@both_in_soak
async def test_forty_simultaneous_moves_one_is_accepted_and_39_are_told_why(
    store: Store,
) -> None:
    club = Club(store)
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


@both_in_soak
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
async def test_a_move_is_never_played_on_a_head_that_another_process_has_left_behind(
    store: Store,
) -> None:
    club, other = Club(store), Club(store, seed=8)
    match_id = await club.start(BOB, options={"size": 5, "pie": "off"})
    await club.worker.drain()
    await club.move(ANN, match_id, "a1")
    # What the one process remembers, the other does not know of, and the other way round.
    await other.move(BOB, match_id, "b1")
    await other.move(ANN, match_id, "c1")
    await refused("not_your_turn", club.move(ANN, match_id, "d1"))
    assert (await club.move(BOB, match_id, "d1")).match.ply == 4
    with pytest.raises(IllegalMove):
        await other.move(ANN, match_id, "d1")
    await other.requests.ask(ANN, match_id, RequestKind.DRAW, interaction_id=other.click())
    answer = await club.requests.answer(
        BOB, match_id, RequestKind.DRAW, accept=False, interaction_id=club.click()
    )
    assert answer.code == "draw_declined"
    assert (await other.move(ANN, match_id, "e1")).match.recent[-5:] == (
        "a1",
        "b1",
        "c1",
        "d1",
        "e1",
    )
    match = await club.service.match(ANN, match_id)
    verify(match, await store.read(transactions.history, match_id, ANN.scope))


@both
async def test_an_offer_delivered_twice_is_one_offer(store: Store) -> None:
    club = Club(store)
    click = club.click()
    both_answers = await asyncio.gather(
        *(
            club.service.challenge(ANN, PLACE, game="rows", opponents=(BOB,), interaction_id=click)
            for _ in range(3)
        )
    )
    assert len({answer.match.id for answer in both_answers}) == 1
    assert len(await club.service.matches_of(BOB.user_id)) == 1


@both
async def test_two_accept_the_last_chair_of_an_open_offer_and_one_gets_it(store: Store) -> None:
    club = Club(store)
    offered = await club.offer()
    assert offered.match.is_open
    results = await asyncio.gather(
        club.service.accept(BOB, offered.match.id, interaction_id=club.click()),
        club.service.accept(CYD, offered.match.id, interaction_id=club.click()),
        return_exceptions=True,
    )
    winners = [result for result in results if not isinstance(result, Exception)]
    losers = [result for result in results if isinstance(result, UserError)]
    assert len(winners) == 1
    assert [(loser.code, loser.params) for loser in losers] == [
        ("offer_closed", {"status": "running"})
    ]


@both_in_soak
async def test_what_the_game_refuses_comes_with_code_and_place(store: Store) -> None:
    club = Club(store)
    match_id = await club.start(BOB)
    await club.play(match_id, "b2")
    with pytest.raises(IllegalMove) as caught:
        await club.move(BOB, match_id, "b2")
    assert (caught.value.code, caught.value.place) == ("occupied", ("b2",))
    with pytest.raises(MoveSyntaxError):
        await club.move(BOB, match_id, "to the moon\0\ud800")
    with pytest.raises(OptionError):
        await club.offer(BOB, options={"size": 99})
    with pytest.raises(OptionError):
        await club.offer(BOB, game="ludo")
    assert (await club.service.match(BOB, match_id)).version == 3


@both_in_soak
async def test_a_double_click_is_told_that_the_move_is_played(store: Store) -> None:
    club = Club(store)
    match_id = await club.start(BOB)
    await club.move(ANN, match_id, "b2", expected_version=2)
    params = await refused("already_played", club.move(ANN, match_id, " B2 ", expected_version=2))
    assert params == {"move": "b2"}
    await refused("already_played", club.move(ANN, match_id, "b2"))


@both_in_soak
async def test_a_board_that_is_out_of_date_plays_nothing(store: Store) -> None:
    club = Club(store)
    match_id = await club.start(BOB)
    await club.play(match_id, "b2 a1")
    assert await refused(
        "position_changed", club.move(ANN, match_id, "c3", expected_version=2)
    ) == {"version": 4}
    await refused("position_changed", club.move(ANN, match_id, "c3", expected_version=99))
    # A draw offer changes the version but not the position: the board still plays.
    await club.requests.ask(BOB, match_id, RequestKind.DRAW, interaction_id=club.click())
    answer = await club.move(ANN, match_id, "c3", expected_version=4)
    assert answer.match.requests == ()


@both_in_soak
async def test_others_cannot_see_or_touch_a_match_of_another_server(store: Store) -> None:
    club = Club(store)
    match_id = await club.start(BOB)
    stranger = person(77, guild=GuildId(1))
    service = club.service
    for question in (
        service.match(stranger, match_id),
        service.history(stranger, match_id),
        service.resign(stranger, match_id, interaction_id=club.click()),
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


@both_in_soak
async def test_one_running_match_in_a_channel_without_threads(store: Store) -> None:
    club = Club(store)
    waiting = await club.offer(BOB, by=CYD, venue=Venue.CHANNEL)
    running = await club.start(BOB, venue=Venue.CHANNEL)
    assert await refused("channel_busy", club.offer(BOB, venue=Venue.CHANNEL)) == {"match": running}
    await refused(
        "channel_busy",
        club.service.accept(BOB, waiting.match.id, interaction_id=club.click()),
    )
    found = await club.service.running_in(BOB, CHANNEL)
    assert [match.id for match in found] == [running]
    await club.service.resign(ANN, running, interaction_id=club.click())
    answer = await club.service.accept(BOB, waiting.match.id, interaction_id=club.click())
    assert answer.code == "started"


@both_in_soak
async def test_matches_in_a_channel_and_of_a_person(store: Store) -> None:
    club = Club(store)
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
    await club.service.resign(ANN, first, interaction_id=club.click())
    assert {match.id for match in await club.service.matches_of(ANN.user_id)} == {offered.match.id}


@both_in_soak
async def test_direct_messages_need_named_people_and_stay_among_them(store: Store) -> None:
    club = Club(store)
    ann = person(ANN.user_id, guild=None)
    bob = person(BOB.user_id, guild=None)
    direct = Place(None, ChannelId(33))
    await refused("direct_needs_people", club.offer(by=ann, place=direct, venue=Venue.DIRECT))
    offered = await club.offer(bob, by=ann, place=direct, venue=Venue.DIRECT)
    eve = person(66, guild=None)
    await refused("no_such_match", club.service.match(eve, offered.match.id))
    await club.service.accept(bob, offered.match.id, interaction_id=club.click())
    await club.worker.drain()
    await club.move(ann, offered.match.id, "a1")
    await club.worker.drain()
    boards = club.discord.boards(offered.match.id)
    assert {board.channel_id for board in boards} == {ANN.user_id, BOB.user_id}
    assert [board.retired for board in boards].count(False) == 2
    told = [(told.to.user_id, told.ply) for told in club.discord.told]
    assert told == [(ANN.user_id, 0), (BOB.user_id, 1)]
    assert all(told.to.channel_id is None for told in club.discord.told)


@both_in_soak
async def test_open_offers_lapse_once_and_not_early(store: Store) -> None:
    from bot.services.timeouts import sweep_offers

    club = Club(store)
    offered = await club.offer(BOB, lasts=timedelta(hours=1))
    kept = await club.offer(BOB, lasts=timedelta(hours=2))
    club.clock.forward(minutes=59, seconds=59.9)
    assert await sweep_offers(store, club.clock, club.worker) == 0
    club.clock.forward(seconds=0.1)
    await refused(
        "offer_closed", club.service.accept(BOB, offered.match.id, interaction_id=club.click())
    )
    swept = await asyncio.gather(*(sweep_offers(store, club.clock, club.worker) for _ in range(3)))
    assert sum(swept) == 1
    match = await club.service.match(BOB, offered.match.id)
    assert match.status is MatchStatus.EXPIRED
    assert [each.id for each in await club.service.matches_of(BOB.user_id)] == [kept.match.id]
    verify(match, await store.read(transactions.history, match.id, Scope(GUILD)))


async def test_keyed_order_forgets_matches_that_nobody_is_at(store: Store) -> None:
    club = Club(store)
    match_id = await club.start(BOB)
    await club.play(match_id, "b2")
    assert len(club.changes._order) == 0


@both_in_soak
async def test_the_database_says_that_a_channel_is_busy_if_nobody_saw_it_before(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = Club(store)
    waiting = await club.offer(BOB, by=CYD, venue=Venue.CHANNEL)
    await club.start(BOB, venue=Venue.CHANNEL)

    async def nobody(*args: Any) -> tuple[()]:
        return ()

    answer_instead(monkeypatch, store, transactions.running_in, nobody)
    await refused(
        "channel_busy", club.service.accept(BOB, waiting.match.id, interaction_id=club.click())
    )


@both_in_soak
async def test_a_match_that_others_keep_changing_is_given_up_after_many_tries(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = Club(store)
    match_id = await club.start(BOB)
    stale = await store.read(transactions.load, match_id, None)
    await club.play(match_id, "b2")

    async def old(*args: Any) -> Loaded:
        return stale

    answer_instead(monkeypatch, store, transactions.load, old)
    assert await refused("store_unavailable", club.move(ANN, match_id, "a1")) == {
        "reason": "contended"
    }


@both
async def test_verification_names_the_match_that_does_not_hold(store: Store) -> None:
    from sqlalchemy import update

    from bot.services.verification import verify_all
    from bot.store.tables import matches

    club = Club(store)
    bad, good = await club.start(BOB), await club.start(CYD)
    await club.worker.drain()
    change = update(matches).where(matches.c.id == bad).values(ply=7)
    await store.database.write(lambda c: c.execute(change).close())
    found = await verify_all(store)
    assert found.matches == 2
    assert [(each.match_id, each.error.code) for each in found.problems] == [(bad, "head")]
    assert good != bad
