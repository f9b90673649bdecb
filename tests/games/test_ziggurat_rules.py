"""Each ruling of Ziggurat, by its number, on boards small enough to check by eye."""

from __future__ import annotations

import pickle
from random import Random

import pytest

from games.api import Outcome, Seat
from games.errors import IllegalMove, MoveSyntaxError, NotationError
from games.past import Past
from games.view import Arrow, Marks, Piece, Side, Sign, Text, TrayMark
from games.ziggurat import Exit, Pass, Position, Reinforce, Travel, Ziggurat
from games.ziggurat.position import has_lost_control

GAME = Ziggurat()
START = "q,d,w,w,d,q/6/6/6/6/Q,D,W,W,D,Q S QDW|qdw -|-"
EXAMPLE_2 = "q,D,w,3/2,w,3/4,d,1/1,w,1,dQ,2/D,W,QdW,q,1,D/Q,q,4 S W|- -|-"
EXAMPLE_3 = "Q,2,wD,2/d,w,1,Q,q,1/6/2,q,Wd,2/1,W,2,W,1/Q,Dq,Dw,3 N -|d -|-"
BLOCKED = "W,W,1,Q,1,Q/D,1,D,1,D,1/6/6/d,1,d,1,d,1/w,w,1,q,1,q S -|- QW|qw"
"""Both sides stand where nothing can move."""


def board(*rows: str, side: str = "S", reserve: str = "QDW|qdw", exited: str = "-|-") -> str:
    """A position text; rows that are left out below the given ones are empty.

    As long as all kinds are in reserve, nobody can lose control of any.
    """
    ranks = [*rows, *["6"] * (6 - len(rows))]
    return f"{'/'.join(ranks)} {side} {reserve} {exited}"


def played(text: str, *moves: str) -> Position:
    position = GAME.decode(text)
    for move in moves:
        position = GAME.play(position, GAME.parse(position, move))
    return position


def after(text: str, *moves: str) -> str:
    """The position text once the moves are played."""
    return GAME.position_text(played(text, *moves))


def legal(text: str) -> set[str]:
    position = GAME.decode(text)
    return {GAME.notation(position, move) for move in GAME.legal_moves(position)}


def of(text: str, cell: str) -> set[str]:
    """The legal turns of what stands on a square, without the square's name."""
    return {move[2:] for move in legal(text) if move.startswith(cell)}


def reason(position: Position) -> tuple[str, tuple[float, ...]] | None:
    outcome = GAME.outcome(position)
    return (outcome.reason, outcome.scores) if outcome else None


def refused(text: str, move: str) -> tuple[str, tuple[str, ...]]:
    """Code and squares of the refusal; the sentence of the code can be filled."""
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(GAME.decode(text), move)
    error = caught.value
    GAME.info.refusals[error.code].message.format(**error.params)
    return error.code, error.place


def test_z1_two_sets_stand_on_the_board_and_the_third_is_in_reserve() -> None:
    start = GAME.initial(Random(0))
    assert GAME.position_text(start) == START
    listed = (
        "a1-b2 a1-c3 a1-d4 b1-a2 b1-c2 b1-d3 c1-b2 c1-d2 d1-c2 d1-e2 e1-c3 e1-d2 e1-f2 f1-c4"
        " f1-d3 f1-e2"
    )
    assert legal(START) == set(listed.split())


def test_z2_a_zig_goes_backwards_only_to_capture() -> None:
    text = board("6", "6", "2,D,3", "1,q,1,q,2", "2,w,3")
    assert of(text, "c4") == {"-b5", "-a6", "-d5", "-e6", "xb3", "xd3"}
    assert refused(board("6", "6", "2,D,3"), "c4-b3") == ("backwards", ("c4", "b3"))
    assert "xa2" in of(board("6", "6", "2,D,3", "6", "q,5"), "c4")
    # North's forward is down.
    assert of(board("6", "6", "2,w,3", side="N"), "c4") == {"-b3", "-d3"}


