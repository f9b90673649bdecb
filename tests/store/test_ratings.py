"""Ratings in the store: they follow from the results, and nothing else."""

from __future__ import annotations

import asyncio
import dataclasses
from datetime import timedelta
from random import Random

import pytest
import sqlalchemy as sa

from bot.domain.game_state import game_state_of, player_on_turn
from bot.domain.ids import GuildId, MatchId
from bot.domain.match import Actor, Place
from bot.domain.ratings.glicko import GLICKO
from bot.domain.ratings.system import SKILL
from bot.services.ratings import RatingService
from bot.store import Store, rating_lists, tables, transactions
from bot.store import ratings as stored_ratings
from bot.store.records import PlayerRating, RatedMatch
from tests.support.databases import both
from tests.support.kit import ANN, BOB, CHANNEL, CYD, DAN, GUILD, Club
from tests.support.not_none import not_none

pytestmark = both


OPENING = "a1 b1 c2 a3"


async def decided(club: Club, loser: Actor, *others: Actor, rated: bool = True) -> MatchId:
    """A match of ANN's that ``loser`` gives up after everybody has moved enough to count."""
    match_id = await club.start(*others, seat=None, rated=rated)
    await club.play(match_id, OPENING)
    await club.resign(loser, match_id)
    club.clock.forward(days=1)
    return match_id


@pytest.fixture
def club(store: Store) -> Club:
    return Club(store)


@pytest.fixture
def ratings(store: Store, club: Club) -> RatingService:
    return RatingService(store, club.clock)


async def test_a_rated_match_changes_both_ratings(club: Club, ratings: RatingService) -> None:
    match_id = await decided(club, BOB)
    ann, bob = [await ratings.profile(one.user_id) for one in (ANN, BOB)]
    assert ann.standings[0].game == "rows"
    assert ann.standings[0].points > 1500 > bob.standings[0].points
    assert ann.standings[0].is_provisional
    assert (ann.standings[0].record.won, bob.standings[0].record.lost) == (1, 1)
    assert [(one.match_id, one.rank) for one in ann.graph] == [(match_id, 0)]
    assert [one.points for one in bob.graph] == [bob.standings[0].points]


async def test_what_a_match_did_is_known_afterwards(club: Club, ratings: RatingService) -> None:
    first = await decided(club, BOB, BOB)
    second = await decided(club, ANN, BOB)
    match = await club.service.match(ANN, second)
    then = {
        gain.user_id: gain for gain in await ratings.gains(await club.service.match(ANN, first))
    }
    now = {gain.user_id: gain for gain in await ratings.gains(match)}
    assert then[ANN.user_id].before == 1500 < then[ANN.user_id].after
    assert now[ANN.user_id].before == then[ANN.user_id].after > now[ANN.user_id].after
    assert now[BOB.user_id].before == then[BOB.user_id].after < now[BOB.user_id].after
    assert await ratings.gains(dataclasses.replace(match, rated=False)) == ()


async def test_a_casual_match_changes_none(club: Club, ratings: RatingService) -> None:
    await decided(club, BOB, rated=False)
    assert (await ratings.profile(ANN.user_id)).standings == ()


async def test_a_match_given_up_at_once_changes_none(club: Club, ratings: RatingService) -> None:
    match_id = await club.start(BOB, seat=None, rated=True)
    await club.resign(BOB, match_id)
    assert (await ratings.profile(BOB.user_id)).standings == ()


async def test_a_table_of_four_is_rated_by_openskill(club: Club, ratings: RatingService) -> None:
    match_id = await club.start(BOB, CYD, DAN, game="pythagoras", seat=None, rated=True)
    match = await club.service.match(ANN, match_id)
    while match.ply < 8:
        table = game_state_of(match)
        move = next(iter(table.game.legal_moves(table.position)))
        actor = Actor(not_none(match.players[not_none(player_on_turn(match))]), GUILD)
        match = (await club.move(actor, match_id, table.game.notation(table.position, move))).match
    for loser in (BOB, CYD, DAN):
        await club.resign(loser, match_id)
    points = [
        (await ratings.profile(one.user_id)).standings[0].points for one in (ANN, BOB, CYD, DAN)
    ]
    assert points[0] > max(points[1:])
    record = (await ratings.profile(ANN.user_id)).standings[0].record
    assert record.rating.deviation < SKILL.newcomer.deviation


@pytest.mark.long
async def test_rebuilding_gives_the_same(store: Store, club: Club, ratings: RatingService) -> None:
    random = Random(5)
    people = [ANN, BOB, CYD]
    for _ in range(8):
        random.shuffle(people)
        one, other = people[:2]
        match_id = await club.start(other, by=one, seat=None, rated=True)
        await club.play(match_id, OPENING)
        await club.resign(random.choice([one, other]), match_id)
        club.clock.forward(hours=random.randrange(1, 900))

    async def everything() -> list[tuple[tuple[PlayerRating, ...], tuple[RatedMatch, ...]]]:
        profiles = [await ratings.profile(one.user_id) for one in (ANN, BOB, CYD)]
        return [(profile.standings, profile.graph) for profile in profiles]

    before = await everything()
    assert await store.write(stored_ratings.rebuild) == (8, 0)
    assert await everything() == before
    await store.database.write(lambda c: c.execute(sa.delete(tables.ratings)))
    await store.database.write(lambda c: c.execute(sa.update(tables.placings).values(points=0)))
    assert await store.write(stored_ratings.rebuild) == (8, len(before))
    assert await everything() == before


async def test_rebuilding_nothing_is_fine(store: Store) -> None:
    assert await store.write(stored_ratings.rebuild) == (0, 0)


