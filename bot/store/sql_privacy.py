"""The part of the store that is about a whole person; see its protocol for what is promised."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime

from bot.domain.events import JsonValue
from bot.domain.ids import UserId
from bot.services.ports import StoreUnavailable
from bot.store import privacy
from bot.store.database import Database

log = logging.getLogger(__name__)


class SqlPrivacy:
    """:class:`bot.services.privacy.PrivacyStore` on a :class:`~bot.store.database.Database`."""

    _database: Database

    async def held_about(self, user_id: UserId, now: datetime) -> Mapping[str, JsonValue]:
        """Everything that is held about a person."""
        return await self._database.read(lambda c: privacy.held_about(c, user_id, now))

    async def forget(self, user_id: UserId, pseudonym: UserId) -> int:
        """Erase a person, and what is left of the erased in the files."""
        kept = await self._database.write(lambda c: privacy.forget(c, user_id, pseudonym))
        try:
            await self._database.scrub()
        except StoreUnavailable as error:
            log.warning("what is erased stays in the log until that is emptied: %s", error.reason)
        return kept
