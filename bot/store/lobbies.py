"""The lobbies inside transactions: plain functions of a connection."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from bot.domain.events import micros, moment
from bot.domain.ids import ChannelId, GuildId, MessageId
from bot.domain.match import Match
from bot.services.lobby import Lobby, LobbyNote
from bot.services.sending import Posted
from bot.store import rows
from bot.store.tables import lobbies, matches

_OPEN = (
    select(matches)
    .where(
        matches.c.guild_id == bindparam("of_guild"),
        matches.c.status == "offered",
        matches.c.expires_at > bindparam("now"),
    )
    .order_by(matches.c.created_at.desc(), matches.c.id)
)
_MARK = (
    update(lobbies)
    .where(lobbies.c.guild_id == bindparam("of_guild"))
    .values(wanted=lobbies.c.wanted + 1)
)
_OF_GUILD = (
    select(lobbies)
    .where(lobbies.c.guild_id == bindparam("of_guild"))
    .order_by(lobbies.c.channel_id)
    .with_for_update()
)
_NOTE = select(lobbies.c.channel_id, lobbies.c.message_id, lobbies.c.trouble).where(
    lobbies.c.guild_id == bindparam("of_guild"), lobbies.c.closing == 0
)
_ADD = insert(lobbies)
_OPEN_AGAIN = (
    update(lobbies)
    .where(lobbies.c.channel_id == bindparam("of_channel"))
    .values(
        closing=0,
        guild_id=bindparam("guild_id"),
        wanted=lobbies.c.wanted + 1,
        ready_at=0,
        trouble=None,
    )
)
_CLOSE = (
    update(lobbies)
    .where(lobbies.c.channel_id == bindparam("of_channel"))
    .values(closing=1, wanted=lobbies.c.wanted + 1, ready_at=0)
)
_is_due = and_(
    lobbies.c.wanted > lobbies.c.shown,
    lobbies.c.ready_at <= bindparam("now"),
    lobbies.c.lease_until <= bindparam("now"),
)
_DUE = (
    select(lobbies.c.channel_id, lobbies.c.guild_id)
    .where(_is_due)
    .order_by(lobbies.c.ready_at, lobbies.c.channel_id)
)
_THIS_DUE = (
    select(lobbies)
    .where(lobbies.c.channel_id == bindparam("of_channel"), _is_due)
    .with_for_update(skip_locked=True)
)
_TAKE = (
    update(lobbies)
    .where(lobbies.c.channel_id == bindparam("of_channel"))
    .values(
        attempts=lobbies.c.attempts + 1,
        may_exist=1,
        tried_at=func.coalesce(lobbies.c.tried_at, bindparam("now", type_=lobbies.c.tried_at.type)),
        lease_by=bindparam("lease"),
        lease_until=bindparam("until"),
    )
)
_mine = and_(
    lobbies.c.channel_id == bindparam("of_channel"), lobbies.c.lease_by == bindparam("of_lease")
)
_SHOWN = (
    update(lobbies)
    .where(_mine)
    .values(
        message_id=bindparam("message_id"),
        posts=bindparam("posts"),
        shown=bindparam("shown"),
        digest=bindparam("digest"),
        ready_at=bindparam("ready_at"),
        looked_at=bindparam("looked_at"),
        attempts=0,
        may_exist=0,
        tried_at=None,
        lease_by=None,
        lease_until=0,
        trouble=None,
    )
)
_doubt = bindparam("of_doubt", type_=lobbies.c.may_exist.type)
_PUT_OFF = (
    update(lobbies)
    .where(_mine)
    .values(
        ready_at=bindparam("ready_at"),
        trouble=bindparam("trouble"),
        may_exist=_doubt,
        tried_at=case((_doubt == 1, lobbies.c.tried_at), else_=None),
        lease_by=None,
        lease_until=0,
    )
)
_FORGET = delete(lobbies).where(_mine, lobbies.c.closing == 1)
_ANEW = (
    update(lobbies)
    .where(_mine)
    .values(
        message_id=None,
        posts=lobbies.c.posts + 1,
        digest="",
        attempts=0,
        may_exist=0,
        tried_at=None,
        lease_by=None,
        lease_until=0,
    )
)
_SEEN_LAST = (
    select(lobbies.c.channel_id)
    .where(
        lobbies.c.wanted == lobbies.c.shown,
        or_(lobbies.c.looked_at < bindparam("since"), lobbies.c.message_id.is_(None)),
    )
    .with_for_update(skip_locked=True)
)
"""Whoever holds one at this moment has it shown again, so nobody waits for several of them."""
_LOOK_AGAIN = (
    update(lobbies)
    .where(lobbies.c.channel_id.in_(bindparam("of_channels", expanding=True)))
    .values(wanted=lobbies.c.wanted + 1)
)
_FREE = update(lobbies).where(lobbies.c.lease_until > 0).values(lease_by=None, lease_until=0)
_LATEST = 1 << 62


def open_offers(
    connection: Connection, guild_id: GuildId, now: datetime, limit: int
) -> tuple[Match, ...]:
    """See :class:`bot.services.lobby.LobbyStore`; so for what follows."""
    found = connection.execute(_OPEN, {"of_guild": guild_id, "now": micros(now)})
    heads = (rows.match_of(row) for row in found.all())
    return tuple([head for head in heads if head.is_open][:limit])


def mark(connection: Connection, guild_id: GuildId) -> None:
    """Have the lobby of a server shown anew."""
    connection.execute(_MARK, {"of_guild": guild_id})


def choose(connection: Connection, guild_id: GuildId, channel_id: ChannelId | None) -> None:
    """Have the lobby of a server in that channel and in no other.

    It is shown anew also if it is there already: the language may be another one now.
    """
    is_there = False
    for row in connection.execute(_OF_GUILD, {"of_guild": guild_id}).all():
        if row.channel_id == channel_id:
            is_there = True
        elif not row.closing:
            connection.execute(_CLOSE, {"of_channel": row.channel_id})
    if channel_id is None:
        return
    if is_there:
        connection.execute(_OPEN_AGAIN, {"of_channel": channel_id, "guild_id": guild_id})
    else:
        # Numbers go on from anywhere: those that were given here before Discord may still remember.
        first = secrets.randbits(24)
        connection.execute(_ADD, {"channel_id": channel_id, "guild_id": guild_id, "posts": first})


def note(connection: Connection, guild_id: GuildId) -> LobbyNote | None:
    """The lobby of a server."""
    row = connection.execute(_NOTE, {"of_guild": guild_id}).first()
    if row is None:
        return None
    channel_id = ChannelId(row.channel_id)
    return LobbyNote(channel_id, _posted(channel_id, row.message_id), row.trouble)


def _posted(channel_id: ChannelId, message_id: int | None) -> Posted | None:
    return None if message_id is None else Posted(channel_id, MessageId(message_id))


def due(connection: Connection, now: datetime) -> tuple[tuple[ChannelId, GuildId], ...]:
    """Lobbies to be shown now."""
    found = connection.execute(_DUE, {"now": micros(now)}).all()
    return tuple((ChannelId(row.channel_id), GuildId(row.guild_id)) for row in found)


def claim(
    connection: Connection, channel_id: ChannelId, now: datetime, lease_until: datetime
) -> Lobby | None:
    """Take a lobby to show it."""
    lease = secrets.token_hex(8)
    key = {"of_channel": channel_id}
    row = connection.execute(_THIS_DUE, {**key, "now": micros(now)}).first()
    if row is None:
        return None
    taken = {"lease": lease, "until": micros(lease_until), "now": micros(now)}
    connection.execute(_TAKE, {**key, **taken})
    return _lobby(row, lease)


def _lobby(row: Row[Any], lease: str) -> Lobby:
    channel_id = ChannelId(row.channel_id)
    return Lobby(
        channel_id,
        GuildId(row.guild_id),
        _posted(channel_id, row.message_id),
        row.digest,
        row.posts,
        row.wanted,
        bool(row.closing),
        row.attempts + 1,
        moment(row.tried_at) if row.may_exist and row.tried_at is not None else None,
        lease,
    )


def shown(
    connection: Connection,
    lobby: Lobby,
    posted: Posted,
    digest: str,
    *,
    now: datetime,
    ready_at: datetime,
) -> None:
    """Note which message shows a lobby."""
    connection.execute(
        _SHOWN,
        {
            "of_channel": lobby.channel_id,
            "of_lease": lobby.lease,
            "message_id": posted.message_id,
            "posts": lobby.posts + (posted != lobby.posted),
            "shown": lobby.wanted,
            "digest": digest,
            "ready_at": micros(ready_at),
            "looked_at": micros(now),
        },
    )


def put_off(
    connection: Connection, lobby: Lobby, until: datetime, trouble: str, *, certain: bool
) -> None:
    """Try again then."""
    connection.execute(
        _PUT_OFF,
        {
            "of_channel": lobby.channel_id,
            "of_lease": lobby.lease,
            "ready_at": micros(until),
            "trouble": trouble,
            "of_doubt": int(lobby.tried_at is not None or not certain),
        },
    )


def closed(connection: Connection, lobby: Lobby) -> None:
    """Forget a lobby; one that has been chosen again begins anew."""
    mine = {"of_channel": lobby.channel_id, "of_lease": lobby.lease}
    if connection.execute(_FORGET, mine).rowcount == 0:
        connection.execute(_ANEW, mine)


def look_again(connection: Connection, since: datetime | None) -> None:
    """Have those shown again that were last seen before then, or all."""
    before = _LATEST if since is None else micros(since)
    found = connection.execute(_SEEN_LAST, {"since": before}).scalars().all()
    if found:
        connection.execute(_LOOK_AGAIN, {"of_channels": found})


def release_all(connection: Connection) -> None:
    """Take back every lease; for the only process there is, when it starts."""
    connection.execute(_FREE)
