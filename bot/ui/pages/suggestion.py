"""A suggestion for a field of a command."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What autocomplete shows, and what it puts into the field."""

    shown: str
    value: str
