"""Pux for the search: the rules' sets of cells, and moves as numbers.

A position can have hundreds of moves, nearly all of them transports.

A move is a number: the places of the bits of its start and its target, 7 bits each, and above them
one bit for each of the neighbours that go along: left, below, above, right.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import cache, lru_cache
from random import Random
from typing import NamedTuple

from engines.board import ScoredBoard
from games.pux.board import ALL, CELL_OF_BIT, NEIGHBOURS, RIM, bits, directions, shifted
from games.pux.position import QUIET_LIMIT, STONES, Capture, Move, Pass, Position, Shift

PASS = -1
_DRAW = 2
_REWARDS = ((1.0, 0.0), (0.0, 1.0), (0.5, 0.5))
_ALL_MOVES = 1 << 10
_PLAYOUT = 60
"""The number of moves after which a random game is judged."""
_LATE = 80
"""The number of quiet turns from which on it makes a difference (PX-20)."""
_FEW = 12
"""With so many stones left, or half as many on one side, it pays to come near."""
_UP = 9
_SIDES = (-1, -_UP, _UP, 1)
"""The distances in bits of a cell's neighbours: left, below, above, right."""
_RANKS = tuple(
    sum(bit for bit, cell in CELL_OF_BIT.items() if cell.rank == rank) for rank in range(8)
)
_BEYOND = (
    tuple(sum(_RANKS[rank:]) for rank in range(1, 8)),
    tuple(sum(_RANKS[: 8 - rank]) for rank in range(1, 8)),
)
"""For each colour the cells that lie at least 1, 2 ... 7 ranks forward of its first one."""
_LAST = (_RANKS[7], _RANKS[0])
"""For each colour its last rank."""
_NEAR = tuple(NEIGHBOURS.get(1 << place, 0) | 1 << place for place in range(96))
"""For each place the cell with the cells around it."""


class State(NamedTuple):
    """Pieces, side to move, lateral marks, quiet turns, passes; ``winner`` is -1 before the end."""

    white: int
    black: int
    promoted: int
    mover: int
    lateral: int
    quiet: int
    passes: int
    winner: int


@lru_cache(maxsize=20_000)
def _ways(
    place: int, company: int, ahead: int, freedom: int
) -> tuple[int, int, tuple[tuple[tuple[int, int], ...], ...]]:
    """A group, its size, and its lines: its cells after each step, with the move.

    ``freedom`` is 2 for a promoted piece, and 1 more where it may go sideways.
    """
    group = 1 << place
    for number, side in enumerate(_SIDES):
        if company >> number & 1:
            group |= 1 << place + side
    lines = []
    for step in directions(ahead, promoted=freedom > 1):
        if step.is_lateral and not freedom & 1:
            continue
        line = []
        there, target = shifted(group, step.shift), place + step.shift
        while not there & RIM:
            line.append((there, company << 14 | place << 7 | target))
            there, target = shifted(there, step.shift), target + step.shift
        lines.append(tuple(line))
    return group, group.bit_count(), tuple(lines)


@lru_cache(maxsize=20_000)
def _reach(
    place: int, potential: int, ahead: int, freedom: int
) -> tuple[tuple[int, tuple[tuple[int, int], ...]], ...]:
    """The lines of a single piece up to its reach, each with the set of their cells."""
    lines = _ways(place, 0, ahead, freedom)[2]
    short = (line[:potential] for line in lines)
    return tuple((sum(there for there, _ in line), line) for line in short if line)


@cache
def _companies(beside: int) -> tuple[int, ...]:
    """All choices of at least one among the neighbours in ``beside``."""
    return tuple(choice for choice in range(1, 16) if choice & ~beside == 0)


