"""Quux as a question with two answers: whether a seat can force its chain in the placement phase.

Draws and the movement phase count as no. So a yes is a win under the rules, and a no says only that
a win, if there is one, takes longer.

While pyramids are placed, only tops and hands matter, and of a top only the pyramids of the other
hand that can cover it. So a pile counts as the smallest top with the same possible covers.
"""

from __future__ import annotations

from functools import cache

from engines.quux.board import OWNER, PASS, POWERS, SIZE, QuuxBoard, State
from games.quux import Quux


@cache
def _as_small(*held: bool) -> tuple[int, ...]:
    """For each pile its top alone, as small as possible with the same covers by these hands.

    The hands are White's Medium and Small, then Black's.
    """
    table = [0] * 27
    for seat in (0, 1):
        medium, small = held[2 - 2 * seat : 4 - 2 * seat]
        two = 2 if small else 1
        sizes = (0, 1, two, 3 if medium else two)
        for code in range(1, 27):
            if OWNER[code] == seat:
                table[code] = (seat + 1) * POWERS[3 - sizes[SIZE[code]]]
    return tuple(table)


class Attack(QuuxBoard):
    """The board for :class:`engines.solver.Solver`, with ``attacker`` to win."""

    def __init__(self, game: Quux, attacker: int) -> None:
        super().__init__(game, int(game.options["size"]))
        self._attacker = attacker

    def play(self, state: State, move: int) -> State:
        """A state with the same value as the one after the move."""
        after = super().play(state, move)
        if after.winner >= 0 or after.is_movement:
            return after
        medium, small, _, other_medium, other_small = after.hands[1:]
        table = _as_small(medium > 0, small > 0, other_medium > 0, other_small > 0)
        return after._replace(piles=bytes(map(table.__getitem__, after.piles)))

    def forced(self, state: State) -> tuple[bool | None, list[int]]:
        """Whether the side on move reaches its goal, if that is plain, and its moves.

        The attacker's goal is the chain, the other side's is to prevent it. Moves that let the
        opponent complete a chain immediately are left out.
        """
        attacks = state.mover == self._attacker
        if state.winner >= 0 or state.is_movement:
            return attacks == (state.winner == self._attacker), []
        if self._completes(state):
            return True, []
        if not self._can_ever_join(state):
            return not attacks, []
        moves = self.moves(state)
        if gaps := self._gaps(state, 1 - state.mover):
            # Only on the gaps or on tops of the opponent can a move prevent that.
            bits, here = self._geometry.bits, gaps | (state.white if state.mover else state.black)
            if self._completes(state._replace(mover=1 - state.mover)):
                moves = [
                    move
                    for move in moves
                    if move != PASS
                    and bits[move & 63] & here
                    and not self._completes(super(Attack, self).play(state, move))
                ]
        return (None if moves else False), moves

    def _gaps(self, state: State, seat: int) -> int:
        """The cells each of which would complete the seat's chain, with any content."""
        geometry = self._geometry
        tops = state.black if seat else state.white
        first, last = geometry.sides[seat]
        near, far = (geometry.flood(side & tops, tops) for side in (first, last))
        return (geometry.near(near) | first) & (geometry.near(far) | last) & geometry.all & ~tops

    def _completes(self, state: State) -> bool:
        """Whether the side on move can complete its chain with one placement."""
        gaps = 0 if state.is_movement else self._gaps(state, state.mover)
        sizes = self._may_place(state) if gaps else []
        return bool(sizes and gaps & self._takeable(state, state.mover, 3 - sizes[-1]))

    def _can_ever_join(self, state: State) -> bool:
        """Whether the attacker could still make a chain if only the attacker placed."""
        seat, geometry = self._attacker, self._geometry
        first, last = geometry.sides[seat]
        takeable = self._takeable(state, seat, self._smallest(state, seat))
        tops = state.black if seat else state.white
        return bool(geometry.layers(first, last, tops, takeable)[-1] & last)
