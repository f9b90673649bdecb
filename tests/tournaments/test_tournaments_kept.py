"""The store's contract for tournaments, on both databases."""

from __future__ import annotations

import pytest

from bot.domain.ids import ChannelId, UserId
from bot.errors import UserError
from bot.store import Store
from bot.store.errors import Conflict
from bot.tournaments.domain import registration
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
    await hall.tell(id_, "appoint 9 | withdraw 2 | exclude 3 | ? t.directors == (9,)")
    stored = await hall.stored(id_)
    history = await store.read(tournament_reading.history, id_)
    assert replay(history) == stored.tournament
    assert problem_of(stored, history) is None
    assert await store.read(tournament_reading.event, id_, len(history)) == history[-1]
    assert [each[0].tournament.id async for each in tournament_reading.every(store)] == [id_]


@pytest.mark.parametrize("is_same_click", [False, True])
async def test_of_two_who_decided_on_one_version_or_with_one_click_the_first_is_kept(
    store: Store, hall: Hall, *, is_same_click: bool
) -> None:
    ids = [await hall.create(a_setup(FormatKey.SWISS)) for _ in range(1 + is_same_click)]
    clicks = [hall.club.click()] * 2 if is_same_click else [hall.club.click() for _ in range(2)]
    heads = [await hall.head(each) for each in (ids[0], ids[-1])]
    writings = []
    for user, t, click in zip((1, 2), heads, clicks, strict=True):
        act = TournamentAct(hall.clock.at, UserId(user), click)
        entered = registration.enter(t, act, UserId(user))
        assert entered is not None
        writings.append(Writing(t, (entered,), hall.clock.at))
    await tournament_writing.commit(store, writings[0])
    with pytest.raises(Conflict):
        await tournament_writing.commit(store, writings[1])
    assert [each.user_id for id_ in ids for each in (await hall.check(id_)).entrants] == [1]
    done = await store.read(tournament_reading.done, clicks[0])
    assert done is not None
    assert (done.tournament_id, done.kind) == (ids[0], "entered")


async def test_lists_have_what_runs_first_and_search_takes_every_sign_as_it_is(
    store: Store, hall: Hall
) -> None:
    ids = {}
    for name in ("50% off", "50 men", "Straße_1", "STRASSEN"):
        ids[name] = await hall.told("swiss 0 | wait 1m", name=name)
    await hall.tell(ids["50 men"], "cancel")
    for text, is_over, names in (
        ("", None, ["STRASSEN", "Straße_1", "50% off", "50 men"]),
        ("50%", None, ["50% off"]),
        ("strasse", None, ["STRASSEN", "Straße_1"]),
        ("e_", None, ["Straße_1"]),
        ("\\", None, []),
        ("", True, ["50 men"]),
    ):
        found = await store.read(tournament_reading.of_server, GUILD, text, is_over, 25)
        assert [each.name for each in found] == names
    await hall.join(ids["50% off"], 1)
    (mine,) = await store.read(tournament_reading.of_person, UserId(1), 5)
    assert mine.name == "50% off"
    assert len(await store.read(tournament_reading.in_channel, CHANNEL)) == 4
    assert await store.read(tournament_reading.in_channel, ChannelId(1)) == ()
    directed = await store.read(tournament_reading.directed_by, DIRECTOR.user_id)
    assert set(directed) == set(ids.values()) - {ids["50 men"]}
    assert set(await store.read(tournament_reading.not_over, "", 10)) == set(directed)


async def test_a_server_has_no_more_tournaments_than_may_run(hall: Hall) -> None:
    for _ in range(20):
        last = await hall.told("swiss 0")
    with pytest.raises(UserError, match="too_many_tournaments"):
        await hall.told("swiss 0")
    await hall.tell(last, "cancel")
    await hall.told("swiss 0")
