"""A search for games whose positions include the size of their board."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from engines.api import Candidate, Search


class Sized:
    """Uses the search for the size of the position, which is created when it is first needed."""

    def __init__(self, search_of: Callable[[int], Search]) -> None:
        self._search_of = search_of
        self._made: dict[int, Search] = {}

    def candidates(
        self, position: Any, nodes: int, rng: Random, *, compare: bool = False
    ) -> list[Candidate]:
        """All legal moves, the best one first; see :class:`engines.api.Search`."""
        size = int(position.size)
        if size not in self._made:
            self._made[size] = self._search_of(size)
        return self._made[size].candidates(position, nodes, rng, compare=compare)
