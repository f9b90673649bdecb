"""Facts, and other dataclasses, as JSON and back by the types of their fields."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta
from enum import Enum
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from bot.domain.events import JsonValue, micros, moment
from bot.domain.tournaments.facts import Fact

_MICROSECOND = timedelta(microseconds=1)
_KINDS: Mapping[str, type[Fact]] = MappingProxyType(
    {each.__name__.lower(): each for each in get_args(Fact)}
)


def kind_of(fact: Fact) -> str:
    """The name under which a fact is kept."""
    return type(fact).__name__.lower()


def write_fact(fact: Fact) -> dict[str, JsonValue]:
    """The payload of a fact: instants and lengths in microseconds, points as fractions."""
    return cast("dict[str, JsonValue]", write(fact))


def read_fact(kind: str, payload: Mapping[str, JsonValue]) -> Fact:
    """The fact of a kind and payload. Raises :exc:`ValueError` for what is none."""
    try:
        return cast("Fact", read(_KINDS[kind], payload))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no fact: {kind}") from error


def write(value: Any) -> JsonValue:
    """A value as JSON: instants and lengths in microseconds, fractions as text."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool | int):
        return int(value)
    if isinstance(value, datetime):
        return micros(value)
    if isinstance(value, timedelta):
        return value // _MICROSECOND
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Enum):
        return cast("str", value.value)
    if isinstance(value, tuple):
        return [write(each) for each in value]
    if isinstance(value, Mapping):
        return {str(key): write(each) for key, each in value.items()}
    return {each.name: write(getattr(value, each.name)) for each in fields(value)}


@cache
def _hints(of: type) -> dict[str, Any]:
    return get_type_hints(of)


def read_field(of: type, name: str, value: Any) -> Any:
    """The value of a field of a dataclass; :exc:`KeyError` and its like for what is none."""
    return read(_hints(of)[name], value)


def read(wanted: Any, value: Any) -> Any:
    """A value of a type from what :func:`write` has made of it."""
    origin = get_origin(wanted)
    if origin in (Union, types.UnionType):
        return _read_union(get_args(wanted), value)
    if origin is tuple:
        return tuple(read(get_args(wanted)[0], each) for each in value)
    if origin is not None and issubclass(origin, Mapping):
        inner = get_args(wanted)[1]
        return MappingProxyType({key: read(inner, each) for key, each in value.items()})
    if wanted is bool:
        return bool(value)
    if wanted is datetime:
        return moment(value)
    if wanted is timedelta:
        return value * _MICROSECOND
    if wanted is Fraction:
        return Fraction(value)
    if is_dataclass(wanted):
        hints = _hints(cast("type", wanted))
        return cast("Any", wanted)(**{key: read(hints[key], each) for key, each in value.items()})
    if issubclass(wanted, Enum):
        return wanted(value)
    if not isinstance(value, wanted):
        raise TypeError(f"{value!r} is not {wanted}")
    return value


def _read_union(wanted: tuple[Any, ...], value: Any) -> Any:
    if value is None:
        return None
    plain = [each for each in wanted if each is not type(None)]
    if len(plain) == 1:
        return read(plain[0], value)
    return value  # an option of a game: a number or a word
