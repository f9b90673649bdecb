"""Learning: lessons and puzzles. Changes nothing, remembers nothing."""

from __future__ import annotations

from dataclasses import replace

from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import Click, on_button, on_form, on_menu, opens_form
from bot.ui.learn.lesson_page import LessonState, LessonTask, overview_page, task_page
from bot.ui.pages.components import Reply
from bot.ui.pages.match_text import as_written
from bot.ui.play.move_picker import MovePick
from bot.ui.play.move_picker_page import move_form
from games.errors import IllegalMove, MoveError


@on_button("learn")
@on_menu("learnto")
async def learn_on(context: InteractionContext, click: Click) -> Reply:
    """A button of the page, or its menu of puzzles: another page in its place."""
    return await _learn(context, LessonState.read(click.value or click.arg))


@on_menu("learnpick")
async def learn_pick(context: InteractionContext, click: Click) -> Reply:
    """A choice of the menu of moves: ask for the next part, or judge the whole move."""
    spot = LessonState.read(click.arg)
    way = spot.way.then(click.choice)
    return await _learn(context, replace(spot, way=way))


@on_button("learnhint")
async def learn_hint(context: InteractionContext, click: Click) -> Reply:
    """**Hint**."""
    spot = LessonState.read(click.arg)
    hint = context.language(LessonTask.at(spot).task.hint)
    return await _learn(context, spot, lead=hint)


@on_button("learnshow")
async def learn_answer(context: InteractionContext, click: Click) -> Reply:
    """**Show the answer**: as if the person had found it."""
    spot = LessonState.read(click.arg)
    lesson_task = LessonTask.at(spot)
    answer = lesson_task.task.answer
    lead = context.language.say("The answer is {move}.", move=answer)
    return await _learn(context, replace(spot, way=lesson_task.way_to(answer)), lead=lead)


opens_form("learntype", "learntyped")(move_form)


@on_form("learntyped")
async def learn_typed(context: InteractionContext, click: Click) -> Reply:
    """A move typed into the form; a refusal names the rule and marks the place."""
    spot = LessonState.read(click.arg)
    lesson_task = LessonTask.at(spot)
    try:
        way = lesson_task.way_to(as_written(spot.game, click.text, context.language))
    except MoveError as error:
        lead = context.why(error, spot.game)
        place = error.place if isinstance(error, IllegalMove) else ()
        spot = replace(spot, way=MovePick())
        return await _learn(context, spot, lead=lead, refused=place)
    return await _learn(context, replace(spot, way=way))


async def _learn(
    context: InteractionContext,
    spot: LessonState,
    *,
    lead: str = "",
    refused: tuple[str, ...] = (),
) -> Reply:
    if spot.number is None:
        return overview_page(spot, context.language)
    return await task_page(spot, context.presenter, context.language, lead=lead, refused=refused)
