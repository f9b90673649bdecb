"""What is stored about people and servers beside their matches.

As with :class:`bot.services.ports.Store`, every method is one transaction and raises
:exc:`~bot.services.ports.StoreUnavailable` where the database cannot do it now.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Protocol

from bot.domain.events import JsonValue
from bot.domain.ids import ChannelId, GuildId, InteractionId, UserId
from bot.domain.match import Match
from bot.domain.vacation import UserVacation, Vacation
from bot.services.sending import Posted


@dataclass(frozen=True, slots=True)
class StoredSettings:
    """A text of settings and how often it was written; version 0 and no text if never."""

    version: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """What a person who manages a server did there: the act, and what it changed from and to."""

    at: datetime
    guild_id: GuildId
    user_id: UserId
    act: str
    before: Mapping[str, JsonValue] = field(hash=False)
    after: Mapping[str, JsonValue] = field(hash=False)


class TallyKind(Enum):
    """What is counted for a while."""

    OFFER = "offer"
    """A match was offered to a person by name."""
    DECLINE = "decline"
    """The person declined it."""
    THREAD = "thread"
    """A thread was made in a server."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Something between the person who asks and another one."""

    kind: TallyKind
    other: UserId
    at: datetime
    game: str
    """The key of the game that was offered."""


@dataclass(frozen=True, slots=True)
class PairingFacts:
    """What stands in the way of bringing some people together, if anything.

    ``blocks``
        among these people: who has blocked whom.
    ``running``
        how many matches each of them has running; nobody is missing.
    ``offers``
        how many offers of the first of them are open.
    ``tallies``
        what was between the first of them and the others lately.
    ``running_in_server``
        how many matches run in the server.
    ``rated``
        how many rated matches of the game the first of them has or lately had with each of the
        others: those in which both have their seats and those rated since then. Nobody is missing,
        unless the match does not count for ratings.
    ``with_computers``
        how many matches against computers the first of them has running; None unless one sits at
        this table, too.
    ``computers_waiting``
        how much computers have to do that nobody is at, then.
    """

    blocks: frozenset[tuple[UserId, UserId]]
    running: Mapping[UserId, int] = field(hash=False)
    offers: int
    tallies: tuple[Tally, ...]
    running_in_server: int
    rated: Mapping[UserId, int] = field(hash=False)
    with_computers: int | None = None
    computers_waiting: int = 0
    computers_waiting_here: int = 0


@dataclass(frozen=True, slots=True)
class ServerLoad:
    """How many threads were made in a server lately or are to be made, and how many matches run.

    ``made`` is when each of those that were made was, the oldest first.
    """

    threads: int
    running: int
    made: tuple[datetime, ...] = ()


@dataclass(frozen=True, slots=True)
class PairingCheck:
    """What decides whether an offer is made or a seat taken, in the transaction that writes it.

    ``people`` are those to be brought together, the one who asks first, in a server (None: in
    direct messages); tallies count from ``since``, and for a ``rated_game`` matches rated after
    ``rated_since``. ``judge`` raises the :exc:`~bot.errors.UserError` that refuses, and nothing is
    written; it may run on any thread.
    """

    people: tuple[UserId, ...]
    guild_id: GuildId | None
    since: datetime
    rated_game: str | None
    rated_since: datetime
    judge: Callable[[PairingFacts], None]
    has_computers: bool = False


