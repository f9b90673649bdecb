"""The door to what is kept about people and servers beside their matches.

As with :class:`bot.services.ports.Store`, every method is one transaction and raises
:exc:`~bot.services.ports.StoreUnavailable` where the database cannot do it now.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Protocol

from bot.domain.events import JsonValue
from bot.domain.ids import ChannelId, GuildId, MatchId, UserId
from bot.domain.match import Match
from bot.services.sending import Posted

__all__ = [
    "AuditEntry",
    "Circumstances",
    "Kept",
    "PeopleStore",
    "Reminder",
    "Tally",
    "TallyKind",
]


@dataclass(frozen=True, slots=True)
class Kept:
    """A text of settings and how often it was written; version 0 and no text if never."""

    version: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """What somebody who manages a server did there: the act, and what it changed from and to."""

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


@dataclass(frozen=True, slots=True)
class Circumstances:
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
    """

    blocks: frozenset[tuple[UserId, UserId]]
    running: Mapping[UserId, int] = field(hash=False)
    offers: int
    tallies: tuple[Tally, ...]
    running_in_server: int


@dataclass(frozen=True, slots=True)
class Reminder:
    """A player index of a match that is to be reminded so many hours before a deadline.

    ``since`` is the version at which the position arose in which the player is on turn.
    """

    match_id: MatchId
    since: int
    player: int
    hours: int
    due_at: datetime


class PeopleStore(Protocol):
    """Where choices, blocks, the audit log, tallies and reminders are kept."""

    async def person(self, user_id: UserId) -> Kept:
        """What a person has chosen."""
        ...

    async def keep_person(
        self, user_id: UserId, version: int, text: str, digest_at: datetime | None
    ) -> None:
        """Put a newer text in the place of the one of that version.

        Raises :exc:`~bot.services.ports.Conflict` if there is another one by now.
        """
        ...

    async def server(self, guild_id: GuildId) -> Kept:
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

    async def audit_of(self, guild_id: GuildId, limit: int) -> tuple[AuditEntry, ...]:
        """The newest entries of a server's audit log, the newest first."""
        ...

    async def block(self, user_id: UserId, other: UserId, at: datetime, most: int) -> bool:
        """Keep two people apart; False if the first has blocked ``most`` people already."""
        ...

    async def unblock(self, user_id: UserId, other: UserId) -> bool:
        """Keep them apart no more; whether they were."""
        ...

    async def blocked_by(self, user_id: UserId) -> tuple[UserId, ...]:
        """Whom a person has blocked, the latest first."""
        ...

    async def circumstances(
        self, users: tuple[UserId, ...], guild_id: GuildId | None, since: datetime
    ) -> Circumstances:
        """What stands in the way of bringing these people together in a server.

        The first is who asks; tallies count from ``since``.
        """
        ...

    async def threads_since(self, guild_id: GuildId, since: datetime) -> int:
        """How many threads have been made in a server since then."""
        ...

    async def forget_tallies(self, before: datetime) -> None:
        """Remove what was counted before then."""
        ...

    async def digests_due(self, now: datetime, limit: int) -> tuple[tuple[UserId, datetime], ...]:
        """Whose digest is due, and since when."""
        ...

    async def digest_done(self, user_id: UserId, was: datetime, then: datetime | None) -> bool:
        """Set when the next digest is due; False if somebody else has done so."""
        ...

    async def plan_reminders(
        self, match_id: MatchId, since: int, reminders: tuple[Reminder, ...], now: datetime
    ) -> None:
        """Put these in the place of those of a turn, by its ``since``; those done stay done.

        What is left of turns before goes, but for what is due: it may just have been given.
        """
        ...

    async def reminders_due(self, now: datetime, limit: int) -> tuple[Reminder, ...]:
        """Reminders whose time has come, the oldest first."""
        ...

    async def reminder_done(self, reminder: Reminder) -> None:
        """Never give this one again."""
        ...

    async def reminder_at(self, reminder: Reminder, at: datetime) -> None:
        """Look at this one again then."""
        ...

    async def replace_line(self, match: Match, player: int, posted: Posted) -> None:
        """Note which message calls a player now, to be deleted when the turn is over.

        The one that called them before is deleted by the outbox.
        """
        ...
