"""Good habits in Pythagoras, as weights of moves learned from self-play.

The weight of a move is a product of two. One is for its kind (a place, a pin on a top of another
player, a pin on one's own), its size, and its grid and rank. The other is for that rank and the
colour's standing there, because only the colour with the most tops scores a rank. There are three
sets: for the beginning, the middle and the end of a game.

``python -m benchmarks.pythagoras_habits`` trains the weights further, or from the beginning.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random

from engines.pythagoras.board import PIN, PIT, PLACE, PythagorasBoard, State, Table
from engines.pythagoras.grids import legal
from games.pythagoras.board import SPACES, UP

WEIGHTS = (
    """
    -29/-21/43 37/-40/-5 24/-1/46 -6/58/54 64/-30/-18
    -57/-75/-83 -26/-31/-33 -40/-42/-28 26/14/23
    -10/85/72 -52/-18/-10 60/58/54
    0/-15/-16 0/11/-19 0/32/7 0/2/-4 0/-17/-13
    0/-27/-40 0/-4/-5 0/-1/-6 0/0/0
    0/23/2 0/0/1 0/3/-1
    -7/-7/-34 -7/-32/-28 -7/-19/-19 -7/-8/-11 -7/-24/-24
    -7/-25/-67 -7/-36/-23 -7/-24/-19 -7/-18/-24
    -7/3/-14 -7/-40/-24 -7/3/-15
    -39/6/25/44 -30/-21/-23/-9 -45/-9/25/13 6/6/9/7 6/37/54/37
    """,
    """
    15/9/50 70/-4/0 7/5/7 -3/88/38 6/2/16
    -23/-48/-56 -13/-16/-37 -23/-45/-41 5/34/79
    90/33/49 -90/14/-2 90/84/90
    0/0/-4 0/-23/-17 0/1/6 0/12/-2 0/-28/-28
    0/-38/-43 0/-16/-40 0/-21/-20 0/0/0
    0/15/5 0/-2/-4 0/-2/-2
    -7/-12/-11 -7/-30/-25 -7/-10/-19 -7/-13/-11 -7/-12/-31
    -7/-24/-39 -7/-58/-47 -7/-43/-46 -7/-34/-35
    -7/1/-10 -7/-27/-27 -7/-8/-4
    -44/-45/-13/-28 -4/-16/-10/-22 24/15/13/4 4/2/12/-5 27/46/46/75
    """,
    """
    13/6/22 7/-19/13 1/-1/17 7/37/28 15/-3/16
    -11/14/53 5/1/12 3/-23/3 -3/5/34
    14/22/12 -10/11/18 35/64/62
    0/0/0 0/-21/-17 0/0/0 0/0/0 0/-29/-20
    0/9/-7 0/-22/-27 0/-3/-22 0/0/0
    0/4/1 0/-1/2 0/3/2
    -7/-7/-7 -7/4/-31 -7/-7/-7 -7/-7/-7 -7/-9/-24
    -7/0/-23 -7/-22/-19 -7/-17/-57 -7/-1/-15
    -7/-4/-8 -7/-5/-19 -7/-7/-5
    10/7/7/16 -30/-13/12/13 16/21/22/29 -90/-46/-1/25 31/43/52/18
    """,
)
"""Logarithms of the weights, in tenths; a text for each part of the game.

The lines are places on the 5x5, the 4x4 and the 3x3, then pins on others, then own pins: for each
rank from 1 up Small/Medium/Large. The last line is the standing of a colour in ranks 1 to 5: two
tops or more behind the best other colour, one behind, level, ahead.
"""

_OWN = PIN | PIT
"""The kind of a pin on one's own top, used only for weighing."""
_KINDS = (PLACE, PIN, _OWN)
_BEHIND, _LEVEL, _AHEAD = 0, 2, 3
_STANDINGS = 4
_LATER = (40, 22)
"""The numbers of pyramids in all hands at which the middle and the end of a game begin."""
_IN_PLAYOUTS, _IN_TREE = 0.6, 0.3
"""The powers of the weights: for games, and for the priors of the tree."""
_SHARED = 0.1
"""The part of the priors that is spread evenly over all moves, so that none is forgotten."""


def _zones() -> dict[int, int]:
    """The number of the grid and rank for each place of a bit."""
    zones = sorted({(place.grid, place.rank) for place in SPACES})
    return {place.bit.bit_length() - 1: zones.index((place.grid, place.rank)) for place in SPACES}


