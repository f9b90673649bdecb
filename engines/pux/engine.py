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
    Level(1, 8, margin=0.015, oversights=Oversights(plans=0.8, far=1, quiet=1, second=1)),
    Level(2, 60, margin=0.009, oversights=Oversights(plans=0.1, far=0.1, quiet=0.7, second=0.1)),
    Level(3, 320),
    Level(4, 700),
    Level(5, 4_500),
    Level(6, 96_000),
)
"""A node is one position of the alpha-beta search."""
REVIEW = 90_000
"""The nodes of a review of a whole game, for a few seconds of the processor."""


def pux_engine(game: Game[Any, Any]) -> Engine:
    """The engine for Pux, which has no options."""
    board = PuxBoard()
    one_ply = OnePly(board, board.judge)
    return Engine(game, board, AlphaBeta(board), LEVELS, one_ply, review=REVIEW)
