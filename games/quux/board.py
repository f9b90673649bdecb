"""The empty board of Quux, its pyramids and its moves.

Pyramids are letters, ``L`` ``M`` ``S`` White's and ``l`` ``m`` ``s`` Black's, and piles are strings
of them from the bottom upwards (see :mod:`games.pyramids`). A *place* is the index of a cell among
the board's piles.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, product

from games.pyramids import Board as Piles
from games.pyramids import cell_names

WHITE, BLACK = 0, 1
SIZES = "LMS"
"""Large, Medium and Small, as moves write them."""
LETTERS = ("LMS", "lms")
"""The pyramids of White and of Black, in the order of :data:`SIZES`."""
RANK_OF = {"L": 3, "M": 2, "S": 1, "l": 3, "m": 2, "s": 1}
"""The size order of pyramids."""
PILES = frozenset(
    "".join(pile)
    for count in (1, 2, 3)
    for sizes in combinations(("Ll", "Mm", "Ss"), count)
    for pile in product(*sizes)
)
"""All piles: strictly smaller upwards, so at most one pyramid of each size."""


@dataclass(frozen=True, slots=True)
class Place:
    """Put a pyramid of that size from the hand on a cell (placement phase)."""

    size: str
    cell: str


@dataclass(frozen=True, slots=True)
class Shift:
    """Move the pyramid of that size, and all on top of it, in a straight line."""

    size: str
    start: str
    target: str


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing, because no other move is legal (Q8, Q9, Q19)."""


@dataclass(frozen=True, slots=True)
class Swap:
    """Exchange the colours of the two people (Q2)."""


Move = Place | Shift | Pass | Swap


class Board:
    """The constants of all positions on a board of ``size`` by ``size`` cells."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.trios = size + 1
        """The number of pyramids of each size for each side (Q21)."""
        self.cells = cell_names(size)
        self.index = {name: place for place, name in enumerate(self.cells)}
        """For each cell's name its place."""
        self.rays = tuple(self._rays(place) for place in range(size * size))
        """For each place the places to its right, to its left, above and below, nearest first."""
        self.neighbours = tuple(tuple(ray[0] for ray in rays if ray) for rays in self.rays)
        bottom = tuple(range(size))
        left = tuple(range(0, size * size, size))
        self.sides = (
            (bottom, tuple(place + size * (size - 1) for place in bottom)),
            (left, tuple(place + size - 1 for place in left)),
        )
        """For each seat the two sides to join.

        White joins the first rank and the last, Black the first file and the last (Q1).
        """

    def _rays(self, place: int) -> tuple[tuple[int, ...], ...]:
        size = self.size
        rank = place // size * size
        return (
            tuple(range(place + 1, rank + size)),
            tuple(range(place - 1, rank - 1, -1)),
            tuple(range(place + size, size * size, size)),
            tuple(range(place - size, -1, -size)),
        )

    def way(self, start: int, target: int) -> tuple[int, ...] | None:
        """The places strictly between two of one rank or file, None if they share neither."""
        for ray in self.rays[start]:
            if target in ray:
                return ray[: ray.index(target)]
        return None

    def chain(self, seat: int, piles: Piles) -> tuple[str, ...]:
        """A shortest chain of neighbouring tops of ``seat`` between its sides, () if there is none.

        The choice among several depends on the position alone.
        """
        mine = LETTERS[seat]
        near, far = self.sides[seat]
        tops = {place for place, pile in enumerate(piles) if pile and pile[-1] in mine}
        before: dict[int, int | None] = {place: None for place in near if place in tops}
        queue = list(before)
        for place in queue:
            if place in far:
                path = [place]
                while (step := before[path[-1]]) is not None:
                    path.append(step)
                return tuple(self.cells[step] for step in reversed(path))
            for neighbour in self.neighbours[place]:
                if neighbour in tops and neighbour not in before:
                    before[neighbour] = place
                    queue.append(neighbour)
        return ()


def owner(pile: str) -> int | None:
    """The seat of a pile's top, None for an empty cell."""
    if not pile:
        return None
    return WHITE if pile[-1].isupper() else BLACK


@cache
def board(size: int) -> Board:
    """The board of that size, made once."""
    return Board(size)
