"""Bringing back boards that are gone: nobody tells a bot without their intent of deleted messages.

So it is looked for when a player asks to see the board, and posted again if it is not there.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Protocol

from bot.clock import Clock
from bot.domain.ids import MatchId
from bot.domain.match import Match
from bot.logs import logger
from bot.posts.outgoing import Outbox
from bot.posts.sending import Gone, Posted, Refused, Retry
from bot.store import Store, blocked, match_feed
from bot.store.errors import StoreUnavailable

_log = logger(__name__)

_ON_ITS_WAY = timedelta(seconds=5)
"""For so long a board that is posted again is not asked for once more."""


class Looking(Protocol):
    """Discord, as far as this needs it."""

    async def see(self, posted: Posted) -> None:
        """Look whether a message is there; raises what the outbox knows."""


class BoardsThere:
    """Looks for boards and has those posted again that are gone."""

    def __init__(self, store: Store, discord: Looking, clock: Clock, *, outbox: Outbox) -> None:
        self._store = store
        self._discord = discord
        self._clock = clock
        self._outbox = outbox
        self._asked: dict[MatchId, datetime] = {}

    async def bring_back(self, match: Match, player: int) -> None:
        """See to it that the board which stands for a player is there."""
        now = self._clock.now()
        try:
            posted = await self._store.read(blocked.board_of, match.id, player)
            if posted is None or not await self._is_gone(posted):
                return
            self._asked = {
                match_id: at for match_id, at in self._asked.items() if abs(now - at) < _ON_ITS_WAY
            }
            if match.id not in self._asked:
                self._asked[match.id] = now
                _log.info("a board was deleted and is posted again", match=match.id)
                await self._store.write(match_feed.show_again, match.id, now)
                self._outbox.wake()
        except StoreUnavailable:
            return

    async def _is_gone(self, posted: Posted) -> bool:
        try:
            await self._discord.see(posted)
        except Gone:
            return True
        except (Refused, Retry):
            return False
        return False
