"""The transactions on what people and servers have chosen, and on what is counted for a while."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import (
    Connection,
    and_,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from bot.domain.change import Change
from bot.domain.events import EventKind, micros, moment
from bot.domain.ids import ChannelId, GuildId, MatchId, MessageId, UserId
from bot.domain.match import Match, Venue
from bot.services.people_store import (
    AuditEntry,
    Circumstances,
    Kept,
    Reminder,
    Tally,
    TallyKind,
)
from bot.services.ports import Conflict
from bot.services.sending import Delivery, DeliveryKind, Posted
from bot.store import lobbies
from bot.store import statements as sql
from bot.store.rows import EVERYBODY, delivery_row
from bot.store.tables import (
    audit,
    blocks,
    matches,
    people,
    reminders,
    seats,
    servers,
    tallies,
)

_PERSON = select(people.c.version, people.c.settings).where(
    people.c.user_id == bindparam("of_user")
)
_ADD_PERSON = insert(people)
_KEEP_PERSON = (
    update(people)
    .where(people.c.user_id == bindparam("of_user"), people.c.version == bindparam("of_version"))
    .values(
        version=bindparam("version"),
        settings=bindparam("settings"),
        digest_at=bindparam("digest_at"),
    )
)
_SERVER = select(servers.c.version, servers.c.settings).where(
    servers.c.guild_id == bindparam("of_guild")
)
_ADD_SERVER = insert(servers)
_KEEP_SERVER = (
    update(servers)
    .where(
        servers.c.guild_id == bindparam("of_guild"), servers.c.version == bindparam("of_version")
    )
    .values(version=bindparam("version"), settings=bindparam("settings"))
)
_ADD_ENTRY = insert(audit)
_ENTRIES = (
    select(audit)
    .where(audit.c.guild_id == bindparam("of_guild"))
    .order_by(audit.c.id.desc())
    .limit(bindparam("at_most"))
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
_BLOCKS_AMONG = select(blocks.c.user_id, blocks.c.other_id).where(
    blocks.c.user_id.in_(bindparam("of_users", expanding=True)),
    blocks.c.other_id.in_(bindparam("of_users", expanding=True)),
)
_RUNNING_OF = (
    select(seats.c.user_id, func.count())
    .join(matches, matches.c.id == seats.c.match_id)
    .where(
        seats.c.user_id.in_(bindparam("of_users", expanding=True)),
        seats.c.active == 1,
        matches.c.status == "running",
    )
    .group_by(seats.c.user_id)
)
_OFFERS_OF = (
    select(matches.c.players, matches.c.offered_by)
    .join(seats, seats.c.match_id == matches.c.id)
    .where(
        seats.c.user_id == bindparam("of_user"),
        seats.c.active == 1,
        matches.c.status == "offered",
    )
)
_RUNNING_IN_SERVER = (
    select(func.count())
    .select_from(matches)
    .where(matches.c.guild_id == bindparam("of_guild"), matches.c.status == "running")
)
_ADD_TALLY = insert(tallies)
_WELCOME = delete(tallies).where(
    tallies.c.kind == "offer",
    tallies.c.owner_id == bindparam("of_host"),
    tallies.c.other_id == bindparam("of_user"),
    tallies.c.match_id == bindparam("of_match"),
)
_BETWEEN = select(tallies.c.kind, tallies.c.other_id, tallies.c.at).where(
    or_(tallies.c.kind == "offer", tallies.c.kind == "decline"),
    tallies.c.owner_id == bindparam("of_user"),
    tallies.c.other_id.in_(bindparam("of_users", expanding=True)),
    tallies.c.at > bindparam("since"),
)
_THREADS = (
    select(func.count())
    .select_from(tallies)
    .where(
        tallies.c.kind == "thread",
        tallies.c.owner_id == bindparam("of_guild"),
        tallies.c.at > bindparam("since"),
    )
)
_FORGET_TALLIES = delete(tallies).where(tallies.c.at < bindparam("before"))
_DIGESTS = (
    select(people.c.user_id, people.c.digest_at)
    .where(people.c.digest_at <= bindparam("now"))
    .order_by(people.c.digest_at)
    .limit(bindparam("at_most"))
)
_DIGEST_DONE = (
    update(people)
    .where(people.c.user_id == bindparam("of_user"), people.c.digest_at == bindparam("was"))
    .values(digest_at=bindparam("then"))
)
_REMINDERS_OF = select(reminders.c.since, reminders.c.hours).where(
    reminders.c.match_id == bindparam("of_match"), reminders.c.due_at.is_(None)
)
_CLEAR_REMINDERS = delete(reminders).where(
    reminders.c.match_id == bindparam("of_match"),
    or_(
        and_(
            reminders.c.since < bindparam("of_since"),
            or_(reminders.c.due_at.is_(None), reminders.c.due_at > bindparam("now")),
        ),
        and_(reminders.c.since == bindparam("of_since"), reminders.c.due_at.is_not(None)),
    ),
)
"""One of an earlier turn that is due may have been given, and is still to be looked for."""
_ADD_REMINDERS = insert(reminders)
_REMINDERS_DUE = (
    select(reminders)
    .where(reminders.c.due_at <= bindparam("now"))
    .order_by(reminders.c.due_at)
    .limit(bindparam("at_most"))
)
_REMINDER_AT = (
    update(reminders)
    .where(
        and_(
            reminders.c.match_id == bindparam("of_match"),
            reminders.c.since == bindparam("of_since"),
            reminders.c.hours == bindparam("of_hours"),
        )
    )
    .values(due_at=bindparam("then"))
)


def _micros(at: datetime | None) -> int | None:
    return None if at is None else micros(at)


def person(connection: Connection, user_id: UserId) -> Kept:
    """What a person has chosen."""
    row = connection.execute(_PERSON, {"of_user": user_id}).first()
    return Kept() if row is None else Kept(row.version, row.settings)


def keep_person(
    connection: Connection, user_id: UserId, version: int, text: str, digest_at: datetime | None
) -> None:
    """Write what a person has chosen; :exc:`Conflict` if the version is another by now."""
    values = {"version": version + 1, "settings": text, "digest_at": _micros(digest_at)}
    if version == 0:
        connection.execute(_ADD_PERSON, {"user_id": user_id, **values})
        return
    given = {"of_user": user_id, "of_version": version, **values}
    if connection.execute(_KEEP_PERSON, given).rowcount != 1:
        raise Conflict


def server(connection: Connection, guild_id: GuildId) -> Kept:
    """What has been chosen for a server."""
    row = connection.execute(_SERVER, {"of_guild": guild_id}).first()
    return Kept() if row is None else Kept(row.version, row.settings)


def keep_server(
    connection: Connection,
    guild_id: GuildId,
    version: int,
    text: str,
    entry: AuditEntry,
    *,
    lobby: ChannelId | None,
) -> None:
    """Write what has been chosen for a server, and by whom, and have its lobby where it says."""
    values = {"version": version + 1, "settings": text}
    if version == 0:
        connection.execute(_ADD_SERVER, {"guild_id": guild_id, **values})
    else:
        given = {"of_guild": guild_id, "of_version": version, **values}
        if connection.execute(_KEEP_SERVER, given).rowcount != 1:
            raise Conflict
    lobbies.choose(connection, guild_id, lobby)
    connection.execute(
        _ADD_ENTRY,
        {
            "at": micros(entry.at),
            "guild_id": guild_id,
            "user_id": entry.user_id,
            "act": entry.act,
            "before": _dump(entry.before),
            "after": _dump(entry.after),
        },
    )


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), sort_keys=True)


def audit_of(connection: Connection, guild_id: GuildId, limit: int) -> tuple[AuditEntry, ...]:
    """The newest entries of a server."""
    found = connection.execute(_ENTRIES, {"of_guild": guild_id, "at_most": limit}).all()
    return tuple(
        AuditEntry(
            moment(row.at),
            GuildId(row.guild_id),
            UserId(row.user_id),
            row.act,
            json.loads(row.before),
            json.loads(row.after),
        )
        for row in found
    )


def block(connection: Connection, user_id: UserId, other: UserId, at: datetime, most: int) -> bool:
    """Keep two people apart, unless the first has blocked so many already."""
    already = connection.execute(_BLOCKED_BY, {"of_user": user_id}).scalars().all()
    if other in already:
        return True
    if len(already) >= most:
        return False
    connection.execute(_ADD_BLOCK, {"user_id": user_id, "other_id": other, "at": micros(at)})
    return True


def unblock(connection: Connection, user_id: UserId, other: UserId) -> bool:
    """Keep two people apart no more."""
    return connection.execute(_REMOVE_BLOCK, {"of_user": user_id, "of_other": other}).rowcount > 0


def blocked_by(connection: Connection, user_id: UserId) -> tuple[UserId, ...]:
    """Whom a person has blocked."""
    return tuple(
        UserId(other) for other in connection.execute(_BLOCKED_BY, {"of_user": user_id}).scalars()
    )


def circumstances(
    connection: Connection,
    users: tuple[UserId, ...],
    guild_id: GuildId | None,
    since: datetime,
) -> Circumstances:
    """What stands in the way of bringing people together."""
    asker, others = users[0], users[1:]
    among: frozenset[tuple[UserId, UserId]] = frozenset()
    tallied: tuple[Tally, ...] = ()
    if others:
        found = connection.execute(_BLOCKS_AMONG, {"of_users": users}).all()
        among = frozenset((UserId(row.user_id), UserId(row.other_id)) for row in found)
        given = {"of_user": asker, "of_users": others, "since": micros(since)}
        tallied = tuple(
            Tally(TallyKind(row.kind), UserId(row.other_id), moment(row.at))
            for row in connection.execute(_BETWEEN, given).all()
        )
    running = dict.fromkeys(users, 0)
    for user, count in connection.execute(_RUNNING_OF, {"of_users": users}).all():
        running[UserId(user)] = count
    offers = sum(
        json.loads(row.players)[row.offered_by] == asker
        for row in connection.execute(_OFFERS_OF, {"of_user": asker}).all()
    )
    in_server = 0
    if guild_id is not None:
        in_server = connection.execute(_RUNNING_IN_SERVER, {"of_guild": guild_id}).scalar_one()
    return Circumstances(among, running, offers, tallied, in_server)


def tally(connection: Connection, change: Change) -> None:
    """Count what a change counts towards: offers to people by name, and those they declined.

    What they accept counts no more, for it was welcome.
    """
    match, event = change.match, change.event
    host = match.players[match.offered_by]
    if host is None:
        return
    if event.kind is EventKind.OFFERED:
        others: Sequence[UserId] = [guest for guest in match.invited if guest is not None]
        kind = TallyKind.OFFER
    elif event.kind is EventKind.DECLINED and event.user_id is not None:
        others, kind = [event.user_id], TallyKind.DECLINE
    else:
        if event.kind in (EventKind.JOINED, EventKind.STARTED):
            given = {"of_host": host, "of_user": event.user_id, "of_match": match.id}
            connection.execute(_WELCOME, given)
        return
    for other in others:
        _count(connection, kind, host, other=other, match=match, at=micros(event.at))


def tally_thread(connection: Connection, match: Match, at: datetime) -> None:
    """Count a thread that was made for a match."""
    if match.origin.guild_id is not None:
        owner = match.origin.guild_id
        _count(connection, TallyKind.THREAD, owner, other=0, match=match, at=micros(at))


def _count(
    connection: Connection, kind: TallyKind, owner: int, *, other: int, match: Match, at: int
) -> None:
    connection.execute(
        _ADD_TALLY,
        {
            "kind": kind.value,
            "owner_id": owner,
            "other_id": other,
            "match_id": match.id,
            "at": at,
        },
    )


def threads_since(connection: Connection, guild_id: GuildId, since: datetime) -> int:
    """How many threads were made in a server."""
    given = {"of_guild": guild_id, "since": micros(since)}
    return int(connection.execute(_THREADS, given).scalar_one())


def forget_tallies(connection: Connection, before: datetime) -> None:
    """Remove what no limit asks for any more."""
    connection.execute(_FORGET_TALLIES, {"before": micros(before)})


def digests_due(
    connection: Connection, now: datetime, limit: int
) -> tuple[tuple[UserId, datetime], ...]:
    """Whose digest is due."""
    found = connection.execute(_DIGESTS, {"now": micros(now), "at_most": limit}).all()
    return tuple((UserId(row.user_id), moment(row.digest_at)) for row in found)


def digest_done(
    connection: Connection, user_id: UserId, was: datetime, then: datetime | None
) -> bool:
    """Set when the next digest is due, if nobody else has."""
    given = {"of_user": user_id, "was": micros(was), "then": _micros(then)}
    return connection.execute(_DIGEST_DONE, given).rowcount == 1


def plan_reminders(
    connection: Connection,
    match_id: MatchId,
    since: int,
    planned: tuple[Reminder, ...],
    now: datetime,
) -> None:
    """Put new reminders in the place of a match's old ones."""
    done = {
        (row.since, row.hours)
        for row in connection.execute(_REMINDERS_OF, {"of_match": match_id}).all()
    }
    gone = {"of_match": match_id, "of_since": since, "now": micros(now)}
    connection.execute(_CLEAR_REMINDERS, gone)
    added = [
        {
            "match_id": match_id,
            "since": each.since,
            "hours": each.hours,
            "player": each.player,
            "due_at": micros(each.due_at),
        }
        for each in planned
        if (each.since, each.hours) not in done
    ]
    if added:
        connection.execute(_ADD_REMINDERS, added)


