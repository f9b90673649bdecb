"""Tournaments, as people ask for them.

Every call that changes something names the interaction that asked for it; the same interaction
again changes nothing and gets the same answer. Refusals are :exc:`bot.errors.UserError`.
"""

from __future__ import annotations

from datetime import datetime

from bot.domain.ids import ChannelId, GuildId, InteractionId, TournamentId, UserId
from bot.domain.match import Place
from bot.domain.tournaments.crosstable import Kind
from bot.domain.tournaments.planning import Plan
from bot.domain.tournaments.setup import Setup
from bot.domain.tournaments.standings import Standing
from bot.domain.tournaments.why import WhyBye
from bot.services.tournaments.acts import DirectorAct
from bot.services.tournaments.messages import Rehearsal
from bot.services.tournaments.views import (
    AuditLine,
    Download,
    EventView,
    Preview,
    Summary,
    Visitor,
    WhyGame,
)


class TournamentService:
    """All that can be done with tournaments."""

    # ---- organising ----------------------------------------------------------------------------

    def plan(self, setup: Setup, entrants: int | None = None) -> Plan:
        """What an event means for people, to be said before it is created.

        For as many entrants as may enter, or so many. Raises what
        :func:`~bot.domain.tournaments.planning.check_setup` raises for a set-up that cannot be.
        """
        raise NotImplementedError

    async def create(
        self, visitor: Visitor, place: Place, setup: Setup, *, interaction_id: InteractionId
    ) -> EventView:
        """Announce an event in a channel of a server; its home message follows by itself.

        Raises what :meth:`plan` does, ``server_only`` in direct messages, ``too_many_tournaments``
        (``most``) where as many run in the server as may.
        """
        raise NotImplementedError

    async def rehearse(
        self, visitor: Visitor, place: Place, setup: Setup, *, entrants: int = 8
    ) -> Rehearsal:
        """Play the whole event with made-up players and results, storing nothing."""
        raise NotImplementedError

    async def preview(
        self, visitor: Visitor, tournament_id: TournamentId, act: DirectorAct
    ) -> Preview:
        """What a director's act would do. Raises what :meth:`direct` would."""
        raise NotImplementedError

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

        ``seen`` is the version of the preview that was confirmed. Raises ``not_director``,
        ``tournament_changed``, ``reason_wanted`` (deciding, correcting and excluding need one),
        ``has_followed`` (undo), and what :mod:`bot.domain.tournaments.directing` and
        :mod:`~bot.domain.tournaments.registration` raise for the act.
        """
        raise NotImplementedError

    async def may_direct(self, visitor: Visitor, view: EventView) -> bool:
        """Whether a person is a director: creator, appointed, by role, or manages the server."""
        raise NotImplementedError

    # ---- playing -------------------------------------------------------------------------------

    async def join(
        self, visitor: Visitor, tournament_id: TournamentId, *, interaction_id: InteractionId
    ) -> EventView:
        """Enter. Raises ``role_wanted`` and what ``registration.enter`` does."""
        raise NotImplementedError

    async def leave(
        self, visitor: Visitor, tournament_id: TournamentId, *, interaction_id: InteractionId
    ) -> EventView:
        """Withdraw: before the first round as if never entered, later from further rounds."""
        raise NotImplementedError

    async def ask_bye(
        self,
        visitor: Visitor,
        tournament_id: TournamentId,
        round_number: int,
        kind: Kind = Kind.HALF_BYE,
        *,
        interaction_id: InteractionId,
    ) -> EventView:
        """Ask not to be paired in a round to come."""
        raise NotImplementedError

    async def challenge(
        self,
        visitor: Visitor,
        tournament_id: TournamentId,
        challenged: int,
        *,
        interaction_id: InteractionId,
    ) -> EventView:
        """Challenge an entrant of a ladder. Raises ``challenge_up`` and its like."""
        raise NotImplementedError

    async def answer_challenge(
        self,
        visitor: Visitor,
        tournament_id: TournamentId,
        challenger: int,
        *,
        accept: bool,
        interaction_id: InteractionId,
    ) -> EventView:
        """Accept a challenge, so that its match begins, or refuse it. Raises ``no_challenge``."""
        raise NotImplementedError

    def may_challenge(self, view: EventView, user_id: UserId) -> tuple[int, ...]:
        """The entrants that a person may challenge now."""
        raise NotImplementedError

    # ---- looking -------------------------------------------------------------------------------

    async def tournament(self, visitor: Visitor, tournament_id: TournamentId) -> EventView:
        """A tournament of this server, or one that the person is in, or ``no_such_tournament``."""
        raise NotImplementedError

    async def of_server(
        self, guild_id: GuildId, *, text: str = "", is_over: bool | None = None, limit: int = 25
    ) -> tuple[Summary, ...]:
        """Tournaments of a server, running ones first, by a part of the name."""
        raise NotImplementedError

    async def of_person(self, user_id: UserId, *, limit: int = 25) -> tuple[Summary, ...]:
        """Tournaments that a person is in or was in, everywhere, running ones first."""
        raise NotImplementedError

    async def in_channel(self, guild_id: GuildId, channel_id: ChannelId) -> tuple[Summary, ...]:
        """Tournaments whose home is a channel, running ones first: what a bare command means."""
        raise NotImplementedError

    async def audit(self, visitor: Visitor, tournament_id: TournamentId) -> tuple[AuditLine, ...]:
        """What happened, newest first; every player may read it."""
        raise NotImplementedError

    def why_pairing(self, view: EventView, game: str) -> WhyGame:
        """Why a game is paired as it is. Raises ``no_such_game``."""
        raise NotImplementedError

    def why_bye(self, view: EventView, round_number: int, entrant: int) -> WhyBye:
        """Why an entrant was left over in a round. Raises ``no_round``."""
        raise NotImplementedError

    def why_place(self, view: EventView, entrant: int) -> Standing:
        """An entrant's place with every tie-break, opponent by opponent. Raises ``not_entered``."""
        raise NotImplementedError

    # ---- files ---------------------------------------------------------------------------------

    async def export_trf(
        self, visitor: Visitor, tournament_id: TournamentId, names: dict[int, str], *, year: int
    ) -> Download:
        """The report for rating officers (2016 or 2026); ``names`` by entrant.

        Raises ``no_trf`` for formats that it cannot tell (tables, arena, ladder).
        """
        raise NotImplementedError

    async def export_csv(
        self, visitor: Visitor, tournament_id: TournamentId, names: dict[int, str]
    ) -> Download:
        """Places, points and tie-breaks as a table."""
        raise NotImplementedError

    async def export_records(
        self, visitor: Visitor, tournament_id: TournamentId, names: dict[int, str]
    ) -> Download:
        """The records of all games that were played, one after another in one file."""
        raise NotImplementedError

    # ---- what Discord tells --------------------------------------------------------------------

    async def home_posted(
        self, tournament_id: TournamentId, channel_id: ChannelId, message_id: int
    ) -> None:
        """Note where the home message stands, when a command posted it."""
        raise NotImplementedError

    async def member_left(self, guild_id: GuildId, user_id: UserId) -> None:
        """A person has left a server: they are withdrawn from its tournaments."""
        raise NotImplementedError

    async def channel_gone(self, guild_id: GuildId, channel_id: ChannelId) -> None:
        """A home channel was deleted: directors are told, and games go to direct messages."""
        raise NotImplementedError

    async def show_home_again(self, tournament_id: TournamentId, at: datetime) -> None:
        """The home message was deleted, or is wanted further down: post it anew."""
        raise NotImplementedError