def test_z3_zigs_and_keeps_do_not_jump_and_stop_where_they_capture() -> None:
    text = board("6", "6", "2,d,3", "1,W,4", "Q,5")
    assert of(text, "a2") == set()
    assert refused(text, "a2xc4") == ("path_blocked", ("b3",))
    assert of(board("6", "3,w,2", "2,d,3", "6", "Q,5"), "a2") == {"-b3", "xc4"}
    keep = board("6", "6", "6", "2,w,3", "6", "2,dQ,3")
    assert of(keep, "c1") == {"-c2", "xc3", "-a1", "-b1", "-d1", "-e1"}
    assert refused(board("6", "6", "6", "2,w,3", "2,W,3", "2,dQ,3"), "c1xc3") == (
        "path_blocked",
        ("c2",),
    )


def test_z4_a_tower_needs_one_of_its_two_ways() -> None:
    both = board("6", "6", "6", "2,d,d,2", "2,Qd,3", side="N", reserve="QDW|qw")
    assert refused(both, "c2-d4") == ("both_ways_blocked", ("d3", "c3"))
    assert "-d4" in of(board("6", "6", "6", "2,d,3", "2,Qd,3", side="N"), "c2")
    assert "-d4" in of(board("6", "6", "6", "3,d,2", "2,Qd,3", side="N"), "c2")
    free = of(board("6", "6", "6", "6", "2,Qd,3", side="N"), "c2")
    assert free == {"-a1", "-a3", "-b4", "-d4", "-e3", "-e1"}
    assert refused(both, "c2-c4") == ("not_knight", ("c2", "c4"))


def test_z5_a_keep_goes_as_far_as_its_smallest_piece_is_large() -> None:
    assert of(board("6", "6", "2,dQ,3"), "c4") == {
        "-c5",
        "-c6",
        "-c3",
        "-c2",
        "-a4",
        "-b4",
        "-d4",
        "-e4",
    }
    for keep in ("wD", "wdQ"):
        text = board("6", "6", f"2,{keep},3")
        assert of(text, "c4") == {"-c5", "-c3", "-b4", "-d4"}
        assert refused(text, "c4-c2") == ("too_far", ("c4", "c2"))
        assert refused(text, "c4-d5") == ("not_straight", ("c4", "d5"))


def test_z6_a_keep_of_drone_and_queen_captures_a_worker() -> None:
    text = board("6", "6", "2,dQ,w,2")
    assert GAME.position_text(played(text, "c4xd4")).startswith("6/6/3,wdQ,2/")
    assert refused(board("6", "6", "2,dQ,d,2"), "c4xd4") == ("not_one_size_smaller", ("d4",))


def test_z7_other_keeps_capture_nothing() -> None:
    assert refused(board("6", "6", "2,wD,q,2"), "c4xd4") == ("not_one_size_smaller", ("d4",))
    assert refused(board("6", "6", "2,wD,d,2"), "c4xd4") == ("not_one_size_smaller", ("d4",))
    assert refused(board("6", "6", "2,wdQ,w,2"), "c4xd4") == ("too_high", ("d4",))


CAPTURES = {
    ("Q", "d"): "dQ",
    ("Q", "wd"): "wdQ",
    ("D", "w"): "wD",
    ("D", "q"): "qD",
    ("W", "d"): "dW",
    ("W", "qd"): "qdW",
    ("DW", "q"): "qDW",
    ("DQ", "w"): "wDQ",
}
"""The page's table: mover, target, result."""
UNITS = ["Q", "D", "W", "QD", "DW", "QDW", "WD", "DQ", "WDQ"]


@pytest.mark.parametrize("under", [unit.lower() for unit in UNITS])
@pytest.mark.parametrize("unit", UNITS)
def test_z8_captures_are_those_of_the_table(unit: str, under: str) -> None:
    """One step diagonally, a knight's move, or one step straight, as the mover goes."""
    cell = {"Q": "d5", "D": "d5", "W": "d5"}.get(
        unit, "d6" if unit in ("QD", "DW", "QDW") else "d4"
    )
    rows = {"4": ["2", unit, "3"]}
    rows.setdefault(cell[1], [])
    if cell == "d4":
        rows["4"] = ["2", unit, under, "2"]
    else:
        rows[cell[1]] = ["3", under, "2"]
    text = board(*(",".join(rows.get(rank, ["6"])) for rank in "654321"))
    if (unit, under) in CAPTURES:
        result = played(text, f"c4x{cell}").pile(cell)
        assert result == CAPTURES[unit, under]
    else:
        code, place = refused(text, f"c4x{cell}")
        assert place == (cell,)
        assert code in {
            "too_high",
            "not_one_size_apart",
            "not_one_size_larger",
            "not_one_size_smaller",
            "no_pile",
        }


