"""``parlour``: run the bot, and manage its data."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import math
import os
import sys
import time
from collections.abc import Coroutine
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiohttp
import discord

from bot import __version__, logs, metrics
from bot.app import doctor
from bot.app.health import is_healthy
from bot.app.life import Bot, stop_on_signals
from bot.app.playground.child import PlaygroundChild, point_at
from bot.app.playground.event import hold_event
from bot.app.starting import (
    FOR_A_PERSON,
    STOPPED,
    TRY_AGAIN,
    OutputFailed,
    failure_of,
    flush_output,
    hold,
    missing_parts,
    open_streams,
    silence_output,
)
from bot.app.wiring import create_bot, no_store, thinking_alone
from bot.clock import SystemClock
from bot.computers.thinking.pool import WorkerPool
from bot.i18n import Languages
from bot.logs import logger
from bot.services.verification import verify_all
from bot.settings import Settings, SettingsWrong, read_settings, unknown_names
from bot.shutdown import is_to_hold
from bot.site.writer import FolderRefused, write_site
from bot.store import (
    Store,
    StoreRefused,
    backup,
    backup_among,
    move,
    newest_backup,
    open_reader,
    open_store,
    restore,
    start_over,
    unreadable,
    upgrade_store,
)
from bot.store import ratings as stored_ratings
from bot.store.errors import StoreUnavailable
from bot.store.schema import is_ahead
from bot.tournaments.services.verifying import verify_tournaments
from bot.tournaments.swiss import command as tournament
from bot.ui.pages.display_names import NameBook

try:
    from uvloop import new_event_loop
except ImportError:  # no wheel for this machine: every request costs a little more
    from asyncio import new_event_loop  # type: ignore[assignment]


_log = logger(__name__)

_SIGPIPE = 13
"""The signal by its number, which Windows does not know."""
_OFTEN, _SOON = 0.016, 300.0
"""The least hours between two backups, and seconds until a failed one is tried again."""
_OURS_ALONE = 0o077
"""The permissions that our files and folders do not give: reading or writing by others."""
_GARBAGE = 20_000
"""New objects after which the garbage collector runs."""


def _tell(words: str) -> None:
    sys.stdout.write(words.rstrip() + "\n")
    flush_output()


def _number(n: int, thing: str) -> str:
    """A number with its noun in English: the command line speaks to the host alone."""
    more = "es" if thing.endswith("ch") else "s"
    return f"{n:,} {thing}" if n == 1 else f"{n:,} {thing}{more}"


async def _run(settings: Settings, *, now: bool) -> int:
    token = settings.discord_token()
    if settings.traces is not None:
        _begin_traces(settings.traces)
    stop = asyncio.Event()
    stop_on_signals(stop)
    # The database first: a second process is refused before it disturbs anything.
    store = await open_store(settings.database_url(), data=settings.data, catches_up=True)
    _settle_memory()
    try:
        if token is not None:
            await create_bot(settings, store=store, by_hand=now).run(token, stop)
            return 0
        if settings.playground is not None and settings.playground_token is not None:
            token = settings.playground_token.get_secret_value()
            await _play(settings, store, settings.playground, token, stop, now=now)
            return 0
        async with PlaygroundChild(
            port=settings.playground_port, state=settings.data / "playground.db"
        ) as playground:
            ended = asyncio.create_task(playground.ended())
            ended.add_done_callback(lambda _: stop.set())
            event = asyncio.create_task(_hold_event(settings, playground.address))
            try:
                await _play(settings, store, playground.address, playground.token, stop, now=now)
            finally:
                ended.cancel()
                event.cancel()
                await asyncio.gather(event, return_exceptions=True)
        _tell("Parlour has ended. Start it again to go on where you were.")
    finally:
        await store.close()
    return 0


def _begin_traces(address: str) -> None:
    try:
        metrics.begin_traces(address)
    except ImportError as error:
        msg = "PARLOUR_TRACES needs OpenTelemetry, which is not installed. Run: make traces"
        raise SettingsWrong(msg) from error


def _settle_memory() -> None:
    """Have the garbage collector skip all present objects, which are modules and classes.

    They live as long as the process. A full collection would examine all of them again and again,
    which blocks the event loop for a tenth of a second on a slow machine, in the middle of moves. A
    move makes some thousands of objects and hardly any cycles, so it is also enough to collect
    garbage every few moves.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_GARBAGE, 20, 20)


