"""A running tournament: rounds are drawn, games begin and end, days come.

Decisions return the events that follow, none where there is nothing to do: each may be repeated any
number of times, by any number of processes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction

from bot.domain.clock import DAY
from bot.errors import UserError
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.crosstable import DRAW, LOSS
from bot.tournaments.domain.fold import TournamentAct, TournamentChange, TournamentEvent, add
from bot.tournaments.domain.formats.base import Ask, Draw, Idle
from bot.tournaments.domain.formats.catalog import FORMATS
from bot.tournaments.domain.formats.tables import place_points
from bot.tournaments.domain.planning import event_plan
from bot.tournaments.domain.registration import drop_absent, forfeit, withdraw
from bot.tournaments.domain.results import NOTHING_PLAYED, OnBoard, points_of_present
from bot.tournaments.domain.setup import FormatKey, Unfinished
from bot.tournaments.domain.swiss_pairing import Paired
from bot.tournaments.domain.tournament import (
    EntrantStatus,
    PlayedGame,
    Tournament,
    TournamentStatus,
)


def draw(
    t: Tournament, act: TournamentAct, paired: Paired | None = None
) -> tuple[TournamentChange, ...] | Ask:
    """All possible draws, and the end if everything is over; or a request to an engine first.

    ``paired`` is the engine's answer for this very state of the tournament. Nothing happens while
    it is paused or registration is open. With fewer entrants than it needs the event is cancelled.
    """
    if t.paused_at is not None or t.status.is_final:
        return ()
    if t.status is TournamentStatus.REGISTRATION:
        return ()
    changes = list(drop_absent(t, act))
    t = changes[-1].tournament if changes else t
    if not t.rounds and len(t.active) < max(t.setup.least, t.setup.format.facts.seats):
        return (*changes, add(t, act, f.Cancelled()))
    if not t.rounds and not t.setup.format.facts.has_rounds:
        # An arena or a ladder begins with an empty round, to which games are added.
        return (*changes, add(t, act, f.Drawn(1, (), (), t.finish)))
    while True:
        step = FORMATS[t.setup.format].step(t, paired)
        paired = None
        match step:
            case Draw():
                changes.append(draw_games(t, act, step))
                t = changes[-1].tournament
                # A repeated round of a fixed table also has players who have left.
                for number in sorted({each for game in step.games for each in game.players}):
                    if not t.entrants[number - 1].is_active:
                        changes += forfeit(t, act, number, begun=False)
                        t = changes[-1].tournament
            case Ask():
                return tuple(changes) or step
            case Idle.OVER:
                return (*changes, add(t, act, f.Finished()))
            case _:
                return tuple(changes)


def draw_games(t: Tournament, act: TournamentAct, games: Draw) -> TournamentChange:
    """Add games to a round; their last day is the round's."""
    until = round_until(t, games.round, act.at)
    if games.round <= len(t.rounds):
        until = t.rounds[games.round - 1].until
    return add(t, act, f.Drawn(games.round, games.games, games.byes, until))


