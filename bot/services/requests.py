"""Requests in a running match: draws, takebacks, pauses, aborting."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from bot.domain import request_rules
from bot.domain.events import Change, CommandContext, Event
from bot.domain.ids import InteractionId, MatchId
from bot.domain.match import Actor, Match
from bot.domain.requests import RequestKind, find
from bot.services.match_changes import Answer, MatchChanges

LAST = timedelta(days=3)
"""The time for which a request is open if nobody answers it or moves."""


def _ask(
    match: Match,
    act: CommandContext,
    actor: Actor,
    *,
    wish: RequestKind,
    past: tuple[Event, ...] = (),
) -> Change:
    if find(match.requests, wish) is None:
        request_rules.check_patience(match, actor, wish, past)
    return request_rules.ask(match, act, actor, wish, expires_at=act.at + LAST, past=past)


class RequestService:
    """Asking, answering, withdrawing; and ending a pause."""

    def __init__(self, changes: MatchChanges) -> None:
        self._changes = changes

    async def ask(
        self,
        actor: Actor,
        match_id: MatchId,
        wish: RequestKind,
        *,
        interaction_id: InteractionId | None,
    ) -> Answer:
        """Ask the others (``draw_asked``, ``takeback_asked``, ``pause_asked``, ``abort_asked``).

        Refused with ``asked_already`` while the position has changed less than twice since one's
        last request of this kind was declined or expired. Accepts (``draw_agreed``, ...) if one of
        them has asked for the same.
        """
        ask = partial(_ask, wish=wish)
        return await self._changes.change(actor, match_id, interaction_id, ask, past=True)

    async def answer(
        self,
        actor: Actor,
        match_id: MatchId,
        wish: RequestKind,
        *,
        accept: bool,
        version: int | None = None,
        interaction_id: InteractionId | None,
    ) -> Answer:
        """Accept (see :meth:`ask`) or decline (``draw_refused``, ...).

        ``version`` is that of the request that was seen, if known.
        """
        answer = partial(request_rules.answer, wish=wish, accept=accept, version=version)
        past = request_rules.needs_past(wish, accept=accept)
        return await self._changes.change(actor, match_id, interaction_id, answer, past=past)

    async def withdraw(
        self,
        actor: Actor,
        match_id: MatchId,
        wish: RequestKind,
        *,
        version: int | None = None,
        interaction_id: InteractionId | None,
    ) -> Answer:
        """Withdraw the request: ``draw_retracted``, ...."""
        withdraw = partial(request_rules.withdraw, wish=wish, version=version)
        return await self._changes.change(actor, match_id, interaction_id, withdraw)

    async def resume(
        self, actor: Actor, match_id: MatchId, *, interaction_id: InteractionId | None
    ) -> Answer:
        """End a pause: ``resumed``."""
        return await self._changes.change(actor, match_id, interaction_id, request_rules.resume)
