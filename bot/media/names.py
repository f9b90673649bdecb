"""What people are called, as far as this process has seen it. Nothing of it is ever stored."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from cachetools import LRUCache

from bot.domain.ids import UserId
from bot.i18n import Language
from bot.i18n.sentences import nameless


class NameBook:
    """Display names by user id, the longest unseen forgotten first.

    ``fetch`` asks for a name that has not been seen; it gives None if nobody knows. A failure is
    remembered as well, so that a stranger costs one request and not one a board.
    """

    def __init__(
        self,
        fetch: Callable[[UserId], Awaitable[str | None]] | None = None,
        *,
        limit: int = 20_000,
    ) -> None:
        self._fetch = fetch
        self._names: LRUCache[UserId, str | None] = LRUCache(limit)
        self._asked: dict[UserId, asyncio.Task[str | None]] = {}

    def note(self, user_id: UserId, name: str) -> None:
        """Remember the present name of a person."""
        self._names[user_id] = name

    def forget(self, user_id: UserId) -> None:
        """Do not remember a person any more."""
        self._names.pop(user_id, None)

    def seen(self, user_id: UserId) -> str | None:
        """The name, if it has been seen."""
        return self._names.get(user_id)

    async def name(self, user_id: UserId, language: Language) -> str:
        """The name, asked for if need be; if nobody knows, ``Player 1234`` in that language."""
        if user_id in self._names:
            found = self._names[user_id]
        else:
            found = await self._asked_for(user_id)
            self._names[user_id] = found
        return found or language(nameless(user_id))

    async def _asked_for(self, user_id: UserId) -> str | None:
        if self._fetch is None or user_id < 0:
            return None
        task = self._asked.get(user_id)
        if task is None:
            task = asyncio.ensure_future(self._fetch(user_id))
            self._asked[user_id] = task
            task.add_done_callback(lambda _: self._asked.pop(user_id, None))
        return await asyncio.shield(task)
