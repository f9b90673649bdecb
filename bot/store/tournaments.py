"""Tournaments inside transactions: plain functions of a connection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from sqlalchemy import Connection, Select, bindparam, delete, func, insert, select, update

from bot.domain.events import micros, moment
from bot.domain.ids import ChannelId, GuildId, InteractionId, MatchId, TournamentId, UserId
from bot.domain.match import Match, MatchStatus
from bot.domain.tournaments.event import TournamentEvent
from bot.domain.tournaments.tournament import Tournament
from bot.services.ports import Conflict
from bot.services.sending import Posted
from bot.services.tournaments.messages import MessageKind
from bot.services.tournaments.ports import LoadedTournament, NewMessage, StoredTournament, Writing
from bot.services.tournaments.telling import outgoing_of
from bot.services.tournaments.views import MatchLink, Summary
from bot.store import outgoing, transactions
from bot.store import tournament_rows as rows
from bot.store.rows import match_of
from bot.store.tables import blocks, matches, tournaments
from bot.store.tables import tournament_directors as directors
from bot.store.tables import tournament_entrants as entrants
from bot.store.tables import tournament_events as events
from bot.store.tables import tournament_games as games

_ADD = insert(tournaments)
_MOVE = (
    update(tournaments)
    .where(
        tournaments.c.id == bindparam("of_id"),
        tournaments.c.version == bindparam("of_version"),
        tournaments.c.set_aside_at.is_(None),
    )
    .values({name: bindparam(name) for name in (*rows.CHANGING, "due_at")})
)
_DUE_AT = (
    update(tournaments)
    .where(tournaments.c.id == bindparam("of_id"), tournaments.c.version == bindparam("of_version"))
    .values(due_at=bindparam("due_at"))
)
_FOLLOW = (
    update(tournaments)
    .where(tournaments.c.id == bindparam("of_id"), tournaments.c.next_id.is_(None))
    .values(next_id=bindparam("next_id"))
)
_ADD_EVENT = insert(events)
_ADD_ENTRANT = insert(entrants)
_SET_ENTRANT = (
    update(entrants)
    .where(
        entrants.c.tournament_id == bindparam("of_id"), entrants.c.number == bindparam("of_number")
    )
    .values({name: bindparam(name) for name in rows.OF_ENTRANT})
)
_SET_PERSON = (
    update(entrants)
    .where(
        entrants.c.tournament_id == bindparam("of_id"), entrants.c.number == bindparam("of_number")
    )
    .values(user_id=bindparam("user_id"))
)
_ADD_GAME = insert(games)
_SET_GAME = (
    update(games)
    .where(games.c.tournament_id == bindparam("of_id"), games.c.game == bindparam("of_game"))
    .values({name: bindparam(name) for name in rows.OF_GAME})
)
_SET_MATCH = (
    update(games)
    .where(games.c.tournament_id == bindparam("of_id"), games.c.game == bindparam("of_game"))
    .values(match_id=bindparam("match_id"), has_begun=1)
)
_DROP_GAME = delete(games).where(
    games.c.tournament_id == bindparam("of_id"), games.c.game == bindparam("of_game")
)
_DROP_DIRECTORS = delete(directors).where(directors.c.tournament_id == bindparam("of_id"))
_ADD_DIRECTOR = insert(directors)
_ONE = select(tournaments).where(tournaments.c.id == bindparam("of_id"))
_ENTRANTS = (
    select(entrants)
    .where(entrants.c.tournament_id == bindparam("of_id"))
    .order_by(entrants.c.number)
)
_DIRECTORS = (
    select(directors.c.user_id)
    .where(directors.c.tournament_id == bindparam("of_id"))
    .order_by(directors.c.position)
)
_GAMES = select(games).where(games.c.tournament_id == bindparam("of_id")).order_by(games.c.position)
_HISTORY = select(events).where(events.c.tournament_id == bindparam("of_id")).order_by(events.c.seq)
_EVENT = select(events).where(
    events.c.tournament_id == bindparam("of_id"), events.c.seq == bindparam("of_seq")
)
_DONE = select(events).where(events.c.interaction_id == bindparam("of_interaction"))
_LINKS = (
    select(
        games.c.game,
        matches.c.id,
        matches.c.status,
        matches.c.ply,
        matches.c.venue,
        matches.c.home_id,
    )
    .join(matches, matches.c.id == games.c.match_id)
    .where(games.c.tournament_id == bindparam("of_id"))
)
_MATCH = (
    select(matches)
    .join(games, games.c.match_id == matches.c.id)
    .where(games.c.tournament_id == bindparam("of_id"), games.c.game == bindparam("of_game"))
)
_DUE = (
    select(tournaments.c.id)
    .where(tournaments.c.due_at <= bindparam("now"))
    .order_by(tournaments.c.due_at)
    .limit(bindparam("at_most"))
)
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
_NOT_OVER = (
    select(tournaments.c.id)
    .where(tournaments.c.is_over == 0, tournaments.c.id > bindparam("after"))
    .order_by(tournaments.c.id)
    .limit(bindparam("at_most"))
)
_NEXT_DUE = select(func.min(tournaments.c.due_at)).where(tournaments.c.due_at.is_not(None))
_SUMMARY: Select[Any] = select(tournaments).order_by(
    tournaments.c.is_over, tournaments.c.created_at.desc(), tournaments.c.id
)
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
_SET_HOME = (
    update(tournaments)
    .where(tournaments.c.id == bindparam("of_id"))
    .values(
        channel_id=func.coalesce(bindparam("channel"), tournaments.c.channel_id),
        message_id=bindparam("message"),
        home_gone=bindparam("gone"),
    )
)
_AFTER = (
    select(tournaments.c.id)
    .where(tournaments.c.id > bindparam("after"))
    .order_by(tournaments.c.id)
    .limit(bindparam("at_most"))
)
_SET_ASIDE = (
    update(tournaments)
    .where(tournaments.c.id == bindparam("of_id"), tournaments.c.set_aside_at.is_(None))
    .values(set_aside_at=bindparam("at"), due_at=None)
)
_REINSTATE = (
    update(tournaments)
    .where(tournaments.c.id == bindparam("of_id"))
    .values(set_aside_at=None, due_at=bindparam("now"))
)


# ---- writing ---------------------------------------------------------------------------------


def commit(connection: Connection, writing: Writing) -> None:
    """See :class:`bot.services.tournaments.ports.TournamentStore`; so for all that follow.

    Matches are written first: whoever ends one holds its row before that of its game.
    """
    before, after = writing.before, writing.after
    for change in writing.matches:
        transactions.commit(connection, change)
    due = None if writing.due_at is None else micros(writing.due_at)
    if before is None:
        assert writing.home is not None  # noqa: S101 - a new one has a home
        row = rows.head_row(after, writing.home, writing.previous)
        connection.execute(_ADD, {**row, "due_at": due})
        if writing.previous is not None:
            followed = {"of_id": writing.previous, "next_id": after.id}
            if connection.execute(_FOLLOW, followed).rowcount != 1:
                raise Conflict
    else:
        of = {"of_id": before.id, "of_version": before.version, "due_at": due}
        moved = (
            connection.execute(_MOVE, {**of, **rows.changing_row(after)})
            if writing.changes
            else connection.execute(_DUE_AT, of)
        )
        if moved.rowcount != 1:
            raise Conflict
    if writing.changes:
        connection.execute(_ADD_EVENT, rows.event_rows(writing.changes))
    _keep_entrants(connection, before, after)
    _keep_games(connection, before, after, writing.begun)
    if (() if before is None else before.directors) != after.directors:
        _keep_directors(connection, after)
    _tell(connection, after, writing.messages)


def _keep_entrants(connection: Connection, before: Tournament | None, after: Tournament) -> None:
    known = () if before is None else before.entrants
    added = [rows.entrant_row(after.id, each) for each in after.entrants[len(known) :]]
    if added:
        connection.execute(_ADD_ENTRANT, added)
    for old, new in zip(known, after.entrants, strict=False):
        if old is new:
            continue
        of = {"of_id": after.id, "of_number": new.number}
        connection.execute(_SET_ENTRANT, {**of, **rows.changing_entrant(new)})
        if old.user_id != new.user_id:
            # Only where one replaces another: who was forgotten since stays forgotten.
            connection.execute(_SET_PERSON, {**of, "user_id": new.user_id})


def _keep_games(
    connection: Connection,
    before: Tournament | None,
    after: Tournament,
    begun: Mapping[str, MatchId],
) -> None:
    known = {} if before is None else before.games
    for name in known.keys() - after.games.keys():
        connection.execute(_DROP_GAME, {"of_id": after.id, "of_game": name})
    added = []
    for position, (name, played) in enumerate(after.games.items(), 1):
        old = known.get(name)
        if old is None or old.game != played.game:
            if old is not None:
                connection.execute(_DROP_GAME, {"of_id": after.id, "of_game": name})
            added.append(rows.game_row(after.id, position, played))
        elif old is not played:
            of = {"of_id": after.id, "of_game": name}
            connection.execute(_SET_GAME, {**of, **rows.changing_game(played)})
    if added:
        connection.execute(_ADD_GAME, added)
    for name, match_id in begun.items():
        connection.execute(_SET_MATCH, {"of_id": after.id, "of_game": name, "match_id": match_id})


def _keep_directors(connection: Connection, after: Tournament) -> None:
    connection.execute(_DROP_DIRECTORS, {"of_id": after.id})
    if after.directors:
        connection.execute(
            _ADD_DIRECTOR,
            [
                {"tournament_id": after.id, "position": position, "user_id": user}
                for position, user in enumerate(after.directors)
            ],
        )


def _tell(connection: Connection, t: Tournament, messages: Sequence[NewMessage]) -> None:
    outgoing.plan(connection, *(outgoing_of(t, each) for each in messages))


# ---- reading ---------------------------------------------------------------------------------


def load(
    connection: Connection,
    tournament_id: TournamentId,
    interaction_id: InteractionId | None = None,
) -> LoadedTournament:
    """A tournament and what an interaction has done."""
    done_before = None if interaction_id is None else done(connection, interaction_id)
    return LoadedTournament(_stored(connection, tournament_id), done_before)


def _stored(connection: Connection, tournament_id: TournamentId) -> StoredTournament | None:
    of = {"of_id": tournament_id}
    row = connection.execute(_ONE, of).first()
    if row is None:
        return None
    return rows.stored_of(
        row,
        connection.execute(_ENTRANTS, of).all(),
        connection.execute(_GAMES, of).all(),
        tuple(UserId(each) for each in connection.execute(_DIRECTORS, of).scalars()),
    )


def done(connection: Connection, interaction_id: InteractionId) -> TournamentEvent | None:
    """What an interaction has done."""
    row = connection.execute(_DONE, {"of_interaction": interaction_id}).first()
    return None if row is None else rows.event_of(row)


def history(connection: Connection, tournament_id: TournamentId) -> tuple[TournamentEvent, ...]:
    """All events in order."""
    found = connection.execute(_HISTORY, {"of_id": tournament_id}).all()
    return tuple(rows.event_of(row) for row in found)


def event(connection: Connection, tournament_id: TournamentId, seq: int) -> TournamentEvent | None:
    """One event."""
    row = connection.execute(_EVENT, {"of_id": tournament_id, "of_seq": seq}).first()
    return None if row is None else rows.event_of(row)


def links(connection: Connection, tournament_id: TournamentId) -> Mapping[str, MatchLink]:
    """The matches of its games."""
    found = connection.execute(_LINKS, {"of_id": tournament_id}).all()
    return MappingProxyType(
        {
            row.game: MatchLink(
                MatchId(row.id),
                MatchStatus(row.status),
                row.ply,
                None if row.home_id is None or row.venue == "direct" else ChannelId(row.home_id),
                is_direct=row.venue == "direct",
            )
            for row in found
        }
    )


def match_of_game(connection: Connection, tournament_id: TournamentId, game: str) -> Match | None:
    """The match of a game."""
    row = connection.execute(_MATCH, {"of_id": tournament_id, "of_game": game}).first()
    return None if row is None else match_of(row)


def due(connection: Connection, now: datetime, limit: int) -> tuple[TournamentId, ...]:
    """Those with something to do."""
    ended = connection.execute(_ENDED, {"at_most": limit}).scalars().all()
    late = connection.execute(_DUE, {"now": micros(now), "at_most": limit}).scalars().all()
    return tuple(TournamentId(each) for each in dict.fromkeys((*ended, *late)))[:limit]


def next_due(connection: Connection) -> datetime | None:
    """When the next is due."""
    found = connection.execute(_NEXT_DUE).scalar()
    return None if found is None else moment(found)


def not_over(connection: Connection, after: str, limit: int) -> tuple[TournamentId, ...]:
    """Those that are not over."""
    found = connection.execute(_NOT_OVER, {"after": after, "at_most": limit}).scalars()
    return tuple(TournamentId(each) for each in found)


def _summaries(
    connection: Connection, statement: Select[Any], values: Mapping[str, Any]
) -> tuple[Summary, ...]:
    return tuple(rows.summary_of(row) for row in connection.execute(statement, values).all())


def of_server(
    connection: Connection, guild_id: GuildId, text: str, is_over: bool | None, limit: int
) -> tuple[Summary, ...]:
    """Tournaments of a server."""
    plain = text.strip().casefold()
    for special in "\\%_":
        plain = plain.replace(special, f"\\{special}")
    over = (0, 1) if is_over is None else (int(is_over),)
    values = {"of_guild": guild_id, "pattern": f"%{plain}%", "of_over": over, "at_most": limit}
    return _summaries(connection, _OF_SERVER, values)


def of_person(connection: Connection, user_id: UserId, limit: int) -> tuple[Summary, ...]:
    """Tournaments of a person."""
    return _summaries(connection, _OF_PERSON, {"of_user": user_id, "at_most": limit})


def in_channel(connection: Connection, channel_id: ChannelId) -> tuple[Summary, ...]:
    """Tournaments of a channel."""
    return _summaries(connection, _IN_CHANNEL, {"of_channel": channel_id})


def directed_by(connection: Connection, user_id: UserId) -> tuple[TournamentId, ...]:
    """Tournaments not over that a person directs."""
    found = connection.execute(_DIRECTED, {"of_user": user_id}).scalars()
    return tuple(TournamentId(each) for each in found)


def blocked_among(
    connection: Connection, people: tuple[UserId, ...]
) -> frozenset[tuple[UserId, UserId]]:
    """Who has blocked whom."""
    if not people:
        return frozenset()
    found = connection.execute(_BLOCKS, {"of_users": people}).all()
    return frozenset((UserId(row.user_id), UserId(row.other_id)) for row in found)


def set_home(
    connection: Connection,
    tournament_id: TournamentId,
    posted: Posted | None,
    *,
    is_gone: bool = False,
) -> None:
    """Note where the home message stands."""
    connection.execute(
        _SET_HOME,
        {
            "of_id": tournament_id,
            "channel": None if posted is None else posted.channel_id,
            "message": None if posted is None else posted.message_id,
            "gone": int(is_gone),
        },
    )


def show(connection: Connection, tournament_id: TournamentId, now: datetime) -> None:
    """Have the home message shown as it is now."""
    found = _stored(connection, tournament_id)
    if found is not None:
        t = replace(found.tournament, updated_at=now)
        _tell(connection, t, (NewMessage(MessageKind.HOME),))


# ---- verification ----------------------------------------------------------------------------


def after(
    connection: Connection, last: str, limit: int
) -> tuple[tuple[StoredTournament, tuple[TournamentEvent, ...]], ...]:
    """The next tournaments in the order of their ids, with their histories."""
    found = connection.execute(_AFTER, {"after": last, "at_most": limit}).scalars().all()
    result = []
    for each in found:
        stored = _stored(connection, TournamentId(each))
        if stored is not None:
            result.append((stored, history(connection, TournamentId(each))))
    return tuple(result)


def set_aside(connection: Connection, tournament_id: TournamentId, at: datetime) -> bool:
    """Set a tournament aside."""
    values = {"of_id": tournament_id, "at": micros(at)}
    return connection.execute(_SET_ASIDE, values).rowcount == 1


def reinstate(connection: Connection, tournament_id: TournamentId, now: datetime) -> None:
    """Let a tournament go on."""
    connection.execute(_REINSTATE, {"of_id": tournament_id, "now": micros(now)})
