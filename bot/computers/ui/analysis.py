"""**Analyse**: any position of a finished match, to try moves in and ask the computer about.

The number of the position and the picks of the next move travel in custom ids. The match file on
the page has the tried moves, so the bot remembers nothing.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

from bot.computers.domain.hints import Found
from bot.computers.services import ComputerService
from bot.computers.ui.hints import move_words
from bot.domain.game_state import GameState
from bot.domain.playthrough import Playthrough
from bot.errors import UserError
from bot.history.domain import LARGEST, Record, write_text
from bot.history.domain.playback import tree_of
from bot.history.domain.record import Tried
from bot.history.domain.variations import Tree, arranged
from bot.history.ui.sources import FILE, ReplaySource, carried, carrying, record_of_match, source_of
from bot.i18n import Language
from bot.ui.interaction import sharing
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import (
    PRIVATE,
    Click,
    number_in,
    on_button,
    on_form,
    on_menu,
    opens_form,
)
from bot.ui.interaction.sharing import private_page
from bot.ui.pages import components as ui
from bot.ui.pages import match_text
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.pages.reader import Reader
from bot.ui.play import move_picker_page as picker
from bot.ui.play.move_picker import MovePick
from bot.ui.play.move_picker_page import Spot
from games.errors import MoveError

_COLOUR = 0x6F6AA8
_SHOWN = 3
_FORKS = 20


@dataclass(frozen=True, slots=True)
class AnalysisBoard:
    """A position of a match, or of a variation, and the moves that led there.

    ``ply`` is the number of moves of the match before the variation, ``path`` the numbers of its
    positions.
    """

    played: Playthrough
    tree: Tree
    at: int
    ply: int
    path: tuple[int, ...]
    table: GameState

    @classmethod
    def open(cls, played: Playthrough, tree: Tree, at: int) -> AnalysisBoard:
        """The position of a number. Raises ``out_of_date``."""
        if at >= len(tree.positions):
            raise UserError("out_of_date")
        table = GameState(tree.game, tree.positions[at])
        return cls(played, tree, at, tree.base(at), tuple(tree.path(at)), table)

    @property
    def before(self) -> int | None:
        """The number of the position before this one, None at the start."""
        if self.path:
            return self.path[-2] if len(self.path) > 1 else self.ply
        return self.at - 1 if self.at else None

    @property
    def last(self) -> tuple[Any, Any] | None:
        """The position before this one, and the move made there."""
        if self.before is None:
            return None
        game, before = self.tree.game, self.tree.positions[self.before]
        if not self.path:
            return before, self.played.moves[self.at - 1]
        return before, game.parse(before, self.notations[-1])

    @property
    def notations(self) -> tuple[str, ...]:
        """The moves of the variation."""
        tree = self.tree
        return tuple(tree.tried[each - tree.plies - 1].move for each in self.path)

    @property
    def line(self) -> tuple[Hashable, ...]:
        """All positions of the match, then those of the variation."""
        positions = self.tree.positions
        return (*self.played.positions, *(positions[each] for each in self.path))

    @property
    def is_over(self) -> bool:
        """Whether there is no move to try."""
        return self.table.game.to_move(self.table.position) is None


async def analysis_page(
    board: AnalysisBoard,
    spot: Spot,
    reader: Reader,
    *,
    found: Found | None = None,
    lead: str = "",
    record: ui.File | None = None,
    public: bool = False,
) -> Reply:
    """The page of a spot; ``found`` is the evaluation, if that was asked for.

    ``record`` is the file with the moves tried. The ``public`` page has no controls.
    """
    match, game, language = board.played.match, board.table.game, reader.language
    title = language.say("Analysis of {game}", game=match_text.game_name(match))
    place = language.say("Move {number}", number=board.ply) if board.ply else language.say("Start")
    line = " · ".join((place, *board.notations))
    items: list[ui.Part] = [ui.text(f"### {title}\n{line}")]
    view = game.view(board.table.position, None)
    if board.last is not None:
        view = view.with_marks(game.marks(*board.last))
    has_room = board.tree.has_room(board.at)
    asked = (
        None if board.is_over or public or not has_room else picker.asked_at(board.table, spot.way)
    )
    if asked is not None and spot.way != MovePick():
        view = picker.looked_at(board.table, asked, view)
    items.append(await reader.part(match, view, name="analysis"))
    if public:
        page = Page(*([ui.text(lead)] if lead else []), ui.container(*items, colour=_COLOUR))
        return carrying(Reply(title, page), record)
    if lead:
        items.append(ui.text(f"**{lead}**"))
    if found is not None:
        items.append(ui.text(_view(board, found, language)))
    controls: list[ui.Part] = []
    if board.is_over:
        items.append(ui.text(language.say("The game is over here.")))
    elif asked is None:
        items.append(
            ui.text(language.say("There's no room for another move here. Remove one to go on."))
        )
    else:
        items.append(ui.text(picker.question(board.table, asked, language, plays_all=True)))
        controls += picker.choices(asked, Control("anpick", match.id, arg=str(spot)), language)
    plies = board.tree.plies
    forks = sorted({each.after for each in board.tree.tried if each.after <= plies})
    if forks:
        said = ", ".join(map(str, forks[:_FORKS])) + (" …" if len(forks) > _FORKS else "")
        forked = language.plural(
            "Variations after move {moves}",
            "Variations after moves {moves}",
            n=len(forks),
            moves=said,
        )
        items.append(ui.text(f"-# {forked}"))
    controls += _ways(board, language)
    beyond = len(board.tree.next(board.at)) - ui.CHOICES
    if beyond > 0:
        said = language.plural(
            "The menu has no room for {n} move tried here. Type it to go on with it.",
            "The menu has no room for {n} moves tried here. Type one to go on with it.",
            n=beyond,
        )
        items.append(ui.text(f"-# {said}"))
    page = Page(
        ui.container(*items, colour=_COLOUR),
        *controls,
        *ui.rows(_walking(board, spot, language)),
        *ui.rows(_others(board, language, is_carried=record is not None)),
    )
    return carrying(Reply(title, page), record)


def _view(board: AnalysisBoard, found: Found, language: Language) -> str:
    match = board.played.match
    lines = [language.say("The computer's view, for the player to move:")]
    for each in found.moves[:_SHOWN]:
        chance = language.percent(round(100 * each.value))
        if each.proof is not None:
            chance = {
                "win": language.say("wins"),
                "draw": language.say("draws"),
                "loss": language.say("loses"),
            }[each.proof]
        then = " ".join(each.line[1:5])
        words = f"{move_words(match, each.move, language)} {chance}"
        lines.append(f"{words} ({then})" if then else words)
    return "\n".join(lines)


def _ways(board: AnalysisBoard, language: Language) -> list[ui.Part]:
    """A menu of the moves tried here, where there are several, as many as fit."""
    known = board.tree.next(board.at)
    if len(known) < 2:
        return []
    match = board.played.match
    lines = [
        (str(number), match_text.move_words(match.game, move, language))
        for move, number in known.items()
    ]
    control = Control("anway", match.id, arg=str(board.at))
    return [ui.choice_menu(control, language.say("Go on with"), lines, "")]


def _walking(board: AnalysisBoard, spot: Spot, language: Language) -> list[ui.Button]:
    match, at = board.played.match, str(board.at)
    before, on = board.before, next(iter(board.tree.next(board.at).values()), None)
    previous = Control("anprevious", match.id, arg=str(before or 0))
    onward = Control("annext", match.id, arg=str(on or 0))
    shown = [
        *picker.back_button("anback", spot, language, match.id),
        ui.button(previous, language.say("Previous"), disabled=before is None),
        ui.button(onward, language.say("Next"), disabled=on is None),
    ]
    if not board.is_over:
        shown.append(ui.button(Control("antype", match.id, arg=at), language.say("Type a move")))
    if board.path:
        shown.append(ui.button(Control("anremove", match.id, arg=at), language.say("Remove move")))
    return shown


def _others(board: AnalysisBoard, language: Language, *, is_carried: bool) -> list[ui.Button]:
    match, at = board.played.match, str(board.at)
    shown = []
    if not board.is_over:
        view = Control("anview", match.id, arg=at)
        shown.append(ui.button(view, language.say("Computer's view"), ui.PRIMARY))
    shown.append(ui.button(Control("anshare", match.id, arg=at), language.say("Share here")))
    if not is_carried or match.id == FILE:  # else its page would lose the tried moves
        past = Control("past", match.id, match.version, f"{board.ply}.p")
        shown.append(ui.button(past, language.say("History")))
    return shown


_NAME = "analysis.txt"


@dataclass(frozen=True, slots=True)
class _Analysis:
    """The match, the moves tried, and the file with them, if any."""

    source: ReplaySource
    tree: Tree
    file: ui.File | None

    def board(self, at: int) -> AnalysisBoard:
        """The position of a number. Raises ``out_of_date``."""
        return AnalysisBoard.open(self.source.line, self.tree, at)


async def _opened(context: InteractionContext, click: Click, *, anew: bool = False) -> _Analysis:
    """A match that is over, a sample, or a file; ``anew`` without the moves tried."""
    source = await source_of(context, click.match)
    over = source.match.status.is_final and bool(source.match.state)
    if source.recorded is None and not over:
        raise UserError("review_over")
    if click.match == FILE:
        file = None if source.recorded is None else source.recorded.file
    else:
        data = None if anew else await carried(context)
        file = None if data is None else ui.File(_NAME, data)
    record = "" if file is None else file.data.decode(errors="replace")
    tree = await context.services.heavy.run(context.user_id, tree_of, source.line, record)
    return _Analysis(source, tree, file)


async def _kept(
    context: InteractionContext, opened: _Analysis, tried: tuple[Tried, ...], at: int
) -> tuple[_Analysis, int]:
    """The analysis with the moves tried now, and the new number of a position."""
    source = opened.source
    record = source.record or await record_of_match(context, source.match)
    plies = opened.tree.plies

    def written() -> tuple[Record, dict[int, int], bytes, Tree]:
        order, numbers = arranged(plies, tried)
        kept = replace(record, tried=order)
        data = write_text(kept).encode()
        return kept, numbers, data, tree_of(source.line, data.decode())

    kept, numbers, data, tree = await context.services.heavy.run(context.user_id, written)
    if len(data) > LARGEST:
        raise UserError("record_too_large", limit=LARGEST // 1024)
    name = _NAME if opened.file is None else opened.file.name
    file = ui.File(name, data) if tried or source.match.id == FILE else None
    return _Analysis(replace(source, record=kept), tree, file), numbers.get(at, at)


async def _try(context: InteractionContext, opened: _Analysis, at: int, *moves: str) -> Reply:
    """Try moves one after another, and show the position after the first."""
    tree, shown, known = opened.tree, at, len(opened.tree.tried)
    for number, words in enumerate(moves):
        position = tree.positions[at]
        after = tree.go(at, tree.game.parse(position, words))
        if after is None:
            break
        at = after
        shown = shown if number else at
    if len(tree.tried) > known:
        opened, shown = await _kept(context, opened, tuple(tree.tried), shown)
    return await _page(context, opened, Spot(shown))


@on_button("analyse", how=PRIVATE)
@on_button("anback", "anprevious", "annext")
async def analyse(context: InteractionContext, click: Click) -> Reply:
    """**Analyse**, **Back**, **Previous** and **Next**."""
    return await _page(context, await _opened(context, click), Spot.read(click.arg))


@on_button("anline", how=PRIVATE)
async def walk_line(context: InteractionContext, click: Click) -> Reply:
    """**Show the line** under a moment of a review: the better moves, to step through.

    It begins after the first of them; the position of the match is one step back.
    """
    opened = await _opened(context, click, anew=True)
    found = await context.services.of(ComputerService).review(context.actor, opened.source.match.id)
    ply = number_in(click.arg, most=len(found.moves) - 1)
    return await _try(context, opened, ply, *found.moves[ply].line)


@on_menu("anway")
async def go_on(context: InteractionContext, click: Click) -> Reply:
    """A choice among the moves tried here."""
    return await _page(context, await _opened(context, click), Spot.read(click.choice))


@on_button("anremove")
async def remove(context: InteractionContext, click: Click) -> Reply:
    """**Remove move**: with all that follow it."""
    opened = await _opened(context, click)
    board = opened.board(Spot.read(click.arg).at)
    if not board.path or board.before is None:
        raise UserError("out_of_date")
    # The numbers of all positions before that of the move stay as they are.
    opened, at = await _kept(context, opened, opened.tree.without(board.at), board.before)
    return await _page(context, opened, Spot(at))


@on_button("anview")
async def computers_view(context: InteractionContext, click: Click) -> Reply:
    """**Computer's view**."""
    spot = Spot.read(click.arg)
    opened = await _opened(context, click)
    board = opened.board(spot.at)
    if board.is_over:
        raise UserError("out_of_date")
    found = await context.services.of(ComputerService).analyse(
        context.user_id, board.played.match, board.table, board.line, board.ply + len(board.path)
    )
    return await _page(context, opened, spot, found=found)


