"""An organiser's choices for a tournament, tab by tab: one declaration for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any, TypeAlias

from bot.domain.clock_text import NONE, read_clock
from bot.domain.game_state import game_of
from bot.domain.match import Venue
from bot.i18n import Language
from bot.tournaments.domain.results import has_score
from bot.tournaments.domain.setup import FormatKey, Setup, Unfinished
from bot.tournaments.ui import setup_words
from bot.ui.pages.clock_text import clock_line, duration
from bot.ui.pages.match_text import sensible_values
from bot.ui.settings.game_menus import game_menu, rules_menus
from bot.ui.settings.panel import Choice, Line, Menu, Panel, Role, Setting, SettingChoices, either
from games import catalog
from games.api import OptionValue
from games.view import Text

SIZES = (2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 28, 32, 40, 48, 60, 64, 96, 128, 192, 256)
RATINGS = range(800, 2401, 100)
NO_SHOWS = tuple(
    timedelta(minutes=each)
    for each in (1, 3, 5, 10, 15, 30, 60, 360, 1440, 2880, 4320, 10080, 20160)
)
CHECK_INS = tuple(timedelta(minutes=each) for each in (15, 30, 60, 180, 1440))
CLOCKS = (
    "5m+3s",
    "10m+5s",
    "15m+10s",
    "20m+10s",
    "30m+30s",
    "1d/move",
    "2d/move",
    "3d/move",
    "7d+1d max 14d",
)
_TWO = "2b"
"""In the menu of a knockout's games: two of them at once."""

_Fields: TypeAlias = Iterator[Setting[Setup]]
_Choice = Choice[Setup]
_Menu = Menu[Setup]
_Roles = Role[Setup]


def games_for(form: FormatKey) -> tuple[str, ...]:
    """The games with the number of seats that the format needs."""
    return tuple(key for key in catalog.GAMES if len(game_of(key, {}).seats) == form.facts.seats)


def fitted(setup: Setup) -> Setup:
    """A set-up whose time for a first move is within its length."""
    return replace(setup, no_show=min(setup.no_show, _no_shows(setup)[-1]))


def _no_shows(setup: Setup) -> tuple[timedelta, ...]:
    lasts = setup.finish - setup.begins
    return tuple(each for each in NO_SHOWS if each < lasts) or NO_SHOWS


def _numbers(said: Text, numbers: Iterable[int]) -> list[Line]:
    return [(n, said.filled({"n": n})) for n in numbers]


def _game(it: Setup) -> _Fields:
    yield game_menu(Text.of("Game"), games_for(it.format), _with_game)
    if it.game in catalog.GAMES:
        yield from rules_menus(catalog.GAMES[it.game].info, it.options, _with_rules)
    if it.format.facts.rounds is not None:
        low, high = it.format.facts.rounds
        counts = _numbers(Text.plural("{n} round", "{n} rounds"), range(low, high + 1))
        if it.format is FormatKey.SWISS:
            counts.insert(0, (None, Text.of("Rounds: as the number of players needs")))
        yield _Menu("rounds", Text.of("Rounds"), counts)
    if it.format is FormatKey.TABLES:
        final = either(Text.of("The best four meet at a final table"), Text.of("No final table"))
        yield _Menu("final_table", Text.of("Final table"), final)
    stakes = either(Text.of("Rated"), Text.of("Casual"))
    yield _Menu("rated", Text.of("Rated or casual"), stakes)


def _with_game(it: Setup, game: str) -> Setup:
    return replace(it, game=game, options=catalog.GAMES[game].info.resolve({}))


def _with_rules(it: Setup, options: Mapping[str, OptionValue]) -> Setup:
    return replace(it, options=sensible_values(catalog.GAMES[it.game].info, options))


def _people(it: Setup, choices: SettingChoices) -> _Fields:
    sizes = sorted({*SIZES, it.least, it.most})
    fewest = Text.plural("At least {n} player", "At least {n} players")
    yield _Menu("least", Text.of("Minimum"), _numbers(fewest, sorted({*sizes[:12], it.least})))
    most = Text.plural("At most {n} player", "At most {n} players")
    yield _Menu("most", Text.of("Maximum"), _numbers(most, sizes))
    anyone = Text.of("Who can join: everyone")
    yield _Roles("roles", Text.of("Who can join"), anyone, choices, most=3)
    bounds = {each for each in (it.rating_from, it.rating_to) if each is not None}
    ratings: list[Line] = [
        (None, Text.of("any")),
        *((n, str(n)) for n in sorted({*RATINGS, *bounds})),
    ]
    yield _Choice("rating_from", Text.of("Lowest rating"), ratings)
    yield _Choice("rating_to", Text.of("Highest rating"), ratings)
    late = either(
        Text.of("Players can join after the start"), Text.of("Nobody can join after the start")
    )
    yield _Menu("late_entry", Text.of("Late entry"), late)
    if it.format.facts.has_rounds:
        seeding = either(Text.of("A director orders the seeds"), Text.of("Seeded by rating"))
        yield _Menu("by_hand", Text.of("Seeding"), seeding)
    usual = Text.of("Directors: you, server managers")
    yield _Roles("director_roles", Text.of("Directors"), usual, choices, most=2)
    none = Text.of("Role for the winner: none")
    yield _Roles("winner_role", Text.of("Role for the winner"), none, choices)


