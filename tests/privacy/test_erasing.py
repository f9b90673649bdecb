"""Data about a person, and that none is left after they are erased."""

from __future__ import annotations

import dataclasses
import json
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.sql.schema import Column

from bot.domain import play
from bot.domain.events import CommandContext
from bot.domain.game_state import game_state_of, player_on_turn
from bot.domain.history import verify
from bot.domain.ids import UserId
from bot.domain.match import MatchStatus, Scope
from bot.domain.preferences import NoticeWay
from bot.follows import store as follows
from bot.plans import store as stored_plans
from bot.plans.services import PlanService
from bot.posts.sending import Retry
from bot.privacy import store as stored_privacy
from bot.privacy.services import PrivacyService
from bot.privacy.store import held_about
from bot.services.preferences import PreferenceService
from bot.services.ratings import RatingService
from bot.services.verification import verify_all
from bot.store import Store, outbox, tables, transactions
from bot.store import people as stored_people
from bot.store import ratings as stored_ratings
from bot.store.errors import Conflict
from bot.store.tables.base import raw
from bot.tournaments.domain import acts
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.store import reading
from games import catalog
from tests.support.databases import both, both_in_soak
from tests.support.kit import BOB, CYD, DAN, GUILD, Club, head, person
from tests.support.not_none import not_none
from tests.tournaments.kit import DIRECTOR, Hall, a_setup

pytestmark = pytest.mark.slow

ANNA = person(1573756194198126592)
"""As long as real ids are, so that it can be told from everything else in a file."""


@pytest.fixture
def club(store: Store) -> Club:
    return Club(store)


@pytest.fixture
def privacy(store: Store, club: Club) -> PrivacyService:
    return PrivacyService(store, club.service, club.clock, Random(3))


async def a_life(store: Store, club: Club) -> Any:
    """Everything that a person can leave behind: finished and running matches, offers, choices."""
    lost = await club.start(BOB, by=ANNA, seat=None, rated=True)
    await club.play_as((ANNA, BOB), lost, "a1 b1 c2 a3")
    await club.resign(ANNA, lost)
    running = await club.start(CYD, by=ANNA)
    planned = await club.start(ANNA, by=DAN)
    await PlanService(store, club.service).add(ANNA, planned, "a1 b2")
    offered = (await club.offer(BOB, by=ANNA)).match.id
    asked = (await club.offer(ANNA, by=BOB)).match.id
    open_seat = (await club.offer(by=BOB, options={"players": 3})).match.id
    await club.accept(ANNA, open_seat)
    await club.withdraw(ANNA, open_seat)
    choices = PreferenceService(store, club.clock)
    await choices.change(
        ANNA.user_id,
        lambda chosen: dataclasses.replace(chosen, theme="light", way=NoticeWay.DIGEST),
    )
    await choices.block(ANNA.user_id, DAN.user_id)
    await choices.block(CYD.user_id, ANNA.user_id)
    await store.write(
        follows.follow_player, type(ANNA.user_id)(4242), ANNA.user_id, GUILD, club.clock.now()
    )
    await club.vacations.begin(ANNA.user_id, lambda now: now + timedelta(days=3), club.click())
    return lost, running, planned, offered, asked


@both
async def test_all_that_is_held_is_in_the_file(
    store: Store, club: Club, privacy: PrivacyService
) -> None:
    lost, running, planned, offered, asked = await a_life(store, club)
    held: Any = await store.read(held_about, ANNA.user_id, club.clock.now())
    json.dumps(held)
    assert {row["id"] for row in held["matches"]} >= {lost, running, planned, offered, asked}
    assert {row["match_id"] for row in held["events"]} >= {lost, running, planned, offered}
    assert [row["match_id"] for row in held["plans"]] == [planned]
    assert "light" in held["people"][0]["settings"]
    assert [row.get("user_id") for row in held["fans"]] == [None], "not who follows them"
    assert len(held["blocks"]) == 2
    known = [(row.get("user_id"), row["other_id"]) for row in held["blocks"]]
    assert sorted(known, key=str) == [(ANNA.user_id, DAN.user_id), (None, ANNA.user_id)]
    assert [row["by_itself"] for row in held["vacations"]] == [0]
    assert held["ratings"][0]["matches"] == 1
    assert len(held["placings"]) == 1
    assert {row["kind"] for row in held["outbox"]} == {"digest", "vacation"}
    everything = {column.table.name for column in _columns_of_people()}
    assert everything <= held.keys()


