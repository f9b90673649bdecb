"""Pythagoras for the search: states, and playouts on a board that changes in place.

A move is a number: the place of the space's bit in the lowest 7 bits, the index of the size in the
next 2, and above them 0 for a place, 1 for a pin, 2 for the Pit.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random
from typing import NamedTuple

from engines.board import Board
from engines.pythagoras.grids import COLUMN, GRID, RANK, legal, shown, totals
from games.pythagoras.board import SPACE_OF_BIT, UP, bits, space
from games.pythagoras.position import COLOURS, SIZES, Move, Pin, Pit, Place, Position

PLACE, PIN, PIT = 0, 1, 2
_COLUMN_AT = {bit: COLUMN[place.file] for bit, place in SPACE_OF_BIT.items()}
_RANK_AT = {bit: RANK[place.rank] for bit, place in SPACE_OF_BIT.items()}
_GRID_AT = {bit: place.grid for bit, place in SPACE_OF_BIT.items()}
_WINS = 0.8
"""The weight of the winner in a playout; the rest goes by the lead in points."""
_ENOUGH = 5
"""The number of spaces for a size that is enough."""
_ROOM = {2: (0.0, 1.5, 3.0), 4: (0.0, 0.7, 0.6)}
"""At a glance, in points: for two players the value of a Small, Medium or Large in hand that has a
space, for four that of a space for one; for them the former made level 2 better than level 3."""
_SAFE = 0.6
"""The value of a lead of two tops in a rank, times the rank's number."""
_SPREAD = 60.0
"""The points above the mean that count as much as the win itself in that rest."""


class State(NamedTuple):
    """Pyramids, hands and Pits by colour and size, the colour on turn, and whether it moves again.

    ``bonuses`` has the owner of each grid, -1 for none.
    """

    pyramids: tuple[int, ...]
    hands: tuple[int, ...]
    pits: tuple[int, ...]
    mover: int
    owes: bool
    bonuses: tuple[int, ...]
    is_over: bool


class Table:
    """A state that changes in place; ``shown`` counts the tops of each colour in each rank."""

    __slots__ = ("bonuses", "hands", "mover", "owes", "pits", "pyramids", "shown")

    def __init__(self, state: State) -> None:
        self.pyramids = list(state.pyramids)
        self.hands = list(state.hands)
        self.pits = list(state.pits)
        self.mover = state.mover
        self.owes = state.owes
        self.bonuses = list(state.bonuses)
        self.shown = shown(state.pyramids)

    def play(self, move: int) -> None:
        """Make a legal move."""
        kind, size, bit = move >> 9, move >> 7 & 3, 1 << (move & 127)
        mover = self.mover
        index = 3 * mover + size
        self.hands[index] -= 1
        again = False
        if kind == PIT:
            self.pits[index] += 1
        else:
            rank = (move & 127) // UP
            self.shown[mover][rank] += 1
            if kind == PIN:
                for colour in range(4):
                    if self.pyramids[3 * colour + size - 1] & bit:
                        self.shown[colour][rank] -= 1
            self.pyramids[index] |= bit
            if kind == PLACE:
                occupied = 0
                for spaces in self.pyramids:
                    occupied |= spaces
                empty = ~occupied
                again = not (_COLUMN_AT[bit] & empty and _RANK_AT[bit] & empty)
                if again and not GRID[_GRID_AT[bit]] & empty:
                    self.bonuses[_GRID_AT[bit]] = mover
        self._pass_on(again=again)

    def _pass_on(self, *, again: bool) -> None:
        hands, mover = self.hands, self.mover
        own = 3 * mover
        if again and (hands[own] or hands[own + 1] or hands[own + 2]):
            self.owes = True
            return
        self.owes = False
        for step in (1, 2, 3, 4):
            following = (mover + step) % 4
            other = 3 * following
            if hands[other] or hands[other + 1] or hands[other + 2]:
                self.mover = following
                return

    def is_over(self) -> bool:
        """Whether no colour can place or pin."""
        first = self.mover
        return not any(legal(self.pyramids, self.hands, (first + step) % 4) for step in range(4))

    def state(self) -> State:
        """The present state of the table."""
        return State(
            tuple(self.pyramids),
            tuple(self.hands),
            tuple(self.pits),
            self.mover,
            self.owes,
            tuple(self.bonuses),
            self.is_over(),
        )


