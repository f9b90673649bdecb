"""The lobbies inside transactions: plain functions of a connection."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, bindparam, select

from bot.domain.events import micros
from bot.domain.ids import ChannelId, GuildId
from bot.domain.match import Match
from bot.services.lobby import LOBBY, LobbyNote, lobby_key
from bot.store import rows, standing
from bot.store.tables import matches

_OPEN = (
    select(matches)
    .where(
        matches.c.guild_id == bindparam("of_guild"),
        matches.c.status == "offered",
        matches.c.expires_at > bindparam("now"),
    )
    .order_by(matches.c.created_at.desc(), matches.c.id)
)


def open_offers(
    connection: Connection, guild_id: GuildId, now: datetime, limit: int
) -> tuple[Match, ...]:
    """See :class:`bot.services.lobby.LobbyStore`; so for what follows."""
    found = connection.execute(_OPEN, {"of_guild": guild_id, "now": micros(now)})
    heads = (rows.match_of(row) for row in found.all())
    return tuple([head for head in heads if head.is_open][:limit])


def mark(connection: Connection, guild_id: GuildId, now: datetime) -> None:
    """Have the lobby of a server shown anew."""
    for each in standing.of_server(connection, guild_id, LOBBY):
        standing.mark(connection, each.key, now)


def choose(
    connection: Connection, guild_id: GuildId, channel_id: ChannelId | None, now: datetime
) -> None:
    """Have the lobby of a server in that channel and in no other.

    It is shown anew also if it is there already: the language may be another one now.
    """
    for each in standing.of_server(connection, guild_id, LOBBY):
        if each.channel_id != channel_id and not each.closing:
            standing.close(connection, each.key, now)
    if channel_id is not None:
        standing.show(connection, lobby_key(guild_id, channel_id), guild_id, channel_id, now)


def note(connection: Connection, guild_id: GuildId) -> LobbyNote | None:
    """The lobby of a server."""
    for each in standing.of_server(connection, guild_id, LOBBY):
        if not each.closing:
            trouble = standing.trouble_of(connection, each.key)
            return LobbyNote(each.channel_id, each.posted, trouble)
    return None
