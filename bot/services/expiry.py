"""Letting offers lapse when their time has come."""

from __future__ import annotations

from bot.domain import offers
from bot.domain.change import Act
from bot.services.deliveries import deliveries_for
from bot.services.ports import Clock, Conflict, Outbox, Store

__all__ = ["sweep_offers"]

_BATCH = 50


async def sweep_offers(store: Store, clock: Clock, outbox: Outbox) -> int:
    """Let every offer lapse whose time has come; returns how many did.

    Two processes may sweep at once, and an offer may be accepted meanwhile: the version of the
    match decides who was first.
    """
    total = 0
    while True:
        lapsed = 0
        found = await store.lapsed_offers(clock.now(), _BATCH)
        for match_id in found:
            match = (await store.load(match_id, None)).match
            change = None if match is None else offers.expire(match, Act(clock.now()))
            if change is None:
                continue
            try:
                await store.commit(change, deliveries_for(change))
            except Conflict:
                continue
            lapsed += 1
        total += lapsed
        if not lapsed:
            return total
        outbox.wake()
