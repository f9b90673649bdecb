"""The value of each colour's pyramids at any moment (P13, P20, P22 to P26)."""

from __future__ import annotations

from dataclasses import dataclass

from games.pythagoras.board import GRIDS, RANKS, SPACES
from games.pythagoras.position import COLOURS, SIZES, Position


@dataclass(frozen=True, slots=True)
class Score:
    """The parts of a colour's score. ``pit`` and ``pinned`` are zero or negative."""

    tops: int
    pit: int
    pinned: int
    ranks: int
    grids: int

    @property
    def total(self) -> int:
        """All parts together."""
        return self.tops + self.pit + self.pinned + self.ranks + self.grids


def rank_leaders(position: Position) -> tuple[int | None, ...]:
    """For each rank from the bottom, the one colour with the most tops there (P15, P22, P26).

    A rank runs through all the grids; it need not be full (P25).
    """
    leaders: list[int | None] = []
    for rank in range(RANKS):
        whole = sum(place.bit for place in SPACES if place.rank == rank)
        counts = [(position.tops_of_colour(colour) & whole).bit_count() for colour in COLOURS]
        most = max(counts)
        leaders.append(counts.index(most) if counts.count(most) == 1 else None)
    return tuple(leaders)


def scores(position: Position) -> tuple[Score, ...]:
    """The score of each colour, Red, Yellow, Green, Blue."""
    tops = [0] * 4
    pinned = [0] * 4
    for place in SPACES:
        stack = position.stack(place)
        if stack:
            top = stack[-1]
            tops[top.colour] += top.size
            # A top scores for all pips beneath it, of any colour (P13).
            pinned[top.colour] -= sum(piece.size for piece in stack[:-1])
    ranks = [0] * 4
    for rank, leader in enumerate(rank_leaders(position)):
        if leader is not None:
            # The rank's number times the pips of the leader's largest top in that rank (P24).
            whole = sum(place.bit for place in SPACES if place.rank == rank)
            largest = max(size for size in SIZES if position.tops(leader, size) & whole)
            ranks[leader] += (rank + 1) * largest
    grids = [0] * 4
    for grid, owner in zip(GRIDS, position.bonuses, strict=True):
        if owner is not None:
            grids[owner] += grid.bonus
    return tuple(
        Score(
            tops=tops[colour],
            pit=-sum(size * position.in_pit(colour, size) for size in SIZES),
            pinned=pinned[colour],
            ranks=ranks[colour],
            grids=grids[colour],
        )
        for colour in COLOURS
    )
