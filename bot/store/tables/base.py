"""The types of columns, what all tables share, and what is known of the database itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import Enum
from functools import lru_cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from sqlalchemy import (
    REAL,
    BigInteger,
    CheckConstraint,
    Column,
    Dialect,
    Double,
    Index,
    Integer,
    MetaData,
    Table,
    TableClause,
    Text,
    TypeDecorator,
    column,
    text,
)
from sqlalchemy import table as table_clause
from sqlalchemy.schema import SchemaItem
from sqlalchemy.types import TypeEngine

from bot.domain.codec import dumps, reader, write_flat
from bot.domain.events import micros, moment
from bot.domain.ids import UserId
from bot.errors import UserError

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)

# ---- types of columns ------------------------------------------------------------------------

Number = BigInteger().with_variant(Integer(), "sqlite")
Real: Double[float] = Double().with_variant(REAL(), "sqlite")
DAMAGED = object()
"""In the place of a value that cannot be read (:attr:`Kept.salvaged`)."""
_UNREADABLE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    OSError,
    TypeError,
    UserError,
    ValueError,
)
"""The exceptions of reading a value that was damaged on the disk."""


class Kept(TypeDecorator[Any]):
    """Values that are kept as numbers or texts, with the functions that write and read them.

    Reading a damaged value raises, or of a ``salvaged`` column answers :data:`DAMAGED`.
    """

    impl = Text
    cache_ok = True

    def __init__(
        self,
        kept: TypeEngine[Any],
        write: Callable[[Any], Any],
        read: Callable[[Any], Any],
        *,
        salvaged: bool = False,
    ) -> None:
        super().__init__()
        self.kept = kept
        self.impl = kept  # type: ignore[assignment]
        self.write, self.read, self.salvaged = write, read, salvaged

    def process_bind_param(self, value: Any, _: Dialect) -> Any:
        """A value as it is kept."""
        return None if value is None else self.write(value)

    def result_processor(self, _: Dialect, __: object) -> Callable[[Any], Any]:
        """The function that reads what is kept, with no step between it and the driver."""
        read, salvaged = self.read, self.salvaged

        def read_kept(value: Any) -> Any:
            if value is None:
                return None
            try:
                return read(value)
            except _UNREADABLE:
                if not salvaged:
                    raise
                return DAMAGED

        return read_kept


Instant = Kept(Number, micros, moment)
"""An aware instant, as microseconds since 1970 in UTC."""
NEVER = moment(0)
"""The instant in columns that are never NULL and hold none."""
Flag = Kept(Number, int, bool)
"""A truth, as 0 or 1."""
Json = Kept(Text(), dumps, json.loads)
"""Anything that JSON can hold, as its text."""
JsonObject = Kept(
    Text(), lambda value: dumps(dict(value)), lambda text: MappingProxyType(json.loads(text))
)
"""The same of a mapping that nothing changes."""


def member_of(kind: type[Enum]) -> Kept:
    """A member of an enumeration, as its value."""
    return Kept(Text(), attrgetter("value"), kind)


def json_of(wanted: Any, write: Callable[[Any], Any] = write_flat) -> Kept:
    """A value of a type, as the JSON text that ``write`` of :mod:`bot.domain.codec` makes of it.

    Few texts stand for most of them, so what was read last is remembered: nothing can change it.
    """
    made = reader(wanted)

    @lru_cache(maxsize=256)
    def read(text: str) -> Any:
        return made(json.loads(text))

    return Kept(Text(), lambda value: dumps(write(value)), read)


People = json_of(tuple[UserId | None, ...])
"""People by player index, as a JSON list."""
Numbers = json_of(tuple[int, ...])
"""Player indices or other small numbers, as a JSON list."""


def salvaged(*columns: Column[Any]) -> tuple[Column[Any], ...]:
    """Columns that answer :data:`DAMAGED` for a damaged value."""
    for each in columns:
        if isinstance(each.type, Kept):
            each.type = Kept(each.type.kept, each.type.write, each.type.read, salvaged=True)
    return columns


def raw(of: Table) -> TableClause:
    """A table whose columns are numbers and texts just as they are kept."""
    types = ((each.name, each.type) for each in of.columns)
    kept = [column(name, t.kept if isinstance(t, Kept) else t) for name, t in types]
    return table_clause(of.name, *kept)


# ---- what all tables share -------------------------------------------------------------------

NAMED = {"person": "named"}
"""A column with the id of a person, in a row that others need: erased, it has a pseudonym."""
OWN = {"person": "own"}
"""One in a row that is the person's alone, or of no use without them: the row is erased."""
CHOSEN = {"person": "chosen"}
"""The same of what another has chosen about the person, who is not told which other."""
CHANGING = {"changing": True}
"""A column of a head that its events may change."""


def table(name: str, *parts: SchemaItem, **options: Any) -> Table:
    """A table of Parlour's; SQLite holds its columns to their types."""
    return Table(name, metadata, *parts, sqlite_strict=True, **options)


def partial_index(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    """An index of those rows alone for which a condition holds."""
    only: dict[str, Any] = {
        f"{database}_where": text(where) for database in ("sqlite", "postgresql")
    }
    return Index(name, *columns, unique=unique, **only)


def one_of(column: str, values: type[Enum] | list[str]) -> CheckConstraint:
    """The constraint that a text column holds one of these values."""
    allowed = values if isinstance(values, list) else [each.value for each in values]
    words = ", ".join(f"'{value}'" for value in allowed)
    return CheckConstraint(f"{column} IN ({words})", name=column)
