"""Positions of every game of the catalogue, reached by random play."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from games import catalog
from games.view import BoardView


def option_sets(key: str) -> Iterator[dict[str, int | str]]:
    """The defaults of a game, then its presets, then every value of each option by itself."""
    info = catalog.GAMES[key].info
    yield {}
    for preset in info.presets:
        yield dict(preset.options)
    for option in info.options:
        suggested = getattr(option, "suggested", None)
        values = suggested or tuple(choice.key for choice in option.choices)  # type: ignore[union-attr]
        for value in values[1:]:
            yield {option.key: value}


def random_views(
    key: str, options: dict[str, int | str], *, seed: int, plies: int
) -> Iterator[BoardView]:
    """The views along one random game, each with the marks of the moves that led to it."""
    game: Any = catalog.GAMES[key](options)
    random = Random(seed)
    position = game.initial(random)
    yield game.view(position, None)
    told: list[str] = []
    for _ in range(plies):
        moves = list(game.legal_moves(position))
        if not moves:
            return
        move = random.choice(moves)
        marks = game.marks(position, move)
        told.append(game.notation(position, move))
        position = game.play(position, move)
        earlier = game.earlier_marks(position, told[-8:])
        yield game.view(position, None).with_marks(marks, earlier)
