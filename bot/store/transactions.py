"""What happens inside each transaction: plain functions of a connection.

A transaction is one function, run from begin to commit in a task that nobody cancels. Nothing else
can be awaited inside it, so there is no place where it could be left half done, and both databases
run the very same code.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, bindparam, update

from bot.domain.events import Change, Event, EventKind, micros
from bot.domain.ids import ChannelId, GuildId, InteractionId, MatchId, UserId
from bot.domain.match import Match, MatchStatus, Scope
from bot.domain.plans import Plan
from bot.domain.ratings.rated import RatingRecord
from bot.failpoints import hit
from bot.posts.outgoing import Batch, match_key
from bot.posts.sending import DeliveryKind
from bot.store import (
    database,
    follows,
    jobs,
    lobbies,
    match_feed,
    outbox,
    outgoing,
    pairing,
    people,
    plans,
    ratings,
    rows,
    times,
)
from bot.store import statements as sql
from bot.store.consequences import consequences
from bot.store.errors import AlreadyDone, Conflict
from bot.store.follows import show_followed
from bot.store.lobbies import LobbyNote
from bot.store.records import AuditEntry, Loaded, PairingCheck, VacationRow
from bot.store.scopes import asked, reckoned
from bot.store.tables import tournament_games

_END_OF_GAME = (
    update(tournament_games)
    .where(tournament_games.c.match_id == bindparam("of_match"))
    .values(ended_at=bindparam("at"))
)


def _note_end(connection: Connection, match_id: MatchId, at: datetime) -> None:
    """Note when the match of a game ended; the next sweep of the runner records the result."""
    connection.execute(_END_OF_GAME, {"of_match": match_id, "at": micros(at)})


class StoredFacts:
    """The :class:`~bot.store.consequences.Facts` as this transaction sees them."""

    def __init__(self, connection: Connection) -> None:
        self._transaction = connection

    def plans(self, match_id: MatchId) -> tuple[Plan, ...]:
        """What the players of a match have planned."""
        return plans.plans_of(self._transaction, match_id)

    def vacations(self, user_id: UserId) -> tuple[VacationRow, ...]:
        """All that is kept of a person's vacations."""
        return times.vacations_of(self._transaction, user_id)

    def lobby(self, guild_id: GuildId) -> LobbyNote | None:
        """The lobby of a server."""
        return lobbies.note(self._transaction, guild_id)

    def followers(self, match_id: MatchId) -> tuple[UserId, ...]:
        """Who follows a match."""
        return follows.followers(self._transaction, match_id)

    def fans(self, match: Match) -> tuple[UserId, ...]:
        """Who follows the next matches of any of its players, in its server."""
        guild, players = match.origin.guild_id, [each for each in match.players if each is not None]
        return (
            () if guild is None else follows.followers_of_players(self._transaction, players, guild)
        )

    def records(self, match: Match) -> tuple[tuple[UserId, RatingRecord | None], ...]:
        """The players of a match, and their records in its game."""
        return ratings.records(self._transaction, match)


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
    """Write a change, and what follows from it; ``is_next``: a further match of one same offer.

    ``ends`` is the change of another match that ends by it.
    :exc:`Conflict` if the match has another version than expected.
    """
    if check is not None:
        _judge(connection, change, check)
    # From here on nobody else changes the match, so what is looked up holds until the end.
    _write(connection, change)
    if entry is not None:
        people.log_act(connection, entry)
    then = consequences(change, StoredFacts(connection), quietly=quietly)
    for answer in then.answers:
        _write(connection, answer)
    head, at = (change, *then.answers)[-1].match, change.event.at
    for plan in then.plans:
        plans.put(connection, plan)
    if then.lobby is not None:
        lobbies.mark(connection, then.lobby, at)
        if change.before is None and not is_next:
            lobbies.call(connection, head, at)
    for tally in then.tallies:
        pairing.tally(connection, tally, head, at)
    for fan in then.fans:
        follows.add(connection, fan, head.id, at)
    for vacation in then.vacations:
        times.keep_vacation(connection, vacation)
    if then.rated:
        ratings.add_result(connection, head, then.rated)
    if then.ranks is not None:
        ratings.rank_again(connection, head, then.ranks)
    if then.ended is not None:
        _note_end(connection, then.ended, head.updated_at)
    if then.computer is not None:
        jobs.note(connection, head, then.computer, at)
    for closing in then.closings:
        match_feed.close(connection, head, closing)
    cards = [each for each in then.deliveries if each.kind is DeliveryKind.CARD]
    outgoing.plan(
        connection,
        *(each.message(at) for each in then.turns),
        *(each.message(head.id, head.updated_at) for each in then.deliveries if each not in cards),
        *(show_followed(each, head.id, at) for each in then.followers),
    )
    if cards:
        # It shows the match as it will be then, so one that waits is not put off by a fast game.
        database.hold_keys(connection, (match_key(head.id),))
        outgoing.add_unless_waiting(connection, (cards[-1].message(head.id, head.updated_at),))
    if then.next_offer is not None:
        following = then.next_offer
        commit(connection, following.change, quietly=following.quietly, is_next=True)
    if ends is not None:
        commit(connection, ends)
    batch: Batch = ()
    if lease_until is not None:
        lease = outbox.new_lease(at, lease_until)
        key = match_key(head.id)
        database.hold_keys(connection, (key,))
        batch = outbox.take_next(connection, key, lease, head)
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
        event = done(connection, change.event.interaction_id)
        if event is not None:
            raise AlreadyDone(event)
    before = change.before
    head = None if before is None else match(connection, before.id, None)
    if before is not None and (head is None or head.version != before.version):
        raise Conflict
    check.judge(pairing.facts(connection, check))


