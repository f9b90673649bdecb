"""A position of Pythagoras, its moves, and its text.

::

    5/9/12/9,R2,2/R3,Y3,3,G2,3,B3,2 Y 445 455 545 455 - - - - ---

The text has the ranks from 5 down, with ``,`` between spaces and a number for a run of empty ones;
a stack is colour and pips of each pyramid, bottom to top (``B1R2``). Then come the colour on turn,
with ``+1`` if it must make an extra move; the hands of Red, Yellow, Green, Blue, each the number of
its Large, Medium and Small pyramids; the four Pits, largest first, or ``-``; and the owners of the
bonuses of the 5x5, the 4x4 and the 3x3. That is the complete position.

The board is kept as twelve sets of spaces, one for each colour and size. That is enough: a pin is
exactly one size larger than the pyramid under it (P10), so the pyramids of a stack lie in order of
size and no stack has two of one size.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from games.errors import NotationError
from games.pythagoras.board import BOTTOM, GRIDS, RANKS, SPACE_OF_BIT, SPACES, UP, Space, bits
from games.ranks import write_rank

COLOURS = range(4)
"""Red, Yellow, Green, Blue, in the order in which they move (P3)."""
LETTERS = "RYGB"
SMALL, MEDIUM, LARGE = 1, 2, 3
SIZES = (SMALL, MEDIUM, LARGE)
"""A size is its number of pips."""
EACH = 5
"""The number of pyramids of each size and colour."""

_RANKS = [[place.bit for place in SPACES if place.rank == rank] for rank in reversed(range(RANKS))]
"""The spaces of each rank as sets of one, the highest rank first."""
_SIDE = re.compile(r"([RYGB])(\+1)?")
_HAND = re.compile(r"[0-5]{3}")
_PIT = re.compile(r"-|3*2*1*")
_BONUSES = re.compile(r"[RYGB-]{3}")
_STACK = re.compile(r"(?:[RYGB][123]){1,3}")
_RUN = re.compile(r"[1-9]|1[0-2]")
_LONGEST = 1000


@dataclass(frozen=True, slots=True)
class Place:
    """Put a pyramid of one's hand on the lowest empty space of a column."""

    size: int
    space: str


@dataclass(frozen=True, slots=True)
class Pin:
    """Put a pyramid of one's hand over one that is exactly one size smaller (P9 to P12)."""

    size: int
    space: str


@dataclass(frozen=True, slots=True)
class Pit:
    """Put a pyramid of one's hand into one's Pit, having no other move (P14)."""

    size: int


Move = Place | Pin | Pit


@dataclass(frozen=True, slots=True)
class Pyramid:
    """A pyramid: its colour and its size, which is its number of pips."""

    colour: int
    size: int


@dataclass(frozen=True, slots=True)
class Position:
    """Pyramids on the board and in the Pits, the colour on turn, the owners of the grids' bonuses.

    ``pyramids`` has for each colour and each size, Red's Small, Red's Medium and so on, the set of
    spaces with one (see :mod:`games.pythagoras.board`); ``pits`` the numbers in the Pits in the
    same order. A pyramid in neither is in hand. ``owes`` says that the colour on turn moves once
    more for a line that it finished (P18); ``bonuses`` has the colour that filled the 5x5, the 4x4
    and the 3x3 grid.
    """

    pyramids: tuple[int, ...] = (0,) * 12
    pits: tuple[int, ...] = (0,) * 12
    mover: int = 0
    owes: bool = False
    bonuses: tuple[int | None, ...] = (None, None, None)

    def at(self, colour: int, size: int) -> int:
        """The spaces that hold a pyramid of that colour and size, covered ones included."""
        return self.pyramids[3 * colour + size - 1]

    def of_size(self, size: int) -> int:
        """The spaces that hold a pyramid of that size, covered ones included."""
        reds, yellows, greens, blues = self.pyramids[size - 1 :: 3]
        return reds | yellows | greens | blues

    @property
    def occupied(self) -> int:
        """The spaces that are not empty."""
        return self.of_size(SMALL) | self.of_size(MEDIUM) | self.of_size(LARGE)

    def tops(self, colour: int, size: int) -> int:
        """The spaces whose top is of that colour and size: covered pyramids do not count (P12)."""
        return self.at(colour, size) & self.tops_of_size(size)

    def tops_of_size(self, size: int) -> int:
        """The spaces whose top has that size."""
        return self.tops_by_size()[size - 1]

    def tops_by_size(self) -> tuple[int, int, int]:
        """The spaces whose top is Small, Medium, Large; together they are all occupied ones."""
        small, medium, large = self.of_size(SMALL), self.of_size(MEDIUM), self.of_size(LARGE)
        return small & ~(medium | large), medium & ~large, large

    def tops_of_colour(self, colour: int) -> int:
        """The spaces whose top has that colour."""
        own = 3 * colour
        small, medium, large = self.tops_by_size()
        return (
            self.pyramids[own] & small
            | self.pyramids[own + 1] & medium
            | self.pyramids[own + 2] & large
        )

    def stack(self, place: Space) -> tuple[Pyramid, ...]:
        """The pyramids on a space, bottom to top."""
        return tuple(
            Pyramid(colour, size)
            for size in SIZES
            for colour in COLOURS
            if self.at(colour, size) & place.bit
        )

    def in_pit(self, colour: int, size: int) -> int:
        """The number of pyramids of that size in the colour's Pit."""
        return self.pits[3 * colour + size - 1]

    def in_hand(self, colour: int, size: int) -> int:
        """The number of pyramids of that size in the colour's hand."""
        return EACH - self.in_pit(colour, size) - self.at(colour, size).bit_count()

    def has_pieces(self, colour: int) -> bool:
        """Whether the colour has pyramids in hand."""
        return any(self.in_hand(colour, size) for size in SIZES)

    def text(self) -> str:
        """The position text, which is complete."""
        words = dict.fromkeys(SPACE_OF_BIT, "")
        for size in SIZES:  # the pyramids of a stack lie in order of size
            for colour, letter in enumerate(LETTERS):
                for bit in bits(self.at(colour, size)):
                    words[bit] += f"{letter}{size}"
        rows = [write_rank((words[bit] for bit in rank), ",") for rank in _RANKS]
        side = LETTERS[self.mover] + ("+1" if self.owes else "")
        hands = [
            "".join(str(self.in_hand(colour, size)) for size in reversed(SIZES))
            for colour in COLOURS
        ]
        pits = [
            "".join(str(size) * self.in_pit(colour, size) for size in reversed(SIZES)) or "-"
            for colour in COLOURS
        ]
        owners = "".join("-" if owner is None else LETTERS[owner] for owner in self.bonuses)
        return " ".join(["/".join(rows), side, *hands, *pits, owners])


