"""Plans beside their matches, and the moves that they answer. Inside transactions."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select

from bot.domain import play
from bot.domain.events import Change, CommandContext, EventKind, OnVacation
from bot.domain.game_state import player_on_turn
from bot.domain.ids import MatchId
from bot.domain.match import Actor, Match, MatchStatus
from bot.domain.playthrough import moves_of
from bot.errors import UserError
from bot.logs import bug_id, logger
from bot.plans.domain import Plan, PlanLine, Planned
from bot.store import times
from bot.store.tables import matches, plans
from games.errors import GameError

_log = logger(__name__)
_OF = select(plans).where(plans.c.match_id == bindparam("of_match"))
_ONE = _OF.where(plans.c.player == bindparam("of_player"))
_REMOVE = delete(plans).where(
    plans.c.match_id == bindparam("of_match"), plans.c.player == bindparam("of_player")
)
_ADD = insert(plans)
_PLY = (
    select(matches.c.ply, matches.c.status)
    .where(matches.c.id == bindparam("of_match"))
    .with_for_update()
)


def plan(connection: Connection, match_id: MatchId, player: int) -> Plan | None:
    """What a player index has planned in a match, if anything."""
    row = connection.execute(_ONE, {"of_match": match_id, "of_player": player}).first()
    return None if row is None else _plan_of(row)


def plans_of(connection: Connection, match_id: MatchId) -> tuple[Plan, ...]:
    """What all players of a match have planned."""
    found = connection.execute(_OF, {"of_match": match_id}).all()
    return tuple(_plan_of(row) for row in found)


def keep_plan(connection: Connection, plan: Plan) -> None:
    """Put a plan in the place of the one before; one without lines is no plan.

    Raises :exc:`~bot.errors.UserError` (``position_changed``) if the match has gone on since its
    ``ply``.
    """
    now = connection.execute(_PLY, {"of_match": plan.match_id}).first()
    if now is None or now.ply != plan.ply or now.status != MatchStatus.RUNNING.value:
        raise UserError("position_changed")
    put(connection, plan)


def put(connection: Connection, plan: Plan) -> None:
    """Write a plan in the place of the one before; one without lines is gone."""
    connection.execute(_REMOVE, {"of_match": plan.match_id, "of_player": plan.player})
    if plan.lines:
        connection.execute(
            _ADD,
            {
                "match_id": plan.match_id,
                "player": plan.player,
                "ply": plan.ply,
                "lines": _lines_text(plan.lines),
            },
        )


def answers_to(connection: Connection, change: Change) -> tuple[Change, ...]:
    """The planned moves that answer a change; plans that it overtakes are gone."""
    match, event = change.match, change.event
    if event.kind is EventKind.SUBSTITUTED:
        if event.player is not None:
            put(connection, Plan(match.id, event.player, match.ply))
        return ()
    found = plans_of(connection, match.id) if ends_plans(change) else ()
    if not found:
        return ()
    played, after = play_plans(change, found, times.away(connection, change))
    for plan in after:
        put(connection, plan)
    return played


def ends_plans(change: Change) -> bool:
    """Whether plans made before a change cannot stay as they are."""
    match = change.match
    over = match.status is not MatchStatus.RUNNING
    return change.before is not None and (over or match.position_since == match.version)


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


def _lines_text(lines: tuple[PlanLine, ...]) -> str:
    return json.dumps(
        [[[planned.move, int(planned.own)] for planned in line] for line in lines],
        ensure_ascii=True,
        separators=(",", ":"),
    )


def _plan_of(row: Any) -> Plan:
    lines = tuple(
        tuple(Planned(move, bool(own)) for move, own in line) for line in json.loads(row.lines)
    )
    return Plan(MatchId(row.match_id), row.player, row.ply, lines)
