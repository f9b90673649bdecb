"""What the games of stacked pyramids share: how a board of piles is written.

A *pile* is a string with one letter for each pyramid, bottom to top; whose a pyramid is shows in
the letter's case. An empty cell is the empty string. A *board* is a square of piles, a1 b1 c1 ...
and so on upwards. Its text has the ranks from the top, ``/`` between ranks and ``,`` between
cells, with a number for a run of empty cells: ``4/2,lM,1/1,Lm,2/4``.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from functools import cache
from itertools import groupby
from math import isqrt

from games.errors import NotationError

Board = tuple[str, ...]
"""The piles of a square board, a1 b1 c1 ... a2 b2 ..."""


@cache
def cell_names(size: int) -> tuple[str, ...]:
    """The names of the cells of a board of ``size`` by ``size``, in the order of its piles."""
    return tuple(
        f"{chr(ord('a') + file)}{rank + 1}" for rank in range(size) for file in range(size)
    )


def write_rank(piles: Iterable[str]) -> str:
    """The text of one rank: its piles from the left, runs of empty cells as numbers."""
    words: list[str] = []
    for is_empty, run in groupby(piles, key=lambda pile: not pile):
        cells = list(run)
        words += [str(len(cells))] if is_empty else cells
    return ",".join(words)


def read_rank(text: str, piles: Container[str]) -> list[str]:
    """The piles of one rank, each of which has to be one of ``piles``.

    Raises :exc:`NotationError` with the code ``position_pile``.
    """
    found: list[str] = []
    for word in text.split(","):
        if word in piles:
            found.append(word)
        elif len(word) < 3 and word.isascii() and word.isdigit() and word[0] != "0":
            found += [""] * int(word)
        else:
            raise NotationError("position_pile", pile=word[:12])
    return found


def write_board(board: Board) -> str:
    """The text of a square board, its highest rank first."""
    size = isqrt(len(board))
    ranks = (board[start : start + size] for start in range(0, len(board), size))
    return "/".join(reversed([write_rank(rank) for rank in ranks]))


def read_board(text: str, sizes: Container[int], piles: Container[str]) -> Board:
    """The board of a text, if its size is one of ``sizes`` and each pile one of ``piles``.

    Raises :exc:`NotationError` with the code ``position_size``, ``position_rank`` or
    ``position_pile``.
    """
    rows = text.split("/")
    size = len(rows)
    if size not in sizes:
        raise NotationError("position_size")
    board: list[str] = []
    for number, row in enumerate(reversed(rows), 1):
        rank = read_rank(row, piles)
        if len(rank) != size:
            raise NotationError("position_rank", rank=number, size=size)
        board += rank
    return tuple(board)
