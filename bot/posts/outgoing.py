"""Messages on their way: rows of the outbox, their handlers, and their outcomes.

docs/decisions/0016-one-outbox.md tells how they work, and how to add a kind.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NewType

from bot.domain.events import JsonValue
from bot.domain.ids import GuildId, MatchId, UserId

Key = NewType("Key", str)
"""The subject of messages: a word and an id, as in ``match:abcdefghij`` or ``lobby:123``."""
Payload = Mapping[str, JsonValue]

LEASE = timedelta(seconds=30)
"""The time that a process may take to send its claims before another one tries."""
MATCH = "match"
FOLLOW = "follow"
"""The kind of what shows a person a match that they follow, and the word in its key."""
LOBBY = "lobby"
"""The kind of the message that lists a server's open offers."""
CALL = "call"
"""The kind of a line that pings the role for new offers, and what its key is about."""
TOURNAMENT = "tournament"
"""The kind of a message of a tournament, and what its key is about."""
WEBHOOK = "webhook"
"""The kind of what is sent to a server's own address, and the word in its key."""


def key_of(subject: str, number: int | str) -> Key:
    """The key of messages about something of a sort."""
    return Key(f"{subject}:{number}")


def match_key(match_id: MatchId) -> Key:
    """The key of what is sent of a match."""
    return key_of(MATCH, match_id)


def subject_of(key: Key) -> str:
    """The sort of thing that a key stands for."""
    return key.partition(":")[0]


def id_in(key: Key) -> str:
    """The id in a key."""
    return key.partition(":")[2]


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to be sent, not before ``due_at``; ``payload`` is what its handler has to know.

    It has a ``slot`` if it shows a state, which is read when it is sent: of one key, kind and slot
    one message waits at a time. ``blocks_later``: later messages of its key wait for it.
    """

    kind: str
    key: Key
    due_at: datetime
    payload: Payload = field(default_factory=dict, hash=False)
    slot: str | None = None
    blocks_later: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(Outgoing):
    """A message that this process is to send, until its lease runs out.

    ``attempts`` counts this one, from 1; ``tried_at`` is when the first was made that may have
    succeeded unnoticed, None if none may; ``lease`` is the name of the lease. A message that is
    ``overtaken`` is no longer to be sent: what an attempt may have posted is looked for, and
    adopted or removed. ``parked`` is what came of one before it that was refused, and holds it up.
    """

    id: int
    claimed_at: datetime
    attempts: int
    tried_at: datetime | None
    lease: str
    overtaken: bool = False
    parked: PutOff | None = None

    @property
    def may_exist(self) -> bool:
        """Whether an earlier attempt may have succeeded unnoticed."""
        return self.tried_at is not None

    @property
    def rests(self) -> bool:
        """Whether it waits for an hour of its own, and nothing for it."""
        return not self.blocks_later and self.due_at > self.claimed_at

    @property
    def begun_at(self) -> datetime:
        """When the first attempt was made that counts: one that may have succeeded, or this."""
        return self.tried_at or self.claimed_at


Batch = tuple[Claim, ...]
"""Messages of one key, to be sent one after another."""


@dataclass(frozen=True, slots=True)
class Done:
    """A message was sent, or is no longer to be sent.

    ``then`` are further messages; those with a slot are left out where one waits already. Nothing
    else of its key is due before ``rest_until``.
    """

    then: tuple[Outgoing, ...] = ()
    rest_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class PutOff:
    """A message could not be sent and is due again then.

    ``trouble`` is a word for the host; ``certain`` says that nothing was sent this time;
    ``refused`` that Discord will not do it until something changes there.
    """

    due_at: datetime
    trouble: str
    certain: bool
    refused: bool = False

    @property
    def is_trouble(self) -> bool:
        """Whether something is in the way, and it is not just to be sent later or elsewhere."""
        return self.trouble not in (QUIET, MOVED)


QUIET = "quiet"
"""The trouble of what waits for the end of quiet hours, as its reader wants it to."""
MOVED = "moved"
"""The trouble of a board whose match goes on in a place that was just made for it."""

Outcome = Done | PutOff
Outcomes = tuple[Outcome, ...]


class Handler(ABC):
    """Sends the messages of some ``kinds``.

    It raises :exc:`~bot.posts.sending.Retry`, :exc:`~bot.posts.sending.Gone` and
    :exc:`~bot.posts.sending.Refused`, from which the worker makes a :class:`PutOff`.
    """

    kinds: frozenset[str]
    passing: frozenset[str] = frozenset()
    """The kinds that need not wait where one before them is refused."""

    @abstractmethod
    async def make(self, claim: Claim) -> Outcome:
        """Send a message, or find out that it is not to be sent."""


def choose(pending: Sequence[Claim]) -> tuple[Batch, tuple[int, ...]]:
    """Of everything pending for a key in order: what to send now, and the ids of what to drop.

    A state is shown once, by the message that has waited longest, since attempts may have been made
    at that one. (What is sent of a match is chosen by :func:`bot.posts.deliveries.choose`.)
    """
    chosen: dict[tuple[str, str | int], Claim] = {}
    for claim in pending:
        chosen.setdefault((claim.kind, claim.id if claim.slot is None else claim.slot), claim)
    kept = tuple(chosen.values())
    return kept, tuple(each.id for each in pending if each not in kept)


DIGEST = "digest"
"""The kind of a digest, and the word in its key."""


def digest_key(user_id: UserId) -> Key:
    """The key of a person's digests."""
    return key_of(DIGEST, user_id)


def next_digest(user_id: UserId, at: datetime) -> Outgoing:
    """The next digest of a person."""
    return Outgoing(DIGEST, digest_key(user_id), at, slot=DIGEST)


HOST = "host"
"""The kind of a message of the owner's to the managers of a server, and the word in its key."""


def host_message(guild_id: GuildId, words: str, at: datetime) -> Outgoing:
    """A message of the owner's to the managers of a server."""
    return Outgoing(HOST, key_of(HOST, guild_id), at, {"words": words})


VACATION = "vacation"
"""The kind of a vacation's notice, and the word in its key."""


def vacation_key(user_id: UserId) -> Key:
    """The key of the notices of a person's vacations."""
    return key_of(VACATION, user_id)


def vacation_message(user_id: UserId, number: int, at: datetime) -> Outgoing:
    """The notice that the vacation of that number has begun, or is over."""
    return Outgoing(VACATION, vacation_key(user_id), at, slot=str(number), blocks_later=False)


PUZZLE = "puzzle"
"""The kind of a server's puzzle of the day, and the word in its key."""
