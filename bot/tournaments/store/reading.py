"""Tournaments read: plain functions of a connection."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, Table, bindparam, select

from bot.domain.codec import read
from bot.domain.ids import ChannelId, GuildId, InteractionId, MatchId, TournamentId, UserId
from bot.domain.match import Scope, Venue
from bot.store import transactions
from bot.store.store import Store
from bot.store.tables import blocks, matches, tournaments
from bot.store.tables import tournament_directors as directors
from bot.store.tables import tournament_entrants as entrants
from bot.store.tables import tournament_events as events
from bot.store.tables import tournament_games as games
from bot.store.tables import tournament_invited as invited
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.fold import TournamentEvent, undone_in
from bot.tournaments.domain.setup import Setup
from bot.tournaments.store import records
from bot.tournaments.store.records import BegunGame, MatchLink, StoredTournament, Summary

_id = tournaments.c.id == bindparam("of_id")


def _of(table: Table, *order: Any) -> Select[Any]:
    """The rows of one tournament in a table, in order."""
    return select(table).where(table.c.tournament_id == bindparam("of_id")).order_by(*order)


_LISTED = 25
_ONE = select(tournaments).where(_id)
_OCCASION: Select[Any] = (
    select(tournaments.c.setup, games.c.round)
    .join_from(tournaments, games, games.c.tournament_id == tournaments.c.id)
    .where(_id, games.c.game == bindparam("of_game"))
)
_ENTRANTS = _of(entrants, entrants.c.number)
_DIRECTORS = _of(directors, directors.c.position)
_INVITED = _of(invited, invited.c.position)
_GAMES = _of(games, games.c.drawn, games.c.position)
_HISTORY = _of(events, events.c.seq)
_EVENT = _HISTORY.where(events.c.seq == bindparam("of_seq"))
_REPLACED = _HISTORY.where(
    events.c.seq > bindparam("of_seq"), events.c.kind.in_(("replaced", "undone"))
)
_DONE = select(events).where(events.c.interaction_id == bindparam("of_interaction"))
_LINKS = (
    select(games.c.game, matches.c.status, matches.c.ply, matches.c.venue, matches.c.home_id)
    .join(matches, matches.c.id == games.c.match_id)
    .where(games.c.tournament_id == bindparam("of_id"))
)
_IDS: Select[Any] = select(tournaments.c.id).limit(bindparam("at_most"))
_DUE = _IDS.where(tournaments.c.due_at <= bindparam("now")).order_by(tournaments.c.due_at)
_AFTER = _IDS.where(tournaments.c.id > bindparam("after")).order_by(tournaments.c.id)
_NOT_OVER = _AFTER.where(tournaments.c.is_over == 0)
_ENDED = (
    select(games.c.tournament_id)
    .join(tournaments, tournaments.c.id == games.c.tournament_id)
    .where(
        games.c.ended_at.is_not(None),
        games.c.points.is_(None),
        tournaments.c.set_aside_at.is_(None),
        tournaments.c.is_over == 0,
    )
    .distinct()
    .limit(bindparam("at_most"))
)
_c = tournaments.c
_SUMMARY: Select[Any] = select(
    *(_c.id, _c.name, _c.game, _c.status, _c.entrants, _c.begins, _c.setup),
    *(_c.guild_id, _c.channel_id, _c.message_id),
).order_by(_c.is_over, _c.created_at.desc(), _c.id)
_OF_SERVER = _SUMMARY.where(
    tournaments.c.guild_id == bindparam("of_guild"),
    tournaments.c.search.like(bindparam("pattern"), escape="\\"),
    tournaments.c.is_over.in_(bindparam("of_over", expanding=True)),
).limit(bindparam("at_most"))
_OF_PERSON = _SUMMARY.where(
    tournaments.c.id.in_(
        select(entrants.c.tournament_id).where(entrants.c.user_id == bindparam("of_user"))
    )
).limit(bindparam("at_most"))
_IN_CHANNEL = _SUMMARY.where(tournaments.c.channel_id == bindparam("of_channel")).limit(25)
_DIRECTED = select(tournaments.c.id).where(
    tournaments.c.is_over == 0,
    (tournaments.c.created_by == bindparam("of_user"))
    | tournaments.c.id.in_(
        select(directors.c.tournament_id).where(directors.c.user_id == bindparam("of_user"))
    ),
)
_BLOCKS = select(blocks.c.user_id, blocks.c.other_id).where(
    blocks.c.user_id.in_(bindparam("of_users", expanding=True)),
    blocks.c.other_id.in_(bindparam("of_users", expanding=True)),
)


def load(
    connection: Connection, tournament_id: TournamentId, interaction_id: InteractionId | None
) -> tuple[StoredTournament | None, TournamentEvent | None]:
    """A tournament of any server, and the event that an interaction has made anywhere."""
    done_before = None if interaction_id is None else done(connection, interaction_id)
    return stored(connection, tournament_id), done_before


def stored(connection: Connection, tournament_id: TournamentId) -> StoredTournament | None:
    """A tournament with all that is stored of it."""
    of = {"of_id": tournament_id}
    row = connection.execute(_ONE, of).first()
    if row is None:
        return None
    return records.stored_of(
        row,
        connection.execute(_ENTRANTS, of).all(),
        connection.execute(_GAMES, of).all(),
        tuple(each.user_id for each in connection.execute(_DIRECTORS, of)),
        connection.execute(_INVITED, of).all(),
    )


def occasion(
    connection: Connection, tournament_id: TournamentId, game: str
) -> tuple[Setup, int] | None:
    """The event and the round in which a game is played, None if there is no such game."""
    row = connection.execute(_OCCASION, {"of_id": tournament_id, "of_game": game}).first()
    return None if row is None else (read(Setup, row.setup), row.round)


def done(connection: Connection, interaction_id: InteractionId) -> TournamentEvent | None:
    """The event of an interaction, in whatever tournament."""
    row = connection.execute(_DONE, {"of_interaction": interaction_id}).first()
    return None if row is None else records.event_of(row)


def history(connection: Connection, tournament_id: TournamentId) -> tuple[TournamentEvent, ...]:
    """All events in order."""
    found = connection.execute(_HISTORY, {"of_id": tournament_id}).all()
    return tuple(records.event_of(row) for row in found)


def event(connection: Connection, tournament_id: TournamentId, seq: int) -> TournamentEvent | None:
    """One event, None if there is none of that number."""
    row = connection.execute(_EVENT, {"of_id": tournament_id, "of_seq": seq}).first()
    return None if row is None else records.event_of(row)


def is_written(connection: Connection, written: TournamentEvent) -> bool:
    """Whether this very event is stored."""
    found = event(connection, written.tournament_id, written.seq)
    return found is not None and found.hash == written.hash


def replaced(connection: Connection, tournament_id: TournamentId, seq: int) -> frozenset[int]:
    """The entrants whose place another person has taken since an event."""
    found = connection.execute(_REPLACED, {"of_id": tournament_id, "of_seq": seq}).all()
    later = [records.event_of(each) for each in found]
    undone = (event(connection, tournament_id, each) for each in undone_in(later))
    facts = (each.fact for each in (*later, *undone) if each is not None)
    return frozenset(each.entrant for each in facts if isinstance(each, f.Replaced))


def links(connection: Connection, tournament_id: TournamentId) -> Mapping[str, MatchLink]:
    """The matches of its games."""
    found = connection.execute(_LINKS, {"of_id": tournament_id}).all()
    return {
        row.game: MatchLink(
            row.status,
            row.ply,
            None if row.venue is Venue.DIRECT else row.home_id,
            is_direct=row.venue is Venue.DIRECT,
        )
        for row in found
    }


def begun(
    connection: Connection, matches: Mapping[str, MatchId], names: Sequence[str]
) -> tuple[BegunGame, ...]:
    """Some games whose match has begun."""
    heads = ((name, transactions.match(connection, matches[name])) for name in names)
    return tuple(
        BegunGame(
            name, each, transactions.history(connection, each.id, Scope(each.origin.guild_id))
        )
        for name, each in heads
        if each is not None
    )


def due(connection: Connection, now: datetime, limit: int) -> tuple[TournamentId, ...]:
    """Those with something to do: their time has come, or a match of theirs is over."""
    ended = connection.execute(_ENDED, {"at_most": limit}).scalars().all()
    late = connection.execute(_DUE, {"now": now, "at_most": limit}).scalars().all()
    return tuple(dict.fromkeys((*ended, *late)))[:limit]


def not_over(connection: Connection, after: str, limit: int) -> tuple[TournamentId, ...]:
    """Those that are not over, in the order of their ids, beginning after one id."""
    return tuple(connection.execute(_NOT_OVER, {"after": after, "at_most": limit}).scalars())


def _summaries(
    connection: Connection, statement: Select[Any], values: Mapping[str, Any]
) -> tuple[Summary, ...]:
    return tuple(records.summary_of(row) for row in connection.execute(statement, values).all())


def of_server(
    connection: Connection,
    guild_id: GuildId,
    text: str = "",
    is_over: bool | None = None,
    limit: int = _LISTED,
) -> tuple[Summary, ...]:
    """Tournaments of a server by a part of the name, those not over first, newest first."""
    plain = text.strip().casefold()
    for special in "\\%_":
        plain = plain.replace(special, f"\\{special}")
    over = (False, True) if is_over is None else (is_over,)
    values = {"of_guild": guild_id, "pattern": f"%{plain}%", "of_over": over, "at_most": limit}
    return _summaries(connection, _OF_SERVER, values)


def of_person(connection: Connection, user_id: UserId, limit: int = _LISTED) -> tuple[Summary, ...]:
    """Tournaments that a person is or was in, in the same order."""
    return _summaries(connection, _OF_PERSON, {"of_user": user_id, "at_most": limit})


def in_channel(connection: Connection, channel_id: ChannelId) -> tuple[Summary, ...]:
    """Tournaments whose home is a channel, in the same order."""
    return _summaries(connection, _IN_CHANNEL, {"of_channel": channel_id})


def directed_by(connection: Connection, user_id: UserId) -> tuple[TournamentId, ...]:
    """Tournaments not over that a person created or was appointed to direct."""
    return tuple(connection.execute(_DIRECTED, {"of_user": user_id}).scalars())


def blocked_among(
    connection: Connection, people: tuple[UserId, ...]
) -> frozenset[tuple[UserId, UserId]]:
    """Among these people: who has blocked whom."""
    if not people:
        return frozenset()
    found = connection.execute(_BLOCKS, {"of_users": people}).all()
    return frozenset((row.user_id, row.other_id) for row in found)


def after(
    connection: Connection, last: str, limit: int
) -> tuple[tuple[StoredTournament, tuple[TournamentEvent, ...]], ...]:
    """The next tournaments in the order of their ids, with their histories."""
    found = connection.execute(_AFTER, {"after": last, "at_most": limit}).scalars().all()
    all_of = ((stored(connection, each), history(connection, each)) for each in found)
    return tuple((t, past) for t, past in all_of if t is not None)


async def every(
    store: Store,
) -> AsyncIterator[tuple[StoredTournament, tuple[TournamentEvent, ...]]]:
    """Every tournament with its history, ten to a transaction."""
    last = ""
    while found := await store.read(after, last, 10):
        for each in found:
            yield each
        last = found[-1][0].tournament.id
