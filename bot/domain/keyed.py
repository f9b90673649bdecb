"""Enumerations whose members declare all that belongs to them beside the value that is stored."""

from __future__ import annotations

from enum import Enum
from typing import Any, Self


class Keyed(Enum):
    """``MEMBER = Declaration("stored value", ...)``: the declaration has a ``key``."""

    about: Any

    def __new__(cls, about: Any) -> Self:
        """A member, whose value is the key of its declaration."""
        made = object.__new__(cls)
        made._value_ = about.key
        made.about = about
        return made
