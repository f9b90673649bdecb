"""What the cases of ``rulings/pythagoras.txt`` do not say: the board, absent players, views."""

from __future__ import annotations

from random import Random

import pytest

from games.api import Refusal, Seat
from games.errors import OptionError
from games.pythagoras import Pin, Pit, Position, Pythagoras
from games.pythagoras.board import SPACES
from games.pythagoras.rules import can_move
from games.view import Marks
from tests.games.test_rulings import cases

GAME = Pythagoras()
TWO = Pythagoras({"seats": 2})


def named(title: str) -> Position:
    """The position of the first of these cases."""
    found = (text for name, _, text, _ in cases("pythagoras") if name.startswith(title))
    return GAME.decode(next(found))


def play(position: Position, *moves: str) -> Position:
    for move in moves:
        position = GAME.play(position, GAME.parse(position, move))
    return position


def test_p1_three_grids_side_by_side_on_a_common_rank_1() -> None:
    ranks = ["".join(each.name[0] for each in SPACES if each.rank == rank) for rank in range(5)]
    assert ranks == ["abcdefghijkl"] * 3 + ["abcdefghi", "abcde"]
    assert [each.grid for each in SPACES if each.rank == 0] == [0] * 5 + [1] * 4 + [2] * 3


def test_p2_four_people_with_a_colour_each_or_two_with_opposite_colours() -> None:
    assert [seat.colours for seat in GAME.seats] == [(0,), (1,), (2,), (3,)]
    assert [seat.name.message for seat in GAME.seats] == ["Red", "Yellow", "Green", "Blue"]
    assert [seat.colours for seat in TWO.seats] == [(0, 2), (1, 3)]
    start = TWO.initial(Random(0))
    turns = [play(start, *["3a1", "3b1", "3c1"][:number]) for number in range(4)]
    assert [TWO.to_move(each) for each in turns] == [0, 1, 0, 1]
    for bad in (3, 1, "all"):
        with pytest.raises(OptionError):
            Pythagoras({"seats": bad})


def test_p21_a_game_is_over_when_nobody_can_move_whatever_is_left_in_hand() -> None:
    over = play(named("example 3"), "1i4", "2xi4")
    assert over.has_pieces(0)
    assert GAME.why_illegal(over, Pit(1)) == Refusal("game_over")
    forced = named("p14")
    assert [can_move(forced, colour) for colour in range(4)] == [True, True, True, False]


def test_p28_everybody_sees_everything() -> None:
    views = {GAME.view(named("example 3"), seat) for seat in (None, *map(Seat, range(4)))}
    assert len(views) == 1


def test_the_move_for_an_absent_player_is_always_legal_and_its_game_comes_to_an_end() -> None:
    for seed in range(10):
        rng = Random(seed)
        position = GAME.initial(rng)
        while moves := GAME.legal_moves(position):
            chosen = GAME.move_for_absent(position)
            assert chosen in moves
            position = GAME.play(position, chosen if position.mover == 2 else rng.choice(moves))
        assert GAME.move_for_absent(position) is None


def test_marks_show_the_space_and_the_pit() -> None:
    position = GAME.decode("5/9/12/12/5,Y1,6 R 555 554 555 555 - - - - ---")
    assert GAME.marks(position, Pin(2, "f1")) == Marks(last=("f1",))
    (pit,) = GAME.marks(position, Pit(1)).trays
    assert (pit.key, pit.piece.colour, pit.piece.size) == ("pit", 0, 1)


def test_earlier_marks_go_back_to_the_last_move_of_the_player_on_turn() -> None:
    moves = ["3a1", "1f1", "2h1", "3j1"]
    once = play(GAME.initial(Random(0)), moves[0])
    assert GAME.earlier_marks(once, moves[:1]).earlier == (), "nobody else has moved"
    position = play(once, *moves[1:])
    assert GAME.earlier_marks(position, moves).earlier == ("f1", "h1"), "the last is marked as such"
    told = ["1!", "3a1", "1f1", "2!", "3j1"]
    assert GAME.earlier_marks(position, told).earlier == ("f1",), "what went into a pit is there"
    assert GAME.earlier_marks(position, []).earlier == ()


def test_a_view_has_grids_stacks_leaders_of_ranks_and_both_sums_of_two_people() -> None:
    view = GAME.view(named("example 3"), None)
    assert [(grid.files, grid.file) for grid in view.grids] == [(5, 0), (4, 5), (3, 9)]
    assert [piece.size for piece in view.cell("f2").stack] == [1, 2, 3]
    assert [(tray.key, tray.colour) for tray in view.colours[0].trays] == [
        ("reserve", 0),
        ("pit", 0),
    ]
    assert len(view.rank_leaders) == 5
    assert GAME.view(named("p26"), None).rank_leaders == (None,) * 5
    parts = {line.title.message: line.points for line in view.score_lines}
    assert parts["Total"] == tuple(colour.score for colour in view.colours)
    over = GAME.view(play(named("example 3"), "1i4", "2xi4"), None)
    assert (over.to_move, over.winners, over.captions) == (None, (1,), ())
    assert TWO.view(named("p8"), None).winners in {(0, 2), (1, 3)}
