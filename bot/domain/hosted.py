"""Matches of tournaments, which the host sets up: they start at once, and can be decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from typing import Any

from bot.domain.clock import TimeControl
from bot.domain.events import Change, CommandContext, Event, EventKind, JsonValue, advance, begin
from bot.domain.game_state import game_of, known_turn
from bot.domain.ids import MatchId, UserId
from bot.domain.managed import aborted, result_by_points
from bot.domain.match import Ending, Match, MatchStatus, Place, TournamentGame, Venue, unplayed
from bot.domain.match_clock import credited, first_times, fresh_times, stood_payload, until_payload
from bot.domain.play import leave
from bot.errors import UserError
from games.api import OptionValue

_MICROSECOND = timedelta(microseconds=1)


def set_up(
    match_id: MatchId,
    act: CommandContext,
    *,
    game: str,
    options: Mapping[str, OptionValue],
    players: tuple[UserId | None, ...],
    place: Place,
    venue: Venue,
    rated: bool,
    clock: TimeControl | None,
    tournament: TournamentGame,
    state: str,
) -> Change:
    """Start the match of a tournament's game; the first player begins.

    Nobody has to accept: they entered for it. Raises :exc:`games.errors.OptionError`.
    """
    rules = game_of(game, options)
    match = unplayed(
        match_id,
        rules,
        act.at,
        game=game,
        status=MatchStatus.RUNNING,
        place=place,
        venue=venue,
        players=players,
        invited=players,
        offered_by=0,
        state=state,
        expires_at=None,
        rated=rated,
        clock=clock,
        tournament=tournament,
    )
    match = replace(match, **first_times(match, act, rules, state, players))
    payload: dict[str, JsonValue] = {
        "tournament": tournament.tournament_id,
        "pairing": tournament.game,
        "takebacks": int(tournament.takebacks),
        "no_show": tournament.no_show // _MICROSECOND,
        "state": state,
        **until_payload(act, match.times, players),
    }
    return begin(match, act, user_id=None, payload=payload)


def adjudicate(
    match: Match, act: CommandContext, points: Sequence[Fraction], why: str
) -> Change | None:
    """Give a match its result, or another one, by the points of each player index.

    The players with the most points have won; if all have as many it is a draw. ``why`` is a code.
    None if the match already has that result in this way, or is neither running nor finished.
    """
    if match.status not in (MatchStatus.RUNNING, MatchStatus.FINISHED):
        return None
    result = result_by_points(match, points, Ending.ADJUDICATION.value)
    if match.result == result:
        return None
    return advance(
        match,
        act,
        EventKind.ADJUDICATED,
        payload={"points": [str(each) for each in points], "why": why, **stood_payload(match, act)},
        status=MatchStatus.FINISHED,
        result=result,
        times=credited(match, act.stopped_spans).times,
    )


def put_out(match: Match, act: CommandContext, player: int) -> Change | None:
    """Remove a player from a running match because the tournament excluded them.

    The others play on as after a resignation (:func:`bot.domain.play.resign`); if no opponent is
    left, the tournament has decided. None if the player has left already.
    """
    if match.status is not MatchStatus.RUNNING or player in match.retired:
        return None
    return leave(match, act, player, EventKind.RESIGNED, Ending.ADJUDICATION, user_id=None)


def substitute(
    match: Match, act: CommandContext, player: int, newcomer: UserId, *, past: Sequence[Event]
) -> Change:
    """Give the seat of a player who has not moved to another person, with the whole of its time.

    That player's requests are dropped. ``past`` are the events so far. Raises
    :exc:`~bot.errors.UserError` (``game_begun``) once that player has moved or has left the match.
    """
    has_moved = any(each.player == player and each.kind is EventKind.MOVED for each in past)
    if match.status is not MatchStatus.RUNNING or has_moved or player in match.retired:
        raise UserError("game_begun")
    people = (*match.players[:player], newcomer, *match.players[player + 1 :])
    is_on_turn = known_turn(match) == player
    changes: dict[str, Any] = {
        "players": people,
        "requests": tuple(each for each in match.requests if player not in each.agreed),
    }
    payload: dict[str, JsonValue] = stood_payload(match, act)
    if match.clock is not None and match.times is not None:
        changes["times"] = fresh_times(match, act, player, people)
        payload |= until_payload(act, changes["times"], people)
    if is_on_turn:
        changes["position_since"] = match.version + 1
    return advance(
        match,
        act,
        EventKind.SUBSTITUTED,
        player=player,
        user_id=newcomer,
        payload=payload,
        **changes,
    )


def call_off(match: Match, act: CommandContext, why: str) -> Change:
    """Abort a match without moves, because its round is paired again.

    ``why`` is the reason of the director. Raises :exc:`~bot.errors.UserError` (``round_begun``)
    once a player has moved or the match is over.
    """
    if match.status is not MatchStatus.RUNNING or match.ply:
        raise UserError("round_begun")
    return aborted(match, act, "redrawn", why)
