"""Who may meet: block lists and limits, on every way to a match."""

from __future__ import annotations

import asyncio
import collections
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from bot.domain.ids import ChannelId
from bot.domain.match import Match, MatchStatus, Place, Venue
from bot.domain.preferences import NoticeWay, ServerSettings
from bot.errors import UserError
from bot.posts.sending import Refused
from bot.services.pairing import Limits
from bot.store import Store
from bot.store import people as stored_people
from tests.support.databases import both
from tests.support.kit import (
    ANN,
    BOB,
    CHANNEL,
    CYD,
    DAN,
    GUILD,
    PLACE,
    Club,
    facts_of,
    person,
    refused,
)
from tests.support.not_none import not_none

FEW = Limits(
    open_offers=2,
    offers_to_one=2,
    cool_down=timedelta(hours=24),
    running=2,
    running_in_server=3,
    threads_an_hour=2,
)

DIRECT = Place(None, CHANNEL)


async def test_a_block_keeps_both_from_offering_to_each_other(store: Store) -> None:
    club = Club(store, limits=Limits())
    await club.preferences.block(BOB.user_id, ANN.user_id)
    params = await refused("cannot_invite", club.offer(BOB))
    assert not params, "it is not said who blocked the other"
    params = await refused("you_blocked", club.offer(ANN, by=BOB))
    assert params == {"player": ANN.user_id}
    assert await club.service.matches_of(ANN.user_id) == ()
    await club.preferences.unblock(BOB.user_id, ANN.user_id)
    await club.offer(BOB)


async def test_an_open_offer_is_closed_to_whom_a_block_is_between(store: Store) -> None:
    club = Club(store, limits=Limits())
    offered = await club.offer()
    await club.preferences.block(ANN.user_id, BOB.user_id)
    assert not await refused("cannot_join", club.accept(BOB, offered))
    await club.preferences.block(CYD.user_id, ANN.user_id)
    await refused("you_blocked_here", club.accept(CYD, offered))
    assert (await club.accept(DAN, offered)).code == "started"


async def test_an_offer_made_before_the_block_cannot_be_accepted_after_it(store: Store) -> None:
    club = Club(store, limits=Limits())
    offered = await club.offer(BOB)
    await club.preferences.block(ANN.user_id, BOB.user_id)
    await refused("cannot_join", club.accept(BOB, offered))
    declined = await club.decline(BOB, offered.match.id)
    assert declined.match.status is MatchStatus.DECLINED


async def test_a_refusal_of_the_offer_itself_comes_before_any_word_of_blocks(store: Store) -> None:
    club = Club(store, limits=Limits())
    offered = await club.offer(BOB)
    await club.preferences.block(ANN.user_id, CYD.user_id)
    await refused("not_invited", club.accept(CYD, offered))
    await refused("own_offer", club.accept(ANN, offered))


async def test_a_person_has_so_many_open_offers(store: Store) -> None:
    club = Club(store, limits=FEW)
    first = await club.offer()
    await club.offer()
    assert await refused("too_many_offers", club.offer()) == {"most": 2}
    await club.withdraw(ANN, first.match.id)
    await club.offer()
    await club.offer(by=BOB)


async def test_a_person_is_asked_so_often_a_day_by_the_same_one(store: Store) -> None:
    club = Club(store, limits=FEW)
    for _ in range(2):
        offered = await club.offer(BOB)
        await club.withdraw(ANN, offered.match.id)
    assert await refused("offers_to_one", club.offer(BOB)) == {"player": BOB.user_id, "most": 2}
    await club.offer(CYD)
    club.clock.forward(hours=24, seconds=1)
    await club.offer(BOB)


async def test_what_was_accepted_does_not_count_as_asking_too_often(store: Store) -> None:
    club = Club(store, limits=replace(FEW, running=100, running_in_server=100))
    for _ in range(5):
        await club.start(BOB)
    await club.offer(BOB)


