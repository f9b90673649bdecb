"""The value of a state of Pythagoras for two, by a small network trained on self-play.

The input is the set of features of a state, each either present or not. Each has a row of weights,
one for each of ``HIDDEN`` units and one direct weight. The rows of a state are added up; the part
above 0 of a unit counts with the unit's own weight. Colours are numbered from the one on turn, so
that the network does not depend on their names.

Weights are whole numbers, and a row is one number with :data:`_BITS` bits for each weight: rows are
added up in one addition each, and the sum is the same on every machine.

``python -m benchmarks.pythagoras_outlook`` trains the network again.
"""

from __future__ import annotations

from base64 import b85decode, b85encode
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from math import exp
from pathlib import Path
from random import Random
from struct import Struct

from engines.pythagoras.board import State, Table
from engines.pythagoras.endgame import Endgame
from engines.pythagoras.grids import COLUMN, RANK, legal, totals
from engines.pythagoras.habits import PractisedBoard
from games.pythagoras.board import SPACES, bits

HIDDEN = 32
SCALE = 256
"""The number of steps of a weight of 1."""
_BITS = 32
"""Wide enough for any sum of rows, which have 16 bits a weight."""
_MIDDLE = 1 << _BITS - 1
FILE = Path(__file__).with_name("outlook.txt")
_SURE = 30.0
"""The logarithm of the highest odds that are distinguished."""

_NUMBER = {place.bit: number for number, place in enumerate(SPACES)}
_MOST_HELD, _MOST_TOPS, _MOST_PLACES, _MOST_PINS, _MOST_GAPS = 5, 5, 5, 3, 6
_NEAR_THE_END = 24
"""The number of pyramids in all hands at which the end is solved exactly, if possible with ..."""
_COUNTED = 8
"""... this many states for each node of the budget; a state takes a fifth of a node's time."""
_FURTHEST = 30
"""A lead of more points counts like this one; leads are distinguished by two points."""
_BLOCKS = (
    12 * len(SPACES),  # the tops of a colour and size, by space
    12 * (_MOST_HELD + 1),  # the number of a size in a colour's hand
    5 * 4 * (_MOST_TOPS + 1),  # the number of a colour's tops in a rank
    3 * 2,  # the player who filled a grid
    1,  # an extra move to make
    _FURTHEST + 1,  # the lead of the player on move
    12 * (_MOST_PLACES + 1),  # the spaces where a colour can place a size
    12 * (_MOST_PINS + 1),  # the spaces where a colour can pin with a size
    12 * 6,  # the height of a file
    5 * (_MOST_GAPS + 1),  # the number of empty spaces of a rank
    5 * 13,  # the leading colour in a rank, and its size
)
(
    _HELD,
    _SHOWN,
    _FILLED,
    _OWED,
    _LEAD,
    _PLACES,
    _PINS,
    _HEIGHTS,
    _GAPS,
    _LEADERS,
    FEATURES,
) = accumulate(_BLOCKS)


@lru_cache(maxsize=20_000)
def _tops(which: int, spaces: int) -> tuple[int, ...]:
    """The features of the tops of a colour and size."""
    return tuple(len(SPACES) * which + _NUMBER[bit] for bit in bits(spaces))


@lru_cache(maxsize=20_000)
def _filling(occupied: int) -> tuple[int, ...]:
    """The features of the filling of files and ranks."""
    heights = [
        _HEIGHTS + 6 * number + (file & occupied).bit_count() for number, file in enumerate(COLUMN)
    ]
    gaps = [
        _GAPS
        + (_MOST_GAPS + 1) * number
        + min(_MOST_GAPS, rank.bit_count() - (rank & occupied).bit_count())
        for number, rank in enumerate(RANK)
    ]
    return (*heights, *gaps)


