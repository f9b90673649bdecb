"""Two positions that differ in anything the rules look at are told apart by words alone.

A player who hears the words knows which moves are legal, so that they can play from them.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games import catalog
from games.api import IntOption
from renderers import Style, describe, text_board

STYLE = Style(names=("Ada", "Bo", "Cy", "Di"))


@pytest.mark.parametrize("key", list(catalog.GAMES))
@pytest.mark.long
def test_positions_a_move_apart_differ_in_words_if_they_differ_in_their_moves(key: str) -> None:
    info = catalog.GAMES[key].info
    small = {each.key: each.minimum for each in info.options if isinstance(each, IntOption)}
    game: Any = catalog.create(key, small)
    rng = Random(11)
    told: dict[tuple[object, str], tuple[str, tuple[str, ...]]] = {}
    for number in range(40):
        if number >= 3 and len(told) > 60:
            break
        position = game.initial(rng)
        for ply in range(40):
            if game.outcome(position) is not None:
                break
            moves = list(game.legal_moves(position))
            if ply % 5 == 4:
                for move in rng.sample(moves, min(len(moves), 60)):
                    after = game.play(position, move)
                    legal = tuple(sorted(game.notation(after, m) for m in game.legal_moves(after)))
                    for words in (describe, text_board):
                        said = words(game.view(after, None), STYLE)
                        before = told.setdefault((words, said), (game.encode(after), legal))
                        assert before[1] == legal, f"{said}\n{before[0]}\n{game.encode(after)}"
            position = game.play(position, rng.choice(moves))
    for words in (describe, text_board):
        assert sum(by is words for by, _ in told) > 20
