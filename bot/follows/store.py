"""Following a match, or a player's next matches, in a server. Inside transactions.

A follower has one direct message that shows the match. It is edited in place after each move, which
wakes no phone, and the result follows in one line. Readers of a daily digest find it there instead.
Following asks for no player's consent, since the matches of a server are public in it;
a player cannot be followed by a person they have blocked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)

from bot.domain.game_state import check_running
from bot.domain.ids import GuildId, MatchId, UserId
from bot.domain.match import Actor, Match, MatchStatus, Venue
from bot.errors import UserError
from bot.posts.deliveries import Committed
from bot.posts.notices import NoticeKind
from bot.posts.outgoing import FOLLOW, Key, Outgoing, Payload, key_of
from bot.posts.sending import DeliveryKind, Posted
from bot.store import database, notices, outgoing, rows
from bot.store.tables import blocks, fans, follows, matches, seats

MOST = 25
"""How many matches, and how many players, one person can follow at a time."""
FOLLOWERS = 50
"""How many people can follow one match: each move edits a message for each of them."""
FANS = 50
"""How many people can follow one player in a server."""
_FOLLOWERS = select(follows.c.user_id).where(follows.c.match_id == bindparam("of_match"))


def _one(user_id: UserId, match_id: MatchId) -> ColumnElement[bool]:
    return and_(follows.c.user_id == user_id, follows.c.match_id == match_id)


def _is_fan(user_id: UserId, other: UserId, guild_id: GuildId) -> ColumnElement[bool]:
    is_other = and_(fans.c.other_id == other, fans.c.guild_id == guild_id)
    return and_(fans.c.user_id == user_id, is_other)


def _count(connection: Connection, column: ColumnElement[int], *where: ColumnElement[bool]) -> int:
    return connection.execute(select(func.count(column)).where(*where)).scalar_one()


def followers(connection: Connection, match_id: MatchId) -> tuple[UserId, ...]:
    """The people who follow a match."""
    return tuple(sorted(connection.execute(_FOLLOWERS, {"of_match": match_id}).scalars()))


def follow_players(connection: Connection, now: Committed) -> None:
    """Have those follow a match that has just started who follow one of its players there."""
    before, match = now.change.before, now.head
    was_running = before is not None and bool(before.state)
    if was_running or match.status is not MatchStatus.RUNNING or match.origin.guild_id is None:
        return
    players = [each for each in match.players if each is not None]
    so_far = select(func.count()).select_from(follows).where(follows.c.user_id == fans.c.user_id)
    is_blocked = exists(
        select(blocks.c.user_id).where(
            blocks.c.user_id.in_(players), blocks.c.other_id == fans.c.user_id
        )
    )
    # Those who have followed longest, where there are too many for one match.
    found = (
        select(fans.c.user_id)
        .where(
            fans.c.other_id.in_(players),
            fans.c.guild_id == match.origin.guild_id,
            fans.c.user_id.not_in(players),
            ~is_blocked,
            so_far.scalar_subquery() < MOST,
        )
        .group_by(fans.c.user_id)
        .order_by(func.min(fans.c.at), fans.c.user_id)
        .limit(FOLLOWERS)
    )
    for each in connection.execute(found).scalars().all():
        add(connection, each, match.id, now.at)


def show_change(connection: Connection, now: Committed) -> None:
    """Have those who follow a match see its new board, if there is one."""
    match = now.head
    has_board = any(each.kind is DeliveryKind.BOARD for each in now.deliveries)
    if has_board and match.state and match.origin.guild_id is not None:
        found = followers(connection, match.id)
        outgoing.plan(connection, *(show_followed(each, match.id, now.at) for each in found))


def add(connection: Connection, user_id: UserId, match_id: MatchId, at: datetime) -> None:
    """Have a person follow a match who does not yet."""
    if followed(connection, user_id, match_id) is None:
        row = {"user_id": user_id, "match_id": match_id, "at": at}
        connection.execute(insert(follows), row)


def follow(connection: Connection, actor: Actor, match: Match, at: datetime) -> None:
    """Have a person follow a running match of a server, and see it in a direct message at once.

    Raises :exc:`~bot.errors.UserError`: ``follow_own``, ``follow_direct``, ``not_started``,
    ``match_over``, ``follow_blocked`` by one of its players, ``follow_many``, ``followers_many``.
    """
    user_id = actor.user_id
    if match.index_of(user_id) is not None:
        raise UserError("follow_own")
    if match.venue is Venue.DIRECT or match.origin.guild_id is None:
        raise UserError("follow_direct")
    check_running(match, whole=False)
    database.hold(connection, (user_id,))
    _check_not_blocked(connection, user_id, [each for each in match.players if each is not None])
    if followed(connection, user_id, match.id) is None:
        column = follows.c.user_id
        if _count(connection, column, column == user_id) >= MOST:
            raise UserError("follow_many", most=MOST)
        if _count(connection, column, follows.c.match_id == match.id) >= FOLLOWERS:
            raise UserError("followers_many", most=MOST)
        add(connection, user_id, match.id, at)
    outgoing.plan(connection, show_followed(user_id, match.id, at))


def unfollow(connection: Connection, user_id: UserId, match_id: MatchId, at: datetime) -> bool:
    """Forget that a person follows a match, and have the message go that shows it."""
    shown = followed(connection, user_id, match_id)
    if shown is None:
        return False
    follows_no_more(connection, user_id, match_id)
    if shown.posted is not None:
        outgoing.plan(connection, erase_followed(user_id, shown.posted, at))
    return True


def follows_no_more(connection: Connection, user_id: UserId, match_id: MatchId) -> None:
    """Forget that a person follows a match, and leave the message that shows it."""
    connection.execute(delete(follows).where(_one(user_id, match_id)))


def followed(connection: Connection, user_id: UserId, match_id: MatchId) -> Followed | None:
    """A match that a person follows, as far as it is known, None if they do not."""
    row = connection.execute(select(follows).where(_one(user_id, match_id))).first()
    if row is None:
        return None
    posted = None if row.message_id is None else Posted(row.channel_id, row.message_id)
    return Followed(user_id, posted)


def shows_followed(
    connection: Connection, user_id: UserId, match_id: MatchId, posted: Posted, at: datetime
) -> bool:
    """Note which message shows a person a match; it goes if they have stopped following it."""
    place = {"channel_id": posted.channel_id, "message_id": posted.message_id}
    noted = update(follows).where(_one(user_id, match_id)).values(place)
    if connection.execute(noted).rowcount:
        return True
    outgoing.plan(connection, erase_followed(user_id, posted, at))
    return False


def followed_by(connection: Connection, user_id: UserId) -> tuple[Match, ...]:
    """The matches that a person follows, the first one first."""
    found = (
        select(matches)
        .join(follows, follows.c.match_id == matches.c.id)
        .where(follows.c.user_id == user_id)
        .order_by(follows.c.at, follows.c.match_id)
    )
    return rows.matches_in(connection, found)


def _check_not_blocked(connection: Connection, user_id: UserId, others: Sequence[UserId]) -> None:
    is_it = (blocks.c.user_id.in_(others), blocks.c.other_id == user_id)
    if connection.execute(select(blocks.c.user_id).where(*is_it)).first() is not None:
        raise UserError("follow_blocked")


def follow_player(
    connection: Connection, user_id: UserId, other: UserId, guild_id: GuildId, at: datetime
) -> None:
    """Have a person follow a player's next matches in a server.

    Raises :exc:`~bot.errors.UserError`: ``follow_self``, ``follow_blocked``, ``follow_many``,
    ``followers_many``.
    """
    if user_id == other:
        raise UserError("follow_self")
    database.hold(connection, (user_id, other))
    _check_not_blocked(connection, user_id, (other,))
    column = fans.c.user_id
    if _count(connection, column, _is_fan(user_id, other, guild_id)):
        return
    if _count(connection, column, column == user_id) >= MOST:
        raise UserError("follow_many", most=MOST)
    if _count(connection, column, fans.c.other_id == other, fans.c.guild_id == guild_id) >= FANS:
        raise UserError("followers_many", most=MOST)
    row = {"user_id": user_id, "other_id": other, "guild_id": guild_id, "at": at}
    connection.execute(insert(fans), row)


def unfollow_player(
    connection: Connection, user_id: UserId, other: UserId, guild_id: GuildId
) -> bool:
    """Stop following a player in a server; whether they followed them."""
    gone = delete(fans).where(_is_fan(user_id, other, guild_id))
    return connection.execute(gone).rowcount > 0


def end_between(connection: Connection, user_id: UserId, other: UserId, at: datetime) -> None:
    """Have a person follow neither a player who has blocked them nor that player's matches."""
    connection.execute(delete(fans).where(fans.c.user_id == user_id, fans.c.other_id == other))
    shared = (
        select(follows.c.match_id)
        .join(seats, seats.c.match_id == follows.c.match_id)
        .where(follows.c.user_id == user_id, seats.c.user_id == other)
    )
    for match_id in connection.execute(shared).scalars().all():
        unfollow(connection, user_id, match_id, at)


