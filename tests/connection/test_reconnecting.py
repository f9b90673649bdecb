"""How often a shard that cannot stay connected tries to."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.connection.connection import Connection, Shard, Unmendable, _read_limits
from bot.connection.gateway import Lost, Session, Timeouts, default_address
from bot.connection.services import SessionLimits


class Least(random.Random):
    """Never waits longer than it has to."""

    def uniform(self, a: float, b: float) -> float:
        return a


def shard(rng: random.Random) -> Shard:
    owner: Any = SimpleNamespace(timeouts=Timeouts(), rng=rng, lost=lambda *_: None)
    made = Shard(owner, 0)
    made._session = Session("session", 1, default_address())
    return made


async def pauses(made: Shard, count: int) -> list[float]:
    found = []
    for _ in range(count):
        made.attempts += 1
        made._note(Lost("it broke"))
        found.append(made._pause())
    return found


async def test_a_first_loss_is_answered_at_once_and_more_of_them_ever_later() -> None:
    made = await pauses(shard(Least()), 20)
    assert made[:7] == [0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0]
    assert sum(made[:6]) < 20 < sum(made[:7]), "six connections in 20 s, however fast they are lost"
    assert all(each == 15.0 for each in made[6:])


async def test_no_wait_is_longer_than_half_a_minute_and_no_two_shards_wait_alike() -> None:
    one, other = shard(random.Random(1)), shard(random.Random(2))
    first, second = await pauses(one, 60), await pauses(other, 60)
    assert max(*first, *second) <= 30.0
    assert all(a != b for a, b in zip(first[1:], second[1:], strict=True))


async def test_before_a_new_session_in_place_of_a_lost_one_there_is_a_second_at_least() -> None:
    made = shard(Least())
    made._session = None
    assert (await pauses(made, 1))[0] == 1.0


async def test_a_connection_that_has_lasted_is_a_fresh_start() -> None:
    made = shard(Least())
    await pauses(made, 10)
    made.is_open = True
    made._opened_at = asyncio.get_running_loop().time() - 31
    assert await pauses(made, 2) == [0.0, 0.5]


async def test_a_connection_that_has_hardly_lasted_is_none() -> None:
    made = shard(Least())
    await pauses(made, 4)
    made.is_open = True
    made._opened_at = asyncio.get_running_loop().time() - 5
    assert await pauses(made, 1) == [4.0]


async def test_a_long_outage_is_told_ever_more_rarely(caplog: pytest.LogCaptureFixture) -> None:
    made = shard(Least())
    made.is_open = made._has_met = True
    made._note(Lost("it broke"))
    for seconds in range(0, 3600, 15):
        made.lost_at = asyncio.get_running_loop().time() - seconds
        await pauses(made, 1)
    said = [each.getMessage() for each in caplog.records]
    assert "is lost" in said[0]
    told = [each for each in said if "still no connection" in each]
    assert len(said) == 1 + len(told) == 7
    assert "'for_seconds': 60" in told[0]
    assert "'for_seconds': 1920" in told[-1]


async def test_what_no_patience_mends_is_raised() -> None:
    made = shard(Least())
    with pytest.raises(Unmendable, match="intents"):
        made._note(Lost("Discord closed it with 4014", code=4014))


def test_a_connection_without_shards_is_not_open() -> None:
    empty: Any = SimpleNamespace(shards=[], is_running=False)
    assert not Connection.is_open.fget(empty)  # type: ignore[attr-defined]


def test_limits_of_discord_that_make_no_sense_are_none() -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    told = {"total": 2000, "remaining": 7, "reset_after": 1500, "max_concurrency": 4}
    assert _read_limits(told, now) == SessionLimits(
        2000, 7, now + timedelta(seconds=1.5), 4, told_at=now
    )
    assert _read_limits(told | {"total": 1, "max_concurrency": 0}, now) == SessionLimits(
        100, 7, now + timedelta(seconds=1.5), 1, told_at=now
    )
    senseless: list[Any] = [{}, None, [], told | {"total": "many"}, told | {"reset_after": 10**30}]
    assert [_read_limits(each, now) for each in senseless] == [None] * len(senseless)
