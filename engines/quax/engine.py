"""The engine of Quax: its levels."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from engines.api import Level, Oversights
from engines.engine import Engine
from engines.puct import Puct
from engines.quax.board import QuaxBoard, State
from engines.references import OnePly
from engines.sized import Sized
from games.api import Game

LEVELS = (
    Level(1, 8, margin=0.3, oversights=Oversights(plans=1, far=1, quiet=1, second=1)),
    Level(2, 8, margin=0.22, oversights=Oversights(plans=0.8, far=0.6, quiet=0.8, second=0.8)),
    Level(3, 24),
    Level(4, 60),
    Level(5, 200),
    Level(6, 2_400),
)
"""A node is one position valued by 64 filled boards."""
REVIEW = 8_000
_USUAL = 11
"""The nodes of a review of a whole game; larger boards have fewer."""


def quax_engine(game: Game[Any, Any]) -> Engine:
    """The engine for Quax on the board of these options."""
    size = int(game.options["size"])
    board = QuaxBoard(size)
    return Engine(
        game,
        board,
        Sized(lambda size: Puct(QuaxBoard(size))),
        LEVELS,
        Sized(lambda size: _one_ply(QuaxBoard(size))),
        review=REVIEW * _USUAL**2 // max(_USUAL, size) ** 2,
        board_of=lambda position: QuaxBoard(position.size),
    )


def _one_ply(board: QuaxBoard) -> OnePly[State, int]:
    def judge(state: State, rng: Random) -> Sequence[float]:
        value = board.predict(state, rng).value
        return (1 - value, value) if board.mover(state) else (value, 1 - value)

    return OnePly(board, judge)
