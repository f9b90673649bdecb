"""Acts about choices: ``/settings``, ``/block`` and ``/unblock``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import discord

from bot.domain.ids import ChannelId, GuildId, RoleId, UserId, read_id
from bot.domain.preferences import Preferences, ServerSettings, difference
from bot.domain.quiet_hours import find_zone
from bot.errors import UserError
from bot.i18n.sentences import refusal
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import Acting
from bot.ui.interaction.permissions import is_manager, may_post
from bot.ui.interaction.responses import Reply
from bot.ui.pages import match_text
from bot.ui.pages.custom_ids import Control
from bot.ui.settings.person_page import changed, person_page
from bot.ui.settings.server_page import changed_server, server_page
from bot.ui.settings.setting_menus import SettingChoices, one

_REMINDED = frozenset({"way", "reminders", "quiet", "zone"})
"""On what it depends when somebody is reminded of a deadline."""
_PLAYABLE = (discord.ChannelType.text, discord.ChannelType.news)


class Choosing(Acting):
    """Acts of people who arrange things as they like them."""

    def _shelf(self) -> SettingChoices:
        services = self.services
        return SettingChoices(
            tuple(services.languages.known()),
            services.presenter.theme,
            services.limits,
            services.clock_of_house,
            services.threads,
        )

    # ---- a person --------------------------------------------------------------------------

    async def settings(self, context: InteractionContext, zone: str = "") -> Reply:
        """``/settings me``: the page of one's own choices; a time zone may come with it."""
        if zone.strip():
            return await self._in_zone(context, zone)
        return await self._page(context)

    async def zoned(self, context: InteractionContext, text: str) -> Reply:
        """The form of the page: a time zone as a person writes it."""
        try:
            return await self._in_zone(context, text)
        except UserError as error:
            if error.code not in ("zone_unknown", "zone_unclear"):
                raise
            return await self._page(context, lead=context.language(refusal(error)))

    async def _in_zone(self, context: InteractionContext, text: str) -> Reply:
        zone = find_zone(text)
        await self._change(context, lambda chosen: replace(chosen, zone=zone))
        return await self._page(context)

    async def choose_preference(
        self, context: InteractionContext, control: Control, values: tuple[str, ...]
    ) -> Reply:
        """A choice on the page: save it and show the page anew, in the language now chosen."""
        if control.arg == "unblock":
            return await self._unblocked(context, values)
        shelf = self._shelf()
        await self._change(context, lambda chosen: changed(chosen, control.arg, values, shelf))
        return await self._page(self.services.context(context.interaction))

    async def _change(
        self, context: InteractionContext, decide: Callable[[Preferences], Preferences]
    ) -> None:
        """Save a choice; what is still to be told follows it."""
        locale = self.services.languages.of(context.interaction.locale).locale

        def decide_here(chosen: Preferences) -> Preferences:
            return replace(decide(chosen), locale=locale)

        before = await self.services.preferences.of(context.user_id)
        after = await self.services.preferences.change(context.user_id, decide_here)
        if _REMINDED.intersection(difference(after, before)):
            await self.services.reminding.plan_anew(context.user_id)

    async def _page(self, context: InteractionContext, *, lead: str = "") -> Reply:
        preferences = self.services.preferences
        return await person_page(
            await preferences.of(context.user_id),
            await preferences.blocked_by(context.user_id),
            self._shelf(),
            context.presenter.names,
            context.language,
            now=self.services.clock.now(),
            lead=lead,
        )

    # ---- block lists -----------------------------------------------------------------------

    async def block(self, context: InteractionContext, other: UserId) -> Reply:
        """``/block``: be brought together with somebody no more."""
        await self.services.preferences.block(context.user_id, other)
        return Reply(
            context.language.say(
                "You blocked {player}. They won't be told. Neither of you can offer the other a"
                " match or join the other's. Running matches go on.",
                player=match_text.mention(other, context.language),
            )
        )

    async def unblock(self, context: InteractionContext, other: UserId) -> Reply:
        """``/unblock``."""
        if not await self.services.preferences.unblock(context.user_id, other):
            raise UserError("not_blocked", player=other)
        said = context.language.say(
            "You unblocked {player}.", player=match_text.mention(other, context.language)
        )
        return Reply(said)

    async def _unblocked(self, context: InteractionContext, values: tuple[str, ...]) -> Reply:
        user = read_id(one(values))
        if user is None:
            raise UserError("out_of_date")
        other = UserId(user)
        if other in await self.services.preferences.blocked_by(context.user_id):
            await self.services.preferences.unblock(context.user_id, other)
        return await self._page(context)

    # ---- a server --------------------------------------------------------------------------

    async def server_settings(self, context: InteractionContext) -> Reply:
        """``/settings server``: the page of a server, for those who manage it."""
        return await self._server_page(context, _managed(context))

    async def choose_for_server(
        self, context: InteractionContext, control: Control, values: tuple[str, ...]
    ) -> Reply:
        """A choice on the page of a server: save it, with who made it, and show the page anew."""
        guild_id = _managed(context)
        shelf = self._shelf()
        guild = context.interaction.guild
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
            await self.services.preferences.change_server(guild_id, context.user_id, decide)
        except UserError as error:
            if error.code not in ("not_its_channel", "not_its_role", "lobby_refused"):
                raise
            return await self._server_page(context, guild_id, lead=context.language(refusal(error)))
        return await self._server_page(context, guild_id)

    async def _server_page(
        self, context: InteractionContext, guild_id: GuildId, *, lead: str = ""
    ) -> Reply:
        preferences = self.services.preferences
        return server_page(
            await preferences.server(guild_id),
            await preferences.audit_of(guild_id),
            self._shelf(),
            context.language,
            lobby=await self.services.lobby.note(guild_id),
            lead=lead,
        )


def _managed(context: InteractionContext) -> GuildId:
    """The server that somebody manages, from which they ask."""
    guild_id = context.place.guild_id
    if guild_id is None:
        raise UserError("server_only")
    if not is_manager(context.interaction):
        raise UserError("not_manager")
    return guild_id
