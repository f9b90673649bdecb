"""Putting together what pages and messages show of a tournament."""

from __future__ import annotations

import asyncio
from typing import Any

from bot.domain.ids import TournamentId
from bot.domain.match import Scope, Venue
from bot.domain.tournaments import running
from bot.domain.tournaments.document import tournament_document
from bot.domain.tournaments.formats.catalog import placings
from bot.domain.tournaments.planning import event_plan_of
from bot.services.pairing import Pairing
from bot.services.tournaments.games import is_patient
from bot.services.tournaments.views import BegunGame, EventView, Wait
from bot.store import Store, transactions
from bot.store.tournaments import reading as tournament_reading
from bot.store.tournaments.records import StoredTournament


async def viewed(
    store: Store,
    stored: StoredTournament,
    version: int | None = None,
    *,
    pairing: Pairing | None = None,
) -> EventView:
    """The view of what was loaded, with the last event or that of a ``version``."""
    t = stored.tournament
    number = t.version if version is None else version
    event = await store.read(tournament_reading.event, t.id, number)
    links = await store.read(tournament_reading.links, t.id)
    # Tie-breaks of many players take a while.
    standings = await asyncio.to_thread(placings, t)
    waiting = tuple(each.id for each in running.startable(t))
    return EventView(
        t,
        stored.home,
        standings,
        event_plan_of(t),
        links,
        event,
        None if event is None else event.fact,
        waiting,
        await _wait(pairing, stored) if waiting and pairing is not None else None,
        t.checks_in is not None and stored.has_called,
    )


async def games_of(store: Store, stored: StoredTournament) -> tuple[BegunGame, ...]:
    """All games whose match has begun."""
    found = []
    for name, match_id in stored.matches.items():
        match = (await store.read(transactions.load, match_id, None)).match
        if match is not None:
            scope = Scope(match.origin.guild_id)
            events = await store.read(transactions.history, match_id, scope)
            found.append(BegunGame(name, match, events))
    return tuple(found)


async def _wait(pairing: Pairing, stored: StoredTournament) -> Wait | None:
    """What keeps games from beginning now, None if nothing does.

    So :meth:`bot.services.tournaments.games.Games.begin` finds it.
    """
    room = await pairing.room(stored.home.guild_id)
    if room.matches < 1:
        return Wait()
    setup = stored.tournament.setup
    in_threads = setup.venue is Venue.THREAD and not stored.home_gone
    if in_threads and room.threads < 1 and is_patient(setup):
        return Wait(room.next_thread)
    return None


async def document(store: Store, tournament_id: TournamentId) -> dict[str, Any] | None:
    """A tournament as programs read it, under ``tournament``; None if it is gone."""
    stored = await store.read(tournament_reading.stored, tournament_id)
    if stored is None:
        return None
    places = await asyncio.to_thread(placings, stored.tournament)
    return {"tournament": tournament_document(stored.tournament, places)}
