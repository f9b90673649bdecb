"""What players and servers choose: ``/settings``, ``/server`` and ``/block``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import discord
from discord import app_commands

from bot.domain.ids import ChannelId, GuildId, UserId, read_id
from bot.domain.preferences import NoticeWay, Preferences, ServerSettings, read_reminders
from bot.domain.preferences_text import (
    difference,
)
from bot.domain.quiet_hours import find_zone, suggest_zones
from bot.errors import UserError
from bot.posts.sending import DirectRefused, Gone, Posted, Recipient, Refused, Retry
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.permissions import described, managed
from bot.ui.interaction.registry import (
    FIELD,
    Click,
    Field,
    form,
    on_button,
    on_form,
    on_menu,
    one_field,
    opens_form,
)
from bot.ui.interaction.results import back_to_help
from bot.ui.interaction.slash import Group, command, suggests
from bot.ui.pages import match_text
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import Control, Reply, Suggestion
from bot.ui.pages.typed_times import in_letters
from bot.ui.rest import may_post, missing_for_threads
from bot.ui.settings.panel import SettingChoices
from bot.ui.settings.person_page import PERSON_PANEL, block_page, person_page
from bot.ui.settings.server_page import server_page
from bot.ui.settings.server_panel import SERVER_PANEL
from games.view import Text

_REMINDED = frozenset({"way", "reminders", "quiet", "zone"})
"""What decides when a player is reminded of a deadline."""
_SEEN = 60.0
"""Seconds for which a test notice stands in a channel."""
_CHANGES, _LOOKED_AT = 5, 50
"""Changes listed on the page of a server, of the last so many entries of its log."""


def _shelf(context: InteractionContext) -> SettingChoices:
    services = context.services
    return SettingChoices(
        tuple(services.languages.known()),
        services.presenter.theme,
        services.limits,
        services.settings.threads,
        context.interaction.guild,
        partial(may_post, context.interaction.client, context.place.guild_id),
    )


SERVER = Group("server", Text.of("Arrange Parlour in this server"), managers=True)
_BLOCKS = Group("block", Text.of("Keep a player away from you"))
_LONGEST_ZONE = 64


@command(
    "settings",
    Text.of("Choose your pictures, notices, quiet hours, time zone and language"),
    personal=True,
    fields={
        "time_zone": Text.of("A city, like Berlin or New York; everything else is on the page")
    },
)
async def settings(
    context: InteractionContext, time_zone: app_commands.Range[str, 0, _LONGEST_ZONE] = ""
) -> Reply:
    """``/settings``: the page of one's own choices; a time zone may come with it."""
    if time_zone.strip():
        return await _in_zone(context, time_zone)
    return await _page(context)


@on_button("prefs")
async def settings_button(context: InteractionContext, _click: Click) -> Reply:
    """**Settings** under ``/help``."""
    return await _page(context)


@suggests("settings", "time_zone")
async def zones_suggested(
    _context: InteractionContext, typed: str, _given: app_commands.Namespace
) -> list[Suggestion]:
    """Time zones that fit what has been typed."""
    return [Suggestion(zone.replace("_", " "), zone) for zone in suggest_zones(typed)]


@opens_form("zone", "zoned")
def zone_form(context: InteractionContext, _control: Control) -> discord.ui.Modal:
    """The form to name one's time zone."""
    language = context.language
    return one_field(
        Control("zoned"),
        language.say("Your time zone"),
        language.say("A city, like Berlin or New York, or UTC+2"),
        longest=64,
    )


@on_form("zoned")
async def zoned(context: InteractionContext, click: Click) -> Reply:
    """The form of the page: a time zone as a person writes it."""
    try:
        return await _in_zone(context, click.text)
    except UserError as error:
        if error.code not in ("zone_unknown", "zone_unclear"):
            raise
        return await _page(context, lead=context.why(error))


