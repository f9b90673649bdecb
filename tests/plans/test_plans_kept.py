"""Plans in the store: played with the move that they answer, and gone when the game leaves them."""

from __future__ import annotations

import logging
import re
from typing import Any

import pytest
import sqlalchemy as sa

from bot.domain import play
from bot.domain.events import Change
from bot.domain.ids import MatchId
from bot.domain.match import Actor, Match, MatchStatus
from bot.plans.services import PlanService
from bot.store import Store, rating_lists, tables
from tests.support.databases import both
from tests.support.kit import ANN, BOB, Club, refused

pytestmark = both


@pytest.fixture
def planning(store: Store, club: Club) -> PlanService:
    return PlanService(store, club.service)


async def start(club: Club, **options: Any) -> MatchId:
    return await club.start(BOB, options={"size": 4, **options})


async def planned_rows(store: Store) -> int:
    count = sa.select(sa.func.count()).select_from(tables.plans)
    return await store.database.read(lambda c: c.execute(count).scalar_one())


async def test_a_planned_move_may_win(store: Store, club: Club, planning: PlanService) -> None:
    match_id = await club.start(BOB, rated=True, seat=None)
    await club.play(match_id, "a1 a3 b1 b3")
    first, second = ANN, BOB
    if (await club.service.match(ANN, match_id)).players[0] == BOB.user_id:
        first, second = BOB, ANN
    await refused("plan_empty", planning.add(first, match_id, "c2"))
    await planning.add(first, match_id, "c2 a2 c1")
    match = await club.service.match(ANN, match_id)
    assert match.ply == 4, "nothing is played for who is on turn"
    await club.move(first, match_id, "c2")
    await club.move(second, match_id, "a2")
    match = await club.service.match(ANN, match_id)
    assert match.status is MatchStatus.FINISHED
    assert match.result is not None
    assert match.result.winners == (0,)
    (rated,) = await store.read(rating_lists.ratings_of, first.user_id, club.clock.now())
    assert rated.record.won == 1


@pytest.mark.logs_errors
async def test_a_bug_in_a_planned_move_does_not_touch_the_move_it_answers(
    store: Store,
    club: Club,
    planning: PlanService,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    match_id = await start(club)
    await planning.add(BOB, match_id, "a1 b2")
    whole = play.move

    def broken(match: Match, act: Any, actor: Actor, **more: Any) -> Change:
        if act.interaction_id is None:
            raise ZeroDivisionError
        return whole(match, act, actor, **more)

    monkeypatch.setattr(play, "move", broken)
    with caplog.at_level(logging.ERROR):
        await club.move(ANN, match_id, "a1")
    match = await club.service.match(ANN, match_id)
    assert (match.recent, await planned_rows(store)) == (("a1",), 0)
    assert "a plan could not be followed" in caplog.text
    # Not as a word: the number of a bug may have these two digits in it.
    assert re.search(r"\bb2\b", caplog.text.partition("Traceback")[0]) is None
