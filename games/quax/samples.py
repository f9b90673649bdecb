"""Games of Quax to replay: the three that its designer published with the rules."""

from __future__ import annotations

from games.api import SampleGame
from games.view import Text

_BLACK, _RED = Text.of("Black"), Text.of("Red")

SAMPLES = (
    SampleGame(
        Text.of("The designer's first game"),
        (_BLACK, _RED),
        "d3 f5 f8 h8 g6 f7 g3 f3 f2 e2 e3 e2f3 f4 g4 f4g3 h3 g5 f5g4 h4 g4h3 g7 e8",
        resigned=0,
    ),
    SampleGame(
        Text.of("The designer's second game"),
        (_BLACK, _RED),
        "d3 e6 c6 c8 h6 h8 f7 f9 e9 e8 d8 g9 c7 e10 c9 d9 c9d8 c4 d5",
        resigned=1,
    ),
    SampleGame(
        Text.of("The designer's third game"),
        (_BLACK, _RED),
        "c3 e5 f3 h3 g5 i6 h4 i4 i9 g7 f8 g9 g8 h8 h7 i7",
        resigned=0,
    ),
)
