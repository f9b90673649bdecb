"""Dataclasses and their content as JSON, and back by the types of their fields.

This is no library, since databases hold these texts: pydantic writes other ones, and cattrs needs a
hook for nearly every type in a list of fields, for about as many lines.
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta
from enum import Enum
from fractions import Fraction
from functools import cache, lru_cache, partial
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from bot.domain.events import JsonValue, micros, moment

_MICROSECOND = timedelta(microseconds=1)

dumps = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
"""JSON as it is stored."""


def write(value: Any) -> JsonValue:
    """A value as JSON: instants and lengths in microseconds, fractions as text."""
    if value is None or isinstance(value, str | float):
        return cast("JsonValue", value)
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
    if isinstance(value, tuple | list):
        return [write(each) for each in value]
    if isinstance(value, Mapping):
        return {str(key): write(each) for key, each in value.items()}
    return {each.name: write(getattr(value, each.name)) for each in fields(value)}


def write_flat(value: Any) -> JsonValue:
    """The same with dataclasses as lists of their fields: short for values in many rows."""
    if isinstance(value, tuple):
        return [write_flat(each) for each in value]
    if is_dataclass(value):
        return [write_flat(getattr(value, each.name)) for each in fields(value)]
    return write(value)


def read_field(of: type, name: str, value: Any) -> Any:
    """The value of a field of a dataclass; :exc:`KeyError` and the like for an invalid one."""
    return _readers(of)[name](value)


def read(wanted: Any, value: Any) -> Any:
    """A value of a type from the output of :func:`write` or :func:`write_flat`."""
    return reader(wanted)(value)


@cache
def reader(wanted: Any) -> Callable[[Any], Any]:
    """The reader of a type's values; thousands are read for a large event, so it is made once."""
    inner = [reader(each) for each in get_args(wanted) if each not in (types.NoneType, ...)]
    origin = get_origin(wanted)
    if origin in (Union, types.UnionType):
        # A union of types is an option of a game: a number or a word.
        one = inner[0] if len(inner) == 1 else lambda value: value
        return lambda value: None if value is None else one(value)
    if origin is tuple:
        return lambda value: tuple(map(inner[0], value))
    if origin is Mapping:
        key_type, value_of = get_args(wanted)[0], inner[-1]
        return lambda value: {key_type(x): value_of(y) for x, y in value.items()}
    if is_dataclass(wanted):
        return partial(_made, wanted, _readers(cast("type", wanted)))
    plain = getattr(wanted, "__supertype__", wanted)
    return _PLAIN.get(plain) or (plain if issubclass(plain, Enum) else partial(_checked, plain))


@cache
def _readers(of: type) -> Mapping[str, Callable[[Any], Any]]:
    hints = get_type_hints(of)
    return {each.name: reader(hints[each.name]) for each in fields(cast("Any", of))}


def _made(wanted: Any, readers: Mapping[str, Callable[[Any], Any]], value: Any) -> Any:
    if isinstance(value, list):
        value = dict(zip(readers, value, strict=False))
    return wanted(**{key: readers[key](each) for key, each in value.items()})


def _checked(wanted: type | tuple[type, ...], value: Any) -> Any:
    if not isinstance(value, wanted):
        raise TypeError(f"{value!r} is not {wanted}")
    return value


_PLAIN: Mapping[Any, Callable[[Any], Any]] = {
    bool: bool,
    float: partial(_checked, (int, float)),
    datetime: moment,
    timedelta: lambda value: value * _MICROSECOND,
    Fraction: lru_cache(Fraction),
}
