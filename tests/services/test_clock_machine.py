"""A match with a clock under everything that time may do to it, held against a model of fair play.

The model knows nothing of deadlines: it counts the seconds in which a player was on turn and could
have moved. Time passes with the host there or away, the host is started anew, two processes look
for fallen flags at the same moment, the machine's clock is put back, moves come at any of it.
"""

from __future__ import annotations

import asyncio
import dataclasses
import os
import shutil
import tempfile
from datetime import timedelta
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.domain.clock_text import read_clock
from bot.domain.events import EventKind
from bot.domain.history import verify
from bot.domain.match import Actor, Ending, MatchStatus, Scope
from bot.domain.table import player_on_turn
from bot.domain.timing import runs_out
from bot.errors import UserError
from bot.services.flags import GRACE, sweep_flags
from bot.services.presence import EVERYWHERE, PATIENCE, Presence
from bot.store import open_store
from games import catalog
from games.errors import GameError
from tests.kit import BOB, CYD, GUILD, Club, HandClock
from tests.services.test_match_machine import template
from tests.sixth_game import Rows

EXAMPLES = int(os.environ.get("PARLOUR_EXAMPLES", "25"))
SECOND = timedelta(seconds=1)
NONE = timedelta()
FOREVER = timedelta(days=10**5)
CLOCKS = ("10m/move", "10m+2m", "10m+2m max 11m", "10m+0s")
CELLS = [f"{file}{rank}" for file in "abcd" for rank in "1234"]

passing = st.sampled_from([1, 59, 595, 600, 604, 605, 606, 1300]) | st.integers(1, 900)


