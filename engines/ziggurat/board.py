"""Ziggurat for the search: a byte a pile, and tables of the moves of each pile.

A pile is a number, its place in the sorted list of all piles, 0 for an empty square. Sets of kinds
are numbers of three bits, Q, D, W from the lowest. A move is a number: -1 passes, ``start * 36 +
target`` travels, numbers from :data:`EXIT` on exit, those from :data:`REINFORCE` on reinforce.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from engines.board import ScoredBoard
from games.ziggurat.board import (
    CELLS,
    EXITS,
    FILES,
    HOMES,
    INDEX,
    JUMPS,
    KEEPS,
    KINDS,
    LETTERS,
    PILES,
    RANK_OF,
    RAYS,
    TOWERS,
    Exit,
    Move,
    Pass,
    Reinforce,
    Travel,
    last_row,
    owner,
)
from games.ziggurat.position import Position
from games.ziggurat.turns import is_capture

PASS = -1
EXIT = 36 * 36
REINFORCE = EXIT + 36
_SQUARES = FILES * FILES
_DRAW = 2
_REWARDS = ((1.0, 0.0), (0.0, 1.0), (0.5, 0.5))
_ALL_KINDS = 7

_PILES = ("", *sorted(PILES))
_NUMBER = {pile: number for number, pile in enumerate(_PILES)}
_OWNER = tuple(-1 if not pile else int(owner(pile) or 0) for pile in _PILES)
_IS_SINGLE = tuple(len(pile) == 1 for pile in _PILES)
_TOP = tuple(KINDS.index(pile[-1].upper()) if pile else -1 for pile in _PILES)
"""For each pile the kind of its top."""
_WITHOUT_TOP = tuple(_NUMBER[pile[:-1]] if pile else 0 for pile in _PILES)
_ONTO = tuple(
    tuple(
        _NUMBER[under + unit] if unit and under and is_capture(unit, under) else 0
        for under in _PILES
    )
    for unit in _PILES
)
"""For each unit and each pile the result of its capture, 0 where it may not capture."""


def _kinds(seat: int, pile: str) -> int:
    return sum(1 << which for which, letter in enumerate(LETTERS[seat]) if letter in pile)


_OWN = tuple(
    tuple(_kinds(seat, pile) if pile and owner(pile) == seat else 0 for pile in _PILES)
    for seat in (0, 1)
)
"""For each seat and pile the kinds of the seat's pieces in it, if the pile is the seat's."""
_CAUGHT = tuple(
    tuple(_kinds(seat, pile) if pile and owner(pile) != seat else 0 for pile in _PILES)
    for seat in (0, 1)
)
"""The same if the pile is the opponent's."""


