"""What follows from a change, without any storage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest

from bot.domain import match_clock, offer_answers, play, request_rules
from bot.domain.clock import Span, TimeControl, Vacations
from bot.domain.clock_text import read_clock
from bot.domain.computers import computer
from bot.domain.events import Change, CommandContext
from bot.domain.ids import GuildId, MatchId, UserId
from bot.domain.match import Actor, Match, MatchStatus, Place
from bot.domain.plans import Plan, Planned, read_line
from bot.domain.ratings.glicko import GLICKO
from bot.domain.ratings.rated import RatingRecord
from bot.domain.ratings.system import Rating
from bot.domain.requests import RequestKind
from bot.domain.vacation import Vacation
from bot.posts.sending import DeliveryKind, NoticeKind
from bot.store.consequences import TurnToPlan, consequences
from bot.store.lobbies import LobbyNote
from bot.store.records import ComputerWork, TallyChange, TallyKind, VacationNotice, VacationRow
from tests.domain.people import DAY, accepted, at, offered, played, started
from tests.kit import ANN, BOB, CYD, DAN, GUILD, START
from tests.not_none import not_none

HOUR = timedelta(hours=1)


@dataclass
class Known:
    """The facts of a case; asking for others fails, so that nothing is looked up in vain."""

    planned: tuple[Plan, ...] | None = None
    rows: Mapping[UserId, tuple[VacationRow, ...]] | None = None
    rated: tuple[tuple[UserId, RatingRecord | None], ...] | None = None
    watching: tuple[UserId, ...] = ()
    admirers: tuple[UserId, ...] = ()

    def plans(self, match_id: MatchId) -> tuple[Plan, ...]:
        return self.planned or ()

    def vacations(self, user_id: UserId) -> tuple[VacationRow, ...]:
        return (self.rows or {}).get(user_id, ())

    def followers(self, match_id: MatchId) -> tuple[UserId, ...]:
        return self.watching

    def lobby(self, guild_id: GuildId) -> LobbyNote | None:
        return None

    def fans(self, match: Match) -> tuple[UserId, ...]:
        return self.admirers

    def records(self, match: Match) -> tuple[tuple[UserId, RatingRecord | None], ...]:
        assert self.rated is not None, "nobody is rated here"
        return self.rated


def move(
    match: Match, actor: Actor, text: str, seconds: float = 3, click: int | None = 1
) -> Change:
    return play.move(match, at(seconds, click), actor, text=text)


def planned(match: Match, player: int, *lines: str) -> Plan:
    plan = Plan(match.id, player, match.ply)
    for line in lines:
        plan = plan.with_line(read_line(match, player, line))
    return plan


def sent(found: Any) -> list[tuple[Any, Any, Any, Any]]:
    return [(each.kind, each.audience, each.notice, each.version) for each in found.deliveries]


# ---- what is sent ------------------------------------------------------------------------------


def test_a_move_without_anything_else_is_a_board_and_a_call() -> None:
    match = started()
    change = move(match, ANN, "b2")
    found = consequences(change, Known())
    version = change.match.version
    assert sent(found) == [
        (DeliveryKind.BOARD, None, None, version),
        (DeliveryKind.NOTICE, 1, NoticeKind.TURN, version),
        (DeliveryKind.CARD, None, None, version),
    ]
    rest = (found.answers, found.plans, found.turns, found.tallies, found.rated, found.vacations)
    assert rest == ((),) * 6
    assert found.lobby is None


def test_of_a_quiet_change_nobody_is_told_and_all_else_follows() -> None:
    change = offered(BOB)
    loud, quiet = (consequences(change, Known(), quietly=each) for each in (False, True))
    assert loud.deliveries
    assert quiet == replace(loud, deliveries=())


# ---- planned moves -----------------------------------------------------------------------------


def test_a_planned_move_is_played_and_its_player_is_told_of_nothing_twice() -> None:
    match = started(options={"size": 4})
    change = move(match, ANN, "a1")
    found = consequences(change, Known(planned=(planned(match, 1, "a1 b2"),)))
    (answer,) = found.answers
    assert answer.before == change.match
    assert answer.event.user_id == BOB.user_id
    assert answer.event.interaction_id is None
    assert answer.match.recent == ("a1", "b2")
    assert found.plans == (Plan(match.id, 1, 2),), "nothing is left of it"
    boards = [each for each in found.deliveries if each.kind is DeliveryKind.BOARD]
    assert [each.version for each in boards] == [change.match.version, answer.match.version]
    told = [each[1:3] for each in sent(found) if each[0] is DeliveryKind.NOTICE]
    assert told[-1] == (0, NoticeKind.TURN)


def test_two_plans_answer_each_other_until_one_ends() -> None:
    match = started(options={"size": 4})
    change = move(match, ANN, "a1")
    mine = planned(match, 1, "a1 b2 c3 d4")
    theirs = Plan(match.id, 0, match.ply, mine.lines)
    theirs = replace(theirs, lines=(tuple(replace(e, own=not e.own) for e in mine.lines[0]),))
    found = consequences(change, Known(planned=(mine, theirs)))
    assert [each.event.payload["move"] for each in found.answers] == ["b2", "c3", "d4"]
    assert all(not each.lines and each.ply == 4 for each in found.plans)


@pytest.mark.parametrize("line", ["a1 a1", "a1 nonsense", "b1 c1"])
def test_a_plan_that_the_game_has_left_is_gone(line: str) -> None:
    match = started(options={"size": 4})
    own = Plan(match.id, 1, match.ply)
    own = replace(
        own, lines=(tuple(_step(text, n % 2 == 1) for n, text in enumerate(line.split())),)
    )
    found = consequences(move(match, ANN, "a1"), Known(planned=(own,)))
    assert found.answers == ()
    assert found.plans == (Plan(match.id, 1, 1),)


def _step(text: str, own: bool) -> Planned:
    return Planned(text, own)


def test_a_change_that_leaves_the_position_leaves_the_plans() -> None:
    match = started(options={"size": 4})
    asked = play.move(match, at(3), ANN, text="a1").match

    class Closed(Known):
        def plans(self, match_id: MatchId) -> tuple[Plan, ...]:
            raise AssertionError("nobody's plan is touched")

    change = request_rules.ask(
        asked, at(4, 9), ANN, RequestKind.DRAW, expires_at=START + DAY, past=()
    )
    assert consequences(change, Closed()).plans == ()


def test_a_plan_that_stumbles_over_a_bug_does_not_harm_the_move(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = started(options={"size": 4})
    change = move(match, ANN, "a1")
    plan = planned(match, 1, "a1 b2")

    def bug(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(play, "move", bug)
    caplog.set_level("CRITICAL")
    found = consequences(change, Known(planned=(plan,)))
    assert (found.answers, found.plans) == ((), (Plan(match.id, 1, 1),))
    assert found.deliveries


def test_a_planned_move_runs_no_clock_of_a_player_on_vacation() -> None:
    clock = replace(not_none(read_clock("3d/move")), vacations=Vacations.ALLOWED)
    match = started(clock=clock, options={"size": 4})
    away = Vacation(START - DAY, START + 5 * DAY)
    rows = {ANN.user_id: (VacationRow(ANN.user_id, 1, 1, away, START),)}
    plan = planned(match, 1, "a1 b2")
    found = consequences(move(match, ANN, "a1"), Known(planned=(plan,), rows=rows))
    (answer,) = found.answers
    assert not_none(answer.match.times).running == 0
    assert not_none(answer.match.times).since == START + 5 * DAY


# ---- deadlines ---------------------------------------------------------------------------------


def test_every_turn_with_a_deadline_is_to_be_planned_those_of_planned_moves_too() -> None:
    match = started(clock=TimeControl(3 * DAY, per_move=True), options={"size": 4})
    change = move(match, ANN, "a1")
    found = consequences(change, Known(planned=(planned(match, 1, "a1 b2"),)))
    first, second = change.match.version, change.match.version + 1
    assert found.turns == (
        TurnToPlan(match.id, 1, first, is_new=True),
        TurnToPlan(match.id, 0, second, is_new=True),
    )


def test_another_deadline_of_the_same_turn_is_planned_again() -> None:
    match = move(started(clock=TimeControl(3 * DAY, per_move=True)), ANN, "b2").match
    act = CommandContext(START + DAY, stopped_spans=(Span(START + HOUR, START + 3 * HOUR),))
    change = match_clock.credit(match, act)
    assert change is not None
    found = consequences(change, Known())
    assert found.turns == (TurnToPlan(match.id, 1, match.version, is_new=False),)


# ---- offers ------------------------------------------------------------------------------------


def test_an_offer_by_name_counts_and_an_open_one_is_shown_in_the_lobby() -> None:
    found = consequences(offered(BOB), Known())
    assert found.tallies == (TallyChange(TallyKind.OFFER, ANN.user_id, BOB.user_id),)
    assert found.lobby is None
    found = consequences(offered(), Known())
    assert found.tallies == ()
    assert found.lobby == GUILD


def test_what_is_accepted_counts_no_more_and_what_is_declined_counts_as_such() -> None:
    match = offered(BOB).match
    found = consequences(accepted(match, BOB), Known())
    assert found.tallies == (TallyChange(TallyKind.OFFER, ANN.user_id, BOB.user_id, counts=False),)
    found = consequences(offer_answers.decline(match, at(2), BOB), Known())
    assert found.tallies == (TallyChange(TallyKind.DECLINE, ANN.user_id, BOB.user_id),)


def test_the_lobby_is_shown_anew_when_an_open_offer_is_taken() -> None:
    match = offered().match
    assert consequences(accepted(match, CYD), Known()).lobby == GUILD


def test_an_open_offer_in_direct_messages_is_in_no_lobby() -> None:
    change = offered(place=Place(None, offered().match.origin.channel_id))
    assert consequences(change, Known()).lobby is None


# ---- ratings -----------------------------------------------------------------------------------


def over(match: Match) -> Change:
    match = played(match, "a1 b2 c3 d4")
    return play.resign(match, at(9, 5), BOB)


def test_a_rated_result_is_reckoned_from_what_the_players_had() -> None:
    match = started(rated=True, seat=None, options={"size": 5})
    change = over(match)
    assert change.match.status is MatchStatus.FINISHED
    old = RatingRecord(Rating(1800, 60, 0.06), 40, 30, 2, START - DAY)
    ids = [user for user in change.match.players if user is not None]
    winner = not_none(change.match.result).winners[0]
    records = [old, None] if winner == 0 else [None, old]
    found = consequences(change, Known(rated=tuple(zip(ids, records, strict=True))))
    assert [each.user_id for each in found.rated] == ids
    won, lost = found.rated[winner], found.rated[1 - winner]
    assert (won.rank, lost.rank) == (0, 1)
    assert (won.is_newcomer, lost.is_newcomer) == (False, True)
    assert (won.record.matches, won.record.won) == (41, 31)
    assert won.record.rating.mean > old.rating.mean
    assert lost.record.rating.mean < GLICKO.newcomer.mean
    assert won.points == GLICKO.shown(won.record.rating)
    assert won.record.last_at == change.match.updated_at


def test_an_erased_player_is_rated_under_the_id_that_the_store_tells() -> None:
    change = over(started(rated=True, seat=None, options={"size": 5}))
    erased = UserId(-77)
    found = consequences(change, Known(rated=((erased, None), (BOB.user_id, None))))
    assert [each.user_id for each in found.rated] == [erased, BOB.user_id]


@pytest.mark.parametrize("more", [{"rated": False}, {"rated": True, "seat": None}])
def test_what_does_not_count_asks_for_nobodys_record(more: Any) -> None:
    match = started(options={"size": 5}, **more)
    change = over(match) if not more["rated"] else play.resign(match, at(5), BOB)
    assert consequences(change, Known()).rated == ()


def test_a_result_that_a_planned_move_brings_about_counts() -> None:
    match = started(rated=True, seat=None, options={"size": 5})
    first = ANN if match.players[0] == ANN.user_id else BOB
    change = move(played(match, "a1 b2 d1 b3"), first, "e5")
    assert change.match.status is MatchStatus.RUNNING
    plan = planned(not_none(change.before), 1, "e5 b4")
    ids = tuple((not_none(user), None) for user in change.match.players)
    found = consequences(change, Known(planned=(plan,), rated=ids))
    assert found.answers[-1].match.status is MatchStatus.FINISHED
    assert len(found.rated) == 2


# ---- vacations ---------------------------------------------------------------------------------


def row(began: Any, ends: Any, *, automatic: bool = True) -> VacationRow:
    return VacationRow(ANN.user_id, 1, 4, Vacation(began, ends, automatic), START - DAY)


def test_a_move_shortens_a_vacation_that_began_by_itself() -> None:
    change = move(started(), ANN, "b2")
    now = change.event.at
    kept = row(START - DAY, START + 20 * DAY)
    (found,) = consequences(change, Known(rows={ANN.user_id: (kept,)})).vacations
    assert found.vacation == Vacation(START - DAY, now + DAY, by_itself=True)
    assert (found.changed_at, found.line_at, found.telling) == (now, now, VacationNotice(now + DAY))
    assert (found.number, found.version) == (1, 4), "it takes the place of that one"


@pytest.mark.parametrize(
    "kept",
    [
        row(START - DAY, START + 20 * DAY, automatic=False),
        row(START - DAY, START + HOUR),
        row(START + DAY, START + 9 * DAY),
    ],
)
def test_other_vacations_end_as_they_were_to(kept: Any) -> None:
    change = move(started(), ANN, "b2")
    assert consequences(change, Known(rows={ANN.user_id: (kept,)})).vacations == ()


def test_a_planned_move_ends_nobodys_vacation() -> None:
    match = started(options={"size": 4})
    rows = {BOB.user_id: (replace(row(START - DAY, START + 20 * DAY), user_id=BOB.user_id),)}
    plan = planned(match, 1, "a1 b2")
    found = consequences(move(match, ANN, "a1"), Known(planned=(plan,), rows=rows))
    assert found.answers
    assert found.vacations == ()


def test_resigning_ends_no_vacation() -> None:
    rows = {ANN.user_id: (row(START - DAY, START + 20 * DAY),)}
    change = play.resign(started(), at(4), ANN)
    assert consequences(change, Known(rows=rows)).vacations == ()


# ---- computers ---------------------------------------------------------------------------------

COMPUTER = Actor(computer(2), GUILD)


def test_a_computer_that_is_invited_sits_down_and_has_the_first_move_to_make() -> None:
    found = consequences(offered(COMPUTER, seat=1), Known())
    (started_at_once,) = found.answers
    assert started_at_once.match.status is MatchStatus.RUNNING
    assert started_at_once.match.players == (COMPUTER.user_id, ANN.user_id)
    assert found.computer == ComputerWork(2, ANN.user_id)
    assert found.tallies == (), "a computer is not pestered"


def test_after_the_move_of_a_person_it_is_the_computers_turn_and_then_no_more() -> None:
    start = consequences(offered(COMPUTER), Known()).answers[-1].match
    change = move(start, ANN, "b2")
    assert consequences(change, Known()).computer == ComputerWork(2, ANN.user_id)
    answer = play.move(change.match, at(4), COMPUTER, text="a1")
    assert consequences(answer, Known()).computer == ComputerWork(None, ANN.user_id)


def test_where_no_computer_plays_there_is_nothing_for_one_to_do() -> None:
    assert consequences(move(started(), ANN, "b2"), Known()).computer is None


def test_who_follows_a_match_sees_a_move_and_who_follows_a_player_sees_the_start() -> None:
    known = Known(watching=(CYD.user_id,), admirers=(DAN.user_id, ANN.user_id))
    begun = consequences(accepted(offered(BOB).match, BOB), known)
    assert begun.fans == (DAN.user_id,)
    assert begun.followers == (DAN.user_id, CYD.user_id)
    moved = consequences(move(started(), ANN, "a1"), known)
    assert moved.fans == ()
    assert moved.followers == (CYD.user_id,)
    asked = request_rules.ask(started(), at(3), ANN, RequestKind.DRAW)
    assert consequences(asked, known).followers == ()
