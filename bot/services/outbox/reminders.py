"""Reminders before a deadline, at the hours that its player has chosen.

They follow the deadline that is in force: the commit that gives a turn a deadline, or another one,
writes that its reminders are to be planned (:func:`bot.posts.deliveries.reminders_after`), and
each of them is a message that is due at its hour. They are also planned again when their player
chooses differently. A deadline may move while they wait (an outage is given back), so each is
judged once more when its time has come. A turn and a number of hours have one reminder, whatever
happens: one that may have been given by a process that died before it could write so is looked for
where it would stand.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from datetime import datetime, timedelta

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
    DirectRefused,
    Gone,
    MatchClaim,
    MatchDone,
    Posted,
    Refused,
)
from bot.services.messenger import Messenger
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
    """Plans reminders and gives them."""

    kinds = frozenset({DeliveryKind.REMINDERS.value, DeliveryKind.REMINDER.value})

    def __init__(self, store: Store, messenger: Messenger, notices: Notices, clock: Clock) -> None:
        self._store = store
        self._messenger = messenger
        self._notices = notices
        self._clock = clock

    async def plan_anew(self, user_id: UserId) -> None:
        """Plan those of all turns of a player who has just chosen differently."""
        try:
            for match in await self._store.read(transactions.active_of, user_id):
                player = known_turn(match)
                if player is not None and match.players[player] == user_id:
                    await self._store.write(outgoing.plan, self._planning(match, player))
        except StoreUnavailable as error:
            _log.warning("no reminders planned", reason=error.reason)

    def _planning(self, match: Match, player: int) -> Outgoing:
        planning = Delivery(DeliveryKind.REMINDERS, match.position_since, player)
        return planning.message(match.id, self._clock.now())

    async def make(self, claim: Claim) -> Outcome:
        """Plan the reminders of a turn, or give one."""
        assert isinstance(claim, MatchClaim)  # noqa: S101 - the store loads matches with them
        if claim.delivery.kind is DeliveryKind.REMINDERS:
            return await self._plan(claim)
        return await self._give(claim)

    async def _plan(self, claim: MatchClaim) -> Done:
        """Plan the reminders of a turn, none before this was due, nor just after it was told."""
        match, player = claim.match, known_turn(claim.match)
        person = None if player is None else match.players[player]
        match = await credited(self._store, match, self._clock.now())
        if claim.overtaken or player is None or person is None or match.deadline is None:
            return MatchDone()
        chosen = await self._notices.chosen_by(person)
        turn = await self._store.read(stored_notices.turn_of, match.id, match.position_since)
        told_at = chosen.quiet_until(turn.began) or turn.began
        earliest = max(claim.due_at, told_at + JUST_TOLD)
        if match.times is not None and match.times.since is not None:
            # None comes while the clock is stopped because they are on vacation.
            earliest = max(earliest, match.times.since)
        times = reminder_times(
            match.deadline, _hours(chosen), earliest, quiet=chosen.quiet, zone=chosen.zone
        )
        reminder = Delivery(DeliveryKind.REMINDER, match.position_since, player)
        return MatchDone(
            then=tuple(
                replace(reminder, hours=hours).message(match.id, at)
                for hours, at in times
                if hours not in turn.given
            )
        )

    async def _give(self, claim: MatchClaim) -> Outcome:
        """Give a reminder if it is to be given."""
        now, reminder, player = self._clock.now(), claim.delivery, claim.delivery.audience
        match = claim.match
        person = None if player is None else match.players[player]
        if player is None or person is None or person < 0:
            return Done()
        if match.set_aside_at is not None:
            return self._later()
        if claim.overtaken or known_turn(match) != player:
            # What may have been given in a turn that is over is past, and goes.
            return MatchDone(posted=await self._posted(claim, claim.due_at, person))
        match = await credited(self._store, match, now)
        if match.deadline is None or match.deadline <= now:
            return self._later()
        chosen = await self._notices.chosen_by(person)
        if reminder.hours not in _hours(chosen):
            return Done()
        if match.times is not None and (match.times.since or now) > now:
            return Done(then=(self._planning(match, player),))
        posted = await self._posted(claim, match.deadline, person)
        if posted is not None:
            return MatchDone(posted=posted)
        if chosen.quiet_until(now) is not None or self._is_early(claim, match.deadline, chosen):
            return Done(then=(self._planning(match, player),))
        return MatchDone(posted=await self._tell(match, reminder, match.deadline, person, chosen))

    def _later(self) -> PutOff:
        return PutOff(self._clock.now() + _STOPPED, "stopped", certain=True)

    def _is_early(self, claim: MatchClaim, deadline: datetime, chosen: Preferences) -> bool:
        """Whether the deadline has moved so that this reminder is not due yet."""
        now, hours = self._clock.now(), claim.delivery.hours or 0
        times = reminder_times(
            deadline, (hours,), now - _LATE, quiet=chosen.quiet, zone=chosen.zone
        )
        return any(at > now for _, at in times)

    async def _posted(self, claim: MatchClaim, deadline: datetime, person: UserId) -> Posted | None:
        """The reminder that an earlier attempt may have posted."""
        if claim.tried_at is None:
            return None
        chosen, player = await self._notices.chosen_by(person), claim.delivery.audience or 0
        for place in places_of(claim.match, person, chosen):
            with contextlib.suppress(Gone, Refused):
                posted = await self._messenger.find_reminder(
                    claim.match, player, deadline, place, since=claim.tried_at
                )
                if posted is not None:
                    return posted
        return None

    async def _tell(
        self,
        match: Match,
        reminder: Delivery,
        deadline: datetime,
        person: UserId,
        chosen: Preferences,
    ) -> Posted | None:
        """Remind a player where Discord lets it through, if anywhere."""
        nonce = f"{match.id}h{reminder.version:x}.{reminder.hours or 0:x}"
        for place in places_of(match, person, chosen):
            try:
                return await self._messenger.remind(
                    match, reminder.audience or 0, deadline, place, nonce=nonce
                )
            except DirectRefused:
                await self._notices.refused(person)
            except (Gone, Refused) as error:
                _log.info("no reminder", match=match.id, reason=error.reason)
        return None


def _hours(chosen: Preferences) -> tuple[int, ...]:
    """Before a deadline by how many hours a player is reminded."""
    return () if chosen.present_way is NoticeWay.NOTHING else chosen.reminders
