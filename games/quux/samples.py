"""A game of Quux to replay, played by two computers of Parlour."""

from __future__ import annotations

from games.api import SampleGame
from games.view import Text

_LEVEL_2 = Text.of("Computer, level {level}", level=2)
_LEVEL_5 = Text.of("Computer, level {level}", level=5)

SAMPLES = (
    SampleGame(
        Text.of("A short game of two computers"),
        (_LEVEL_5, _LEVEL_2),
        "La1 Ld4 Md4 Lb3 Sb3 Mc3 Sb4 Sa3 Sb2 Ma4 Sb1",
    ),
)
