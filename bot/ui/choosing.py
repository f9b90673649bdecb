"""Acts about choices: ``/settings``, ``/block`` and ``/unblock``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import discord

from bot.domain.ids import ChannelId, GuildId, RoleId, UserId, read_id
from bot.domain.preferences import Preferences, ServerSettings, difference
from bot.domain.quiet import find_zone
from bot.errors import UserError
from bot.i18n.sentences import refusal
from bot.ui import words
from bot.ui.acting import Acting
from bot.ui.answers import Reply
from bot.ui.controls import Control
from bot.ui.desk import Visit
from bot.ui.places import is_manager, may_post
from bot.ui.preferences import changed, person_page
from bot.ui.server_settings import changed_server, server_page
from bot.ui.setting_menus import Shelf, one

_REMINDED = frozenset({"way", "reminders", "quiet", "zone"})
"""On what it depends when somebody is reminded of a deadline."""
_PLAYABLE = (discord.ChannelType.text, discord.ChannelType.news)


class Choosing(Acting):
    """Acts of people who arrange things as they like them."""

    def _shelf(self) -> Shelf:
        desk = self.desk
        return Shelf(
            tuple(desk.languages.known()),
            desk.stage.theme,
            desk.limits,
            desk.clock_of_house,
            desk.threads,
        )

    # ---- a person --------------------------------------------------------------------------

    async def settings(self, visit: Visit, zone: str = "") -> Reply:
        """``/settings me``: the page of one's own choices; a time zone may come with it."""
        if zone.strip():
            return await self._in_zone(visit, zone)
        return await self._page(visit)

    async def zoned(self, visit: Visit, text: str) -> Reply:
        """The form of the page: a time zone as a person writes it."""
        try:
            return await self._in_zone(visit, text)
        except UserError as error:
            if error.code not in ("zone_unknown", "zone_unclear"):
                raise
            return await self._page(visit, lead=visit.language(refusal(error)))

    async def _in_zone(self, visit: Visit, text: str) -> Reply:
        zone = find_zone(text)
        await self._change(visit, lambda chosen: replace(chosen, zone=zone))
        return await self._page(visit)

    async def choose_preference(
        self, visit: Visit, control: Control, values: tuple[str, ...]
    ) -> Reply:
        """A choice on the page: save it and show the page anew, in the language now chosen."""
        if control.arg == "unblock":
            return await self._unblocked(visit, values)
        shelf = self._shelf()
        await self._change(visit, lambda chosen: changed(chosen, control.arg, values, shelf))
        return await self._page(self.desk.visit(visit.interaction))

    async def _change(self, visit: Visit, decide: Callable[[Preferences], Preferences]) -> None:
        """Save a choice; what is still to be told follows it."""
        locale = self.desk.languages.of(visit.interaction.locale).locale

        def decide_here(chosen: Preferences) -> Preferences:
            return replace(decide(chosen), locale=locale)

        before = await self.desk.preferences.of(visit.user_id)
        after = await self.desk.preferences.change(visit.user_id, decide_here)
        if _REMINDED.intersection(difference(after, before)):
            await self.desk.reminding.plan_anew(visit.user_id)

    async def _page(self, visit: Visit, *, lead: str = "") -> Reply:
        preferences = self.desk.preferences
        return await person_page(
            await preferences.of(visit.user_id),
            await preferences.blocked_by(visit.user_id),
            self._shelf(),
            visit.stage.names,
            visit.language,
            now=self.desk.clock.now(),
            lead=lead,
        )

    # ---- block lists -----------------------------------------------------------------------

    async def block(self, visit: Visit, other: UserId) -> Reply:
        """``/block``: be brought together with somebody no more."""
        await self.desk.preferences.block(visit.user_id, other)
        return Reply(
            visit.language.say(
                "You blocked {player}. They won't be told. Neither of you can offer the other a"
                " match or join the other's. Running matches go on.",
                player=words.mention(other, visit.language),
            )
        )

    async def unblock(self, visit: Visit, other: UserId) -> Reply:
        """``/unblock``."""
        if not await self.desk.preferences.unblock(visit.user_id, other):
            raise UserError("not_blocked", player=other)
        said = visit.language.say(
            "You unblocked {player}.", player=words.mention(other, visit.language)
        )
        return Reply(said)

    async def _unblocked(self, visit: Visit, values: tuple[str, ...]) -> Reply:
        user = read_id(one(values))
        if user is None:
            raise UserError("out_of_date")
        other = UserId(user)
        if other in await self.desk.preferences.blocked_by(visit.user_id):
            await self.desk.preferences.unblock(visit.user_id, other)
        return await self._page(visit)

    # ---- a server --------------------------------------------------------------------------

    async def server_settings(self, visit: Visit) -> Reply:
        """``/settings server``: the page of a server, for those who manage it."""
        return await self._server_page(visit, _managed(visit))

    async def choose_for_server(
        self, visit: Visit, control: Control, values: tuple[str, ...]
    ) -> Reply:
        """A choice on the page of a server: save it, with who made it, and show the page anew."""
        guild_id = _managed(visit)
        shelf = self._shelf()
        guild = visit.interaction.guild
        channels = [] if guild is None else guild.channels
        playable = {ChannelId(each.id): each.type in _PLAYABLE for each in channels}

        def is_role(role: RoleId) -> bool:
            return guild is not None and guild.get_role(role) is not None

        def decide(chosen: ServerSettings) -> ServerSettings:
            return changed_server(
                chosen,
                control.arg,
                values,
                shelf,
                channels=playable,
                roles=is_role,
                postable=lambda channel: guild is None or may_post(guild, channel),
            )

        try:
            await self.desk.preferences.change_server(guild_id, visit.user_id, decide)
        except UserError as error:
            if error.code not in ("not_its_channel", "not_its_role", "lobby_refused"):
                raise
            return await self._server_page(visit, guild_id, lead=visit.language(refusal(error)))
        return await self._server_page(visit, guild_id)

    async def _server_page(self, visit: Visit, guild_id: GuildId, *, lead: str = "") -> Reply:
        preferences = self.desk.preferences
        return server_page(
            await preferences.server(guild_id),
            await preferences.audit_of(guild_id),
            self._shelf(),
            visit.language,
            lobby=await self.desk.lobby.note(guild_id),
            lead=lead,
        )


def _managed(visit: Visit) -> GuildId:
    """The server that somebody manages, from which they ask."""
    guild_id = visit.place.guild_id
    if guild_id is None:
        raise UserError("server_only")
    if not is_manager(visit.interaction):
        raise UserError("not_manager")
    return guild_id
