"""A game of Pux to replay, played by the strongest computers of Parlour."""

from __future__ import annotations

from games.api import SampleGame
from games.view import Text

_LEVEL_5 = Text.of("Computer, level {level}", level=5)

SAMPLES = (
    SampleGame(
        Text.of("Two strong computers"),
        (_LEVEL_5, _LEVEL_5),
        "g2,f2g1-f3 g7,f7g8-f6 b2,b1c2-c3 b7,b8c7-c6 f3,e3f2-e4 e6:e4 d4:e4 f6-e6 e3-d4 "
        "c6:e4 e2:e4 d6:d4 e4:d4 d7:d4 f1-e2 e8,e7f8-d7 c3:d4 d7,c7d6-d6 c1,c2-c3 "
        "e7,e6f7-e6 c4:c6 d8,c8-d7 c6-b7 c7:b7 e2,e1-e4 b7-c6 d1-f3 f6-f5 e4:f5 e5:f5 "
        "d3,c3d2d4e3-e4 e6:e5 e4:e5 d6,c6d5d7-c5 f3-e4 c4,d4-b4 e4,e3e5f4-d4 c5,c4c6-c4 "
        "d4:c5 b4:c3 c5,b5-d6 c4,c3-c3 d3,c3-d4 c4-d3 d4,d3-c5 c4-c3 c5:c6 c2,c3-c1 e4-e6 "
        "f5-e4 d6,e6-d8 e4-d3 d5-d7 d3-d1 c6-c7 d1-d2 d7,c7-c8 d2,c2-e1 b8,c8-c7 "
        "d1,c1e1-b3 d7,c7d8-e6 c3,b3-b2 e6-d7 a2,a3-a1 d7,d6e7-b7 a2,a1b2-c4 b7,b6c7-b5 "
        "c4,c3c5d4-d3 d4,d3-c5 c4,c5-d3 d4-c5 d3-e2 e8-c6 e3-d3 c5,c6-c4 d2,d3e2-e3 "
        "c5,b5c4-d4 e4,d4-h4 d3,e3-b3 c3-e5 b4,b3c4-d6 e5,d5-e4 d6,e6-e5 e4,e5-e6 d4-f4 "
        "f3,f4-e2 e7-g5 h4,g4-h3 g3,h3-f4 g4,f4-h3 f5:h3 e6-e8 g3,h3-f4 e2,e3-f1 "
        "g4,f4g5-e2 f1-h3 e3:e8 h3-h1 d2,e2-e1 h1-h3 f1:h3",
    ),
)
