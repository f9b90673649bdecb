"""Reminders before a deadline, at the hours that its player has chosen.

They follow the deadline that is in force: the commit that gives a turn a deadline, or another one,
notes that its reminders are to be planned, and the next sweep plans them. So it does not matter
whether the turn is called: a player whose own move leaves them on turn is not called, and a call
may wait for the end of quiet hours, or be refused. They are also planned again when the person
chooses differently. A deadline may move while they wait (an outage is given back), so each is
judged once more when its time has come. A turn and a number of hours have one reminder, whatever
happens: one that may have been given by a process that died before it could write so is looked for
where it would stand.
"""

from __future__ import annotations

import contextlib
import logging
from datetime import datetime, timedelta
from typing import Protocol

from bot.domain.game_state import player_on_turn
from bot.domain.ids import UserId
from bot.domain.match import Match
from bot.domain.preferences import NoticeWay, Preferences
from bot.domain.quiet_hours import reminder_times
from bot.errors import UserError
from bot.services.notices import Notices, places_of
from bot.services.people_store import PeopleStore, Reminder
from bot.services.ports import Clock, Store, StoreUnavailable
from bot.services.sending import (
    BY_NONCE,
    DirectRefused,
    Gone,
    Messenger,
    Posted,
    Refused,
    Retry,
)
from bot.services.timeouts import credited

log = logging.getLogger(__name__)

_BATCH = 50
_JUST_TOLD = timedelta(minutes=30)
"""So soon after a player has been told of a turn, they need no reminder."""
_LATE = timedelta(minutes=1)
_STANDING = timedelta(hours=1)
"""How long until a clock is looked at again that stands still, or whose deadline has passed but to
which an outage may yet be given back."""


class ReminderStore(Store, PeopleStore, Protocol):
    """Matches, and what people have chosen."""


