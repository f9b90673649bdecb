"""Acts of directors in a running tournament; each is an event with their reason."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from fractions import Fraction

from bot.domain.ids import UserId
from bot.errors import UserError
from bot.tournaments.domain import facts as f
from bot.tournaments.domain import planning
from bot.tournaments.domain.fold import TournamentAct, TournamentChange, add
from bot.tournaments.domain.formats import tables
from bot.tournaments.domain.formats.base import Draw
from bot.tournaments.domain.formats.knockout import Knockout, is_decided, misplaced, walkovers_in
from bot.tournaments.domain.formats.swiss import Swiss
from bot.tournaments.domain.formats.tables import PLACES
from bot.tournaments.domain.registration import check_alive
from bot.tournaments.domain.running import played_game
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import PlayedGame, Tournament, TournamentStatus

MOST_APART = 12
"""The most players of a group kept apart: their numbers fit into a control."""
MOST_GROUPS = 30


def decide(
    t: Tournament, act: TournamentAct, game: str, points: Sequence[Fraction]
) -> TournamentChange | None:
    """Set the result of a game that is not over; None if it already has this one.

    Raises :exc:`~bot.errors.UserError`: ``no_such_game``, ``tournament_over``, ``game_decided`` (a
    result is corrected, not decided again), ``points_wrong``.
    """
    played = played_game(t, game)
    if played.points == tuple(points):
        return None
    check_alive(t)
    if played.is_over:
        raise UserError("game_decided")
    _check_points(played, points)
    return add(t, act, f.Decided(game, tuple(points)))


def correct(
    t: Tournament,
    act: TournamentAct,
    game: str,
    points: Sequence[Fraction],
    *,
    moved: Collection[str] = (),
) -> tuple[TournamentChange, ...]:
    """Change the result of a game; later games drawn from it are removed if they have not begun.

    ``moved`` are games in which a player has moved or whose match is over. The later games are in a
    Swiss the next round, at tables the final one, and in a knockout each game that would have other
    players. A round robin, an arena and a ladder are not drawn from results, or go on from their
    present state.

    Also after the end, for the record. In a knockout a player who has advanced and begun to play
    stays: such a correction is refused (``has_followed``), and so is one that would leave a meeting
    undecided without a further game (``meeting_open``). Raises also ``no_such_game``,
    ``not_decided``, ``points_wrong``, ``tournament_cancelled``.
    """
    played = played_game(t, game)
    if not played.is_over:
        raise UserError("not_decided")
    if (played.points, played.how) == (tuple(points), f.How.DIRECTOR):
        return ()
    if t.status is TournamentStatus.CANCELLED:
        raise UserError("tournament_cancelled")
    _check_points(played, points)
    fact = f.Corrected(game, tuple(points), f.How.DIRECTOR)
    if t.setup.format is FormatKey.KNOCKOUT:
        return _correct_bracket(t, act, played, fact, moved)
    changes: list[TournamentChange] = []
    while _is_undone(t, played, moved):
        changes.append(add(t, act, f.Undrawn(len(t.rounds))))
        t = changes[-1].tournament
    return (*changes, add(t, act, fact))


def rests_on_results(t: Tournament) -> bool:
    """Whether the whole last round was drawn from the results of earlier ones."""
    if t.setup.format is FormatKey.TABLES:
        return t.setup.final_table and len(t.rounds) > tables.preliminary_rounds(t.setup)
    return t.setup.format is FormatKey.SWISS


def _is_undone(t: Tournament, played: PlayedGame, moved: Collection[str]) -> bool:
    """Whether the last round was drawn from this result and has not begun."""
    later = played.game.round < len(t.rounds) and t.status is TournamentStatus.RUNNING
    if not (later and rests_on_results(t)):
        return False
    return not any(_is_begun(each, moved) for each in t.in_round(len(t.rounds)))


def _is_begun(played: PlayedGame, moved: Collection[str]) -> bool:
    return played.is_played or played.game.id in moved


def _correct_bracket(
    t: Tournament, act: TournamentAct, played: PlayedGame, fact: f.Corrected, moved: Collection[str]
) -> tuple[TournamentChange, ...]:
    """The correction of a knockout, after the removal of games that it makes wrong."""
    after = add(t, act, fact).tournament
    # Later games of players who do not meet there, and further ones of the same meeting that are
    # not begun and would not be drawn now.
    later = {x.game.id for x in after.games.values() if x.game.round > played.game.round}
    rest = (x for x in _rest_of_meeting(after, played) if not _is_begun(x, moved))
    wrong = (misplaced(after) & later) | {x.game.id for x in rest if _is_needless(after, x)}
    _check_bracket(t, after, played, wrong, moved)
    now, changes = t, list[TournamentChange]()
    for number in range(len(t.rounds), played.game.round - 1, -1):
        has_byes = walkovers_in(t, number) != walkovers_in(after, number)
        loss = _loss_of(now, number, wrong, moved, has_byes=has_byes)
        if loss is not None:
            changes.append(add(now, act, loss))
            now = changes[-1].tournament
    return (*changes, add(now, act, fact))


def _check_bracket(
    t: Tournament,
    after: Tournament,
    played: PlayedGame,
    wrong: Collection[str],
    moved: Collection[str],
) -> None:
    """Refuse a correction that takes from players what they have begun, or leaves a tie open."""
    tie, is_over = played.game.tie, t.status.is_final
    # A player of the game has begun one of a later round, or the event is over.
    has_gone_on = is_over or any(
        each.game.round > played.game.round
        and _is_begun(each, moved)
        and not set(each.game.players).isdisjoint(played.game.players)
        for each in t.games.values()
    )
    if has_gone_on and is_decided(t, tie) and not is_decided(after, tie):
        raise UserError("meeting_open")
    if wrong and (is_over or any(_is_begun(t.games[name], moved) for name in wrong)):
        raise UserError("has_followed")
    if is_over and isinstance(Knockout().step(after), Draw):
        raise UserError("meeting_open")  # the deciding final, say, that it makes necessary
    stays = any(each.game.id not in wrong for each in _rest_of_meeting(after, played))
    ranks = [{each.number: each.rank for each in Knockout().places(x)} for x in (t, after)]
    if stays and ranks[0] != ranks[1]:
        raise UserError("has_followed")


def _rest_of_meeting(t: Tournament, played: PlayedGame) -> list[PlayedGame]:
    mine = (x for x in t.games.values() if x.game.tie == played.game.tie)
    return [x for x in mine if x.drawn > played.drawn]


def _loss_of(
    t: Tournament, number: int, wrong: Collection[str], moved: Collection[str], *, has_byes: bool
) -> f.Undrawn | f.Unpaired | None:
    """The fact that takes its wrong games from a round, or all of it; None if there are none.

    A round goes whole where other players go on in it without a game (``has_byes``).
    """
    here, is_last = t.in_round(number), number == len(t.rounds)
    gone = tuple(each.game.id for each in here if each.game.id in wrong)
    if not has_byes and not (is_last and gone and len(gone) == len(here)):
        return f.Unpaired(gone) if gone else None
    if not is_last or any(_is_begun(each, moved) for each in here):
        raise UserError("has_followed")
    return f.Undrawn(number)


def _is_needless(t: Tournament, played: PlayedGame) -> bool:
    """Whether a further game of a meeting would not be drawn with the present results."""
    games = {name: each for name, each in t.games.items() if name != played.game.id}
    step = Knockout().step(replace(t, games=games))
    return not isinstance(step, Draw) or played.game not in step.games


def redraw(t: Tournament, act: TournamentAct) -> TournamentChange:
    """Undo the last round, to pair it again; games forfeited before they began go with it.

    The caller checks the matches that have begun: no player may have moved in any. Raises
    ``round_begun``, ``no_round``.
    """
    check_alive(t)
    if not t.rounds or not t.setup.format.facts.has_rounds:
        raise UserError("no_round")
    if any(each.is_played for each in t.in_round(len(t.rounds))):
        raise UserError("round_begun")
    return add(t, act, f.Undrawn(len(t.rounds)))


def extend(
    t: Tournament, act: TournamentAct, round_number: int, game: str, until: datetime
) -> TournamentChange | None:
    """Let a round, or one ``game`` of it unless that is empty, last until a later day.

    The promised day moves if later rounds need it. An arena and a ladder have one last day for all
    their games.

    Raises :exc:`~bot.errors.UserError`: ``no_round``, ``no_such_game``, ``date_past``,
    ``not_later``, ``game_decided``, ``tournament_long``, ``tournament_over``.
    """
    check_alive(t)
    if not 0 < round_number <= len(t.rounds) or (game and not t.setup.format.facts.has_rounds):
        raise UserError("no_round")
    if until <= act.at:
        raise UserError("date_past")
    was = t.rounds[round_number - 1].until
    if game:
        played = played_game(t, game)
        if played.is_over:
            raise UserError("game_decided")
        was = played.until
    if was == until:
        return None
    if was > until:
        raise UserError("not_later")
    finish = max(t.finish, until + planning.time_for_rounds(t))
    planning.check_finish(finish, act.at)
    return add(t, act, f.Extended(round_number, game, until, finish))


def pause(t: Tournament, act: TournamentAct) -> TournamentChange | None:
    """Stop pairing and deciding for a while; None if the event is paused already."""
    check_alive(t)
    return None if t.paused_at is not None else add(t, act, f.Paused())


def resume(t: Tournament, act: TournamentAct) -> TournamentChange | None:
    """End the pause; all days to come move by its length. None if the event is not paused."""
    check_alive(t)
    return None if t.paused_at is None else add(t, act, f.Resumed())


def cancel(t: Tournament, act: TournamentAct) -> TournamentChange | None:
    """End the event without a result; None if that was done. Raises ``tournament_over``."""
    if t.status is TournamentStatus.CANCELLED:
        return None
    check_alive(t)
    return add(t, act, f.Cancelled())


def appoint(t: Tournament, act: TournamentAct, user_id: UserId) -> TournamentChange | None:
    """Make a person a director; None if they are. Raises ``tournament_over``."""
    check_alive(t)
    return None if user_id in t.directors else add(t, act, f.Appointed(), user_id)


def dismiss(t: Tournament, act: TournamentAct, user_id: UserId) -> TournamentChange | None:
    """Remove a person from the directors; None if they are not one. The creator stays one."""
    return add(t, act, f.Dismissed(), user_id) if user_id in t.directors else None


def apart_group(t: Tournament, entrants: Sequence[int]) -> tuple[int, ...]:
    """Entrants who can be kept apart, in order of their numbers. Raises as :func:`part`."""
    check_alive(t)
    if not t.setup.format.facts.keeps_apart:
        raise UserError("not_kept_apart")
    group = tuple(sorted(set(entrants)))
    if not 1 < len(group) <= MOST_APART:
        raise UserError("apart_players", most=MOST_APART)
    if any(t.entrant(each) is None for each in group):
        raise UserError("not_entered")
    return group


def part(
    t: Tournament, act: TournamentAct, entrants: Sequence[int], last: int
) -> TournamentChange | None:
    """Keep entrants apart in rounds to come, until ``last`` or, if that is 0, in all.

    It replaces an earlier choice about the same entrants; None if that is the same.

    Raises :exc:`~bot.errors.UserError`: ``tournament_over``, ``not_kept_apart``, ``apart_players``,
    ``apart_groups``, ``not_entered``, ``round_drawn``, ``round_never``.
    """
    group = apart_group(t, entrants)
    if last and last <= len(t.rounds):
        raise UserError("round_drawn")
    if last > Swiss().most_rounds(t):
        raise UserError("round_never", round=last)
    was = t.apart_of(group)
    others = [each for each in t.apart if each.holds_in(len(t.rounds) + 1) and each != was]
    if len(others) >= MOST_GROUPS:
        raise UserError("apart_groups", most=MOST_GROUPS)
    new = f.Parted(group, last)
    return None if was == new else add(t, act, new)


def rejoin(t: Tournament, act: TournamentAct, entrants: Sequence[int]) -> TournamentChange | None:
    """Let entrants meet in rounds to come; None if they may. Raises ``tournament_over``."""
    check_alive(t)
    group = tuple(entrants)
    return None if t.apart_of(group) is None else add(t, act, f.Rejoined(group))


def _check_points(played: PlayedGame, points: Sequence[Fraction]) -> None:
    """Check that two share a point or have none, and four at most the points of all places."""
    seats = len(played.game.players)
    most = Fraction(1) if seats == 2 else sum(PLACES, Fraction(0))
    if len(points) != seats or min(points) < 0 or sum(points) > most:
        raise UserError("points_wrong")
    if seats == 2 and sum(points) not in (0, 1):
        raise UserError("points_wrong")
