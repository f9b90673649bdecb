"""Where servers have their results sent, and what is to be sent there: inside transactions."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from bot.domain.ids import GuildId, UserId
from bot.domain.match import MatchStatus
from bot.posts.deliveries import Committed
from bot.posts.outgoing import WEBHOOK, Key, Outgoing, key_of
from bot.store import outgoing, people
from bot.store.records import AuditEntry
from bot.store.tables import outbox, webhooks
from bot.webhooks.domain import GIVEN_UP_AFTER, Webhook, host_of, read_address

MOST_WAITING = 500
"""Messages that wait for one address at most; further ones are not sent."""


def webhook_key(guild_id: GuildId) -> Key:
    """The key of all that is sent of a server."""
    return key_of(WEBHOOK, guild_id)


def of_server(connection: Connection, guild_id: GuildId) -> Webhook | None:
    """The address of a server, None if it has none."""
    found = select(webhooks).where(webhooks.c.guild_id == guild_id)
    row = connection.execute(found).first()
    return None if row is None else Webhook(**row._mapping)


def choose(
    connection: Connection,
    guild_id: GuildId,
    user_id: UserId,
    address: str | None,
    now: datetime,
) -> str:
    """Give a server an address and a new secret, or none; it stands in the server's log.

    Returns the secret. Results that wait to be sent to an earlier address go. Raises
    ``webhook_address``.
    """
    url, secret = None if address is None else read_address(address), secrets.token_urlsafe(32)
    before = of_server(connection, guild_id)
    outgoing.drop(connection, webhook_key(guild_id))
    connection.execute(delete(webhooks).where(webhooks.c.guild_id == guild_id))
    if url is not None:
        row = {"guild_id": guild_id, "url": url, "secret": secret, "trouble": ""}
        connection.execute(insert(webhooks), row)
    was = None if before is None else host_of(before.url)
    after = None if url is None else host_of(url)
    people.log_act(
        connection, AuditEntry(now, guild_id, user_id, WEBHOOK, {"host": was}, {"host": after})
    )
    return secret


def note_success(connection: Connection, known: Webhook) -> None:
    """An address has taken what was sent."""
    _set(connection, known, failing_since=None, off_at=None, trouble="")


def note_failure(connection: Connection, known: Webhook, trouble: str, now: datetime) -> bool:
    """An address has failed. Whether it is switched off by that, and all that waits for it gone."""
    found = of_server(connection, known.guild_id)
    if found is None or found.secret != known.secret:
        return True
    since = found.failing_since or now
    is_off = now - since >= GIVEN_UP_AFTER
    off_at = now if is_off else None
    _set(connection, known, failing_since=since, off_at=off_at, trouble=trouble)
    if is_off:
        outgoing.drop(connection, webhook_key(known.guild_id))
    return is_off


def _set(connection: Connection, known: Webhook, **values: Any) -> None:
    is_it = (webhooks.c.guild_id == known.guild_id, webhooks.c.secret == known.secret)
    connection.execute(update(webhooks).where(*is_it).values(values))


# ---- what follows from a change ------------------------------------------------------------------


def note_match(connection: Connection, now: Committed) -> None:
    """Tell of a match that begins or ends."""
    before = None if now.change.before is None else now.change.before.status
    after = now.head.status
    if before is after:
        return
    was_running = before is MatchStatus.RUNNING or any(
        each.match.status is MatchStatus.RUNNING for each in now.played
    )
    guild_id = now.head.origin.guild_id
    if guild_id is None or not was_running:
        return
    if before is not MatchStatus.RUNNING:
        plan(connection, guild_id, "match.began", now.head.id, now.at)
    if after.is_final:
        plan(connection, guild_id, "match.ended", now.head.id, now.at)


def plan(
    connection: Connection, guild_id: GuildId, event: str, subject: str, now: datetime
) -> None:
    """Tell a server's address of an event, such as ``match.began``, if it has one."""
    known = of_server(connection, guild_id)
    if known is None or known.off_at is not None:
        return
    key = webhook_key(guild_id)
    waiting = select(func.count()).where(outbox.c.key == key)
    if connection.execute(waiting).scalar_one() >= MOST_WAITING:
        return
    payload = {"event": event, "id": subject, "at": now.isoformat()}
    outgoing.plan(connection, Outgoing(WEBHOOK, key, now, payload))
