"""Computers at a table, inside transactions; their work is in :mod:`bot.store.jobs`."""

from __future__ import annotations

from sqlalchemy import Connection

from bot.domain.computer_turns import sits
from bot.domain.events import Change, EventKind
from bot.store import times


def sit_down(connection: Connection, change: Change) -> tuple[Change, ...]:
    """What computers do at once after a change: accept an offer, agree to a request."""
    if change.event.kind is EventKind.SUBSTITUTED or not change.match.has_computer:
        return ()
    return tuple(sits(change, times.away(connection, change)))