@pytest.mark.parametrize(
    ("unit", "under", "cell", "code"),
    [
        ("Q", "q", "d5", "not_one_size_apart"),
        ("Q", "w", "d5", "not_one_size_apart"),
        ("W", "q", "d5", "not_one_size_apart"),
        ("W", "wd", "d5", "no_pile"),
        ("Q", "qd", "d5", "no_pile"),
        ("D", "dw", "d5", "no_pile"),
        ("W", "qdw", "d5", "too_high"),
        ("DW", "d", "d6", "not_one_size_larger"),
        ("QD", "w", "d6", "not_one_size_larger"),
        ("DW", "qd", "d6", "too_high"),
        ("DQ", "wd", "d4", "too_high"),
    ],
)
def test_z8_z10_a_refused_capture_says_why(unit: str, under: str, cell: str, code: str) -> None:
    rows = {"6": "6", "5": "6", "4": f"2,{unit},3"}
    rows[cell[1]] = f"3,{under},2" if cell != "d4" else f"2,{unit},{under},2"
    assert refused(board(*rows.values()), f"c4x{cell}") == (code, (cell,))


def test_z9_nobody_captures_a_top_of_ones_own_but_own_pieces_below_do_not_matter() -> None:
    assert refused(board("6", "3,Q,2", "2,D,3"), "c4-d5") == ("own_pile", ("d5",))
    assert refused(board("6", "3,qD,2", "2,W,3"), "c4-d5") == ("own_pile", ("d5",))
    assert played(board("6", "3,Qd,2", "2,W,3"), "c4xd5").pile("d5") == "QdW"


def test_z9_the_top_owns_the_pile() -> None:
    text = board("6", "6", "2,Dw,3")
    assert refused(text, "c4-d6") == ("not_yours", ("c4",))
    assert refused(text, "c4^") == ("not_yours", ("c4",))
    assert refused(text, "a1-b2") == ("empty_cell", ("a1",))


def test_z10_sizes_that_meet_differ_by_exactly_one() -> None:
    for unit, under in (("Q", "q"), ("D", "d"), ("W", "w"), ("Q", "w"), ("W", "q")):
        text = board("6", f"3,{under},2", f"2,{unit},3")
        assert refused(text, "c4xd5") == ("not_one_size_apart", ("d5",))


@pytest.mark.parametrize(("kind", "ranks"), [("Q", {4, 5, 6}), ("D", {5, 6}), ("W", {6})])
def test_z11_how_far_from_the_edge_a_zig_may_exit(kind: str, ranks: set[int]) -> None:
    for rank in range(1, 7):
        rows = ["6"] * 6
        rows[6 - rank] = f"2,{kind},3"
        assert (f"c{rank}^" in legal(board(*rows))) == (rank in ranks)
        if rank not in ranks:
            assert refused(board(*rows), f"c{rank}^") == ("exit_too_far", (f"c{rank}",))
        mirror = [row.replace(kind, kind.lower()) for row in reversed(rows)]
        assert (f"c{7 - rank}^" in legal(board(*mirror, side="N"))) == (rank in ranks)


def test_z11_the_squares_on_the_way_out_have_to_be_empty() -> None:
    assert "c5^" in legal(board("1,w,4", "2,D,3"))
    assert refused(board("1,w,1,w,2", "2,D,3"), "c5^") == ("exit_blocked", ("b6", "d6"))
    # From file a a Drone has one way only.
    assert refused(board("1,w,4", "D,5"), "a5^") == ("exit_blocked", ("b6",))


