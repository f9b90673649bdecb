"""Ends what has timed out: matches, a player's part in one, offers, requests.

A flag falls after the deadline: outages since the turn began are given back first, and players must
have been able to act at the deadline and a little after it (:data:`bot.services.presence.GRACE`).
Two processes may look at the same match, and its player may act at the same moment: the version of
the match decides who was first.

No flag falls before its player could know of the turn: while the board or the notice is still to be
sent, the clock is stopped (:mod:`bot.domain.untold_turns`).

Where the players have agreed on it, a vacation of the player on turn starts at the deadline
instead, as long as they have days left.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from datetime import datetime
from typing import Any

from bot.clock import Clock
from bot.domain import match_clock, offer_answers, play, request_rules
from bot.domain.events import Change, CommandContext
from bot.domain.ids import MatchId
from bot.domain.match import Match
from bot.errors import UserError
from bot.logs import logger
from bot.services import host_changes
from bot.services.presence import GRACE, is_late
from bot.services.vacations import VacationService
from bot.store import Store, match_feed, presence, transactions
from bot.store.errors import Conflict
from bot.store.records import Overdue
from bot.trouble import Trouble, Troubles

_log = logger(__name__)

_BATCH = 50
_TRIES = 10


async def sweep_flags(
    store: Store,
    clock: Clock,
    vacations: VacationService | None = None,
    troubles: Troubles | None = None,
) -> int:
    """Look at every match whose deadline has passed; how many flags fell.

    A match to which an outage is given back gets a new deadline. One whose server can't be reached,
    or whose grace is not over, is left for later. ``troubles`` are the matches that can't be
    judged.
    """
    fallen = 0
    troubles = troubles or Troubles(_log, level=logging.WARNING)
    after: Overdue | None = None
    while True:
        found = await store.read(presence.overdue, clock.now() - GRACE, _BATCH, after)
        if not found:
            return fallen
        for each in found:
            trouble = troubles.of(f"the clock of match {each.match_id} is left alone")
            fallen += await _look(store, clock, each, vacations=vacations, trouble=trouble)
        after = found[-1]


async def _look(
    store: Store,
    clock: Clock,
    overdue: Overdue,
    *,
    vacations: VacationService | None,
    trouble: Trouble,
) -> bool:
    """Settle one match; whether a flag fell."""
    match = await store.read(transactions.match, overdue.match_id)
    if match is None or match.deadline is None:
        return False
    for _ in range(_TRIES):
        now = clock.now()
        availability = await store.read(presence.availability_of, match, now)
        act = availability.act(now)
        late = is_late(match, act, availability)
        if late and await store.write(match_feed.spare, match.id, now):
            return False
        over = match_clock.runs_out(match, act.stopped_spans)
        if not late or vacations is None or over is None:
            break
        if not await vacations.begin_by_itself(match, over):
            break
    try:
        change = play.flag(match, act) if late else match_clock.credit(match, act)
    except UserError as error:
        trouble.met(error.code)
        return False
    except Exception as error:
        trouble.met(f"a bug, {type(error).__name__}", error=error)
        return False
    trouble.passed()
    if change is None:
        return False
    try:
        await store.commit(change)
    except Conflict:
        return False
    return late


# ---- offers and requests -------------------------------------------------------------------------


async def sweep_offers(store: Store, clock: Clock) -> int:
    """Let offers expire; how many did."""
    return await _sweep(store, clock, transactions.lapsed_offers, offer_answers.expire)


async def sweep_requests(store: Store, clock: Clock) -> int:
    """Let requests expire; in how many matches some did."""
    return await _sweep(store, clock, transactions.lapsed_requests, request_rules.lapse)


async def _sweep(
    store: Store,
    clock: Clock,
    find: Callable[[Any, datetime, int], tuple[MatchId, ...]],
    decide: Callable[[Match, CommandContext], Change | None],
) -> int:
    total = 0
    while True:
        lapsed = 0
        for match_id in await store.read(find, clock.now(), _BATCH):
            with contextlib.suppress(Conflict):
                lapsed += await host_changes.apply(store, clock, match_id, decide)
        total += lapsed
        if not lapsed:
            return total
