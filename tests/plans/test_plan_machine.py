"""Plans under everything that may happen to a match, by both players, held against a plain model.

The model keeps the lines of each player and the moves since they were written, and reads from both
what is planned now. The process dies between any two steps of the database's own machine while a
transaction runs: what it leaves behind then are its files as they lie, and another process begins
on a copy of those. A move and all that is planned on it must be there, or nothing of it.
"""

from __future__ import annotations

import shutil
from collections.abc import Coroutine
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any, cast

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import initialize, invariant, precondition, rule
from sqlalchemy.exc import OperationalError

from bot.domain.clock import TimeControl
from bot.domain.game_state import game_state_of, player_on_turn
from bot.domain.history import verify
from bot.domain.match import Actor, Match, MatchStatus
from bot.domain.playthrough import moves_of
from bot.domain.requests import RequestKind
from bot.errors import UserError
from bot.plans import store as stored_plans
from bot.plans.domain import ANY, MOST_LINES, Planned, read_line
from bot.plans.services import PlanService
from bot.services.match_changes import Answer
from bot.services.timeouts import sweep_flags
from bot.store.sqlite import SqliteDatabase
from games.errors import GameError, MoveSyntaxError
from tests.services.machine import EXAMPLES, HostMachine
from tests.support.kit import ANN, BOB, CYD, GUILD, next_unsent
from tests.support.not_none import not_none

PEOPLE = (ANN, BOB)
CELLS = [f"{file}{rank}" for file in "abcd" for rank in "1234"]
STEPS_OF_A_DEATH = 20
"""Steps of the database's machine between two moments at which the process may die."""

people = st.sampled_from(PEOPLE)
words = st.sampled_from([*CELLS[:9], ANY, ANY, "swap"])
lines = st.lists(words, min_size=1, max_size=6).map(" ".join)

Steps = tuple[Planned, ...]


@dataclass
class Foreseen:
    """The lines of one player as they were written, and what has been played since."""

    lines: list[Steps] = field(default_factory=list)
    since: list[str] = field(default_factory=list)

    def left(self) -> list[Steps]:
        """The rest of the lines that the game has followed; the latest is first."""
        count = len(self.since)

        def fits(line: Steps) -> bool:
            played = zip(line, self.since, strict=False)
            return len(line) > count and all(
                step.move == move or (step.move == ANY and not step.own) for step, move in played
            )

        def vague(line: Steps) -> list[bool]:
            return [step.move == ANY for step in reversed(line[:count])]

        followed = sorted(filter(fits, self.lines), key=vague)
        return list(dict.fromkeys(line[count:] for line in followed))

    def add(self, line: Steps) -> bool:
        """Write a line down; False if there are too many."""
        kept = self.left()
        if any(each[: len(line)] == line for each in kept):
            return True
        kept = [each for each in kept if not self._contradict(each, line)]
        if len(kept) == MOST_LINES:
            return False
        wanted = sorted([*kept, line], key=lambda each: [step.move == ANY for step in each])
        self.lines, self.since = wanted, []
        return True

    @staticmethod
    def _contradict(old: Steps, new: Steps) -> bool:
        """Whether the old line says nothing beyond the new one, or answers the same moves else."""
        for before, after in zip(old, new, strict=False):
            if before != after:
                return before.own and after.own
        return len(old) < len(new)

    def drop(self, line: Steps | None) -> None:
        """Drop a line, or all of them."""
        self.lines = [] if line is None else [each for each in self.left() if each != line]
        self.since = []


