"""Parts of a page that do not fit on a phone of 400 pixels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, pairwise
from typing import Any

from bot.ui.pages.components import PHONE, leaves_one_alone, lines_on_a_phone, walk, width

_MOST_LINES = 4
"""Lines of buttons under a page: more than these hide what they belong to."""
_MOST_CHOICES = 13
"""Lines of moves to choose from: as many as 25 of the longest take, two beside each other."""
_ROW, _BUTTON = 1, 2


def crowded(components: Iterable[Mapping[str, Any]]) -> list[str]:
    """Problems with the buttons of a page: too many lines, too wide, one alone for nothing."""
    found, lines, said, choices = [], 0, list[str](), 0
    for row in walk(components):
        parts = row.get("components") or ()
        if row.get("type") != _ROW or any(each.get("type") != _BUTTON for each in parts):
            continue
        labels = [str(each.get("label", "")) for each in parts]
        widths = [width(label) for label in labels]
        wrapped = lines_on_a_phone(widths)
        if all(":pick:" in str(each.get("custom_id")) for each in parts):
            choices += len(wrapped)
        else:
            lines += len(wrapped)
            said += labels
        found += [f"too wide for a phone: {label}" for label in labels if width(label) > PHONE]
        if leaves_one_alone(widths) and any(_divisions(widths, len(wrapped))):
            found.append(f"one alone on a phone: {labels}")
    if lines > _MOST_LINES:
        found.append(f"{lines} lines of buttons on a phone: {said}")
    if choices > _MOST_CHOICES:
        found.append(f"{choices} lines of moves to choose from on a phone")
    return found


def _divisions(widths: list[int], count: int) -> Iterator[tuple[int, ...]]:
    """Ways to have as many lines without one that holds a single button."""
    for ends in combinations(range(1, len(widths)), count - 1):
        lines = [widths[begin:end] for begin, end in pairwise((0, *ends, len(widths)))]
        if all(len(line) > 1 and sum(line) <= PHONE for line in lines):
            yield ends
