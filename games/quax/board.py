"""The empty board of Quax: cells, moves, and sets of cells as whole numbers.

A set of cells is an ``int``: the cell at (``file``, ``rank``), both counted from 0 at the lower
left, is the bit ``rank * (size + 1) + file``. One bit to the right of each rank is never set, so
that a set shifted by one step cannot wrap from the last file into the first.

A link lies in a *block* of four cells and is named by the block's lower left cell: *rising* links
run from there to the upper right, *falling* ones from the upper left to the lower right. A set of
links of one kind is the set of their blocks' lower left cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

SMALLEST = 2
"""The smallest board that a position text may show; a game is offered from 3 upwards (QX-1)."""
LARGEST = 15


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """A cell by its place; a1, the lower left corner, is (0, 0)."""

    file: int
    rank: int

    @property
    def name(self) -> str:
        """The name for people: file letter, rank from 1."""
        return _name(self.file, self.rank)


@cache
def _name(file: int, rank: int) -> str:
    return f"{chr(ord('a') + file)}{rank + 1}"


@dataclass(frozen=True, slots=True)
class Drop:
    """Put a stone of one's own on an empty cell (QX-7)."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Link:
    """Connect two stones of one's own across a diagonal (QX-8).

    A link has no direction: ``start`` is always the end on the lower file.
    """

    start: Cell
    end: Cell

    def __post_init__(self) -> None:
        if self.end < self.start:
            start, end = self.end, self.start
            object.__setattr__(self, "start", start)
            object.__setattr__(self, "end", end)

    @property
    def name(self) -> str:
        """Both cells together, the lower file first."""
        return self.start.name + self.end.name

    @property
    def is_diagonal(self) -> bool:
        """Whether the ends are diagonal neighbours."""
        return self.end.file - self.start.file == 1 and abs(self.end.rank - self.start.rank) == 1

    @property
    def is_rising(self) -> bool:
        """Whether the end lies above the start."""
        return self.end.rank > self.start.rank

    @property
    def crossing(self) -> Link:
        """The other diagonal of the same block."""
        return Link(
            Cell(self.start.file, self.end.rank),
            Cell(self.end.file, self.start.rank),
        )


@dataclass(frozen=True, slots=True)
class Swap:
    """Exchange the colours of the two people (QX-4)."""


Move = Drop | Link | Swap


class Board:
    """The constants of all positions on a board of ``size`` by ``size`` cells."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.stride = size + 1
        self.cells = tuple(Cell(file, rank) for rank in range(size) for file in range(size))
        """All cells, a1 b1 c1 ... upwards."""
        self.drops = {self.bit(cell): Drop(cell) for cell in self.cells}
        """For each cell's bit the drop on it."""
        blocks = [cell for cell in self.cells if cell.file < size - 1 and cell.rank < size - 1]
        self.rising = {
            self.bit(cell): Link(cell, Cell(cell.file + 1, cell.rank + 1)) for cell in blocks
        }
        """For each block's bit the link that rises in it."""
        self.falling = {bit: link.crossing for bit, link in self.rising.items()}
        """For each block's bit the link that falls in it."""
        first_file = sum(1 << rank * self.stride for rank in range(size))
        first_rank = self._row = (1 << size) - 1
        self._shifts = range(0, size * self.stride, self.stride)
        self.all = first_file * first_rank
        self.sides = (
            (first_file, first_file << (size - 1)),
            (first_rank, first_rank << (size - 1) * self.stride),
        )
        """For each seat the two sets of cells to join.

        Black joins the first file and the last, Red the first rank and the last (QX-2). A corner
        lies in two of them (QX-13).
        """

    def __contains__(self, cell: Cell) -> bool:
        return 0 <= cell.file < self.size and 0 <= cell.rank < self.size

    def bit(self, cell: Cell) -> int:
        """The set of that cell alone."""
        return 1 << cell.rank * self.stride + cell.file

    def block(self, link: Link) -> int:
        """The bit that names the link among those of its kind."""
        lower = min(link.start.rank, link.end.rank)
        return self.bit(Cell(link.start.file, lower))

    def spread(self, group: int, stones: int, rising: int, falling: int) -> int:
        """The ``group`` with those ``stones`` that one step joins to it.

        A step goes to an orthogonal neighbour, or along a link to a diagonal one (QX-12). Links
        always have two ends of one colour, so one set of them serves both.
        """
        up = self.stride
        return stones & (
            group
            | group << 1
            | group >> 1
            | group << up
            | group >> up
            | (group & rising) << up + 1
            | group >> up + 1 & rising
            | (group >> 1 & falling) << up
            | (group >> up & falling) << 1
        )

    def joins(self, seat: int, stones: int, rising: int, falling: int) -> bool:
        """Whether the ``stones`` join the two sides of ``seat``."""
        near, far = self.sides[seat]
        group = stones & near
        if not stones & far:
            return False
        while True:
            if group & far:
                return True
            wider = self.spread(group, stones, rising, falling)
            if wider == group:
                return False
            group = wider

    def chain(self, seat: int, stones: int, rising: int, falling: int) -> tuple[Cell, ...]:
        """A shortest chain of the ``stones`` of ``seat``, which have to join its sides.

        The choice among several does not depend on the order of the moves.
        """
        near, far = self.sides[seat]
        waves = [stones & near]
        reached = waves[0]
        while not waves[-1] & far:
            wider = self.spread(reached, stones, rising, falling)
            waves.append(wider & ~reached)
            reached = wider
        here = self.lowest(waves[-1] & far)
        path = [here]
        for wave in reversed(waves[:-1]):
            here = self.lowest(self.spread(here, stones, rising, falling) & wave)
            path.append(here)
        return tuple(self.drops[bit].cell for bit in reversed(path))

    def rows(self, cells: int) -> list[int]:
        """The cells of a set by ranks, from the first upwards, the bit 1 << file for each."""
        return [cells >> shift & self._row for shift in self._shifts]

    @staticmethod
    def lowest(cells: int) -> int:
        """The set of the first cell of a non-empty set."""
        return cells & -cells

    @staticmethod
    def bits(cells: int) -> Iterator[int]:
        """The cells of a set one by one, each as a set of its own, a1 b1 c1 ... upwards."""
        while cells:
            low = cells & -cells
            yield low
            cells ^= low


@cache
def board(size: int) -> Board:
    """The board of that size, made once."""
    return Board(size)
