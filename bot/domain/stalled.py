"""Matches that do not go on: opponents who are silent or have left, and matches without a result.

:mod:`bot.domain.play` has how a match goes on, or is lost by leaving it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from bot.domain import clock
from bot.domain.events import Change, CommandContext, Event, EventKind, advance
from bot.domain.game_state import player_on_turn
from bot.domain.match import Actor, Ending, Match, MatchStatus
from bot.domain.match_clock import credited, stood_payload
from bot.domain.play import acting_player, leave, without_rules
from bot.errors import UserError

SILENT = timedelta(days=7)
"""The silence in a match without a clock after which a player can be nudged."""

ANSWER = timedelta(days=7)
"""The time after a nudge until the match can be claimed."""


def abort(match: Match, act: CommandContext, actor: Actor) -> Change:
    """End the match without a result.

    Only before the second move, where it is damaged, or where an opponent has left the server.
    """
    player = acting_player(match, actor, vacations=True)
    if match.set_aside_at is not None:
        return without_rules(match, act, player, actor.user_id)
    if match.tournament is not None:
        raise UserError("tournament_no_abort")
    if match.ply > 1 and not away_from(match, player):
        raise UserError("too_late_to_abort")
    return advance(
        match,
        act,
        EventKind.ABORTED,
        player=player,
        user_id=actor.user_id,
        payload=stood_payload(match, act),
        times=credited(match, act.stopped_spans).times,
        status=MatchStatus.ABORTED,
    )


def away_from(match: Match, player: int) -> tuple[int, ...]:
    """The opponents of a player who have left the server and still hold their seats."""
    return tuple(each for each in match.departed if each not in (player, *match.retired))


def depart(match: Match, act: CommandContext, player: int) -> Change | None:
    """Note that a player has left the server; None if that is known or does not matter.

    Tournaments look after their own entrants.
    """
    is_over = match.status is not MatchStatus.RUNNING or match.tournament is not None
    if is_over or player in (*match.retired, *match.departed):
        return None
    departed = (*match.departed, player)
    return advance(match, act, EventKind.DEPARTED, player=player, user_id=None, departed=departed)


def nudge(match: Match, act: CommandContext, actor: Actor) -> Change:
    """Remind the player on turn after a long silence in a match without a clock.

    Raises :exc:`~bot.errors.UserError` (``nudge_clock``, ``nudge_self``, ``nudge_early``).
    """
    player = acting_player(match, actor)
    if match.clock is not None:
        raise UserError("nudge_clock")
    if player_on_turn(match) == player:
        raise UserError("nudge_self")
    if act.at < match.updated_at + SILENT:
        at = match.updated_at + SILENT
        raise UserError("nudge_early", time=int(at.timestamp()))
    return advance(match, act, EventKind.NUDGED, player=player, user_id=actor.user_id, payload={})


def claim(match: Match, act: CommandContext, actor: Actor, *, past: Sequence[Event] = ()) -> Change:
    """Remove the player on turn, who was nudged and has been silent since, from a match.

    They leave as if their time had run out. An opponent who has left the server leaves at once, as
    if they resigned. ``past`` are the events so far. Raises :exc:`~bot.errors.UserError`:
    ``nudge_clock``, ``nudge_self``, ``claim_nudge`` if they have not been nudged since the last
    event, ``claim_early``.
    """
    player = acting_player(match, actor)
    gone = away_from(match, player)
    if gone:
        turn = player_on_turn(match)
        leaver = turn if turn in gone and turn is not None else gone[0]
        user = actor.user_id
        return leave(match, act, leaver, EventKind.CLAIMED, Ending.RESIGNATION, user_id=user)
    if match.clock is not None:
        raise UserError("nudge_clock")
    silent = player_on_turn(match)
    if silent is None or silent == player:
        raise UserError("nudge_self")
    if not past or past[-1].kind is not EventKind.NUDGED:
        raise UserError("claim_nudge")
    if act.at < past[-1].at + ANSWER:
        at = past[-1].at + ANSWER
        raise UserError("claim_early", time=int(at.timestamp()))
    return leave(match, act, silent, EventKind.CLAIMED, Ending.TIME, user_id=actor.user_id)


def abort_untold(match: Match, act: CommandContext) -> Change | None:
    """Abort a match whose player on turn could not be notified for too long, without a loser.

    None if no clock runs. Afterwards :attr:`~bot.domain.match.Match.was_put_aside` is true.
    """
    times = credited(match, act.stopped_spans).times
    if match.clock is None or times is None or match.deadline is None:
        return None
    return advance(
        match,
        act,
        EventKind.ABORTED,
        payload={"unreached": 1, **stood_payload(match, act)},
        times=clock.stopped(times),
        status=MatchStatus.ABORTED,
    )
