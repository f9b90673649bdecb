"""The way of an accepted ``/move``: files entered, transactions, statements and requests.

A match is played in one process over the playground up to the watched move, which is followed until
its last message has arrived. It prints the files of ``bot/`` in the order of their first calls, and
the counts. Ends with an error if one is above its bound: a reason to look for code that only passes
calls on.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine

from bot.app.health import LoopWatch
from bot.app.periodic import PeriodicWork
from bot.services import outbox_worker
from bot.ui.interaction import handler
from tests.support.discord_spec import SpecObserver
from tests.support.hosted import hosted, start_quax

BOUNDS = {"files": 74, "transactions": 5, "statements": 24, "requests": 7}
_ID = re.compile(r"\d{10,}|[\w-]{40,}")
_BOT = f"{Path(__file__).parents[1] / 'bot'}/"


class Way:
    """The events during the watch."""

    def __init__(self) -> None:
        self.is_on = False
        self.files: dict[str, None] = {}
        self.requests: list[str] = []
        self.statements: list[str] = []
        self.transactions = 0

    def called(self, frame: FrameType, what: str, _arg: Any) -> None:
        """Take note of a call, as a profiler."""
        if self.is_on and what == "call" and frame.f_code.co_filename.startswith(_BOT):
            self.files.setdefault(frame.f_code.co_filename.removeprefix(_BOT))

    def requested(self, method: str, path: str) -> None:
        """Take note of a request to Discord."""
        if self.is_on:
            self.requests.append(f"{method} {_ID.sub('-', path)}")

    def began(self, _connection: object) -> None:
        """Take note of a transaction."""
        self.transactions += self.is_on

    def executed(
        self, _connection: object, _cursor: object, statement: str, *_more: object
    ) -> None:
        """Take note of a statement; the begin of a transaction counts as one of those."""
        if self.is_on and not statement.startswith("BEGIN"):
            self.statements.append(" ".join(statement.split()))

    @property
    def counts(self) -> dict[str, int]:
        """The numbers that have bounds."""
        return {
            "files": len(self.files),
            "transactions": self.transactions,
            "statements": len(self.statements),
            "requests": len(self.requests),
        }


@contextmanager
def watched() -> Iterator[Way]:
    """Watch this thread, all threads that begin from now on, all databases and the playground."""
    way, usual = Way(), SpecObserver.request

    def request(self: SpecObserver, method: str, path: str, content: Any) -> None:
        way.requested(method, path)
        usual(self, method, path, content)

    SpecObserver.request = request  # type: ignore[method-assign]
    event.listen(Engine, "begin", way.began)
    event.listen(Engine, "before_cursor_execute", way.executed)
    threading.setprofile(way.called)
    sys.setprofile(way.called)
    try:
        yield way
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        event.remove(Engine, "begin", way.began)
        event.remove(Engine, "before_cursor_execute", way.executed)
        SpecObserver.request = usual  # type: ignore[method-assign]


async def _nothing(_watch: LoopWatch) -> None:
    """Work that is done every second is no part of a move."""


async def way_of_a_move(folder: Path) -> Way:
    """Play three moves, and watch the fourth."""
    PeriodicWork.start = lambda _: []  # type: ignore[assignment, method-assign]
    LoopWatch.run = _nothing  # type: ignore[assignment, method-assign]
    outbox_worker.POLL = 60.0  # nor is the look for what others have left
    handler._SLOW = 60.0  # on a busy machine no answer is lost
    with watched() as way:
        async with hosted(folder, clock="3d") as table:
            game = await start_quax(table)
            for person, move in ((game.black, "a1"), (game.white, "b2"), (game.black, "c3")):
                await game.say(person, move)
                await table.settled()
            command = await game.white.command("move", game.home)
            way.is_on = True
            await game.white.run(command, "move", game.home, move="d4")
            await game.black.wait_message(lambda told: "played d4" in str(told["content"]))
            assert table.bot is not None
            await table.bot.services.background.drain(5)
            await asyncio.sleep(1)
            way.is_on = False
    return way


def main() -> int:
    """Print the way, and the counts above their bounds."""
    with tempfile.TemporaryDirectory() as folder:
        way = asyncio.run(way_of_a_move(Path(folder)))
    print(*way.files, sep="\n")
    print(*way.statements, sep="\n")
    print(*way.requests, sep="\n")
    for what, count in way.counts.items():
        print(f"{what}: {count} (at most {BOUNDS[what]})")
    return any(count > BOUNDS[what] for what, count in way.counts.items())


if __name__ == "__main__":
    sys.exit(main())