def read_position(text: str) -> Position:
    """The position of a text. Raises :exc:`NotationError` for one that no game can reach."""
    words = text.split() if len(text) <= _LONGEST else []
    if len(words) != 11:
        raise NotationError("position_form")
    board, side, *rest = words
    hands, pits, bonuses = rest[:4], rest[4:8], rest[8]
    turn = _SIDE.fullmatch(side)
    if (
        turn is None
        or not all(_HAND.fullmatch(hand) for hand in hands)
        or not all(_PIT.fullmatch(pit) for pit in pits)
        or not _BONUSES.fullmatch(bonuses)
    ):
        raise NotationError("position_form")
    position = Position(
        pyramids=_read_board(board),
        pits=tuple(pit.count(str(size)) for pit in pits for size in SIZES),
        mover=LETTERS.index(turn[1]),
        owes=turn[2] is not None,
        bonuses=tuple(None if letter == "-" else LETTERS.index(letter) for letter in bonuses),
    )
    _check(position, hands)
    return position


def _read_board(text: str) -> tuple[int, ...]:
    rows = text.split("/")
    if len(rows) != RANKS:
        raise NotationError("position_form")
    pyramids = [0] * 12
    for rank, row in zip(reversed(range(RANKS)), rows, strict=True):
        places = [place for place in SPACES if place.rank == rank]
        stacks: list[str] = []
        for word in row.split(","):
            if _RUN.fullmatch(word):
                stacks += [""] * int(word)
            elif _STACK.fullmatch(word):
                stacks.append(word)
            else:
                raise NotationError("position_stack", stack=word[:12])
        if len(stacks) != len(places):
            raise NotationError("position_rank", rank=rank + 1, size=len(places))
        for place, stack in zip(places, stacks, strict=True):
            sizes = [int(pips) for pips in stack[1::2]]
            if sizes and sizes != list(range(sizes[0], sizes[0] + len(sizes))):
                raise NotationError("position_stack", stack=stack)
            for letter, size in zip(stack[::2], sizes, strict=True):
                pyramids[3 * LETTERS.index(letter) + size - 1] |= place.bit
    return tuple(pyramids)


def _check(position: Position, hands: Sequence[str]) -> None:
    """Refuse positions that no game can reach: wrong numbers, floating pyramids, a wrong turn."""
    for colour, hand in zip(COLOURS, hands, strict=True):
        wanted = [int(number) for number in reversed(hand)]
        if wanted != [position.in_hand(colour, size) for size in SIZES]:
            raise NotationError("position_hand", hand=hand, each=EACH)
    occupied = position.occupied
    if occupied & ~(BOTTOM | occupied << UP):
        raise NotationError("position_hole")
    for index, (grid, owner) in enumerate(zip(GRIDS, position.bonuses, strict=True)):
        spaces = sum(place.bit for place in SPACES if place.grid == index)
        if (owner is not None) != (occupied & spaces == spaces):
            raise NotationError("position_bonus", grid=grid.size)
    if not position.has_pieces(position.mover) and (
        position.owes or any(map(position.has_pieces, COLOURS))
    ):
        raise NotationError("position_turn")
