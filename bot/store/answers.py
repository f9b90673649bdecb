"""Changes with which a change is answered at once: computers sit down, planned moves are played.

A plan that the game has left is gone, whatever the reason.
"""

from __future__ import annotations

from sqlalchemy import Connection

from bot.domain import play
from bot.domain.computer_turns import sits
from bot.domain.events import Change, CommandContext, EventKind, OnVacation
from bot.domain.game_state import player_on_turn
from bot.domain.match import Actor, Match, MatchStatus
from bot.domain.plans import Plan
from bot.domain.playthrough import moves_of
from bot.errors import UserError
from bot.logs import bug_id, logger
from bot.store import plans, times
from bot.store.records import Availability
from games.errors import GameError

_log = logger(__name__)


def answers(connection: Connection, change: Change) -> tuple[Change, ...]:
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
    plans = {each.player: each for each in found}
    answers: list[Change] = []
    latest: Change | None = change
    while latest is not None:
        plans = {player: _after(each, latest) for player, each in plans.items()}
        latest = _answer(latest, plans, absent)
        if latest is not None:
            answers.append(latest)
    return tuple(answers), tuple(plans.values())


def _after(plan: Plan, change: Change) -> Plan:
    """The plan after a change of the position."""
    before, match = change.before, change.match
    moves = moves_of((change.event,))
    in_step = before is not None and before.ply == plan.ply and match.ply == plan.ply + len(moves)
    if not in_step or match.status is not MatchStatus.RUNNING or plan.player in match.retired:
        return Plan(plan.match_id, plan.player, match.ply)
    return plan.after(moves)


def _answer(change: Change, plans: dict[int, Plan], away: tuple[OnVacation, ...]) -> Change | None:
    """The move that is planned in this position; None, and the plan is gone, if it cannot be."""
    match = change.match
    player = player_on_turn(match)
    plan = None if player is None else plans.get(player)
    if player is None or plan is None or not plan.lines:
        return None
    planned = _planned_move(match, plan, CommandContext(change.event.at, away=away))
    if planned is None:
        plans[player] = Plan(match.id, player, match.ply)
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
