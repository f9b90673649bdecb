"""A change of a match, and all that follows from it in the transaction that writes it.

It may be answered at once, as a planned move answers a move. The match itself
(:mod:`bot.store.transactions`) knows nothing of what follows. To have something else follow from a
change, write a function beside its feature, and name it in ``bot/features.py``.
"""

from __future__ import annotations

from datetime import datetime
from itertools import chain
from typing import TypedDict, Unpack

from sqlalchemy import Connection

from bot.domain.events import Change
from bot.domain.match import MatchStatus
from bot.domain.offers import next_offer
from bot.failpoints import hit
from bot.posts.deliveries import Committed, deliveries_for
from bot.posts.outgoing import Batch, match_key
from bot.store import database, outbox, pairing, people, transactions
from bot.store.errors import AlreadyDone, Conflict
from bot.store.hooks import hooks
from bot.store.records import AuditEntry, PairingCheck


def offer_again(connection: Connection, now: Committed) -> None:
    """Write the offer that an offer for several matches leaves for others to accept."""
    following = next_offer(now.change) if now.change.match.repeats else None
    if following is None:
        return
    commit(connection, following, is_next=True)


class Together(TypedDict, total=False):
    """What is done in one transaction with a change.

    ``check`` may refuse it, ``entry`` goes into the audit log, and ``ends`` is the change of
    another match that ends by it. Its messages are leased to the caller until ``lease_until``.
    """

    check: PairingCheck | None
    entry: AuditEntry | None
    ends: Change | None
    lease_until: datetime | None


def commit(
    connection: Connection,
    change: Change,
    *,
    quietly: bool = False,
    is_next: bool = False,
    **together: Unpack[Together],
) -> Batch:
    """Write a change, the ones that answer it at once, and what follows from them.

    ``quietly``: the change itself sends no notice. ``is_next``: it is a further match of one same
    offer. :exc:`Conflict` if the match has another version than expected.
    """
    assert hooks.changed, "bot.features is not imported"  # noqa: S101 - or all would be lost
    if (check := together.get("check")) is not None:
        _judge(connection, change, check)
    # From here on nobody else changes the match, so what is looked up holds until the end.
    transactions.write(connection, change)
    if (entry := together.get("entry")) is not None:
        people.log_act(connection, entry)
    answering = tuple(chain.from_iterable(answer(connection, change) for answer in hooks.answers))
    for answer in answering:
        transactions.write(connection, answer)
    is_listed = change.before is None and any(
        lists(connection, change.match) for lists in hooks.listed
    )
    told = answering if quietly or is_listed else (change, *answering)
    deliveries = tuple(chain.from_iterable(map(deliveries_for, told)))
    now = Committed(change, answering, deliveries, is_next=is_next)
    is_over = now.head.status.is_final
    for listener in (*hooks.ended, *hooks.changed) if is_over else hooks.changed:
        listener(connection, now)
    if (ends := together.get("ends")) is not None:
        commit(connection, ends)
    batch: Batch = ()
    if (lease_until := together.get("lease_until")) is not None:
        key = match_key(now.head.id)
        database.hold_keys(connection, (key,))
        batch = outbox.take_next(connection, key, now.at, lease_until, now.head)
    hit("c4")
    return batch


def _judge(connection: Connection, change: Change, check: PairingCheck) -> None:
    """Have a check decide here, where no other commit can come between it and what it allows.

    A change that has been made already is not judged by what it used up itself.
    """
    starts = change.match.status is MatchStatus.RUNNING
    servers = (check.guild_id,) if starts and check.guild_id is not None else ()
    database.hold(connection, (*check.people, *servers))
    if change.event.interaction_id is not None:
        event = transactions.done(connection, change.event.interaction_id)
        if event is not None:
            raise AlreadyDone(event)
    before = change.before
    head = None if before is None else transactions.match(connection, before.id)
    if before is not None and (head is None or head.version != before.version):
        raise Conflict
    check.judge(pairing.facts(connection, check))
