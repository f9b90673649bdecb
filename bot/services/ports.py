"""What the services need of storage, and of the time.

Every method of :class:`Store` is one transaction: all of it happens or nothing, and a caller that
is cancelled does not stop it half way. What cannot be done because the database is full, locked or
gone raises :exc:`StoreUnavailable`, and nothing has happened; or :exc:`OutcomeUnknown`, and it may
have.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Protocol, TypeVar

from bot.domain.clock import Span
from bot.domain.events import Change, CommandContext, Event, OnVacation
from bot.domain.ids import ChannelId, GuildId, InteractionId, MatchId, UserId
from bot.domain.match import Match, Scope
from bot.domain.unreached import Unreached
from bot.domain.vacation import UserVacation
from bot.errors import UserError
from bot.logs import logger
from bot.services.outgoing import Batch, OutboxStore
from bot.services.people_store import AuditEntry, PairingCheck
from bot.services.sending import Delivery
from bot.trouble import Trouble

_log = logger(__name__)

T = TypeVar("T")


class Clock(Protocol):
    """Where the time comes from."""

    def now(self) -> datetime:
        """The present instant, aware, in UTC."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """The present instant in UTC."""
        return datetime.now(UTC)


_DRIFT = 200e-6
"""How much a clock that cannot jump may gain or lose all the same, as a part of what passes."""
_WORTH_TELLING = 2.0
"""Seconds that the machine's clock has to be off for the host to be told."""


def seconds_passed() -> float:
    """Seconds since some instant, by a clock that cannot jump and goes on in a machine asleep."""
    boottime: int | None = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boottime is None else time.clock_gettime(boottime)


@dataclass(frozen=True, slots=True)
class _Bounds:
    """Between what the time less ``seconds`` lies, in seconds since 1970, as known ``at`` then."""

    least: float = -math.inf
    most: float = math.inf
    at: float = 0.0

    def aged(self, now: float) -> _Bounds:
        """The same, as far as it is still known."""
        drift = abs(now - self.at) * _DRIFT
        return _Bounds(self.least - drift, self.most + drift, now)

    def narrowed(self, other: _Bounds) -> _Bounds | None:
        """Both at once; None if they contradict each other."""
        least, most = max(self.least, other.least), min(self.most, other.most)
        return _Bounds(least, most, self.at) if least <= most else None

    def place(self, offset: float) -> float:
        """An offset, or if it is beyond the bounds, the middle between them."""
        return offset if self.least <= offset <= self.most else (self.least + self.most) / 2


class DiscordClock:
    """The time as Discord's answers say it is, whatever happens to the machine's clock.

    Each answer of Discord says when it was made (``Date``), in whole seconds. That instant lies
    between the request and the arrival of the answer, for which ``seconds`` is asked, which cannot
    jump. So each answer bounds the time from both sides, and many of them bound it to a fraction of
    a second. The machine's clock is believed as long as it lies between the bounds; one that was
    put back or ahead, or was never right, is not. Until Discord has said anything, it is the
    machine's.
    """

    def __init__(
        self, machine: Clock | None = None, seconds: Callable[[], float] = seconds_passed
    ) -> None:
        self._machine = machine or SystemClock()
        self.seconds = seconds
        self._bounds = _Bounds()
        self._doubt: _Bounds | None = None
        self._wrong = Trouble(
            _log, "this machine's clock is wrong; Discord's time is used", level=logging.WARNING
        )

    def now(self) -> datetime:
        """The present instant in UTC."""
        machine = self._machine.now()
        return machine - timedelta(seconds=self._offset_of(machine))

    @property
    def offset(self) -> float:
        """Seconds by which the machine's clock is ahead; 0.0 if Discord says nothing else."""
        return self._offset_of(self._machine.now())

    def _offset_of(self, machine: datetime) -> float:
        seconds = self.seconds()
        offset = machine.timestamp() - seconds
        return offset - self._bounds.aged(seconds).place(offset)

    def hear(self, said: str | None, asked: float) -> None:
        """Discord has said what the time is, in answer to what was ``asked`` then (``seconds``).

        An answer that contradicts those before it counts once another bears it out.
        """
        now = self.seconds()
        try:
            stamp = parsedate_to_datetime(said or "").replace(tzinfo=UTC).timestamp()
        except ValueError:
            return
        heard = _Bounds(stamp - now, stamp + 1 - asked, now)
        narrowed = self._bounds.aged(now).narrowed(heard)
        if narrowed is None:
            doubt = self._doubt and self._doubt.aged(now).narrowed(heard)
            self._doubt = heard
            if doubt is None:
                return
            narrowed = doubt
        self._bounds, self._doubt = narrowed, None
        offset = self.offset
        if abs(offset) >= _WORTH_TELLING:
            self._wrong.met(f"{offset:+.0f} s")
        else:
            self._wrong.passed()


