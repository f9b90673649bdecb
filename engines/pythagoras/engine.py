"""The engine of Pythagoras: its levels."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from engines.api import Level, Oversights
from engines.engine import Engine
from engines.maxn import MaxN
from engines.pythagoras.board import PythagorasBoard, State
from engines.pythagoras.habits import PractisedBoard
from engines.pythagoras.outlook import JudgedBoard
from engines.references import OnePly
from games.api import Game

_FOR_TWO = (
    Level(1, 2, oversights=Oversights(plans=1, far=1, quiet=1, second=1)),
    Level(2, 60, oversights=Oversights(plans=0.3, far=0.1, quiet=0, second=0)),
    Level(3, 14),
    Level(4, 50),
    Level(5, 260),
    Level(6, 1_200),
)
"""A node is one state judged by the network."""
_FOR_FOUR = (
    Level(1, 12, margin=1, oversights=Oversights(plans=1, far=1, quiet=1, second=1)),
    Level(2, 12, margin=0.25, oversights=Oversights(plans=1, far=1, quiet=1, second=1)),
    Level(3, 12, slips=0.3, margin=0.15),
    Level(4, 20, slips=0.1, margin=0.05),
    Level(5, 60),
    Level(6, 1_200),
)
"""A node is one game played to its end."""
_REVIEWS = {2: 20_000, 4: 4_800}
"""The nodes of a review of a whole game, for a few seconds of the processor."""
_GAMES = 4
"""The number of games for judging a state one ply ahead."""


def pythagoras_engine(game: Game[Any, Any]) -> Engine:
    """The engine for Pythagoras with the seats of these options."""
    board: PractisedBoard
    if len(game.seats) == 2:
        board, levels, boldness, games = JudgedBoard(), _FOR_TWO, 0.6, 1
    else:
        board, levels, boldness, games = PractisedBoard(len(game.seats)), _FOR_FOUR, 1.2, _GAMES

    def judge(state: State, rng: Random) -> Sequence[float]:
        values = [board.playout(state, rng) for _ in range(games)]
        return [sum(each) / games for each in zip(*values, strict=True)]

    search, one_ply = MaxN(board, boldness), OnePly(board, judge)
    review = _REVIEWS[len(game.seats)]
    return Engine(game, PythagorasBoard(len(game.seats)), search, levels, one_ply, review=review)
