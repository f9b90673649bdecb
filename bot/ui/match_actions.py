"""What players do about a match beside moving: ask each other, end it, claim it, play it again."""

from __future__ import annotations

from dataclasses import replace

from bot.domain import play, stalled
from bot.domain.clock_text import write_clock
from bot.domain.events import CommandContext
from bot.domain.ids import MatchId, UserId
from bot.domain.match import Match, MatchStatus
from bot.domain.requests import Request, RequestKind, find
from bot.domain.stalled import away_from
from bot.errors import UserError
from bot.i18n.sentences import refusal
from bot.services.match_changes import Answer
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import Sought, find_match, match_command
from bot.ui.interaction.permissions import check_player
from bot.ui.interaction.registry import PRIVATE, Click, on_button
from bot.ui.interaction.results import tell_done
from bot.ui.offers.draft import OfferDraft
from bot.ui.offers.offer_handlers import casually, venue_for
from bot.ui.pages import board_page, match_text
from bot.ui.pages.components import Control, Page, Reply, button, rows, text
from games.view import Text

_OLD_ANSWERS = {"drawyes": True, "drawno": False}
"""Buttons of draw offers that were posted when there was nothing else to ask for."""


@on_button("draw", "takeback", "pause")
async def ask(context: InteractionContext, click: Click) -> Reply:
    """**Offer draw**, **Take back**, **Pause**."""
    match = await find_match(context, click.match)
    return await ask_for(context, match, RequestKind(click.action))


@match_command("draw", Text.of("Offer a draw, or accept one"))
async def draw_here(context: InteractionContext, match: Match) -> Reply:
    """``/match draw``: offer a draw, or accept the one on offer."""
    return await ask_for(context, match, RequestKind.DRAW)


@match_command("takeback", Text.of("Ask to take back your last move"))
async def take_back_here(context: InteractionContext, match: Match) -> Reply:
    """``/match takeback``: ask to take back one's own last move."""
    return await ask_for(context, match, RequestKind.TAKEBACK)


@match_command("pause", Text.of("Ask for a pause, or accept one"))
async def pause_here(context: InteractionContext, match: Match) -> Reply:
    """``/match pause``: ask to stop the clock, or agree to it."""
    return await ask_for(context, match, RequestKind.PAUSE)


async def ask_for(context: InteractionContext, match: Match, wish: RequestKind) -> Reply:
    """Ask the other players of a match for something, or accept what they ask for."""
    try:
        answer = await context.services.requests.ask(
            context.actor, match.id, wish, interaction_id=context.id
        )
    except UserError as error:
        match = await find_match(context, match.id)
        return _with_a_way_on(context, match, wish, error)
    return _asked(context, answer, wish)


def _asked(context: InteractionContext, answer: Answer, wish: RequestKind) -> Reply:
    """What has been done; while others are still to answer, with a way to withdraw it."""
    reply = tell_done(context, answer)
    request = find(answer.match.requests, wish)
    mine = answer.match.index_of(context.user_id)
    if request is None or request.asker != mine:
        return reply
    return _to_settle(context, reply, answer.match, request)


def _to_settle(context: InteractionContext, reply: Reply, match: Match, request: Request) -> Reply:
    """What is said, with what settles the request; it goes once that is answered."""
    context.services.refusals.opened(context.interaction, match, request.version)
    is_own = request.asker == match.index_of(context.user_id)
    withdrawal = board_page.withdrawal(match, request, context.language)
    buttons = [withdrawal] if is_own else board_page.answers(match, request, context.language)
    return replace(reply, page=Page(text(reply.plain), *rows(buttons)))


@on_button("agree", "refuse", "drawyes", "drawno", how=PRIVATE)
async def answer(context: InteractionContext, click: Click) -> Reply:
    """**Agree** or **Decline**."""
    old = _OLD_ANSWERS.get(click.action)
    answer = await context.services.requests.answer(
        context.actor,
        MatchId(click.match),
        RequestKind.DRAW if old is not None else _wish(click),
        accept=click.action == "agree" if old is None else old,
        version=click.version if old is None else None,
        interaction_id=context.id,
    )
    return tell_done(context, answer)


