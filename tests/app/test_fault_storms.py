"""Whole matches while the network and Discord fail in ways that a seed draws.

``make faults`` draws many more, from its ``SEED`` on. Each fault alone is in ``test_faults.py`` and
its neighbours.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter

import pytest

from bot.ui.delivery import poster
from playground.faults import Delay, Drop, Fault, Junk, Status, TooMany, When
from playground.forms import all_text
from playground.person import InteractionFailed, Person
from tests.support.hosted import Game, Json, shown_board

STORMS = int(os.environ.get("PARLOUR_STORMS", "2"))
SEED = int(os.environ.get("PARLOUR_SEED", "1"))

_PATHS = {
    "acknowledge": ("POST", r".*/interactions/\d+/[^/]+/callback"),
    "answer": ("PATCH", r".*/webhooks/\d+/[^/]+/messages/@original"),
    "take back": ("DELETE", r".*/webhooks/\d+/[^/]+/messages/.*"),
    "post": ("POST", r".*/channels/\d+/messages"),
    "edit": ("PATCH", r".*/channels/\d+/messages/\d+"),
    "delete": ("DELETE", r".*/channels/\d+/messages/\d+"),
    "anything": (None, r".*"),
}
_FAULTS: tuple[Fault, ...] = (
    *(Status(500), Status(502, html=True), Status(503), Drop(), Drop(reset=True), Delay(0.4)),
    *(Junk(), Junk("{}", "application/json"), TooMany(0.3), TooMany(0.3, is_global=True)),
)
_WHEN: tuple[When, ...] = ("before", "after")


class _Storm:
    """A match of Quax whose moves meet with faults."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.rng = random.Random(seed)
        self.played: list[str] = []

    async def gathers(self) -> None:
        """Order faults for the requests to come, and now and then break the connection to it."""
        rng, playground = self.rng, self.game.hosted.playground
        for _ in range(rng.randrange(6)):
            method, path = _PATHS[rng.choice(sorted(_PATHS))]
            fault, when = rng.choice(_FAULTS), rng.choice(_WHEN)
            times, skip = rng.choice((1, 1, 2)), rng.randrange(3)
            playground.faults.rest(method, path, fault, when=when, times=times, skip=skip)
        if rng.random() < 0.3:
            playground.faults.event("INTERACTION_CREATE", copies=rng.choice((2, 3)))
        await asyncio.sleep(rng.random() / 5)
        gateway = playground.gateway
        match rng.randrange(8):
            case 0:
                gateway.abort_all()
            case 1:
                await gateway.close_all(4000)
            case 2:
                gateway.reconnect_all()
            case 3:
                gateway.replay_all()
            case _:
                pass

    async def move(self, person: Person, move: str) -> None:
        """Try a move until it counts; it must count once, and be told if it is said to."""
        for _ in range(8):
            weather = asyncio.create_task(self.gathers())
            try:
                said = all_text(await self.game.say(person, move))
            except (InteractionFailed, TimeoutError):
                said = ""
            await weather
            (match, _), *others = await self.game.hosted.history()
            assert not others
            assert match.ply - len(self.played) in (0, 1), "a move counts once"
            if match.ply > len(self.played):
                self.played.append(move)
                return
            assert "You played" not in said, "what was said to count does not"
        raise AssertionError(f"{move} never counted")

    async def public(self) -> list[Json]:
        """The public messages in the home of the match, newest first."""
        found = await self.game.black.messages(self.game.home, limit=100)
        return [each for each in found if not each["flags"] & 64]


@pytest.mark.parametrize("seed", range(SEED, SEED + STORMS))
async def test_no_fault_loses_or_doubles_a_move_a_board_or_a_call(
    game: Game, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(poster, "_FIRST_PAUSE", 0.5)
    storm = _Storm(game, seed)
    for number, move in enumerate(("a1", "c5", "b2", "d4", "c1", "e4", "b4", "e1")):
        await storm.move((game.black, game.white)[number % 2], move)
        if storm.rng.random() < 0.15:
            await game.hosted.restart()
    game.hosted.playground.faults.clear()
    await game.hosted.settled()

    assert "8 e1" in all_text(await game.board())
    boards = [each for each in await storm.public() if shown_board(each) is not None]
    versions = Counter(shown_board(each) for each in boards)
    assert set(versions.values()) == {1}, "each position is posted once"
    live = [":move:" in str(each["components"]) for each in boards]
    assert live == [True] + [False] * (len(boards) - 1), "only the newest board has buttons"
    said = await storm.public()
    calls = [each for each in said if f"<@{game.black.id}>, your move" in all_text(each)]
    assert len(calls) == 1, "one line calls the player whose turn it is"
    assert not any(f"<@{game.white.id}>, your move" in all_text(each) for each in said)

    await game.hosted.restart()
    await game.hosted.settled()
    assert await storm.public() == said, "a start posts nothing again"
