"""A change of a match, and all that features do in the transaction that writes it.

The match itself (:mod:`bot.store.transactions`) knows none of them. To have something else follow
from a change, write a function beside its feature, and name it in :data:`LISTENERS`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from itertools import chain

from sqlalchemy import Connection, bindparam, update

from bot.domain.events import Change, micros
from bot.domain.match import MatchStatus
from bot.domain.offers import next_offer
from bot.failpoints import hit
from bot.posts.deliveries import deliveries_for
from bot.posts.outgoing import Batch, match_key
from bot.store import (
    answers,
    database,
    follows,
    jobs,
    lobbies,
    match_feed,
    outbox,
    pairing,
    people,
    ratings,
    times,
    transactions,
    webhooks,
)
from bot.store.errors import AlreadyDone, Conflict
from bot.store.records import AuditEntry, Committed, PairingCheck
from bot.store.tables import tournament_games

_END_OF_GAME = (
    update(tournament_games)
    .where(tournament_games.c.match_id == bindparam("of_match"))
    .values(ended_at=bindparam("at"))
)


def _note_end(connection: Connection, now: Committed) -> None:
    """Note when a game of a tournament ended; the next sweep of the runner records the result."""
    head = now.head
    if head.status.is_final and head.tournament is not None:
        values = {"of_match": head.id, "at": micros(head.updated_at)}
        connection.execute(_END_OF_GAME, values)


def _offer_again(connection: Connection, now: Committed) -> None:
    """Write the offer that an offer for several matches leaves for others to accept."""
    following = next_offer(now.change) if now.change.match.repeats else None
    if following is None:
        return
    guild_id = following.match.origin.guild_id
    lobby = None if guild_id is None else lobbies.note(connection, guild_id)
    quietly = lobbies.is_listed(lobby, following.match)
    commit(connection, following, quietly=quietly, is_next=True)


LISTENERS: tuple[Callable[[Connection, Committed], None], ...] = (
    lobbies.show_change,
    pairing.tally,
    follows.follow_players,
    times.shorten_vacations,
    ratings.rate,
    _note_end,
    jobs.note,
    match_feed.post_change,
    follows.show_change,
    webhooks.note_match,
    _offer_again,
)
"""All that follows from a change, in this order."""


def commit(
    connection: Connection,
    change: Change,
    *,
    quietly: bool = False,
    is_next: bool = False,
    lease_until: datetime | None = None,
    check: PairingCheck | None = None,
    entry: AuditEntry | None = None,
    ends: Change | None = None,
) -> Batch:
    """Write a change, the ones that answer it at once, and what follows from them.

    ``quietly``: the change itself sends no notice. ``is_next``: it is a further match of one same
    offer. ``ends`` is the change of another match that ends by it.
    :exc:`Conflict` if the match has another version than expected.
    """
    if check is not None:
        _judge(connection, change, check)
    # From here on nobody else changes the match, so what is looked up holds until the end.
    transactions.write(connection, change)
    if entry is not None:
        people.log_act(connection, entry)
    answering = answers.answers(connection, change)
    for answer in answering:
        transactions.write(connection, answer)
    told = answering if quietly else (change, *answering)
    deliveries = tuple(chain.from_iterable(map(deliveries_for, told)))
    now = Committed(change, answering, deliveries, is_next=is_next)
    for listener in LISTENERS:
        listener(connection, now)
    if ends is not None:
        commit(connection, ends)
    batch: Batch = ()
    if lease_until is not None:
        key = match_key(now.head.id)
        database.hold_keys(connection, (key,))
        batch = outbox.take_next(connection, key, now.at, lease_until, now.head)
    hit("c4")
    return batch


def _judge(connection: Connection, change: Change, check: PairingCheck) -> None:
    """Have a check decide here, where no other commit can come between it and what it allows.

    What has been done already is not judged by what it has itself used up.
    """
    starts = change.match.status is MatchStatus.RUNNING
    servers = (check.guild_id,) if starts and check.guild_id is not None else ()
    database.hold(connection, (*check.people, *servers))
    if change.event.interaction_id is not None:
        event = transactions.done(connection, change.event.interaction_id)
        if event is not None:
            raise AlreadyDone(event)
    before = change.before
    head = None if before is None else transactions.match(connection, before.id, None)
    if before is not None and (head is None or head.version != before.version):
        raise Conflict
    check.judge(pairing.facts(connection, check))
