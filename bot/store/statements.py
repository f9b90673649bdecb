"""The statements about matches and the outbox, built once, so that SQLAlchemy compiles each once.

An update sets the columns that its parameters name; those that find its rows begin with ``of_``.
"""

from __future__ import annotations

from sqlalchemy import (
    bindparam,
    delete,
    insert,
    or_,
    select,
    text,
    update,
)

from bot.domain.match import MatchStatus
from bot.store.tables import (
    OVER,
    events,
    matches,
    posts,
    seats,
)

ADD_MATCH = insert(matches)
ADD_EVENT = insert(events)
ADD_SEATS = insert(seats)
ADD_POST = insert(posts)

SET_MATCH = update(matches).where(matches.c.id == bindparam("of_match"))
MOVE_MATCH = SET_MATCH.where(
    matches.c.version == bindparam("of_version"),
    matches.c.set_aside_at.is_not_distinct_from(bindparam("of_set_aside_at")),
)
"""A match that has been set aside since is another one."""
HOME = select(matches.c.home_id).where(matches.c.id == bindparam("of_match"))
_SET_SEATS = update(seats).where(seats.c.match_id == bindparam("of_match"))
_SET_SEAT = _SET_SEATS.where(seats.c.user_id == bindparam("of_user"))
LEAVE_SEAT, TAKE_SEAT = _SET_SEAT.values(active=False), _SET_SEAT.values(active=True)
REST_SEATS = _SET_SEATS.values(active=False)

MATCH = select(matches).where(matches.c.id == bindparam("of_match"))
MATCH_AND_DONE = (
    select(matches, events)
    .select_from(matches.outerjoin(events, events.c.interaction_id == bindparam("of_interaction")))
    .where(matches.c.id == bindparam("of_match"))
)
HASH = select(events.c.hash).where(
    events.c.match_id == bindparam("of_match"), events.c.seq == bindparam("of_seq")
)
DONE = select(events).where(events.c.interaction_id == bindparam("of_interaction"))
HISTORY = select(events).where(events.c.match_id == bindparam("of_match")).order_by(events.c.seq)
RUNNING_IN = (
    select(matches)
    .where(
        matches.c.status == MatchStatus.RUNNING,
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
    .where(matches.c.status == MatchStatus.OFFERED, matches.c.expires_at <= bindparam("now"))
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
IS_SEEN = or_(
    matches.c.guild_id == bindparam("seen_in", type_=matches.c.guild_id.type),
    matches.c.id.in_(
        select(seats.c.match_id).where(
            seats.c.user_id == bindparam("seen_by", type_=seats.c.user_id.type)
        )
    ),
)
"""Whether a match may be seen in a server by a person, nearly as :meth:`Match.is_visible` says."""
OVER_OF = (
    select(matches)
    .join(seats, seats.c.match_id == matches.c.id)
    .where(
        seats.c.user_id == bindparam("of_user"),
        text(OVER),
        IS_SEEN,
    )
    .order_by(matches.c.updated_at.desc(), matches.c.id)
    .limit(bindparam("at_most"))
    .offset(bindparam("skipped"))
)
RUNNING_IN_SERVER = (
    select(matches)
    .where(matches.c.status == MatchStatus.RUNNING, matches.c.guild_id == bindparam("of_guild"))
    .order_by(matches.c.updated_at.desc(), matches.c.id)
    .limit(bindparam("at_most"))
    .offset(bindparam("skipped"))
)
_other_seats = seats.alias("other_seats")
MET = (
    select(matches)
    .join(seats, seats.c.match_id == matches.c.id)
    .join(_other_seats, _other_seats.c.match_id == matches.c.id)
    .where(
        seats.c.user_id == bindparam("of_user"),
        _other_seats.c.user_id == bindparam("of_other"),
        matches.c.status == MatchStatus.FINISHED,
    )
    .order_by(matches.c.updated_at.desc(), matches.c.id)
    .limit(bindparam("at_most"))
)
RUNNING_AFTER = (
    select(matches)
    .where(
        matches.c.id > bindparam("after"),
        matches.c.status == MatchStatus.RUNNING,
        matches.c.guild_id.is_not(None),
        matches.c.tournament.is_(None),
        matches.c.updated_at <= bindparam("before"),
    )
    .order_by(matches.c.id)
    .limit(bindparam("at_most"))
)
MATCHES_AFTER = (
    select(matches)
    .where(matches.c.id > bindparam("after"))
    .order_by(matches.c.id)
    .limit(bindparam("at_most"))
)
NEWEST_EVENTS = select(events.c.match_id).order_by(text("rowid DESC")).limit(bindparam("at_most"))
"""For SQLite, which numbers rows as they come."""

# ---- what stands for a match ------------------------------------------------------------------

POSTS_OF = (
    select(matches.c.home_id, posts)
    .select_from(matches.outerjoin(posts, posts.c.match_id == matches.c.id))
    .where(matches.c.id == bindparam("of_match"))
    .order_by(posts.c.message_id)
)
"""A match's home with each message that stands for it, the newest last; one row without a message
if none does."""
_of_post = (
    posts.c.match_id == bindparam("of_match"),
    posts.c.message_id == bindparam("of_message"),
)
DROP_POST = delete(posts).where(*_of_post)
