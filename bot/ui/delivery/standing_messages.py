"""Messages that stand and are edited in place, on Discord."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from datetime import datetime
from typing import Any

from bot.domain.ids import MessageId
from bot.services.outbox.standing import StandingMessage, StandingPage
from bot.services.sending import Posted, Recipient
from bot.ui.delivery.messenger import DiscordMessenger


def sheet_of(components: list[Any]) -> StandingPage:
    """What a message is to say."""
    written = json.dumps(components, sort_keys=True, separators=(",", ":"))
    return StandingPage(components, hashlib.sha256(written.encode()).hexdigest())


class DiscordStanding(ABC):
    """Posts and edits messages of one kind, by the ways of the outbox's messenger."""

    def __init__(self, messenger: DiscordMessenger) -> None:
        self._messenger = messenger

    @abstractmethod
    async def sheet(self, standing: StandingMessage) -> StandingPage:
        """What a message is to say now."""

    @abstractmethod
    def is_it(self, standing: StandingMessage, components: object) -> bool:
        """Whether a message of ours with these components is the one."""

    async def post(self, standing: StandingMessage, sheet: StandingPage, *, nonce: str) -> Posted:
        """Post it, silently."""
        page: list[Any] = list(sheet.components)
        to = Recipient(channel_id=standing.channel_id)
        return await self._messenger.post_page(to, page, nonce=nonce)

    async def edit(self, posted: Posted, sheet: StandingPage) -> None:
        """Put it in the place of what a message says."""
        await self._messenger.edit_page(posted, list(sheet.components))

    async def find(self, standing: StandingMessage, since: datetime) -> Posted | None:
        """Look for one of ours."""
        place = Recipient(channel_id=standing.channel_id)
        for each in await self._messenger.since(place, since):
            if self.is_it(standing, each.get("components")):
                return Posted(standing.channel_id, MessageId(int(each["id"])))
        return None

    async def look(self, posted: Posted) -> None:
        """Look whether a message is there."""
        await self._messenger.see(posted)

    async def erase(self, posted: Posted) -> None:
        """Delete a message of ours."""
        await self._messenger.erase(posted)