async def test_a_result_is_rated_once(club: Club, ratings: RatingService) -> None:
    match_id = await club.start(BOB, seat=None, rated=True)
    await club.play(match_id, OPENING)
    click = club.click()
    await asyncio.gather(*(club.resign(BOB, match_id, click=click) for _ in range(5)))
    assert (await ratings.profile(BOB.user_id)).standings[0].record.matches == 1


@pytest.mark.long
async def test_matches_that_end_at_once_are_all_rated(club: Club, ratings: RatingService) -> None:
    ids = [await club.start(BOB, seat=None, rated=True) for _ in range(6)]
    for match_id in ids:
        await club.play(match_id, OPENING)
    await asyncio.gather(*(club.resign(BOB, one) for one in ids))
    before = [(await ratings.profile(one.user_id)).standings for one in (ANN, BOB)]
    assert [one[0].record.matches for one in before] == [6, 6]
    assert await club.store.write(stored_ratings.rebuild) == (6, 0)


@pytest.mark.long
async def test_the_leaderboard_has_the_uncertain_last(club: Club, ratings: RatingService) -> None:
    for number in range(12):
        # Cyd wins most, Bob least; everybody wins now and then, so that all become certain.
        for better, worse in ((CYD, BOB), (ANN, BOB), (CYD, ANN)):
            winner, loser = (worse, better) if number % 3 == 0 else (better, worse)
            match_id = await club.start(loser, by=winner, seat=None, rated=True)
            await club.play_as((winner, loser), match_id, OPENING)
            await club.resign(loser, match_id)
            club.clock.forward(hours=1)
    match_id = await club.start(DAN, seat=None, rated=True)
    await club.play_as((ANN, DAN), match_id, OPENING)
    await club.resign(DAN, match_id)
    board = await ratings.leaderboard("rows", None, 10)
    assert board[-1].user_id == DAN.user_id
    assert board[-1].is_provisional
    board = board[:-1]
    assert [one.user_id for one in board] == [CYD.user_id, ANN.user_id, BOB.user_id]
    assert all(one.record.rating.deviation <= GLICKO.certain for one in board)
    assert [one.points for one in board] == sorted((one.points for one in board), reverse=True)
    assert await ratings.leaderboard("rows", None, 2) == board[:2]
    assert await ratings.leaderboard("quax", None, 10) == ()
    club.clock.forward(days=366)
    assert await ratings.leaderboard("rows", None, 10) == ()


@pytest.mark.long
async def test_a_servers_leaderboard_is_of_its_players(club: Club, ratings: RatingService) -> None:
    elsewhere = Place(GuildId(GUILD + 7), CHANNEL)
    for number in range(14):
        for place, other in ((None, BOB), (elsewhere, CYD)):
            more = {} if place is None else {"place": place}
            by = dataclasses.replace(ANN, guild_id=place.guild_id if place else GUILD)
            guest = dataclasses.replace(other, guild_id=by.guild_id)
            match_id = await club.start(guest, by=by, seat=None, rated=True, **more)
            await club.play_as((by, guest), match_id, OPENING)
            loser = by if number % 2 else guest
            await club.resign(loser, match_id)
    here = {one.user_id for one in await ratings.leaderboard("rows", GUILD, 10)}
    there = {one.user_id for one in await ratings.leaderboard("rows", elsewhere.guild_id, 10)}
    assert here == {ANN.user_id, BOB.user_id}
    assert there == {ANN.user_id, CYD.user_id}


@pytest.mark.long
async def test_two_people_have_met_in_all_their_finished_matches_rated_or_not(
    store: Store, club: Club
) -> None:
    lost = await decided(club, ANN, BOB)
    await decided(club, CYD, CYD)
    won = await decided(club, BOB, BOB, rated=False)
    await club.start(BOB)
    met = await store.read(transactions.met, ANN.user_id, BOB.user_id, 9)
    assert [each.id for each in met] == [won, lost]
    assert await store.read(transactions.met, BOB.user_id, CYD.user_id, 9) == ()


@pytest.mark.long
async def test_the_best_wins_are_one_for_each(club: Club, ratings: RatingService) -> None:
    await decided(club, BOB, BOB)
    last = await decided(club, BOB, BOB)
    other = await decided(club, CYD, CYD)
    await decided(club, ANN, BOB)
    wins = await club.store.read(rating_lists.best_wins, ANN.user_id, 3)
    assert {win.other for win in wins} == {BOB.user_id, CYD.user_id}
    assert [win.points for win in wins] == sorted((win.points for win in wins), reverse=True)
    assert other in {win.match_id for win in wins}
    assert last not in {win.match_id for win in wins}, "he was rated higher before he lost again"


async def test_ones_own_place_is_known(club: Club, ratings: RatingService) -> None:
    assert await ratings.place(ANN.user_id, "rows", None) is None
    await decided(club, BOB, BOB)
    await decided(club, ANN, CYD)
    standings = await ratings.leaderboard("rows", GUILD, 10)
    for number, standing in enumerate(standings, 1):
        assert await ratings.place(standing.user_id, "rows", GUILD) == number
        assert await ratings.place(standing.user_id, "rows", None) == number
    club.clock.forward(days=400)
    assert await ratings.place(ANN.user_id, "rows", None) is None


@pytest.mark.long
async def test_a_rating_becomes_uncertain_with_time(club: Club, ratings: RatingService) -> None:
    for number in range(16):
        await decided(club, ANN if number % 2 else BOB, BOB)
    assert not (await ratings.profile(ANN.user_id)).standings[0].is_provisional
    club.clock.at += timedelta(days=1500)
    assert (await ratings.profile(ANN.user_id)).standings[0].is_provisional
