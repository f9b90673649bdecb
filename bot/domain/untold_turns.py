"""Turns that Parlour could not notify a player about, through no fault of theirs.

Parlour may not post where a match is played, or Discord takes no messages for a while. As long as
the player on turn cannot know, their clock is stopped: from the begin of the turn until the board
is posted, another notice reaches them, or they act themselves. If nothing does within
:data:`AT_MOST`, a match with a clock is aborted without a loser.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.domain.clock import Span
from bot.domain.ids import MatchId, UserId
from bot.domain.match import Match, MatchStatus

PATIENCE = timedelta(seconds=12)
"""How long the notice of a turn may take before the clock stops for it."""
AT_MOST = timedelta(days=14)
"""How long a clock stays stopped for it, outages not counted."""


@dataclass(frozen=True, slots=True)
class UntoldTurn:
    """A turn whose notice did not arrive in time.

    ``since`` is the version of the match at which the position of this turn arose, ``player`` the
    player index on turn and ``user_id`` the person; ``ended_at`` is when they learned about it,
    None before that.
    """

    match_id: MatchId
    since: int
    player: int
    user_id: UserId | None
    began_at: datetime
    ended_at: datetime | None = None

    def is_of(self, match: Match) -> bool:
        """Whether this is still the turn of a match."""
        return match.status is MatchStatus.RUNNING and match.position_since == self.since

    def span(self, now: datetime) -> Span:
        """The time in which the clock of this turn was stopped, up to now if it still is."""
        return Span(self.began_at, self.ended_at or now)
