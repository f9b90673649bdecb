"""Messages that stand and are edited in place, inside transactions."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, delete, insert, select, update

from bot.domain.events import micros, moment
from bot.domain.ids import ChannelId, GuildId, MessageId
from bot.posts.outgoing import Key, Outgoing, subject_of
from bot.posts.sending import Posted
from bot.store import database, outgoing
from bot.store.tables import outbox, standing

_c = standing.c
_OF_KEY = select(standing).where(_c.key == bindparam("of_key"))
_OF_GUILD = (
    select(standing)
    .where(_c.guild_id == bindparam("of_guild"), _c.key.startswith(bindparam("of_subject")))
    .order_by(_c.key)
)
_ADD = insert(standing)
_CLOSING = (
    update(standing).where(_c.key == bindparam("of_key")).values(closing=bindparam("is_closing"))
)
_STANDS = (
    update(standing)
    .where(_c.key == bindparam("of_key"))
    .values(
        message_id=bindparam("message_id"),
        digest=bindparam("digest"),
        rest_until=bindparam("rest_until"),
    )
)
_LEFT_ALONE = delete(standing).where(_c.key == bindparam("of_key"))
_BEGINS_WITH = select(standing).where(_c.key.startswith(bindparam("begins"))).order_by(_c.key)
_FORGET = delete(standing).where(_c.key == bindparam("of_key"), _c.closing == 1)
_NOT_SHOWN = (
    select(_c.guild_id)
    .join(outbox, and_(outbox.c.key == _c.key, outbox.c.trouble.is_not(None)))
    .distinct()
)
_TROUBLE = (
    select(outbox.c.trouble)
    .where(outbox.c.key == bindparam("of_key"), outbox.c.trouble.is_not(None))
    .order_by(outbox.c.id)
    .limit(1)
)
_LOOK_AGAIN = (
    update(outbox)
    .where(
        outbox.c.key.startswith(bindparam("of_subject")),
        outbox.c.slot.is_not(None),
        outbox.c.attempts == 0,
        outbox.c.due_at > bindparam("now"),
    )
    .values(due_at=bindparam("now"))
)


def of_server(
    connection: Connection, guild_id: GuildId, subject: str = ""
) -> tuple[StandingMessage, ...]:
    """What stands in a server, or is to, of one sort or of all."""
    given = {"of_guild": guild_id, "of_subject": f"{subject}:" if subject else ""}
    return tuple(_standing(row) for row in connection.execute(_OF_GUILD, given).all())


def standing_of(connection: Connection, key: Key) -> StandingMessage | None:
    """What is known of a message, None if there is to be none."""
    row = connection.execute(_OF_KEY, {"of_key": key}).first()
    return None if row is None else _standing(row)


def show(
    connection: Connection, key: Key, guild_id: GuildId, channel_id: ChannelId, now: datetime
) -> None:
    """Have a message stand from now on, and shown anew at once if it does already."""
    if standing_of(connection, key) is None:
        # Numbers go on from anywhere: those that were given here before Discord may still remember.
        salt = secrets.randbits(24)
        new = {"key": key, "guild_id": guild_id, "channel_id": channel_id, "salt": salt}
        connection.execute(_ADD, new)
    else:
        connection.execute(_CLOSING, {"of_key": key, "is_closing": 0})
    _at_once(connection, key, now)


def close(connection: Connection, key: Key, now: datetime) -> None:
    """Have a message go."""
    connection.execute(_CLOSING, {"of_key": key, "is_closing": 1})
    _at_once(connection, key, now)


def _at_once(connection: Connection, key: Key, now: datetime) -> None:
    outgoing.retry_now(connection, (key,), now)
    outgoing.plan(connection, shown_anew(key, now))


def mark(connection: Connection, key: Key, now: datetime) -> None:
    """Have a message say what it should by now, as soon as it may be edited again."""
    database.hold_keys(connection, (key,))
    row = connection.execute(_OF_KEY, {"of_key": key}).first()
    if row is not None:
        outgoing.plan(connection, shown_anew(key, max(now, moment(row.rest_until))))


def stands(
    connection: Connection, key: Key, posted: Posted, digest: str, rest_until: datetime
) -> None:
    """Note which message shows it, what that says, and until when it is not to be edited."""
    values = {"message_id": posted.message_id, "digest": digest, "rest_until": micros(rest_until)}
    connection.execute(_STANDS, {"of_key": key, **values})


def stands_no_more(connection: Connection, key: Key) -> None:
    """Forget one whose message is gone; one that was opened again begins from nothing."""
    if connection.execute(_FORGET, {"of_key": key}).rowcount == 0:
        nothing = {"message_id": None, "digest": "", "rest_until": 0}
        connection.execute(_STANDS, {"of_key": key, **nothing})


def note_place(connection: Connection, key: Key, guild_id: GuildId, posted: Posted) -> None:
    """Note where a message stands that will be edited only to be closed."""
    connection.execute(_LEFT_ALONE, {"of_key": key})
    values = {"channel_id": posted.channel_id, "message_id": posted.message_id, "salt": 0}
    connection.execute(_ADD, {"key": key, "guild_id": guild_id, **values})


def noted_places(connection: Connection, begins: str) -> tuple[tuple[Key, Posted], ...]:
    """Where such messages stand, by their keys, which begin so."""
    found = map(_standing, connection.execute(_BEGINS_WITH, {"begins": begins}).all())
    return tuple((each.key, each.posted) for each in found if each.posted is not None)


def forget_place(connection: Connection, key: Key) -> None:
    """Forget where such a message stands."""
    connection.execute(_LEFT_ALONE, {"of_key": key})


def look_again(connection: Connection, subject: str, now: datetime) -> None:
    """Have every message of a sort looked at now."""
    connection.execute(_LOOK_AGAIN, {"of_subject": f"{subject}:", "now": micros(now)})


def not_shown(connection: Connection) -> frozenset[GuildId]:
    """The servers in which a message cannot be shown."""
    return frozenset(map(GuildId, connection.execute(_NOT_SHOWN).scalars().all()))


def trouble_of(connection: Connection, key: Key) -> str | None:
    """A word for why a message cannot be shown, None if it can, as far as is known."""
    found: str | None = connection.execute(_TROUBLE, {"of_key": key}).scalar()
    return found


def retry_now(connection: Connection, guild_id: GuildId, now: datetime) -> None:
    """Show at once what could not be shown in a server, such as its lobby."""
    found = of_server(connection, guild_id)
    outgoing.retry_now(connection, (each.key for each in found), now)


def _standing(row: Row[Any]) -> StandingMessage:
    channel_id = ChannelId(row.channel_id)
    posted = None if row.message_id is None else Posted(channel_id, MessageId(row.message_id))
    return StandingMessage(
        Key(row.key),
        GuildId(row.guild_id),
        channel_id,
        posted,
        row.digest,
        row.salt,
        bool(row.closing),
    )


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
    """What is written for a message that should say something else, or be looked at, then."""
    return Outgoing(subject_of(key), key, due_at, slot=STATE)
