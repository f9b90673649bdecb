"""The part of the store that is about the database itself; see the protocols of the services."""

from __future__ import annotations

from bot.store import upkeep
from bot.store.database import Database

__all__ = ["SqlUpkeep"]


class SqlUpkeep:
    """:class:`bot.services.applications.ApplicationStore` on a ``Database``."""

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
