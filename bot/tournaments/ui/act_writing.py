"""Directors' acts as arguments of controls, so that a confirmation needs no memory."""

from __future__ import annotations

import re
from dataclasses import fields
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from bot.domain.ids import UserId, read_id
from bot.errors import UserError
from bot.tournaments.domain.acts import ACTS, DirectorAct, Invite
from bot.tournaments.domain.directing import MOST_APART
from bot.tournaments.ui.words import PARTS


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
_MARKS = {mark: value for value, mark in PARTS.items()}


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
    """An act as the argument of a control: its key and its fields; for a list the key alone."""
    if isinstance(act, Invite):
        return act.key
    return ":".join([act.key, *(_write(each) for each in act.values)])


def _write(value: object) -> str:
    if isinstance(value, datetime):
        return str(int(value.timestamp()))
    return write_points(value) if isinstance(value, tuple) else str(value)


def read_act(text: str) -> DirectorAct:
    """The act of an argument; :exc:`~bot.errors.UserError` (``out_of_date``) for an invalid one."""
    act, given = read_part(text)
    if len(given) != len(fields(act)):
        raise UserError("out_of_date")
    return act(**given)


def read_part(text: str) -> tuple[type[DirectorAct], dict[str, Any]]:
    """An act and its fields chosen so far; refuses like :func:`read_act`.

    They are in the order of choosing and, once complete, in that of the act.
    """
    key, *values = text.split(":")
    try:
        act = ACTS[key]
        names = [each.name for each in fields(act)]
        names = asked(act) if len(values) < len(names) else names
        kinds = {each.name: str(each.type) for each in fields(act)}
        if len(values) > len(names):
            raise UserError("out_of_date")
        pairs = zip(names, values, strict=False)
        return act, {name: _read(kinds[name], value) for name, value in pairs}
    except (KeyError, ValueError, OverflowError):
        raise UserError("out_of_date") from None


def asked(act: type[DirectorAct]) -> list[str]:
    """The fields of an act in the order in which a director chooses them."""
    return sorted((each.name for each in fields(act)), key=lambda name: name == "until")


def _read(kind: str, text: str) -> Any:
    """A field of an act, by its type; :exc:`ValueError` and the like for an invalid one."""
    match kind:
        case "str":
            return text
        case "tuple[Fraction, ...]":
            return read_points(text)
        case "tuple[int, ...]" if text.count("~") < MOST_APART:
            return tuple(_read("int", each) for each in text.split("~"))
        case "UserId":
            if (found := read_id(text)) is not None:
                return UserId(found)
        case "datetime" if re.fullmatch(r"\d{1,11}", text, re.ASCII):
            return datetime.fromtimestamp(int(text), UTC)
        case "int" if re.fullmatch(r"\d{1,9}", text, re.ASCII):
            return int(text)
    raise ValueError(text)