# ---- what the store says -------------------------------------------------------------------------


class Conflict(Exception):
    """The match has another version than the one that the change was decided on."""


class ChannelBusy(Exception):
    """Another match runs in the channel where this one was to start or to go on.

    ``match_id`` is that match, if it is known.
    """

    def __init__(self, match_id: MatchId | None = None) -> None:
        super().__init__(match_id)
        self.match_id = match_id


class AlreadyDone(Exception):
    """The interaction has been carried out before; ``event`` is what came of it."""

    def __init__(self, event: Event) -> None:
        super().__init__(event.match_id, event.seq)
        self.event = event


class StoreUnavailable(Exception):
    """The database cannot do it now; nothing has happened. ``reason`` is a word for the host.

    ``code`` is that of the :exc:`~bot.errors.UserError` by which a person is told.
    """

    code = "store_unavailable"

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class OutcomeUnknown(StoreUnavailable):
    """The database was told to commit and has not answered: it may have happened or not.

    ``outcome`` ends when more is known: whether it has happened, None if that can't be found out.
    """

    code = "outcome_unknown"

    def __init__(self, reason: str, outcome: asyncio.Task[bool | None]) -> None:
        super().__init__(reason)
        self.outcome = outcome


has_written: ContextVar[bool] = ContextVar("has_written", default=False)
"""Whether something was committed by this task since it was last set to False."""


async def ask(question: Awaitable[T]) -> T:
    """What the store answers to a question of a person.

    Where it cannot answer now, they are told: :exc:`~bot.errors.UserError` (``store_unavailable``,
    or ``outcome_unknown``).
    """
    try:
        return await question
    except StoreUnavailable as error:
        raise UserError(error.code, reason=error.reason) from error


def contended() -> UserError:
    """What a person is told when others were faster time and again."""
    return UserError("store_unavailable", reason="contended")


@dataclass(frozen=True, slots=True)
class Overdue:
    """A running match whose deadline, as it is stored, has passed."""

    match_id: MatchId
    deadline: datetime


@dataclass(frozen=True, slots=True)
class Outage:
    """A span in which nobody in a scope (:mod:`bot.services.presence`) could act."""

    scope: str
    began_at: datetime
    ended_at: datetime


@dataclass(frozen=True, slots=True)
class Availability:
    """What is known of people's chances to act in a server.

    ``stood`` are outages in order; ``seen`` is when they last could, None if nobody keeps count;
    ``leaves`` are vacations of those that were asked about; ``untold`` is the last turn of the
    match that was asked about which could not be told in time, perhaps one that is over.
    """

    stood: tuple[Span, ...] = ()
    seen: datetime | None = None
    leaves: tuple[UserVacation, ...] = ()
    untold: Unreached | None = None

    def away(self, now: datetime) -> tuple[OnVacation, ...]:
        """Who of them is on vacation at an instant, and until when."""
        found = (each for each in self.leaves if each.vacation.lasts(now))
        return tuple(OnVacation(each.user_id, each.vacation.ends_at) for each in found)

    def act(self, now: datetime) -> CommandContext:
        """An act of the host at an instant."""
        return CommandContext(now, stood=self.stood, away=self.away(now))


@dataclass(frozen=True, slots=True)
class Loaded:
    """A match, None if there is none, and what an interaction has already done, if anything.

    ``presumed`` is what is known of its clock, if that was asked for.
    """

    match: Match | None
    done: Event | None
    presumed: Availability = Availability()


