"""Ending matches, or a player's part in one, when time has run out.

A flag falls at the deadline and not before: outages since the turn began are given back first, and
people must have been seen able to act at the deadline and a little after it (:data:`GRACE`), so
that what is not yet known to be an outage does no harm either. Two processes may look at the same
match, and its player may move at the same moment: the version of the match decides who was first.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from bot.domain import play, timing
from bot.domain.change import Act, Change
from bot.domain.match import Match
from bot.errors import UserError
from bot.services.deliveries import deliveries_for
from bot.services.ports import Clock, Conflict, Outbox, Overdue, Presumed, Store

__all__ = ["GRACE", "credited", "is_late", "sweep_flags"]

log = logging.getLogger(__name__)

GRACE = timedelta(seconds=5)
"""How late a move may be: it takes a moment to get here, and machines' clocks differ."""
_BATCH = 50


def is_late(match: Match, act: Act, presumed: Presumed) -> bool:
    """Whether the time of the player on turn has run out for certain."""
    over = timing.runs_out(match, act.stood)
    if over is None:
        return False
    seen = act.at if presumed.seen is None else min(act.at, presumed.seen)
    return seen >= over + GRACE


async def credited(store: Store, match: Match, now: datetime) -> Match:
    """The match with the outages of this turn given back to its clock, for what is only told."""
    if match.deadline is None or match.times is None or match.times.since is None:
        return match
    presumed = await store.presumed(match.origin.guild_id, match.times.since, now)
    return timing.credited(match, presumed.stood)


async def sweep_flags(store: Store, clock: Clock, outbox: Outbox) -> int:
    """Look at every match whose deadline has passed; returns how many flags fell.

    A match to which an outage is given back gets its deadline anew. One whose server cannot be
    reached, or whose grace is not over, is left for later.
    """
    fallen = 0
    after: Overdue | None = None
    while True:
        found = await store.overdue(clock.now() - GRACE, _BATCH, after)
        if not found:
            return fallen
        for each in found:
            fallen += await _look(store, clock, outbox, each)
        after = found[-1]


async def _look(store: Store, clock: Clock, outbox: Outbox, overdue: Overdue) -> bool:
    """Settle one match; whether a flag fell."""
    match = (await store.load(overdue.match_id, None)).match
    if match is None or match.deadline is None or match.times is None or match.times.since is None:
        return False
    now = clock.now()
    presumed = await store.presumed(match.origin.guild_id, match.times.since, now)
    act = Act(now, stood=presumed.stood)
    late = is_late(match, act, presumed)
    try:
        change = play.flag(match, act) if late else timing.credit(match, act)
    except UserError as error:
        log.warning("the clock of match %s is left alone: %s", match.id, error.code)
        return False
    except Exception:
        log.exception("a bug while the flag of match %s was to fall", match.id)
        return False
    return await _commit(store, outbox, change) and late


async def _commit(store: Store, outbox: Outbox, change: Change | None) -> bool:
    if change is None:
        return False
    try:
        await store.commit(change, deliveries_for(change))
    except Conflict:
        return False
    outbox.wake()
    return True
