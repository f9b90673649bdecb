"""Registration, rounds, results and directors' acts in any order; every event can still end."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from fractions import Fraction
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.errors import UserError
from bot.tournaments.domain import undoing
from bot.tournaments.domain.facts import Entered
from bot.tournaments.domain.fold import read_fact, replay
from bot.tournaments.domain.formats.catalog import FORMATS
from bot.tournaments.domain.formats.knockout import misplaced, walkovers_in
from bot.tournaments.domain.setup import Decider, FormatKey
from bot.tournaments.domain.tournament import PlayedGame, TournamentStatus
from tests.tournaments.scenario import Scenario, seen, words

FORMS = (FormatKey.SWISS, FormatKey.KNOCKOUT, FormatKey.ROUND_ROBIN, FormatKey.TABLES)
PLACES = st.permutations(["4", "2", "1", "0"])
users, numbers, rounds = (st.integers(1, most).map(str) for most in (15, 10, 4))
guests = st.tuples(users, st.sampled_from(["", "1", "4", "9"]), st.sampled_from(["", "900", "905"]))


ONCE_OR_MORE = st.one_of(
    words("close pause resume draw start"),
    words("enter", st.integers(1, 12).map(str)),
    words("withdraw exclude check_in", numbers),
    words("withdraw exclude", numbers),
    words("replace", numbers, users),
    words("bye", numbers, rounds, st.sampled_from(["half", "zero"])),
    words("seed", numbers, numbers),
    st.lists(guests.map(":".join), max_size=4, unique_by=lambda x: x.split(":")[0]).map(
        lambda found: ("invite", *found)
    ),
)
"""Acts that change nothing once they have been done."""
ONCE = st.one_of(
    words("redraw"),
    words("reopen", st.just("now+1h")),
    words("extend", rounds, st.integers(1, 30).map(lambda days: f"now+{days}d")),
)


class Lives(RuleBasedStateMachine):
    """One tournament; what is refused changes nothing."""

    event: Scenario

    @initialize(
        form=st.sampled_from(FORMS),
        size=st.integers(3, 9),
        double=st.booleans(),
        about=st.fixed_dictionaries(
            {
                "best_of": st.integers(1, 3),
                "at_once": st.integers(0, 2),
                "check_in": st.sampled_from([timedelta(hours=each) for each in (0, 20, 24)]),
                "by_hand": st.booleans(),
                "decider": st.sampled_from(Decider),
                "third_place": st.booleans(),
                "both_sides": st.booleans(),
            }
        ),
    )
    def create(self, form: FormatKey, size: int, double: bool, about: dict[str, Any]) -> None:
        seats = form.facts.seats
        about["both_sides"] &= form.facts.pairs
        if about["both_sides"]:
            about["best_of"] = 2
        about |= {"rounds": {FormatKey.SWISS: 4, FormatKey.TABLES: 3}.get(form), "least": seats}
        late = form is FormatKey.SWISS
        self.event = Scenario(
            f"{form.value} 0", double=double, late_entry=late, final_table=double, **about
        )
        self.event.enter(*range(1, max(size, seats) + 1))

    def _try(self, *words: str) -> list[Any]:
        self.event.at += timedelta(seconds=1)  # each act by itself
        before = self.event.t
        try:
            return list(self.event._act(*words))
        except UserError:
            assert self.event.t == before
            return []

    def _game(self, at: int) -> PlayedGame | None:
        games = list(self.event.t.games.values())
        return games[at % len(games)] if games else None

    @rule(words=ONCE_OR_MORE)
    def act_twice(self, words: tuple[str, ...]) -> None:
        before = self.event.t
        done, t = self._try(*words), self.event.t
        if done and (words[0] != "draw" or t.setup.format is not FormatKey.SWISS):
            assert not self._try(*words)
        match words:
            case ("draw",):
                assert not (before.paused_at and done)
            case ("exclude", number) if done:
                mine = t.of_entrant(int(number))
                assert all(x.is_over or (x.is_table and x.has_begun) for x in mine)
            case ("seed", number, place) if done:
                seeds = [each for each in t.seeding if t.entrants[each - 1].is_active]
                assert seeds.index(int(number)) == min(int(place), len(seeds)) - 1
            case ("invite", *_):
                assert not t.rounds or t.seeding == before.seeding

    @rule(words=ONCE)
    def act(self, words: tuple[str, ...]) -> None:
        self._try(*words)

    @rule(at=st.integers(0, 30), how=st.sampled_from(["played", "time"]), points=PLACES)
    def score(self, at: int, how: str, points: list[str]) -> None:
        played = self._game(at)
        if played is None:
            return
        won = int(points[0] > points[1])
        two = len(played.game.players) == 2
        words = (played.game.id, f"{won}:{1 - won}" if two else ":".join(points), how)
        assert not (self._try(*words) and played.is_over)
        assert not self._try(*words)

    @rule(at=st.integers(0, 30), first=st.integers(0, 1))
    def decide_or_correct(self, at: int, first: int) -> None:
        played = self._game(at)
        if played is None or len(played.game.players) != 2:
            return
        moved = [each.game.id for each in self.event.t.pending[at % 3 :: 2]]
        words = ("correct", played.game.id) if played.is_over else ("decide", played.game.id)
        if self._try(*words, f"{first}:{1 - first}", *(moved if played.is_over else ())):
            assert self.event.t.games[played.game.id].points == (first, 1 - first)
            assert {*moved} <= self.event.t.games.keys()

    @rule(back=st.integers(0, 12))
    def undo(self, back: int) -> None:
        """The last act is undone, or, later, that is refused."""
        events = [*self.event.events]
        group = undoing.group_of(events, max(1, len(events) - back))
        leaves_traces = isinstance(read_fact(group[0].kind, group[0].payload), Entered)
        before = replay(events[: group[0].seq - 1]) if group[0].seq > 1 else None
        is_last = group[-1].seq == len(events)
        # One who was entered stays, as one who has withdrawn.
        if self._try("undo", str(group[0].seq)) and is_last and not leaves_traces:
            assert seen(self.event.t) == seen(before)

    @rule(days=st.integers(1, 60))
    def time_passes(self, days: int) -> None:
        self.event.at += timedelta(days=days)
        self._try("overdue")
        if self.event.t.paused_at is None and self.event.t.status is TournamentStatus.RUNNING:
            assert all(played.until > self.event.at for played in self.event.t.pending)

    @precondition(lambda self: len(self.event.events) > 40)
    @rule()
    def cancel(self) -> None:
        self._try("cancel")

    @invariant()
    def nobody_is_in_two_games_of_a_round_and_every_game_is_whole(self) -> None:
        if not hasattr(self, "event"):
            return
        t = self.event.t
        is_knockout = t.setup.format is FormatKey.KNOCKOUT
        for done in t.rounds:
            there = Counter(
                number
                for played, *_ in t.pairings(t.in_round(done.number))
                if not played.game.tie
                for number in played.game.players
            )
            there.update(number for number in done.byes)
            assert not there or max(there.values()) == 1
            assert done.byes.keys() <= walkovers_in(t, done.number) or not is_knockout
        assert not is_knockout or not misplaced(t), "players who do not meet there"
        meetings = Counter(each.game.tie for each in t.pending if each.game.tie)
        at_once = t.setup.games_at_once
        assert max(meetings.values(), default=0) <= at_once, "too many open games of one meeting"
        if t.setup.both_sides:
            for each in t.crosstable().competitors.values():
                lines = [line.round for line in each.lines if line.opponent]
                assert len(lines) == len(set(lines)), "one line a pairing"
        for played in t.pending:
            is_there = all(t.entrants[number - 1].is_active for number in played.game.players)
            assert is_there or played.has_begun or t.status.is_final, "for a player who has left"
        for played in t.games.values():
            if played.points is not None and len(played.points) == 2:
                assert sum(played.points, Fraction(0)) in (0, 1)
        assert sum(each.is_active for each in t.entrants) <= t.setup.most
        places = FORMATS[t.setup.format].places(t) if t.rounds else ()
        assert len({each.number for each in places}) == len(places)

    def teardown(self) -> None:
        """Whatever has happened: the history leads here, and the event still comes to an end."""
        if not hasattr(self, "event"):
            return
        assert replay(self.event.events) == self.event.t
        for each in ("resume", "close"):
            self._try(each)
        for _ in range(60):
            if self.event.t.status.is_final:
                break
            self._try("draw")
            self.event.at = max(self.event.at, self.event.t.finish)
            self._try("overdue")
        assert self.event.t.status.is_final
        assert not self.event.t.pending or self.event.t.status is TournamentStatus.CANCELLED
        assert replay(self.event.events) == self.event.t


TestLives = Lives.TestCase
TestLives.settings = settings(
    max_examples=60,
    stateful_step_count=35,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