def test_z12_nobody_leaves_over_a_side_or_a_corner() -> None:
    # A Queen on d4 goes up-left only: up-right leads by e5 and f6 to the corner g7.
    assert refused(board("6", "2,w,3", "3,Q,2"), "d4^") == ("exit_blocked", ("c5",))
    assert "d4^" in legal(board("6", "4,w,1", "3,Q,2"))
    # On b5, one of a Drone's two ways leads by a6 over the side.
    assert refused(board("2,w,3", "1,D,4"), "b5^") == ("exit_blocked", ("c6",))
    assert "b5^" in legal(board("w,5", "1,D,4"))
    assert "a6^" in legal(board("W,5"))


def test_z13_no_exit_by_way_of_a_capture_and_none_backwards() -> None:
    assert refused(board("2,q,1,q,1", "3,D,2"), "d5^") == ("exit_blocked", ("c6", "e6"))
    assert refused(board("6", "6", "6", "6", "6", "3,Q,2"), "d1^") == ("exit_too_far", ("d1",))


@pytest.mark.parametrize("pile", ["qD", "dW", "qdW", "dQ", "wD", "wdQ", "QD"])
def test_z14_the_top_of_a_pile_exits_from_the_last_row_and_the_rest_stays(pile: str) -> None:
    position = played(board(f"2,{pile},3"), "c6^")
    assert position.pile("c6") == pile[:-1]
    assert position.exited == (pile[-1], "")
    assert refused(board("6", f"2,{pile},3"), "c5^") == ("not_in_last_row", ("c5",))


def test_z15_the_last_row_is_the_far_one_of_the_tops_owner() -> None:
    text = board("6", "6", "6", "6", "6", "2,Dw,3", side="N")
    assert "c1^" in legal(text)
    assert refused(board("2,Dw,3", side="N"), "c6^") == ("not_in_last_row", ("c6",))


def test_z16_a_second_piece_of_a_kind_stays_in_play() -> None:
    text = board("Q,5", "6", "2,Q,1,d,1", reserve="DW|qdw", exited="Q|-")
    assert refused(text, "a6^") == ("already_exited", ("a6",))
    assert refused(board("dQ,5", exited="Q|-"), "a6^") == ("already_exited", ("a6",))
    assert "-d5" in of(text, "c4")


def test_z17_nobody_passes_who_can_do_anything() -> None:
    assert refused(START, "--") == ("no_pass", ())
    assert refused(START, "a1-a1") == ("same_cell", ("a1",))
    # A reinforcement is a turn too.
    only = BLOCKED.replace("D,1,D,1,D,1", "D,3,D,1").replace("S -|-", "S D|-")
    assert legal(only) == {"D@e1"}
    assert refused(only, "--") == ("no_pass", ())


def test_z18_a_reinforcement_goes_to_an_empty_home_square_of_its_kind() -> None:
    text = board("6", "6", "6", "6", "6", "1,D,1,W,2", reserve="QDW|qdw")
    assert {move for move in legal(text) if "@" in move} == {"Q@a1", "Q@f1", "D@e1", "W@c1"}
    assert refused(text, "D@b1") == ("occupied", ("b1",))
    assert refused(text, "D@a1") == ("wrong_size", ("a1",))
    assert refused(text, "Q@a6") == ("not_home", ("a6",))
    assert refused(text, "Q@h1") == ("off_board", ())
    assert refused(board("6", reserve="QW|qdw"), "D@b1") == ("none_in_reserve", ())
    placed = played(text, "Q@f1")
    assert (placed.pile("f1"), placed.reserves) == ("Q", ("DW", "QDW"))
    north = board("6", side="N", reserve="-|qdw")
    assert legal(north) == {"Q@a6", "Q@f6", "D@b6", "D@e6", "W@c6", "W@d6"}


def test_z18_home_squares_may_be_filled_from_the_first_turn_that_vacates_one() -> None:
    assert not any("@" in move for move in legal(START))
    text = after(START, "a1-b2", "a6-b5")
    assert {move for move in legal(text) if "@" in move} == {"Q@a1"}


def test_z19_two_passes_in_a_row_draw() -> None:
    assert legal(BLOCKED) == {"--"}
    once = played(BLOCKED, "--")
    assert (reason(once), GAME.turn(once)) == (None, "N")
    twice = played(BLOCKED, "--", "--")
    assert GAME.outcome(twice) == Outcome((0.5, 0.5), "passes", ())
    assert GAME.turn(twice) == "-"
    assert refused(GAME.encode(twice), "--") == ("game_over", ())