def _ways(pile: str) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For each square the lines of a Zig or Keep, up to its reach.

    Lines for captures only (of a Zig) come last: see :data:`_FORWARD`.
    """
    if not pile or pile.upper() in TOWERS:
        return ((),) * _SQUARES
    reach = RANK_OF[pile[0].upper()]
    up = 1 if owner(pile) == 0 else -1
    if pile.upper() in KEEPS:
        directions = ((0, -1), (-1, 0), (1, 0), (0, 1))
    else:
        directions = ((-1, up), (1, up), (-1, -up), (1, -up))
    return tuple(
        tuple(RAYS[direction][place][:reach] for direction in directions)
        for place in range(_SQUARES)
    )


_WAYS = tuple(map(_ways, _PILES))
_FORWARD = tuple(2 if len(pile) == 1 else 4 for pile in _PILES)
"""For each pile the number of its lines that do not need a capture."""
_IS_TOWER = tuple(pile.upper() in TOWERS for pile in _PILES)


def _exits(pile: str, place: int) -> tuple[tuple[int, ...], ...] | None:
    """The lines for an exit, one of which must be empty; None if there is no exit."""
    if not pile:
        return None
    seat = int(owner(pile) or 0)
    if len(pile) > 1:
        return ((),) if place // FILES == last_row(seat) else None
    reach = RANK_OF[pile.upper()]
    return tuple(way for way in EXITS[seat][place] if len(way) < reach) or None


_EXITS = tuple(tuple(_exits(pile, place) for place in range(_SQUARES)) for pile in _PILES)


def _turns(pile: str, place: int) -> int:
    """About the number of turns that the top of a pile needs to exit, in quarters of a turn."""
    if not pile:
        return 0
    seat = int(owner(pile) or 0)
    rows = abs(last_row(seat) - place // FILES) + 1
    if len(pile) == 1:
        reach = RANK_OF[pile.upper()]
        return 4 * -(-rows // reach) + (rows % reach == 0 and reach > 1)
    if pile.upper() in TOWERS:
        return 4 * (rows // 2 + 1) + 1
    return 4 * (-(-(rows - 1) // RANK_OF[pile[0].upper()]) + 1) + 1


_TURNS = tuple(tuple(_turns(pile, place) for place in range(_SQUARES)) for pile in _PILES)


def _worth(number: int) -> tuple[int, int, tuple[int, ...], int, tuple[int, ...]]:
    """The owner of a pile, its top, the own kinds in it, its value, its turns.

    Kinds are numbered from 0 for South and from 3 for North.
    """
    seat = max(0, _OWNER[number])
    kinds = tuple(3 * seat + kind for kind in range(3) if _OWN[seat][number] >> kind & 1)
    worth = 0 if _IS_SINGLE[number] else _TWO_AS_TOWER if _IS_TOWER[number] else _AS_KEEP
    if len(_PILES[number]) == 3 and _IS_TOWER[number]:
        worth = _THREE_AS_TOWER
    return seat, 3 * seat + _TOP[number], kinds, worth, _TURNS[number]


# These were fitted to the winners of 260 games of the engine against itself (logistic regression).
_TURN = 6
"""The value of a quarter of a turn."""
_LAST_TURN = 5
"""Its additional value for the kind that needs most turns, without which there is no win."""
_TWO_AS_TOWER, _THREE_AS_TOWER, _AS_KEEP = 36, 12, 24
_EXITED = (0, 60, 60)
"""The additional value of the exit of a kind, besides the saved turns."""
_BEHIND = 24
"""The additional value of an exit at a glance: it is sure."""
_SPARE = (-40, 0, 8, 8)
"""The value of controlling several pieces of a kind that is still to exit."""
_WORTH = tuple(map(_worth, range(len(_PILES))))
_FROM_RESERVE = (14, 20, 32)
"""The turns of a piece of each kind in reserve, including the one that puts it on the board."""
_LOST = 46
"""The turns of a kind that is neither on top of a pile nor in reserve."""
_HOMES = tuple(
    tuple(
        tuple(last_row(1 - seat) * FILES + file for file in range(FILES) if HOMES[file] == kind)
        for kind in KINDS
    )
    for seat in (0, 1)
)
"""For each seat and kind the home squares."""


class State(NamedTuple):
    """Piles, side to move, reserves and exits as sets of kinds, passes in a row.

    ``winner`` is -1 before the end, 2 for a draw.
    """

    piles: bytes
    mover: int
    reserves: tuple[int, int]
    exited: tuple[int, int]
    passes: int
    winner: int


class ZigguratBoard(ScoredBoard[State, int]):
    """Ziggurat; the search handles repetition."""

    unit = 120
    width = FILES

    def start(self, position: Position) -> State:
        """The position; players are numbered as seats."""
        winner = -1
        if position.ending is not None:
            winner = _DRAW if position.ending.winner is None else position.ending.winner
        return State(
            bytes(_NUMBER[pile] for pile in position.piles),
            position.mover,
            (_set(position.reserves[0]), _set(position.reserves[1])),
            (_set(position.exited[0]), _set(position.exited[1])),
            position.passes,
            winner,
        )

    def past(self, position: Position) -> Sequence[Hashable]:
        """The earlier positions that may recur."""
        now = self.start(position)
        found: list[Hashable] = []
        mover = now.mover
        for piles in reversed(position.past):
            mover = 1 - mover
            before = bytes(_NUMBER[pile] for pile in piles)
            found.append((before, mover, now.reserves, now.exited, 0))
        return found

    def mover(self, state: State) -> int:
        """The seat on turn."""
        return state.mover

    def rewards(self, state: State) -> tuple[float, ...] | None:
        """Each seat's share of the win."""
        return None if state.winner < 0 else _REWARDS[state.winner]

    def key(self, state: State) -> Hashable:
        """The whole state but its end."""
        return state[:5]

    def named(self, state: State, move: int) -> Move:  # noqa: ARG002
        """The move in the rules' form."""
        if move == PASS:
            return Pass()
        if move < EXIT:
            return Travel(CELLS[move // _SQUARES], CELLS[move % _SQUARES])
        if move < REINFORCE:
            return Exit(CELLS[move - EXIT])
        move -= REINFORCE
        return Reinforce(KINDS[move // _SQUARES], CELLS[move % _SQUARES])

    def number(self, move: Move) -> int:
        """The number of a move."""
        match move:
            case Travel(start, target):
                return INDEX[start] * _SQUARES + INDEX[target]
            case Exit(start):
                return EXIT + INDEX[start]
            case Reinforce(kind, cell):
                return REINFORCE + KINDS.index(kind) * _SQUARES + INDEX[cell]
        return PASS

    def where(self, move: int) -> Sequence[tuple[int, int]]:
        """The start and the target, if any."""
        if move == PASS:
            return ()
        places = divmod(move, _SQUARES) if move < EXIT else (move % _SQUARES,)
        return [(place % FILES, place // FILES) for place in places]

    def moves(self, state: State) -> list[int]:
        """All turns; a pass where there is none."""
        loud, quiet = self._turns_of(state, with_quiet=True)
        return loud + quiet or [PASS]

    def loud(self, state: State, after: int | None = None) -> list[int]:  # noqa: ARG002
        """Exits and captures."""
        return self._turns_of(state, with_quiet=False)[0]

    def is_loud(self, state: State, move: int) -> bool:
        """Whether it exits or captures."""
        return EXIT <= move < REINFORCE or (0 <= move < EXIT and bool(state.piles[move % _SQUARES]))

    def _turns_of(self, state: State, *, with_quiet: bool) -> tuple[list[int], list[int]]:
        piles, mover = state.piles, state.mover
        exited = state.exited[mover]
        loud: list[int] = []
        quiet: list[int] = []
        for place, unit in enumerate(piles):
            if _OWNER[unit] != mover:
                continue
            onto = _ONTO[unit]
            base = place * _SQUARES
            if not exited >> _TOP[unit] & 1:
                for way in _EXITS[unit][place] or ():
                    if not any(piles[step] for step in way):
                        loud.append(EXIT + place)
                        break
            if _IS_TOWER[unit]:
                for target, first, second in JUMPS[place]:
                    if not piles[first] or not piles[second]:
                        under = piles[target]
                        if not under:
                            quiet.append(base + target)
                        elif onto[under]:
                            loud.append(base + target)
                continue
            forward = _FORWARD[unit]
            for number, ray in enumerate(_WAYS[unit][place]):
                for target in ray:
                    under = piles[target]
                    if under:
                        if onto[under]:
                            loud.append(base + target)
                        break
                    if number < forward:
                        quiet.append(base + target)
        reserve = state.reserves[mover]
        if with_quiet and reserve:
            for kind in range(3):
                if reserve >> kind & 1:
                    base = REINFORCE + kind * _SQUARES
                    quiet += [base + home for home in _HOMES[mover][kind] if not piles[home]]
        return loud, quiet

    def play(self, state: State, move: int) -> State:
        """The state after the turn."""
        piles, mover, reserves, exited, passes, _ = state
        if move == PASS:
            winner = _DRAW if passes == 1 else -1
            return State(piles, 1 - mover, reserves, exited, passes + 1, winner)
        board = bytearray(piles)
        if move < EXIT:
            start, target = divmod(move, _SQUARES)
            unit, under = board[start], board[target]
            board[start] = 0
            if not under:
                board[target] = unit
                return State(bytes(board), 1 - mover, reserves, exited, 0, -1)
            board[target] = _ONTO[unit][under]
        elif move < REINFORCE:
            place = move - EXIT
            unit = board[place]
            gone = exited[mover] | 1 << _TOP[unit]
            exited = (gone, exited[1]) if mover == 0 else (exited[0], gone)
            board[place] = _WITHOUT_TOP[unit]
            if gone == _ALL_KINDS:
                return State(bytes(board), 1 - mover, reserves, exited, 0, mover)
        else:
            kind, place = divmod(move - REINFORCE, _SQUARES)
            board[place] = _NUMBER[LETTERS[mover][kind]]
            left = reserves[mover] & ~(1 << kind)
            reserves = (left, reserves[1]) if mover == 0 else (reserves[0], left)
            return State(bytes(board), 1 - mover, reserves, exited, 0, -1)
        # Only a capture or an exit can change the control of pieces (Z20 to Z22).
        winner = -1
        for seat in (1 - mover, mover):
            if self._has_lost_control(board, seat, reserves[seat] | exited[seat]):
                winner = 1 - seat
                break
        return State(bytes(board), 1 - mover, reserves, exited, 0, winner)

    @staticmethod
    def _has_lost_control(board: bytearray, seat: int, safe: int) -> bool:
        own, caught = _OWN[seat], _CAUGHT[seat]
        controlled = held = 0
        for pile in board:
            if pile:
                controlled |= own[pile]
                held |= caught[pile]
        return bool(held & ~controlled & ~safe)

    def order(self, state: State, moves: Sequence[int]) -> list[int]:
        """Exits and captures, then travels by their distance forward."""
        piles = state.piles

        def gain(move: int) -> int:
            if move >= REINFORCE or move == PASS:
                return 0
            if move >= EXIT:
                return -100
            start, target = divmod(move, _SQUARES)
            if piles[target]:
                return -50
            turns = _TURNS[piles[start]]
            return turns[target] - turns[start]

        return sorted(moves, key=gain)

    def score(self, state: State) -> int:
        """The mover's lead in turns to the exits, and the quality of its piles."""
        south, north = self._worth(state)
        return (north - south if state.mover else south - north) + 12

    def standings(self, state: State) -> Sequence[float]:
        """The same for each seat by itself; people like to have an exit behind them."""
        gone = (each.bit_count() for each in state.exited)
        return [
            worth + _BEHIND * each for worth, each in zip(self._worth(state), gone, strict=True)
        ]

    def side(self, key: Hashable, player: int) -> Hashable:
        """The piles of the seat."""
        piles = key[0] if isinstance(key, tuple) else ()
        return tuple(pile if _OWNER[pile] == player else 0 for pile in piles)

    @staticmethod
    def _worth(state: State) -> list[int]:
        best = [_LOST] * 6
        count = [0] * 6
        worth = [0, 0]
        for place, pile in enumerate(state.piles):
            if not pile:
                continue
            seat, top, kinds, whole, turns = _WORTH[pile]
            worth[seat] += whole
            best[top] = min(best[top], turns[place])
            for kind in kinds:
                count[kind] += 1
        for seat in (0, 1):
            exited, reserve = state.exited[seat], state.reserves[seat]
            total = last = well = 0
            for kind in range(3):
                if exited >> kind & 1:
                    well += _EXITED[kind]
                    continue
                number = 3 * seat + kind
                turns_left, pieces = best[number], count[number]
                if reserve >> kind & 1:
                    turns_left = min(turns_left, _FROM_RESERVE[kind])
                    pieces += 1
                total += turns_left
                last = max(last, turns_left)
                well += _SPARE[min(3, pieces)]
            worth[seat] += well - _TURN * total - _LAST_TURN * last
        return worth


def _set(kinds: str) -> int:
    return sum(1 << KINDS.index(kind) for kind in kinds)
