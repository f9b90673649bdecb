"""Plans beside their matches, and the moves that they answer. Inside transactions."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, delete, insert, select

from bot.domain.codec import read, write_flat
from bot.domain.events import Change, EventKind
from bot.domain.ids import MatchId
from bot.domain.match import MatchStatus
from bot.errors import UserError
from bot.plans.domain import Plan, PlanLine, ends_plans, play_plans
from bot.store import presence
from bot.store.tables import matches, plans

_OF = select(plans).where(plans.c.match_id == bindparam("of_match"))


def _is_of(match_id: MatchId, player: int) -> tuple[ColumnElement[bool], ...]:
    return plans.c.match_id == match_id, plans.c.player == player


def plan(connection: Connection, match_id: MatchId, player: int) -> Plan | None:
    """The plan of a player index in a match, if there is one."""
    row = connection.execute(select(plans).where(*_is_of(match_id, player))).first()
    return None if row is None else _plan_of(row)


def keep_plan(connection: Connection, plan: Plan) -> None:
    """Put a plan in the place of the one before; one without lines is no plan.

    Raises :exc:`~bot.errors.UserError` (``position_changed``) if the match has gone on since its
    ``ply``.
    """
    present = select(matches.c.ply, matches.c.status).where(matches.c.id == plan.match_id)
    now = connection.execute(present.with_for_update()).first()
    if now is None or now.ply != plan.ply or now.status != MatchStatus.RUNNING:
        raise UserError("position_changed")
    put(connection, plan)


def put(connection: Connection, plan: Plan) -> None:
    """Write a plan in the place of the one before; one without lines is gone."""
    connection.execute(delete(plans).where(*_is_of(plan.match_id, plan.player)))
    if plan.lines:
        lines = {"ply": plan.ply, "lines": write_flat(plan.lines)}
        row = {"match_id": plan.match_id, "player": plan.player, **lines}
        connection.execute(insert(plans), row)


def answers_to(connection: Connection, change: Change) -> tuple[Change, ...]:
    """The planned moves that answer a change; plans that it overtakes are gone."""
    match, event = change.match, change.event
    if event.kind is EventKind.SUBSTITUTED:
        if event.player is not None:
            put(connection, Plan(match.id, event.player, match.ply))
        return ()
    if not ends_plans(change):
        return ()
    found = tuple(map(_plan_of, connection.execute(_OF, {"of_match": match.id})))
    if not found:
        return ()
    played, after = play_plans(change, found, presence.away(connection, change))
    for plan in after:
        put(connection, plan)
    return played


def _plan_of(row: Any) -> Plan:
    return Plan(row.match_id, row.player, row.ply, read(tuple[PlanLine, ...], row.lines))
