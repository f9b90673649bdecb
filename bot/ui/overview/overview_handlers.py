"""Looking: boards, lists of matches, rules and help. Changes nothing."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.match import Match, Venue
from bot.domain.playthrough import moves_of
from bot.errors import UserError
from bot.i18n.sentences import STATUSES, refusal
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import find_match, find_seen
from bot.ui.interaction.registry import PRIVATE, RESUMERS, Click, on_button, on_menu, resumes
from bot.ui.interaction.results import next_button
from bot.ui.interaction.slash import command, game_choices
from bot.ui.learn import rules_page
from bot.ui.pages import board_page, match_list, match_text
from bot.ui.pages.components import rows
from bot.ui.pages.reply import Page, Reply
from games.view import Text


@command("board", Text.of("Show the board of the match here, only to you"))
async def board_here(context: InteractionContext) -> Reply:
    """``/board``: the board again, to this person alone."""
    return await _board(context, await find_seen(context, "board"))


@on_menu("show", how=PRIVATE)
async def show(context: InteractionContext, click: Click) -> Reply:
    """The board of a match chosen from a list."""
    return await _board(context, await find_match(context, click.value))


@resumes("board")
async def _board(context: InteractionContext, match: Match, _rest: str = "") -> Reply:
    if not match.state:
        status = context.language(STATUSES[match.status])
        return Reply(context.language(refusal(UserError("offer_closed", status=status))))
    player = match.index_of(context.user_id)
    if player is not None:
        context.services.background.start(context.services.boards_there.bring_back(match, player))
    is_mine = player is not None
    return await board_page.board(match, context.presenter, context.language, buttons=is_mine)


@on_button("text", how=PRIVATE)
async def text_board(context: InteractionContext, click: Click) -> Reply:
    """**Text board**: position and moves in words and letters."""
    match = await find_match(context, click.match)
    if not match.state:
        raise UserError("not_started")
    moves = moves_of(await context.services.matches.history(context.actor, match.id))
    return await board_page.text_board(match, moves, context.presenter, context.language)


@command("games", Text.of("List your matches, those waiting for you first"))
async def games(context: InteractionContext) -> Reply:
    """``/games``: all matches of this person."""
    found = await context.services.matches.matches_of(context.user_id)
    found = tuple(map(context.presenter.credited, found))
    context.services.waiting.learn(context.user_id, found)
    return await match_list.games_page(
        found,
        context.user_id,
        context.presenter.names,
        context.language,
        onward=next_button(None, context.language),
        leaves=await context.presenter.away(*found),
    )


@on_button("next")
async def next_game(context: InteractionContext, click: Click) -> Reply:
    """**Next game**: the board of the next match that waits for this person."""
    found = await context.services.matches.matches_of(context.user_id)
    context.services.waiting.learn(context.user_id, found)
    waiting = match_list.waiting_after(found, context.user_id, click.match)
    language = context.language
    if not waiting:
        return Reply(language.say("No match is waiting for your move."))
    match = waiting[0]
    lead = language.say("Your move.")
    if match.venue is not Venue.DIRECT:
        lead = f"{lead} {match_text.place(match)}"
    reply = await board_page.board(match, context.presenter, language, lead=lead)
    if len(waiting) == 1 or reply.page is None:
        return reply
    onward = rows([next_button(match, language)])
    return replace(reply, page=Page(*reply.page.components, *onward))


@command(
    "rules",
    Text.of("Read the rules of a game"),
    fields={"game": Text.of("Game")},
    choices={"game": game_choices},
)
async def rules(context: InteractionContext, game: str) -> Reply:
    """``/rules``: the first page of a game's guide."""
    return await _rules(context, game)


@on_button("rules", how=PRIVATE)
async def rules_button(context: InteractionContext, click: Click) -> Reply:
    """**Rules** under a board or an offer."""
    return await _rules(context, click.arg)


@on_menu("guide", how=PRIVATE)
async def rules_chosen(context: InteractionContext, click: Click) -> Reply:
    """The menu of games under ``/help``."""
    return await _rules(context, click.value)


@on_button("page")
async def rules_turned(context: InteractionContext, click: Click) -> Reply:
    """Another page of the guide in its place."""
    key, _, rest = click.arg.partition("/")
    number = rest.partition(".")[0]
    if not (number.isascii() and number.isdigit() and len(number) < 4):
        raise UserError("out_of_date")
    return await _rules(context, key, int(number))


@on_menu("choose")
async def match_chosen(context: InteractionContext, click: Click) -> Reply:
    """Go on with a command after its match was chosen from a list."""
    name, _, rest = click.arg.partition("/")
    resume = RESUMERS.get(name)
    if resume is None:
        raise UserError("out_of_date")
    return await resume(context, await find_match(context, click.value), rest)


async def _rules(context: InteractionContext, key: str, number: int = 0) -> Reply:
    presenter = context.presenter
    return await rules_page.rules_page(
        key, number, presenter.pictures, context.language, theme=presenter.theme
    )


@command("help", Text.of("How Parlour works"))
async def help_here(context: InteractionContext) -> Reply:
    """``/help``."""
    return rules_page.help_page(context.language)
