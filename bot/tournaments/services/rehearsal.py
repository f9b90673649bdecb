"""A whole tournament with made-up players and results, so that an organiser sees every message.

Nothing is stored. It follows the same rules, facts and messages as the real event; only time is
simulated, and results are random. One player does not come to a game, and one withdraws.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import permutations
from random import Random

from bot.domain.computers import made_up
from bot.domain.ids import TournamentId, UserId
from bot.tournaments.domain import challenges, registration, running
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.fold import (
    TournamentAct,
    TournamentChange,
    as_changes,
)
from bot.tournaments.domain.formats.catalog import placings
from bot.tournaments.domain.formats.tables import PLACES
from bot.tournaments.domain.notices import messages_for
from bot.tournaments.domain.planning import event_plan_of
from bot.tournaments.domain.setup import FormatKey, Setup
from bot.tournaments.domain.swiss_pairing import NoPairing, Pair
from bot.tournaments.domain.tournament import PlayedGame, Tournament
from bot.tournaments.posts import Message
from bot.tournaments.services.runner import draw
from bot.tournaments.services.views import EventView
from bot.tournaments.store.records import Home

_PLAYERS = 8
"""Made-up players of a rehearsal; an event may need more or take fewer."""
_ID = TournamentId("rehearsal2")
_OPEN_GAMES = 12
"""Games of an arena or ladder."""
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """A message of a rehearsal, with the event at that time; ``people`` get one like it."""

    message: Message
    view: EventView
    people: int = 0


class Rehearsing:
    """One rehearsal."""

    def __init__(self, setup: Setup, home: Home, user_id: UserId, now: datetime, rng: Random):
        self._home = home
        self._rng = rng
        self._now = now
        self._told: list[Rehearsed] = []
        self.t: Tournament
        created = registration.create(
            _ID, TournamentAct(now, user_id), setup, lots=rng.randrange(1 << 30)
        )
        self._take(created)

    async def play(self, pair: Pair) -> tuple[Rehearsed, ...]:
        """The whole rehearsal."""
        setup = self.t.setup
        fewest = max(setup.least, setup.format.facts.seats)
        count = max(fewest, min(_PLAYERS, setup.most))
        for number in range(1, count + 1):
            user = made_up(number)
            act = TournamentAct(self._now, user)
            rating = 1800 - 25 * number
            if setup.rating_from is not None or setup.rating_to is not None:
                rating = setup.rating_from or setup.rating_to or rating
            self._take(registration.enter(self.t, act, user, rating=rating))
        self._now = self.t.closes
        self._take(registration.close(self.t, self._act()))
        self._now = self.t.begins
        for each in self.t.active if setup.check_in else ():
            self._take(registration.check_in(self.t, self._act(), each.number))
        for _ in range(_LONGEST):
            if self.t.status.is_final:
                break
            await self._go_on(pair)
        return tuple(self._told)

    def _act(self) -> TournamentAct:
        return TournamentAct(self._now)

    async def _go_on(self, pair: Pair) -> None:
        t = self.t
        can = running.startable(t)
        begun = [each for each in t.pending if each.has_begun]
        if can:
            for fixture in can:
                self._take(running.begin_game(self.t, self._act(), fixture.id))
        elif begun:
            self._end(begun[0])
        elif t.pending:
            self._now = min(each.until for each in t.pending)
            self._take(running.overdue(t, self._act()))
        elif t.setup.format is FormatKey.LADDER and t.rounds and len(t.games) < _OPEN_GAMES:
            self._challenge()
        else:
            found: Sequence[TournamentChange] = ()
            if len(t.games) < _OPEN_GAMES or t.setup.format.facts.has_rounds:
                since = dict.fromkeys((each.number for each in t.active), self._now)
                with suppress(NoPairing):
                    found = await draw(pair, t, self._act(), since)
            if not found:
                self._now = max(self._now, t.finish)
            self._take(found or running.end(t, self._act()))

    def _challenge(self) -> None:
        rungs = self.t.by_rung
        at = self._rng.randrange(1, len(rungs))
        low, high = rungs[at], rungs[max(at - self.t.setup.reach, 0)]
        users = [self.t.entrants[number - 1].user_id for number in (low, high)]
        act = TournamentAct(self._now, users[0])
        self._take(challenges.challenge(self.t, act, low, high))
        act = TournamentAct(self._now + timedelta(hours=1), users[1])
        declines = len(self.t.games) == 2 and not any(self.t.declines.values())
        answer = challenges.decline if declines else challenges.accept
        self._take(answer(self.t, act, high, low))

    def _end(self, played: PlayedGame) -> None:
        number, game = sum(each.is_over for each in self.t.games.values()), played.game
        if number == 1:
            self._take(running.no_show(self.t, self._act(), game.id, [game.players[-1]]))
            return
        if played.is_table:
            points: tuple[Fraction, ...] = self._rng.choice(list(permutations(PLACES)))
        else:
            first = self._rng.choice((Fraction(1), Fraction(1), Fraction(0), Fraction(1, 2)))
            points = (first, 1 - first)
        self._take(running.record(self.t, self._act(), game.id, points, f.How.PLAYED))
        if number == 3 and len(self.t.active) > 4:
            loser = self.t.active[-1].number
            self._take(registration.withdraw(self.t, self._act(), loser, f.Leaving.TIME))

    def _take(self, decided: Sequence[TournamentChange] | TournamentChange | None) -> None:
        before: Tournament | None = getattr(self, "t", None)
        changes = as_changes(decided)
        if not changes:
            return
        self.t = t = changes[-1].tournament
        calls = t.checks_in is not None and t.checks_in <= self._now
        about = EventView(t, self._home, placings(t), event_plan_of(t), calls=calls)
        events = {each.event.seq: each.event for each in changes}
        for new in messages_for(before, changes, made_up=True):
            event = events[new.version or t.version]
            message = Message(new.kind, event.seq, new.entrant, new.user_id, new.game, new.detail)
            view = replace(about, event=event, fact=event.fact)
            self._told.append(Rehearsed(message, view))
