"""What the cases of ``rulings/pux.txt`` do not say: facts, pasts, marks and views."""

from __future__ import annotations

import pytest

from games.api import Refusal
from games.past import Past
from games.pux import Capture, Cell, Pass, Position, Pux, Shift
from games.view import Arrow, Marks, Piece, Text, TrayMark

GAME = Pux()
START = "1xxxxxx1/1xxxxxx1/8/8/8/8/1wwwwww1/1wwwwww1 w -"
SAMPLE = "1xxxxxx1/1xxxx3/4xx2/1w6/2ww4/8/4www1/1wwwwww1 x -"
STUCK = "w7/8/8/8/8/8/8/7x w w"
WHITE, BLACK = Piece(0, "stone", Text.of("White stone")), Piece(1, "stone", Text.of("Black stone"))


def played(text: str, *moves: str) -> Position:
    position = GAME.decode(text)
    for move in moves:
        position = GAME.play(position, GAME.parse(position, move))
    return position


def test_px1_px20v_the_players_are_white_and_black_and_may_agree_on_a_draw() -> None:
    assert [seat.name.message for seat in GAME.seats] == ["White", "Black"]
    assert GAME.info.allows_draw_offer


def test_px20i_pasts_are_told_apart_by_lateral_marks_and_begin_anew_with_a_capture() -> None:
    two_each = "W6W/8/8/8/8/8/8/X6X w -"
    marked = played(two_each, "a8-a7", "a1-b1", "a7-a8", "b1-b2", "h8-h7", "b2-a1", "h7-h8")
    assert marked.earlier.count(marked.occurrence) == 0
    assert GAME.decode(GAME.position_text(marked)).earlier == Past()


def test_px21_different_moves_of_the_start_give_the_same_position() -> None:
    start = GAME.decode(START)
    after = {GAME.position_text(GAME.play(start, move)) for move in GAME.legal_moves(start)}
    assert len(after) == 211


def test_px8_nothing_leaves_the_board_and_riders_have_an_order() -> None:
    position = GAME.decode("7x/8/8/8/8/8/8/W7 w -")
    for move in (Shift(Cell(0, 0), Cell(-1, 0)), Capture(Cell(0, 0), Cell(-1, 0))):
        assert GAME.why_illegal(position, move) == Refusal("off_board", ("a1",), {"cell": "a1"})
    one, other = Cell(1, 0), Cell(2, 1)
    assert Shift(Cell(1, 1), Cell(2, 2), (other, one)).riders == (one, other)


@pytest.mark.parametrize(
    ("text", "move", "marks"),
    [
        (
            START,
            "b2,b1c2-c3",
            Marks(("b2", "b1"), ("c3", "c2", "d3"), arrows=(Arrow("b2", "c3", (WHITE,)),)),
        ),
        (
            SAMPLE,
            "c7:c4",
            Marks(
                ("c7",),
                ("c4",),
                arrows=(Arrow("c7", "c4", (BLACK,)),),
                trays=(TrayMark("captured", WHITE),),
            ),
        ),
        (STUCK, "pass", Marks()),
    ],
)
def test_marks_show_where_the_group_was_and_where_it_is(text: str, move: str, marks: Marks) -> None:
    position = GAME.decode(text)
    assert GAME.marks(position, GAME.parse(position, move)) == marks


def test_a_view_has_stacks_captured_stones_and_the_winner() -> None:
    view = GAME.view(GAME.decode("7x/8/8/8/8/2W5/1w6/8 w w"), None)
    assert [piece.label for piece in view.cell("c3").stack] == ["", "3"]
    assert view.cell("h8").stack[0].colour == 1
    assert [each.trays[0].slots[0].piece.colour for each in view.colours] == [1, 0]
    assert GAME.view(GAME.decode("8/8/2x5/8/8/8/8/8 w -"), None).winners == (1,)
    over = GAME.view(GAME.decode("W7/8/8/8/8/8/8/7X w -"), None)
    assert (over.winners, over.captions) == ((), ())


def test_only_a_capture_takes() -> None:
    position = GAME.decode("8/1xx5/1xx5/8/8/2w5/3w4/8 x -")
    taking = [move for move in GAME.legal_moves(position) if GAME.takes(position, move)]
    assert [GAME.notation(position, move) for move in taking] == ["c6:c3"]
    assert not GAME.takes(GAME.decode(STUCK), Pass())
