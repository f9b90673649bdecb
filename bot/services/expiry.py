"""Letting lapse what has not been answered in time: offers, and what players ask one another for.

Two processes may look at the same match, and a player may answer meanwhile: the version of the
match decides who was first.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime

from bot.domain import offers, request_rules
from bot.domain.change import Change, CommandContext
from bot.domain.ids import MatchId
from bot.domain.match import Match
from bot.services.outgoing import Outbox
from bot.services.ports import Clock, Conflict, Store

_BATCH = 50


async def sweep_offers(store: Store, clock: Clock, outbox: Outbox) -> int:
    """Let every offer lapse whose time has come; returns how many did."""
    return await _sweep(store, clock, outbox, store.lapsed_offers, offers.expire)


async def sweep_requests(store: Store, clock: Clock, outbox: Outbox) -> int:
    """Let every request lapse whose time has come; returns in how many matches some did."""
    return await _sweep(store, clock, outbox, store.lapsed_requests, request_rules.lapse)


async def _sweep(
    store: Store,
    clock: Clock,
    outbox: Outbox,
    find: Callable[[datetime, int], Awaitable[tuple[MatchId, ...]]],
    decide: Callable[[Match, CommandContext], Change | None],
) -> int:
    total = 0
    while True:
        lapsed = 0
        for match_id in await find(clock.now(), _BATCH):
            match = (await store.load(match_id, None)).match
            change = None if match is None else decide(match, CommandContext(clock.now()))
            if change is None:
                continue
            try:
                await store.commit(change)
            except Conflict:
                continue
            lapsed += 1
        total += lapsed
        if not lapsed:
            return total
        outbox.wake()
