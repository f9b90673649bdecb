"""The engine of Ziggurat: its levels."""

from __future__ import annotations

from typing import Any

from engines.alphabeta import AlphaBeta
from engines.api import Level
from engines.engine import Engine
from engines.ziggurat.board import ZigguratBoard
from games.api import Game

LEVELS = (
    Level(1, 30, slips=0.4, margin=0.3, is_careful=False),
    Level(2, 60, slips=0.15, margin=0.1, is_careful=False),
    Level(3, 300, slips=0.05),
    Level(4, 1_200),
    Level(5, 6_000),
    Level(6, 30_000),
)
"""A node is one position of the alpha-beta search."""


def ziggurat_engine(game: Game[Any, Any]) -> Engine:
    """The engine for Ziggurat, which has no options."""
    board = ZigguratBoard()
    return Engine(game, board, AlphaBeta(board), LEVELS, AlphaBeta(board, deepest=1))