@opens_form("remindat", "reminded")
def reminders_form(context: InteractionContext, _control: Control) -> discord.ui.Modal:
    """The form to name the hours before a deadline at which to be reminded."""
    language = context.language
    known = context.services.preferences.known(context.user_id)
    hours = () if known is None else known.reminders
    return form(
        Control("reminded"),
        language.say("Reminders"),
        [
            Field(
                FIELD,
                language.say("Hours before the deadline"),
                100,
                ", ".join(f"{each}h" for each in hours),
                hint=language.say("Up to four, such as 2d, 12h, 3h; nothing for none"),
                required=False,
            )
        ],
    )


@on_form("reminded")
async def reminded(context: InteractionContext, click: Click) -> Reply:
    """Reminders at the hours that a player names."""
    try:
        hours = read_reminders(in_letters(click.text, context.language))
    except UserError as error:
        return await _page(context, lead=context.why(error))
    await _change(context, lambda chosen: replace(chosen, reminders=hours))
    return await _page(context)


@on_button("trynotice")
async def try_notice(context: InteractionContext, _click: Click) -> Reply:
    """**Send a test notice**: in the way that a player has chosen, as if it were their turn."""
    language, services = context.language, context.services
    chosen = await services.preferences.of(context.user_id)
    if chosen.present_way is NoticeWay.NOTHING:
        return await _page(context, lead=language.say("You've chosen to get no notices."))
    is_direct = chosen.present_way in (NoticeWay.DIRECT, NoticeWay.DIGEST)
    here = None if context.place.guild_id is None else context.place.channel_id
    place = Recipient(None if is_direct else here, context.user_id)
    try:
        posted = await services.notices.test(context.user_id, place, nonce=f"n{context.id:x}")
    except DirectRefused:
        return await _page(context)  # which says so
    except (Gone, Refused):
        return await _page(context, lead=language.say("Parlour can't post in this channel."))
    except Retry:
        return await _page(context, lead=language.say("Discord can't do that now. Try again."))
    if place.channel_id is not None and posted is not None:
        services.background.start(_taken_away(context, posted))
    wait = chosen.quiet_until(services.clock.now())
    said = language.say("The test notice is on its way.")
    if wait is not None:
        said += " " + language.say(
            "Your quiet hours are on, so a real one would wait until {time}.", time=timestamp(wait)
        )
    return await _page(context, lead=said)


async def _taken_away(context: InteractionContext, posted: Posted) -> None:
    """Nothing stays lying in a channel; if the process stops, at once."""
    await context.services.background.pause(_SEEN)
    await context.services.notices.take_away(posted)


async def _in_zone(context: InteractionContext, text: str) -> Reply:
    zone = find_zone(text)
    await _change(context, lambda chosen: replace(chosen, zone=zone))
    return await _page(context)


@on_menu("pref")
async def choose_preference(context: InteractionContext, click: Click) -> Reply:
    """A choice on the page: save it and show the page anew, in the language now chosen."""
    if click.arg == "unblock":
        await _unblock(context, click.value)
        return await _page(context)
    shelf = _shelf(context)
    await _change(context, lambda chosen: PERSON_PANEL.changed(chosen, click, shelf))
    return await _page(context.services.context(context.interaction))


async def _change(
    context: InteractionContext, decide: Callable[[Preferences], Preferences]
) -> None:
    """Save a choice; what is still to be told follows it."""
    locale = context.services.languages.of(context.interaction.locale).locale

    def decide_here(chosen: Preferences) -> Preferences:
        return replace(decide(chosen), locale=locale)

    before = await context.services.preferences.of(context.user_id)
    after = await context.services.preferences.change(context.user_id, decide_here)
    if _REMINDED.intersection(difference(after, before)):
        await context.services.reminding.plan_anew(context.user_id)


async def _page(context: InteractionContext, *, lead: str = "") -> Reply:
    preferences = context.services.preferences
    return await person_page(
        await preferences.of(context.user_id),
        await preferences.blocked_by(context.user_id),
        _shelf(context),
        context.presenter.names,
        context.language,
        now=context.services.clock.now(),
        lead=lead,
        back=back_to_help(context),
    )


def _other(context: InteractionContext, person: discord.User) -> UserId:
    """The player that a command names; bots are refused."""
    other = described(person)
    if person.bot:
        raise UserError("invite_bot")
    context.presenter.names.note(other, person.display_name)
    return other


