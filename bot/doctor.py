"""``parlour doctor``: is everything there that the bot needs, and if not, what to do."""

from __future__ import annotations

import asyncio
import platform
import sqlite3
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from importlib.metadata import PackageNotFoundError, version
from random import Random
from typing import Any

import aiohttp
import discord

from bot.domain.game_state import game_of
from bot.domain.ids import GuildId
from bot.domain.session_budget import BUDGET, DEPOSIT, SessionBudget
from bot.services.ports import StoreUnavailable
from bot.settings import Settings, SettingsWrong, unknown_names
from bot.store import StoreRefused, open_reader, open_store, waits_for_upgrade
from bot.ui.client import INTENTS
from bot.ui.pages.display_names import clean
from games import catalog
from renderers import Style, render
from renderers.fonts import can_draw

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


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: whether it is well, and if not, how to mend it."""

    about: str
    is_well: bool
    words: str

    def __str__(self) -> str:
        return f"{'ok   ' if self.is_well else 'WRONG'} {self.about}: {self.words}"


async def examine(settings: Settings) -> list[Finding]:
    """Look at everything; what is wrong in one place does not hide another."""
    looks: tuple[tuple[str, Callable[[Settings], Awaitable[list[Finding]]]], ...] = (
        ("versions", _versions),
        ("settings", _names),
        ("data folder", _folder),
        ("database", _database),
        ("matches", _matches),
        ("pictures", _pictures),
        ("Discord", _discord),
    )
    found: list[Finding] = []
    for about, look in looks:
        try:
            found += await look(settings)
        except Exception as error:
            found.append(Finding(about, False, f"the check itself failed: {error!r}"))
    return found


async def _versions(_settings: Settings) -> list[Finding]:
    def of(package: str) -> str:
        try:
            return version(package)
        except PackageNotFoundError:
            return "not installed"

    names = ("parlour", "discord.py", "Pillow", "aiohttp", "SQLAlchemy")
    words = ", ".join(f"{name} {of(name)}" for name in names)
    sqlite = f"SQLite {sqlite3.sqlite_version}"
    return [
        Finding(
            "versions",
            sys.version_info >= (3, 11),
            f"Python {platform.python_version()}, {sqlite}, {words}",
        ),
    ]


async def _names(_settings: Settings) -> list[Finding]:
    """Whether everything that is meant as a setting is one; slips of the pen stop every command."""
    unknown = ", ".join(unknown_names())
    if unknown:
        words = f"there is no such setting: {unknown}. docs/hosting.md lists those there are"
        return [Finding("settings", False, words)]
    return [Finding("settings", True, "all names are known")]


async def _folder(settings: Settings) -> list[Finding]:
    folder = settings.data

    def try_it() -> str | None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            probe = folder / ".doctor"
            probe.write_bytes(b"well")
            probe.unlink()
        except OSError as error:
            return (
                f"{folder} cannot be written ({error.strerror}). Set PARLOUR_DATA to a folder"
                " of this user, or change its owner."
            )
        return None

    trouble = await asyncio.to_thread(try_it)
    return [Finding("data folder", trouble is None, trouble or f"{folder.resolve()} is writable")]


async def _database(settings: Settings) -> list[Finding]:
    try:
        if await waits_for_upgrade(settings.database_url()):
            words = (
                "of an older release, which the next start brings up to date. Take a copy first:"
                " parlour backup FILE"
            )
            return [Finding("database", True, words)]
        store = await open_store(settings.database_url(), data=settings.data)
    except StoreRefused as refused:
        if refused.code == "in_use":
            return [Finding("database", True, "a running bot has it open")]
        return [Finding("database", False, str(refused))]
    await store.close()
    return [Finding("database", True, "opened and checked")]


async def _matches(settings: Settings) -> list[Finding]:
    """Which matches are set aside because they were found damaged."""
    try:
        store = await open_reader(settings.database_url())
    except StoreRefused:
        return []  # what was found about the database says why
    try:
        found, verified_at = await store.all_set_aside(), await store.verified_at()
    except StoreUnavailable as error:
        return [Finding("matches", False, f"the database cannot be read: {error.reason}")]
    finally:
        await store.close()
    if not found:
        when = (
            ""
            if verified_at is None
            else f"; all were verified at {verified_at:%Y-%m-%d %H:%M} UTC"
        )
        return [Finding("matches", True, f"none is known to be damaged{when}")]
    named = ", ".join(f"{each.match_id} (since {each.since:%Y-%m-%d %H:%M} UTC)" for each in found)
    words = (
        f"damaged and set aside, while all others go on: {named}. What is wrong with them is told"
        " by: parlour verify. A backup from before the damage has them whole"
    )
    return [Finding("matches", False, words)]


async def _pictures(settings: Settings) -> list[Finding]:
    """Draw the first position of every game, with names in several scripts."""
    style = Style(theme=settings.theme, names=("Ада", "Ἀθηνᾶ", "Zoë", "Łucja"))

    def draw() -> list[str]:
        failed = []
        for key in catalog.GAMES:
            game = game_of(key, {})
            try:
                render(game.view(game.initial(Random(0)), None), style)  # noqa: S311 - a sample
            except Exception as error:
                failed.append(f"{key} ({error!r})")
        return failed

    failed = await asyncio.to_thread(draw)
    failed += [f"the name {name}" for name in style.names if not can_draw(name)]
    if failed:
        words = f"cannot be drawn: {', '.join(failed)}. Install Parlour again: make clean install"
        return [Finding("pictures", False, words)]
    words = "all games can be drawn, and names in Latin, Greek and Cyrillic letters"
    if not can_draw("漢字"):
        words += "; pictures show the colour in place of a Chinese, Japanese or Korean name, until"
        words += " you install their font: make extras"
    if not can_draw("שלום"):
        words += "; pictures show the colour in place of a Hebrew or Arabic name, until you install"
        words += " the library FriBiDi (on Debian and Ubuntu: apt install libfribidi0)"
    return [Finding("pictures", True, words)]


async def _discord(settings: Settings) -> list[Finding]:
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
        words = (
            "Discord does not accept it. Take a new one in the developer portal, page Bot,"
            " button Reset Token, and put it into .env"
        )
        return [Finding("token", False, words)]
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
    """Without privileged intents nothing has to be allowed in the developer portal."""
    privileged = ("members", "presences", "message_content")
    asked = ", ".join(name.replace("_", " ") for name in privileged if getattr(INTENTS, name))
    if asked:
        return Finding("intents", False, f"allow them in the developer portal, page Bot: {asked}")
    return Finding("intents", True, "none that are privileged are asked for")


async def _clock() -> Finding:
    """Compare this machine's clock with Discord's: answers are due within three seconds."""
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
            f"it is {skew:+.0f} s off. Synchronise it (NTP), or every click will seem too old",
        )
    return Finding("clock", True, "in step with Discord")


async def _sessions(client: discord.Client, settings: Settings) -> Finding:
    """Whether the bot may connect now: every session that it begins counts, with Discord and us."""
    now = datetime.now(UTC)
    about = "sessions"
    *_, limits = await client.http.get_bot_gateway()
    budget = SessionBudget(limits["total"])
    try:
        store = await open_reader(settings.database_url())
    except StoreRefused:
        full_at = None  # what was found about the database says why
    else:
        try:
            full_at = (await store.session_starts()).get(BUDGET)
        except StoreUnavailable as error:
            return Finding(about, False, f"the database cannot be read: {error.reason}")
        finally:
            await store.close()
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
    """What each server lets us do, in all of it and where its lobby is."""
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
    """All servers that the bot is in; Discord tells of 200 at a time."""
    servers: list[dict[str, Any]] = []
    after = None
    while True:
        more: list[Any] = await client.http.get_guilds(limit=_PAGE, after=after)
        servers += more
        if len(more) < _PAGE:
            return servers
        after = int(more[-1]["id"])


def _called(name: str, number: int) -> str:
    """A server or channel by its name, and by its number for those who look for it elsewhere."""
    return f"{clean(name)} ({number})"


def _missing(given: discord.Permissions) -> str:
    """What we need and are not given, in words; empty if nothing."""
    return ", ".join(
        name.replace("_", " ")
        for name, wanted in _NEEDED
        if wanted and not getattr(given, name) and not given.administrator
    )


async def _lobbies(
    client: discord.Client, settings: Settings, servers: Mapping[int, str]
) -> list[Finding]:
    """Whether each lobby can be shown in the channel that its server, by name, has chosen."""
    try:
        store = await open_reader(settings.database_url())
    except StoreRefused:
        return []  # what was found about the database says why
    findings = []
    try:
        for server, name in servers.items():
            note = await store.lobby_of(GuildId(server))
            if note is not None:
                is_well, words = await _lobby(client, server, note.channel_id)
                if is_well and note.is_given_up:
                    words += ". Discord has refused it before; it is tried again by itself"
                about = f"lobby of server {_called(name, server)}"
                findings.append(Finding(about, is_well, words))
    except StoreUnavailable as error:
        findings.append(Finding("lobbies", False, f"the database cannot be read: {error.reason}"))
    finally:
        await store.close()
    return findings


async def _lobby(client: discord.Client, server: int, channel_id: int) -> tuple[bool, str]:
    """Whether a lobby can be shown in a channel, and if not, why and what to do.

    Its list is posted there and looked for among the latest messages, and matches that are offered
    there begin there.
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
