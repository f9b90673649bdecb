"""Virtual days: people play, the bot is stopped, killed and cut off, and time jumps between."""

from __future__ import annotations

import contextlib
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
from pydantic import SecretStr

from bot.domain.ids import MatchId, UserId
from bot.playground_child import point_at
from bot.services.timeouts import GRACE
from bot.services.tournaments import telling
from bot.settings import Settings
from bot.store import open_store
from games import catalog
from playground.forms import all_text, find_control
from playground.server import Playground
from tests.kit import HandClock
from tests.simulation.contests import Contests
from tests.simulation.host import TICK, Host, Seconds
from tests.simulation.leaves import Leaves
from tests.simulation.lives import Life
from tests.simulation.programme import Sketch
from tests.simulation.record import CONTROLS, Record
from tests.simulation.watch import Message, Watcher

_BEGIN = datetime(2026, 10, 24, tzinfo=UTC)
"""A Saturday. Clocks are put back in Berlin after a day, in New York after eight."""
_SETUPS = (
    ("quax", "size 3, pie off"),
    ("quax", "size 4, pie on"),
    ("quux", "size 3"),
    ("ziggurat", ""),
    ("pux", ""),
    ("pythagoras", "seats 2"),
)
_TIMED_OUT = ("ran out of time", "was aborted")
"""How a match ends on time; one that had hardly begun has no result then. Nobody here aborts."""

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
    """While somebody's move is on its way to the others."""
    deaths: int = 6
    """Between a reminder or digest and writing that it was sent."""
    outage: timedelta = timedelta(hours=6)
    event_deaths: int = 0
    """In so many events, as they begin: between what carries them on, or tells of them, and the
    next line."""
    programme: tuple[tuple[Sketch, ...], ...] = ()
    """The events of each club."""


