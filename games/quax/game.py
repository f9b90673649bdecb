"""The rules of Quax. Numbers such as QX-8 are the rulings of its rules page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from random import Random

from games.api import OptionValue, Playout, Refusal, Seat
from games.quax.board import Cell, Drop, Link, Move, Swap
from games.quax.guide import INFO
from games.quax.position import BLACK, LETTERS, Pie, Position, read_position, refuse_link
from games.quax.quick import random_line
from games.quax.view import COLOURS, draw
from games.two_sides import SCORES, Ending, TwoSides
from games.view import BoardView, Marks, Text

_MOVE = re.compile(r"([a-z])(0|[1-9][0-9]?)(?: ?-? ?([a-z])(0|[1-9][0-9]?))?")


class Quax(TwoSides[Position, Move]):
    """Black joins left and right, Red bottom and top; one drop or one link a turn (QX-2, QX-6)."""

    info = INFO
    sides = COLOURS
    letters = LETTERS

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        super().__init__(options)
        self._size = int(self.options["size"])
        self._pie = self.options["pie"] == "on"

    def initial(self, rng: Random) -> Position:  # noqa: ARG002
        """The empty board with Black to move (QX-1, QX-3)."""
        return Position(self._size, pie=Pie.AHEAD if self._pie else Pie.CLOSED)

    def seating(self, position: Position) -> tuple[int, ...]:
        """The players of Black and Red: a swap exchanges them and nothing else (QX-4)."""
        return (1, 0) if position.pie is Pie.SWAPPED else (0, 1)

    def legal_moves(self, position: Position) -> list[Move]:
        """Drops from a1 rightwards and upwards, then links, then the swap.

        There is always one until a player has won (QX-15).
        """
        if position.winner is not None:
            return []
        board = position.board
        own = position.stones(position.mover)
        empty = board.all & ~(position.black | position.red)
        # A block takes a link if both ends are own stones and neither diagonal has one (QX-8).
        free = board.all & ~(position.rising | position.falling)
        rising = own & own >> board.stride + 1 & free
        falling = own >> 1 & own >> board.stride & free
        moves: list[Move] = [board.drops[bit] for bit in board.bits(empty)]
        moves += [board.rising[bit] for bit in board.bits(rising)]
        moves += [board.falling[bit] for bit in board.bits(falling)]
        if position.pie is Pie.OPEN:
            moves.append(Swap())
        return moves

    def why_illegal(self, position: Position, move: Move) -> Refusal | None:
        """QX-4 for the swap, QX-7 for a drop, QX-8 to QX-11 for a link, QX-14 for all."""
        if position.winner is not None:
            return Refusal("game_over")
        if isinstance(move, Swap):
            return None if position.pie is Pie.OPEN else Refusal("swap_closed")
        if isinstance(move, Link):
            return refuse_link(position, move, position.mover)
        name = move.cell.name
        if move.cell not in position.board:
            return Refusal("off_board", params={"cell": name, "size": position.size})
        if position.owner(move.cell) is not None:
            return Refusal("occupied", (name,), {"cell": name})
        return None

    def _apply(self, position: Position, move: Move) -> Position:
        if isinstance(move, Swap):
            # A half-turn, but not a ply of the board: Red is to move as before (QX-4).
            return replace(position, pie=Pie.SWAPPED)
        board = position.board
        mover = position.mover
        black, red = position.black, position.red
        rising, falling = position.rising, position.falling
        if isinstance(move, Link):
            if move.is_rising:
                rising |= board.block(move)
            else:
                falling |= board.block(move)
        elif mover == BLACK:
            black |= board.bit(move.cell)
        else:
            red |= board.bit(move.cell)
        # No move can join stones of the opponent, so the mover alone can have won (QX-14).
        won = board.joins(mover, red if mover else black, rising, falling)
        return Position(
            position.size,
            black,
            red,
            rising,
            falling,
            mover=1 - mover,
            pie=_PIE_AFTER[position.pie],
            winner=mover if won else None,
        )

    def ending(self, position: Position) -> Ending | None:
        """A chain between the winner's sides; there are no draws (QX-15)."""
        return None if position.winner is None else Ending("connection", position.winner)

    def chain(self, position: Position, winner: int) -> tuple[str, ...]:
        """The cells of a chain between the winner's sides."""
        stones = position.stones(winner)
        chain = position.board.chain(winner, stones, position.rising, position.falling)
        return tuple(cell.name for cell in chain)

    def random_game(self, rng: Random) -> Playout[Move]:
        """A game from the same distribution, by :mod:`games.quax.quick`.

        A swap leaves the board and the side to move as they are, so that it can be drawn
        separately: it is one of as many moves as there are cells (QX-4).
        """
        moves, winner = random_line(self._size, rng)
        if self._pie and rng.randrange(self._size**2) == 0:
            moves = (moves[0], Swap(), *moves[1:])
        return Playout(moves, SCORES[winner])

    def notation(self, position: Position, move: Move) -> str:  # noqa: ARG002
        """``d3``, ``e2f3`` or ``swap``."""
        if isinstance(move, Swap):
            return "swap"
        return move.cell.name if isinstance(move, Drop) else move.name

    def read_move(self, position: Position, text: str) -> Move | None:  # noqa: ARG002
        """A move in any case, a link with its ends either way round, and with any separator.

        No text fits two moves, so there is never any ambiguity.
        """
        return _read_move(text)

    def steps(self, position: Position, move: Move) -> tuple[str, ...]:
        """One pick for a drop or the swap; for a link its left end, then its right end."""
        if isinstance(move, Link):
            return move.start.name, move.end.name
        return (self.notation(position, move),)

    def step_text(self, position: Position, prefix: tuple[str, ...], key: str) -> Text:
        """The words of a pick."""
        move = _read_move(key)
        if prefix:
            return Text.of("Link {start} to {end}", start=prefix[0], end=key)
        if isinstance(move, Drop):
            if position.owner(move.cell) is None:
                return Text.of("Drop a stone on {cell}", cell=key)
            return Text.of("Link from {cell}", cell=key)
        return Text.of("Swap colours and take Black")

    def decode(self, text: str) -> Position:
        """The position of the text, which gives the size of its board.

        In a bare position text no swap is possible. :exc:`NotationError` for any other text.
        """
        return read_position(text)

    def view(self, position: Position, seat: Seat | None) -> BoardView:  # noqa: ARG002
        """The whole board: Quax hides nothing."""
        return draw(position, self.seating(position), self.outcome(position))

    def marks(self, position: Position, move: Move) -> Marks:  # noqa: ARG002
        """The cell of a drop, or the link."""
        if isinstance(move, Drop):
            return Marks(last=(move.cell.name,))
        if isinstance(move, Link):
            return Marks(last_links=((move.start.name, move.end.name),))
        return Marks()


_PIE_AFTER = {
    Pie.AHEAD: Pie.OPEN,
    Pie.OPEN: Pie.CLOSED,
    Pie.CLOSED: Pie.CLOSED,
    Pie.SWAPPED: Pie.SWAPPED,
}
"""The state of the swap after a drop or a link (QX-4)."""


def _read_move(text: str) -> Move | None:
    """The move that a plain text means on a board of any size, or None."""
    if text == "swap":
        return Swap()
    form = _MOVE.fullmatch(text)
    if form is None:
        return None
    file, rank, other_file, other_rank = form.groups()
    cell = _cell(file, rank)
    return Drop(cell) if other_file is None else Link(cell, _cell(other_file, other_rank))


def _cell(file: str, rank: str) -> Cell:
    return Cell(ord(file) - ord("a"), int(rank) - 1)
