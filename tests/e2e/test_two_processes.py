"""Two processes on one PostgreSQL, both of which hear of everything three times."""

from __future__ import annotations

import asyncio
import re
import signal
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import ClassVar

import pytest

from bot.app.health import is_healthy
from bot.domain.history import verify
from bot.store import open_reader
from playground.forms import all_text
from playground.observer import Observer
from playground.person import Person
from playground.server import Playground
from tests.e2e.bot_on_postgres import BotOnPostgres
from tests.support.hosted import Json, shown_board

pytestmark = [pytest.mark.postgres, pytest.mark.timeout(300)]

_PATIENCE = 30.0


class Process(BotOnPostgres):
    """One of the two, with what it logs."""

    settings: ClassVar[dict[str, str]] = {"PARLOUR_SHARD_COUNT": "1", "PARLOUR_SHARD_IDS": "0"}

    async def end(self) -> None:
        """Stop it in order; it must have been well until then."""
        well, said = await asyncio.to_thread(is_healthy, self.health_port)
        self.child.send_signal(signal.SIGTERM)
        out, _ = await self.child.communicate()
        code, logged = self.child.returncode, out.decode()
        assert (well, code) == (True, 0), f"{said}\n{logged}"
        bad = [
            line for line in logged.splitlines() if "error" in line.lower().replace("errors", "")
        ]
        assert bad == []
        assert "Traceback" not in logged, logged


@pytest.fixture
async def playground(observer: Observer) -> AsyncIterator[Playground]:
    async with Playground(allow_faults=True, observer=observer) as made:
        yield made
    assert not made.problems, made.problems


async def _two(playground: Playground, folder: Path, database: str) -> list[Process]:
    made = [await Process.start(playground, folder / name, database) for name in ("one", "another")]
    async with asyncio.timeout(60):
        while sum(each.session is not None for each in playground.gateway.connections) < 2:
            assert all(each.child.returncode is None for each in made)
            await asyncio.sleep(0.05)
    return made


def _version(message: Json) -> int | None:
    """The version of the match that a board shows to all; None for what is no such board."""
    found = None if message["flags"] & 64 else shown_board(message)
    return None if found is None else found[1]


async def _quiet(person: Person, channels: list[int]) -> list[Json]:
    """All messages of some channels, newest first, once nothing has changed for a while."""
    seen: list[Json] = []
    for _ in range(60):
        before, seen = seen, [m for each in channels for m in await person.messages(each)]
        if before == seen:
            return seen
        await asyncio.sleep(0.5)
    raise TimeoutError("there is always something new")


async def _board(person: Person, home: int, version: int) -> Json:
    """The board of that version, once it is there."""
    async with asyncio.timeout(_PATIENCE):
        while True:
            for message in await person.messages(home):
                if _version(message) == version:
                    return message
            await asyncio.sleep(0.05)


async def _type(person: Person, home: int, move: str) -> str:
    """Type a move; the answer's id."""
    nonce = await person.slash("move", home, move=move)
    told = await person.wait_answer(nonce, patience=_PATIENCE)
    assert f"You played {move}." in all_text(told)
    return str(told["id"])


async def _tap(person: Person, board: Json, move: str) -> str | None:
    """Pick a move in the panel and confirm it, as fast as it can be done; the panel's id.

    None if the panel went first: the process that opened it may know of the new board before the
    other one has answered.
    """
    nonce = await person.click(board, label="Make a move")
    panel = await person.wait_answer(nonce, patience=_PATIENCE)

    async def shows(words: str, after: int) -> Json:
        return await person.wait_message(
            lambda m: m["id"] == panel["id"] and words in all_text(m),
            after=after,
            patience=_PATIENCE,
        )

    after = len(person.events)
    await person.click(panel, label=move)
    panel = await shows(f"Play {move}?", after)
    after = len(person.events)
    await person.click(panel, label=f"Play {move}")
    told = await person.wait_event(
        ("MESSAGE_UPDATE", "MESSAGE_DELETE"),
        lambda m: (
            m["id"] == panel["id"]
            and ("components" not in m or f"You played {move}." in all_text(m))
        ),
        after=after,
        patience=_PATIENCE,
    )
    return None if told.name == "MESSAGE_DELETE" else str(panel["id"])


