"""A match with a clock under everything that time may do to it, held against a model of fair play.

The model knows nothing of deadlines: it counts the seconds in which a player was on turn and could
have moved. Time passes with the host there or away, the host is started anew, two processes look
for fallen flags at the same moment, the machine's clock is put back, moves come at any of it.
Players go on vacation and come back, or are sent there by the clock; the host may die before it has
told the match.
"""

from __future__ import annotations

import asyncio
import dataclasses
from datetime import datetime, timedelta
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import initialize, invariant, precondition, rule

from bot.domain.clock import TimeControl, Vacations
from bot.domain.clock_text import read_clock
from bot.domain.events import CommandContext, EventKind
from bot.domain.game_state import player_on_turn
from bot.domain.history import verify
from bot.domain.ids import UserId
from bot.domain.match import Actor, Ending, MatchStatus
from bot.domain.match_clock import runs_out
from bot.errors import UserError
from bot.services.presence import GRACE, PATIENCE, Presence, is_late
from bot.services.timeouts import sweep_flags
from bot.store import presence
from bot.store.presence import EVERYWHERE
from games.errors import GameError
from tests.services.machine import EXAMPLES, HostMachine
from tests.support.kit import BOB, CYD, GUILD
from tests.support.not_none import not_none

SECOND = timedelta(seconds=1)
NONE = timedelta()
FOREVER = timedelta(days=10**5)
DAY = timedelta(days=1)
ALLOWANCE = 30
CLOCKS = (
    *("10m/move", "10m+2m", "10m+2m max 11m", "10m+0s"),
    *("1d/move", "1d+2h", "1d/move, automatic vacation", "1d+1h, automatic vacation"),
    "1d+1h, no vacation",
)
CELLS = [f"{file}{rank}" for file in "abcd" for rank in "1234"]

passing = (
    st.sampled_from([1, 59, 595, 600, 604, 605, 606, 1300])
    | st.sampled_from([86395, 86400, 86404, 86405, 3 * 86400])
    | st.integers(1, 900)
)