@on_menu("anpick")
async def pick(context: InteractionContext, click: Click) -> Reply:
    """A choice of the menu: ask for the next part, or try the whole move."""
    spot = Spot.read(click.arg)
    opened = await _opened(context, click)
    way = spot.way.then(click.choice)
    move = picker.asked_at(opened.board(spot.at).table, way).move
    if move is None:
        return await _page(context, opened, replace(spot, way=way))
    return await _try(context, opened, spot.at, move)


opens_form("antype", "antyped")(picker.move_form)


@on_form("antyped")
async def typed(context: InteractionContext, click: Click) -> Reply:
    """A move typed into the form."""
    spot = Spot.read(click.arg)
    opened = await _opened(context, click)
    board = opened.board(spot.at)
    try:
        move = picker.read_move(board.table, click.text, context.language)
    except MoveError as error:
        lead = context.why(error, board.played.match.game)
        return await _page(context, opened, Spot(spot.at), lead=lead)
    return await _try(context, opened, spot.at, move)


@on_button("anshare")
async def share(context: InteractionContext, click: Click) -> Reply:
    """**Share here**: a position and its variation for everyone in this channel, each once."""
    page_id, spot = private_page(context), Spot.read(click.arg)
    opened = await _opened(context, click)
    opened.board(spot.at)

    async def public(everyone: InteractionContext) -> Reply:
        who = match_text.mention(everyone.user_id, everyone.language)
        by = everyone.language.say("Shared by {player}.", player=who)
        return await _page(everyone, opened, spot, lead=by, public=True)

    lead, _ = await sharing.share(context, (page_id, spot.at, opened.file), public)
    return await _page(context, opened, spot, lead=lead)


async def _page(
    context: InteractionContext,
    opened: _Analysis,
    spot: Spot,
    *,
    found: Found | None = None,
    lead: str = "",
    public: bool = False,
) -> Reply:
    return await analysis_page(
        opened.board(spot.at),
        spot,
        opened.source.reader(context),
        found=found,
        lead=lead,
        record=opened.file,
        public=public,
    )
