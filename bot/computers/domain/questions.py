"""Jobs of computers, questions to their engines, and answers."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from bot.computers.domain.hints import Found
from games.api import OptionValue


@dataclass(frozen=True, slots=True)
class Question:
    """A question to an engine.

    ``about`` is ``move``; ``analysis`` for all moves with their values; ``review`` and ``moment``
    for those of a position in a match in which a move was ``played``, ``moment`` closely; ``draw``
    and ``draw on turn`` ask whether it accepts a draw while the opponent or itself is on turn.
    ``state`` is the encoded position, ``plies`` the number of moves before it, in a review ``of``
    so many; ``attempt`` counts earlier failures.
    """

    game: str
    options: Mapping[str, OptionValue] = field(hash=False)
    state: str
    level: int
    seed: int
    plies: int
    about: str = "move"
    attempt: int = 0
    played: str = ""
    of: int = 0

    def as_json(self) -> str:
        """The question as a line of JSON."""
        asked = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return json.dumps({**asked, "options": dict(self.options)})


NOTHING_FOUND = Found(())


@dataclass(frozen=True, slots=True)
class Thought:
    """The answer of an engine: a move, perhaps with a resignation or a draw offer, or an analysis.

    ``found`` are all moves of an analysis.
    """

    move: str | None = None
    resigns: bool = False
    offers_draw: bool = False
    accepts: bool = False
    found: Found = NOTHING_FOUND


class ThinkingFailed(Exception):
    """No answer: the process has ended, took too long, or met a bug."""


Think = Callable[[Question], Awaitable[Thought]]
"""Asks an engine. Raises :exc:`ThinkingFailed`."""


# ---- what computers have to do -------------------------------------------------------------------

LEASE = timedelta(seconds=90)
"""The time for which a process holds a job: longer than any job takes."""
