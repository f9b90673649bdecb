"""What the outbox does with deliveries of matches, inside its transactions.

The head of a match and the messages that stand for it are read with what is to be sent, and what
came of it is noted together with what was sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Row

from bot.domain.events import Change
from bot.domain.ids import ChannelId, MatchId, MessageId
from bot.domain.match import Match, Venue
from bot.domain.requests import RequestKind
from bot.domain.vacation import UserVacation
from bot.errors import UserError
from bot.posts.deliveries import reminders_after
from bot.posts.fates import Fate, fate, is_past, turn_is_over
from bot.posts.outgoing import Batch, Claim, Done, Key, Outcomes, PutOff, id_in, match_key
from bot.posts.overtaken import choose, is_overtaken, leaves_something
from bot.posts.sending import (
    Delivery,
    DeliveryKind,
    MatchClaim,
    MatchDone,
    MatchPutOff,
    Posted,
    RequestNotice,
    StandingPost,
)
from bot.posts.tournament_messages import home_again
from bot.store import blocked, database, notices, outgoing, rows, times
from bot.store import statements as sql
from bot.store.records import Committed

_OFFERED = (DeliveryKind.OFFER, DeliveryKind.OFFER_UPDATE, DeliveryKind.CARD, DeliveryKind.THREAD)

_BOARDS = (DeliveryKind.BOARD.value, DeliveryKind.REDRAW.value)


def hold(connection: Connection, key: Key) -> None:
    """Hold a match's row, which comes before its key."""
    database.hold_match(connection, _match_of(key))


def need_not_wait(pending: Sequence[Row[Any]]) -> bool:
    """Whether the first may be sent before it is due: a refused board is, with the next one."""
    first = pending[0]
    is_refused = first.kind == "board" and first.trouble != "retry" and not first.may_exist
    if not is_refused:
        return False
    audience = outgoing.payload_of(first)["audience"]
    return any(
        row.kind == "board" and outgoing.payload_of(row)["audience"] == audience
        for row in pending[1:]
    )


def chosen(  # noqa: PLR0917 - what the outbox has at hand
    connection: Connection,
    pending: Sequence[Row[Any]],
    resting: Sequence[Row[Any]],
    lease: str,
    now: datetime,
    head: Match | None,
) -> tuple[Batch, tuple[int, ...]]:
    """What to send now of a match, and the ids of what to drop.

    The caller may have its ``head`` at hand, up to the home.
    """
    match_id = _match_of(Key(pending[0].key))
    standing = connection.execute(sql.POSTS_OF, {"of_match": match_id}).all()
    if head is None:
        head = rows.match_of(connection.execute(sql.MATCH, {"of_match": match_id}).one())
        head = blocked.credited(connection, head, now)
    elif head.home_id != standing[0].home_id:
        head = replace(head, home_id=ChannelId(standing[0].home_id))
    posts = {(row.kind, row.audience): row for row in standing if row.kind is not None}
    has_board = any(row.kind in _BOARDS for row in pending)
    vacations = times.lasting_vacations(connection, head.vacationers, now) if has_board else ()

    def claim(row: Row[Any]) -> MatchClaim:
        return _claim_of(row, lease, now, head, posts, vacations)

    awake = [claim(row) for row in pending]
    batch, dropped = choose(awake)
    over = (
        each
        for each in map(claim, resting)
        if is_overtaken(each, [later for later in awake if later.id > each.id])
        and not leaves_something(each)
    )
    return batch, (*dropped, *(each.id for each in over))


def _claim_of(  # noqa: PLR0917 - what has been read
    row: Row[Any],
    lease: str,
    now: datetime,
    head: Match,
    posts: dict[tuple[str, int], Row[Any]],
    vacations: tuple[UserVacation, ...],
) -> MatchClaim:
    """The claim that a row becomes, with the messages that stand now."""
    facts = outgoing.facts_of(row, lease, now)
    delivery = outgoing.delivery_of(row.kind, facts["payload"])
    audience = rows.audience_of(delivery)
    shown = posts.get(("offer" if delivery.kind in _OFFERED else "board", audience))
    if delivery.kind is DeliveryKind.NOTICE:
        shown = posts.get(("board", rows.EVERYBODY))
        shown = None if shown is None or shown.version < delivery.version else shown
    line = posts.get(("line", audience))
    if line is not None and not turn_is_over(line.version, head):
        line = None
    return MatchClaim(
        **facts,
        delivery=delivery,
        match=head,
        shown=_posted(shown),
        line=_posted(line),
        vacations=vacations,
    )


