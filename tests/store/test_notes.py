"""The store's contract for notes and favourites, on both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from bot.domain.ids import GuildId
from bot.domain.match import Actor, Place, Scope
from bot.privacy import store as privacy
from bot.store import notes, transactions
from bot.store.records import MatchNotes
from tests.support.databases import both
from tests.support.kit import ANN, BOB, CHANNEL, CYD, GUILD, START, Club, refused

pytestmark = both

A, B = ANN.user_id, BOB.user_id


async def test_a_note_takes_the_place_of_the_one_before_and_goes_with_no_words(store: Any) -> None:
    match_id = await Club(store).start(BOB)
    for ply, words in ((2, "first"), (0, "before it all"), (2, "better")):
        await store.write(notes.keep_note, A, match_id, ply, words, now=START, most=2)
    assert (await store.read(notes.notes_of, A, match_id)).notes == (
        (0, "before it all"),
        (2, "better"),
    )
    await refused(
        "too_many_notes",
        store.write(notes.keep_note, A, match_id, 3, "one too many", now=START, most=2),
    )
    await store.write(notes.keep_note, A, match_id, 2, "", now=START, most=2)
    assert (await store.read(notes.notes_of, A, match_id)).note(0) == "before it all"
    assert await store.read(notes.notes_of, B, match_id) == MatchNotes(), "nobody else has it"


async def test_favourites_are_listed_the_last_kept_first(store: Any) -> None:
    club = Club(store)
    ids = [await club.start(BOB) for _ in range(3)]
    for number, match_id in enumerate(ids):
        now = START + timedelta(minutes=number)
        await store.write(notes.keep_favourite, ANN, match_id, now, 3, is_one=True)
    fourth = await club.start(BOB)
    await refused(
        "too_many_favourites", store.write(notes.keep_favourite, ANN, fourth, START, 3, is_one=True)
    )
    await store.write(notes.keep_favourite, ANN, ids[1], START, 3, is_one=False)
    assert [each.id for each in await store.read(notes.favourites_of, ANN, 10, 0)] == [
        ids[2],
        ids[0],
    ]
    assert [each.id for each in await store.read(notes.favourites_of, ANN, 1, 1)] == [ids[0]]
    assert await store.read(notes.favourites_of, BOB, 10, 0) == ()
    assert (await store.read(notes.notes_of, A, ids[0])).is_favourite


async def test_favourites_are_listed_where_they_can_be_opened(store: Any) -> None:
    match_id = await Club(store).start(BOB)
    await store.write(notes.keep_favourite, CYD, match_id, START, 3, is_one=True)
    await store.write(notes.keep_favourite, ANN, match_id, START, 3, is_one=True)
    elsewhere = Actor(CYD.user_id, GuildId(77))
    assert [each.id for each in await store.read(notes.favourites_of, CYD, 10, 0)] == [match_id]
    assert await store.read(notes.favourites_of, elsewhere, 10, 0) == ()
    assert await store.read(notes.favourites_of, replace(elsewhere, guild_id=None), 10, 0) == ()
    played = replace(ANN, guild_id=None)
    assert [each.id for each in await store.read(notes.favourites_of, played, 10, 0)] == [match_id]


async def test_favourites_that_are_not_listed_here_leave_room_for_others(store: Any) -> None:
    club = Club(store)
    far = replace(CYD, guild_id=GuildId(77))
    hidden = [await club.start(BOB, place=Place(GuildId(77), CHANNEL)) for _ in range(2)]
    here = [await club.start(BOB) for _ in range(3)]
    for match_id in hidden:
        await store.write(notes.keep_favourite, far, match_id, START, 2, is_one=True)
    await refused(
        "too_many_favourites",
        store.write(notes.keep_favourite, far, here[0], START, 2, is_one=True),
    )
    for match_id in here[:2]:
        await store.write(notes.keep_favourite, CYD, match_id, START, 2, is_one=True)
    await refused(
        "too_many_favourites",
        store.write(notes.keep_favourite, CYD, here[2], START, 2, is_one=True),
    )
    assert len(await store.read(notes.favourites_of, CYD, 10, 0)) == 2
    assert len(await store.read(notes.favourites_of, far, 10, 0)) == 2


async def test_what_is_kept_goes_with_its_person(store: Any) -> None:
    club = Club(store)
    match_id = await club.start(BOB)
    await store.write(notes.keep_note, CYD.user_id, match_id, 1, "  watch this  ", now=START)
    await store.write(notes.keep_favourite, CYD, match_id, START, is_one=True)
    held = await store.read(privacy.held_about, CYD.user_id, START)
    assert [row["words"] for row in held["notes"]] == ["watch this"]
    assert len(held["favourites"]) == 1
    await store.write(privacy.forget, CYD.user_id, -123_456, START)
    assert await store.read(notes.notes_of, CYD.user_id, match_id) == MatchNotes()


async def test_pages_of_another_players_finished_matches_hold_those_one_may_see(store: Any) -> None:
    club = Club(store)
    elsewhere = Place(GuildId(77), CHANNEL)
    for place in (None, elsewhere, elsewhere, None):
        more: dict[str, Any] = {} if place is None else {"place": place}
        match_id = await club.start(BOB, **more)
        await club.resign(ANN, match_id)
        club.clock.forward(minutes=1)
    seen = await store.read(transactions.over_of, A, Scope(GUILD, CYD.user_id), 2)
    assert [each.origin.guild_id for each in seen] == [GUILD, GUILD]
    assert len(await store.read(transactions.over_of, A, ANN.scope, 9)) == 4
