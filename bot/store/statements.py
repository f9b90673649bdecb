"""The statements about matches that a move needs, built once.

SQLAlchemy compiles each kind of statement once, but building one takes 70 microseconds, of a move
with all of its statements two milliseconds. So all others stand where they are used. An update sets
the columns that its parameters name; those that find its rows begin with ``of_``.
"""

from __future__ import annotations

from sqlalchemy import bindparam, delete, insert, or_, select, update

from bot.domain.match import MatchStatus
from bot.store.tables import events, matches, posts, seats

ADD_MATCH = insert(matches)
ADD_EVENT = insert(events)
ADD_POST = insert(posts)

SET_MATCH = update(matches).where(matches.c.id == bindparam("of_match"))
MOVE_MATCH = SET_MATCH.where(
    matches.c.version == bindparam("of_version"),
    matches.c.set_aside_at.is_not_distinct_from(bindparam("of_set_aside_at")),
)
"""A match that has been set aside since is another one."""
HOME = select(matches.c.home_id).where(matches.c.id == bindparam("of_match"))

MATCH = select(matches).where(matches.c.id == bindparam("of_match"))
MATCH_AND_DONE = (
    select(matches, events)
    .select_from(matches.outerjoin(events, events.c.interaction_id == bindparam("of_interaction")))
    .where(matches.c.id == bindparam("of_match"))
)
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