def _write(connection: Connection, change: Change) -> None:
    """Write an event, and the head after it in the place of the one that it was decided on."""
    if change.before is None:
        connection.execute(sql.ADD_MATCH, rows.match_row(change.match))
    else:
        _advance(connection, change.before, change.match)
    connection.execute(sql.ADD_EVENT, rows.event_row(change))
    _seat(connection, change)


def _advance(connection: Connection, before: Match, after: Match) -> None:
    """Put the new head in the place of the one that the change was decided on."""
    values = {
        "of_match": after.id,
        "of_version": before.version,
        "of_set_aside_at": rows.maybe_micros(before.set_aside_at),
        **rows.changing_row(after),
    }
    if connection.execute(sql.MOVE_MATCH, values).rowcount != 1:
        raise Conflict
    if before.players != after.players:
        connection.execute(sql.SET_PLAYERS, rows.players_row(after))


def _people(match: Match | None) -> set[UserId]:
    if match is None:
        return set()
    return {user for user in (*match.players, *match.invited) if user is not None}


def _seat(connection: Connection, change: Change) -> None:
    """Keep ``seats`` in step with the head."""
    before, after = change.before, change.match
    if before is None or before.players != after.players:
        had, have = _people(before), _people(after)
        if before is not None and change.event.kind is EventKind.SUBSTITUTED:
            had, have = (set(filter(None, each.players)) for each in (before, after))
        for user in sorted(have - had):
            _take_seat(connection, after.id, user)
        for user in had - have:
            connection.execute(sql.LEAVE_SEAT, {"of_match": after.id, "of_user": user})
    if after.status.is_final:
        connection.execute(sql.REST_SEATS, {"of_match": after.id})


def _take_seat(connection: Connection, match_id: MatchId, user_id: UserId) -> None:
    """Note that a person has a seat in a match or is invited to it, perhaps again."""
    again = connection.execute(sql.TAKE_SEAT, {"of_match": match_id, "of_user": user_id})
    if again.rowcount == 0:
        connection.execute(sql.ADD_SEATS, {"match_id": match_id, "user_id": user_id, "active": 1})


def load(
    connection: Connection,
    match_id: MatchId,
    interaction_id: InteractionId | None,
    now: datetime | None = None,
    joining: UserId | None = None,
) -> Loaded:
    """A match by id, for any reader, and the event that this interaction has caused, if any.

    At an instant ``now`` also what :func:`bot.services.presence.standing` finds out.
    """
    row = connection.execute(
        sql.MATCH_AND_DONE, {"of_match": match_id, "of_interaction": interaction_id}
    ).first()
    if row is None:
        return Loaded(None, None)
    found = rows.match_of(row)
    event = None if row.seq is None else rows.event_of(row)
    may_stand = found.clock is not None and (found.deadline or found.clock.may_rest)
    if now is None or not may_stand:
        return Loaded(found, event)
    joins = None if found.state else joining
    availability = times.availability(connection, *asked(found, now, joins))
    return Loaded(found, event, reckoned(found, now, availability))


def done(connection: Connection, interaction_id: InteractionId) -> Event | None:
    """The event that this interaction has caused, in whatever match."""
    row = connection.execute(sql.DONE, {"of_interaction": interaction_id}).first()
    return None if row is None else rows.event_of(row)


def match(connection: Connection, match_id: MatchId, scope: Scope | None) -> Match | None:
    """A match; ``scope`` None is the host itself, who may see all."""
    row = connection.execute(sql.MATCH, {"of_match": match_id}).first()
    found = None if row is None else rows.match_of(row)
    if found is None or scope is None or found.is_visible(scope):
        return found
    return None


