"""The engine of each game. A game that is not listed here plays by the shared searches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines.api import Level, Search
from engines.board import Board, RulesBoard
from engines.engine import Engine
from engines.maxn import MaxN
from engines.puct import PlayoutBoard, Puct
from engines.pux import pux_engine
from engines.pythagoras import pythagoras_engine
from engines.quax import quax_engine
from engines.quax.board import QuaxBoard
from engines.quux import quux_engine
from engines.quux.attack import Attack
from engines.references import OnePly
from engines.watchful import Watchful
from engines.ziggurat import ziggurat_engine
from games.api import Game

GENERAL_LEVELS = (
    Level(1, 10, margin=0.2),
    Level(2, 30, margin=0.1),
    Level(3, 60, slips=0.05),
    Level(4, 200),
    Level(5, 600),
    Level(6, 1500),
)
"""The levels of a game without a package of its own; a node is one random game.

A beginner needs a board with values at a glance, which the rules alone do not have.
"""
GENERAL_REVIEW = 6_000
"""The nodes of a review of a whole game."""

ENGINES: dict[str, Callable[[Game[Any, Any]], Engine]] = {
    "quax": quax_engine,
    "quux": quux_engine,
    "ziggurat": ziggurat_engine,
    "pux": pux_engine,
    "pythagoras": pythagoras_engine,
}
"""The engine factories of games with a package of their own."""

FORCING: dict[str, Callable[[Any, int], Any]] = {
    "quax": lambda game, _: QuaxBoard(int(game.options["size"])),
    "quux": Attack,
}
"""Boards that know forced moves (:class:`engines.solver.Forcing`), for the winning seat."""


def engine_for(game: Game[Any, Any]) -> Engine:
    """The engine of that game under its options."""
    return ENGINES.get(game.info.key, general_engine)(game)


def general_engine(game: Game[Any, Any]) -> Engine:
    """An engine for any game for two or more, by its rules alone."""
    board = RulesBoard(game)
    search = Watchful(board, general_search(board))
    one_ply = OnePly(board, board.playout)
    return Engine(game, board, search, GENERAL_LEVELS, one_ply, review=GENERAL_REVIEW)


def general_search(board: Board[Any, Any]) -> Search:
    """The tree search that fits the number of players, with random games for values."""
    return Puct(PlayoutBoard(board)) if board.players == 2 else MaxN(board)
