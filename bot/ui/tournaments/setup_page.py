"""``/tournament create``: choose a kind of event, change it, see what it asks of people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from bot.domain.match import Venue
from bot.domain.tournaments.planning import PRESETS
from bot.domain.tournaments.setup import Setup
from bot.errors import UserError
from bot.i18n import Language
from bot.i18n.sentences import refusal
from bot.ui.offers.offer_terms import option_lines, preset_lines
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import (
    PRIMARY,
    SECONDARY,
    SUCCESS,
    Button,
    Control,
    Line,
    Option,
    Page,
    Part,
    Reply,
    Row,
    button,
    choice_menu,
    menu,
    rows,
    text,
)
from bot.ui.pages.display_names import escape
from bot.ui.tournaments import words
from bot.ui.tournaments.setup_draft import CARRIER, TournamentDraft, games_for, write_draft
from bot.ui.tournaments.setup_menus import TABS
from games import catalog
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
        "table_night": (
            Text.of("Table night"),
            Text.of("Tables of four: three rounds and a final table"),
        ),
    }
)
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
    draft: TournamentDraft,
    language: Language,
    problem: UserError | None,
    *,
    refused: str = "",
    lacking: Sequence[Text] | None = None,
) -> Reply:
    """The page of a draft: what it means in words, the menus of one tab, and what to do next.

    ``problem`` keeps it from being announced; ``refused`` says what was wrong with the last choice,
    which was not taken. ``lacking`` are the permissions without which no threads can be made in
    the channel; none of them would help in a kind of channel without threads, None if they can be.
    """
    setup = draft.setup()
    said = [summary(draft, setup, language)]
    if refused:
        said.append(f"**{refused}**")
    elif problem is not None:
        why = language(refusal(problem))
        said.append(language.say("Not ready yet: {reason}", reason=why))
    if lacking is not None and setup.venue is Venue.THREAD:
        said.append(_side_by_side(lacking, language))
    items: list[Part] = [text("\n".join(said))]
    if draft.tab == "game" or draft.tab not in TABS:
        items += _game_menus(draft, language)
    picks = TABS.get(draft.tab, TABS["game"])
    items += [each.menu(setup, language) for each in picks if each.when(setup)]
    items += _buttons(draft, language, ready=problem is None)
    return Reply(refused or language.say("Create a tournament"), Page(*items))


def _game_menus(draft: TournamentDraft, language: Language) -> list[Row]:
    """The game, its presets, and each of its options."""

    def pick(field: str, prompt: str, lines: Iterable[Line], value: str) -> Row:
        return choice_menu(Control("tpick", arg=field), prompt, lines, value)

    games = [(key, catalog.GAMES[key].info.name) for key in games_for(draft.base.format)]
    made = [pick("game", language.say("Game"), games, draft.game)]
    info, values = draft.info, draft.values()
    if info is None:
        return made
    if info.presets:
        presets, same = preset_lines(info, values, language)
        lines = [(f"={key}", *words) for key, *words in presets]
        made.append(pick("option/preset", language.say("Preset"), lines, f"={same}"))
    for option in info.options:
        key, label = option.key, language(option.label)
        offered = option_lines(option, values, language)
        options = [(f"{key}:{each}", *words) for each, *words in offered]
        made.append(pick(f"option/{key}", label, options, f"{key}:{values[key]}"))
    return made


def _side_by_side(lacking: Sequence[Text], language: Language) -> str:
    """What comes of a channel without threads, and how to mend it."""
    said = language.say(
        "⚠️ Threads can't be made in this channel, so all boards of a round come into it side by"
        " side."
    )
    if lacking:
        mend = language.say(
            "Allow Parlour {permissions} here, or choose direct messages under **Rules**.",
            permissions=language.listed(f"**{language(each)}**" for each in lacking),
        )
    else:
        mend = language.say("Hold it in a text channel, or choose direct messages under **Rules**.")
    return f"{said} {mend}"


def summary(draft: TournamentDraft, setup: Setup, language: Language) -> str:
    """What the event is and what it means for people, before anybody enters."""
    name = words.event_title(setup) if draft.name else language.say("Tournament without a name")
    lines = [f"### {name}"]
    if draft.info is None:
        lines.append(words.format_name(setup, language))
    else:
        lines.append(words.terms(setup, language))
    lines.append("> " + " ".join(words.promise(setup, language)))
    lines.append(_days(draft, setup, language))
    entry = [words.size_words(setup, language), *words.entry_lines(setup, language)]
    lines.append("-# " + " · ".join(entry))
    return "\n".join(lines)


def _days(draft: TournamentDraft, setup: Setup, language: Language) -> str:
    """When it begins, and until when people can join."""
    begins = timestamp(draft.begins, "f")
    if setup.late_entry:
        return language.say("Play begins {begins}. Players can join later too.", begins=begins)
    if draft.closes == draft.begins:
        return language.say("Registration closes and play begins {begins}.", begins=begins)
    return language.say(
        "Registration closes {closes}, play begins {begins}.",
        closes=timestamp(draft.closes, "f"),
        begins=begins,
    )


def _buttons(draft: TournamentDraft, language: Language, *, ready: bool) -> list[Row]:
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
        carrying("name", language.say("Name & dates")),
        carrying("try", language.say("Rehearse"), disabled=not ready),
        carrying("make", language.say("Create"), SUCCESS, disabled=not ready),
    ]
    return [*rows(tabs), *rows(onward)]
