"""**Try it as a puzzle**: solve a moment with only one right move in place."""

from __future__ import annotations

from dataclasses import replace

from bot.computers.domain.reviews import Review, ReviewedMove
from bot.computers.services import ComputerService
from bot.computers.ui.analysis import AnalysisBoard
from bot.computers.ui.hints import move_words
from bot.errors import UserError
from bot.history.domain.playback import tree_of
from bot.history.ui.sources import source_of_match
from bot.i18n import Language
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import find_match
from bot.ui.interaction.registry import Click, on_button, on_form, on_menu, opens_form
from bot.ui.pages import components as ui
from bot.ui.pages import match_text
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.play import move_picker_page as picker
from bot.ui.play.move_picker_page import Spot
from games.errors import MoveError


async def retry_page(
    context: InteractionContext,
    board: AnalysisBoard,
    spot: Spot,
    review: Review,
    *,
    tried: str = "",
    lead: str = "",
) -> Reply:
    """The puzzle; ``tried`` is the notation of the move just tried, if any.

    ``lead`` says why typed text was no move.
    """
    language, match, ply = context.language, board.played.match, spot.at
    moment = review.moves[ply]
    is_right = tried == moment.best
    title = language.say("A puzzle from the match")
    about = f"{match_text.game_name(match)} · {language.say('Move {number}', number=ply + 1)}"
    side = match_text.side_to_move(board.table, language)
    move = move_words(match, board.played.notations[ply], language)
    task = (
        language.say(
            "{side} to move. {move} was played, but only one move wins by force: find it.",
            side=side,
            move=move,
        )
        if moment.proof == "win"
        else language.say(
            "{side} to move. {move} was played, but only one move doesn't lose by force: find it.",
            side=side,
            move=move,
        )
    )
    items: list[ui.Part] = [ui.text(f"### {title} · {about}")]
    asked = picker.asked_at(board.table, spot.way)
    view = (
        picker.view_after(board.table, tried) if is_right else picker.looked_at(board.table, asked)
    )
    items.append(await context.reader.part(match, view, name="retry"))
    controls: list[ui.Part] = []
    colour = picker.QUESTION_COLOUR
    if is_right:
        colour = picker.RIGHT_COLOUR
        lines = [f"**{language.say('{move} is right.', move=move_words(match, tried, language))}**"]
        if len(moment.line) > 1:
            then = " · ".join(moment.line)
            lines.append(language.say("It could go on like this: {moves}", moves=then))
        items.append(ui.text("\n".join(lines)))
    else:
        if tried:
            lead = _not_it(board, ply, tried, moment, language)
        # Below the picture, as a phone shows the end of a long message.
        items.append(ui.text(task))
        if lead:
            colour = picker.WRONG_COLOUR
            items.append(ui.text(f"**{lead}**"))
        items.append(ui.text(picker.question(board.table, asked, language)))
        controls = picker.choices(asked, Control("retrypick", match.id, arg=str(spot)), language)
    shown = _buttons(match.id, spot, language, is_right=is_right)
    return Reply(title, Page(ui.container(*items, colour=colour), *controls, *ui.rows(shown)))


def _not_it(
    board: AnalysisBoard, ply: int, tried: str, moment: ReviewedMove, language: Language
) -> str:
    move = move_words(board.played.match, tried, language)
    if tried == board.played.notations[ply]:
        return language.say("That's the move that was played. There's a better one.")
    if moment.proof == "win":
        return language.say("{move} doesn't force the win. Try again.", move=move)
    return language.say("{move} loses by force. Try again.", move=move)


def _buttons(match_id: str, spot: Spot, language: Language, *, is_right: bool) -> list[ui.Button]:
    arg = str(spot.at)
    review = ui.button(Control("review", match_id, arg="again"), language.say("Back to the review"))
    if is_right:
        on = Control("fromhere", match_id, arg=arg)
        return [ui.button(on, language.say("Play from here"), ui.SUCCESS), review]
    typed = Control("retrytype", match_id, arg=arg)
    answer = Control("moment", match_id, arg=arg)
    return [
        *picker.back_button("retry", spot, language, match_id),
        ui.button(typed, language.say("Type a move"), ui.PRIMARY),
        ui.button(answer, language.say("Show the answer")),
        review,
    ]


async def _puzzle(context: InteractionContext, click: Click) -> tuple[AnalysisBoard, Spot, Review]:
    """The position, the picks, and the review with the better move."""
    spot = Spot.read(click.arg)
    match = await find_match(context, click.match)
    found = await context.services.of(ComputerService).review(context.actor, match.id)
    if spot.at >= len(found.moves) or not found.moves[spot.at].is_only:
        raise UserError("out_of_date")
    played = (await source_of_match(context, match)).line
    return AnalysisBoard.open(played, tree_of(played), spot.at), spot, found


@on_button("retry")
async def retry(context: InteractionContext, click: Click) -> Reply:
    """**Try it as a puzzle**, and **Back** to the pick before."""
    return await retry_page(context, *await _puzzle(context, click))


@on_menu("retrypick")
async def pick(context: InteractionContext, click: Click) -> Reply:
    """A choice of the menu: ask for the next part, or judge the whole move."""
    board, spot, found = await _puzzle(context, click)
    way = spot.way.then(click.choice)
    tried = picker.asked_at(board.table, way).move
    after = replace(spot, way=way) if tried is None else Spot(spot.at)
    return await retry_page(context, board, after, found, tried=tried or "")


opens_form("retrytype", "retrytyped")(picker.move_form)


@on_form("retrytyped")
async def typed(context: InteractionContext, click: Click) -> Reply:
    """A move typed into the form."""
    board, spot, found = await _puzzle(context, click)
    tried = lead = ""
    try:
        tried = picker.read_move(board.table, click.text, context.language)
    except MoveError as error:
        lead = context.why(error, board.played.match.game)
    return await retry_page(context, board, Spot(spot.at), found, tried=tried, lead=lead)
