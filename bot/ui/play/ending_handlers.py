"""Ending a match: resigning, aborting, and what to do about an opponent who has gone silent."""

from __future__ import annotations

from dataclasses import replace

from bot.domain import play, stalled
from bot.domain.events import CommandContext
from bot.domain.ids import MatchId
from bot.domain.match import Match, MatchStatus
from bot.domain.requests import RequestKind
from bot.domain.stalled import away_from
from bot.errors import UserError
from bot.i18n.sentences import refusal
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import find_match, match_command
from bot.ui.interaction.registry import PRIVATE, Click, on_button
from bot.ui.interaction.results import tell_done
from bot.ui.pages import board_page, match_text
from bot.ui.pages.components import Control, Page, Reply, button, rows, text
from bot.ui.requests.request_handlers import ask_for
from games.view import Text


@match_command("resign", Text.of("Resign a match"))
async def resign_here(context: InteractionContext, match: Match) -> Reply:
    """``/match resign``: ask whether that is meant."""
    return await _sure(context, match, "resign")


@match_command(
    "abort",
    Text.of("End a match without a result; after its second move all players must agree"),
)
async def abort_here(context: InteractionContext, match: Match) -> Reply:
    """``/match abort``: ask whether that is meant; later than that, ask the other players."""
    late = match.status is MatchStatus.RUNNING and match.ply > 1 and match.set_aside_at is None
    if late and not _is_left(context, match):
        return await ask_for(context, match, RequestKind.ABORT)
    return await _sure(context, match, "abort")


@on_button("resign", "abort")
async def sure(context: InteractionContext, click: Click) -> Reply:
    """A button that ends the match: ask whether that is meant."""
    return await _sure(context, await find_match(context, click.match), click.action)


def _is_left(context: InteractionContext, match: Match) -> bool:
    """Whether an opponent of the player has left the server."""
    player = match.index_of(context.user_id)
    return player is not None and bool(away_from(match, player))


async def _sure(context: InteractionContext, match: Match, action: str) -> Reply:
    # The act itself refuses what cannot be, so that nothing is asked that is refused after a Yes.
    act = CommandContext(context.services.clock.now())
    decide = stalled.abort if action == "abort" else play.resign
    decide(match, act, context.actor)
    language = context.language
    name, yes = match_text.game_name(match), Control(f"{action}yes", match.id, match.version)
    if match.set_aside_at is not None:
        question = language.say(
            "This {game} match is damaged. Leave it? It will have no result.", game=name
        )
        leave = replace(yes, action="resignyes")
        return board_page.confirmation(question, leave, language.say("Leave"), language)
    if action == "abort":
        question = language.say("Abort this {game} match? It will have no result.", game=name)
        return board_page.confirmation(question, yes, language.say("Abort"), language)
    question = language.say("Resign this {game} match? You'll lose it.", game=name)
    return board_page.confirmation(question, yes, language.say("Resign"), language)


@on_button("nevermind")
async def never_mind(context: InteractionContext, _click: Click) -> Reply:
    """**Never mind** under any question whether something is meant."""
    context.services.refusals.read_once(context.interaction)
    return Reply(context.language.say("Nothing has changed."))


@on_button("resignyes")
async def resign(context: InteractionContext, click: Click) -> Reply:
    """Give up, after having been asked."""
    answer = await context.services.matches.resign(
        context.actor,
        MatchId(click.match),
        interaction_id=context.id,
    )
    return tell_done(context, answer)


@on_button("abortyes")
async def abort(context: InteractionContext, click: Click) -> Reply:
    """End a match that has hardly begun, after having been asked."""
    answer = await context.services.matches.abort(
        context.actor,
        MatchId(click.match),
        interaction_id=context.id,
    )
    return tell_done(context, answer)


@match_command("claim", Text.of("Claim a match from an opponent who has gone silent"))
async def claim_here(context: InteractionContext, match: Match) -> Reply:
    """``/match claim``: claim a match, or say what comes before that, with a button to do it."""
    try:
        answer = await context.services.matches.claim(
            context.actor, match.id, interaction_id=context.id
        )
    except UserError as error:
        if error.code != "claim_nudge":
            raise
        said = context.language(refusal(error, match.game))
        nudge = button(Control("nudge", match.id, match.version), context.language.say("Nudge"))
        return Reply(said, Page(text(said), *rows([nudge])))
    return tell_done(context, answer)


@on_button("claim", how=PRIVATE)
async def claim(context: InteractionContext, click: Click) -> Reply:
    """**Claim**, where an opponent has left the server."""
    return await claim_here(context, await find_match(context, click.match))


@on_button("nudge")
async def nudge(context: InteractionContext, click: Click) -> Reply:
    """**Nudge**: remind the player on turn."""
    answer = await context.services.matches.nudge(
        context.actor, MatchId(click.match), interaction_id=context.id
    )
    return tell_done(context, answer)
