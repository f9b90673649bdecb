"""What happens inside transactions about the database itself, not about anybody's matches."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, delete, insert, select

from bot.services.applications import ANY
from bot.store import statements as sql
from bot.store.tables import applications, events

_SERVED = select(applications.c.id)
_ADD_SERVED = insert(applications)
_DROP_ANY = delete(applications).where(applications.c.id == bindparam("of_any"))
_USED = select(events.c.match_id).limit(1)


def served(connection: Connection) -> frozenset[int]:
    """See :class:`bot.services.applications.ApplicationStore`; so for what follows."""
    return frozenset(connection.execute(_SERVED).scalars())


def serve(connection: Connection, application_id: int) -> None:
    """Note an application."""
    sql.one_after_another(connection)
    if application_id not in served(connection):
        connection.execute(_ADD_SERVED, {"id": application_id})
    if application_id != ANY:
        connection.execute(_DROP_ANY, {"of_any": ANY})


def is_used(connection: Connection) -> bool:
    """Whether anything has ever happened in this database."""
    return connection.execute(_USED).first() is not None