class PythagorasBoard(Board[State, int]):
    """Pythagoras for four, or for two with two colours each."""

    unit = 10.0
    width = 12

    def __init__(self, players: int) -> None:
        self.players = players

    def start(self, position: Position) -> State:
        """The position; players are numbered as seats."""
        hands = tuple(position.in_hand(colour, size) for colour in COLOURS for size in SIZES)
        bonuses = tuple(-1 if owner is None else owner for owner in position.bonuses)
        state = State(
            position.pyramids, hands, position.pits, position.mover, position.owes, bonuses, False
        )
        return state._replace(is_over=Table(state).is_over())

    def mover(self, state: State) -> int:
        """The seat of the colour on turn."""
        return state.mover % self.players

    def rewards(self, state: State) -> tuple[float, ...] | None:
        """An even share of the win for each of the best."""
        return tuple(self._shares(self.points(state))) if state.is_over else None

    def points(self, state: State | Table) -> list[int]:
        """The points of each player."""
        points = [0] * self.players
        for colour, total in enumerate(totals(state.pyramids, state.pits, state.bonuses)):
            points[colour % self.players] += total
        return points

    @staticmethod
    def _shares(points: Sequence[int]) -> list[float]:
        best = max(points)
        share = 1 / points.count(best)
        return [share if each == best else 0.0 for each in points]

    def key(self, state: State) -> Hashable:
        """The whole state."""
        return state

    def named(self, state: State, move: int) -> Move:  # noqa: ARG002
        """The move in the rules' form."""
        kind, size = move >> 9, (move >> 7 & 3) + 1
        if kind == PIT:
            return Pit(size)
        name = SPACE_OF_BIT[1 << (move & 127)].name
        return Pin(size, name) if kind == PIN else Place(size, name)

    def number(self, move: Move) -> int:
        """The number of a move."""
        size = move.size - 1 << 7
        if isinstance(move, Pit):
            return PIT << 9 | size
        where = space(move.space).bit.bit_length() - 1
        return (PIN if isinstance(move, Pin) else PLACE) << 9 | size | where

    def standings(self, state: State) -> Sequence[float]:
        """The points on the board, room for the pyramids in hand, and safe ranks."""
        found: list[float] = list(map(float, self.points(state)))
        tops = shown(state.pyramids)
        for colour in range(4):
            player = colour % self.players
            for size, places, pins in legal(state.pyramids, state.hands, colour):
                most = state.hands[3 * colour + size] if self.players == 2 else _ENOUGH
                found[player] += _ROOM[self.players][size] * min(most, (places | pins).bit_count())
            others = [each for other, each in enumerate(tops) if other != colour]
            for rank, own in enumerate(tops[colour]):
                if own >= 2 + max(each[rank] for each in others):
                    found[player] += _SAFE * (rank + 1)
        return found

    def where(self, move: int) -> Sequence[tuple[int, int]]:
        """The filled space, if any."""
        place = move & 127
        return [] if move >> 9 == PIT else [(place % UP, place // UP)]

    def sights(self, state: State) -> Sequence[tuple[int, int]]:
        """The spaces with pyramids."""
        occupied = 0
        for spaces in state.pyramids:
            occupied |= spaces
        return [(place.file, place.rank) for place in map(SPACE_OF_BIT.__getitem__, bits(occupied))]

    def takes(self, state: State, move: int) -> bool:  # noqa: ARG002
        """Whether it is a pin."""
        return move >> 9 == PIN

    def moves(self, state: State) -> list[int]:
        """Places and pins; one move to the Pit a size where there are none."""
        found: list[int] = []
        for size, places, pins in legal(state.pyramids, state.hands, state.mover):
            found += [size << 7 | bit.bit_length() - 1 for bit in bits(places)]
            found += [PIN << 9 | size << 7 | bit.bit_length() - 1 for bit in bits(pins)]
        if found:
            return found
        own = 3 * state.mover
        return [PIT << 9 | size << 7 for size in range(3) if state.hands[own + size]]

    def play(self, state: State, move: int) -> State:
        """The state after the move."""
        table = Table(state)
        table.play(move)
        return table.state()

    def playout(self, state: State, rng: Random) -> tuple[float, ...]:
        """A game played to its end."""
        table = Table(state)
        while True:
            found = legal(table.pyramids, table.hands, table.mover)
            if found:
                table.play(self.drawn(table, found, rng))
            elif table.is_over():
                return self._judged(self.points(table))
            else:
                own = 3 * table.mover
                size = 0 if table.hands[own] else 1 if table.hands[own + 1] else 2
                table.play(PIT << 9 | size << 7)

    def drawn(self, table: Table, found: Sequence[tuple[int, int, int]], rng: Random) -> int:
        """The better of two random moves, by their immediate points."""
        choices: list[int] = []
        for size, places, pins in found:
            choices += [size << 7 | bit.bit_length() - 1 for bit in bits(places)]
            choices += [PIN << 9 | size << 7 | bit.bit_length() - 1 for bit in bits(pins)]
        draw = rng.random
        move = choices[int(draw() * len(choices))]
        other = choices[int(draw() * len(choices))]
        if other != move and _gain(table, other) > _gain(table, move):
            return other
        return move

    def _judged(self, points: Sequence[int]) -> tuple[float, ...]:
        mean = sum(points) / len(points)
        even = 1 / len(points)
        return tuple(
            _WINS * share + (1 - _WINS) * min(1.0, max(0.0, even + (own - mean) / _SPREAD))
            for share, own in zip(self._shares(points), points, strict=True)
        )


def _gain(table: Table, move: int) -> float:
    """About the immediate points of a move for its colour."""
    kind, size, place = move >> 9, move >> 7 & 3, move & 127
    if kind == PIT:
        return -1.0 - size
    rank = place // UP
    if kind == PLACE:
        return 1.0 + size + 0.4 * rank
    bit = 1 << place
    own = 3 * table.mover
    if table.pyramids[own + size - 1] & bit:
        return -0.5
    below = size + (1 if size == 2 and any(table.pyramids[3 * c] & bit for c in range(4)) else 0)
    # It takes as much from its owner as it showed.
    return 1.0 + size - below + 0.6 * size + 0.4 * rank
