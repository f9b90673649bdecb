"""Reminders before a deadline, at the hours that its player has chosen.

They follow the deadline that is in force: the commit that gives a turn a deadline, or another one,
writes that the next reminder is to be looked for (:func:`bot.posts.deliveries.reminders_after`),
which is then a message that is due at its hour, and leads to the one after it. It is also looked
for again when its player chooses differently. A deadline may move while it waits (an outage is
given back), so it is judged once more when its time has come. A turn and a number of hours have one
reminder, whatever happens: one that may have been given by a process that died before it could
write so is looked for where it would stand.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice

from bot.clock import Clock
from bot.domain.game_state import known_turn
from bot.domain.ids import UserId
from bot.domain.match import Match
from bot.domain.preferences import NoticeWay, Preferences
from bot.domain.quiet_hours import reminder_times
from bot.logs import logger
from bot.posts.deliveries import JUST_TOLD
from bot.posts.outgoing import Claim, Done, Handler, Outcome, Outgoing, PutOff
from bot.posts.sending import (
    Delivery,
    DeliveryKind,
    MatchClaim,
    MatchDone,
    Notice,
    Posted,
    Reminder,
)
from bot.services.notices import Notices, places_of
from bot.services.presence import credited
from bot.store import Store, outgoing, transactions
from bot.store import notices as stored_notices
from bot.store.errors import StoreUnavailable

_log = logger(__name__)

_LATE = timedelta(minutes=1)
_STOPPED = timedelta(hours=1)
"""How long until a clock is looked at again that is stopped, or whose deadline has passed but to
which an outage may yet be given back."""


class Reminders(Handler):
    """Gives reminders, one after another."""

    kinds = frozenset({DeliveryKind.REMINDER.value})

    def __init__(self, store: Store, notices: Notices, clock: Clock) -> None:
        self._store = store
        self._notices = notices
        self._clock = clock

    async def plan_anew(self, user_id: UserId) -> None:
        """Look for the next one in all turns of a player who has just chosen differently."""
        try:
            for match in await self._store.read(transactions.active_of, user_id):
                player = known_turn(match)
                if player is not None and match.players[player] == user_id:
                    await self._store.write(outgoing.plan, self._next(match, player))
        except StoreUnavailable as error:
            _log.warning("no reminders planned", reason=error.reason)

    def _next(self, match: Match, player: int) -> Outgoing:
        reminder = Delivery(DeliveryKind.REMINDER, match.position_since, player)
        return reminder.message(match.id, self._clock.now())

    async def make(self, claim: Claim) -> Outcome:
        """Give a reminder if it is to be given, or look for the next one of its turn."""
        assert isinstance(claim, MatchClaim)  # noqa: S101 - the store loads matches with them
        now, match, player = self._clock.now(), claim.match, claim.delivery.audience
        person = None if player is None else match.players[player]
        if player is None or person is None or person < 0:
            return Done()
        if match.set_aside_at is not None:
            return self._later(claim)
        if claim.overtaken or known_turn(match) != player:
            # What may have been given in a turn that is over is past, and goes.
            return MatchDone(posted=await self._posted(claim, person, claim.due_at))
        match, hours = await credited(self._store, match, now), claim.delivery.hours
        chosen = await self._notices.chosen_by(person)
        if hours is None:
            return await self._planned(claim, match, chosen)
        if match.deadline is None or match.deadline <= now:
            return self._later(claim)
        later = Done(then=(self._next(match, player),))
        rests = match.times is not None and (match.times.since or now) > now
        if rests or hours not in _hours(chosen):
            return later
        posted = await self._posted(claim, person, match.deadline)
        if posted is None:
            if chosen.quiet_until(now) is not None or self._is_early(claim, match.deadline, chosen):
                return later
            notice = _notice(claim, match, person, match.deadline)
            posted = await self._notices.tell_in(notice, places_of(match, person, chosen))
        return MatchDone(posted=posted, then=later.then)

    async def _planned(self, claim: MatchClaim, match: Match, chosen: Preferences) -> Done:
        """The next reminder of a turn, none before this was due, nor just after it was told."""
        if match.deadline is None:
            return Done()
        turn = await self._store.read(stored_notices.turn_of, match.id, match.position_since)
        told_at = chosen.quiet_until(turn.began) or turn.began
        earliest = max(claim.due_at, told_at + JUST_TOLD)
        if match.times is not None and match.times.since is not None:
            # None comes while the clock is stopped because they are on vacation.
            earliest = max(earliest, match.times.since)
        times = reminder_times(
            match.deadline, _hours(chosen), earliest, quiet=chosen.quiet, zone=chosen.zone
        )
        reminder = replace(claim.delivery, version=match.position_since)
        coming = (
            replace(reminder, hours=hours).message(match.id, at)
            for hours, at in times
            if hours not in turn.given
        )
        return Done(then=tuple(islice(coming, 1)))

    def _later(self, claim: MatchClaim) -> Outcome:
        """Look again in a while, or as soon as there is another deadline."""
        at = self._clock.now() + _STOPPED
        if claim.may_exist:
            return PutOff(at, "stopped", certain=True)
        return Done(then=(claim.delivery.message(claim.match.id, at),))

    def _is_early(self, claim: MatchClaim, deadline: datetime, chosen: Preferences) -> bool:
        """Whether the deadline has moved so that this reminder is not due yet."""
        now, hours = self._clock.now(), claim.delivery.hours or 0
        times = reminder_times(
            deadline, (hours,), now - _LATE, quiet=chosen.quiet, zone=chosen.zone
        )
        return any(at > now for _, at in times)

    async def _posted(self, claim: MatchClaim, person: UserId, deadline: datetime) -> Posted | None:
        """The reminder that an earlier attempt may have posted."""
        if claim.delivery.hours is None:
            return None
        notice = _notice(claim, claim.match, person, deadline)
        return await self._notices.found(notice, claim.match, claim.tried_at)


def _notice(claim: MatchClaim, match: Match, person: UserId, deadline: datetime) -> Notice:
    nonce = f"{match.id}h{claim.delivery.version:x}.{claim.delivery.hours or 0:x}"
    return Notice(match, person, Reminder(deadline), nonce)


def _hours(chosen: Preferences) -> tuple[int, ...]:
    """Before a deadline by how many hours a player is reminded."""
    return () if chosen.present_way is NoticeWay.NOTHING else chosen.reminders
