"""Digests inside transactions: when each is due, and what it is to tell."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import (
    Connection,
    bindparam,
    delete,
    exists,
    insert,
    select,
)

from bot.domain.events import micros
from bot.domain.ids import MatchId, UserId
from bot.services.outbox.digests import digest_key, next_digest
from bot.services.sending import Delivery, DeliveryKind, MatchClaim, News, NoticeKind
from bot.store import outgoing, rows
from bot.store.tables import matches, news, outbox

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
_ADD = insert(news).from_select(
    list(_of_notice), select(*_of_notice.values()).where(_has_digest, ~_is_there)
)
"""Only while a digest waits that will tell it: its reader may just have chosen otherwise."""
_NEWS = (
    select(matches, news.c.version.label("told_version"), news.c.notice)
    .join(news, news.c.match_id == matches.c.id)
    .where(news.c.user_id == bindparam("of_user"), news.c.at <= bindparam("until"))
    .order_by(news.c.at, news.c.match_id, news.c.version)
)
_TOLD = delete(news).where(
    news.c.user_id == bindparam("of_user"),
    news.c.match_id == bindparam("of_match"),
    news.c.version == bindparam("of_version"),
    news.c.notice == bindparam("of_notice"),
)
_FORGET = delete(news).where(news.c.user_id == bindparam("of_user"))


def choose(connection: Connection, user_id: UserId, at: datetime | None) -> None:
    """Have the next digest of a person come then, or none any more."""
    outgoing.drop(connection, digest_key(user_id))
    if at is None:
        connection.execute(_FORGET, {"of_user": user_id})
    else:
        outgoing.add(connection, (next_digest(user_id, at),))


def add_news(connection: Connection, made: MatchClaim, now: datetime) -> None:
    """Have the next digest tell what a notice would have told."""
    delivery = made.delivery
    assert delivery.audience is not None  # noqa: S101 - a notice is for one player
    assert delivery.notice is not None  # noqa: S101 - only notices are for digests
    user = made.match.players[delivery.audience]
    assert user is not None  # noqa: S101 - nor is one for an empty seat
    note(connection, user, made.match.id, delivery.version, delivery.notice, now)


def note(  # noqa: PLR0917 - the columns of the table
    connection: Connection,
    user_id: UserId,
    match_id: MatchId,
    version: int,
    notice: NoticeKind,
    now: datetime,
) -> None:
    """Have the next digest of a person tell something of a match."""
    connection.execute(
        _ADD,
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
    """What a digest that is due then is to tell."""
    found = connection.execute(_NEWS, {"of_user": user_id, "until": micros(until)}).all()
    return tuple(
        News(rows.match_of(row), row.told_version, NoticeKind(row.notice)) for row in found
    )


def told(connection: Connection, user_id: UserId, news: tuple[News, ...]) -> None:
    """Forget what a digest has told."""
    for each in news:
        _forget(connection, user_id, each)


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
    return connection.execute(_TOLD, {"of_user": user_id, **of_news}).rowcount > 0
