"""The process is killed at each named point of the way of a move, and nothing is lost or doubled.

For each kill: start the bot with a failpoint, have the person on turn play (typed or tapped), wait
for the death, start the bot again without one, and compare what people were told and see with what
the database holds. Ten kills meet every point once, every other one with a move that is typed. With
``PARLOUR_CRASHES``, so many kills, a second run has those typed that were tapped in the first.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games import catalog
from playground.errors import DiscordError
from playground.forms import all_text
from playground.observer import Observer
from playground.person import InteractionFailed, Person
from playground.server import Playground
from tests.support.bot_process import BotProcess
from tests.support.hosted import offered, shown_board

KILLS = int(os.environ.get("PARLOUR_CRASHES", "10"))
SEED = int(os.environ.get("PARLOUR_SEED", "1"))
POINTS = ("c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10")
NOT_APPLIED = {"c1", "c2", "c3", "c4"}
Json = dict[str, Any]


@dataclass
class Crashing:
    """One match of Quax whose bot dies again and again."""

    bot: BotProcess
    people: tuple[Person, Person]
    home: int
    rng: Random
    acknowledged: list[str]

    def position(self) -> tuple[Any, Any]:
        """The game and its position after the stored moves."""
        game = catalog.create("quax", {"size": 15, "pie": "off"})
        position = game.initial(Random(0))
        for text in self.bot.moves():
            position = game.play(position, game.parse(position, text))
        return game, position

    async def boards(self) -> list[tuple[int, Json]]:
        """The boards in the match's thread with the versions that they show, newest first."""
        seen = await self.people[0].messages(self.home, limit=100)
        found = [(shown_board(message), message) for message in seen]
        return [(board[1], message) for board, message in found if board is not None]

    async def repaired(self) -> None:
        """Wait until the newest board shows what the store holds and nothing is left to send."""
        async with asyncio.timeout(60):
            while True:
                boards = await self.boards()
                if boards and boards[0][0] == self.bot.version() and not self.bot.waiting():
                    return
                await asyncio.sleep(0.05)

    def choose(self) -> tuple[Person, str]:
        """The person on turn and a legal drop: drops alone, so that the game is long."""
        game, position = self.position()
        legal = [game.notation(position, move) for move in game.legal_moves(position)]
        person = self.people[game.to_move(position)]
        return person, self.rng.choice([text for text in legal if len(text) < 4])

    async def play(self, person: Person, move: str, *, typed: bool) -> None:
        """Have a person play a move, come what may, and note what they were told."""
        with contextlib.suppress(InteractionFailed, TimeoutError, LookupError, DiscordError):
            if typed:
                answer = await person.wait_answer(
                    await person.slash("move", self.home, move=move), patience=8
                )
            else:
                answer = await self._tap(person, move)
            if f"You played {move}." in all_text(answer):
                self.acknowledged.append(move)

    async def _tap(self, person: Person, move: str) -> Json:
        """Pick the move's column, then its cell, then confirm."""
        _, board = (await self.boards())[0]
        panel = await person.press(board, label="Make a move")
        for wanted in (move[0], move):
            after = len(person.events)
            await person.wait_success(await person.click(panel, label=wanted))
            panel = await _edited(person, panel["id"], after)
        after = len(person.events)
        await person.click(panel, label=f"Play {move}")
        return await _edited(person, panel["id"], after)


async def _edited(person: Person, message_id: str, after: int) -> Json:
    return await person.wait_message(lambda m: m["id"] == message_id, after=after, patience=8)


async def _begin(playground: Playground, bot: BotProcess, seed: int) -> Crashing:
    await bot.start()
    anna = await Person.join(playground.address, "Anna")
    ben = await Person.join(playground.address, "Ben")
    channel = int(anna.guild["channels"][0]["id"])
    nonce = await anna.slash(
        "play", channel, game="quax", opponent=ben, options="size 15, pie off", side="1"
    )
    await anna.wait_answer(nonce)
    offer = await offered(ben)
    await ben.wait_success(await ben.click(offer, label="Accept"))
    board = await anna.wait_message(lambda m: "Make a move" in str(m["components"]))
    match = Crashing(bot, (anna, ben), int(board["channel_id"]), Random(seed), [])
    await match.repaired()
    await bot.kill()
    return match


