"""Everything about one person, inside transactions: reading it out, and erasing it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    BindParameter,
    Column,
    Connection,
    Select,
    Table,
    and_,
    bindparam,
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

_PERSON: BindParameter[int] = bindparam("of_user")


def _columns(*kinds: Mapping[str, str]) -> tuple[Column[Any], ...]:
    every = (column for table in tables.metadata.tables.values() for column in table.columns)
    return tuple(each for each in every if each.info in kinds)


_matches, _events, _audit, _plans, _outbox = map(
    raw, (tables.matches, tables.events, tables.audit, tables.plans, tables.outbox)
)
_MATCHES = (
    select(_matches)
    .join(tables.seats, tables.seats.c.match_id == _matches.c.id)
    .where(tables.seats.c.user_id == _PERSON)
    .order_by(_matches.c.created_at, _matches.c.id)
)
_in_their_keys = _outbox.c.key.in_(bindparam("of_keys", expanding=True))
"""The messages that are for the person alone."""
_in_their_matches = _events.c.match_id.in_(
    select(tables.seats.c.match_id).where(tables.seats.c.user_id == _PERSON)
)
_EVENTS = (
    select(_events)
    .where(_in_their_matches, _events.c.user_id == _PERSON)
    .order_by(_events.c.match_id, _events.c.seq)
)
_NAME_EVENTS = (
    update(_events)
    .where(_in_their_matches, _events.c.user_id == _PERSON)
    .values(user_id=bindparam("pseudonym"))
)
_STILL_IN = (
    select(tables.tournament_entrants.c.number)
    .join(
        tables.tournaments,
        tables.tournaments.c.id == tables.tournament_entrants.c.tournament_id,
    )
    .where(
        tables.tournament_entrants.c.user_id == _PERSON,
        tables.tournament_entrants.c.standing == "active",
        tables.tournaments.c.is_over == 0,
    )
    .limit(1)
)
_DROP_NOTES = (
    update(tables.tournament_events)
    .where(tables.tournament_events.c.user_id == _PERSON)
    .values(note="")
)
"""The words of a director are theirs; their acts stay."""
_KEPT_OUT = select(tables.servers.c.guild_id, tables.servers.c.settings).where(
    tables.servers.c.settings.contains(bindparam("number"))
)
_LOGGED = select(_audit.c.id, _audit.c.before, _audit.c.after).where(
    or_(
        _audit.c.before.contains(bindparam("number")),
        _audit.c.after.contains(bindparam("number")),
    )
)
_NAME_LOGGED = (
    update(_audit)
    .where(_audit.c.id == bindparam("of_entry"))
    .values(before=bindparam("was"), after=bindparam("now"))
)
_EVENTS_WITH = (
    select(tables.tournaments.c.id, tables.tournaments.c.version, tables.tournaments.c.status)
    .where(
        or_(
            tables.tournaments.c.created_by == _PERSON,
            *(
                tables.tournaments.c.id.in_(
                    select(table.c.tournament_id).where(table.c.user_id == _PERSON)
                )
                for table in (
                    tables.tournament_entrants,
                    tables.tournament_directors,
                    tables.tournament_invited,
                )
            ),
        )
    )
    .order_by(tables.tournaments.c.is_over, tables.tournaments.c.created_at.desc())
)
_SHOWN = frozenset({"board", "offer"})
_APART = timedelta(seconds=5)
"""Between two matches of a person that are shown anew: half the pace at which Discord lets
messages of one channel be edited that are older than an hour."""
_NAME_MATCH = (
    update(_matches)
    .where(_matches.c.id == bindparam("of_match"))
    .values(players=bindparam("players"), invited=bindparam("invited"))
)


def _rows(connection: Connection, statement: Select[Any], user_id: UserId) -> list[JsonValue]:
    found = connection.execute(statement, {"of_user": user_id}).mappings().all()
    return [dict(row) for row in found]


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
    if not mine:
        return []
    return [dict(row) for row in connection.execute(select(_plans).where(or_(*mine))).mappings()]


def _keys_of(user_id: UserId) -> tuple[Key, ...]:
    return digest_key(user_id), vacation_key(user_id), follow_key(user_id)


def _to_send(connection: Connection, user_id: UserId) -> list[JsonValue]:
    found = connection.execute(
        select(_outbox).where(_in_their_keys), {"of_keys": _keys_of(user_id)}
    )
    return [dict(row) for row in found.mappings()]


def _kept_out_of(connection: Connection, user_id: UserId) -> list[JsonValue]:
    """The servers in which the person may not play."""
    found = connection.execute(_KEPT_OUT, {"number": str(user_id)})
    return [str(row.guild_id) for row in found if re.search(_named(user_id), row.settings)]


def held_about(connection: Connection, user_id: UserId, now: datetime) -> dict[str, JsonValue]:
    """Everything that is held about a person, by table, each row as it is kept."""
    found = connection.execute(_MATCHES, {"of_user": user_id}).mappings().all()
    held: dict[str, JsonValue] = {
        "user_id": str(user_id),
        "written": now.isoformat(),
        "matches": [dict(row) for row in found],
        "events": _rows(connection, _EVENTS, user_id),
        "plans": _plans_of(connection, found, user_id),
        "outbox": _to_send(connection, user_id),
        "kept_out_of": _kept_out_of(connection, user_id),
    }
    for column in _columns(NAMED, OWN, CHOSEN):
        kept = raw(_table(column))
        statement = select(kept).where(kept.c[column.name] == _PERSON)
        held.setdefault(column.table.name, [])
        rows = held[column.table.name]
        assert isinstance(rows, list)  # noqa: S101 - it was just put there
        found_rows = _rows(connection, statement, user_id)
        if column.info == CHOSEN:
            found_rows = [_without_its_writer(row) for row in found_rows]
        rows += found_rows
    return held


def forget(connection: Connection, user_id: UserId, pseudonym: UserId, now: datetime) -> int:
    """Erase a person; :exc:`~bot.store.errors.Conflict` if they still play.

    A server that keeps them out goes on doing so: its settings hold the id for that alone.
    """
    values = {"of_user": user_id, "pseudonym": pseudonym}
    events = connection.execute(_EVENTS_WITH, {"of_user": user_id}).all()
    if connection.execute(_STILL_IN, {"of_user": user_id}).first() is not None:
        raise Conflict
    found = connection.execute(_MATCHES.with_for_update(), {"of_user": user_id}).mappings().all()
    for row in found:
        players = _people(row["players"])
        if row["set_aside_at"] is None and _takes_part(row, user_id):
            raise Conflict
        if user_id in players:
            plans.put(connection, Plan(MatchId(row["id"]), players.index(user_id), row["ply"]))
        connection.execute(
            _NAME_MATCH,
            {
                "of_match": row["id"],
                "players": _renamed(row["players"], user_id, pseudonym),
                "invited": _renamed(row["invited"], user_id, pseudonym),
            },
        )
    connection.execute(_NAME_EVENTS, values)
    for entry in connection.execute(_LOGGED, {"number": str(user_id)}).all():
        before, after = (_renamed(each, user_id, pseudonym) for each in (entry.before, entry.after))
        connection.execute(_NAME_LOGGED, {"of_entry": entry.id, "was": before, "now": after})
    connection.execute(_DROP_NOTES, {"of_user": user_id})
    for column in _columns(NAMED):
        connection.execute(
            update(_table(column))
            .where(column == _PERSON)
            .values({column: bindparam("pseudonym")}),
            values,
        )
    for column in _columns(OWN, CHOSEN):
        connection.execute(delete(_table(column)).where(column == _PERSON), {"of_user": user_id})
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