def round_until(t: Tournament, number: int, now: datetime) -> datetime:
    """The last day of a round: the time from the beginning to the promised day in equal parts.

    Simultaneous rounds share one part. A round that begins too late for its part gets an equal part
    of the remaining time.
    """
    effort = event_plan(t.setup, len(t.entrants))
    rounds = max(effort.rounds, number, 1)
    parts = max(effort.parts, 1) if effort.rounds == rounds else rounds
    part = -(-number * parts // rounds)
    begins = t.begins
    planned = begins + (t.finish - begins) * part / parts
    if planned <= now < t.finish:
        return now + (t.finish - now) / (parts - part + 1)
    return planned


def startable(t: Tournament) -> tuple[f.Fixture, ...]:
    """Games that can begin now: no player may have more running than the event allows.

    Earlier rounds come first. The games of a pairing begin together, and count as one where only
    one may run. None can begin while the event is paused.
    """
    if t.paused_at is not None or t.status is not TournamentStatus.RUNNING:
        return ()
    limit = t.setup.at_once and max(t.setup.at_once // t.setup.games_at_once, 1)
    running: dict[int, set[tuple[int, int]]] = {}
    for played in t.pending:
        if played.has_begun:
            for number in played.game.players:
                running.setdefault(number, set()).add(played.game.pairing)
    found = []
    for played in sorted(t.pending, key=lambda each: each.game.pairing):
        numbers, pairing = played.game.players, played.game.pairing
        if played.has_begun or not all(t.entrants[each - 1].is_active for each in numbers):
            continue
        others = [running.setdefault(each, set()) - {pairing} for each in numbers]
        if not limit or all(len(each) < limit for each in others):
            found.append(played.game)
            for number in numbers:
                running[number].add(pairing)
    return tuple(found)


def begin_game(t: Tournament, act: TournamentAct, game: str) -> TournamentChange | None:
    """Note that the match of a game exists; None if that was known. Raises ``no_such_game``."""
    played = played_game(t, game)
    return None if played.has_begun or played.is_over else add(t, act, f.Begun(game))


def played_game(t: Tournament, game: str) -> PlayedGame:
    """A game of a tournament. Raises ``no_such_game``."""
    found = t.games.get(game)
    if found is None:
        raise UserError("no_such_game")
    return found


def record(
    t: Tournament,
    act: TournamentAct,
    game: str,
    points: Sequence[Fraction],
    how: f.How,
    *,
    late: tuple[int, ...] = (),
    spared: Collection[int] = (),
) -> tuple[TournamentChange, ...]:
    """Record the end of a match. No change if the game has a result, even a director's.

    ``late`` are the seats of a table whose players ran out of time or did not come. A player who
    has lost on time is warned at the last loss that the event allows, and withdrawn at the next
    one, unless they are ``spared``: their warning came too late for this game. Raises
    ``no_such_game``.
    """
    played = played_game(t, game)
    if played.is_over or t.status.is_final:
        return ()
    before = t
    changes = [add(t, act, f.Scored(game, tuple(points), how, late))]
    t = changes[-1].tournament
    most = t.setup.time_losses
    for number in played.game.players:
        entrant = t.entrants[number - 1]
        if not most or not entrant.is_active:
            continue
        if entrant.time_losses >= most and (entrant.is_warned or most == 1):
            is_new = entrant.time_losses > before.entrants[number - 1].time_losses
            if is_new and number not in spared:
                changes += withdraw(t, act, number, f.Leaving.TIME)
        elif entrant.time_losses >= most - 1 > 0 and not entrant.is_warned:
            changes.append(add(t, act, f.Warned(number), entrant.user_id))
        t = changes[-1].tournament
    return tuple(changes)


def spared(
    t: Tournament, game: str, ended: datetime, history: Iterable[TournamentEvent]
) -> frozenset[int]:
    """The players of a game that ended before they could do anything about their warning.

    A player may lose several simultaneous games on time together. A warning takes effect after the
    time of a first move, at most a day. ``history`` is the whole history of the tournament.
    """
    warned = {fact.entrant: each.at for each in history if isinstance(fact := each.fact, f.Warned)}
    grace = min(t.setup.no_show, DAY)
    players = played_game(t, game).game.players
    return frozenset(each for each in players if each in warned and ended < warned[each] + grace)


def overdue(
    t: Tournament, act: TournamentAct, boards: Mapping[str, OnBoard] = {}
) -> tuple[TournamentChange, ...]:
    """Decide, by the stated rule, each game whose last day has come.

    ``boards`` are the states of running matches, where they count. A game that never began is a
    draw too, since it may be no player's fault. Directors can decide it before. Nothing happens
    while the event is paused.
    """
    if t.paused_at is not None or t.status is not TournamentStatus.RUNNING:
        return ()
    changes: list[TournamentChange] = []
    for played in t.pending:
        if played.until > act.at:
            continue
        on_board = boards.get(played.game.id, NOTHING_PLAYED)
        points = unfinished_points(t, played, on_board)
        changes += record(t, act, played.game.id, points, f.How.UNFINISHED, late=on_board.late)
        t = changes[-1].tournament
    if t.setup.format is FormatKey.ARENA and t.finish <= act.at and not t.pending:
        changes.append(add(t, act, f.Finished()))
    return tuple(changes)


def unfinished_points(
    t: Tournament, played: PlayedGame, on_board: OnBoard = NOTHING_PLAYED
) -> tuple[Fraction, ...]:
    """The points of an unfinished game: by the present score, or level.

    A player of four who has left has nothing in any case, and the others share all places from the
    first. In an arena such a game does not count.
    """
    if t.setup.format is FormatKey.ARENA:
        return (LOSS, LOSS)
    seats = played.game.players
    scores = on_board.scores if t.setup.unfinished is Unfinished.SCORE else None
    scores = scores or (0.0,) * len(seats)
    if len(seats) == 2:
        if scores[0] == scores[1]:
            return (DRAW, DRAW)
        first = Fraction(int(scores[0] > scores[1]))
        return (first, 1 - first)
    gone = [
        seat
        for seat, number in enumerate(seats)
        if t.entrants[number - 1].standing is EntrantStatus.EXCLUDED or seat in on_board.left
    ]
    return place_points(scores, gone)


def no_show(
    t: Tournament, act: TournamentAct, game: str, absent: Sequence[int]
) -> tuple[TournamentChange, ...]:
    """A game forfeited by the entrants who have not come; by both, if neither has."""
    played = played_game(t, game)
    there = [each not in absent for each in played.game.players]
    late = tuple(seat for seat, came in enumerate(there) if not came)
    return record(t, act, game, points_of_present(there), f.How.NO_SHOW, late=late)


def end(t: Tournament, act: TournamentAct) -> TournamentChange | None:
    """Finish an event without a further round, in its present state; None if it is over.

    Also an arena and a ladder on their last day. Raises ``round_unfinished`` while games run.
    """
    if t.status.is_final:
        return None
    if t.pending:
        raise UserError("round_unfinished")
    return add(t, act, f.Finished())
