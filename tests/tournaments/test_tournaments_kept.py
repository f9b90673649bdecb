"""The store's contract for tournaments, on both databases."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.ids import ChannelId, UserId
from bot.errors import UserError
from bot.store import Store
from bot.store.errors import Conflict
from bot.tournaments.domain import acts, registration
from bot.tournaments.domain.fold import TournamentAct, replay
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.services.verifying import problem_of
from bot.tournaments.store import reading as tournament_reading
from bot.tournaments.store import writing as tournament_writing
from bot.tournaments.store.records import Writing
from tests.support.databases import both
from tests.support.kit import CHANNEL, GUILD
from tests.tournaments.kit import DIRECTOR, Hall, a_setup

pytestmark = both


async def test_what_is_written_is_what_is_read_whatever_happened(store: Store, hall: Hall) -> None:
    id_ = await hall.begun(FormatKey.SWISS, 5, roles=(), director_roles=(5, 6))
    await hall.direct(id_, acts.Appoint(UserId(9)))
    await hall.direct(id_, acts.Withdraw(2))
    await hall.direct(id_, acts.Exclude(3))
    stored = await hall.stored(id_)
    history = await store.read(tournament_reading.history, id_)
    assert replay(history) == stored.tournament
    assert problem_of(stored, history) is None
    assert stored.tournament.directors == (9,)
    assert await store.read(tournament_reading.event, id_, len(history)) == history[-1]
    assert [each[0].tournament.id async for each in tournament_reading.every(store)] == [id_]


async def test_the_second_of_two_who_decided_on_the_same_version_changes_nothing(
    store: Store, hall: Hall
) -> None:
    id_ = await hall.create(a_setup(FormatKey.SWISS))
    t = await hall.head(id_)
    one, two = (
        registration.enter(t, TournamentAct(hall.clock.at, UserId(user)), UserId(user))
        for user in (1, 2)
    )
    assert one is not None
    assert two is not None
    await tournament_writing.commit(store, Writing(t, (one,), hall.clock.at))
    with pytest.raises(Conflict):
        await tournament_writing.commit(store, Writing(t, (two,), hall.clock.at))
    assert [each.user_id for each in (await hall.check(id_)).entrants] == [1]


async def test_an_interaction_is_carried_out_once_in_whatever_tournament(
    store: Store, hall: Hall
) -> None:
    ids = [await hall.create(a_setup(FormatKey.SWISS)) for _ in range(2)]
    click = hall.club.click()
    for place, id_ in enumerate(ids):
        t = await hall.head(id_)
        entered = registration.enter(t, TournamentAct(hall.clock.at, UserId(1), click), UserId(1))
        assert entered is not None
        writing = Writing(t, (entered,), hall.clock.at)
        if place:
            with pytest.raises(Conflict):
                await tournament_writing.commit(store, writing)
        else:
            await tournament_writing.commit(store, writing)
    done = await store.read(tournament_reading.done, click)
    assert done is not None
    assert (done.tournament_id, done.kind) == (ids[0], "entered")


async def test_lists_have_what_runs_first_and_search_takes_every_sign_as_it_is(
    store: Store, hall: Hall
) -> None:
    names = ("50% off", "50 men", "Straße_1", "STRASSEN")
    ids = {}
    for name in names:
        ids[name] = await hall.create(replace(a_setup(FormatKey.SWISS), name=name))
        hall.clock.forward(minutes=1)
    await hall.direct(ids["50 men"], acts.Cancel())

    async def found(text: str, is_over: bool | None = None) -> list[str]:
        return [
            each.name
            for each in await store.read(tournament_reading.of_server, GUILD, text, is_over, 25)
        ]

    assert await found("") == ["STRASSEN", "Straße_1", "50% off", "50 men"]
    assert await found("50%") == ["50% off"]
    assert await found("strasse") == ["STRASSEN", "Straße_1"]
    assert await found("e_") == ["Straße_1"]
    assert await found("\\") == []
    assert await found("", True) == ["50 men"]
    await hall.join(ids["50% off"], 1)
    later = replace(a_setup(FormatKey.ROUND_ROBIN), name="Later", promoted=1, season=2)
    ids["Later"] = await hall.create(later)
    seasons = await store.read(tournament_reading.of_server, GUILD, "", False, 25)
    assert [each.season for each in seasons] == [2, 1, 1, 1]
    assert [each.name for each in await store.read(tournament_reading.of_person, UserId(1), 5)] == [
        "50% off"
    ]
    assert len(await store.read(tournament_reading.in_channel, CHANNEL)) == 5
    assert await store.read(tournament_reading.in_channel, ChannelId(1)) == ()
    directed = await store.read(tournament_reading.directed_by, DIRECTOR.user_id)
    assert set(directed) == set(ids.values()) - {ids["50 men"]}
    assert set(await store.read(tournament_reading.not_over, "", 10)) == set(directed)


async def test_a_server_has_no_more_tournaments_than_may_run(hall: Hall) -> None:
    for _ in range(20):
        last = await hall.create(a_setup(FormatKey.SWISS))
    with pytest.raises(UserError, match="too_many_tournaments"):
        await hall.create(a_setup(FormatKey.SWISS))
    await hall.direct(last, acts.Cancel())
    await hall.create(a_setup(FormatKey.SWISS))
