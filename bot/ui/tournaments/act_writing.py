"""Directors' acts as the arguments of controls, so that a confirmation remembers nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from fractions import Fraction
from types import MappingProxyType

from bot.domain.ids import UserId, read_id
from bot.domain.tournaments.acts import ACTS, DirectorAct, Invite, made
from bot.domain.tournaments.directing import MOST_APART
from bot.errors import UserError


def write_points(points: tuple[Fraction | int, ...]) -> str:
    """``1~0``, ``1.2~1.2``: numerator and denominator with a point between them."""
    return "~".join(
        str(each) if each.denominator == 1 else f"{each.numerator}.{each.denominator}"
        for each in points
    )


def read_points(text: str) -> tuple[Fraction, ...]:
    """The reverse of :func:`write_points`; :exc:`~bot.errors.UserError` (``out_of_date``)."""
    found = []
    for each in text.split("~"):
        match = re.fullmatch(r"(\d{1,3})(?:\.([1-9]\d{0,2}))?", each, re.ASCII)
        if match is None:
            raise UserError("out_of_date")
        found.append(Fraction(int(match[1]), int(match[2] or 1)))
    return tuple(found)


_TYPED = re.compile(r"(\d{1,2})?\s*([½⅓⅔¼¾])|(\d{1,3})/([1-9]\d{0,2})|(\d{1,3}(?:[.]\d{1,2})?)")
_MARKS = {
    "½": Fraction(1, 2),
    "⅓": Fraction(1, 3),
    "⅔": Fraction(2, 3),
    "¼": Fraction(1, 4),
    "¾": Fraction(3, 4),
}


def typed_points(text: str) -> tuple[Fraction, ...]:
    """Points as a director types them: ``4 2 1 0``, ``3½ 3½ 0 0``, ``7/3 7/3 7/3 0``."""
    found = []
    for whole, mark, upper, lower, decimal in _TYPED.findall(text[:60]):
        if mark:
            found.append(int(whole or 0) + _MARKS[mark])
        elif upper:
            found.append(Fraction(int(upper), int(lower)))
        else:
            found.append(Fraction(decimal))
    if not found:
        raise UserError("points_wrong")
    return tuple(found)


def write_act(act: DirectorAct) -> str:
    """An act as the argument of a control: its key and its fields; of a list the key alone."""
    if isinstance(act, Invite):
        return act.key
    return ":".join([act.key, *(_write(each) for each in act.values)])


def _write(value: object) -> str:
    if isinstance(value, datetime):
        return str(int(value.timestamp()))
    return write_points(value) if isinstance(value, tuple) else str(value)


def read_act(text: str) -> DirectorAct:
    """The act of an argument; :exc:`~bot.errors.UserError` (``out_of_date``) if it is none."""
    name, *rest = text.split(":")
    try:
        kinds = [_READ[each.name] for each in fields(ACTS[name])]
        return made(name, *(read(value) for read, value in zip(kinds, rest, strict=True)))
    except (KeyError, ValueError, OverflowError):
        raise UserError("out_of_date") from None


def with_day(text: str, until: datetime) -> DirectorAct:
    """The act of an argument that lacks its day; refuses like :func:`read_act`."""
    key, *rest = text.split(":")
    names = [each.name for each in fields(ACTS[key])] if key in ACTS else []
    if "until" not in names:
        raise UserError("out_of_date")
    rest.insert(names.index("until"), _write(until))
    return read_act(":".join([key, *rest]))


def _user(text: str) -> UserId:
    found = read_id(text)
    if found is None:
        raise ValueError(text)
    return UserId(found)


def _number(text: str) -> int:
    if not re.fullmatch(r"\d{1,9}", text, re.ASCII):
        raise ValueError(text)
    return int(text)


def _instant(text: str) -> datetime:
    if not re.fullmatch(r"\d{1,11}", text, re.ASCII):
        raise ValueError(text)
    return datetime.fromtimestamp(int(text), UTC)


def _numbers(text: str) -> tuple[int, ...]:
    found = text.split("~")
    if len(found) > MOST_APART:
        raise ValueError(text)
    return tuple(_number(each) for each in found)


_READ: Mapping[str, Callable[[str], object]] = MappingProxyType(
    {
        "until": _instant,
        "user_id": _user,
        "director": _user,
        "entrant": _number,
        "entrants": _numbers,
        "last": _number,
        "place": _number,
        "round": _number,
        "seq": _number,
        "game": str,
        "points": read_points,
    }
)
"""How the fields of acts are read."""
