"""Registration, rounds, results and directors' acts in any order; every event can still end."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from fractions import Fraction
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.domain.ids import UserId
from bot.errors import UserError
from bot.tournaments.domain import directing, inviting, registration, running, undoing
from bot.tournaments.domain.crosstable import Kind
from bot.tournaments.domain.facts import Entered, How
from bot.tournaments.domain.fold import TournamentChange, read_fact, replay
from bot.tournaments.domain.formats.catalog import FORMATS
from bot.tournaments.domain.formats.knockout import misplaced, walkovers_in
from bot.tournaments.domain.inviting import Guest
from bot.tournaments.domain.setup import Decider, FormatKey
from bot.tournaments.domain.tournament import PlayedGame, TournamentStatus
from tests.tournaments.events_made import Event, a_setup
from tests.tournaments.scenario import seen

FORMS = (FormatKey.SWISS, FormatKey.KNOCKOUT, FormatKey.ROUND_ROBIN, FormatKey.TABLES)
PLACES = st.permutations([Fraction(4), Fraction(2), Fraction(1), Fraction(0)])


BY_ITSELF = (running.record, running.overdue, running.begin_game)


class Lives(RuleBasedStateMachine):
    """One tournament; what is refused changes nothing."""

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
        rounds = {FormatKey.SWISS: 4, FormatKey.TABLES: 3}.get(form)
        about["both_sides"] &= form.facts.pairs
        if about["both_sides"]:
            about["best_of"] = 2
        seats = form.facts.seats
        self.event = Event(
            a_setup(
                form,
                rounds=rounds,
                least=seats,
                double=double,
                late_entry=form is FormatKey.SWISS,
                final_table=double,
                **about,
            )
        )
        self.event.enter(*range(1, max(size, seats) + 1))

    def _try(self, decide: object, *args: object, **more: object) -> list[TournamentChange]:
        self.event.at += timedelta(seconds=1)  # each act by itself
        before, by = self.event.t, None if decide in BY_ITSELF else 7
        try:
            found = decide(before, self.event.act(by), *args, **more)  # type: ignore[operator]
        except UserError:
            return []
        return self.event.take(found)

    def _game(self, at: int) -> PlayedGame | None:
        games = list(self.event.t.games.values())
        return games[at % len(games)] if games else None

    @rule(user=st.integers(1, 12))
    def enter(self, user: int) -> None:
        if self._try(registration.enter, UserId(user)):
            assert registration.enter(self.event.t, self.event.act(), UserId(user)) is None

    @rule(
        users=st.lists(st.integers(1, 15), max_size=4, unique=True),
        seed=st.one_of(st.none(), st.integers(1, 9)),
        rating=st.one_of(st.none(), st.integers(900, 905)),
    )
    def invite(self, users: list[int], seed: int | None, rating: int | None) -> None:
        """A list read twice changes nothing the second time."""
        guests = [Guest(UserId(each), seed, rating) for each in users]
        before = self.event.t.seeding
        if self._try(inviting.invite, guests):
            assert inviting.invite(self.event.t, self.event.act(), guests) == ()
        assert not self.event.t.rounds or self.event.t.seeding == before

    @rule(number=st.integers(1, 10), place=st.integers(1, 10))
    def move_seed(self, number: int, place: int) -> None:
        if self._try(inviting.move_seed, number, place):
            t = self.event.t
            seeds = [each for each in t.seeding if t.entrants[each - 1].is_active]
            assert seeds.index(number) == min(place, len(seeds)) - 1

    @rule(number=st.integers(1, 10))
    def check_in(self, number: int) -> None:
        self._try(registration.check_in, number)

    @rule(number=st.integers(1, 10))
    def withdraw(self, number: int) -> None:
        if self._try(registration.withdraw, number):
            assert registration.withdraw(self.event.t, self.event.act(), number) == ()

    @rule(number=st.integers(1, 10))
    def exclude(self, number: int) -> None:
        if self._try(registration.exclude, number):
            assert registration.exclude(self.event.t, self.event.act(), number) == ()
            mine = self.event.t.of_entrant(number)
            assert all(played.is_over or (played.is_table and played.has_begun) for played in mine)

    @rule(number=st.integers(1, 10), user=st.integers(1, 15))
    def replace(self, number: int, user: int) -> None:
        self._try(registration.replace, number, UserId(user))

    @rule(number=st.integers(1, 10), at=st.integers(1, 4), half=st.booleans())
    def ask_bye(self, number: int, at: int, half: bool) -> None:
        kind = Kind.HALF_BYE if half else Kind.ZERO_BYE
        self._try(registration.ask_bye, number, at, kind)

    @rule(opens=st.booleans())
    def close_or_reopen(self, opens: bool) -> None:
        if opens:
            self._try(registration.reopen, self.event.at + timedelta(hours=1))
        else:
            self._try(registration.close)

    @rule()
    def draw(self) -> None:
        paused = self.event.t.paused_at
        changes = self.event.draw()
        assert not (paused and changes)
        if self.event.t.setup.format is not FormatKey.SWISS:
            assert self.event.draw() == []

    @rule()
    def begin(self) -> None:
        for game in running.startable(self.event.t)[: 2 * self.event.t.setup.games_at_once]:
            assert self._try(running.begin_game, game.id)
            assert running.begin_game(self.event.t, self.event.act(), game.id) is None

    @rule(at=st.integers(0, 30), how=st.sampled_from([How.PLAYED, How.TIME]), points=PLACES)
    def score(self, at: int, how: How, points: list[Fraction]) -> None:
        played = self._game(at)
        if played is None:
            return
        two = len(played.game.players) == 2
        won = Fraction(int(points[0] > points[1]))
        values = (won, 1 - won) if two else tuple(points)
        had = played.points
        changes = self._try(running.record, played.game.id, values, how)
        if had is not None:
            assert not changes
        assert not self._try(running.record, played.game.id, values, how)

    @rule(at=st.integers(0, 30), first=st.booleans())
    def decide_or_correct(self, at: int, first: bool) -> None:
        played = self._game(at)
        if played is None or len(played.game.players) != 2:
            return
        points = (Fraction(int(first)), Fraction(int(not first)))
        decide = directing.correct if played.is_over else directing.decide
        more = {"moved": {each.game.id for each in self.event.t.pending[at % 3 :: 2]}}
        if self._try(decide, played.game.id, points, **(more if played.is_over else {})):
            assert self.event.t.games[played.game.id].points == points

    @rule(at=st.integers(1, 4), days=st.integers(1, 30))
    def extend(self, at: int, days: int) -> None:
        self._try(directing.extend, at, self.event.at + timedelta(days=days))

    @rule(stop=st.booleans())
    def pause_or_resume(self, stop: bool) -> None:
        self._try(directing.pause if stop else directing.resume)

    @rule(back=st.integers(0, 12), at=st.integers(0, 2))
    def undo(self, back: int, at: int) -> None:
        """The last act is undone, or, later, that is refused."""
        events = self.event.events
        seq = max(1, len(events) - back)
        group = undoing.group_of(events, seq)
        is_last = group[-1].seq == len(events)
        fact = read_fact(group[0].kind, group[0].payload)
        leaves_traces = isinstance(fact, Entered)  # as one who has withdrawn
        before = replay(events[: group[0].seq - 1]) if group[0].seq > 1 else None
        undone = self._try(undoing.undo, list(events), seq)
        if undone and is_last and not leaves_traces:
            assert seen(self.event.t) == seen(before)

    @rule()
    def redraw(self) -> None:
        self._try(directing.redraw)

    @rule(days=st.integers(1, 60))
    def time_passes(self, days: int) -> None:
        self.event.at += timedelta(days=days)
        self._try(running.overdue)
        if self.event.t.paused_at is None and self.event.t.status is TournamentStatus.RUNNING:
            assert all(played.until > self.event.at for played in self.event.t.pending)

    @precondition(lambda self: len(self.event.events) > 40)
    @rule()
    def cancel(self) -> None:
        self._try(directing.cancel)

    @invariant()
    def nobody_is_in_two_games_of_a_round_and_every_game_is_whole(self) -> None:
        if not hasattr(self, "event"):
            return
        t = self.event.t
        is_knockout = t.setup.format is FormatKey.KNOCKOUT
        for done in t.rounds:
            seen = Counter(
                number
                for played, *_ in t.pairings(t.in_round(done.number))
                if not played.game.tie
                for number in played.game.players
            )
            seen.update(number for number in done.byes)
            assert not seen or max(seen.values()) == 1
            assert done.byes.keys() <= walkovers_in(t, done.number) or not is_knockout
        assert not is_knockout or not misplaced(t), "players who do not meet there"
        meetings = Counter(each.game.tie for each in t.pending if each.game.tie)
        at_once = t.setup.games_at_once
        assert max(meetings.values(), default=0) <= at_once, "too many open games of one meeting"
        if t.setup.both_sides:
            for each in t.crosstable().competitors.values():
                numbers = [line.round for line in each.lines if line.opponent]
                assert len(numbers) == len(set(numbers)), "one line a pairing"
        for played in t.pending:
            there = all(t.entrants[number - 1].is_active for number in played.game.players)
            assert there or played.has_begun or t.status.is_final, "for a player who has left"
        for played in t.games.values():
            if played.points is not None and len(played.points) == 2:
                assert sum(played.points) in (0, 1)
        assert sum(each.is_active for each in t.entrants) <= t.setup.most
        places = FORMATS[t.setup.format].places(t) if t.rounds else ()
        assert len({each.number for each in places}) == len(places)

    def teardown(self) -> None:
        """Whatever has happened: the history leads here, and the event still comes to an end."""
        if not hasattr(self, "event"):
            return
        assert replay(self.event.events) == self.event.t
        self._try(directing.resume)
        self._try(registration.close)
        for _ in range(60):
            if self.event.t.status.is_final:
                break
            self.event.draw()
            self.event.at = max(self.event.at, self.event.t.finish)
            self._try(running.overdue)
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
