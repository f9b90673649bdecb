"""``/server end-match``: a way out of a stuck match, with a result or without one."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.domain.game_state import board_view
from bot.domain.ids import GuildId, is_match_id
from bot.domain.managed import check_endable
from bot.domain.match import Match
from bot.errors import UserError
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import (
    find_match,
    fitting_matches,
    match_here,
    one_named,
)
from bot.ui.interaction.registry import Click, on_form, on_menu, one_field, opens_form
from bot.ui.interaction.slash import LONGEST, command, suggests
from bot.ui.pages import match_list, match_text
from bot.ui.pages.components import CHOICES, Control, Reply, Suggestion
from bot.ui.pages.display_names import clean
from bot.ui.settings.end_match_page import Verdict, end_match_page, read_verdict, with_choice
from bot.ui.settings.log_page import player_names
from bot.ui.settings.server_handlers import arranger
from bot.ui.settings.setting_handlers import SERVER
from games.view import Text

_LOOKED_AT = 4 * CHOICES


@command(
    "end-match",
    Text.of("End or decide a stuck match; its players are told why"),
    group=SERVER,
    fields={"match": Text.of("Which match? Players or game (default: the one here)")},
)
async def end_match(
    context: InteractionContext, match: app_commands.Range[str, 0, LONGEST] = ""
) -> Reply:
    """``/server end-match``: the page on which to say how a match is to end."""
    guild_id = await arranger(context)
    if match.strip():
        found = await _named(context, guild_id, match.strip())
    else:
        here = await match_here(context)
        if here is None:
            raise UserError("match_wanted")
        found = here
    check_endable(found)
    return await _page(context, found, Verdict())


@on_menu("endhow", "endplace", "endcount")
async def choose_ending(context: InteractionContext, click: Click) -> Reply:
    """A choice on the page."""
    match = await _of_server(context, click.match)
    verdict = read_verdict(_components(context), match)
    return await _page(context, match, with_choice(verdict, click, click.value, match))


@opens_form("endwhy", "ended")
def reason_form(context: InteractionContext, control: Control) -> discord.ui.Modal:
    """The form for the reason."""
    language = context.language
    return one_field(
        Control("ended", control.match),
        language.say("End match"),
        language.say("Why?"),
        longest=LONGEST,
        hint=language.say("The players will read it, and it stays in the server's log"),
    )


@on_form("ended")
async def ended(context: InteractionContext, click: Click) -> Reply:
    """The reason: end the match as the page says."""
    match = await _of_server(context, click.match)
    verdict, why = read_verdict(_components(context), match), clean(click.text, longest=LONGEST)
    service, language = context.services.matches, context.language
    try:
        places = verdict.places_in(match)
    except UserError as error:
        return await _page(context, match, verdict, lead=context.why(error))
    if places is None:
        answer = await service.end(context.actor, match.id, why)
    else:
        answer = await service.decide(
            context.actor, match.id, places, why, counts=verdict.counts or not match.rated
        )
    label = await match_list.with_players(answer.match, context.presenter.names, language)
    if places is None:
        return Reply(
            language.say(
                "You ended {match} without a result. Its players read your reason.", match=label
            )
        )
    said = language.say("You decided {match}. Its players read your reason.", match=label)
    said = f"{said} {match_text.winners(answer.match, language)}"
    if len(answer.match.players) > 2:
        said = f"{said} {match_text.places(answer.match, language)}"
    return Reply(said)


def _components(context: InteractionContext) -> list[dict[str, object]]:
    message = context.interaction.message
    if message is None:
        raise UserError("out_of_date")
    return [dict(component.to_dict()) for component in message.components]


async def _page(
    context: InteractionContext, match: Match, verdict: Verdict, *, lead: str = ""
) -> Reply:
    presenter, language = context.presenter, context.language
    try:
        picture = await presenter.picture(match, board_view(match), language)
    except UserError:  # its rules are not known any more
        picture = None
    names = await player_names(context, match)
    may_count = match.index_of(context.user_id) is None
    return end_match_page(match, verdict, names, picture, language, lead=lead, may_count=may_count)


async def _of_server(context: InteractionContext, match_id: str) -> Match:
    guild_id = await arranger(context)
    found = await find_match(context, match_id)
    if found.origin.guild_id != guild_id:
        raise UserError("no_such_match")
    check_endable(found)
    return found


async def _named(context: InteractionContext, guild_id: GuildId, typed: str) -> Match:
    """The running match of this server that a text names, by its letters or its players."""
    if is_match_id(typed.lower()):
        found = await find_match(context, typed.lower())
        if found.origin.guild_id == guild_id:
            return found
    running = await context.services.matches.running_in_server(guild_id, _LOOKED_AT)
    return one_named(running, await fitting_matches(context, running, typed))


@suggests("end-match", "match", group="server")
async def suggest_running(
    context: InteractionContext, typed: str, _given: app_commands.Namespace
) -> list[Suggestion]:
    """The running matches of the server that fit what has been typed."""
    guild_id = await arranger(context)
    running = await context.services.matches.running_in_server(guild_id, _LOOKED_AT)
    return (await fitting_matches(context, running, typed))[:CHOICES]