@dataclasses.dataclass
class Holiday:
    """A vacation as its player counts it."""

    begin: datetime
    end: datetime
    by_itself: bool = False

    @property
    def days(self) -> int:
        return -((self.begin - self.end) // DAY)


async def _nothing(_user: UserId) -> Any:
    return None


class ClockMachine(HostMachine):
    control: TimeControl
    over: Any
    """When the time of the player on turn ran out; None while they have some."""

    def open(self) -> None:
        super().open()
        self.presence = Presence(self.store, self.clock)

    @property
    def is_late(self) -> bool:
        """Whether the player on turn has had all of their time, and the grace."""
        return bool(self.used >= self.left[self.turn] + GRACE)

    @initialize(text=st.sampled_from(CLOCKS), three=st.booleans())
    def start(self, text: str, three: bool) -> None:
        self.run(self.presence.beat())
        self.control = not_none(read_clock(text))
        others = (BOB, CYD) if three else (BOB,)
        options = {"players": len(others) + 1, "size": 4}
        self.match_id = self.run(self.club.start(*others, options=options, clock=self.control))
        self.left = [self.control.bank] * (len(others) + 1)
        self.holidays: list[list[Any]] = [[] for _ in self.left]
        self.begin_turn(0)

    def begin_turn(self, player: int) -> None:
        self.turn, self.used, self.over, self.too_late = player, NONE, None, False

    def holiday(self, player: int) -> Any | None:
        """The vacation that a player is on."""
        last = self.holidays[player][-1:]
        return last[0] if last and self.clock.at < last[0].end else None

    def days_left(self, player: int) -> Any:
        return ALLOWANCE - sum(each.days for each in self.holidays[player])

    def stands_until(self) -> datetime | Any:
        """Until when the clock stands for a vacation; the present instant if it does not."""
        found = self.holiday(self.turn)
        if found is None or self.too_late or not self.control.may_rest:
            return self.clock.at
        return found.end

    def goes_on(self, time: Any) -> None:
        """So much time has passed in which people could act."""
        start = self.clock.at
        stands = min(max(self.stands_until(), start), start + time)
        before = self.used
        self.used += time - (stands - start)
        if before <= self.left[self.turn] < self.used:
            self.over = stands + (self.left[self.turn] - before)

    def relieve(self) -> None:
        """Where vacations begin by themselves, one has begun in place of each flag that was due."""
        while self.control.vacations is Vacations.AUTOMATIC and self.is_late:
            found = self.holiday(self.turn)
            days = self.days_left(self.turn)
            if found is not None and found.begin > self.over:
                # Begun too late; now it begins at the deadline.
                longer = Holiday(self.over, found.end, found.by_itself)
                if longer.days - found.days > days:
                    return
                found.begin = self.over
            elif days:
                found = Holiday(self.over, self.over + days * DAY, by_itself=True)
                self.holidays[self.turn].append(found)
            else:
                return
            self.too_late = False
            self.used = self.left[self.turn] + max(NONE, self.clock.at - found.end)
            if self.used > self.left[self.turn]:
                self.over = found.end

    def settle(self, before: Any) -> None:
        """Bring the model up to what has happened to the match, if it has."""
        after = self.match()
        if after.version == before.version:
            return
        event = self.events()[-1]
        if event.kind is EventKind.MOVED:
            found = self.holiday(self.turn)
            if found is not None and found.by_itself:
                found.end = min(found.end, self.clock.at + DAY)
            rest = max(NONE, self.left[self.turn] - self.used)
            added = rest + self.control.increment
            self.left[self.turn] = (
                self.control.bank if self.control.per_move else min(added, self.control.most)
            )
        if event.kind in (EventKind.MOVED, EventKind.FLAGGED, EventKind.RESIGNED):
            on_turn = player_on_turn(after)
            if after.status is MatchStatus.RUNNING and on_turn != self.turn:
                self.begin_turn(not_none(on_turn))
                found = self.holiday(not_none(on_turn))
                if found is not None and self.control.may_rest:
                    assert not_none(after.times).since == found.end, (
                        "a turn began with the clock running"
                    )
        if event.kind is EventKind.FLAGGED:
            assert self.flag_was_due, "a flag fell too early, or for time that does not count"
            assert event.player == self.flagged

    def asked(self, question: Any) -> str | None:
        """Do something; the code of its refusal, if it is refused."""
        try:
            self.run(question)
        except (UserError, GameError) as error:
            return error.code
        return None

    def act(self, question: Any) -> Any:
        """Do something that may end in a refusal, and keep the model up to it."""
        before = self.match()
        if before.status is MatchStatus.RUNNING:
            self.relieve()
        self.flag_was_due, self.flagged = self.is_late, self.turn
        refused = self.asked(question)
        self.settle(before)
        return before, refused

    @precondition(lambda self: self.match_id is not None)
    @rule(seconds=passing)
    def time_passes_while_the_host_is_there(self, seconds: float) -> None:
        if self.match().status is MatchStatus.RUNNING:
            self.goes_on(seconds * SECOND)
        self.clock.forward(seconds=seconds)
        self.run(self.store.write(presence.beat, (EVERYWHERE,), self.clock.now(), FOREVER))

    @precondition(lambda self: self.match_id is not None)
    @rule(player=st.integers(0, 2), days=st.integers(1, 12), dies=st.booleans())
    def a_player_goes_on_vacation(self, player: int, days: int, dies: Any) -> None:
        """Or gives the one they are on another end, which ``days`` of it count towards."""
        if player >= len(self.left) or self.match().status is not MatchStatus.RUNNING:
            return
        found = self.holiday(player)
        now = self.clock.at
        begin = now if found is None else found.begin
        wanted = Holiday(begin, now - (now - begin) % DAY + days * DAY)
        most = self.days_left(player) + (0 if found is None else found.days)
        user = self.match().players[player]

        def ends(today: Any) -> Any:
            return today + days * DAY

        # Where a vacation is made shorter, a match that was not told yet stands for as long as it
        # was: in favour of its player, until the next sweep.
        dies = dies and (found is None or wanted.end >= found.end)
        if dies:
            # The vacation is written, and then the host dies.
            service = self.club.vacations
            service._bring_in_line, kept = _nothing, service._bring_in_line  # type: ignore[assignment]
        refused = self.asked(self.club.vacations.begin(not_none(user), ends, self.club.click()))
        if dies:
            service._bring_in_line = kept
        assert refused == ("vacation_too_long" if wanted.days > most else None)
        if refused:
            return
        if found is not None:
            self.holidays[player].pop()
        elif player == self.turn and self.used > self.left[player]:
            self.too_late = True
        self.holidays[player].append(wanted)

    @precondition(lambda self: self.match_id is not None)
    @rule(player=st.integers(0, 2))
    def a_player_comes_back(self, player: int) -> None:
        if player >= len(self.left) or self.match().status is not MatchStatus.RUNNING:
            return
        found = self.holiday(player)
        user = self.match().players[player]
        refused = self.asked(self.club.vacations.end(not_none(user), self.club.click()))
        assert refused == ("not_on_vacation" if found is None else None)
        if found is not None:
            found.end = self.clock.at

    @precondition(lambda self: self.match_id is not None)
    @rule()
    def matches_are_brought_in_line(self) -> None:
        for _ in range(2):
            self.run(self.club.vacations.sweep())

    @precondition(lambda self: self.match_id is not None)
    @rule(seconds=st.integers(13, 10**5), moves=st.booleans(), cell=st.sampled_from(CELLS))
    def the_host_is_away_for_a_while(self, seconds: float, moves: str, cell: str) -> None:
        self.close()
        self.clock.forward(seconds=seconds)
        assert seconds * SECOND > PATIENCE
        self.open()
        if moves:
            self.the_player_on_turn_moves(cell)
        self.sweeps()
        self.run(self.presence.beat())

    @precondition(lambda self: self.match_id is not None)
    @rule(seconds=st.integers(1, 7200))
    def the_clock_of_the_machine_is_put_back(self, seconds: float) -> None:
        """Nobody loses by it, and nothing that was to be sent is held up."""
        self.sweeps()
        self.run(self.club.worker.drain())
        before = self.match()
        self.clock.forward(seconds=-seconds)
        self.sweeps()
        self.run(self.club.worker.drain())
        assert self.match() == before
        self.clock.forward(seconds=seconds)
        self.sweeps()

    @precondition(lambda self: self.match_id is not None)
    @rule()
    def sweeps(self) -> None:
        """Two processes look for flags at once."""
        if self.match().status is MatchStatus.RUNNING:
            self.relieve()
        late = self.is_late and self.match().status is MatchStatus.RUNNING

        async def both() -> None:
            seen = await self.store.read(
                presence.availability, GUILD, self.clock.now(), self.clock.now()
            )
            fallen = await asyncio.gather(
                *(sweep_flags(self.store, self.clock, self.club.vacations) for _ in range(2))
            )
            if late and seen.seen == self.clock.now():
                assert sum(fallen) == 1, "a flag that is due has not fallen, or twice"

        self.act(both())

    @precondition(lambda self: self.match_id is not None)
    @rule(cell=st.sampled_from(CELLS))
    def the_player_on_turn_moves(self, cell: str) -> None:
        match = self.match()
        on_turn = player_on_turn(match)
        if on_turn is None:
            return
        self.relieve()
        late = self.is_late
        actor = Actor(not_none(match.players[on_turn]), GUILD)
        _, refused = self.act(self.club.move(actor, self.id, cell))
        assert refused != "time_over" or late
        if not late:
            assert refused is None or refused in ("occupied", "taken", "illegal"), refused

    @precondition(lambda self: self.match_id is not None)
    @rule(cell=st.sampled_from(CELLS))
    def a_move_meets_the_sweep(self, cell: str) -> None:
        match = self.match()
        on_turn = player_on_turn(match)
        if on_turn is None:
            return
        actor = Actor(not_none(match.players[on_turn]), GUILD)

        async def together() -> None:
            move = self.club.move(actor, self.id, cell)
            relief = self.club.vacations
            sweep = sweep_flags(self.store, self.clock, relief)
            moved, _ = await asyncio.gather(move, sweep, return_exceptions=True)
            if isinstance(moved, Exception):
                raise moved

        self.act(together())

    @precondition(lambda self: self.match_id is not None)
    @rule()
    def a_player_resigns(self) -> None:
        match = self.match()
        if match.status is MatchStatus.RUNNING and match.ply > 6:
            self.act(self.club.resign(BOB, self.id))

    @invariant()
    def the_clocks_are_fair_and_the_history_holds(self) -> None:
        if self.match_id is None:
            return
        match, events = self.match(), self.events()
        verify(match, events)
        flags = [event for event in events if event.kind is EventKind.FLAGGED]
        assert len(flags) == len({event.player for event in flags})
        if match.status is not MatchStatus.RUNNING:
            assert self.run(self.store.read(presence.next_deadline)) is None
            ended = match.result is not None and match.result.ending is Ending.TIME
            assert not ended or events[-1].kind is EventKind.FLAGGED
            return
        assert not_none(match.times).running == self.turn
        for player, left in enumerate(self.left):
            if player != self.turn and player not in match.retired:
                assert not_none(match.times).left[player] == left
        availability = self.run(self.store.read(presence.availability_of, match, self.clock.now()))
        if availability.seen == self.clock.now():
            act = CommandContext(self.clock.now(), stopped_spans=availability.stopped_spans)
            assert is_late(match, act, availability) == self.is_late
            if self.used <= self.left[self.turn]:
                over = not_none(runs_out(match, availability.stopped_spans))
                assert over - self.stands_until() == self.left[self.turn] - self.used


ClockMachine.TestCase.settings = settings(
    max_examples=EXAMPLES * 3 // 2,
    stateful_step_count=25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    print_blob=True,
)
TestClockMachine = pytest.mark.first(pytest.mark.timeout(600)(ClockMachine.TestCase))
