"""Interactions that arrive again, late, and in any order: each has one effect and one answer.

People play at several boards. Each move that they type is delivered one to many times, at once or
after thousands of others; some reach another process first, which answers or dies. Discord is a
stand-in that takes the first response to an interaction and no other, and none after three seconds.
``make fuzz`` delivers a million.
"""

from __future__ import annotations

import asyncio
import copy
import heapq
import json
import os
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, NoReturn

import discord
import pytest
from discord.webhook.async_ import AsyncWebhookAdapter

from bot.domain.events import EventKind
from bot.domain.history import verify
from bot.services.rate_limits import Cooldowns
from playground.world.model import InteractionType
from tests.app.bad_input.conftest import Still, envelope_of
from tests.support.hosted import Game, Hosted, Json, hosted, start_quax
from tests.support.until import until

DELIVERIES = int(os.environ.get("PARLOUR_FUZZ", "600"))
SEED = int(os.environ.get("PARLOUR_SEED", "1"))
_BOARDS, _ROUND = (20, 50_000) if DELIVERIES > 10_000 else (2, DELIVERIES)
"""The boards at which so many deliveries are made, before others begin."""
_SIZE = 15
_AT_ONCE, _INSIDE = 25, 200
"""How many are delivered between two looks, and how many may be in progress."""
_COPIES = (1, 1, 2, 2, 3, 40)
_DELAYS = (0, 0, 5, 50, 500, 5_000)
"""At most so many later deliveries come between two of one interaction."""
_TOO_LATE = 4.0
"""Seconds after which an interaction has failed in Discord."""


@dataclass
class _Typed:
    """A move that somebody has typed, and what Discord has heard of it."""

    envelope: Json
    move: str
    is_late: bool = False
    is_anothers: bool = False
    """Another process has answered."""
    is_taken: bool = False
    """There has been a first response, from this process or another."""
    shown: str | None = None
    said: list[str] = field(default_factory=list)

    @property
    def is_played(self) -> bool:
        """Whether the answer says so."""
        return any(each.startswith(f"You played {self.move}.") for each in self.said)


class _Discord:
    """Takes the bot's answers as Discord does."""

    def __init__(self) -> None:
        self.typed: dict[str, _Typed] = {}
        self._ids = count(1 << 60)

    async def request(self, typed: _Typed, method: str, what: str, given: Json) -> object:
        """Answer a request about an interaction."""
        if what == "callback":
            if typed.is_late:
                _refuse(404, 10062)
            if typed.is_taken:
                _refuse(400, 40060)
            typed.is_taken = True
            return {"interaction": {"id": typed.envelope["id"], "type": 2}}
        assert what == "@original", "nothing is added to an answer"
        assert typed.is_taken
        if method == "PATCH":
            parts = given.get("multipart")
            body = json.loads(parts[0]["value"]) if parts else given["payload"]
            typed.shown = body.get("content") or body["components"][0]["content"]
            typed.said.append(typed.shown)
        elif method == "DELETE":
            typed.shown = ""
            return None
        elif typed.shown == "":
            _refuse(404, 10008)
        flags = 64 if typed.shown else 64 | 128
        return _ANSWER | {"id": str(next(self._ids)), "flags": flags, "content": typed.shown or ""}


_LISTS = ("mentions", "mention_roles", "attachments", "embeds", "components")
_ANSWER: Json = {key: [] for key in _LISTS} | {
    "channel_id": "1",
    "author": {"id": "1", "username": "Parlour", "discriminator": "0", "avatar": None},
    "timestamp": "2026-01-01T00:00:00+00:00",
    "edited_timestamp": None,
    "type": 20,
    "tts": False,
    "pinned": False,
    "mention_everyone": False,
}


def _refuse(status: int, code: int) -> NoReturn:
    headers = {"Content-Type": "application/json"}
    response: Any = SimpleNamespace(status=status, reason="", headers=headers)
    raise discord.HTTPException(response, {"code": code, "message": "no"})