def test_z20_losing_control_of_all_pieces_of_a_kind_loses() -> None:
    position = played(EXAMPLE_3, "e5xd6")
    assert GAME.outcome(position) == Outcome((0.0, 1.0), "control", (Seat(1),))


@pytest.mark.parametrize(
    ("reserve", "exited"), [("D|d", "-|-"), ("-|d", "D|-")], ids=["reserve", "exited"]
)
def test_z20_a_kind_in_reserve_or_exited_is_not_lost(reserve: str, exited: str) -> None:
    buried = ("2,wDq,3", "6", "6", "6", "6", "1,Dq,4")
    text = board(*buried, side="N", reserve=reserve, exited=exited)
    assert not has_lost_control(GAME.decode(text), 0)
    assert has_lost_control(GAME.decode(board(*buried, side="N", reserve="-|d")), 0)


def test_z21_pieces_in_a_pile_of_ones_own_are_controlled() -> None:
    own_pile, single = ("2,Dq,3", "2,QDW,3"), ("2,Dq,3", "D,5")
    assert not has_lost_control(GAME.decode(board(*own_pile, side="N", reserve="-|-")), 0)
    assert not has_lost_control(GAME.decode(board(*single, side="N", reserve="-|-")), 0)
    opposing = ("2,Dq,3", "2,QDw,3")
    assert has_lost_control(GAME.decode(board(*opposing, side="N", reserve="-|-")), 0)


def test_z22_the_third_exit_wins_before_anything_else_is_looked_at() -> None:
    position = played(board("2,W,3", exited="QD|-"), "c6^")
    assert GAME.outcome(position) == Outcome((1.0, 0.0), "exit", (Seat(0),))
    # North has lost its Drones as well, but the exit is what is named.
    both = GAME.decode(board("2,dW,3", side="N", reserve="-|qw", exited="QDW|-"))
    assert has_lost_control(both, 1)
    assert reason(both) == ("exit", (1.0, 0.0))


def test_z22_the_opponents_loss_of_control_comes_before_ones_own() -> None:
    # South has just moved; all Drones of North and all Queens of South lie beneath.
    piles = ("2,dW,3", "2,QdW,3")
    position = GAME.decode(board(*piles, side="N", reserve="DW|qw"))
    assert not has_lost_control(position, 0)
    assert reason(position) == ("control", (1.0, 0.0))
    three = ("2,dW,3", "2,Dw,3", "2,QDw,3")
    both = GAME.decode(board(*three, side="N", reserve="W|qw"))
    assert has_lost_control(both, 0)
    assert has_lost_control(both, 1)
    assert reason(both) == ("control", (1.0, 0.0))
    assert reason(GAME.decode(board(*three, side="S", reserve="W|qw"))) == ("control", (0.0, 1.0))


def test_z22_an_exit_that_uncovers_can_lose() -> None:
    text = "1,QdW,w,1,wDq,Qd/6/W,1,w,3/6/2,Qd,Dq,2/2,W,q,2 S -|- D|-"
    assert reason(played(text, "b6^")) == ("control", (0.0, 1.0))


SHUFFLE = "QDw,D,W,2,Q/6/6/6/6/1,qdW,2,d,q N QDW|qdw -|-"
ROUND = ("a6-b4", "b1-c3", "b4-a6", "c3-b1")
"""Two Towers that go out and come back."""


def test_z23_the_third_occurrence_draws_and_the_first_position_counts() -> None:
    line = (*ROUND, *ROUND)
    assert reason(played(SHUFFLE, *line[:-1])) is None
    drawn = played(SHUFFLE, *line)
    assert GAME.outcome(drawn) == Outcome((0.5, 0.5), "repetition", ())
    assert GAME.decode(GAME.encode(drawn)) == drawn