def reminders_due(connection: Connection, now: datetime, limit: int) -> tuple[Reminder, ...]:
    """Reminders whose time has come."""
    found = connection.execute(_REMINDERS_DUE, {"now": micros(now), "at_most": limit}).all()
    return tuple(
        Reminder(MatchId(row.match_id), row.since, row.player, row.hours, moment(row.due_at))
        for row in found
    )


def reminder_done(connection: Connection, reminder: Reminder) -> None:
    """Mark a reminder as given."""
    reminder_at(connection, reminder, None)


def reminder_at(connection: Connection, reminder: Reminder, at: datetime | None) -> None:
    """Set when a reminder is due, None for never again."""
    connection.execute(
        _REMINDER_AT,
        {
            "of_match": reminder.match_id,
            "of_since": reminder.since,
            "of_hours": reminder.hours,
            "then": _micros(at),
        },
    )


def replace_line(
    connection: Connection, match: Match, player: int, posted: Posted, *, version: int | None = None
) -> None:
    """Put a message in the place of the line that called a player, which is to be deleted.

    It calls for the move at a ``version`` of the match, the present one if none is given. Like a
    board it stands in the channel for everybody, or in the direct messages of one.
    """
    sql.hold(connection, match.id)
    audience = player if match.venue is Venue.DIRECT else EVERYBODY
    found = sql.LINE.rows(connection, {"of_match": match.id, "of_audience": audience})
    new = {
        "channel_id": posted.channel_id,
        "message_id": posted.message_id,
        "version": match.version if version is None else version,
    }
    if not found:
        key = {"match_id": match.id, "kind": "line", "audience": audience}
        sql.ADD_POST.run(connection, {**key, **new})
        return
    key = {"of_match": match.id, "of_kind": "line", "of_audience": audience}
    sql.MOVE_POST.run(connection, {**key, **new})
    old = Posted(ChannelId(found[0].channel_id), MessageId(found[0].message_id))
    if old != posted:
        gone = Delivery(DeliveryKind.ERASE, match.version, match.ply, player, target=old)
        sql.ADD_DELIVERY.run(connection, delivery_row(match.id, gone, micros(match.updated_at)))
