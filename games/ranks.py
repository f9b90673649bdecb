"""Boards as text: rank by rank from the top, runs of empty cells as numbers.

The content of a cell is a *word* of one letter or more; an empty cell is the empty word. ``/``
separates ranks.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from itertools import groupby

from games.errors import NotationError

_LETTER_OR_RUN = re.compile(r"[0-9]+|[^0-9]")


def write_rank(words: Iterable[str], between: str = "") -> str:
    """The text of one rank from the left, with ``between`` between its words."""
    found: list[str] = []
    for is_empty, run in groupby(words, key=lambda word: not word):
        cells = list(run)
        found += [str(len(cells))] if is_empty else cells
    return between.join(found)


def write_ranks(ranks: Iterable[Iterable[str]], between: str = "") -> str:
    """The text of the ranks, given from the lowest up."""
    return "/".join(reversed([write_rank(rank, between) for rank in ranks]))


def read_ranks(
    text: str, sizes: Sequence[int], known: Container[str], between: str = ""
) -> list[list[str]]:
    """The words of the ranks, each with the number of cells that ``sizes`` gives.

    The lowest comes first. Raises :exc:`NotationError` with the code ``position_pile`` for a word
    that is not ``known`` and ``position_rank`` for a rank of another size. The caller counts ranks.
    """
    ranks: list[list[str]] = []
    numbered = list(enumerate(sizes, 1))
    for (number, size), row in zip(reversed(numbered), text.split("/"), strict=True):
        cells: list[str] = []
        for word in row.split(between) if between else _LETTER_OR_RUN.findall(row):
            if word in known:
                cells.append(word)
            elif len(word) < 3 and word.isascii() and word.isdigit() and word[0] != "0":
                cells += [""] * int(word)
            else:
                raise NotationError("position_pile", pile=word[:12])
        if len(cells) != size:
            raise NotationError("position_rank", rank=number, size=size)
        ranks.append(cells)
    return ranks[::-1]
