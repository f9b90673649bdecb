"""Clocks of turns whose player could not be told: stopped, started later, aborted after two weeks.

While a player doesn't know of their turn, its clock is stopped (:mod:`bot.domain.untold_turns`).
The reason is a row of its own, and every reckoning of the clock counts it in. Once the player
knows, the match gets an event with the new deadline. A match whose player can't be told for too
long is aborted.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.clock import Clock
from bot.domain import match_clock, stalled
from bot.domain.clock import lived
from bot.domain.untold_turns import AT_MOST, UntoldTurn
from bot.logs import logger
from bot.posts.outgoing import match_key
from bot.services import host_changes
from bot.store import Store, blocked, outgoing, presence, transactions
from bot.store.errors import Conflict, StoreUnavailable

_log = logger(__name__)

_BATCH = 50


@dataclass(eq=False)
class UntoldTurns:
    """Settles turns whose player could not be told."""

    store: Store
    clock: Clock

    async def sweep(self) -> None:
        """Start the clocks of players who know of their turn, and abort what took too long."""
        for turn in await self.store.read(blocked.to_settle, _BATCH):
            await self._alone(self._settle, turn)
        for turn in (await self.store.read(blocked.blockages)).turns:
            if turn.began_at + AT_MOST <= self.clock.now():
                await self._alone(self._put_aside, turn)

    async def tidy(self) -> None:
        """Forget turns that are over."""
        await self.store.write(blocked.forget)

    async def reached(self, turn: UntoldTurn) -> None:
        """The player knows about this turn in another way than by its board or notice."""
        if await self.store.write(blocked.reached, turn.match_id, turn.player, self.clock.now()):
            await self.sweep()

    @staticmethod
    async def _alone(work: Callable[[UntoldTurn], Awaitable[None]], turn: UntoldTurn) -> None:
        """Do it for one match; a bug there delays no other."""
        try:
            await work(turn)
        except Conflict:
            return  # Another process or a player was faster; the next sweep looks again.
        except StoreUnavailable:
            raise
        except Exception:
            _log.exception("a bug while a clock was to be started", match=turn.match_id)

    async def _settle(self, turn: UntoldTurn) -> None:
        await host_changes.apply(
            self.store, self.clock, turn.match_id, match_clock.credit, where=turn.is_of
        )
        await self.store.write(blocked.settled, turn)

    async def _put_aside(self, turn: UntoldTurn) -> None:
        match = await self.store.read(transactions.match, turn.match_id)
        if match is None or not turn.is_of(match) or match.deadline is None:
            return
        now = self.clock.now()
        availability = await self.store.read(
            presence.availability, match.origin.guild_id, turn.began_at, now
        )
        seen = now if availability.seen is None else min(now, availability.seen)
        if lived(turn.began_at, seen, availability.stopped_spans) < AT_MOST:
            return
        if await host_changes.apply(
            self.store, self.clock, match.id, stalled.abort_untold, where=turn.is_of
        ):
            _log.warning("aborted, since its player could not be told", match=match.id)
            # If Discord refuses this, they read it where they next act, not an hour later.
            await self.store.write(outgoing.retry_now, (match_key(match.id),), now)
