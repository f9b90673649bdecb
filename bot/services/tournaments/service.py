"""Tournaments, as people ask for them.

Every call that changes something names the interaction that asked for it; the same interaction
again changes nothing and gets the same answer. Refusals are :exc:`bot.errors.UserError`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.domain.ids import ChannelId, GuildId, InteractionId, TournamentId, UserId
from bot.domain.tournaments import facts as f
from bot.domain.tournaments import registration, undoing
from bot.domain.tournaments.event import TournamentEvent
from bot.domain.tournaments.fold import TournamentAct
from bot.errors import UserError
from bot.posts.tournament_messages import MessageKind, TournamentTrouble
from bot.services.tournaments.audit import audit_of
from bot.services.tournaments.changes import DecidedChanges
from bot.services.tournaments.organising import Organising
from bot.services.tournaments.viewing import games_of
from bot.services.tournaments.views import AuditLine, BegunGame, EventView, Visitor
from bot.store.tournaments import reading as tournament_reading
from bot.store.tournaments import writing as tournament_writing
from bot.store.tournaments.records import StoredTournament, Summary

PlayerRule = Callable[..., DecidedChanges]
"""What decides an act of a player, of the tournament, the time and person, their number, and more.

:mod:`~bot.domain.tournaments.registration` and :mod:`~bot.domain.tournaments.challenges` have them.
"""


class TournamentService(Organising):
    """All that can be done with tournaments."""

    # ---- playing -------------------------------------------------------------------------------

    async def join(
        self, visitor: Visitor, tournament_id: TournamentId, *, interaction_id: InteractionId
    ) -> EventView:
        """Enter. Raises ``role_wanted``, ``no_bots`` and what ``registration.enter`` does.

        Who was invited needs no role, and can do so in direct messages, where they may have read of
        it.
        """
        person = visitor.actor.user_id

        async def decide(stored: StoredTournament, now: datetime) -> DecidedChanges:
            t = stored.tournament
            is_invited = t.invitation_of(person) is not None
            if not (is_invited and visitor.actor.guild_id is None):
                _check_here(visitor, stored)
            if visitor.actor.is_bot:
                raise UserError("no_bots")
            if t.setup.roles and not is_invited and not visitor.roles & set(t.setup.roles):
                roles = tuple(f"<@&{each}>" for each in t.setup.roles)
                raise UserError("role_wanted", roles=roles)
            rating = await self._rating(person, t.setup.game)
            act = TournamentAct(now, person, interaction_id)
            return registration.enter(t, act, person, rating=rating)

        done = await self._changes.change(tournament_id, interaction_id, decide)
        await self._tell_blocked(done, person)
        return await self._viewed(done.stored)

    async def play(
        self,
        visitor: Visitor,
        tournament_id: TournamentId,
        rule: PlayerRule,
        *about: Any,
        interaction_id: InteractionId,
    ) -> EventView:
        """What an entrant does, by its rule: leave, check in, ask for a bye, challenge and answer.

        Raises ``you_not_entered`` for a person who is not in it, and what the rule raises.
        """

        async def decide(stored: StoredTournament, now: datetime) -> DecidedChanges:
            t, act = stored.tournament, TournamentAct(now, visitor.actor.user_id, interaction_id)
            mine = t.entrant_of(visitor.actor.user_id)
            if mine is None:
                raise UserError("you_not_entered")
            return rule(t, act, mine.number, *about)

        done = await self._changes.change(tournament_id, interaction_id, decide)
        return await self._viewed(done.stored)

    # ---- looking -------------------------------------------------------------------------------

    async def tournament(self, visitor: Visitor, tournament_id: TournamentId) -> EventView:
        """A tournament of this server, or one that the person is in, or ``no_such_tournament``."""
        return await self._viewed(await self._seen(visitor, tournament_id))

    async def _seen(self, visitor: Visitor, tournament_id: TournamentId) -> StoredTournament:
        stored, _ = await self._changes.load(tournament_id)
        t, person = stored.tournament, visitor.actor.user_id
        is_in = (
            t.entrant_of(person) is not None
            or t.invitation_of(person) is not None
            or person in (t.created_by, *t.directors)
        )
        if visitor.actor.guild_id != stored.home.guild_id and not is_in:
            raise UserError("no_such_tournament")
        return stored

    async def of_server(
        self, guild_id: GuildId, *, text: str = "", is_over: bool | None = None, limit: int = 25
    ) -> tuple[Summary, ...]:
        """Tournaments of a server, running ones first, by a part of the name."""
        store = self._changes.store
        return await store.read(tournament_reading.of_server, guild_id, text, is_over, limit)

    async def of_person(self, user_id: UserId, *, limit: int = 25) -> tuple[Summary, ...]:
        """Tournaments that a person is in or was in, everywhere, running ones first."""
        return await self._changes.store.read(tournament_reading.of_person, user_id, limit)

    async def in_channel(self, guild_id: GuildId, channel_id: ChannelId) -> tuple[Summary, ...]:
        """Tournaments whose home is a channel, running ones first: what a bare command means."""
        found = await self._changes.store.read(tournament_reading.in_channel, channel_id)
        return tuple(each for each in found if each.home.guild_id == guild_id)

    async def audit(self, visitor: Visitor, tournament_id: TournamentId) -> tuple[AuditLine, ...]:
        """What happened, newest first; every player may read it."""
        stored = await self._seen(visitor, tournament_id)
        history = await self._changes.store.read(tournament_reading.history, tournament_id)
        lines = await asyncio.to_thread(audit_of, stored.tournament, history)
        return await self._without_followed(stored, history, lines)

    async def _without_followed(
        self,
        stored: StoredTournament,
        history: Sequence[TournamentEvent],
        lines: tuple[AuditLine, ...],
    ) -> tuple[AuditLine, ...]:
        """The log in which a substitution can't be undone once the substitute has moved.

        Only the newest line that can be undone is offered, so the matches of that one are read.
        """
        found = list(lines)
        moved = await self._moved(stored.tournament.id)
        for number, line in enumerate(lines):
            if not line.can_undo:
                continue
            act = TournamentAct(self._changes.clock.now(), line.user_id)
            try:
                changes = await asyncio.to_thread(
                    undoing.undo, stored.tournament, act, history, line.seq, moved=moved
                )
                await self._changes.matches_after(stored, changes, act.at)
            except UserError:
                found[number] = replace(line, can_undo=False)
                continue
            break
        return tuple(found)

    async def games_begun(
        self, visitor: Visitor, tournament_id: TournamentId
    ) -> tuple[BegunGame, ...]:
        """All games whose match has begun."""
        stored = await self._seen(visitor, tournament_id)
        return await games_of(self._changes.store, stored)

    # ---- what Discord tells --------------------------------------------------------------------

    async def show_home_again(self, tournament_id: TournamentId) -> None:
        """Post the home message again, in place of the older one: it is wanted further down."""
        now = self._changes.clock.now()
        await self._changes.store.write(tournament_writing.show_again, tournament_id, now)

    async def member_left(self, guild_id: GuildId, user_id: UserId) -> None:
        """A person has left a server: they are withdrawn from its tournaments.

        Where they directed one, the other directors are told; without any it runs by itself, and
        the server's managers can direct it.
        """
        store = self._changes.store
        for each in await store.read(tournament_reading.directed_by, user_id):
            stored, _ = await self._changes.load(each)
            if stored.home.guild_id == guild_id:
                detail = TournamentTrouble.DIRECTOR_LEFT.value
                await self._changes.tell_directors(each, MessageKind.TROUBLE, detail, but=user_id)
        for summary in await store.read(tournament_reading.of_person, user_id, 1000):
            if summary.home.guild_id == guild_id and not summary.status.is_final:
                await self._take_out(summary.id, user_id, f.Leaving.LEFT_SERVER)

    async def erased(self, user_id: UserId) -> None:
        """A person has their data erased: they are withdrawn from every tournament first."""
        store = self._changes.store
        for each in await store.read(tournament_reading.directed_by, user_id):
            detail = TournamentTrouble.DIRECTOR_LEFT.value
            await self._changes.tell_directors(each, MessageKind.TROUBLE, detail, but=user_id)
        for summary in await store.read(tournament_reading.of_person, user_id, 1000):
            if not summary.status.is_final:
                await self._take_out(summary.id, user_id, f.Leaving.ERASED)

    async def _take_out(self, tournament_id: TournamentId, user_id: UserId, why: f.Leaving) -> None:
        async def decide(stored: StoredTournament, now: datetime) -> DecidedChanges:
            mine = stored.tournament.entrant_of(user_id)
            if mine is None or not mine.is_active or stored.tournament.status.is_final:
                return None
            return registration.withdraw(stored.tournament, TournamentAct(now), mine.number, why)

        await self._changes.change(tournament_id, None, decide)


def _check_here(visitor: Visitor, stored: StoredTournament) -> None:
    if visitor.actor.guild_id != stored.home.guild_id:
        raise UserError("no_such_tournament")
