"""What a judge says."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta

SLACK = timedelta(minutes=11)
"""How long after a thing is due it may come: the bot is left alone for ten minutes at a time."""


@dataclass
class Verdict:
    """What was wrong, and how much was looked at."""

    problems: list[str] = field(default_factory=list)
    facts: Counter[str] = field(default_factory=Counter)