def _time(it: Setup) -> _Fields:
    clocks = dict.fromkeys((*CLOCKS, it.clock, None))
    lines = [(each, partial(clock_line, read_clock(each or NONE))) for each in clocks]
    yield _Menu("clock", Text.of("Clock"), lines)
    if it.format is FormatKey.ROUND_ROBIN:
        some = Text.plural("{n} game at a time", "{n} games at a time")
        counts = _numbers(some, sorted({1, 2, 3, 4, 5, 6, 9, it.at_once} - {0}))
        games = [(0, Text.of("All games at once")), *counts]
        yield _Menu("at_once", Text.of("Games at a time"), games)
    if it.format.facts.has_rounds:
        none = (timedelta(), Text.of("No check-in before the start"))
        check_ins: list[Line] = [none, *((each, partial(_check_in, each)) for each in CHECK_INS)]
        yield _Menu("check_in", Text.of("Check-in"), check_ins)
    clock = None if it.clock is None else read_clock(it.clock)
    if clock is not None:
        now = setup_words.first_move_time(fitted(it))
        fitting = {each for each in _no_shows(it) if each <= clock.bank}
        yield _Menu(
            "no_show",
            Text.of("No-shows"),
            [(each, partial(_first_move, each)) for each in sorted({*fitting, now})],
            get=lambda _: now,
        )
        losses = Text.plural("Out after {n} loss on time", "Out after {n} losses on time")
        never = (0, Text.of("Nobody is out for losing on time"))
        limits = [never, *_numbers(losses, (1, 2, 3))]
        yield _Menu("time_losses", Text.of("Losses on time"), limits)
    has_game = it.game in catalog.GAMES
    if it.format.facts.has_rounds and has_game and has_score(it.game, it.options):
        rules = [
            (Unfinished.DRAW, Text.of("Unfinished games are drawn")),
            (Unfinished.SCORE, Text.of("The score decides unfinished games")),
        ]
        yield _Menu("unfinished", Text.of("Unfinished games"), rules)


def _check_in(time: timedelta, language: Language) -> str:
    said = duration(time, language)
    return language.say("Check-in for {time} before the start", time=said)


def _first_move(time: timedelta, language: Language) -> str:
    return language.say("First move within {time}", time=duration(time, language))


def _rules(it: Setup) -> _Fields:
    if it.format is FormatKey.SWISS:
        accelerated = either(
            Text.of("Accelerated rounds, for large fields"), Text.of("No accelerated rounds")
        )
        yield _Menu("accelerated", Text.of("Accelerated rounds"), accelerated)
    if it.format is FormatKey.ROUND_ROBIN:
        rounds = either(Text.of("Everyone twice, sides exchanged"), Text.of("Everyone once"))
        yield _Menu("double", Text.of("Rounds"), rounds)
    if it.format in (FormatKey.SWISS, FormatKey.ROUND_ROBIN):
        games = either(
            Text.of("Two games at once, sides exchanged"), Text.of("One game in a pairing")
        )
        yield _Menu("both_sides", Text.of("Games in a pairing"), games)
    if it.format is FormatKey.ROUND_ROBIN:
        rising = Text.plural(
            "League: {n} player rises and falls", "League: {n} players rise and fall"
        )
        seasons = [(0, Text.of("One season")), *_numbers(rising, range(1, it.division // 2 + 1))]
        yield _Menu("promoted", Text.of("League"), seasons)
    if it.format is FormatKey.KNOCKOUT:
        yield from _knockout(it)
    if it.format is FormatKey.LADDER:
        places = Text.plural(
            "Challenges up to {n} place above", "Challenges up to {n} places above"
        )
        reaches = _numbers(places, sorted({1, 2, 3, 4, 5, 10, it.reach}))
        yield _Menu("reach", Text.of("Challenges"), reaches)
    takebacks = either(Text.of("Takebacks allowed"), Text.of("No takebacks"))
    yield _Menu("takebacks", Text.of("Takebacks"), takebacks)
    vacations = either(
        Text.of("Vacation stops the clock"), Text.of("Vacation doesn't stop the clock")
    )
    yield _Menu("vacations", Text.of("Vacation"), vacations)
    venues = [
        (Venue.THREAD, Text.of("Each match in its own thread")),
        (Venue.DIRECT, Text.of("Matches in direct messages")),
    ]
    yield _Menu("venue", Text.of("Where matches are played"), venues)


def _knockout(it: Setup) -> _Fields:
    losses = either(Text.of("Out after two losses"), Text.of("Out after one loss"))
    yield _Menu("double", Text.of("Elimination"), losses)
    yield _Menu(
        "best_of",
        Text.of("Games in a meeting"),
        [
            *_numbers(Text.plural("{n} game decides", "Best of {n}"), (1, 2, 3)),
            (_TWO, Text.of("Two games at once, sides exchanged")),
        ],
        get=lambda it: _TWO if it.both_sides else it.best_of,
        put=lambda it, n: replace(it, both_sides=n == _TWO, best_of=2 if n == _TWO else n),
    )
    deciders: list[Any] = [(key, *said) for key, said in setup_words.DECIDERS.items()]
    yield _Menu("decider", Text.of("If level"), deciders)
    if not it.double:  # otherwise the losers' final decides third place
        third = either(Text.of("Match for third place"), Text.of("No match for third place"))
        yield _Menu("third_place", Text.of("Third place"), third)


PICK = "tpick"
"""The action of all menus of the page."""
TABS = ("game", "people", "time", "rules")
"""The parts of the page."""


def panel_of(tab: str, choices: SettingChoices) -> Panel[Setup]:
    """The menus of a part of the page."""
    if tab == "people":
        return Panel(PICK, partial(_people, choices=choices))
    return Panel(PICK, {"time": _time, "rules": _rules}.get(tab, _game))
