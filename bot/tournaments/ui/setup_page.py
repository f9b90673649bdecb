"""``/tournament create``: choose a kind of event, change it, see its demands on players.

The page needs no memory between two choices: the differences from the preset are compressed into
the custom ids of its own buttons, and each choice is read together with its page. So the page works
after a restart, and two pages side by side do not disturb each other.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, time, timedelta
from typing import Any, Optional
from zoneinfo import ZoneInfo

import discord
from discord import app_commands

from bot.domain.codec import read_field, write
from bot.domain.match import Venue
from bot.errors import UserError
from bot.i18n import Language
from bot.tournaments.domain.acts import Invite
from bot.tournaments.domain.planning import check_game, check_setup
from bot.tournaments.domain.setup import PRESETS, Preset, Setup, from_preset
from bot.tournaments.services.service import TournamentService
from bot.tournaments.ui import setup_words, words
from bot.tournaments.ui.event_lookup import visitor_of
from bot.tournaments.ui.moments import read_moment, write_moment
from bot.tournaments.ui.player_pages import TOURNAMENT
from bot.tournaments.ui.setup_menus import PICK, TABS, fitted, games_for, panel_of
from bot.tournaments.ui.words import event_title
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.permissions import (
    check_arranging,
    check_offering,
    threads_lacking,
    venue_of,
)
from bot.ui.interaction.registry import (
    PRIVATE,
    Click,
    Field,
    forget_typed,
    form,
    on_button,
    on_form,
    on_menu,
    opens_form,
)
from bot.ui.interaction.slash import command, game_choices, said
from bot.ui.offers.draft import page_id
from bot.ui.offers.option_text import find_game
from bot.ui.pages import components as ui
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import Control, Page, Reply, button, rows, text
from bot.ui.pages.display_names import clean, escape
from bot.ui.pages.match_text import sensible_values
from bot.ui.pages.refusal_text import refusal
from bot.ui.settings.panel import SettingChoices, choices_of
from games import catalog
from games.api import GameInfo
from games.view import Text

_TAB_NAMES = {
    "game": Text.of("Game"),
    "people": Text.of("Players"),
    "time": Text.of("Time"),
    "rules": Text.of("Rules"),
}


def presets_page(language: Language, *, name: str = "", game: str = "") -> Reply:
    """The first page: the kinds of events. ``name`` and ``game`` come from the command."""
    title = language.say("Create a tournament")
    hint = language.say("Choose a kind of event. You can change everything afterwards.")
    options = [
        ui.Option(key, language(preset.name), language(preset.summary))
        for key, preset in PRESETS.items()
        if games_for(preset.format) and (not game or game in games_for(preset.format))
    ]
    shown = [f"### {title}"]
    if name:
        shown.append(f"**{escape(name, longest=LONGEST_NAME)}**")
    shown.append(hint)
    choose = ui.menu(Control("tkind", arg=game), language.say("Kind of event"), options)
    return Reply(hint, Page(ui.text("\n".join(shown), number=_NAMED if name else None), choose))


_NAMED = 71
"""The number of the text whose second line is the name from the command."""


def name_shown(components: Iterable[Mapping[str, Any]]) -> str:
    """The name given with the command, from the list of kinds that shows it; '' for none."""
    for component in ui.walk(components):
        if component.get("id") == _NAMED and component.get("content"):
            lines = str(component["content"]).splitlines()
            if len(lines) > 1:
                return clean_title(re.sub(r"\\(.)", r"\1", lines[1][2:-2]))
    return ""


def draft_page(
    draft: TournamentDraft,
    choices: SettingChoices,
    language: Language,
    problem: UserError | None,
    *,
    refused: str = "",
    lacking: Sequence[Text] | None = None,
) -> Reply:
    """The page of a draft: its meaning in words, the menus of one tab, and the next steps.

    ``problem`` keeps it from being announced; ``refused`` is the reason why the last choice was
    refused. ``lacking`` are the missing permissions for threads in the channel; it is empty for a
    kind of channel without threads, None if they can be made.
    """
    said = [summary(draft, language)]
    if refused:
        said.append(f"**{refused}**")
    elif problem is not None:
        why = language(refusal(problem))
        said.append(language.say("Not ready yet: {reason}", reason=why))
    if lacking is not None and draft.chosen.venue is Venue.THREAD:
        said.append(_side_by_side(lacking, language))
    items: list[ui.Part] = [ui.text("\n".join(said))]
    items += panel_of(draft.tab, choices).parts(draft.chosen, language)
    items += _buttons(draft, language, ready=problem is None)
    return Reply(refused or language.say("Create a tournament"), Page(*items))


def _side_by_side(lacking: Sequence[Text], language: Language) -> str:
    """The consequence of a channel without threads, and the fix."""
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


def summary(draft: TournamentDraft, language: Language) -> str:
    """The event and its meaning for players, before the first one enters."""
    setup = draft.setup
    name = words.event_title(setup) if setup.name else language.say("Tournament without a name")
    terms = setup_words.format_name if draft.info is None else setup_words.terms
    entry = [setup_words.size_words(setup, language), *setup_words.entry_lines(setup, language)]
    lines = (
        f"### {name}",
        terms(setup, language),
        f"> {setup_words.promise(setup, language)}",
        _days(setup, language),
        "-# " + " · ".join(entry),
    )
    return "\n".join(lines)


def _days(setup: Setup, language: Language) -> str:
    """When it begins, and until when players can join."""
    begins = timestamp(setup.begins, "f")
    if setup.late_entry:
        return language.say("Play begins {begins}. Players can join later too.", begins=begins)
    if setup.closes == setup.begins:
        return language.say("Registration closes and play begins {begins}.", begins=begins)
    return language.say(
        "Registration closes {closes}, play begins {begins}.",
        closes=timestamp(setup.closes, "f"),
        begins=begins,
    )


def _buttons(draft: TournamentDraft, language: Language, *, ready: bool) -> list[ui.Row]:
    """The tabs and the next steps; all of them carry the draft."""
    parts = write_draft(draft)
    numbers = iter(range(len(TABS) + 3))

    def carrying(
        action: str, label: str, style: int = ui.SECONDARY, *, disabled: bool = False
    ) -> ui.Button:
        number = next(numbers)
        arg = parts[number] if number < len(parts) else ""
        control = Control(f"{CARRIER}{action}", version=number, arg=arg)
        return ui.button(control, label, style, disabled=disabled)  # type: ignore[arg-type]

    tabs = [
        carrying(tab, language(_TAB_NAMES[tab]), ui.PRIMARY if tab == draft.tab else ui.SECONDARY)
        for tab in TABS
    ]
    onward = [
        carrying("name", language.say("Name & dates")),
        carrying("try", language.say("Rehearse"), disabled=not ready),
        carrying("make", language.say("Create"), ui.SUCCESS, disabled=not ready),
    ]
    return [*ui.rows(tabs), *ui.rows(onward)]


CARRIER = "tset"
"""The action of the buttons that carry the draft."""
_CHUNK = 80
_MOST = 7
"""The most buttons that carry a part of it."""
LONGEST_NAME = 80
_LONGEST_TEXT = 4000


@dataclass(frozen=True, slots=True)
class TournamentDraft:
    """An organiser's choices so far, the preset that they began with, and the open tab."""

    preset: str
    chosen: Setup
    tab: str = "game"

    @property
    def info(self) -> GameInfo | None:
        """The game, if one has been chosen and is still installed."""
        kind = catalog.GAMES.get(self.chosen.game)
        return None if kind is None else kind.info

    @property
    def setup(self) -> Setup:
        """The event in its present form."""
        return fitted(self.chosen)

    def choosing(self, **values: Any) -> TournamentDraft:
        """The draft with these values of fields."""
        return replace(self, chosen=replace(self.chosen, **values))

    def check(self, now: datetime) -> None:
        """Raise :exc:`~bot.errors.UserError` for an obstacle to announcing it."""
        if self.info is None:
            raise UserError("game_needed")
        if self.chosen.game not in games_for(self.chosen.format):
            raise UserError("tournament_game", game=self.info.name)
        if not self.chosen.name:
            raise UserError("tournament_name", most=LONGEST_NAME)
        check_game(self.setup)
        check_setup(self.setup, now)

    def problem(self, now: datetime) -> UserError | None:
        """The same as a value."""
        try:
            self.check(now)
        except UserError as error:
            return error
        return None