class ReminderService:
    """Plans reminders and gives them."""

    def __init__(
        self, store: ReminderStore, messenger: Messenger, notices: Notices, clock: Clock
    ) -> None:
        self._store = store
        self._messenger = messenger
        self._notices = notices
        self._clock = clock

    async def plan_anew(self, user_id: UserId) -> None:
        """Plan those of all turns of somebody who has just chosen differently."""
        try:
            for match in await self._store.active_of(user_id):
                player = _on_turn(match)
                if player is not None and match.players[player] == user_id:
                    await self._plan(match, self._clock.now())
        except StoreUnavailable as error:
            log.warning("no reminders planned: %s", error.reason)

    async def _plan_due(self) -> None:
        """Plan the reminders of every turn that has a new deadline."""
        while found := await self._store.turns_to_plan(now := self._clock.now(), _BATCH):
            for turn in found:
                match = (await self._store.load(turn.match_id, None)).match
                if match is None or match.position_since != turn.since:
                    await self._store.plan_reminders(turn.match_id, turn.since, (), now)
                else:
                    await self._plan(match, turn.changed_at, told_at=turn.began)

    async def _plan(
        self, match: Match, earliest: datetime, *, told_at: datetime | None = None
    ) -> None:
        """Plan the reminders of a turn, none before ``earliest``.

        ``told_at`` is when its player was told of it, outside of quiet hours.
        """
        player, deadline, since = _on_turn(match), match.deadline, match.position_since
        person = None if player is None else match.players[player]
        if player is None or person is None or deadline is None:
            await self._store.plan_reminders(match.id, since, (), self._clock.now())
            return
        chosen = await self._notices.chosen_by(person)
        if told_at is not None:
            earliest = max(earliest, (chosen.quiet_until(told_at) or told_at) + _JUST_TOLD)
        if match.times is not None and match.times.since is not None:
            # None comes while the clock stands because they are on vacation.
            earliest = max(earliest, match.times.since)
        times = reminder_times(
            deadline, _hours(chosen), earliest, quiet=chosen.quiet, zone=chosen.zone
        )
        planned = tuple(Reminder(match.id, since, player, hours, at) for hours, at in times)
        await self._store.plan_reminders(match.id, since, planned, self._clock.now())

    async def sweep(self) -> int:
        """Plan what is to be planned, and give every reminder whose time has come.

        Returns how many were given.
        """
        given = 0
        patience = self._notices.patience
        try:
            await self._plan_due()
            found = await self._store.reminders_due(self._clock.now(), _BATCH + len(patience))
            for reminder in patience.ready(found, self._clock.now(), _BATCH):
                try:
                    given += await self._give(reminder)
                except Retry as error:
                    patience.put_off(reminder, self._clock.now(), error)
        except StoreUnavailable:
            return given
        return given

    async def _give(self, reminder: Reminder) -> bool:
        """Give a reminder if it is to be given; raises what says to try again."""
        now = self._clock.now()
        match = (await self._store.load(reminder.match_id, None)).match
        if match is not None and match.set_aside_at is not None:
            await self._store.reminder_at(reminder, now + _STANDING)
            return False
        if match is None or not _is_turn_of(match, reminder):
            if match is not None:
                await self._take_back(match, reminder)
            await self._store.reminder_done(reminder)
            return False
        match = await credited(self._store, match, now)
        person = match.players[reminder.player]
        deadline = match.deadline
        if deadline is None or deadline <= now:
            await self._store.reminder_at(reminder, now + _STANDING)
            return False
        chosen = Preferences() if person is None else await self._notices.chosen_by(person)
        if person is None or reminder.hours not in _hours(chosen):
            await self._store.reminder_done(reminder)
            return False
        rests = match.times is not None and (match.times.since or now) > now
        if rests:
            await self._plan(match, now)
            return False
        if now > reminder.due_at + BY_NONCE:
            posted = await self._posted(match, reminder, deadline, person, chosen)
            if posted is not None:
                await self._told(match, reminder, posted)
                return False
        if chosen.quiet_until(now) is not None or self._is_early(reminder, deadline, chosen):
            await self._plan(match, now)
            return False
        return await self._tell(match, reminder, deadline, person, chosen)

    def _is_early(self, reminder: Reminder, deadline: datetime, chosen: Preferences) -> bool:
        """Whether the deadline has moved so that this reminder is not due yet."""
        now = self._clock.now()
        times = reminder_times(
            deadline, (reminder.hours,), now - _LATE, quiet=chosen.quiet, zone=chosen.zone
        )
        return any(at > now for _, at in times)

    async def _posted(
        self,
        match: Match,
        reminder: Reminder,
        deadline: datetime,
        person: UserId,
        chosen: Preferences,
    ) -> Posted | None:
        """The reminder that a process gave before it died; raises what says to try again."""
        for place in places_of(match, person, chosen):
            try:
                posted = await self._messenger.find_reminder(
                    match, reminder.player, deadline, place, since=reminder.due_at
                )
            except (Gone, Refused):
                continue
            if posted is not None:
                return posted
        return None

    async def _take_back(self, match: Match, reminder: Reminder) -> None:
        """Delete a reminder that may have been given in a turn which is over."""
        person = match.players[reminder.player]
        if person is None or person < 0:
            return
        chosen = await self._notices.chosen_by(person)
        posted = await self._posted(match, reminder, reminder.due_at, person, chosen)
        if posted is not None:
            with contextlib.suppress(Gone, Refused):
                await self._messenger.erase(posted)

    async def _tell(
        self,
        match: Match,
        reminder: Reminder,
        deadline: datetime,
        person: UserId,
        chosen: Preferences,
    ) -> bool:
        nonce = f"{match.id}h{reminder.since:x}.{reminder.hours:x}"
        for place in places_of(match, person, chosen):
            try:
                posted = await self._messenger.remind(
                    match, reminder.player, deadline, place, nonce=nonce
                )
            except DirectRefused:
                await self._notices.refused(person)
            except (Gone, Refused) as error:
                log.info("match %s: no reminder: %s", match.id, error.reason)
            else:
                await self._told(match, reminder, posted)
                return True
        await self._store.reminder_done(reminder)
        return False

    async def _told(self, match: Match, reminder: Reminder, posted: Posted) -> None:
        """Have it stand in the place of the line that called the player before, and note it.

        In this order: what is not noted is found again.
        """
        await self._store.replace_line(match, reminder.player, posted)
        await self._store.reminder_done(reminder)


def _on_turn(match: Match) -> int | None:
    try:
        return player_on_turn(match)
    except UserError:
        return None


def _is_turn_of(match: Match, reminder: Reminder) -> bool:
    return match.position_since == reminder.since and _on_turn(match) == reminder.player


def _hours(chosen: Preferences) -> tuple[int, ...]:
    """Before a deadline by how many hours somebody is reminded."""
    return () if chosen.present_way is NoticeWay.NOTHING else chosen.reminders
