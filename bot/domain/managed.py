"""Ways out of a stuck match for the managers of its server: end it, or decide it.

The caller checks that a person may do so, and the audit log of the server records who did. The
reason is part of the match, so each player is told it like any other result.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from bot.domain.events import Change, CommandContext, EventKind, JsonValue, advance
from bot.domain.game_state import check_running, game_state_of
from bot.domain.match import MANAGED, UNCOUNTED, Ending, Match, MatchStatus, Result
from bot.domain.match_clock import credited, stood_payload
from bot.errors import UserError


def end(match: Match, act: CommandContext, why: str) -> Change:
    """Abort a match; nobody has lost.

    Raises :exc:`~bot.errors.UserError` (``not_started``, ``match_over``, ``tournament_decides``).
    """
    check_endable(match)
    return aborted(match, act, "managed", why)


def aborted(match: Match, act: CommandContext, mark: str, why: str) -> Change:
    """Abort a match for a reason outside its players' control; ``mark`` names it in the event."""
    return advance(
        match,
        act,
        EventKind.ABORTED,
        payload={mark: 1, "why": why, **stood_payload(match, act)},
        times=credited(match, act.stopped_spans).times,
        status=MatchStatus.ABORTED,
        verdict=why,
    )


def decide(
    match: Match, act: CommandContext, places: Sequence[int], why: str, *, counts: bool
) -> Change:
    """Give a match a result: the place of each player index, from 1; equal ones are shared.

    If all share the first place it is a draw. Without ``counts`` no rating changes. Raises what
    :func:`end` raises, and ``places_wrong``.
    """
    check_endable(match)
    if len(places) != len(match.players) or any(each != int(each) for each in places):
        raise UserError("places_wrong")
    points = points_of(places)
    result = result_by_points(match, points, MANAGED if counts else UNCOUNTED)
    payload: dict[str, JsonValue] = {
        "managed": 1,
        "places": list(places),
        "counts": int(counts),
        "why": why,
        **stood_payload(match, act),
    }
    return advance(
        match,
        act,
        EventKind.ADJUDICATED,
        payload=payload,
        status=MatchStatus.FINISHED,
        result=result,
        verdict=why,
        times=credited(match, act.stopped_spans).times,
    )


def check_endable(match: Match) -> None:
    """Refuse a match that is not running, or whose tournament decides (``tournament_decides``)."""
    check_running(match, whole=False)
    if match.tournament is not None:
        raise UserError("tournament_decides")


def points_of(places: Sequence[int]) -> tuple[Fraction, ...]:
    """One point for each player who is behind, and half a point for each with the same place."""
    return tuple(
        Fraction(2 * sum(each > mine for each in places) + places.count(mine) - 1, 2)
        for mine in places
    )


def result_by_points(match: Match, points: Sequence[Fraction], reason: str) -> Result:
    """A result by decision: the players with the most points have won; equal points are a draw."""
    most = max(points)
    winners = tuple(index for index, each in enumerate(points) if each == most)
    if len(winners) == len(points):
        winners = ()
    try:
        table = game_state_of(match)
        seats: Sequence[int] = table.game.seating(table.position)
    except UserError:  # the rules are gone, so scores by seat mean nothing
        seats = range(len(match.players))
    scores = tuple(float(points[player]) for player in seats)
    return Result(Ending.ADJUDICATION, reason, scores, winners)
