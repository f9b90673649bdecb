"""Those who hold events in the simulated days, and what they decide in them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from datetime import timedelta
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from bot.domain.ids import GuildId, InteractionId, TournamentId, UserId
from bot.domain.match import Actor
from bot.domain.tournaments.setup import Setup
from bot.domain.tournaments.tournament import Tournament
from bot.errors import UserError
from bot.services.tournaments import acts
from bot.services.tournaments.views import Visitor
from tests.simulation.programme import Sketch
from tests.simulation.record import Record

if TYPE_CHECKING:
    from tests.simulation.month import Month

_RETRY = timedelta(hours=2)


@dataclass
class Contest:
    """An event as its organiser and players know it."""

    sketch: Sketch
    setup: Setup
    guild: int
    channel: int
    organiser: int
    id: TournamentId
    absent: set[int] = field(default_factory=set)
    """Who has entered and doesn't come to play."""
    in_it: set[int] = field(default_factory=set)
    left: set[int] = field(default_factory=set)
    """Who has withdrawn, was excluded or erased."""
    records: dict[str, Record] = field(default_factory=dict)
    """Matches that were seen, by game."""


@dataclass
class Directors:
    """The organisers of all events."""

    month: Month
    _clicks: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def service(self) -> Any:
        assert self.month.bot is not None
        return self.month.bot.services.tournaments

    def click(self) -> InteractionId:
        return InteractionId(next(self._clicks))

    def visitor(self, user: int, guild: int) -> Visitor:
        return Visitor(Actor(UserId(user), GuildId(guild)))

    async def tournament(self, contest: Contest) -> Tournament:
        """The event as it is stored."""
        assert self.month.bot is not None
        found = (await self.month.bot.store.load_tournament(contest.id)).stored
        assert found is not None
        return found.tournament

    async def _direct(self, contest: Contest, act: acts.DirectorAct) -> bool:
        try:
            await self.service.direct(
                self.visitor(contest.organiser, contest.guild),
                contest.id,
                act,
                interaction_id=self.click(),
                reason="It was agreed.",
            )
        except UserError:
            return False
        await self.month.settled()
        return True

    def _again(self, contest: Contest, deed: Any) -> None:
        """Try once more later, while there is a later."""
        when = self.month.clock.at + _RETRY
        if when < contest.setup.finish:
            self.month.at(when, self.month.once_up(partial(deed, contest)))

    async def exclude(self, contest: Contest) -> None:
        t = await self.tournament(contest)
        people = [each for each in t.active if each.user_id in contest.in_it]
        if len(people) <= 2 or t.status.is_final:
            return
        chosen = self.month.rng.choice(people)
        if await self._direct(contest, acts.Exclude(chosen.number)):
            contest.left.add(int(chosen.user_id or 0))
            self.month.counts["exclusions"] += 1
        else:
            self._again(contest, self.exclude)

    async def correct(self, contest: Contest) -> None:
        """A director turns the result of a game of two round."""
        t = await self.tournament(contest)
        over = [
            each.game.id for each in t.games.values()
            if each.points is not None and len(set(each.points)) == 2 and len(each.points) == 2
        ]  # fmt: skip
        self.month.rng.shuffle(over)
        for name in over:
            points = t.games[name].points or ()
            turned: tuple[Fraction, ...] = tuple(reversed(points))
            if await self._direct(contest, acts.Correct(name, turned)):
                self.month.counts["corrections"] += 1
                self.month.counts[f"corrections: {contest.setup.format.value}"] += 1
                return
        self._again(contest, self.correct)

    async def decide(self, contest: Contest) -> None:
        t = await self.tournament(contest)
        running = [
            each.game for each in t.pending if each.has_begun and len(each.game.players) == 2
        ]
        if running and not t.status.is_final:
            chosen = self.month.rng.choice(running)
            points = (Fraction(1), Fraction(0))
            self.month.counts["decisions"] += await self._direct(
                contest, acts.Decide(chosen.id, points)
            )
        else:
            self._again(contest, self.decide)
