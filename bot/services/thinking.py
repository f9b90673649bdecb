"""What computers have to do, what their engines are asked, and what these answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from typing import Protocol

from bot.domain.hints import Found
from bot.domain.ids import MatchId, UserId
from bot.domain.match import Match
from bot.domain.reviews import Review, ReviewedMove
from games.api import OptionValue


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of an engine.

    ``about`` is ``move``, ``analysis`` for all moves with their values, or ``draw`` and ``draw on
    turn`` for whether it accepts a draw while the opponent or itself is on turn. ``state`` is the
    position as the game encodes it, ``plies`` how many moves led there; ``attempt`` counts how
    often the question was asked in vain.
    """

    game: str
    options: Mapping[str, OptionValue] = field(hash=False)
    state: str
    level: int
    seed: int
    plies: int
    about: str = "move"
    attempt: int = 0

    def as_json(self) -> str:
        """The question as a line of JSON."""
        asked = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return json.dumps({**asked, "options": dict(self.options)})


NOTHING_FOUND = Found(())


@dataclass(frozen=True, slots=True)
class Thought:
    """What an engine has decided: a move in canonical notation with its manners, or an answer.

    ``found`` are all moves, where an analysis was asked for.
    """

    move: str | None = None
    resigns: bool = False
    offers_draw: bool = False
    accepts: bool = False
    found: Found = NOTHING_FOUND


class ThinkingFailed(Exception):
    """No answer came: the process that was asked has ended, or took too long, or met a bug."""


class Thinker(Protocol):
    """Where engines think."""

    async def think(self, question: Question) -> Thought:
        """The answer of an engine. Raises :exc:`ThinkingFailed`."""
        ...

    async def close(self) -> None:
        """Stop thinking."""
        ...


# ---- what computers have to do -------------------------------------------------------------------

LEASE = timedelta(seconds=90)
"""How long a process that has taken a job may be silent: longer than any job takes."""


class JobKind(Enum):
    """The kinds of work for computers."""

    TURN = "turn"
    """Play, or answer what a player asks for, in a match in which a computer has a seat."""
    REVIEW = "review"
    """Look at the next moves of a match that is over."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job that is leased under the name ``lease``.

    ``version`` is that of the match for which it is to be done, ``level`` that of the computer;
    ``user_id`` is the person who waits for it. ``attempts`` counts how often it was taken before.
    """

    id: int
    kind: JobKind
    match_id: MatchId
    version: int
    level: int
    user_id: UserId | None
    attempts: int
    lease: str


@dataclass(frozen=True, slots=True)
class Queue:
    """How much is waiting: jobs that nobody is at, and how many are being done."""

    waiting: int = 0
    taken: int = 0


class JobStore(Protocol):
    """Where jobs are kept. Every method is one transaction."""

    async def claim_job(self, now: datetime, lease_until: datetime) -> Job | None:
        """Take the next job that is due; None if there is none.

        Of a server one is done at a time. The oldest comes first; the others of the same server
        then come after those of other servers that wait by now, and those of the same person after
        all of these. So nobody's many jobs keep others waiting.
        """
        ...

    async def finish_job(self, job: Job) -> bool:
        """The job is done; False if the lease was lost or another job is in its place."""
        ...

    async def put_off_job(self, job: Job, until: datetime, *, anew: bool = False) -> None:
        """Give a job back, to be taken again then; ``anew``: as if it had never been tried."""
        ...

    async def review(self, match_id: MatchId) -> Review | None:
        """The review of a match as far as it goes; None if nobody has asked for one."""
        ...

    async def ask_review(self, match: Match, user_id: UserId, plies: int, now: datetime) -> None:
        """Have a match reviewed, unless that has been asked for already."""
        ...

    async def add_to_review(
        self, match_id: MatchId, reviewed: int, moves: tuple[ReviewedMove, ...]
    ) -> bool:
        """Keep what was found after so many moves; False if that is not how far it goes."""
        ...

    async def release_jobs(self) -> None:
        """Give back what a process before has taken, where there is only one at a time."""
        ...

    async def job_queue(self, now: datetime) -> Queue:
        """How much there is to do."""
        ...

    async def next_job(self) -> datetime | None:
        """When the next job is due, leases included; None if there is none."""
        ...
