"""Looking through the open offers of a server. Changes nothing."""

from __future__ import annotations

import discord

from bot.errors import UserError
from bot.ui.acting import Acting
from bot.ui.answers import Reply
from bot.ui.controls import Control
from bot.ui.desk import Visit
from bot.ui.lobby import ON_PAGE, offers_page
from bot.ui.places import may_see

__all__ = ["Lobbying"]


class Lobbying(Acting):
    """Acts of those who look for an opponent."""

    async def lobby(self, visit: Visit) -> Reply:
        """``/lobby``: all open offers of this server that one may see."""
        return await self._offers(visit, 0)

    async def lobby_at(self, visit: Visit, control: Control) -> Reply:
        """**All offers**, and turning the page."""
        if control.arg and not (control.arg.isascii() and control.arg.isdigit()):
            raise UserError("out_of_date")
        return await self._offers(visit, int(control.arg[:4] or 0))

    async def _offers(self, visit: Visit, number: int) -> Reply:
        guild_id = visit.place.guild_id
        if guild_id is None:
            raise UserError("server_only")
        guild, member = visit.interaction.guild, visit.interaction.user
        offers = [
            match
            for match in await self.desk.lobby.offers(guild_id)
            if match.origin.channel_id == visit.place.channel_id
            or (
                guild is not None
                and isinstance(member, discord.Member)
                and may_see(guild, member, match.origin.channel_id)
            )
        ]
        pages = max(1, -(-len(offers) // ON_PAGE))
        number = min(number, pages - 1)
        here = offers[number * ON_PAGE : (number + 1) * ON_PAGE]
        seeks = await self.desk.lobby.described(here)
        return offers_page(seeks, number, pages, visit.user_id, visit.language)
