"""The empty board of Pythagoras: three grids side by side on a common rank 1 (P1).

::

    5  . . . . .
    4  . . . . . | . . . .
    3  . . . . . | . . . . | . . .
    2  . . . . . | . . . . | . . .
    1  . . . . . | . . . . | . . .
       a b c d e   f g h i   j k l

A set of spaces is an ``int``: the space at (``file``, ``rank``), both counted from 0 at a1, is the
bit ``13 * rank + file``. One bit to the right of each rank is never set, and neither are the bits
where the staircase has no space, so a set that is shifted by one step cannot wrap round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

UP = 13
"""By how many bits a set moves when it is shifted up one rank."""
RANKS = 5


@dataclass(frozen=True, slots=True)
class Grid:
    """A square of ``size`` by ``size`` spaces whose lower left one is on ``file`` and rank 0."""

    size: int
    file: int

    @property
    def bonus(self) -> int:
        """The points for filling its last space: as many as it has ranks."""
        return self.size


GRIDS = (Grid(5, 0), Grid(4, 5), Grid(3, 9))
"""The three environments, a to e, f to i, j to l (P1)."""


@dataclass(frozen=True, slots=True)
class Space:
    """One space: its place, its name, its bit, the index of its grid.

    The other fields are sets of spaces, always without this one: ``beside`` are its orthogonal
    neighbours on the whole board (P4, P5); ``rank_mates`` and ``column_mates`` the others of its
    rank and column in its own grid (P6).
    """

    file: int
    rank: int
    name: str
    bit: int
    grid: int
    beside: int
    rank_mates: int
    column_mates: int

    @property
    def above_and_below(self) -> int:
        """The neighbours in its column."""
        return self.beside & self.column_mates


def around(spaces: int) -> int:
    """The orthogonal neighbours of all spaces of a set."""
    return (spaces << 1 | spaces >> 1 | spaces << UP | spaces >> UP) & ALL


def bits(spaces: int) -> Iterator[int]:
    """The spaces of a set one by one, each as a set of its own, a1 b1 c1 ... upwards."""
    while spaces:
        low = spaces & -spaces
        yield low
        spaces ^= low


def _bit(file: int, rank: int) -> int:
    return 1 << rank * UP + file


_RANK_IN_GRID = [
    [sum(_bit(grid.file + file, rank) for file in range(grid.size)) for rank in range(grid.size)]
    for grid in GRIDS
]
ALL = sum(sum(ranks) for ranks in _RANK_IN_GRID)
"""All 50 spaces."""
BOTTOM = sum(ranks[0] for ranks in _RANK_IN_GRID)
"""The spaces of rank 1, below which there is nothing."""


def _make(grid: int, file: int, rank: int) -> Space:
    bit = _bit(file, rank)
    column = sum(_bit(file, other) for other in range(GRIDS[grid].size))
    return Space(
        file=file,
        rank=rank,
        name=f"{chr(ord('a') + file)}{rank + 1}",
        bit=bit,
        grid=grid,
        beside=around(bit),
        rank_mates=_RANK_IN_GRID[grid][rank] & ~bit,
        column_mates=column & ~bit,
    )


SPACES = tuple(
    _make(index, grid.file + file, rank)
    for rank in range(RANKS)
    for index, grid in enumerate(GRIDS)
    if rank < grid.size
    for file in range(grid.size)
)
"""All spaces, a1 b1 c1 ... l1 a2 ... e5."""
SPACE_OF_BIT = {place.bit: place for place in SPACES}
_SPACE_OF_NAME = {place.name: place for place in SPACES}


def space(name: str) -> Space:
    """The space of that name; :exc:`KeyError` if the board has none."""
    return _SPACE_OF_NAME[name]