def test_z23_the_same_board_with_the_other_side_to_move_is_another_position() -> None:
    """South's Keep can lose a turn, going out in two moves and back in one."""
    text = board("6", "6", "2,dQ,3", "6", "6", "1,QDw,4")
    five = ("c4-d4", "b1-a3", "d4-e4", "a3-b1", "e4-c4")
    seven = ("b1-a3", "c4-d4", "a3-b1", "d4-e4", "b1-a3", "e4-c4", "a3-b1")
    assert after(text, *five) == text.replace(" S ", " N ")
    second = played(text, *five, *seven)
    assert (GAME.position_text(second), reason(second)) == (text, None)
    third = played(text, *five, *seven, "c4-d4", "b1-a3", "d4-c4", "a3-b1")
    assert reason(third) == ("repetition", (0.5, 0.5))


@pytest.mark.parametrize("move", ["Q@a1", "c6^", "b6^", "f6^"])
def test_z23_what_cannot_be_undone_forgets_the_past(move: str) -> None:
    """Reserves and exits belong to the position, and neither ever goes back."""
    twice = played(SHUFFLE, "a6-b4")
    assert len(twice.past) == 1
    assert GAME.play(twice, GAME.parse(twice, move)).past == Past()


def test_z23_moves_of_zigs_and_captures_forget_the_past_too() -> None:
    assert played(START, "a1-b2").past == Past()
    assert played(board("6", "6", "2,dQ,w,2"), "c4xd4").past == Past()
    assert len(played(board("6", "6", "2,dQ,3"), "c4-d4").past) == 1
    assert len(played(BLOCKED, "--").past) == 1


def test_z24_south_makes_the_first_turn() -> None:
    assert GAME.to_move(GAME.initial(Random(0))) == Seat(0)
    assert [seat.name.message for seat in GAME.seats] == ["South", "North"]
    assert GAME.seating(GAME.initial(Random(0))) == (0, 1)


def test_z25_what_has_left_is_seen_by_all_and_never_comes_back() -> None:
    position = played(board("Q,5", reserve="DW|qdw"), "a6^")
    view = GAME.view(position, Seat(1))
    exited, reserve = view.colours[0].trays
    assert (exited.key, [slot.count for slot in exited.slots]) == ("exited", [1, 0, 0])
    assert (reserve.key, [slot.count for slot in reserve.slots]) == ("reserve", [0, 1, 1])
    assert GAME.position_text(position).endswith("N DW|qdw Q|-")


EXAMPLE_1 = (
    "e1-c3 d6-c5 c3-a5 c6-d5 b1-c2 c5-b4 f1-e2 b4xa5 a1-d4 b6-c5 c1-b2 c5-a3 d4^ a5-b3 Q@f1 b3-a1"
    " D@e1 a1^"
)


def test_example_1_tower_by_capture_its_knights_move_and_exit_of_its_top() -> None:
    moves = EXAMPLE_1.split()
    assert after(START, *moves[:8]) == ("q,d,2,d,q/Dw,2,w,2/6/6/2,D,1,Q,1/Q,1,W,W,2 S QDW|qdw -|-")
    before = after(START, *moves[:-1])
    assert len(legal(before)) == 15
    assert after(before, "a1^") == "q,3,d,q/3,w,2/6/d,5/1,W,D,1,Q,1/D,2,W,D,Q S W|qdw Q|w"


def test_example_2_where_all_rulings_differ() -> None:
    listed = (
        "W@c1 W@d1 a2xb1 a2xb3 b2-a3 b2-c3 b6^ b6xc5 c2-b4 c2-d4 c2-e1 d3-c3 d3-d4 d3-d5 d3-e3"
        " d3-f3 d3xb3 f2-d4 f2-e3"
    )
    assert legal(EXAMPLE_2) == set(listed.split())
    assert refused(EXAMPLE_2, "c2-e3") == ("both_ways_blocked", ("d3", "d2"))


# Reading and writing


@pytest.mark.parametrize(
    ("text", "spelling", "move"),
    [
        (START, "A1-C3", Travel("a1", "c3")),
        (START, "a1c3", Travel("a1", "c3")),
        (START, "a1 c3", Travel("a1", "c3")),
        (START, "a1xc3", Travel("a1", "c3")),
        (START, "a1–c3", Travel("a1", "c3")),
        (EXAMPLE_2, "a2-b1", Travel("a2", "b1")),
        (EXAMPLE_2, "a2:b1", Travel("a2", "b1")),
        (EXAMPLE_2, "a2 × b1", Travel("a2", "b1")),
        (EXAMPLE_2, "b6 ^", Exit("b6")),
        (EXAMPLE_2, "B6-exit", Exit("b6")),
        (EXAMPLE_2, "b6 off", Exit("b6")),
        (EXAMPLE_2, "w@c1", Reinforce("W", "c1")),
        (EXAMPLE_2, "Wc1", Reinforce("W", "c1")),
        (BLOCKED, "--", Pass()),
        (BLOCKED, "—", Pass()),
        (BLOCKED, "Pass", Pass()),
    ],
)
def test_moves_are_read_in_many_spellings(text: str, spelling: str, move: object) -> None:
    assert GAME.parse(GAME.decode(text), spelling) == move


