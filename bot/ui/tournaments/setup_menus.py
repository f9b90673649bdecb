"""The menus of the page on which a tournament is set up, tab by tab."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from bot.domain.clock import TimeControl
from bot.domain.clock_text import NONE, read_clock, write_clock
from bot.domain.match import Venue
from bot.domain.tournaments.results import has_score
from bot.domain.tournaments.setup import FormatKey, Setup, Unfinished
from bot.domain.tournaments.ties import Decider
from bot.i18n import Language
from bot.ui.offers.offer_terms import option_lines, preset_lines
from bot.ui.pages.clock_text import clock_line, duration
from bot.ui.pages.components import Control, Line, Row, choice_menu, entity_menu
from bot.ui.tournaments import words
from bot.ui.tournaments.setup_draft import (
    AT_ONCE,
    CHECK_INS,
    CLOCKS,
    RATINGS,
    SIZES,
    TournamentDraft,
    games_for,
    no_shows,
)
from games import catalog


def pick(field: str, prompt: str, lines: Iterable[Line], value: str) -> Row:
    """A menu of a field whose lines are values with their words."""
    return choice_menu(Control("tpick", arg=field), prompt, lines, value)


def _either(field: str, prompt: str, yes: str, no: str, *, value: bool) -> Row:
    return pick(field, prompt, (("1", yes), ("0", no)), "1" if value else "0")


# ---- the tabs ----------------------------------------------------------------------------------


def _game_tab(draft: TournamentDraft, setup: Setup, language: Language) -> list[Row]:
    games = [(key, catalog.GAMES[key].info.name) for key in games_for(setup.format)]
    shown = [pick("game", language.say("Game"), games, draft.game)]
    shown += _options(draft, language)
    bounds = setup.format.facts.rounds
    if bounds is not None:
        counts = range(bounds[0], bounds[1] + 1)
        usual = [("-", language.say("Rounds: as the number of players needs"))]
        lines = [(str(each), language.plural("{n} round", "{n} rounds", n=each)) for each in counts]
        if setup.format is FormatKey.SWISS:
            lines = usual + lines
        rounds = "-" if setup.rounds is None else str(setup.rounds)
        shown.append(pick("rounds", language.say("Rounds"), lines, rounds))
    if setup.format is FormatKey.TABLES:
        shown.append(
            _either(
                "final_table",
                language.say("Final table"),
                language.say("The best four meet at a final table"),
                language.say("No final table"),
                value=setup.final_table,
            )
        )
    shown.append(
        _either(
            "rated",
            language.say("Rated or casual"),
            language.say("Rated"),
            language.say("Casual"),
            value=setup.rated,
        )
    )
    return shown


def _options(draft: TournamentDraft, language: Language) -> list[Row]:
    """The presets of the game, then each option: as many as leave room for the rest of the page."""
    info = draft.info
    if info is None:
        return []
    values = draft.values()
    made = []
    if info.presets:
        presets, same = preset_lines(info, values, language)
        lines = [(f"={key}", *words) for key, *words in presets]
        made.append(pick("option/preset", language.say("Preset"), lines, f"={same}"))
    for option in info.options:
        key, label = option.key, language(option.label)
        offered = option_lines(option, values, language)
        lines = [(f"{key}:{each}", *words) for each, *words in offered]
        made.append(pick(f"option/{key}", label, lines, f"{key}:{values[key]}"))
    return made


def _people_tab(_draft: TournamentDraft, setup: Setup, language: Language) -> list[Row]:
    sizes = sorted({*SIZES, setup.least, setup.most})
    least = [
        (str(each), language.plural("At least {n} player", "At least {n} players", n=each))
        for each in sorted({*sizes[:12], setup.least})
    ]
    largest = [
        (str(each), language.plural("At most {n} player", "At most {n} players", n=each))
        for each in sizes
    ]
    bounds = (setup.rating_from, setup.rating_to)
    ratings = sorted({*RATINGS, *(each for each in bounds if each is not None)})
    seeding = []
    if setup.format.facts.has_rounds:
        seeding = [
            _either(
                "by_hand",
                language.say("Seeding"),
                language.say("A director orders the seeds"),
                language.say("Seeded by rating"),
                value=setup.by_hand,
            )
        ]
    return [
        pick("least", language.say("Minimum"), least, str(setup.least)),
        pick("most", language.say("Maximum"), largest, str(setup.most)),
        entity_menu(
            "role",
            Control("tpick", arg="roles"),
            language.say("Who can join: everyone"),
            setup.roles,
            most=3,
        ),
        pick(
            "rating_from",
            language.say("Lowest rating"),
            [
                ("-", language.say("Lowest rating: any")),
                *((str(each), language.say("Lowest rating: {n}", n=each)) for each in ratings),
            ],
            "-" if setup.rating_from is None else str(setup.rating_from),
        ),
        pick(
            "rating_to",
            language.say("Highest rating"),
            [
                ("-", language.say("Highest rating: any")),
                *((str(each), language.say("Highest rating: {n}", n=each)) for each in ratings),
            ],
            "-" if setup.rating_to is None else str(setup.rating_to),
        ),
        _either(
            "late_entry",
            language.say("Late entry"),
            language.say("Players can still join after the start"),
            language.say("Nobody can join after the start"),
            value=setup.late_entry,
        ),
        *seeding,
        entity_menu(
            "role",
            Control("tpick", arg="director_roles"),
            language.say("Directors: you, server managers"),
            setup.director_roles,
            most=2,
        ),
        entity_menu(
            "role",
            Control("tpick", arg="winner_role"),
            language.say("Role for the winner: none"),
            [] if setup.winner_role is None else [setup.winner_role],
        ),
    ]


def _time_tab(draft: TournamentDraft, setup: Setup, language: Language) -> list[Row]:
    clock = None if setup.clock is None else read_clock(setup.clock)
    offered = dict.fromkeys((*CLOCKS, write_clock(clock), NONE))
    clocks = [(value, clock_line(read_clock(value), language)) for value in offered]
    shown = [pick("clock", language.say("Clock"), clocks, write_clock(clock))]
    if setup.format is FormatKey.ROUND_ROBIN:
        counts = sorted({0, 1, 2, 3, 4, 5, 6, 9, setup.at_once})
        lines = [
            (
                str(each),
                language.plural("{n} game at a time", "{n} games at a time", n=each)
                if each
                else language.say("All games at once"),
            )
            for each in counts
        ]
        shown.append(pick("at_once", language.say("Games at a time"), lines, str(setup.at_once)))
    if setup.format.facts.has_rounds:
        shown.append(_check_in_menu(setup, language))
    if clock is not None:
        shown += _late_menus(setup, clock, language)
    is_scored = draft.info is not None and has_score(setup.game, setup.options)
    if setup.format.facts.has_rounds and is_scored:
        shown.append(
            pick(
                "unfinished",
                language.say("Unfinished games"),
                [
                    (Unfinished.DRAW.value, language.say("Unfinished games are drawn")),
                    (Unfinished.SCORE.value, language.say("The score decides unfinished games")),
                ],
                setup.unfinished.value,
            )
        )
    return shown


def _check_in_menu(setup: Setup, language: Language) -> Row:
    """How long before the start players say that they are there."""
    lines = [
        (
            str(int(each / timedelta(seconds=1))),
            language.say("Check-in for {time} before the start", time=duration(each, language))
            if each
            else language.say("No check-in before the start"),
        )
        for each in CHECK_INS
    ]
    value = str(int(setup.check_in / timedelta(seconds=1)))
    return pick("check_in", language.say("Check-in"), lines, value)


def _late_menus(setup: Setup, clock: TimeControl, language: Language) -> list[Row]:
    """What becomes of players who don't come, or run out of time."""
    first_move = words.first_move_time(setup)
    times = sorted({*(each for each in no_shows(setup) if each <= clock.bank), first_move})
    seconds = [
        (
            str(int(each / timedelta(seconds=1))),
            language.say("First move within {time}", time=duration(each, language)),
        )
        for each in times
    ]
    losses = [
        (
            str(each),
            language.plural("Out after {n} loss on time", "Out after {n} losses on time", n=each)
            if each
            else language.say("Nobody is out for losing on time"),
        )
        for each in (0, 1, 2, 3)
    ]
    value = str(int(first_move / timedelta(seconds=1)))
    return [
        pick("no_show", language.say("No-shows"), seconds, value),
        pick("time_losses", language.say("Losses on time"), losses, str(setup.time_losses)),
    ]


