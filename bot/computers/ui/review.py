"""**Review** of a finished match: chances, the moments that decided it, and all moves."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.computers.domain.hints import touched
from bot.computers.domain.reviews import (
    BLUNDER,
    MISTAKE,
    Review,
    ReviewedMove,
    accuracy,
    chances,
    moments,
    percent,
    puzzle_in,
    settled,
)
from bot.computers.services import ComputerService
from bot.computers.ui.against_computer import told_of_queue
from bot.computers.ui.hints import move_words
from bot.domain.computers import computer
from bot.domain.ids import InteractionId, MatchId, UserId
from bot.domain.match import Actor, Match
from bot.domain.playthrough import Playthrough, makers, play_through
from bot.errors import UserError
from bot.i18n import Language, Sentences
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import Sought, find_match, match_button, match_command
from bot.ui.interaction.registry import PRIVATE, Click, number_in, on_button
from bot.ui.interaction.responses import answer
from bot.ui.interaction.results import tell_done
from bot.ui.offers.offer_handlers import venue_for
from bot.ui.pages import components as ui
from bot.ui.pages import match_text
from bot.ui.pages.components import Control, Page, Reply, cut_to_page, page_note, paging
from bot.ui.pages.reader import Reader
from bot.ui.play.move_picker_page import in_words
from games.view import Marks, Text

_ON_PAGE = 20
_PRAISED = 5
"""Own moves without a mistake that earn praise."""


def waiting_page(review: Review, language: Language) -> Reply:
    """The progress of a review."""
    said = language.say(
        "The computer is looking through the match: {n} of {all} moves."
        " The review will appear here.",
        n=len(review.moves),
        all=review.plies,
    )
    again = ui.button(
        Control("review", review.match_id, arg="again"), language.say("Refresh"), ui.PRIMARY
    )
    if review.ahead:
        first = language.plural(
            "{n} other match comes first.", "{n} other matches come first.", n=review.ahead
        )
        said = f"{said}\n{first}"
    return Reply(said, Page(ui.text(said), *ui.rows([again])))


@dataclass(frozen=True, slots=True)
class ReviewedMatch:
    """A match with its review, and the player index of each move, for one viewer."""

    played: Playthrough
    review: Review
    makers: Sequence[int | None]
    viewer: UserId

    @property
    def mine(self) -> int | None:
        """The player index of the viewer."""
        return self.played.match.index_of(self.viewer)

    @property
    def puzzle(self) -> int | None:
        """The ply that is a puzzle, preferably one of the viewer's own."""
        return puzzle_in(self.review, () if self.mine is None else self.by(self.mine))

    def by(self, player: int) -> list[int]:
        """The plies of a player."""
        return [ply for ply, maker in enumerate(self.makers) if maker == player]

    def chances(self) -> tuple[float, ...]:
        """The chances of the viewer, or else of the first of two players, before each move."""
        movers = [self.played.mover(ply) for ply in range(self.played.plies)]
        return chances(self.review, movers, self.mine or 0)


async def review_page(shown: ReviewedMatch, reader: Reader) -> Reply:
    """The whole match: its graph, the accuracy of each player, and a button for each moment.

    One of them is also a puzzle, if one move is proved to be better than all others there.
    """
    played, review, match = shown.played, shown.review, shown.played.match
    found, puzzle, language = moments(review), shown.puzzle, reader.language
    title = language.say("Review of {game}", game=match_text.game_name(match))
    items: list[ui.Part] = [ui.text(f"### {title}\n{match_text.turn(match, language)}")]
    if len(match.players) == 2:
        items += ui.pictured(await _graph(shown, reader))
    items.append(ui.text(_accuracies(shown, language)))
    if found:
        lines = [
            _in_short(played, review.moves[ply], ply, language, hide=ply == puzzle) for ply in found
        ]
        items.append(ui.text("\n".join(lines)))
    else:
        own = 0 if shown.mine is None else len(shown.by(shown.mine))
        items.append(ui.text(no_moments(own, language)))
    buttons = [
        ui.button(
            Control("moment", match.id, arg=str(ply)),
            language.say("Move {number}", number=ply + 1),
            ui.PRIMARY,
        )
        for ply in found
    ]
    buttons.append(ui.button(Control("revmoves", match.id), language.say("All moves")))
    if puzzle is not None:
        again = Control("retry", match.id, arg=str(puzzle))
        buttons.append(ui.button(again, language.say("Try it as a puzzle"), ui.SUCCESS))
    return Reply(title, Page(*items, *ui.rows(buttons)))


def _accuracies(shown: ReviewedMatch, language: Language) -> str:
    said = []
    for player, user_id in enumerate(shown.played.match.players):
        known = accuracy(shown.review, shown.by(player))
        if known is not None:
            said.append(f"{match_text.mention(user_id, language)} {language.percent(round(known))}")
    return language.say("Accuracy: {players}", players=" · ".join(said))


