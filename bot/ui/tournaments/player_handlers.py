"""``/tournament`` for players, and what they press: join, leave, look, ask why."""

from __future__ import annotations

from discord import app_commands

from bot.domain.ids import TournamentId
from bot.domain.tournaments.crosstable import Kind
from bot.domain.tournaments.registration import check_alive
from bot.domain.tournaments.tiebreaks import TieBreak
from bot.errors import UserError
from bot.services.tournaments.views import EventView
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.permissions import check_player
from bot.ui.interaction.registry import PRIVATE, Click, number_in, on_button, on_menu
from bot.ui.interaction.slash import Group, command, suggests
from bot.ui.pages.components import Page, Reply, Suggestion
from bot.ui.pages.display_names import clean
from bot.ui.tournaments import words
from bot.ui.tournaments.director_handlers import may_direct
from bot.ui.tournaments.director_pages import ask_list
from bot.ui.tournaments.event_lookup import (
    candidates,
    event_of,
    find_event,
    plain_names,
    plainly,
    suggestions,
    visitor_of,
)
from bot.ui.tournaments.home_page import home_page
from bot.ui.tournaments.log_page import log_page
from bot.ui.tournaments.player_pages import (
    ON_PAGE,
    current_round,
    event_rules_page,
    leave_page,
    mine_page,
    pairings_page,
    players_page,
)
from bot.ui.tournaments.table_handlers import show_table
from bot.ui.tournaments.table_pictures import home_picture
from bot.ui.tournaments.web_handlers import web_page
from bot.ui.tournaments.why_no_game_page import why_no_game_page
from bot.ui.tournaments.why_pairing_page import why_bye_page, why_game_page
from bot.ui.tournaments.why_place_page import why_place_page
from bot.ui.tournaments.words import mentions_of
from games.view import Text

TOURNAMENT = Group("tournament", Text.of("Tournaments: create one, join, follow"))
_WHICH = {"tournament": Text.of("Tournament (default: the one here)")}
_Named = app_commands.Range[str, 0, 100]
_MOST_ROUNDS = 300


# ---- commands ----------------------------------------------------------------------------------


@command("show", Text.of("Show a tournament"), group=TOURNAMENT, fields=_WHICH)
async def show_command(context: InteractionContext, tournament: _Named = "") -> Reply:
    """``/tournament show``: what the home message says, to this person alone."""
    return await _show(context, await find_event(context, tournament, "tshow"))


@command(
    "mine",
    Text.of("Show your games and deadlines in a tournament"),
    group=TOURNAMENT,
    fields=_WHICH,
)
async def mine_command(context: InteractionContext, tournament: _Named = "") -> Reply:
    """``/tournament mine``."""
    return _mine(context, await find_event(context, tournament, "tmine", mine=True))


@command("standings", Text.of("Show the table of a tournament"), group=TOURNAMENT, fields=_WHICH)
async def standings_command(context: InteractionContext, tournament: _Named = "") -> Reply:
    """``/tournament standings``."""
    view = await find_event(context, tournament, "tstand")
    return await show_table(context, view, "tstand", 0, as_text=False)


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
    return await _pairings(context, await find_event(context, tournament, "tpairs"), round, 0)


@command("withdraw", Text.of("Leave a tournament"), group=TOURNAMENT, fields=_WHICH)
async def withdraw_command(context: InteractionContext, tournament: _Named = "") -> Reply:
    """``/tournament withdraw``: at once while registration is open, after a question later."""
    return await _leave(context, await find_event(context, tournament, "tleave", mine=True))


@command("rules", Text.of("Show the rules of a tournament"), group=TOURNAMENT, fields=_WHICH)
async def rules_command(context: InteractionContext, tournament: _Named = "") -> Reply:
    """``/tournament rules``."""
    return event_rules_page(await find_event(context, tournament, "trules"), context.language)


@command(
    "page",
    Text.of("Get a web page of a tournament, with every game, to link anywhere"),
    group=TOURNAMENT,
    fields=_WHICH,
)
async def page_command(context: InteractionContext, tournament: _Named = "") -> Reply:
    """``/tournament page``."""
    return await web_page(context, await find_event(context, tournament, "tweb"))