async def test_everything_said_three_times_to_two_processes_happens_once(
    playground: Playground,
    tmp_path: Path,
    postgres_url: str,
) -> None:
    processes = await _two(playground, tmp_path, postgres_url)
    anna = await Person.join(playground.address, "Anna")
    ben = await Person.join(playground.address, "Ben")
    try:
        tripled = playground.faults.event("INTERACTION_CREATE", times=None, copies=3)
        channel = int(anna.guild["channels"][0]["id"])
        nonce = await anna.slash(
            "play", channel, game="quax", opponent=ben, options="size 5, pie off", side="1"
        )
        assert "Offer sent." in all_text(await anna.wait_answer(nonce, patience=_PATIENCE))
        offer = await ben.wait_message(
            lambda m: "would like to play" in all_text(m), patience=_PATIENCE
        )
        await ben.wait_answer(await ben.click(offer, label="Accept"), patience=_PATIENCE)
        first = await anna.wait_message(
            lambda m: "Make a move" in str(m["components"]), patience=_PATIENCE
        )
        home = int(first["channel_id"])
        version = _version(first)
        assert version is not None

        answers: dict[str, str] = {}
        moves = ["a3", "c5", "b3", "c1", "c3", "a1", "d3", "a2", "e3"]
        for number, move in enumerate(moves):
            board = await _board(anna, home, version + number)
            person = (anna, ben)[number % 2]
            if number % 3 == 1:
                panel = await _tap(person, board, move)
                if panel is not None:
                    answers[panel] = move
            else:
                answers[await _type(person, home, move)] = move
        await _board(anna, home, version + len(moves))
        seen = await _quiet(anna, [channel, home])
    finally:
        playground.faults.clear()
        await asyncio.gather(*(person.close() for person in (anna, ben)))
        ends = await asyncio.gather(*(each.end() for each in processes), return_exceptions=True)
    assert ends == [None, None]
    assert tripled.hits >= 2 * (2 + len(moves)), "both heard of everything"

    texts = [all_text(message) for message in seen if not message["flags"] & 64]
    boards = [found for message in seen if (found := _version(message)) is not None]
    assert boards == [version + number for number in range(len(moves), -1, -1)]
    cards = [m for m in seen if int(m["channel_id"]) == channel and not m["flags"] & 64]
    assert len(cards) == 1, "the offer, which is the card of the result by now"
    # The line that calls a player is taken away when they have moved, so it is what was posted.
    called = [each for each in anna.events if each.name == "MESSAGE_CREATE"]
    told = Counter(re.findall(r"> played (\w+)", "\n".join(all_text(e.data) for e in called)))
    assert told == Counter(moves[:-1])
    assert "> played" not in "\n".join(texts), "nothing is left of lines that were answered"
    live = [all_text(each) for each in seen if "Make a move" in str(each["components"])]
    assert live == [], "the match is over"
    said = {}
    for person in (anna, ben):
        for event in person.events:
            was = answers.get(event.data.get("id", ""))
            if was is None or "content" not in event.data:
                continue  # an answer goes once its board is there
            said[event.data["id"]] = all_text(event.data)
            if "not your turn" in said[event.data["id"]]:
                pytest.fail(f"a player who played {was} was then told that it was not their turn")
    assert said.keys() == answers.keys()
    for answer, move in answers.items():
        assert f"You played {move}." in said[answer], "the last word is what was done"

    store = await open_reader(postgres_url)
    try:
        ((match, events),) = [each async for each in store.all_matches()]
    finally:
        await store.close()
    verify(match, events)
    assert [event.payload["move"] for event in events if event.kind.value == "moved"] == moves
    assert match.result is not None
