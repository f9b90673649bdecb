"""Tables of four in which each pair of players meets exactly once (or, of eight, equally often).

For 16, 28, 40 and 52 players these are resolvable designs with blocks of four. All come from one
round by a group that turns it into the others: the players are three copies of an abelian group
and one more, the fixed player. The first round has the table of the fixed player with the three
zeros, and the blocks of :data:`_BLOCKS`, each in the three rotations of the copies. That all
differences occur once is what the tests hold. For 8 players it is the affine space of three
dimensions over two elements: seven rounds, each pair meets three times.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product
from types import MappingProxyType

_Element = tuple[int, ...]
_BLOCKS: Mapping[int, tuple[tuple[int, ...], tuple[tuple[tuple[_Element, int], ...], ...]]] = (
    MappingProxyType(
        {
            16: ((5,), ((((1,), 0), ((2,), 1), ((3,), 1), ((4,), 0)),)),
            28: (
                (3, 3),
                (
                    (((0, 1), 0), ((0, 2), 0), ((1, 1), 1), ((2, 2), 0)),
                    (((1, 0), 0), ((1, 2), 1), ((2, 0), 2), ((2, 1), 0)),
                ),
            ),
            40: (
                (13,),
                (
                    (((1,), 0), ((5,), 1), ((8,), 1), ((12,), 0)),
                    (((2,), 0), ((3,), 1), ((10,), 1), ((11,), 0)),
                    (((4,), 0), ((6,), 1), ((7,), 1), ((9,), 0)),
                ),
            ),
            52: (
                (17,),
                (
                    (((1,), 0), ((3,), 1), ((7,), 1), ((15,), 2)),
                    (((2,), 0), ((5,), 0), ((12,), 2), ((13,), 0)),
                    (((4,), 0), ((8,), 1), ((14,), 0), ((16,), 0)),
                    (((6,), 0), ((9,), 2), ((10,), 2), ((11,), 1)),
                ),
            ),
        }
    )
)
DESIGNS: Mapping[int, int] = MappingProxyType({8: 7, 16: 5, 28: 9, 40: 13, 52: 17})
"""Numbers of players, and how many rounds there are."""


@cache
def design(players: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """The rounds, each a list of tables of players numbered from 0. Seats are not settled here.

    Raises :exc:`KeyError` for a number not in :data:`DESIGNS`.
    """
    if players == 8:
        return _of_eight()
    orders, blocks = _BLOCKS[players]
    elements = list(product(*(range(order) for order in orders)))
    index = {
        (element, copy): 1 + 3 * number + copy
        for number, element in enumerate(elements)
        for copy in range(3)
    }
    rounds = []
    for shift in elements:
        tables = [(0, *(index[shift, copy] for copy in range(3)))]
        for block in blocks:
            for turn in range(3):
                moved = (
                    (
                        tuple(
                            (a + b) % order
                            for a, b, order in zip(element, shift, orders, strict=True)
                        ),
                        (copy + turn) % 3,
                    )
                    for element, copy in block
                )
                tables.append(tuple(index[each] for each in moved))
        rounds.append(tuple(tables))
    return tuple(rounds)


def _of_eight() -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Each of the seven ways to halve the cube by a plane through the origin and its complement."""
    rounds = []
    for normal in range(1, 8):
        half = tuple(each for each in range(8) if (each & normal).bit_count() % 2 == 0)
        rounds.append((half, tuple(each for each in range(8) if each not in half)))
    return tuple(rounds)
