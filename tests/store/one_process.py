"""A process of its own that is handed clicks, for tests of several on one database.

:func:`run` with the address of a database reads lines of JSON and answers each with one: what the
click has come to. It dies where PARLOUR_FAILPOINT says.
"""

from __future__ import annotations

import asyncio
import json
import sys
from random import Random
from typing import Any

from bot.errors import UserError
from bot.services.match_changes import MatchChanges
from bot.services.matches import MatchService
from bot.store import open_store
from games.errors import GameError
from tests.support.kit import HandClock, person


async def main(url: str) -> None:
    store = await open_store(url)
    clock = HandClock()
    service = MatchService(store, clock, Random(1), MatchChanges(store, clock))
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    say({"ready": True})
    tasks = set()
    async for line in reader:
        task = asyncio.create_task(carry_out(service, json.loads(line)))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    if tasks:
        await asyncio.wait(tasks)
    await store.close()


async def carry_out(service: MatchService, click: dict[str, Any]) -> None:
    try:
        answer = await service.move(
            person(click["user"]),
            click["match"],
            text=click["move"],
            interaction_id=click["id"],
        )
    except (UserError, GameError) as error:
        say({"id": click["id"], "refused": error.code})
    else:
        moved = answer.params["move"]
        say({"id": click["id"], "moved": moved, "repeated": answer.repeated})


def say(words: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


def run(arguments: tuple[str, ...]) -> None:
    """The whole process; for :class:`tests.support.forked.Forked`."""
    asyncio.run(main(*arguments))