async def tournaments_suggested(
    context: InteractionContext, typed: str, _given: app_commands.Namespace
) -> list[Suggestion]:
    """Tournaments that fit what has been typed."""
    return suggestions(await candidates(context, typed), context.language)


for _name in ("show", "mine", "standings", "pairings", "withdraw", "rules", "page"):
    suggests(_name, "tournament", group=TOURNAMENT.name)(tournaments_suggested)


@on_menu("twhich")
async def chosen_event(context: InteractionContext, click: Click) -> Reply:
    """A choice among several tournaments: go on with what was asked for."""
    chosen = TournamentId(click.value)
    view = await context.services.tournaments.tournament(visitor_of(context), chosen)
    match click.arg:
        case "tmine":
            return _mine(context, view)
        case "tstand":
            return await show_table(context, view, "tstand", 0, as_text=False)
        case "tpairs":
            return await _pairings(context, view, 0, 0)
        case "tleave":
            return await _leave(context, view)
        case "trules":
            return event_rules_page(view, context.language)
        case "tweb":
            return await web_page(context, view)
        case "tinvite":
            again = context.why(UserError("list_gone"))
            return ask_list(await may_direct(context, view), context.language, lead=again)
    return await _show(context, view)


# ---- joining and leaving -----------------------------------------------------------------------


@on_button("tjoin")
async def join(context: InteractionContext, click: Click) -> Reply:
    """**Join**."""
    check_player(
        context.interaction, await context.services.preferences.server(context.place.guild_id)
    )
    view = await context.services.tournaments.join(
        visitor_of(context), TournamentId(click.match), interaction_id=context.id
    )
    return _mine(context, view, lead=context.language.say("You're in."))


@on_button("there", how=PRIVATE)
async def check_in(context: InteractionContext, click: Click) -> Reply:
    """**Check in**."""
    view = await context.services.tournaments.check_in(
        visitor_of(context), TournamentId(click.match), interaction_id=context.id
    )
    return _mine(context, view, lead=context.language.say("You're checked in."))


@on_button("tleave")
async def ask_to_leave(context: InteractionContext, click: Click) -> Reply:
    """**Leave**: at once while registration is open, after a question later."""
    return await _leave(context, await event_of(context, click))


@on_button("tleft")
async def leave_for_good(context: InteractionContext, click: Click) -> Reply:
    """**Withdraw**, confirmed."""
    return await _left(context, TournamentId(click.match))


async def _leave(context: InteractionContext, view: EventView) -> Reply:
    t = view.tournament
    me = t.entrant_of(context.user_id)
    if me is None or not me.is_active:
        raise UserError("you_not_entered")
    check_alive(t)
    if t.rounds or not t.is_open:
        return leave_page(view, me, context.language)
    return await _left(context, t.id)


async def _left(context: InteractionContext, tournament_id: TournamentId) -> Reply:
    view = await context.services.tournaments.leave(
        visitor_of(context), tournament_id, interaction_id=context.id
    )
    title = words.event_title(view.tournament.setup)
    return Reply(context.language.say("You've left {event}.", event=title))


@on_button("tbye")
async def ask_bye(context: InteractionContext, click: Click) -> Reply:
    """**Bye in round n**: half a point once, nothing after that."""
    service = context.services.tournaments
    tournament_id = TournamentId(click.match)
    try:
        view = await service.ask_bye(
            visitor_of(context), tournament_id, click.version, interaction_id=context.id
        )
    except UserError as error:
        if error.code != "byes_used":
            raise
        view = await service.ask_bye(
            visitor_of(context),
            tournament_id,
            click.version,
            Kind.ZERO_BYE,
            interaction_id=context.id,
        )
    said = context.language.say("You won't be paired in round {round}.", round=click.version)
    return _mine(context, view, lead=said)


# ---- looking -----------------------------------------------------------------------------------


