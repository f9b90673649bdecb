"""Moves: typed, picked, or given with a command."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from discord import app_commands

from bot.domain.game_state import (
    GameState,
    board_view,
    check_running,
    game_of,
    game_state_of,
    player_on_turn,
    waits_for,
)
from bot.domain.match import Match
from bot.domain.play import seated
from bot.domain.preferences import PREVIEWS, Preferences, explained
from bot.errors import UserError
from bot.i18n import Language
from bot.services.suggestions import LIMIT, effects, gathered, suggest
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import (
    MATCH_FIELD,
    Sought,
    find_match,
    match_command,
    meant,
    out_of_date,
    present,
    suggest_matches,
)
from bot.ui.interaction.permissions import venue_of
from bot.ui.interaction.registry import (
    AFTER_MOVES,
    PRIVATE,
    Click,
    on_button,
    on_form,
    opens_form,
    resumes,
)
from bot.ui.interaction.results import tell_done, waiting_elsewhere
from bot.ui.interaction.slash import LONGEST, command
from bot.ui.pages import board_page, match_text
from bot.ui.pages.components import Control, Option, Reply
from bot.ui.pages.match_text import as_written, pieces_begun
from bot.ui.play import move_picker_page
from bot.ui.play.move_picker import MovePick, PickLostError
from bot.ui.play.move_picker_page import move_form
from games.errors import IllegalMove, MoveError
from games.view import Marks, Text

_CHOOSE = "?"
"""Opens the panel."""


async def _suggest_moves(context: InteractionContext, typed_move: str) -> list[Option]:
    """Legal moves in the matches around the player that wait for them."""
    found = await context.services.around(context)
    waiting = [match for match in found if waits_for(match, context.user_id)]
    language = context.language
    shown: dict[str, str] = {}

    def suggested(match: Match) -> Sequence[str]:
        moves = suggest(match, as_written(match.game, typed_move, language))
        for letter in () if moves else pieces_begun(match.game, typed_move, language):
            moves += suggest(match, letter)
        for move in moves:
            does = [language(each) for each in effects(match, move)]
            shown.setdefault(move, " · ".join([move, *does]))
        return moves

    moves = await gathered(waiting, suggested)
    suggestions = [Option(move, shown[move]) for move in moves]
    if not waiting or typed_move.strip():
        return suggestions
    # Enter takes the first: it must not be a move.
    choose = Option(_CHOOSE, language.say("Type a move, or choose on the board"))
    return [choose, *suggestions[: LIMIT - 1]]


@command(
    "move",
    Text.of("Play a move in your match here"),
    fields={
        "move": Text.of("Your move; suggestions appear while you type"),
        "match": MATCH_FIELD,
    },
    suggest={"move": _suggest_moves, "match": suggest_matches(Sought.MINE)},
    personal=True,
)
async def move(
    context: InteractionContext,
    move: app_commands.Range[str, 0, LONGEST],
    match: app_commands.Range[str, 0, LONGEST] = "",
) -> Reply:
    """``/move``: play a typed move in the match that is meant."""
    found = await meant(context, f"move/{move.strip()}", Sought.TO_MOVE, match)
    return (
        await move_chosen(context, found, move)
        if move.strip()
        else await typed(context, found, move)
    )


@resumes("move")
async def move_chosen(context: InteractionContext, match: Match, typed_move: str) -> Reply:
    """``/move`` of several matches; without a move, open the panel."""
    if typed_move.strip() not in {"", _CHOOSE}:
        return await typed(context, match, typed_move)
    return await _panel(context, Control("move", match.id, match.version), MovePick())


@match_command("move-here", Text.of("Continue a match in this channel"))
async def move_here(context: InteractionContext, match: Match) -> Reply:
    """``/match move-here``: continue a match in this channel."""
    venue_of(context.interaction, threads=False)
    await context.services.matches.move_here(context.actor, match.id, context.place)
    return Reply(context.language.say("The match continues here. Its board is on the way."))


async def typed(
    context: InteractionContext, match: Match, text: str, *, version: int | None = None
) -> Reply:
    """Play a typed move; a refusal names the rule and marks the place on a picture."""
    if not text.strip():
        hint = game_of(match.game, match.options).info.move_hint
        raise UserError("move_empty", hint=hint)
    try:
        answer = await context.services.matches.move(
            context.actor,
            match.id,
            text=as_written(match.game, text, context.language),
            interaction_id=context.id,
            expected_version=version,
        )
    except MoveError as error:
        return await _illegal(context, match.id, error)
    except UserError as error:
        if error.code == "position_changed":
            return await present(context, match.id, error)
        if error.code == "not_your_turn":
            raise _not_your_turn(await find_match(context, match.id), context.language) from None
        raise
    return tell_done(
        context,
        answer,
        more=" ".join([await words(context, answer.match) for words in AFTER_MOVES]).strip(),
        waiting=await waiting_elsewhere(context, answer.match),
    )


async def _illegal(context: InteractionContext, match_id: str, error: MoveError) -> Reply:
    match = await find_match(context, match_id)
    said = context.why(error, match.game)
    place = error.place if isinstance(error, IllegalMove) else ()
    if not place or not match.state:
        return Reply(said)
    if not all(cell in said for cell in place):
        said = f"{said} ({', '.join(place)})"
    view = board_view(match)
    marked = view.with_marks(Marks(refused=view.named(place)))
    picture = await context.reader.picture(match, marked, name="refused")
    if picture is None:
        return Reply(said)
    return board_page.refused(match, said, picture, context.language)


def _check_on_turn(context: InteractionContext, match: Match) -> None:
    """Refuse everyone but the player on turn."""
    check_running(match)
    index = seated(match, context.user_id)
    on_turn = player_on_turn(match)
    if on_turn != index:
        raise _not_your_turn(match, context.language)


@on_button("move", how=PRIVATE)
async def panel(context: InteractionContext, click: Click) -> Reply:
    """**Make a move**: ask for the first pick."""
    return await _panel(context, click, MovePick())


@on_button("way")
async def way(context: InteractionContext, click: Click) -> Reply:
    """**Back**: ask an earlier question again; or a move with a button of its own."""
    return await _onward(context, click, MovePick.read(click.arg))


@on_button("pick")
async def pick(context: InteractionContext, click: Click) -> Reply:
    """A choice: ask for the next pick, or preview the move."""
    asked, _, answer = click.arg.partition(move_picker_page.JOINT)
    came_from = MovePick.read(asked)
    way = came_from.then(answer)
    return await _onward(context, click, way, came_from=came_from)


async def _onward(
    context: InteractionContext,
    click: Click,
    way: MovePick,
    *,
    came_from: MovePick | None = None,
) -> Reply:
    """Ask for the next pick; without a preview, a whole move is played at once."""
    chosen = await context.services.preferences.of(context.user_id)
    if not chosen.preview:
        match = await find_match(context, click.match)
        whole = _picked(match, replace(click, arg=str(way)))
        if whole is not None:
            return await typed(context, match, whole, version=click.version)
    return await _panel(context, click, way, came_from=came_from)


async def _panel(
    context: InteractionContext,
    control: Control,
    way: MovePick,
    *,
    came_from: MovePick | None = None,
) -> Reply:
    match = await find_match(context, control.match)
    _check_on_turn(context, match)
    if not match.position_since <= control.version <= match.version:
        error = UserError("position_changed", version=match.version)
        return await present(context, match.id, error)
    context.services.answers.opened(context.interaction, match)
    chosen = await context.services.preferences.of(context.user_id)
    try:
        primer = move_picker_page.primer_of(match, way)
        if primer is not None and primer[0] in chosen.explained:
            primer = None
        reply = await move_picker_page.panel(
            match,
            way,
            context.reader,
            came_from=came_from,
            primer=primer and primer[1],
            without=chosen.previews == PREVIEWS,
        )
    except PickLostError:
        return await out_of_date(context, match.id)
    if primer is not None:
        await _note(context, partial(explained, primer[0]))
    return reply


async def _note(context: InteractionContext, change: Callable[[Preferences], Preferences]) -> None:
    """Save a setting; if that fails, the explanation is shown once more."""
    with contextlib.suppress(UserError):
        await context.services.preferences.change(context.user_id, change)


@on_button("playfast")
async def play_without_preview(context: InteractionContext, click: Click) -> Reply:
    """**Play without preview**: confirm this move, and skip the preview from now on."""
    await context.services.preferences.change(
        context.user_id, lambda chosen: replace(chosen, preview=False, previews=PREVIEWS + 1)
    )
    return await play_picked(context, click)


@on_button("play")
async def play_picked(context: InteractionContext, click: Click) -> Reply:
    """Confirm a picked move."""
    match = await find_match(context, click.match)
    if not match.state:
        raise UserError("not_started")
    move = _picked(match, click)
    if move is None:
        error = UserError("position_changed", version=match.version)
        repeated = match.moved_by == match.index_of(context.user_id) is not None
        if repeated and MovePick.read(click.arg).picks:
            # The second of two clicks: the move is on the board already.
            return await _again(context, match, click, error)
        return await present(context, match.id, error)
    chosen = await context.services.preferences.of(context.user_id)
    if chosen.previews <= PREVIEWS:
        await _note(
            context,
            lambda chosen: replace(chosen, previews=min(chosen.previews + 1, PREVIEWS + 1)),
        )
    return await typed(context, match, move, version=click.version)


async def _again(
    context: InteractionContext, match: Match, control: Control, error: UserError
) -> Reply:
    before = game_of(match.game, match.options)
    position = before.decode(match.previous_state) if match.previous_state else None
    if position is not None:
        way = MovePick.read(control.arg)
        move = move_picker_page.whole_move(GameState(before, position), way)
        if move == match.last_move:
            return await typed(context, match, move, version=control.version)
    return await present(context, match.id, error)


def _picked(match: Match, control: Control) -> str | None:
    """The move at the end of the way, if the position is still the same."""
    if not match.state or not match.position_since <= control.version <= match.version:
        return None
    return move_picker_page.whole_move(game_state_of(match), MovePick.read(control.arg))


@on_form("typed")
async def typed_in_form(context: InteractionContext, click: Click) -> Reply:
    """A move typed into the form of the panel."""
    match = await find_match(context, click.match)
    return await typed(context, match, click.text, version=click.version)


opens_form("type", "typed")(move_form)


def _not_your_turn(match: Match, language: Language) -> UserError:
    """The refusal that names the player on turn, unless the match has just ended."""
    if match.status.is_final:
        return UserError("match_over", status=match.status.value)
    on_turn = player_on_turn(match)
    person = None if on_turn is None else match.players[on_turn]
    return UserError("not_your_turn", player=match_text.mention(person, language))
