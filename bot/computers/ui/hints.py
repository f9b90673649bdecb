"""**Hint** under a board: first where to look, then the move, then why."""

from __future__ import annotations

from bot.computers.domain.hints import (
    Found,
    Reason,
    Why,
    may_have_hint,
    reasons,
    touched,
    where_to_look,
)
from bot.computers.services import ComputerService
from bot.domain.game_state import board_view, check_running, game_state_of, player_on_turn
from bot.domain.match import Match
from bot.errors import UserError
from bot.history.ui.sources import source_of_match
from bot.i18n import Language
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import find_match, present
from bot.ui.interaction.registry import PRIVATE, Click, on_button
from bot.ui.pages import components as ui
from bot.ui.pages import match_text
from bot.ui.pages.board_page import move_button
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.pages.reader import Reader
from bot.ui.play.move_picker_page import in_words, play_label, way_to
from games.view import Marks, Text

WHERE, MOVE, WHY = "where", "move", "why"

_SENTENCES: dict[Why, Text] = {
    Why.WINS_NOW: Text.of("It wins at once."),
    Why.WINS_IN: Text.plural(
        "It wins by force in {n} move, whatever the opponent plays.",
        "It wins by force in {n} moves, whatever the opponent plays.",
        by="n",
    ),
    Why.WINS: Text.of("It wins by force, whatever the opponent plays."),
    Why.ONLY: Text.of("It's the only move that doesn't lose by force."),
    Why.DRAWS: Text.of("It leads to a draw, and nothing better is known."),
    Why.OTHERS_WEAKER: Text.of(
        "The next best is clearly weaker: {move}, after which {reply} would follow."
    ),
    Why.REPLY: Text.of("The best answer to it seems to be {reply}."),
    Why.AHEAD: Text.of("After it you're ahead."),
    Why.EVEN: Text.of("After it the match is about even."),
    Why.BEHIND: Text.of("You're behind, but this makes it hardest for your opponent."),
}


def reason_words(match: Match, reason: Reason, language: Language) -> str:
    """One reason in a sentence."""
    named = {
        name: move_words(match, value, language) if isinstance(value, str) else value
        for name, value in reason.params.items()
    }
    return language(_SENTENCES[reason.why].filled(named))


def move_words(match: Match, move: str, language: Language) -> str:
    """A move in the middle of a sentence."""
    return f"**{match_text.move_words(match.game, move, language)}**"


async def hint_page(match: Match, found: Found, step: str, reader: Reader) -> Reply:
    """A hint up to that step."""
    table, language = game_state_of(match), reader.language
    best = found.best.move
    places = where_to_look(table, found) if step == WHERE else touched(table, best)
    move = move_words(match, best, language)
    if step == WHERE and places:
        said = language.say("Have a look at the marked places.")
    elif step == WHERE:
        said = language.say("Have a look at the moves that are no place on the board.")
    else:
        said = language.say("Try {move}.", move=move)
    lines = [f"**{said}**" if step == WHERE else said]
    if step != WHERE:
        lines += in_words(table, best, language)
    if step == WHY:
        lines += [reason_words(match, each, language) for each in reasons(table, found)]
    items: list[ui.Part] = [ui.text("\n".join(lines))]
    view = board_view(match)
    marked = view.with_marks(Marks(selected=view.named(places)))
    items += await reader.pictured(match, marked, name="hint")
    shown = []
    play = Control("play", match.id, match.version, str(way_to(table, best)))
    if step != WHERE and play.is_writable:
        shown.append(ui.button(play, play_label(match, best, language), ui.SUCCESS))
    if step != WHY:
        arg, label = (
            (MOVE, language.say("Show the move")) if step == WHERE else (WHY, language.say("Why?"))
        )
        shown.append(
            ui.button(Control("hintmore", match.id, match.version, arg), label, ui.PRIMARY)
        )
    shown.append(move_button(match, language))
    return Reply(said, Page(*items, *ui.rows(shown)))


@on_button("hint", how=PRIVATE)
async def hint(context: InteractionContext, click: Click) -> Reply:
    """**Hint**: where to look."""
    return await _hint(context, click, WHERE)


@on_button("hintmore")
async def more(context: InteractionContext, click: Click) -> Reply:
    """The move, and why."""
    if click.arg not in (MOVE, WHY):
        raise UserError("out_of_date")
    return await _hint(context, click, click.arg)


async def _hint(context: InteractionContext, click: Click, step: str) -> Reply:
    match = await find_match(context, click.match)
    check_running(match)
    if not may_have_hint(match, context.user_id):
        raise UserError("no_hints")
    player = player_on_turn(match)
    user = None if player is None else match.players[player]
    if user != context.user_id:
        name = match_text.mention(user, context.language)
        raise UserError("not_your_turn", player=name)
    if not match.position_since <= click.version <= match.version:
        error = UserError("position_changed", version=match.version)
        return await present(context, match.id, error)
    played = (await source_of_match(context, match)).line
    found = await context.services.of(ComputerService).analyse(
        context.user_id, match, played.table, played.positions, match.ply
    )
    context.services.answers.opened(context.interaction, match)
    return await hint_page(match, found, step, context.reader)