async def test_who_has_declined_is_left_alone_for_a_day(store: Store) -> None:
    club = Club(store, limits=FEW)
    offered = await club.offer(BOB)
    await club.decline(BOB, offered.match.id)
    params = await refused("cool_down", club.offer(BOB))
    assert params["player"] == BOB.user_id
    assert float(params["time"]) >= (club.clock.at + timedelta(hours=24)).timestamp()
    await club.offer(ANN, by=BOB)
    await club.offer(BOB, game="pux")
    club.clock.forward(hours=24, seconds=1)
    await club.offer(BOB)


async def test_a_person_has_so_many_matches_running(store: Store) -> None:
    club = Club(store, limits=FEW)
    first = await club.start(BOB)
    await club.start(CYD)
    assert await refused("too_many_matches", club.offer(DAN)) == {"most": 2}
    theirs = await club.offer(by=DAN)
    await refused("too_many_matches", club.accept(ANN, theirs))
    await club.resign(ANN, first)
    assert (await club.accept(ANN, theirs)).code == "started"


async def test_nobody_gets_more_matches_by_having_many_offers_open(store: Store) -> None:
    club = Club(store, limits=replace(FEW, open_offers=9))
    offered = [await club.offer() for _ in range(3)]
    for guest, each in zip((BOB, CYD), offered, strict=False):
        await club.accept(guest, each)
    assert await refused("player_busy", club.accept(DAN, offered[2])) == {"player": ANN.user_id}


async def test_a_server_has_so_many_matches_running_and_may_choose_fewer(store: Store) -> None:
    club = Club(store, limits=replace(FEW, running=100))
    for _ in range(2):
        await club.start(BOB)
    await club.preferences.change_server(GUILD, ANN.user_id, lambda _: ServerSettings(running=2))
    assert await refused("server_full", club.offer()) == {"most": 2}
    await club.preferences.change_server(GUILD, ANN.user_id, lambda _: ServerSettings(running=50))
    offered = await club.offer()
    await club.start(DAN)
    assert await refused("server_full", club.accept(BOB, offered)) == {"most": 3}
    await club.choose(BOB, direct=True)
    elsewhere = await club.offer(
        person(2, guild=None), by=person(1, guild=None), place=DIRECT, venue=Venue.DIRECT
    )
    assert elsewhere.code == "offered"


async def test_beyond_so_many_threads_an_hour_the_channel_is_used(store: Store) -> None:
    club = Club(store, limits=replace(FEW, running=100, running_in_server=100))
    homes = []
    for _ in range(3):
        match_id = await club.begun(BOB)
        homes.append((await club.service.match(ANN, match_id)).home_id)
    assert CHANNEL not in homes[:2]
    assert homes[2] == CHANNEL
    assert len(club.discord.threads) == 2
    club.clock.forward(hours=1, seconds=1)
    match_id = await club.begun(BOB)
    assert (await club.service.match(ANN, match_id)).home_id != CHANNEL


async def test_the_same_click_again_is_answered_and_not_judged_again(store: Store) -> None:
    club = Club(store, limits=replace(FEW, running=1, open_offers=1))
    more: Any = {"place": PLACE, "game": "rows", "opponents": (BOB,), "seat": 0}
    click = club.click()
    offers = [await club.service.challenge(ANN, interaction_id=click, **more) for _ in range(2)]
    assert [(each.code, each.repeated) for each in offers] == [("offered", 0), ("offered", 1)]
    offered, click = offers[1].match.id, club.click()
    seats = [await club.service.accept(BOB, offered, interaction_id=click) for _ in range(2)]
    assert [(each.code, each.repeated) for each in seats] == [("started", 0), ("started", 1)]


async def test_old_tallies_go_and_those_that_limits_ask_for_stay(store: Store) -> None:
    club = Club(store, limits=FEW)
    offered = await club.offer(BOB)
    await club.decline(BOB, offered.match.id)
    club.clock.forward(hours=20)
    await club.pairing.tidy()
    await refused("cool_down", club.offer(BOB))
    club.clock.forward(hours=40)
    await club.pairing.tidy()
    facts = await facts_of(
        store, (ANN.user_id, BOB.user_id), None, club.clock.at - timedelta(days=9)
    )
    assert facts.tallies == ()


