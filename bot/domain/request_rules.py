"""Agreements between players: a draw, a takeback, a pause, an abort, all by the same rules.

A player asks; each of the others who still play agrees, or one declines; the asker may withdraw. A
move ends a request silently, expiry with a notice to all. Asking for the same as another player
means agreeing. The last agreement takes effect within its own event.

Any one player ends a pause, by resuming or, on turn, by a move.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from bot.domain.events import (
    DRAWS,
    Change,
    CommandContext,
    Event,
    EventKind,
    JsonValue,
    advance,
    micros,
)
from bot.domain.match import Actor, Match, MatchStatus
from bot.domain.match_clock import resumed, until_payload
from bot.domain.play import acting_player
from bot.domain.requests import Request, RequestKind, find
from bot.domain.wishes import WISHES
from bot.errors import UserError


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
    if wish is RequestKind.DRAW and kind in DRAWS:
        kind = DRAWS[kind]
    else:
        said["wish"] = wish.value
    return advance(match, act, kind, player=player, user_id=actor.user_id, payload=said, **changes)


def _standing(match: Match, at: datetime) -> tuple[Request, ...]:
    """The requests that have not expired, whether or not that was noticed."""
    return tuple(each for each in match.requests if each.expires_at is None or at < each.expires_at)


def _without(requests: tuple[Request, ...], wish: RequestKind) -> tuple[Request, ...]:
    return tuple(each for each in requests if each.wish is not wish)


LAST = timedelta(days=3)
"""The time for which a request is open if nobody answers it or moves."""
PATIENCE = 2
"""How often the position must change before a player may ask for the same again."""


def request(
    match: Match, act: CommandContext, actor: Actor, *, wish: RequestKind, past: Sequence[Event]
) -> Change:
    """Ask the others, as :func:`ask` does, for a few days and not again right after a refusal.

    Raises ``asked_already`` while the position has changed less than twice since one's last request
    of this kind was declined or expired.
    """
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
        if event.kind is EventKind.MOVED or "undone" in event.payload:
            changes += 1
        elif event.wish is wish and event.step in (EventKind.AGREED, EventKind.RETRACTED):
            return
        elif event.wish is wish and event.step is EventKind.ASKED and event.player == player:
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

    A takeback goes back to the asker's own last move, so no two players ask for the same. ``past``
    are the events so far.
    """
    player = acting_player(match, actor)
    WISHES[wish].check_terms(match)
    standing = _standing(match, act.at)
    found = find(standing, wish)
    if found is not None and player in found.agreed:
        raise UserError("request_pending")
    if found is not None and wish is RequestKind.TAKEBACK:
        raise UserError("takeback_first")
    if found is not None:
        return _agree(match, act, actor, found, past)
    ply = WISHES[wish].check(match, player, past)
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
        raise UserError("request_gone")
    if player in found.agreed:
        raise UserError("own_request")
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
    if everybody:
        payload, changes = WISHES[request.wish].grant(match, act, request, past)
        changes = {"requests": others} | changes
    else:
        requests = tuple(request if each.wish is request.wish else each for each in standing)
        payload, changes = {}, {"requests": requests}
    return _step(
        match, act, EventKind.AGREED, actor, request.wish, player=player, payload=payload, **changes
    )
