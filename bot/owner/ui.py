"""``/owner``: commands of the owner of the application, or of its team.

The command is in the server that ``PARLOUR_OWNER_SERVER`` names. Discord is asked for the owner
each time: people leave teams.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import discord

from bot import __version__, metrics
from bot.domain.events import JsonValue
from bot.domain.ids import GuildId
from bot.errors import UserError
from bot.i18n import Language, Sentences
from bot.owner.delivery import host_page, managers_channel
from bot.posts.outgoing import host_message
from bot.shutdown import Shutdown, Supervisor, supervisor
from bot.store import people, upkeep
from bot.store.errors import StoreUnavailable
from bot.store.records import AuditEntry
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import (
    Click,
    member_in,
    on_button,
    on_form,
    one_field,
    opens_form,
    page_button,
)
from bot.ui.interaction.slash import command
from bot.ui.pages import components as ui
from bot.ui.pages.board_page import confirmation
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.rest import FAILURES
from games.view import Text

_MEBIBYTE = 1 << 20
_WORDS = 77
"""The component id of the message in a preview."""


@dataclass(frozen=True, slots=True)
class HostStatus:
    """The state of a process of Parlour. Without a database, ``size`` and all counts are None.

    ``late`` are the seconds for which the oldest message has been due; ``memory`` is in bytes, None
    where the system does not report it.
    """

    version: str
    since: datetime
    servers: int
    shards: Mapping[int, bool]
    database: str
    memory: int | None
    size: int | None = None
    matches: int = 0
    jobs: int = 0
    late: int = 0
    before: str | None = None


def owner_page(status: HostStatus, language: Language) -> Reply:
    """The state of Parlour, and buttons."""
    title = f"Parlour {status.version}"
    lines = Sentences(language)
    lines.say("Running since {when}", when=timestamp(status.since))
    if status.before is not None:
        lines.say("Version {version} ran before", version=status.before)
    lines.plural(
        "{n} server; shards connected: {up} of {all}",
        "{n} servers; shards connected: {up} of {all}",
        n=status.servers,
        up=sum(status.shards.values()),
        all=len(status.shards),
    )
    if status.size is None:
        lines.say("The database can't be used")
    else:
        megabytes = -(-status.size // _MEBIBYTE)
        lines.say("{database}, {size} MB", database=status.database, size=megabytes)
        lines.plural("{n} running match", "{n} running matches", n=status.matches)
        lines.plural(
            "{n} task waits for the computer", "{n} tasks wait for the computer", n=status.jobs
        )
        if status.late:
            lines.plural(
                "The oldest message is {n} second late",
                "The oldest message is {n} seconds late",
                n=status.late,
            )
        else:
            lines.say("No message is late")
    if status.memory is not None:
        lines.say("Memory: {size} MB", size=round(status.memory / _MEBIBYTE))
    buttons = [
        ui.button(Control("owner"), language.say("Refresh")),
        ui.button(Control("ownertell"), language.say("Message to servers"), ui.PRIMARY),
        ui.button(Control("ownerend", arg=Shutdown.RESTART.value), language.say("Restart")),
        ui.button(Control("ownerend", arg=Shutdown.STOP.value), language.say("Stop"), ui.DANGER),
    ]
    said = "\n- ".join([f"### {title}", *lines])
    return Reply(title, Page(ui.text(said), *ui.rows(buttons)))


def ask_ending(
    how: Shutdown, who: Supervisor, shards: Sequence[int] | None, language: Language
) -> Reply:
    """The consequences; ``shards`` are those of this process where several share them."""
    question, label = {
        Shutdown.RESTART: (language.say("Restart Parlour?"), language.say("Restart")),
        Shutdown.STOP: (language.say("Stop Parlour?"), language.say("Stop")),
    }[how]
    kept = language.say("Matches are kept, and no clock runs while Parlour is away.")
    lines = Sentences(language, f"**{question}**", _what_happens(how, who, language), kept)
    if shards is not None:
        named = ", ".join(map(str, shards))
        lines.say("This is about the process of these shards alone: {shards}.", shards=named)
    return confirmation("\n".join(lines), Control("ownerendyes", arg=how.value), label, language)


def _what_happens(how: Shutdown, who: Supervisor, language: Language) -> str:
    if how is Shutdown.RESTART:
        return {
            Supervisor.HELD: language.say("Docker starts it again."),
            Supervisor.SYSTEMD: language.say("systemd starts it again after a few seconds."),
            Supervisor.KUBERNETES: language.say("Kubernetes starts it again."),
            Supervisor.UNKNOWN: language.say(
                "It ends with exit code 75. If nothing starts it again, it stays off until you do."
            ),
        }[who]
    return {
        Supervisor.HELD: language.say(
            "Its container waits, shown as unhealthy, until you start it again."
        ),
        Supervisor.SYSTEMD: language.say("systemd leaves it stopped until you start it again."),
        Supervisor.KUBERNETES: language.say(
            "Kubernetes starts it again all the same. To keep it stopped, scale it to 0."
        ),
        Supervisor.UNKNOWN: language.say(
            "It ends with exit code 0. If nothing starts it again, it stays off until you do."
        ),
    }[who]


def preview_page(words: str, draft: int, reached: int, silent: int, language: Language) -> Reply:
    """The message as servers will see it; ``silent`` is the number of those that will not."""
    question = language.plural(
        "Send this to {n} server? Its managers read it where Discord's own notices appear,"
        " otherwise in the system channel.",
        "Send this to {n} servers? Their managers read it where Discord's own notices appear,"
        " otherwise in the system channel.",
        n=reached,
    )
    if silent:
        more = language.plural(
            "{n} server has no such channel that Parlour may post in.",
            "{n} servers have no such channel that Parlour may post in.",
            n=silent,
        )
        question = f"{question} {more}"
    buttons = [
        ui.button(Control("ownersend", arg=f"{draft:x}"), language.say("Send"), ui.DANGER),
        ui.button(Control("ownertell"), language.say("Edit")),
        ui.button(Control("nevermind"), language.say("Never mind")),
    ]
    shown = ui.container(*host_page(words, language, number=_WORDS).components)  # type: ignore[arg-type]
    return Reply(question, Page(ui.text(question), shown, *ui.rows(buttons)))


def words_in(components: Sequence[Mapping[str, Any]]) -> str | None:
    """The message in a preview, from its components as Discord writes them."""
    found = (str(each["content"]) for each in ui.walk(components) if each.get("id") == _WORDS)
    return next(found, None)


_LONGEST = 1500
_LONGEST_SHOWN = 3000
"""Characters of a message once its commands are mentions: a page holds 4000."""
_APART = timedelta(milliseconds=500)
"""The time between two servers."""


async def _owner(context: InteractionContext) -> GuildId:
    """The owner's server. Raises ``owner_only``."""
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
    """The owner, or members of the team with more than read access."""
    if about.team is None:
        return {about.owner.id}
    accepted, reads = discord.TeamMembershipState.accepted, discord.TeamMemberRole.read_only
    return {
        each.id
        for each in about.team.members
        if each.membership_state is accepted and each.role is not reads
    }


