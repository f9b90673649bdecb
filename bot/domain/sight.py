"""What everybody may see of a match.

A view is asked for several times in a row (the board that is posted, the panel of whoever moves
next, the text board), so those last worked out are kept. They are values: nothing can go stale.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from bot.domain.match import Match
from bot.domain.table import position_of, table_of
from games.api import Game
from games.view import BoardView

__all__ = ["board_view"]


def board_view(match: Match) -> BoardView:
    """The view of a match that has started, with its last move marked.

    Raises what :func:`~bot.domain.table.table_of` raises.
    """
    game = table_of(match).game
    return _view(game, match.state, match.previous_state, match.last_move)


@lru_cache(maxsize=64)
def _view(game: Game[Any, Any], state: str, previous_state: str, last_move: str) -> BoardView:
    view = game.view(position_of(game, state), None)
    if not last_move or not previous_state:
        return view
    before: Any = position_of(game, previous_state)
    return view.with_marks(game.marks(before, game.parse(before, last_move)))
