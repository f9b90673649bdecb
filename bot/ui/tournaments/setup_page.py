"""``/tournament create``: choose a kind of event, change it, see what it asks of people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from types import MappingProxyType

from bot.domain.clock_text import NONE, read_clock, write_clock
from bot.domain.match import Venue
from bot.domain.tournaments.planning import LARGEST, PRESETS
from bot.domain.tournaments.setup import FormatKey, Setup, Unfinished
from bot.domain.tournaments.ties import Decider
from bot.errors import UserError
from bot.i18n import Language
from bot.i18n.sentences import refusal
from bot.ui.pages.clock_text import clock_words, duration, moment
from bot.ui.pages.components import (
    CHOICES,
    PRIMARY,
    SECONDARY,
    SUCCESS,
    Button,
    Option,
    Part,
    Row,
    button,
    entity_menu,
    menu,
    rows,
    text,
)
from bot.ui.pages.custom_ids import Control
from bot.ui.pages.display_names import escape
from bot.ui.pages.reply import Page, Reply
from bot.ui.tournaments import words
from bot.ui.tournaments.setup_draft import (
    CARRIER,
    CLOCKS,
    NO_SHOWS,
    SIZES,
    Draft,
    games_for,
    write_draft,
)
from games import catalog
from games.api import IntOption
from games.view import Text

PRESET_NAMES: Mapping[str, tuple[Text, Text]] = MappingProxyType(
    {
        "monthly_round_robin": (
            Text.of("Monthly round robin"),
            Text.of("Everyone plays everyone by correspondence, three games at a time"),
        ),
        "weekend_swiss": (
            Text.of("Weekend Swiss"),
            Text.of("Five live rounds against players with as many points"),
        ),
        "cup": (Text.of("Cup"), Text.of("A knockout by correspondence: win and go on")),
        "evening_arena": (
            Text.of("Evening arena"),
            Text.of("Two hours of quick games, one after another"),
        ),
        "club_ladder": (
            Text.of("Club ladder"),
            Text.of("Always open: challenge a player above you"),
        ),
        "pythagoras_night": (
            Text.of("Pythagoras night"),
            Text.of("Tables of four: three rounds and a final table"),
        ),
    }
)
TABS = ("game", "people", "time", "rules")
_TAB_NAMES = {
    "game": Text.of("Game"),
    "people": Text.of("Players"),
    "time": Text.of("Time"),
    "rules": Text.of("Rules"),
}


def presets_page(language: Language, *, name: str = "", game: str = "") -> Reply:
    """The first page: which kind of event. ``name`` and ``game`` came with the command."""
    title = language.say("Create a tournament")
    hint = language.say("Choose a kind of event. You can change everything afterwards.")
    options = [
        Option(key, language(PRESET_NAMES[key][0]), language(PRESET_NAMES[key][1]))
        for key, preset in PRESETS.items()
        if games_for(preset.format) and (not game or game in games_for(preset.format))
    ]
    shown = [f"### {title}"]
    if name:
        shown.append(f"**{escape(name)}**")
    shown.append(hint)
    choose = menu(Control("tkind", arg=game), language.say("Kind of event"), options)
    return Reply(hint, Page(text("\n".join(shown), number=NAMED if name else None), choose))


NAMED = 71
"""The number of the text whose second line is the name that came with the command."""


def draft_page(
    draft: Draft, language: Language, problem: UserError | None, *, refused: str = ""
) -> Reply:
    """The page of a draft: what it means in words, the menus of one tab, and what to do next.

    ``problem`` keeps it from being announced; ``refused`` says what was wrong with the last choice,
    which was not taken.
    """
    setup = draft.setup()
    said = [summary(draft, setup, language)]
    if refused:
        said.append(f"**{refused}**")
    elif problem is not None:
        why = language(refusal(problem))
        said.append(language.say("Not ready yet: {reason}", reason=why))
    items: list[Part] = [text("\n".join(said))]
    items += _TAB_MENUS[draft.tab if draft.tab in TABS else "game"](draft, setup, language)
    items += _buttons(draft, language, ready=problem is None)
    return Reply(refused or language.say("Create a tournament"), Page(*items))


def summary(draft: Draft, setup: Setup, language: Language) -> str:
    """What the event is and what it means for people, before anybody enters."""
    name = words.event_title(setup) if draft.name else language.say("Tournament without a name")
    lines = [f"### {name}"]
    if draft.info is None:
        lines.append(words.format_name(setup, language))
    else:
        lines.append(words.terms(setup, language))
    lines.append("> " + " ".join(words.promise(setup, language)))
    days = language.say(
        "Registration closes {closes}, play begins {begins}.",
        closes=moment(draft.closes, "f"),
        begins=moment(draft.begins, "f"),
    )
    if draft.closes == draft.begins:
        days = language.say(
            "Registration closes and play begins {begins}.", begins=moment(draft.begins, "f")
        )
    lines.append(days)
    entry = [words.size_words(setup, language), *words.entry_lines(setup, language)]
    lines.append("-# " + " · ".join(entry))
    return "\n".join(lines)


def _buttons(draft: Draft, language: Language, *, ready: bool) -> list[Row]:
    """The tabs and what to do next; all of them carry the draft."""
    parts = write_draft(draft)
    numbers = iter(range(len(TABS) + 3))

    def carrying(
        action: str, label: str, style: int = SECONDARY, *, disabled: bool = False
    ) -> Button:
        number = next(numbers)
        arg = parts[number] if number < len(parts) else ""
        control = Control(f"{CARRIER}{action}", version=number, arg=arg)
        return button(control, label, style, disabled=disabled)  # type: ignore[arg-type]

    tabs = [
        carrying(tab, language(_TAB_NAMES[tab]), PRIMARY if tab == draft.tab else SECONDARY)
        for tab in TABS
    ]
    onward = [
        carrying("name", language.say("Name and dates")),
        carrying("try", language.say("Rehearse"), disabled=not ready),
        carrying("make", language.say("Create"), SUCCESS, disabled=not ready),
    ]
    return [*rows(tabs), *rows(onward)]


def _pick(field: str, prompt: str, lines: Iterable[tuple[str, str]], value: str) -> Row:
    """A menu of a field whose lines are values with their words."""
    options = [Option(each, shown, chosen=each == value) for each, shown in list(lines)[:CHOICES]]
    return menu(Control("tpick", arg=field), prompt, options)


def _either(field: str, prompt: str, yes: str, no: str, *, value: bool) -> Row:
    return _pick(field, prompt, (("1", yes), ("0", no)), "1" if value else "0")


# ---- the tabs ----------------------------------------------------------------------------------


def _game_tab(draft: Draft, setup: Setup, language: Language) -> list[Row]:
    games = [(key, catalog.GAMES[key].info.name) for key in games_for(setup.format)]
    shown = [_pick("game", language.say("Game"), games, draft.game)]
    shown += _options(draft, language)
    if setup.format in (FormatKey.SWISS, FormatKey.TABLES):
        counts = range(3, 16) if setup.format is FormatKey.SWISS else range(1, 18)
        usual = [("-", language.say("Rounds: as the number of players needs"))]
        lines = [(str(each), language.plural("{n} round", "{n} rounds", n=each)) for each in counts]
        if setup.format is FormatKey.SWISS:
            lines = usual + lines
        rounds = "-" if setup.rounds is None else str(setup.rounds)
        shown.append(_pick("rounds", language.say("Rounds"), lines, rounds))
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


def _options(draft: Draft, language: Language) -> list[Row]:
    """The presets of the game, then each option: as many as leave room for the rest of the page."""
    info = draft.info
    if info is None:
        return []
    values = draft.values()
    made = []
    if info.presets:
        options = [
            Option(
                f"={preset.key}",
                language(preset.label),
                language(preset.reason),
                chosen=dict(info.resolve(preset.options)) == values,
            )
            for preset in info.presets[:CHOICES]
        ]
        made.append(menu(Control("tpick", arg="option/preset"), language.say("Preset"), options))
    for option in info.options:
        label = language(option.label)
        if isinstance(option, IntOption):
            offered = [(str(value), str(value)) for value in option.offered]
        else:
            offered = [(choice.key, language(choice.label)) for choice in option.choices]
        value = str(values[option.key])
        if value not in {each for each, _ in offered}:
            offered.append((value, value))
        lines = [(f"{option.key}:{each}", f"{label}: {said}") for each, said in offered]
        made.append(_pick(f"option/{option.key}", label, lines, f"{option.key}:{value}"))
    return made


def _people_tab(_draft: Draft, setup: Setup, language: Language) -> list[Row]:
    most = LARGEST[setup.format]
    sizes = sorted({*(each for each in SIZES if each <= most), setup.least, setup.most})
    least = [
        (str(each), language.plural("At least {n} player", "At least {n} players", n=each))
        for each in sorted({*sizes[:12], setup.least})
    ]
    largest = [
        (str(each), language.plural("At most {n} player", "At most {n} players", n=each))
        for each in sizes
    ]
    return [
        _pick("least", language.say("Minimum"), least, str(setup.least)),
        _pick("most", language.say("Maximum"), largest, str(setup.most)),
        entity_menu(
            "role",
            Control("tpick", arg="roles"),
            language.say("Who can join: everyone"),
            setup.roles,
            most=3,
        ),
        _either(
            "late_entry",
            language.say("Late entry"),
            language.say("Players can still join after the start"),
            language.say("Nobody can join after the start"),
            value=setup.late_entry,
        ),
        entity_menu(
            "role",
            Control("tpick", arg="director_roles"),
            language.say("Directors: you and who manages the server"),
            setup.director_roles,
            most=2,
        ),
        entity_menu(
            "role",
            Control("tpick", arg="winner_role"),
            language.say("Role for the winner: none"),
            [] if setup.winner_role is None else [setup.winner_role],
        ),
        _pick(
            "venue",
            language.say("Where matches are played"),
            [
                (Venue.THREAD.value, language.say("Each match in its own thread")),
                (Venue.DIRECT.value, language.say("Matches in direct messages")),
            ],
            setup.venue.value,
        ),
    ]


def _time_tab(_draft: Draft, setup: Setup, language: Language) -> list[Row]:
    clock = None if setup.clock is None else read_clock(setup.clock)
    offered = dict.fromkeys((*CLOCKS, write_clock(clock), NONE))
    clocks = []
    for value in offered:
        said = clock_words(read_clock(value), language)
        if value != NONE:
            said = language.say("Clock: {clock}", clock=said)
        clocks.append((value, said))
    shown = [_pick("clock", language.say("Clock"), clocks, write_clock(clock))]
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
        shown.append(_pick("at_once", language.say("Games at a time"), lines, str(setup.at_once)))
    times = sorted({*NO_SHOWS, setup.no_show})
    seconds = [
        (
            str(int(each / timedelta(seconds=1))),
            language.say("First move within {time}", time=duration(each, language)),
        )
        for each in times
    ]
    shown.append(
        _pick(
            "no_show",
            language.say("No-shows"),
            seconds,
            str(int(setup.no_show / timedelta(seconds=1))),
        )
    )
    losses = [
        (
            str(each),
            language.plural("Out after {n} loss on time", "Out after {n} losses on time", n=each)
            if each
            else language.say("Nobody is out for losing on time"),
        )
        for each in (0, 1, 2, 3)
    ]
    shown.append(
        _pick("time_losses", language.say("Losses on time"), losses, str(setup.time_losses))
    )
    if setup.format not in (FormatKey.ARENA, FormatKey.LADDER):
        shown.append(
            _pick(
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


def _rules_tab(_draft: Draft, setup: Setup, language: Language) -> list[Row]:
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
    ]
    return shown


def _no_menus(_setup: Setup, _language: Language) -> list[Row]:
    return []


def _round_robin_menus(setup: Setup, language: Language) -> list[Row]:
    rising = [
        (
            str(each),
            language.plural(
                "League: {n} player rises and falls",
                "League: {n} players rise and fall",
                n=each,
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
        _pick("promoted", language.say("League"), rising, str(setup.promoted)),
    ]


def _knockout_menus(setup: Setup, language: Language) -> list[Row]:
    games = [
        (str(each), language.plural("{n} game decides", "Best of {n}", n=each))
        for each in (1, 2, 3)
    ]
    deciders = [(each.value, language(words.DECIDERS[each])) for each in Decider]
    return [
        _either(
            "double",
            language.say("Elimination"),
            language.say("Out after two losses"),
            language.say("Out after one loss"),
            value=setup.double,
        ),
        _pick("best_of", language.say("Games in a meeting"), games, str(setup.best_of)),
        _pick("decider", language.say("If level"), deciders, setup.decider.value),
        _either(
            "third_place",
            language.say("Third place"),
            language.say("Match for third place"),
            language.say("No match for third place"),
            value=setup.third_place,
        ),
    ]


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
    return [_pick("reach", language.say("Challenges"), reaches, str(setup.reach))]


_FORMAT_MENUS = {
    FormatKey.ROUND_ROBIN: _round_robin_menus,
    FormatKey.KNOCKOUT: _knockout_menus,
    FormatKey.LADDER: _ladder_menus,
}
_TAB_MENUS = {
    "game": _game_tab,
    "people": _people_tab,
    "time": _time_tab,
    "rules": _rules_tab,
}
