"""The engine of Pux: its levels."""

from __future__ import annotations

from typing import Any

from engines.alphabeta import AlphaBeta
from engines.api import Level, Oversights
from engines.engine import Engine
from engines.pux.board import PuxBoard
from engines.references import OnePly
from games.api import Game

LEVELS = (
    Level(1, 3, margin=0.06, oversights=Oversights(plans=0.6, far=0.8, quiet=1, second=1)),
    Level(2, 10, margin=0.03, oversights=Oversights(plans=0.2, far=0.3, quiet=1, second=0.6)),
    Level(3, 400, margin=0.03),
    Level(4, 1_500),
    Level(5, 6_000),
    Level(6, 25_000),
)
"""A node is one position of the alpha-beta search."""
REVIEW = 120_000
"""So many nodes a review of a whole game has, for a few seconds of the processor."""


def pux_engine(game: Game[Any, Any]) -> Engine:
    """The engine for Pux, which has no options."""
    board = PuxBoard()
    one_ply = OnePly(board, board.judge)
    return Engine(game, board, AlphaBeta(board), LEVELS, one_ply, review=REVIEW)
