"""Playing every stored match through again."""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.history import HistoryError, verify
from bot.domain.ids import MatchId
from bot.services.ports import Store

__all__ = ["Problem", "Verification", "verify_all"]


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one match."""

    match_id: MatchId
    error: HistoryError


@dataclass(frozen=True, slots=True)
class Verification:
    """How many matches and events were looked at, and what is wrong with them."""

    matches: int
    events: int
    problems: tuple[Problem, ...]


async def verify_all(store: Store) -> Verification:
    """Check hash chain, every move and the head of every match, a hundred in memory at a time."""
    matches = 0
    seen = 0
    problems: list[Problem] = []
    async for match, events in store.all_matches():
        matches += 1
        seen += len(events)
        try:
            verify(match, events)
        except HistoryError as error:
            problems.append(Problem(match.id, error))
    return Verification(matches, seen, tuple(problems))
