"""``/tournament create``: choose a kind of event, change it, see what it asks of players.

The page remembers nothing between two choices: what differs from the preset is written, compressed,
into the custom ids of its own buttons, and each choice is read together with the page it was made
on. So the page works after a restart, and two pages side by side do not disturb each other.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from bot.domain.game_state import game_of
from bot.domain.match import Venue
from bot.errors import UserError
from bot.i18n import Language
from bot.i18n.sentences import refusal
from bot.tournaments.domain.formats.catalog import FORMATS
from bot.tournaments.domain.planning import PRESETS, Preset, check_setup, from_preset
from bot.tournaments.domain.setup import FormatKey, Setup
from bot.tournaments.domain.writing import read_field, write
from bot.tournaments.ui import words
from bot.tournaments.ui.setup_menus import TABS, changed, no_shows
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
    walk,
)
from bot.ui.pages.display_names import clean, escape
from bot.ui.pages.match_text import sensible_values
from games import catalog
from games.api import GameInfo, OptionValue
from games.view import Text

PRESET_NAMES: Mapping[str, tuple[Text, Text]] = {
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
    """The consequence of a channel without threads, and how to mend it."""
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
    """The event and its meaning for people, before anybody enters."""
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


CARRIER = "tset"
"""The action of the buttons that carry the draft."""
_CHUNK = 80
_MOST = 7
"""Buttons that carry a part of it at most."""
LONGEST_NAME = 80
_LONGEST_TEXT = 4000


@dataclass(frozen=True, slots=True)
class TournamentDraft:
    """An organiser's choices so far.

    ``choices`` are fields of :class:`~bot.tournaments.domain.setup.Setup` that differ from the
    preset. ``tab`` is the part of the page that is open.
    """

    preset: str
    closes: datetime
    begins: datetime
    finish: datetime
    name: str = ""
    game: str = ""
    options: tuple[tuple[str, str], ...] = ()
    choices: Mapping[str, Any] = field(default_factory=dict, hash=False)
    tab: str = "game"

    @property
    def base(self) -> Preset:
        """The preset it began with."""
        return PRESETS[self.preset]

    @property
    def info(self) -> GameInfo | None:
        """The game, if one has been chosen and is still there."""
        kind = catalog.GAMES.get(self.game)
        return None if kind is None else kind.info

    def values(self) -> Mapping[str, OptionValue]:
        """All options of the game with their values, the default where one makes no sense."""
        info = self.info
        if info is None:
            return {}
        return sensible_values(info, dict(self.options))

    def setup(self) -> Setup:
        """The event as it would be announced, its time for a first move within its length."""
        made = from_preset(
            self.base,
            self.name,
            self.game,
            self.begins,
            **{
                "closes": self.closes,
                "begins": self.begins,
                "finish": self.finish,
                "options": self.values(),
                **self.choices,
            },
        )
        return replace(made, no_show=min(made.no_show, no_shows(made)[-1]))

    def check(self, now: datetime) -> None:
        """Raise :exc:`~bot.errors.UserError` for what keeps it from being announced."""
        if self.info is None:
            raise UserError("game_needed")
        if self.game not in games_for(self.base.format):
            raise UserError("tournament_game", game=self.info.name)
        if not self.name:
            raise UserError("tournament_name", most=LONGEST_NAME)
        check_setup(self.setup(), now)

    def problem(self, now: datetime) -> UserError | None:
        """The same as a value."""
        try:
            self.check(now)
        except UserError as error:
            return error
        return None


def games_for(form: FormatKey) -> tuple[str, ...]:
    """The games that seat as many players as a game of the format has."""
    return tuple(key for key in catalog.GAMES if len(game_of(key, {}).seats) == FORMATS[form].seats)


def first_draft(
    preset: str, now: datetime, zone: str, *, name: str = "", game: str = ""
) -> TournamentDraft:
    """A draft with sensible days for its kind of event, in the organiser's time zone."""
    base = PRESETS[preset]
    begins = _begins(preset, now, ZoneInfo(zone))
    finish = begins + base.lasts
    offered = games_for(base.format)
    if game not in offered:
        game = offered[0] if len(offered) == 1 else ""
    return TournamentDraft(preset, begins, begins, finish, clean_title(name), game)


_EVENING = time(19)
_MORNING = time(10)


