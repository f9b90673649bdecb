"""A position of Quax, and its text.

::

    3/3/1x1 u -                     ranks from the top, side to move, links
    3/3/1x1 u - swap                the same, and Red may still swap

The first three parts are the position text: ``x`` Black, ``u`` Red, runs of empty cells as decimal
numbers, the links sorted as strings. A fourth word is for the pie rule: see :class:`Pie`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from itertools import repeat

from games.api import Refusal
from games.errors import NotationError
from games.quax.board import LARGEST, SMALLEST, Board, Cell, Link, board
from games.ranks import read_ranks, write_rank

BLACK, RED = 0, 1
LETTERS = "xu"
"""The colours in a position text."""

_FORM = re.compile(
    r"((?:[xu/]|[1-9][0-9]?(?![0-9]))+) ([xu]) (-|[a-o0-9,]+)(?: ([a-z]+))?",
)
_LINK = re.compile(r"([a-o])(1[0-5]|[1-9])([a-o])(1[0-5]|[1-9])")
_LONGEST = 4000


class Pie(Enum):
    """The state of the swap (QX-4); the value is its word in the encoded position."""

    CLOSED = ""
    """No swap any longer, or none from the start."""
    AHEAD = "pie"
    """The first stone has not been placed yet."""
    OPEN = "swap"
    """One half-turn has been played: the other player may swap."""
    SWAPPED = "swapped"
    """The players have exchanged their colours."""


@dataclass(frozen=True, slots=True)
class Position:
    """Stones, links, the side to move and the state of the swap.

    ``black`` and ``red`` are sets of cells, ``rising`` and ``falling`` the links
    of both colours, which their ends tell apart (see :mod:`games.quax.board`). ``mover`` is the
    side to move; after a win it is the loser (QX-14) and ``winner`` the other side.
    """

    size: int
    black: int = 0
    red: int = 0
    rising: int = 0
    falling: int = 0
    mover: int = BLACK
    pie: Pie = Pie.CLOSED
    winner: int | None = None

    @property
    def board(self) -> Board:
        """The board of the stones."""
        return board(self.size)

    def stones(self, seat: int) -> int:
        """The set of cells with stones of ``seat``."""
        return self.red if seat else self.black

    def owner(self, cell: Cell) -> int | None:
        """The seat whose stone is on the cell, None where it is empty."""
        bit = self.board.bit(cell)
        return BLACK if self.black & bit else RED if self.red & bit else None

    def has_link(self, link: Link) -> bool:
        """Whether the two cells are linked."""
        kind = self.rising if link.is_rising else self.falling
        return bool(kind & self.board.block(link))

    def links(self) -> list[Link]:
        """All links, sorted by their names as strings."""
        rising, falling = self.board.rising, self.board.falling
        found = [rising[bit] for bit in Board.bits(self.rising)]
        found += [falling[bit] for bit in Board.bits(self.falling)]
        return sorted(found, key=lambda link: link.name)

    def with_link(self, link: Link) -> Position:
        """The same position with one more link."""
        block = self.board.block(link)
        if link.is_rising:
            return replace(self, rising=self.rising | block)
        return replace(self, falling=self.falling | block)

    def whole_text(self) -> str:
        """The position text and, where the pie rule still matters, a word for it."""
        return f"{self.text()} {self.pie.value}".rstrip()

    def text(self) -> str:
        """The position text: ranks from the top, side to move, links."""
        board = self.board
        black, red = board.rows(self.black), board.rows(self.red)
        ranks = map(_rank_text, repeat(self.size), reversed(black), reversed(red))
        links = ",".join(link.name for link in self.links()) or "-"
        return f"{'/'.join(ranks)} {LETTERS[self.mover]} {links}"


@lru_cache(maxsize=4096)
def _rank_text(size: int, black: int, red: int) -> str:
    """One rank of a position text, cached: most moves change only one rank."""
    return write_rank(
        LETTERS[BLACK] if black >> file & 1 else LETTERS[RED] if red >> file & 1 else ""
        for file in range(size)
    )


def refuse_link(position: Position, link: Link, seat: int) -> Refusal | None:
    """Why ``seat`` may not place the link, or None if it may (QX-8 to QX-11).

    The block's other two cells do not matter, empty or occupied: first come, first served. Ends
    that are joined already are no obstacle (QX-10).
    """
    ends = (link.start, link.end)
    outside = [cell.name for cell in ends if cell not in position.board]
    if outside:
        return Refusal("off_board", params={"cell": outside[0], "size": position.size})
    names = (link.start.name, link.end.name)
    if not link.is_diagonal:
        return Refusal("not_diagonal", names, {"start": names[0], "end": names[1]})
    for cell in ends:
        owner = position.owner(cell)
        if owner is None:
            return Refusal("end_empty", (cell.name,), {"cell": cell.name})
        if owner != seat:
            return Refusal("not_yours", (cell.name,), {"cell": cell.name})
    if position.has_link(link):
        return Refusal("already_linked", names, {"link": link.name})
    if position.has_link(link.crossing):
        across = link.crossing
        place = (across.start.name, across.end.name)
        return Refusal("crosses_link", place, {"link": across.name})
    return None


def read_position(text: str) -> Position:
    """The position of a text, with or without the word for the pie rule.

    The text gives the size of its board. Raises :exc:`NotationError`.
    """
    form = _FORM.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if form is None:
        raise NotationError("position_form")
    ranks, turn, links, pie = form.groups()
    size, black, red = _read_stones(ranks)
    position = Position(size, black, red, mover=LETTERS.index(turn))
    if links != "-":
        for name in links.split(","):
            position = _read_link(position, name)
    rising, falling = position.rising, position.falling
    if position.board.joins(position.mover, position.stones(position.mover), rising, falling):
        raise NotationError("position_turn")
    other = 1 - position.mover
    if position.board.joins(other, position.stones(other), rising, falling):
        position = replace(position, winner=other)
    return _read_pie(position, pie or "")


def _read_stones(ranks: str) -> tuple[int, int, int]:
    """The size of the board, Black's stones and Red's."""
    size = ranks.count("/") + 1
    if not SMALLEST <= size <= LARGEST:
        raise NotationError("position_size", smallest=SMALLEST, largest=LARGEST)
    stones = [0, 0]
    for rank, cells in enumerate(read_ranks(ranks, [size] * size, LETTERS)):
        for file, letter in enumerate(cells):
            if letter:
                stones[LETTERS.index(letter)] |= board(size).bit(Cell(file, rank))
    return size, stones[BLACK], stones[RED]


def _read_link(position: Position, name: str) -> Position:
    """The position with the link of that name, which its owner must be allowed to place."""
    form = _LINK.fullmatch(name)
    if form is None:
        raise NotationError("position_link", link=name[:12])
    start, start_rank, end, end_rank = form.groups()
    link = Link(_cell(start, start_rank), _cell(end, end_rank))
    seat = position.owner(link.start) if link.start in position.board else None
    if seat is None or refuse_link(position, link, seat) is not None:
        raise NotationError("position_link", link=name)
    return position.with_link(link)


def _cell(file: str, rank: str) -> Cell:
    return Cell(ord(file) - ord("a"), int(rank) - 1)


def _read_pie(position: Position, word: str) -> Position:
    """The position with the state of the swap, which has to fit the stones (QX-4)."""
    try:
        pie = Pie(word)
    except ValueError:
        raise NotationError("position_pie") from None
    stones = position.black.bit_count(), position.red.bit_count()
    fits = {
        Pie.CLOSED: True,
        Pie.AHEAD: stones == (0, 0) and position.mover == BLACK,
        Pie.OPEN: stones == (1, 0) and position.mover == RED,
        Pie.SWAPPED: stones[BLACK] > 0,
    }
    if not fits[pie]:
        raise NotationError("position_pie")
    return replace(position, pie=pie)
