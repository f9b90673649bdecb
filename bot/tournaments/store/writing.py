"""Tournaments written: plain functions of a connection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Connection,
    Table,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)

from bot.domain.ids import GuildId, MatchId, TournamentId
from bot.domain.match import Match
from bot.posts.deliveries import Committed
from bot.posts.sending import Posted
from bot.store import changes, outgoing
from bot.store.errors import Conflict
from bot.store.schema import is_ahead
from bot.store.store import Store
from bot.store.tables import tournament_directors as directors
from bot.store.tables import tournament_entrants as entrants
from bot.store.tables import tournament_events as events
from bot.store.tables import tournament_games as games
from bot.store.tables import tournament_invited as invited
from bot.store.tables import tournaments
from bot.tournaments.domain.tournament import Tournament, TournamentStatus
from bot.tournaments.posts import AGAIN, home_again, key_to, of_home, outgoing_of
from bot.tournaments.store import reading, records
from bot.tournaments.store.records import Writing
from bot.webhooks import store as webhooks

_id = tournaments.c.id == bindparam("of_id")
_version = tournaments.c.version == bindparam("of_version")
_entrant = (
    entrants.c.tournament_id == bindparam("of_id"),
    entrants.c.number == bindparam("of_number"),
)
_game = (games.c.tournament_id == bindparam("of_id"), games.c.game == bindparam("of_game"))


_ADD = insert(tournaments)
_HEAD = update(tournaments).where(_id)
_DUE_AT = _HEAD.where(_version)
_MOVE = _DUE_AT.where(tournaments.c.set_aside_at.is_(None))
_TROUBLES = _HEAD.where(tournaments.c.troubles != bindparam("told")).values(
    troubles=bindparam("told")
)
_FOLLOW = _HEAD.where(tournaments.c.next_id.is_(None))
_ADD_EVENT = insert(events)
_ADD_ENTRANT = insert(entrants)
_SET_ENTRANT = update(entrants).where(*_entrant)
_ADD_GAME = insert(games)
_SET_GAME = update(games).where(*_game)
_DROP_GAME = delete(games).where(*_game)
_MESSAGE_OF = select(tournaments.c.message_id).where(_id)
_GUILD_OF = select(tournaments.c.guild_id).where(_id)
_SET_HOME = _HEAD.values(
    channel_id=func.coalesce(bindparam("channel"), tournaments.c.channel_id),
    message_id=bindparam("message"),
    home_gone=bindparam("gone"),
)
_SET_ASIDE = _HEAD.where(tournaments.c.set_aside_at.is_(None))
_END_OF_GAME = update(games).where(games.c.match_id == bindparam("of_match"))


async def commit(store: Store, writing: Writing) -> None:
    """Commit what happened to a tournament, as :func:`write` writes it."""
    last = writing.changes[-1].event if writing.changes else None
    await store.write_proved(
        lambda c: write(c, writing),
        changes=writing.matches,
        proof=None if last is None else lambda c: reading.is_written(c, last),
    )


def write(connection: Connection, writing: Writing) -> None:
    """Write events, head, games, matches and messages of a tournament, all or nothing.

    Raises :exc:`~bot.store.errors.Conflict` if the tournament or one of the matches has moved on,
    also where the interaction has been carried out before.
    """
    before, after = writing.before, writing.after
    for change in writing.matches:
        changes.commit(connection, change)
    if before is None:
        assert writing.home is not None  # noqa: S101 - a new one has a home
        row = records.head_row(after, writing.home, writing.previous)
        connection.execute(_ADD, {**row, "due_at": writing.due_at})
        if writing.previous is not None:
            followed = {"of_id": writing.previous, "next_id": after.id}
            if connection.execute(_FOLLOW, followed).rowcount != 1:
                raise Conflict
    else:
        of = {"of_id": before.id, "of_version": before.version, "due_at": writing.due_at}
        moved = (
            connection.execute(_MOVE, {**of, **records.changing_row(after)})
            if writing.changes
            else connection.execute(_DUE_AT, of)
        )
        if moved.rowcount != 1:
            raise Conflict
        if writing.troubles is not None:
            told = {"of_id": before.id, "told": " ".join(sorted(writing.troubles))}
            if connection.execute(_TROUBLES, told).rowcount != 1:
                raise Conflict  # another process tells of it
    if writing.changes:
        connection.execute(_ADD_EVENT, records.event_rows(writing.changes))
    was = before or replace(after, entrants=(), games={}, directors=(), invited=())
    _keep_entrants(connection, was, after)
    _keep_games(connection, was, after, writing.begun)
    if was.directors != after.directors:
        listed = [{"user_id": each} for each in after.directors]
        _keep_people(connection, directors, after, listed)
    if was.invited != after.invited:
        listed = [records.columns(each, records.OF_INVITED) for each in after.invited]
        _keep_people(connection, invited, after, listed)
    outgoing.plan(connection, *(outgoing_of(after, each) for each in writing.messages))
    begins = after.status is TournamentStatus.RUNNING
    is_news = was.status is not after.status and not was.status.is_final
    if is_news and (begins or after.status.is_final):
        guild_id = GuildId(connection.execute(_GUILD_OF, {"of_id": after.id}).scalar_one())
        what = "tournament.began" if begins else "tournament.ended"
        webhooks.plan(connection, guild_id, what, after.id, after.updated_at)


def _keep_entrants(connection: Connection, before: Tournament, after: Tournament) -> None:
    new_ones = after.entrants[len(before.entrants) :]
    if new_ones:
        added = [records.entrant_row(after.id, each) for each in new_ones]
        connection.execute(_ADD_ENTRANT, added)
    for old, new in zip(before.entrants, after.entrants, strict=False):
        if old is new or old == new:
            continue
        of = {"of_id": after.id, "of_number": new.number}
        connection.execute(_SET_ENTRANT, of | records.columns(new, records.OF_ENTRANT))
        if old.user_id != new.user_id:
            # Only where one replaces another: a person who was erased since stays erased.
            connection.execute(_SET_ENTRANT, {**of, "user_id": new.user_id})
            # The new player need not wait until the one before is awake.
            outgoing.hurry_waiting(connection, key_to(after.id, new.number), after.updated_at)


def _keep_games(
    connection: Connection, before: Tournament, after: Tournament, begun: Mapping[str, MatchId]
) -> None:
    known = before.games
    for name in known.keys() - after.games.keys():
        connection.execute(_DROP_GAME, {"of_id": after.id, "of_game": name})
    added = []
    for position, (name, played) in enumerate(after.games.items(), 1):
        old = known.get(name)
        if old is None or (old.game, old.drawn) != (played.game, played.drawn):
            if old is not None:
                connection.execute(_DROP_GAME, {"of_id": after.id, "of_game": name})
            added.append(records.game_row(after.id, position, played))
        elif old is not played and old != played:
            of = {"of_id": after.id, "of_game": name}
            connection.execute(_SET_GAME, {**of, **records.changing_game(played)})
    if added:
        connection.execute(_ADD_GAME, added)
    for name, match_id in begun.items():
        begins = {"has_begun": True, "match_id": match_id}
        connection.execute(_SET_GAME, {"of_id": after.id, "of_game": name, **begins})


def _keep_people(
    connection: Connection, table: Table, after: Tournament, listed: Sequence[Mapping[str, Any]]
) -> None:
    """Write down a list of people anew, in its order."""
    connection.execute(delete(table).where(table.c.tournament_id == after.id))
    if listed:
        of = {"tournament_id": after.id}
        numbered = [{**of, "position": at, **each} for at, each in enumerate(listed)]
        connection.execute(insert(table), numbered)


def note_end(connection: Connection, now: Committed) -> None:
    """Note when a game ended; the next sweep of the runner records the result."""
    head = now.head
    if head.tournament is not None:
        values = {"of_match": head.id, "ended_at": head.updated_at}
        connection.execute(_END_OF_GAME, values)


def link_again(connection: Connection, match: Match, now: datetime) -> None:
    """Have the home message link to the channel or thread that a game has got."""
    if match.tournament is not None:
        outgoing.plan(connection, home_again(match.tournament.tournament_id, now))


def set_home(
    connection: Connection,
    tournament_id: TournamentId,
    posted: Posted | None,
    *,
    is_gone: bool = False,
) -> None:
    """Note where the home message stands, or that there is no place for it."""
    connection.execute(
        _SET_HOME,
        {
            "of_id": tournament_id,
            "channel": None if posted is None else posted.channel_id,
            "message": None if posted is None else posted.message_id,
            "gone": is_gone,
        },
    )


def show_again(connection: Connection, tournament_id: TournamentId, now: datetime) -> None:
    """Have the home message posted again, in place of the older one if one is noted.

    That has a slot of its own, since an update planned later must not take its place. Two requests
    post it once, as long as the older one exists.
    """
    older = connection.execute(_MESSAGE_OF, {"of_id": tournament_id}).scalar()
    again = of_home(tournament_id, now, str(older), slot=AGAIN)
    outgoing.plan(connection, home_again(tournament_id, now) if older is None else again)


def set_aside(connection: Connection, tournament_id: TournamentId, at: datetime) -> bool:
    """Set a tournament aside, so that nothing goes on in it. Whether it was not.

    Where a newer release has been, that is left to it.
    """
    if is_ahead(connection):
        return False
    values = {"of_id": tournament_id, "set_aside_at": at, "due_at": None}
    return connection.execute(_SET_ASIDE, values).rowcount == 1


def reinstate(connection: Connection, tournament_id: TournamentId, now: datetime) -> None:
    """Let a tournament that was set aside go on."""
    connection.execute(_HEAD, {"of_id": tournament_id, "set_aside_at": None, "due_at": now})
