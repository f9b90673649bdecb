"""**Analyse** on a position of a finished match: moves tried in private, and the engine's view."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.domain.hints import Found
from bot.domain.records import LARGEST, Record, write_text
from bot.domain.records.playback import tree_of
from bot.domain.records.record import Tried
from bot.domain.records.variations import Tree, arranged
from bot.errors import UserError
from bot.i18n.refusals import REFUSALS
from bot.ui.computers.analysis_page import AnalysisBoard, AnalysisState, analysis_page
from bot.ui.history.sources import FILE, ReplaySource, carried, record_of_match, source_of
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
from bot.ui.interaction.sharing import may_write_here, private_page, share_once
from bot.ui.pages import match_text
from bot.ui.pages.components import File, Reply
from bot.ui.pages.match_text import as_written
from bot.ui.play.move_picker_page import move_form
from games.errors import MoveError

_NAME = "analysis.txt"


@dataclass(frozen=True, slots=True)
class _Analysis:
    """What a person looks at: the match, what was tried, and the file that says so, if any."""

    source: ReplaySource
    tree: Tree
    file: File | None

    def board(self, at: int) -> AnalysisBoard:
        """The position of a number; ``out_of_date`` if there is none."""
        return AnalysisBoard.open(self.source.line, self.tree, at)


async def _opened(context: InteractionContext, click: Click, *, anew: bool = False) -> _Analysis:
    """What is analysed: a match that is over, a sample, or a file; ``anew``: nothing was tried."""
    source = await source_of(context, click.match)
    over = source.match.status.is_final and bool(source.match.state)
    if source.recorded is None and not over:
        raise UserError("review_over")
    if click.match == FILE:
        file = None if source.recorded is None else source.recorded.file
    else:
        data = None if anew else await carried(context)
        file = None if data is None else File(_NAME, data)
    record = "" if file is None else file.data.decode(errors="replace")
    tree = await context.services.heavy.run(context.user_id, tree_of, source.line, record)
    return _Analysis(source, tree, file)


async def _kept(
    context: InteractionContext, opened: _Analysis, tried: tuple[Tried, ...], at: int
) -> tuple[_Analysis, int]:
    """The analysis with what was tried now, and the number that a position of it has then."""
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
    file = File(name, data) if tried or source.match.id == FILE else None
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
    return await _page(context, opened, AnalysisState(shown))


@on_button("analyse", how=PRIVATE)
async def analyse(context: InteractionContext, click: Click) -> Reply:
    """**Analyse**: the position, to try moves in."""
    return await _show(context, click, AnalysisState.read(click.arg))


@on_button("anline", how=PRIVATE)
async def walk_line(context: InteractionContext, click: Click) -> Reply:
    """**Show the line** under a moment of a review: the better moves, to step through.

    It begins with the first of them played; what was played in the match is one step back.
    """
    opened = await _opened(context, click, anew=True)
    found = await context.services.computers.review(context.actor, opened.source.match.id)
    ply = number_in(click.arg, most=len(found.moves) - 1)
    return await _try(context, opened, ply, *found.moves[ply].line)


@on_button("anback", "anprevious", "annext")
async def another(context: InteractionContext, click: Click) -> Reply:
    """**Back**, **Previous** and **Next**."""
    return await _show(context, click, AnalysisState.read(click.arg))


@on_menu("anway")
async def go_on(context: InteractionContext, click: Click) -> Reply:
    """A choice among the moves that lead on."""
    return await _show(context, click, AnalysisState.read(click.choice))


@on_button("anremove")
async def remove(context: InteractionContext, click: Click) -> Reply:
    """**Remove move**: with all that was tried after it."""
    opened = await _opened(context, click)
    board = opened.board(AnalysisState.read(click.arg).at)
    if not board.path or board.before is None:
        raise UserError("out_of_date")
    # The numbers of all positions before that of the move stay as they are.
    opened, at = await _kept(context, opened, opened.tree.without(board.at), board.before)
    return await _page(context, opened, AnalysisState(at))


@on_button("anview")
async def computers_view(context: InteractionContext, click: Click) -> Reply:
    """**Computer's view**."""
    spot = AnalysisState.read(click.arg)
    opened = await _opened(context, click)
    board = opened.board(spot.at)
    if board.is_over:
        raise UserError("out_of_date")
    found = await context.services.computers.analyse(
        context.user_id,
        board.played.match,
        board.table,
        board.line,
        board.ply + len(board.path),
    )
    return await _page(context, opened, spot, found=found)


@on_menu("anpick")
async def pick(context: InteractionContext, click: Click) -> Reply:
    """A choice of the menu: ask for the next part, or try the whole move."""
    spot = AnalysisState.read(click.arg)
    opened = await _opened(context, click)
    way = spot.way.then(click.choice)
    move = opened.board(spot.at).asked(way).move
    if move is None:
        return await _page(context, opened, replace(spot, way=way))
    return await _try(context, opened, spot.at, move)


opens_form("antype", "antyped")(move_form)


@on_form("antyped")
async def typed(context: InteractionContext, click: Click) -> Reply:
    """A move typed into the form."""
    spot = AnalysisState.read(click.arg)
    opened = await _opened(context, click)
    board = opened.board(spot.at)
    game, position = board.table.game, board.table.position
    text = as_written(board.played.match.game, click.text, context.language)
    try:
        move = game.notation(position, game.parse(position, text))
    except MoveError as error:
        lead = context.why(error, board.played.match.game)
        return await _page(context, opened, AnalysisState(spot.at), lead=lead)
    return await _try(context, opened, spot.at, move)


@on_button("anshare")
async def share(context: InteractionContext, click: Click) -> Reply:
    """**Share here**: a position and what was tried for everyone in this channel, each once."""
    page_id, spot = private_page(context), AnalysisState.read(click.arg)
    opened, language = await _opened(context, click), context.language
    opened.board(spot.at)

    async def public(everyone: InteractionContext) -> Reply:
        who = match_text.mention(everyone.user_id, everyone.language)
        by = everyone.language.say("Shared by {player}.", player=who)
        return await _page(everyone, opened, spot, lead=by, public=True)

    if not may_write_here(context.interaction):
        lead = language(REFUSALS["may_not_share"])
    elif await share_once(context, (page_id, spot.at, opened.file), public):
        lead = language.say("Shared: everyone here can see this now.")
    else:
        lead = language(REFUSALS["not_shared"])
    return await _page(context, opened, spot, lead=lead)


async def _show(context: InteractionContext, click: Click, spot: AnalysisState) -> Reply:
    return await _page(context, await _opened(context, click), spot)


async def _page(
    context: InteractionContext,
    opened: _Analysis,
    spot: AnalysisState,
    *,
    found: Found | None = None,
    lead: str = "",
    public: bool = False,
) -> Reply:
    presenter, recorded = context.presenter, opened.source.recorded
    if recorded is not None:
        presenter = replace(presenter, players=recorded.names)
    return await analysis_page(
        opened.board(spot.at),
        spot,
        presenter,
        context.language,
        found=found,
        lead=lead,
        record=opened.file,
        public=public,
    )
