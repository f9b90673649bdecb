"""The statements, built once, so that SQLAlchemy compiles each once; those of a move are prepared.

The parameters of updates and deletes are named ``of_...`` where a column of the same name is set.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import (
    BigInteger,
    Connection,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    text,
    tuple_,
    update,
)

from bot.domain.ids import MatchId
from bot.services.sending import NoticeKind
from bot.store.prepared import Prepared
from bot.store.tables import (
    OVER,
    events,
    heartbeats,
    installation,
    matches,
    outages,
    outbox,
    posts,
    seats,
    unreached,
)

_IN_TURN = select(installation.c.id).with_for_update()


def one_after_another(connection: Connection) -> None:
    """Wait until no other process does what is done one after another: rating, heartbeats.

    PostgreSQL holds the one row of ``installation`` for it; SQLite has one writer.
    """
    if connection.dialect.name != "sqlite":
        connection.execute(_IN_TURN)


_HOLD = select(func.pg_advisory_xact_lock(bindparam("number", type_=BigInteger)))


def hold(connection: Connection, numbers: Iterable[int]) -> None:
    """Wait until no other transaction holds one of these ids, and hold them until this one ends.

    All take them in the same order, so that no two wait for each other. SQLite has one writer.
    """
    if connection.dialect.name != "sqlite":
        for number in sorted(set(numbers)):
            connection.execute(_HOLD, {"number": number})


ADD_MATCH = insert(matches)
ADD_EVENT = Prepared(insert(events))
ADD_SEATS = insert(seats)
ADD_DELIVERY = Prepared(
    insert(outbox).values(
        {
            name: bindparam(name)
            for name in (
                "match_id",
                "kind",
                "version",
                "ply",
                "audience",
                "notice",
                "target_channel_id",
                "target_message_id",
                "due_at",
            )
        }
    )
)
ADD_POST = Prepared(insert(posts))

ENDURING = ("status", "result", "expires_at", "requests", "lapses_at")
"""What most moves leave as it is. Naming the status would touch every partial index over it."""
CHANGING = (
    "version",
    "state",
    "previous_state",
    "last_move",
    "moved_by",
    "recent",
    "ply",
    "position_since",
    "retired",
    "updated_at",
    "head_hash",
)
CLOCKED = ("times", "deadline")
"""What every move changes where there is a clock; others leave its index alone."""
_this_version = (
    update(matches)
    .where(matches.c.id == bindparam("of_match"))
    .where(matches.c.version == bindparam("of_version"))
    .where(matches.c.head_hash == bindparam("of_hash"))
    .where(matches.c.set_aside_at.is_not_distinct_from(bindparam("of_set_aside_at")))
)
"""A match that has been set aside since is another one. And the hash stands for the whole history,
so that a head remembered from before the database was put back to a backup is not taken for one of
the same number that came afterwards."""
MOVE_MATCH = Prepared(_this_version.values({name: bindparam(name) for name in CHANGING}))
MOVE_CLOCKED = Prepared(
    _this_version.values({name: bindparam(name) for name in (*CHANGING, *CLOCKED)})
)
TURN_MATCH = Prepared(
    _this_version.values({name: bindparam(name) for name in (*CHANGING, *ENDURING, *CLOCKED)})
)
SET_PLAYERS = (
    update(matches)
    .where(matches.c.id == bindparam("of_match"))
    .values(players=bindparam("players"))
)
"""Only where somebody sits down or leaves: a head that is remembered may name somebody who has been
forgotten since."""
SET_HOME = (
    update(matches)
    .where(matches.c.id == bindparam("of_match"))
    .values(home_id=bindparam("home_id"))
)
HOME = select(matches.c.home_id).where(matches.c.id == bindparam("of_match"))
LEAVE_SEAT = (
    update(seats)
    .where(seats.c.match_id == bindparam("of_match"), seats.c.user_id == bindparam("of_user"))
    .values(active=0)
)
TAKE_SEAT = (
    update(seats)
    .where(seats.c.match_id == bindparam("of_match"), seats.c.user_id == bindparam("of_user"))
    .values(active=1)
)
REST_SEATS = update(seats).where(seats.c.match_id == bindparam("of_match")).values(active=0)

MATCH = select(matches).where(matches.c.id == bindparam("of_match"))
MATCH_AND_DONE = (
    select(matches, events)
    .select_from(matches.outerjoin(events, events.c.interaction_id == bindparam("of_interaction")))
    .where(matches.c.id == bindparam("of_match"))
)
DONE = select(events).where(events.c.interaction_id == bindparam("of_interaction"))
HISTORY = select(events).where(events.c.match_id == bindparam("of_match")).order_by(events.c.seq)
RUNNING_IN = Prepared(
    select(matches)
    .where(
        matches.c.status == "running",
        or_(
            matches.c.home_id == bindparam("of_channel"),
            matches.c.channel_id == bindparam("of_channel"),
        ),
    )
    .order_by(matches.c.created_at)
)
ACTIVE_OF = (
    select(matches)
    .join(seats, seats.c.match_id == matches.c.id)
    .where(seats.c.user_id == bindparam("of_user"), seats.c.active == 1)
    .order_by(matches.c.updated_at.desc())
)
LAPSED = (
    select(matches.c.id)
    .where(matches.c.status == "offered", matches.c.expires_at <= bindparam("now"))
    .order_by(matches.c.expires_at)
    .limit(bindparam("at_most"))
)
LAPSING = (
    select(matches.c.id)
    .where(matches.c.lapses_at.is_not(None), matches.c.lapses_at <= bindparam("now"))
    .order_by(matches.c.lapses_at)
    .limit(bindparam("at_most"))
)
OVER_IN = (
    select(matches)
    .where(text(OVER), matches.c.home_id == bindparam("of_channel"))
    .order_by(matches.c.created_at.desc())
    .limit(bindparam("at_most"))
)
_was_told = ~exists(
    select(unreached.c.since).where(
        unreached.c.match_id == matches.c.id,
        unreached.c.since == matches.c.position_since,
        unreached.c.ended_at.is_(None),
    )
)
"""A clock that is stopped because its player could not be told runs out at no deadline."""
OVERDUE = (
    select(matches.c.id, matches.c.deadline)
    .where(
        matches.c.deadline.is_not(None),
        _was_told,
        matches.c.deadline <= bindparam("now"),
        tuple_(matches.c.deadline, matches.c.id)
        > tuple_(bindparam("after_deadline"), bindparam("after_id")),
    )
    .order_by(matches.c.deadline, matches.c.id)
    .limit(bindparam("at_most"))
)
NEXT_DEADLINE = (
    select(matches.c.deadline)
    .where(matches.c.deadline.is_not(None), _was_told)
    .order_by(matches.c.deadline)
    .limit(1)
)
MATCHES_AFTER = (
    select(matches)
    .where(matches.c.id > bindparam("after"))
    .order_by(matches.c.id)
    .limit(bindparam("at_most"))
)
NEWEST_EVENTS = select(events.c.match_id).order_by(text("rowid DESC")).limit(bindparam("at_most"))
"""For SQLite, which numbers rows as they come."""

# ---- the outbox -----------------------------------------------------------------------------

MAY_REST = ("retire", "erase", "notice")
_earlier = outbox.alias("earlier")
_is_first = ~exists(
    select(_earlier.c.id).where(
        _earlier.c.match_id == outbox.c.match_id,
        _earlier.c.id < outbox.c.id,
        *(_earlier.c.kind != kind for kind in MAY_REST),
    )
)
"""What could not be put away yet holds nothing up, nor does a notice in quiet hours."""
DUE = (
    select(matches.c.id)
    .join(outbox, outbox.c.match_id == matches.c.id)
    .where(outbox.c.due_at <= bindparam("now"), outbox.c.lease_until <= bindparam("now"), _is_first)
    .order_by(outbox.c.due_at)
    .limit(bindparam("at_most"))
    .with_for_update(skip_locked=True, of=matches)
)
"""Matches whose oldest delivery is due. Whoever takes or settles deliveries of a match holds its
row of ``matches``; SQLite has no row locks, one writer, and ignores the clause."""
_LOCK = select(matches.c.id).where(matches.c.id == bindparam("of_match")).with_for_update()


def hold_match(connection: Connection, match_id: MatchId) -> None:
    """Hold a match's row, which whoever touches its deliveries does first, against deadlocks."""
    if connection.dialect.name != "sqlite":
        connection.execute(_LOCK, {"of_match": match_id})


