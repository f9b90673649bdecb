"""``/tournament create``: choices on its page, the form for name and days, rehearse, create."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import time
from typing import Optional

import discord
from discord import app_commands

from bot.domain.ids import InteractionId
from bot.errors import UserError
from bot.tournaments.domain.acts import Invite
from bot.tournaments.domain.planning import PRESETS
from bot.tournaments.services.service import TournamentService
from bot.tournaments.ui.event_lookup import visitor_of
from bot.tournaments.ui.moments import read_moment, write_moment
from bot.tournaments.ui.player_handlers import TOURNAMENT
from bot.tournaments.ui.rehearsal_page import KeptRehearsal, Rehearsals, rehearsal_step, steps_of
from bot.tournaments.ui.setup_menus import PICK, TABS
from bot.tournaments.ui.setup_page import (
    CARRIER,
    LONGEST_NAME,
    PRESET_NAMES,
    TournamentDraft,
    clean_title,
    draft_page,
    first_draft,
    name_shown,
    presets_page,
    read_tournament_draft,
    write_draft,
)
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
    form,
    on_button,
    on_form,
    on_menu,
    opens_form,
)
from bot.ui.interaction.slash import command, game_choices, said
from bot.ui.offers.option_text import find_game
from bot.ui.pages.components import Control, Page, Reply, button, rows, text
from bot.ui.settings.panel import choices_of
from games.view import Text

_REHEARSING = 8
"""Made-up players of a rehearsal, if the event takes as many."""
_DATES = {
    "closes": (Text.of("Registration closes"), time(18)),
    "begins": (Text.of("Play begins"), time(18)),
    "finish": (Text.of("Over by"), time(23, 59)),
}
"""The days with their labels, and the default time of day."""
_LONGEST_DATE = 60


def _kinds() -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=said(PRESET_NAMES[key][0]), value=key) for key in PRESETS]


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
    now = context.services.clock.now()
    zone = (await context.services.preferences.of(context.user_id)).zone
    return _page(context, first_draft(kind, now, zone, name=name, game=game))


def _draft(context: InteractionContext) -> TournamentDraft:
    """The draft of the page behind an interaction."""
    return read_tournament_draft(context.parts())


def _page(context: InteractionContext, draft: TournamentDraft, *, refused: str = "") -> Reply:
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
    draft = draft or _draft(context)
    try:
        after = change(draft)
        write_draft(after)
    except UserError as error:
        if error.code == "out_of_date":
            raise
        return _page(context, draft, refused=context.why(error))
    return _page(context, after)


@on_menu(PICK)
async def choose_field(context: InteractionContext, click: Click) -> Reply:
    """A choice in a menu of the page."""

    def change(draft: TournamentDraft) -> TournamentDraft:
        after = draft.panel.changed(draft.chosen, click, choices_of(context))
        return replace(draft, chosen=after)

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
        setup = _draft(context).chosen
    except UserError:
        setup = None
    hint = language.say("For example: Sat 10:00, in 3 days ({zone})", zone=zone)[:100]
    name = "" if setup is None else setup.name
    fields = [Field("name", language.say("Name"), LONGEST_NAME, name)]
    for key, (label, _) in _DATES.items():
        shown = "" if setup is None else write_moment(getattr(setup, key), zone)
        fields.append(Field(key, language(label), _LONGEST_DATE, shown, hint=hint))
    return form(Control("tnamed"), language.say("Name and dates"), fields)


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
    named = _draft(context).choosing(name=clean_title(click.fields.get("name", "")))
    return _changed(context, change, named)


# ---- its results --------------------------------------------------------------------------


@on_button("tsettry")
async def rehearse(context: InteractionContext, _click: Click) -> Reply:
    """**Rehearse**: the whole event with made-up results, message by message."""
    draft = _draft(context)
    setup = draft.setup
    entrants = max(min(_REHEARSING, setup.most), setup.least)
    try:
        draft.check(context.services.clock.now())
        told = await context.services.of(TournamentService).rehearse(
            visitor_of(context), context.place, setup, entrants=entrants
        )
    except UserError as error:
        return _page(context, draft, refused=context.why(error))
    kept = KeptRehearsal(draft, steps_of(told))
    context.services.memory(Rehearsals)[context.user_id] = kept
    return await rehearsal_step(context, 0)


@on_button("trehearse")
async def turn_rehearsal(context: InteractionContext, click: Click) -> Reply:
    """Another message of the rehearsal."""
    return await rehearsal_step(context, click.version)


@on_button("trehover")
async def end_rehearsal(context: InteractionContext, _click: Click) -> Reply:
    """Back from a rehearsal to the page of the draft."""
    kept = context.services.memory(Rehearsals).get(context.user_id)
    if kept is None:
        raise UserError("rehearsal_over")
    return _page(context, kept.draft)


@on_button("tsetmake")
async def announce(context: InteractionContext, _click: Click) -> Reply:
    """**Create**."""
    await _check_place(context)
    draft = _draft(context)
    try:
        draft.check(context.services.clock.now())
        view = await context.services.of(TournamentService).create(
            visitor_of(context), context.place, draft.setup, interaction_id=_page_id(context)
        )
    except UserError as error:
        if error.code == "out_of_date":
            raise
        return _page(context, draft, refused=context.why(error))
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


def _page_id(context: InteractionContext) -> InteractionId:
    """The interaction of the page: one page announces one event, for any number of clicks."""
    message = context.interaction.message
    opened = None if message is None else message.interaction_metadata
    return context.id if opened is None else InteractionId(opened.id)
