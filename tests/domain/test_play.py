"""Moves, resignation and abort."""

from __future__ import annotations

import dataclasses
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from bot.domain import play, stalled
from bot.domain.clock import TimeControl
from bot.domain.events import CommandContext
from bot.domain.game_state import board_view, game_state_of, player_on_turn
from bot.domain.match import Actor, Ending, Match, MatchStatus
from bot.domain.ratings.rated import ranks_of
from bot.errors import UserError
from games import catalog
from games.api import Outcome, Seat
from games.errors import IllegalMove, MoveSyntaxError
from tests.domain.people import accepted, at, offered, played, set_up, started
from tests.domain.test_history import Line
from tests.domain.test_offers import refused
from tests.sixth_game import Rows
from tests.support.kit import ANN, BOB, CYD, DAN, START, person
from tests.support.not_none import not_none

THREE = {"players": 3, "size": 5}


def three_players(**more: Any) -> tuple[Match, list[Actor]]:
    """Ann, Bob and Cyd in the order in which they sit."""
    match = started(BOB, CYD, options=THREE, **more)
    return match, [person(not_none(user)) for user in match.players]


def test_a_line_wins_for_who_made_it() -> None:
    match = played(started(), "a1 a2 b1 b2 c1")
    assert match.status is MatchStatus.FINISHED
    assert match.result is not None
    assert (match.result.reason, match.result.winners, match.result.scores) == (
        "row",
        (0,),
        (1.0, 0.0),
    )
    assert player_on_turn(match) is None
    assert (match.last_move, match.moved_by, match.ply) == ("c1", 0, 5)
    assert match.previous_state == ".../oo./xx. x"


def test_the_winner_is_a_player_wherever_the_swap_has_put_them() -> None:
    match = played(started(options={"pie": "on"}), "b2 swap a1 a3 c1 c3 a2 b3")
    assert match.status is MatchStatus.FINISHED
    assert match.result is not None
    # Blue won on a3, b3, c3, and since the swap Blue is Bob's.
    assert (match.result.winners, match.result.scores) == ((1,), (1.0, 0.0))


def test_only_who_is_on_turn_moves() -> None:
    match = started()
    assert refused("not_your_turn", play.move, match, at(1), BOB, text="a1") == {"player": 0}
    refused("not_a_player", play.move, match, at(1), CYD, text="a1")
    refused("not_started", play.move, offered(BOB).match, at(1), ANN, text="a1")
    over = played(match, "a1 a2 b1 b2 c1")
    assert refused("match_over", play.move, over, at(1), BOB, text="c3") == {"status": "finished"}


def test_the_rules_refuse_in_their_own_words() -> None:
    match = played(started(), "a1")
    with pytest.raises(IllegalMove):
        play.move(match, at(1), BOB, text="a1")
    for text in ("", "e4 e5", "９" * 6000, "\0", "resign"):
        with pytest.raises(MoveSyntaxError):
            play.move(match, at(1), BOB, text=text)


def test_what_a_player_saw_must_still_be_so() -> None:
    match = played(started(), "a1")
    for seen in (0, 2, 4, 10**30):
        assert refused(
            "position_changed", play.move, match, at(1), BOB, text="b2", expected_version=seen
        ) == {"version": 3}
    after = play.move(match, at(1), BOB, text="b2", expected_version=3).match
    assert after.position_since == after.version == 4
    refused("already_played", play.move, after, at(1), BOB, text="B2", expected_version=3)
    refused("position_changed", play.move, after, at(1), BOB, text="c2", expected_version=3)
    refused("already_played", play.move, after, at(1), BOB, text=" b2")
    refused("not_your_turn", play.move, after, at(1), BOB, text="c2")


def test_recent_moves_are_the_last_eight() -> None:
    match = played(started(options={"size": 4}), "a1 b1 a2 b2 c3 c1 d1 d4 a4 b4")
    assert " ".join(match.recent) == "a2 b2 c3 c1 d1 d4 a4 b4"


