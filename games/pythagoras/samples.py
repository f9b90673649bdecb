"""A game of Pythagoras to replay, played by the strongest computers of Parlour."""

from __future__ import annotations

from games.api import SampleGame
from games.view import Text

_LEVEL_5 = Text.of("Computer, level {level}", level=5)

SAMPLES = (
    SampleGame(
        Text.of("Four strong computers"),
        (_LEVEL_5, _LEVEL_5, _LEVEL_5, _LEVEL_5),
        "3c1 3h1 3g1 3f1 1g2 3f2 1f3 2g3 3i1 3e1 2i2 2e2 2xf3 3g4 3i3 3e3 2l1 2e4 1e5 2c2 "
        "3c3 1l2 3l3 2c4 1c5 1j1 3a1 2a2 3a3 2a4 3k1 2h2 2k2 1k3 1! 2h3 3d1 2d2 2! 1f4 "
        "1a5 2xf4 3j2 3h4 1! 2j3 2! 2! 3i4 3d3 1! 2d4 1d5",
    ),
)
