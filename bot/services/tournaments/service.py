"""Tournaments, as people ask for them.

Every call that changes something names the interaction that asked for it; the same interaction
again changes nothing and gets the same answer. Refusals are :exc:`bot.errors.UserError`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from bot.domain.ids import (
    ChannelId,
    GuildId,
    InteractionId,
    TournamentId,
    UserId,
)
from bot.domain.tournaments import challenges, registration, undoing
from bot.domain.tournaments import facts as f
from bot.domain.tournaments.crosstable import Kind
from bot.domain.tournaments.event import TournamentEvent
from bot.domain.tournaments.fold import TournamentAct
from bot.domain.tournaments.formats.swiss import Swiss
from bot.domain.tournaments.setup import FormatKey
from bot.domain.tournaments.standings import Standing
from bot.domain.tournaments.tournament import Tournament
from bot.domain.tournaments.trf_writing import Edition
from bot.domain.tournaments.why import WhyBye
from bot.errors import UserError
from bot.posts.tournament_messages import MessageKind, TournamentTrouble
from bot.services.tournaments import exports, reasons
from bot.services.tournaments.audit import audit_of
from bot.services.tournaments.changes import DecidedChanges
from bot.services.tournaments.organising import Organising
from bot.services.tournaments.viewing import games_of
from bot.services.tournaments.views import (
    AuditLine,
    BegunGame,
    Download,
    EventView,
    Visitor,
    WhyGame,
)
from bot.store.tournaments import reading as tournament_reading
from bot.store.tournaments import writing as tournament_writing
from bot.store.tournaments.records import StoredTournament, Summary


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

    async def leave(
        self, visitor: Visitor, tournament_id: TournamentId, *, interaction_id: InteractionId
    ) -> EventView:
        """Withdraw: before the first round as if never entered, later from further rounds.

        Raises ``you_not_entered`` for one who is not in it, or is out already.
        """

        async def decide(stored: StoredTournament, now: datetime) -> DecidedChanges:
            act = TournamentAct(now, visitor.actor.user_id, interaction_id)
            withdrawn = registration.withdraw(stored.tournament, act, _mine(visitor, stored))
            if not withdrawn:
                raise UserError("you_not_entered")
            return withdrawn

        done = await self._changes.change(tournament_id, interaction_id, decide)
        return await self._viewed(done.stored)

    async def check_in(
        self, visitor: Visitor, tournament_id: TournamentId, *, interaction_id: InteractionId
    ) -> EventView:
        """Say that one is there. Raises ``you_not_entered``, ``check_in_closed``."""

        async def decide(stored: StoredTournament, now: datetime) -> DecidedChanges:
            act = TournamentAct(now, visitor.actor.user_id, interaction_id)
            return registration.check_in(stored.tournament, act, _mine(visitor, stored))

        done = await self._changes.change(tournament_id, interaction_id, decide)
        return await self._viewed(done.stored)

    async def ask_bye(
        self,
        visitor: Visitor,
        tournament_id: TournamentId,
        round_number: int,
        kind: Kind = Kind.HALF_BYE,
        *,
        interaction_id: InteractionId,
    ) -> EventView:
        """Ask not to be paired in a round to come.

        Raises ``no_byes`` where there are none, ``round_never``, and what
        :func:`~bot.domain.tournaments.registration.ask_bye` does.
        """

        async def decide(stored: StoredTournament, now: datetime) -> DecidedChanges:
            t, number = stored.tournament, _mine(visitor, stored)
            if t.setup.format is not FormatKey.SWISS:
                raise UserError("no_byes")
            act = TournamentAct(now, visitor.actor.user_id, interaction_id)
            if round_number > Swiss().most_rounds(t):
                raise UserError("round_never", round=round_number)
            return registration.ask_bye(t, act, number, round_number, kind)

        done = await self._changes.change(tournament_id, interaction_id, decide)
        return await self._viewed(done.stored)

    async def challenge(
        self,
        visitor: Visitor,
        tournament_id: TournamentId,
        challenged: int,
        *,
        interaction_id: InteractionId,
    ) -> EventView:
        """Challenge an entrant of a ladder. Raises ``challenge_up`` and its like."""

        async def decide(stored: StoredTournament, now: datetime) -> DecidedChanges:
            act = TournamentAct(now, visitor.actor.user_id, interaction_id)
            mine = _mine(visitor, stored)
            return challenges.challenge(stored.tournament, act, mine, challenged)

        done = await self._changes.change(tournament_id, interaction_id, decide)
        return await self._viewed(done.stored)

    async def answer_challenge(
        self,
        visitor: Visitor,
        tournament_id: TournamentId,
        challenger: int,
        *,
        accept: bool,
        interaction_id: InteractionId,
    ) -> EventView:
        """Accept a challenge, so that its match begins, or decline it. Raises ``no_challenge``."""

        async def decide(stored: StoredTournament, now: datetime) -> DecidedChanges:
            t, mine = stored.tournament, _mine(visitor, stored)
            act = TournamentAct(now, visitor.actor.user_id, interaction_id)
            if accept:
                return challenges.accept(t, act, challenger, mine)
            declined = challenges.decline(t, act, challenger, mine)
            if declined is None:
                raise UserError("no_challenge")
            return declined

        done = await self._changes.change(tournament_id, interaction_id, decide)
        return await self._viewed(done.stored)

    def may_challenge(self, view: EventView, user_id: UserId) -> tuple[int, ...]:
        """The entrants that a person may challenge now, the highest rung first."""
        t = view.tournament
        mine = t.entrant_of(user_id)
        if mine is None or mine.number not in t.by_rung:
            return ()
        act = TournamentAct(self._changes.clock.now(), user_id)
        return tuple(each for each in t.by_rung if _may(t, act, mine.number, each))

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

    def why_pairing(self, view: EventView, game: str) -> WhyGame:
        """Why a game is paired as it is. Raises ``no_such_game``."""
        return reasons.why_game(view.tournament, game)

    def why_bye(self, view: EventView, round_number: int, entrant: int) -> WhyBye | None:
        """What was weighed where a Swiss pairing left an entrant over; None for another bye.

        Raises ``no_round``, ``not_entered``.
        """
        return reasons.why_left_over(view.tournament, round_number, entrant)

    def why_place(self, view: EventView, entrant: int) -> Standing:
        """An entrant's place with every tie-break, opponent by opponent. Raises ``not_entered``."""
        found = next((each for each in view.standings if each.number == entrant), None)
        if found is None:
            raise UserError("not_entered")
        return Standing(found.rank, found.number, found.points, found.values)

    # ---- files ---------------------------------------------------------------------------------

    async def export_trf(
        self, visitor: Visitor, tournament_id: TournamentId, names: dict[int, str], *, year: int
    ) -> Download:
        """The report for rating officers (2016 or 2026); ``names`` by entrant.

        Raises ``no_trf`` for tournaments that it cannot tell of.
        """
        t = (await self._seen(visitor, tournament_id)).tournament
        return exports.trf_of(t, names, Edition(str(year)))

    async def export_csv(
        self, visitor: Visitor, tournament_id: TournamentId, names: dict[int, str]
    ) -> Download:
        """Places, points and tie-breaks as a table."""
        view = await self.tournament(visitor, tournament_id)
        return exports.csv_of(view.tournament, view.standings, names)

    async def export_records(
        self, visitor: Visitor, tournament_id: TournamentId, names: dict[int, str]
    ) -> Download:
        """The records of all games that were played, one after another in one file."""
        stored = await self._seen(visitor, tournament_id)
        played = await games_of(self._changes.store, stored)
        return await asyncio.to_thread(exports.records_of, stored.tournament, played, names)

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


def _mine(visitor: Visitor, stored: StoredTournament) -> int:
    """The entrant that a person is. Raises ``you_not_entered``."""
    mine = stored.tournament.entrant_of(visitor.actor.user_id)
    if mine is None:
        raise UserError("you_not_entered")
    return mine.number


def _may(t: Tournament, act: TournamentAct, mine: int, other: int) -> bool:
    try:
        return challenges.challenge(t, act, mine, other) is not None
    except UserError:
        return False
