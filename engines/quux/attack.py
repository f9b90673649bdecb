"""Quux as a question with two answers: whether a seat can force its chain in the placement phase.

Draws and the movement phase count as no. So a yes is a win under the rules, and a no says only that
a win, if there is one, takes longer.

While pyramids are placed, only tops and hands matter, and of a top only the pyramids of the other
hand that can cover it. So a pile counts as the smallest top with the same possible covers, and a
top that nothing can cover any more counts as a Small.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from engines.quux.board import OWNER, PASS, SIZE, QuuxBoard, geometry_of
from games.quux import Quux
from games.quux.board import SIZES, Move, Pass, Place
from games.quux.position import Position

State = tuple[int, ...]
"""The side on move, passes in a row, both hands, then the Large, Medium and Small tops of the side
on move and those of the other side. After the end: the side on move and the winner, or -1.

In a hand three bits count a size: White's Large, Medium and Small from the lowest bits on, then
Black's.
"""
_NEVER = 99
"""The number of missing tops where nothing can join the sides."""
_FAR = 12
"""The number beyond which guesses grow no more."""


class Attack:
    """The board for :class:`engines.solver.Solver`, with ``attacker`` to win.

    Without a ``size`` it is that of the options.
    """

    def __init__(self, game: Quux, attacker: int, size: int | None = None) -> None:
        size = size or int(game.options["size"])
        self._board = QuuxBoard(game, size)
        self._attacker = attacker
        self._geometry = geometry = geometry_of(size)
        # All of these are asked for again and again.
        self._gaps = cache(geometry.gaps)
        self._joins = cache(geometry.joins)
        self._sizes = cache(self._sizes_now)
        self._moves = cache(self._all_moves)
        self._missing = cache(self._steps(attacker, geometry.near))
        self._wall = cache(self._steps(1 - attacker, geometry.around))

    def start(self, position: Position) -> State:
        """The state of a position of the placement phase or of the end."""
        state = self._board.start(position)
        if state.winner >= 0 or state.is_movement:
            return state.mover, state.winner
        tops = [0] * 6
        for code, bit in zip(state.piles, self._geometry.bits, strict=True):
            if code:
                tops[3 * (OWNER[code] != state.mover) + 3 - SIZE[code]] |= bit
        hands = sum(count << 3 * place for place, count in enumerate(state.hands))
        return self._reduced(state.mover, state.passes, hands, *tops)

    @staticmethod
    def _reduced(mover: int, passes: int, hands: int, *tops: int) -> State:
        """The state with tops as small as possible for the same covers."""
        ml, mm, ms, tl, tm, ts = tops
        mine, theirs = (hands >> 9, hands) if mover else (hands, hands >> 9)
        if not theirs & 0o070:
            ml, mm, ms = (0, mm | ml, ms) if theirs & 0o700 else (0, mm, ms | ml)
        if not theirs & 0o700:
            mm, ms = 0, ms | mm
        if not mine & 0o070:
            tl, tm, ts = (0, tm | tl, ts) if mine & 0o700 else (0, tm, ts | tl)
        if not mine & 0o700:
            tm, ts = 0, ts | tm
        return mover, passes, hands, ml, mm, ms, tl, tm, ts

    def named(self, state: State, move: int) -> Move:  # noqa: ARG002
        """The move in the rules' form."""
        if move == PASS:
            return Pass()
        return Place(SIZES[move >> 6], self._geometry.cells[move & 63])

    def moves(self, state: State) -> Sequence[int]:
        """The legal moves, the smallest pyramids first."""
        mover, _, hands, ml, mm, ms, tl, tm, ts = state
        empty = self._geometry.all & ~(ml | mm | ms | tl | tm | ts)
        on = empty, empty | tl, empty | tl | tm
        found: list[int] = []
        for size in self._sizes(hands, mover):
            found += self._moves(size, on[size])
        return found or [PASS]

    def _sizes_now(self, hands: int, mover: int) -> list[int]:
        """The sizes that may be placed, the smallest first."""
        each = tuple(hands >> 3 * place & 7 for place in range(6))
        return self._board.sizes(each, mover)[::-1]

    def _all_moves(self, size: int, cells: int) -> list[int]:
        return [size * 64 + place for place, bit in enumerate(self._geometry.bits) if bit & cells]

    def play(self, state: State, move: int) -> State:
        """A state with the same value as the one after the move."""
        mover, passes, hands, ml, mm, ms, tl, tm, ts = state
        if move == PASS:
            if passes:
                return 1 - mover, -1
            return 1 - mover, 1, hands, tl, tm, ts, ml, mm, ms
        size, bit = move >> 6, self._geometry.bits[move & 63]
        if size == 0:
            ml |= bit
        elif size == 1:
            mm |= bit
        else:
            ms |= bit
        if self._joins(mover, ml | mm | ms):
            return 1 - mover, mover
        hands -= 1 << 3 * (3 * mover + size)
        if not hands:
            return 1 - mover, -1
        return self._reduced(1 - mover, 0, hands, tl & ~bit, tm & ~bit, ts, ml, mm, ms)

    def forced(self, state: State) -> tuple[bool | None, Sequence[int]]:
        """Whether the side on move reaches its goal, if that is plain, and its moves.

        The attacker's goal is the chain, the other side's is to prevent it. Moves that let the
        opponent complete a chain immediately are left out.
        """
        attacks = state[0] == self._attacker
        if len(state) == 2:
            return attacks == (state[1] == self._attacker), []
        mover, _, hands, ml, mm, ms, tl, tm, ts = state
        mine, theirs = ml | mm | ms, tl | tm | ts
        empty = self._geometry.all & ~(mine | theirs)
        sizes = self._sizes(hands, mover)
        if sizes and self._gaps(mover, mine) & (empty, empty | tl, empty | tl | tm)[sizes[0]]:
            return True, []
        if self._missing(*self._reach(state, self._attacker)) == _NEVER:
            return not attacks, []
        moves = self.moves(state)
        other = 1 - mover
        on = empty, empty | ml, empty | ml | mm
        sizes, gaps = self._sizes(hands, other), self._gaps(other, theirs)
        if sizes and gaps & on[sizes[0]]:
            # Only on the gaps or on tops of the opponent can a move prevent that.
            bits, here, kept = self._geometry.bits, gaps | theirs, []
            for move in moves:
                bit = 0 if move == PASS else bits[move & 63]
                if not bit & here:
                    continue
                size = move >> 6
                smallest = self._sizes(hands - (1 << 3 * (3 * mover + size)), other)[0]
                cover = on[smallest] | bit if size < smallest else on[smallest] & ~bit
                if not self._gaps(other, theirs & ~bit) & cover:
                    kept.append(move)
            moves = kept
        return (None if moves else False), moves

    def efforts(self, state: State, moves: Sequence[int]) -> tuple[int, int]:
        """Twice as much for each top that the chain still needs, or the wall against it."""
        chain = self._missing(*self._reach(state, self._attacker))
        wall = self._wall(*self._reach(state, 1 - self._attacker))
        mine, theirs = (1 << max(min(each, _FAR) - 1, 0) for each in (chain, wall))
        if state[0] != self._attacker:
            mine, theirs = theirs, mine
        return mine, theirs * len(moves)

    def _reach(self, state: State, seat: int) -> tuple[int, int]:
        """For the attacker the tops and the cells that it may cover.

        For the other side its tops that stay, and all others that it has or may cover.
        """
        mover, _, hands, ml, mm, ms, tl, tm, ts = state
        empty = self._geometry.all & ~(ml | mm | ms | tl | tm | ts)
        if mover != seat:
            ml, mm, ms, tl, tm, ts = tl, tm, ts, ml, mm, ms
        hand = hands >> 9 if seat else hands
        cover = empty | tl | tm if hand & 0o700 else empty | tl if hand & 0o070 else empty
        return (ml | mm | ms, cover) if seat == self._attacker else (ms, cover | ml | mm)

    def _steps(self, seat: int, near: Callable[[int], int]) -> Callable[[int, int], int]:
        """The number of tops that join the sides of ``seat``, large if nothing can."""
        first, last = self._geometry.sides[seat]

        def steps(tops: int, takeable: int) -> int:
            layers = self._geometry.layers(first, last, tops, takeable, near)
            return len(layers) - 1 if layers[-1] & last else _NEVER

        return steps