def _columns_of_people() -> list[Column[Any]]:
    """Every column of every table that may hold a person's id, by its name."""
    return [
        column
        for table in tables.metadata.sorted_tables
        for column in table.columns
        if column.name
        in ("user_id", "other_id", "owner_id", "players", "invited", "created_by", "subject_id")
    ]


@both
async def test_erasing_ends_what_runs_and_keeps_what_others_need(
    store: Store, club: Club, privacy: PrivacyService
) -> None:
    lost, running, planned, offered, asked = await a_life(store, club)
    farewell = await privacy.erase(ANNA.user_id)
    assert (farewell.resigned, farewell.withdrawn) == (2, 2)
    assert farewell.kept >= 5
    expected = {
        lost: MatchStatus.FINISHED,
        running: MatchStatus.FINISHED,
        planned: MatchStatus.FINISHED,
        offered: MatchStatus.WITHDRAWN,
        asked: MatchStatus.DECLINED,
    }
    for match_id, status in expected.items():
        match = await head(store, match_id)
        assert match is not None
        assert match.status is status
        assert ANNA.user_id not in match.players + match.invited
        events = await store.read(transactions.history, match_id, Scope(GUILD))
        verify(match, events)
    assert (await verify_all(store)).problems == ()
    match = await head(store, lost)
    bob = RatingService(store, club.clock)
    assert (await bob.profile(BOB.user_id)).standings[0].record.won == 1
    assert await store.write(stored_ratings.rebuild) == (1, 0)
    pseudonyms = {not_none(each) for each in match.players if each != BOB.user_id}
    assert all(each < 0 for each in pseudonyms)


@both
async def test_what_stands_for_their_matches_is_shown_anew_under_the_pseudonym(
    store: Store, club: Club, privacy: PrivacyService
) -> None:
    matches = [await club.start(BOB, by=ANNA) for _ in range(3)]
    table = await club.start(ANNA, CYD, by=BOB, options={"players": 3})
    other = await club.start(CYD, by=DAN)
    for match_id in (*matches, table):
        await club.resign(ANNA, match_id)
    await club.worker.drain()
    club.discord.updates.clear()
    await privacy.erase(ANNA.user_id)
    await club.worker.drain()
    shown = [match.id for match, _ in club.discord.redrawn]
    assert shown == [table], "what still runs is shown first, the others a while later"
    for _ in matches:
        club.clock.forward(seconds=10)
        await club.worker.drain()
    redrawn, edited = club.discord.redrawn, [match for match, _ in club.discord.updates]
    assert sorted(match.id for match, _ in redrawn) == sorted((*matches, table))
    assert {match.id for match in edited} == {*matches, table}
    for match in (*(each for each, _ in redrawn), *edited):
        assert ANNA.user_id not in match.players
        assert match.id != other
    for match, posted in redrawn:
        standing = await head(store, match.id)
        assert club.discord.messages[posted.message_id].version == standing.version


@both
async def test_a_board_that_waits_is_posted_before_it_is_shown_anew(
    store: Store, club: Club, privacy: PrivacyService
) -> None:
    match_id = await club.begun(BOB, by=ANNA)
    before = set(club.discord.messages)
    club.discord.trouble.append(("post_board", Retry(5)))
    await privacy.erase(ANNA.user_id)
    await club.worker.drain()
    club.clock.forward(seconds=6)
    await club.worker.drain()
    ((_, posted),) = club.discord.redrawn
    assert posted.message_id not in before, "the last board, not the one that it replaced"
    assert club.discord.messages[posted.message_id].match_id == match_id


@both
async def test_a_board_asked_for_is_posted_though_the_one_that_stands_is_to_be_shown_anew(
    store: Store, club: Club, privacy: PrivacyService
) -> None:
    club.changes.outbox = None
    table = await club.begun(ANNA, CYD, by=BOB, options={"players": 3})
    await club.resign(ANNA, table)
    await club.worker.drain()
    before = club.discord.boards(table)[-1]
    await privacy.erase(ANNA.user_id)
    await club.service.show_again(BOB, table)
    await club.worker.drain()
    (*_, board) = club.discord.boards(table)
    assert (board.version, board.id > before.id) == (before.version, True)
    assert [posted.message_id for _, posted in club.discord.redrawn] == [board.id]


