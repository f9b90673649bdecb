"""Everything about a match beside moving: requests, ending it, claiming it, rematches."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from bot.domain import play, request_rules, stalled
from bot.domain.events import CommandContext
from bot.domain.ids import UserId
from bot.domain.match import Match, MatchStatus
from bot.domain.requests import Request, RequestKind, find
from bot.domain.stalled import away_from
from bot.domain.wishes import WISHES
from bot.errors import UserError
from bot.services.match_changes import Answer
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import Sought, find_match, match_button, match_command
from bot.ui.interaction.permissions import check_player
from bot.ui.interaction.registry import PRIVATE, Click, member_in, on_button
from bot.ui.interaction.results import done, tell_done
from bot.ui.offers.draft import OfferDraft
from bot.ui.offers.offer_handlers import casually, venue_for
from bot.ui.pages import board_page, match_text
from bot.ui.pages.board_page import confirmation
from bot.ui.pages.components import Control, Page, Reply, button, rows, text
from bot.ui.pages.refusal_text import refusal
from games.view import Text


async def ask_for(context: InteractionContext, match: Match, wish: RequestKind) -> Reply:
    """Ask the other players for something, or accept what they ask for."""
    try:
        answer = await context.services.matches.act(
            context.actor,
            match.id,
            partial(request_rules.request, wish=wish),
            interaction_id=context.id,
            past=True,
        )
    except UserError as error:
        match = await find_match(context, match.id)
        return _with_a_way_on(context, match, wish, error)
    return _asked(context, answer, wish)


for _wish in (RequestKind.DRAW, RequestKind.TAKEBACK, RequestKind.PAUSE):
    match_command(_wish.value, WISHES[_wish].command)(partial(ask_for, wish=_wish))
    match_button(_wish.value)(partial(ask_for, wish=_wish))


def _asked(context: InteractionContext, answer: Answer, wish: RequestKind) -> Reply:
    """The answer to asking; while others have not answered, with a button to withdraw it."""
    reply = tell_done(context, answer)
    request = find(answer.match.requests, wish)
    mine = answer.match.index_of(context.user_id)
    if request is None or request.asker != mine:
        return reply
    return _to_settle(context, reply, answer.match, request)


def _to_settle(context: InteractionContext, reply: Reply, match: Match, request: Request) -> Reply:
    """A reply with the buttons that settle a request; deleted once it is settled."""
    context.services.answers.opened(context.interaction, match, request.version)
    is_own = request.asker == match.index_of(context.user_id)
    withdrawal = board_page.withdrawal(match, request, context.language)
    buttons = [withdrawal] if is_own else board_page.answers(match, request, context.language)
    return replace(reply, page=Page(text(reply.plain), *rows(buttons)))


@on_button("agree", "refuse", how=PRIVATE)
async def answer(context: InteractionContext, click: Click) -> Reply:
    """**Accept** or **Decline**."""
    wish, accept = member_in(RequestKind, click.arg), click.action == "agree"
    decide = partial(request_rules.answer, wish=wish, accept=accept, version=click.version)
    return await done(context, click.match, decide, past=True)


@on_button("retract")
async def retract(context: InteractionContext, click: Click) -> Reply:
    """**Withdraw** a request."""
    wish = member_in(RequestKind, click.arg)
    withdraw = partial(request_rules.withdraw, wish=wish, version=click.version)
    return await done(context, click.match, withdraw)


@match_button("resume")
@match_command("resume", Text.of("End the pause of a match"))
async def resume(context: InteractionContext, match: Match) -> Reply:
    """``/match resume``, and **Resume** under the board of a match that is paused."""
    return await done(context, match.id, request_rules.resume)


@match_button("rematch", how=PRIVATE)
@match_command(
    "rematch", Text.of("Play a finished match again, with the sides exchanged"), Sought.PLAYED
)
async def rematch(context: InteractionContext, match: Match) -> Reply:
    """``/match rematch``, and **Rematch** under a finished board."""
    venue = await venue_for(context)
    try:
        answer = await context.services.matches.rematch(
            context.actor, match.id, context.place, venue, interaction_id=context.id
        )
    except UserError as error:
        return await casually(context, _once_more(match, context.user_id), error)
    return tell_done(context, answer)


@match_button("substitute", how=PRIVATE)
@match_command(
    "substitute", Text.of("Replace a player who left the server, at a table of more than two")
)
async def substitute(context: InteractionContext, match: Match) -> Reply:
    """``/match substitute``: offer the open seat of a match; all who accept go on."""
    chosen = await context.services.preferences.server(context.place.guild_id)
    check_player(context.interaction, chosen)
    answer = await context.services.matches.substitute(
        context.actor, match.id, interaction_id=context.id
    )
    return tell_done(context, answer)


def _once_more(match: Match, user_id: UserId) -> OfferDraft:
    """A rematch as a draft of an offer."""
    seat = match.index_of(user_id)
    others = (user for user in match.players if user not in (None, user_id))
    return OfferDraft(
        match.game,
        tuple(match.options.items()),
        tuple(user for user in others if user is not None),
        None if seat is None else (seat + 1) % len(match.players),
        clock=match.clock,
        more=True,
    )


def _with_a_way_on(
    context: InteractionContext, match: Match, wish: RequestKind, error: UserError
) -> Reply:
    """A refusal because of an open request, with the buttons that settle it.

    Every other refusal is raised again.
    """
    request = find(match.requests, wish)
    if request is None or error.code not in ("request_pending", "takeback_first"):
        raise error
    reply = Reply(context.language(refusal(error, match.game)))
    is_theirs = request.asker != match.index_of(context.user_id)
    if is_theirs and error.code != "takeback_first":
        return reply
    return _to_settle(context, reply, match, request)


@match_button("resign")
@match_command("resign", Text.of("Resign a match"))
async def resign(context: InteractionContext, match: Match) -> Reply:
    """``/match resign``, and the button: ask whether that is meant."""
    return await _sure(context, match, "resign")


@match_command("abort", WISHES[RequestKind.ABORT].command)
async def abort_here(context: InteractionContext, match: Match) -> Reply:
    """``/match abort``: ask whether that is meant; after the second move, ask the other players."""
    late = match.status is MatchStatus.RUNNING and match.ply > 1 and match.set_aside_at is None
    player = match.index_of(context.user_id)
    if late and (player is None or not away_from(match, player)):
        return await ask_for(context, match, RequestKind.ABORT)
    return await _sure(context, match, "abort")


@match_button("abort")
async def abort(context: InteractionContext, match: Match) -> Reply:
    """A button that aborts the match: ask whether that is meant."""
    return await _sure(context, match, "abort")


async def _sure(context: InteractionContext, match: Match, action: str) -> Reply:
    # Refuse now what would be refused after a Yes.
    act = CommandContext(context.services.clock.now())
    decide = stalled.abort if action == "abort" else play.resign
    decide(match, act, context.actor)
    language = context.language
    name, yes = match_text.game_name(match), f"{action}yes"
    if match.set_aside_at is not None:
        question = language.say(
            "This {game} match is damaged. Leave it? It will have no result.", game=name
        )
        yes, label = "resignyes", language.say("Leave")
    elif action == "abort":
        question = language.say("Abort this {game} match? It will have no result.", game=name)
        label = language.say("Abort")
    else:
        question = language.say("Resign this {game} match? You'll lose it.", game=name)
        label = language.say("Resign")
    return confirmation(question, Control(yes, match.id, match.version), label, language)


@on_button("nevermind")
async def never_mind(context: InteractionContext, _click: Click) -> Reply:
    """**Never mind** under any question."""
    context.services.answers.read_once(context.interaction)
    return Reply(context.language.say("Nothing has changed."))


@on_button("resignyes")
async def resign_now(context: InteractionContext, click: Click) -> Reply:
    """Resign, after the question."""
    return await done(context, click.match, play.resign)


@on_button("abortyes")
async def abort_now(context: InteractionContext, click: Click) -> Reply:
    """Abort, after the question."""
    return await done(context, click.match, stalled.abort)


@match_button("claim", how=PRIVATE)
@match_command("claim", Text.of("Claim a match from an opponent who has gone silent"))
async def claim(context: InteractionContext, match: Match) -> Reply:
    """``/match claim``: claim a match, or **Nudge** the opponent first."""
    try:
        return await done(context, match.id, stalled.claim, past=True)
    except UserError as error:
        if error.code != "claim_nudge":
            raise
        said = context.language(refusal(error, match.game))
        nudge = button(Control("nudge", match.id, match.version), context.language.say("Nudge"))
        return Reply(said, Page(text(said), *rows([nudge])))


@on_button("nudge")
async def nudge(context: InteractionContext, click: Click) -> Reply:
    """**Nudge**: remind the player on turn."""
    return await done(context, click.match, stalled.nudge)
