"""The engine of Quux: its levels."""

from __future__ import annotations

from typing import Any

from engines.alphabeta import AlphaBeta
from engines.api import Level, Oversights
from engines.engine import Engine
from engines.quux.board import QuuxBoard
from engines.quux.placing import Placing
from engines.references import OnePly
from engines.sized import Sized
from games.api import Game
from games.quux import Quux

LEVELS = (
    Level(1, 2, margin=0.15, oversights=Oversights(plans=1, far=0.8, quiet=0.8, second=1)),
    Level(2, 4, margin=0.15, oversights=Oversights(plans=0.6, far=0.8, quiet=0.7, second=1)),
    Level(3, 150, margin=0.04),
    Level(4, 600, slips=0.03),
    Level(5, 2_500),
    Level(6, 12_000),
)
"""A node is one position of the alpha-beta search; at the top proofs come on top."""
REVIEW = 140_000
"""The nodes of a review of a whole game, for a few seconds of the processor."""


def quux_engine(game: Game[Any, Any]) -> Engine:
    """The engine for Quux under these options."""
    if not isinstance(game, Quux):
        raise TypeError("this engine plays Quux")
    size = int(game.options["size"])
    return Engine(
        game,
        QuuxBoard(game, size),
        Sized(lambda size: Placing(game, AlphaBeta(QuuxBoard(game, size)))),
        LEVELS,
        Sized(lambda size: OnePly(board := QuuxBoard(game, size), board.judge)),
        review=REVIEW,
        board_of=lambda position: QuuxBoard(game, position.size),
    )