# ---- all at once -------------------------------------------------------------------------------

MANY = Limits(
    open_offers=100,
    offers_to_one=100,
    running=100,
    running_in_server=100,
    threads_an_hour=100,
    rated_with_one=100,
)
ELI, FAY, GUS, HAL = (person(number) for number in (5, 6, 7, 8))
PAIRS = ((ANN, BOB), (CYD, DAN), (ELI, FAY), (GUS, HAL))


async def all_at_once(*asked: Any) -> Counter[Any]:
    """How often each answer came, by its code, of things asked for in the same instant."""
    came = await asyncio.gather(*asked, return_exceptions=True)
    for each in came:
        if isinstance(each, Exception) and not isinstance(each, UserError):
            raise each
    return collections.Counter(getattr(each, "code", "") for each in came)


@pytest.mark.parametrize(
    ("limit", "guests", "came"),
    [
        ({"offers_to_one": 3}, [(BOB,)] * 30, {"offered": 3, "offers_to_one": 27}),
        ({"open_offers": 4}, [(), (BOB,), (CYD,)] * 5, {"offered": 4, "too_many_offers": 11}),
    ],
)
@pytest.mark.long
@both
async def test_offers_in_one_instant_keep_to_the_limit(
    store: Store, limit: Any, guests: Any, came: Any
) -> None:
    club = Club(store, limits=replace(MANY, **limit))
    assert await all_at_once(*(club.offer(*each) for each in guests)) == came
    assert len(await club.service.matches_of(ANN.user_id)) == came["offered"]


@pytest.mark.long
@both
async def test_matches_begun_at_once_keep_to_the_limits(store: Store) -> None:
    club = Club(store, limits=replace(MANY, running=3))
    guests = (BOB, CYD, DAN, ELI, FAY, GUS, HAL, person(9))
    offers = [await club.offer() for _ in guests]
    came = await all_at_once(
        *(club.accept(guest, each) for guest, each in zip(guests, offers, strict=True))
    )
    assert came == {"started": 3, "player_busy": 5}
    theirs = [await club.offer(by=guest) for guest in (*guests, person(10))[3:]]
    came = await all_at_once(*(club.accept(person(11), each) for each in theirs))
    assert came["started"] <= 3
    assert came["too_many_matches"] + came["player_busy"] == len(theirs) - came["started"]


@pytest.mark.parametrize(
    ("limit", "pairs", "refusal"),
    [
        ({"running_in_server": 2}, PAIRS, "server_full"),
        ({"rated_with_one": 2}, ((ANN, BOB),) * 4, "rated_often"),
    ],
)
async def test_matches_begun_in_one_instant_keep_to_more_limits(
    store: Store, limit: Any, pairs: Any, refusal: str
) -> None:
    club = Club(store, limits=replace(MANY, **limit))
    offers = [await club.offer(by=host, rated=True, seat=None) for host, _ in pairs]
    begun = (club.accept(pair[1], each) for pair, each in zip(pairs, offers, strict=True))
    assert await all_at_once(*begun) == {"started": 2, refusal: 2}


@both
async def test_an_offer_delivered_twice_is_not_judged_by_itself(store: Store) -> None:
    one, other = (Club(store, limits=replace(MANY, open_offers=1)) for _ in range(2))
    came = await all_at_once(one.offer(BOB), other.offer(BOB))
    assert came == {"offered": 2}
    assert len(await one.service.matches_of(ANN.user_id)) == 1


@both
async def test_people_blocked_in_one_instant_keep_to_the_limit(store: Store) -> None:
    done = await asyncio.gather(
        *(
            store.write(
                stored_people.block, ANN.user_id, person(10 + n).user_id, Club(store).clock.at, 3
            )
            for n in range(9)
        ),
        return_exceptions=True,
    )
    assert sum(each is None for each in done) == 3
    assert len(await store.read(stored_people.blocked_by, ANN.user_id)) == 3


