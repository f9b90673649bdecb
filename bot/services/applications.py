"""Noticing that the database is new although the bot is not.

What lies beside a database is lost with it: a folder that was wiped, a volume that was not mounted,
an address that names another server. Discord knows better. It still has the commands that Parlour
told it as this application, and a database in which this application is unknown cannot be the one
that they belong to. So a new database serves an application only if Discord knows none of Parlour's
commands of it, or if the host has said that it is meant.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.store import Store, upkeep
from bot.store.records import ANY


async def is_foreign_to(
    store: Store, application_id: int, was_here: Callable[[], Awaitable[bool]]
) -> bool:
    """Whether an application has run with another database than this; if not it is noted.

    ``was_here`` asks Discord whether Parlour has run as this application. Another process may be
    the first at the same moment, and tell Discord commands meanwhile.
    """
    known = await store.read(upkeep.served)
    if application_id in known:
        return False
    if ANY not in known and await was_here():
        return application_id not in await store.read(upkeep.served)
    await store.write(upkeep.serve, application_id)
    return False
