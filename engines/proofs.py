"""The winner of a position, and a strategy as proof.

For boards that know forced moves (:data:`engines.catalog.FORCING`), by :mod:`engines.solver`. The
strategy is written down as a certificate that :mod:`games.certificate` checks by the rules alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.catalog import FORCING
from engines.solver import Solver
from games.api import Game
from games.certificate import Certificate


def solver(game: Game[Any, Any], seat: int) -> Solver:
    """A solver that asks whether the seat wins; :exc:`ValueError` for games without one."""
    board = FORCING.get(game.info.key)
    if board is None:
        raise ValueError(f"nothing is known of what is forced in {game.info.key}")
    return Solver(game, board(game, seat))


def prove(game: Game[Any, Any], opening: Sequence[str]) -> Certificate | None:
    """The winner's certificate after these moves, None if no seat is shown to win."""
    for seat in range(2):
        found = solver(game, seat).certificate(opening, seat)
        if found is not None:
            return found
    return None
