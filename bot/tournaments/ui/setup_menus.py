"""An organiser's choices for a tournament: one declaration for each, tab by tab.

The menu, what it sends back, and what that changes follow from it. A value that no menu offers is
out of date.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import Any

from bot.domain.clock_text import NONE, read_clock
from bot.domain.ids import read_id
from bot.domain.match import Venue
from bot.errors import UserError
from bot.i18n import Language
from bot.tournaments.domain.results import has_score
from bot.tournaments.domain.setup import Decider, FormatKey, Setup, Unfinished
from bot.tournaments.ui import words
from bot.ui.pages.clock_text import clock_line, duration
from bot.ui.pages.components import Control, Row, choice_menu, entity_menu
from games import catalog
from games.view import Text

SIZES = (2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 28, 32, 40, 48, 60, 64, 96, 128, 192, 256)
RATINGS = range(800, 2401, 100)
NO_SHOWS = tuple(
    timedelta(minutes=each)
    for each in (1, 3, 5, 10, 15, 30, 60, 360, 1440, 2880, 4320, 10080, 20160)
)
CHECK_INS = tuple(timedelta(minutes=each) for each in (0, 15, 30, 60, 180, 1440))
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

Lines = Iterable[tuple[Any, Text | str]]


@dataclass(frozen=True, slots=True)
class Pick:
    """A field of the set-up that a menu changes; ``when`` says which events have it.

    ``get`` and ``put`` are for one that is more than its field.
    """

    name: str
    prompt: Text
    lines: Callable[[Setup, Language], Lines]
    when: Callable[[Setup], bool] = lambda _: True
    get: Callable[[Setup], Any] | None = None
    put: Callable[[Any], Mapping[str, Any]] | None = None

    def menu(self, setup: Setup, language: Language) -> Row:
        """Its menu."""
        now = getattr(setup, self.name) if self.get is None else self.get(setup)
        lines = [
            (_key(value), said if isinstance(said, str) else language(said))
            for value, said in self.lines(setup, language)
        ]
        control = Control("tpick", arg=self.name)
        return choice_menu(control, language(self.prompt), lines, _key(now))

    def chosen(
        self, setup: Setup, values: tuple[str, ...], language: Language
    ) -> Mapping[str, Any]:
        """The fields that a choice in its menu changes."""
        found = {_key(value): value for value, _ in self.lines(setup, language)}
        if len(values) != 1 or values[0] not in found:
            raise UserError("out_of_date")
        value = found[values[0]]
        return {self.name: value} if self.put is None else self.put(value)


@dataclass(frozen=True, slots=True)
class Roles:
    """Some roles of the server, or one or none of them."""

    name: str
    prompt: Text
    most: int | None = None
    when: Callable[[Setup], bool] = lambda _: True

    def menu(self, setup: Setup, language: Language) -> Row:
        """Its menu."""
        now = getattr(setup, self.name)
        listed = now if isinstance(now, tuple) else () if now is None else (now,)
        control = Control("tpick", arg=self.name)
        return entity_menu("role", control, language(self.prompt), listed, most=self.most or 1)

    def chosen(
        self, _setup: Setup, values: tuple[str, ...], _language: Language
    ) -> Mapping[str, Any]:
        """The field that a choice in its menu changes."""
        found = tuple(read_id(each) for each in values)
        if None in found or len(found) > (self.most or 1):
            raise UserError("out_of_date")
        return {self.name: next(iter(found), None) if self.most is None else found}


def _key(value: Any) -> str:
    """A value as a menu sends it back."""
    if value is None:
        return "-"
    if isinstance(value, timedelta):
        return str(int(value / timedelta(seconds=1)))
    return str(
        value.value
        if isinstance(value, Enum)
        else int(value)
        if value is True or value is False
        else value
    )


def _either(
    name: str, prompt: Text, yes: Text, no: Text, when: Callable[[Setup], bool] = lambda _: True
) -> Pick:
    return Pick(name, prompt, lambda _setup, _language: ((True, yes), (False, no)), when)


def _among(
    name: str,
    prompt: Text,
    words_of: Mapping[Any, Text],
    when: Callable[[Setup], bool] = lambda _: True,
) -> Pick:
    return Pick(name, prompt, lambda _setup, _language: words_of.items(), when)


def _is(*forms: FormatKey) -> Callable[[Setup], bool]:
    return lambda setup: setup.format in forms


def _has_rounds(setup: Setup) -> bool:
    return setup.format.facts.has_rounds


def no_shows(setup: Setup) -> tuple[timedelta, ...]:
    """The times for a first move that the length of an event leaves room for."""
    lasts = setup.finish - setup.begins
    return tuple(each for each in NO_SHOWS if each < lasts) or NO_SHOWS


# ---- lines -------------------------------------------------------------------------------------


def _rounds(setup: Setup, _language: Language) -> Lines:
    low, high = setup.format.facts.rounds or (1, 0)
    usual = [(None, Text.of("Rounds: as the number of players needs"))]
    counts = [(n, Text.plural("{n} round", "{n} rounds", n=n)) for n in range(low, high + 1)]
    return [*(usual if setup.format is FormatKey.SWISS else []), *counts]


def _sizes(setup: Setup) -> list[int]:
    return sorted({*SIZES, setup.least, setup.most})


def _least(setup: Setup, _language: Language) -> Lines:
    for n in sorted({*_sizes(setup)[:12], setup.least}):
        yield n, Text.plural("At least {n} player", "At least {n} players", n=n)


def _most(setup: Setup, _language: Language) -> Lines:
    for n in _sizes(setup):
        yield n, Text.plural("At most {n} player", "At most {n} players", n=n)


def _ratings(any_: Text, some: Text) -> Callable[[Setup, Language], Lines]:
    def lines(setup: Setup, _language: Language) -> Lines:
        bounds = {each for each in (setup.rating_from, setup.rating_to) if each is not None}
        return [(None, any_), *((n, some.filled({"n": n})) for n in sorted({*RATINGS, *bounds}))]

    return lines


def _clocks(setup: Setup, language: Language) -> Lines:
    for value in dict.fromkeys((*CLOCKS, setup.clock or NONE, NONE)):
        yield value, clock_line(read_clock(value), language)


def _at_once(setup: Setup, _language: Language) -> Lines:
    for n in sorted({0, 1, 2, 3, 4, 5, 6, 9, setup.at_once}):
        some = Text.plural("{n} game at a time", "{n} games at a time", n=n)
        yield n, some if n else Text.of("All games at once")


def _check_ins(_setup: Setup, language: Language) -> Lines:
    for each in CHECK_INS:
        said = Text.of("Check-in for {time} before the start", time=duration(each, language))
        yield each, said if each else Text.of("No check-in before the start")


def _first_moves(setup: Setup, language: Language) -> Lines:
    clock = None if setup.clock is None else read_clock(setup.clock)
    bank = NO_SHOWS[-1] if clock is None else clock.bank
    fitting = (each for each in no_shows(setup) if each <= bank)
    for each in sorted({*fitting, words.first_move_time(setup)}):
        yield each, Text.of("First move within {time}", time=duration(each, language))


def _losses(_setup: Setup, _language: Language) -> Lines:
    for n in range(4):
        some = Text.plural("Out after {n} loss on time", "Out after {n} losses on time", n=n)
        yield n, some if n else Text.of("Nobody is out for losing on time")


def _rising(setup: Setup, _language: Language) -> Lines:
    for n in range(setup.division // 2 + 1):
        some = Text.plural(
            "League: {n} player rises and falls", "League: {n} players rise and fall", n=n
        )
        yield n, some if n else Text.of("One season")


def _games(_setup: Setup, _language: Language) -> Lines:
    for n in (1, 2, 3):
        yield n, Text.plural("{n} game decides", "Best of {n}", n=n)
    yield _TWO, Text.of("Two games at once, sides exchanged")


def _reaches(setup: Setup, _language: Language) -> Lines:
    for n in sorted({1, 2, 3, 4, 5, 10, setup.reach}):
        yield (
            n,
            Text.plural(
                "Challenges up to {n} place above", "Challenges up to {n} places above", n=n
            ),
        )


# ---- the tabs ----------------------------------------------------------------------------------

TABS: Mapping[str, tuple[Pick | Roles, ...]] = {
    "game": (
        Pick(
            "rounds",
            Text.of("Rounds"),
            _rounds,
            lambda setup: setup.format.facts.rounds is not None,
        ),
        _either(
            "final_table",
            Text.of("Final table"),
            Text.of("The best four meet at a final table"),
            Text.of("No final table"),
            _is(FormatKey.TABLES),
        ),
        _either("rated", Text.of("Rated or casual"), Text.of("Rated"), Text.of("Casual")),
    ),
    "people": (
        Pick("least", Text.of("Minimum"), _least),
        Pick("most", Text.of("Maximum"), _most),
        Roles("roles", Text.of("Who can join: everyone"), 3),
        Pick(
            "rating_from",
            Text.of("Lowest rating"),
            _ratings(Text.of("Lowest rating: any"), Text.of("Lowest rating: {n}")),
        ),
        Pick(
            "rating_to",
            Text.of("Highest rating"),
            _ratings(Text.of("Highest rating: any"), Text.of("Highest rating: {n}")),
        ),
        _either(
            "late_entry",
            Text.of("Late entry"),
            Text.of("Players can still join after the start"),
            Text.of("Nobody can join after the start"),
        ),
        _either(
            "by_hand",
            Text.of("Seeding"),
            Text.of("A director orders the seeds"),
            Text.of("Seeded by rating"),
            _has_rounds,
        ),
        Roles("director_roles", Text.of("Directors: you, server managers"), 2),
        Roles("winner_role", Text.of("Role for the winner: none")),
    ),
    "time": (
        Pick(
            "clock",
            Text.of("Clock"),
            _clocks,
            get=lambda setup: setup.clock or NONE,
            put=lambda value: {"clock": None if value == NONE else value},
        ),
        Pick("at_once", Text.of("Games at a time"), _at_once, _is(FormatKey.ROUND_ROBIN)),
        Pick("check_in", Text.of("Check-in"), _check_ins, _has_rounds),
        Pick(
            "no_show",
            Text.of("No-shows"),
            _first_moves,
            lambda setup: setup.clock is not None,
            words.first_move_time,
        ),
        Pick(
            "time_losses",
            Text.of("Losses on time"),
            _losses,
            lambda setup: setup.clock is not None,
        ),
        _among(
            "unfinished",
            Text.of("Unfinished games"),
            {
                Unfinished.DRAW: Text.of("Unfinished games are drawn"),
                Unfinished.SCORE: Text.of("The score decides unfinished games"),
            },
            lambda setup: (
                _has_rounds(setup)
                and setup.game in catalog.GAMES
                and has_score(setup.game, setup.options)
            ),
        ),
    ),
    "rules": (
        _either(
            "accelerated",
            Text.of("Accelerated rounds"),
            Text.of("Accelerated rounds, for large fields"),
            Text.of("No accelerated rounds"),
            _is(FormatKey.SWISS),
        ),
        _either(
            "double",
            Text.of("Rounds"),
            Text.of("Everyone twice, sides exchanged"),
            Text.of("Everyone once"),
            _is(FormatKey.ROUND_ROBIN),
        ),
        _either(
            "double",
            Text.of("Elimination"),
            Text.of("Out after two losses"),
            Text.of("Out after one loss"),
            _is(FormatKey.KNOCKOUT),
        ),
        _either(
            "both_sides",
            Text.of("Games in a pairing"),
            Text.of("Two games at once, sides exchanged"),
            Text.of("One game in a pairing"),
            _is(FormatKey.SWISS, FormatKey.ROUND_ROBIN),
        ),
        Pick(
            "best_of",
            Text.of("Games in a meeting"),
            _games,
            _is(FormatKey.KNOCKOUT),
            lambda setup: _TWO if setup.both_sides else setup.best_of,
            lambda value: {
                "both_sides": value == _TWO,
                "best_of": 2 if value == _TWO else value,
            },
        ),
        Pick("promoted", Text.of("League"), _rising, _is(FormatKey.ROUND_ROBIN)),
        _among(
            "decider",
            Text.of("If level"),
            {each: words.DECIDERS[each] for each in Decider},
            _is(FormatKey.KNOCKOUT),
        ),
        # In double elimination the losers' final decides third place.
        _either(
            "third_place",
            Text.of("Third place"),
            Text.of("Match for third place"),
            Text.of("No match for third place"),
            lambda setup: setup.format is FormatKey.KNOCKOUT and not setup.double,
        ),
        Pick("reach", Text.of("Challenges"), _reaches, _is(FormatKey.LADDER)),
        _either(
            "takebacks",
            Text.of("Takebacks"),
            Text.of("Takebacks allowed"),
            Text.of("No takebacks"),
        ),
        _either(
            "vacations",
            Text.of("Vacation"),
            Text.of("Vacation stops the clock"),
            Text.of("Vacation doesn't stop the clock"),
        ),
        _among(
            "venue",
            Text.of("Where matches are played"),
            {
                Venue.THREAD: Text.of("Each match in its own thread"),
                Venue.DIRECT: Text.of("Matches in direct messages"),
            },
        ),
    ),
}
"""All choices but the game and its options, by the part of the page that they are on."""


def changed(
    setup: Setup, name: str, values: tuple[str, ...], language: Language
) -> Mapping[str, Any]:
    """The fields of a set-up that a choice changes; refuses what no menu offers."""
    known = [each for tab in TABS.values() for each in tab if each.name == name]
    if not known:
        raise UserError("out_of_date")
    shown = next((each for each in known if each.when(setup)), known[0])
    return shown.chosen(setup, values, language)
