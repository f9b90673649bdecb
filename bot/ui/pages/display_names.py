"""Names of players: cached as last seen, and cleaned.

Names are never stored. A display name may be anything: 32 emoji, a right-to-left override,
``@everyone``, a heading. It is first cleaned, then cut, and escaped last, in linear time, which the
library's own escaper is not.
"""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import Awaitable, Callable

from cachetools import LRUCache

from bot.domain.ids import UserId
from bot.i18n import Language
from bot.i18n.sentences import nameless
from renderers.names import shortened

LONGEST = 64
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_MARKS = frozenset({"Mn", "Me", "Mc"})
_MARKS_A_LETTER = 3
_JOINER = "\u200d"
_SPECIAL = re.compile(r"([\\*_~`|>#<@:\[\]()\-+.!])")


def clean(name: str, *, longest: int = LONGEST) -> str:
    """The name on one line without control, bidi and zero-width characters.

    Joined emoji stay joined; a letter keeps at most three marks. An empty name becomes ``?``, a
    long one loses its last words.
    """
    kept: list[str] = []
    marks = 0
    letters = 0
    for character in name[: 32 * longest]:
        category = unicodedata.category(character)
        if category in _MARKS:
            marks += 1
            if marks <= _MARKS_A_LETTER and kept:
                kept.append(character)
            continue
        if character == _JOINER and kept and unicodedata.category(kept[-1]) in {"So", "Sk", "Mn"}:
            kept.append(character)
            continue
        if character.isspace():
            character = " "  # noqa: PLW2901 - any blank is a blank
        elif category in _HIDDEN_CATEGORIES:
            continue
        if letters == longest:
            line = " ".join("".join(kept).split())
            return shortened(line + character, len(line))
        letters += 1
        marks = 0
        kept.append(character)
    return " ".join("".join(kept).split()) or "?"


def escape(name: str, *, longest: int = LONGEST) -> str:
    """The name, clean, with all formatting characters of Discord escaped."""
    return _SPECIAL.sub(r"\\\1", clean(name, longest=longest))


def mark_of(id_: int) -> str:
    """Tells apart players with the same name: the end of the id."""
    return f"…{abs(id_) % 10_000:04}"


class NameBook:
    """Display names by user id, the longest unseen forgotten first.

    ``fetch`` asks Discord for a name; None if unknown. That is cached as well, so that a stranger
    costs one request and not one a board.
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
        """Remember the present name of a player."""
        self._names[user_id] = name

    def forget(self, user_id: UserId) -> None:
        """Forget the name of a person."""
        self._names.pop(user_id, None)

    def seen(self, user_id: UserId) -> str | None:
        """The name, if it has been seen."""
        return self._names.get(user_id)

    async def name(self, user_id: UserId, language: Language) -> str:
        """The name, fetched if need be; if unknown, ``Player 1234`` in that language."""
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
