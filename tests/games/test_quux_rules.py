"""What the cases of ``rulings/quux.txt`` do not say: facts, pasts, marks and views."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from games.errors import AmbiguousMove, NotationError, OptionError
from games.past import Past
from games.quux import Quux
from games.view import Arrow, Edge, Marks, Piece, Side, Text

GAME = Quux()
START = "4/4/4/4 W 555 555 p"
MOVING = "M,lMs,l,m/lMs,LmS,L,lS/Ls,S,Ms,mS/Lm,l,LmS,Ms W 000 000 m"
STUCK = "S,s,s/S,s,S/s,S,s W 000 000 m"
SHUFFLE = "S,2/3/2,s W 000 000 m"
ROUND = ("Sa3-b3", "Sc1-b1", "Sb3-a3", "Sb1-c1")
"""Four turns that lead back to where they started."""


def played(text: str, *moves: str) -> Any:
    position = GAME.decode(text)
    for move in moves:
        position = GAME.play(position, GAME.parse(position, move))
    return position


def test_q2_white_and_black_sit_at_the_table() -> None:
    assert [seat.name.message for seat in GAME.seats] == ["White", "Black"]


@pytest.mark.parametrize("size", [2, 7, 8])
def test_q21_other_boards_are_not_offered(size: int) -> None:
    with pytest.raises(OptionError):
        Quux({"size": size})


def test_q20_the_past_begins_with_the_movement_phase_and_is_kept() -> None:
    begun = played("S,s,s/S,s,S/s,S,s B 100 100 p", "--", "--")
    assert begun.past == Past()
    drawn = played(SHUFFLE, *ROUND, *ROUND)
    again = GAME.decode(GAME.encode(drawn))
    assert (again, GAME.outcome(again)) == (drawn, GAME.outcome(drawn))
    assert pickle.loads(pickle.dumps(drawn)).ending == drawn.ending
    with pytest.raises(NotationError):
        GAME.decode(f"{SHUFFLE} past " + " ".join(["s,2/3/3"] * 101))


def test_two_blocks_of_one_cell_need_their_size() -> None:
    position = GAME.decode("1,LMS,1/3/3 W 000 000 m")
    with pytest.raises(AmbiguousMove) as caught:
        GAME.parse(position, "b3-c3")
    assert caught.value.candidates == ("Lb3-c3", "Mb3-c3", "Sb3-c3")
    assert GAME.notation(position, GAME.parse(position, "sb3-c3")) == "Sb3-c3"


BLOCK = (
    Piece(0, "pyramid", Text.of("Medium White"), 2, letter="M"),
    Piece(1, "pyramid", Text.of("Small Black"), 1, letter="s"),
)


@pytest.mark.parametrize(
    ("text", "move", "marks"),
    [
        (START, "Lb2", Marks(last=("b2",))),
        (MOVING, "Mb4-c4", Marks(("b4",), ("c4",), arrows=(Arrow("b4", "c4", BLOCK),))),
        (STUCK, "--", Marks()),
        ("4/4/1,L,2/4 B 455 555 p", "swap", Marks()),
    ],
)
def test_marks_show_where_a_move_came_from_and_went_to(text: str, move: str, marks: Marks) -> None:
    game = Quux({"pie": "on"})
    position = game.decode(text)
    assert game.marks(position, game.parse(position, move)) == marks


def test_a_view_has_piles_bottom_first_owned_sides_hands_and_the_winning_chain() -> None:
    view = GAME.view(GAME.decode("4/2,lM,1/1,Lm,2/4 W 445 445 p"), None)
    assert [(each.colour, each.size) for each in view.cell("c3").stack] == [(1, 3), (0, 2)]
    sides = {Edge(side, 0) for side in (Side.BOTTOM, Side.TOP)}
    assert set(view.edges) == sides | {Edge(side, 1) for side in (Side.LEFT, Side.RIGHT)}
    assert [slot.piece.size for slot in view.colours[0].trays[0].slots] == [3, 2, 1]
    assert all(each.trays == () for each in GAME.view(GAME.decode(MOVING), None).colours)
    lost = "M,lMs,l,1/lMs,LmS,LS,lmS/Ls,S,M,ms/Lm,l,LmS,Ms W 000 000 m"
    won = GAME.view(played(lost, "Sc1-c2"), None)
    assert won.marks == Marks(path=("a1", "b1", "c1", "d1"))
    assert (won.winners, won.to_move, won.captions) == ((1,), None, ())
