"""Open offers: rating bands, expiry, and how often the same two people are rated."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import timedelta
from random import Random

import pytest

from bot.domain.ids import MatchId
from bot.domain.match import Actor, MatchStatus, Venue
from bot.domain.rating_range import RatingRange
from bot.errors import UserError
from bot.lobby import store as lobbies
from bot.services.match_changes import Answer
from bot.services.pairing import Limits
from bot.store import Store, ratings
from tests.support.databases import both
from tests.support.kit import ANN, BOB, CYD, DAN, GUILD, Club, refused

OPENING = "a1 b1 c2 a3"
BOUND = Limits(rated_with_one=2, running=100, offers_to_one=100, open_offers=100)


@pytest.fixture
def club(store: Store) -> Club:
    return Club(store, limits=Limits())


async def decided(club: Club, loser: Actor = BOB, *, days: float = 0.0) -> MatchId:
    """A rated match of ANN and BOB that counts."""
    match_id = await club.start(BOB, seat=None, rated=True)
    await club.play(match_id, OPENING)
    await club.resign(loser, match_id)
    club.clock.forward(days=days)
    return match_id


async def points(club: Club, actor: Actor) -> int:
    return (await club.ratings.standing(actor.user_id, "rows")).points


async def test_the_band_is_kept_with_the_match_and_sealed_in_its_history(club: Club) -> None:
    offered = await club.offer(band=RatingRange(1400, None))
    match = await club.service.match(ANN, offered.match.id)
    assert match.band == RatingRange(1400, None)
    events = await club.service.history(ANN, match.id)
    assert events[0].payload["band"] == "1400+"
    await club.accept(BOB, offered)


async def test_only_a_rating_in_the_band_gets_the_seat(club: Club) -> None:
    await decided(club)
    assert await points(club, ANN) > 1500 > await points(club, BOB)
    above = await club.offer(by=CYD, band=RatingRange(1501, None))
    params = await refused("outside_band", club.accept(BOB, above))
    assert params == {"band": "≥ 1501", "rating": f"{await points(club, BOB)}?"}
    await refused("outside_band", club.accept(DAN, above))
    assert (await club.accept(ANN, above)).code == "started"
    below = await club.offer(by=CYD, band=RatingRange(None, 1499))
    await refused("outside_band", club.accept(DAN, below))
    assert (await club.accept(BOB, below)).code == "started"


async def test_the_rating_of_that_very_game_counts(club: Club) -> None:
    await decided(club)
    quux = await club.offer(by=CYD, game="quux", band=RatingRange(1500, 1500))
    assert (await club.accept(ANN, quux)).code == "started"


async def test_the_band_holds_for_every_open_chair_and_not_for_who_is_named(club: Club) -> None:
    await decided(club)
    band = RatingRange(1501, None)
    offered = await club.offer(BOB, by=CYD, options={"players": 3}, band=band)
    await refused("outside_band", club.accept(DAN, offered))
    assert (await club.accept(BOB, offered)).code == "joined"
    await refused("outside_band", club.accept(DAN, offered))
    assert (await club.accept(ANN, offered)).code == "started"
    await refused("band_needs_seat", club.offer(BOB, band=band))


async def test_a_rating_that_has_changed_meanwhile_is_asked_for_anew(club: Club) -> None:
    offered = await club.offer(by=CYD, band=RatingRange(1500, 1500))
    await decided(club)
    await refused("outside_band", club.accept(ANN, offered))


@both
async def test_two_takers_at_once_in_two_processes_leave_one_in_the_seat(store: Store) -> None:
    one = Club(store, limits=Limits())
    other = Club(store, one.clock, seed=8, limits=Limits())
    for _ in range(4):
        offered = await one.offer(band=RatingRange(1400, 1600))
        came = await asyncio.gather(
            one.accept(BOB, offered), other.accept(CYD, offered), return_exceptions=True
        )
        codes = sorted(getattr(each, "code", repr(each)) for each in came)
        assert codes == ["offer_closed", "started"]


# ---- the same two people again and again ------------------------------------------------------


async def test_the_same_two_have_so_many_rated_matches_of_a_game_in_a_week(store: Store) -> None:
    club = Club(store, limits=BOUND)
    await decided(club)
    last = await decided(club)
    params = await refused("rated_often", club.offer(BOB, seat=None, rated=True))
    assert params == {"player": BOB.user_id, "most": 2, "days": 7}
    await refused("rated_often", club.offer(ANN, by=BOB, seat=None, rated=True))
    anybody = await club.offer(seat=None, rated=True)
    await refused("rated_often", club.accept(BOB, anybody))
    assert (await club.accept(CYD, anybody)).code == "started"
    assert (await club.offer(BOB, rated=False)).code == "offered"
    quux = await club.offer(BOB, seat=None, rated=True, game="quux")
    assert (await club.accept(BOB, quux)).code == "started"
    # A rematch is held to it as well, and at a larger table every pair counts.
    place = (await club.service.match(ANN, last)).origin
    again = club.service.rematch(ANN, last, place, Venue.THREAD, interaction_id=club.click())
    await refused("rated_often", again)
    table = await club.offer(by=CYD, seat=None, rated=True, options={"players": 3})
    await club.accept(ANN, table)
    assert (await refused("rated_often", club.accept(BOB, table)))["player"] == ANN.user_id
    assert (await club.accept(DAN, table)).code == "started"
    club.clock.forward(days=7, seconds=1)
    assert (await club.offer(BOB, seat=None, rated=True)).code == "offered"


async def test_matches_that_are_not_over_count_so_none_can_be_kept_in_store(store: Store) -> None:
    club = Club(store, limits=BOUND)
    first = await club.start(BOB, seat=None, rated=True)
    await club.start(BOB, seat=None, rated=True)
    club.clock.forward(days=30)
    await refused("rated_often", club.offer(BOB, seat=None, rated=True))
    await club.abort(ANN, first)
    assert (await club.offer(BOB, seat=None, rated=True)).code == "offered"


async def test_offers_that_nobody_has_taken_do_not_count(store: Store) -> None:
    club = Club(store, limits=BOUND)
    for _ in range(4):
        await club.offer(BOB, seat=None, rated=True)
    offered = [await club.offer(seat=None, rated=True) for _ in range(3)]
    assert [(await club.accept(BOB, each)).code for each in offered[:2]] == ["started"] * 2
    await refused("rated_often", club.accept(BOB, offered[2]))


@pytest.mark.long
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 2))])
async def test_no_week_rates_more_of_their_matches(store: Store, seed: int) -> None:
    """Offers by name and to anybody, finished at random times: any seven days have two at most."""
    rng = Random(seed)
    club = Club(store, limits=BOUND)
    running, rated = [], []
    for _ in range(60):
        club.clock.forward(hours=rng.randrange(1, 40))
        with contextlib.suppress(UserError):
            if rng.random() < 0.5:
                running.append(await club.start(BOB, seat=None, rated=True))
            else:
                offered = await club.offer(seat=None, rated=True)
                await club.accept(BOB, offered)
                running.append(offered.match.id)
        if running and rng.random() < 0.6:
            match_id = running.pop(rng.randrange(len(running)))
            await club.play(match_id, OPENING)
            await club.resign(rng.choice((ANN, BOB)), match_id)
            rated.append(club.clock.at)
    assert len(rated) > 6
    for first in rated:
        week = [at for at in rated if first <= at < first + timedelta(days=7)]
        assert len(week) <= 2
    _, changed = await store.write(ratings.rebuild)
    assert changed == 0


# ---- offers for several matches --------------------------------------------------------------


async def test_an_offer_for_several_starts_one_for_each(store: Store, club: Club) -> None:
    offered = await club.offer(
        matches=3, band=RatingRange(1400, None), takebacks=False, language="de"
    )
    first = await club.accept(BOB, offered)
    await refused("offer_closed", club.accept(BOB, offered))
    # The same message is pressed: the next match is one's own, not a refusal.
    second = await club.accept(CYD, offered)
    third = await club.accept(DAN, offered)
    started = (first.match, second.match, third.match)
    assert len({match.id for match in started}) == 3
    assert [match.repeats for match in started] == [2, 1, 0]
    assert [match.index_of(ANN.user_id) for match in started] == [0, 1, 0]
    for answer, guest in ((first, BOB), (second, CYD), (third, DAN)):
        match = answer.match
        assert answer.code == "started"
        assert set(match.players) == {ANN.user_id, guest.user_id}
        assert match.band == RatingRange(1400, None)
        assert not match.takebacks
        assert match.language == "de"
    assert not await store.read(lobbies.open_offers, GUILD, club.clock.now())
    # A second press of the same button is no second match.
    await refused("offer_closed", club.accept(BOB, offered))
    await refused("offer_closed", club.accept(Actor(CYD.user_id, GUILD), third.match.id))


@both
async def test_two_who_accept_at_once_get_a_match_each_and_one_too_many_none(club: Club) -> None:
    offered = await club.offer(matches=2)
    answers = await asyncio.gather(
        *(club.accept(guest, offered) for guest in (BOB, CYD, DAN)), return_exceptions=True
    )
    started = [each for each in answers if isinstance(each, Answer)]
    late = [each for each in answers if isinstance(each, UserError)]
    assert len(started) == 2
    assert len({each.match.id for each in started}) == 2
    assert [each.code for each in late] == ["offer_closed"]


async def test_the_same_acceptance_again_starts_no_second_match(store: Store, club: Club) -> None:
    offered = await club.offer(matches=3)
    await club.accept(BOB, offered)
    click = club.click()
    once = await club.service.accept(CYD, offered.match.id, interaction_id=click)
    again = await club.service.accept(CYD, offered.match.id, interaction_id=click)
    assert again.repeated
    assert again.match.id == once.match.id
    assert len(await store.read(lobbies.open_offers, GUILD, club.clock.now())) == 1


async def test_what_is_left_of_an_offer_is_withdrawn_or_expires(store: Store, club: Club) -> None:
    offered = await club.offer(matches=3, lasts=timedelta(hours=6))
    await club.accept(BOB, offered)
    (left,) = await store.read(lobbies.open_offers, GUILD, club.clock.now())
    assert left.repeats == 1
    assert left.expires_at == offered.match.expires_at
    withdrawn = await club.withdraw(ANN, left.id)
    assert withdrawn.match.status is MatchStatus.WITHDRAWN
    await refused("offer_closed", club.accept(CYD, offered))


async def test_several_matches_are_offered_to_all_and_in_threads_alone(club: Club) -> None:
    await refused("matches_for_all", club.offer(BOB, matches=2))
    await refused("matches_need_threads", club.offer(matches=2, venue=Venue.CHANNEL))
    await refused("matches_range", club.offer(matches=11))
