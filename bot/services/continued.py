"""The match in whose place another one goes on, with a substitute for a player who has left."""

from __future__ import annotations

import contextlib

from bot.domain import stalled
from bot.domain.ids import MatchId
from bot.domain.match import Actor, Match, MatchStatus
from bot.domain.substitutes import check_goes_on
from bot.errors import UserError
from bot.services.match_changes import MatchChanges
from bot.services.ports import Store, ask


async def continued(store: Store, match_id: MatchId) -> Match | None:
    """The match in whose place an offered one goes on, None if it goes on in none's.

    Raises what :func:`~bot.domain.substitutes.check_goes_on` does while the offer is open.
    """
    offer = (await ask(store.load(match_id, None))).match
    if offer is None or offer.continues is None:
        return None
    before = (await ask(store.load(offer.continues, None))).match
    if before is not None and offer.status is MatchStatus.OFFERED:
        check_goes_on(before, offer.offered_by)
    return before


async def leave_behind(changes: MatchChanges, match: Match, before: Match | None) -> None:
    """Abort the match ``before``, now that another goes on in its place, if that has started.

    Where that does not come about, its players can still abort it themselves.
    """
    host = match.players[match.offered_by]
    if before is None or host is None or match.status is not MatchStatus.RUNNING:
        return
    actor = Actor(host, before.origin.guild_id)
    with contextlib.suppress(UserError):
        await changes.change(
            actor, before.id, None, lambda old, act: stalled.abort(old, act, actor)
        )