def moves_page(shown: ReviewedMatch, page: int, language: Language) -> Reply:
    """All moves with the chances after each, and marks for mistakes."""
    played, review, match = shown.played, shown.review, shown.played.match
    title = language.say("All moves of {game}", game=match_text.game_name(match))
    puzzle, points = shown.puzzle, None
    if len(match.players) == 2:
        points = shown.chances()
        player = match_text.mention(match.players[shown.mine or 0], language)
        about = language.say("Chances of {player} after each move:", player=player)
    else:
        about = language.say("Chances after each move, for the player who made it:")
    lines = [
        _move_line(
            played,
            review.moves[ply],
            ply,
            review.moves[ply].played if points is None else points[ply + 1],
            language,
            is_puzzle=ply == puzzle,
        )
        for ply in range(len(review.moves))
    ]
    here, page, pages = cut_to_page(lines, page, _ON_PAGE)
    legend = language.say(
        "?: gave away at least {some} of the win. ??: at least {much}.",
        some=language.percent(100 * MISTAKE),
        much=language.percent(100 * BLUNDER),
    )
    said = [f"### {title}", about, *here, f"-# {legend}", *page_note(page, pages, language)]
    buttons = paging("revmoves", match.id, page, pages, language)
    back = ui.button(Control("review", match.id, arg="again"), language.say("Back to the review"))
    return Reply(
        title, Page(ui.text(match_text.cut("\n".join(said), ui.TEXT)), *ui.rows([*buttons, back]))
    )


def _move_line(
    played: Playthrough,
    move: ReviewedMove,
    ply: int,
    chance: float,
    language: Language,
    *,
    is_puzzle: bool,
) -> str:
    """One move of the list; the better one at a puzzle stays hidden."""
    match = played.match
    side = language(played.table.game.seats[played.seats[ply]].name)
    words = move_words(match, played.notations[ply], language)
    said = f"{ply + 1}\N{NO-BREAK SPACE}{side} {words} {language.percent(percent(chance))}"
    if move.loss < MISTAKE:
        return said
    said += " **??**" if move.loss >= BLUNDER else " **?**"
    if is_puzzle:
        return said
    better = language.say("better: {move}", move=move_words(match, move.best, language))
    return f"{said} ({better})"


def no_moments(own: int, language: Language) -> str:
    """A review without moments; praise takes enough own moves."""
    if own < _PRAISED:
        return language.say("No move gave much away.")
    return language.say("No move gave much away. Well played!")


async def _graph(shown: ReviewedMatch, reader: Reader) -> ui.Picture | None:
    points = [percent(chance) for chance in shown.chances()]
    style = await reader.style(shown.played.match)
    title = style.say("Chances of {player} in %", player=style.names[shown.mine or 0])
    drawn = await reader.pictures.graph(title, points, style, of_moves=True)
    return ui.picture("chances", drawn)


def _in_short(
    played: Playthrough, moment: ReviewedMove, ply: int, language: Language, *, hide: bool = False
) -> str:
    """A moment in a sentence; ``hide`` the better move of the puzzle."""
    match = played.match
    said = Text.of("Move {number}: {player} played {move}. Better: {best}.")
    if hide:
        said = Text.of("Move {number}: {player} played {move}. Can you find a better move?")
    words: dict[str, str | int] = {
        "number": ply + 1,
        "player": match_text.mention(match.players[played.mover(ply)], language),
        "move": move_words(match, played.notations[ply], language),
        "best": move_words(match, moment.best, language),
    }
    return language(said.filled(words))


async def moment_page(played: Playthrough, review: Review, ply: int, reader: Reader) -> Reply:
    """One moment: the position with the better move marked, and the way to play on from there."""
    match, moment, language = played.match, review.moves[ply], reader.language
    table = played.at(ply)
    lines = Sentences(language, _in_short(played, moment, ply, language))
    lines += in_words(table, moment.best, language)
    lines.say(
        "Chances before: {before}. After the move played: {after}.",
        before=language.percent(percent(moment.value)),
        after=language.percent(percent(moment.played)),
    )
    if len(moment.line) > 1:
        lines.say("It could go on like this: {moves}", moves=" · ".join(moment.line))
    view = table.game.view(table.position, None)
    marks = Marks(selected=view.named(touched(table, moment.best)))
    picture = await reader.pictured(match, view.with_marks(marks), name="moment")
    shown = [
        ui.button(
            Control("fromhere", match.id, arg=str(ply)), language.say("Play from here"), ui.SUCCESS
        ),
        ui.button(Control("anline", match.id, arg=str(ply)), language.say("Show the line")),
        ui.button(Control("review", match.id, arg="again"), language.say("Back")),
    ]
    return Reply(lines[0], Page(ui.text("\n".join(lines)), *picture, *ui.rows(shown)))


