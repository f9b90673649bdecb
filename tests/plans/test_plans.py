"""Plans: what lines mean, how they follow the game, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain import play
from bot.domain.game_state import game_state_of, player_on_turn
from bot.domain.ids import MatchId
from bot.domain.match import Match
from bot.errors import UserError
from bot.plans.domain import MOST_LINES, Plan, Planned, check_planner, play_plans, read_line
from games.errors import GameError, IllegalMove
from tests.domain.people import at, played, started
from tests.support.kit import ANN, BOB, CYD, DAN


def lines(*texts: str) -> tuple[tuple[Planned, ...], ...]:
    """Lines as ``a1 !b2``: a mark before the planner's own moves."""
    return tuple(
        tuple(Planned(word.lstrip("!"), word.startswith("!")) for word in text.split())
        for text in texts
    )


def line(text: str) -> tuple[Planned, ...]:
    return lines(text)[0]


def plan(*texts: str) -> Plan:
    empty = Plan(MatchId("abcdefghij"), 1, 0)
    for each in lines(*texts):
        empty = empty.with_line(each)
    return empty


def written(plan: Plan) -> list[str]:
    return [" ".join(("!" if move.own else "") + move.move for move in each) for each in plan.lines]


def refused(code: str, command: Callable[..., Any], *args: Any) -> None:
    with pytest.raises(UserError) as caught:
        command(*args)
    assert caught.value.code == code


# ---- lines into a tree ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written_down", "kept"),
    [
        (["a !b", "c !d", "a !b e !f"], ["c !d", "a !b e !f"]),
        # A shorter line adds nothing to a longer one, nor does the same line.
        (["a !b e !f", "a !b"], ["a !b e !f"]),
        (["a !b e !f", "a !b e !f"], ["a !b e !f"]),
        # Another answer to the same moves takes the place of the first.
        (["a !b e !f", "a !c"], ["a !c"]),
        (["* !b", "* !c"], ["* !c"]),
        (["a !b e !f", "a !b e !g"], ["a !b e !g"]),
        # What was foreseen goes before anything.
        (["* !x", "a !b"], ["a !b", "* !x"]),
    ],
)
def test_lines_make_one_plan(written_down: list[str], kept: list[str]) -> None:
    assert written(plan(*written_down)) == kept


def test_there_is_an_end_to_lines() -> None:
    full = plan(*(f"a{number} !b" for number in range(MOST_LINES)))
    refused("plan_full", full.with_line, line("z !b"))
    assert full.with_line(line("a3 !c")).lines


# ---- following the game ---------------------------------------------------------------------


def test_a_plan_follows_the_moves() -> None:
    full = plan("a !b e !f", "a !b g !h", "c !d", "* !x")
    after = full.after(("a",))
    assert after.answer == "b"
    assert after.after(("b",)).answer is None
    assert written(after.after(("b",))) == ["e !f", "g !h"]
    assert written(full.after(("c",))) == ["!d", "!x"]
    assert full.after(("z",)).answer == "x"
    assert full.after(("a", "b")).ply == full.ply + 2
    assert plan("a !b").after(("z",)).lines == ()
    assert plan("a !b").after(("a", "b")).lines == ()


def test_a_plan_ends_where_its_player_is_on_turn_sooner_than_foreseen() -> None:
    first = play.move(started(BOB), at(1), ANN, text="a1")
    assert play_plans(first, (plan("* * !b2"),)) == ((), (Plan(first.match.id, 1, 1),))


@pytest.mark.parametrize("text", ["a1 !a1", "a1 !nonsense", "b1 !c1"])
def test_a_plan_that_the_game_has_left_is_gone(text: str) -> None:
    first = play.move(running(), at(1), ANN, text="a1")
    assert play_plans(first, (plan(text),)) == ((), (Plan(first.match.id, 1, 1),))


# ---- what people write ----------------------------------------------------------------------


def running() -> Match:
    return started(BOB, options={"size": 4})


def test_a_line_is_read_as_people_write_it() -> None:
    match = running()
    for text in ("a1 b2 c3 d4", " A1 → B2; c3->d4 ", "a1 b2 c3 d4 a2"):
        assert read_line(match, 1, text) == line("a1 !b2 c3 !d4")