async def _play(
    settings: Settings,
    store: Store,
    address: str,
    token: str,
    stop: asyncio.Event,
    *,
    now: bool,
) -> None:
    """Run in the playground at this address until told to stop."""
    point_at(address)
    # It has one server and announces it immediately: the page need not wait for more.
    bot = create_bot(settings, store=store, guild_ready_timeout=0.5, by_hand=now)
    bot.sync_always = True
    if settings.playground is None:
        bot.client.connection.left = None  # it has just started and knows no session
    has_event = settings.playground is None and settings.playground_event
    greeting = asyncio.create_task(_greet(bot, address, has_event=has_event))
    try:
        await bot.run(token, stop)
    finally:
        greeting.cancel()


async def _hold_event(settings: Settings, address: str) -> None:
    """Hold an event in the playground for newcomers."""
    if settings.playground_event:
        await hold_event(address)


async def _greet(bot: Bot, address: str, *, has_event: bool) -> None:
    """Print the address and the first commands, once there is a player to play with."""
    await bot.found.wait()
    with contextlib.suppress(BrokenPipeError, OutputFailed):
        _tell(
            "No DISCORD_TOKEN is set, so this is the playground, a Discord of your own on this"
            f" machine.\nOpen {address} in two browser windows, be a different person"
            " in each, and type /play."
            + ("\nIn #games you can join an arena that three scripts play." if has_event else "")
            + "\nCtrl-C ends it; what you have played is kept."
        )


async def _sync(settings: Settings) -> int:
    token = settings.discord_token()
    if token is None:
        _tell("There is no DISCORD_TOKEN, and the playground is told the commands at every start.")
        return 1
    bot = create_bot(settings, store=no_store())
    try:
        async with bot.client:
            await bot.client.login(token)
            await bot.sync(only_if_changed=False)
    except (discord.DiscordException, aiohttp.ClientError) as error:
        _tell(f"Discord could not be told: {error}. For what to do, run: parlour doctor")
        return 1
    _tell("Discord knows the commands now.")
    return 0


async def _doctor(settings: Settings) -> int:
    findings = await doctor.examine(settings)
    for finding in findings:
        _tell(str(finding))
    return 0 if all(finding.is_well for finding in findings) else 1


async def _upgrade(settings: Settings) -> int:
    await upgrade_store(settings.database_url())
    _tell("The database has the newest tables.")
    return 0


async def _init(settings: Settings) -> int:
    await start_over(settings.database_url())
    _tell("There is an empty database now. Start the bot to use it.")
    return 0


async def _backup(settings: Settings, target: Path) -> int:
    size = await asyncio.to_thread(backup, settings.database_url(), target)
    _tell(f"{target} holds every match, in {size} bytes. To use it: parlour restore {target}")
    return 0


async def _backup_every(settings: Settings, folder: Path, hours: float, keep: int) -> int:
    """Write a backup whenever the newest is ``hours`` old, until told to stop.

    A failed one is tried again a little later; earlier ones stay.
    """
    stop = asyncio.Event()
    stop_on_signals(stop)
    url, every = settings.database_url(), hours * 3600
    while not stop.is_set():
        newest = newest_backup(folder)
        wait = 0.0 if newest is None else newest.stat().st_mtime + every - time.time()
        if wait <= 0:
            wait = every
            try:
                made = await asyncio.to_thread(
                    backup_among, url, folder, datetime.now(UTC), keep=keep
                )
                _tell(f"{made} holds every match. To use it: parlour restore {made}")
            except StoreRefused as refused:
                wait = min(every, _SOON)
                _tell(f"No backup was made: {refused} Parlour tries again within five minutes.")
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), min(wait, every))
    return 0


