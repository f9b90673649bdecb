"""Looking through the open offers of a server, and taking a seat in one."""

from __future__ import annotations

from collections.abc import Awaitable

import discord

from bot.domain.ids import MatchId
from bot.errors import UserError
from bot.i18n.sentences import refusal
from bot.services.ports import StoreUnavailable
from bot.ui.answers import Reply
from bot.ui.controls import Control
from bot.ui.desk import Visit
from bot.ui.lobby import ON_PAGE, offers_page
from bot.ui.offering import Offering
from bot.ui.places import may_see


class Lobbying(Offering):
    """Acts of those who look for an opponent."""

    async def lobby(self, visit: Visit) -> Reply:
        """``/lobby``: all open offers of this server that one may see."""
        return await self._offers(visit, 0)

    async def lobby_at(self, visit: Visit, control: Control) -> Reply:
        """**All offers**, and turning the page."""
        return await self._offers(visit, _number(control))

    async def take_seat(self, visit: Visit, control: Control) -> Reply:
        """**Accept** on the private page, which then shows what is open now."""
        accept = Control("accept", control.match)
        return await self._anew(visit, control, self.accept(visit, accept))

    async def leave_seat(self, visit: Visit, control: Control) -> Reply:
        """**Withdraw** on the private page."""
        withdraw = Control("withdraw", control.match)
        return await self._anew(visit, control, self.withdraw(visit, withdraw))

    async def _anew(self, visit: Visit, control: Control, settled: Awaitable[Reply]) -> Reply:
        """Show the page again with what came of an act about one of its offers."""
        refused = None
        try:
            lead = (await settled).plain
        except UserError as error:
            lead, refused = visit.language(refusal(error)), MatchId(control.match)
        try:
            return await self._offers(visit, _number(control), lead=lead, refused=refused)
        except (UserError, StoreUnavailable):
            # What was done is done, and has to be said.
            return Reply(lead)

    async def _offers(
        self, visit: Visit, number: int, *, lead: str = "", refused: MatchId | None = None
    ) -> Reply:
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
        return offers_page(
            await self.desk.lobby.described(here),
            number,
            pages,
            visit.user_id,
            visit.language,
            closed=await self.desk.lobby.closed_to(visit.user_id, here),
            refused=refused,
            lead=lead,
        )


def _number(control: Control) -> int:
    """The number of a page, from 0, in a control."""
    if control.arg and not (control.arg.isascii() and control.arg.isdigit()):
        raise UserError("out_of_date")
    return int(control.arg[:4] or 0)
