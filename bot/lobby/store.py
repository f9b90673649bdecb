"""The lobbies inside transactions: plain functions of a connection."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, or_, select, update

from bot.domain.events import Change
from bot.domain.ids import ChannelId, GuildId, MatchId
from bot.domain.match import Match, MatchStatus
from bot.domain.preferences import ServerSettings
from bot.domain.preferences_text import read_settings
from bot.posts.deliveries import Committed
from bot.posts.outgoing import CALL, LOBBY, Outgoing, key_of
from bot.posts.sending import Posted
from bot.store import outgoing, rows, standing
from bot.store.tables import matches, servers

_MOST = 200


def open_offers(connection: Connection, guild_id: GuildId, now: datetime) -> tuple[Match, ...]:
    """The offers of a server with a chair for anybody, the newest first."""
    c = matches.c
    is_offer = (c.guild_id == guild_id, c.status == MatchStatus.OFFERED, c.expires_at > now)
    found = select(matches).where(*is_offer).order_by(c.created_at.desc(), c.id)
    heads = (rows.match_of(row) for row in connection.execute(found).all())
    return tuple([head for head in heads if head.is_open][:_MOST])


def show_change(connection: Connection, now: Committed) -> None:
    """Have the lobby shown anew of which a match is an open offer, or was one until now."""
    guild_id = lobby_of(now.change)
    if guild_id is not None:
        mark(connection, guild_id, now.at)
        if now.change.before is None and not now.is_next:
            call(connection, now.head, now.at)


def lobby_of(change: Change) -> GuildId | None:
    """The server of a match that is, or was until now, one of its open offers."""
    was_open = change.before is not None and change.before.is_open
    return change.match.origin.guild_id if was_open or change.match.is_open else None


def mark(connection: Connection, guild_id: GuildId, now: datetime) -> None:
    """Have the lobby of a server shown anew."""
    for each in standing.of_server(connection, guild_id, LOBBY):
        standing.mark(connection, each.key, now)


def choose(
    connection: Connection, guild_id: GuildId, chosen: ServerSettings, now: datetime
) -> None:
    """Have the lobby of a server in the channel chosen for it and in no other.

    It is shown anew also if it is there already: the language may be another one now.
    """
    channel_id = chosen.lobby
    for each in standing.of_server(connection, guild_id, LOBBY):
        if each.channel_id != channel_id and not each.closing:
            standing.close(connection, each.key, now)
    if channel_id is not None:
        key = key_of(LOBBY, f"{guild_id}.{channel_id}")
        standing.show(connection, key, guild_id, channel_id, now)


def note(connection: Connection, guild_id: GuildId) -> LobbyNote | None:
    """The lobby of a server, None if it has none."""
    for each in standing.of_server(connection, guild_id, LOBBY):
        if not each.closing:
            trouble = standing.trouble_of(connection, each.key)
            return LobbyNote(each.channel_id, each.posted, trouble)
    return None


def call(connection: Connection, match: Match, at: datetime) -> None:
    """Have a new open offer ping the server's role for them, if it has one and a lobby."""
    guild_id = match.origin.guild_id
    if guild_id is None or not match.is_open:
        return
    settings = select(servers.c.settings).where(servers.c.guild_id == guild_id)
    text = connection.execute(settings).scalar()
    if text is None or read_settings(ServerSettings, text).seekers is None:
        return
    if note(connection, guild_id) is not None:
        key, about = key_of(CALL, guild_id), {"match": match.id}
        outgoing.plan(connection, Outgoing(CALL, key, at, about, blocks_later=False))


def take_call(connection: Connection, guild_id: GuildId, match_id: MatchId, now: datetime) -> bool:
    """Whether an offer may ping the server's role now; then no other may for a while."""
    is_free = servers.c.called_at <= now - CALL_GAP
    taken = update(servers).where(
        servers.c.guild_id == guild_id, or_(servers.c.called_for == match_id, is_free)
    )
    values = {"called_at": now, "called_for": match_id}
    return connection.execute(taken.values(values)).rowcount == 1


CALL_GAP = timedelta(minutes=30)
"""The least time between two such lines in a server, and how long one stands."""


@dataclass(frozen=True, slots=True)
class LobbyNote:
    """A lobby: where it is, and a word for why it cannot be shown, if so."""

    channel_id: ChannelId
    posted: Posted | None
    trouble: str | None

    @property
    def is_given_up(self) -> bool:
        """Whether Discord will not have it there, so that a manager has to do something."""
        return self.trouble is not None and self.trouble.startswith(("refused", "gone"))


def is_listed(connection: Connection, match: Match) -> bool:
    """Whether an offer stands in the lobby of the very channel where it was made."""
    guild_id = match.origin.guild_id
    if guild_id is None or not match.is_open or any(match.invited):
        return False
    lobby = note(connection, guild_id)
    is_here = lobby is not None and lobby.channel_id == match.origin.channel_id
    return lobby is not None and is_here and lobby.trouble is None
