"""A puzzle from one's own match: the position before a mistake, and the better move to find."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.reviews import Review
from bot.i18n import Language
from bot.ui.computers.analysis_page import AnalysisBoard, AnalysisState
from bot.ui.computers.hint_page import move_words
from bot.ui.pages import match_text
from bot.ui.pages.components import (
    PRIMARY,
    SUCCESS,
    Button,
    Part,
    button,
    container,
    rows,
    text,
)
from bot.ui.pages.custom_ids import Control
from bot.ui.pages.presenter import BoardPresenter
from bot.ui.pages.reply import Page, Reply
from bot.ui.play.move_picker import MovePick
from bot.ui.play.move_picker_page import (
    QUESTION_COLOUR,
    RIGHT_COLOUR,
    WRONG_COLOUR,
    choices,
    looked_at,
    question,
    view_after,
)


async def retry_page(
    board: AnalysisBoard,
    spot: AnalysisState,
    review: Review,
    presenter: BoardPresenter,
    language: Language,
    *,
    tried: str = "",
    lead: str = "",
) -> Reply:
    """The puzzle; ``tried`` is the move in canonical notation that was just tried, if any.

    ``lead`` says what is wrong with words that were no move.
    """
    match, ply = board.played.match, spot.ply
    moment = review.moves[ply]
    game, position = board.table.game, board.table.position
    seat = game.to_move(position)
    assert seat is not None  # noqa: S101 - a move was played here
    is_right = tried == moment.best
    title = language.say("A puzzle from the match")
    about = f"{match_text.game_name(match)} · {language.say('Move {number}', number=ply + 1)}"
    task = language.say(
        "{side} to move. {move} was played: find a better move.",
        side=match_text.side_to_move(game, position, seat, language),
        move=move_words(match, board.played.notations[ply], language),
    )
    items: list[Part] = [text(f"### {title} · {about}\n{task}")]
    asked = board.asked(spot.way)
    if is_right:
        view = view_after(game, position, game.parse(position, tried))
    else:
        view = looked_at(game, position, asked, game.view(position, None))
    board_part, files = await presenter.part(match, view, language, name="retry")
    items.append(board_part)
    controls: list[Part] = []
    colour = QUESTION_COLOUR
    if is_right:
        colour = RIGHT_COLOUR
        lines = [f"**{language.say('{move} is right.', move=move_words(match, tried, language))}**"]
        if len(moment.line) > 1:
            then = " · ".join(moment.line)
            lines.append(language.say("It could go on like this: {moves}", moves=then))
        items.append(text("\n".join(lines)))
    else:
        if tried:
            lead = _not_it(board, ply, tried, language)
        if lead:
            colour = WRONG_COLOUR
            items.append(text(f"**{lead}**"))
        items.append(text(question(game, position, seat, asked, language)))
        control = Control("retrypick", match.id, arg=spot.write())
        if control.is_writable:
            controls.append(choices(asked, control, language))
    shown = _buttons(match.id, spot, language, is_right=is_right)
    return Reply(title, Page(container(*items, colour=colour), *controls, *rows(shown)), files)


def _not_it(board: AnalysisBoard, ply: int, tried: str, language: Language) -> str:
    move = move_words(board.played.match, tried, language)
    if tried == board.played.notations[ply]:
        return language.say("That's the move that was played. There's a better one.")
    return language.say("{move} isn't the move the computer found. Try again.", move=move)


def _buttons(
    match_id: str, spot: AnalysisState, language: Language, *, is_right: bool
) -> list[Button]:
    arg = str(spot.ply)
    review = button(Control("review", match_id, arg="again"), language.say("Back to the review"))
    if is_right:
        on = Control("fromhere", match_id, arg=arg)
        return [button(on, language.say("Play from here"), SUCCESS), review]
    shown = []
    if spot.way != MovePick():
        back = replace(spot, way=spot.way.back or MovePick())
        step = Control("retry", match_id, arg=back.write())
        if step.is_writable:
            shown.append(button(step, language.say("Back")))
    typed = Control("retrytype", match_id, arg=arg)
    shown.append(button(typed, language.say("Type a move"), PRIMARY))
    answer = Control("moment", match_id, arg=arg)
    return [*shown, button(answer, language.say("Show the answer")), review]