class ClockMachine(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        catalog.GAMES["rows"] = Rows
        self.loop = asyncio.new_event_loop()
        self.folder = Path(tempfile.mkdtemp(prefix="parlour-clock-"))
        path = self.folder / "parlour.db"
        shutil.copyfile(template(), path)
        self.url = f"sqlite:///{path}"
        self.clock = HandClock()
        self.starts = 0
        self.match_id = None
        self.open()

    def open(self):
        """Begin a process, which says at once that it is there."""
        self.starts += 1
        self.store = self.run(open_store(self.url))
        self.club = Club(self.store, self.clock, seed=self.starts)
        self.presence = Presence(self.store, self.clock)

    def run(self, question):
        return self.loop.run_until_complete(question)

    def teardown(self):
        self.run(self.club.worker.drain())
        self.run(self.store.close())
        self.loop.close()
        shutil.rmtree(self.folder)
        catalog.GAMES.pop("rows", None)

    def match(self):
        """The match as it is, but for where it is shown, which the outbox finds out by and by."""
        found = self.run(self.store.load(self.match_id, None)).match
        return dataclasses.replace(found, home_id=None)

    def events(self):
        return self.run(self.store.history(self.match_id, Scope(GUILD)))

    @property
    def is_late(self):
        """Whether the player on turn has had all of their time, and the grace."""
        return self.used >= self.left[self.turn] + GRACE

    @initialize(text=st.sampled_from(CLOCKS), three=st.booleans())
    def start(self, text, three):
        self.run(self.presence.beat())
        self.control = read_clock(text)
        others = (BOB, CYD) if three else (BOB,)
        options = {"players": len(others) + 1, "size": 4}
        self.match_id = self.run(self.club.start(*others, options=options, clock=self.control))
        self.left = [self.control.bank] * (len(others) + 1)
        self.turn, self.used = 0, NONE

    def settle(self, before):
        """Bring the model up to what has happened to the match, if it has."""
        after = self.match()
        if after.version == before.version:
            return
        event = self.events()[-1]
        if event.kind is EventKind.MOVED:
            rest = max(NONE, self.left[self.turn] - self.used)
            added = rest + self.control.increment
            self.left[self.turn] = (
                self.control.bank if self.control.per_move else min(added, self.control.most)
            )
        if event.kind in (EventKind.MOVED, EventKind.FLAGGED, EventKind.RESIGNED):
            on_turn = player_on_turn(after)
            if after.status is MatchStatus.RUNNING and on_turn != self.turn:
                self.turn, self.used = on_turn, NONE
        if event.kind is EventKind.FLAGGED:
            assert self.flag_was_due, "a flag fell too early, or for time that does not count"
            assert event.player == self.flagged

    def act(self, question):
        """Do something that may end in a refusal, and keep the model up to it."""
        before = self.match()
        self.flag_was_due, self.flagged = self.is_late, self.turn
        try:
            self.run(question)
            refused = None
        except (UserError, GameError) as error:
            refused = error.code
        self.settle(before)
        return before, refused

    @precondition(lambda self: self.match_id is not None)
    @rule(seconds=passing)
    def time_passes_while_the_host_is_there(self, seconds):
        self.clock.forward(seconds=seconds)
        self.run(self.store.beat((EVERYWHERE,), self.clock.now(), FOREVER))
        if self.match().status is MatchStatus.RUNNING:
            self.used += seconds * SECOND

    @precondition(lambda self: self.match_id is not None)
    @rule(seconds=st.integers(13, 10**5), moves=st.booleans(), cell=st.sampled_from(CELLS))
    def the_host_is_away_for_a_while(self, seconds, moves, cell):
        self.run(self.club.worker.stop())
        self.run(self.store.close())
        self.clock.forward(seconds=seconds)
        assert seconds * SECOND > PATIENCE
        self.open()
        if moves:
            self.whoever_is_on_turn_moves(cell)
        self.sweeps()
        self.run(self.presence.beat())

    @precondition(lambda self: self.match_id is not None)
    @rule(seconds=st.integers(1, 7200))
    def the_clock_of_the_machine_is_put_back(self, seconds):
        """Nobody loses by it; how much they win is not asked."""
        self.sweeps()
        before = self.match()
        self.clock.forward(seconds=-seconds)
        self.sweeps()
        assert self.match() == before
        self.clock.forward(seconds=seconds)
        self.sweeps()

    @precondition(lambda self: self.match_id is not None)
    @rule()
    def sweeps(self):
        """Two processes look for flags at once."""
        late = self.is_late and self.match().status is MatchStatus.RUNNING

        async def both():
            seen = await self.store.presumed(GUILD, self.clock.now(), self.clock.now())
            fallen = await asyncio.gather(
                *(sweep_flags(self.store, self.clock, self.club.worker) for _ in range(2))
            )
            if late and seen.seen == self.clock.now():
                assert sum(fallen) == 1, "a flag that is due has not fallen, or twice"

        self.act(both())

    @precondition(lambda self: self.match_id is not None)
    @rule(cell=st.sampled_from(CELLS))
    def whoever_is_on_turn_moves(self, cell):
        match = self.match()
        on_turn = player_on_turn(match)
        if on_turn is None:
            return
        late = self.is_late
        actor = Actor(match.players[on_turn], GUILD)
        _, refused = self.act(self.club.move(actor, self.match_id, cell))
        assert refused != "time_over" or late
        if not late:
            assert refused is None or refused in ("occupied", "taken", "illegal"), refused

    @precondition(lambda self: self.match_id is not None)
    @rule(cell=st.sampled_from(CELLS))
    def a_move_meets_the_sweep(self, cell):
        match = self.match()
        on_turn = player_on_turn(match)
        if on_turn is None:
            return
        actor = Actor(match.players[on_turn], GUILD)

        async def together():
            move = self.club.move(actor, self.match_id, cell)
            sweep = sweep_flags(self.store, self.clock, self.club.worker)
            moved, _ = await asyncio.gather(move, sweep, return_exceptions=True)
            if isinstance(moved, Exception):
                raise moved

        self.act(together())

    @precondition(lambda self: self.match_id is not None)
    @rule()
    def somebody_resigns(self):
        match = self.match()
        if match.status is MatchStatus.RUNNING and match.ply > 6:
            self.act(self.club.service.resign(BOB, self.match_id, interaction_id=self.club.click()))

    @invariant()
    def the_clocks_are_fair_and_the_history_holds(self):
        if self.match_id is None:
            return
        match, events = self.match(), self.events()
        verify(match, events)
        flags = [event for event in events if event.kind is EventKind.FLAGGED]
        assert len(flags) == len({event.player for event in flags})
        if match.status is not MatchStatus.RUNNING:
            assert self.run(self.store.next_deadline()) is None
            ended = match.result is not None and match.result.ending is Ending.TIME
            assert not ended or events[-1].kind is EventKind.FLAGGED
            return
        assert match.times.running == self.turn
        for player, left in enumerate(self.left):
            if player != self.turn and player not in match.retired:
                assert match.times.left[player] == left
        presumed = self.run(self.store.presumed(GUILD, match.times.since, self.clock.now()))
        if presumed.seen == self.clock.now():
            over = runs_out(match, presumed.stood)
            assert over - self.clock.now() == self.left[self.turn] - self.used


ClockMachine.TestCase.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    print_blob=True,
)
TestClockMachine = pytest.mark.timeout(600)(ClockMachine.TestCase)
