"""``parlour``: run the bot, and manage its data."""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from bot import __version__, logs
from bot.app.commands import database, running, site, tell
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
from bot.logs import logger
from bot.settings import Settings, read_settings, unknown_names
from bot.shutdown import is_to_hold
from bot.tournaments.swiss import command as tournament

try:
    from uvloop import new_event_loop
except ImportError:  # no wheel for this machine: every request costs a little more
    from asyncio import new_event_loop  # type: ignore[assignment]


_log = logger(__name__)

_SIGPIPE = 13
"""The signal by its number, which Windows does not know."""
_OFTEN = 0.016
"""The least hours between two backups."""
_OURS_ALONE = 0o077
"""The permissions that our files and folders do not give: reading or writing by others."""


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


_Work = Callable[[argparse.Namespace, Settings], Coroutine[Any, Any, int]]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="parlour",
        description="A Discord bot that hosts abstract board games. Without a command it runs.",
        epilog="Settings are read from the environment and from .env; docs/hosting.md lists them.",
    )
    parser.add_argument("--version", action="version", version=f"Parlour {__version__}")
    parser.set_defaults(work=running.run)
    parts = parser.add_subparsers(dest="command", metavar="COMMAND")

    def add(name: str, work: _Work, said: str, to: Any = parts) -> argparse.ArgumentParser:
        made: argparse.ArgumentParser = to.add_parser(name, help=said)
        made.set_defaults(work=work)
        return made

    def group(name: str, said: str) -> Any:
        made = parts.add_parser(name, help=said)
        return made.add_subparsers(dest="action", metavar="ACTION", required=True)

    run = add("run", running.run, "run the bot; without DISCORD_TOKEN in the playground")
    run.add_argument(
        "--now",
        action="store_true",
        help="use the sessions kept for a start by hand, once the cause is fixed",
    )
    add(
        "worker",
        running.think,
        "only compute moves for computer opponents, beside a bot on PostgreSQL",
    )
    add("doctor", running.examine, "check everything, and say how to fix each problem")
    add("sync", running.sync, "send Discord the slash commands now")
    add("health", running.ask_health, "ask the running bot whether it is healthy")
    check = add(
        "verify",
        database.verify,
        "replay every stored match and tournament, and check the hash chains",
    )
    check.add_argument(
        "--set-aside",
        action="store_true",
        help="set damaged matches aside so that the bot can start; stop it first",
    )
    take = add("backup", database.back_up, "write a copy of the database while the bot runs")
    take.add_argument("target", type=Path, help="the file to write; with --every the folder")
    take.add_argument(
        "--every", type=_hours, metavar="HOURS", help="write one every so many hours, until stopped"
    )
    take.add_argument(
        "--keep",
        type=_how_many,
        default=7,
        metavar="N",
        help="with --every: how many to keep (default: 7)",
    )
    put = add("restore", database.put_back, "restore a backup; stop the bot first")
    put.add_argument("source", type=Path, help="the backup")
    carry = add(
        "move-to",
        database.move,
        "carry everything over from SQLite to an empty PostgreSQL, or back",
    )
    carry.add_argument("address", help="postgresql://USER:PASSWORD@HOST/NAME or sqlite:///PATH")
    ratings = group("ratings", "compute the ratings again")
    rebuild = "compute every rating again from the results; stop the bot first"
    add("rebuild", database.rebuild_ratings, rebuild, ratings)
    web = add("site", site.write, "write tournaments and leaderboard as a static web site")
    web.add_argument("folder", type=Path, help="the folder to write, empty at first")
    web.add_argument("--language", default="en", help="the language of the pages (default: en)")
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
    tables = group("db", "upgrade the tables, or start over with empty ones")
    add("upgrade", database.upgrade, "make or upgrade the tables", tables)
    lost = "start over with an empty database where the old one is lost"
    add("init", database.begin_anew, lost, tables)
    return parser


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
            work: _Work = given.work
            return runner.run(work(given, settings))
    except KeyboardInterrupt:
        return 130
    except (BrokenPipeError, OutputFailed):
        raise
    except Exception as error:
        failure = failure_of(error)
        if failure is None:
            raise
    tell(failure.words)
    if given.command in (None, "run") and is_to_hold():
        if failure.code == FOR_A_PERSON:
            hold("Parlour waits here until it is stopped. Mend this, then start it again.")
        elif failure.code == STOPPED:
            hold("Parlour waits here until it is started again.")
    return failure.code


if __name__ == "__main__":
    sys.exit(main())
