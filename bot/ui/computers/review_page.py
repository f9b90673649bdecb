"""A review on a private page: who stood better when, and the moments that decided the match."""

from __future__ import annotations

from bot.domain.hints import touched
from bot.domain.ids import UserId
from bot.domain.playthrough import Playthrough
from bot.domain.reviews import Review, ReviewedMove, chances, moments, puzzle_in
from bot.i18n import Language
from bot.ui.computers.hint_page import move_words
from bot.ui.pages import match_text
from bot.ui.pages.components import (
    PRIMARY,
    SUCCESS,
    Control,
    File,
    Page,
    Part,
    Picture,
    Reply,
    button,
    gallery,
    rows,
    text,
)
from bot.ui.pages.presenter import BoardPresenter
from bot.ui.play.move_picker_page import in_words
from games.view import Marks

_PRAISED = 5
"""So many moves of one's own are a match that can be well played."""


def waiting_page(review: Review, language: Language) -> Reply:
    """While the review goes on: how far it is."""
    said = language.say(
        "The computer is looking through the match: {n} of {all} moves."
        " The review will appear here.",
        n=len(review.moves),
        all=review.plies,
    )
    again = button(
        Control("review", review.match_id, arg="again"), language.say("Refresh"), PRIMARY
    )
    return Reply(said, Page(text(said), *rows([again])))


async def review_page(
    played: Playthrough,
    review: Review,
    reader: UserId,
    presenter: BoardPresenter,
    language: Language,
) -> Reply:
    """The whole match: its graph, and a button for each moment.

    One of them is a puzzle too if one move is proved to be better than all others there.
    """
    match = played.match
    mine = match.index_of(reader)
    own = [ply for ply in range(played.plies) if played.mover(ply) == mine]
    found, puzzle = moments(review), puzzle_in(review, own)
    title = language.say("Review of {game}", game=match_text.game_name(match))
    items: list[Part] = [text(f"### {title}\n{match_text.turn(match, language)}")]
    files: tuple[File, ...] = ()
    if len(match.players) == 2:
        picture = await _graph(played, review, mine or 0, presenter, language)
        if picture is not None:
            items.append(gallery(picture))
            files = (picture.file,)
    if found:
        lines = [
            _asked(played, ply, language)
            if ply == puzzle
            else _in_short(played, review.moves[ply], ply, language)
            for ply in found
        ]
        items.append(text("\n".join(lines)))
    else:
        items.append(text(no_moments(len(own), language)))
    shown = [
        button(
            Control("moment", match.id, arg=str(ply)),
            language.say("Move {number}", number=ply + 1),
            PRIMARY,
        )
        for ply in found
    ]
    if puzzle is not None:
        again = Control("retry", match.id, arg=str(puzzle))
        shown.append(button(again, language.say("Try it as a puzzle"), SUCCESS))
    return Reply(title, Page(*items, *rows(shown)), files)


def no_moments(own: int, language: Language) -> str:
    """What is said if no move mattered; only a reader with enough moves of their own is praised."""
    if own < _PRAISED:
        return language.say("No move gave much away.")
    return language.say("No move gave much away. Well played!")


async def _graph(
    played: Playthrough,
    review: Review,
    player: int,
    presenter: BoardPresenter,
    language: Language,
) -> Picture | None:
    """How the chances of one of two players went up and down."""
    movers = [played.mover(ply) for ply in range(played.plies)]
    points = [round(100 * chance) for chance in chances(review, movers, player)]
    style = await presenter.style(played.match, language)
    title = language.say("Chances of {player} in %", player=style.names[player])
    drawn = await presenter.pictures.graph(title, points, style, of_moves=True)
    return None if drawn is None else Picture(File("chances.png", drawn.png), drawn.alt_text)


def _in_short(played: Playthrough, moment: ReviewedMove, ply: int, language: Language) -> str:
    match = played.match
    return language.say(
        "Move {number}: {player} played {move}. Better: {best}.",
        number=ply + 1,
        player=match_text.mention(match.players[played.mover(ply)], language),
        move=move_words(match, played.notations[ply], language),
        best=move_words(match, moment.best, language),
    )


def _asked(played: Playthrough, ply: int, language: Language) -> str:
    """What was played at the moment of the puzzle; what was better is for the reader to find."""
    match = played.match
    return language.say(
        "Move {number}: {player} played {move}. Can you find a better move?",
        number=ply + 1,
        player=match_text.mention(match.players[played.mover(ply)], language),
        move=move_words(match, played.notations[ply], language),
    )


async def moment_page(
    played: Playthrough, review: Review, ply: int, presenter: BoardPresenter, language: Language
) -> Reply:
    """One moment: the position with the better move marked, and the way to play on from there."""
    match, moment = played.match, review.moves[ply]
    table = played.at(ply)
    lines = [_in_short(played, moment, ply, language)]
    lines += in_words(table.game, table.position, moment.best, language)
    lines.append(
        language.say(
            "Chances before: {before} %. After the move played: {after} %.",
            before=round(100 * moment.value),
            after=round(100 * moment.played),
        )
    )
    if len(moment.line) > 1:
        then = " · ".join(moment.line)
        lines.append(language.say("It could go on like this: {moves}", moves=then))
    view = table.game.view(table.position, None)
    marks = Marks(selected=view.named(touched(table, moment.best)))
    picture = await presenter.picture(match, view.with_marks(marks), language, name="moment")
    items: list[Part] = [text("\n".join(lines))]
    if picture is not None:
        items.append(gallery(picture))
    shown = [
        button(
            Control("fromhere", match.id, arg=str(ply)), language.say("Play from here"), SUCCESS
        ),
        button(Control("review", match.id, arg="again"), language.say("Back")),
    ]
    files = () if picture is None else (picture.file,)
    return Reply(lines[0], Page(*items, *rows(shown)), files)
