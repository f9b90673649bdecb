"""For what may be missing and is not missing here."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def not_none(value: T | None) -> T:
    """The value, which a test knows to be there."""
    assert value is not None
    return value
