"""Virtual days: people play, the bot is stopped, killed and cut off, and time jumps between."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import heapq
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import discord
import discord.backoff
import discord.gateway
import psutil
from pydantic import SecretStr

from bot.app.periodic import PeriodicWork
from bot.app.playground.child import point_at
from bot.domain.ids import MatchId, UserId
from bot.settings import Settings
from bot.store import open_store, transactions
from bot.store.opening import sqlite_path
from bot.tournaments.delivery import telling
from playground.server import Playground
from playground.world.state import Limits
from tests.simulation.contests import Contests
from tests.simulation.directors import Directors
from tests.simulation.doubles import Seconds
from tests.simulation.host import MOVE_POINTS, TICK, Machine
from tests.simulation.lives import Life
from tests.simulation.playing import Playing
from tests.simulation.programme import Sketch
from tests.simulation.record import Record
from tests.simulation.vacations import Leaves
from tests.simulation.watch import Digests, Message, Watcher
from tests.support.databases import lay_sqlite
from tests.support.kit import HandClock

_BEGIN = datetime(2026, 10, 24, tzinfo=UTC)
"""A Saturday. Clocks are put back in Berlin after a day, in New York after eight."""
_STEPS = (3600, -3600, 1, -1, 60, -60, 86_400, -86_400)
_HARDLY_BEGUN = ("was aborted", "didn't make the first move in time")
_TIMED_OUT = ("ran out of time", *_HARDLY_BEGUN)
"""How a match ends on time; one that had hardly begun was not played. Nobody here aborts."""

_NOT_OTHERWISE = (None, "flagged")
_RULED = "The tournament decided"


@dataclass(frozen=True)
class Plan:
    """How much is to happen. The days in which nothing new begins come on top."""

    seed: int = 1
    players: int = 200
    matches: int = 1000
    days: float = 30.0
    restarts: int = 6
    kills: int = 6
    """While a player's move is on its way to the others, at each point of it in turn."""
    deaths: int = 6
    """Between a reminder or digest and writing that it was sent."""
    outage: timedelta = timedelta(hours=6)
    at_once: int = 1
    """How many keys the outbox serves together. With one the same seed gives the same month, as
    far as the database lets it."""
    clock_steps: int = 0
    """How often the machine's clock jumps, by a second, a minute, an hour or a day, either way."""
    event_deaths: int = 0
    """In so many events, as they begin: between what carries them on, or tells of them, and the
    next line."""
    programme: tuple[tuple[Sketch, ...], ...] = ()
    """The events of each club."""

    @property
    def inexact(self) -> timedelta:
        """By how much the bot's time may differ from that of the world.

        Where the machine's clock jumps it goes by what Discord tells, in whole seconds.
        """
        return timedelta(seconds=2 if self.clock_steps else 0)


