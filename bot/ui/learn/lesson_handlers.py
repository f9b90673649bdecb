"""Learning: lessons and puzzles. Changes nothing, remembers nothing."""

from __future__ import annotations

from dataclasses import replace

from bot.errors import UserError
from bot.i18n.sentences import refusal
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import Acting
from bot.ui.interaction.responses import Reply
from bot.ui.learn.lesson_page import LessonState, LessonTask, overview_page, task_page
from bot.ui.pages.custom_ids import Control
from bot.ui.play.move_picker import MovePick, PickLostError
from games.errors import IllegalMove, MoveError

_LONGEST_MOVE = 100


class Learning(Acting):
    """Acts of those who learn a game."""

    async def learn(self, context: InteractionContext, key: str) -> Reply:
        """``/learn``: the first page of a game's lesson."""
        return await self._learn(context, LessonState(key))

    async def learn_on(
        self, context: InteractionContext, control: Control, value: str = ""
    ) -> Reply:
        """A button of the page, or its menu of puzzles: another page in its place."""
        return await self._learn(context, LessonState.read(value or control.arg))

    async def learn_pick(self, context: InteractionContext, control: Control, value: str) -> Reply:
        """A choice of the menu of moves: ask for the next part, or judge the whole move."""
        spot = LessonState.read(control.arg)
        try:
            way = spot.way.then(value)
        except PickLostError:
            raise UserError("out_of_date") from None
        if not value:
            raise UserError("out_of_date")
        return await self._learn(context, replace(spot, way=way))

    async def learn_hint(self, context: InteractionContext, control: Control) -> Reply:
        """**Hint**."""
        spot = LessonState.read(control.arg)
        hint = context.language(LessonTask.at(spot).task.hint)
        return await self._learn(context, spot, lead=hint)

    async def learn_answer(self, context: InteractionContext, control: Control) -> Reply:
        """**Show the answer**: as if the person had found it."""
        spot = LessonState.read(control.arg)
        bench = LessonTask.at(spot)
        answer = bench.task.answer
        lead = context.language.say("The answer is {move}.", move=answer)
        return await self._learn(context, replace(spot, way=bench.way_to(answer)), lead=lead)

    async def learn_typed(self, context: InteractionContext, control: Control, text: str) -> Reply:
        """A move typed into the form; a refusal names the rule and marks the place."""
        spot = LessonState.read(control.arg)
        bench = LessonTask.at(spot)
        try:
            way = bench.way_to(text[: _LONGEST_MOVE + 1])
        except MoveError as error:
            lead = context.language(refusal(error, spot.game))
            place = error.place if isinstance(error, IllegalMove) else ()
            spot = replace(spot, way=MovePick())
            return await self._learn(context, spot, lead=lead, refused=place)
        return await self._learn(context, replace(spot, way=way))

    async def _learn(
        self,
        context: InteractionContext,
        spot: LessonState,
        *,
        lead: str = "",
        refused: tuple[str, ...] = (),
    ) -> Reply:
        if spot.number is None:
            return overview_page(spot, context.language)
        return await task_page(
            spot, context.presenter, context.language, lead=lead, refused=refused
        )