@dataclass
class Month(Host):
    """The world, what is to happen in it, and what has."""

    plan: Plan = field(default_factory=Plan)
    lives: dict[int, Life] = field(default_factory=dict)
    records: list[Record] = field(default_factory=list)
    leaves: dict[int, Leaves] = field(default_factory=dict)
    contests: Contests = field(init=False)
    _by_channel: dict[int, Record] = field(default_factory=dict)
    _boards_read: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.contests = Contests(self)

    async def _kill(self) -> None:
        """The database is torn away while somebody's move is on its way to the others."""
        assert self.bot is not None
        record = next((r for r in self._waiting() if self._is_there(r)), None)
        answer = None
        if record is not None:
            assert record.channel is not None
            self.keep_up(record.turn.user)
            move = self._some_move(record)
            body = self.watcher.command(record.channel, "move", move=move)
            answer = self.watcher.begin(record.turn.user, body)
            await self.until(lambda: bool(self.bot and self.bot.outbox._serving) or answer.done())
        await self.tear_away()
        if record is not None and answer is not None:
            # Whether the move was stored, its player sees when the bot is there again.
            stored = await self._stored_move(record)
            if stored is not None:
                self.counts["moves"] += 1
                self._moved(record, stored)
        wait = timedelta(seconds=self.rng.choice((5, 50, 400)))
        self.at(self.clock.at + wait, self.start)
        if record is not None and record.over is None:
            self._plan_move(record)

    def _moved(self, record: Record, move: str) -> None:
        """A move was played; who moves while a vacation began by itself is soon back."""
        user, at = record.turn.user, self.clock.at
        self.keep_up(user)
        record.moved(move, at, self.stood(record))
        if self.leaves[user].moved(at):
            self._rested(user)

    async def _stored_move(self, record: Record) -> str | None:
        """The move that came after those its players know of, if one was stored."""
        store = await open_store(self.settings.database_url())
        try:
            found = (await store.load(MatchId(record.name), None)).match
        finally:
            await store.close()
        assert found is not None
        return found.last_move if found.ply > len(record.moves) else None

    # ---- vacations ---------------------------------------------------------------------------

    def stood(self, record: Record) -> list[tuple[datetime, datetime]]:
        """When the clock of the player on turn has stood: nobody could act, or they were away.

        What begins by itself begins when it should, whoever looks at it when.
        """
        if not record.control.vacation:
            return self.down
        leaves = self.leaves[record.turn.user]
        while record.control.by_itself and record.over is None:
            over = record.deadline([*self.down, *leaves.spans()])
            if over is None or over + GRACE > self.clock.at or not self.is_up:
                break
            if not leaves.begin_by_itself(over):
                break
            self.counts["vacations by themselves"] += 1
            self._rested(record.turn.user)
        return [*self.down, *leaves.spans()]

    def keep_up(self, user: int) -> None:
        """See whose time has run out in matches of somebody who is about to do something."""
        mine = [
            (over, number)
            for number, record in enumerate(self.records)
            if record.channel is not None and record.over is None and record.control.by_itself
            and record.turn.user == user
            and (over := record.deadline([*self.down, *self.leaves[user].spans()])) is not None
        ]  # fmt: skip
        for _, number in sorted(mine):
            self.stood(self.records[number])

    def _rested(self, user: int) -> None:
        """A vacation has begun or ends at another time; those it concerns get a board."""
        for record in self.records:
            if record.channel is None or record.over is not None or not record.control.vacation:
                continue
            if record.turn.user == user:
                record.rests += 1
                self._look_at_the_deadline(record)

    def _look_at_the_deadline(self, record: Record) -> None:
        """Just before a flag may fall, and when it must."""
        deadline = record.deadline(self.stood(record))
        if deadline is not None:
            for early in (GRACE + timedelta(seconds=1), timedelta(seconds=1), timedelta()):
                self.at(max(deadline + GRACE - early, self.clock.at), self.look)

    async def _leave(self, user: int, days: int) -> None:
        """Somebody goes on vacation, wherever they are just then."""
        if self.leaves[user].at(self.clock.at) is not None:
            return
        self.keep_up(user)
        answer = await self._vacation(user, days=days)
        if self.leaves[user].begin(self.clock.at, days):
            self.counts["vacations"] += 1
            self._rested(user)
            if "You're on vacation" not in answer:
                self.watcher.problems.append(f"{user} is not on vacation: {answer}")
            if self.rng.random() < 0.4:
                early = timedelta(days=days * self.rng.uniform(0.1, 0.9))
                self.at(self.clock.at + early, self.once_up(partial(self._come_back, user)))
        await self.settled()

    async def _come_back(self, user: int) -> None:
        self.keep_up(user)
        if self.leaves[user].at(self.clock.at) is None:
            return
        page = await self.watcher.do(user, self._vacation_body())
        await self.watcher.do(user, self.watcher.button(page, "I'm back"))
        await self.settled()
        answer = await self._vacation(user)
        if "You're not on vacation" not in answer:
            self.watcher.problems.append(f"{user} cannot come back: {answer}")
        self.counts["back early"] += 1
        self.leaves[user].end(self.clock.at)
        self._rested(user)
        await self.settled()

    async def _vacation(self, user: int, **fields: object) -> str:
        return all_text(await self.watcher.do(user, self._vacation_body(**fields)))

    def _vacation_body(self, **fields: object) -> Any:
        channels = self.playground.world.places.state.channels_of(self.playground.world.home.id)
        channel = next(each.id for each in channels if each.kind == 0)
        return self.watcher.command(channel, "vacation", **fields)

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
        """What a board says beside the position."""
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
                record.unplayed = "was aborted" in message.text
                record.turn.ended = message.at
                self.counts["flags"] += 1
        elif record.over is None and self.contests.erased.intersection(record.users):
            # Their data is erased only once all that they play is given up.
            gone = next(each for each in record.users if each in self.contests.erased)
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
        while self.clock.at < end:
            following = tick
            if self.is_up and self.due is not None:
                following = min(following, max(self.due, self.clock.at + timedelta(seconds=1)))
            if self._agenda:
                following = min(following, self._agenda[0][0])
            self.clock.at = max(following, self.clock.at)
            self.counts["steps"] += 1
            while self._agenda and self._agenda[0][0] <= self.clock.at:
                if self.is_up and self.bot is not None:
                    await self.bot.periodic.beat()
                await heapq.heappop(self._agenda)[2]()
            if self.clock.at >= tick:
                tick += TICK
                await self.look()
            await self.settled()
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
            self.leaves[user.id] = Leaves()
        if self.plan.programme:
            people = list(self.lives)
            self.contests.found(people)
            self.contests.guests.update(people[:: max(len(people) // 4, 1)])

    def _schedule(self) -> None:
        days, rng = self.plan.days, self.rng
        for _ in range(self.plan.matches):
            at = _BEGIN + timedelta(days=rng.uniform(0, days * 0.85))
            self.at(at, self._offer)
        for user, life in self.lives.items():
            if life.away is not None and user not in self.contests.guests:
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

    def _waiting(self) -> list[Record]:
        return [
            r for r in self.records
            if r.channel is not None and r.over is None and len(r.moves) < r.most
            and r.turn.user not in r.absent and r.turn.user not in self.contests.erased
        ]  # fmt: skip

    def _is_there(self, record: Record) -> bool:
        return self.lives[record.turn.user].is_there(self.clock.at)

    def _some_move(self, record: Record) -> str:
        game, position = record.game, record.position
        legal = sorted(game.notation(position, move) for move in game.legal_moves(position))
        return self.rng.choice(legal)

    async def _offer(self) -> None:
        """Somebody who is awake offers a match to somebody else."""
        others = [user for user in self.lives if user not in self.contests.guests]
        awake = [user for user in others if self.lives[user].is_there(self.clock.at)]
        if not self.is_up or not awake:
            self.at(self.clock.at + timedelta(minutes=30), self._offer)
            return
        one = self.rng.choice(awake)
        two = self.rng.choice([user for user in others if user != one])
        key, options = self.rng.choice(_SETUPS)
        control = self.rng.choice(CONTROLS)
        game = catalog.create(
            key, dict(part.split() for part in options.split(", ")) if options else {}
        )
        record = Record(
            len(self.records), game, (one, two), control, self.rng.choice((2, 6, 12, 20, 30))
        )
        channels = self.playground.world.places.state.channels_of(self.playground.world.home.id)
        channel = next(each.id for each in channels if each.kind == 0)
        body = self.watcher.command(
            channel, "play", game=key, opponent=two, options=options or None, side="1",
            clock=control.typed,
        )  # fmt: skip
        body["data"]["options"] = [o for o in body["data"]["options"] if o["value"] is not None]
        answer = await self.watcher.do(one, body)
        await self.settled()
        offers = [m for m in self.watcher.in_channel[channel] if m.is_asking or m.is_board]
        if "Offer sent" not in all_text(answer) or not offers:
            self.watcher.problems.append(f"no offer came of it: {all_text(answer)}")
            return
        self.records.append(record)
        self.counts["offers"] += 1
        offer = offers[-1].id
        when = self.lives[two].acts_at(self.clock.at, self.rng)
        self.at(when, partial(self._accept, record, channel, offer))

    async def _accept(self, record: Record, channel: int, offer: int) -> None:
        two = record.users[1]
        if not self.is_up:
            when = self.lives[two].acts_at(self.clock.at, self.rng)
            self.at(when, partial(self._accept, record, channel, offer))
            return
        shown = self.playground.world.state.messages[channel][offer]
        page = {"components": shown.components, "channel_id": channel, "id": offer}
        try:
            find_control(page, label="Accept")
        except LookupError:
            record.over = "lapsed"
            self.counts["lapsed"] += 1
            return
        known = set(self.watcher.messages)
        await self.watcher.do(two, self.watcher.button(page, "Accept"))
        await self.settled()
        boards = [m for i, m in self.watcher.messages.items() if i not in known and m.is_board]
        board = next((m for m in boards if self._is_of_new_match(m)), None)
        if board is None:
            self.watcher.problems.append(f"match {record.number}: no board after it was accepted")
            record.over = "lost"
            return
        assert board.shows is not None
        assert self.bot is not None
        record.name, record.channel = board.shows[0], board.channel
        self._by_channel[record.channel] = record
        found = await self.bot.store.load(MatchId(record.name), None)
        assert found.match is not None
        # Only how the pieces lie at first; some games draw lots.
        record.begin(record.game.decode(found.match.state or ""), self.clock.at)
        self.counts["matches"] += 1
        self._plan_move(record)

    def _is_of_new_match(self, message: Message) -> bool:
        """Whether it is the board of a match that no record is of; a vacation shows old ones."""
        shown = message.shows
        return shown is not None and all(each.name != shown[0] for each in self.records)

    def _plan_move(self, record: Record) -> None:
        life = self.lives[record.turn.user]
        number = len(record.moves)
        if record.turn.user in record.absent or record.turn.user in self.contests.erased:
            self._look_at_the_deadline(record)
            return
        deadline = record.deadline(self.stood(record))
        if deadline is not None:
            self._look_at_the_deadline(record)
            if self.rng.random() < life.forgets:
                return
        when = life.acts_at(self.clock.at, self.rng)
        if timedelta() < record.control.bank < timedelta(days=1) and self.rng.random() < 0.85:
            # Whoever plays live sits there.
            when = self.clock.at + timedelta(seconds=self.rng.uniform(3, 120))
        if deadline is not None and self.rng.random() < 0.03:
            when = deadline + timedelta(seconds=self.rng.choice((-1, 0, 4, 6)))
            when = max(when, self.clock.at + timedelta(seconds=1))
        self.at(when, partial(self._act, record, number))

    async def _act(self, record: Record, number: int) -> None:
        """Play a move, or give up; whatever is refused is remembered."""
        if record.over is not None or len(record.moves) != number:
            return
        if not self.is_up:
            self._plan_move(record)
            return
        assert record.channel is not None
        user = record.turn.user
        # A vacation that began by itself in another match stops this clock as well.
        self.keep_up(user)
        deadline = record.deadline(self.stood(record))
        if number >= record.most:
            asked = await self.watcher.do(
                user, self.watcher.command(record.channel, "match resign")
            )
            if "Resign" in str(asked.get("components")):
                await self.watcher.do(user, self.watcher.button(asked, "Resign"))
                await self.settled()
                if record.over is None:
                    record.over = "resigned"
                    record.turn.ended = self.clock.at
                    self.counts["resigned"] += 1
            return
        move = self._some_move(record)
        body = self.watcher.command(record.channel, "move", move=move)
        answer = all_text(await self.watcher.do(user, body))
        if f"You played {move}" in answer or (move == "swap" and "You swapped." in answer):
            self.counts["moves"] += 1
            if deadline is not None and self.clock.at >= deadline + GRACE:
                self.watcher.problems.append(f"{record.name}: a move at {self.clock.at} was late")
            self._moved(record, move)
            await self.settled()
            if record.over is None:
                self._plan_move(record)
            return
        self.counts["late"] += 1
        if deadline is None or self.clock.at < deadline + GRACE:
            self.watcher.problems.append(f"{record.name}: {move} was refused: {answer}")


@contextlib.asynccontextmanager
async def _in_a_hurry() -> AsyncIterator[None]:
    """Nobody waits in real time for what passes in virtual time.

    The library waits up to minutes before it tries to reach a Discord that was away.
    """
    at_once = mock.patch.object(discord.backoff.ExponentialBackoff, "delay", return_value=0.02)
    # Nobody deletes messages of events here, and to look for them is most of what would happen.
    seldom = mock.patch.object(telling, "LOOK_AGAIN", timedelta(hours=5))
    with at_once, seldom:
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
    )
    async with Playground(allow_faults=True, clock=Seconds(clock)) as playground, _in_a_hurry():
        point_at(playground.address)
        watcher = Watcher(playground, clock)
        made = Month(playground, settings, clock, watcher, Random(plan.seed), plan=plan)
        try:
            yield made
            watcher.problems.extend(playground.problems)
        finally:
            if made._running is not None:
                await made.stop()
            discord.http.Route.BASE = kept[0]
            discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = kept[1]
            discord.Asset.BASE = kept[2]
