"""Boards of piles as text, for the games of stacked pyramids.

A *pile* is a string with one letter for each pyramid, bottom to top; the letter's case shows the
owner. An empty cell is the empty string. A *board* is a square of piles, a1 b1 c1 ... and so on
upwards. Its text has the ranks from the top, ``/`` between ranks and ``,`` between cells, with a
number for a run of empty cells: ``4/2,lM,1/1,Lm,2/4``.
"""

from __future__ import annotations

from collections.abc import Container
from functools import cache
from itertools import chain
from math import isqrt

from games.errors import NotationError
from games.ranks import read_ranks, write_ranks

Board = tuple[str, ...]
"""The piles of a square board, a1 b1 c1 ... a2 b2 ..."""


@cache
def cell_names(size: int) -> tuple[str, ...]:
    """The names of the cells of a board of ``size`` by ``size``, in the order of its piles."""
    return tuple(
        f"{chr(ord('a') + file)}{rank + 1}" for rank in range(size) for file in range(size)
    )


def write_board(board: Board) -> str:
    """The text of a square board, its highest rank first."""
    size = isqrt(len(board))
    return write_ranks((board[at : at + size] for at in range(0, len(board), size)), ",")


def read_board(text: str, sizes: Container[int], piles: Container[str]) -> Board:
    """The board of a text, if its size is one of ``sizes`` and each pile one of ``piles``.

    Raises :exc:`NotationError` with the code ``position_size``, ``position_rank`` or
    ``position_pile``.
    """
    size = text.count("/") + 1
    if size not in sizes:
        raise NotationError("position_size")
    return tuple(chain.from_iterable(read_ranks(text, [size] * size, piles, ",")))