class PuxBoard(ScoredBoard[State, int]):
    """Pux; the search handles repetition."""

    unit = 250
    width = 8

    def start(self, position: Position) -> State:
        """The position; players are numbered as seats."""
        return _ended(
            State(
                position.white,
                position.black,
                position.promoted,
                position.mover,
                position.lateral,
                position.quiet,
                position.passes,
                -1,
            )
        )

    def past(self, position: Position) -> Sequence[Hashable]:
        """The earlier positions that may recur."""
        mask = (1 << 96) - 1
        return [
            (each & mask, each >> 96 & mask, each >> 192 & mask, each >> 288 & 1, each >> 289, 0, 0)
            for each in position.earlier
        ]

    def mover(self, state: State) -> int:
        """The seat on turn."""
        return state.mover

    def rewards(self, state: State) -> tuple[float, ...] | None:
        """Each seat's share of the win."""
        return None if state.winner < 0 else _REWARDS[state.winner]

    def key(self, state: State) -> Hashable:
        """Pieces, turn and marks; near the limit of quiet turns their number too."""
        white, black, promoted, mover, lateral, quiet, passes, _ = state
        return white, black, promoted, mover, lateral, quiet if quiet > _LATE else 0, passes

    def named(self, state: State, move: int) -> Move:
        """The move in the rules' form."""
        if move == PASS:
            return Pass()
        start, target, company = move >> 7 & 127, move & 127, move >> 14
        mover, end = CELL_OF_BIT[1 << start], CELL_OF_BIT[1 << target]
        if not company and (state.white | state.black) >> target & 1:
            return Capture(mover, end)
        riders = tuple(
            CELL_OF_BIT[1 << start + side]
            for number, side in enumerate(_SIDES)
            if company >> number & 1
        )
        return Shift(mover, end, riders)

    def number(self, move: Move) -> int:
        """The number of a move."""
        if isinstance(move, Pass):
            return PASS
        start, target = _place(move.mover.file, move.mover.rank), _place(*move.target)
        company = 0
        for rider in move.riders if isinstance(move, Shift) else ():
            company |= 1 << _SIDES.index(_place(*rider) - start)
        return company << 14 | start << 7 | target

    def where(self, move: int) -> Sequence[tuple[int, int]]:
        """The start of the piece, those that it carries, and its target."""
        if move == PASS:
            return ()
        start, company = move >> 7 & 127, move >> 14
        carried = [start + side for number, side in enumerate(_SIDES) if company >> number & 1]
        places = (start, *carried, move & 127)
        return [((place - 10) % _UP, (place - 10) // _UP) for place in places]

    def sights(self, state: State) -> Sequence[tuple[int, int]]:
        """The enemies."""
        return [CELL_OF_BIT[each] for each in bits(_sides(state)[1])]

    def side(self, key: Hashable, player: int) -> Hashable:
        """The cells of the colour."""
        return key[player] if isinstance(key, tuple) else key

    def moves(self, state: State) -> list[int]:
        """All legal moves; a pass where there is none."""
        return list(self._alone(state)) + list(self._together(state)) or [PASS]

    def _alone(self, state: State, targets: int = ALL, pieces: int = ALL) -> Iterator[int]:
        """The moves of single pieces, out of these, along lines that hold some of the targets."""
        own, enemies = _sides(state)
        promoted, ahead = state.promoted, -1 if state.mover else 1
        sideways = 1 - (state.lateral >> state.mover & 1)
        strong = own & promoted
        weak = enemies & promoted
        occupied = own | enemies
        for one in bits(own & pieces):
            place = one.bit_length() - 1
            near = _NEAR[place]
            potential = (near & own).bit_count() + (near & strong).bit_count()
            freedom = 2 + sideways if one & promoted else sideways
            for cells, line in _reach(place, potential, ahead, freedom):
                if not cells & targets:
                    continue
                for there, move in line:
                    if there & occupied:
                        if there & enemies:
                            around = _NEAR[there.bit_length() - 1]
                            theirs = (around & enemies).bit_count() + (around & weak).bit_count()
                            if potential > theirs:
                                yield move
                        break
                    yield move

    def _together(self, state: State) -> Iterator[int]:
        own, enemies = _sides(state)
        promoted, ahead = state.promoted, -1 if state.mover else 1
        sideways = 1 - (state.lateral >> state.mover & 1)
        strong = own & promoted
        occupied = own | enemies
        for one in bits(own):
            place = one.bit_length() - 1
            near = _NEAR[place]
            potential = (near & own).bit_count() + (near & strong).bit_count()
            beside = sum(
                1 << number for number, side in enumerate(_SIDES) if occupied >> place + side & 1
            )
            freedom = 2 + sideways if one & promoted else sideways
            for company in _companies(beside):
                group, count, lines = _ways(place, company, ahead, freedom)
                others = occupied & ~group
                for line in lines:
                    for there, move in line[: potential // count]:
                        if there & others:
                            break
                        yield move

    def is_loud(self, state: State, move: int) -> bool:
        """Whether it captures or promotes the moving piece."""
        if move < 0 or move >> 14:
            return False
        target = 1 << (move & 127)
        if (state.white | state.black) & target:
            return True
        if not target & _LAST[state.mover] or state.promoted >> (move >> 7 & 127) & 1:
            return False
        return _spare(state, state.mover) > 0 and (move & 127) - (move >> 7 & 127) not in range(
            -7, 8
        )

    def loud(self, state: State, after: int | None = None) -> list[int]:
        """Captures and promotions, the largest capture first; after one only recaptures."""
        if after is not None:
            targets = 1 << (after & 127)
        else:
            targets = state.white if state.mover else state.black
            if _spare(state, state.mover) > 0:
                targets |= _LAST[state.mover]
        found = [
            move
            for move in self._alone(state, targets)
            if targets >> (move & 127) & 1 and self.is_loud(state, move)
        ]
        return sorted(found, key=lambda move: -(state.promoted >> (move & 127) & 1))

    def idle(self, state: State) -> State | None:
        """The same with the other side to move, None with fewer than three pieces."""
        own, _ = _sides(state)
        if own.bit_count() < 3 or state.quiet + 1 >= QUIET_LIMIT:
            return None
        mover = state.mover
        return state._replace(
            mover=1 - mover,
            lateral=state.lateral & ~(1 << mover),
            quiet=state.quiet + 1,
            passes=0,
        )

    def play(self, state: State, move: int) -> State:
        """The state after the move."""
        white, black, promoted, mover, lateral, quiet, passes, _ = state
        lateral &= ~(1 << mover)
        if move == PASS:
            after = State(white, black, promoted, 1 - mover, lateral, quiet + 1, passes + 1, -1)
            return _ended(after)
        start, target, company = move >> 7 & 127, move & 127, move >> 14
        by = target - start
        group = 1 << start
        end = 1 << target
        captured = False
        if company:
            for number, side in enumerate(_SIDES):
                if company >> number & 1:
                    group |= 1 << start + side
        elif (white | black) & end:
            captured = True
            white, black, promoted = white & ~end, black & ~end, promoted & ~end
        white = white & ~group | shifted(white & group, by)
        black = black & ~group | shifted(black & group, by)
        promoted = promoted & ~group | shifted(promoted & group, by)
        risen = 0
        if -8 < by < 8:
            lateral |= 1 << mover
        else:
            arrived = shifted(group, by) & ~promoted
            arrived &= white & _LAST[0] | black & _LAST[1]
            if arrived:
                risen = _promoted(white, black, promoted, arrived, end)
        quiet = 0 if captured or risen else quiet + 1
        return _ended(State(white, black, promoted | risen, 1 - mover, lateral, quiet, 0, -1))

    def playout(self, state: State, rng: Random) -> tuple[float, ...]:
        """Random moves of single pieces for a while; then the side with more stones has won."""
        draw = rng.random
        for _ in range(_PLAYOUT):
            if state.winner >= 0:
                return _REWARDS[state.winner]
            own = list(bits(state.black if state.mover else state.white))
            moves: list[int] = []
            while own and not moves:
                moves = list(self._alone(state, pieces=own.pop(int(draw() * len(own)))))
            moves = moves or self.moves(state)
            state = self.play(state, moves[int(draw() * len(moves))])
        gap = _spare(state, 1) - _spare(state, 0)
        return _REWARDS[_DRAW if not gap else int(gap < 0)]

    def order(self, state: State, moves: Sequence[int]) -> list[int]:
        """Captures and promotions, then single pieces forward, then transports."""
        ahead = -1 if state.mover else 1

        def likelihood(move: int) -> int:
            if self.is_loud(state, move):
                return -1000
            forward = ((move & 127) // _UP - (move >> 7 & 127) // _UP) * ahead
            return (100 if move >> 14 else 0) - forward

        return sorted(moves, key=likelihood) if len(moves) > 1 else list(moves)

    def quiet_from(self, depth: int) -> int:  # noqa: ARG002
        """Tries all moves to the whole depth: the value of a transport shows late."""
        return _ALL_MOVES

    def score(self, state: State) -> int:
        """Stones, the move potential they give each other, and their advance."""
        white, black = self._worth(state)
        return (black - white if state.mover else white - black) + 4

    def standings(self, state: State) -> Sequence[float]:
        """The stones that each colour has taken, as people count, and a tenth of its other values.

        With few stones left they come near the enemy and threaten.
        """
        both = state.white, state.black
        spare = [_spare(state, colour) for colour in (0, 1)]
        found: list[float] = []
        for colour, own in enumerate(both):
            enemies, left = both[1 - colour], STONES - spare[colour]
            rest = (_strength(own, own & state.promoted, colour) - 100 * left) / 10
            if max(spare) >= STONES - _FEW // 2:
                seen = self._alone(state._replace(mover=colour), enemies)
                threats = {move & 127 for move in seen if enemies >> (move & 127) & 1}
                rest += 10 * len(threats) + 4 * (8 * own.bit_count() - _distance(own, enemies))
            found.append(100 * spare[1 - colour] + rest)
        return found

    @staticmethod
    def _worth(state: State) -> tuple[int, int]:
        white, black, promoted = state.white, state.black, state.promoted
        strong, weak = white & promoted, black & promoted
        whites = white.bit_count() + strong.bit_count()
        blacks = black.bit_count() + weak.bit_count()
        light, dark = _strength(white, strong, 0), _strength(black, weak, 1)
        if whites + blacks <= _FEW and whites != blacks:
            # The side with more stones wants to come near.
            if whites > blacks:
                light -= 4 * _distance(white, black)
            else:
                dark -= 4 * _distance(black, white)
        return light, dark


def _sides(state: State) -> tuple[int, int]:
    """The pieces of the side on move, and those of the other."""
    return (state.black, state.white) if state.mover else (state.white, state.black)


def _spare(state: State, colour: int) -> int:
    """The stones that the colour has in reserve (PX-13)."""
    own = state.black if colour else state.white
    return STONES - own.bit_count() - (own & state.promoted).bit_count()


def _promoted(white: int, black: int, promoted: int, arrived: int, last: int) -> int:
    """Those of the arrived stones that their reserves let promote (PX-14 to PX-16)."""
    spare = [STONES - own.bit_count() - (own & promoted).bit_count() for own in (white, black)]
    risen = 0
    for one in sorted(bits(arrived), key=lambda one: (one != last, CELL_OF_BIT[one])):
        colour = 1 if black & one else 0
        if spare[colour]:
            spare[colour] -= 1
            risen |= one
    return risen


def _ended(state: State) -> State:
    """The same with its winner, if it is over (PX-19, PX-20)."""
    white, black, promoted, _, _, quiet, passes, _ = state
    if not black:
        return state._replace(winner=0)
    if not white:
        return state._replace(winner=1)
    if (
        quiet >= QUIET_LIMIT
        or passes >= 2
        or (white | black == promoted and white.bit_count() == 1 and black.bit_count() == 1)
    ):
        return state._replace(winner=_DRAW)
    return state


@lru_cache(maxsize=50_000)
def _strength(own: int, strong: int, colour: int) -> int:
    """The value of the pieces of one colour alone; a move seldom changes both colours."""
    stones = own.bit_count() + strong.bit_count()
    return 100 * stones + 3 * _together(own, strong) + _advance(own & ~strong, colour, stones)


def _together(own: int, strong: int) -> int:
    """The number of neighbours of their own colour, summed over all stones."""
    total = 0
    for by in (1, _UP, _UP + 1, _UP - 1):
        total += 2 * (own & own >> by).bit_count()
        if strong:
            total += (own & strong >> by).bit_count() + (strong & own >> by).bit_count()
    return total


def _advance(singles: int, colour: int, stones: int) -> int:
    """The value of the ranks that single stones have advanced: more with a reserve."""
    worth = 0
    for cells in _BEYOND[colour]:
        worth += (singles & cells).bit_count()
    return 2 * worth if stones == STONES else 5 * worth


def _distance(own: int, enemies: int) -> int:
    """The steps between the two armies, summed over the pieces of the first."""
    total, reach = 0, enemies
    while far := own & ~reach:
        total += far.bit_count()
        reach = (reach | reach << 1 | reach >> 1) & ALL
        reach = (reach | reach << _UP | reach >> _UP) & ALL
    return total


def _place(file: int, rank: int) -> int:
    return 10 + _UP * rank + file
