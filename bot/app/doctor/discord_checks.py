"""Checks of Discord: whether it lets the bot in, and its permissions in servers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp
import discord

from bot.app.doctor.host_checks import Finding, reading, unread
from bot.connection import store as shards
from bot.connection.client import INTENTS
from bot.connection.connection import HOPELESS
from bot.connection.domain.session_budget import BUDGET, DEPOSIT, SessionBudget
from bot.domain.ids import GuildId
from bot.lobby import store as lobbies
from bot.settings import Settings, SettingsWrong
from bot.store.errors import StoreUnavailable
from bot.ui.pages.display_names import clean

_SKEW = 1.5
_PAGE = 200
_NEEDED = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    embed_links=True,
    attach_files=True,
    read_message_history=True,
)


async def discord_itself(settings: Settings) -> list[Finding]:
    """Check the token, and if it is valid, everything else about Discord."""
    try:
        token = settings.discord_token()
    except SettingsWrong as wrong:
        return [Finding("token", False, str(wrong))]
    if token is None:
        return [
            Finding(
                "token",
                True,
                "none is set, so `parlour` starts the playground. For Discord,"
                " put DISCORD_TOKEN=... into .env",
            ),
        ]
    async with discord.Client(intents=INTENTS) as client:
        return await _logged_in(client, token, settings)


async def _logged_in(client: discord.Client, token: str, settings: Settings) -> list[Finding]:
    try:
        await client.login(token)
    except discord.LoginFailure:
        return [Finding("token", False, HOPELESS[4004])]
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        return [
            Finding(
                "Discord",
                False,
                f"cannot be reached ({type(error).__name__}). Check the network of this machine",
            )
        ]
    name = client.user.name if client.user is not None else "?"
    return [
        Finding("token", True, f"it is the bot {name}"),
        _intents(),
        await _clock(),
        await _sessions(client, settings),
        *await _permissions(client, settings),
    ]


def _intents() -> Finding:
    """Without privileged intents nothing has to be enabled in the developer portal."""
    privileged = ("members", "presences", "message_content")
    asked = ", ".join(name.replace("_", " ") for name in privileged if getattr(INTENTS, name))
    if asked:
        return Finding("intents", False, f"allow them in the developer portal, page Bot: {asked}")
    return Finding("intents", True, "none that are privileged are asked for")


async def _clock() -> Finding:
    """Compare this machine's clock with Discord's."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{discord.http.Route.BASE}/gateway") as response,
    ):
        said = response.headers.get("Date")
    if said is None:
        return Finding("clock", True, "Discord did not say its time")
    skew = (datetime.now(UTC) - parsedate_to_datetime(said)).total_seconds()
    if abs(skew) > _SKEW + 1:
        return Finding(
            "clock",
            False,
            f"it is {skew:+.0f} s off. Synchronise it (NTP): until Discord has said the time,"
            " Parlour goes by it",
        )
    return Finding("clock", True, "in step with Discord")


async def _sessions(client: discord.Client, settings: Settings) -> Finding:
    """Whether the bot may connect now: every session counts, for Discord and for us."""
    now = datetime.now(UTC)
    about = "sessions"
    *_, limits = await client.http.get_bot_gateway()
    budget = SessionBudget(limits["total"])
    async with reading(settings) as store:
        try:
            starts = {} if store is None else await store.read(shards.session_starts)
        except StoreUnavailable as error:
            return unread(about, error)
    full_at = starts.get(BUDGET)
    at_discord = max(0, limits["remaining"] - budget.reserve)
    free_at = budget.free_at(full_at, now, DEPOSIT)
    if free_at <= now and at_discord:
        left = min(budget.left(full_at, now), at_discord)
        return Finding(about, True, f"{left} more may be begun now")
    if not at_discord:
        free_at = max(free_at, now + timedelta(milliseconds=limits["reset_after"]))
    return Finding(
        about,
        False,
        "too many were begun, so a start waits until"
        f" {free_at.isoformat(timespec='seconds')}: Discord resets the token of a bot that begins"
        " more than it permits in a day. Look in the log for what ends the bot or its connection"
        " so often; when that is mended, `parlour run --now` starts at once",
    )


async def _permissions(client: discord.Client, settings: Settings) -> list[Finding]:
    """The permissions that each server gives us, in all of it and where its lobby is."""
    findings: list[Finding] = []
    servers = await _servers(client)
    for server in servers:
        missing = _missing(discord.Permissions(int(server["permissions"])))
        about = f"server {_called(server['name'], server['id'])}"
        if missing:
            words = f"missing: {missing}. Allow them for the bot's role"
            findings.append(Finding(about, False, words))
        else:
            findings.append(Finding(about, True, "all permissions are there"))
    if not servers:
        findings.append(
            Finding(
                "servers",
                False,
                "the bot is in none. Open the install link of the developer"
                " portal, page Installation",
            )
        )
    names = {int(each["id"]): each["name"] for each in servers}
    return findings + await _lobbies(client, settings, names)


async def _servers(client: discord.Client) -> list[dict[str, Any]]:
    """All servers of the bot; Discord lists 200 at a time."""
    servers: list[dict[str, Any]] = []
    after = None
    while True:
        more: list[Any] = await client.http.get_guilds(limit=_PAGE, after=after)
        servers += more
        if len(more) < _PAGE:
            return servers
        after = int(more[-1]["id"])


def _called(name: str, number: int) -> str:
    """A server or channel by its name, and by its id to search for."""
    return f"{clean(name)} ({number})"


def _missing(given: discord.Permissions) -> str:
    """The permissions that we need and are not given, in words; empty if none."""
    return ", ".join(
        name.replace("_", " ")
        for name, wanted in _NEEDED
        if wanted and not getattr(given, name) and not given.administrator
    )


async def _lobbies(
    client: discord.Client, settings: Settings, servers: Mapping[int, str]
) -> list[Finding]:
    """Whether each lobby can be shown in the channel that its server, by name, has chosen."""
    findings: list[Finding] = []
    async with reading(settings) as store:
        if store is None:
            return findings
        try:
            for server, name in servers.items():
                note = await store.read(lobbies.note, GuildId(server))
                if note is not None:
                    is_well, words = await _lobby(client, server, note.channel_id)
                    if is_well and note.is_given_up:
                        words += ". Discord has refused it before; it is tried again by itself"
                    about = f"lobby of server {_called(name, server)}"
                    findings.append(Finding(about, is_well, words))
        except StoreUnavailable as error:
            findings.append(unread("lobbies", error))
    return findings


async def _lobby(client: discord.Client, server: int, channel_id: int) -> tuple[bool, str]:
    """Whether a lobby can be shown in a channel, and if not, the reason and the fix.

    Its list is posted there and looked for among the latest messages, and matches offered there
    start there.
    """
    where = f"channel {channel_id}"
    try:
        guild = await client.fetch_guild(server, with_counts=False)
        own = await guild.fetch_member(client.user.id if client.user is not None else 0)
        channel = await guild.fetch_channel(channel_id)
        where = f"channel {_called(channel.name, channel_id)}"
        missing = _missing(channel.permissions_for(own))
    except discord.NotFound:
        return False, f"{where} is gone. Choose another one with /server settings"
    except discord.Forbidden:
        missing = "view channel"
    except discord.DiscordException as error:
        return False, f"{where} cannot be looked at: {error}"
    if not missing:
        return True, f"it can be shown in {where}"
    return False, (
        f"missing in {where}: {missing}. Allow them there for the bot's role, or"
        " choose another channel with /server settings"
    )
