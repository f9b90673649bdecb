"""Digests, reminders and lost answers inside transactions."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, Text, cast, delete, exists, insert, literal, select

from bot.domain.ids import InteractionId, MatchId, UserId
from bot.posts.notices import NOTICES, AnyNotice, NoticeKind
from bot.posts.outgoing import DIGEST, digest_key, next_digest
from bot.posts.sending import Delivery, DeliveryKind, MatchClaim, News
from bot.store import outgoing, rows
from bot.store.records import Turn
from bot.store.tables import events, matches, news, outbox, owed, reminders
from bot.store.tables.base import Instant

_UNREAD = (
    select(news.c.user_id)
    .where(
        ~exists().where(outbox.c.key == literal(f"{DIGEST}:").concat(cast(news.c.user_id, Text)))
    )
    .distinct()
)


def choose_digest(connection: Connection, user_id: UserId, at: datetime | None) -> None:
    """Have the next digest of a person come then, or none at all.

    Notices tell what it would have told from now on. News of matches that its reader follows
    has no other way, and is kept (:func:`unread`).
    """
    outgoing.drop(connection, digest_key(user_id))
    if at is None:
        stays = news.c.notice == NoticeKind.FOLLOWED.value
        connection.execute(delete(news).where(news.c.user_id == user_id, ~stays))
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
    """Have the next digest of a person tell something of a match.

    Only while one waits: its reader may just have chosen otherwise.
    """
    row = {"match_id": match_id, "version": version, "notice": notice.value, "user_id": user_id}
    waits = exists().where(outbox.c.key == digest_key(user_id))
    is_there = exists().where(*(news.c[name] == value for name, value in row.items()))
    row["at"] = now
    of_row = [literal(value, type_=news.c[name].type) for name, value in row.items()]
    connection.execute(insert(news).from_select([*row], select(*of_row).where(waits, ~is_there)))


def news_for(connection: Connection, user_id: UserId, until: datetime) -> tuple[News, ...]:
    """The news for a digest that is begun then, the oldest first.

    The outbox adds to it (:attr:`bot.posts.sending.MatchDone.for_digest`) as long as a
    digest of this person waits.
    """
    found = connection.execute(
        select(matches, news.c.version.label("told_version"), news.c.notice)
        .join(news, news.c.match_id == matches.c.id)
        .where(news.c.user_id == user_id, news.c.at <= until)
        .order_by(news.c.at, news.c.match_id, news.c.version)
    )
    return tuple(News(rows.match_of(row), row.told_version, NOTICES[row.notice]) for row in found)


def news_told(connection: Connection, user_id: UserId, told: tuple[News, ...]) -> None:
    """Forget what a digest has told."""
    for each in told:
        _forget(connection, user_id, each)


def unread(connection: Connection) -> frozenset[UserId]:
    """The people who have news that no waiting digest will tell."""
    return frozenset(connection.execute(_UNREAD).scalars())


def hand_back(
    connection: Connection, user_id: UserId, told: tuple[News, ...], now: datetime
) -> None:
    """Have notices tell what a digest could not, each once however often this is done."""
    for each in told:
        player = each.match.index_of(user_id)
        if _forget(connection, user_id, each) and player is not None:
            notice = Delivery(DeliveryKind.NOTICE, each.version, player, each.notice)
            outgoing.add_deliveries(connection, each.match.id, (notice,), now)


def _forget(connection: Connection, user_id: UserId, told: News) -> bool:
    """Forget something that a digest was to tell; whether it was still to be told."""
    of_it = (
        news.c.user_id == user_id,
        news.c.match_id == told.match.id,
        news.c.version == told.version,
        news.c.notice == told.notice.value,
    )
    return connection.execute(delete(news).where(*of_it)).rowcount > 0


# ---- reminders -----------------------------------------------------------------------------------


def turn_of(connection: Connection, match_id: MatchId, since: int) -> Turn:
    """The turn of the position that arose at a version.

    The outbox notes which reminders were given (:class:`~bot.posts.sending.MatchDone`).
    """
    began = select(events.c.at).where(events.c.match_id == match_id, events.c.seq == since)
    at = connection.execute(began).scalar_one()
    return Turn(at, _given(connection, match_id, since))


def _given(connection: Connection, match_id: MatchId, since: int) -> frozenset[int]:
    """The hours of the reminders that were given in a turn."""
    of_turn = (reminders.c.match_id == match_id, reminders.c.since == since)
    return frozenset(connection.execute(select(reminders.c.hours).where(*of_turn)).scalars())


def reminder_given(connection: Connection, match_id: MatchId, reminder: Delivery) -> None:
    """Note that a reminder was given."""
    since, hours = reminder.version, reminder.hours
    if hours not in _given(connection, match_id, since):
        row = {"match_id": match_id, "since": since, "hours": hours}
        connection.execute(insert(reminders), row)


# ---- answers that Discord did not take -----------------------------------------------------------


def owe(
    connection: Connection, interaction_id: InteractionId, now: datetime, before: datetime
) -> None:
    """Note that the person has not been told, if this interaction has caused an event.

    Notes from ``before`` some instant are forgotten.
    """
    connection.execute(delete(owed).where(owed.c.at < before))
    at = literal(now, Instant)
    known = events.c.interaction_id.in_(select(owed.c.interaction_id))
    caused = select(events.c.interaction_id, at).where(
        events.c.interaction_id == interaction_id, ~known
    )
    connection.execute(insert(owed).from_select(["interaction_id", "at"], caused))


def all_owed(connection: Connection) -> tuple[tuple[UserId, InteractionId], ...]:
    """The interactions of people whose events they have not been told, in order."""
    found = connection.execute(
        select(events.c.user_id, owed.c.interaction_id)
        .join(events, events.c.interaction_id == owed.c.interaction_id)
        .where(events.c.user_id.is_not(None))
        .order_by(owed.c.interaction_id)
    )
    return tuple((row.user_id, row.interaction_id) for row in found)


def answer_told(connection: Connection, interaction_id: InteractionId) -> None:
    """The person has been told."""
    connection.execute(delete(owed).where(owed.c.interaction_id == interaction_id))