class PlanMachine(HostMachine):
    def open(self) -> None:
        super().open()
        self.planning = PlanService(self.store, self.club.service)

    # ---- what is stored, and what it should be -----------------------------------------------

    def stored(self) -> list[list[tuple[Planned, ...]]]:
        """The plans of both, as the store has them."""
        found = [
            self.as_stored(
                f"{player}", partial(self.store.read, stored_plans.plan, self.id, player)
            )
            for player in (0, 1)
        ]
        return [[] if each is None else list(each.lines) for each in found]

    def expected(self) -> list[list[tuple[Planned, ...]]]:
        return [each.left() for each in self.foreseen]

    def everything(self) -> Any:
        return self.match(), self.stored()

    def refused(self, question: Any) -> bool:
        """Whether something is refused, which must change nothing."""
        before = self.everything()
        try:
            self.run(question)
        except (UserError, GameError):
            assert self.everything() == before
            return True
        return False

    def forget(self) -> None:
        """The position is another than any plan was written for, or there is no match any more."""
        self.foreseen = [Foreseen(), Foreseen()]

    def follow(self, before: Any, move: Any) -> list[Any]:
        """Play a move in the model, and whatever is planned on it; returns all that is played."""
        table = game_state_of(before)
        game, position = table.game, table.position
        played = []
        while True:
            position = game.play(position, game.parse(position, move))
            played.append(move)
            for each in self.foreseen:
                each.since.append(move)
            seat = game.to_move(position)
            if seat is None:
                self.forget()
                return played
            mine = self.foreseen[game.seating(position)[seat]]
            left = mine.left()
            if not left:
                return played
            try:
                if not left[0][0].own:
                    raise MoveSyntaxError("anything", text=ANY)  # as after `* *`
                move = game.notation(position, game.parse(position, left[0][0].move))
            except GameError:
                mine.drop(None)
                return played

    # ---- what people do ----------------------------------------------------------------------

    @initialize(
        pie=st.sampled_from(["on", "off"]),
        size=st.sampled_from([3, 4]),
        clock=st.sampled_from([None, TimeControl(timedelta(days=9), per_move=True)]),
    )
    def begin(self, pie: str, size: int, clock: Any) -> None:
        options = {"players": 2, "pie": pie, "size": size}
        self.match_id = self.run(self.club.start(BOB, options=options, clock=clock))
        self.forget()

    def actor(self, player: int) -> Actor:
        user = self.match().players[player]
        return Actor(not_none(user), GUILD)

    @rule(actor=people, texts=st.lists(lines, min_size=1, max_size=2))
    def a_player_plans(self, actor: Actor, texts: Any) -> None:
        match = self.match()
        player = match.index_of(actor.user_id)
        if self.refused(self.planning.add(actor, self.id, "\n".join(texts))):
            return
        assert match.status is MatchStatus.RUNNING
        on_turn = player_on_turn(match)
        assert on_turn is not None
        for text in texts:
            # On one's own turn a line begins with the move to be made, so an answer must follow.
            assert on_turn != player or len(text.split()) > 2
            assert self.foreseen[not_none(player)].add(read_line(match, not_none(player), text))

    @rule(count=st.integers(1, 3), data=st.data())
    def the_waiting_player_plans(self, count: int, data: Any) -> None:
        """Lines that can be played, several of which begin alike."""
        match = self.match()
        on_turn = player_on_turn(match)
        if on_turn is not None:
            texts = [self.some_line(match, data) for _ in range(count)]
            self.a_player_plans(self.actor(1 - on_turn), texts)

    @staticmethod
    def some_line(match: Match, data: Any) -> str:
        """Two or four moves of the first few that are legal, as far as all are foreseen."""
        table = game_state_of(match)
        game, position = table.game, table.position
        line = []
        for number in range(data.draw(st.sampled_from([2, 4]))):
            if position is None:
                line.append(data.draw(st.sampled_from([*CELLS[:6], ANY][: 7 - number % 2])))
                continue
            legal = [game.notation(position, move) for move in game.legal_moves(position)][:4]
            if not legal:
                break
            move = data.draw(st.sampled_from(legal if number % 2 else [*legal, ANY]))
            line.append(move)
            position = None if move == ANY else game.play(position, game.parse(position, move))
        return " ".join(line)

    @rule(actor=people, data=st.data())
    def a_player_drops_a_line_or_all(self, actor: Actor, data: Any) -> None:
        match = self.match()
        player = match.index_of(actor.user_id)
        left = self.foreseen[not_none(player)].left()
        number = data.draw(st.none() | st.integers(0, len(left)))
        ply = match.ply + data.draw(st.sampled_from([0, 0, 0, -1, 1]))
        if self.refused(self.planning.drop(actor, self.id, ply, number)):
            return
        assert ply == match.ply
        if number is None:
            self.foreseen[not_none(player)].drop(None)
        elif number < len(left):
            self.foreseen[not_none(player)].drop(left[number])

    @rule(actor=people, text=st.sampled_from([*CELLS, "swap"]))
    def a_player_moves(self, actor: Actor, text: str) -> None:
        before, click = self.match(), self.club.click()
        if self.refused(self.moving(actor, text, click)):
            return
        self.check_move(before, text)
        answer = self.run(self.moving(actor, text, click))
        assert answer.repeated, "the same click again plays nothing, and no plan either"

    def moving(self, actor: Actor, text: str, click: Any) -> Coroutine[Any, Any, Answer]:
        return self.club.service.move(actor, self.id, text=text, interaction_id=click)

    def check_move(self, before: Any, text: str) -> None:
        played = self.follow(before, text)
        after = self.match()
        assert (after.ply, after.recent[-len(played) :]) == (
            before.ply + len(played),
            tuple(played),
        )

    @rule(text=st.sampled_from(CELLS))
    def the_player_on_turn_moves(self, text: str) -> None:
        on_turn = player_on_turn(self.match())
        if on_turn is not None:
            self.a_player_moves(self.actor(on_turn), text)

    @rule(moves=st.integers(1, 3), data=st.data())
    def the_game_goes_as_foreseen(self, moves: int, data: Any) -> None:
        for _ in range(moves):
            on_turn = player_on_turn(self.match())
            if on_turn is None:
                return
            foreseen = [line[0].move for line in self.foreseen[1 - on_turn].left()]
            chosen = data.draw(st.sampled_from([move for move in foreseen if move != ANY] or CELLS))
            self.a_player_moves(self.actor(on_turn), chosen)
            self.the_waiting_player_plans(2, data)

    @precondition(lambda self: self.match_id is not None and self.match().ply > 3)
    @rule(actor=people)
    def a_player_resigns(self, actor: Actor) -> None:
        if not self.refused(self.club.resign(actor, self.id)):
            self.forget()

    @rule(actor=people, wish=st.sampled_from(RequestKind))
    def a_player_asks(self, actor: Actor, wish: RequestKind) -> None:
        self.asks_or_answers(self.club.ask(actor, self.id, wish))

    @rule(actor=people, wish=st.sampled_from(RequestKind), accept=st.booleans())
    def a_player_answers(self, actor: Actor, wish: RequestKind, accept: Any) -> None:
        self.asks_or_answers(self.club.answer(actor, self.id, wish, accept=accept))

    def asks_or_answers(self, question: Any) -> None:
        before = self.match()
        self.refused(question)
        after = self.match()
        if after.ply != before.ply or after.status is not MatchStatus.RUNNING:
            self.forget()

    @rule(asker=st.sampled_from([0, 1]))
    def a_move_is_taken_back(self, asker: Any) -> None:
        """One asks for their last move, and the other gives it back."""
        if self.match().status is MatchStatus.RUNNING:
            self.a_player_asks(self.actor(asker), RequestKind.TAKEBACK)
            self.a_player_answers(self.actor(1 - asker), RequestKind.TAKEBACK, accept=True)

    @rule(actor=people)
    def a_player_ends_a_pause(self, actor: Actor) -> None:
        self.refused(self.club.resume(actor, self.id))

    @rule(days=st.sampled_from([1, 10]))
    def time_passes(self, days: int) -> None:
        before = self.match()
        self.clock.forward(days=days)
        self.run(sweep_flags(self.store, self.clock))
        if self.match().status is not before.status:
            self.forget()

    @rule()
    def a_stranger_asks_for_plans(self) -> None:
        assert self.refused(self.planning.plan(CYD, self.id))

    # ---- what happens to the process ---------------------------------------------------------

    @rule()
    def the_process_is_started_anew(self) -> None:
        self.close()
        self.open()

    async def writer(self) -> Any:
        async with cast("SqliteDatabase", self.store.database)._writer.lent() as connection:
            return connection

    def die(self, deed: Any, moment: Any) -> None:
        """Do something; the process dies at the given moment of its transaction, or after it."""
        self.run(self.club.worker.drain())
        self.club.changes.outbox = None  # the next process has to find what is to be sent
        grave = self.folder / str(self.starts + 1)
        grave.mkdir()
        left = [int(moment)]

        def lies() -> None:
            for name in ("parlour.db", "parlour.db-wal", "parlour.db.newest"):
                if (self.place / name).exists():
                    shutil.copyfile(self.place / name, grave / name)

        def step() -> int:
            left[0] -= 1
            if left[0] == 0:
                lies()
            return left[0] <= 0

        self.run(self.store.database.write(lambda _: None))
        raw = self.run(self.writer())
        self.run(raw.set_progress_handler(step, STEPS_OF_A_DEATH))
        try:
            self.run(deed())
        except OperationalError:
            assert left[0] <= 0
        except (UserError, GameError):
            shutil.rmtree(grave)
            self.club.changes.outbox = self.club.worker
            raise
        finally:
            self.run(raw.set_progress_handler(None, 0))
        if left[0] > 0:
            lies()
        self.close()
        shutil.rmtree(self.place)
        self.place = grave
        self.open()

    @rule(moment=st.integers(1, 60), text=st.sampled_from(CELLS), data=st.data())
    def the_process_dies_while_a_player_moves(self, moment: Any, text: str, data: Any) -> None:
        before, plans = self.everything()
        on_turn = player_on_turn(before)
        table = game_state_of(before) if before.state else None
        if on_turn is None or table is None:
            return
        foreseen = [line[0].move for line in self.foreseen[1 - on_turn].left()]
        wanted = [each for each in foreseen if each != ANY] or [text]
        text = data.draw(st.sampled_from(wanted))
        legal = [
            table.game.notation(table.position, m) for m in table.game.legal_moves(table.position)
        ]
        if text not in legal:
            return
        actor, click = self.actor(on_turn), self.club.click()
        try:
            self.die(lambda: self.moving(actor, text, click), moment)
        except UserError:
            return
        found = self.match()
        if found.version == before.version:
            assert self.stored() == plans, "a move that was not made leaves all plans alone"
            assert not self.run(self.moving(actor, text, click)).repeated
        self.check_move(before, text)
        assert self.run(self.moving(actor, text, click)).repeated

    @rule(moment=st.integers(1, 20), data=st.data())
    def the_process_dies_while_a_player_plans(self, moment: Any, data: Any) -> None:
        before, plans = self.everything()
        on_turn = player_on_turn(before)
        if on_turn is None:
            return
        player, text = 1 - on_turn, self.some_line(before, data)
        try:
            self.die(lambda: self.planning.add(self.actor(player), self.id, text), moment)
        except (UserError, GameError):
            assert self.everything() == (before, plans)
            return
        assert self.match() == before
        if self.stored() != plans:
            assert self.foreseen[player].add(read_line(before, player, text))

    @rule()
    def everything_is_sent(self) -> None:
        self.clock.forward(minutes=1)
        self.run(self.club.worker.drain())
        match = self.match()
        calls = [each for each in self.club.discord.told if each.notice.is_call]
        assert len(calls) == len({each.since for each in calls}), "one call for each position"
        on_turn = player_on_turn(match)
        if on_turn is not None and match.moved_by is not None:
            assert [each.player for each in calls if each.since == match.position_since] in (
                [on_turn],
                [] if match.moved_by == on_turn else [on_turn],
            )
        assert self.run(next_unsent(self.store)) is None

    @invariant()
    def the_plans_are_as_foreseen_and_the_history_holds(self) -> None:
        if self.match_id is None:
            return
        match, events = self.match(), self.events()
        verify(match, events)
        assert self.stored() == self.expected()
        assert len(moves_of(events)) == match.ply
        if match.status is not MatchStatus.RUNNING:
            assert self.stored() == [[], []]


PlanMachine.TestCase.settings = settings(
    max_examples=max(EXAMPLES * 3 // 5, 1),
    stateful_step_count=25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    print_blob=True,
)
TestPlanMachine = pytest.mark.timeout(600)(PlanMachine.TestCase)
