"""Posts deleted boards again: without their intent, Discord doesn't say that a message was deleted.

So when a player asks for the board, the message is looked up.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Protocol

from bot.clock import Clock
from bot.domain.match import Match
from bot.logs import logger
from bot.posts.outgoing import Outbox
from bot.posts.sending import Gone, Posted, Refused, Retry
from bot.store import Store, blocked, match_feed
from bot.store.errors import StoreUnavailable

_log = logger(__name__)


class Looking(Protocol):
    """Looks up messages."""

    async def see(self, posted: Posted) -> None:
        """Look up a message; raises what the outbox knows."""


@dataclass(eq=False)
class BoardsThere:
    """Posts boards again that were deleted."""

    store: Store
    discord: Looking
    clock: Clock
    outbox: Outbox

    async def bring_back(self, match: Match, player: int) -> None:
        """Post a player's board again, if it was deleted."""
        try:
            posted = await self.store.read(blocked.board_of, match.id, player)
            if posted is not None:
                await self.discord.see(posted)
        except Gone:
            _log.info("a board was deleted and is posted again", match=match.id)
            with contextlib.suppress(StoreUnavailable):
                await self.store.write(match_feed.show_again, match.id, self.clock.now())
                self.outbox.wake()
        except (Refused, Retry, StoreUnavailable):
            return
