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
    update,
)

from bot.domain.events import micros, moment
from bot.domain.ids import UserId
from bot.services.sending import MatchClaim, News, NoticeKind
from bot.store import rows
from bot.store.tables import matches, news, people

_DIGESTS = (
    select(people.c.user_id, people.c.digest_at)
    .where(people.c.digest_at <= bindparam("now"))
    .order_by(people.c.digest_at)
    .limit(bindparam("at_most"))
)
_DIGEST_DONE = (
    update(people)
    .where(people.c.user_id == bindparam("of_user"), people.c.digest_at == bindparam("was"))
    .values(digest_at=bindparam("then"))
)
_of_notice = {
    name: bindparam(name, type_=news.c[name].type)
    for name in ("user_id", "match_id", "version", "notice", "at")
}
_has_digest = exists().where(
    people.c.user_id == bindparam("user_id"), people.c.digest_at.is_not(None)
)
_is_there = exists().where(
    news.c.user_id == bindparam("user_id"),
    news.c.match_id == bindparam("match_id"),
    news.c.version == bindparam("version"),
    news.c.notice == bindparam("notice"),
)
_ADD = insert(news).from_select(
    list(_of_notice), select(*_of_notice.values()).where(_has_digest, ~_is_there)
)
"""Only while a digest is due that will tell it: its reader may just have chosen otherwise."""
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


def due(connection: Connection, now: datetime, limit: int) -> tuple[tuple[UserId, datetime], ...]:
    """Who is due a digest, and since when."""
    found = connection.execute(_DIGESTS, {"now": micros(now), "at_most": limit}).all()
    return tuple((UserId(row.user_id), moment(row.digest_at)) for row in found)


def done(
    connection: Connection,
    user_id: UserId,
    was: datetime,
    then: datetime | None,
    told: tuple[News, ...] = (),
) -> bool:
    """Set when the next digest is due, and forget what this one has told, if no other has."""
    next_at = None if then is None else micros(then)
    given = {"of_user": user_id, "was": micros(was), "then": next_at}
    if connection.execute(_DIGEST_DONE, given).rowcount != 1:
        return False
    for each in told:
        of_news = {
            "of_match": each.match.id,
            "of_version": each.version,
            "of_notice": each.notice.value,
        }
        connection.execute(_TOLD, {"of_user": user_id, **of_news})
    return True


def add_news(connection: Connection, made: MatchClaim, now: datetime) -> None:
    """Have the next digest tell what a notice would have told."""
    delivery = made.delivery
    assert delivery.audience is not None  # noqa: S101 - a notice is for one player
    assert delivery.notice is not None  # noqa: S101 - only notices are for digests
    connection.execute(
        _ADD,
        {
            "user_id": made.match.players[delivery.audience],
            "match_id": made.match.id,
            "version": delivery.version,
            "notice": delivery.notice.value,
            "at": micros(now),
        },
    )


def news_for(connection: Connection, user_id: UserId, until: datetime) -> tuple[News, ...]:
    """What a digest that is due then is to tell."""
    found = connection.execute(_NEWS, {"of_user": user_id, "until": micros(until)}).all()
    return tuple(
        News(rows.match_of(row), row.told_version, NoticeKind(row.notice)) for row in found
    )


def forget(connection: Connection, user_id: UserId) -> None:
    """Forget what no digest will tell."""
    connection.execute(_FORGET, {"of_user": user_id})
