"""Having told what tournaments have to tell: once, in order, and nobody in their quiet hours."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol

from bot.domain.ids import UserId
from bot.domain.preferences import Preferences
from bot.services.ports import Clock, StoreUnavailable
from bot.services.sending import Gone, Posted, Refused, Retry
from bot.services.tournaments.consequences import to_directors
from bot.services.tournaments.messages import Announcer, MessageKind, Trouble
from bot.services.tournaments.ports import ClaimedMessage, TournamentStore, Writing
from bot.services.tournaments.viewing import view_of
from bot.trouble import Troubles

log = logging.getLogger(__name__)

_BATCH = 20
_LEASE = timedelta(minutes=1)
_FIRST = timedelta(seconds=5)
_LONGEST = timedelta(minutes=10)
_LIVE = timedelta(hours=12)
"""In an event that lasts no longer players have come to play: their quiet hours do not count."""


class Choices(Protocol):
    """Who knows how people want to be told."""

    async def chosen_by(self, person: UserId) -> Preferences:
        """What a person has chosen. Raises ``StoreUnavailable``."""
        ...


class TournamentTelling:
    """Sends what is due; ``announcer`` is set once there is a connection to Discord."""

    def __init__(
        self,
        store: TournamentStore,
        clock: Clock,
        choices: Choices | None = None,
        announcer: Announcer | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._choices = choices
        self.announcer = announcer
        self._troubles = Troubles(log, level=logging.WARNING)

    async def sweep(self) -> int:
        """Send all that is due; how many were sent. Raises ``StoreUnavailable``."""
        told = 0
        while self.announcer is not None:
            now = self._clock.now()
            found = await self._store.claim_messages(now, now + _LEASE, _BATCH)
            for claimed in found:
                told += await self._send(self.announcer, claimed)
            if not found:
                break
        return told

    async def _send(self, announcer: Announcer, claimed: ClaimedMessage) -> bool:
        message = claimed.message
        trouble = self._troubles.of(
            f"tournament {claimed.tournament_id}: {message.kind.value} cannot be told"
        )
        try:
            wait = await self._until(claimed)
            if wait is not None:
                await self._store.message_back(claimed, wait, may_exist=False)
                return False
            posted = await self._announce(announcer, claimed)
        except Retry as error:
            await self._again(claimed, error.after, sent=error.sent)
            return False
        except StoreUnavailable:
            raise
        except Exception as error:
            trouble.met(f"a bug, {type(error).__name__}", error=error)
            await self._again(claimed, None, sent=True)
            return False
        trouble.passed()
        await self._store.message_sent(claimed, posted)
        return True

    async def _until(self, claimed: ClaimedMessage) -> datetime | None:
        """Until when a message waits because its person wants to hear nothing now."""
        person = claimed.message.user_id
        if person is None or self._choices is None:
            return None
        stored = (await self._store.load_tournament(claimed.tournament_id)).stored
        if stored is None or stored.tournament.finish - stored.tournament.begins <= _LIVE:
            return None
        chosen = await self._choices.chosen_by(person)
        return chosen.quiet_until(self._clock.now())

    async def _announce(self, announcer: Announcer, claimed: ClaimedMessage) -> Posted | None:
        message = claimed.message
        view = await view_of(self._store, claimed.tournament_id, self._clock.now(), message.version)
        if view is None:
            return None
        reason = ""
        for each in dict.fromkeys((message, replace(message, shown=None))):
            # A message that was deleted is posted anew.
            try:
                return await announcer.announce(each, view)
            except Gone as error:
                reason = error.reason
            except Refused as error:
                reason = error.reason
                break
        await self._refused(claimed, reason)
        return None

    async def _refused(self, claimed: ClaimedMessage, reason: str) -> None:
        """Nothing can be said there. Of the home channel the directors are told, once."""
        log.info("tournament %s: not told: %s", claimed.tournament_id, reason)
        if claimed.message.kind is not MessageKind.HOME:
            return
        stored = (await self._store.load_tournament(claimed.tournament_id)).stored
        if stored is None or stored.home_gone:
            return
        await self._store.set_home(claimed.tournament_id, None, is_gone=True)
        t = stored.tournament
        told = to_directors(t, MessageKind.TROUBLE, Trouble.HOME_GONE.value)
        people = tuple(each for each in told if each.user_id is not None)
        await self._store.commit_tournament(Writing(t, (), stored.due_at, people))

    async def _again(self, claimed: ClaimedMessage, after: float | None, *, sent: bool) -> None:
        wait = min(_FIRST * 2 ** min(claimed.attempts - 1, 10), _LONGEST)
        if after is not None:
            wait = max(timedelta(seconds=after), timedelta(seconds=1))
        await self._store.message_back(claimed, self._clock.now() + wait, may_exist=sent)
