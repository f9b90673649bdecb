"""Messages that stand and are edited in place, inside transactions."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, insert, select, update

from bot.domain.ids import ChannelId, GuildId
from bot.posts.outgoing import Key, Outgoing, subject_of
from bot.posts.sending import Posted
from bot.store import database, outgoing, rows
from bot.store.tables import outbox, standing
from bot.store.tables.base import NEVER

_c = standing.c


def of_server(
    connection: Connection, guild_id: GuildId, subject: str = ""
) -> tuple[StandingMessage, ...]:
    """Messages that stand in a server, or are to, of one sort or of all."""
    is_it = _c.key.startswith(f"{subject}:" if subject else "")
    found = select(standing).where(_c.guild_id == guild_id, is_it).order_by(_c.key)
    return tuple(_standing(row) for row in connection.execute(found).all())


def standing_of(connection: Connection, key: Key) -> StandingMessage | None:
    """A message as far as it is known, None if there is to be none."""
    row = connection.execute(select(standing).where(_c.key == key)).first()
    return None if row is None else _standing(row)


def show(
    connection: Connection, key: Key, guild_id: GuildId, channel_id: ChannelId, now: datetime
) -> None:
    """Have a message stand from now on, and shown anew at once if it does already."""
    if standing_of(connection, key) is None:
        # Numbers go on from anywhere: those that were given here before Discord may still remember.
        salt = secrets.randbits(24)
        new = {"key": key, "guild_id": guild_id, "channel_id": channel_id, "salt": salt}
        connection.execute(insert(standing), new)
        _at_once(connection, key, now)
    else:
        _close(connection, key, now, is_closing=False)


def close(connection: Connection, key: Key, now: datetime) -> None:
    """Have a message go."""
    _close(connection, key, now, is_closing=True)


def _close(connection: Connection, key: Key, now: datetime, *, is_closing: bool) -> None:
    connection.execute(update(standing).where(_c.key == key).values(closing=is_closing))
    _at_once(connection, key, now)


def _at_once(connection: Connection, key: Key, now: datetime) -> None:
    outgoing.retry_now(connection, (key,), now)
    outgoing.plan(connection, shown_anew(key, now))


def mark(connection: Connection, key: Key, now: datetime) -> None:
    """Have a message say what it should by now, as soon as it may be edited again."""
    database.hold_keys(connection, (key,))
    rests = connection.execute(select(_c.rest_until).where(_c.key == key)).scalar()
    if rests is not None:
        outgoing.plan(connection, shown_anew(key, max(now, rests)))


def stands(
    connection: Connection, key: Key, posted: Posted | None, digest: str, rest_until: datetime
) -> None:
    """Note which message shows it, what that says, and until when it is not to be edited."""
    message_id = None if posted is None else posted.message_id
    values = {"message_id": message_id, "digest": digest, "rest_until": rest_until}
    connection.execute(update(standing).where(_c.key == key).values(values))


def stands_no_more(connection: Connection, key: Key) -> None:
    """Forget one whose message is gone; one that was opened again begins from nothing."""
    closed = delete(standing).where(_c.key == key, _c.closing == 1)
    if connection.execute(closed).rowcount == 0:
        stands(connection, key, None, "", NEVER)


def note_place(connection: Connection, key: Key, guild_id: GuildId, posted: Posted) -> None:
    """Note where a message stands that will be edited only to be closed."""
    forget_place(connection, key)
    values = {"channel_id": posted.channel_id, "message_id": posted.message_id, "salt": 0}
    connection.execute(insert(standing), {"key": key, "guild_id": guild_id, **values})


def noted_places(connection: Connection, begins: str) -> tuple[tuple[Key, Posted], ...]:
    """Where such messages stand, by their keys, which begin so."""
    found = select(standing).where(_c.key.startswith(begins)).order_by(_c.key)
    known = map(_standing, connection.execute(found).all())
    return tuple((each.key, each.posted) for each in known if each.posted is not None)


def forget_place(connection: Connection, key: Key) -> None:
    """Forget where such a message stands."""
    connection.execute(delete(standing).where(_c.key == key))


def look_again(connection: Connection, subject: str, now: datetime) -> None:
    """Have every message of a sort looked at now."""
    waits = (outbox.c.slot.is_not(None), outbox.c.attempts == 0, outbox.c.due_at > now)
    of_sort = update(outbox).where(outbox.c.key.startswith(f"{subject}:"), *waits)
    connection.execute(of_sort.values(due_at=now))


def not_shown(connection: Connection) -> frozenset[GuildId]:
    """The servers in which a message cannot be shown."""
    troubled = and_(outbox.c.key == _c.key, outbox.c.trouble.is_not(None))
    found = connection.execute(select(_c.guild_id).join(outbox, troubled).distinct())
    return frozenset(found.scalars())


def trouble_of(connection: Connection, key: Key) -> str | None:
    """A word for why a message cannot be shown, None if it can, as far as is known."""
    known = (outbox.c.key == key, outbox.c.trouble.is_not(None))
    first = select(outbox.c.trouble).where(*known).order_by(outbox.c.id).limit(1)
    found: str | None = connection.execute(first).scalar()
    return found


def retry_now(connection: Connection, guild_id: GuildId, now: datetime) -> None:
    """Show at once what could not be shown in a server, such as its lobby."""
    found = of_server(connection, guild_id)
    outgoing.retry_now(connection, (each.key for each in found), now)


def _standing(row: Row[Any]) -> StandingMessage:
    posted = None if row.message_id is None else Posted(row.channel_id, row.message_id)
    return rows.made(StandingMessage, row, posted=posted)


LOOK_AGAIN = timedelta(minutes=10)
"""How long a message may be away before it is noticed."""
STATE = "state"
"""The slot of what shows a state."""


@dataclass(frozen=True, slots=True)
class StandingMessage:
    """A message that stands in a channel.

    ``posted`` is None before it is posted; ``digest`` is of what it says, and ``salt`` a number by
    which its posts differ from those of another database. One that is ``closing`` is to go.
    """

    key: Key
    guild_id: GuildId
    channel_id: ChannelId
    posted: Posted | None
    digest: str
    salt: int
    closing: bool


def shown_anew(key: Key, due_at: datetime) -> Outgoing:
    """The order to show a message anew, or to look at it, then."""
    return Outgoing(subject_of(key), key, due_at, slot=STATE)
