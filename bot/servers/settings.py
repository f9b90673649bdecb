"""``/server settings``: a page with the settings of a server, and the latest changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from bot.domain.ids import ChannelId, GuildId
from bot.domain.preferences import ServerSettings
from bot.errors import UserError
from bot.i18n import Language, Sentences
from bot.lobby import store as lobbies
from bot.lobby.store import LobbyNote
from bot.servers.log import log_line
from bot.store import people
from bot.store.records import AuditEntry
from bot.tournaments.store import reading as tournament_reading
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.permissions import managed
from bot.ui.interaction.registry import (
    Click,
    on_menu,
)
from bot.ui.interaction.slash import command
from bot.ui.pages import match_text
from bot.ui.pages.components import Control, Page, Reply, button, heading, rows, text
from bot.ui.pages.refusal_text import refusal
from bot.ui.rest import missing_for_threads
from bot.ui.settings.panel import SettingChoices, choices_of
from bot.ui.settings.server_panel import SERVER, server_panel
from bot.webhooks import store as webhooks
from bot.webhooks.domain import Webhook
from games.view import Text


def server_page(
    chosen: ServerSettings,
    entries: Sequence[AuditEntry],
    choices: SettingChoices,
    language: Language,
    *,
    lobby: LobbyNote | None = None,
    lead: str = "",
    without_threads: Mapping[ChannelId, Sequence[Text]] = MappingProxyType({}),
    webhook: Webhook | None = None,
) -> Reply:
    """The settings of a server, and the latest changes.

    ``lobby`` is the state of its lobby; ``without_threads`` are channels that should have threads,
    with the permissions that these lack; ``webhook`` is the address for results.
    """
    title = language.say("Settings of this server")
    said = Sentences(language)
    if lobby is not None and lobby.is_given_up:
        error = UserError("lobby_refused", channel=f"<#{lobby.channel_id}>")
        trouble = language(refusal(error))
        said.append(f"**{trouble}**")
    elif chosen.lobby is not None:
        said.say("The lobby message is in {channel}.", channel=f"<#{chosen.lobby}>")
    for channel, lacking in without_threads.items():
        said.say(
            "⚠️ Threads can't be made in {channel}, so boards come into it side by side. Allow"
            " Parlour {permissions} there.",
            channel=f"<#{channel}>",
            permissions=language.listed(f"**{language(each)}**" for each in lacking),
        )
    if chosen.puzzle is not None:
        said.say(
            "The puzzle of the day is posted in {channel}; see /server daily-puzzle.",
            channel=f"<#{chosen.puzzle}>",
        )
    if webhook is not None and webhook.off_at is not None:
        said.say(
            "⚠️ The address for results failed for a day and was switched off. See /server webhook."
        )
    said.say("Every choice is saved at once and listed below with your name.")
    menus = server_panel(choices).parts(chosen, language)
    items = [text(heading(title, *said, lead=lead)), *menus]
    items += rows([button(Control("sdefaults"), language.say("Defaults of /play"))])
    if entries:
        shown = "\n".join(log_line(entry, language) for entry in entries)
        items.append(text(match_text.cut(shown, 2500)))
    return Reply(lead or title, Page(*items))


_CHANGES, _LOOKED_AT = 5, 50
"""Changes listed on the page of a server, of the last so many entries of its log."""


@command(
    "settings",
    Text.of("Choose channels, threads, roles, defaults and limits of this server"),
    group=SERVER,
)
async def server_settings(context: InteractionContext) -> Reply:
    """``/server settings``: the page, for managers."""
    return await _server_page(context, managed(context.interaction))


@on_menu("serv")
async def choose_for_server(context: InteractionContext, click: Click) -> Reply:
    """A choice on the page: save it under the name of its manager, and show the page again."""
    guild_id = managed(context.interaction)
    panel = server_panel(choices_of(context))
    try:
        await context.services.preferences.change_server(
            guild_id, context.user_id, lambda chosen: panel.changed(chosen, click)
        )
    except UserError as error:
        known = ("not_its_channel", "not_its_role", "lobby_refused")
        if error.code not in known and not error.code.startswith("ping_role_"):
            raise
        return await _server_page(context, guild_id, lead=context.why(error))
    return await _server_page(context, guild_id)


async def _server_page(context: InteractionContext, guild_id: GuildId, *, lead: str = "") -> Reply:
    store = context.services.store
    entries = await store.read(people.audit_of, guild_id, _LOOKED_AT)
    chosen = await context.services.preferences.server(guild_id)
    return server_page(
        chosen,
        [each for each in entries if each.act == "settings"][:_CHANGES],
        choices_of(context),
        context.language,
        lobby=await store.read(lobbies.note, guild_id),
        lead=lead,
        without_threads=await _without_threads(context, guild_id, chosen),
        webhook=await store.read(webhooks.of_server, guild_id),
    )


async def _without_threads(
    context: InteractionContext, guild_id: GuildId, chosen: ServerSettings
) -> dict[ChannelId, list[Text]]:
    """Channels of offers and tournaments that lack permissions for threads."""
    store = context.services.store
    events = await store.read(tournament_reading.of_server, guild_id, is_over=False)
    channels = [each.home.channel_id for each in events]
    wanted = chosen.threads
    if context.services.settings.threads if wanted is None else wanted:
        channels += chosen.channels
        if not chosen.channels and context.place.channel_id is not None:
            channels.append(context.place.channel_id)
    client = context.interaction.client
    found = {each: missing_for_threads(client, guild_id, each) for each in channels}
    return {each: lacking for each, lacking in found.items() if lacking}
