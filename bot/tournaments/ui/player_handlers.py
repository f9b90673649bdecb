"""``/tournament`` for players, and their buttons: join, leave, look, ask why."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from discord import app_commands

from bot.domain.ids import TournamentId
from bot.errors import UserError
from bot.tournaments.domain import registration
from bot.tournaments.domain import why as reasons
from bot.tournaments.domain.acts import Invite
from bot.tournaments.domain.crosstable import Kind
from bot.tournaments.domain.registration import check_alive
from bot.tournaments.domain.tiebreaks import TieBreak
from bot.tournaments.services.service import TournamentService
from bot.tournaments.ui.director_handlers import may_direct
from bot.tournaments.ui.director_pages import ask
from bot.tournaments.ui.event_lookup import (
    candidates,
    event_of,
    find_event,
    played,
    suggestions,
    told,
    visitor_of,
)
from bot.tournaments.ui.file_handlers import web_page
from bot.tournaments.ui.home_page import home_page
from bot.tournaments.ui.player_pages import (
    ON_PAGE,
    current_round,
    event_rules_page,
    leave_page,
    log_page,
    mine_page,
    pairings_page,
    players_page,
)
from bot.tournaments.ui.table_pages import home_picture, show_table
from bot.tournaments.ui.why_pairing_page import why_bye_page, why_game_page, why_no_game_page
from bot.tournaments.ui.why_place_page import why_place_page
from bot.tournaments.ui.words import EventText, plainly
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.permissions import check_player
from bot.ui.interaction.registry import PRIVATE, Click, number_in, on_button, on_menu
from bot.ui.interaction.slash import Group, command, suggests
from bot.ui.pages.components import Control, Option, Reply
from bot.ui.pages.display_names import clean
from games.view import Text

TOURNAMENT = Group("tournament", Text.of("Tournaments: create one, join, follow"))
_WHICH = {"tournament": Text.of("Tournament (default: the one here)")}
_Named = app_commands.Range[str, 0, 100]
_MOST_ROUNDS = 300


# ---- pages -------------------------------------------------------------------------------------


async def _show(context: InteractionContext, event: EventText) -> Reply:
    picture = await home_picture(context.services.presenter, event)
    return Reply(clean(event.setup.name), home_page(event, picture))


async def _mine(context: InteractionContext, event: EventText, lead: str = "") -> Reply:
    return mine_page(event, event.t.entrant_of(context.user_id), lead=lead)


async def _standings(context: InteractionContext, event: EventText) -> Reply:
    return await show_table(context, event, "tstand", 0, as_text=False)


async def _pairings(
    context: InteractionContext, event: EventText, number: int = 0, page: int = 0
) -> Reply:
    t = event.t
    number = min(number or current_round(t), len(t.rounds))
    games = t.pairings(t.in_round(number))[page * ON_PAGE : (page + 1) * ON_PAGE]
    numbers = [each for first, *_ in games for each in first.game.players]
    if t.rounds:
        numbers += list(t.rounds[number - 1].byes)[:25]
    plain = (await plainly(context.presenter, event, numbers)).who
    return pairings_page(event, number, page, plain=plain)


async def _leave(context: InteractionContext, event: EventText) -> Reply:
    """Immediate while registration is open, after a question later."""
    t = event.t
    me = t.entrant_of(context.user_id)
    if me is None or not me.is_active:
        raise UserError("you_not_entered")
    check_alive(t)
    if t.rounds or not t.is_open:
        return leave_page(event, me)
    return await _left(context, Control("tleft", t.id))


async def _left(context: InteractionContext, control: Control) -> Reply:
    event = await played(context, control, registration.leave)
    return Reply(event.say("You've left {event}."))


async def _rules(_context: InteractionContext, event: EventText) -> Reply:
    return event_rules_page(event)


async def _invite(context: InteractionContext, event: EventText) -> Reply:
    again = context.why(UserError("list_gone"))
    return ask(may_direct(context, event), Invite.key, lead=again)


_PAGES: Mapping[str, Callable[[InteractionContext, EventText], Awaitable[Reply]]] = {
    "tshow": _show,
    "tmine": _mine,
    "tstand": _standings,
    "tpairs": _pairings,
    "tleave": _leave,
    "trules": _rules,
    "tweb": web_page,
    "tinvite": _invite,
}
"""The next step of a command after the choice of a tournament, by its action."""


@on_menu("twhich")
@on_menu("tawait", how=PRIVATE)
async def chosen_event(context: InteractionContext, click: Click) -> Reply:
    """A choice among several tournaments: continue with the request."""
    event = await event_of(context, Control(click.action, click.value))
    return await _PAGES.get(click.arg, _show)(context, event)


@on_button("tmine", "trules", "tleave")
async def page_of(context: InteractionContext, click: Click) -> Reply:
    """**My games**, **Rules**, **Leave**."""
    return await _PAGES[click.action](context, await event_of(context, click))


# ---- commands ----------------------------------------------------------------------------------


async def tournaments_suggested(
    context: InteractionContext, typed: str, _given: app_commands.Namespace
) -> list[Option]:
    """Tournaments that fit the typed text."""
    return suggestions(await candidates(context, typed), context.language)


def _command(
    name: str, description: Text, action: str, *, mine: bool = False, also_over: bool = False
) -> None:
    """``/tournament name``: a page of a tournament, to this person alone."""

    async def run(context: InteractionContext, tournament: _Named = "") -> Reply:
        event = await find_event(context, tournament, action, mine=mine, also_over=also_over)
        return await _PAGES[action](context, event)

    command(name, description, group=TOURNAMENT, fields=_WHICH)(run)
    suggests(name, "tournament", group=TOURNAMENT.name)(tournaments_suggested)


_command("show", Text.of("Show a tournament"), "tshow")
_command("mine", Text.of("Show your games and deadlines in a tournament"), "tmine", mine=True)
_command("standings", Text.of("Show the table of a tournament"), "tstand")
_command("withdraw", Text.of("Leave a tournament"), "tleave", mine=True)
_command("rules", Text.of("Show the rules of a tournament"), "trules")
_command(
    "page",
    Text.of("Get a web page of a tournament, with every game, to link anywhere"),
    "tweb",
    also_over=True,
)


@command(
    "pairings",
    Text.of("Show the pairings of a tournament"),
    group=TOURNAMENT,
    fields={**_WHICH, "round": Text.of("Round (default: the current one)")},
)
async def pairings_command(
    context: InteractionContext,
    tournament: _Named = "",
    round: app_commands.Range[int, 0, _MOST_ROUNDS] = 0,  # noqa: A002 - the name of the field
) -> Reply:
    """``/tournament pairings``."""
    return await _pairings(context, await find_event(context, tournament, "tpairs"), round)


suggests("pairings", "tournament", group=TOURNAMENT.name)(tournaments_suggested)


# ---- joining and leaving -----------------------------------------------------------------------


@on_button("tjoin")
async def join(context: InteractionContext, click: Click) -> Reply:
    """**Join**."""
    check_player(
        context.interaction, await context.services.preferences.server(context.place.guild_id)
    )
    view = await context.services.of(TournamentService).join(
        visitor_of(context), TournamentId(click.match), interaction_id=context.id
    )
    return await _mine(context, told(context, view), context.language.say("You're in."))


@on_button("there", how=PRIVATE)
async def check_in(context: InteractionContext, click: Click) -> Reply:
    """**Check in**."""
    event = await played(context, click, registration.check_in)
    return await _mine(context, event, event.say("You're checked in."))


@on_button("tleft")
async def leave_for_good(context: InteractionContext, click: Click) -> Reply:
    """**Withdraw**, confirmed."""
    return await _left(context, click)


@on_button("tbye")
async def ask_bye(context: InteractionContext, click: Click) -> Reply:
    """**Bye in round n**: half a point once, nothing after that."""
    rule, number = registration.ask_bye, click.version
    try:
        event = await played(context, click, rule, number)
    except UserError as error:
        if error.code != "byes_used":
            raise
        event = await played(context, click, rule, number, Kind.ZERO_BYE)
    said = event.say("You won't be paired in round {round}.", round=number)
    return await _mine(context, event, said)


# ---- looking -----------------------------------------------------------------------------------


@on_button("tpairs")
async def show_pairings(context: InteractionContext, click: Click) -> Reply:
    """**Pairings**, a page of them, or those of a round."""
    number = number_in(click.arg.partition(".")[0] or "0")
    return await _pairings(context, await event_of(context, click), number, click.version)


@on_menu("tround")
async def show_round(context: InteractionContext, click: Click) -> Reply:
    """The menu of rounds."""
    return await _pairings(context, await event_of(context, click), number_in(click.value))


@on_button("tplayers")
async def show_players(context: InteractionContext, click: Click) -> Reply:
    """**Players**."""
    return players_page(await event_of(context, click), click.version)


@on_button("tlog")
async def show_log(context: InteractionContext, click: Click) -> Reply:
    """**Log**."""
    event = await event_of(context, click)
    log = await context.services.of(TournamentService).audit(visitor_of(context), event.t.id)
    return log_page(event, log, click.version)


# ---- why ---------------------------------------------------------------------------------------


@on_menu("twhygame")
async def why_game(context: InteractionContext, click: Click) -> Reply:
    """**Why this pairing?**: the facts that the rules weighed."""
    event = await event_of(context, click)
    kind, about = click.value[:1], click.value[1:]
    if kind == "g":
        return why_game_page(event, reasons.why_game(event.t, about))
    number, _, entrant = about.partition(".")
    if kind != "b":
        raise UserError("out_of_date")
    round_number, player = number_in(number), number_in(entrant)
    why = reasons.why_left_over(event.t, round_number, player)
    if why is not None:
        return why_bye_page(event, why)
    return why_no_game_page(event, round_number, player)


@on_menu("twhyplace")
async def why_place(context: InteractionContext, click: Click) -> Reply:
    """**Why is a player in this place?**: all numbers that count."""
    return _why_place(await event_of(context, click), number_in(click.value), None)


@on_menu("twhyvalue")
async def why_value(context: InteractionContext, click: Click) -> Reply:
    """**Show the sum of** another number."""
    chosen = next((each for each in TieBreak if each.name.lower() == click.value), None)
    return _why_place(await event_of(context, click), number_in(click.arg), chosen)


def _why_place(event: EventText, number: int, chosen: TieBreak | None) -> Reply:
    found = event.view.place_of(number)
    if found is None:
        raise UserError("not_entered")
    return why_place_page(event, found, chosen)
