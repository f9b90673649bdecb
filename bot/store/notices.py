"""Digests, reminders and lost answers inside transactions."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import (
    Connection,
    Text,
    bindparam,
    cast,
    delete,
    exists,
    insert,
    literal,
    select,
)

from bot.domain.events import micros, moment
from bot.domain.ids import InteractionId, MatchId, UserId
from bot.posts.outgoing import DIGEST, digest_key, next_digest
from bot.posts.sending import (
    NOTICES,
    AnyNotice,
    Delivery,
    DeliveryKind,
    MatchClaim,
    News,
    NoticeKind,
)
from bot.store import outgoing, rows
from bot.store.records import Turn
from bot.store.tables import events, matches, news, outbox, owed, reminders

_of_notice = {
    name: bindparam(name, type_=news.c[name].type)
    for name in ("user_id", "match_id", "version", "notice", "at")
}
_has_digest = exists().where(outbox.c.key == bindparam("of_key"))
_is_there = exists().where(
    news.c.user_id == bindparam("user_id"),
    news.c.match_id == bindparam("match_id"),
    news.c.version == bindparam("version"),
    news.c.notice == bindparam("notice"),
)
_ADD_NEWS = insert(news).from_select(
    list(_of_notice), select(*_of_notice.values()).where(_has_digest, ~_is_there)
)
"""Only while a digest waits that will tell it: its reader may just have chosen otherwise."""
_NEWS = (
    select(matches, news.c.version.label("told_version"), news.c.notice)
    .join(news, news.c.match_id == matches.c.id)
    .where(news.c.user_id == bindparam("of_user"), news.c.at <= bindparam("until"))
    .order_by(news.c.at, news.c.match_id, news.c.version)
)
_NEWS_TOLD = delete(news).where(
    news.c.user_id == bindparam("of_user"),
    news.c.match_id == bindparam("of_match"),
    news.c.version == bindparam("of_version"),
    news.c.notice == bindparam("of_notice"),
)
_FORGET_NEWS = delete(news).where(
    news.c.user_id == bindparam("of_user"), news.c.notice != NoticeKind.FOLLOWED.value
)
_UNREAD = (
    select(news.c.user_id)
    .where(
        ~exists().where(outbox.c.key == literal(f"{DIGEST}:").concat(cast(news.c.user_id, Text)))
    )
    .distinct()
)


def choose_digest(connection: Connection, user_id: UserId, at: datetime | None) -> None:
    """Have the next digest of a person come then, or none at all.

    Notices tell what it would have told from now on. What was to be told of matches that its reader
    follows has no other way, and is kept (:func:`unread`).
    """
    outgoing.drop(connection, digest_key(user_id))
    if at is None:
        connection.execute(_FORGET_NEWS, {"of_user": user_id})
    else:
        outgoing.add(connection, (next_digest(user_id, at),))


def add_news(connection: Connection, made: MatchClaim, now: datetime) -> None:
    """Have the next digest tell what a notice would have told."""
    delivery = made.delivery
    assert delivery.audience is not None  # noqa: S101 - a notice is for one player
    assert delivery.notice is not None  # noqa: S101 - only notices are for digests
    user = made.match.players[delivery.audience]
    assert user is not None  # noqa: S101 - nor is one for an empty seat
    note_news(connection, user, made.match.id, delivery.version, delivery.notice, now)


def note_news(  # noqa: PLR0917 - the columns of the table
    connection: Connection,
    user_id: UserId,
    match_id: MatchId,
    version: int,
    notice: AnyNotice,
    now: datetime,
) -> None:
    """Have the next digest of a person tell something of a match."""
    connection.execute(
        _ADD_NEWS,
        {
            "user_id": user_id,
            "match_id": match_id,
            "version": version,
            "notice": notice.value,
            "at": micros(now),
            "of_key": digest_key(user_id),
        },
    )


def news_for(connection: Connection, user_id: UserId, until: datetime) -> tuple[News, ...]:
    """The news for a digest that is begun then, the oldest first.

    The outbox adds to it (:attr:`bot.posts.sending.MatchDone.for_digest`) as long as a
    digest of this person waits.
    """
    found = connection.execute(_NEWS, {"of_user": user_id, "until": micros(until)}).all()
    return tuple(News(rows.match_of(row), row.told_version, NOTICES[row.notice]) for row in found)


def news_told(connection: Connection, user_id: UserId, news: tuple[News, ...]) -> None:
    """Forget what a digest has told."""
    for each in news:
        _forget(connection, user_id, each)


def unread(connection: Connection) -> frozenset[UserId]:
    """The people who have news that no waiting digest will tell."""
    return frozenset(map(UserId, connection.execute(_UNREAD).scalars().all()))


def hand_back(
    connection: Connection, user_id: UserId, news: tuple[News, ...], now: datetime
) -> None:
    """Have notices tell what a digest could not, each once however often this is done."""
    for each in news:
        player = each.match.index_of(user_id)
        if _forget(connection, user_id, each) and player is not None:
            notice = Delivery(DeliveryKind.NOTICE, each.version, player, each.notice)
            outgoing.add_deliveries(connection, each.match.id, (notice,), now)


def _forget(connection: Connection, user_id: UserId, news: News) -> bool:
    """Forget something that a digest was to tell; whether it was still to be told."""
    of_news = {
        "of_match": news.match.id,
        "of_version": news.version,
        "of_notice": news.notice.value,
    }
    return connection.execute(_NEWS_TOLD, {"of_user": user_id, **of_news}).rowcount > 0


# ---- reminders -----------------------------------------------------------------------------------

_BEGAN = select(events.c.at).where(
    events.c.match_id == bindparam("of_match"), events.c.seq == bindparam("of_since")
)
_GIVEN = select(reminders.c.hours).where(
    reminders.c.match_id == bindparam("of_match"), reminders.c.since == bindparam("of_since")
)
_ADD_REMINDER = insert(reminders)


def turn_of(connection: Connection, match_id: MatchId, since: int) -> Turn:
    """The turn of the position that arose at a version.

    The outbox notes which reminders were given (:class:`~bot.posts.sending.MatchDone`).
    """
    of_turn = {"of_match": match_id, "of_since": since}
    began = connection.execute(_BEGAN, of_turn).scalar_one()
    return Turn(moment(began), frozenset(connection.execute(_GIVEN, of_turn).scalars()))


def reminder_given(connection: Connection, match_id: MatchId, reminder: Delivery) -> None:
    """Note that a reminder was given."""
    of_turn = {"of_match": match_id, "of_since": reminder.version}
    if reminder.hours not in connection.execute(_GIVEN, of_turn).scalars().all():
        row = {"match_id": match_id, "since": reminder.version, "hours": reminder.hours}
        connection.execute(_ADD_REMINDER, row)


# ---- answers that Discord did not take -----------------------------------------------------------

_OWE = insert(owed).from_select(
    ["interaction_id", "at"],
    select(events.c.interaction_id, bindparam("at", type_=owed.c.at.type)).where(
        events.c.interaction_id == bindparam("of_interaction"),
        events.c.interaction_id.not_in(select(owed.c.interaction_id)),
    ),
)
_OWED = (
    select(events.c.user_id, owed.c.interaction_id)
    .join(events, events.c.interaction_id == owed.c.interaction_id)
    .where(events.c.user_id.is_not(None))
    .order_by(owed.c.interaction_id)
)
_ANSWER_TOLD = delete(owed).where(owed.c.interaction_id == bindparam("of_interaction"))
_FORGET_OWED = delete(owed).where(owed.c.at < bindparam("before"))


def owe(
    connection: Connection, interaction_id: InteractionId, now: datetime, before: datetime
) -> None:
    """Note that the person has not been told, if this interaction has caused an event.

    What was noted ``before`` some instant is forgotten.
    """
    connection.execute(_FORGET_OWED, {"before": micros(before)})
    connection.execute(_OWE, {"of_interaction": interaction_id, "at": micros(now)})


def all_owed(connection: Connection) -> tuple[tuple[UserId, InteractionId], ...]:
    """The interactions of people whose events they have not been told, in order."""
    found = connection.execute(_OWED).all()
    return tuple((UserId(row.user_id), InteractionId(row.interaction_id)) for row in found)


def answer_told(connection: Connection, interaction_id: InteractionId) -> None:
    """The person has been told."""
    connection.execute(_ANSWER_TOLD, {"of_interaction": interaction_id})
