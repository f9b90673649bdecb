"""Commands that look after the database: its tables, its backups, and what it holds."""

from __future__ import annotations

import asyncio
import contextlib
import time
from argparse import Namespace
from datetime import UTC, datetime
from pathlib import Path

from bot.app.commands import counted, tell
from bot.app.life import stop_on_signals
from bot.services.verification import verify_all
from bot.settings import Settings
from bot.store import (
    Store,
    StoreRefused,
    backup,
    backup_among,
    newest_backup,
    open_reader,
    open_store,
    ratings,
    restore,
    start_over,
    unreadable,
    upgrade_store,
)
from bot.store import move as carry_over
from bot.store.errors import StoreUnavailable
from bot.store.schema import is_ahead
from bot.tournaments.services.verifying import verify_tournaments

_SOON = 300.0
"""Seconds until a failed backup is tried again."""


async def upgrade(_: Namespace, settings: Settings) -> int:
    """Bring the tables to the newest form."""
    await upgrade_store(settings.database_url())
    tell("The database has the newest tables.")
    return 0


async def begin_anew(_: Namespace, settings: Settings) -> int:
    """Make an empty database where the one before is lost."""
    await start_over(settings.database_url())
    tell("There is an empty database now. Start the bot to use it.")
    return 0


async def back_up(given: Namespace, settings: Settings) -> int:
    """Write a backup, or one after the other."""
    target: Path = given.target
    if given.every is not None:
        return await _back_up_every(settings, target, given.every, given.keep)
    size = await asyncio.to_thread(backup, settings.database_url(), target)
    tell(f"{target} holds every match, in {size} bytes. To use it: parlour restore {target}")
    return 0


async def _back_up_every(settings: Settings, folder: Path, hours: float, keep: int) -> int:
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
                tell(f"{made} holds every match. To use it: parlour restore {made}")
            except StoreRefused as refused:
                wait = min(every, _SOON)
                tell(f"No backup was made: {refused} Parlour tries again within five minutes.")
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), min(wait, every))
    return 0


async def put_back(given: Namespace, settings: Settings) -> int:
    """Put a backup in the place of the database."""
    aside = await asyncio.to_thread(restore, settings.database_url(), given.source)
    if aside is not None:
        tell(f"The database of before is now {aside}.")
    tell("The backup is in its place. Start the bot again.")
    return 0


async def verify(given: Namespace, settings: Settings) -> int:
    """Play every match through and list damaged ones; nothing is changed.

    With ``--set-aside``, matches that would keep the bot from starting are set aside.
    """
    if given.set_aside:
        url = settings.database_url()
        await (await open_store(url, data=settings.data, set_aside=True)).close()
    return await _verify_all(await open_reader(settings.database_url(), whole=True))


async def _verify_all(store: Store) -> int:
    """Play every match of a store through, and close it; returns the exit code."""
    try:
        async with store:
            if await store.read(is_ahead):
                raise StoreRefused(
                    "newer",
                    "A newer release of Parlour has used the database, and may have stored what"
                    " this one cannot read. Verify it with that release.",
                )
            found, events = await verify_all(store), await verify_tournaments(store)
    except StoreUnavailable as trouble:
        raise unreadable(trouble) from trouble
    for kind, checked in (("match", found), ("tournament", events)):
        for problem in checked.problems:
            tell(f"WRONG {kind} {problem.id}: {problem.error}")
        if checked.checked or kind == "match":
            replayed = counted(checked.checked, kind)
            tell(f"Replayed {replayed}; damaged: {len(checked.problems)}.")
    return 0 if not (found.problems or events.problems) else 1


async def move(given: Namespace, settings: Settings) -> int:
    """Copy everything to another database, and play every match through there."""
    codes: list[int] = []
    target: str = given.address

    async def arrived() -> None:
        codes.append(await _verify_all(await open_store(target, data=settings.data)))

    await carry_over(
        settings.database_url(), target, data=settings.data, tell=tell, arrived=arrived
    )
    if any(codes):
        tell("What is damaged was damaged before: every row is the same.")
    tell(
        "Set PARLOUR_DATABASE to the new address and start the bot. The database of before is as it"
        " was, and Parlour does not open it any more: delete it once you trust the new one, because"
        " it keeps what players erase later."
    )
    return max(codes)


async def rebuild_ratings(_: Namespace, settings: Settings) -> int:
    """Compute all ratings again from the results."""
    async with await open_store(settings.database_url(), data=settings.data) as store:
        results, changed = await store.write(ratings.rebuild)
    tell(f"Counted {counted(results, 'rated match')} again; ratings changed: {changed}.")
    return 0