def _rules_tab(_draft: TournamentDraft, setup: Setup, language: Language) -> list[Row]:
    shown = list(_FORMAT_MENUS.get(setup.format, _no_menus)(setup, language))
    shown += [
        _either(
            "takebacks",
            language.say("Takebacks"),
            language.say("Takebacks allowed"),
            language.say("No takebacks"),
            value=setup.takebacks,
        ),
        _either(
            "vacations",
            language.say("Vacation"),
            language.say("Vacation stops the clock"),
            language.say("Vacation doesn't stop the clock"),
            value=setup.vacations,
        ),
        pick(
            "venue",
            language.say("Where matches are played"),
            [
                (Venue.THREAD.value, language.say("Each match in its own thread")),
                (Venue.DIRECT.value, language.say("Matches in direct messages")),
            ],
            setup.venue.value,
        ),
    ]
    return shown


def _no_menus(_setup: Setup, _language: Language) -> list[Row]:
    return []


def _round_robin_menus(setup: Setup, language: Language) -> list[Row]:
    rising = [
        (
            str(each),
            language.plural(
                "League: {n} player rises and falls", "League: {n} players rise and fall", n=each
            )
            if each
            else language.say("One season"),
        )
        for each in range(setup.division // 2 + 1)
    ]
    return [
        _either(
            "double",
            language.say("Rounds"),
            language.say("Everyone twice, sides exchanged"),
            language.say("Everyone once"),
            value=setup.double,
        ),
        _games_menu(setup, language),
        pick("promoted", language.say("League"), rising, str(setup.promoted)),
    ]


def _games_menu(setup: Setup, language: Language) -> Row:
    return _either(
        "both_sides",
        language.say("Games in a pairing"),
        language.say("Two games at once, sides exchanged"),
        language.say("One game in a pairing"),
        value=setup.both_sides,
    )


def _swiss_menus(setup: Setup, language: Language) -> list[Row]:
    return [
        _either(
            "accelerated",
            language.say("Accelerated rounds"),
            language.say("Accelerated rounds, for large fields"),
            language.say("No accelerated rounds"),
            value=setup.accelerated,
        ),
        _games_menu(setup, language),
    ]


def _knockout_menus(setup: Setup, language: Language) -> list[Row]:
    games = [
        (str(each), language.plural("{n} game decides", "Best of {n}", n=each))
        for each in (1, 2, 3)
    ]
    games.append((AT_ONCE, language.say("Two games at once, sides exchanged")))
    chosen = AT_ONCE if setup.both_sides else str(setup.best_of)
    deciders = [(each.value, language(words.DECIDERS[each])) for each in Decider]
    shown = [
        _either(
            "double",
            language.say("Elimination"),
            language.say("Out after two losses"),
            language.say("Out after one loss"),
            value=setup.double,
        ),
        pick("best_of", language.say("Games in a meeting"), games, chosen),
        pick("decider", language.say("If level"), deciders, setup.decider.value),
    ]
    if not setup.double:
        # In double elimination the losers' final decides third place.
        shown.append(
            _either(
                "third_place",
                language.say("Third place"),
                language.say("Match for third place"),
                language.say("No match for third place"),
                value=setup.third_place,
            )
        )
    return shown


def _ladder_menus(setup: Setup, language: Language) -> list[Row]:
    reaches = [
        (
            str(each),
            language.plural(
                "Challenges up to {n} place above", "Challenges up to {n} places above", n=each
            ),
        )
        for each in sorted({1, 2, 3, 4, 5, 10, setup.reach})
    ]
    return [pick("reach", language.say("Challenges"), reaches, str(setup.reach))]


_FORMAT_MENUS = {
    FormatKey.ROUND_ROBIN: _round_robin_menus,
    FormatKey.SWISS: _swiss_menus,
    FormatKey.KNOCKOUT: _knockout_menus,
    FormatKey.LADDER: _ladder_menus,
}
TAB_MENUS = {"game": _game_tab, "people": _people_tab, "time": _time_tab, "rules": _rules_tab}
