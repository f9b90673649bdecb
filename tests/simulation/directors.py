"""Those who hold events in the simulated days, and what they decide in them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from bot.domain.ids import GuildId, InteractionId, TournamentId, UserId
from bot.domain.match import Actor
from bot.errors import UserError
from bot.tournaments.domain import acts
from bot.tournaments.domain.setup import Setup
from bot.tournaments.domain.tournament import Tournament
from bot.tournaments.services.service import TournamentService
from bot.tournaments.services.views import Visitor
from bot.tournaments.store import reading as tournament_reading
from bot.tournaments.store.records import StoredTournament
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
    """The entrants who do not come to play."""
    in_it: set[int] = field(default_factory=set)
    left: set[int] = field(default_factory=set)
    """The entrants who have withdrawn, were excluded or erased."""
    records: dict[str, Record] = field(default_factory=dict)
    """Matches that were seen, by game."""
    called_off: set[str] = field(default_factory=set)
    """Matches of rounds that were paired again."""


@dataclass
class Directors:
    """The organisers of all events."""

    month: Month
    _clicks: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def service(self) -> Any:
        assert self.month.bot is not None
        return self.month.bot.services.of(TournamentService)

    def click(self) -> InteractionId:
        return InteractionId(next(self._clicks))

    def visitor(self, user: int, guild: int) -> Visitor:
        return Visitor(Actor(UserId(user), GuildId(guild)))

    async def _stored(self, contest: Contest) -> StoredTournament:
        assert self.month.bot is not None
        found = await self.month.bot.store.read(tournament_reading.stored, contest.id)
        assert found is not None
        return found

    async def tournament(self, contest: Contest) -> Tournament:
        """The event as it is stored."""
        return (await self._stored(contest)).tournament

    async def _direct(
        self,
        contest: Contest,
        act: acts.DirectorAct,
        learn: Callable[[Tournament], None] = lambda _: None,
    ) -> bool:
        """Do it, and have everybody who is there ``learn`` of it; whether it was possible."""
        try:
            done = await self.service.direct(
                self.visitor(contest.organiser, contest.guild),
                contest.id,
                act,
                interaction_id=self.click(),
                reason="It was agreed.",
            )
        except UserError:
            return False
        learn(done.tournament)
        await self.month.settled()
        return True

    async def replace(self, contest: Contest) -> None:
        """Another person takes the place of one who has not moved yet."""
        month, t = self.month, await self.tournament(contest)
        if t.status.is_final:
            return
        others = [
            each for each in month.lives
            if each not in contest.in_it and each not in month.erased
        ]  # fmt: skip
        people = [each for each in t.active if int(each.user_id or 0) in contest.in_it]
        month.rng.shuffle(people)
        new = month.rng.choice(others) if others else None
        for entrant in people if new is not None else ():
            old, substitute = int(entrant.user_id or 0), int(new or 0)
            learn = partial(self._replaced, contest, old, substitute)
            if await self._direct(contest, acts.Replace(entrant.number, UserId(substitute)), learn):
                month.counts["substitutes"] += 1
                month.counts["substitutes at a board"] += any(
                    substitute in each.users for each in contest.records.values()
                )
                return
        self._again(contest, self.replace)

    def _replaced(self, contest: Contest, old: int, new: int, _: Tournament) -> None:
        contest.left.add(old)
        contest.in_it.add(new)
        contest.left.discard(new)
        for record in contest.records.values():
            if record.over is None and old in record.users:
                record.absent = record.absent - {new}
                record.substituted(old, new, self.month.clock.at)
                self.month._plan_move(record)

    async def pair_again(self, contest: Contest) -> None:
        """A round in which nobody has moved is drawn once more, and its matches are called off."""
        stored = await self._stored(contest)
        t = stored.tournament
        if t.status.is_final:
            return
        games = [] if not t.rounds else [each.game.id for each in t.in_round(len(t.rounds))]
        learn = partial(self._called_off, contest, stored, games)
        if games and await self._direct(contest, acts.Redraw(), learn):
            self.month.counts["rounds paired again"] += 1
        else:
            self._again(contest, self.pair_again)

    def _redrawn(self, contest: Contest, before: StoredTournament, after: Tournament) -> None:
        """Draw the games that followed from a result again, if there are any."""
        drawn = {name: each.drawn for name, each in after.games.items()}
        games = before.tournament.games.items()
        gone = [name for name, each in games if drawn.get(name) != each.drawn]
        self._called_off(contest, before, gone, after)

    def _called_off(
        self, contest: Contest, stored: StoredTournament, games: Iterable[str], _: Tournament
    ) -> None:
        """Nobody had moved in these games, and their matches are called off."""
        for game in games:
            if game in stored.matches:
                contest.called_off.add(str(stored.matches[game]))
                self.month.counts["matches called off"] += 1
            record = contest.records.pop(game, None)
            if record is not None and record.over is None:
                record.called_off(self.month.clock.at)

    def _again(self, contest: Contest, action: Any) -> None:
        """Try once more later, while there is a later."""
        when = self.month.clock.at + _RETRY
        if when < contest.setup.finish:
            self.month.at(when, self.month.once_up(partial(action, contest)))

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
        stored = await self._stored(contest)
        t = stored.tournament
        over = [
            each.game.id for each in t.games.values()
            if each.points is not None and len(set(each.points)) == 2 and len(each.points) == 2
        ]  # fmt: skip
        self.month.rng.shuffle(over)
        for name in over:
            points = t.games[name].points or ()
            turned: tuple[Fraction, ...] = tuple(reversed(points))
            learn = partial(self._redrawn, contest, stored)
            if await self._direct(contest, acts.Correct(name, turned), learn):
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
