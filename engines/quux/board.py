"""Quux for the search: a byte a pile, a bit a top.

A pile is a number of three digits to base 3, Large, Medium, Small: 0 for none, 1 for a white one, 2
for a black one. A block to be moved is then the remainder by a power of 3, since it is everything
from one size down (Q12, Q15). Tops are sets of cells with an empty file to the right, so that steps
cannot wrap.

A move is a number: -1 passes; ``size * 64 + place`` places (size 0 is Large); numbers from
:data:`SHIFT` on move a block, ``SHIFT + (size * 64 + start) * 64 + target``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache
from typing import NamedTuple

from engines.board import ScoredBoard
from games.quux import Quux
from games.quux.board import SIZES, Move, Pass, Place, Shift, Swap, board
from games.quux.position import TURN_LIMIT, Position

PASS = -1
SHIFT = 256
POWERS = (9, 3, 1)
_BLOCKS = (27, 9, 3)
_DRAW = 2
_REWARDS = ((1.0, 0.0), (0.0, 1.0), (0.5, 0.5))
_LATE = 80
"""The number of turns of the movement phase from which on it makes a difference (Q20)."""


def _top(code: int) -> tuple[int, int]:
    """The owner of a pile's top (-1 for none) and its size, 3 for Large, 0 for none."""
    for size, power in ((1, 1), (2, 3), (3, 9)):
        digit = code // power % 3
        if digit:
            return digit - 1, size
    return -1, 0


