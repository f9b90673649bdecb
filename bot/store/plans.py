"""Plans inside transactions: plain functions of a connection."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select

from bot.domain import play
from bot.domain.change import Change, CommandContext, OnVacation
from bot.domain.game_state import player_on_turn
from bot.domain.ids import MatchId
from bot.domain.match import Actor, Match, MatchStatus
from bot.domain.plans import Line, Plan, Planned
from bot.domain.playthrough import moves_of
from bot.errors import UserError
from bot.logs import bug_id
from bot.services.ports import Conflict
from bot.store import vacations
from bot.store.tables import matches, plans
from games.errors import GameError

log = logging.getLogger(__name__)

_of_match = select(plans).where(plans.c.match_id == bindparam("of_match"))
_OF = _of_match
_ONE = _of_match.where(plans.c.player == bindparam("of_player"))
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
    """See :class:`bot.services.plans.PlanStore`; so for what follows."""
    row = connection.execute(_ONE, {"of_match": match_id, "of_player": player}).first()
    return None if row is None else _plan_of(row)


def keep_plan(connection: Connection, plan: Plan) -> None:
    """Put a plan in the place of the one before."""
    now = connection.execute(_PLY, {"of_match": plan.match_id}).first()
    if now is None or now.ply != plan.ply or now.status != MatchStatus.RUNNING.value:
        raise Conflict
    _put(connection, plan)


def _put(connection: Connection, plan: Plan) -> None:
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


def _lines_text(lines: tuple[Line, ...]) -> str:
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


def answers(connection: Connection, change: Change) -> Iterator[Change]:
    """What follows by the players' plans on a change that has just been written, in order.

    The plans are kept in step: a plan that the game has left is gone, whatever the reason.
    """
    match = change.match
    stands = match.position_since != match.version and match.status is MatchStatus.RUNNING
    if change.before is None or stands:
        return
    found = [_plan_of(row) for row in connection.execute(_OF, {"of_match": match.id}).all()]
    if not found:
        return
    kept = {each.player: each for each in found}
    away = vacations.away_from(connection, match, change.event.at)
    latest: Change | None = change
    while latest is not None:
        change = latest
        kept = {player: _after(each, change) for player, each in kept.items()}
        latest = _answer(change, kept, away)
        if latest is not None:
            yield latest
    for plan in kept.values():
        _put(connection, plan)


def _after(plan: Plan, change: Change) -> Plan:
    """The plan after a change of the position."""
    before, match = change.before, change.match
    moves = moves_of((change.event,))
    in_step = before is not None and before.ply == plan.ply and match.ply == plan.ply + len(moves)
    if not in_step or match.status is not MatchStatus.RUNNING or plan.player in match.retired:
        return Plan(plan.match_id, plan.player, match.ply)
    return plan.after(moves)


def _answer(change: Change, kept: dict[int, Plan], away: tuple[OnVacation, ...]) -> Change | None:
    """The move that is planned in this position; None, and the plan is gone, if it cannot be."""
    match = change.match
    player = player_on_turn(match)
    plan = None if player is None else kept.get(player)
    if player is None or plan is None or not plan.lines:
        return None
    planned = _planned_move(match, plan, CommandContext(change.event.at, away=away))
    if planned is None:
        kept[player] = Plan(match.id, player, match.ply)
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
        log.exception("bug %s: match %s: a plan could not be followed", bug_id(), match.id)
        return None