def _posted(row: Any) -> Posted | None:
    return None if row is None else Posted(ChannelId(row.channel_id), MessageId(row.message_id))


def put_off(connection: Connection, each: Claim, came: PutOff, now: datetime) -> datetime | None:
    """When to try again, None for at once.

    At once if the match has been given another home, now or meanwhile. What a player has chosen
    meanwhile stays.
    """
    assert isinstance(each, MatchClaim)  # noqa: S101 - they are made here
    match_id = each.match.id
    home = connection.execute(sql.HOME, {"of_match": match_id}).scalar()
    if isinstance(came, MatchPutOff):
        if home == each.match.home_id and came.home_id is not None:
            home = came.home_id
            _set_home(connection, each.match, home, now)
        if came.line_gone:
            _forget_line(connection, match_id, rows.audience_of(each.delivery))
    return came.due_at if home == each.match.home_id else None


def _set_home(connection: Connection, match: Match, home: ChannelId, now: datetime) -> None:
    """Note where a match is played; the page of its tournament links to that."""
    connection.execute(sql.SET_HOME, {"of_match": match.id, "home_id": home})
    if match.tournament is not None:
        outgoing.plan(connection, home_again(match.tournament.tournament_id, now))


def record(connection: Connection, made: Claim, came: Done, now: datetime) -> None:
    """Keep the home and the message that came of a delivery."""
    if not isinstance(made, MatchClaim) or not isinstance(came, MatchDone):
        return
    if made.delivery.kind is DeliveryKind.REMINDERS:
        notices.drop_reminders(connection, made.key)
    if made.delivery.kind is DeliveryKind.REMINDER:
        notices.reminder_given(connection, made.match.id, made.delivery)
    if came.for_digest:
        notices.add_news(connection, made, now)
    if came.home_id is not None:
        _set_home(connection, made.match, came.home_id, now)
    if came.posted is None:
        return
    delivery = made.delivery
    if delivery.kind in (DeliveryKind.REMINDER, DeliveryKind.NOTICE):
        _record_told(connection, made, came.posted)
        return
    kind = "board" if delivery.kind is DeliveryKind.BOARD else "offer"
    audience = rows.audience_of(delivery)
    if kind == "board" and made.line is not None:
        _forget_line(connection, made.match.id, audience)
    values = {
        "channel_id": came.posted.channel_id,
        "message_id": came.posted.message_id,
        "version": delivery.version if made.may_exist else made.match.version,
    }
    if made.shown is None:
        key = {"match_id": made.match.id, "kind": kind, "audience": audience}
        connection.execute(sql.ADD_POST, {**key, **values})
        return
    connection.execute(
        sql.MOVE_POST,
        {"of_match": made.match.id, "of_kind": kind, "of_audience": audience, **values},
    )


def replace_line(
    connection: Connection, match: Match, player: int, posted: Posted, *, version: int | None = None
) -> None:
    """Put a message in the place of the line that called a player, which is to be deleted.

    It calls for the move at a ``version`` of the match, the present one if none is given. Like a
    board it stands in the channel for everybody, or in the direct messages of one.
    """
    database.hold_match(connection, match.id)
    audience = player if match.venue is Venue.DIRECT else rows.EVERYBODY
    version = match.version if version is None else version
    _put(connection, match, StandingPost("line", audience, posted, version))


def _record_told(connection: Connection, made: MatchClaim, posted: Posted) -> None:
    """Keep what was told a player in the place of what they were told, or asked, before.

    If that is past meanwhile, it goes at once, but for what calls them: that goes with the board.
    """
    notice, player, version = made.delivery.notice, made.delivery.audience, made.delivery.version
    assert player is not None  # noqa: S101 - what is told is for one player
    if notice is None or notice.is_call:
        replace_line(connection, made.match, player, posted, version=version)
    elif notice.post is not None:
        post = StandingPost(notice.post, player, posted, version)
        _put(connection, made.match, post)
        head = _head(connection, made.match.id)
        if head is not None:
            is_late = post.kind == "word" and is_past(notice, version, head)
            _end(connection, head, post, "goes" if is_late else fate(post, head))


def post_change(connection: Connection, now: Committed) -> None:
    """Write what is to be sent of a change, and what becomes of the posts that it overtakes."""
    head = now.head
    if now.change.before is not None:
        _reconcile(connection, now.played, head)
    cards = [each for each in now.deliveries if each.kind is DeliveryKind.CARD]
    outgoing.plan(
        connection,
        *chain.from_iterable(map(reminders_after, now.played)),
        *(each.message(head.id, head.updated_at) for each in now.deliveries if each not in cards),
    )
    if cards:
        # It shows the match as it will be then, so one that waits is not put off by a fast game.
        database.hold_keys(connection, (match_key(head.id),))
        outgoing.add_unless_waiting(connection, (cards[-1].message(head.id, head.updated_at),))


