"""Checks of this machine, from its Python to its fonts."""

from __future__ import annotations

import asyncio
import contextlib
import platform
import sqlite3
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from random import Random

from bot import __version__
from bot.domain.game_state import game_of
from bot.settings import Settings, unknown_names
from bot.store import Store, StoreRefused, open_reader, open_store, upkeep, waits_for_upgrade
from bot.store.errors import StoreUnavailable
from games import catalog
from renderers import Style, render
from renderers.fonts import can_draw


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check: whether it passed, and if not, how to fix it."""

    about: str
    is_well: bool
    words: str

    def __str__(self) -> str:
        return f"{'ok   ' if self.is_well else 'WRONG'} {self.about}: {self.words}"


async def versions(_settings: Settings) -> list[Finding]:
    """The versions that run, and whether this Python is new enough."""

    def of(package: str) -> str:
        try:
            return version(package)
        except PackageNotFoundError:
            return "not installed"

    names = ("discord.py", "Pillow", "aiohttp", "SQLAlchemy")
    words = ", ".join(f"{name} {of(name)}" for name in names)
    sqlite = f"SQLite {sqlite3.sqlite_version}"
    return [
        Finding(
            "versions",
            sys.version_info >= (3, 11),
            f"Parlour {__version__}, Python {platform.python_version()}, {sqlite}, {words}",
        ),
    ]


async def setting_names(_settings: Settings) -> list[Finding]:
    """Whether all names that look like settings are valid; a typo stops every command."""
    unknown = ", ".join(unknown_names())
    if unknown:
        words = f"there is no such setting: {unknown}. docs/hosting.md lists those there are"
        return [Finding("settings", False, words)]
    return [Finding("settings", True, "all names are known")]


async def folder(settings: Settings) -> list[Finding]:
    """Whether the data folder can be written."""
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


@contextlib.asynccontextmanager
async def reading(settings: Settings) -> AsyncIterator[Store | None]:
    """The database, to be read; None where it doesn't open: :func:`database` says why."""
    try:
        store = await open_reader(settings.database_url())
    except StoreRefused:
        yield None
        return
    try:
        yield store
    finally:
        await store.close()


def unread(about: str, error: StoreUnavailable) -> Finding:
    """Finds that the database can't be read."""
    return Finding(about, False, f"the database cannot be read: {error.reason}")


async def database(settings: Settings) -> list[Finding]:
    """Whether the database opens, unless a running bot has it open."""
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


async def matches(settings: Settings) -> list[Finding]:
    """The matches that are set aside because they were found damaged."""
    async with reading(settings) as store:
        if store is None:
            return []
        try:
            found = await store.read(upkeep.all_set_aside)
            at = await store.read(upkeep.verified_at)
        except StoreUnavailable as error:
            return [unread("matches", error)]
    if not found:
        when = "" if at is None else f"; all were verified at {at:%Y-%m-%d %H:%M} UTC"
        return [Finding("matches", True, f"none is known to be damaged{when}")]
    named = ", ".join(f"{each.match_id} (since {each.since:%Y-%m-%d %H:%M} UTC)" for each in found)
    words = (
        f"damaged and set aside, while all others go on: {named}. To see what is wrong with"
        " them: parlour verify. A backup from before the damage has them whole"
    )
    return [Finding("matches", False, words)]


async def games(_settings: Settings) -> list[Finding]:
    """Whether every game that is installed can be offered."""
    if not catalog.LEFT_OUT:
        return [Finding("games", True, ", ".join(catalog.GAMES))]
    return [
        Finding("games", False, f"left out: {game}. Update or remove that package")
        for game in catalog.LEFT_OUT
    ]


async def pictures(settings: Settings) -> list[Finding]:
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
    if not can_draw("한글"):
        words += (
            "; pictures show the colour in place of a Korean name, and of a Chinese or Japanese"
        )
        words += " one with rare characters, until you install their font: make extras"
    if not can_draw("שלום"):
        words += "; pictures show the colour in place of a Hebrew or Arabic name, until you install"
        words += " the library FriBiDi (on Debian and Ubuntu: apt install libfribidi0)"
    return [Finding("pictures", True, words)]
