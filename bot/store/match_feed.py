"""Deliveries and posts of matches inside the transactions of the outbox.

The head of a match and the messages that stand for it are read with what is to be sent, and what
came of it is noted together with what was sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import reduce
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Row

from bot.domain.events import EventKind
from bot.domain.game_state import known_turn
from bot.domain.ids import ChannelId, MatchId, MessageId
from bot.domain.match import Match, Venue
from bot.errors import UserError
from bot.posts.deliveries import Committed, choose, fates, marked, marks, reminders_after
from bot.posts.notices import NoticeKind, RequestNews
from bot.posts.outgoing import Batch, Claim, Done, Outcomes, Outgoing, PutOff, id_in, match_key
from bot.posts.sending import (
    Delivery,
    DeliveryKind,
    MatchClaim,
    MatchDone,
    MatchPutOff,
    Posted,
    StandingPost,
)
from bot.store import blocked, database, notices, outgoing, rows, vacations
from bot.store import statements as sql
from bot.store.hooks import hooks
from bot.store.schema import is_ahead


def need_not_wait(pending: Sequence[Row[Any]]) -> bool:
    """Whether the first may be sent before it is due: a refused board is, with the next one."""
    first = pending[0]
    is_refused = first.kind == "board" and first.trouble != "retry" and not first.may_exist
    shown, *later = ((row.kind, row.payload["audience"], row.holds_up) for row in pending)
    return is_refused and shown in later


def chosen(
    connection: Connection,
    waiting: Sequence[Row[Any]],
    lease: str,
    now: datetime,
    head: Match | None,
) -> tuple[Batch, tuple[int, ...]]:
    """The next batch of a match, and the ids of the messages to drop.

    The caller may have its ``head`` at hand, up to the home.
    """
    match_id = MatchId(id_in(waiting[0].key))
    found = connection.execute(sql.POSTS_OF, {"of_match": match_id}).all()
    if head is None:
        head = rows.match_of(connection.execute(sql.MATCH, {"of_match": match_id}).one())
        if head.set_aside_at == rows.UNREADABLE and is_ahead(connection):
            return (), ()  # A newer release sends it, which can read it.
        head = blocked.credited(connection, head, now)
    elif head.home_id != found[0].home_id:
        head = replace(head, home_id=found[0].home_id)
    posts = outgoing.posts_in(found)

    def claim(row: Row[Any]) -> MatchClaim:
        delivery = outgoing.delivery_of(row.kind, row.payload)
        facts = {"delivery": delivery, "match": head, "posts": posts, "vacations": (), "over": ()}
        return outgoing.claim_of(MatchClaim, row, lease, now, **facts)

    claims = [claim(row) for row in waiting]
    over = tuple(
        each.delivery.audience
        for each in claims
        if each.delivery.notice is NoticeKind.OVER and each.delivery.audience is not None
    )
    has_board = any(each.delivery.kind is DeliveryKind.BOARD for each in claims)
    away = vacations.lasting_vacations(connection, head.vacationers, now) if has_board else ()
    return choose([replace(each, over=over, vacations=away) for each in claims])


def put_off(connection: Connection, each: Claim, came: PutOff, now: datetime) -> datetime | None:
    """When to try again, None for at once.

    At once if the match has been given another home, now or meanwhile. A choice that a player has
    made meanwhile stays.
    """
    assert isinstance(each, MatchClaim)  # noqa: S101 - they are made here
    match_id = each.match.id
    home = connection.execute(sql.HOME, {"of_match": match_id}).scalar()
    if isinstance(came, MatchPutOff) and home == each.match.home_id and came.home_id is not None:
        home = came.home_id
        _set_home(connection, each.match, home, now)
    return came.due_at if home == each.match.home_id else None


def _set_home(connection: Connection, match: Match, home: ChannelId, now: datetime) -> None:
    """Note where a match is played."""
    connection.execute(sql.SET_MATCH, {"of_match": match.id, "home_id": home})
    for hook in hooks.housed:
        hook(connection, match, now)


def record(connection: Connection, made: Sequence[tuple[Claim, Done]], now: datetime) -> None:
    """Keep the messages that came of the deliveries of a match, and have those tidied up that end.

    A change that comes meanwhile has them tidied up itself.
    """
    gone: list[StandingPost] = []
    new: dict[MessageId, StandingPost] = {}
    for claim, came in made:
        if not isinstance(claim, MatchClaim) or not isinstance(came, MatchDone):
            continue
        match = claim.match
        if claim.delivery.hours is not None and not claim.overtaken:
            notices.reminder_given(connection, match.id, claim.delivery)
        if came.for_digest:
            notices.add_news(connection, claim, now)
        for old, end in came.tidied:
            gone.append(old)
            if isinstance(end, RequestNews):
                said = replace(old, version=match.version, ended="said")
                new[old.posted.message_id] = said
        post = None if came.posted is None else claim.post(came.posted)
        if post is not None:
            new[post.posted.message_id] = post
    first = made[0][0] if made else None
    if isinstance(first, MatchClaim):
        _put(connection, first.match.id, [*new.values()], gone)
        kept = [each for each in first.posts if each not in gone]
        if new and fates([*{*kept, *new.values()}], first.match):
            outgoing.add_unless_waiting(connection, (_tidying(first.match),))


def replace_line(connection: Connection, match: Match, player: int, posted: Posted) -> None:
    """Put a message in the place of the line that called a player, which is to be deleted.

    The message itself is deleted if its player is not on turn by now.
    """
    audience = player if match.venue is Venue.DIRECT else None
    line = StandingPost("line", audience, posted, match.version)
    is_called = known_turn(match) == player
    keep_post(connection, match, line if is_called else replace(line, ended="goes"))


def keep_post(connection: Connection, match: Match, post: StandingPost) -> None:
    """Remember a message, which goes when it is past."""
    database.hold_match(connection, match.id)
    _put(connection, match.id, [post])
    outgoing.plan(connection, _tidying(match))


def _put(
    connection: Connection,
    match_id: MatchId,
    posts: Sequence[StandingPost],
    gone: Sequence[StandingPost] = (),
) -> None:
    """Remember posts, or what has become of them, and forget those that are gone."""
    dropped = {each.posted.message_id for each in (*posts, *gone)}
    if dropped:
        of_posts = [{"of_match": match_id, "of_message": each} for each in dropped]
        connection.execute(sql.DROP_POST, of_posts)
    if posts:
        connection.execute(sql.ADD_POST, [_row_of(match_id, each) for each in posts])


def _row_of(match_id: MatchId, post: StandingPost) -> dict[str, Any]:
    return {
        "match_id": match_id,
        "kind": post.kind,
        "audience": outgoing.EVERYBODY if post.audience is None else post.audience,
        "channel_id": post.posted.channel_id,
        "message_id": post.posted.message_id,
        "version": post.version,
        "ended": post.ended.value if isinstance(post.ended, RequestNews) else post.ended,
    }


def post_change(connection: Connection, now: Committed) -> None:
    """Write what is to be sent of a change, and have the posts tidied up that it ends.

    It may also end a post that is just being sent; a clock that is put right does not.
    """
    head, event = now.head, now.change.event
    cards = [each for each in now.deliveries if each.later]
    ends = now.change.before is not None and event.kind is not EventKind.CREDITED
    if any(map(marks, now.played)):
        posts = outgoing.posts_of(connection, head.id)
        after = [reduce(marked, now.played, each) for each in posts]
        _put(connection, head.id, [each for each in after if each not in posts])
        ends = ends or bool(fates(after, head))
    outgoing.plan(
        connection,
        *chain.from_iterable(map(reminders_after, now.played)),
        *(each.message(head.id, head.updated_at) for each in now.deliveries if each not in cards),
        *([_tidying(head)] if ends else ()),
    )
    if cards:
        # It shows the match as it will be then, so one that waits is not put off by a fast game.
        database.hold_keys(connection, (match_key(head.id),))
        outgoing.add_unless_waiting(connection, (cards[-1].message(head.id, head.updated_at),))


def _tidying(match: Match) -> Outgoing:
    return Delivery(DeliveryKind.TIDY, match.version).message(match.id, match.updated_at)


def review(connection: Connection, batch: Batch, outcomes: Outcomes, now: datetime) -> None:
    """Note turns that cannot be told now, or were told at last."""
    claims = [each for each in batch if isinstance(each, MatchClaim)]
    blocked.review(connection, claims, outcomes, now)


def spare(connection: Connection, match_id: MatchId, now: datetime) -> bool:
    """Whether the player on turn of a match was not told, because Discord keeps us from it.

    That is written down, so that their clock is stopped until they are.
    """
    database.hold_match(connection, match_id)
    head = _head(connection, match_id)
    return head is not None and blocked.note(connection, head, now)


def show_again(
    connection: Connection,
    match_id: MatchId,
    now: datetime,
    home: ChannelId | None = None,
    calls: tuple[Delivery, ...] = (),
) -> None:
    """Ask for another board wherever one stands and none waits, and hurry the rest.

    With a ``home`` the match goes on there, and the board is asked for even if there was none;
    :exc:`~bot.errors.UserError` (``channel_busy``) if another match does. The ``calls`` follow it,
    unless one for the present turn waits already.
    """
    if home is not None:
        database.hold(connection, (home,))
        for row in connection.execute(sql.RUNNING_IN, {"of_channel": home}).all():
            if row.id != match_id and home == (row.home_id or row.channel_id):
                raise UserError("channel_busy", match=row.id)
    database.hold_match(connection, match_id)
    head = _head(connection, match_id)
    database.hold_keys(connection, (match_key(match_id),))
    if home is not None and head is not None:
        _set_home(connection, head, home, now)
        head = replace(head, home_id=home)
    outgoing.retry_now(connection, (match_key(match_id),), now)
    posts = outgoing.posts_of(connection, match_id)
    boards = {each.audience for each in posts if each.kind == "board"}
    if home is not None and not boards:
        boards = {None}
    if head is None or not boards:
        return
    waiting = [each for each, _ in outgoing.waiting_deliveries(connection, match_id)]
    if home is None:
        due = (each for each in waiting if each.kind is DeliveryKind.BOARD)
        boards -= {each.audience for each in due if each.board_in(posts, head) is None}
    # One of this very version may stand, with which it is not done.
    old = [each for each in posts if each.kind == "board" and each.audience in boards]
    _put(connection, match_id, [replace(each, ended=each.ended or "said") for each in old])
    again = [Delivery(DeliveryKind.BOARD, head.version, audience) for audience in boards]
    if any(each.is_call and each.version >= head.position_since for each in waiting):
        calls = ()
    outgoing.add_deliveries(connection, match_id, (*again, *calls), now)


def _head(connection: Connection, match_id: MatchId) -> Match | None:
    row = connection.execute(sql.MATCH, {"of_match": match_id}).first()
    return None if row is None else rows.match_of(row)