NEXT_DUE = Prepared(
    select(
        func.min(
            case(
                (outbox.c.due_at > outbox.c.lease_until, outbox.c.due_at),
                else_=outbox.c.lease_until,
            )
        ).label("due_at")
    ).where(or_(outbox.c.trouble == "quiet", _is_first))
)
"""A night's resting notices may be many, and what is before each of them need not be looked for: at
worst somebody looks for what is due once too often."""
_about_offers = or_(*(outbox.c.kind == kind for kind in ("offer", "offer_update", "thread")))
_lines = posts.alias("lines")
_post_kind = case((_about_offers, "offer"), else_="board")
PENDING_OF = Prepared(
    select(
        matches.c.home_id,
        outbox.c.id.label("delivery_id"),
        outbox.c.kind.label("delivery"),
        outbox.c.version.label("delivery_version"),
        outbox.c.ply.label("delivery_ply"),
        outbox.c.audience,
        outbox.c.notice,
        outbox.c.target_channel_id,
        outbox.c.target_message_id,
        outbox.c.attempts,
        outbox.c.may_exist,
        outbox.c.due_at,
        outbox.c.trouble,
        outbox.c.lease_until,
        outbox.c.tried_at,
        posts.c.channel_id.label("shown_channel_id"),
        posts.c.message_id.label("shown_message_id"),
        _lines.c.channel_id.label("line_channel_id"),
        _lines.c.message_id.label("line_message_id"),
        _lines.c.version.label("line_version"),
    )
    .select_from(
        outbox.join(matches, matches.c.id == outbox.c.match_id)
        .outerjoin(
            posts,
            and_(
                posts.c.match_id == outbox.c.match_id,
                posts.c.kind == _post_kind,
                posts.c.audience == outbox.c.audience,
            ),
        )
        .outerjoin(
            _lines,
            and_(
                _lines.c.match_id == outbox.c.match_id,
                _lines.c.kind == "line",
                _lines.c.audience == outbox.c.audience,
            ),
        )
    )
    .where(outbox.c.match_id == bindparam("of_match"))
    .order_by(outbox.c.id)
)
TAKE = Prepared(
    update(outbox)
    .where(outbox.c.id == bindparam("of_id"))
    .values(
        attempts=outbox.c.attempts + 1,
        may_exist=1,
        tried_at=func.coalesce(outbox.c.tried_at, bindparam("now", type_=outbox.c.tried_at.type)),
        lease_by=bindparam("lease_by"),
        lease_until=bindparam("lease_until"),
    )
)
DROP = delete(outbox).where(outbox.c.id.in_(bindparam("of_ids", expanding=True)))
FINISH = Prepared(
    delete(outbox).where(
        outbox.c.match_id == bindparam("of_match"), outbox.c.lease_by == bindparam("of_lease")
    )
)
"""What is not done has been put off or released before, and is not under this lease any more."""
_doubt = bindparam("of_doubt", type_=outbox.c.may_exist.type)
_DOUBT = {
    "may_exist": _doubt,
    "tried_at": case((_doubt == 1, outbox.c.tried_at), else_=None),
}
"""Whether an attempt may have succeeded: from the first of which this can be said."""
PUT_OFF = (
    update(outbox)
    .where(outbox.c.id == bindparam("of_id"), outbox.c.lease_by == bindparam("of_lease"))
    .values(
        due_at=bindparam("due_at"),
        **_DOUBT,
        trouble=bindparam("trouble"),
        lease_by=None,
        lease_until=0,
    )
)
RELEASE = (
    update(outbox)
    .where(outbox.c.id == bindparam("of_id"), outbox.c.lease_by == bindparam("of_lease"))
    .values(
        attempts=outbox.c.attempts - 1,
        **_DOUBT,
        lease_by=None,
        lease_until=0,
    )
)
HURRY = (
    update(outbox)
    .where(outbox.c.match_id == bindparam("of_match"))
    .values(due_at=bindparam("due_at"))
)
CALLS_WAITING = select(outbox.c.id).where(
    outbox.c.match_id == bindparam("of_match"),
    outbox.c.notice.in_([notice.value for notice in NoticeKind if notice.is_call]),
    outbox.c.version >= bindparam("since"),
)
RELEASE_ALL = update(outbox).where(outbox.c.lease_until > 0).values(lease_by=None, lease_until=0)
DOUBT_ALL = (
    update(outbox)
    .where(outbox.c.trouble.is_(None))
    .values(may_exist=1, tried_at=func.coalesce(outbox.c.tried_at, outbox.c.due_at))
)
"""Taking what follows a batch may be lost in a power cut, so what was never put off may be sent."""
MOVE_POST = Prepared(
    update(posts)
    .where(
        posts.c.match_id == bindparam("of_match"),
        posts.c.kind == bindparam("of_kind"),
        posts.c.audience == bindparam("of_audience"),
    )
    .values(
        channel_id=bindparam("channel_id"),
        message_id=bindparam("message_id"),
        version=bindparam("version"),
    )
)
LINE = Prepared(
    select(posts.c.channel_id, posts.c.message_id).where(
        posts.c.match_id == bindparam("of_match"),
        posts.c.kind == "line",
        posts.c.audience == bindparam("of_audience"),
    )
)
DROP_LINE = Prepared(
    delete(posts).where(
        posts.c.match_id == bindparam("of_match"),
        posts.c.kind == "line",
        posts.c.audience == bindparam("of_audience"),
    )
)
BOARDS_OF = select(posts.c.audience).where(
    posts.c.match_id == bindparam("of_match"), posts.c.kind == "board"
)