def _reconcile(connection: Connection, changes: Sequence[Change], head: Match) -> None:
    """Have each post of a match become what changes, the last of which led to its head, make it."""
    for row in connection.execute(sql.STANDING, {"of_match": head.id}).all():
        posted = Posted(ChannelId(row.channel_id), MessageId(row.message_id))
        post: StandingPost | None = StandingPost(row.kind, row.audience, posted, row.version)
        for change in changes:
            if post is not None:
                post = _end(connection, head, post, fate(post, change.match, change))


def _end(
    connection: Connection, match: Match, post: StandingPost, end: Fate
) -> StandingPost | None:
    """Have a post deleted and forget it, or have it say how its request ended; the post after that.

    What says so is remembered as such, so that it goes later. Of lines that call a player only one
    that has reminded them names a deadline.
    """
    is_call = end is not None and post.kind == "line"
    if is_call and not notices.turn_of(connection, match.id, match.position_since).given:
        end = None
    if end is None:
        return post
    of_post = {"of_match": match.id, "of_kind": post.kind, "of_audience": post.audience}
    if end == "goes":
        _erase(connection, match, post.posted)
        connection.execute(sql.DROP_POST, of_post)
        return None
    notice = RequestNotice(RequestKind(post.kind), end)
    closed = Delivery(DeliveryKind.CLOSE, match.version, post.audience, notice, post.posted)
    outgoing.add_deliveries(connection, match.id, (closed,), match.updated_at)
    connection.execute(sql.END_POST, of_post)
    return replace(post, version=0)


def _put(connection: Connection, match: Match, post: StandingPost) -> None:
    """Remember a post, and have the one deleted in whose place it is."""
    of_post = {"of_match": match.id, "of_kind": post.kind, "of_audience": post.audience}
    old = _posted(connection.execute(sql.REPLACE_POST, of_post).first())
    key = {"match_id": match.id, "kind": post.kind, "audience": post.audience}
    at = {"channel_id": post.posted.channel_id, "message_id": post.posted.message_id}
    connection.execute(sql.ADD_POST, {**key, **at, "version": post.version})
    if old is not None and old != post.posted:
        _erase(connection, match, old)


def _erase(connection: Connection, match: Match, posted: Posted) -> None:
    gone = Delivery(DeliveryKind.ERASE, match.version, target=posted)
    outgoing.add_deliveries(connection, match.id, (gone,), match.updated_at)


def _forget_line(connection: Connection, match_id: MatchId, audience: int) -> None:
    one = {"of_match": match_id, "of_kind": "line", "of_audience": audience}
    connection.execute(sql.DROP_POST, one)


def review(connection: Connection, batch: Batch, outcomes: Outcomes, now: datetime) -> None:
    """See whether a turn cannot be told now, or was told at last."""
    claims = [each for each in batch if isinstance(each, MatchClaim)]
    blocked.review(connection, claims, outcomes, now)


def _match_of(key: Key) -> MatchId:
    return MatchId(id_in(key))


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
    """Ask for the present board again wherever one stands, and hurry what is waiting.

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
    outgoing.hurry_deliveries(connection, match_id, now)
    boards = connection.execute(sql.BOARDS_OF, {"of_match": match_id}).scalars().all()
    if home is not None and not boards:
        boards = [rows.EVERYBODY]
    if head is None or not boards:
        return
    again = [
        Delivery(
            DeliveryKind.BOARD,
            head.version,
            None if audience == rows.EVERYBODY else audience,
        )
        for audience in boards
    ]
    waiting = outgoing.waiting_deliveries(connection, match_id)
    if any(_calls(each.delivery, head) for each in waiting):
        calls = ()
    outgoing.add_deliveries(connection, match_id, (*again, *calls), now)


def _calls(delivery: Delivery, head: Match) -> bool:
    """Whether a delivery calls a player for the present move of a match."""
    notice = delivery.notice
    return notice is not None and notice.is_call and delivery.version >= head.position_since


def _head(connection: Connection, match_id: MatchId) -> Match | None:
    row = connection.execute(sql.MATCH, {"of_match": match_id}).first()
    return None if row is None else rows.match_of(row)
