"""The outbox's service for any kind of message: its worker knows only the handler."""

from __future__ import annotations

from collections import deque
from datetime import timedelta
from typing import Any

import pytest

from bot.posts.outgoing import Claim, Done, Handler, Outgoing, key_of
from bot.posts.sending import Gone, Refused, Retry
from bot.services.outbox_worker import OutboxWorker
from bot.store import Store, outgoing
from tests.support.kit import HandClock, waiting

HOUR = timedelta(hours=1)


class Bell(Handler):
    """Rings; ``answers`` are what comes of it, one after another, then everything is done."""

    kinds = frozenset({"ring"})

    def __init__(self) -> None:
        self.rung: list[Any] = []
        self.answers: deque[Any] = deque()

    async def make(self, claim: Claim) -> Any | Done:
        self.rung.append((claim.kind, claim.payload.get("says"), claim.tried_at is not None))
        answer = self.answers.popleft() if self.answers else Done()
        if isinstance(answer, Exception):
            raise answer
        return answer(claim) if callable(answer) else answer


class Tower:
    """A worker with a bell."""

    def __init__(self, store: Store) -> None:
        self.store, self.clock, self.bell = store, HandClock(), Bell()
        self.worker = OutboxWorker(store, self.clock, self.bell)

    def ring(
        self, says: str, *, after: timedelta = timedelta(), key: str = "tower", **more: Any
    ) -> Outgoing:
        at = self.clock.now() + after
        return Outgoing("ring", key_of(key, 1), at, {"says": says}, **more)

    async def rings(self, **later: Any) -> list[Any]:
        """Due calls, now or after some time."""
        self.clock.forward(**later)
        before = len(self.bell.rung)
        await self.worker.drain()
        return [says for _, says, _ in self.bell.rung[before:]]


@pytest.fixture
def tower(store: Store) -> Tower:
    return Tower(store)


async def test_a_message_is_sent_at_its_time_once(tower: Tower, store: Store) -> None:
    await store.write(outgoing.plan, tower.ring("now"), tower.ring("noon", after=HOUR))
    assert await tower.rings() == ["now"]
    assert await tower.rings(minutes=59) == []
    assert await tower.rings(minutes=1) == ["noon"]
    assert await tower.rings(hours=9) == []


@pytest.mark.parametrize(
    ("answer", "seconds"), [(Retry(7), 7), (Retry(), 1), (Refused("no"), 3600), (Gone("x"), 3600)]
)
async def test_what_cannot_be_sent_is_tried_again_and_what_follows_waits(
    tower: Tower, store: Store, answer: Any, seconds: float
) -> None:
    tower.bell.answers.append(answer)
    await store.write(outgoing.plan, tower.ring("one"), tower.ring("two"))
    await store.write(outgoing.plan, tower.ring("elsewhere", key="chapel"))
    assert sorted(await tower.rings()) in (["elsewhere", "one"], ["elsewhere", "one", "two"])
    assert await tower.rings(seconds=seconds - 1) == []
    again = await tower.rings(seconds=1)
    assert len(again) in (1, 2)
    assert await waiting(store, "ring") == ()


async def test_waits_grow_and_know_what_may_have_been_sent(tower: Tower, store: Store) -> None:
    tower.bell.answers += [Retry(), Retry(sent=True), Retry()]
    await store.write(outgoing.plan, tower.ring("one"))
    assert await tower.rings() == ["one"]
    for wait in (1, 2, 4):
        assert await tower.rings(seconds=wait - 0.1) == []
        assert await tower.rings(seconds=0.1) == ["one"]
    assert [doubted for _, _, doubted in tower.bell.rung] == [False, False, True, True]


@pytest.mark.logs_errors
async def test_a_bug_is_logged_with_an_id_and_the_message_is_looked_for_next_time(
    tower: Tower, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    tower.bell.answers.append(ZeroDivisionError())
    await store.write(outgoing.plan, tower.ring("one"))
    assert await tower.rings() == ["one"]
    assert "'of': 'tower 1', 'kind': 'ring'" in caplog.text
    assert await tower.rings(seconds=1) == ["one"]
    assert tower.bell.rung[-1] == ("ring", "one", True)
