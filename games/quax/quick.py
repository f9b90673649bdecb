"""Random games of Quax on a board that changes in place, some twenty times as fast.

:meth:`games.quax.Quax.play` makes a new position for each move. For statistics over thousands of
games that is too slow, so :func:`random_line` keeps one board and takes three shortcuts. They
restate QX-7, QX-8 and QX-14 in another form, and the tests compare each of their choices with the
plain rules.

Links
    A mover may link each of their pairs that no link blocks. ``pairs`` gains the pairs of a new
    stone, and never loses those that the opponent blocks: if such a pair is drawn, it is discarded
    and the draw is repeated, which leaves all legal moves equally likely.

Connection
    ``reach`` holds the stones that are joined to the mover's first side. A new stone or link is
    looked at only where it touches that set; once the set touches the other side, the mover has
    won. Each of the four sides is a bit of its own above the board, and the edge cells have it
    among their neighbours.

Numbers
    A cell is the place of its bit in a set, counted from 0; links are numbered on from there. So
    lists hold the data of cells and links.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from random import Random

from games.quax.board import Board, Cell, Link, Move, board

_STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
_ACROSS = ((1, 1), (-1, 1), (1, -1), (-1, -1))


class _Tables:
    """The tables of :func:`random_line` for a board of one size, by the numbers of the moves."""

    def __init__(self, plain: Board) -> None:
        self.places = plain.size * plain.stride
        beyond = 1 << self.places
        self.sides = ((beyond, beyond << 1), (beyond << 2, beyond << 3))
        """For each seat the bits of its two sides."""
        self.bits = [1 << place for place in range(self.places)]
        self.cells = [_place(plain.bit(cell)) for cell in plain.cells]
        links: list[Link] = [*plain.rising.values(), *plain.falling.values()]
        self.moves: dict[int, Move] = {_place(bit): drop for bit, drop in plain.drops.items()}
        self.moves |= dict(enumerate(links, self.places))
        nothing = [0] * self.places
        ends = [(_place(plain.bit(link.start)), _place(plain.bit(link.end))) for link in links]
        self.starts = nothing + [start for start, _ in ends]
        self.ends = nothing + [end for _, end in ends]
        """For each link the cells of its ends."""
        self.blocks = nothing + [_place(plain.block(link)) for link in links]
        """For each link the block that it fills."""
        self.beside = nothing.copy()
        """For each cell its orthogonal neighbours and the sides that it lies on."""
        self.across = nothing.copy()
        """For each cell its diagonal neighbours."""
        self.pairs: list[dict[int, tuple[int, ...]]] = [{} for _ in self.bits]
        """For each cell and some of its diagonal neighbours the links between them."""
        numbers = {pair: number for number, pair in enumerate(ends, self.places)}
        for cell in plain.cells:
            place = _place(plain.bit(cell))
            self.beside[place] = self._sides_at(plain, cell) | _around(plain, cell, _STRAIGHT)
            self.across[place] = _around(plain, cell, _ACROSS)
            others = [_place(bit) for bit in plain.bits(self.across[place])]
            by_bit = {
                self.bits[other]: numbers.get((place, other)) or numbers[other, place]
                for other in others
            }
            for count in range(1, len(others) + 1):
                for chosen in combinations(by_bit, count):
                    self.pairs[place][sum(chosen)] = tuple(by_bit[bit] for bit in chosen)

    def _sides_at(self, plain: Board, cell: Cell) -> int:
        found = 0
        for cells, marks in zip(plain.sides, self.sides, strict=True):
            for side, mark in zip(cells, marks, strict=True):
                found |= mark if side & plain.bit(cell) else 0
        return found


def _place(bit: int) -> int:
    return bit.bit_length() - 1


def _around(plain: Board, cell: Cell, directions: tuple[tuple[int, int], ...]) -> int:
    around = (Cell(cell.file + file, cell.rank + rank) for file, rank in directions)
    return sum(plain.bit(other) for other in around if other in plain)


@cache
def _tables(size: int) -> _Tables:
    return _Tables(board(size))


def random_line(size: int, rng: Random) -> tuple[tuple[Move, ...], int]:
    """The moves of a random game without a swap, and the seat that won it."""
    tables = _tables(size)
    draw, bits, across, new_pairs = rng.random, tables.bits, tables.across, tables.pairs
    blocks, starts, ends = tables.blocks, tables.starts, tables.ends
    beside = tables.beside.copy()
    empty = tables.cells.copy()
    left = len(empty)
    is_full = bytearray(tables.places)
    line: list[int] = []
    (reach, goal), (other_reach, other_goal) = tables.sides
    stones = other_stones = 0
    pairs: list[int] = []
    other_pairs: list[int] = []
    while True:
        chosen = int(draw() * (left + len(pairs)))
        if chosen < left:
            move = empty[chosen]
            left -= 1
            empty[chosen] = empty[left]
            near = across[move] & stones
            if near:
                pairs += new_pairs[move][near]
            stones |= bits[move]
            joined = bits[move] if beside[move] & reach else 0
        else:
            move = pairs[chosen - left]
            pairs[chosen - left] = pairs[-1]
            pairs.pop()
            if is_full[blocks[move]]:
                continue
            is_full[blocks[move]] = True
            start, end = starts[move], ends[move]
            beside[start] |= bits[end]
            beside[end] |= bits[start]
            joined = bits[start] | bits[end]
            joined = joined & ~reach if joined & reach else 0
        line.append(move)
        while joined:
            stone = joined & -joined
            neighbours = beside[stone.bit_length() - 1]
            if neighbours & goal:
                return tuple(map(tables.moves.__getitem__, line)), 1 - len(line) % 2
            reach |= stone
            joined = (joined | neighbours & stones) & ~reach
        stones, other_stones = other_stones, stones
        reach, other_reach = other_reach, reach
        goal, other_goal = other_goal, goal
        pairs, other_pairs = other_pairs, pairs
