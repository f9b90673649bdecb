"""Players, directors, results and days in any order, with processes that die at any statement.

Whatever happens, the head is what the history leads to, every game that has begun has its one
match, no result counts twice, and the event can still be brought to its end.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from datetime import timedelta
from fractions import Fraction
from itertools import dropwhile, islice, takewhile
from pathlib import Path
from random import Random
from typing import Any, ClassVar, TypeVar
from unittest import mock

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import Connection, event

from bot.domain.history import verify
from bot.domain.ids import InteractionId, UserId
from bot.domain.match import MatchStatus, Scope
from bot.errors import UserError
from bot.posts.outgoing import LEASE
from bot.privacy.services import PrivacyService
from bot.store import Store, open_store, ratings, transactions
from bot.tournaments.domain import acts, challenges
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.notices import MessageKind
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import PlayedGame, TournamentStatus
from bot.tournaments.services.views import Preview
from bot.tournaments.store import reading as tournament_reading
from tests.services.machine import EXAMPLES
from tests.support.databases import empty_postgres, lay_sqlite
from tests.support.kit import GUILD, HandClock, head
from tests.tournaments.kit import Hall, a_setup
from tests.tournaments.scenario import words

T = TypeVar("T")
FORMS = tuple(FormatKey)
OPEN_ENDED = (FormatKey.ARENA, FormatKey.LADDER)
RESULTS = st.sampled_from(
    [(Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)), (Fraction(1, 2),) * 2]
)
users = st.integers(1, 7)
numbers = users.map(str)
HAPPENS = st.one_of(
    words("sweep"),
    words("join check_in leaves left_server again", numbers),
    words("bye", numbers, st.sampled_from("123")),
    words("challenge", numbers, numbers),
)
"""What players do, and what happens by itself."""
ACTS = st.one_of(
    words("close pause resume redraw cancel"),
    words("appoint dismiss", st.just("8")),
    words("part", st.lists(numbers, min_size=1, max_size=3).map(",".join), st.sampled_from("0123")),
    words("rejoin", st.lists(numbers, min_size=2, max_size=2).map(",".join)),
    words("withdraw exclude add", numbers),
    words("replace seed", numbers, numbers),
    words("invite", st.builds("{}:{}:1500".format, users, users)),
    words("reopen", st.integers(-1, 60).map("now+{}h".format)),
)
"""What directors do that is not about a game."""


class Died(BaseException):
    """The end of the process, which no code catches."""


class EventMachine(RuleBasedStateMachine):
    """One event of a club whose process is started anew whenever it has died."""

    url: ClassVar[str] = ""
    hall: Hall

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.folder = Path(tempfile.mkdtemp(prefix="parlour-machine-"))
        self.clock = HandClock()
        self.starts = 0
        self.dies: tuple[int, bool] | None = None
        self.erased = 0
        self.shown: tuple[acts.DirectorAct, Preview] | None = None
        url = self.url
        if url:
            self.run(empty_postgres(Path(url.partition("host=")[2])))
        else:
            lay_sqlite(self.folder / "parlour.db")
            url = f"sqlite:///{self.folder / 'parlour.db'}"
        self.store: Store = self.run(open_store(url))
        self._write = self.store.database.write
        self.store.database.write = self._mortal
        self.start()

    def run(self, question: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(question)

    def start(self) -> None:
        """A process begins; Discord is as before."""
        self.starts += 1
        if self.starts > 1:
            self.hall.restart()
        else:
            self.hall = Hall(self.store, self.clock, seed=1)

    async def _mortal(self, transaction: Callable[[Connection], T], **more: Any) -> T:
        """A transaction in which the process may die: before a statement, or after the commit."""
        if self.dies is None:
            return await self._write(transaction, **more)
        left, after = self.dies
        if after:
            await self._write(transaction, **more)
            self.dies = None
            raise Died

        def dying(connection: Connection) -> T:
            counted = [left]

            def count(*_: object) -> None:
                counted[0] -= 1
                if counted[0] < 0:
                    raise Died

            event.listen(connection, "before_cursor_execute", count)
            try:
                return transaction(connection)
            finally:
                event.remove(connection, "before_cursor_execute", count)

        try:
            return await self._write(dying, **more)
        except Died:
            self.dies = None
            raise

    def attempt(self, question: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """Ask for something; refused or cut short it changes nothing, or all of it happened."""
        before = self.run(self.hall.head(self.id_))
        try:
            self.run(question())
        except UserError:
            if self.dies is None:
                assert self.run(self.hall.head(self.id_)).version >= before.version
        except Died:
            self.clock.forward(seconds=LEASE.total_seconds() + 1)
            self.start()
        self.run(self._pending())

    async def _pending(self) -> None:
        """Tasks that a dead process leaves behind end here."""
        others = [
            task for task in asyncio.all_tasks(self.loop) if task is not asyncio.current_task()
        ]
        if others:
            await asyncio.gather(*others, return_exceptions=True)

    # ---- what happens --------------------------------------------------------------------------

    @initialize(
        form=st.sampled_from(FORMS),
        players=st.integers(2, 6),
        at_once=st.integers(0, 2),
        best_of=st.integers(1, 3),
        about=st.fixed_dictionaries(
            {
                "double": st.booleans(),
                "both_sides": st.booleans(),
                "check_in": st.sampled_from([timedelta(), timedelta(hours=8)]),
            }
        ),
    )
    def create(
        self, form: FormatKey, players: int, at_once: int, best_of: int, about: dict[str, Any]
    ) -> None:
        about["both_sides"] &= form.facts.pairs
        setup = a_setup(
            form,
            at_once=at_once,
            best_of=2 if about["both_sides"] else best_of,
            **about,
            most=16,  # with more a double elimination of two games a meeting would last too long
            rated=True,
            late_entry=form in (FormatKey.SWISS, *OPEN_ENDED),
        )
        self.id_ = self.run(self.hall.create(setup))
        self.run(self.hall.join(self.id_, *range(1, players + 1)))

    @rule(said=HAPPENS)
    def happens(self, said: tuple[str, ...]) -> None:
        """By a click that comes twice, also to the process after a death."""
        click = self.hall.club.click()
        for _ in range(2):
            with mock.patch.object(self.hall.club, "click", return_value=click):
                self.attempt(lambda: self.hall._take(self.id_, *said))

    @precondition(lambda self: not self.erased)
    @rule(user=users)
    def erase(self, user: int) -> None:
        hall = self.hall
        privacy = PrivacyService(
            self.store, hall.club.service, self.clock, Random(user), hall.service
        )
        self.attempt(lambda: privacy.erase(UserId(user)))
        if self.dies is None:
            self.erased = user

    @rule(at=st.integers(0, 3), accept=st.booleans())
    def answer(self, at: int, accept: bool) -> None:
        t = self.run(self.hall.head(self.id_))
        if t.challenges:
            asked = t.challenges[at % len(t.challenges)]
            user = int(t.entrants[asked.challenged - 1].user_id or 0)
            rule = challenges.accept if accept else challenges.decline
            self.attempt(lambda: self.hall.does(user, self.id_, rule, asked.challenger))

    @rule(left=st.integers(0, 40), after=st.booleans())
    def die_soon(self, left: int, after: bool) -> None:
        self.dies = (left, after)

    @rule(hours=st.sampled_from([0.01, 0.5, 6, 25, 24 * 9]))
    def wait(self, hours: float) -> None:
        self.clock.forward(hours=hours)

    @rule()
    def begin(self) -> None:
        t = self.run(self.hall.head(self.id_))
        self.clock.at = max(self.clock.at, t.begins)
        self.attempt(self.hall.sweep)

    @rule(at=st.integers(0, 20), seat=st.integers(0, 1))
    def win(self, at: int, seat: int) -> None:
        game = self._game(at, lambda each: each.has_begun)
        if game:
            self.attempt(lambda: self.hall.win(self.id_, game, seat))

    @rule(at=st.integers(0, 20))
    def move(self, at: int) -> None:
        """One move: from then on no substitute can sit there, and no correction undo the game."""
        game = self._game(at, lambda each: each.has_begun and not each.is_over)
        if game:
            self.attempt(lambda: self.hall.move(self.id_, game))

    def _game(self, at: int, which: Callable[[PlayedGame], bool]) -> str:
        t = self.run(self.hall.head(self.id_))
        games = [name for name, each in t.games.items() if which(each)]
        return games[at % len(games)] if games else ""

    def direct(self, act: acts.DirectorAct, seen: int | None = None) -> InteractionId:
        """A director's click, which comes twice."""
        click = self.hall.club.click()
        for _ in range(2):
            self.attempt(
                lambda: self.hall.direct(
                    self.id_, act, reason="so it is", seen=seen, interaction_id=click
                )
            )
        return click

    @rule(said=ACTS, later=st.booleans())
    def act(self, said: tuple[str, ...], later: bool) -> None:
        act = self.run(self.hall.act(self.id_, *said))
        (self.show if later else self.direct)(act)

    def show(self, act: acts.DirectorAct) -> None:
        """A director looks at what an act would do, and takes their time to confirm it."""
        with suppress(UserError):
            seen = self.run(self.hall.preview(self.id_, act))
            self.shown = (act, seen)

    @rule(at=st.integers(0, 20), over=st.booleans(), points=RESULTS, later=st.booleans())
    def decide_or_correct(
        self, at: int, over: bool, points: tuple[Fraction, ...], later: bool
    ) -> None:
        game = self._game(at, lambda each: each.is_over is over)
        if not game:
            return
        before = self.run(self.hall.head(self.id_))
        links = self.run(self.store.read(tournament_reading.links, self.id_))
        kind = acts.Correct if over else acts.Decide
        (self.show if later else self.direct)(kind(game, self._points(game, points)))
        after = self.run(self.hall.head(self.id_))
        kept = {name for name in before.games if name in links and links[name].ply}
        assert kept <= after.games.keys(), "what a player has begun stays"

    @precondition(lambda self: self.shown is not None)
    @rule()
    def confirm(self) -> None:
        """Whatever has happened meanwhile: what was shown is done, or nothing."""
        assert self.shown is not None
        (act, seen), self.shown = self.shown, None
        click = self.direct(act, seen.key)
        history = self.run(self.store.read(tournament_reading.history, self.id_))
        rest = dropwhile(lambda each: each.interaction_id != click, history)
        first = list(islice(rest, 1))  # which alone names the interaction
        more = takewhile(lambda each: each.user_id and each.interaction_id is None, rest)
        done = [each.fact for each in (*first, *more)]
        if done and not isinstance(act, acts.Add):  # who is added has the next number
            assert tuple(done) == seen.facts

    def _points(self, game: str, points: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        """Points for as many as play: at a table of four the first or the last wins."""
        seats = len(self.run(self.hall.head(self.id_)).games[game].game.players)
        places = tuple(map(Fraction, (4, 2, 1, 0)))
        return points if seats == 2 else places if points[0] else places[::-1]

    @rule(hours=st.integers(-1, 100), one=st.booleans(), at=st.integers(0, 20))
    def extend(self, hours: int, one: bool, at: int) -> None:
        t = self.run(self.hall.head(self.id_))
        game = self._game(at, lambda each: not each.is_over) if one else ""
        number = t.games[game].game.round if game else len(t.rounds)
        self.direct(acts.Extend(number, game, self.clock.at + timedelta(hours=hours)))

    @precondition(lambda self: self.starts < 4)
    @rule()
    def undo(self) -> None:
        lines = self.run(self.hall.audit(self.id_))
        can = [each.seq for each in lines if each.can_undo]
        if can:
            self.clock.forward(seconds=1)
            self.direct(acts.Undo(can[0]))

    # ---- what holds ----------------------------------------------------------------------------

    @invariant()
    def all_holds(self) -> None:
        t = self.run(self.hall.check(self.id_))
        numbers = [each.user_id for each in t.active]
        assert len(numbers) == len(set(numbers)), "nobody is in twice"
        meetings = Counter(each.game.tie for each in t.pending if each.game.tie)
        most = t.setup.games_at_once
        assert max(meetings.values(), default=0) <= most, "too many open games of one meeting"
        for games in t.pairings(t.games.values()):
            begun = {each.has_begun for each in games[:2] if not each.is_over}
            assert len(begun) < 2, "the games of a pairing begin together"

    def teardown(self) -> None:
        try:
            if hasattr(self, "id_"):
                self.dies = None
                self.run(self._to_the_end())
        finally:
            self.run(self.store.close())
            self.loop.close()
            shutil.rmtree(self.folder)

    async def _to_the_end(self) -> None:
        t = await self.hall.head(self.id_)
        if t.paused_at is not None:
            await self.hall.direct(self.id_, acts.Resume())
            t = await self.hall.head(self.id_)
        if t.setup.format in OPEN_ENDED:
            self.clock.at = max(self.clock.at, t.finish)
        t = await self.hall.play_out(self.id_)
        await self.hall.check(self.id_)
        stored = await self.hall.stored(self.id_)
        for match_id in stored.matches.values():
            match = await head(self.store, match_id)
            assert match is not None
            verify(match, await self.store.read(transactions.history, match_id, Scope(GUILD)))
            goes_on = t.setup.format is FormatKey.ARENA or t.status is TournamentStatus.CANCELLED
            assert goes_on or match.status is not MatchStatus.RUNNING
        assert (await self.store.write(ratings.rebuild))[1] == 0
        told = Counter(
            (each.kind, each.version, each.user_id, each.game, each.detail)
            for each, _ in self.hall.announcer.told
            if each.kind is not MessageKind.HOME
        )
        may_repeat = self.starts > 1  # a process died after telling, before it could note that
        assert may_repeat or max(told.values(), default=1) == 1
        (stands,) = self.hall.announcer.homes
        assert (await self.hall.stored(self.id_)).home.message_id == stands
        finished = [
            each
            for each in await self.store.read(tournament_reading.history, self.id_)
            if isinstance(each.fact, f.Finished)
        ]
        assert len(finished) <= 1


_settings = settings(
    max_examples=max(4, EXAMPLES // 2),
    stateful_step_count=14,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def test_an_event_survives_everything_on_sqlite() -> None:
    run_state_machine_as_test(EventMachine, settings=_settings)


@pytest.mark.long
@pytest.mark.postgres
def test_an_event_survives_everything_on_postgres(postgres_url: str) -> None:
    machine = type("PostgresMachine", (EventMachine,), {"url": postgres_url})
    run_state_machine_as_test(
        machine, settings=settings(_settings, max_examples=max(2, EXAMPLES // 5))
    )
