"""Organising tournaments: creating, rehearsing, and what directors do."""

from __future__ import annotations

import asyncio
from datetime import datetime
from functools import partial
from random import Random
from typing import Any

from bot.domain.ids import InteractionId, TournamentId, UserId, new_tournament_id
from bot.domain.match import Place
from bot.domain.tournaments import acts, planning, registration
from bot.domain.tournaments.acts import DirectorAct
from bot.domain.tournaments.fold import TournamentAct, TournamentChange
from bot.domain.tournaments.planning import EventPlan
from bot.domain.tournaments.setup import Setup
from bot.domain.tournaments.swiss_pairing import PairingEngine
from bot.errors import UserError
from bot.posts.tournament_messages import MessageKind
from bot.services.ratings import RatingService
from bot.services.tournaments.changes import ActOutcome, DecidedChanges, TournamentChanges
from bot.services.tournaments.consequences import messages_for
from bot.services.tournaments.decisions import checked_reason, is_director, moved_in, preview_of
from bot.services.tournaments.messages import Rehearsal
from bot.services.tournaments.rehearsal import Rehearsing
from bot.services.tournaments.viewing import viewed
from bot.services.tournaments.views import EventView, Preview, Visitor
from bot.store.store import retried
from bot.store.tournaments import reading as tournament_reading
from bot.store.tournaments.records import Home, StoredTournament, Writing