@pytest.mark.parametrize("text", ["", "a1", "Q", "Q@", "K@a1", "^", "a1-c3-d4", "swap", "a10-b1"])
def test_what_is_no_move_is_a_syntax_error(text: str) -> None:
    with pytest.raises(MoveSyntaxError) as caught:
        GAME.parse(GAME.decode(START), text)
    assert caught.value.code == "move_form"


def test_squares_beyond_the_board_are_named() -> None:
    assert refused(START, "a1-g7") == ("off_board", ())
    assert refused(START, "g1-a1") == ("off_board", ())
    assert refused(START, "a0^") == ("off_board", ())


def test_a_zig_goes_diagonally_and_no_farther_than_its_size() -> None:
    assert refused(START, "a1-a2") == ("not_diagonal", ("a1", "a2"))
    assert refused(START, "c1-e3") == ("too_far", ("c1", "e3"))
    assert refused(START, "b1-e4") == ("too_far", ("b1", "e4"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "position_form"),
        ("6/6/6/6/6/6 S QDW|qdw", "position_form"),
        ("6/6/6/6/6/6 W QDW|qdw -|-", "position_form"),
        ("6/6/6/6/6/6 S DQW|qdw -|-", "position_form"),
        ("6/6/6/6/6/6 S |qdw -|-", "position_form"),
        ("6/6/6/6/6/6 S QDW|QDW -|-", "position_form"),
        ("6/6/6/6/6 S QDW|qdw -|-", "position_size"),
        ("6/6/6/6/6/5 S QDW|qdw -|-", "position_rank"),
        ("6/6/6/6/6/5,x S QDW|qdw -|-", "position_pile"),
        ("6/6/6/6/6/5,QW S QDW|qdw -|-", "position_pile"),
        ("6/6/6/6/6/5,QDQ S QDW|qdw -|-", "position_pile"),
        ("6/6/6/6/6/Q,Q,Q,3 S Q|- -|-", "position_pieces"),
        ("6/6/6/6/6/q,q,q,3 S -|- -|q", "position_pieces"),
        ("6/6/6/6/6/6 S -|- -|- past 6/6", "position_size"),
        ("9" * 1_000_001, "position_form"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        GAME.decode(text)
    assert caught.value.code == code
    GAME.info.refusals[code].message.format(**caught.value.params)


def test_encode_keeps_the_past_that_may_come_again() -> None:
    position = played(SHUFFLE, *ROUND[:2])
    encoded = GAME.encode(position)
    assert encoded.startswith(GAME.position_text(position) + " past QDw,D,W,2,Q/")
    assert GAME.decode(encoded) == position
    assert pickle.loads(pickle.dumps(position)) == position
    passed = played(BLOCKED, "--")
    assert GAME.decode(GAME.encode(passed)) == passed


# Picks and sights


def picks(text: str, *prefix: str) -> list[tuple[str, str, str | None]]:
    steps = GAME.next_steps(GAME.decode(text), prefix)
    return [
        (step.key, step.text.message.format(**dict(step.text.params)), step.move) for step in steps
    ]


def test_a_turn_is_picked_by_what_moves_and_then_by_where_it_goes() -> None:
    assert picks(EXAMPLE_2) == [
        ("a2", "Drone on a2", None),
        ("b2", "Worker on b2", None),
        ("c2", "Tower on c2", None),
        ("f2", "Drone on f2", None),
        ("d3", "Keep on d3", None),
        ("b6", "Drone on b6", None),
        ("W@", "Place a Worker from the reserve", None),
    ]
    assert picks(EXAMPLE_2, "b6") == [
        ("c5", "Capture on c5", "b6xc5"),
        ("^", "Leave the board", "b6^"),
    ]
    assert ("d4", "Move to d4", "c2-d4") in picks(EXAMPLE_2, "c2")
    assert picks(EXAMPLE_2, "W@") == [
        ("c1", "Place it on c1", "W@c1"),
        ("d1", "Place it on d1", "W@d1"),
    ]
    assert picks(START)[0][1] == "Queen on a1"
    assert picks(BLOCKED) == [("--", "Pass: there's no other move", "--")]


DRONE = Piece(0, "pyramid", Text.of("South Drone"), 2, letter="D")


def test_marks_show_where_a_turn_came_from_and_went_to() -> None:
    position = GAME.decode(EXAMPLE_2)
    assert GAME.marks(position, Travel("a2", "b1")) == Marks(
        origins=("a2",), last=("b1",), arrows=(Arrow("a2", "b1", (DRONE,)),)
    )
    assert GAME.marks(position, Exit("b6")) == Marks(
        origins=("b6",),
        arrows=(Arrow("b6", None, (DRONE,), side=Side.TOP),),
        trays=(TrayMark("exited", DRONE),),
    )
    far = GAME.decode("6/6/3,Q,2/6/6/6 S -|- -|-")
    (arrow,) = GAME.marks(far, Exit("d4")).arrows
    assert (arrow.side, arrow.via) == (Side.TOP, "b6"), "along the free diagonal, up to the edge"
    assert GAME.marks(position, Reinforce("W", "c1")) == Marks(last=("c1",))
    assert GAME.marks(GAME.decode(BLOCKED), Pass()) == Marks()


def test_view_shows_piles_bottom_first_and_ghosts_where_the_reserve_can_come_in() -> None:
    view = GAME.view(GAME.decode(EXAMPLE_2), None)
    assert view.palette == "pair"
    assert view.cell("c2").stack == (
        Piece(0, "pyramid", Text.of("South Queen"), 3, letter="Q"),
        Piece(1, "pyramid", Text.of("North Drone"), 2, letter="d"),
        Piece(0, "pyramid", Text.of("South Worker"), 1, letter="W"),
    )
    ghosts = {cell.name: cell.ghost.name.message for cell in view.cells if cell.ghost}
    assert ghosts == {"c1": "South Worker", "d1": "South Worker"}, "no more is in reserve"
    won = GAME.view(played("3,D,2/6/6/6/6/6 S D|- QW|-", "d6^"), None)
    assert not [cell for cell in won.cells if cell.ghost], "nothing comes in after the end"
    south, north = view.colours
    assert (south.goal, north.goal) == (Text.of("moves up"), Text.of("moves down"))
    assert (view.to_move, view.result, view.winners, view.captions) == (0, None, (), ())


def test_view_says_who_must_pass_and_what_has_come_up_before() -> None:
    blocked = GAME.view(GAME.decode(BLOCKED), None)
    assert [colour.signs for colour in blocked.colours] == [
        (Sign("pass", Text.of("must pass")),),
        (),
    ]
    assert GAME.view(played(SHUFFLE, *ROUND), None).captions == (
        Text.of("This position has occurred before. The third time is a draw."),
    )


def test_view_names_the_result() -> None:
    lost = GAME.view(played(EXAMPLE_3, "e5xd6"), None)
    assert lost.result == Text.of("South lost control of a kind")
    assert (lost.winners, lost.to_move, lost.captions) == ((1,), None, ())
    drawn = GAME.view(played(BLOCKED, "--", "--"), None)
    assert (drawn.result, drawn.winners) == (Text.of("Draw: neither side could move"), ())
    won = GAME.view(played(board("2,W,3", exited="QD|-"), "c6^"), None)
    assert won.result == Text.of("South brought off all three kinds")


def test_a_move_takes_if_it_lands_on_a_pile() -> None:
    position = GAME.decode(EXAMPLE_2)
    moves = list(GAME.legal_moves(position))
    written = {GAME.notation(position, m): GAME.takes(position, m) for m in moves}
    assert any(written.values())
    assert all(takes == ("x" in move) for move, takes in written.items())
