"""Everything about one person, inside transactions: reading it out, and erasing it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Select,
    Table,
    and_,
    delete,
    or_,
    select,
    update,
)

from bot.domain.events import JsonValue
from bot.domain.ids import MatchId, UserId
from bot.follows import store as follows
from bot.follows.store import follow_key, show_followed
from bot.plans import store as plans
from bot.plans.domain import Plan
from bot.posts.outgoing import Key, digest_key, vacation_key
from bot.posts.sending import Delivery, DeliveryKind
from bot.store import outgoing, tables
from bot.store.errors import Conflict
from bot.store.tables.base import CHOSEN, NAMED, OWN, raw
from bot.tournaments.domain.tournament import TournamentStatus
from bot.tournaments.posts import home_again, podium_again

_matches, _events, _audit, _plans, _outbox = map(
    raw, (tables.matches, tables.events, tables.audit, tables.plans, tables.outbox)
)
_SHOWN = frozenset({"board", "offer"})
_APART = timedelta(seconds=5)
"""Between two matches of a person that are shown anew: half the pace at which Discord lets
messages of one channel be edited that are older than an hour."""


def _columns(*kinds: Mapping[str, str]) -> tuple[Column[Any], ...]:
    every = (column for table in tables.metadata.tables.values() for column in table.columns)
    return tuple(each for each in every if each.info in kinds)


def _matches_of(user_id: UserId) -> Select[Any]:
    return (
        select(_matches)
        .join(tables.seats, tables.seats.c.match_id == _matches.c.id)
        .where(tables.seats.c.user_id == user_id)
        .order_by(_matches.c.created_at, _matches.c.id)
    )


def _events_of(user_id: UserId) -> ColumnElement[bool]:
    """What a person did in the matches in which they have a seat."""
    seats = select(tables.seats.c.match_id).where(tables.seats.c.user_id == user_id)
    return and_(_events.c.match_id.in_(seats), _events.c.user_id == user_id)


def _tournaments_of(user_id: UserId) -> Select[Any]:
    """The tournaments that name a person, those that run first."""
    t = tables.tournaments.c
    beside = (
        tables.tournament_entrants,
        tables.tournament_directors,
        tables.tournament_invited,
    )
    named = (select(x.c.tournament_id).where(x.c.user_id == user_id) for x in beside)
    return (
        select(t.id, t.version, t.status)
        .where(or_(t.created_by == user_id, *(t.id.in_(each) for each in named)))
        .order_by(t.is_over, t.created_at.desc())
    )


def _still_in(user_id: UserId) -> Select[Any]:
    """Their places in tournaments that are not over."""
    entrants, t = tables.tournament_entrants.c, tables.tournaments.c
    is_in = (entrants.user_id == user_id, entrants.standing == "active", t.is_over == 0)
    joined = tables.tournament_entrants.join(tables.tournaments, t.id == entrants.tournament_id)
    return select(entrants.number).select_from(joined).where(*is_in).limit(1)


def _rows(connection: Connection, statement: Select[Any]) -> list[JsonValue]:
    return [dict(row) for row in connection.execute(statement).mappings()]


def _without_its_writer(row: JsonValue) -> JsonValue:
    assert isinstance(row, dict)  # noqa: S101 - rows are
    return {name: value for name, value in row.items() if name != "user_id"}


def _people(text: str) -> list[int | None]:
    """The people that a column names; nobody if it is damaged."""
    try:
        found: list[int | None] = json.loads(text)
    except ValueError:
        return []
    return found


def _plans_of(connection: Connection, found: Sequence[Any], user_id: UserId) -> list[JsonValue]:
    """Plans stand beside a player index, not an id."""
    of = _plans.c
    mine = [
        and_(of.match_id == row["id"], of.player == _people(row["players"]).index(user_id))
        for row in found
        if row["status"] == "running" and user_id in _people(row["players"])
    ]
    return _rows(connection, select(_plans).where(or_(*mine))) if mine else []


def _keys_of(user_id: UserId) -> tuple[Key, ...]:
    return digest_key(user_id), vacation_key(user_id), follow_key(user_id)


def _kept_out_of(connection: Connection, user_id: UserId) -> list[JsonValue]:
    """The servers in which the person may not play."""
    c = tables.servers.c
    found = connection.execute(
        select(c.guild_id, c.settings).where(c.settings.contains(str(user_id)))
    )
    return [str(row.guild_id) for row in found if re.search(_named(user_id), row.settings)]


def held_about(connection: Connection, user_id: UserId, now: datetime) -> dict[str, JsonValue]:
    """Everything that is held about a person, by table, each row as it is kept."""
    found = connection.execute(_matches_of(user_id)).mappings().all()
    events = select(_events).where(_events_of(user_id)).order_by(_events.c.match_id, _events.c.seq)
    held: dict[str, JsonValue] = {
        "user_id": str(user_id),
        "written": now.isoformat(),
        "matches": [dict(row) for row in found],
        "events": _rows(connection, events),
        "plans": _plans_of(connection, found, user_id),
        "outbox": _rows(connection, select(_outbox).where(_outbox.c.key.in_(_keys_of(user_id)))),
        "kept_out_of": _kept_out_of(connection, user_id),
    }
    for column in _columns(NAMED, OWN, CHOSEN):
        kept = raw(_table(column))
        held.setdefault(column.table.name, [])
        rows = held[column.table.name]
        assert isinstance(rows, list)  # noqa: S101 - it was just put there
        found_rows = _rows(connection, select(kept).where(kept.c[column.name] == user_id))
        if column.info == CHOSEN:
            found_rows = [_without_its_writer(row) for row in found_rows]
        rows += found_rows
    return held


def forget(connection: Connection, user_id: UserId, pseudonym: UserId, now: datetime) -> int:
    """Erase a person; :exc:`~bot.store.errors.Conflict` if they still play.

    A server that keeps them out goes on doing so: its settings hold the id for that alone.
    """
    events = connection.execute(_tournaments_of(user_id)).all()
    if connection.execute(_still_in(user_id)).first() is not None:
        raise Conflict
    found = connection.execute(_matches_of(user_id).with_for_update()).mappings().all()
    for row in found:
        players = _people(row["players"])
        if row["set_aside_at"] is None and _takes_part(row, user_id):
            raise Conflict
        if user_id in players:
            plans.put(connection, Plan(MatchId(row["id"]), players.index(user_id), row["ply"]))
        people = {each: _renamed(row[each], user_id, pseudonym) for each in ("players", "invited")}
        connection.execute(update(_matches).where(_matches.c.id == row["id"]).values(people))
    connection.execute(update(_events).where(_events_of(user_id)).values(user_id=pseudonym))
    before, after, number = _audit.c.before, _audit.c.after, str(user_id)
    logged = select(_audit).where(or_(before.contains(number), after.contains(number)))
    for entry in connection.execute(logged).mappings().all():
        said = {each: _renamed(entry[each], user_id, pseudonym) for each in ("before", "after")}
        connection.execute(update(_audit).where(_audit.c.id == entry["id"]).values(said))
    # The words of a director are theirs; their acts stay.
    by_them = tables.tournament_events.c.user_id == user_id
    connection.execute(update(tables.tournament_events).where(by_them).values(note=""))
    for column in _columns(NAMED):
        named = update(_table(column)).where(column == user_id)
        connection.execute(named.values({column: pseudonym}))
    for column in _columns(OWN, CHOSEN):
        connection.execute(delete(_table(column)).where(column == user_id))
    for key in _keys_of(user_id):
        outgoing.drop(connection, key)
    _show_pseudonym(connection, found, events, now)
    return len(found)


def _show_pseudonym(
    connection: Connection, found: Sequence[Any], events: Sequence[Any], now: datetime
) -> None:
    """Have everything shown anew that stands for these matches and tournaments.

    Running ones come first, then the newest. One follows another by :data:`_APART`, so that a
    person who has played for years leaves Discord and Parlour time for everybody else.
    """
    newest = sorted(found, key=lambda row: (row["status"] != "running", -row["created_at"]))
    for number, row in enumerate(newest):
        match_id, at = MatchId(row["id"]), now + number * _APART
        posts = outgoing.posts_of(connection, match_id)
        shown = {(each.kind, each.audience): each.version for each in posts if each.kind in _SHOWN}
        if row["home_id"] not in (None, row["channel_id"]):
            shown.setdefault(("board", None), row["version"])  # its thread
        for (kind, audience), version in shown.items():
            again = Delivery(DeliveryKind(kind), version, audience).message(match_id, at)
            outgoing.add(connection, [replace(again, blocks_later=False)])
        if row["status"] == "running":
            people = follows.followers(connection, match_id)
            outgoing.plan(connection, *(show_followed(each, match_id, now) for each in people))
    for number, row in enumerate(events):
        event, at = row.id, now + number * _APART
        outgoing.plan(connection, home_again(event, at))
        if row.status == TournamentStatus.FINISHED.value:
            outgoing.plan(connection, podium_again(event, row.version, at))


def _takes_part(row: Any, user_id: UserId) -> bool:
    """Whether a person has, or is kept, a seat in a match that is not over for them."""
    players = _people(row["players"])
    if row["status"] == "offered":
        return user_id in (*players, *_people(row["invited"]))
    if row["status"] != "running" or user_id not in players:
        return False
    return players.index(user_id) not in json.loads(row["retired"])


def _table(column: Column[Any]) -> Table:
    assert isinstance(column.table, Table)  # noqa: S101 - they all are
    return column.table


def _named(user_id: UserId) -> str:
    """The pattern of a person's id in a text."""
    return rf"(?<![\d-]){user_id}(?!\d)"


def _renamed(people: str, user_id: UserId, pseudonym: UserId) -> str:
    """A column of people with another number in the place of one, also where it is damaged."""
    return re.sub(_named(user_id), str(pseudonym), people)
