"""What has proved worth doing in Pythagoras, as weights of moves that self-play found.

The weight of a move is a product of two. One is for its kind (a place, a pin on a top of another
player, a pin on one's own), its size, and the grid and rank it goes to. The other is for that rank
and for how the colour stands there, because only the colour with the most tops scores a rank.
There are three sets: for the beginning, the middle and the end of a game.

``python -m benchmarks.pythagoras_habits`` made the weights.
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
    -32/-26/32 36/-46/-10 31/26/73 -11/75/61 51/-39/-26
    -58/-40/-52 5/-11/-20 -39/-50/-28 31/18/28
    6/64/54 -37/-11/-18 40/57/57
    0/-19/-15 0/-5/-24 0/40/8 0/1/-5 0/-29/-16
    0/-12/-41 0/-1/-6 0/-1/-8 0/0/0
    0/29/2 0/0/2 0/3/-1
    -8/-11/-42 -8/-38/-34 -8/-22/-23 -8/-10/-13 -8/-20/-30
    -8/-16/-78 -8/-44/-28 -8/-30/-24 -8/-21/-29
    -8/4/-16 -8/-50/-29 -8/4/-19
    -37/14/19/35 -33/-17/-21/-27 -14/4/9/17 3/8/16/1 -2/35/50/37
    """,
    """
    18/1/37 50/-20/0 10/3/13 -1/78/45 -2/2/19
    -31/-27/-27 -3/-14/-27 -53/-47/-28 42/40/70
    40/41/60 -72/5/-2 71/72/72
    0/0/-5 0/-29/-20 0/1/8 0/14/-2 0/-35/-35
    0/-12/-34 0/-30/-42 0/-16/-24 0/0/0
    0/19/6 0/-3/-6 0/-3/-3
    -8/-15/-14 -8/-38/-31 -8/-12/-24 -8/-15/-14 -8/-15/-39
    -8/-14/-49 -8/-61/-46 -8/-43/-52 -8/-29/-36
    -8/1/-12 -8/-35/-34 -8/-10/-4
    -34/-36/-21/-11 -16/-14/-2/-22 4/7/21/19 -11/-6/5/-2 24/54/75/68
    """,
    """
    17/7/28 11/-23/17 2/-1/19 9/45/34 9/-4/20
    -19/5/27 17/15/20 -19/-25/-1 25/28/52
    17/28/15 -22/14/18 39/66/60
    0/0/0 0/-25/-22 0/0/0 0/0/0 0/-36/-25
    0/18/-2 0/-16/-30 0/-9/-19 0/0/0
    0/5/1 0/-1/2 0/4/3
    -8/-8/-8 -8/5/-39 -8/-8/-8 -8/-9/-8 -8/-11/-30
    -8/-10/-35 -8/-37/-32 -8/-28/-37 -8/-10/-27
    -8/-5/-9 -8/-7/-24 -8/-9/-6
    -9/-1/-19/5 -22/-2/7/13 8/25/35/29 -90/-20/-4/14 34/49/62/23
    """,
)
"""Logarithms of the weights, in tenths; a text for each part of the game.

The lines are places on the 5x5, the 4x4 and the 3x3, then pins on others, then own pins: for each
rank from 1 up Small/Medium/Large. The last line is how a colour stands in ranks 1 to 5: two tops or
more behind the best other colour, one behind, level, ahead.
"""

_OWN = PIN | PIT
"""The kind of a pin on one's own top, only as long as a move is weighed."""
_KINDS = (PLACE, PIN, _OWN)
_BEHIND, _LEVEL, _AHEAD = 0, 2, 3
_STANDINGS = 4
_LATER = (40, 22)
"""With so many pyramids left in all hands the middle and the end of a game begin."""
_IN_PLAYOUTS, _IN_TREE = 0.6, 0.3
"""How closely games are played by the weights, and how closely the tree trusts them: as powers."""
_SHARED = 0.1
"""So much of the trust is spread over all moves alike, so that none is forgotten."""


def _zones() -> dict[int, int]:
    """For each place of a bit the number of its grid and rank."""
    zones = sorted({(place.grid, place.rank) for place in SPACES})
    return {place.bit.bit_length() - 1: zones.index((place.grid, place.rank)) for place in SPACES}


ZONES = _zones()
LEADS = 3 * 3 * (max(ZONES.values()) + 1)
"""Where the numbers of a part of the game turn from kinds of moves to standings in ranks."""


def number_of(key: int) -> int:
    """Which of the numbers of a part of the game belongs to a move as :func:`weigh` names it."""
    return LEADS // 3 * _KINDS.index(key >> 9) + 3 * ZONES[key & 127] + (key >> 7 & 3)


KEYS = [kind << 9 | size << 7 | place for kind in _KINDS for size in range(3) for place in ZONES]
"""All moves but those to the Pit, with own pins apart."""


class Weights:
    """The weights of one part of the game, raised to a power."""

    def __init__(self, logarithms: Sequence[float], power: float) -> None:
        self.moves = [0.0] * (max(KEYS) + 1)
        for key in KEYS:
            self.moves[key] = exp(power * logarithms[number_of(key)])
        leads = [exp(power * each) for each in logarithms[LEADS:]]
        self.leads = [leads[start : start + _STANDINGS] for start in range(0, len(leads), 4)]


def read(power: float) -> list[Weights]:
    """The weights of all parts of the game."""
    texts = (text.replace("/", " ").split() for text in WEIGHTS)
    return [Weights([int(number) / 10 for number in numbers], power) for numbers in texts]


def part(hands: Sequence[int]) -> int:
    """The beginning, the middle or the end of the game."""
    left = sum(hands)
    return sum(left <= later for later in _LATER)


def standings(table: Table) -> list[int]:
    """How the colour on turn stands in each rank."""
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
    """The legal moves with their weights, own pins named apart; see :func:`move_of`."""
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
    """The move that a name of :func:`weigh` stands for."""
    return key & ~(PIT << 9)


class PractisedBoard(PythagorasBoard):
    """Pythagoras with priors and playouts by the weights."""

    def __init__(self, players: int) -> None:
        super().__init__(players)
        self._in_playouts, self._in_tree = read(_IN_PLAYOUTS), read(_IN_TREE)

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
        """One move, each as likely as it is heavy."""
        keys, heavy = weigh(table, found, self._in_playouts[part(table.hands)], self.players)
        return move_of(rng.choices(keys, heavy)[0])
