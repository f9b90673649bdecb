"""**Manage**: choose an act, see what follows from it, confirm it, take it back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import time
from typing import Any

import discord

from bot.domain.ids import TournamentId, UserId, read_id
from bot.domain.tournaments.acts import (
    ACTS,
    LONGEST_REASON,
    DirectorAct,
    Invite,
    Part,
    Seed,
    Undo,
    first_choice,
    made,
)
from bot.domain.tournaments.directing import apart_group
from bot.errors import UserError
from bot.services.tournaments.views import AuditLine, EventView
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import (
    Click,
    number_in,
    on_button,
    on_form,
    on_menu,
    one_field,
    opens_form,
)
from bot.ui.pages.components import Control, Reply
from bot.ui.pages.display_names import clean
from bot.ui.pages.match_text import mention
from bot.ui.tournaments.act_writing import read_act, typed_points, with_day
from bot.ui.tournaments.confirm_page import act_words, confirm_page
from bot.ui.tournaments.director_pages import (
    ask_apart,
    ask_day,
    ask_director,
    ask_entrant,
    ask_game,
    ask_list,
    ask_people,
    ask_person,
    ask_result,
    ask_seed,
    ask_span,
    manage_page,
    possible,
)
from bot.ui.tournaments.event_lookup import event_of, plain_names, plainly, visitor_of
from bot.ui.tournaments.guests import Lists
from bot.ui.tournaments.moments import read_moment
from bot.ui.tournaments.words import mentions_of, players_of, round_name

_DAYS = frozenset(
    {"moment_unclear", "day_too_far", "date_past", "not_later", "dates_order", "tournament_long"}
)
"""Refusals of a day that was typed."""


async def directed(context: InteractionContext, control: Control) -> EventView:
    """The tournament of a control, for its directors alone."""
    return await may_direct(context, await event_of(context, control))


async def may_direct(context: InteractionContext, view: EventView) -> EventView:
    """The same tournament. Raises ``not_director``."""
    if not await context.services.tournaments.may_direct(visitor_of(context), view):
        raise UserError("not_director")
    return view


@on_button("tmanage")
async def manage(context: InteractionContext, click: Click) -> Reply:
    """**Manage**."""
    return await _managed(context, await directed(context, click))


async def _managed(context: InteractionContext, view: EventView, *, lead: str = "") -> Reply:
    log = await context.services.tournaments.audit(visitor_of(context), view.tournament.id)
    who = mentions_of(view.tournament, context.language)
    return manage_page(view, log, context.language, who, lead=lead)


@on_button("tagain")
async def post_again(context: InteractionContext, click: Click) -> Reply:
    """**Post again**: the home message, further down in its channel."""
    view = await directed(context, click)
    await context.services.tournaments.show_home_again(view.tournament.id)
    said = context.language.say("The home message is posted again.")
    return await _managed(context, view, lead=said)


# ---- what the act is about ---------------------------------------------------------------------


@on_menu("tact")
async def choose_act(context: InteractionContext, click: Click) -> Reply:
    """The menu of acts."""
    view = await directed(context, click)
    if click.value not in possible(view):
        raise UserError("out_of_date")
    if not first_choice(ACTS[click.value]):
        return await _tried(context, view, read_act(click.value))
    return await _asked(context, view, click.value, 0)


@on_button("tlist")
async def turn_list(context: InteractionContext, click: Click) -> Reply:
    """Another page of a list to choose from."""
    view = await directed(context, click)
    return await _asked(context, view, click.arg.partition(".")[0], click.version)


async def _asked(context: InteractionContext, view: EventView, purpose: str, page: int) -> Reply:
    """Ask what an act is about."""
    t, language = view.tournament, context.language
    key, _, first = purpose.partition(":")
    act = _chosen(key)
    match first_choice(act):
        case "user_id":
            return ask_person(view, purpose, language)
        case "guests":
            return ask_list(view, language)
        case "entrant" if first:
            number = number_in(first)
            names = await plain_names(context, t, [number, *(each.number for each in t.active)])
            return ask_seed(view, number, page, language, plainly(names))
        case "entrant":
            names = await plain_names(context, t, [each.number for each in t.active])
            return ask_entrant(view, purpose, page, language, plainly(names))
        case "game" | "round":
            numbers = [
                number
                for played in t.games.values()
                if played.is_over == act.is_late
                for number in played.game.players
            ]
            names = await plain_names(context, t, numbers)
            return ask_game(view, purpose, page, language, plainly(names))
        case "entrants" if len(fields(act)) > 1:
            return ask_people(view, purpose, language)
        case "entrants":
            names = await plain_names(context, t, [x for each in t.apart for x in each.entrants])
            return ask_apart(view, purpose, page, language, plainly(names))
        case "director":
            book = context.presenter.names
            people = {
                each: clean(await book.name(each, language), longest=40) for each in t.directors
            }
            return ask_director(view, language, people)
        case "until":
            return _asked_day(context, view, purpose)
    raise UserError("out_of_date")


def _chosen(key: str, *first: str) -> type[DirectorAct]:
    """The act of a control, for which one of these fields is chosen first, or any."""
    act = ACTS.get(key)
    if act is None or (first and first_choice(act) not in first):
        raise UserError("out_of_date")
    return act


@on_menu("tentrant")
async def choose_entrant(context: InteractionContext, click: Click) -> Reply:
    """A player of the event: to withdraw, to exclude, to replace."""
    view = await directed(context, click)
    number = number_in(click.value)
    if view.tournament.entrant(number) is None:
        raise UserError("not_entered")
    about = f"{click.arg}:{number}"
    if _chosen(click.arg, "entrant") is Seed:
        return await _asked(context, view, about, 0)
    if len(fields(_chosen(click.arg, "entrant"))) > 1:
        return ask_person(view, about, context.language)
    return await _tried(context, view, read_act(about))


@on_menu("tperson")
async def choose_person(context: InteractionContext, click: Click) -> Reply:
    """A person of the server: to add, to appoint, to play in a place."""
    view = await directed(context, click)
    if not click.values:
        raise UserError("out_of_date")
    try:
        _check_person(context.interaction)
    except UserError as error:
        return await _managed(context, view, lead=context.why(error))
    return await _tried(context, view, read_act(f"{click.arg}:{click.value}"))


@on_menu("tpeople")
async def choose_people(context: InteractionContext, click: Click) -> Reply:
    """Players of the event, found among the people of the server: to keep apart."""
    view = await directed(context, click)
    _chosen(click.arg, "entrants")
    try:
        group = apart_group(view.tournament, _entrants(context, view, click.values or ()))
    except UserError as error:
        if error.code not in ("apart_players", "not_all_entered"):
            raise
        # The menu stays, so that others can be chosen.
        return ask_people(view, click.arg, context.language, lead=context.why(error))
    who = mentions_of(view.tournament, context.language)
    return ask_span(view, Part(group, 0), context.language, who)


def _entrants(context: InteractionContext, view: EventView, chosen: Sequence[str]) -> list[int]:
    """The numbers of people who were chosen; refuses those who have not entered."""
    found, strangers = [], []
    for each in chosen:
        person = read_id(each)
        if person is None:
            raise UserError("out_of_date")
        entrant = view.tournament.entrant_of(UserId(person))
        if entrant is None:
            strangers.append(mention(UserId(person), context.language))
        else:
            found.append(entrant.number)
    if strangers:
        raise UserError("not_all_entered", players=context.language.listed(strangers))
    return found


@on_menu("tspan")
async def choose_span(context: InteractionContext, click: Click) -> Reply:
    """Until which round players are kept apart."""
    view = await directed(context, click)
    return await _tried(context, view, read_act(f"{click.arg}:{click.value}"))


@on_menu("tchosen")
async def choose_named(context: InteractionContext, click: Click) -> Reply:
    """An act that a line of a menu stands for."""
    return await _tried(context, await directed(context, click), read_act(click.value))


@on_menu("tgame")
async def choose_game(context: InteractionContext, click: Click) -> Reply:
    """A game: to decide, to correct, or to give more time."""
    view = await directed(context, click)
    number, _, game = click.value.partition(":")
    if first_choice(_chosen(click.arg, "game", "round")) == "round":
        return _asked_day(context, view, f"{click.arg}:{number_in(number)}:{game}")
    return await _asked_result(context, view, click.arg, game)


async def _asked_result(
    context: InteractionContext, view: EventView, act: str, game: str, *, lead: str = ""
) -> Reply:
    t, language = view.tournament, context.language
    _chosen(act, "game")
    if game not in t.games:
        raise UserError("no_such_game")
    names = plainly(await plain_names(context, t, t.games[game].game.players))
    who = mentions_of(t, language)
    return ask_result(view, act, game, language, who=who, plain=names, lead=lead)


def _asked_day(
    context: InteractionContext, view: EventView, purpose: str, *, lead: str = ""
) -> Reply:
    """Ask for a day: to reopen registration, or how long a round (or a game of it) lasts."""
    t, language = view.tournament, context.language
    key, number, game = [*purpose.split(":"), "", ""][:3]
    said = language(_chosen(key).label)
    if number:
        what = round_name(t.setup, number_in(number), language)
        if game:
            if game not in t.games:
                raise UserError("no_such_game")
            what = players_of(t.games[game].game, mentions_of(t, language))
        said = language.say("More time: {what}", what=what)
    return ask_day(view, purpose, said, language, lead=lead)


@opens_form("tpoints", "tpointed")
def points_form(context: InteractionContext, control: Control) -> discord.ui.Modal:
    """The form to type the points of a table of four into."""
    language = context.language
    return one_field(
        Control("tpointed", control.match, 0, control.arg),
        language.say("Type points"),
        language.say("In the order of seats, like 4 2 1 0"),
        longest=60,
    )


@on_form("tpointed")
async def typed_result(context: InteractionContext, click: Click) -> Reply:
    """The points of a table as they were typed."""
    view = await directed(context, click)
    act, _, game = click.arg.partition(":")
    _chosen(act, "game")
    try:
        return await _planned(context, view, made(act, game, typed_points(click.text)))
    except UserError as error:
        if error.code != "points_wrong":
            raise
        lead = context.why(error)
        return await _asked_result(context, view, act, game, lead=lead)


@opens_form("tday", "tdayed")
def day_form(context: InteractionContext, control: Control) -> discord.ui.Modal:
    """The form to name a day."""
    language = context.language
    return one_field(
        Control("tdayed", control.match, 0, control.arg),
        language.say("Choose a day"),
        language.say("For example 14 March, Sat 18:00, in 3 days"),
        longest=60,
    )


@on_form("tdayed")
async def typed_day(context: InteractionContext, click: Click) -> Reply:
    """A day as a director types it, in their time zone."""
    view = await directed(context, click)
    zone = (await context.services.preferences.of(context.user_id)).zone
    now = context.services.clock.now()
    try:
        until = read_moment(click.text, now, zone, context.language, usual=time(23, 59))
        return await _planned(context, view, with_day(click.arg, until))
    except UserError as error:
        if error.code not in _DAYS:
            raise
        # The page stays, so that another day can be typed.
        lead = context.why(error)
        return _asked_day(context, view, click.arg, lead=lead)


# ---- confirming --------------------------------------------------------------------------------


@on_button("tplan")
async def plan_act(context: InteractionContext, click: Click) -> Reply:
    """An act that a button stands for: show what follows from it."""
    return await _tried(context, await directed(context, click), read_act(click.arg))


async def _tried(context: InteractionContext, view: EventView, act: DirectorAct) -> Reply:
    """What an act would do or, if it can't be, why not, and what else the director can do."""
    try:
        return await _planned(context, view, act)
    except UserError as error:
        return await _managed(context, view, lead=context.why(error))