@both
async def test_an_erased_player_is_on_no_leaderboard(
    store: Store, club: Club, privacy: PrivacyService
) -> None:
    match_id = await club.start(BOB, by=ANNA, seat=None, rated=True)
    await club.play_as((ANNA, BOB), match_id, "a1 b1 c2 a3")
    await club.resign(BOB, match_id)
    ratings = RatingService(store, club.clock)
    game = (await head(store, match_id)).game
    assert await ratings.place(BOB.user_id, game, None) == 2
    await privacy.erase(ANNA.user_id)
    for guild in (None, GUILD):
        (left,) = await ratings.leaderboard(game, guild, 10)
        assert left.user_id == BOB.user_id
        assert await ratings.place(BOB.user_id, game, guild) == 1
    assert await store.write(stored_ratings.rebuild) == (1, 0), "nobody else's rating has changed"


@both
async def test_the_pseudonym_is_not_made_of_the_id(club: Club, store: Store) -> None:
    found = set()
    for seed in (3, 4):
        privacy = PrivacyService(store, club.service, club.clock, Random(seed))
        match_id = await club.start(BOB, by=ANNA)
        await club.resign(ANNA, match_id)
        await privacy.erase(ANNA.user_id)
        found |= {each for each in (await head(store, match_id)).players if each != BOB.user_id}
    assert len(found) == 2, "the same person erased twice has two"


@both
async def test_no_row_names_an_erased_person(
    store: Store, club: Club, privacy: PrivacyService
) -> None:
    await a_life(store, club)
    await privacy.erase(ANNA.user_id)
    for table in tables.metadata.sorted_tables:
        rows = await store.database.read(
            partial(lambda c, table: c.execute(sa.select(raw(table))).mappings().all(), table=table)
        )
        for row in rows:
            assert str(ANNA.user_id) not in json.dumps(dict(row)), table.name


@both
async def test_a_server_that_keeps_an_erased_person_out_goes_on_doing_so(
    store: Store, club: Club, privacy: PrivacyService
) -> None:
    choices = PreferenceService(store, club.clock)
    other = UserId(ANNA.user_id + 1)
    for people in ((ANNA.user_id,), (ANNA.user_id, other)):
        await choices.change_server(
            GUILD, BOB.user_id, partial(dataclasses.replace, kept_out=people)
        )
    assert (await store.read(held_about, ANNA.user_id, club.clock.now()))["kept_out_of"] == [
        str(GUILD)
    ]
    assert (await store.read(held_about, CYD.user_id, club.clock.now()))["kept_out_of"] == []
    await privacy.erase(ANNA.user_id)
    assert (await choices.server(GUILD)).kept_out == (ANNA.user_id, other)
    entries = await store.read(stored_people.audit_of, GUILD, 5)
    told = [each.after["kept_out"] for each in entries]
    assert [str(each).count(",") for each in told] == [1, 0]
    assert str(ANNA.user_id) not in str(entries)
    assert str(other) in str(entries)


async def test_no_byte_of_the_files_names_an_erased_person(
    store: Store, club: Club, privacy: PrivacyService, sqlite_url: str
) -> None:
    lost, *_ = await a_life(store, club)
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    spellings = (str(ANNA.user_id).encode(), ANNA.user_id.to_bytes(8, "big"))

    def found() -> list[str]:
        files = [each for each in path.parent.iterdir() if each.name.startswith(path.name)]
        return [
            each.name for each in files for spelling in spellings if spelling in each.read_bytes()
        ]

    assert found()
    await privacy.erase(ANNA.user_id)
    assert found() == []
    await club.service.match(BOB, lost)


@both
async def test_a_player_who_still_plays_is_not_erased(store: Store, club: Club) -> None:
    match_id = await club.start(BOB, by=ANNA)
    with pytest.raises(Conflict):
        await store.write(stored_privacy.forget, ANNA.user_id, UserId(-5), club.clock.now())
    match = await head(store, match_id)
    assert ANNA.user_id in match.players


