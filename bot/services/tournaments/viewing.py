"""Putting together what pages and messages show of a tournament."""

from __future__ import annotations

import asyncio

from bot.domain.tournaments import running
from bot.domain.tournaments.formats.catalog import placings
from bot.domain.tournaments.planning import event_plan_of
from bot.domain.tournaments.writing import read_fact
from bot.services.tournaments.ports import StoredTournament, TournamentStore
from bot.services.tournaments.views import EventView


async def viewed(
    store: TournamentStore, stored: StoredTournament, version: int | None = None
) -> EventView:
    """The view of what was loaded."""
    t = stored.tournament
    number = t.version if version is None else version
    event = await store.tournament_event(t.id, number)
    links = await store.tournament_links(t.id)
    # Tie-breaks of many players take a while.
    standings = await asyncio.to_thread(placings, t)
    return EventView(
        t,
        stored.home,
        standings,
        event_plan_of(t),
        links,
        event,
        None if event is None else read_fact(event.kind, event.payload),
        tuple(each.id for each in running.startable(t)),
        stored.previous,
        stored.next,
    )
