"""Deliveries of matches as rows of the outbox, inside transactions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, select, update

from bot.domain.events import micros
from bot.domain.ids import ChannelId, MatchId, MessageId
from bot.services.outgoing import Payload, match_key
from bot.services.sending import Delivery, DeliveryKind, NoticeKind, Posted
from bot.store import outgoing
from bot.store.tables import outbox

_WAITING = (
    select(outbox.c.kind, outbox.c.payload, outbox.c.trouble)
    .where(outbox.c.key == bindparam("of_key"))
    .order_by(outbox.c.id)
)
_HURRY = (
    update(outbox)
    .where(outbox.c.key == bindparam("of_key"), outbox.c.attempts > 0)
    .values(due_at=bindparam("due_at"))
)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A delivery that is not made yet, and a word for why, if it was tried."""

    delivery: Delivery
    trouble: str | None


def delivery_of(kind: str, payload: Payload) -> Delivery:
    """The delivery that :meth:`bot.services.sending.Delivery.payload` was written of."""
    version, audience = payload["version"], payload["audience"]
    notice, target, hours = payload["notice"], payload["target"], payload["hours"]
    assert isinstance(version, int)  # noqa: S101 - as it was written
    assert hours is None or isinstance(hours, int)  # noqa: S101 - as it was written
    assert audience is None or isinstance(audience, int)  # noqa: S101 - as it was written
    posted = None
    if isinstance(target, list):
        channel_id, message_id = map(int, map(str, target))
        posted = Posted(ChannelId(channel_id), MessageId(message_id))
    what = None if notice is None else NoticeKind(notice)
    told = payload["told"]
    assert isinstance(told, list)  # noqa: S101 - as it was written
    players = tuple(int(str(each)) for each in told)
    return Delivery(DeliveryKind(kind), version, audience, what, posted, hours, players)


def add(
    connection: Connection, match_id: MatchId, deliveries: Sequence[Delivery], due_at: datetime
) -> None:
    """Write deliveries of a match."""
    outgoing.add(connection, [each.message(match_id, due_at) for each in deliveries])


def waiting(connection: Connection, match_id: MatchId) -> tuple[Waiting, ...]:
    """Everything of a match that is not made yet, in order."""
    found = connection.execute(_WAITING, {"of_key": match_key(match_id)}).all()
    return tuple(
        Waiting(delivery_of(row.kind, outgoing.payload_of(row)), row.trouble) for row in found
    )


def hurry(connection: Connection, match_id: MatchId, now: datetime) -> None:
    """Have everything of a match tried at once that was put off; the caller holds its key."""
    connection.execute(_HURRY, {"of_key": match_key(match_id), "due_at": micros(now)})