class Organising:
    """What organisers and directors can do with tournaments."""

    def __init__(
        self,
        changes: TournamentChanges,
        ratings: RatingService,
        engine: PairingEngine,
        rng: Random,
        *,
        at_once: int = 3,
    ) -> None:
        """``at_once`` is how many tournaments of a server may be open or running."""
        self._at_once = at_once
        self._changes = changes
        self._ratings = ratings
        self._engine = engine
        self._rng = rng

    # ---- organising ----------------------------------------------------------------------------

    def plan(self, setup: Setup, entrants: int | None = None) -> EventPlan:
        """What an event means for people, to be said before it is created.

        For as many entrants as may enter, or so many. Raises what
        :func:`~bot.domain.tournaments.planning.check_setup` and
        :func:`~bot.domain.tournaments.planning.check_game` raise for a set-up that cannot be.
        """
        planning.check_game(setup)
        planning.check_setup(setup, self._changes.clock.now())
        return planning.event_plan(setup, setup.most if entrants is None else entrants)

    @retried
    async def create(
        self, visitor: Visitor, place: Place, setup: Setup, *, interaction_id: InteractionId
    ) -> EventView:
        """Announce an event in a channel of a server; its home message follows by itself.

        Raises what :meth:`plan` does, ``server_only`` in direct messages, ``too_many_tournaments``
        (``most``) where as many run in the server as may.
        """
        if place.guild_id is None:
            raise UserError("server_only")
        store = self._changes.store
        done = await store.read(tournament_reading.done, interaction_id)
        if done is None:
            self.plan(setup)
            there = store.read(
                tournament_reading.of_server, place.guild_id, "", False, self._at_once
            )
            if len(await there) >= self._at_once:
                raise UserError("too_many_tournaments", most=self._at_once)
            act = TournamentAct(self._changes.clock.now(), visitor.actor.user_id, interaction_id)
            lots = self._rng.randrange(1 << 30)
            made = registration.create(new_tournament_id(self._rng), act, setup, lots=lots)
            home = Home(place.guild_id, place.channel_id)
            told = messages_for(None, (made,))
            await self._changes.commit(Writing(None, (made,), act.at, told, home=home))
            done = made.event
        stored, _ = await self._changes.load(done.tournament_id)
        return await self._viewed(stored)

    async def rehearse(
        self, visitor: Visitor, place: Place, setup: Setup, *, entrants: int = 8
    ) -> Rehearsal:
        """Play the whole event with made-up players and results, storing nothing."""
        if place.guild_id is None:
            raise UserError("server_only")
        self.plan(setup)
        home = Home(place.guild_id, place.channel_id)
        now = self._changes.clock.now()
        rng = Random(self._rng.random())  # noqa: S311 - made-up results
        rehearsing = Rehearsing(setup, home, visitor.actor.user_id, now, rng)
        return await rehearsing.play(entrants, self._engine)

    async def preview(
        self, visitor: Visitor, tournament_id: TournamentId, act: DirectorAct
    ) -> Preview:
        """What a director's act would do. Raises what :meth:`direct` would."""
        stored, _ = await self._changes.load(tournament_id)
        what = TournamentAct(self._changes.clock.now(), visitor.actor.user_id)
        changes = await self._directed(visitor, stored, act, what)
        links = await self._changes.store.read(tournament_reading.links, tournament_id)
        return preview_of(stored, changes, links)

    async def direct(
        self,
        visitor: Visitor,
        tournament_id: TournamentId,
        act: DirectorAct,
        *,
        interaction_id: InteractionId,
        reason: str = "",
        seen: int | None = None,
    ) -> EventView:
        """Carry out a director's act; players are told of it by messages.

        ``seen`` is the key of the preview that was confirmed. Raises ``not_director``,
        ``tournament_changed``, ``reason_wanted``, ``reason_long``, and what the act raises.
        """
        note = checked_reason(act, reason)

        async def decide(stored: StoredTournament, now: datetime) -> DecidedChanges:
            what = TournamentAct(now, visitor.actor.user_id, interaction_id, note)
            changes = await self._directed(visitor, stored, act, what)
            if changes and seen is not None:
                links = await self._changes.store.read(tournament_reading.links, tournament_id)
                if preview_of(stored, changes, links).key != seen:
                    raise UserError("tournament_changed")
            return changes

        done = await self._changes.change(tournament_id, interaction_id, decide)
        if isinstance(act, acts.Add):
            await self._tell_blocked(done, act.user_id)
        return await self._viewed(done.stored)

    async def _directed(
        self, visitor: Visitor, stored: StoredTournament, act: DirectorAct, what: TournamentAct
    ) -> tuple[TournamentChange, ...]:
        if not is_director(visitor, stored):
            raise UserError("not_director")
        t, known = stored.tournament, dict[str, Any]()
        if "rating" in act.needs:
            known["rating"] = await self._rating(act.values[0], t.setup.game)
        if "history" in act.needs:
            known["history"] = await self._changes.store.read(tournament_reading.history, t.id)
        if "moved" in act.needs:
            known["moved"] = await self._moved(t.id)
        # To undo, the history is replayed.
        changes = await asyncio.to_thread(partial(act.decide, t, what, **known))
        try:
            # Where a player has moved who must not have, it is refused before it is confirmed.
            await self._changes.matches_after(stored, changes, what.at)
        except UserError as error:
            if isinstance(act, acts.Undo):
                raise UserError("undo_followed") from error
            raise
        return changes

    async def _moved(self, tournament_id: TournamentId) -> frozenset[str]:
        return moved_in(await self._changes.store.read(tournament_reading.links, tournament_id))

    async def may_direct(self, visitor: Visitor, view: EventView) -> bool:
        """Whether a person is a director: creator, appointed, by role, or manages the server."""
        return is_director(visitor, StoredTournament(view.tournament, view.home))

    # ---- what all acts share -------------------------------------------------------------------

    async def _rating(self, user_id: UserId, game: str) -> int | None:
        """The rating that a player is seeded by; None for one who never played a rated match."""
        standing = await self._ratings.standing(user_id, game)
        return standing.points if standing.record.matches else None

    async def _tell_blocked(self, done: ActOutcome, user_id: UserId) -> None:
        """Tell the directors, and nobody else, which players a new one does not want to meet."""
        t = done.stored.tournament
        mine = t.entrant_of(user_id)
        if mine is None or not done.changes:
            return
        numbers = {each.user_id: each.number for each in t.active if each.user_id is not None}
        among = await self._changes.store.read(tournament_reading.blocked_among, tuple(numbers))
        pairs = {
            tuple(sorted((numbers[one], numbers[other])))
            for one, other in among
            if user_id in (one, other)
        }
        if pairs:
            detail = " ".join(f"{one}-{other}" for one, other in sorted(pairs))
            await self._changes.tell_directors(t.id, MessageKind.BLOCKED_PAIRS, detail)

    async def _viewed(self, stored: StoredTournament) -> EventView:
        return await viewed(self._changes.store, stored, pairing=self._changes.pairing)
