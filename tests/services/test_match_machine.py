"""All commands, by anybody, in every order, doubled and late, with restarts in between.

What is accepted is held against the game itself and against what the match was before; what is
refused must have changed nothing.
"""

from __future__ import annotations

import dataclasses
from datetime import timedelta
from typing import Any
from unittest import mock

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import initialize, invariant, rule

from bot.domain import offer_answers, play, request_rules, stalled
from bot.domain.clock import TimeControl
from bot.domain.game_state import game_state_of, player_at, player_on_turn
from bot.domain.history import verify
from bot.domain.match import Actor, Ending, MatchStatus
from bot.domain.requests import Request, RequestKind, find
from bot.errors import UserError
from bot.posts.notices import asks
from bot.posts.outgoing import LEASE
from bot.services import match_changes
from bot.services.match_changes import Answer
from bot.services.presence import GRACE
from bot.services.timeouts import sweep_flags, sweep_offers, sweep_requests
from bot.store import changes
from games.errors import GameError
from tests.services.machine import EXAMPLES, HostMachine
from tests.support.kit import ANN, BOB, CYD, DAN, next_unsent
from tests.support.not_none import not_none

PEOPLE = (ANN, BOB, CYD, DAN)
actors = st.sampled_from(PEOPLE)
wishes = st.sampled_from(RequestKind)
texts = st.sampled_from([f"{file}{rank}" for file in "abc" for rank in "123"]) | st.sampled_from(
    ["swap", "d4", "", "resign", "a1 b2"]
)


_RULES = {
    "decline": offer_answers.decline,
    "withdraw": offer_answers.withdraw,
    "resign": play.resign,
    "abort": stalled.abort,
    "resume": request_rules.resume,
}
_ASKING: dict[str, Any] = {
    "ask": request_rules.request,
    "answer": request_rules.answer,
    "withdraw": request_rules.withdraw,
}


class Died(Exception):
    """The end of the process."""