async def _restore(settings: Settings, source: Path) -> int:
    aside = await asyncio.to_thread(restore, settings.database_url(), source)
    if aside is not None:
        _tell(f"The database of before is now {aside}.")
    _tell("The backup is in its place. Start the bot again.")
    return 0


async def _verify(settings: Settings, *, set_aside: bool) -> int:
    """Play every match through and list damaged ones; nothing is changed.

    With ``set_aside``, matches that would keep the bot from starting are set aside.
    """
    if set_aside:
        url = settings.database_url()
        await (await open_store(url, data=settings.data, set_aside=True)).close()
    return await _verify_all(await open_reader(settings.database_url(), whole=True))


async def _verify_all(store: Store) -> int:
    """Play every match of a store through, and close it; returns the exit code."""
    try:
        if await store.read(is_ahead):
            raise StoreRefused(
                "newer",
                "A newer release of Parlour has used the database, and may have stored what this"
                " one cannot read. Verify it with that release.",
            )
        found = await verify_all(store)
        events = await verify_tournaments(store)
    except StoreUnavailable as trouble:
        raise unreadable(trouble) from trouble
    finally:
        await store.close()
    for problem in found.problems:
        _tell(f"WRONG match {problem.match_id}: {problem.error}")
    _tell(f"Replayed {_number(found.matches, 'match')}; damaged: {len(found.problems)}.")
    for wrong in events.problems:
        _tell(f"WRONG tournament {wrong.tournament_id}: {wrong}")
    if events.tournaments:
        replayed = _number(events.tournaments, "tournament")
        _tell(f"Replayed {replayed}; damaged: {len(events.problems)}.")
    return 0 if not (found.problems or events.problems) else 1


async def _move(settings: Settings, target: str) -> int:
    """Copy everything to another database, and play every match through there."""
    codes: list[int] = []

    async def arrived() -> None:
        codes.append(await _verify_all(await open_store(target, data=settings.data)))

    await move(settings.database_url(), target, data=settings.data, tell=_tell, arrived=arrived)
    if any(codes):
        _tell("What is damaged was damaged before: every row is the same.")
    _tell(
        "Set PARLOUR_DATABASE to the new address and start the bot. The database of before is as it"
        " was, and Parlour does not open it any more: delete it once you trust the new one, because"
        " it keeps what players erase later."
    )
    return max(codes)


async def _rebuild(settings: Settings) -> int:
    """Compute all ratings again from the results."""
    store = await open_store(settings.database_url(), data=settings.data)
    try:
        results, changed = await store.write(stored_ratings.rebuild)
    finally:
        await store.close()
    _tell(f"Counted {_number(results, 'rated match')} again; ratings changed: {changed}.")
    return 0


async def _site(settings: Settings, folder: Path, locale: str) -> int:
    """Write tournaments and leaderboard as a static site, with names from Discord."""
    languages = Languages()
    language = languages.nearest(locale)
    if language is None:
        known = ", ".join(languages.known())
        _tell(f"There is no language {locale}. There are: {known}.")
        return 1
    token = settings.discord_token()
    if token is None and settings.playground is not None and settings.playground_token is not None:
        point_at(settings.playground)
        token = settings.playground_token.get_secret_value()
    store = await open_reader(settings.database_url())
    try:
        bot = create_bot(settings, store=store)
        async with bot.client:
            if token is not None:
                await bot.client.login(token)
            presenter = bot.services.presenter
            if token is None:
                presenter = replace(presenter, names=NameBook())
            written = await write_site(store, presenter, SystemClock(), language, folder)
    except FolderRefused as refused:
        _tell(str(refused))
        return 1
    except (discord.DiscordException, aiohttp.ClientError) as error:
        _tell(f"Discord could not be asked for names: {error}. Try: parlour doctor")
        return 1
    finally:
        await store.close()
    _tell(f"The site is in {folder}, with {_number(written.events, 'tournament')}.")
    if written.without:
        _tell(f"Games without pictures: {written.without}.")
    if not written.events:
        _tell("A server's managers choose in /server settings that its tournaments are on it.")
    if token is None:
        _tell("There is no DISCORD_TOKEN, so players have numbers instead of names.")
    return 0


