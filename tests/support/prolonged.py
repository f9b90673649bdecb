"""Games that two people prolong as far as the rules let them."""

from __future__ import annotations

from functools import cache
from random import Random

from games import catalog

_OPENING, _SEED = 10, 1
"""A few captures, and pieces that can go back and forth in many ways."""


@cache
def prolonged(plies: int) -> tuple[str, ...]:
    """Moves of Ziggurat that can be undone wherever there is one, without any third repetition."""
    game = catalog.create("ziggurat", {})
    rng = Random(_SEED)
    position = game.initial(rng)
    found: list[str] = []
    while len(found) < plies:
        moves = list(game.legal_moves(position))
        rng.shuffle(moves)
        chosen = None
        for move in moves:
            text, after = game.notation(position, move), game.play(position, move)
            if game.outcome(after) is not None:
                continue
            is_welcome = after.past or ("x" in text and len(found) < _OPENING)
            if chosen is None or is_welcome:
                chosen = text, after
            if is_welcome:
                break
        assert chosen is not None
        text, position = chosen
        found.append(text)
    return tuple(found)
