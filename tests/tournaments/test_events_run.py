"""Tournaments of each format from registration to the champion."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.domain.match import MatchStatus, Venue
from bot.store import Store
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import TournamentStatus
from bot.tournaments.posts import MessageKind
from tests.support.kit import head
from tests.tournaments.kit import Hall


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "players", "about"),
    [
        (FormatKey.SWISS, 7, {}),
        (FormatKey.KNOCKOUT, 6, {"third_place": True}),
        pytest.param(FormatKey.TABLES, 9, {"final_table": True}, marks=pytest.mark.long),
    ],
)
async def test_an_event_runs_itself_from_registration_to_the_champion(
    store: Store, hall: Hall, form: FormatKey, players: int, about: Any
) -> None:
    id_ = await hall.begun(form, players, **about)
    t = await hall.play_out(id_, Random(3))
    assert t.status is TournamentStatus.FINISHED
    assert all(each.is_over for each in t.games.values())
    await hall.check(id_)
    kinds = hall.announcer.kinds()
    assert kinds.count(MessageKind.FINISHED) == 1
    assert MessageKind.ROUND in kinds
    view = hall.announcer.told[-1][1]
    assert view.champion
    for match_id in (await hall.stored(id_)).matches.values():
        match = await head(store, match_id)
        assert match is not None
        assert match.status is MatchStatus.FINISHED
        assert match.venue is Venue.THREAD