def first_draft(
    preset: str, now: datetime, zone: str, *, name: str = "", game: str = ""
) -> TournamentDraft:
    """A draft with sensible days for its kind of event, in the organiser's time zone."""
    base = PRESETS[preset]
    begins = _begins(base, now, ZoneInfo(zone))
    offered = games_for(base.format)
    if game not in offered:
        game = offered[0] if len(offered) == 1 else ""
    options = catalog.GAMES[game].info.resolve({}) if game else {}
    setup = from_preset(base, clean_title(name), game, begins - base.open_for, options=options)
    return TournamentDraft(preset, setup)


def _begins(base: Preset, now: datetime, zone: ZoneInfo) -> datetime:
    """The begin of an event that is announced now, with time to enter before."""
    local = (now + base.open_for).astimezone(zone)
    if base.at is None:
        hour = local.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
        return hour.astimezone(UTC)
    begins = datetime.combine(local.date(), base.at, zone)
    while begins < local or base.weekday not in (None, begins.weekday()):
        begins += timedelta(days=1)
    return begins.astimezone(UTC)


def clean_title(name: str) -> str:
    """A name on one line without tricks, '' for none."""
    return clean(name, longest=LONGEST_NAME) if name.strip() else ""


# ---- on the page -------------------------------------------------------------------------------


