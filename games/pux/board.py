"""The empty board of Pux: cells, directions, and sets of cells as whole numbers.

A set of cells is an ``int``. The cell at (``file``, ``rank``), both counted from 0 at the lower
left, is the bit ``10 + 9 * rank + file``: one bit to the right of each rank, and a row of bits
below and above the board, belong to no cell. So a set that is shifted by one step never wraps
round, and bits that leave the board land in :data:`RIM`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

SIZE = 8
_STRIDE = SIZE + 1
_OFFSET = _STRIDE + 1


class Cell(NamedTuple):
    """A cell by its place; a1, the lower left corner, is (0, 0). Cells sort by file, then rank.

    A tuple, because hundreds of moves are compared and hashed in one position.
    """

    file: int
    rank: int

    @property
    def name(self) -> str:
        """The name for people: file letter, rank from 1."""
        return f"{chr(ord('a') + self.file)}{self.rank + 1}"

    @property
    def is_on_board(self) -> bool:
        """Whether the board has this cell."""
        return 0 <= self.file < SIZE and 0 <= self.rank < SIZE

    def next(self, step: Direction) -> Cell:
        """The cell one step further, which may lie off the board."""
        return Cell(self.file + step.files, self.rank + step.ranks)

    def touches(self, other: Cell) -> bool:
        """Whether the two are orthogonal neighbours."""
        return abs(self.file - other.file) + abs(self.rank - other.rank) == 1


@dataclass(frozen=True, slots=True)
class Direction:
    """One step: so many files to the right and ranks up, each -1, 0 or 1."""

    files: int
    ranks: int

    @property
    def is_lateral(self) -> bool:
        """Whether it runs along the rank."""
        return self.ranks == 0

    @property
    def shift(self) -> int:
        """The number of bits by which one step moves a set of cells upwards."""
        return self.ranks * _STRIDE + self.files

    @classmethod
    def between(cls, start: Cell, end: Cell) -> Direction | None:
        """The direction of the straight line from start to end; None if there is none."""
        files, ranks = end.file - start.file, end.rank - start.rank
        length = max(abs(files), abs(ranks))
        if length == 0 or abs(files) not in {0, length} or abs(ranks) not in {0, length}:
            return None
        return cls(files // length, ranks // length)


CELLS = tuple(Cell(file, rank) for file in range(SIZE) for rank in range(SIZE))
"""All cells, a1 a2 a3 ... h8."""
_SIDEWAYS = (Direction(-1, 0), Direction(1, 0))
_UP = (Direction(-1, 1), Direction(0, 1), Direction(1, 1))
_DOWN = (Direction(-1, -1), Direction(0, -1), Direction(1, -1))


def directions(forward: int, *, promoted: bool) -> tuple[Direction, ...]:
    """The directions of a piece by itself (PX-5): sideways and forward, promoted also backward.

    ``forward`` is 1 for White, who goes up, and -1 for Black.
    """
    ahead, back = (_UP, _DOWN) if forward > 0 else (_DOWN, _UP)
    return _SIDEWAYS + ahead + (back if promoted else ())


def bit(cell: Cell) -> int:
    """The set of that cell alone."""
    return 1 << _OFFSET + cell.rank * _STRIDE + cell.file


CELL_OF_BIT = {bit(cell): cell for cell in CELLS}
"""For each cell's bit the cell, a1 a2 a3 ... h8."""
ALL = sum(CELL_OF_BIT)
"""The set of all cells."""
RIM = (1 << _OFFSET + SIZE * _STRIDE + _STRIDE) - 1 & ~ALL
"""All bits that a step from a cell can reach and that are not cells."""


def shifted(cells: int, by: int) -> int:
    """The set moved by that many bits, counted as by :attr:`Direction.shift`."""
    return cells << by if by >= 0 else cells >> -by


NEIGHBOURS = {
    bit(cell): ALL & sum(shifted(bit(cell), step.shift) for step in _SIDEWAYS + _UP + _DOWN)
    for cell in CELLS
}
"""For each cell's bit the up to eight cells around it."""
ADJACENT = {bit(cell): sum(bit(other) for other in CELLS if other.touches(cell)) for cell in CELLS}
"""For each cell's bit its orthogonal neighbours, a1 a2 a3 ... h8."""


def bits(cells: int) -> Iterator[int]:
    """The cells of a set one by one, each as a set of its own."""
    while cells:
        low = cells & -cells
        yield low
        cells ^= low
