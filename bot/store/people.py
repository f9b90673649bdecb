"""Choices of people and servers, inside transactions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from datetime import datetime

from sqlalchemy import (
    Connection,
    bindparam,
    delete,
    insert,
    select,
    update,
)

from bot.domain.ids import GuildId, UserId
from bot.domain.preferences import NoticeWay, Preferences, ServerSettings
from bot.domain.preferences_text import (
    difference,
    read_settings,
    written,
)
from bot.domain.quiet_hours import next_at_hour
from bot.errors import UserError
from bot.posts.outgoing import Outgoing
from bot.store import database, notices, outgoing
from bot.store.hooks import hooks
from bot.store.records import AuditEntry
from bot.store.tables import (
    audit,
    blocks,
    people,
    servers,
)

MOST_BLOCKED = 200
_PERSON = select(people.c.settings).where(people.c.user_id == bindparam("of_user"))
_ADD_PERSON = insert(people)
_CHANGE_PERSON = (
    update(people)
    .where(people.c.user_id == bindparam("of_user"))
    .values(version=people.c.version + 1, settings=bindparam("settings"))
)
_SERVER = select(servers.c.settings).where(servers.c.guild_id == bindparam("of_guild"))
_SERVERS = select(servers.c.guild_id, servers.c.settings).order_by(servers.c.guild_id)
_ADD_SERVER = insert(servers)
_CHANGE_SERVER = (
    update(servers)
    .where(servers.c.guild_id == bindparam("of_guild"))
    .values(version=servers.c.version + 1, settings=bindparam("settings"))
)
_OF_ENTRY = [each.name for each in fields(AuditEntry)]
_ADD_ENTRY = insert(audit)
_ENTRIES = (
    select(audit)
    .where(audit.c.guild_id == bindparam("of_guild"))
    .order_by(audit.c.id.desc())
    .limit(bindparam("at_most"))
    .offset(bindparam("skipped"))
)
_TOLD = select(audit.c.id).where(
    audit.c.guild_id == bindparam("of_guild"),
    audit.c.act == bindparam("of_act"),
    audit.c.before == bindparam("of_before"),
)
_ADD_BLOCK = insert(blocks)
_REMOVE_BLOCK = delete(blocks).where(
    blocks.c.user_id == bindparam("of_user"), blocks.c.other_id == bindparam("of_other")
)
_BLOCKED_BY = (
    select(blocks.c.other_id)
    .where(blocks.c.user_id == bindparam("of_user"))
    .order_by(blocks.c.at.desc(), blocks.c.other_id)
)


def person(connection: Connection, user_id: UserId) -> Preferences:
    """The choices of a person."""
    text = connection.execute(_PERSON, {"of_user": user_id}).scalar()
    return Preferences() if text is None else read_settings(Preferences, text)


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
    database.hold(connection, (user_id,))
    text = connection.execute(_PERSON, {"of_user": user_id}).scalar()
    before = Preferences() if text is None else read_settings(Preferences, text)
    after = decide(before)
    if after == before:
        return after
    if text is None:
        values = {"user_id": user_id, "version": 1, "settings": written(after)}
        connection.execute(_ADD_PERSON, values)
    else:
        connection.execute(_CHANGE_PERSON, {"of_user": user_id, "settings": written(after, text)})
    if text is None or _digest_of(before) != _digest_of(after):
        is_digest = after.present_way is NoticeWay.DIGEST
        digest_at = next_at_hour(after.digest_hour, after.zone, now) if is_digest else None
        notices.choose_digest(connection, user_id, digest_at)
    return after


def _digest_of(chosen: Preferences) -> tuple[object, ...]:
    """The choices that decide when a digest is due."""
    return chosen.present_way is NoticeWay.DIGEST, chosen.digest_hour, chosen.zone


def server(connection: Connection, guild_id: GuildId) -> ServerSettings:
    """The choices of a server."""
    text = connection.execute(_SERVER, {"of_guild": guild_id}).scalar()
    return ServerSettings() if text is None else read_settings(ServerSettings, text)


def on_website(connection: Connection) -> tuple[GuildId, ...]:
    """The servers whose tournaments may be on a web site."""
    found = connection.execute(_SERVERS).all()
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
    database.hold(connection, (guild_id,))
    text = connection.execute(_SERVER, {"of_guild": guild_id}).scalar()
    before = ServerSettings() if text is None else read_settings(ServerSettings, text)
    after = decide(before)
    if after == before:
        return after
    if text is None:
        values = {"guild_id": guild_id, "version": 1, "settings": written(after)}
        connection.execute(_ADD_SERVER, values)
    else:
        connection.execute(_CHANGE_SERVER, {"of_guild": guild_id, "settings": written(after, text)})
    for listener in hooks.server_changed:
        listener(connection, guild_id, after, now)
    was, became = difference(before, after), difference(after, before)
    log_act(connection, AuditEntry(now, guild_id, user_id, "settings", was, became))
    return after


def log_act(connection: Connection, entry: AuditEntry) -> None:
    """Add an entry about something else than settings to the audit log of its server."""
    connection.execute(_ADD_ENTRY, {name: getattr(entry, name) for name in _OF_ENTRY})


def tell_servers(connection: Connection, entry: AuditEntry, messages: Sequence[Outgoing]) -> bool:
    """Send messages of the owner's to servers, unless the log says that this draft was sent.

    Whether that was new. The entry is for the log of the owner's own server; the draft is what was
    there before.
    """
    database.hold(connection, (entry.guild_id,))
    like = {"of_guild": entry.guild_id, "of_act": entry.act, "of_before": entry.before}
    if connection.execute(_TOLD, like).first() is not None:
        return False
    log_act(connection, entry)
    outgoing.add(connection, messages)
    return True


def audit_of(
    connection: Connection, guild_id: GuildId, limit: int, skipped: int = 0
) -> tuple[AuditEntry, ...]:
    """The newest entries of a server after the first so many."""
    given = {"of_guild": guild_id, "at_most": limit, "skipped": skipped}
    found = connection.execute(_ENTRIES, given).all()
    return tuple(AuditEntry(**{name: getattr(row, name) for name in _OF_ENTRY}) for row in found)


def block(
    connection: Connection,
    user_id: UserId,
    other: UserId,
    at: datetime,
    most: int = MOST_BLOCKED,
) -> None:
    """Keep two people apart from now on.

    Raises :exc:`~bot.errors.UserError` (``block_self``, ``too_many_blocked``).
    """
    if user_id == other:
        raise UserError("block_self")
    database.hold(connection, (user_id, other))
    already = connection.execute(_BLOCKED_BY, {"of_user": user_id}).scalars().all()
    if other in already:
        return
    if len(already) >= most:
        raise UserError("too_many_blocked", most=most)
    connection.execute(_ADD_BLOCK, {"user_id": user_id, "other_id": other, "at": at})
    for hook in hooks.blocked:
        hook(connection, other, user_id, at)


def unblock(connection: Connection, user_id: UserId, other: UserId) -> bool:
    """Stop keeping them apart; whether they were."""
    return connection.execute(_REMOVE_BLOCK, {"of_user": user_id, "of_other": other}).rowcount > 0


def blocked_by(connection: Connection, user_id: UserId) -> tuple[UserId, ...]:
    """The players that a person has blocked, the latest first."""
    return tuple(connection.execute(_BLOCKED_BY, {"of_user": user_id}).scalars())