@on_button("retract")
async def retract(context: InteractionContext, click: Click) -> Reply:
    """**Withdraw** a request."""
    answer = await context.services.requests.withdraw(
        context.actor,
        MatchId(click.match),
        _wish(click),
        version=click.version,
        interaction_id=context.id,
    )
    return tell_done(context, answer)


@on_button("resume")
async def resume(context: InteractionContext, click: Click) -> Reply:
    """**Go on** under the board of a match that is paused."""
    return await _resume(context, MatchId(click.match))


@match_command("resume", Text.of("End the pause of a match"))
async def resume_here(context: InteractionContext, match: Match) -> Reply:
    """``/match resume``: let the clock run on."""
    return await _resume(context, match.id)


async def _resume(context: InteractionContext, match_id: MatchId) -> Reply:
    answer = await context.services.requests.resume(
        context.actor, match_id, interaction_id=context.id
    )
    return tell_done(context, answer)


@on_button("rematch", how=PRIVATE)
async def rematch(context: InteractionContext, click: Click) -> Reply:
    """**Rematch** under a finished board."""
    return await _rematch(context, MatchId(click.match))


@match_command(
    "rematch", Text.of("Play a finished match again, with the sides exchanged"), Sought.PLAYED
)
async def rematch_here(context: InteractionContext, match: Match) -> Reply:
    """``/match rematch``: a match of this person that is over, once more."""
    return await _rematch(context, match.id)


@on_button("substitute", how=PRIVATE)
async def substitute(context: InteractionContext, click: Click) -> Reply:
    """**Find a substitute**, where a player has left the server."""
    return await substitute_here(context, await find_match(context, click.match))


@match_command(
    "substitute", Text.of("Replace a player who left the server, at a table of more than two")
)
async def substitute_here(context: InteractionContext, match: Match) -> Reply:
    """``/match substitute``: offer the open seat of a match, in which all who accept go on."""
    chosen = await context.services.preferences.server(context.place.guild_id)
    check_player(context.interaction, chosen)
    return tell_done(
        context,
        await context.services.rematches.substitute(
            context.actor, match.id, interaction_id=context.id
        ),
    )


async def _rematch(context: InteractionContext, match_id: MatchId) -> Reply:
    venue = await venue_for(context)
    try:
        answer = await context.services.rematches.rematch(
            context.actor, match_id, context.place, venue, interaction_id=context.id
        )
    except UserError as error:
        before = await find_match(context, match_id)
        return await casually(context, _once_more(before, context.user_id), error)
    return tell_done(context, answer)


def _once_more(match: Match, user_id: UserId) -> OfferDraft:
    """What a rematch would be, as an offer in the making."""
    seat = match.index_of(user_id)
    others = (user for user in match.players if user not in (None, user_id))
    return OfferDraft(
        match.game,
        tuple((key, str(value)) for key, value in match.options.items()),
        tuple(user for user in others if user is not None),
        "0" if seat is None else str((seat + 1) % len(match.players) + 1),
        clock=write_clock(match.clock),
        more=True,
    )


def _wish(control: Control) -> RequestKind:
    try:
        return RequestKind(control.arg)
    except ValueError:
        raise UserError("out_of_date") from None


def _with_a_way_on(
    context: InteractionContext, match: Match, wish: RequestKind, error: UserError
) -> Reply:
    """A refusal because something is being asked for already, with the buttons that settle it.

    Every other refusal is raised again.
    """
    request = find(match.requests, wish)
    if request is None or error.code not in (f"{wish.value}_pending", "takeback_first"):
        raise error
    reply = Reply(context.language(refusal(error, match.game)))
    is_theirs = request.asker != match.index_of(context.user_id)
    if is_theirs and error.code != "takeback_first":
        return reply
    return _to_settle(context, reply, match, request)


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