def _begins(preset: str, now: datetime, zone: ZoneInfo) -> datetime:
    """When an event would begin that is announced now: not before there was time to enter.

    Weekend events on a Saturday morning, evening ones in the evening, others at a full hour.
    """
    base = PRESETS[preset]
    local = (now + base.open_for).astimezone(zone)
    day = local.date()
    if preset == "weekend_swiss":
        day += timedelta(days=(5 - day.weekday()) % 7)
        at = datetime.combine(day, _MORNING, zone)
        return (at if at >= local else at + timedelta(days=7)).astimezone(UTC)
    if preset in ("evening_arena", "table_night"):
        at = datetime.combine(day, _EVENING, zone)
        if at < local:
            at = datetime.combine(day + timedelta(days=1), _EVENING, zone)
        return at.astimezone(UTC)
    hour = local.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    return hour.astimezone(UTC)


def clean_title(name: str) -> str:
    """A name on one line without tricks, '' for none."""
    return clean(name, longest=LONGEST_NAME) if name.strip() else ""


# ---- on the page -------------------------------------------------------------------------------


def write_draft(draft: TournamentDraft) -> tuple[str, ...]:
    """The draft in parts for the custom ids of at most :data:`_MOST` buttons.

    Raises :exc:`~bot.errors.UserError` (``setup_full``) if there is no room for all of it.
    """
    content = [
        draft.preset,
        draft.name,
        draft.game,
        dict(draft.options),
        {key: write(value) for key, value in draft.choices.items()},
        *(int(each.timestamp()) for each in (draft.closes, draft.begins, draft.finish)),
        draft.tab,
    ]
    written = json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()
    packed = base64.urlsafe_b64encode(zlib.compress(written, 9)).decode().rstrip("=")
    if len(packed) > _CHUNK * _MOST:
        raise UserError("setup_full")
    return tuple(packed[at : at + _CHUNK] for at in range(0, len(packed), _CHUNK))


def read_tournament_draft(components: Iterable[Mapping[str, Any]]) -> TournamentDraft:
    """The draft that a page carries, from its components as Discord writes them.

    Raises :exc:`~bot.errors.UserError` (``out_of_date``).
    """
    parts: dict[int, str] = {}
    for component in walk(components):
        control = Control.read(component.get("custom_id"))
        if control is not None and control.action.startswith(CARRIER):
            parts[control.version] = control.arg
    packed = "".join(parts[number] for number in sorted(parts))
    try:
        return _unpacked(packed)
    except (ValueError, TypeError, KeyError, binascii.Error, zlib.error, OverflowError):
        raise UserError("out_of_date") from None


def _unpacked(packed: str) -> TournamentDraft:
    raw = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
    written = zlib.decompressobj().decompress(raw, _LONGEST_TEXT)
    preset, name, game, options, choices, closes, begins, finish, tab = json.loads(written)
    draft = TournamentDraft(
        PRESETS[preset].key,
        closes=datetime.fromtimestamp(closes, UTC),
        begins=datetime.fromtimestamp(begins, UTC),
        finish=datetime.fromtimestamp(finish, UTC),
        name=clean_title(name),
        game=str(game),
        options=tuple((str(key), str(value)) for key, value in options.items()),
        choices={key: read_field(Setup, key, value) for key, value in choices.items()},
        tab=str(tab),
    )
    draft.setup()
    return draft


# ---- choices -----------------------------------------------------------------------------------


def chosen(
    draft: TournamentDraft, about: str, values: tuple[str, ...], language: Language
) -> TournamentDraft:
    """The draft after a choice in a menu; :exc:`~bot.errors.UserError` if it cannot be one."""
    if about not in ("game", "option"):
        new = changed(draft.setup(), about, values, language)
        return replace(draft, choices={**draft.choices, **new})
    if len(values) != 1:
        raise UserError("out_of_date")
    (value,) = values
    if about == "option":
        return _with_option(draft, value)
    if value not in games_for(draft.base.format):
        raise UserError("out_of_date")
    return draft if value == draft.game else replace(draft, game=value, options=())


def _with_option(draft: TournamentDraft, value: str) -> TournamentDraft:
    """A preset of the game (``=key``), or an option with its value (``key:value``)."""
    info = draft.info
    if info is None:
        raise UserError("out_of_date")
    for preset in info.presets:
        if value == f"={preset.key}":
            given = tuple((key, str(setting)) for key, setting in preset.options.items())
            return replace(draft, options=given)
    key, _, setting = value.partition(":")
    if key not in {option.key for option in info.options}:
        raise UserError("out_of_date")
    rest = tuple(pair for pair in draft.options if pair[0] != key)
    return replace(draft, options=(*rest, (key, setting)))
