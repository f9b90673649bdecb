"""A game of Ziggurat to replay, played by the strongest computers of Parlour."""

from __future__ import annotations

from games.api import SampleGame
from games.view import Text

_LEVEL_6 = Text.of("Computer, level {level}", level=6)

SAMPLES = (
    SampleGame(
        Text.of("Two strong computers"),
        (_LEVEL_6, _LEVEL_6),
        "c1-b2 d6-c5 b1-c2 c5-b4 b2-c3 e6-d5 f1-e2 b4-a3 c3-b4 a3-b2 e2-b5 f6-c3 e1xc3 "
        "b2xc3 c2-e4 c3-b1 d1-c2 Q@f6 c2-d3 f6-c3 d3-c4 d5xc4 e4xc6 c4-c5 D@e1 c3-b2 "
        "e1-d2 D@e6 W@d1 e6-d5 d1-e2 b1-c3 d2-f4 d5-b3 e2-d3 b3-d1 d3-e4 b2^ e4-d5 c3-b1 "
        "d5-e6 d1^ a1-c3 b1^",
    ),
)