class _Deliveries:
    """Moves typed at random at several boards, and their deliveries."""

    def __init__(self, taker: _Discord, rng: Random, envelopes: list[str]) -> None:
        self._taker, self._rng, self._envelopes = taker, rng, envelopes
        self._coming: list[tuple[int, int, _Typed]] = []
        """What is delivered again, and after which delivery."""
        self._numbers = count(len(taker.typed))

    def all(self, many: int) -> Iterator[Json]:
        """So many, and the copies that are still to come by then."""
        for number in range(many):
            if self._coming and self._coming[0][0] <= number:
                yield heapq.heappop(self._coming)[2].envelope
            else:
                yield self._typed(number).envelope
        yield from (typed.envelope for _, _, typed in sorted(self._coming))

    def _typed(self, number: int) -> _Typed:
        rng, envelope = self._rng, json.loads(self._rng.choice(self._envelopes))
        late = rng.random() < 0.05
        made = time.time() - (_TOO_LATE if late else 0)
        serial = next(self._numbers)
        milliseconds = int(made * 1000) - discord.utils.DISCORD_EPOCH
        move = f"{'abcdefghijklmno'[rng.randrange(_SIZE)]}{rng.randint(1, _SIZE)}"
        envelope["id"], envelope["token"] = str((milliseconds << 22) + serial), f"typed{serial}"
        envelope["data"]["options"][0]["value"] = move
        typed = _Typed(envelope, move, is_late=late, is_taken=not late and rng.random() < 0.02)
        if typed.is_taken and rng.random() < 0.5:
            typed.is_anothers, typed.shown = True, "Answered."
        self._taker.typed[envelope["token"]] = typed
        for _ in range(rng.choice(_COPIES) - 1):
            after = number + int(rng.choice(_DELAYS) * rng.random())
            heapq.heappush(self._coming, (after, next(self._numbers), typed))
        return typed


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Hosted]:
    """A bot without limits that so many boards would meet."""
    limits: Json = {"server_messages": 100_000, "server_threads": 1000, "server_matches": 1000}
    async with hosted(tmp_path, **limits) as made:
        yield made


async def _typed_at(game: Game) -> list[str]:
    """A typed move of each player, as the bot hears it."""
    ((match, _), *_) = await game.hosted.history()
    still = Still(game, match, await game.board())
    data = await still.command("move", {"move": "zz"})
    kind = InteractionType.COMMAND
    return [
        json.dumps(await envelope_of(still, kind, data, by=each, where=game.home))
        for each in (game.black, game.white)
    ]


async def _hold(club: Hosted, taker: _Discord) -> int:
    """Hold all answers against the histories; how many moves have been played."""
    played: Counter[str] = Counter()
    for match, events in await club.history():
        verify(match, events)
        played.update(str(each.interaction_id) for each in events if each.kind is EventKind.MOVED)
    assert set(played.values()) <= {1}
    odd = [
        each for each in taker.typed.values() if each.is_played != (each.envelope["id"] in played)
    ]
    assert not odd, "an answer says that a move was played, and it was"
    for each in taker.typed.values():
        assert bool(each.said) != (each.is_late or each.is_anothers), each
        assert len({said.startswith("You played") for said in each.said}) <= 1, each
    return len(played)


@pytest.mark.long
@pytest.mark.timeout(0)
async def test_each_interaction_has_one_effect_and_one_answer(
    club: Hosted,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level("ERROR")
    rng, taker, through = Random(SEED), _Discord(), AsyncWebhookAdapter.request

    async def request(adapter: Any, route: Any, *session: Any, **given: Any) -> object:
        *_, token, what = route.url.replace("/messages", "").split("/")
        if token not in taker.typed:
            return await through(adapter, route, *session, **given)
        return await taker.request(taker.typed[token], route.method, what, given)

    monkeypatch.setattr(Cooldowns, "take", lambda *_given: True)
    monkeypatch.setattr(AsyncWebhookAdapter, "request", request)
    parse = club.bot.client._connection.parsers["INTERACTION_CREATE"]
    for first in range(0, DELIVERIES, _ROUND):
        games = [await start_quax(club, options=f"size {_SIZE}, pie off") for _ in range(_BOARDS)]
        typed_at = [each for game in games for each in await _typed_at(game)]
        deliveries = _Deliveries(taker, rng, typed_at).all(_ROUND)
        for number, envelope in enumerate(deliveries):
            parse(copy.deepcopy(envelope))
            if number % _AT_ONCE == 0:
                club.playground.world.state.files.clear()
                await asyncio.sleep(0)
                await until(lambda: club.bot.handler.inside < _INSIDE)
        await asyncio.sleep(0)
        await until(lambda: not club.bot.handler.inside)
        await club.settled(patience=600)
        played = await _hold(club, taker)
        assert not caplog.records, caplog.text
        for game in games:
            for person in (game.black, game.white):
                club.people.remove(person)
                await person.close()
        if DELIVERIES > _ROUND:
            with capsys.disabled():
                sys.stdout.write(f"\n{first + _ROUND:,} deliveries, {played:,} moves played")
                sys.stdout.flush()
    assert played > DELIVERIES // 100