@page_button("owner")
@command("owner", Text.of("Look after this bot: state, restart, messages"), owner=True)
async def owner_here(context: InteractionContext) -> Reply:
    """``/owner``: the state of this process, and buttons."""
    await _owner(context)
    return owner_page(await _status(context), context.language)


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


@on_button("ownerend")
async def ending_wanted(context: InteractionContext, click: Click) -> Reply:
    """**Restart** and **Stop**: list the consequences, and ask."""
    await _owner(context)
    client = context.interaction.client
    is_divided = client.connection.is_divided
    shards = tuple(client.shards_connected()) if is_divided else client.shard_ids
    return ask_ending(member_in(Shutdown, click.arg), supervisor(), shards, context.language)


@on_button("ownerendyes")
async def ended(context: InteractionContext, click: Click) -> Reply:
    """The same, confirmed: Parlour ends after the answer."""
    await _owner(context)
    how = member_in(Shutdown, click.arg)
    context.services.end(how)
    said = {
        Shutdown.RESTART: context.language.say("Parlour ends now, to be started again."),
        Shutdown.STOP: context.language.say("Parlour ends now."),
    }[how]
    return Reply(said)


# ---- a message to all servers --------------------------------------------------------------------


@opens_form("ownertell", "ownertold")
def words_form(context: InteractionContext, _control: Control) -> discord.ui.Modal:
    """The form for a message; it has the text of the preview."""
    language, shown = context.language, words_in(context.parts())
    return one_field(
        Control("ownertold"),
        language.say("Message to servers"),
        language.say("Message"),
        longest=_LONGEST,
        value=(shown or "")[:_LONGEST],
        hint=language.say("You see a preview before anything is sent"),
    )


@on_form("ownertold")
async def previewed(context: InteractionContext, click: Click) -> Reply:
    """The preview, the number of servers, and a button to send it."""
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
    server, words = await _owner(context), words_in(context.parts())
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
    language = context.language
    said = (
        language.plural("{n} server is being told.", "{n} servers are being told.", n=len(messages))
        if is_new
        else language.say("This message has been sent already.")
    )
    return Reply(said)


async def _servers(context: InteractionContext) -> tuple[list[GuildId], int]:
    """The servers that can be reached, and the number of others, as far as this process knows.

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
