"""The pie rule, derived from the rules of any game.

A *swap* is a move after which the players sit in other seats than before.
"""

from __future__ import annotations

from typing import Any

from games.api import Game


def swap_of(game: Game[Any, Any], position: Any) -> Any | None:
    """The legal move that swaps the players' seats, None if there is none."""
    if len(game.seats) != 2:
        return None
    before = game.seating(position)
    for move in game.legal_moves(position):
        if game.seating(game.play(position, move)) != before:
            return move
    return None


def is_cut(game: Game[Any, Any], position: Any) -> bool:
    """Whether the next move may be answered by a swap, so that it must not be too good."""
    moves = list(game.legal_moves(position))
    return bool(moves) and swap_of(game, game.play(position, moves[0])) is not None
