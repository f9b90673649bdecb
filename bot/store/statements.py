"""The statements about matches and the outbox, built once, so that SQLAlchemy compiles each once.

The parameters of updates and deletes are named ``of_...`` where a column of the same name is set.
"""

from __future__ import annotations

from sqlalchemy import (
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
    update,
)

from bot.services.sending import NoticeKind
from bot.store.tables import (
    OVER,
    events,
    matches,
    outbox,
    posts,
    seats,
)

ADD_MATCH = insert(matches)
ADD_EVENT = insert(events)
ADD_SEATS = insert(seats)
ADD_DELIVERY = insert(outbox).values(
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
ADD_POST = insert(posts)

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
    "status",
    "result",
    "expires_at",
    "requests",
    "times",
    "deadline",
    "lapses_at",
)
"""What an event may change, as :func:`bot.store.rows.changing_row` gives it."""
MOVE_MATCH = (
    update(matches)
    .where(
        matches.c.id == bindparam("of_match"),
        matches.c.version == bindparam("of_version"),
        matches.c.set_aside_at.is_not_distinct_from(bindparam("of_set_aside_at")),
    )
    .values({name: bindparam(name) for name in CHANGING})
)
"""A match that has been set aside since is another one."""
SET_PLAYERS = (
    update(matches)
    .where(matches.c.id == bindparam("of_match"))
    .values(players=bindparam("players"))
)
"""Only where a player joins or leaves: one who was forgotten since the match was read stays
forgotten."""
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
RUNNING_IN = (
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
OVER_OF = (
    select(matches)
    .join(seats, seats.c.match_id == matches.c.id)
    .where(seats.c.user_id == bindparam("of_user"), text(OVER))
    .order_by(matches.c.updated_at.desc(), matches.c.id)
    .limit(bindparam("at_most"))
    .offset(bindparam("skipped"))
)
RUNNING_IN_SERVER = (
    select(matches)
    .where(matches.c.status == "running", matches.c.guild_id == bindparam("of_guild"))
    .order_by(matches.c.updated_at.desc(), matches.c.id)
    .limit(bindparam("at_most"))
    .offset(bindparam("skipped"))
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

MAY_REST = ("retire", "erase", "notice", "close")
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
NEXT_DUE = select(
    func.min(
        case(
            (outbox.c.due_at > outbox.c.lease_until, outbox.c.due_at),
            else_=outbox.c.lease_until,
        )
    ).label("due_at")
).where(or_(outbox.c.trouble == "quiet", _is_first))
"""A night's resting notices may be many, and what is before each of them need not be looked for: at
worst somebody looks for what is due once too often."""
_about_offers = or_(*(outbox.c.kind == kind for kind in ("offer", "offer_update", "thread")))
_lines = posts.alias("lines")
_post_kind = case((_about_offers, "offer"), else_="board")
PENDING_OF = (
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
TAKE = (
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
FINISH = delete(outbox).where(
    outbox.c.match_id == bindparam("of_match"), outbox.c.lease_by == bindparam("of_lease")
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
"""An earlier copy of the database may have been put back, so what was never put off may be sent."""
MOVE_POST = (
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
LINE = select(posts.c.channel_id, posts.c.message_id).where(
    posts.c.match_id == bindparam("of_match"),
    posts.c.kind == "line",
    posts.c.audience == bindparam("of_audience"),
)
POSTS_OF = select(posts.c.audience, posts.c.channel_id, posts.c.message_id).where(
    posts.c.match_id == bindparam("of_match"), posts.c.kind == bindparam("of_kind")
)
DROP_POST = delete(posts).where(
    posts.c.match_id == bindparam("of_match"),
    posts.c.kind == bindparam("of_kind"),
    posts.c.audience == bindparam("of_audience"),
)
DROP_LINE = delete(posts).where(
    posts.c.match_id == bindparam("of_match"),
    posts.c.kind == "line",
    posts.c.audience == bindparam("of_audience"),
)
BOARDS_OF = select(posts.c.audience).where(
    posts.c.match_id == bindparam("of_match"), posts.c.kind == "board"
)
