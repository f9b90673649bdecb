"""The part of the store that is about the database itself; see the protocols of the services."""

from __future__ import annotations

from datetime import datetime

from bot.domain.change import Change
from bot.domain.ids import MatchId
from bot.domain.match import Match
from bot.services.verification import Piece, SetAside
from bot.store import upkeep
from bot.store.database import Database


class SqlUpkeep:
    """Which applications are served, and looking after what is stored, on a ``Database``.

    See :class:`bot.services.applications.ApplicationStore` and
    :class:`bot.services.verification.VerificationStore`.
    """

    _database: Database

    async def applications(self) -> frozenset[int]:
        """The applications of Discord that were served with this database."""
        return await self._database.read(upkeep.served)

    async def serve(self, application_id: int) -> None:
        """Note that an application is served from now on."""
        await self._database.write(lambda c: upkeep.serve(c, application_id))

    async def is_used(self) -> bool:
        """Whether anything has ever happened in this database."""
        return await self._database.read(upkeep.is_used)

    async def to_verify(self, limit: int) -> Piece:
        """The next matches to look through."""
        return await self._database.read_afresh(lambda c: upkeep.to_verify(c, limit))

    async def verified(self, piece: Piece, now: datetime) -> None:
        """Go on after a piece the next time."""
        await self._database.write(lambda c: upkeep.verified(c, piece, now), durable=False)

    async def verified_at(self) -> datetime | None:
        """When last all matches had been looked through."""
        return await self._database.read(upkeep.verified_at)

    async def set_aside(self, match_id: MatchId, at: datetime) -> bool:
        """Set a match aside; whether it was not."""
        return await self._database.write(lambda c: upkeep.set_aside(c, match_id, at))

    async def all_set_aside(self) -> tuple[SetAside, ...]:
        """The matches that are set aside."""
        return await self._database.read(upkeep.all_set_aside)

    async def reinstate(self, match: Match, change: Change | None, now: datetime) -> None:
        """Let a match that was set aside go on."""
        await self._database.write(lambda c: upkeep.reinstate(c, match, change, now))
