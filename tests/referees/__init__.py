"""Each game a second time, from its rules page alone, to hold the real one against.

Nothing in here but :mod:`tests.referees.match` knows of the package ``games``, and that one only
starts ``python -m games shell`` and reads what it answers. The referees are plain on purpose:
dictionaries and lists of cells, no sets of bits, no shared code, not even among themselves.
"""

from __future__ import annotations

from typing import ClassVar, Protocol

from tests.referees.pux import Pux
from tests.referees.pythagoras import Pythagoras
from tests.referees.quax import Quax
from tests.referees.quux import Quux
from tests.referees.ziggurat import Ziggurat

__all__ = ["REFEREES", "Referee"]


class Referee(Protocol):
    """A game being played. Moves and positions are texts in the notation of the rules page."""

    SETTINGS: ClassVar[tuple[dict[str, str], ...]]
    """Every combination of the page's set-up options, as they are written after ``new``."""

    STARTS: ClassVar[tuple[str, ...]]
    """Examples of the page, and positions with ends that random games hardly come to."""

    def set(self, text: str) -> None:
        """Take a position text of the page, with nothing known of what was before it."""

    def legal(self) -> list[str]:
        """All legal moves in any order; none after the end."""

    def play(self, move: str) -> None:
        """Make a legal move."""

    def text(self) -> str:
        """The position text of the page."""

    def turn(self) -> str:
        """The colour on turn as the position text writes it, ``-`` after the end."""

    def result(self) -> str:
        """``none``, or the reason's code and the score of each seat."""


REFEREES: dict[str, type[Referee]] = {
    "quax": Quax,
    "quux": Quux,
    "ziggurat": Ziggurat,
    "pux": Pux,
    "pythagoras": Pythagoras,
}