def test_of_two_the_other_wins_when_one_resigns() -> None:
    match = started()
    after = play.resign(match, at(1), BOB).match
    assert after.status is MatchStatus.FINISHED
    assert after.result is not None
    assert (after.result.ending, after.result.reason) == (Ending.RESIGNATION, "resignation")
    assert (after.result.winners, after.result.scores) == ((0,), (1.0, 0.0))
    refused("match_over", play.resign, after, at(2), ANN)


@pytest.mark.parametrize(
    ("winners", "retired", "won"),
    [
        ((1,), (), (1,)),
        ((1,), (0,), (1,)),
        ((1,), (1,), (2,)),
        ((1, 2), (1,), (2,)),
        ((1,), (1, 2), (0, 3)),
        ((), (1,), ()),
    ],
)
def test_who_has_left_cannot_win(
    winners: tuple[int, ...], retired: tuple[int, ...], won: tuple[int, ...]
) -> None:
    seats = (3, 1, 2, 0)  # who sits in each seat
    by_player = {0: 5.0, 1: 9.0, 2: 7.0, 3: 5.0}
    scores = tuple(by_player[player] for player in seats)
    outcome = Outcome(scores, "end", tuple(Seat(seats.index(player)) for player in winners))
    assert play.winners_of(outcome, seats, retired) == won


def test_a_leader_who_has_left_a_table_of_four_does_not_win_it() -> None:
    rng = Random(3)
    match = started(BOB, CYD, DAN, game="pythagoras")
    while match.status is MatchStatus.RUNNING:
        table = game_state_of(match)
        if match.ply >= 40 and not match.retired:
            leaver = match.players[not_none(player_on_turn(match))]
            match = play.resign(match, at(9), person(not_none(leaver))).match
            continue
        move = rng.choice(list(table.game.legal_moves(table.position)))
        match = played(match, table.game.notation(table.position, move))
    (left,) = match.retired
    table = game_state_of(match)
    outcome = table.game.outcome(table.position)
    seats = table.game.seating(table.position)
    assert [seats[seat] for seat in not_none(outcome).winners] == [left]
    stayed = {
        player: not_none(outcome).scores[seats.index(player)]
        for player in range(4)
        if player != left
    }
    assert not_none(match.result).winners == (max(stayed, key=stayed.__getitem__),)
    assert ranks_of(match)[left] == 3
    shown = board_view(match)
    assert [seat.player for seat in shown.seats if set(seat.colours) & set(shown.winners)] == [
        *not_none(match.result).winners
    ]
    assert not_none(shown.result).message == "Highest score of the remaining players"


def test_of_three_the_others_play_on_where_the_game_knows_how() -> None:
    match, (first, second, third) = three_players()
    match = played(match, "c3")
    gone = play.resign(match, at(1), second)
    assert gone.match.status is MatchStatus.RUNNING
    # It was the turn of the one who left: the game's default was played.
    assert gone.event.payload == {"moves": ["a1"]}
    assert (gone.match.ply, gone.match.last_move, gone.match.moved_by) == (2, "a1", 1)
    assert player_on_turn(gone.match) == 2
    refused("have_left", play.move, gone.match, at(2), second, text="b1")
    match = play.move(gone.match, at(2), third, text="e5").match
    after = play.move(match, at(2), first, text="c2")
    assert after.event.payload == {"move": "c2", "then": ["b1"]}
    assert after.match.ply == 5
    assert after.match.recent[-2:] == ("c2", "b1")
    position: Any = game_state_of(after.match).position
    assert position.cells[1] == "o"
    # Only one is left: that one wins.
    end = play.resign(after.match, at(3), first).match
    assert end.status is MatchStatus.FINISHED
    assert end.result is not None
    assert (end.result.winners, end.result.scores) == ((2,), (0.0, 0.0, 1.0))


def test_who_is_not_on_turn_may_leave_too() -> None:
    match, (_, _, third) = three_players()
    after = play.resign(match, at(1), third)
    assert after.event.payload == {"moves": []}
    assert after.match.ply == 0
    assert after.match.retired == (2,)
    assert player_on_turn(after.match) == 0