async def test_threads_made_in_one_instant_keep_to_the_limit(store: Store) -> None:
    club = Club(store, limits=replace(MANY, threads_an_hour=2))
    offers = [await club.offer(guest, by=host) for host, guest in PAIRS]
    make = club.discord.make_thread
    asked: list[Any] = []

    async def slowly(*args: Any, **more: Any) -> ChannelId:
        asked.append(None)
        await asyncio.sleep(0.2)
        return await make(*args, **more)

    club.discord.make_thread = slowly
    await all_at_once(
        *(club.accept(guest, each) for (_, guest), each in zip(PAIRS, offers, strict=True))
    )
    await club.worker.drain()
    homes = [(await club.service.match(ANN, each.match.id)).home_id for each in offers]
    assert homes.count(CHANNEL) == 2
    assert len(asked) == len(club.discord.threads) == 2


async def test_a_thread_that_cannot_be_made_takes_nothing_from_the_limit(store: Store) -> None:
    club = Club(store, limits=replace(MANY, threads_an_hour=1))
    club.discord.trouble.append(("make_thread", Refused("50013")))
    homes = []
    for _ in range(3):
        match_id = await club.begun(BOB)
        homes.append((await club.service.match(ANN, match_id)).home_id)
    assert [home == CHANNEL for home in homes] == [True, False, True]


async def test_a_thread_in_place_of_a_deleted_one_counts_as_well(store: Store) -> None:
    club = Club(store, limits=replace(MANY, threads_an_hour=2))
    match_id = await club.begun(BOB)
    for number, player in enumerate((ANN, BOB)):
        club.discord.deleted.add(not_none((await club.service.match(ANN, match_id)).home_id))
        await club.move(player, match_id, ("a1", "b2")[number])
        await club.worker.drain()
    assert len(club.discord.threads) == 2
    assert (await club.service.match(ANN, match_id)).home_id == CHANNEL


async def test_of_matches_moved_to_one_channel_at_once_one_is_there(store: Store) -> None:
    club = Club(store, limits=MANY)
    pairs = PAIRS[:3]
    started = [await club.start(guest, by=host) for host, guest in pairs]
    await club.worker.drain()
    place = replace(PLACE, channel_id=ChannelId(777))
    came = await asyncio.gather(
        *(
            club.service.move_here(host, each, place)
            for (host, _), each in zip(pairs, started, strict=True)
        ),
        return_exceptions=True,
    )
    refusals = [each for each in came if isinstance(each, UserError)]
    assert [each.code for each in refusals] == ["channel_busy"] * 2
    (there,) = (each.id for each in came if isinstance(each, Match))
    assert {each.params["match"] for each in refusals} == {there}
    homes = [(await club.service.match(ANN, each)).home_id for each in started]
    assert homes.count(ChannelId(777)) == 1


async def test_no_direct_challenge_comes_to_who_did_not_ask_for_any(store: Store) -> None:
    club = Club(store, limits=replace(FEW, offers_to_one=5))

    async def wants(way: NoticeWay, *, used: bool = False) -> None:
        await club.choose(BOB, way=way, direct=used)

    guest, host = person(2, guild=None), person(1, guild=None)
    direct = partial(club.offer, guest, by=host, place=DIRECT, venue=Venue.DIRECT)
    assert await refused("wants_no_messages", direct()) == {"player": BOB.user_id}, "never asked"
    await wants(NoticeWay.NOTHING, used=True)
    assert await refused("wants_no_messages", direct()) == {"player": BOB.user_id}
    await club.worker.drain()
    assert not club.discord.messages
    assert (await club.offer(BOB)).code == "offered", "in a server it comes to no one's messages"
    for way, used in (
        (NoticeWay.MENTION, True),
        (NoticeWay.DIRECT, False),
        (NoticeWay.DIGEST, False),
    ):
        await wants(way, used=used)
        offered = await direct()
        assert offered.code == "offered"
        await club.withdraw(host, offered.match.id)
    await club.preferences.block(BOB.user_id, ANN.user_id)
    await wants(NoticeWay.NOTHING)
    assert await refused("cannot_invite", direct()) == {}, "a block is named first, as elsewhere"