OWNER = tuple(_top(code)[0] for code in range(27))
SIZE = tuple(_top(code)[1] for code in range(27))
_HOLDS = tuple(
    tuple(
        tuple(size for size in range(3) if code // POWERS[size] % 3 == seat + 1) for seat in (0, 1)
    )
    for code in range(27)
)
"""For each pile and seat the sizes of the seat's pyramids in it."""


class State(NamedTuple):
    """Piles, hands (White's Large, Medium, Small, then Black's), tops and the phase.

    ``turns`` counts those of the movement phase. ``winner`` is -1 before the end, 2 for a draw.
    """

    piles: bytes
    hands: tuple[int, ...]
    mover: int
    is_movement: bool
    passes: int
    turns: int
    white: int
    black: int
    winner: int


class _Geometry:
    """The constants of all boards of one size."""

    def __init__(self, size: int) -> None:
        plain = board(size)
        self.size = size
        self.up = size + 1
        self.rays = plain.rays
        self.bits = tuple(1 << place // size * self.up + place % size for place in range(size**2))
        self.all = sum(self.bits)
        self.sides = tuple(
            tuple(sum(self.bits[place] for place in side) for side in pair) for pair in plain.sides
        )
        self.cells = plain.cells
        self.index = plain.index
        middle = (size - 1) / 2
        self.central = tuple(
            size - abs(place // size - middle) - abs(place % size - middle)
            for place in range(size**2)
        )

    def near(self, cells: int) -> int:
        """The cells and their neighbours; some bits may lie off the board."""
        return cells | cells << 1 | cells >> 1 | cells << self.up | cells >> self.up

    def around(self, cells: int) -> int:
        """The cells and their neighbours, diagonal ones too; some bits may lie off the board."""
        row = cells | cells << 1 | cells >> 1
        return row | row << self.up | row >> self.up

    def gaps(self, seat: int, tops: int) -> int:
        """The cells each of which would complete the seat's chain, with any content."""
        first, last = self.sides[seat]
        near, far = (self.flood(side & tops, tops) for side in (first, last))
        return (self.near(near) | first) & (self.near(far) | last) & self.all & ~tops

    def joins(self, seat: int, tops: int) -> bool:
        """Whether the tops make a chain between the sides of ``seat``."""
        first, last = self.sides[seat]
        group = tops & first
        if not tops & last:
            return False
        while group:
            wider = self.near(group) & tops
            if wider & last:
                return True
            if wider == group:
                return False
            group = wider
        return False

    def layers(
        self,
        first: int,
        last: int,
        tops: int,
        takeable: int,
        near: Callable[[int], int] | None = None,
    ) -> list[int]:
        """For 0, 1, 2 ... more tops the cells that a chain from ``first`` can cover.

        It ends where ``last`` is reached, or with no further cells. ``near`` gives the cells and
        what counts as their neighbours.
        """
        near = near or self.near
        reached = self.flood(first & tops, tops, near)
        found = [reached]
        while not reached & last:
            step = (first | near(reached)) & takeable | reached
            wider = self.flood(step, tops, near)
            if wider == reached:
                break
            reached = wider
            found.append(reached)
        return found

    def flood(self, group: int, tops: int, near: Callable[[int], int] | None = None) -> int:
        """The group with all tops joined to it."""
        near = near or self.near
        while (wider := near(group) & tops | group) != group:
            group = wider
        return group


@cache
def geometry_of(size: int) -> _Geometry:
    """The constants of boards of that size, made once."""
    return _Geometry(size)


class QuuxBoard(ScoredBoard[State, int]):
    """Quux under one set of options, without the swap, which the engine decides by itself."""

    unit = 60

    def __init__(self, game: Quux, size: int) -> None:
        self._geometry = geometry_of(size)
        self.width = size
        self._trios = self._geometry.size + 1
        self._supply = str(game.options["supply"])
        self._may_jump = game.options["path"] == "jump"

    def start(self, position: Position) -> State:
        """The position; players are numbered as seats."""
        winner = -1
        if position.ending is not None:
            winner = _DRAW if position.ending.winner is None else position.ending.winner
        piles = bytes(map(_code, position.piles))
        white, black = self._tops(piles)
        return State(
            piles,
            (*position.hands[0], *position.hands[1]),
            position.mover,
            position.is_movement,
            position.passes,
            len(position.past),
            white,
            black,
            winner,
        )

    def past(self, position: Position) -> Sequence[Hashable]:
        """The earlier positions of the movement phase."""
        found: list[Hashable] = []
        mover = position.mover
        for piles in reversed(position.past):
            mover = 1 - mover
            found.append((bytes(map(_code, piles)), (0,) * 6, mover, True, 0, 0))
        return found

    def _tops(self, piles: bytes) -> tuple[int, int]:
        found = [0, 0]
        for code, bit in zip(piles, self._geometry.bits, strict=True):
            if code:
                found[OWNER[code]] |= bit
        return found[0], found[1]

    def mover(self, state: State) -> int:
        """The seat on turn."""
        return state.mover

    def rewards(self, state: State) -> tuple[float, ...] | None:
        """Each seat's share of the win."""
        return None if state.winner < 0 else _REWARDS[state.winner]

    def key(self, state: State) -> Hashable:
        """The piles, the hands and the turn; near the limit of turns their number too."""
        piles, hands, mover, is_movement, passes, turns, *_ = state
        return piles, hands, mover, is_movement, passes, turns if turns > _LATE else 0

    def named(self, state: State, move: int) -> Move:  # noqa: ARG002
        """The move in the rules' form."""
        cells = self._geometry.cells
        if move == PASS:
            return Pass()
        if move < SHIFT:
            return Place(SIZES[move >> 6], cells[move & 63])
        move -= SHIFT
        return Shift(SIZES[move >> 12], cells[move >> 6 & 63], cells[move & 63])

    def number(self, move: Move) -> int:
        """The number of a move; the swap has none."""
        index = self._geometry.index
        match move:
            case Place(size, cell):
                return SIZES.index(size) * 64 + index[cell]
            case Shift(size, start, target):
                return SHIFT + (SIZES.index(size) * 64 + index[start]) * 64 + index[target]
            case Swap():
                raise ValueError("a swap has no number")
        return PASS

    def where(self, move: int) -> Sequence[tuple[int, int]]:
        """The cell left and the cell covered."""
        if move == PASS:
            return ()
        places = (move & 63,) if move < SHIFT else (move - SHIFT >> 6 & 63, move - SHIFT & 63)
        return [(place % self.width, place // self.width) for place in places]

    def takes(self, state: State, move: int) -> bool:
        """Whether it covers a pyramid."""
        return move != PASS and state.piles[(move if move < SHIFT else move - SHIFT) & 63] > 0

    def moves(self, state: State) -> list[int]:
        """Placements or movements, or the pass where there are none."""
        return (self._shifts(state) if state.is_movement else self._placements(state)) or [PASS]

    def sizes(self, hands: tuple[int, ...], mover: int) -> list[int]:
        """The sizes that may be placed now (Q3, Q4)."""
        own = 3 * mover
        hand = hands[own : own + 3]
        placed = [self._trios - count for count in hand]
        found: list[int] = []
        for size in range(3):
            if not hand[size]:
                continue
            if size == 0 or (
                placed[size] < placed[size - 1]
                if self._supply == "paired"
                else placed[size - 1] > 0
                or (self._supply == "any" and hands[3 - own + size - 1] < self._trios)
            ):
                found.append(size)
        return found

    def _placements(self, state: State) -> list[int]:
        other = 1 - state.mover
        found: list[int] = []
        for size in self.sizes(state.hands, state.mover):
            rank = 3 - size
            for place, code in enumerate(state.piles):
                if not code or (OWNER[code] == other and SIZE[code] > rank):
                    found.append(size * 64 + place)
        return found

    def _shifts(self, state: State) -> list[int]:
        piles, rays, mover = state.piles, self._geometry.rays, state.mover
        may_jump = self._may_jump
        found: list[int] = []
        for start, code in enumerate(piles):
            for size in _HOLDS[code][mover]:
                rank = 3 - size
                base = SHIFT + (size * 64 + start) * 64
                for ray in rays[start]:
                    for target in ray:
                        under = piles[target]
                        if not under or SIZE[under] > rank:
                            found.append(base + target)
                        if under and not may_jump:
                            break
        return found

    def play(self, state: State, move: int) -> State:
        """The state after the move."""
        if move == PASS:
            return self._passed(state)
        mover = state.mover
        bits = self._geometry.bits
        piles = bytearray(state.piles)
        if move < SHIFT:
            size, place = move >> 6, move & 63
            piles[place] += (mover + 1) * POWERS[size]
            bit = bits[place]
            white, black = state.white, state.black
            if mover:
                white, black = white & ~bit, black | bit
            else:
                white, black = white | bit, black & ~bit
            hands = list(state.hands)
            hands[3 * mover + size] -= 1
            winner = mover if self._geometry.joins(mover, black if mover else white) else -1
            is_movement = winner < 0 and not any(hands)
            return State(
                bytes(piles), tuple(hands), 1 - mover, is_movement, 0, 0, white, black, winner
            )
        move -= SHIFT
        size, start, target = move >> 12, move >> 6 & 63, move & 63
        block = piles[start] % _BLOCKS[size]
        piles[start] -= block
        piles[target] += block
        white, black = state.white, state.black
        for place in (start, target):
            keep = ~bits[place]
            white, black = white & keep, black & keep
            owner = OWNER[piles[place]]
            if owner == 0:
                white |= bits[place]
            elif owner == 1:
                black |= bits[place]
        # A move can complete the opponent's chain too (Q18); both at once are impossible (Q1).
        winner = -1
        if self._geometry.joins(0, white):
            winner = 0
        elif self._geometry.joins(1, black):
            winner = 1
        elif state.turns + 1 >= TURN_LIMIT:
            winner = _DRAW
        return State(
            bytes(piles), state.hands, 1 - mover, True, 0, state.turns + 1, white, black, winner
        )

    def _passed(self, state: State) -> State:
        piles, hands, mover, is_movement, passes, turns, white, black, _ = state
        if is_movement:
            drawn = passes == 1 or turns + 1 >= TURN_LIMIT
            return State(
                piles, hands, 1 - mover, True, passes + 1, turns + 1, white, black,
                _DRAW if drawn else -1,
            )  # fmt: skip
        if passes == 1:
            return State(piles, (0,) * 6, 1 - mover, True, 0, 0, white, black, -1)
        return State(piles, hands, 1 - mover, False, 1, 0, white, black, -1)

    def order(self, state: State, moves: Sequence[int]) -> list[int]:
        """Small pyramids first, since nothing covers them, and the middle before the edges."""
        central = self._geometry.central
        if len(moves) == 1:
            return list(moves)
        if state.is_movement:
            return sorted(moves, key=lambda move: -central[move & 63])
        return sorted(moves, key=lambda move: (-(move >> 6), -central[move & 63]))

    def quiet_from(self, depth: int) -> int:
        """Tries the first dozen moves to the whole depth."""
        return 12 if depth < 5 else 16

    def score(self, state: State) -> int:
        """The lead in tops that the chain still needs, and the firmness of the tops."""
        mine, mine_ways, mine_firm = self._standing(state, state.mover)
        theirs, their_ways, their_firm = self._standing(state, 1 - state.mover)
        score = 40 * (theirs - mine) + 4 * (mine_ways - their_ways) + mine_firm - their_firm + 12
        if mine == 1:
            score += 60
        return score

    def standings(self, state: State) -> Sequence[float]:
        """The same for each seat by itself."""
        found = (self._standing(state, seat) for seat in (0, 1))
        return [4 * ways - 40 * missing + firm for missing, ways, firm in found]

    def _standing(self, state: State, seat: int) -> tuple[int, int, int]:
        """The tops that the chain of ``seat`` still needs, their cells, and its firmness."""
        geometry = self._geometry
        tops = state.black if seat else state.white
        firm = 0
        answer = self._smallest(state, 1 - seat)
        for code, central in zip(state.piles, geometry.central, strict=True):
            if OWNER[code] == seat:
                # A top that no pyramid of the opponent's can cover stays.
                firm += int(central) + (4 if SIZE[code] <= answer else 0)
        takeable = self._takeable(state, seat, self._smallest(state, seat))
        first, last = geometry.sides[seat]
        forward = geometry.layers(first, last, tops, takeable)
        if not forward[-1] & last:
            return geometry.size + 2, 0, firm
        backward = geometry.layers(last, first, tops, takeable)
        count = len(forward) - 1
        ways = 0
        for step in range(1, count + 1):
            ways |= forward[step] & backward[count + 1 - step]
        return count, (ways & takeable).bit_count(), firm

    def _takeable(self, state: State, seat: int, smallest: int) -> int:
        """The cells that the seat can cover with a pyramid of that size or a larger one."""
        found = 0
        for code, bit in zip(state.piles, self._geometry.bits, strict=True):
            size = SIZE[code]
            if size == 0 or (OWNER[code] != seat and size > smallest):
                found |= bit
        return found

    def _smallest(self, state: State, seat: int) -> int:
        """The smallest size in the seat's hand, 1 for Small; 3 if it has none."""
        if state.is_movement:
            return 1
        hand = state.hands[3 * seat : 3 * seat + 3]
        return 1 if hand[2] else 2 if hand[1] else 3


def _code(pile: str) -> int:
    code = 0
    for piece in pile:
        size = SIZES.index(piece.upper())
        code += (1 if piece.isupper() else 2) * POWERS[size]
    return code