def running_in(connection: Connection, channel_id: ChannelId, scope: Scope) -> tuple[Match, ...]:
    """The running matches that live in a channel or thread, or were offered there."""
    found = connection.execute(sql.RUNNING_IN, {"of_channel": channel_id}).all()
    everything = (rows.match_of(row) for row in found)
    return tuple(each for each in everything if each.is_visible(scope))


def active_of(connection: Connection, user_id: UserId) -> tuple[Match, ...]:
    """Everything running or on offer in which this person has or is kept a chair."""
    found = connection.execute(sql.ACTIVE_OF, {"of_user": user_id})
    return tuple(rows.match_of(row) for row in found.all())


def history(connection: Connection, match_id: MatchId, scope: Scope | None) -> tuple[Event, ...]:
    """All events of a match in order; empty if it may not be seen in this scope."""
    if scope is not None and match(connection, match_id, scope) is None:
        return ()
    found = connection.execute(sql.HISTORY, {"of_match": match_id})
    return tuple(rows.event_of(row) for row in found.all())


def lapsed_offers(connection: Connection, now: datetime, limit: int) -> tuple[MatchId, ...]:
    """Offers whose time has come, the oldest first."""
    found = connection.execute(sql.LAPSED, {"now": micros(now), "at_most": limit})
    return tuple(MatchId(row.id) for row in found.all())


def lapsed_requests(connection: Connection, now: datetime, limit: int) -> tuple[MatchId, ...]:
    """Running matches in which a request lapses by now, the oldest first."""
    found = connection.execute(sql.LAPSING, {"now": micros(now), "at_most": limit})
    return tuple(MatchId(row.id) for row in found.all())


def over_in(
    connection: Connection, channel_id: ChannelId, scope: Scope, limit: int
) -> tuple[Match, ...]:
    """Matches that were played in a channel or thread and are over, the newest first."""
    found = connection.execute(sql.OVER_IN, {"of_channel": channel_id, "at_most": limit})
    everything = (rows.match_of(row) for row in found.all())
    return tuple(each for each in everything if each.is_visible(scope))


def over_of(
    connection: Connection, user_id: UserId, scope: Scope, limit: int, skipped: int = 0
) -> tuple[Match, ...]:
    """Matches that a person played and that are over, the last to end first.

    Of the ``limit`` after those ``skipped``, the ones that may be seen in this scope.
    """
    seen = {"seen_in": scope.guild_id, "seen_by": scope.user_id}
    wanted = {"of_user": user_id, "at_most": limit, "skipped": skipped, **seen}
    everything = (rows.match_of(row) for row in connection.execute(sql.OVER_OF, wanted).all())
    return tuple(
        each for each in everything if each.index_of(user_id) is not None and each.is_visible(scope)
    )


def met(connection: Connection, one: UserId, other: UserId, limit: int) -> tuple[Match, ...]:
    """Finished matches in which two people met, the last first."""
    wanted = {"of_user": one, "of_other": other, "at_most": limit}
    return tuple(rows.match_of(row) for row in connection.execute(sql.MET, wanted).all())


def running_in_server(
    connection: Connection, guild_id: GuildId, limit: int, skipped: int = 0
) -> tuple[Match, ...]:
    """The matches that run in a server, those with the newest moves first."""
    wanted = {"of_guild": guild_id, "at_most": limit, "skipped": skipped}
    found = connection.execute(sql.RUNNING_IN_SERVER, wanted).all()
    return tuple(rows.match_of(row) for row in found)


def quiet_since(
    connection: Connection, before: datetime, after: str, limit: int
) -> tuple[Match, ...]:
    """Running matches in servers in which nothing has happened since then, by their ids.

    Those of tournaments are not among them.
    """
    wanted = {"after": after, "before": micros(before), "at_most": limit}
    found = connection.execute(sql.RUNNING_AFTER, wanted).all()
    return tuple(rows.match_of(row) for row in found)


def matches_after(
    connection: Connection, after: str, limit: int
) -> tuple[tuple[Match, tuple[Event, ...]], ...]:
    """The next matches in the order of their ids, with their histories."""
    found = connection.execute(sql.MATCHES_AFTER, {"after": after, "at_most": limit})
    heads = [rows.match_of(row) for row in found.all()]
    return tuple((head, history(connection, head.id, None)) for head in heads)


def newest_matches(
    connection: Connection, limit: int
) -> tuple[tuple[Match, tuple[Event, ...]], ...]:
    """The matches to which the last so many events of a SQLite file belong, with all of theirs."""
    found = connection.execute(sql.NEWEST_EVENTS, {"at_most": limit}).scalars()
    heads = [match(connection, match_id, None) for match_id in dict.fromkeys(found)]
    return tuple((head, history(connection, head.id, None)) for head in heads if head is not None)
