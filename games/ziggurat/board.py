"""The empty board of Ziggurat, its pieces, its proper piles and its moves.

Pieces are letters, ``Q`` ``D`` ``W`` for South and ``q`` ``d`` ``w`` for North, and piles are
strings of them from the bottom upwards (see :mod:`games.pyramids`). A single piece on a square is a
*Zig*. A *kind* is a piece or pile of any colours, in capitals. A *place* is the index of a square
among the board's piles.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from games.pyramids import cell_names

SOUTH, NORTH = 0, 1
FILES = 6
KINDS = "QDW"
LETTERS = ("QDW", "qdw")
"""The pieces of South and of North, in the order of :data:`KINDS`."""
RANK_OF = {"Q": 3, "D": 2, "W": 1}
"""The size of each kind of piece, which is also its reach."""
HOMES = "QDWWDQ"
"""The kinds at home on files a to f of either home row."""
TOWERS = frozenset({"QD", "DW", "QDW"})
"""Piles that get smaller upwards, without a gap."""
KEEPS = frozenset({"WD", "DQ", "WDQ"})
"""Piles that get larger upwards, without a gap."""
PILES = frozenset(
    "".join(pile)
    for kind in (*KINDS, *TOWERS, *KEEPS)
    for pile in product(*((piece, piece.lower()) for piece in kind))
)
"""All Zigs, Towers and Keeps in all colours."""

CELLS = cell_names(FILES)
INDEX = {name: place for place, name in enumerate(CELLS)}


@dataclass(frozen=True, slots=True)
class Travel:
    """Move the unit on a square to another one, capturing the unit there."""

    start: str
    target: str


@dataclass(frozen=True, slots=True)
class Exit:
    """Take a Zig, or the top of a pile, off the far side of the board."""

    start: str


@dataclass(frozen=True, slots=True)
class Reinforce:
    """Put a piece of that kind from the reserve on a home square."""

    kind: str
    cell: str


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing, because no other move is legal (Z19)."""


Move = Travel | Exit | Reinforce | Pass


def owner(pile: str) -> int | None:
    """The seat of a pile's top, and so of the whole pile; None for an empty square."""
    if not pile:
        return None
    return SOUTH if pile[-1].isupper() else NORTH


def last_row(seat: int) -> int:
    """The home rank of ``seat``'s opponent, counted from 0."""
    return FILES - 1 if seat == SOUTH else 0


def _on_board(file: int, rank: int) -> bool:
    return 0 <= file < FILES and 0 <= rank < FILES


def _ray(place: int, right: int, up: int) -> tuple[int, ...]:
    """The places in that direction, nearest first."""
    found = []
    file, rank = place % FILES + right, place // FILES + up
    while _on_board(file, rank):
        found.append(rank * FILES + file)
        file, rank = file + right, rank + up
    return tuple(found)


def _jumps(place: int) -> tuple[tuple[int, int, int], ...]:
    found = []
    file, rank = place % FILES, place // FILES
    for right, up in product((-2, -1, 1, 2), repeat=2):
        if abs(right) != abs(up) and _on_board(file + right, rank + up):
            # One step, diagonal or orthogonal, then the other of the two kinds (Z4).
            diagonal = (rank + up // abs(up)) * FILES + file + right // abs(right)
            orthogonal = (rank + int(up / 2)) * FILES + file + int(right / 2)
            found.append(((rank + up) * FILES + file + right, diagonal, orthogonal))
    return tuple(found)


def _exits(seat: int, place: int) -> tuple[tuple[int, ...], ...]:
    found = []
    up = 1 if seat == SOUTH else -1
    for right in (-1, 1):
        way = _ray(place, right, up)
        file = (way[-1] if way else place) % FILES + right
        rank = (way[-1] if way else place) // FILES
        # The row beyond has the files a to f: no exit leads over a side or a corner (Z12).
        if rank == last_row(seat) and 0 <= file < FILES:
            found.append(way)
    return tuple(found)


RAYS = {
    (right, up): tuple(_ray(place, right, up) for place in range(FILES * FILES))
    for right, up in product((-1, 0, 1), repeat=2)
    if right or up
}
"""For each direction (files to the right, ranks upwards) and place the places that way."""
JUMPS = tuple(_jumps(place) for place in range(FILES * FILES))
"""For each place the knight's moves: target, and the two squares that it can step through."""
EXITS = tuple(
    tuple(_exits(seat, place) for place in range(FILES * FILES)) for seat in (SOUTH, NORTH)
)
"""For each seat and place the diagonal ways off the far side, as the crossed places (Z11, Z12)."""
