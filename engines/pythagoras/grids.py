"""The laws and the scores of Pythagoras on sets of spaces, for all spaces at once.

The twelve sets of spaces are those of :class:`games.pythagoras.position.Position`; a colour and
size is the index ``3 * colour + size - 1`` here, so sizes count from 0 wherever they are indices.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.pythagoras.board import ALL, BOTTOM, GRIDS, RANKS, SPACES, UP, around

_GRID = tuple(
    sum(place.bit for place in SPACES if place.grid == index) for index in range(len(GRIDS))
)
RANK = tuple(sum(place.bit for place in SPACES if place.rank == rank) for rank in range(RANKS))
"""For each rank its spaces across all grids."""
COLUMN = tuple(sum(place.bit for place in SPACES if place.file == file) for file in range(12))
"""For each file its spaces."""
GRID = _GRID
"""For each grid its spaces."""


def legal(pyramids: Sequence[int], hands: Sequence[int], colour: int) -> list[tuple[int, int, int]]:
    """For each size in the colour's hand the spaces for places and those for pins.

    Each entry is the size's index, the spaces for places, those for pins; entries without either
    are left out.
    """
    own0 = 3 * colour
    small = pyramids[0] | pyramids[3] | pyramids[6] | pyramids[9]
    medium = pyramids[1] | pyramids[4] | pyramids[7] | pyramids[10]
    large = pyramids[2] | pyramids[5] | pyramids[8] | pyramids[11]
    tops = (small & ~(medium | large), medium & ~large, large)
    occupied = small | medium | large
    lowest = ALL & ~occupied & (BOTTOM | occupied << UP)
    own = pyramids[own0] & tops[0] | pyramids[own0 + 1] & tops[1] | pyramids[own0 + 2] & tops[2]
    in_4x4 = own & _GRID[1]
    shut_in_4x4 = 0
    for step in (1, 2, 3, UP, 2 * UP, 3 * UP) if in_4x4 else ():
        shut_in_4x4 |= in_4x4 << step | in_4x4 >> step
    shut_in_4x4 &= _GRID[1]
    found: list[tuple[int, int, int]] = []
    for size in (0, 1, 2):
        if not hands[own0 + size]:
            continue
        same = tops[size]
        shut = around(pyramids[own0 + size] & same) | shut_in_4x4
        other_sizes = occupied & ~same & _GRID[0]
        near = other_sizes << 1 | other_sizes >> 1 | other_sizes << 2 | other_sizes >> 2
        far = other_sizes << 3 | other_sizes >> 3 | other_sizes << 4 | other_sizes >> 4
        beside = (same | own) & _GRID[0]
        shut |= (near | far | beside << UP | beside >> UP) & _GRID[0]
        in_3x3 = same & _GRID[2]
        if in_3x3:
            near = in_3x3 << 1 | in_3x3 >> 1 | in_3x3 << 2 | in_3x3 >> 2
            far = in_3x3 << UP | in_3x3 >> UP | in_3x3 << 2 * UP | in_3x3 >> 2 * UP
            shut |= (near | far) & _GRID[2]
        places = lowest & ~shut
        pins = tops[size - 1] & ~shut if size else 0
        if places or pins:
            found.append((size, places, pins))
    return found


def totals(pyramids: Sequence[int], pits: Sequence[int], bonuses: Sequence[int]) -> list[int]:
    """The score of each colour; ``bonuses`` has the owner of each grid, -1 for none."""
    small = pyramids[0] | pyramids[3] | pyramids[6] | pyramids[9]
    medium = pyramids[1] | pyramids[4] | pyramids[7] | pyramids[10]
    large = pyramids[2] | pyramids[5] | pyramids[8] | pyramids[11]
    tops = (small & ~(medium | large), medium & ~large, large)
    small_below, medium_below = small & (medium | large), medium & large
    found: list[int] = []
    shown: list[tuple[int, int, int, int]] = []
    for own in (0, 3, 6, 9):
        one, two, three = (pyramids[own + size] & tops[size] for size in range(3))
        mine = one | two | three
        shown.append((one, two, three, mine))
        found.append(
            one.bit_count()
            + 2 * two.bit_count()
            + 3 * three.bit_count()
            - (small_below & mine).bit_count()
            - 2 * (medium_below & mine).bit_count()
            - pits[own]
            - 2 * pits[own + 1]
            - 3 * pits[own + 2]
        )
    for number, rank in enumerate(RANK, 1):
        counts = [(each[3] & rank).bit_count() for each in shown]
        most = max(counts)
        if counts.count(most) == 1:
            leader = counts.index(most)
            one, two, three, _ = shown[leader]
            found[leader] += number * (3 if three & rank else 2 if two & rank else 1)
    for grid, owner in zip(GRIDS, bonuses, strict=True):
        if owner >= 0:
            found[owner] += grid.bonus
    return found


def shown(pyramids: Sequence[int]) -> list[list[int]]:
    """The number of tops of each colour in each rank."""
    medium = pyramids[1] | pyramids[4] | pyramids[7] | pyramids[10]
    large = pyramids[2] | pyramids[5] | pyramids[8] | pyramids[11]
    found: list[list[int]] = []
    for own in (0, 3, 6, 9):
        small, middle, big = pyramids[own : own + 3]
        tops = small & ~(medium | large) | middle & ~large | big
        found.append([(tops & rank).bit_count() for rank in RANK])
    return found
