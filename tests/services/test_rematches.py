"""Rematches: the same again with the seats exchanged, once however many ask for it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from bot.domain.clock import TimeControl
from bot.domain.ids import ChannelId, GuildId, MatchId, rematch_id
from bot.domain.match import Actor, MatchStatus, Place, Venue
from bot.privacy.services import PrivacyService
from bot.services.match_changes import Answer
from bot.services.pairing import Limits
from bot.services.timeouts import sweep_offers
from bot.store import Store, transactions
from tests.support.databases import both
from tests.support.kit import ANN, BOB, CYD, DAN, PLACE, Club, head, person, refused
from tests.support.not_none import not_none

CLOCK = TimeControl(timedelta(days=3), per_move=True)


async def over(club: Club, *others: Any, **more: Any) -> MatchId:
    """The id of a match that its first player has given up."""
    match_id = await club.start(*others, **more)
    for _ in range(3):
        match = await head(club.store, match_id)
        if match.status is MatchStatus.RUNNING:
            index = next(n for n in range(len(match.players)) if n not in match.retired)
            await club.resign(person(not_none(match.players[index])), match_id)
    await club.worker.drain()
    return match_id


def again(
    club: Club, actor: Actor, match_id: MatchId, place: Place = PLACE, venue: Venue = Venue.THREAD
) -> Coroutine[Any, Any, Answer]:
    return club.service.rematch(actor, match_id, place, venue, interaction_id=club.click())


async def test_a_rematch_is_the_same_with_the_seats_exchanged(store: Store, club: Club) -> None:
    options = {"size": 4, "pie": "on"}
    first = await over(club, BOB, options=options, clock=CLOCK)
    offered = await again(club, BOB, first)
    assert (offered.code, offered.match.invited) == ("offered", (None, ANN.user_id))
    await refused("rematch_pending", again(club, BOB, first))
    accepted = await again(club, ANN, first)
    before = await head(store, first)
    assert (accepted.code, accepted.match.players) == ("started", (BOB.user_id, ANN.user_id))
    for name in ("game", "options", "clock", "rated", "rules_version"):
        assert getattr(accepted.match, name) == getattr(before, name)
    for actor in (ANN, BOB):
        await refused("rematch_made", again(club, actor, first))


async def test_a_rematch_of_a_rated_match_counts_too(club: Club) -> None:
    first = await over(club, BOB, seat=None, rated=True)
    assert (await again(club, ANN, first)).match.rated


async def test_of_three_everybody_moves_one_seat_on(store: Store, club: Club) -> None:
    first = await over(club, BOB, CYD, options={"players": 3, "size": 5})
    seats = (await head(store, first)).players
    assert (await again(club, person(not_none(seats[1])), first)).code == "offered"
    assert (await again(club, person(not_none(seats[0])), first)).code == "joined"
    answer = await again(club, person(not_none(seats[2])), first)
    assert (answer.code, answer.match.players) == ("started", (seats[2], seats[0], seats[1]))


@both
async def test_both_who_press_at_once_play_one_match(store: Store, club: Club) -> None:
    other = Club(store, club.clock, seed=8)
    first = await over(club, BOB)
    answers = await asyncio.gather(again(club, ANN, first), again(other, BOB, first))
    assert sorted(each.code for each in answers) == ["offered", "started"]
    assert len({each.match.id for each in answers}) == 1
    assert len([match async for match, _ in store.all_matches()]) == 2
    await other.worker.drain()


async def test_the_same_click_again_makes_no_second_offer(club: Club) -> None:
    first = await over(club, BOB)
    click = club.click()
    answers = [
        await club.service.rematch(ANN, first, PLACE, Venue.THREAD, interaction_id=click)
        for _ in range(2)
    ]
    assert [each.repeated for each in answers] == [False, True]
    assert len({each.match.id for each in answers}) == 1


@pytest.mark.parametrize("end", ["declined", "withdrawn", "expired", "expired unnoticed"])
async def test_after_a_failed_offer_another_can_be_made(store: Store, club: Club, end: Any) -> None:
    first = await over(club, BOB)
    offered = (await again(club, ANN, first)).match
    if end == "declined":
        await club.decline(BOB, offered.id)
    elif end == "withdrawn":
        await club.withdraw(ANN, offered.id)
    else:
        club.clock.forward(days=3)
        if end == "expired":
            await sweep_offers(store, club.clock)
    answer = await again(club, BOB, first)
    assert answer.code == "offered"
    assert answer.match.id != offered.id
    assert (await again(club, ANN, first)).code == "started"


async def test_there_is_no_rematch_while_it_runs_or_elsewhere(club: Club) -> None:
    running = await club.start(BOB)
    await refused("not_over", again(club, ANN, running))
    offered = await club.offer(BOB)
    await refused("not_over", again(club, ANN, offered.match.id))
    first = await over(club, CYD)
    await refused("not_a_player", again(club, DAN, first))
    abroad = Place(GuildId(7), ChannelId(8))
    await refused("not_played_here", again(club, Actor(ANN.user_id, GuildId(7)), first, abroad))


@pytest.mark.parametrize("others", [(BOB,), (BOB, CYD, DAN)])
async def test_no_rematch_with_an_erased_player(store: Store, club: Club, others: Any) -> None:
    more = {"game": "pythagoras", "options": {"seats": "4"}} if len(others) > 1 else {}
    first = await over(club, *others, **more)
    await PrivacyService(store, club.service, club.clock, Random(3)).erase(BOB.user_id)
    await club.worker.drain()
    club.discord.calls.clear()
    for actor in (ANN, *others[1:]):
        await refused("player_erased", again(club, actor, first))
    await club.worker.drain()
    assert club.discord.calls == []
    assert await store.read(transactions.active_of, ANN.user_id) == ()
    assert await store.read(transactions.match, rematch_id(first, 0)) is None


@pytest.mark.long
async def test_block_lists_and_limits_hold_for_rematches_too(store: Store) -> None:
    club = Club(store, limits=replace(Limits(), running=1))
    first = await over(club, BOB)
    other = await club.start(CYD)
    await refused("too_many_matches", again(club, ANN, first))
    assert (await again(club, BOB, first)).code == "offered"
    await refused("too_many_matches", again(club, ANN, first))
    await club.resign(ANN, other)
    await club.preferences.block(BOB.user_id, ANN.user_id)
    await refused("cannot_join", again(club, ANN, first))
    second = await over(club, DAN)
    await club.preferences.block(DAN.user_id, ANN.user_id)
    await refused("cannot_invite", again(club, ANN, second))


@pytest.mark.long
@both
async def test_finished_matches_are_found_by_place_and_player(store: Store, club: Club) -> None:
    old = await over(club, BOB, venue=Venue.CHANNEL)
    club.clock.forward(hours=1)
    new = await over(club, BOB, venue=Venue.CHANNEL)
    club.clock.forward(hours=1)
    others = await over(club, DAN, by=CYD, venue=Venue.CHANNEL)
    club.clock.forward(hours=1)
    in_thread = await over(club, BOB)

    def ids(found: Any) -> list[Any]:
        return [each.id for each in found]

    assert ids(await club.service.over_in(ANN, PLACE.channel_id)) == [others, new, old]
    assert await club.service.over_in(ANN, ChannelId(77)) == ()
    home = (await head(store, in_thread)).home_id
    assert ids(await club.service.over_in(BOB, not_none(home))) == [in_thread]
    assert ids(await club.service.over_of(ANN, ANN.user_id, 2)) == [in_thread, new]
    assert ids(await club.service.over_of(ANN, ANN.user_id, 2, 2)) == [old]
    assert ids(await club.service.over_of(ANN, CYD.user_id, 9)) == [others]
    elsewhere = replace(ANN, guild_id=GuildId(78))
    assert await club.service.over_of(elsewhere, CYD.user_id, 9) == ()
    assert len(await club.service.over_of(elsewhere, ANN.user_id, 9)) == 3
    await club.start(BOB)
    assert len(await club.service.over_of(ANN, ANN.user_id, 9)) == 3
    assert len(await store.read(transactions.running_in_server, not_none(PLACE.guild_id), 9)) == 1
    assert await store.read(transactions.running_in_server, GuildId(78), 9) == ()
