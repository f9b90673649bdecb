"""Messages that stand for long and are edited in place: a server's lobby, a tournament's home.

Whatever changes what such a message should say plans it in the same transaction, due now. Its slot
makes many changes one edit, and after an edit the next has to wait for :data:`GAP`. What it says is
read when it is sent, so that the latest state wins. Discord tells a bot without the intent for
messages nothing of deleted ones: so each plans the next look at it (:data:`LOOK_AGAIN`), and is
posted again if it is gone by then.

A key stands for one message in one channel. One that is to go elsewhere is closed here and opened
under another key.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from bot.clock import Clock
from bot.failpoints import hit
from bot.posts.outgoing import Claim, Done, Handler, Key, subject_of
from bot.posts.sending import Gone, Posted, Refused
from bot.store import Store
from bot.store import standing as stored_standing
from bot.store.standing import StandingMessage, shown_anew

GAP = timedelta(seconds=5)
"""The least time between two edits of a message."""
LOOK_AGAIN = timedelta(minutes=10)
"""How long a message may be away before it is noticed."""


@dataclass(frozen=True, slots=True)
class StandingPage:
    """What a message is to say, as Discord reads it, and a digest of that."""

    components: Sequence[object]
    digest: str


class StandingBoard(Protocol):
    """Discord, as far as messages of one kind need it."""

    async def sheet(self, standing: StandingMessage) -> StandingPage:
        """What a message is to say now."""
        ...

    async def post(self, standing: StandingMessage, sheet: StandingPage, *, nonce: str) -> Posted:
        """Post it."""
        ...

    async def edit(self, posted: Posted, sheet: StandingPage) -> None:
        """Put it in the place of what a message says."""
        ...

    async def find(self, standing: StandingMessage, since: datetime) -> Posted | None:
        """Such a message of ours that was posted in the channel since an instant."""
        ...

    async def look(self, posted: Posted) -> None:
        """Look whether a message is there."""
        ...

    async def erase(self, posted: Posted) -> None:
        """Delete a message."""
        ...


class StandingMessages(Handler):
    """Shows messages whose keys begin with ``kind``, and whose kind is that word as well.

    ``serves`` says whether this process looks after a server at present.
    """

    def __init__(
        self,
        kind: str,
        store: Store,
        board: StandingBoard,
        clock: Clock,
        *,
        serves: Callable[[Key], bool] = lambda _: True,
    ) -> None:
        self.kinds = frozenset({kind})
        self._kind = kind
        self._store = store
        self._board = board
        self._clock = clock
        self._is_ours = serves

    def serves(self, key: Key) -> bool:
        """Whether this process looks after what a key stands for."""
        return subject_of(key) != self._kind or self._is_ours(key)

    async def make(self, claim: Claim) -> Done:
        """Have the message say what it should, or take it away."""
        standing = await self._store.read(stored_standing.standing_of, claim.key)
        if standing is None:
            return Done()
        if standing.closing:
            await self._close(standing, claim.tried_at)
            return Done()
        sheet = await self._board.sheet(standing)
        posted = await self._shown(standing, sheet, claim)
        hit("c8")
        now = self._clock.now()
        await self._store.write(stored_standing.stands, claim.key, posted, sheet.digest, now + GAP)
        return Done(then=(shown_anew(claim.key, now + LOOK_AGAIN),), rest_until=now + GAP)

    async def _shown(self, standing: StandingMessage, sheet: StandingPage, claim: Claim) -> Posted:
        """The message that says it: the one that is there, or one that had to be posted."""
        if standing.posted is not None:
            try:
                if sheet.digest == standing.digest:
                    await self._board.look(standing.posted)
                else:
                    await self._board.edit(standing.posted, sheet)
            except Gone as gone:
                if gone.reason != "message":
                    raise
            else:
                return standing.posted
        if claim.tried_at is not None:
            found = await self._board.find(standing, claim.tried_at)
            if found is not None and found != standing.posted:
                await self._board.edit(found, sheet)
                return found
        nonce = f"{self._kind[0]}{standing.salt:x}.{claim.id:x}"[:25]
        return await self._board.post(standing, sheet, nonce=nonce)

    async def _close(self, standing: StandingMessage, tried_at: datetime | None) -> None:
        """Take away the message of what is no longer wanted.

        Also one that was posted in the place of a deleted one and could not be noted.
        """
        with contextlib.suppress(Gone, Refused):
            if standing.posted is not None:
                await self._board.erase(standing.posted)
        with contextlib.suppress(Gone, Refused):
            found = None if tried_at is None else await self._board.find(standing, tried_at)
            if found is not None and found != standing.posted:
                await self._board.erase(found)
        await self._store.write(stored_standing.stands_no_more, standing.key)
