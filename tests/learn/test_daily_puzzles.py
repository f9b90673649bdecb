"""The puzzle of the day in a server's channel: at its hour, once, and as it has chosen."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from bot.domain.ids import ChannelId, GuildId
from bot.domain.preferences import ServerSettings
from bot.learn.delivery import DailyPuzzles
from bot.learn.domain import number_on
from bot.learn.store import planned
from bot.posts.sending import Gone, Retry
from bot.services.outbox_worker import OutboxWorker
from bot.store import Store, outbox, outgoing
from tests.support.databases import both
from tests.support.kit import HandClock

GUILD, CHANNEL = GuildId(900), ChannelId(901)
NOON = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)


@dataclass
class Paper:
    """Channels that write down what is posted, and servers that choose."""

    chosen: ServerSettings = field(default_factory=ServerSettings)
    posted: list[tuple[ChannelId, int]] = field(default_factory=list)
    trouble: deque[Exception] = field(default_factory=deque)

    async def server(self, guild_id: GuildId | None) -> ServerSettings:
        return self.chosen

    async def post(self, guild_id: GuildId, channel: ChannelId, number: int, *, since: Any) -> None:
        if since is not None and (channel, number) in self.posted:
            return
        lost = self.trouble and isinstance(self.trouble[0], Retry)
        if self.trouble and not lost:
            raise self.trouble.popleft()
        self.posted.append((channel, number))
        if lost:
            raise self.trouble.popleft()


def made(store: Store, **chosen: Any) -> Any:
    clock, paper = HandClock(NOON), Paper(ServerSettings(puzzle=CHANNEL, **chosen))
    paper_alone: Any = paper
    daily = DailyPuzzles(paper_alone, paper_alone, clock)
    daily.post = paper.post
    return clock, paper, OutboxWorker(store, clock, daily)


async def plan(store: Store, clock: HandClock, paper: Paper) -> None:
    await store.write(outgoing.plan, planned(GUILD, paper.chosen, clock.now()))


async def test_every_day_at_its_hour(store: Store) -> None:
    clock, paper, worker = made(store, puzzle_hour=18, puzzle_zone="Europe/Berlin")
    await plan(store, clock, paper)
    assert await store.read(outbox.next_due) == datetime(2026, 11, 24, 17, 0, tzinfo=UTC)
    await worker.drain()
    assert paper.posted == []
    first = number_on(NOON.date())
    for day in range(3):
        clock.at = datetime(2026, 11, 24 + day, 17, 0, 1, tzinfo=UTC)
        await worker.drain()
        await worker.drain()
        assert paper.posted == [(CHANNEL, first + each) for each in range(day + 1)]


async def test_a_server_that_chooses_otherwise_gets_none_at_the_old_hour(store: Store) -> None:
    clock, paper, worker = made(store, puzzle_hour=13)
    await plan(store, clock, paper)
    paper.chosen = ServerSettings(puzzle=ChannelId(902), puzzle_hour=15)
    await plan(store, clock, paper)
    clock.forward(hours=2)
    await worker.drain()
    assert paper.posted == []
    clock.forward(hours=1.1)
    await worker.drain()
    assert [channel for channel, _ in paper.posted] == [902]
    paper.chosen = ServerSettings()
    clock.forward(days=3)
    await worker.drain()
    assert len(paper.posted) == 1
    assert await store.read(outbox.next_due) is None


@both
async def test_a_post_whose_answer_was_lost_is_not_made_twice(store: Store) -> None:
    clock, paper, worker = made(store, puzzle_hour=13)
    paper.trouble.append(Retry(sent=True))
    await plan(store, clock, paper)
    clock.forward(hours=1.1)
    await worker.drain()
    clock.forward(minutes=11)
    await worker.drain()
    assert len(paper.posted) == 1
    assert await store.read(outbox.next_due) is not None


async def test_after_a_downtime_of_days_only_todays_is_posted(store: Store) -> None:
    clock, paper, worker = made(store, puzzle_hour=13)
    await plan(store, clock, paper)
    clock.forward(days=5, hours=3)
    await worker.drain()
    assert paper.posted == [(CHANNEL, number_on(NOON.date()) + 5)]


async def test_a_channel_that_is_gone_gets_no_more(store: Store) -> None:
    clock, paper, worker = made(store, puzzle_hour=13)
    paper.trouble.append(Gone("10003"))
    await plan(store, clock, paper)
    clock.forward(hours=1.1)
    await worker.drain()
    assert await store.read(outbox.next_due) is None
