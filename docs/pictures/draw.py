"""Draw the pictures of the documentation anew: ``python docs/pictures/draw.py``."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from games import catalog  # noqa: E402
from games.view import BoardView, Marks  # noqa: E402
from renderers import Style, render  # noqa: E402

NAMES = ("Zoë Åström", "Дмитрий", "Δημήτρης", "Łukasz Żółć")
QUAX = (
    "11/3u7/1x1uu6/2x1uu1x3/3x1uxu3/4x1x1u2/5x1u3/5xu4/3xuuxx3/4ux5/11"
    " x c8d7,d7e6,f5g6,f4g3,e9f8,e8f7,h7i6,g4h5"
)
SHOWN: dict[str, tuple[str, str]] = {"quax": (QUAX, "b9c8")}
"""A position and the move to play in it."""
AT_RANDOM = {"quux": (4, 18), "ziggurat": (5, 44), "pux": (3, 40), "pythagoras": (3, 44)}
"""For the other games a seed and how many plies to play at random."""


def shown(key: str) -> BoardView:
    """The view of a position of the game, with the marks of the last move."""
    game = catalog.create(key)
    if key in SHOWN:
        text, last = SHOWN[key]
        before = game.decode(text)
        move = game.parse(before, last)
        return game.view(game.play(before, move), None).with_marks(game.marks(before, move))
    seed, plies = AT_RANDOM.get(key, (1, 12))
    random = Random(seed)  # noqa: S311
    position = game.initial(random)
    marks = Marks()
    for _ in range(plies):
        move = random.choice(list(game.legal_moves(position)))
        marks = game.marks(position, move)
        position = game.play(position, move)
    return game.view(position, None).with_marks(marks)


def main() -> None:
    """Write one picture a game beside this file."""
    for key in catalog.GAMES:
        picture = render(shown(key), Style(names=NAMES))
        (HERE / f"{key}.png").write_bytes(picture.png)


if __name__ == "__main__":
    main()
