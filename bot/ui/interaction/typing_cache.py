"""The running matches around a person, kept for the moment in which they type.

Autocomplete asks at every key pressed. The answer is a suggestion only, so it may be a few seconds
old; whatever is chosen is judged on the match as it is then.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from bot.domain.ids import ChannelId, UserId
from bot.domain.match import Match

Key = tuple[UserId, ChannelId]


class Heads:
    """Matches by person and channel, for ``seconds`` each, at most ``limit`` of them."""

    def __init__(
        self,
        *,
        seconds: float = 5.0,
        limit: int = 2000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._seconds = seconds
        self._limit = limit
        self._clock = clock
        self._kept: OrderedDict[Key, tuple[float, tuple[Match, ...]]] = OrderedDict()

    async def around(
        self, key: Key, read: Callable[[], Awaitable[tuple[Match, ...]]]
    ) -> tuple[Match, ...]:
        """The matches of that key, read anew if what is kept is too old."""
        now = self._clock()
        kept = self._kept.get(key)
        if kept is not None and now - kept[0] < self._seconds:
            return kept[1]
        found = await read()
        self._kept[key] = (now, found)
        self._kept.move_to_end(key)
        while len(self._kept) > self._limit:
            self._kept.popitem(last=False)
        return found

    def forget(self) -> None:
        """Read everything anew: a match has begun, so there may be more to choose from."""
        self._kept.clear()

    def saw(self, match: Match) -> None:
        """Put a newer head in the place of an older one of the same match, wherever it is kept."""
        oldest = self._clock() - self._seconds
        for key in reversed(self._kept):
            then, matches = self._kept[key]
            if then < oldest:
                return  # nobody is told of these and those before them any more
            if any(old.id == match.id and old.version < match.version for old in matches):
                newer = tuple(match if old.id == match.id else old for old in matches)
                self._kept[key] = (then, newer)
