"""Ends of an offer: it is accepted, declined, withdrawn, or expires."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import Enum
from typing import Any

from bot.domain.events import Change, CommandContext, EventKind, JsonValue, advance
from bot.domain.game_state import check_whole, game_of
from bot.domain.ids import UserId
from bot.domain.match import Actor, Match, MatchStatus
from bot.domain.match_clock import first_times, until_payload
from bot.errors import UserError
from games.api import Game


def _check_open(match: Match, at: datetime) -> None:
    if match.status is not MatchStatus.OFFERED:
        raise UserError("offer_closed", status=match.status.value)
    if match.expires_at is not None and at >= match.expires_at:
        raise UserError("offer_closed", status=MatchStatus.EXPIRED.value)


def _check_no_seat(match: Match, user_id: UserId) -> None:
    mine = match.index_of(user_id)
    if mine is not None:
        raise UserError("own_offer" if mine == match.offered_by else "already_seated")


def accept(
    match: Match, act: CommandContext, actor: Actor, *, initial: Callable[[Game[Any, Any]], str]
) -> Change:
    """Take a chair: one reserved for this person, else the first open one.

    Taking the last one starts the match, from the position of ``initial``, in the text of
    :meth:`games.api.Game.encode`.
    """
    _check_open(match, act.at)
    check_whole(match)
    if actor.is_bot:
        raise UserError("invite_bot")
    _check_no_seat(match, actor.user_id)
    chair = _free_chair(match, actor.user_id)
    players = _with(match.players, chair, actor.user_id)
    if None in players:
        kind = EventKind.JOINED
        return advance(match, act, kind, player=chair, user_id=actor.user_id, players=players)
    rules = game_of(match.game, match.options)
    state = initial(rules)
    clocks = first_times(match, act, rules, state, players)
    return advance(
        match,
        act,
        EventKind.STARTED,
        player=chair,
        user_id=actor.user_id,
        payload={"state": state} | until_payload(act, clocks.get("times"), players),
        players=players,
        status=MatchStatus.RUNNING,
        state=state,
        position_since=match.version + 1,
        expires_at=None,
        **clocks,
    )


def _free_chair(match: Match, user_id: UserId) -> int:
    wanted = user_id if user_id in match.invited else None
    for index, (player, guest) in enumerate(zip(match.players, match.invited, strict=True)):
        if player is None and guest == wanted:
            return index
    raise UserError("not_invited")


def _with(
    players: tuple[UserId | None, ...], index: int, user_id: UserId | None
) -> tuple[UserId | None, ...]:
    return (*players[:index], user_id, *players[index + 1 :])


class DeclineReason(Enum):
    """The reason of a player who declines, for the maker of the offer."""

    NOT_NOW = "not_now"
    SOMETHING_ELSE = "something_else"
    """Another game, or other terms."""


def check_declinable(match: Match, at: datetime, actor: Actor) -> None:
    """Refuse people without a reserved chair in an open offer, as :func:`decline` does."""
    _check_open(match, at)
    _check_no_seat(match, actor.user_id)
    if actor.user_id not in match.invited:
        raise UserError("not_invited")


def decline(
    match: Match, act: CommandContext, actor: Actor, *, reason: DeclineReason | None = None
) -> Change:
    """Decline a reserved chair; the offer is over for all."""
    check_declinable(match, act.at, actor)
    player = match.invited.index(actor.user_id)
    payload: dict[str, JsonValue] = {} if reason is None else {"why": reason.value}
    return _ended(match, act, EventKind.DECLINED, player, actor.user_id, payload)


def _ended(  # noqa: PLR0917 - the parts of its event
    match: Match,
    act: CommandContext,
    kind: EventKind,
    player: int | None = None,
    user_id: UserId | None = None,
    payload: Mapping[str, JsonValue] | None = None,
) -> Change:
    """An offer that ends without a match: its status has the name of the event that ended it."""
    ended: dict[str, Any] = {"status": MatchStatus(kind.value), "expires_at": None}
    return advance(match, act, kind, player=player, user_id=user_id, payload=payload, **ended)


def withdraw(match: Match, act: CommandContext, actor: Actor) -> Change:
    """Withdraw an offer, or give up a chair in another player's offer."""
    _check_open(match, act.at)
    mine = match.index_of(actor.user_id)
    if mine is None:
        raise UserError("not_your_offer")
    if mine != match.offered_by:
        return advance(
            match,
            act,
            EventKind.LEFT,
            player=mine,
            user_id=actor.user_id,
            players=_with(match.players, mine, None),
        )
    return _ended(match, act, EventKind.WITHDRAWN, mine, actor.user_id)


def clear(match: Match, act: CommandContext) -> Change:
    """Withdraw an offer for a manager of its server; its maker is notified, too."""
    _check_open(match, act.at)
    return _ended(match, act, EventKind.WITHDRAWN)


def expire(match: Match, act: CommandContext) -> Change | None:
    """Let an offer expire whose time is up; None if there is nothing to do (yet)."""
    if match.status is not MatchStatus.OFFERED or match.expires_at is None:
        return None
    if act.at < match.expires_at:
        return None
    return _ended(match, act, EventKind.EXPIRED)
