"""The engine of Pythagoras: its levels."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from engines.api import Level
from engines.engine import Engine
from engines.maxn import MaxN
from engines.pythagoras.board import PythagorasBoard, State
from engines.pythagoras.habits import PractisedBoard
from engines.references import OnePly
from games.api import Game

LEVELS = (
    Level(1, 2, slips=1.0, margin=0.5, is_careful=False),
    Level(2, 6, slips=0.5, margin=0.3, is_careful=False),
    Level(3, 15, slips=0.2, margin=0.1),
    Level(4, 20),
    Level(5, 90),
    Level(6, 1_200),
)
"""A node is one game played on to its end."""
_GAMES = 4


def pythagoras_engine(game: Game[Any, Any]) -> Engine:
    """The engine for Pythagoras with as many seats as these options say."""
    board = PractisedBoard(len(game.seats))

    def judge(state: State, rng: Random) -> Sequence[float]:
        games = [board.playout(state, rng) for _ in range(_GAMES)]
        return [sum(values) / _GAMES for values in zip(*games, strict=True)]

    return Engine(game, PythagorasBoard(len(game.seats)), MaxN(board), LEVELS, OnePly(board, judge))