@pytest.mark.first
@pytest.mark.timeout(300 + 20 * KILLS)
@pytest.mark.parametrize("seed", [SEED, SEED + 1] if "PARLOUR_CRASHES" in os.environ else [SEED])
async def test_p1_p2_p5_p6_kills_lose_nothing(
    tmp_path: Path, seed: int, observer: Observer
) -> None:
    order = [POINTS[(seed + number) % len(POINTS)] for number in range(KILLS)]
    async with Playground(observer=observer) as playground:
        bot = BotProcess(playground, tmp_path)
        match = await _begin(playground, bot, seed)
        try:
            for number, point in enumerate(order):
                before = bot.moves()
                bot.forget_sessions()
                await bot.start(failpoint=point)
                typed = number % 2 == 0
                person, move = match.choose()
                assert await _dies_of(match, person, move, typed=typed), (point, move)
                after = bot.moves()
                # The preview of a tapped move is drawn before there is anything to store.
                early = point in NOT_APPLIED or (point == "c6" and not typed)
                assert after == (before if early else [*before, move]), (point, typed)

                await bot.start()
                await match.repaired()
                assert bot.moves() == after, f"{point}: a restart changed the game"
                await bot.kill()
            await _check(match)
        finally:
            await bot.kill()
            for person in match.people:
                await person.close()
    assert playground.problems == []


async def test_p1_p2_kills_while_stopping_do_no_harm(tmp_path: Path, observer: Observer) -> None:
    async with Playground(observer=observer) as playground:
        bot = BotProcess(playground, tmp_path)
        match = await _begin(playground, bot, 4)
        try:
            await bot.start(failpoint="c14")
            person, move = match.choose()
            await match.play(person, move, typed=True)
            assert match.acknowledged == [move]
            assert bot.process is not None
            bot.process.send_signal(signal.SIGTERM)
            assert await bot.died()
            await bot.start()
            await match.repaired()
            assert bot.moves() == [move]
            await _check(match)
        finally:
            await bot.kill()
            for each in match.people:
                await each.close()
    assert playground.problems == []


async def _dies_of(match: Crashing, person: Person, move: str, *, typed: bool) -> bool:
    """Have the bot die of a move, tried again where a slow machine makes Discord give it up."""
    for _ in range(5):
        playing = asyncio.create_task(match.play(person, move, typed=typed))
        dying = asyncio.create_task(match.bot.died(patience=15))
        await asyncio.wait({playing, dying}, return_when=asyncio.FIRST_COMPLETED)
        if playing.done() and not dying.done():
            await asyncio.wait({dying}, timeout=5)
        if dying.done():
            await asyncio.wait({playing}, timeout=0.5)
        playing.cancel()
        if dying.done():
            return dying.result()
        dying.cancel()
    return False


async def _check(match: Crashing) -> None:
    """The messages agree with the stored match, and none is there twice."""
    stored = match.bot.moves()
    kept = iter(stored)
    assert all(move in kept for move in match.acknowledged), "an acknowledged move is lost"
    boards = await match.boards()
    twice = [version for version, times in Counter(v for v, _ in boards).items() if times > 1]
    assert not twice, f"boards {twice} were posted twice"
    assert [version for version, _ in boards] == sorted((v for v, _ in boards), reverse=True)
    live = [version for version, message in boards if "Make a move" in str(message["components"])]
    assert live == [match.bot.version()], "the newest board has buttons, and no other"
    notices = [
        all_text(message)
        for message in await match.people[0].messages(match.home, limit=100)
        if "your move in" in all_text(message)
    ]
    assert len(notices) <= 1, "a line is there whose turn is over"
