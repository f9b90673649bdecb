"""Buttons on a phone, which wraps a row that is too wide: how many go into each row."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import accumulate, combinations, pairwise

PHONE = 330
"""Pixels for buttons in a frame on a phone of 400."""
FRAMELESS = 365
"""The same without a frame."""


def evenly(number: int, count: int) -> list[int]:
    """The sizes of ``count`` rows, the longer ones first."""
    size, over = divmod(number, max(count, 1))
    return [size + 1] * over + [size] * (count - over)


def lines_on_a_phone(widths: Sequence[int], whole: int = PHONE) -> list[int]:
    """The number of buttons in each line into which a phone wraps a row."""
    lines: list[int] = []
    room = 0
    for wide in widths:
        if not lines or wide > room:
            lines.append(0)
            room = whole
        lines[-1] += 1
        room -= wide
    return lines


def leaves_one_alone(widths: Sequence[int]) -> bool:
    """Whether a phone wraps a row so that the last line has one button."""
    ways = [lines_on_a_phone(widths, whole) for whole in (PHONE, FRAMELESS)]
    return any(len(lines) > 1 and lines[-1] == 1 for lines in ways)


def without_lone(widths: Sequence[int]) -> list[int]:
    """The sizes of parts of a row: of all of it, unless that leaves one button alone."""
    wrapped = lines_on_a_phone(widths)
    if not leaves_one_alone(widths):
        return [len(widths)]
    ends = combinations(range(1, len(widths)), len(wrapped) - 1)
    for cut_at in ends:
        counts = [end - begin for begin, end in pairwise((0, *cut_at, len(widths)))]
        lines = [widths[begin:end] for begin, end in pairwise((0, *cut_at, len(widths)))]
        if min(counts) > 1 and max(map(sum, lines)) <= PHONE:
            return counts
    return [len(widths)]


def width(label: str) -> int:
    """The approximate width of a button and its gap, in pixels."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in label)
    return 35 + 10 * len(label) + 5 * wide


def filled(widths: Sequence[int], room: Sequence[int], *, last: int = 5) -> list[int]:
    """The number of buttons that fit into each row, at most five."""
    held: list[int] = []
    for number, pixels in enumerate(room):
        begun = sum(held)
        most = last if number == len(room) - 1 else 5
        row = list(accumulate(widths[begun : begun + most]))
        held.append(sum(1 for wide in row if wide <= pixels))
    return held
