"""A change of a match, and all that features do in the transaction that writes it.

It may be answered at once: computers sit down, planned moves are played. A plan that the game has
left is gone, whatever the reason. The match itself (:mod:`bot.store.transactions`) knows none of
them. To have something else follow
from a change, write a function beside its feature, and name it in :data:`LISTENERS`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from itertools import chain

from sqlalchemy import Connection, bindparam, update

from bot.domain import play
from bot.domain.computer_turns import sits
from bot.domain.events import Change, CommandContext, EventKind, OnVacation, micros
from bot.domain.game_state import player_on_turn
from bot.domain.match import Actor, Match, MatchStatus
from bot.domain.offers import next_offer
from bot.domain.plans import Plan
from bot.domain.playthrough import moves_of
from bot.errors import UserError
from bot.failpoints import hit
from bot.logs import bug_id, logger
from bot.posts.deliveries import Committed, deliveries_for
from bot.posts.outgoing import Batch, match_key
from bot.store import (
    database,
    follows,
    jobs,
    lobbies,
    match_feed,
    outbox,
    pairing,
    people,
    plans,
    ratings,
    times,
    transactions,
    webhooks,
)
from bot.store.errors import AlreadyDone, Conflict
from bot.store.records import AuditEntry, PairingCheck
from bot.store.tables import tournament_games
from bot.store.times import Availability
from games.errors import GameError

_log = logger(__name__)

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


# ---- what answers it at once -------------------------------------------------------------------


def answers_to(connection: Connection, change: Change) -> tuple[Change, ...]:
    """What answers a change, to be written next; the plans are written as they are after it."""
    match, event = change.match, change.event
    if event.kind is EventKind.SUBSTITUTED:
        if event.player is not None:
            plans.put(connection, Plan(match.id, event.player, match.ply))
        return ()
    found = plans.plans_of(connection, match.id) if ends_plans(change) else ()
    if not found and not match.has_computer:
        return ()
    absent = _away(connection, change)
    played, after = play_plans(change, found, absent)
    for plan in after:
        plans.put(connection, plan)
    return (*sits(change, absent), *played)


def ends_plans(change: Change) -> bool:
    """Whether plans made before a change cannot stay as they are."""
    match = change.match
    over = match.status is not MatchStatus.RUNNING
    return change.before is not None and (over or match.position_since == match.version)


def _away(connection: Connection, change: Change) -> tuple[OnVacation, ...]:
    """Who at the table is on vacation, if that stops clocks there."""
    match, at = change.match, change.event.at
    if match.clock is None or not match.clock.may_rest:
        return ()
    people = tuple(player for player in match.players if player is not None)
    return Availability(vacations=times.lasting_vacations(connection, people, at)).away(at)


def play_plans(
    change: Change, found: tuple[Plan, ...], absent: tuple[OnVacation, ...] = ()
) -> tuple[tuple[Change, ...], tuple[Plan, ...]]:
    """The moves that plans answer to a change of the position, and the plans after them."""
    by_player = {each.player: each for each in found}
    answers: list[Change] = []
    latest: Change | None = change
    while latest is not None:
        by_player = {player: _after(each, latest) for player, each in by_player.items()}
        latest = _answer(latest, by_player, absent)
        if latest is not None:
            answers.append(latest)
    return tuple(answers), tuple(by_player.values())


def _after(plan: Plan, change: Change) -> Plan:
    """The plan after a change of the position."""
    before, match = change.before, change.match
    moves = moves_of((change.event,))
    in_step = before is not None and before.ply == plan.ply and match.ply == plan.ply + len(moves)
    if not in_step or match.status is not MatchStatus.RUNNING or plan.player in match.retired:
        return Plan(plan.match_id, plan.player, match.ply)
    return plan.after(moves)


def _answer(
    change: Change, by_player: dict[int, Plan], away: tuple[OnVacation, ...]
) -> Change | None:
    """The move that is planned in this position; None, and the plan is gone, if it cannot be."""
    match = change.match
    player = player_on_turn(match)
    plan = None if player is None else by_player.get(player)
    if player is None or plan is None or not plan.lines:
        return None
    planned = _planned_move(match, plan, CommandContext(change.event.at, away=away))
    if planned is None:
        by_player[player] = Plan(match.id, player, match.ply)
    return planned


def _planned_move(match: Match, plan: Plan, act: CommandContext) -> Change | None:
    person = match.players[plan.player]
    if plan.answer is None or person is None:
        return None
    try:
        return play.move(match, act, Actor(person), text=plan.answer)
    except (UserError, GameError):
        return None
    except Exception:
        # The move that triggers a plan must not suffer from it.
        _log.exception("a plan could not be followed", bug=bug_id(), match=match.id)
        return None


# ---- what follows ------------------------------------------------------------------------------

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
    answering = answers_to(connection, change)
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
