"""What everybody may see of a match.

A view is asked for several times in a row (the board that is posted, the panel of the player who
moves next, the text board), so those last worked out are kept. They are values: none can go stale.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from bot.domain.game_state import game_state_of, position_of
from bot.domain.match import MANAGED, UNCOUNTED, Ending, Match
from games.api import Game
from games.view import BoardView, Text

_ENDED = {
    Ending.RESIGNATION: Text.of("Won by resignation"),
    Ending.TIME: Text.of("Won on time"),
    Ending.AGREEMENT: Text.of("Draw by agreement"),
    Ending.ADJUDICATION: Text.of("Decided by the tournament"),
}
_DECIDED = dict.fromkeys((MANAGED, UNCOUNTED), Text.of("Decided by a manager of the server"))
_LEFT = Text.of("has left")


def board_view(match: Match) -> BoardView:
    """The view of a match that has started: its last moves marked, who has left, how it ended.

    Raises what :func:`~bot.domain.game_state.game_state_of` raises.
    """
    game = game_state_of(match).game
    view = _view(game, match.state, match.previous_state, match.last_move, match.recent)
    return in_match(view, match)


def in_match(view: BoardView, match: Match) -> BoardView:
    """The view of a match's last position, with what the rules know nothing of.

    That is who has left a table where the others play on, and how the match ended if its players
    or the clock ended it: nobody is to move then, and nothing is left to be said of the next move.
    """
    result = match.result
    won = () if result is None else _colours(view, result.winners)
    if view.to_move is not None and match.status.is_final:
        said: Text | None = Text.of("Aborted")
        if result is not None:
            said = _DECIDED.get(result.reason) or _ENDED.get(result.ending)
        return replace(view, to_move=None, captions=(), winners=won, result=said)
    gone = _colours(view, match.retired)
    if not gone:
        return view
    if set(view.winners) & set(gone):
        view = replace(view, winners=won, result=Text.of("Highest score of the remaining players"))
    colours = (
        replace(colour, notes=(*colour.notes, _LEFT)) if number in gone else colour
        for number, colour in enumerate(view.colours)
    )
    return replace(view, colours=tuple(colours))


def _colours(view: BoardView, players: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(colour for seat in view.seats if seat.player in players for colour in seat.colours)


@lru_cache(maxsize=64)
def _view(
    game: Game[Any, Any],
    state: str,
    previous_state: str,
    last_move: str,
    recent: tuple[str, ...],
) -> BoardView:
    """The board of a position, 0.1 to 2 ms, which is asked for by picture, words and buttons."""
    position: Any = position_of(game, state)
    view = game.view(position, None)
    if not last_move or not previous_state:
        return view
    before: Any = position_of(game, previous_state)
    last = game.marks(before, game.parse(before, last_move))
    return view.with_marks(last, game.earlier_marks(position, recent))
