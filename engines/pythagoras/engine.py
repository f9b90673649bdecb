"""The engine of Pythagoras: its levels."""

from __future__ import annotations

from random import Random
from typing import Any

from engines.api import Level
from engines.engine import Engine
from engines.maxn import MaxN
from engines.pythagoras.board import PythagorasBoard, State
from engines.references import OnePly
from games.api import Game

LEVELS = (
    Level(1, 2, slips=1.0, margin=0.5, is_careful=False),
    Level(2, 6, slips=0.6, margin=0.3, is_careful=False),
    Level(3, 15, slips=0.3, margin=0.1),
    Level(4, 300),
    Level(5, 1_500),
    Level(6, 6_000),
)
"""A node is one game played on to its end."""
_GAMES = 4


def pythagoras_engine(game: Game[Any, Any]) -> Engine:
    """The engine for Pythagoras with as many seats as these options say."""
    board = PythagorasBoard(len(game.seats))

    def judge(state: State, rng: Random) -> float:
        mover = board.mover(state)
        return sum(board.playout(state, rng)[mover] for _ in range(_GAMES)) / _GAMES

    return Engine(game, board, MaxN(board), LEVELS, OnePly(board, judge))
