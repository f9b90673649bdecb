"""Choices of people and servers, inside transactions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from sqlalchemy import Connection, Table, bindparam, delete, insert, select, update

from bot.domain.ids import GuildId, UserId
from bot.domain.preferences import NoticeWay, Preferences, ServerSettings
from bot.domain.preferences_text import difference, read_settings, written
from bot.domain.quiet_hours import next_at_hour
from bot.errors import UserError
from bot.posts.outgoing import Outgoing
from bot.store import database, notices, outgoing, rows
from bot.store.hooks import hooks
from bot.store.records import AuditEntry
from bot.store.tables import audit, blocks, people, servers

MOST_BLOCKED = 200
_PERSON = select(people.c.settings).where(people.c.user_id == bindparam("of_id"))
_SERVER = select(servers.c.settings).where(servers.c.guild_id == bindparam("of_id"))
S = TypeVar("S", Preferences, ServerSettings)


def person(connection: Connection, user_id: UserId) -> Preferences:
    """The choices of a person."""
    return _read(Preferences, connection.execute(_PERSON, {"of_id": user_id}).scalar())


def server(connection: Connection, guild_id: GuildId) -> ServerSettings:
    """The choices of a server."""
    return _read(ServerSettings, connection.execute(_SERVER, {"of_id": guild_id}).scalar())


def _read(kind: type[S], text: str | None) -> S:
    return kind() if text is None else read_settings(kind, text)


def _change(
    connection: Connection, table: Table, kind: type[S], of_id: int, decide: Callable[[S], S]
) -> tuple[S, S, bool]:
    """Save what ``decide`` makes of choices: before, after, and whether these are the first."""
    (key,) = table.primary_key
    database.hold(connection, (of_id,))
    text = connection.execute(select(table.c.settings).where(key == of_id)).scalar()
    before = _read(kind, text)
    after = decide(before)
    if text is None and after != before:
        row = {key.name: of_id, "version": 1, "settings": written(after)}
        connection.execute(insert(table), row)
    elif text is not None and after != before:
        values = {"version": table.c.version + 1, "settings": written(after, text)}
        connection.execute(update(table).where(key == of_id).values(values))
    return before, after, text is None


def change_person(
    connection: Connection,
    user_id: UserId,
    decide: Callable[[Preferences], Preferences],
    now: datetime,
) -> Preferences:
    """Save what ``decide`` makes of a person's choices, and return it.

    The next digest is planned anew if what decides when it is due has changed; without one, what it
    was to tell is forgotten. One that is just due is not lost because something else was chosen.
    """
    before, after, is_first = _change(connection, people, Preferences, user_id, decide)
    if after == before:
        return after
    if is_first or _digest_of(before) != _digest_of(after):
        is_digest = after.present_way is NoticeWay.DIGEST
        digest_at = next_at_hour(after.digest_hour, after.zone, now) if is_digest else None
        notices.choose_digest(connection, user_id, digest_at)
    return after


def _digest_of(chosen: Preferences) -> tuple[object, ...]:
    """The choices that decide when a digest is due."""
    return chosen.present_way is NoticeWay.DIGEST, chosen.digest_hour, chosen.zone


def on_website(connection: Connection) -> tuple[GuildId, ...]:
    """The servers whose tournaments may be on a web site."""
    found = connection.execute(select(servers).order_by(servers.c.guild_id)).all()
    chosen = ((row.guild_id, read_settings(ServerSettings, row.settings)) for row in found)
    return tuple(guild_id for guild_id, settings in chosen if settings.website)


def change_server(
    connection: Connection,
    guild_id: GuildId,
    user_id: UserId,
    decide: Callable[[ServerSettings], ServerSettings],
    now: datetime,
) -> ServerSettings:
    """Save what ``decide`` makes of a server's settings, with an entry in its audit log.

    A change of nothing is not logged.
    """
    before, after, _ = _change(connection, servers, ServerSettings, guild_id, decide)
    if after == before:
        return after
    for listener in hooks.server_changed:
        listener(connection, guild_id, after, now)
    was, became = difference(before, after), difference(after, before)
    log_act(connection, AuditEntry(now, guild_id, user_id, "settings", was, became))
    return after


def log_act(connection: Connection, entry: AuditEntry) -> None:
    """Add an entry about something else than settings to the audit log of its server."""
    connection.execute(insert(audit), rows.values_of(entry))


def tell_servers(connection: Connection, entry: AuditEntry, messages: Sequence[Outgoing]) -> bool:
    """Send messages of the owner's to servers, unless the log says that this draft was sent.

    Whether that was new. The entry is for the log of the owner's own server; the draft is what was
    there before.
    """
    database.hold(connection, (entry.guild_id,))
    is_same = (audit.c.act == entry.act, audit.c.before == entry.before)
    told = select(audit.c.id).where(audit.c.guild_id == entry.guild_id, *is_same)
    if connection.execute(told).first() is not None:
        return False
    log_act(connection, entry)
    outgoing.add(connection, messages)
    return True


def audit_of(
    connection: Connection, guild_id: GuildId, limit: int, skipped: int = 0
) -> tuple[AuditEntry, ...]:
    """The newest entries of a server after the first so many."""
    newest = select(audit).where(audit.c.guild_id == guild_id).order_by(audit.c.id.desc())
    found = connection.execute(newest.limit(limit).offset(skipped)).all()
    return tuple(rows.made(AuditEntry, row) for row in found)


def block(
    connection: Connection, user_id: UserId, other: UserId, at: datetime, most: int = MOST_BLOCKED
) -> None:
    """Keep two people apart from now on.

    Raises :exc:`~bot.errors.UserError` (``block_self``, ``too_many_blocked``).
    """
    if user_id == other:
        raise UserError("block_self")
    database.hold(connection, (user_id, other))
    already = blocked_by(connection, user_id)
    if other in already:
        return
    if len(already) >= most:
        raise UserError("too_many_blocked", most=most)
    connection.execute(insert(blocks), {"user_id": user_id, "other_id": other, "at": at})
    for hook in hooks.blocked:
        hook(connection, other, user_id, at)


def unblock(connection: Connection, user_id: UserId, other: UserId) -> bool:
    """Stop keeping them apart; whether they were."""
    is_it = (blocks.c.user_id == user_id, blocks.c.other_id == other)
    return connection.execute(delete(blocks).where(*is_it)).rowcount > 0


def blocked_by(connection: Connection, user_id: UserId) -> tuple[UserId, ...]:
    """The players that a person has blocked, the latest first."""
    theirs = select(blocks.c.other_id).where(blocks.c.user_id == user_id)
    latest = theirs.order_by(blocks.c.at.desc(), blocks.c.other_id)
    return tuple(connection.execute(latest).scalars())
