"""``python -m playground``: a Discord on this machine, for people."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import errno
import os
import signal
import sqlite3
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from playground.rest.limits import RateLimits
from playground.server import DEFAULT_PORT, Playground, new_token


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m playground",
        description="A Discord of your own on this machine, for trying out and testing a bot.",
    )
    parser.add_argument(
        "--port",
        type=int,
        default=DEFAULT_PORT,
        help="the port on 127.0.0.1 (default %(default)s; the next free one if it is taken)",
    )
    parser.add_argument("--state", type=Path, help="a file that keeps the world between runs")
    parser.add_argument("--token", help="the token that the bot is to use (default: a new one)")
    parser.add_argument("--bot-name", default="Bot", help="what the bot is called")
    parser.add_argument(
        "--first-command", default="", help="the command that the page offers to begin with"
    )
    parser.add_argument(
        "--server-name", default="Playground", help="what the first server is called"
    )
    parser.add_argument(
        "--until-stdin-ends",
        action="store_true",
        help="end when standard input does, as it does when the parent process is gone",
    )
    return parser.parse_args()


async def _run(given: argparse.Namespace) -> None:
    port, token = given.port, given.token or new_token()
    stop = asyncio.Event()
    if given.until_stdin_ends:
        loop = asyncio.get_running_loop()
        threading.Thread(
            target=_watch_stdin, args=(lambda: loop.call_soon_threadsafe(stop.set),), daemon=True
        ).start()
    for each in (signal.SIGINT, signal.SIGTERM):
        # Where signals cannot be handled (Windows), Ctrl-C still ends the loop.
        with contextlib.suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(each, stop.set)
    for tried in (*range(port, min(port + 20, 65536)), 0) if port else (0,):
        playground = Playground(
            port=tried,
            state=given.state,
            token=token,
            rate_limits=RateLimits(),
            bot_name=given.bot_name,
            first_command=given.first_command,
            server_name=given.server_name,
        )
        try:
            async with playground:
                sys.stdout.write(f"{playground.address}\n{playground.token}\n")
                sys.stdout.flush()
                await stop.wait()
                return
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise


def _watch_stdin(ended: Callable[[], object]) -> None:
    """Wait for the end of standard input, in a thread because reading it blocks.

    It avoids Python's own buffer, whose lock would be held when the process ends before its input.
    """
    while os.read(sys.stdin.fileno(), 4096):
        pass
    with contextlib.suppress(RuntimeError):  # the loop may have ended first
        ended()


def main() -> int:
    """Serve until told to stop; prints the page's address and the bot's token, or the error.

    Returns the exit code.
    """
    given = _arguments()
    try:
        asyncio.run(_run(given))
    except KeyboardInterrupt:
        return 0
    except OSError as error:
        what = f"it can't listen on port {given.port} or write its file"
        sys.stdout.write(f"{what}: {error.strerror or error}\n")
        return 1
    except sqlite3.Error as error:
        sys.stdout.write(f"its file {given.state} can't be used: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
