"""The engine of Pux: its levels."""

from __future__ import annotations

from typing import Any

from engines.alphabeta import AlphaBeta
from engines.api import Level
from engines.engine import Engine
from engines.pux.board import PuxBoard
from games.api import Game

LEVELS = (
    Level(1, 150, slips=0.4, margin=0.3, is_careful=False),
    Level(2, 350, slips=0.15, margin=0.1, is_careful=False),
    Level(3, 900, slips=0.05),
    Level(4, 3_000),
    Level(5, 12_000),
    Level(6, 50_000),
)
"""A node is one position of the alpha-beta search."""


def pux_engine(game: Game[Any, Any]) -> Engine:
    """The engine for Pux, which has no options."""
    board = PuxBoard()
    return Engine(game, board, AlphaBeta(board), LEVELS, AlphaBeta(board, deepest=1))
