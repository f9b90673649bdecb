"""Results for programs: news of a server's matches and tournaments, sent to its address."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from cachetools import LRUCache

from bot.clock import Clock
from bot.domain.ids import GuildId, MatchId, TournamentId
from bot.logs import logger
from bot.posts.outgoing import WEBHOOK, Claim, Done, Handler, Outcome, PutOff, id_in
from bot.posts.sending import Retry
from bot.store import Store, transactions
from bot.webhooks import store as webhooks
from bot.webhooks.domain import Webhook, match_document, signature

_log = logger(__name__)
_APART = timedelta(seconds=2)
"""The time between two requests to one address: 30 a minute."""
_AT_ONCE = 2
"""Concurrent requests, of the eight messages that the outbox sends concurrently."""
_BUSY = timedelta(seconds=1)


class WebhookFailed(Exception):
    """An address has not accepted a request; ``reason`` is a word of letters and digits."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


Post = Callable[[str, Mapping[str, str], bytes], Awaitable[None]]
"""Sends headers and a body to an address on the open Internet. Raises :exc:`WebhookFailed`."""
TournamentDocument = Callable[[TournamentId], Awaitable[dict[str, Any] | None]]
"""A tournament as a document for programs; None if it is gone."""


@dataclass(eq=False)
class Webhooks(Handler):
    """Sends results."""

    kinds = frozenset({WEBHOOK})

    store: Store
    clock: Clock
    post: Post
    tournament: TournamentDocument
    _sent: LRUCache[GuildId, datetime] = field(default_factory=lambda: LRUCache(1000), init=False)
    _sending: int = field(default=0, init=False)

    async def make(self, claim: Claim) -> Outcome:
        """Send one message, if there still is an address for it.

        A slow address does not delay other messages, and a busy server does not flood one.
        """
        guild_id = GuildId(int(id_in(claim.key)))
        known = await self.store.read(webhooks.of_server, guild_id)
        if known is None or known.off_at is not None:
            return Done()
        now = self.clock.now()
        due = self._sent.get(guild_id, now - _APART) + _APART
        if due > now or self._sending >= _AT_ONCE:
            return PutOff(max(due, now + _BUSY), "later", certain=not claim.may_exist)
        self._sent[guild_id] = now
        self._sending += 1
        try:
            return await self._send(claim, known)
        finally:
            self._sending -= 1

    async def _send(self, claim: Claim, known: Webhook) -> Outcome:
        about = await self._about(str(claim.payload["event"]), str(claim.payload["id"]))
        if about is None:
            return Done()
        body = json.dumps(
            {
                "event": claim.payload["event"],
                "delivery": str(claim.id),
                "at": claim.payload["at"],
                "server": str(known.guild_id),
                **about,
            },
            ensure_ascii=False,
            separators=(",", ":"),
        ).encode()
        timestamp = int(self.clock.now().timestamp())
        headers = {
            "Content-Type": "application/json",
            "Parlour-Delivery": str(claim.id),
            "Parlour-Timestamp": str(timestamp),
            "Parlour-Signature": f"sha256={signature(known.secret, timestamp, body)}",
        }
        try:
            await self.post(known.url, headers, body)
        except WebhookFailed as failed:
            return await self._failed(known, failed.reason)
        if known.failing_since is not None:
            await self.store.write(webhooks.note_success, known)
        return Done()

    async def _failed(self, known: Webhook, reason: str) -> Outcome:
        _log.info("a webhook failed", server=known.guild_id, reason=reason)
        now = self.clock.now()
        if await self.store.write(webhooks.note_failure, known, reason, now):
            _log.warning("a webhook is switched off", server=known.guild_id, reason=reason)
            return Done()
        raise Retry(sent=True)

    async def _about(self, event: str, subject: str) -> dict[str, Any] | None:
        """The present document of a message's subject; None if that is gone."""
        if event.startswith("match."):
            match = await self.store.read(transactions.match, MatchId(subject))
            return None if match is None else {"match": match_document(match)}
        return await self.tournament(TournamentId(subject))