def write_draft(draft: TournamentDraft) -> tuple[str, ...]:
    """The draft in parts for the custom ids of at most :data:`_MOST` buttons.

    Raises :exc:`~bot.errors.UserError` (``setup_full``) if they have no room for it.
    """
    base = _unchanged(draft.preset)
    changed = {
        each.name: write(value)
        for each in fields(Setup)
        if (value := getattr(draft.chosen, each.name)) != getattr(base, each.name)
    }
    content = [draft.preset, draft.tab, changed]
    written = json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()
    packed = base64.urlsafe_b64encode(zlib.compress(written, 9)).decode().rstrip("=")
    if len(packed) > _CHUNK * _MOST:
        raise UserError("setup_full")
    return tuple(packed[at : at + _CHUNK] for at in range(0, len(packed), _CHUNK))


def read_tournament_draft(components: Iterable[Mapping[str, Any]]) -> TournamentDraft:
    """The draft of a page, from its components in Discord's form.

    Raises :exc:`~bot.errors.UserError` (``out_of_date``).
    """
    parts: dict[int, str] = {}
    for component in ui.walk(components):
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
    preset, tab, changed = json.loads(written)
    values = {key: read_field(Setup, key, value) for key, value in changed.items()}
    draft = TournamentDraft(preset, replace(_unchanged(preset), **values), tab)
    options = {} if draft.info is None else sensible_values(draft.info, draft.chosen.options)
    return draft.choosing(name=clean_title(draft.chosen.name), options=options)


def _unchanged(preset: str) -> Setup:
    return from_preset(PRESETS[preset], "", "", datetime.fromtimestamp(0, UTC))


_DATES = {
    "closes": (Text.of("Registration closes"), time(18)),
    "begins": (Text.of("Play begins"), time(18)),
    "finish": (Text.of("Over by"), time(23, 59)),
}
"""The days with their labels, and the default time of day."""
_LONGEST_DATE = 60
_NAME_FORM = Control("tnamed")


def _kinds() -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=said(each.name), value=key) for key, each in PRESETS.items()]


@command(
    "create",
    Text.of("Create a tournament"),
    group=TOURNAMENT,
    fields={
        "kind": Text.of("Kind of event (empty: choose from a list)"),
        "name": Text.of("What it's called"),
        "game": Text.of("Game"),
    },
    choices={"kind": _kinds, "game": game_choices},
)
async def create_command(
    context: InteractionContext,
    kind: Optional[str] = None,  # noqa: UP045 - read at run time
    name: app_commands.Range[str, 0, LONGEST_NAME] = "",
    game: Optional[str] = None,  # noqa: UP045
) -> Reply:
    """``/tournament create``: the list of kinds, or the page of the named one."""
    await _check_place(context)
    key = find_game(game).info.key if game else ""
    title = clean_title(name)
    if kind is None:
        return presets_page(context.language, name=title, game=key)
    return await _begun(context, kind, title, key)


@on_button("tcreate", how=PRIVATE)
async def create_anew(context: InteractionContext, _click: Click) -> Reply:
    """**Create a tournament**: the list of kinds."""
    await _check_place(context)
    return presets_page(context.language)


async def _check_place(context: InteractionContext) -> None:
    """Refuse a place where no tournament can be held, or a person who may not hold one there."""
    if context.place.guild_id is None:
        raise UserError("server_only")
    chosen = await context.services.preferences.server(context.place.guild_id)
    check_offering(context.interaction, chosen)
    check_arranging(context.interaction, chosen)
    venue_of(context.interaction, threads=context.services.settings.threads)


@on_menu("tkind")
async def choose_kind(context: InteractionContext, click: Click) -> Reply:
    """The list of kinds."""
    return await _begun(context, click.value, name_shown(context.parts()), click.arg)


async def _begun(context: InteractionContext, kind: str, name: str, game: str) -> Reply:
    if kind not in PRESETS:
        raise UserError("out_of_date")
    forget_typed(context, _NAME_FORM)
    now = context.services.clock.now()
    zone = (await context.services.preferences.of(context.user_id)).zone
    return setup_page(context, first_draft(kind, now, zone, name=name, game=game))


