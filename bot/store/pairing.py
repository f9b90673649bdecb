"""The facts that decide whether people are brought together, and the counts of limits.

Plain functions of a connection, like :mod:`bot.store.transactions`. A limit is judged in the
transaction that uses it up, and on PostgreSQL such transactions of the same people or the same
server come one after another.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, bindparam, case, delete, func, insert, or_, select

from bot.domain.computers import is_computer
from bot.domain.events import Change, EventKind
from bot.domain.ids import ChannelId, GuildId, UserId
from bot.domain.match import Match, MatchStatus, Venue
from bot.posts.deliveries import Committed
from bot.store import database, rating_lists
from bot.store.records import (
    PairingCheck,
    PairingFacts,
    ServerLoad,
    Tally,
    TallyChange,
    TallyKind,
)
from bot.store.tables import blocks, jobs, matches, seats, tallies

_BLOCKS_AMONG = select(blocks.c.user_id, blocks.c.other_id).where(
    blocks.c.user_id.in_(bindparam("of_users", expanding=True)),
    blocks.c.other_id.in_(bindparam("of_users", expanding=True)),
)
_RUNNING_OF = (
    select(seats.c.user_id, func.count().label("running"))
    .join(matches, matches.c.id == seats.c.match_id)
    .where(
        seats.c.user_id.in_(bindparam("of_users", expanding=True)),
        seats.c.active == 1,
        matches.c.status == MatchStatus.RUNNING,
    )
    .group_by(seats.c.user_id)
)
_OFFERS_OF = (
    select(matches.c.players, matches.c.offered_by)
    .join(seats, seats.c.match_id == matches.c.id)
    .where(
        seats.c.user_id == bindparam("of_user"),
        seats.c.active == 1,
        matches.c.status == MatchStatus.OFFERED,
    )
)
_RUNNING_IN_SERVER = (
    select(func.count())
    .select_from(matches)
    .where(matches.c.guild_id == bindparam("of_guild"), matches.c.status == MatchStatus.RUNNING)
)
_WITHOUT_THREAD = (
    select(func.count())
    .select_from(matches)
    .where(
        matches.c.guild_id == bindparam("of_guild"),
        matches.c.status == MatchStatus.RUNNING,
        matches.c.venue == Venue.THREAD,
        matches.c.home_id.is_(None),
    )
)
_others = seats.alias("others")
_WITH_COMPUTERS = (
    select(func.count(func.distinct(seats.c.match_id)))
    .join(_others, _others.c.match_id == seats.c.match_id)
    .join(matches, matches.c.id == seats.c.match_id)
    .where(
        seats.c.user_id == bindparam("of_user"),
        seats.c.active == 1,
        _others.c.user_id.between(-999, -1),
        or_(matches.c.status == MatchStatus.RUNNING, matches.c.status == MatchStatus.OFFERED),
    )
)
_JOBS = select(
    func.count().label("waiting"),
    func.coalesce(func.sum(case((jobs.c.guild_id == bindparam("of_guild"), 1), else_=0)), 0).label(
        "here"
    ),
)
"""The work of computers, in the hands of a process or not."""
_ADD_TALLY = insert(tallies)
_DROP_TALLY = delete(tallies).where(
    tallies.c.kind == bindparam("of_kind"),
    tallies.c.owner_id == bindparam("of_owner"),
    tallies.c.other_id == bindparam("of_other"),
    tallies.c.match_id == bindparam("of_match"),
)
_BETWEEN = (
    select(tallies.c.kind, tallies.c.other_id, tallies.c.at, matches.c.game)
    .select_from(tallies.join(matches, matches.c.id == tallies.c.match_id))
    .where(
        or_(tallies.c.kind == TallyKind.OFFER, tallies.c.kind == TallyKind.DECLINE),
        tallies.c.owner_id == bindparam("of_user"),
        tallies.c.other_id.in_(bindparam("of_users", expanding=True)),
        tallies.c.at > bindparam("since"),
    )
)
_MADE = (
    select(tallies.c.at)
    .where(
        tallies.c.kind == TallyKind.THREAD,
        tallies.c.owner_id == bindparam("of_guild"),
        tallies.c.at > bindparam("since"),
    )
    .order_by(tallies.c.at)
)
_IS_RESERVED = select(tallies.c.at).where(
    tallies.c.kind == TallyKind.THREAD,
    tallies.c.owner_id == bindparam("of_guild"),
    tallies.c.other_id == bindparam("of_other"),
    tallies.c.match_id == bindparam("of_match"),
)
_FORGET_TALLIES = delete(tallies).where(tallies.c.at < bindparam("before"))


def facts(connection: Connection, check: PairingCheck) -> PairingFacts:
    """The facts that may keep people from being brought together."""
    people, asker, others = check.people, check.people[0], check.people[1:]
    among: frozenset[tuple[UserId, UserId]] = frozenset()
    tallied: tuple[Tally, ...] = ()
    rated: dict[UserId, int] = {}
    if others:
        found = connection.execute(_BLOCKS_AMONG, {"of_users": people}).all()
        among = frozenset((row.user_id, row.other_id) for row in found)
        given = {"of_user": asker, "of_users": others, "since": check.since}
        between = connection.execute(_BETWEEN, given).all()
        tallied = tuple(Tally(row.kind, row.other_id, row.at, row.game) for row in between)
        if check.rated_game is not None:
            rated = rating_lists.rated_lately(
                connection, asker, others, check.rated_game, check.rated_since
            )
    counted = connection.execute(_RUNNING_OF, {"of_users": people})
    running = dict.fromkeys(people, 0) | {row.user_id: row.running for row in counted}
    offers = sum(
        row.players[row.offered_by] == asker
        for row in connection.execute(_OFFERS_OF, {"of_user": asker})
    )
    in_server = 0
    if check.guild_id is not None:
        counting = {"of_guild": check.guild_id}
        in_server = connection.execute(_RUNNING_IN_SERVER, counting).scalar_one()
    playing, waiting, here = None, 0, 0
    if check.has_computers:
        playing = connection.execute(_WITH_COMPUTERS, {"of_user": asker}).scalar_one()
        queue = connection.execute(_JOBS, {"of_guild": check.guild_id}).one()
        waiting, here = queue.waiting, queue.here
    return PairingFacts(among, running, offers, tallied, in_server, rated, playing, waiting, here)


def tally(connection: Connection, now: Committed) -> None:
    """Count what a change uses up of the limits, or stop counting it."""
    for each in tallies_of(now.change):
        owner, match = each.owner, now.head
        if each.counts:
            _count(connection, each.kind, owner, other=each.other, match=match, at=now.at)
        else:
            _discount(connection, each.kind, owner, other=each.other, match=match)


def tallies_of(change: Change) -> tuple[TallyChange, ...]:
    """Offers to people by name, and those they declined; an accepted one was welcome."""
    match, event = change.match, change.event
    host, guest = match.players[match.offered_by], event.user_id
    if host is None:
        return ()
    if event.kind is EventKind.OFFERED:
        named = (each for each in match.invited if each is not None and not is_computer(each))
        return tuple(TallyChange(TallyKind.OFFER, host, each) for each in named)
    if guest is not None and event.kind is EventKind.DECLINED:
        return (TallyChange(TallyKind.DECLINE, host, guest),)
    if guest is not None and event.kind in (EventKind.JOINED, EventKind.STARTED):
        return (TallyChange(TallyKind.OFFER, host, guest, counts=False),)
    return ()


def reserve_thread(  # noqa: PLR0917 - as the store's method has them
    connection: Connection,
    match: Match,
    gone: ChannelId | None,
    now: datetime,
    since: datetime,
    most: int,
) -> bool:
    """Count a thread that is about to be made for a match, in place of one that is gone.

    False if ``most`` have been counted in the server since then; it counts once, however often
    it is reserved.
    """
    owner = match.origin.guild_id
    if owner is None:
        return True
    database.hold(connection, (owner,))
    which = {"of_guild": owner, "of_other": gone or 0, "of_match": match.id}
    if connection.execute(_IS_RESERVED, which).first() is not None:
        return True
    made = connection.execute(_MADE, {"of_guild": owner, "since": since}).all()
    if len(made) >= most:
        return False
    _count(connection, TallyKind.THREAD, owner, other=gone or 0, match=match, at=now)
    return True


def server_load(connection: Connection, guild_id: GuildId, since: datetime) -> ServerLoad:
    """How much of what is limited a server uses; threads still to be made count."""
    counting = {"of_guild": guild_id, "since": since}
    made = tuple(connection.execute(_MADE, counting).scalars())
    to_make = connection.execute(_WITHOUT_THREAD, {"of_guild": guild_id}).scalar_one()
    return ServerLoad(
        len(made) + to_make,
        connection.execute(_RUNNING_IN_SERVER, {"of_guild": guild_id}).scalar_one(),
        made,
    )


def return_thread(connection: Connection, match: Match, gone: ChannelId | None) -> None:
    """Do not count a thread that could not be made."""
    if match.origin.guild_id is not None:
        owner = match.origin.guild_id
        _discount(connection, TallyKind.THREAD, owner, other=gone or 0, match=match)


def _count(
    connection: Connection, kind: TallyKind, owner: int, *, other: int, match: Match, at: datetime
) -> None:
    row = {"kind": kind, "owner_id": owner, "other_id": other, "match_id": match.id, "at": at}
    connection.execute(_ADD_TALLY, row)


def _discount(
    connection: Connection, kind: TallyKind, owner: int, *, other: int, match: Match
) -> None:
    connection.execute(
        _DROP_TALLY,
        {"of_kind": kind, "of_owner": owner, "of_other": other, "of_match": match.id},
    )


def forget_tallies(connection: Connection, before: datetime) -> None:
    """Remove counts that are too old for any limit."""
    connection.execute(_FORGET_TALLIES, {"before": before})