async def _think(settings: Settings) -> int:
    """Only think for computers, beside bots on the same PostgreSQL, until told to stop."""
    url = settings.database_url()
    if url.startswith("sqlite"):
        _tell(
            "Workers of their own need PostgreSQL, which PARLOUR_DATABASE names. With SQLite the"
            " bot has its workers beside it: PARLOUR_WORKERS says how many."
        )
        return 1
    stop = asyncio.Event()
    stop_on_signals(stop)
    store = await open_store(url, catches_up=True)
    thinker = WorkerPool(max(1, settings.workers), memory=settings.worker_memory)
    computers = thinking_alone(settings, store, thinker)
    at_work = asyncio.create_task(computers.run())
    at_work.add_done_callback(lambda _: stop.set())
    try:
        await stop.wait()
    finally:
        at_work.cancel()
        await asyncio.gather(at_work, return_exceptions=True)
        await thinker.close()
        await store.close()
    return 0


async def _healthy(settings: Settings) -> int:
    if settings.health_port is None:
        _tell("PARLOUR_HEALTH_PORT is not set, so there is nothing to ask.")
        return 1
    well, said = await asyncio.to_thread(
        is_healthy, settings.health_port, address=str(settings.health_address)
    )
    _tell(said)
    return 0 if well else 1


def _hours(written: str) -> float:
    """A number of hours, at least a minute."""
    try:
        hours = float(written)
    except ValueError:
        hours = 0.0
    if not _OFTEN <= hours < math.inf:
        msg = "write a number of hours, such as 24; the least is a minute, 0.017"
        raise argparse.ArgumentTypeError(msg)
    return hours


def _how_many(written: str) -> int:
    if not written.isdecimal() or int(written) < 1:
        msg = "write a whole number from 1"
        raise argparse.ArgumentTypeError(msg)
    return int(written)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="parlour",
        description="A Discord bot that hosts abstract board games. Without a command it runs.",
        epilog="Settings are read from the environment and from .env; docs/hosting.md lists them.",
    )
    parser.add_argument("--version", action="version", version=f"Parlour {__version__}")
    parts = parser.add_subparsers(dest="command", metavar="COMMAND")
    run = parts.add_parser("run", help="run the bot; without DISCORD_TOKEN in the playground")
    run.add_argument(
        "--now",
        action="store_true",
        help="connect even if too many sessions were begun; for a start by hand, once what"
        " used them up is mended",
    )
    parts.add_parser("worker", help="only think for computers, beside a bot on the same PostgreSQL")
    parts.add_parser("doctor", help="check everything, and say how to mend what is not well")
    parts.add_parser("sync", help="tell Discord the slash commands now")
    parts.add_parser("health", help="ask the running bot whether it is well")
    check = parts.add_parser(
        "verify", help="play every stored match through against its hash chain"
    )
    check.add_argument(
        "--set-aside",
        action="store_true",
        help="set aside what the bot would not start for, which must be stopped",
    )
    take = parts.add_parser("backup", help="write a copy of the database while the bot runs")
    take.add_argument("target", type=Path, help="the file to write; with --every the folder")
    take.add_argument(
        "--every", type=_hours, metavar="HOURS", help="write one so often, until stopped"
    )
    take.add_argument(
        "--keep",
        type=_how_many,
        default=7,
        metavar="N",
        help="with --every: how many to keep (default: 7)",
    )
    put = parts.add_parser("restore", help="put a backup in place of the database")
    put.add_argument("source", type=Path, help="the backup")
    carry = parts.add_parser(
        "move-to", help="carry everything over from SQLite to an empty PostgreSQL, or back"
    )
    carry.add_argument("address", help="postgresql://USER:PASSWORD@HOST/NAME or sqlite:///PATH")
    ratings = parts.add_parser("ratings", help="look after the ratings")
    doing = ratings.add_subparsers(dest="action", metavar="ACTION", required=True)
    doing.add_parser("rebuild", help="compute every rating anew from the results")
    site = parts.add_parser("site", help="write tournaments and leaderboard as a static web site")
    site.add_argument("folder", type=Path, help="the folder to write, empty at first")
    site.add_argument("--language", default="en", help="the language of the pages (default: en)")
    event = parts.add_parser("tournament", help="pair, check or rank a tournament report (TRF)")
    event.add_argument(
        "action",
        choices=tuple(tournament.ACTIONS),
        help="pair the next round; pair all rounds again and compare; or print the standings",
    )
    event.add_argument("file", type=Path, help="the report")
    event.add_argument(
        "--program", type=Path, help="a program that pairs in place of gacrux, such as bbpPairings"
    )
    database = parts.add_parser("db", help="look after the tables")
    inner = database.add_subparsers(dest="action", metavar="ACTION", required=True)
    inner.add_parser("upgrade", help="bring the tables to the newest form")
    inner.add_parser("init", help="start over with an empty database where the old one is lost")
    return parser