async def _planned(context: InteractionContext, view: EventView, act: DirectorAct) -> Reply:
    """Show what an act would do, before it is confirmed."""
    t = view.tournament
    _check_game(view, act)
    preview = await context.services.tournaments.preview(visitor_of(context), t.id, act)
    if not preview.facts:
        return await so_already(context, view, act)
    who = mentions_of(t, context.language)
    undone = await _undone(context, view, act)
    return confirm_page(view, act, preview, context.language, who, undone=undone)


async def so_already(
    context: InteractionContext, view: EventView, act: DirectorAct, *, notes: str = ""
) -> Reply:
    """All is as an act would make it: nothing is done, and the director reads that."""
    title = act_words(view, act, context.language, mentions_of(view.tournament, context.language))
    said = context.language.say("{act}: it is so already, so nothing was changed.", act=title)
    return await _managed(context, view, lead="\n".join(x for x in (said, notes) if x))


def _check_game(view: EventView, act: DirectorAct) -> None:
    """Refuse an act about a game that the event does not have."""
    game = getattr(act, "game", "")
    if game and game not in view.tournament.games:
        raise UserError("no_such_game")


async def _undone(
    context: InteractionContext, view: EventView, act: DirectorAct
) -> AuditLine | None:
    """The line of the log that an act takes back."""
    if not isinstance(act, Undo):
        return None
    log = await context.services.tournaments.audit(visitor_of(context), view.tournament.id)
    return next((each for each in log if each.seq == act.seq), None)


