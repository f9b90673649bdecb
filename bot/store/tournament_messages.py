"""What tournaments are to tell, inside transactions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import uuid4

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from bot.domain.events import micros, moment
from bot.domain.ids import ChannelId, MessageId, TournamentId, UserId
from bot.domain.tournaments.tournament import Tournament
from bot.services.sending import Posted
from bot.services.tournaments.messages import Message, MessageKind
from bot.services.tournaments.ports import ClaimedMessage, NewMessage
from bot.store.tables import tournament_messages as messages
from bot.store.tables import tournaments

_SOON = timedelta(seconds=3)
"""How long the home message waits, so that what happens in a row is shown at once."""
_ADD = insert(messages)
_earlier = messages.alias("earlier")
_CLAIM = (
    select(messages, tournaments.c.channel_id, tournaments.c.message_id)
    .join(tournaments, tournaments.c.id == messages.c.tournament_id)
    .where(
        messages.c.due_at <= bindparam("now"),
        messages.c.lease_until <= bindparam("now"),
        tournaments.c.set_aside_at.is_(None),
        ~select(_earlier.c.id)
        .where(
            _earlier.c.tournament_id == messages.c.tournament_id,
            _earlier.c.user_id.is_not_distinct_from(messages.c.user_id),
            # The home message is edited, whatever else is said in its channel.
            (_earlier.c.kind == MessageKind.HOME.value)
            == (messages.c.kind == MessageKind.HOME.value),
            _earlier.c.id < messages.c.id,
        )
        .exists(),
    )
    .order_by(messages.c.id)
    .limit(bindparam("at_most"))
    .with_for_update(of=messages, skip_locked=True)
)
_LEASE = (
    update(messages)
    .where(messages.c.id == bindparam("of_id"), messages.c.lease_until <= bindparam("now"))
    .values(
        lease_by=bindparam("by"),
        lease_until=bindparam("until"),
        attempts=messages.c.attempts + 1,
    )
)
_SENT = delete(messages).where(
    messages.c.id == bindparam("of_id"), messages.c.lease_by == bindparam("of_lease")
)
_BACK = (
    update(messages)
    .where(messages.c.id == bindparam("of_id"), messages.c.lease_by == bindparam("of_lease"))
    .values(due_at=bindparam("due"), lease_until=0, may_exist=bindparam("may"))
)
_STANDS = (
    update(tournaments)
    .where(tournaments.c.id == bindparam("of_id"))
    .values(channel_id=bindparam("channel"), message_id=bindparam("message"), home_gone=0)
)
_HOME = (
    update(messages)
    .where(
        messages.c.tournament_id == bindparam("of_id"),
        messages.c.kind == MessageKind.HOME.value,
        messages.c.lease_until == 0,
    )
    .values(version=bindparam("version"))
)
_NEXT = select(func.min(messages.c.due_at))


def add(connection: Connection, t: Tournament, told: Sequence[NewMessage]) -> None:
    """Note what is to be told. A home message that waits is shown as it is then."""
    due = micros(t.updated_at)
    rows = [
        {
            "tournament_id": t.id,
            "kind": each.kind.value,
            "version": each.version or t.version,
            "entrant": each.entrant,
            "user_id": each.user_id,
            "game": each.game,
            "detail": each.detail,
            "due_at": due,
        }
        for each in told
        if each.kind is not MessageKind.HOME
    ]
    if rows:
        connection.execute(_ADD, rows)
    if any(each.kind is MessageKind.HOME for each in told):
        show_home(connection, t, t.updated_at)


def show_home(connection: Connection, t: Tournament, now: datetime) -> None:
    """Have the home message shown soon, together with what else happens until then."""
    waits = {"of_id": t.id, "version": t.version}
    if connection.execute(_HOME, waits).rowcount:
        return
    row = {
        "tournament_id": t.id,
        "kind": MessageKind.HOME.value,
        "version": t.version,
        "entrant": 0,
        "user_id": None,
        "game": "",
        "detail": "",
        "due_at": micros(now + _SOON if t.version > 1 else now),
    }
    connection.execute(_ADD, row)


def claim(
    connection: Connection, now: datetime, lease_until: datetime, limit: int
) -> tuple[ClaimedMessage, ...]:
    """Take messages that are due."""
    at = micros(now)
    found = connection.execute(_CLAIM, {"now": at, "at_most": limit}).all()
    lease = uuid4().hex
    taken = []
    for row in found:
        values = {"of_id": row.id, "now": at, "by": lease, "until": micros(lease_until)}
        if connection.execute(_LEASE, values).rowcount != 1:
            continue
        kind = MessageKind(row.kind)
        shown = None
        if kind is MessageKind.HOME and row.message_id is not None:
            shown = Posted(ChannelId(row.channel_id), MessageId(row.message_id))
        message = Message(
            row.id,
            kind,
            row.version,
            row.entrant,
            None if row.user_id is None else UserId(row.user_id),
            row.game,
            row.detail,
            shown,
            f"t{row.id:x}",
            bool(row.may_exist),
        )
        attempts = row.attempts + 1
        taken.append(ClaimedMessage(TournamentId(row.tournament_id), message, attempts, lease))
    return tuple(taken)


def sent(connection: Connection, claimed: ClaimedMessage, posted: Posted | None) -> None:
    """A message is told."""
    message = claimed.message
    if message.kind is MessageKind.HOME and posted is not None:
        stands = {"channel": posted.channel_id, "message": posted.message_id}
        connection.execute(_STANDS, {"of_id": claimed.tournament_id, **stands})
    connection.execute(_SENT, {"of_id": message.id, "of_lease": claimed.lease})


def back(
    connection: Connection, claimed: ClaimedMessage, due_at: datetime, *, may_exist: bool
) -> None:
    """A message is to be tried again."""
    connection.execute(
        _BACK,
        {
            "of_id": claimed.message.id,
            "of_lease": claimed.lease,
            "due": micros(due_at),
            "may": int(may_exist or claimed.message.may_exist),
        },
    )


def next_due(connection: Connection) -> datetime | None:
    """When the next message is due."""
    found = connection.execute(_NEXT).scalar()
    return None if found is None else moment(found)
