"""Agreements between players: a draw, a takeback, a pause, an abort, all by the same rules.

A player asks; each of the others who still play agrees, or one declines; the asker may withdraw. A
move ends a request silently, expiry with a notice to all. Asking for the same as another player
means agreeing. The last agreement takes effect within its own event.

Any one player ends a pause, by resuming or, on turn, by a move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from bot.domain.events import Change, CommandContext, Event, EventKind, JsonValue, advance, micros
from bot.domain.game_state import game_state_of
from bot.domain.match import Actor, Ending, Match, MatchStatus
from bot.domain.match_clock import (
    credited,
    paused,
    resumed,
    rewound_times,
    stood_payload,
    until_payload,
)
from bot.domain.play import acting_player, ended_by_players
from bot.domain.playthrough import own_last, rewound
from bot.domain.requests import Request, RequestKind, find
from bot.errors import UserError

_OF_DRAWS = {
    EventKind.ASKED: EventKind.DRAW_OFFERED,
    EventKind.AGREED: EventKind.DRAW_ACCEPTED,
    EventKind.REFUSED: EventKind.DRAW_DECLINED,
}
"""Draw offers existed before the other requests, and keep their own words."""
_ASKS = frozenset({EventKind.ASKED, EventKind.DRAW_OFFERED})
_SETTLED = frozenset({EventKind.AGREED, EventKind.DRAW_ACCEPTED, EventKind.RETRACTED})


@dataclass(frozen=True, slots=True)
class _Refusals:
    """The codes for asking twice, for answering without a request, and for answering one's own."""

    pending: str
    not_asked: str
    own: str


_REFUSALS = {
    RequestKind.DRAW: _Refusals("draw_pending", "no_draw_offer", "own_draw_offer"),
    RequestKind.TAKEBACK: _Refusals("takeback_pending", "no_takeback_offer", "own_takeback_offer"),
    RequestKind.PAUSE: _Refusals("pause_pending", "no_pause_offer", "own_pause_offer"),
    RequestKind.ABORT: _Refusals("abort_pending", "no_abort_offer", "own_abort_offer"),
}


def _step(
    match: Match,
    act: CommandContext,
    kind: EventKind,
    actor: Actor,
    wish: RequestKind,
    *,
    player: int,
    payload: dict[str, JsonValue] | None = None,
    **changes: Any,
) -> Change:
    said: dict[str, JsonValue] = dict(payload or {})
    if wish is RequestKind.DRAW and kind in _OF_DRAWS:
        kind = _OF_DRAWS[kind]
    else:
        said["wish"] = wish.value
    return advance(match, act, kind, player=player, user_id=actor.user_id, payload=said, **changes)


def _standing(match: Match, at: datetime) -> tuple[Request, ...]:
    """The requests that have not expired, whether or not that was noticed."""
    return tuple(each for each in match.requests if each.expires_at is None or at < each.expires_at)


def _without(requests: tuple[Request, ...], wish: RequestKind) -> tuple[Request, ...]:
    return tuple(each for each in requests if each.wish is not wish)


def check_allowed(match: Match, wish: RequestKind) -> None:
    """Refuse requests that the match's offer or its tournament excludes.

    Raises :exc:`~bot.errors.UserError`: ``no_takebacks``, ``tournament_no_takebacks``,
    ``tournament_no_pause``, ``tournament_no_abort``.
    """
    if wish is RequestKind.TAKEBACK and not match.takebacks:
        raise UserError("no_takebacks")
    terms = match.tournament
    if terms is None:
        return
    if wish is RequestKind.TAKEBACK and not terms.takebacks:
        raise UserError("tournament_no_takebacks")
    if wish is RequestKind.PAUSE:
        raise UserError("tournament_no_pause")
    if wish is RequestKind.ABORT:
        raise UserError("tournament_no_abort")


LAST = timedelta(days=3)
"""The time for which a request is open if nobody answers it or moves."""
PATIENCE = 2
"""How often the position must change before a player may ask for the same again."""


def ask_patiently(
    match: Match, act: CommandContext, actor: Actor, *, wish: RequestKind, past: Sequence[Event]
) -> Change:
    """:func:`ask` for :data:`LAST`, unless the same was declined or expired just before."""
    if find(match.requests, wish) is None:
        _check_patience(match, actor, wish, past)
    return ask(match, act, actor, wish, expires_at=act.at + LAST, past=past)


def _check_patience(match: Match, actor: Actor, wish: RequestKind, past: Sequence[Event]) -> None:
    """Refuse to ask for the same again right after it was declined (``asked_already``).

    Requests that were withdrawn or granted do not count.
    """
    player = match.index_of(actor.user_id)
    changes = 0
    for event in reversed(past):
        said = event.payload.get("wish", RequestKind.DRAW.value)
        if event.kind is EventKind.MOVED or "undone" in event.payload:
            changes += 1
        elif said == wish.value and event.kind in _SETTLED:
            return
        elif said == wish.value and event.kind in _ASKS and event.player == player:
            raise UserError("asked_already", more=PATIENCE - changes)
        if changes >= PATIENCE:
            return


