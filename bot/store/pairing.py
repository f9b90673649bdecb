"""The facts that decide whether people are brought together, and the counts of limits.

Plain functions of a connection, like :mod:`bot.store.transactions`. A limit is judged in the
transaction that uses it up, and on PostgreSQL such transactions of the same people or the same
server come one after another.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, case, delete, func, insert, or_, select

from bot.domain.computers import is_computer
from bot.domain.events import EventKind
from bot.domain.ids import ChannelId, GuildId, UserId
from bot.domain.match import Match, MatchStatus, Venue
from bot.posts.deliveries import Committed
from bot.store import database, rating_lists
from bot.store.records import PairingCheck, PairingFacts, ServerLoad, Tally, TallyKind
from bot.store.tables import blocks, jobs, matches, seats, tallies

_is_running = matches.c.status == MatchStatus.RUNNING
_others = seats.alias("others")


def facts(connection: Connection, check: PairingCheck) -> PairingFacts:
    """The facts that may keep people from being brought together."""
    people, asker, others = check.people, check.people[0], check.people[1:]
    among: frozenset[tuple[UserId, UserId]] = frozenset()
    tallied: tuple[Tally, ...] = ()
    rated: dict[UserId, int] = {}
    if others:
        are_these = (blocks.c.user_id.in_(people), blocks.c.other_id.in_(people))
        found = connection.execute(select(blocks.c.user_id, blocks.c.other_id).where(*are_these))
        among = frozenset((row.user_id, row.other_id) for row in found)
        tallied = _between(connection, asker, others, check.since)
        if check.rated_game is not None:
            rated = rating_lists.rated_lately(
                connection, asker, others, check.rated_game, check.rated_since
            )
    counted = connection.execute(
        select(seats.c.user_id, func.count().label("running"))
        .join(matches, matches.c.id == seats.c.match_id)
        .where(seats.c.user_id.in_(people), seats.c.active == 1, _is_running)
        .group_by(seats.c.user_id)
    )
    running = dict.fromkeys(people, 0) | {row.user_id: row.running for row in counted}
    is_theirs = (seats.c.user_id == asker, seats.c.active == 1)
    offered = connection.execute(
        select(matches.c.players, matches.c.offered_by)
        .join(seats, seats.c.match_id == matches.c.id)
        .where(*is_theirs, matches.c.status == MatchStatus.OFFERED)
    )
    offers = sum(row.players[row.offered_by] == asker for row in offered)
    in_server = 0 if check.guild_id is None else _running_in(connection, check.guild_id)
    playing, waiting, here = None, 0, 0
    if check.has_computers:
        with_computers = (
            select(func.count(func.distinct(seats.c.match_id)))
            .join(_others, _others.c.match_id == seats.c.match_id)
            .join(matches, matches.c.id == seats.c.match_id)
            .where(
                *is_theirs,
                _others.c.user_id.between(-999, -1),
                or_(_is_running, matches.c.status == MatchStatus.OFFERED),
            )
        )
        playing = connection.execute(with_computers).scalar_one()
        # The work of computers, in the hands of a process or not.
        is_here = case((jobs.c.guild_id == (check.guild_id or 0), 1), else_=0)
        queue = select(func.count(), func.coalesce(func.sum(is_here), 0)).select_from(jobs)
        waiting, here = connection.execute(queue).one()
    return PairingFacts(among, running, offers, tallied, in_server, rated, playing, waiting, here)


def _between(
    connection: Connection, asker: UserId, others: tuple[UserId, ...], since: datetime
) -> tuple[Tally, ...]:
    found = connection.execute(
        select(tallies.c.kind, tallies.c.other_id, tallies.c.at, matches.c.game)
        .join(matches, matches.c.id == tallies.c.match_id)
        .where(
            tallies.c.kind.in_((TallyKind.OFFER, TallyKind.DECLINE)),
            tallies.c.owner_id == asker,
            tallies.c.other_id.in_(others),
            tallies.c.at > since,
        )
    )
    return tuple(Tally(*row) for row in found)


def _running_in(connection: Connection, guild_id: GuildId, *where: ColumnElement[bool]) -> int:
    counted = select(func.count()).select_from(matches).where(matches.c.guild_id == guild_id)
    return connection.execute(counted.where(_is_running, *where)).scalar_one()


def tally(connection: Connection, now: Committed) -> None:
    """Count offers to people by name, and those they declined; an accepted one was welcome."""
    match, event = now.change.match, now.change.event
    host, guest = match.players[match.offered_by], event.user_id
    if host is None:
        return
    if event.kind is EventKind.OFFERED:
        for named in match.invited:
            if named is not None and not is_computer(named):
                _count(connection, TallyKind.OFFER, host, other=named, match=match, at=now.at)
    elif guest is not None and event.kind is EventKind.DECLINED:
        _count(connection, TallyKind.DECLINE, host, other=guest, match=match, at=now.at)
    elif guest is not None and event.kind in (EventKind.JOINED, EventKind.STARTED):
        _discount(connection, TallyKind.OFFER, host, other=guest, match=match)


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
    is_it = _is_tally(TallyKind.THREAD, owner, gone or 0, match)
    if connection.execute(select(tallies.c.at).where(is_it)).first() is not None:
        return True
    if len(_made(connection, owner, since)) >= most:
        return False
    _count(connection, TallyKind.THREAD, owner, other=gone or 0, match=match, at=now)
    return True


def server_load(connection: Connection, guild_id: GuildId, since: datetime) -> ServerLoad:
    """How much of what is limited a server uses; threads still to be made count."""
    made = _made(connection, guild_id, since)
    has_none = (matches.c.venue == Venue.THREAD, matches.c.home_id.is_(None))
    to_make = _running_in(connection, guild_id, *has_none)
    return ServerLoad(len(made) + to_make, _running_in(connection, guild_id), made)


def _made(connection: Connection, guild_id: GuildId, since: datetime) -> tuple[datetime, ...]:
    """When the threads were made that have been made in a server since then."""
    are_its = (tallies.c.kind == TallyKind.THREAD, tallies.c.owner_id == guild_id)
    found = select(tallies.c.at).where(*are_its, tallies.c.at > since).order_by(tallies.c.at)
    return tuple(connection.execute(found).scalars())


def return_thread(connection: Connection, match: Match, gone: ChannelId | None) -> None:
    """Do not count a thread that could not be made."""
    if match.origin.guild_id is not None:
        owner = match.origin.guild_id
        _discount(connection, TallyKind.THREAD, owner, other=gone or 0, match=match)


def _count(
    connection: Connection, kind: TallyKind, owner: int, *, other: int, match: Match, at: datetime
) -> None:
    row = {"kind": kind, "owner_id": owner, "other_id": other, "match_id": match.id, "at": at}
    connection.execute(insert(tallies), row)


def _discount(
    connection: Connection, kind: TallyKind, owner: int, *, other: int, match: Match
) -> None:
    connection.execute(delete(tallies).where(_is_tally(kind, owner, other, match)))


def _is_tally(kind: TallyKind, owner: int, other: int, match: Match) -> ColumnElement[bool]:
    is_between = and_(tallies.c.owner_id == owner, tallies.c.other_id == other)
    return and_(tallies.c.kind == kind, is_between, tallies.c.match_id == match.id)


def forget_tallies(connection: Connection, before: datetime) -> None:
    """Remove counts that are too old for any limit."""
    connection.execute(delete(tallies).where(tallies.c.at < before))
