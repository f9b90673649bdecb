"""What the cases of ``rulings/ziggurat.txt`` do not say: tables, pasts, marks and views."""

from __future__ import annotations

import pickle

import pytest

from games.errors import IllegalMove
from games.past import Past
from games.view import Arrow, Marks, Piece, Side, Text, TrayMark
from games.ziggurat import Position, Ziggurat
from games.ziggurat.position import has_lost_control

GAME = Ziggurat()
START = "q,d,w,w,d,q/6/6/6/6/Q,D,W,W,D,Q S QDW|qdw -|-"
EXAMPLE_2 = "q,D,w,3/2,w,3/4,d,1/1,w,1,dQ,2/D,W,QdW,q,1,D/Q,q,4 S W|- -|-"
BLOCKED = "W,W,1,Q,1,Q/D,1,D,1,D,1/6/6/d,1,d,1,d,1/w,w,1,q,1,q S -|- QW|qw"
SHUFFLE = "QDw,D,W,2,Q/6/6/6/6/1,qdW,2,d,q N QDW|qdw -|-"


def played(text: str, *moves: str) -> Position:
    position = GAME.decode(text)
    for move in moves:
        position = GAME.play(position, GAME.parse(position, move))
    return position


_TABLE = "Q:d=dQ Q:wd=wdQ D:w=wD D:q=qD W:d=dW W:qd=qdW DW:q=qDW DQ:w=wDQ"
CAPTURES = dict(each.split("=") for each in _TABLE.split())
"""The page's table: mover, target, result."""
UNITS = ["Q", "D", "W", "QD", "DW", "QDW", "WD", "DQ", "WDQ"]


@pytest.mark.parametrize("under", [unit.lower() for unit in UNITS])
@pytest.mark.parametrize("unit", UNITS)
def test_z8_captures_are_those_of_the_table(unit: str, under: str) -> None:
    """One step diagonally, a knight's move, or one step straight, as the mover goes."""
    cell = "d5" if len(unit) == 1 else "d6" if unit in ("QD", "DW", "QDW") else "d4"
    rows = {"4": f"2,{unit},3", cell[1]: f"3,{under},2"}
    if cell == "d4":
        rows["4"] = f"2,{unit},{under},2"
    text = "/".join(rows.get(rank, "6") for rank in "654321") + " S QDW|qdw -|-"
    if f"{unit}:{under}" in CAPTURES:
        assert played(text, f"c4x{cell}").pile(cell) == CAPTURES[f"{unit}:{under}"]
        return
    with pytest.raises(IllegalMove) as refused:
        played(text, f"c4x{cell}")
    assert refused.value.place == (cell,)
    assert refused.value.code in ("too_high", "no_pile") or "one_size" in refused.value.code


@pytest.mark.parametrize(("kind", "ranks"), [("Q", {4, 5, 6}), ("D", {5, 6}), ("W", {6})])
def test_z11_how_far_from_the_edge_a_zig_may_exit(kind: str, ranks: set[int]) -> None:
    for rank in range(1, 7):
        rows = ["6"] * 6
        rows[6 - rank] = f"2,{kind},3"
        mirror = [row.lower() for row in reversed(rows)]
        for side, ranked, cell in (("S", rows, f"c{rank}"), ("N", mirror, f"c{7 - rank}")):
            position = GAME.decode(f"{'/'.join(ranked)} {side} QDW|qdw -|-")
            exits = f"{cell}^" in {GAME.notation(position, m) for m in GAME.legal_moves(position)}
            assert exits == (rank in ranks)
            if not exits:
                with pytest.raises(IllegalMove, match="exit_too_far"):
                    GAME.parse(position, f"{cell}^")


def test_z22_the_exit_and_the_opponents_loss_come_first() -> None:
    """In these positions of the cases more is lost than what is named."""
    both = GAME.decode("2,dW,3/6/6/6/6/6 N -|qw QDW|-")
    assert has_lost_control(both, 1)
    three = GAME.decode("2,dW,3/2,Dw,3/2,QDw,3/6/6/6 N W|qw -|-")
    assert has_lost_control(three, 0)
    assert has_lost_control(three, 1)


@pytest.mark.parametrize("move", ["Q@a1", "c6^", "b6^", "f6^"])
def test_z23_what_cannot_be_undone_forgets_the_past(move: str) -> None:
    """Reserves and exits belong to the position, and neither ever goes back."""
    assert len(played(SHUFFLE, "a6-b4").past) == 1
    assert played(SHUFFLE, "a6-b4", move).past == Past()


def test_z24_south_and_north_sit_at_the_table_and_positions_pickle() -> None:
    assert [seat.name.message for seat in GAME.seats] == ["South", "North"]
    position = played(SHUFFLE, "a6-b4", "b1-c3")
    assert pickle.loads(pickle.dumps(position)) == position


DRONE = Piece(0, "pyramid", Text.of("South Drone"), 2, letter="D")
QUEEN = Piece(0, "pyramid", Text.of("South Queen"), 3, letter="Q")


def left(piece: Piece, start: str, via: str = "") -> Marks:
    """The marks of a piece that leaves over the top."""
    arrow = Arrow(start, None, (piece,), side=Side.TOP, via=via)
    return Marks((start,), arrows=(arrow,), trays=(TrayMark("exited", piece),))


@pytest.mark.parametrize(
    ("text", "move", "marks"),
    [
        (EXAMPLE_2, "a2xb1", Marks(("a2",), ("b1",), arrows=(Arrow("a2", "b1", (DRONE,)),))),
        (EXAMPLE_2, "b6^", left(DRONE, "b6")),
        # Along the free diagonal, up to the edge.
        ("6/6/3,Q,2/6/6/6 S -|- -|-", "d4^", left(QUEEN, "d4", "b6")),
        (EXAMPLE_2, "W@c1", Marks(last=("c1",))),
        (BLOCKED, "--", Marks()),
    ],
)
def test_marks_show_where_a_turn_came_from_and_went_to(text: str, move: str, marks: Marks) -> None:
    position = GAME.decode(text)
    assert GAME.marks(position, GAME.parse(position, move)) == marks


def test_a_view_has_piles_bottom_first_and_ghosts_where_the_reserve_can_come_in() -> None:
    view = GAME.view(GAME.decode(EXAMPLE_2), None)
    assert [(each.colour, each.size) for each in view.cell("c2").stack] == [(0, 3), (1, 2), (0, 1)]
    ghosts = {cell.name: cell.ghost.name.message for cell in view.cells if cell.ghost}
    assert ghosts == {"c1": "South Worker", "d1": "South Worker"}, "no more is in reserve"
    won = GAME.view(played("3,D,2/6/6/6/6/6 S D|- QW|-", "d6^"), None)
    assert not [cell for cell in won.cells if cell.ghost], "nothing comes in after the end"
    assert (won.winners, won.to_move, won.captions) == ((0,), None, ())


def test_a_move_takes_if_it_lands_on_a_pile() -> None:
    position = GAME.decode(EXAMPLE_2)
    moves = list(GAME.legal_moves(position))
    written = {GAME.notation(position, m): GAME.takes(position, m) for m in moves}
    assert any(written.values())
    assert all(takes == ("x" in move) for move, takes in written.items())
