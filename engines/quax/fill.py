"""Many full boards of Quax at once, side by side in one whole number.

A position is played to the end by colouring its empty cells at random: on a full board exactly one
colour joins its sides (QX-15), so the order of the stones does not matter. The copies of the board
lie one above the other in one ``int``, each :attr:`Fill.width` bits wide, so that one operation
works on all of them.

A *crossing* is a block whose two diagonals have different colours, either of which may link first.
Each block has a bit that says whether Black does. A link decides it; where one colour has both
stones of a diagonal already and the other has not, that colour has time to answer; elsewhere it is
random.

The same boards give the value of each cell for each colour: the share of wins among the boards on
which the colour has it (all moves as first, Gelly and Silver 2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random

from games.quax.board import board


@dataclass(frozen=True, slots=True)
class Filled:
    """The results of the boards: Black's wins, and their correlation with each cell.

    ``with_black`` counts for each place of a cell the boards on which it is Black's and Black wins,
    ``black`` those on which it is Black's; ``links_with_black`` and ``links`` the same for the
    crossing in the block of that place.
    """

    wins: int
    with_black: bytes
    black: bytes
    links_with_black: bytes
    links: bytes


class Fill:
    """Fills boards of one size, ``copies`` at a time; ``copies`` is a power of two, at most 128."""

    def __init__(self, size: int, copies: int) -> None:
        plain = board(size)
        self.copies = copies
        self.stride = stride = plain.stride
        # A rank of empty bits above each copy catches the bits that are shifted out of it.
        self.width = width = stride * (size + 1)
        self._places = stride * size
        self.each = sum(1 << copy * width for copy in range(copies))
        """The first bit of each copy."""
        self._cells = plain.all * self.each
        near, far = plain.sides[0]
        self._near, self._far = near * self.each, far * self.each
        self._size = size
        self._bits = copies * width
        self._board = plain.all
        self._ones = int.from_bytes(b"\1" * self._places, "big")

    def fill(
        self, black: int, red: int, decided: int, for_black: int, rng: Random, *, with_links: bool
    ) -> Filled:
        """Colour the empty cells of all copies of a position, and count the wins.

        ``decided`` are the blocks with a known crossing, ``for_black`` those of them that are
        Black's.
        """
        stones, links = self._coloured(black, red, decided, for_black, rng)
        won = self._won(stones, links)
        mask = (won << self.width) - won
        return Filled(
            won.bit_count(),
            self._columns(stones & mask),
            self._columns(stones),
            self._columns(links & mask) if with_links else b"",
            self._columns(links) if with_links else b"",
        )

    def wins(self, black: int, red: int, decided: int, for_black: int, rng: Random) -> int:
        """The number of copies, coloured like that, that Black wins."""
        return self._won(*self._coloured(black, red, decided, for_black, rng)).bit_count()

    def _coloured(
        self, black: int, red: int, decided: int, for_black: int, rng: Random
    ) -> tuple[int, int]:
        """Black's cells and crossings in all copies."""
        each = self.each
        stones = (rng.getrandbits(self._bits) & ~(red * each) | black * each) & self._cells
        links = (rng.getrandbits(self._bits) & ~(decided * each) | for_black * each) & self._cells
        return stones, links

    def _won(self, stones: int, links: int) -> int:
        """The first bit of each copy in which Black's cells join his sides."""
        up, across = self.stride, self.stride + 1
        group = stones & self._near
        while True:
            # To the right as far as stones reach, by the carry of an addition.
            group |= ((stones + group) ^ stones) & stones
            linked = group & links
            falling = (group >> 1 & links) << up | (group >> up & links) << 1
            wider = stones & (
                group
                | group >> 1
                | group << up
                | group >> up
                | linked << across
                | group >> across & links
                | falling
            )
            if wider == group:
                break
            group = wider
        reached = group & self._far
        won = 0
        for rank in range(self._size):
            won |= reached >> rank * up
        return won >> self._size - 1 & self.each

    def _columns(self, boards: int) -> bytes:
        """For each place the number of copies with its bit set."""
        planes = [boards]
        copies, width = self.copies, self.width
        while copies > 1:
            copies //= 2
            half = copies * width
            low = (1 << half) - 1
            carry = 0
            added = []
            for plane in planes:
                one, two = plane & low, plane >> half
                either = one ^ two
                added.append(either ^ carry)
                carry = one & two | carry & either
            added.append(carry)
            planes = added
        # One byte a place: the digits of each plane, in which only the last bit differs.
        places = self._places
        total = 0
        for weight, plane in enumerate(planes):
            digits = f"{plane & self._board:0{places}b}".encode()
            total += (int.from_bytes(digits, "big") & self._ones) << weight
        return total.to_bytes(places, "little")


@cache
def filler(size: int, copies: int) -> Fill:
    """The filler of that size, made once."""
    return Fill(size, copies)
