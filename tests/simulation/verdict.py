"""The verdict of a judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

SLACK = timedelta(minutes=11)
"""How long after a thing is due it may come: the bot is left alone for ten minutes at a time."""


def done_by(due: datetime, down: Sequence[tuple[datetime, datetime]]) -> datetime:
    """By when a thing must have been done that was due then.

    Each time the bot comes back it has as long again, and may be killed before that is over.
    """
    at = due
    for begin, end in sorted(down):
        if begin <= at + SLACK and end > at:
            at = end
    return at + SLACK


@dataclass
class Verdict:
    """The errors found, and the number of checks."""

    problems: list[str] = field(default_factory=list)
    facts: Counter[str] = field(default_factory=Counter)
