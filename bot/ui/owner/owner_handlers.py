"""What the owner of the application, or the team that owns it, can do in Discord, and nobody else.

The command is in the server that ``PARLOUR_OWNER_SERVER`` names and nowhere else. Who may use it is
asked of Discord each time: people leave teams.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import discord

from bot import __version__, metrics
from bot.domain.events import JsonValue
from bot.domain.ids import GuildId
from bot.errors import UserError
from bot.posts.outgoing import host_message
from bot.shutdown import Shutdown, supervisor
from bot.store import people, upkeep
from bot.store.errors import StoreUnavailable
from bot.store.records import AuditEntry
from bot.ui.delivery.host_messages import managers_channel
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import (
    FIELD,
    Click,
    Field,
    form,
    on_button,
    on_form,
    opens_form,
)
from bot.ui.interaction.slash import command
from bot.ui.owner.owner_page import HostStatus, ask_ending, owner_page, preview_page, words_in
from bot.ui.pages.components import Control, Page, Reply, text
from bot.ui.rest import FAILURES
from games.view import Text

_LONGEST = 1500
_LONGEST_SHOWN = 3000
"""Characters of a message once the commands in it are links: a page holds 4000."""
_APART = timedelta(milliseconds=500)
"""How long after one server the next one is told."""


async def _owner(context: InteractionContext) -> GuildId:
    """The owner's server, from which the owner asks. Raises ``owner_only``."""
    client = context.interaction.client
    try:
        about = await client.application_info()
    except FAILURES:
        about = client.application
    server = context.services.settings.owner_server
    if about is None or context.user_id not in _owners(about):
        raise UserError("owner_only")
    if server is None or context.place.guild_id != server:
        raise UserError("out_of_date")
    return GuildId(server)


def _owners(about: discord.AppInfo) -> set[int]:
    """Those who may look after the application; of a team not those who may only look at it."""
    if about.team is None:
        return {about.owner.id}
    accepted, reads = discord.TeamMembershipState.accepted, discord.TeamMemberRole.read_only
    return {
        each.id
        for each in about.team.members
        if each.membership_state is accepted and each.role is not reads
    }


@command("owner", Text.of("For the owner of this bot: how it is, restart, messages"), owner=True)
async def owner_here(context: InteractionContext) -> Reply:
    """``/owner``: how this process is, and buttons."""
    await _owner(context)
    return owner_page(await _status(context), context.language)


@on_button("owner")
async def looked_again(context: InteractionContext, _click: Click) -> Reply:
    """**Refresh**."""
    return await owner_here(context)


async def _status(context: InteractionContext) -> HostStatus:
    services, client = context.services, context.interaction.client
    shards: dict[int, bool] = client.shards_connected()
    is_sqlite = services.settings.database_url().startswith("sqlite")
    status = HostStatus(
        version=__version__,
        since=services.started_at,
        servers=len(client.guilds),
        shards=shards,
        database="SQLite" if is_sqlite else "PostgreSQL",
        memory=metrics.resident(),
        before=services.updated_from,
    )
    try:
        backlog = await services.store.read(upkeep.backlog)
        matches = await services.store.read(upkeep.running)
    except StoreUnavailable:
        return status
    due, now = backlog.posts_due_at, services.clock.now()
    return replace(
        status,
        size=backlog.size,
        matches=matches,
        jobs=sum(backlog.jobs.values()),
        late=0 if due is None else max(0, int((now - due).total_seconds())),
    )


# ---- ending it -----------------------------------------------------------------------------------


def _ending(click: Click) -> Shutdown:
    try:
        return Shutdown(click.arg)
    except ValueError:
        raise UserError("out_of_date") from None


@on_button("ownerend")
async def ending_wanted(context: InteractionContext, click: Click) -> Reply:
    """**Restart** and **Stop**: say what will happen, and ask."""
    await _owner(context)
    client = context.interaction.client
    is_divided = client.connection.is_divided
    shards = tuple(client.shards_connected()) if is_divided else client.shard_ids
    return ask_ending(_ending(click), supervisor(), shards, context.language)


@on_button("ownerendyes")
async def ended(context: InteractionContext, click: Click) -> Reply:
    """The same, meant: Parlour ends once this is answered."""
    await _owner(context)
    how = _ending(click)
    context.services.end(how)
    said = {
        Shutdown.RESTART: context.language.say("Parlour ends now, to be started again."),
        Shutdown.STOP: context.language.say("Parlour ends now."),
    }[how]
    return Reply(said, Page(text(said)))


# ---- a message to all servers --------------------------------------------------------------------


@opens_form("ownertell", "ownertold")
def words_form(context: InteractionContext, _control: Control) -> discord.ui.Modal:
    """The form for a message; what was previewed stands in it again."""
    language, message = context.language, context.interaction.message
    shown = words_in([dict(each.to_dict()) for each in message.components]) if message else None
    only = Field(
        FIELD,
        language.say("Message"),
        _LONGEST,
        (shown or "")[:_LONGEST],
        hint=language.say("You see a preview before anything is sent"),
        long=True,
    )
    return form(Control("ownertold"), language.say("Message to servers"), (only,))


@on_form("ownertold")
async def previewed(context: InteractionContext, click: Click) -> Reply:
    """The message as servers will see it, how many they are, and a button to send it."""
    await _owner(context)
    words = click.text.replace("\r\n", "\n").strip()
    if not words:
        raise UserError("no_words")
    if len(context.services.mentions.put_into(words)) > _LONGEST_SHOWN:
        raise UserError("words_long")
    reached, silent = await _servers(context)
    if not reached:
        raise UserError("no_servers")
    return preview_page(words, context.id, len(reached), silent, context.language)


@on_button("ownersend")
async def sent(context: InteractionContext, click: Click) -> Reply:
    """**Send**: planned for all servers in one transaction, once for each preview."""
    server, message = await _owner(context), context.interaction.message
    words = words_in([dict(each.to_dict()) for each in message.components]) if message else None
    if words is None:
        raise UserError("out_of_date")
    reached, _ = await _servers(context)
    now = context.services.clock.now()
    messages = [
        host_message(guild_id, words, now + number * _APART)
        for number, guild_id in enumerate(reached)
    ]
    about: dict[str, JsonValue] = {"servers": len(messages), "words": words}
    entry = AuditEntry(now, server, context.user_id, "told_servers", {"draft": click.arg}, about)
    is_new = await context.services.store.write(people.tell_servers, entry, messages)
    context.services.outbox.wake()
    language = context.language
    said = (
        language.plural("{n} server is being told.", "{n} servers are being told.", n=len(messages))
        if is_new
        else language.say("This message has been sent already.")
    )
    return Reply(said, Page(text(said)))


async def _servers(context: InteractionContext) -> tuple[list[GuildId], int]:
    """The servers that can be told, and how many cannot, as far as this process knows them.

    Discord names the servers of all processes.
    """
    client = context.interaction.client
    reached, silent = [], 0
    try:
        found = [each.id async for each in client.fetch_guilds(limit=None, with_counts=False)]
    except FAILURES as error:
        raise UserError("discord_silent") from error
    for guild_id in found:
        guild = client.get_guild(guild_id)
        if guild is None or guild.unavailable or managers_channel(client, guild) is not None:
            reached.append(GuildId(guild_id))
        else:
            silent += 1
    return reached, silent
