"""The engine of Ziggurat: its levels."""

from __future__ import annotations

from typing import Any

from engines.alphabeta import AlphaBeta
from engines.api import Level, Oversights
from engines.engine import Engine
from engines.references import OnePly
from engines.ziggurat.board import ZigguratBoard
from games.api import Game

LEVELS = (
    Level(1, 1, margin=0.25, oversights=Oversights(plans=1, far=1, quiet=0.8, second=1)),
    Level(2, 2, margin=0.15, oversights=Oversights(plans=0.4, far=0.6, quiet=0.5, second=0.7)),
    Level(3, 100, slips=0.03, margin=0.05),
    Level(4, 300),
    Level(5, 1_500),
    Level(6, 36_000),
)
"""A node is one position of the alpha-beta search."""
REVIEW = 240_000
"""The nodes of a review of a whole game, for a few seconds of the processor."""


def ziggurat_engine(game: Game[Any, Any]) -> Engine:
    """The engine for Ziggurat, which has no options."""
    board = ZigguratBoard()
    one_ply = OnePly(board, board.judge)
    return Engine(game, board, AlphaBeta(board), LEVELS, one_ply, review=REVIEW)
