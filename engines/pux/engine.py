"""The engine of Pux: its levels."""

from __future__ import annotations

from typing import Any

from engines.alphabeta import AlphaBeta
from engines.api import Level
from engines.engine import Engine
from engines.pux.board import PuxBoard
from games.api import Game

LEVELS = (
    Level(1, 100, slips=0.6, margin=0.4, is_careful=False),
    Level(2, 600, slips=0.15, margin=0.1, is_careful=False),
    Level(3, 1_000, slips=0.09, margin=0.05),
    Level(4, 1_500, slips=0.04),
    Level(5, 6_000),
    Level(6, 25_000),
)
"""A node is one position of the alpha-beta search."""
REVIEW = 120_000
"""So many nodes a review of a whole game has, for a few seconds of the processor."""


def pux_engine(game: Game[Any, Any]) -> Engine:
    """The engine for Pux, which has no options."""
    board = PuxBoard()
    return Engine(game, board, AlphaBeta(board), LEVELS, AlphaBeta(board, deepest=1), review=REVIEW)