def features(state: State | Table) -> list[int]:
    """The features of a state for two, by their numbers."""
    pyramids, hands, mover = state.pyramids, state.hands, state.mover
    small = pyramids[0] | pyramids[3] | pyramids[6] | pyramids[9]
    medium = pyramids[1] | pyramids[4] | pyramids[7] | pyramids[10]
    large = pyramids[2] | pyramids[5] | pyramids[8] | pyramids[11]
    tops = (small & ~(medium | large), medium & ~large, large)
    found = list(_filling(small | medium | large))
    shown: list[tuple[int, int, int]] = []
    for turn in range(4):
        own = 3 * ((mover + turn) % 4)
        one, two, three = (pyramids[own + size] & tops[size] for size in range(3))
        shown.append((one | two | three, two, three))
        which = 3 * turn
        found += _tops(which, one) + _tops(which + 1, two) + _tops(which + 2, three)
        for size in range(3):
            found.append(_HELD + (_MOST_HELD + 1) * (which + size) + hands[own + size])
        for size, places, pins in legal(pyramids, hands, own // 3):
            place = min(_MOST_PLACES, places.bit_count())
            pin = min(_MOST_PINS, pins.bit_count())
            found.append(_PLACES + (_MOST_PLACES + 1) * (which + size) + place)
            found.append(_PINS + (_MOST_PINS + 1) * (which + size) + pin)
    for number, rank in enumerate(RANK):
        counts = [(each[0] & rank).bit_count() for each in shown]
        for turn, count in enumerate(counts):
            found.append(_SHOWN + (_MOST_TOPS + 1) * (4 * number + turn) + min(_MOST_TOPS, count))
        leader, most = _LEADERS + 13 * number, max(counts)
        if counts.count(most) == 1:
            turn = counts.index(most)
            _, two, three = shown[turn]
            leader += 1 + 3 * turn + (2 if three & rank else 1 if two & rank else 0)
        found.append(leader)
    for grid, owner in enumerate(state.bonuses):
        if owner >= 0:
            found.append(_FILLED + 2 * grid + (owner - mover) % 2)
    if state.owes:
        found.append(_OWED)
    red, yellow, green, blue = totals(pyramids, state.pits, state.bonuses)
    ahead = red + green - yellow - blue
    lead = -ahead if mover % 2 else ahead
    found.append(_LEAD + max(0, min(_FURTHEST, (lead + _FURTHEST) // 2)))
    return found


class Network:
    """The weights, in whole numbers: a row a feature, the initial sum, the units'."""

    def __init__(
        self, rows: Sequence[Sequence[int]], first: Sequence[int], units: Sequence[int]
    ) -> None:
        """A row has a weight for each unit, and the direct one."""
        self._rows = [self._packed(row) for row in rows]
        self._first = self._packed([_MIDDLE + weight for weight in first])
        self._units = tuple(units)
        self._lanes = Struct(f"<{HIDDEN + 1}I")

    @staticmethod
    def _packed(row: Sequence[int]) -> int:
        return sum(weight << _BITS * lane for lane, weight in enumerate(row))

    def value(self, found: Sequence[int]) -> float:
        """The value of a state with these features for the player on move, from 0 to 1."""
        total = sum(map(self._rows.__getitem__, found), self._first)
        *sums, itself = self._lanes.unpack(total.to_bytes(self._lanes.size, "little"))
        result = SCALE * (itself - _MIDDLE)
        for weight, each in zip(self._units, sums, strict=True):
            if each > _MIDDLE:
                result += weight * (each - _MIDDLE)
        odds = exp(max(-_SURE, min(_SURE, result / SCALE**2)))
        # Rounded, since the last digit of an exponential is not the same on every machine.
        return round(odds / (1 + odds), 9)


_LINE = Struct(f"<{HIDDEN + 1}h")


def write_network(rows: Sequence[Sequence[int]], first: Sequence[int], units: Sequence[int]) -> str:
    """The weights as text: a line for each row, then the first sum, then the units."""
    lines = (*rows, first, (*units, 0))
    return "".join(f"{b85encode(_LINE.pack(*line)).decode()}\n" for line in lines)


def read_network(text: str) -> Network:
    """The network in the text of :func:`write_network`."""
    *rows, first, units = (_LINE.unpack(b85decode(line)) for line in text.splitlines())
    return Network(rows, first, units[:-1])


class JudgedBoard(PractisedBoard):
    """Pythagoras for two: priors by the weights, a network for states, exact ends."""

    def __init__(self) -> None:
        super().__init__(2)
        self._network = read_network(FILE.read_text(encoding="ascii"))

    def foreseen(
        self, state: State, moves: Sequence[int], nodes: int
    ) -> Mapping[int, tuple[float, ...]]:
        """The certain results after the moves, once few pyramids are left."""
        if sum(state.hands) > _NEAR_THE_END:
            return {}
        return Endgame(self).results(state, moves, _COUNTED * nodes)

    def playout(self, state: State, rng: Random) -> tuple[float, ...]:  # noqa: ARG002
        """The network's value, without a game."""
        value = self._network.value(features(state))
        return (1 - value, value) if state.mover % 2 else (value, 1 - value)
