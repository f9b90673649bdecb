"""JSON with the line of every value, and without surprises.

The library reads the values; the lines come from a scan of the tokens beforehand, which also
measures how deep the text nests, so that nothing deep ever reaches a parser that recurses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bot.errors import UserError
from bot.history.domain.claims import excerpt
from bot.history.domain.plain import check_text

_DEEPEST = 12
_DIGITS = 15
# An unclosed string reaches to the end of the text, so that the search stays linear.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]|[^\s\[\]{}",:]+', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Lined:
    """A value and its line: a scalar, a list of :class:`Lined`, or a dict of them by key."""

    value: Any
    line: int


class _Pairs(list[Any]):
    """The members of an object, in the order of the text, repeated ones included."""


class _OddNumberError(ValueError):
    """A number that no record needs."""


def read_lines(text: str) -> Lined:
    """The value of a JSON text. Raises :exc:`~bot.errors.UserError` with the line."""
    lines = _scalar_lines(text)
    try:
        value = json.loads(
            text,
            object_pairs_hook=_Pairs,
            parse_int=_whole,
            parse_float=_fraction,
            parse_constant=_odd,
        )
    except json.JSONDecodeError as error:
        raise UserError("record_json", line=error.lineno, column=error.colno) from None
    except _OddNumberError as error:
        raise UserError("record_number_size", number=excerpt(str(error))) from None
    return _with_lines(value, iter(lines), 1)


def _scalar_lines(text: str) -> list[int]:
    """The line of every string, number and word, keys included."""
    found: list[int] = []
    depth, line, seen = 0, 1, 0
    for token in _TOKEN.finditer(text):
        line += text.count("\n", seen, token.start())
        seen = token.start()
        first = text[seen]
        if first in "[{":
            depth += 1
            if depth > _DEEPEST:
                raise UserError("record_depth", line=line, most=_DEEPEST)
        elif first in "]}":
            depth -= 1
        else:
            found.append(line)
    return found


def _with_lines(value: Any, lines: Iterator[int], line: int) -> Lined:
    """Give every value its line; ``line`` is that of the value before."""
    if isinstance(value, _Pairs):
        members: dict[str, Lined] = {}
        first = line
        for key, inner in value:
            at = next(lines)
            check_text(key, at)
            if key in members:
                raise UserError("record_twice", line=at, name=excerpt(key))
            members[key] = _with_lines(inner, lines, at)
        return Lined(members, first)
    if isinstance(value, list):
        entries: list[Lined] = []
        at = line
        for inner in value:
            entry = _with_lines(inner, lines, at)
            at = _last_line(entry)
            entries.append(entry)
        return Lined(entries, line)
    at = next(lines)
    if isinstance(value, str):
        check_text(value, at)
    return Lined(value, at)


def _last_line(lined: Lined) -> int:
    """The line of the last value within."""
    value = lined.value
    inner = list(value.values()) if isinstance(value, dict) else value
    return _last_line(inner[-1]) if isinstance(inner, list) and inner else lined.line


def _whole(text: str) -> int:
    if len(text) > _DIGITS:
        raise _OddNumberError(text)
    return int(text)


def _fraction(text: str) -> float:
    if len(text) > 2 * _DIGITS or abs(float(text)) > 10**_DIGITS:
        raise _OddNumberError(text)
    return float(text)


def _odd(text: str) -> float:
    raise _OddNumberError(text)
