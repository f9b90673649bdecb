"""The amount of play of an event, shown before it is created, and impossible set-ups."""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.domain.clock_text import read_clock, write_duration
from bot.domain.game_state import game_of
from bot.domain.ratings.rated import check_rated
from bot.errors import UserError
from bot.tournaments.domain.formats.base import Effort
from bot.tournaments.domain.formats.catalog import FORMATS
from bot.tournaments.domain.formats.open_ended import LONGEST, SHORTEST
from bot.tournaments.domain.setup import BOUNDS, FormatKey, Setup
from bot.tournaments.domain.tournament import Tournament

LARGEST = 256
"""The most players."""
_MOVES = 20
"""Moves of one player in a game of usual length."""
_BRISK = 8
"""The most moves a day and game that players are expected to make by correspondence."""
_FEW_DAYS = 2
"""A length of time up to this many days is shown in hours."""
_LONGEST_NAME = 80
_LONGEST_EVENT = timedelta(days=366)


def event_plan(setup: Setup, entrants: int) -> Effort:
    """The plan of an event with this many players."""
    return FORMATS[setup.format].effort(setup, entrants)


def moves_a_day(setup: Setup, games: int) -> float:
    """How many moves a player makes in a day for this many games to be over by their last day.

    It assumes games of usual length; 0 for an event of a few hours.
    """
    days = (setup.finish - setup.begins) / timedelta(days=1)
    return _MOVES * games / days if days > 1 else 0.0


def event_plan_of(t: Tournament) -> Effort:
    """The plan of an event for its present players, or for as many as it needs.

    Once a round is drawn, leaving players do not reduce the rounds.
    """
    entrants = max(len(t.active), t.setup.least)
    if t.rounds:
        drawn = {number for each in t.games.values() for number in each.game.players}
        drawn |= {number for done in t.rounds for number in done.byes}
        entrants = len(drawn | {each.number for each in t.active})
    return event_plan(t.setup, entrants)


def check_game(setup: Setup) -> None:
    """Raise a refusal unless the game of an event can be played in its format, and rated.

    ``format_seats``, and the errors of the options and of ``check_rated``.
    """
    rules = game_of(setup.game, setup.options)
    seats = setup.format.facts.seats
    if len(rules.seats) != seats:
        raise UserError("format_seats", seats=seats)
    if setup.rated:
        check_rated(rules.info, rules.options, None)


def check_setup(setup: Setup, now: datetime) -> None:
    """Raise :exc:`~bot.errors.UserError` for an impossible event.

    ``tournament_name``, ``tournament_size``, ``tournament_ratings``, ``tournament_rounds``,
    ``tournament_range`` (another number out of range), ``date_past``, ``dates_order``,
    ``tournament_long``, ``arena_length``, ``finish_early`` (``finish_early_days``), and the errors
    of :func:`~bot.domain.clock_text.read_clock`.
    """
    form = setup.format.facts
    if not 0 < len(setup.name.strip()) <= _LONGEST_NAME:
        raise UserError("tournament_name", most=_LONGEST_NAME)
    if not form.seats <= setup.least <= setup.most <= LARGEST:
        raise UserError("tournament_size", least=form.seats, most=LARGEST)
    low, high = setup.rating_from, setup.rating_to
    if low is not None and high is not None and low >= high:
        raise UserError("tournament_ratings")
    _check_numbers(setup)
    length = setup.finish - setup.begins
    if setup.closes <= now:
        raise UserError("date_past")
    if not setup.closes <= setup.begins < setup.finish:
        raise UserError("dates_order")
    check_finish(setup.finish, now)
    if setup.format is FormatKey.ARENA and not SHORTEST <= length <= LONGEST:
        raise UserError("arena_length")
    # With as many players as may enter successive games must be possible: each as long as its clock
    # allows, if that is less than a game of usual length takes at a brisk pace by correspondence.
    effort = event_plan(setup, setup.most)
    in_a_row = max(-(-effort.games // max(effort.at_once, 1)), effort.parts)
    needed = in_a_row * _game_time(setup)
    if length < needed:
        days = -(-needed // timedelta(days=1))
        if days > _FEW_DAYS:
            raise UserError("finish_early_days", days=days)
        raise UserError("finish_early", hours=-(-needed // timedelta(hours=1)))


def _check_numbers(setup: Setup) -> None:
    low, high = setup.format.facts.rounds or (1, 1)
    if setup.rounds is not None and not low <= setup.rounds <= high:
        raise UserError("tournament_rounds", least=low, most=high)
    if setup.format is FormatKey.SWISS and (setup.rounds or 0) >= setup.most:
        raise UserError("tournament_rounds", least=low, most=min(high, setup.most - 1))
    if setup.both_sides and setup.format is FormatKey.KNOCKOUT and setup.best_of != 2:
        raise UserError("tournament_range", option="best_of", least=2, most=2)
    if setup.both_sides and not setup.format.facts.pairs:
        raise UserError("tournament_range", option="both_sides", least=0, most=0)
    if not 0 <= setup.promoted <= setup.division // 2:
        half = setup.division // 2
        raise UserError("tournament_range", option="promoted", least=0, most=half)
    for name, bounds in BOUNDS.items():
        if not bounds.least <= getattr(setup, name) <= bounds.most:
            least, most = (x if isinstance(x, int) else write_duration(x) for x in bounds)
            raise UserError("tournament_range", option=name, least=least, most=most)


def check_finish(finish: datetime, now: datetime) -> None:
    """Refuse a last day that is too far away (``tournament_long``)."""
    if finish - now > _LONGEST_EVENT:
        raise UserError("tournament_long", days=_LONGEST_EVENT.days)


def time_for_rounds(t: Tournament) -> timedelta:
    """The least time for the rounds of a running event that are not drawn yet."""
    effort = event_plan(t.setup, len(t.entrants))
    left = max(effort.rounds - len(t.rounds), 0)
    return -(-effort.games // max(effort.at_once * effort.rounds, 1)) * left * _game_time(t.setup)


def _game_time(setup: Setup) -> timedelta:
    """The least time for a game, by its clock and the pace of quick players."""
    game = timedelta(days=1) * _MOVES / _BRISK
    control = None if setup.clock is None else read_clock(setup.clock)
    if control is not None:
        one = control.bank * _MOVES if control.per_move else control.bank
        game = min(game, 2 * (one + _MOVES * control.increment))
    return game
