"""The engine of Ziggurat: its levels."""

from __future__ import annotations

from typing import Any

from engines.alphabeta import AlphaBeta
from engines.api import Level
from engines.engine import Engine
from engines.ziggurat.board import ZigguratBoard
from games.api import Game

LEVELS = (
    Level(1, 30, slips=0.95, margin=0.5, is_careful=False),
    Level(2, 40, slips=0.33, margin=0.22, is_careful=False),
    Level(3, 100, slips=0.16, margin=0.1),
    Level(4, 200, slips=0.06, margin=0.03),
    Level(5, 400),
    Level(6, 12_000),
)
"""A node is one position of the alpha-beta search."""
REVIEW = 240_000
"""So many nodes a review of a whole game has, for a few seconds of the processor."""


def ziggurat_engine(game: Game[Any, Any]) -> Engine:
    """The engine for Ziggurat, which has no options."""
    board = ZigguratBoard()
    return Engine(game, board, AlphaBeta(board), LEVELS, AlphaBeta(board, deepest=1), review=REVIEW)
