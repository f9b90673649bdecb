"""Vacations in the simulated days: those that people take, and those that begin by themselves."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from bot.services.presence import GRACE
from playground.forms import all_text
from tests.simulation.host import Host
from tests.simulation.lives import Life
from tests.simulation.record import Record
from tests.simulation.vacations import Leaves


@dataclass
class Resting(Host):
    """People, the matches that they play, and when they are away from them."""

    lives: dict[int, Life] = field(default_factory=dict)
    records: list[Record] = field(default_factory=list)
    vacations: dict[int, Leaves] = field(default_factory=dict)

    def stopped_spans(self, record: Record) -> list[tuple[datetime, datetime]]:
        """When the clock of the player on turn has stood: nobody could act, or they were away.

        What begins by itself begins when it should, at whatever time it is looked at.
        """
        if not record.control.vacation:
            return self.down
        vacations = self.vacations[record.turn.user]
        while record.control.by_itself and record.over is None:
            over = record.deadline([*self.down, *vacations.spans()])
            if over is None or over + GRACE > self.clock.at or not self.is_up:
                break
            if not vacations.begin_by_itself(over):
                break
            self.counts["vacations by themselves"] += 1
            self._rested(record.turn.user)
        return [*self.down, *vacations.spans()]

    def keep_up(self, user: int) -> None:
        """See whose time has run out in matches of a player who is about to do something."""
        mine = [
            (over, number)
            for number, record in enumerate(self.records)
            if record.channel is not None and record.over is None and record.control.by_itself
            and record.turn.user == user
            and (over := record.deadline([*self.down, *self.vacations[user].spans()])) is not None
        ]  # fmt: skip
        for _, number in sorted(mine):
            self.stopped_spans(self.records[number])

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
        deadline = record.deadline(self.stopped_spans(record))
        if deadline is not None:
            for early in (GRACE + timedelta(seconds=1), timedelta(seconds=1), timedelta()):
                self.at(max(deadline + GRACE - early, self.clock.at), self.look)

    async def _leave(self, user: int, days: int) -> None:
        """A player goes on vacation, wherever they are just then."""
        if self.vacations[user].at(self.clock.at) is not None:
            return
        self.keep_up(user)
        answer = await self._vacation(user, days=days)
        if self.vacations[user].begin(self.clock.at, days):
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
        if self.vacations[user].at(self.clock.at) is None:
            return
        page = await self.watcher.do(user, self._vacation_body())
        await self.watcher.do(user, self.watcher.button(page, "I'm back"))
        await self.settled()
        answer = await self._vacation(user)
        if "You're not on vacation" not in answer:
            self.watcher.problems.append(f"{user} cannot come back: {answer}")
        self.counts["back early"] += 1
        self.vacations[user].end(self.clock.at)
        self._rested(user)
        await self.settled()

    async def _vacation(self, user: int, **fields: object) -> str:
        return all_text(await self.watcher.do(user, self._vacation_body(**fields)))

    def _vacation_body(self, **fields: object) -> Any:
        channels = self.playground.world.places.state.channels_of(self.playground.world.home.id)
        channel = next(each.id for each in channels if each.kind == 0)
        return self.watcher.command(channel, "vacation", **fields)
