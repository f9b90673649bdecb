"""Matches inside transactions: their events and heads, written and read.

A transaction is one function, run from begin to commit in a task that nobody cancels. Nothing else
can be awaited inside it, so there is no place where it could be left half done, and both databases
run the very same code.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Select, insert, or_, select, text, update

from bot.domain.events import Change, Event, EventKind
from bot.domain.ids import ChannelId, GuildId, InteractionId, MatchId, UserId
from bot.domain.match import Match, MatchStatus, Scope
from bot.store import presence, rows
from bot.store import statements as sql
from bot.store.errors import Conflict, StoreUnavailable
from bot.store.presence import Availability
from bot.store.schema import is_ahead
from bot.store.tables import OVER, events, matches, seats


@dataclass(frozen=True, slots=True)
class Loaded:
    """A match, None if there is none, and what an interaction has already done, if anything.

    ``availability`` is what is known of its clock.
    """

    match: Match | None
    done: Event | None
    availability: Availability = field(default_factory=Availability)


def write(connection: Connection, change: Change) -> None:
    """Write an event, and the head after it in the place of the one that it was decided on."""
    if change.before is None:
        connection.execute(sql.ADD_MATCH, rows.match_row(change.match))
    else:
        _advance(connection, change.before, change.match)
    connection.execute(sql.ADD_EVENT, rows.values_of(change.event))
    _seat(connection, change)


def _advance(connection: Connection, before: Match, after: Match) -> None:
    """Put the new head in the place of the one that the change was decided on."""
    values = {
        "of_match": after.id,
        "of_version": before.version,
        "of_set_aside_at": before.set_aside_at,
        **rows.changing_row(after),
    }
    if connection.execute(sql.MOVE_MATCH, values).rowcount != 1:
        raise Conflict
    if before.players != after.players:
        # Only where one joins or leaves: who was forgotten since it was read stays forgotten.
        connection.execute(sql.SET_MATCH, {"of_match": after.id, "players": after.players})


def _people(match: Match | None) -> set[UserId]:
    if match is None:
        return set()
    return {user for user in (*match.players, *match.invited) if user is not None}


def _seat(connection: Connection, change: Change) -> None:
    """Keep ``seats`` in step with the head."""
    before, after = change.before, change.match
    if before is None or before.players != after.players:
        had, have = _people(before), _people(after)
        if before is not None and change.event.kind is EventKind.SUBSTITUTED:
            had, have = (set(filter(None, each.players)) for each in (before, after))
        for user in sorted(have - had):
            _take_seat(connection, after.id, user)
        _set_seats(connection, after.id, seats.c.user_id.in_(had - have), active=False)
    if after.status.is_final:
        _set_seats(connection, after.id, active=False)


def _set_seats(
    connection: Connection, match_id: MatchId, *where: ColumnElement[bool], active: bool
) -> int:
    of_match = update(seats).where(seats.c.match_id == match_id, *where)
    return connection.execute(of_match.values(active=active)).rowcount


def _take_seat(connection: Connection, match_id: MatchId, user_id: UserId) -> None:
    """Note that a person has a seat in a match or is invited to it, perhaps again."""
    if not _set_seats(connection, match_id, seats.c.user_id == user_id, active=True):
        row = {"match_id": match_id, "user_id": user_id, "active": True}
        connection.execute(insert(seats), row)


def load(
    connection: Connection,
    match_id: MatchId,
    interaction_id: InteractionId | None,
    now: datetime,
    joining: UserId,
) -> Loaded:
    """A match and its clock, and the event that this interaction has caused, if any.

    ``joining`` is the person who acts, and may take a seat.
    """
    row = connection.execute(
        sql.MATCH_AND_DONE, {"of_match": match_id, "of_interaction": interaction_id}
    ).first()
    if row is None:
        return Loaded(None, None)
    found = rows.match_of(row)
    _check_known(connection, found)
    event = None if row.seq is None else rows.event_of(row)
    if found.clock is None or not (found.deadline or found.clock.may_rest):
        return Loaded(found, event)
    joins = None if found.state else joining
    return Loaded(found, event, presence.availability_of(connection, found, now, joins))


def is_written(connection: Connection, event: Event) -> bool:
    """Whether this very event is stored."""
    is_it = (events.c.match_id == event.match_id, events.c.seq == event.seq)
    found = connection.execute(select(events.c.hash).where(*is_it)).scalar()
    return bool(found == event.hash)


def done(connection: Connection, interaction_id: InteractionId) -> Event | None:
    """The event that this interaction has caused, in whatever match."""
    caused = select(events).where(events.c.interaction_id == interaction_id)
    row = connection.execute(caused).first()
    return None if row is None else rows.event_of(row)


def match(connection: Connection, match_id: MatchId, scope: Scope | None = None) -> Match | None:
    """A match; without a ``scope`` for the host itself, who may see all."""
    row = connection.execute(sql.MATCH, {"of_match": match_id}).first()
    found = None if row is None else rows.match_of(row)
    if found is None or scope is None:
        return found
    _check_known(connection, found)
    return found if found.is_visible(scope) else None


def _check_known(connection: Connection, found: Match) -> None:
    """Refuse a match that cannot be read because a newer release has written it."""
    if found.set_aside_at == rows.UNREADABLE and is_ahead(connection):
        raise StoreUnavailable("newer")


def running_in(connection: Connection, channel_id: ChannelId, scope: Scope) -> tuple[Match, ...]:
    """The running matches that live in a channel or thread, or were offered there."""
    found = rows.matches_in(connection, sql.RUNNING_IN, of_channel=channel_id)
    return tuple(each for each in found if each.is_visible(scope))


def active_of(connection: Connection, user_id: UserId) -> tuple[Match, ...]:
    """Everything running or on offer in which this person has or is kept a chair."""
    return rows.matches_in(connection, sql.ACTIVE_OF, of_user=user_id)


def history(connection: Connection, match_id: MatchId, scope: Scope | None) -> tuple[Event, ...]:
    """All events of a match in order; empty if it may not be seen in this scope.

    Raises :exc:`~bot.store.errors.StoreUnavailable` for someone in a scope if a newer release has
    written some of them; so do the two above for a match.
    """
    if scope is not None and match(connection, match_id, scope) is None:
        return ()
    every = select(events).where(events.c.match_id == match_id).order_by(events.c.seq)
    found = tuple(rows.event_of(row) for row in connection.execute(every).all())
    if scope is not None and not all(each.hash for each in found) and is_ahead(connection):
        raise StoreUnavailable("newer")
    return found


def lapsed_offers(connection: Connection, now: datetime, limit: int) -> tuple[MatchId, ...]:
    """Offers whose time has come, the oldest first."""
    is_open = matches.c.status == MatchStatus.OFFERED
    return _lapsed(connection, matches.c.expires_at, now, limit, is_open)


def lapsed_requests(connection: Connection, now: datetime, limit: int) -> tuple[MatchId, ...]:
    """Running matches in which a request lapses by now, the oldest first."""
    return _lapsed(connection, matches.c.lapses_at, now, limit, matches.c.lapses_at.is_not(None))


def _lapsed(
    connection: Connection,
    until: Column[Any],
    now: datetime,
    limit: int,
    may_lapse: ColumnElement[bool],
) -> tuple[MatchId, ...]:
    lapsed = select(matches.c.id).where(may_lapse, until <= now).order_by(until).limit(limit)
    return tuple(connection.execute(lapsed).scalars())


def is_seen(scope: Scope) -> ColumnElement[bool]:
    """Whether a match may be seen in a scope, nearly as :meth:`Match.is_visible` says."""
    is_mine = matches.c.id.in_(select(seats.c.match_id).where(seats.c.user_id == scope.user_id))
    there = scope.guild_id
    return is_mine if there is None else or_(matches.c.guild_id == there, is_mine)


_NEWEST = (matches.c.updated_at.desc(), matches.c.id)


def _of_player(user_id: UserId) -> Select[Any]:
    """The matches in which a person has, or had, a seat or an invitation; the newest first."""
    with_seats = select(matches).join(seats, seats.c.match_id == matches.c.id)
    return with_seats.where(seats.c.user_id == user_id).order_by(*_NEWEST)


def over_in(
    connection: Connection, channel_id: ChannelId, scope: Scope, limit: int
) -> tuple[Match, ...]:
    """Matches that were played in a channel or thread and are over, the newest first."""
    over = select(matches).where(text(OVER), matches.c.home_id == channel_id)
    found = rows.matches_in(connection, over.order_by(matches.c.created_at.desc()).limit(limit))
    return tuple(each for each in found if each.is_visible(scope))


def over_of(
    connection: Connection, user_id: UserId, scope: Scope, limit: int, skipped: int = 0
) -> tuple[Match, ...]:
    """Matches that a person played and that are over, the last to end first.

    Of the ``limit`` after those ``skipped``, the ones that may be seen in this scope.
    """
    over = _of_player(user_id).where(text(OVER), is_seen(scope)).limit(limit).offset(skipped)
    found = rows.matches_in(connection, over)
    return tuple(
        each for each in found if each.index_of(user_id) is not None and each.is_visible(scope)
    )


def met(connection: Connection, one: UserId, other: UserId, limit: int) -> tuple[Match, ...]:
    """Finished matches in which two people met, the last first."""
    theirs = select(seats.c.match_id).where(seats.c.user_id == other)
    both = _of_player(one).where(matches.c.id.in_(theirs), matches.c.status == MatchStatus.FINISHED)
    return rows.matches_in(connection, both.limit(limit))


def running_in_server(
    connection: Connection, guild_id: GuildId, limit: int, skipped: int = 0
) -> tuple[Match, ...]:
    """The matches that run in a server, those with the newest moves first."""
    running = select(matches).where(
        matches.c.status == MatchStatus.RUNNING, matches.c.guild_id == guild_id
    )
    return rows.matches_in(connection, running.order_by(*_NEWEST).limit(limit).offset(skipped))


def quiet_since(
    connection: Connection, before: datetime, after: str, limit: int
) -> tuple[Match, ...]:
    """Running matches in servers in which nothing has happened since then, by their ids.

    Those of tournaments are not among them.
    """
    quiet = _after(after, limit).where(
        matches.c.status == MatchStatus.RUNNING,
        matches.c.guild_id.is_not(None),
        matches.c.tournament.is_(None),
        matches.c.updated_at <= before,
    )
    return rows.matches_in(connection, quiet)


def _after(match_id: str, limit: int) -> Select[Any]:
    return select(matches).where(matches.c.id > match_id).order_by(matches.c.id).limit(limit)


def matches_after(
    connection: Connection, after: str, limit: int
) -> tuple[tuple[Match, tuple[Event, ...]], ...]:
    """The next matches in the order of their ids, with their histories."""
    heads = rows.matches_in(connection, _after(after, limit))
    return tuple((head, history(connection, head.id, None)) for head in heads)


def newest_matches(
    connection: Connection, limit: int
) -> tuple[tuple[Match, tuple[Event, ...]], ...]:
    """The matches to which the last so many events of a SQLite file belong, with all of theirs."""
    newest = select(events.c.match_id).order_by(text("rowid DESC")).limit(limit)
    found = connection.execute(newest).scalars()
    heads = [match(connection, match_id) for match_id in dict.fromkeys(found)]
    return tuple((head, history(connection, head.id, None)) for head in heads if head is not None)
