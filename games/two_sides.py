"""The common part of games of two sides: the turn, the outcome, reading moves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Protocol, TypeVar

from games.api import Game, Outcome, Seat, SeatInfo
from games.errors import MoveSyntaxError
from games.notation import plain
from games.view import Text

SCORES = ((1.0, 0.0), (0.0, 1.0))
"""The scores of both seats by the winner."""
DRAW = (0.5, 0.5)
M = TypeVar("M", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a game: the reason's code, the winner (None for a draw), and the winning chain."""

    reason: str
    winner: int | None = None
    path: tuple[str, ...] = ()


class Written(Hashable, Protocol):
    """A position with its side to move and its text."""

    @property
    def mover(self) -> int:
        """The side to move; after the end any."""
        ...

    def text(self) -> str:
        """The position text of the rules page."""
        ...

    def whole_text(self) -> str:
        """The position text, and everything else that legality needs."""
        ...


P = TypeVar("P", bound=Written)


class TwoSides(Game[P, M]):
    """A game of two sides that move in turn, each with one colour; nothing is hidden.

    ``sides`` are the words for the colours, ``letters`` their letters in position texts.
    """

    sides: ClassVar[tuple[Text, Text]]
    letters: ClassVar[str]

    @property
    def seats(self) -> tuple[SeatInfo, ...]:
        """One seat a colour."""
        return _seats(self.sides)

    @abstractmethod
    def ending(self, position: P) -> Ending | None:
        """The end of the game, None while it runs. Called often, it may leave out the chain."""

    @abstractmethod
    def read_move(self, position: P, text: str) -> M | None:
        """The move, legal or not, that a text means; None if it means none.

        The text has gone through :func:`games.notation.plain`.
        """

    def to_move(self, position: P) -> Seat | None:
        """The side to move, None after the end."""
        return Seat(position.mover) if self.ending(position) is None else None

    def turn(self, position: P) -> str:
        """The letter of the side to move, ``-`` after the end."""
        return self.letters[position.mover] if self.ending(position) is None else "-"

    def outcome(self, position: P) -> Outcome | None:
        """One point for a win, half a point each for a draw."""
        ending = self.ending(position)
        if ending is None:
            return None
        if ending.winner is None:
            return Outcome(DRAW, ending.reason, ())
        path = ending.path or self.chain(position, ending.winner)
        return Outcome(SCORES[ending.winner], ending.reason, (Seat(ending.winner),), path)

    def chain(self, position: P, winner: int) -> tuple[str, ...]:  # noqa: ARG002
        """The cells of the winner's chain, where the ending does not have them."""
        return ()

    def parse(self, position: P, text: str) -> M:
        """The move of :meth:`read_move`, if it is legal."""
        move = self.read_move(position, plain(text))
        if move is None:
            raise MoveSyntaxError("move_form", text=text[:40], hint=self.info.move_hint)
        return self.checked(position, move)

    def encode(self, position: P) -> str:
        """The whole text of the position."""
        return position.whole_text()

    def position_text(self, position: P) -> str:
        """The position text and nothing else."""
        return position.text()


@cache
def _seats(sides: tuple[Text, Text]) -> tuple[SeatInfo, ...]:
    return tuple(SeatInfo(name, (colour,)) for colour, name in enumerate(sides))
