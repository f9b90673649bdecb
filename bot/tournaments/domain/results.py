"""Points in a tournament for the end of a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from bot.domain.events import Event, EventKind
from bot.domain.game_state import board_view, game_of
from bot.domain.match import Ending, Match, Result
from bot.domain.ratings.rated import ranks_of
from bot.errors import UserError
from bot.tournaments.domain.crosstable import DRAW, LOSS, WIN
from bot.tournaments.domain.facts import How
from bot.tournaments.domain.formats.tables import place_points
from games.api import OptionValue
from games.view import BoardView


@dataclass(frozen=True, slots=True)
class GameResult:
    """The points of each player index and their reason.

    Without ``points`` the rule for unfinished games decides. ``late`` are the player indexes of
    those at a table whose time ran out or who did not come.
    """

    points: tuple[Fraction, ...] | None
    how: How
    late: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class OnBoard:
    """The state of an unfinished match: the score of each player, and the players who left it.

    Players are indexes; there are no ``scores`` where the game has none or they do not count.
    ``late`` are those of a table who left because their time ran out.
    """

    scores: tuple[float, ...] | None = None
    left: tuple[int, ...] = ()
    late: tuple[int, ...] = ()


NOTHING_PLAYED = OnBoard()
UNDECIDED = GameResult(None, How.UNFINISHED)
"""A match that ended without a result, and through no fault of its players."""


_LEAVING = (EventKind.RESIGNED, EventKind.FLAGGED, EventKind.CLAIMED)


def result_of(match: Match, past: Sequence[Event] = ()) -> GameResult:
    """The points for a match that is over.

    ``past`` are its events, needed for a match without a result and a table of four. A player who
    never made a first move did not come. A player who left a table of four gets nothing, and the
    others take the places from the first.
    """
    late = late_at_table(match, past)
    if match.result is not None:
        how = How.TIME if match.result.ending is Ending.TIME else How.PLAYED
        return GameResult(_points(match, match.result), how, late=late)
    if match.too_late is not None:
        late = (*late, match.too_late) if len(match.players) > 2 else ()
        left = (*match.retired, match.too_late)
        return GameResult(_points_without(match, left), How.NO_SHOW, late)
    last = past[-1] if past else None
    if last is not None and last.kind is EventKind.RESIGNED and last.player is not None:
        return GameResult(_points_without(match, (*match.retired, last.player)), How.PLAYED)
    return UNDECIDED


def late_at_table(match: Match, past: Sequence[Event]) -> tuple[int, ...]:
    """The players who left a table of four because their time ran out, and did not resign.

    The last player in a seat counts: a substitute may have taken it.
    """
    if len(match.players) == 2:
        return ()
    how = {each.player: each.kind for each in past if each.kind in _LEAVING}
    return tuple(each for each in match.retired if how.get(each) is not EventKind.RESIGNED)


def _points(match: Match, result: Result) -> tuple[Fraction, ...] | None:
    if len(match.players) == 2:
        if not result.winners:
            return (DRAW, DRAW)
        return tuple(WIN if index in result.winners else LOSS for index in range(2))
    try:
        ranks = ranks_of(match)
    except UserError:  # the rules are no longer installed
        return None
    return place_points([float(-rank) for rank in ranks], match.retired)


def _points_without(match: Match, left: Sequence[int]) -> tuple[Fraction, ...]:
    return points_of_present([index not in left for index in range(len(match.players))])


def points_of_present(present: Sequence[bool]) -> tuple[Fraction, ...]:
    """The points by seat of a game with only these players present.

    If both or neither of two are, there are none.
    """
    if len(present) == 2:
        return tuple(WIN if each and not all(present) else LOSS for each in present)
    return place_points(
        [0.0] * len(present), [seat for seat, each in enumerate(present) if not each]
    )


def has_score(game: str, options: Mapping[str, OptionValue]) -> bool:
    """Whether the board of a game shows a score that could decide."""
    rules = game_of(game, options)
    board = rules.view(rules.initial(Random(0)), None)  # noqa: S311 - any board says it
    return _scores(board, len(rules.seats)) is not None


def scores_on_board(match: Match) -> tuple[float, ...] | None:
    """The present score of each player index; None in games that have none."""
    try:
        return _scores(board_view(match), len(match.players))
    except UserError:
        return None


def _scores(view: BoardView, players: int) -> tuple[float, ...] | None:
    found = [0.0] * players
    for seat in view.seats:
        scores = [view.colours[colour].score for colour in seat.colours]
        if any(score is None for score in scores):
            return None
        found[seat.player] = float(sum(score or 0 for score in scores))
    return tuple(found)
