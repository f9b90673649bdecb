"""Solve small boards of Quax, twice.

:func:`value` asks nothing but the rules: every move, to the end, with the number of plies that best
play takes. :class:`Winner` asks only who wins, and skips what cannot matter, so that 4x4 takes
seconds. Its reasons:

* Stones and links stay for ever, and a further one of one's own never hurts (QX-15). So the two
  groups that a winning drop would join stay beside its cell: the only answer is a stone on that
  cell. A winning link can only be answered by the link that crosses it. Two such threats at once
  cannot be answered.
* A link between stones that a third one of the same block joins already does nothing at all, as
  the block's other diagonal cannot be the opponent's. It is a pass, and a pass is never the best.
* Turning the board over in either direction keeps both goals, so that four positions are one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from games.quax import Cell, Position, Quax
from games.quax.board import board

Mapping: TypeAlias = Callable[[int], int]


def value(game: Quax, position: Position, seen: dict[Position, tuple[int, int]]) -> tuple[int, int]:
    """The winner and the plies left with best play: short for the winner, long for the loser."""
    outcome = game.outcome(position)
    if outcome is not None:
        return outcome.winners[0], 0
    if position not in seen:
        mover = game.to_move(position)
        assert mover is not None
        results = [
            value(game, game.play(position, move), seen) for move in game.legal_moves(position)
        ]
        wins = [plies for winner, plies in results if winner == mover]
        seen[position] = (
            (mover, 1 + min(wins)) if wins else (1 - mover, 1 + max(plies for _, plies in results))
        )
    return seen[position]


class Winner:
    """The winner of positions of one size with best play, without the pie rule."""

    def __init__(self, size: int) -> None:
        self.board = board(size)
        self.seen: dict[tuple[int, ...], bool] = {}
        middle = (size - 1) / 2
        self.order = sorted(
            self.board.drops,
            key=lambda bit: sum(
                abs(place - middle)
                for place in (self.board.drops[bit].cell.file, self.board.drops[bit].cell.rank)
            ),
        )
        self.mirrors = self._mirrors()

    def _mirrors(self) -> list[tuple[Mapping, Mapping, bool]]:
        """For each of three reflections what it makes of a single cell and of a single block."""
        size, bit = self.board.size, self.board.bit
        found = []
        for turn_file, turn_rank in ((True, False), (False, True), (True, True)):

            def turned(
                cell: Cell, last: int, turn_file: bool = turn_file, turn_rank: bool = turn_rank
            ) -> int:
                return bit(
                    type(cell)(
                        last - cell.file if turn_file else cell.file,
                        last - cell.rank if turn_rank else cell.rank,
                    )
                )

            cells = {bit(cell): turned(cell, size - 1) for cell in self.board.cells}
            blocks = {b: turned(self.board.drops[b].cell, size - 2) for b in self.board.rising}
            found.append((self._mapper(cells), self._mapper(blocks), turn_file != turn_rank))
        return found

    def _mapper(self, table: dict[int, int]) -> Mapping:
        bits = self.board.bits

        @cache
        def mapped(cells: int) -> int:
            return sum(table[bit] for bit in bits(cells))

        return mapped

    def same(self, black: int, red: int, rising: int, falling: int) -> tuple[int, ...]:
        """The one of four mirrored positions that stands for all."""
        best = black, red, rising, falling
        for cells, blocks, exchanges in self.mirrors:
            up, down = blocks(rising), blocks(falling)
            if exchanges:
                up, down = down, up
            best = min(best, (cells(black), cells(red), up, down))
        return best

    def wins_at_once(
        self, seat: int, own: int, other: int, rising: int, falling: int
    ) -> tuple[int, int, int]:
        """The drops, and the rising and falling links, with which ``seat`` would win now."""
        plain = self.board
        near, far = plain.sides[seat]
        links = rising, falling
        first, last = self._group(own & near, own, links), self._group(own & far, own, links)
        up = plain.stride
        everything = plain.all

        def beside(group: int) -> int:
            return (group << 1 | group >> 1 | group << up | group >> up) & everything

        drops = everything & ~(own | other) & (beside(first) | near) & (beside(last) | far)
        free = everything & ~(rising | falling)
        rises = free & (first & last >> up + 1 | last & first >> up + 1)
        falls = free & (first >> 1 & last >> up | last >> 1 & first >> up)
        return drops, rises, falls

    def _group(self, start: int, own: int, links: tuple[int, int]) -> int:
        group = start
        while (wider := self.board.spread(group, own, *links)) != group:
            group = wider
        return group

    def wins(self, seat: int, own: int, other: int, rising: int, falling: int) -> bool:
        """Whether ``seat``, to move, wins. Nobody has won yet."""
        if any(self.wins_at_once(seat, own, other, rising, falling)):
            return True
        key = (seat, *(self.same(own, other, rising, falling)))
        if key in self.seen:
            return self.seen[key]
        self.seen[key] = result = any(
            not self.wins(1 - seat, other, *after)
            for after in self._replies(seat, own, other, rising, falling)
        )
        return result

    def _replies(
        self, seat: int, own: int, other: int, rising: int, falling: int
    ) -> list[tuple[int, int, int]]:
        """Own stones and all links after each move worth a try, those that threaten most first."""
        plain = self.board
        up = plain.stride
        free = plain.all & ~(rising | falling)
        drops = plain.all & ~(own | other)
        # Both ends own, no third stone of one's own in the block.
        rises = own & own >> up + 1 & free & ~(own >> 1) & ~(own >> up)
        falls = own >> 1 & own >> up & free & ~own & ~(own >> up + 1)
        threats = self.wins_at_once(1 - seat, other, own, rising, falling)
        if any(threats):
            if sum(kind.bit_count() for kind in threats) > 1:
                return []
            # A threatened link rises where the answer falls.
            drops, falls, rises = (
                answers & threat
                for answers, threat in zip((drops, falls, rises), threats, strict=True)
            )
        after = [(own | bit, rising, falling) for bit in self.order if bit & drops]
        after += [(own, rising | bit, falling) for bit in plain.bits(rises)]
        after += [(own, rising, falling | bit) for bit in plain.bits(falls)]
        return sorted(after, key=lambda next_own: -self._threats(seat, other, *next_own))

    def _threats(self, seat: int, other: int, own: int, rising: int, falling: int) -> int:
        return sum(
            kind.bit_count() for kind in self.wins_at_once(seat, own, other, rising, falling)
        )

    def winner_after(self, bit: int) -> int:
        """The winner after the first stone on that cell."""
        return 1 if self.wins(1, 0, bit, 0, 0) else 0