class PeopleStore(Protocol):
    """Where choices, blocks, the audit log, tallies and reminders are kept."""

    async def person(self, user_id: UserId) -> StoredSettings:
        """What a person has chosen."""
        ...

    async def keep_person(
        self,
        user_id: UserId,
        version: int,
        text: str,
        digest_at: datetime | None,
        *,
        same_digest: bool = False,
    ) -> None:
        """Put a newer text in the place of the one of that version.

        The next digest is due at ``digest_at``; if that is None there is none, and what it was to
        tell is forgotten. Of the ``same_digest`` nothing is changed.

        Raises :exc:`~bot.services.ports.Conflict` if there is another one by now.
        """
        ...

    async def server(self, guild_id: GuildId) -> StoredSettings:
        """What has been chosen for a server."""
        ...

    async def keep_server(
        self,
        guild_id: GuildId,
        version: int,
        text: str,
        entry: AuditEntry,
        lobby: ChannelId | None = None,
    ) -> None:
        """The same for a server, together with its entry in the audit log.

        From now on its lobby is in that channel, and in no other.
        """
        ...

    async def log_act(self, entry: AuditEntry) -> None:
        """Add an entry about something else than settings to the audit log of its server."""
        ...

    async def audit_of(
        self, guild_id: GuildId, limit: int, skipped: int = 0
    ) -> tuple[AuditEntry, ...]:
        """The newest entries of a server's audit log, the newest first."""
        ...

    async def block(self, user_id: UserId, other: UserId, at: datetime, most: int) -> bool:
        """Keep two people apart; False if the first has blocked ``most`` people already."""
        ...

    async def unblock(self, user_id: UserId, other: UserId) -> bool:
        """Stop keeping them apart; whether they were."""
        ...

    async def blocked_by(self, user_id: UserId) -> tuple[UserId, ...]:
        """Whom a person has blocked, the latest first."""
        ...

    async def server_load(self, guild_id: GuildId, since: datetime) -> ServerLoad:
        """How much of what is limited a server uses; threads count since then."""
        ...

    async def reserve_thread(
        self, match: Match, gone: ChannelId | None, now: datetime, since: datetime, most: int
    ) -> bool:
        """Count a thread that is about to be made for a match, in place of one that is gone.

        False if ``most`` have been counted in the server since then; it counts once, however often
        it is reserved.
        """
        ...

    async def return_thread(self, match: Match, gone: ChannelId | None) -> None:
        """Do not count a thread that could not be made."""
        ...

    async def forget_tallies(self, before: datetime) -> None:
        """Remove what was counted before then."""
        ...

    async def replace_line(self, match: Match, player: int, posted: Posted) -> None:
        """Note which message calls a player now, to be deleted when the turn is over.

        The one that called them before is deleted by the outbox.
        """
        ...


# ---- vacations -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Telling:
    """When a person is to be told of their vacation, None for never."""

    at: datetime | None


@dataclass(frozen=True, slots=True)
class VacationRow:
    """A vacation of a player, by its number from 1, and what is still to be done about it.

    ``version``
        how often it was written; 0 if never.
    ``changed_at``, ``interaction_id``
        when it was written last, and by which interaction (None: by the host itself).
    ``line_at``
        from when on matches that run are to be brought in line with it; None if that is done.
    ``telling``
        written with it: when its person is to be told of it next; None leaves that as it was.
    """

    user_id: UserId
    number: int
    version: int
    vacation: Vacation
    changed_at: datetime
    interaction_id: InteractionId | None = None
    line_at: datetime | None = None
    telling: Telling | None = None


class VacationStore(Protocol):
    """Where vacations are kept."""

    async def vacations_of(self, user_id: UserId) -> tuple[VacationRow, ...]:
        """All that is kept of a player's vacations, the first one first."""
        ...

    async def keep_vacation(self, kept: VacationRow) -> None:
        """Write a new vacation (version 0), or put one in the place of itself at that version.

        Raises :exc:`~bot.services.ports.Conflict` if there is another one by now.
        """
        ...

    async def leaves(self, people: tuple[UserId, ...], now: datetime) -> tuple[UserVacation, ...]:
        """Who of these people is on vacation."""
        ...

    async def vacations_to_line(self, now: datetime, limit: int) -> tuple[VacationRow, ...]:
        """Those with which matches are to be brought in line by now."""
        ...

    async def forget_vacations(self, before: datetime) -> None:
        """Remove those that were over before then."""
        ...
