"""Ending matches, or a player's part in one, when time has run out.

A flag falls at the deadline and not before: outages since the turn began are given back first, and
people must have been seen able to act at the deadline and a little after it (:data:`GRACE`), so
that what is not yet known to be an outage does no harm either. Two processes may look at the same
match, and its player may move at the same moment: the version of the match decides who was first.

Nor does one fall before its player could know of the turn: while the board or the line that calls
them is still to be sent, the clock is stopped (:mod:`bot.domain.unreached`).

Where the players have agreed on it, a vacation of whose time has run out begins at the deadline,
as long as they have days left, and then no flag falls.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol

from bot.domain import match_clock, play
from bot.domain.change import Change, CommandContext
from bot.domain.clock import lived
from bot.domain.ids import GuildId, MatchId, UserId
from bot.domain.match import Match
from bot.errors import UserError
from bot.logs import logger
from bot.services.outgoing import Outbox
from bot.services.ports import Availability, Clock, Conflict, Overdue, Store
from bot.trouble import Trouble, Troubles

_log = logger(__name__)

GRACE = timedelta(seconds=5)
"""How late a move may be: it takes a moment to get here, and machines' clocks differ."""
Asked = tuple[GuildId | None, datetime, datetime, tuple[UserId, ...], MatchId]
_BATCH = 50
_TRIES = 10


class AutoVacation(Protocol):
    """Who may let a vacation begin where a flag would fall."""

    async def begin_by_itself(self, match: Match, over: datetime) -> bool:
        """Whether a vacation of the player on turn stands in the way of a flag from ``over`` on."""
        ...


async def standing(
    store: Store, match: Match, now: datetime, *, joining: UserId | None = None
) -> Availability:
    """When the running clock of a match has stood so far, and who at its table is on vacation.

    ``joining`` is a player who may sit there after what happens now.
    """
    presumed = await store.presumed(*asked(match, now, joining))
    return reckoned(match, now, presumed)


def asked(match: Match, now: datetime, joining: UserId | None = None) -> Asked:
    """What is to be read to know when the clock of a match has stood."""
    control, times = match.clock, match.times
    since = now if times is None or times.since is None else times.since
    people: tuple[UserId, ...] = ()
    if control is not None and control.may_rest:
        there = (*match.players, joining)
        people = tuple(dict.fromkeys(each for each in there if each is not None))
    return match.origin.guild_id, since, now, people, match.id


def reckoned(match: Match, now: datetime, presumed: Availability) -> Availability:
    """The same with what has stopped the clock of the player on turn alone."""
    times = match.times
    if times is None or times.running is None:
        return presumed
    person = match.players[times.running]
    spans = tuple(each.span for each in presumed.leaves if each.user_id == person)
    untold = presumed.untold
    if untold is not None and untold.is_of(match):
        spans = (*spans, untold.span(now))
    return replace(presumed, stood=(*presumed.stood, *spans)) if spans else presumed


def is_late(match: Match, act: CommandContext, presumed: Availability) -> bool:
    """Whether the time of the player on turn has run out for certain.

    An outage within the grace does not use it up; a vacation begun there comes too late.
    """
    over = match_clock.runs_out(match, act.stood)
    if over is None:
        return False
    seen = act.at if presumed.seen is None else min(act.at, presumed.seen)
    leaves = {each.span for each in presumed.leaves}
    outages = tuple(span for span in act.stood if span not in leaves)
    return lived(over, seen, outages) >= GRACE


async def credited(store: Store, match: Match, now: datetime) -> Match:
    """The match with what is to be given back of this turn given back, for what is only told."""
    if match.deadline is None:
        return match
    return match_clock.credited(match, (await standing(store, match, now)).stood)


async def sweep_flags(
    store: Store,
    clock: Clock,
    outbox: Outbox,
    relief: AutoVacation | None = None,
    troubles: Troubles | None = None,
) -> int:
    """Look at every match whose deadline has passed; returns how many flags fell.

    A match to which an outage is given back gets its deadline anew. One whose server cannot be
    reached, or whose grace is not over, is left for later. ``troubles`` remembers which matches
    are left alone because they cannot be judged.
    """
    fallen = 0
    troubles = troubles or Troubles(_log, level=logging.WARNING)
    after: Overdue | None = None
    while True:
        found = await store.overdue(clock.now() - GRACE, _BATCH, after)
        if not found:
            return fallen
        for each in found:
            trouble = troubles.of(f"the clock of match {each.match_id} is left alone")
            fallen += await _look(store, clock, outbox, each, relief=relief, trouble=trouble)
        after = found[-1]


async def _look(
    store: Store,
    clock: Clock,
    outbox: Outbox,
    overdue: Overdue,
    *,
    relief: AutoVacation | None,
    trouble: Trouble,
) -> bool:
    """Settle one match; whether a flag fell."""
    match = (await store.load(overdue.match_id, None)).match
    if match is None or match.deadline is None:
        return False
    for _ in range(_TRIES):
        now = clock.now()
        presumed = await standing(store, match, now)
        act = CommandContext(now, stood=presumed.stood, away=presumed.away(now))
        late = is_late(match, act, presumed)
        if late and await store.spare_unreached(match.id, now):
            return False
        over = match_clock.runs_out(match, act.stood)
        if not late or relief is None or over is None:
            break
        if not await relief.begin_by_itself(match, over):
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
    return await _commit(store, outbox, change) and late


async def _commit(store: Store, outbox: Outbox, change: Change | None) -> bool:
    if change is None:
        return False
    try:
        await store.commit(change)
    except Conflict:
        return False
    outbox.wake()
    return True
