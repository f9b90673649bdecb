"""The engine of Quux: its levels."""

from __future__ import annotations

from typing import Any

from engines.alphabeta import AlphaBeta
from engines.api import Level
from engines.engine import Engine
from engines.quux.board import QuuxBoard
from engines.sized import Sized
from games.api import Game
from games.quux import Quux

LEVELS = (
    Level(1, 20, slips=0.95, margin=0.5, is_careful=False),
    Level(2, 40, slips=0.4, margin=0.3, is_careful=False),
    Level(3, 100, slips=0.2, margin=0.15),
    Level(4, 600, slips=0.03),
    Level(5, 2_500),
    Level(6, 12_000),
)
"""A node is one position of the alpha-beta search."""
REVIEW = 140_000
"""So many nodes a review of a whole game has, for a few seconds of the processor."""


def quux_engine(game: Game[Any, Any]) -> Engine:
    """The engine for Quux under these options."""
    if not isinstance(game, Quux):
        raise TypeError("this engine plays Quux")
    size = int(game.options["size"])
    return Engine(
        game,
        QuuxBoard(game, size),
        Sized(lambda size: AlphaBeta(QuuxBoard(game, size))),
        LEVELS,
        Sized(lambda size: AlphaBeta(QuuxBoard(game, size), deepest=1)),
        review=REVIEW,
        board_of=lambda position: QuuxBoard(game, position.size),
    )
