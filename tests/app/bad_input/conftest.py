"""A match that nothing moves, whatever people throw at it: one for all tests of a module."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio

from bot.domain.ids import MatchId
from bot.domain.match import Match
from playground.forms import all_text
from playground.person import Person
from playground.world.model import InteractionType
from tests.support.hosted import Game, Hosted, Json, hosted, press, start_quax

BUTTON, SELECT, USERS = 2, 3, 5


@dataclass
class Still:
    """A match of Quax in which a1 and b5 have been played; Anna is Black and on turn.

    Everything that is refused here is answered to one person alone, in words, and changes nothing.
    """

    game: Game
    match: Match
    board: Json

    @property
    def table(self) -> Hosted:
        return self.game.hosted

    @property
    def id(self) -> MatchId:
        return self.match.id

    async def refused(
        self,
        data: Json,
        *words: str,
        kind: InteractionType = InteractionType.COMPONENT,
        by: Person | None = None,
        where: int | None = None,
        message: Json | None = None,
    ) -> Json:
        """Deliver it as it is; the private answer, which holds one of the words."""
        person = by or self.game.black
        before = await self.table.history()
        answer = await self.table.raw(person, kind, where or self.game.home, data, message=message)
        return await self.check(answer, before, *words)

    async def check(self, answer: Json, before: object, *words: str) -> Json:
        """An answer that refuses something."""
        said = all_text(answer)
        assert said.strip(), "there are words"
        assert answer["flags"] & 64, "they are private"
        assert not answer["mention_everyone"]
        assert "Something went wrong" not in said, "it is no bug"
        assert not words or any(each in said for each in words), said
        assert await self.table.history() == before, "nothing has changed"
        return answer

    async def move(self, text: str, *words: str, by: Person | None = None) -> Json:
        """Have a typed move refused."""
        return await self.refused(
            await self.command("move", {"move": text}),
            *words,
            kind=InteractionType.COMMAND,
            by=by,
        )

    async def command(self, name: str, fields: Json, **more: object) -> Json:
        """A slash command with fields of text, not looked at by anybody before it is sent."""
        top, _, inner = name.partition(" ")
        found = await self.game.black.command(top, self.game.home)
        leaf = next((each for each in found["options"] if each["name"] == inner), found)
        kinds = {each["name"]: each["type"] for each in leaf["options"]}
        options = [
            {"type": kinds.get(key, 3), "name": key, "value": value}
            for key, value in fields.items()
        ]
        if inner:
            options = [{"type": 1, "name": inner, "options": options}]
        return {"id": found["id"], "name": top, "type": 1, "options": options, **more}

    async def click(self, custom_id: str, *words: str, **how: object) -> Json:
        """Have a click refused; ``{match}`` in the custom id stands for this match."""
        given = custom_id.replace("{match}", self.id)
        message = how.pop("message", self.board)
        data = {"component_type": BUTTON, "custom_id": given}
        return await self.refused(data, *words, message=message, **how)  # type: ignore[arg-type]

    async def panel(self) -> Json:
        """The page of Make a move."""
        black = self.game.black
        return await press(black, self.board, "move")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def still(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Still]:
    folder = tmp_path_factory.mktemp("still")
    async with hosted(folder, commands_per_second=1000.0, commands_burst=10_000) as table:
        game = await start_quax(table)
        await game.say(game.black, "a1")
        await game.say(game.white, "b5")
        await table.settled()
        ((match, _),) = await table.history()
        yield Still(game, match, await game.board())


# ---- envelopes -----------------------------------------------------------------------------------

ODD: tuple[Any, ...] = (None, True, 10**400, "x\0\u2060", [None], {"id": "x"})
GONE = object()
"""A field that is missing."""


async def envelope_of(
    still: Still,
    kind: InteractionType,
    data: Json,
    message: Json | None = None,
    *,
    by: Person | None = None,
    where: int | None = None,
) -> Json:
    """An interaction as the bot hears it."""
    heard: list[Json] = []

    def note(event: Json) -> Json:
        heard.append(copy.deepcopy(event))
        return event

    still.table.playground.faults.event("INTERACTION_CREATE", change=note)
    await still.table.raw(
        by or still.game.black, kind, where or still.game.home, data, message=message
    )
    return heard[0]