@dataclass
class Month(Playing):
    """The world, what is to happen in it, and what has."""

    plan: Plan = field(default_factory=Plan)
    contests: Contests = field(init=False)
    footprints: list[dict[str, int]] = field(default_factory=list)
    """What this process holds, every twenty-fourth of the time."""
    _boards_read: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.machine = Machine(self.clock)
        self.contests = Contests(self, Directors(self))

    async def _kill(self) -> None:
        """The database is torn away while a player's move is on its way to the others."""
        assert self.bot is not None
        record = next((r for r in self._waiting() if self._is_there(r)), None)
        if record is None or self.is_doomed:
            if self.clock.at < _BEGIN + timedelta(days=self.plan.days * 0.95):
                self.at(self.clock.at + timedelta(minutes=70), self.once_up(self._kill))
            return
        assert record.channel is not None
        self.keep_up(record.turn.user)
        move = self._some_move(record)
        body = self.watcher.command(record.channel, "move", move=move)
        await self._move_and_die(record.turn.user, body)
        await self.tear_away()
        # Whether the move was stored, its player sees when the bot is there again.
        stored = await self._stored_move(record)
        if stored is not None:
            self.counts["moves"] += 1
            self._moved(record, stored)
        wait = timedelta(seconds=self.rng.choice((5, 50, 400)))
        self.at(self.clock.at + wait, self.start)
        if record.over is None:
            self._plan_move(record)

    async def _move_and_die(self, user: int, body: Any) -> None:
        """A player moves, and the bot dies at the next of all points on the way of a move."""
        point = MOVE_POINTS[self.counts["move kills"] % len(MOVE_POINTS)]
        self.counts["move kills"] += 1
        with self.dying_at(point):
            answer = self.watcher.begin(user, body)
            await self.until(lambda: answer.done() or self.is_dead)
            await self.settled()
        self.died()

    async def _stored_move(self, record: Record) -> str | None:
        """The move that came after those its players know of, if one was stored."""
        store = await open_store(self.settings.database_url())
        try:
            found = await store.read(transactions.match, MatchId(record.name))
        finally:
            await store.close()
        assert found is not None
        return found.last_move if found.ply > len(record.moves) else None

    # ---- what people see ---------------------------------------------------------------------

    async def heard(self) -> None:
        """Learn from boards whose time has run out, as everybody else does."""
        for channel in self.watcher.take_fresh():
            seen = self.watcher.in_channel[channel]
            if channel not in self._by_channel:
                await self._meet(seen)
            record = self._by_channel.get(channel)
            if record is None:
                continue
            for message in seen[self._boards_read[record.number] :]:
                if message.is_board:
                    self._read(record, message)
            self._boards_read[record.number] = len(seen)

    async def _meet(self, seen: list[Message]) -> None:
        """A channel of no match yet: one of an event may have begun there."""
        for message in seen:
            self.contests.hear(message)
            if message.shows is None or not self._is_of_new_match(message):
                continue
            record = await self.contests.meet(message)
            if record is not None:
                self.records.append(record)
                self._by_channel[message.channel] = record
                self._plan_move(record)
                return

    def _read(self, record: Record, message: Message) -> None:
        """The texts of a board beside the position."""
        if _RULED in message.text:
            record.rulings.append(message.at)
            if record.over is None:
                record.over = "decided"
                record.turn.ended = message.at
        elif any(said in message.text for said in _TIMED_OUT) and record.over in _NOT_OTHERWISE:
            # What began by itself before the flag fell.
            self.keep_up(record.turn.user)
            record.flags.append(message.at)
            if record.over is None:
                record.over = "flagged"
                record.unplayed = any(said in message.text for said in _HARDLY_BEGUN)
                record.turn.ended = message.at
                self.counts["flags"] += 1
        elif record.over is None and self.erased.intersection(record.users):
            # Their data is erased only once all that they play is given up.
            gone = next(each for each in record.users if each in self.erased)
            record.over, record.loser = "resigned", record.users.index(gone)
            record.turn.ended = message.at

    async def run(self) -> None:
        """Let it all happen."""
        self._people()
        await self.start()
        self._schedule()
        for life in self.lives.values():
            assert self.bot is not None
            change = partial(lambda chosen, _: chosen, life.chosen)
            await self.bot.services.preferences.change(UserId(life.user), change)
        end = _BEGIN + timedelta(days=self.plan.days)
        began, told, tick = time.monotonic(), 0, _BEGIN
        while self.clock.at < end or not self.is_up:
            following = tick
            if self.is_up and self.due is not None:
                following = min(following, max(self.due, self.clock.at + timedelta(seconds=1)))
            if self._agenda:
                following = min(following, self._agenda[0][0])
            self.clock.at = max(following, self.clock.at)
            self.counts["steps"] += 1
            while self._agenda and self._agenda[0][0] <= self.clock.at:
                if self.is_dead and self.is_up:
                    await self.die()  # nobody presses anything of a bot that is dead
                if self.is_up and self.bot is not None:
                    await self.bot.periodic.beat()
                await heapq.heappop(self._agenda)[2]()
            if self.clock.at >= tick:
                tick += TICK
                await self.look()
            await self.settled()
            if self.is_up and (self.clock.at - _BEGIN) * 24 > len(self.footprints) * (end - _BEGIN):
                self.footprints.append(_footprint())
            day = (self.clock.at - _BEGIN).days
            if day > told:
                told = day
                logging.getLogger("month").info(
                    "day %d after %.0f s: %s", day, time.monotonic() - began, dict(self.counts)
                )

    # ---- people ------------------------------------------------------------------------------

    def _people(self) -> None:
        world = self.playground.world
        for number in range(self.plan.players):
            user = world.places.add_user(f"Player {number + 1}")
            world.places.join(world.home.id, user.id)
            life = Life.draw(user.id, self.rng, _BEGIN, self.plan.days)
            user.accepts_dms = life.takes_direct
            self.lives[user.id] = life
            self.vacations[user.id] = Leaves()
        if self.plan.programme:
            people = list(self.lives)
            self.contests.found(people)
            self.guests.update(people[:: max(len(people) // 4, 1)])

    def _schedule(self) -> None:
        days, rng = self.plan.days, self.rng
        for _ in range(self.plan.matches):
            at = _BEGIN + timedelta(days=rng.uniform(0, days * 0.85))
            self.at(at, self._offer)
        for user, life in self.lives.items():
            if life.away is not None and user not in self.guests:
                away = life.away[1] - life.away[0]
                begins = partial(self._leave, user, away.days + 1)
                self.at(life.away[0], self.once_up(begins))
        self.contests.schedule(self.plan.programme, _BEGIN)
        # Nothing of it at the same time as anything else of it.
        slots = self.plan.restarts + self.plan.kills + self.plan.deaths + 3
        starts = [_BEGIN + timedelta(days=days * (n + 0.7) / (slots + 1)) for n in range(slots)]
        rng.shuffle(starts)
        self.at(starts.pop(), self.once_up(partial(self.outage, self.plan.outage)))
        for _ in range(2):
            self.at(starts.pop(), self.once_up(self.redeploy))
        for _ in range(self.plan.restarts):
            away = timedelta(seconds=rng.choice((3, 60, 900, 5000)))
            self.at(starts.pop(), self.once_up(partial(self.restart, away)))
        for _ in range(self.plan.kills):
            self.at(starts.pop(), self.once_up(self._kill))
        steps = self.lots("clock steps")
        for number in range(self.plan.clock_steps):
            by = timedelta(seconds=_STEPS[number % len(_STEPS)])
            at = _BEGIN + timedelta(days=steps.uniform(0, days))
            lasts = timedelta(seconds=steps.choice((20, 900, 20_000)))
            self.at(at, partial(self.step_clock, by))
            self.at(at + lasts, partial(self.step_clock, -by))
        for _ in range(self.plan.deaths):
            self.at(starts.pop(), partial(self._doom, self.die_at_a_line))

    def doom_at(self, when: datetime, point: str) -> None:
        """Have the bot die at the next point of an event after an instant."""
        self.at(when, partial(self._doom, partial(self.die_in_an_event, point)))

    async def _doom(self, die: Callable[[], None]) -> None:
        if self.is_doomed:
            self.at(self.clock.at + timedelta(hours=1), partial(self._doom, die))
        else:
            die()


def _footprint() -> dict[str, int]:
    gc.collect()
    process = psutil.Process()
    return {
        "MiB": process.memory_info().rss >> 20,
        "files": process.num_fds(),
        "connections": len(process.net_connections()),
        "threads": process.num_threads(),
        "tasks": len(asyncio.all_tasks()),
    }


@contextlib.asynccontextmanager
async def _in_a_hurry() -> AsyncIterator[None]:
    """Nobody waits in real time for what passes in virtual time.

    The library waits up to minutes before it tries to reach a Discord that was away.
    """
    at_once = mock.patch.object(discord.backoff.ExponentialBackoff, "delay", return_value=0.02)
    # What is done every few seconds is done when virtual time has passed (Host.look).
    by_hand = mock.patch.object(PeriodicWork, "start", return_value=[])
    # Nobody deletes messages of events here, and to look for them is most of what would happen.
    seldom = mock.patch.object(telling, "LOOK_AGAIN", timedelta(hours=5))
    with at_once, by_hand, seldom:
        yield


@contextlib.asynccontextmanager
async def month(folder: Path, plan: Plan, database: str | None = None) -> AsyncIterator[Month]:
    """A world in which a month can pass, in a SQLite file of the folder or another database."""
    kept = (
        discord.http.Route.BASE,
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY,
        discord.Asset.BASE,
    )
    clock = HandClock(_BEGIN)
    settings = Settings(
        _env_file=None,
        session_seconds=0,
        data=folder,
        database=None if database is None else SecretStr(database),
        offers_to_one=1000,
        open_offers=1000,
        cool_down_hours=0,
        running_matches=1000,
        server_matches=10_000,
        server_threads=1000,
        server_messages=100_000,
        server_tournaments=100,
        commands_per_second=1000,
        commands_burst=1000,
        shutdown_seconds=2,
        # One that was killed is not missed before real seconds have passed.
        shard_count=1,
        shard_ids=(0,),
    )
    if database is None:
        lay_sqlite(sqlite_path(settings.database_url()))
    # No virtual time passes while the library waits to edit old messages.
    limits = Limits(old_edits=10_000)
    digests = Digests(clock)
    played = Playground(allow_faults=True, clock=Seconds(clock), limits=limits, observer=digests)
    async with played as playground, _in_a_hurry():
        point_at(playground.address)
        watcher = Watcher(playground, clock, digests)
        made = Month(
            playground,
            settings,
            clock,
            watcher,
            Random(plan.seed),
            plan.seed,
            plan.at_once,
            plan=plan,
        )
        try:
            yield made
            watcher.problems.extend(playground.problems)
        finally:
            if made._running is not None:
                await made.stop()
            discord.http.Route.BASE = kept[0]
            discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = kept[1]
            discord.Asset.BASE = kept[2]
