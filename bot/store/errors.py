"""How a transaction can fail, other than by a bug."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar

from bot.domain.events import Event
from bot.errors import UserError


class Conflict(Exception):
    """The match has another version than the one that the change was decided on."""


class AlreadyDone(Exception):
    """The interaction has been carried out before; ``event`` is what came of it."""

    def __init__(self, event: Event) -> None:
        super().__init__(event.match_id, event.seq)
        self.event = event


class StoreUnavailable(UserError):
    """The database cannot do it now; nothing has happened. ``reason`` is a word for the host."""

    def __init__(self, reason: str, code: str = "store_unavailable") -> None:
        super().__init__(code, reason=reason)
        self.reason = reason


class OutcomeUnknown(StoreUnavailable):
    """The database was told to commit and has not answered: it may have happened or not.

    ``outcome`` ends when more is known: whether it has happened, None if that can't be found out.
    """

    def __init__(self, reason: str, outcome: asyncio.Task[bool | None]) -> None:
        super().__init__(reason, "outcome_unknown")
        self.outcome = outcome


has_written: ContextVar[bool] = ContextVar("has_written", default=False)
"""Whether something was committed by this task since it was last set to False."""