class Store(OutboxStore, Protocol):
    """Where matches live, with what is sent of them. Every method is one transaction."""

    async def load(
        self,
        match_id: MatchId,
        interaction_id: InteractionId | None,
        now: datetime | None = None,
        joining: UserId | None = None,
    ) -> Loaded:
        """A match by id, for any reader, and the event that this interaction has caused, if any.

        At an instant ``now`` also what :func:`bot.services.presence.standing` finds out.
        """
        ...

    async def done(self, interaction_id: InteractionId) -> Event | None:
        """The event that this interaction has caused, in whatever match."""
        ...

    async def commit(
        self,
        change: Change,
        *,
        quietly: bool = False,
        lease_until: datetime | None = None,
        check: PairingCheck | None = None,
        entry: AuditEntry | None = None,
        ends: Change | None = None,
    ) -> Batch:
        """Write the event, the head after it and what follows from it, all or nothing.

        What follows is for :func:`bot.services.consequences.consequences` to say, in the same
        transaction; ``quietly``: but nobody is told of the change itself. With ``lease_until`` the
        caller takes what is to be sent now, unless another is at it already; otherwise the batch
        is empty. With a ``check`` it is judged first, on what no other commit with one of its
        people can change meanwhile, and what that raises comes through. An ``entry`` goes into the
        audit log of its server. ``ends`` is the change of another match that ends by it.
        Raises :exc:`Conflict`, :exc:`AlreadyDone`, :exc:`ChannelBusy`, :exc:`StoreUnavailable`.
        """
        ...

    async def match(self, match_id: MatchId, scope: Scope) -> Match | None:
        """A match, if it may be seen in this scope."""
        ...

    async def running_in(self, channel_id: ChannelId, scope: Scope) -> tuple[Match, ...]:
        """The running matches that live in a channel or thread, or were offered there."""
        ...

    async def active_of(self, user_id: UserId) -> tuple[Match, ...]:
        """Everything running or on offer in which this person has or is kept a chair."""
        ...

    async def history(self, match_id: MatchId, scope: Scope) -> tuple[Event, ...]:
        """All events of a match in order; empty if it may not be seen in this scope."""
        ...

    async def lapsed_offers(self, now: datetime, limit: int) -> tuple[MatchId, ...]:
        """Offers whose time has come, the oldest first."""
        ...

    async def lapsed_requests(self, now: datetime, limit: int) -> tuple[MatchId, ...]:
        """Running matches in which a request lapses by now, the oldest first."""
        ...

    async def over_in(self, channel_id: ChannelId, scope: Scope, limit: int) -> tuple[Match, ...]:
        """Matches that were played in a channel or thread and are over, the newest first."""
        ...

    async def over_of(
        self, user_id: UserId, scope: Scope, limit: int, skipped: int = 0
    ) -> tuple[Match, ...]:
        """Matches that a person played and that are over, the last to end first.

        Of the ``limit`` after those ``skipped``, the ones that may be seen in this scope.
        """
        ...

    async def running_in_server(
        self, guild_id: GuildId, limit: int, skipped: int = 0
    ) -> tuple[Match, ...]:
        """The matches that run in a server, those with the newest moves first."""
        ...

    async def met(self, one: UserId, other: UserId, limit: int) -> tuple[Match, ...]:
        """Finished matches in which two people met, the last first."""
        ...

    async def quiet_since(self, before: datetime, after: str, limit: int) -> tuple[Match, ...]:
        """Running matches in servers in which nothing has happened since then, by their ids.

        Those of tournaments are not among them.
        """
        ...

    async def overdue(
        self, now: datetime, limit: int, after: Overdue | None = None
    ) -> tuple[Overdue, ...]:
        """Matches whose deadline has come, the oldest first, from the one after ``after``.

        Not those whose player on turn could not be told.
        """
        ...

    # when people could act

    async def beat(self, scopes: tuple[str, ...], now: datetime, longest: timedelta) -> bool:
        """Note that people in these scopes can act now.

        A gap since the last beat longer than ``longest`` is written down as an outage; returns
        whether there was one.
        """
        ...

    async def note_outages(self, outages: tuple[Outage, ...]) -> None:
        """Write outages down; one that began at the same instant in the same scope is extended."""
        ...

    async def presumed(
        self,
        guild_id: GuildId | None,
        since: datetime,
        now: datetime,
        people: tuple[UserId, ...] = (),
        match_id: MatchId | None = None,
    ) -> Availability:
        """The outages between two instants that concern a server, and when people could last act.

        Without a server: the same for direct messages. Of these people: their vacations that
        were not over at ``since`` or ``now``, whichever is earlier. Of this match: its last turn
        that could not be told in time.
        """
        ...

    async def spare_unreached(self, match_id: MatchId, now: datetime) -> bool:
        """Whether the player on turn of a match was not told, because Discord keeps us from it.

        That is written down, so that their clock is stopped until they are.
        """
        ...

    async def newest_outages(self, limit: int) -> tuple[Outage, ...]:
        """The outages that ended last."""
        ...

    async def open_outages(self) -> tuple[Outage, ...]:
        """The outages of single servers that had not ended when people could last act, in order."""
        ...

    async def servers_playing(self) -> tuple[GuildId, ...]:
        """The servers in which matches run."""
        ...

    def all_matches(self) -> AsyncIterator[tuple[Match, tuple[Event, ...]]]:
        """Every match with its history, for verification."""
        ...

    # what is sent

    async def show_again(
        self,
        match_id: MatchId,
        now: datetime,
        home: ChannelId | None = None,
        calls: tuple[Delivery, ...] = (),
    ) -> None:
        """Have the present board of a match posted again, and retry at once what was postponed.

        With a ``home`` the match goes on there, and these ``calls`` follow the board; raises
        :exc:`ChannelBusy` if another one does.
        """
        ...


class Membership(Protocol):
    """Knows who is a member of a server."""

    async def is_member(self, guild_id: GuildId, user_id: UserId) -> bool | None:
        """Whether they are; None if that is not to be had now."""
        ...
