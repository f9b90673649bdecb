"""The part of the store about what Discord refuses; see its protocol for what is promised."""

from __future__ import annotations

from datetime import datetime

from bot.domain.ids import GuildId, MatchId
from bot.domain.unreached import Unreached
from bot.services.blocked_store import Blockages, Parked
from bot.services.sending import Posted
from bot.store import blocked, transactions
from bot.store.database import Database


class SqlBlocked:
    """:class:`bot.services.blocked_store.BlockedStore` on a database."""

    _database: Database

    async def blocked(self, match_id: MatchId | None = None) -> Blockages:
        """What is blocked at present."""
        return await self._database.read(lambda c: blocked.blockages(c, match_id))

    async def hurry(self, match_ids: tuple[MatchId, ...], now: datetime) -> None:
        """Try at once what was put off in these matches."""
        if match_ids:
            await self._database.write(lambda c: blocked.hurry(c, match_ids, now), durable=False)

    async def hurry_troubled(self, now: datetime) -> None:
        """Try at once what Discord could not do before."""
        await self._database.write(lambda c: blocked.hurry_troubled(c, now), durable=False)

    async def hurry_lobbies(self, guild_id: GuildId, now: datetime) -> None:
        """Show the lobby of a server at once if it could not be shown."""
        await self._database.write(lambda c: blocked.hurry_lobbies(c, guild_id, now), durable=False)

    async def board_of(self, match_id: MatchId, player: int) -> Posted | None:
        """The board that stands for a player."""
        return await self._database.read(lambda c: blocked.board_of(c, match_id, player))

    async def notice_told(self, parked: Parked) -> None:
        """Drop a notice that its player has read elsewhere."""
        await self._database.write(lambda c: blocked.notice_told(c, parked))

    async def reached(self, match_id: MatchId, player: int, now: datetime) -> bool:
        """The player on turn knows of it."""
        return await self._database.write(lambda c: blocked.reached(c, match_id, player, now))

    async def spare_unreached(self, match_id: MatchId, now: datetime) -> bool:
        """Whether the player on turn of a match was not told, which is written down then."""
        return await self._database.write(lambda c: transactions.spare(c, match_id, now))

    async def unreached_to_settle(self, limit: int) -> tuple[Unreached, ...]:
        """Turns whose clocks are still to be reckoned."""
        return await self._database.read(lambda c: blocked.to_settle(c, limit))

    async def unreached_settled(self, turn: Unreached) -> None:
        """The clock of such a turn has been reckoned."""
        await self._database.write(lambda c: blocked.settled(c, turn))

    async def forget_unreached(self) -> None:
        """Remove what is about turns that are over."""
        await self._database.write(blocked.forget)