# ---- when people could not act --------------------------------------------------------------

HEARTBEATS = Prepared(select(heartbeats))
ADD_HEARTBEAT = insert(heartbeats)
MOVE_HEARTBEAT = (
    update(heartbeats).where(heartbeats.c.scope == bindparam("of_scope")).values(at=bindparam("at"))
)
DROP_HEARTBEATS = delete(heartbeats).where(
    heartbeats.c.scope.in_(bindparam("of_scopes", expanding=True))
)
ADD_OUTAGE = insert(outages)
EXTEND_OUTAGE = (
    update(outages)
    .where(
        outages.c.scope == bindparam("of_scope"),
        outages.c.began_at == bindparam("of_began_at"),
        outages.c.ended_at >= bindparam("of_began_at"),
    )
    .values(ended_at=bindparam("ended_at"))
)
"""The second condition on the instant is for the index."""
OUTAGES = Prepared(
    select(outages)
    .where(
        outages.c.ended_at > bindparam("since"),
        outages.c.began_at < bindparam("until"),
        or_(
            outages.c.scope == bindparam("of_guild"),
            outages.c.scope.not_like(bindparam("guilds")),
        ),
    )
    .order_by(outages.c.began_at)
)
OUTAGES_OF_SERVERS = (
    select(outages)
    .where(outages.c.ended_at >= bindparam("since"), outages.c.scope.like(bindparam("guilds")))
    .order_by(outages.c.began_at)
)
SERVERS_PLAYING = (
    select(matches.c.guild_id)
    .where(matches.c.status == "running", matches.c.guild_id.is_not(None))
    .distinct()
)
NEWEST_OUTAGES = select(outages).order_by(outages.c.ended_at.desc()).limit(bindparam("at_most"))