async def _show(context: InteractionContext, view: EventView) -> Reply:
    picture = await home_picture(context.services.presenter, view, context.language)
    who = mentions_of(view.tournament, context.language)
    page: Page = home_page(view, context.language, who, picture)
    return Reply(clean(view.tournament.setup.name), page)


def _mine(context: InteractionContext, view: EventView, *, lead: str = "") -> Reply:
    me = view.tournament.entrant_of(context.user_id)
    who = mentions_of(view.tournament, context.language)
    return mine_page(view, me, context.language, who, lead=lead)


async def _pairings(context: InteractionContext, view: EventView, number: int, page: int) -> Reply:
    t = view.tournament
    number = min(number or current_round(t), len(t.rounds))
    games = t.pairings(t.in_round(number))[page * ON_PAGE : (page + 1) * ON_PAGE]
    numbers = [each for first, *_ in games for each in first.game.players]
    if t.rounds:
        numbers += list(t.rounds[number - 1].byes)[:25]
    names = await plain_names(context, t, numbers)
    who = mentions_of(t, context.language)
    return pairings_page(view, number, page, context.language, who=who, plain=plainly(names))


@on_button("tmine")
async def show_mine(context: InteractionContext, click: Click) -> Reply:
    """**My games**."""
    return _mine(context, await event_of(context, click))


@on_button("tpairs")
async def show_pairings(context: InteractionContext, click: Click) -> Reply:
    """**Pairings**, a page of them, or those of a round."""
    number = number_in(click.arg.partition(".")[0] or "0")
    return await _pairings(context, await event_of(context, click), number, click.version)


@on_menu("tround")
async def show_round(context: InteractionContext, click: Click) -> Reply:
    """The menu of rounds."""
    number = number_in(click.value)
    return await _pairings(context, await event_of(context, click), number, 0)


@on_button("tplayers")
async def show_players(context: InteractionContext, click: Click) -> Reply:
    """**Players**."""
    view = await event_of(context, click)
    who = mentions_of(view.tournament, context.language)
    return players_page(view, click.version, context.language, who)


@on_button("trules")
async def show_rules(context: InteractionContext, click: Click) -> Reply:
    """**Rules**."""
    return event_rules_page(await event_of(context, click), context.language)


@on_button("tlog")
async def show_log(context: InteractionContext, click: Click) -> Reply:
    """**Log**."""
    view = await event_of(context, click)
    log = await context.services.tournaments.audit(visitor_of(context), view.tournament.id)
    who = mentions_of(view.tournament, context.language)
    return log_page(view, log, click.version, context.language, who)


# ---- why ---------------------------------------------------------------------------------------


@on_menu("twhygame")
async def why_game(context: InteractionContext, click: Click) -> Reply:
    """**Why this pairing?**: what the rules weighed."""
    view = await event_of(context, click)
    who = mentions_of(view.tournament, context.language)
    service = context.services.tournaments
    kind, about = click.value[:1], click.value[1:]
    if kind == "g":
        return why_game_page(view, service.why_pairing(view, about), context.language, who)
    number, _, entrant = about.partition(".")
    if kind != "b":
        raise UserError("out_of_date")
    round_number, player = number_in(number), number_in(entrant)
    why = service.why_bye(view, round_number, player)
    if why is not None:
        return why_bye_page(view, why, context.language, who)
    return why_no_game_page(view, round_number, player, context.language, who)


@on_menu("twhyplace")
async def why_place(context: InteractionContext, click: Click) -> Reply:
    """**Why is a player in this place?**: all numbers that count."""
    return await _why_place(context, click, click.value, None)


@on_menu("twhyvalue")
async def why_value(context: InteractionContext, click: Click) -> Reply:
    """**Show the sum of** another number."""
    chosen = next((each for each in TieBreak if each.name.lower() == click.value), None)
    return await _why_place(context, click, click.arg, chosen)


async def _why_place(
    context: InteractionContext, click: Click, entrant: str, chosen: TieBreak | None
) -> Reply:
    number = number_in(entrant)
    view = await event_of(context, click)
    found = context.services.tournaments.why_place(view, number)
    who = mentions_of(view.tournament, context.language)
    return why_place_page(view, found, chosen, context.language, who)