def ask(
    match: Match,
    act: CommandContext,
    actor: Actor,
    wish: RequestKind,
    *,
    expires_at: datetime | None = None,
    past: Sequence[Event] = (),
) -> Change:
    """Ask the others, or agree if one of them has asked for the same.

    A takeback goes back to the asker's own last move, so no two players ask for the same. It needs
    the ``past``, the events so far.
    """
    player = acting_player(match, actor)
    check_allowed(match, wish)
    standing = _standing(match, act.at)
    found = find(standing, wish)
    if found is not None and player in found.agreed:
        raise UserError(_REFUSALS[wish].pending)
    if found is not None and wish is RequestKind.TAKEBACK:
        raise UserError("takeback_first")
    if found is not None:
        return _agree(match, act, actor, found, past)
    ply = _check(match, player, wish, past)
    payload: dict[str, JsonValue] = {}
    if expires_at is not None:
        payload["expires"] = micros(expires_at)
    if ply is not None:
        payload["ply"] = ply
    request = Request(wish, (player,), match.version + 1, expires_at, ply)
    return _step(
        match,
        act,
        EventKind.ASKED,
        actor,
        wish,
        player=player,
        payload=payload,
        requests=(*_without(standing, wish), request),
    )


def _check(match: Match, player: int, wish: RequestKind, past: Sequence[Event]) -> int | None:
    """Refuse an impossible request; for a takeback, return how many moves would remain."""
    if wish is RequestKind.DRAW:
        info = game_state_of(match).game.info
        if not info.allows_draw_offer:
            raise UserError("no_draws", game=info.name)
    if wish is RequestKind.PAUSE:
        if match.clock is None or match.times is None:
            raise UserError("no_clock")
        if match.times.is_paused:
            raise UserError("paused_already")
        if match.times.running is None:
            raise UserError("computer_on_turn")
    if wish is not RequestKind.TAKEBACK:
        return None
    ply = own_last(past, player)
    if ply is None:
        raise UserError("nothing_to_take_back")
    return ply


def answer(
    match: Match,
    act: CommandContext,
    actor: Actor,
    wish: RequestKind,
    *,
    accept: bool,
    version: int | None = None,
    past: Sequence[Event] = (),
) -> Change:
    """Agree to another player's request, or decline it.

    ``version`` is that of the request which the player saw, if it is known: an answer to an earlier
    request does not count for a later one.
    """
    player = acting_player(match, actor)
    found = find(_standing(match, act.at), wish)
    if found is None or version not in (None, found.version):
        raise UserError(_REFUSALS[wish].not_asked)
    if player in found.agreed:
        raise UserError(_REFUSALS[wish].own)
    if accept:
        return _agree(match, act, actor, found, past)
    return _step(
        match,
        act,
        EventKind.REFUSED,
        actor,
        wish,
        player=player,
        requests=_without(_standing(match, act.at), wish),
    )


def withdraw(
    match: Match,
    act: CommandContext,
    actor: Actor,
    wish: RequestKind,
    *,
    version: int | None = None,
) -> Change:
    """Withdraw a request; only the player who asked may do so."""
    player = acting_player(match, actor)
    standing = _standing(match, act.at)
    found = find(standing, wish)
    if found is None or found.asker != player or version not in (None, found.version):
        raise UserError("nothing_to_withdraw")
    return _step(
        match,
        act,
        EventKind.RETRACTED,
        actor,
        wish,
        player=player,
        requests=_without(standing, wish),
    )


def lapse(match: Match, act: CommandContext) -> Change | None:
    """Let requests expire whose time is up; None if there are none."""
    standing = _standing(match, act.at)
    if match.status is not MatchStatus.RUNNING or standing == match.requests:
        return None
    gone: list[JsonValue] = [each.wish.value for each in match.requests if each not in standing]
    return advance(match, act, EventKind.LAPSED, payload={"wishes": gone}, requests=standing)


def resume(match: Match, act: CommandContext, actor: Actor) -> Change:
    """End a pause."""
    player = acting_player(match, actor)
    if match.times is None or not match.times.is_paused:
        raise UserError("not_paused")
    times = resumed(match, act)
    return advance(
        match,
        act,
        EventKind.RESUMED,
        player=player,
        user_id=actor.user_id,
        payload=until_payload(act, times, match.players),
        times=times,
    )


def _agree(
    match: Match, act: CommandContext, actor: Actor, request: Request, past: Sequence[Event]
) -> Change:
    player = acting_player(match, actor)
    request = request.with_agreement_of(player)
    standing = _standing(match, act.at)
    others = _without(standing, request.wish)
    everybody = len(request.agreed) + len(match.retired) == len(match.players)
    payload: dict[str, JsonValue] = {}
    if not everybody:
        requests = tuple(request if each.wish is request.wish else each for each in standing)
        changes: dict[str, Any] = {"requests": requests}
    elif request.wish is RequestKind.DRAW:
        result = ended_by_players(game_state_of(match), Ending.AGREEMENT, ())
        changes = {"requests": (), "status": MatchStatus.FINISHED, "result": result}
    elif request.wish is RequestKind.ABORT:
        payload = stood_payload(match, act)
        times = credited(match, act.stopped_spans).times
        changes = {"requests": (), "status": MatchStatus.ABORTED, "times": times}
    elif request.wish is RequestKind.PAUSE:
        payload = stood_payload(match, act)
        changes = {"requests": others, "times": paused(match, act)}
    else:
        ply = request.ply or 0
        table, changes = rewound(match, past, ply)
        payload = {"undone": match.ply - ply, "state": changes["state"]}
        payload |= stood_payload(match, act)
        changes |= {"requests": ()} | rewound_times(match, act, table)
        payload |= until_payload(act, changes.get("times"), match.players)
    return _step(
        match, act, EventKind.AGREED, actor, request.wish, player=player, payload=payload, **changes
    )