def players_followed(connection: Connection, user_id: UserId) -> tuple[PlayerFollow, ...]:
    """The players whose matches a person follows."""
    of_person = select(fans.c.other_id, fans.c.guild_id).where(fans.c.user_id == user_id)
    found = connection.execute(of_person.order_by(fans.c.at, fans.c.other_id)).all()
    return tuple(PlayerFollow(row.other_id, row.guild_id) for row in found)


def tell_in_digest(
    connection: Connection, user_id: UserId, match: Match, now: datetime, *, is_over: bool
) -> None:
    """Have the next digest tell what has become of a match; of one that is over nothing follows."""
    notices.note_news(connection, user_id, match.id, match.version, NoticeKind.FOLLOWED, now)
    if is_over:
        follows_no_more(connection, user_id, match.id)


@dataclass(frozen=True, slots=True)
class Followed:
    """That a person follows a match, and the direct message that shows it, once posted."""

    user_id: UserId
    posted: Posted | None


@dataclass(frozen=True, slots=True)
class PlayerFollow:
    """Another player, whose next matches in a server a person follows."""

    other_id: UserId
    guild_id: GuildId


def follow_key(user_id: UserId) -> Key:
    """The key of what a person is sent of all that they follow."""
    return key_of(FOLLOW, user_id)


def show_followed(user_id: UserId, match_id: MatchId, at: datetime) -> Outgoing:
    """The message that shows a person a match that they follow."""
    payload = {"match": match_id}
    return Outgoing(FOLLOW, follow_key(user_id), at, payload, slot=match_id, blocks_later=False)


def erase_followed(user_id: UserId, posted: Posted, at: datetime) -> Outgoing:
    """The order to delete the message about a match that a person has stopped following."""
    payload: Payload = {"erase": [posted.channel_id, posted.message_id]}
    return Outgoing(FOLLOW, follow_key(user_id), at, payload, blocks_later=False)