def _work(given: argparse.Namespace, settings: Settings) -> Coroutine[Any, Any, int]:
    match given.command:
        case "doctor":
            return _doctor(settings)
        case "sync":
            return _sync(settings)
        case "worker":
            return _think(settings)
        case "health":
            return _healthy(settings)
        case "verify":
            return _verify(settings, set_aside=given.set_aside)
        case "backup":
            if given.every is None:
                return _backup(settings, given.target)
            return _backup_every(settings, given.target, given.every, given.keep)
        case "restore":
            return _restore(settings, given.source)
        case "move-to":
            return _move(settings, given.address)
        case "site":
            return _site(settings, given.folder, given.language)
        case "ratings":
            return _rebuild(settings)
        case "db":
            return _init(settings) if given.action == "init" else _upgrade(settings)
        case _:
            return _run(settings, now=getattr(given, "now", False))


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit code."""
    open_streams()
    before = os.umask(_OURS_ALONE)
    try:
        try:
            return _command(arguments)
        finally:
            flush_output()
    except BrokenPipeError:
        silence_output()  # The program that read it has ended, as head does after its lines.
        return 128 + _SIGPIPE
    except OutputFailed as error:
        silence_output()
        sys.stderr.write(f"The output cannot be written: {error}.\n")
        return TRY_AGAIN
    finally:
        os.umask(before)


def _log_level(settings: Settings, command: str | None) -> str:
    """The host's setting; in a playground of its own only warnings, for a newcomer."""
    is_set = "log_level" in settings.model_fields_set
    if is_set or command not in (None, "run") or settings.playground is not None:
        return settings.log_level
    return settings.log_level if settings.discord_token() is not None else "WARNING"


def _command(arguments: list[str] | None) -> int:
    given = _parser().parse_args(arguments)
    if given.command == "tournament":
        return tournament.run(given.action, given.file, given.program)
    try:
        settings = read_settings()
        logs.configure(
            level=_log_level(settings, given.command),
            style=settings.log_format,
            known_secrets=settings.secrets(),
        )
        for name in unknown_names():
            _log.warning("there is no such setting", name=name)
        if given.command in (None, "run") and (lacking := missing_parts()):
            _log.warning("Parlour runs without what this system lacks", lacking=", ".join(lacking))
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            return runner.run(_work(given, settings))
    except KeyboardInterrupt:
        return 130
    except (BrokenPipeError, OutputFailed):
        raise
    except Exception as error:
        failure = failure_of(error)
        if failure is None:
            raise
    _tell(failure.words)
    if given.command in (None, "run") and is_to_hold():
        if failure.code == FOR_A_PERSON:
            hold("Parlour waits here until it is stopped. Mend this, then start it again.")
        elif failure.code == STOPPED:
            hold("Parlour waits here until it is started again.")
    return failure.code


if __name__ == "__main__":
    sys.exit(main())
