"""Labels of choices, of which no two may look the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from bot.ui.pages.match_text import cut


def told_apart(labels: Sequence[str], marks: Sequence[tuple[str, ...]], longest: int) -> list[str]:
    """The labels of a list of choices, each at most so long and no two alike.

    Equal ones get the first of their ``marks`` in which they all differ, else the last one; if they
    are equal even so they are numbered.
    """
    alike: dict[str, list[int]] = defaultdict(list)
    for number, label in enumerate(labels):
        alike[cut(label, longest).casefold()].append(number)
    told = [cut(label, longest) for label in labels]
    taken = {key for key, numbers in alike.items() if len(numbers) == 1}
    for numbers in alike.values():
        if len(numbers) == 1:
            continue
        chosen = _telling([marks[number] for number in numbers])
        for number, mark in zip(numbers, chosen, strict=True):
            told[number] = _unlike(labels[number], mark, taken, longest)
            taken.add(told[number].casefold())
    return told


def _telling(marks: Sequence[tuple[str, ...]]) -> list[str]:
    """The first kind of mark in which all choices differ."""
    sorts = list(zip(*marks, strict=False))
    for found in sorts:
        if len({each.casefold() for each in found}) == len(found):
            return list(found)
    return list(sorts[-1]) if sorts else ["" for _ in marks]


def _unlike(label: str, mark: str, taken: set[str], longest: int) -> str:
    end = f" · {mark}" if mark else ""
    told, number = _with_end(label, end, longest), 1
    while told.casefold() in taken:
        number += 1
        told = _with_end(label, f"{end} ({number})", longest)
    return told


def _with_end(label: str, end: str, longest: int) -> str:
    return cut(label, longest - len(end)) + end
