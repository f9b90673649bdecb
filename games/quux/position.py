"""A position of Quux, and its text.

::

    4/2,lM,1/1,Lm,2/4 W 445 445 p           ranks from the top, side to move, hands, phase
    4/4/1,L,2/4 B 455 555 p swapped         the players have exchanged their colours
    s,L,m/L,S,l/lM,m,S W 120 211 p passed   the other side has just passed
    S,l,3 ... m past S,1,l ...              the earlier boards of the movement phase

The first five words are the position text. The rest is the part of the history that affects
legality or the end. Sides alternate, so a board of the past needs no side.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import isqrt

from games.errors import NotationError
from games.past import Past
from games.pyramids import Board as Piles
from games.pyramids import read_board, write_board
from games.quux.board import BLACK, PILES, Board, board
from games.two_sides import Ending

SMALLEST, LARGEST = 3, 6
TURN_LIMIT = 100
"""Turns in the movement phase, both sides together, after which the game is drawn (Q20)."""
_LONGEST = 20_000
SIDES = "WB"
_NO_PAST: Past[Piles] = Past()
_FORM = re.compile(
    r"(?P<board>[^ ]+) (?P<side>[WB]) (?P<white>[0-7]{3}) (?P<black>[0-7]{3}) (?P<phase>[pm])"
    r"(?P<swapped> swapped)?(?P<passed> passed)?(?: past (?P<past>[^ ].*))?"
)

Hand = tuple[int, int, int]
"""The numbers of Larges, Mediums and Smalls in a player's hand."""


@dataclass(frozen=True, slots=True)
class Position:
    """Piles, hands, side to move and phase, and the part of the past that the rules need.

    ``passes`` counts the passes in a row just before, in this phase. ``past`` holds the earlier
    boards of the movement phase, oldest first, one a turn; in the placement phase it is empty, as
    are the hands in the movement phase (Q11). ``ending`` follows from all that.
    """

    piles: Piles
    hands: tuple[Hand, Hand]
    mover: int
    is_movement: bool = False
    passes: int = 0
    swapped: bool = False
    past: Past[Piles] = _NO_PAST
    ending: Ending | None = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ending", _ending(self))

    @property
    def size(self) -> int:
        """Cells along a side."""
        return isqrt(len(self.piles))

    @property
    def board(self) -> Board:
        """The board of the piles."""
        return board(self.size)

    @property
    def placed(self) -> tuple[Hand, Hand]:
        """The number of pyramids of each size that each side has placed, covered or not (Q5)."""
        trios = self.board.trios
        white, black = ((trios - l, trios - m, trios - s) for l, m, s in self.hands)  # noqa: E741
        return white, black

    @property
    def is_second_turn(self) -> bool:
        """Whether exactly one turn has been played, so that the pie rule's swap is open (Q2).

        That is so when there is one pyramid on the board and Black is to place.
        """
        return not self.is_movement and self.mover == BLACK and sum(map(len, self.piles)) == 1

    def pile(self, cell: str) -> str:
        """The pile on the cell of that name."""
        return self.piles[self.board.index[cell]]

    def text(self) -> str:
        """The position text."""
        white, black = ("".join(map(str, hand)) for hand in self.hands)
        phase = "m" if self.is_movement else "p"
        return f"{write_board(self.piles)} {SIDES[self.mover]} {white} {black} {phase}"

    def whole_text(self) -> str:
        """The position text and the part of the past that the rules need."""
        words = [self.text()]
        if self.swapped:
            words.append("swapped")
        if self.passes and not self.is_movement:
            words.append("passed")
        if self.past:
            words += ["past", *map(write_board, self.past)]
        return " ".join(words)


def _ending(position: Position) -> Ending | None:
    """The end of the game, None while it runs.

    Both sides are checked: a move can complete the opponent's chain, too (Q18). Both cannot have
    one, since their chains would have to cross (Q1).
    """
    for seat in (0, 1):
        path = position.board.chain(seat, position.piles)
        if path:
            return Ending("chain", seat, path)
    if not position.is_movement:
        return None
    if position.passes == 2:
        return Ending("passes")  # Q19
    # The same side was to move two turns ago, four turns ago, and so on (Q20).
    if position.past.recurrences(position.piles) == 2:
        return Ending("repetition")
    if len(position.past) >= TURN_LIMIT:
        return Ending("move_limit")
    return None


def read_position(text: str) -> Position:
    """The position of a text, bare or whole; the text gives the size of its board.

    Piles and hands need not add up, so that any position can be set up. Raises
    :exc:`NotationError`.
    """
    form = _FORM.fullmatch(" ".join(text.split())) if len(text) <= _LONGEST else None
    if form is None:
        raise NotationError("position_form")
    piles = _read_piles(form["board"])
    white, black = _read_hand(form["white"], piles), _read_hand(form["black"], piles)
    past = tuple(_read_piles(word) for word in (form["past"] or "").split())
    is_movement = form["phase"] == "m"
    has_hands = form["white"] + form["black"] != "000000"
    has_chain = any(_board_of(piles).chain(seat, piles) for seat in (0, 1))
    # The turn that empties the hands begins the movement phase, unless it wins the game.
    if has_hands == is_movement and (has_hands or not has_chain):
        raise NotationError("position_hands")
    if (form["passed"] and is_movement) or (past and not is_movement):
        raise NotationError("position_past")
    if len(past) > TURN_LIMIT or any(len(earlier) != len(piles) for earlier in past):
        raise NotationError("position_past")
    return Position(
        piles,
        (white, black),
        SIDES.index(form["side"]),
        is_movement,
        passes=_passes(piles, past) if is_movement else int(bool(form["passed"])),
        swapped=bool(form["swapped"]),
        past=Past(past),
    )


def _read_piles(text: str) -> Piles:
    return read_board(text, range(SMALLEST, LARGEST + 1), PILES)


def _board_of(piles: Piles) -> Board:
    """The board for this number of piles."""
    return board(isqrt(len(piles)))


def _read_hand(digits: str, piles: Piles) -> Hand:
    large, medium, small = map(int, digits)
    if max(large, medium, small) > _board_of(piles).trios:
        raise NotationError("position_hands")
    return large, medium, small


def _passes(piles: Piles, past: tuple[Piles, ...]) -> int:
    """The passes in a row that lead here: only a pass leaves the board as it is."""
    return 0 if past[-1:] != (piles,) else 1 if past[-2:-1] != (piles,) else 2
