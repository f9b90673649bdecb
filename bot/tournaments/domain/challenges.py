"""A ladder's challenges: made, accepted, declined, and rungs lost by not playing."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from bot.errors import UserError
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.fold import (
    TournamentAct,
    TournamentChange,
    TournamentEvent,
    add,
    apply,
    undone_in,
)
from bot.tournaments.domain.formats.open_ended import (
    ANSWER,
    Ladder,
    after_inactivity,
    check_challenge,
)
from bot.tournaments.domain.running import draw_games
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import Tournament, TournamentStatus

LOOK = timedelta(days=1)
"""The time between two looks for inactive players of a ladder."""


def busy(t: Tournament) -> frozenset[int]:
    """Entrants with a game or a challenge already."""
    return t.playing.union(*(each.pair for each in t.challenges))


def challenge(
    t: Tournament, act: TournamentAct, challenger: int, challenged: int
) -> TournamentChange | None:
    """Challenge a player above; None if that was done.

    Raises :exc:`~bot.errors.UserError`: ``not_a_ladder``, ``tournament_over``,
    ``tournament_paused``, and the errors of ``check_challenge``.
    """
    check_open(t)
    if waiting(t, challenger, challenged) is not None:
        return None
    check_challenge(t.by_rung, challenger, challenged, reach=t.setup.reach, busy=busy(t))
    return asked(t, act, challenger, challenged)


def asked(t: Tournament, act: TournamentAct, challenger: int, challenged: int) -> TournamentChange:
    """A new challenge, with the whole time for an answer."""
    until = min(act.at + ANSWER, t.finish)
    subject = t.entrants[challenged - 1].user_id
    return add(t, act, f.Challenged(challenger, challenged, until), subject)


def may_challenge(t: Tournament, now: datetime, number: int) -> tuple[int, ...]:
    """The entrants that a player of a ladder may challenge now, the highest rung first."""
    found = []
    for each in t.by_rung if number in t.by_rung else ():
        with contextlib.suppress(UserError):
            if challenge(t, TournamentAct(now), number, each) is not None:
                found.append(each)
    return tuple(found)


def accept(t: Tournament, act: TournamentAct, challenged: int, challenger: int) -> TournamentChange:
    """Accept a challenge: its game is drawn.

    Raises ``no_challenge``, and the errors of :func:`challenge`.
    """
    check_open(t)
    _check_waiting(t, challenger, challenged)
    return draw_games(t, act, Ladder().challenge(t, challenger, challenged))


def decline(
    t: Tournament, act: TournamentAct, challenged: int, challenger: int
) -> TournamentChange:
    """Decline a challenge. Raises ``no_challenge``."""
    _check_waiting(t, challenger, challenged)
    return _declined(t, act, challenger, challenged, by_time=False)


def _check_waiting(t: Tournament, challenger: int, challenged: int) -> None:
    if waiting(t, challenger, challenged) is None:
        raise UserError("no_challenge")


def _declined(
    t: Tournament, act: TournamentAct, challenger: int, challenged: int, *, by_time: bool
) -> TournamentChange:
    subject = t.entrants[challenger - 1].user_id
    return add(t, act, f.Declined(challenger, challenged, by_time), subject)


def unanswered(t: Tournament, act: TournamentAct) -> tuple[TournamentChange, ...]:
    """Challenges whose time for an answer is over."""
    changes: list[TournamentChange] = []
    for each in t.challenges:
        if each.until <= act.at and t.paused_at is None and not t.status.is_final:
            changes.append(_declined(t, act, *each.pair, by_time=True))
            t = changes[-1].tournament
    return tuple(changes)


def sink(
    t: Tournament, act: TournamentAct, last_game: Mapping[int, datetime]
) -> TournamentChange | None:
    """Move inactive players down by a rung; None if there are none.

    ``last_game`` is when each last played, or when they entered or sank last.
    """
    if t.status is not TournamentStatus.RUNNING or t.paused_at is not None:
        return None
    occupied = dict.fromkeys(busy(t), act.at)
    rungs = after_inactivity(t.by_rung, {**last_game, **occupied}, act.at)
    return None if rungs == t.by_rung else add(t, act, f.Moved(rungs))


def last_played(history: Sequence[TournamentEvent]) -> Mapping[int, datetime]:
    """When each player of a ladder last finished a game, entered, or sank for inactivity."""
    found: dict[int, datetime] = {}
    t: Tournament | None = None
    undone = undone_in(history)
    for event in history:
        fact, is_undone = event.fact, event.seq in undone
        after = apply(t, event, fact, is_undone=is_undone)
        match fact:
            case _ if is_undone:
                pass
            case f.Entered(number):
                found[number] = event.at
            case f.Undone() if event.subject_id is not None:
                back = after.entrant_of(event.subject_id)  # they could not play
                found |= {} if back is None else {back.number: event.at}
            case f.Scored(game) | f.Decided(game):
                found |= dict.fromkeys(after.games[game].game.players, event.at)
            case f.Moved(rungs) if t is not None:
                lower = (each for at, each in enumerate(rungs) if at > t.by_rung.index(each))
                found |= dict.fromkeys(lower, event.at)
        t = after
    return found


def waiting(t: Tournament, challenger: int, challenged: int) -> f.Challenged | None:
    """The challenge of one player by another that waits for an answer."""
    return next((x for x in t.challenges if x.pair == (challenger, challenged)), None)


def check_open(t: Tournament) -> None:
    """Refuse challenges in an event that is no ladder, or not running (see :func:`challenge`)."""
    if t.setup.format is not FormatKey.LADDER:
        raise UserError("not_a_ladder")
    if t.status.is_final:
        raise UserError("tournament_over")
    if t.status is not TournamentStatus.RUNNING:
        raise UserError("tournament_not_begun")
    if t.paused_at is not None:
        raise UserError("tournament_paused")