_LOOK_EVERY = 2.0
_LOOKS = 400
"""For 13 minutes: an answer can be edited for 15."""
_TELL_EVERY = 3
"""The progress is updated at every third look at most,"""
_TOLD = 30
"""and so many times."""


@dataclass(slots=True)
class _Waiting:
    """The interaction whose answer shows the progress of a review, by its reader."""

    pages: dict[tuple[UserId, MatchId], InteractionId] = field(default_factory=dict)


@match_button("reviewit", how=PRIVATE)
@match_button("review")
@match_command(
    "review", Text.of("See which moves decided a finished match"), Sought.PLAYED, group=None
)
async def review(context: InteractionContext, match: Match) -> Reply:
    """``/review``, **Review** under a finished board, **Refresh**, and **Back** to the review."""
    found = await context.services.of(ComputerService).review(context.actor, match.id)
    if not found.is_done:
        context.services.background.start(_show_when_done(context, match, found))
        return waiting_page(found, context.language)
    context.services.memory(_Waiting).pages.pop((context.user_id, match.id), None)
    return await _done_page(context, match, found)


async def _done_page(context: InteractionContext, match: Match, found: Review) -> Reply:
    shown = await _reviewed(context, match, found)
    return await review_page(shown, context.reader)


async def _show_when_done(context: InteractionContext, match: Match, before: Review) -> None:
    """Update the progress of a review now and then, and replace it with the review."""
    pages, key = context.services.memory(_Waiting).pages, (context.user_id, match.id)
    pages[key] = context.id
    said, quiet, told = waiting_page(before, context.language).plain, 0, 0
    try:
        for _ in range(_LOOKS):
            if (
                not await context.services.background.pause(_LOOK_EVERY)
                or pages.get(key) != context.id
            ):
                return
            with contextlib.suppress(UserError):
                found = await context.services.of(ComputerService).review(context.actor, match.id)
                if found.is_done:
                    page = await _done_page(context, match, found)
                    await answer(context.interaction, page, update=True)
                    return
                quiet, page = quiet + 1, waiting_page(found, context.language)
                if page.plain != said and quiet >= _TELL_EVERY and told < _TOLD:
                    said, quiet, told = page.plain, 0, told + 1
                    await answer(context.interaction, page, update=True)
    finally:
        if pages.get(key) == context.id:
            del pages[key]


async def _reviewed(context: InteractionContext, match: Match, found: Review) -> ReviewedMatch:
    events = await context.services.matches.history(context.actor, match.id)
    played = await context.services.heavy.run(context.user_id, play_through, match, events)
    return ReviewedMatch(played, settled(found, played), makers(events), context.user_id)


async def _moment(
    context: InteractionContext, click: Click
) -> tuple[Match, Playthrough, Review, int]:
    """The match, its review, and the ply of a button."""
    match = await find_match(context, click.match)
    found = await context.services.of(ComputerService).review(context.actor, match.id)
    ply = number_in(click.arg, most=len(found.moves) - 1)
    shown = await _reviewed(context, match, found)
    return match, shown.played, shown.review, ply


@on_button("revmoves")
async def all_moves(context: InteractionContext, click: Click) -> Reply:
    """**All moves**, and turning the page; its number is the control's version."""
    match = await find_match(context, click.match)
    found = await context.services.of(ComputerService).review(context.actor, match.id)
    if not found.is_done:
        raise UserError("out_of_date")
    return moves_page(await _reviewed(context, match, found), click.version, context.language)


@on_button("moment")
async def show_moment(context: InteractionContext, click: Click) -> Reply:
    """One of the moments that decided the match."""
    _, played, found, ply = await _moment(context, click)
    return await moment_page(played, found, ply, context.reader)


@on_button("fromhere", how=PRIVATE)
async def from_here(context: InteractionContext, click: Click) -> Reply:
    """**Play from here**: a match against the computer from that position."""
    match, played, _, ply = await _moment(context, click)
    table = played.at(ply)
    level = await context.services.ratings.computer_for(context.user_id, match.game)
    opponent = Actor(computer(level), context.place.guild_id)
    started = await context.services.matches.challenge(
        context.actor,
        context.place,
        game=match.game,
        options=match.options,
        opponents=(opponent,) * (len(match.players) - 1),
        seat=played.mover(ply),
        venue=await venue_for(context),
        start=table.game.encode(table.position),
        interaction_id=context.id,
    )
    return tell_done(context, started, more=await told_of_queue(context, started.match))
