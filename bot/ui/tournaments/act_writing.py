"""Directors' acts as the arguments of controls, so that a confirmation remembers nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from fractions import Fraction
from types import MappingProxyType

from bot.domain.ids import UserId, read_id
from bot.errors import UserError
from bot.services.tournaments import acts as a
from bot.services.tournaments.acts import DirectorAct

WANTS_REASON = (a.Decide, a.Correct, a.Exclude, a.Cancel, a.Redraw)
"""Acts that players are told of with a reason."""


def write_points(points: tuple[Fraction, ...]) -> str:
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


def _at(instant: datetime) -> str:
    return str(int(instant.timestamp()))


def write_act(act: DirectorAct) -> str:
    """An act as the argument of a control."""
    match act:
        case a.Close() | a.Redraw() | a.Pause() | a.Resume() | a.Cancel():
            return type(act).__name__.lower()
        case a.Reopen(until):
            return f"reopen:{_at(until)}"
        case a.Add(user) | a.Appoint(user) | a.Dismiss(user):
            return f"{type(act).__name__.lower()}:{user}"
        case a.Withdraw(entrant) | a.Exclude(entrant):
            return f"{type(act).__name__.lower()}:{entrant}"
        case a.Replace(entrant, user):
            return f"replace:{entrant}:{user}"
        case a.Decide(game, points) | a.Correct(game, points):
            return f"{type(act).__name__.lower()}:{game}:{write_points(points)}"
        case a.Extend(number, until, game):
            return f"extend:{number}:{_at(until)}:{game}"
        case a.Undo(seq):
            return f"undo:{seq}"


def read_act(text: str) -> DirectorAct:
    """The act of an argument; :exc:`~bot.errors.UserError` (``out_of_date``) if it is none."""
    name, *rest = text.split(":")
    try:
        return _READ[name](*rest)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise UserError("out_of_date") from None


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


_READ: Mapping[str, Callable[..., DirectorAct]] = MappingProxyType(
    {
        "close": a.Close,
        "redraw": a.Redraw,
        "pause": a.Pause,
        "resume": a.Resume,
        "cancel": a.Cancel,
        "reopen": lambda until: a.Reopen(_instant(until)),
        "add": lambda user: a.Add(_user(user)),
        "appoint": lambda user: a.Appoint(_user(user)),
        "dismiss": lambda user: a.Dismiss(_user(user)),
        "withdraw": lambda entrant: a.Withdraw(_number(entrant)),
        "exclude": lambda entrant: a.Exclude(_number(entrant)),
        "replace": lambda entrant, user: a.Replace(_number(entrant), _user(user)),
        "decide": lambda game, points: a.Decide(game, read_points(points)),
        "correct": lambda game, points: a.Correct(game, read_points(points)),
        "extend": lambda number, until, game: a.Extend(_number(number), _instant(until), game),
        "undo": lambda seq: a.Undo(_number(seq)),
    }
)
