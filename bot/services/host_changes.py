"""Changes of a match that nobody asked for: a flag falls, an offer expires, time is given back."""

from __future__ import annotations

from collections.abc import Callable

from bot.clock import Clock
from bot.domain.events import Change, CommandContext
from bot.domain.ids import MatchId
from bot.domain.match import Match
from bot.store import Store, presence, transactions


async def apply(
    store: Store,
    clock: Clock,
    match_id: MatchId,
    rule: Callable[[Match, CommandContext], Change | None],
    *,
    where: Callable[[Match], bool] = lambda _: True,
) -> bool:
    """Apply a rule to a match as it is now, with what has stopped its clock; whether it changed.

    Nothing happens unless ``where`` accepts the match. Raises
    :exc:`~bot.store.errors.Conflict` if another change was faster.
    """
    match = await store.read(transactions.match, match_id)
    if match is None or not where(match):
        return False
    now = clock.now()
    availability = await store.read(presence.availability_of, match, now)
    change = rule(match, availability.act(now))
    if change is not None:
        await store.commit(change)
    return change is not None