def test_a_move_for_an_absent_player_may_end_the_game() -> None:
    match, (first, second, _) = three_players()
    match = played(match, "e1 a1 e2 c5 b1 d5 a3")
    after = play.resign(match, at(1), second).match
    assert after.status is MatchStatus.FINISHED
    assert after.last_move == "c1"
    assert after.result is not None
    assert after.result.reason == "row"
    assert after.result.winners == (0, 2), "a player who has left wins nothing by it"
    assert first.user_id == after.players[0]


def test_of_three_the_others_win_if_it_cannot_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rows, "move_for_absent", lambda self, position: None)
    match, (_, second, _) = three_players()
    after = play.resign(match, at(1), second).match
    assert after.status is MatchStatus.FINISHED
    assert after.result is not None
    assert (after.result.winners, after.result.scores) == ((0, 2), (1.0, 0.0, 1.0))


@pytest.mark.parametrize("lost", ["changed", "gone"])
@pytest.mark.parametrize("others", [(BOB,), (BOB, CYD)])
def test_who_leaves_a_match_whose_rules_are_gone_aborts_it(
    monkeypatch: pytest.MonkeyPatch, lost: str, others: tuple[Actor, ...]
) -> None:
    clock = TimeControl(timedelta(hours=1), per_move=True)
    options = THREE if len(others) > 1 else {}
    line = Line(offered(*others, options=options, clock=clock))
    for other in others:
        line.then(accepted, other)
    for number, text in enumerate(("a1", "a2", "b1")):
        on_turn = person(line.match.players[player_on_turn(line.match)])
        line.then(play.move, at(number), on_turn, text=text)
    with monkeypatch.context() as since_then:
        if lost == "changed":
            version = Rows.info.rules_version + 1
            since_then.setattr(Rows, "info", dataclasses.replace(Rows.info, rules_version=version))
        else:
            since_then.delitem(catalog.GAMES, "rows")
        late = CommandContext(line.match.deadline)
        refused("rules_changed" if lost == "changed" else "game_gone", play.flag, line.match, late)
        refused("too_late_to_abort", stalled.abort, line.match, at(9), BOB)
        line.then(play.resign, late, BOB)
        after = line.match
        assert (after.status, after.result, after.retired) == (MatchStatus.ABORTED, None, ())
        assert after.too_late is None
    assert line.holds(), "also when the rules are back"


def test_abort_before_the_second_move_only() -> None:
    match = started()
    refused("not_a_player", stalled.abort, match, at(1), CYD)
    for early in (match, played(match, "a1")):
        after = stalled.abort(early, at(1), BOB).match
        assert after.status is MatchStatus.ABORTED
        assert after.result is None
    refused("too_late_to_abort", stalled.abort, played(match, "a1 b2"), at(1), ANN)
    refused("not_started", stalled.abort, offered(BOB).match, at(1), ANN)


def test_a_match_of_other_rules_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    match, waiting = started(), offered(BOB).match
    with pytest.raises(UserError) as caught:
        game_state_of(dataclasses.replace(match, rules_version=2))
    assert caught.value.code == "rules_changed"
    monkeypatch.delitem(catalog.GAMES, "rows")
    refused("game_gone", play.move, match, at(1), ANN, text="a1")
    refused("not_started", game_state_of, waiting)


def test_a_damaged_match_can_only_be_left_and_says_what_is_damaged() -> None:
    match = played(started(), "a1 b2 c1")
    damaged = dataclasses.replace(match, set_aside_at=START)
    refused("match_damaged", play.move, damaged, at(3), BOB, text="a2")
    refused("match_damaged", game_state_of, damaged)
    after = stalled.abort(damaged, at(3), BOB).match
    assert (after.status, after.result) == (MatchStatus.ABORTED, None)
    over = play.resign(match, at(3), ANN).match
    refused("history_damaged", game_state_of, dataclasses.replace(over, set_aside_at=START))


def test_a_player_leaves_the_server_once_and_only_while_the_match_runs() -> None:
    match = started()
    gone = not_none(stalled.depart(match, at(3), 1)).match
    assert gone.departed == (1,)
    assert stalled.depart(gone, at(4), 1) is None
    assert stalled.depart(play.resign(match, at(3), ANN).match, at(4), 1) is None
    assert stalled.depart(set_up().match, at(3), 1) is None
