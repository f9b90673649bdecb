"""A game's past, shared by the positions that remember it.

A position that copied its whole past would make a game take memory that grows with the square of
its length. A :class:`Past` shares all but its newest entries with the one that it continues.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from itertools import chain
from typing import Any, Generic, TypeVar

E = TypeVar("E", bound=Hashable)

_CHUNK = 32
"""The most entries that are copied to add one; even, for :meth:`Past.recurrences`."""


class Past(Generic[E]):
    """Entries, oldest first. It never changes: :meth:`followed_by` returns the next one."""

    __slots__ = ("_hash", "_length", "_older", "_recent")

    _older: Past[E] | None
    """All entries before ``_recent``, which are whole chunks."""
    _recent: tuple[E, ...]
    _length: int
    _hash: int

    def __init__(self, entries: Iterable[E] = ()) -> None:
        built: Past[E] = _made(None, (), 0, 0)
        for entry in entries:
            built = built.followed_by(entry)
        self._older, self._recent = built._older, built._recent
        self._length, self._hash = built._length, built._hash

    def followed_by(self, entry: E) -> Past[E]:
        """The past with one more entry, in constant time and memory."""
        length, value = self._length + 1, hash((self._hash, entry))
        if len(self._recent) == _CHUNK:
            return _made(self, (entry,), length, value)
        return _made(self._older, (*self._recent, entry), length, value)

    def count(self, entry: E) -> int:
        """How often the entry occurs."""
        return sum(chunk.count(entry) for chunk in self._chunks())

    def recurrences(self, entry: E) -> int:
        """How often it occurred two entries ago, four, and so on.

        With an entry a turn, those are the turns of the side that is to move now.
        """
        same = self._length % 2
        return sum(chunk[same::2].count(entry) for chunk in self._chunks())

    def _chunks(self) -> Iterator[tuple[E, ...]]:
        """The entries in parts, the newest part first."""
        past: Past[E] | None = self
        while past is not None:
            yield past._recent
            past = past._older

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[E]:
        return chain.from_iterable(reversed(tuple(self._chunks())))

    def __reversed__(self) -> Iterator[E]:
        return chain.from_iterable(map(reversed, self._chunks()))

    def __contains__(self, entry: E) -> bool:
        return any(entry in chunk for chunk in self._chunks())

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Past):
            return NotImplemented
        if (self._length, self._hash) != (other._length, other._hash):
            return False
        for mine, theirs in zip(self._chunks(), other._chunks(), strict=True):
            if mine is theirs:  # So is everything before it.
                return True
            if mine != theirs:
                return False
        return True

    def __repr__(self) -> str:
        return f"Past({list(self)!r})"

    def __reduce__(self) -> tuple[type[Past[Any]], tuple[tuple[E, ...]]]:
        # Other processes have other hashes of the same texts.
        return Past, (tuple(self),)


def _made(older: Past[E] | None, recent: tuple[E, ...], length: int, value: int) -> Past[E]:
    past: Past[E] = Past.__new__(Past)
    past._older, past._recent, past._length, past._hash = older, recent, length, value
    return past
