"""Learning: lessons and puzzles. Changes nothing, remembers nothing."""

from __future__ import annotations

from dataclasses import replace

from bot.errors import UserError
from bot.i18n.sentences import refusal
from bot.ui.acting import Acting
from bot.ui.answers import Reply
from bot.ui.controls import Control
from bot.ui.desk import Visit
from bot.ui.lessons import Bench, Spot, overview_page, task_page
from bot.ui.panel import Way, WayLostError
from games.errors import IllegalMove, MoveError

_LONGEST_MOVE = 100


class Learning(Acting):
    """Acts of those who learn a game."""

    async def learn(self, visit: Visit, key: str) -> Reply:
        """``/learn``: the first page of a game's lesson."""
        return await self._learn(visit, Spot(key))

    async def learn_on(self, visit: Visit, control: Control, value: str = "") -> Reply:
        """A button of the page, or its menu of puzzles: another page in its place."""
        return await self._learn(visit, Spot.read(value or control.arg))

    async def learn_pick(self, visit: Visit, control: Control, value: str) -> Reply:
        """A choice of the menu of moves: ask for the next part, or judge the whole move."""
        spot = Spot.read(control.arg)
        try:
            way = spot.way.then(value)
        except WayLostError:
            raise UserError("out_of_date") from None
        if not value:
            raise UserError("out_of_date")
        return await self._learn(visit, replace(spot, way=way))

    async def learn_hint(self, visit: Visit, control: Control) -> Reply:
        """**Hint**."""
        spot = Spot.read(control.arg)
        hint = visit.language(Bench.at(spot).task.hint)
        return await self._learn(visit, spot, lead=hint)

    async def learn_answer(self, visit: Visit, control: Control) -> Reply:
        """**Show the answer**: as if the person had found it."""
        spot = Spot.read(control.arg)
        bench = Bench.at(spot)
        answer = bench.task.answer
        lead = visit.language.say("The answer is {move}.", move=answer)
        return await self._learn(visit, replace(spot, way=bench.way_to(answer)), lead=lead)

    async def learn_typed(self, visit: Visit, control: Control, text: str) -> Reply:
        """A move typed into the form; a refusal names the rule and marks the place."""
        spot = Spot.read(control.arg)
        bench = Bench.at(spot)
        try:
            way = bench.way_to(text[: _LONGEST_MOVE + 1])
        except MoveError as error:
            lead = visit.language(refusal(error, spot.game))
            place = error.place if isinstance(error, IllegalMove) else ()
            spot = replace(spot, way=Way())
            return await self._learn(visit, spot, lead=lead, refused=place)
        return await self._learn(visit, replace(spot, way=way))

    async def _learn(
        self, visit: Visit, spot: Spot, *, lead: str = "", refused: tuple[str, ...] = ()
    ) -> Reply:
        if spot.number is None:
            return overview_page(spot, visit.language)
        return await task_page(spot, visit.stage, visit.language, lead=lead, refused=refused)