def shown_draft(context: InteractionContext) -> TournamentDraft:
    """The draft of the page behind an interaction."""
    return read_tournament_draft(context.parts())


def setup_page(context: InteractionContext, draft: TournamentDraft, *, refused: str = "") -> Reply:
    """The page of a draft, for the requesting person and the channel."""
    problem = draft.problem(context.services.clock.now())
    lacking = threads_lacking(context.interaction)
    choices, language = choices_of(context), context.language
    return draft_page(draft, choices, language, problem, refused=refused, lacking=lacking)


def _changed(
    context: InteractionContext,
    change: Callable[[TournamentDraft], TournamentDraft],
    draft: TournamentDraft | None = None,
) -> Reply:
    """The page after a change, or the same with the reason why it was refused."""
    draft = draft or shown_draft(context)
    try:
        after = change(draft)
        write_draft(after)
    except UserError as error:
        if error.code == "out_of_date":
            raise
        return setup_page(context, draft, refused=context.why(error))
    return setup_page(context, after)


@on_menu(PICK)
async def choose_field(context: InteractionContext, click: Click) -> Reply:
    """A choice in a menu of the page."""

    def change(draft: TournamentDraft) -> TournamentDraft:
        panel = panel_of(draft.tab, choices_of(context))
        return replace(draft, chosen=panel.changed(draft.chosen, click))

    return _changed(context, change)


@on_button(*(f"{CARRIER}{tab}" for tab in TABS))
async def turn_tab(context: InteractionContext, click: Click) -> Reply:
    """Another part of the page."""
    tab = click.action.removeprefix(CARRIER)
    return _changed(context, lambda draft: replace(draft, tab=tab))


@opens_form("tsetname", "tnamed")
def name_form(context: InteractionContext, _control: Control) -> discord.ui.Modal:
    """The form for the name and the three days, filled in with the present ones."""
    language = context.language
    known = context.services.preferences.known(context.user_id)
    zone = "UTC" if known is None else known.zone
    try:
        setup = shown_draft(context).chosen
    except UserError:
        setup = None
    hint = language.say("For example: Sat 10:00, in 3 days ({zone})", zone=zone)[:100]
    name = "" if setup is None else setup.name
    fields = [Field("name", language.say("Name"), LONGEST_NAME, name)]
    for key, (label, _) in _DATES.items():
        shown = "" if setup is None else write_moment(getattr(setup, key), zone)
        fields.append(Field(key, language(label), _LONGEST_DATE, shown, hint=hint))
    return form(_NAME_FORM, language.say("Name and dates"), fields)


@on_form("tnamed")
async def named(context: InteractionContext, click: Click) -> Reply:
    """Typed name and days; days in the organiser's time zone."""
    zone = (await context.services.preferences.of(context.user_id)).zone
    now = context.services.clock.now()

    def change(draft: TournamentDraft) -> TournamentDraft:
        found = {}
        for key, (_, usual) in _DATES.items():
            before, typed = getattr(draft.chosen, key), click.fields.get(key, "")
            if typed == write_moment(before, zone):
                continue  # unchanged days stay as exact as they were
            found[key] = read_moment(typed, now, zone, context.language, usual=usual)
            if found[key] <= now:
                raise UserError("date_past")
        return draft.choosing(**found)

    # A typed name stays even if one of the days beside it is refused.
    named = shown_draft(context).choosing(name=clean_title(click.fields.get("name", "")))
    return _changed(context, change, named)


@on_button("tsetmake")
async def announce(context: InteractionContext, _click: Click) -> Reply:
    """**Create**."""
    await _check_place(context)
    draft = shown_draft(context)
    try:
        draft.check(context.services.clock.now())
        view = await context.services.of(TournamentService).create(
            visitor_of(context), context.place, draft.setup, interaction_id=page_id(context)
        )
    except UserError as error:
        if error.code == "out_of_date":
            raise
        return setup_page(context, draft, refused=context.why(error))
    t = view.tournament
    lines = [
        context.language.say("You created {event}.", event=event_title(t.setup)),
        context.language.say(
            "Its message is on the way. Players join there, and everything else runs by itself."
        ),
    ]
    buttons = [
        button(Control("tshow", t.id), context.language.say("Show")),
        button(Control("tinvite", t.id), context.language(Invite.label)),
        button(Control("tmanage", t.id), context.language.say("Manage")),
    ]
    return Reply(lines[0], Page(text("\n".join(lines)), *rows(buttons)))
