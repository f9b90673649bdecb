"""Every game of the catalogue, played through the bot by typing alone and by tapping alone.

The moves are drawn at random, the board is the smallest there is, and a game that has not ended
after ``PARLOUR_PLIES`` moves is resigned: a few by default, 1000 to play every game to its end.
"""

from __future__ import annotations

import os
from collections.abc import Coroutine
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.domain.history import verify
from games import catalog
from games.api import Game, IntOption
from playground.forms import all_text
from playground.person import Person
from playground.world.controls import walk
from tests.support.hosted import Hosted, Json, hosted, picks

PLIES = int(os.environ.get("PARLOUR_PLIES", "8"))


@dataclass
class Sitting:
    """A match of some game, and where it stands by the game's own rules."""

    table: Hosted
    game: Game[Any, Any]
    position: Any
    people: list[Person]
    home: int
    rng: Random

    @property
    def mover(self) -> Person:
        """The person on turn."""
        seat = self.game.to_move(self.position)
        assert seat is not None
        return self.people[self.game.seating(self.position)[seat]]

    async def board(self) -> Json:
        """The newest board that everybody sees."""
        await self.table.settled()
        return next(
            message
            for message in await self.people[0].messages(self.home)
            if not message["flags"] & 64 and message["components"]
        )

    def played(self, move: str, told: Json) -> None:
        """Note a move that the bot says it has taken."""
        assert f"You played {move}." in all_text(told), all_text(told)
        self.position = self.game.play(self.position, self.game.parse(self.position, move))


async def by_typing(sitting: Sitting) -> None:
    """Type some legal move."""
    game, position = sitting.game, sitting.position
    moves = list(game.legal_moves(position))
    move = game.notation(position, sitting.rng.choice(moves))
    mover = sitting.mover
    nonce = await mover.slash("move", sitting.home, move=move)
    sitting.played(move, await mover.wait_answer(nonce))


async def by_tapping(sitting: Sitting) -> None:
    """Take whatever the panel offers until it shows a whole move, and confirm that."""
    mover = sitting.mover
    panel = await mover.press(await sitting.board(), label="Make a move")
    for _ in range(12):
        label = _button(panel, "Play ")
        if label:
            break
        chosen = sitting.rng.choice(list(picks(panel).values()))
        panel = await _then(mover, panel, mover.click(panel, custom_id=chosen))
    told = await _then(mover, panel, mover.click(panel, label=label))
    sitting.played(label.removeprefix("Play "), told)


async def _then(person: Person, panel: Json, action: Coroutine[Any, Any, str]) -> Json:
    """Do something in a panel; what it shows afterwards."""
    after = len(person.events)
    await action
    return await person.wait_message(lambda m: m["id"] == panel["id"], after=after)


def _button(message: Json, beginning: str) -> str:
    labels = [each["label"] for each in walk(message["components"]) if each["type"] == 2]
    return next((label for label in labels if label.startswith(beginning)), "")


async def _sit_down(table: Hosted, key: str, rng: Random) -> Sitting:
    """Offer the smallest board there is, and take all its seats."""
    info = catalog.GAMES[key].info
    small = {each.key: each.minimum for each in info.options if isinstance(each, IntOption)}
    game = catalog.create(key, small)
    names = ("Anna", "Ben", "Cleo", "Dan", "Eva", "Finn")[: len(game.seats)]
    people = [await table.join(name) for name in names]
    channel = int(people[0].guild["channels"][0]["id"])
    options = ", ".join(f"{name} {value}" for name, value in small.items())
    nonce = await people[0].slash("play", channel, game=key, options=options, side="1")
    assert "Offer sent." in all_text(await people[0].wait_answer(nonce))
    for person in people[1:]:
        await table.settled()
        offer = next(
            each
            for each in await person.messages(channel)
            if "would like to play" in all_text(each)
        )
        await person.press(offer, label="Accept")
    board = await people[0].wait_message(lambda m: "Make a move" in str(m["components"]))
    return Sitting(table, game, game.initial(Random(0)), people, int(board["channel_id"]), rng)


@pytest.mark.timeout(120 + 5 * PLIES)
@pytest.mark.parametrize("key", list(catalog.GAMES))
async def test_a_game_goes_from_the_offer_to_the_result(tmp_path: Path, key: str) -> None:
    """Its moves are typed and tapped in turn."""
    ways = cycle((by_typing, by_typing, by_tapping, by_tapping))
    async with hosted(tmp_path, commands_per_second=1000.0) as table:
        sitting = await _sit_down(table, key, Random(7))
        for _ in range(PLIES):
            if sitting.game.outcome(sitting.position) is not None:
                break
            await next(ways)(sitting)
        ((match, _),) = await table.history()
        assert match.state == sitting.game.encode(sitting.position)
        outcome = sitting.game.outcome(sitting.position)
        if outcome is None:
            # Where several sit, the others play on until one is left.
            *leaving, winner = sitting.people
            for person in leaving:
                await _resign(sitting, person)
            winners = [winner]
        else:
            seating = sitting.game.seating(sitting.position)
            winners = [sitting.people[seating[seat]] for seat in outcome.winners]

        board = await sitting.board()
        assert not _button(board, "Make a move")
        result = next(line for line in all_text(board).splitlines() if line.startswith("**"))
        assert all(f"<@{person.id}>" in result for person in winners), result
        assert ("win" if winners else "Draw.") in result
        ((match, events),) = await table.history()
        verify(match, events)
        assert {match.players[at] for at in match.result.winners} == {each.id for each in winners}


async def _resign(sitting: Sitting, person: Person) -> None:
    asked = await person.ask("match resign", sitting.home)
    told = await _then(person, asked, person.click(asked, label="Resign"))
    assert "You resigned." in all_text(told)