class MatchMachine(HostMachine):
    def __init__(self) -> None:
        super().__init__()
        self.accepted: list[Any] = []

    def command(self, name: str, actor: Actor, *wish: RequestKind, **more: Any) -> Any:
        """Give a command; what is refused must change nothing. Returns the answer, if any."""
        before = self.match()
        click = self.club.click()
        call = getattr(self.club, name)
        try:
            answer = self.run(call(actor, self.match_id, *wish, click=click, **more))
        except (UserError, GameError):
            assert self.match() == before
            return before, None
        after = self.match()
        assert dataclasses.replace(answer.match, home_id=None) == after
        assert not answer.repeated
        assert after.version == before.version + 1
        assert not before.status.is_final
        self.accepted.append((name, actor, wish, click, more, answer))
        return before, answer

    @initialize(
        by=actors,
        guests=st.lists(actors, max_size=2, unique=True),
        options=st.fixed_dictionaries(
            {"players": st.sampled_from([2, 3]), "pie": st.sampled_from(["on", "off"])}
        ),
        clock=st.sampled_from([None, TimeControl(timedelta(days=9), per_move=True)]),
        seat=st.none() | st.integers(0, 2),
    )
    def offer(self, by: Any, guests: Any, options: Any, clock: Any, seat: Any) -> None:
        chairs = options["players"]
        guests = [guest for guest in guests if guest is not by][: chairs - 1]
        seat = None if seat == chairs else seat
        answer = self.run(self.club.offer(*guests, by=by, seat=seat, options=options, clock=clock))
        self.match_id = answer.match.id

    @rule(actor=actors)
    def accept(self, actor: Actor) -> None:
        before, answer = self.command("accept", actor)
        if answer is not None:
            assert before.status is MatchStatus.OFFERED
            assert before.index_of(actor.user_id) is None
            assert answer.match.index_of(actor.user_id) is not None
            started = None not in answer.match.players
            assert (answer.match.status is MatchStatus.RUNNING) is started

    @rule(actor=actors)
    def everybody_sits_down(self, actor: Actor) -> None:
        for each in PEOPLE:
            self.accept(each)

    @rule(actor=actors)
    def decline(self, actor: Actor) -> None:
        before, answer = self.command("decline", actor)
        if answer is not None:
            assert actor.user_id in before.invited

    @rule(actor=actors)
    def withdraw(self, actor: Actor) -> None:
        before, answer = self.command("withdraw", actor)
        if answer is not None:
            is_maker = before.index_of(actor.user_id) == before.offered_by
            assert answer.code == ("withdrawn" if is_maker else "left")

    @rule(actor=actors, text=texts, seen=st.sampled_from([None, 0, -1, 1]))
    def move(self, actor: Actor, text: str, seen: Any) -> None:
        version = None if seen is None else self.match().version + seen
        before, answer = self.command("move", actor, text=text, expected_version=version)
        if answer is None:
            return
        table = game_state_of(before)
        legal = {
            table.game.notation(table.position, each)
            for each in table.game.legal_moves(table.position)
        }
        seat = table.game.to_move(table.position)
        assert answer.params["move"] in legal
        assert before.players[player_at(table, not_none(seat))] == actor.user_id
        assert before.status is MatchStatus.RUNNING

    @rule(text=texts)
    def the_player_on_turn_moves(self, text: str) -> None:
        before = self.match()
        on_turn = player_on_turn(before)
        if on_turn is not None:
            actor = next(each for each in PEOPLE if each.user_id == before.players[on_turn])
            self.move(actor, text, 0)

    @rule(actor=actors)
    def resign(self, actor: Actor) -> None:
        before, answer = self.command("resign", actor)
        result = None if answer is None else answer.match.result
        if result is not None and result.ending is Ending.RESIGNATION:
            assert before.index_of(actor.user_id) not in result.winners

    @rule(actor=actors)
    def abort(self, actor: Actor) -> None:
        before, answer = self.command("abort", actor)
        assert answer is None or before.ply < 2

    @rule(actor=actors, wish=wishes)
    def ask(self, actor: Actor, wish: RequestKind) -> None:
        before, answer = self.command("ask", actor, wish)
        if answer is None:
            return
        found = find(before.requests, wish)
        standing = found is not None and self.clock.now() < not_none(found.expires_at)
        if answer.code.endswith(("_asked", "_offered")):
            assert not standing
            assert not_none(find(answer.match.requests, wish)).agreed == (
                before.index_of(actor.user_id),
            )
        else:
            assert standing
            self.agreed(before, answer, actor, not_none(found))

    @rule(actor=actors, wish=wishes, accept=st.booleans(), seen=st.sampled_from([None, 0, 1]))
    def answer(self, actor: Actor, wish: RequestKind, accept: Any, seen: Any) -> None:
        found = find(self.match().requests, wish)
        version = None if seen is None or found is None else found.version - seen
        before, answer = self.command("answer", actor, wish, accept=accept, version=version)
        if answer is None:
            return
        assert found is not None
        assert version in (None, found.version)
        assert self.clock.now() < not_none(found.expires_at)
        if accept:
            self.agreed(before, answer, actor, found)
        else:
            assert find(answer.match.requests, wish) is None
            assert answer.match.state == before.state

    def agreed(self, before: Any, answer: Any, actor: Actor, request: Request) -> None:
        """The fate of a request after one more player has agreed to it."""
        after, wish = answer.match, request.wish
        player = before.index_of(actor.user_id)
        assert player not in request.agreed
        wants = {*request.agreed, player}
        if wants | set(before.retired) != set(range(len(before.players))):
            assert not_none(find(after.requests, wish)).agreed == (*request.agreed, player)
            assert (after.state, after.times) == (before.state, before.times)
        elif wish is RequestKind.DRAW:
            assert after.result.ending is Ending.AGREEMENT
        elif wish is RequestKind.PAUSE:
            assert after.is_paused
        elif wish is RequestKind.ABORT:
            assert after.status is MatchStatus.ABORTED
        else:
            assert after.ply == request.ply < before.ply
            assert player_on_turn(after) == request.asker
            assert after.requests == ()

    @rule(actor=actors, wish=wishes)
    def withdraw_request(self, actor: Actor, wish: RequestKind) -> None:
        before, answer = self.command("retract", actor, wish)
        if answer is not None:
            assert not_none(find(before.requests, wish)).asker == before.index_of(actor.user_id)
            assert find(answer.match.requests, wish) is None

    @rule(actor=actors)
    def resume(self, actor: Actor) -> None:
        before, answer = self.command("resume", actor)
        if answer is not None:
            assert before.is_paused
            assert not answer.match.is_paused

    @rule(actor=actors, wish=wishes, point=st.sampled_from(["c3", "c4", "c5"]))
    def the_process_dies_while_a_player_asks(
        self, actor: Actor, wish: RequestKind, point: str
    ) -> None:
        """Before, within and after the transaction; then the same click comes again."""
        before = self.match()
        click = self.club.click()

        def hit(name: str) -> None:
            if name == point:
                raise Died

        def ask() -> Answer:
            return self.run(self.club.ask(actor, self.id, wish, click=click))

        with mock.patch.object(match_changes, "hit", hit), mock.patch.object(changes, "hit", hit):
            try:
                ask()
            except UserError:
                assert self.match() == before
                return
            except Died:
                done = point == "c5"
                assert self.match().version == before.version + done
        self.the_process_is_started_anew()
        self.clock.forward(seconds=LEASE.total_seconds())
        assert ask().repeated is done
        assert self.match().version == before.version + 1

    @rule(accept=st.booleans())
    def everybody_answers_everything(self, accept: Any) -> None:
        for wish in RequestKind:
            for actor in PEOPLE:
                if find(self.match().requests, wish) is not None:
                    self.answer(actor, wish, accept, None)

    @rule(data=st.data())
    def the_same_click_again(self, data: Any) -> None:
        if self.accepted:
            name, actor, wish, click, more, first = data.draw(st.sampled_from(self.accepted))
            before = self.match()
            call = getattr(self.club, name)
            again = self.run(call(actor, self.match_id, *wish, click=click, **more))
            assert (again.code, again.params, again.repeated) == (first.code, first.params, True)
            assert self.match() == before

    @rule(hours=st.sampled_from([1, 100]))
    def time_passes(self, hours: float) -> None:
        before = self.match()
        self.clock.forward(hours=hours)
        self.run(sweep_offers(self.store, self.clock))
        self.run(sweep_requests(self.store, self.clock))
        self.run(sweep_flags(self.store, self.clock))
        after = self.match()
        now = self.clock.now()
        assert all(now < not_none(request.expires_at) for request in after.requests)
        if after.status is MatchStatus.RUNNING and after.deadline is not None:
            assert now < after.deadline + GRACE
        if before.status is MatchStatus.OFFERED and self.clock.now() >= not_none(before.expires_at):
            assert after.status is MatchStatus.EXPIRED
        elif before.deadline is None and after.requests == before.requests:
            assert after == before

    @rule()
    def everything_is_sent(self) -> None:
        self.run(self.club.worker.drain())
        match = self.match()
        boards = self.club.discord.boards(self.id)
        if match.ply and boards:
            assert [board.retired for board in boards[:-1]] == [True] * (len(boards) - 1)
        told = self.club.discord.told
        turns = [each.since for each in told if each.notice.is_call]
        assert len(turns) == len(set(turns)), "one call for each position that arose"
        asked = [(each.player, each.notice) for each in told if asks(each.notice)]
        for request in match.requests:
            assert any(notice.value == f"{request.wish.value}_asked" for _, notice in asked), (
                "the player who is to answer has been asked"
            )
        assert self.run(next_unsent(self.store)) is None

    @rule()
    def the_process_is_started_anew(self) -> None:
        self.close()
        self.open()

    @invariant()
    def the_history_holds(self) -> None:
        if self.match_id is None:
            return
        match, events = self.match(), self.events()
        assert match.version == len(events)
        verify(match, events)
        assert (match.result is not None) is (match.status is MatchStatus.FINISHED)
        if match.state:
            table = game_state_of(match)
            outcome = table.game.outcome(table.position)
            if outcome is not None:
                seating = table.game.seating(table.position)
                result = not_none(match.result)
                assert result.winners == tuple(sorted(seating[s] for s in outcome.winners))
                assert result.scores == outcome.scores
            elif match.result is not None:
                assert match.result.ending is not Ending.GAME


MatchMachine.TestCase.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=30,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    print_blob=True,
)
TestMatchMachine = pytest.mark.timeout(600)(MatchMachine.TestCase)