def test_after_anything_moves_are_taken_as_they_are() -> None:
    assert read_line(running(), 1, "* b2 c3 d4") == line("* !b2 c3 !d4")
    assert read_line(running(), 1, "a1 b2 * d4 *") == line("a1 !b2 * !d4")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "plan_empty"),
        ("a1", "plan_empty"),
        ("*", "plan_empty"),
        ("a1 *", "plan_any"),
        ("* * b2", "plan_any"),
        ("* b2 c3 * e1", "plan_any"),
        ("a1 b2 * *", "plan_any"),
        ("* " * 31, "plan_long"),
        ("a1 " + "b" * 61, "plan_long"),
    ],
)
def test_lines_that_are_none(text: str, code: str) -> None:
    refused(code, read_line, running(), 1, text)


def test_an_illegal_move_is_refused_with_the_games_own_reason() -> None:
    with pytest.raises(IllegalMove) as caught:
        read_line(running(), 1, "a1 a1")
    assert caught.value.code == "occupied"


def test_a_line_ends_where_the_game_does() -> None:
    match = started(BOB)
    refused("plan_over", read_line, match, 1, "a1 a2 b1 b2 c1 c2")


@given(st.text(max_size=80))
def test_any_text_is_a_line_or_is_refused(text: Any) -> None:
    try:
        assert any(move.own for move in read_line(running(), 1, text))
    except (UserError, GameError):
        return


def test_at_a_table_for_three_a_line_has_an_answer_in_its_turn_alone() -> None:
    match = started(BOB, CYD, game="rows", options={"players": 3})
    assert read_line(match, 2, "* * a1") == line("* * !a1")
    assert read_line(match, 1, "* a1 * * b2") == line("* !a1 * * !b2")
    refused("plan_empty", read_line, match, 2, "* a1")
    refused("plan_any", read_line, match, 2, "* * * a1")
    refused("plan_any", read_line, match, 1, "* a1 * * * b2")
    assert read_line(match, 2, "* a1 b1 * *") == line("* a1 !b1")


def test_where_a_move_can_earn_another_two_stars_are_for_a_position_where_it_does() -> None:
    match = started(BOB, game="pythagoras", options={"seats": "2"})
    refused("plan_any", read_line, match, 1, "* * 3a1")
    rng = Random(7)
    while not _can_move_again(match) or player_on_turn(match) != 0:
        table = game_state_of(match)
        move = rng.choice(list(table.game.legal_moves(table.position)))
        match = played(match, table.game.notation(table.position, move))
    assert read_line(match, 1, "* * 3a1") == line("* * !3a1")


def _can_move_again(match: Match) -> bool:
    table = game_state_of(match)
    game, seat = table.game, table.game.to_move(table.position)
    after = (game.play(table.position, move) for move in game.legal_moves(table.position))
    return any(game.to_move(each) == seat for each in after)


def test_at_a_table_of_four_who_cannot_be_next_has_no_answer_to_one_star() -> None:
    match = started(BOB, CYD, DAN, game="pythagoras")
    assert read_line(match, 1, "* 3a1") == line("* !3a1")
    refused("plan_empty", read_line, match, 2, "* 3a1")
    refused("plan_empty", read_line, match, 3, "* 3a1")
    assert read_line(match, 3, "* * * 3a1") == line("* * * !3a1")

    match = running()
    assert check_planner(match, BOB) == 1
    assert check_planner(match, ANN) == 0
    refused("not_a_player", check_planner, match, CYD)
    over = play.resign(match, at(3), ANN).match
    refused("match_over", check_planner, over, BOB)


def test_who_is_on_turn_plans_from_their_own_next_move_on() -> None:
    match = running()
    assert read_line(match, 0, "a1 b2 c3") == line("!a1 b2 !c3")
    refused("plan_empty", read_line, match, 0, "a1")
    refused("plan_empty", read_line, match, 0, "a1 b2")
    refused("plan_any", read_line, match, 0, "* b2 c3")
    plan = Plan(match.id, 0, match.ply).with_line(line("!a1 b2 !c3"))
    after = plan.after(("a1",))
    assert after.answer is None
    assert after.after(("b2",)).answer == "c3"
    assert plan.after(("a2",)).lines == ()