@both
async def test_who_has_resigned_at_a_table_of_three_is_erased_while_the_others_play_on(
    store: Store, club: Club, privacy: PrivacyService
) -> None:
    match_id = await club.start(ANNA, CYD, by=BOB, options={"players": 3})
    await club.resign(ANNA, match_id)
    await privacy.erase(ANNA.user_id)
    match = await club.service.match(BOB, match_id)
    assert match.status is MatchStatus.RUNNING
    await club.play_as((BOB, CYD), match_id, "c3")
    await club.resign(BOB, match_id)
    over = await head(store, match_id)
    assert over.status is MatchStatus.FINISHED
    assert ANNA.user_id not in over.players
    verify(over, await store.read(transactions.history, match_id, Scope(GUILD)))


@both
async def test_a_head_from_before_does_not_bring_an_erased_person_back(
    store: Store, club: Club, privacy: PrivacyService
) -> None:
    """Another process may have read a match as it was."""
    match_id = await club.start(ANNA, CYD, by=BOB, options={"players": 3})
    await club.resign(ANNA, match_id)
    before = await head(store, match_id)
    await privacy.erase(ANNA.user_id)
    await store.commit(play.resign(before, CommandContext(club.clock.now()), BOB))
    over = await head(store, match_id)
    assert over.status is MatchStatus.FINISHED
    assert ANNA.user_id not in over.players


@both_in_soak
async def test_a_head_from_before_does_not_rate_an_erased_person(
    store: Store, club: Club, privacy: PrivacyService
) -> None:
    people = (ANNA, BOB, CYD, DAN)
    match_id = await club.start(BOB, CYD, DAN, by=ANNA, seat=None, game="pythagoras", rated=True)
    rng = Random(5)
    for _ in range(12):
        match = await head(store, match_id)
        table = game_state_of(match)
        move = rng.choice(list(table.game.legal_moves(table.position)))
        await club.play_as(people, match_id, table.game.notation(table.position, move))
    await club.resign(ANNA, match_id)
    await club.resign(BOB, match_id)
    before = await head(store, match_id)
    await privacy.erase(ANNA.user_id)
    await store.commit(play.resign(before, CommandContext(club.clock.now()), CYD))
    assert (await head(store, match_id)).status is MatchStatus.FINISHED
    held: Any = await store.read(held_about, ANNA.user_id, club.clock.now())
    assert (held["ratings"], held["placings"]) == ([], [])


@both
async def test_a_plan_goes_with_who_made_it(
    store: Store, club: Club, privacy: PrivacyService
) -> None:
    people = (ANNA, BOB, CYD, DAN)
    match_id = await club.start(BOB, CYD, DAN, by=ANNA, seat=0, game="pythagoras")
    match = await head(store, match_id)
    table = game_state_of(match)
    index = (not_none(player_on_turn(match)) + 1) % 4
    planner = next(each for each in people if match.index_of(each.user_id) == index)
    move = table.game.notation(table.position, next(iter(table.game.legal_moves(table.position))))
    plans = PlanService(store, club.service)
    await plans.add(planner, match_id, f"* {move}")
    assert await store.read(stored_plans.plan, match_id, index) is not None
    await privacy.erase(planner.user_id)
    assert await store.read(stored_plans.plan, match_id, index) is None


@both
async def test_erasing_works_where_the_rules_of_a_match_are_gone(
    store: Store, club: Club, privacy: PrivacyService, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await club.start(BOB, by=ANNA, seat=0)
    await club.play_as((ANNA, BOB), match_id, "b2 a1")
    await club.worker.drain()
    told = len(club.discord.told)
    monkeypatch.delitem(catalog.GAMES, "rows")
    done = await privacy.erase(ANNA.user_id)
    assert (done.resigned, done.kept) == (1, 1)
    over = await head(store, match_id)
    assert over.status is MatchStatus.ABORTED
    assert ANNA.user_id not in over.players
    await club.worker.drain()
    assert [each.notice.value for each in club.discord.told[told:]] == ["over"]
    assert await store.read(outbox.next_due) is None


@both
async def test_a_directors_reasons_go_with_the_director(store: Store, hall: Hall) -> None:
    event = await hall.create(a_setup(FormatKey.SWISS))
    await hall.direct(event, acts.Cancel(), reason="The power is out.")
    await store.write(stored_privacy.forget, DIRECTOR.user_id, UserId(-9), hall.club.clock.now())
    history = await store.read(reading.history, event)
    assert len(history) > 1
    assert {each.note for each in history} == {""}