ZONES = _zones()
LEADS = 3 * 3 * (max(ZONES.values()) + 1)
"""The number at which a part of the game turns from kinds of moves to standings in ranks."""


def number_of(key: int) -> int:
    """The index of the number for a move in :func:`weigh`'s naming."""
    return LEADS // 3 * _KINDS.index(key >> 9) + 3 * ZONES[key & 127] + (key >> 7 & 3)


KEYS = [kind << 9 | size << 7 | place for kind in _KINDS for size in range(3) for place in ZONES]
"""All moves but those to the Pit, with own pins apart."""


def _weight(logarithm: float) -> float:
    """Rounded, since the last digit of an exponential is not the same on every machine."""
    return round(exp(logarithm), 12)


class Weights:
    """The weights of one part of the game, raised to a power."""

    def __init__(self, logarithms: Sequence[float], power: float) -> None:
        self.moves = [0.0] * (max(KEYS) + 1)
        for key in KEYS:
            self.moves[key] = _weight(power * logarithms[number_of(key)])
        leads = [_weight(power * each) for each in logarithms[LEADS:]]
        self.leads = [leads[start : start + _STANDINGS] for start in range(0, len(leads), 4)]


def logarithms() -> list[list[float]]:
    """The logarithms of the weights of all parts of the game."""
    texts = (text.replace("/", " ").split() for text in WEIGHTS)
    return [[int(tenths) / 10 for tenths in numbers] for numbers in texts]


def part(hands: Sequence[int]) -> int:
    """The beginning, the middle or the end of the game."""
    left = sum(hands)
    return sum(left <= later for later in _LATER)


def standings(table: Table) -> list[int]:
    """The standing of the colour on turn in each rank."""
    found: list[int] = []
    mover = table.mover
    others = [table.shown[colour] for colour in range(4) if colour != mover]
    for mine, one, two, three in zip(table.shown[mover], *others, strict=True):
        ahead = mine - max(one, two, three)
        found.append(_AHEAD if ahead > 0 else max(_BEHIND, _LEVEL + ahead))
    return found


def weigh(
    table: Table, found: Sequence[tuple[int, int, int]], weights: Weights, players: int
) -> tuple[list[int], list[float]]:
    """The legal moves with their weights, own pins named separately; see :func:`move_of`."""
    of_moves = weights.moves
    leads = [each[how] for each, how in zip(weights.leads, standings(table), strict=True)]
    keys: list[int] = []
    heavy: list[float] = []
    for size, places, pins in found:
        own = 0
        if pins:
            for colour in range(table.mover % players, 4, players):
                own |= table.pyramids[3 * colour + size - 1]
        for kind, spaces in ((PLACE, places), (PIN, pins & ~own), (_OWN, pins & own)):
            base, left = kind << 9 | size << 7, spaces
            while left:
                place = (left & -left).bit_length() - 1
                left &= left - 1
                keys.append(base | place)
                heavy.append(of_moves[base | place] * leads[place // UP])
    return keys, heavy


def move_of(key: int) -> int:
    """The move of a name of :func:`weigh`."""
    return key & ~(PIT << 9)


class PractisedBoard(PythagorasBoard):
    """Pythagoras with priors and playouts by the weights."""

    def __init__(self, players: int) -> None:
        super().__init__(players)
        self._in_playouts = [Weights(each, _IN_PLAYOUTS) for each in logarithms()]
        self._in_tree = [Weights(each, _IN_TREE) for each in logarithms()]

    def priors(self, state: State, moves: Sequence[int], rng: Random) -> Sequence[float]:  # noqa: ARG002
        """Moves by their weights."""
        table = Table(state)
        found = legal(table.pyramids, table.hands, table.mover)
        even = 1 / len(moves)
        if not found:  # to the Pit
            return [even] * len(moves)
        keys, heavy = weigh(table, found, self._in_tree[part(table.hands)], self.players)
        trust = (1 - _SHARED) / sum(heavy)
        by_move = {move_of(key): each for key, each in zip(keys, heavy, strict=True)}
        return [_SHARED * even + trust * by_move[move] for move in moves]

    def drawn(self, table: Table, found: Sequence[tuple[int, int, int]], rng: Random) -> int:
        """A random move with chances by weight."""
        keys, heavy = weigh(table, found, self._in_playouts[part(table.hands)], self.players)
        return move_of(rng.choices(keys, heavy)[0])
