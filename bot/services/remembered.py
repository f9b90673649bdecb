"""Heads of running matches, as this process has last committed them.

They may be out of date at any time: another process may have gone on. Whoever uses one has to let
the store check that it is still the head, as a commit does.
"""

from __future__ import annotations

from collections import OrderedDict

from bot.domain.ids import MatchId
from bot.domain.match import Match, MatchStatus, Venue


class Remembered:
    """At most ``limit`` heads; the ones that were not asked for longest go first."""

    def __init__(self, *, limit: int = 2000) -> None:
        self._limit = limit
        self._heads: OrderedDict[MatchId, Match] = OrderedDict()

    def head(self, match_id: MatchId) -> Match | None:
        """What is remembered of a match, if anything."""
        found = self._heads.get(match_id)
        if found is not None:
            self._heads.move_to_end(match_id)
        return found

    def note(self, match: Match) -> None:
        """Remember a head that has just been committed.

        A match that is not running is forgotten, for nothing more is to come, and so is one that
        still waits for its thread: its home is found outside its history, and so would be missed.
        """
        waits = match.venue is Venue.THREAD and match.home_id is None
        if match.status is not MatchStatus.RUNNING or waits:
            self.forget(match.id)
            return
        self._heads[match.id] = match
        self._heads.move_to_end(match.id)
        if len(self._heads) > self._limit:
            self._heads.popitem(last=False)

    def forget(self, match_id: MatchId) -> None:
        """Ask the store the next time."""
        self._heads.pop(match_id, None)

    def forget_all(self) -> None:
        """Ask the store for every match the next time."""
        self._heads.clear()
