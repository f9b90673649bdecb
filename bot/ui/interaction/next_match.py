"""Which matches wait for a person, as far as this process has seen: a hint for **Next game**.

The answer to a move offers the next match without asking the store. A hint may miss what another
process has done; the button itself asks the store when it is pressed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from bot.domain.game_state import waits_for
from bot.domain.ids import MatchId, UserId
from bot.domain.match import Match


class Waiting:
    """The matches that wait for at most ``limit`` people, those last asked for."""

    def __init__(self, *, limit: int = 5000) -> None:
        self._limit = limit
        self._of: OrderedDict[UserId, set[MatchId]] = OrderedDict()

    def learn(self, user_id: UserId, matches: Iterable[Match]) -> None:
        """Take note of all matches of a person, as the store has them."""
        self._of[user_id] = {each.id for each in matches if waits_for(each, user_id)}
        self._of.move_to_end(user_id)
        if len(self._of) > self._limit:
            self._of.popitem(last=False)

    def saw(self, match: Match) -> None:
        """Take note of a match as it is now."""
        for player in match.players:
            known = None if player is None else self._of.get(player)
            if known is None or player is None:
                continue
            if waits_for(match, player):
                known.add(match.id)
            else:
                known.discard(match.id)

    def more(self, user_id: UserId, but: MatchId) -> bool | None:
        """Whether another match waits for a person; None if nothing is known of them."""
        known = self._of.get(user_id)
        return None if known is None else bool(known - {but})
