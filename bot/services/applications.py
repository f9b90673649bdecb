"""Notices that the database is new although the bot is not.

A wiped folder, a volume that was not mounted, or an address of another server loses the database.
Discord still has the commands that Parlour registered for this application. So a new database
serves an application only if Discord knows none of them, or if the host has confirmed it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.store import Store, upkeep
from bot.store.records import ANY


async def is_foreign_to(
    store: Store, application_id: int, was_here: Callable[[], Awaitable[bool]]
) -> bool:
    """Whether an application has run with another database; if not, it is noted.

    ``was_here`` asks Discord whether Parlour has run as this application. Another process may be
    the first at the same moment, and register commands meanwhile.
    """
    known = await store.read(upkeep.served)
    if application_id in known:
        return False
    if ANY not in known and await was_here():
        return application_id not in await store.read(upkeep.served)
    await store.write(upkeep.serve, application_id)
    return False