@opens_form("twhy", "tdone")
def reason_form(context: InteractionContext, control: Control) -> discord.ui.Modal:
    """The form for the reason of an act."""
    language = context.language
    return one_field(
        Control("tdone", control.match, control.version, control.arg),
        language.say("Give a reason"),
        language.say("Reason"),
        longest=LONGEST_REASON,
        hint=language.say("Players read it in the log and in their message."),
    )


@on_form("tdone")
async def confirm_with_reason(context: InteractionContext, click: Click) -> Reply:
    """The act, confirmed, with its reason."""
    return await _done(context, click, reason=click.text.strip())


@on_button("tdo")
async def confirm(context: InteractionContext, click: Click) -> Reply:
    """The act, confirmed."""
    return await _done(context, click)


def _act_of(context: InteractionContext, click: Click) -> DirectorAct:
    """The act that is confirmed. A list has no room in a control, so it is remembered."""
    if click.arg == Invite.key:
        return context.services.memory(Lists).of(context.user_id, click.match)
    return read_act(click.arg)


async def _done(context: InteractionContext, click: Click, *, reason: str = "") -> Reply:
    act = _act_of(context, click)
    service, visitor = context.services.tournaments, visitor_of(context)
    tournament_id = TournamentId(click.match)
    # What is done is named as it was asked: a player who was replaced has no place afterwards.
    asked = await directed(context, click)
    _check_game(asked, act)
    who = mentions_of(asked.tournament, context.language)
    title = act_words(asked, act, context.language, who)
    try:
        view = await service.direct(
            visitor,
            tournament_id,
            act,
            interaction_id=context.id,
            reason=reason,
            seen=click.version,
        )
    except UserError as error:
        if error.code != "tournament_changed":
            raise
        # What was confirmed is not what would happen now: show that, and ask again.
        view = await directed(context, click)
        preview = await service.preview(visitor, tournament_id, act)
        who = mentions_of(view.tournament, context.language)
        return confirm_page(
            view,
            act,
            preview,
            context.language,
            who,
            lead=context.why(error),
            undone=await _undone(context, view, act),
        )
    if view.tournament.version == asked.tournament.version:
        return await so_already(context, asked, act)
    said = context.language(act.done.filled({"act": title}))
    return await _managed(context, view, lead=said)


def _check_person(interaction: discord.Interaction[Any]) -> None:
    """Refuse bots, and people who are not in the server."""
    data: Mapping[str, Any] = interaction.data or {}
    resolved = data.get("resolved") or {}
    members = resolved.get("members") or {}
    for key, user in (resolved.get("users") or {}).items():
        if user.get("bot"):
            raise UserError("invite_bot")
        if interaction.guild_id is not None and key not in members:
            raise UserError("not_in_server", name=clean(str(user.get("username"))))