@command("add", Text.of("Block a player"), group=_BLOCKS, fields={"player": Text.of("Player")})
async def block(context: InteractionContext, player: discord.User) -> Reply:
    """``/block add``: be brought together with a player no longer."""
    other = _other(context, player)
    await context.services.preferences.block(context.user_id, other)
    return Reply(
        context.language.say(
            "You blocked {player}. They won't be told. Neither of you can offer the other a"
            " match or join the other's. Running matches go on.",
            player=match_text.mention(other, context.language),
        )
    )


@command("remove", Text.of("Unblock a player"), group=_BLOCKS, fields={"player": Text.of("Player")})
async def unblock(context: InteractionContext, player: discord.User) -> Reply:
    """``/block remove``."""
    other = _other(context, player)
    if not await context.services.preferences.unblock(context.user_id, other):
        raise UserError("not_blocked", player=other)
    said = context.language.say(
        "You unblocked {player}.", player=match_text.mention(other, context.language)
    )
    return Reply(said)


@command("list", Text.of("List the players you've blocked"), group=_BLOCKS)
async def blocked(context: InteractionContext) -> Reply:
    """``/block list``: the players this person has blocked, with a menu to unblock them."""
    return await _block_page(context)


async def _block_page(context: InteractionContext) -> Reply:
    found = await context.services.preferences.blocked_by(context.user_id)
    return await block_page(found, context.presenter.names, context.language)


@on_menu("unblock")
async def unblock_chosen(context: InteractionContext, click: Click) -> Reply:
    """The menu of ``/block list``."""
    await _unblock(context, click.value)
    return await _block_page(context)


async def _unblock(context: InteractionContext, value: str) -> None:
    user = read_id(value)
    if user is None:
        raise UserError("out_of_date")
    other = UserId(user)
    if other in await context.services.preferences.blocked_by(context.user_id):
        await context.services.preferences.unblock(context.user_id, other)


@command(
    "settings",
    Text.of("Choose channels, threads, roles, defaults and limits of this server"),
    group=SERVER,
)
async def server_settings(context: InteractionContext) -> Reply:
    """``/server settings``: the page of a server, for those who manage it."""
    return await _server_page(context, managed(context.interaction))


@on_menu("serv")
async def choose_for_server(context: InteractionContext, click: Click) -> Reply:
    """A choice on the page of a server: save it under its maker's name, and show the page anew."""
    guild_id = managed(context.interaction)
    shelf = _shelf(context)
    try:
        await context.services.preferences.change_server(
            guild_id, context.user_id, lambda chosen: SERVER_PANEL.changed(chosen, click, shelf)
        )
    except UserError as error:
        known = ("not_its_channel", "not_its_role", "lobby_refused")
        if error.code not in known and not error.code.startswith("ping_role_"):
            raise
        return await _server_page(context, guild_id, lead=context.why(error))
    return await _server_page(context, guild_id)


async def _server_page(context: InteractionContext, guild_id: GuildId, *, lead: str = "") -> Reply:
    preferences = context.services.preferences
    entries = await preferences.audit_of(guild_id, _LOOKED_AT)
    chosen = await preferences.server(guild_id)
    return server_page(
        chosen,
        [each for each in entries if each.act == "settings"][:_CHANGES],
        _shelf(context),
        context.language,
        lobby=await context.services.lobby.note(guild_id),
        lead=lead,
        without_threads=await _without_threads(context, guild_id, chosen),
        webhook=await context.services.webhooks.of_server(guild_id),
    )


async def _without_threads(
    context: InteractionContext, guild_id: GuildId, chosen: ServerSettings
) -> dict[ChannelId, list[Text]]:
    """The channels of offers and of tournaments where threads are wanted and not allowed."""
    events = await context.services.tournaments.of_server(guild_id, is_over=False)
    channels = [each.home.channel_id for each in events]
    wanted = chosen.threads
    if context.services.settings.threads if wanted is None else wanted:
        channels += chosen.channels
        if not chosen.channels and context.place.channel_id is not None:
            channels.append(context.place.channel_id)
    client = context.interaction.client
    found = {each: missing_for_threads(client, guild_id, each) for each in channels}
    return {each: lacking for each, lacking in found.items() if lacking}
