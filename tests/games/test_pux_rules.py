"""Each ruling of Pux, by its number, on boards small enough to check by eye."""

from __future__ import annotations

from random import Random

import pytest

from games.api import Outcome, Refusal, Seat
from games.errors import IllegalMove, MoveSyntaxError, NotationError
from games.past import Past
from games.pux import Capture, Cell, Pass, Position, Pux, Shift
from games.view import Arrow, Marks, Piece, Sign, Text, TrayMark

GAME = Pux()
START = "1xxxxxx1/1xxxxxx1/8/8/8/8/1wwwwww1/1wwwwww1 w -"
SAMPLE = "1xxxxxx1/1xxxx3/4xx2/1w6/2ww4/8/4www1/1wwwwww1 x -"


def legal(text: str) -> set[str]:
    position = GAME.decode(text)
    return {GAME.notation(position, move) for move in GAME.legal_moves(position)}


def after(text: str, *moves: str) -> str:
    """The position text once the moves are played."""
    return GAME.position_text(played(text, *moves))


def played(text: str, *moves: str) -> Position:
    position = GAME.decode(text)
    for move in moves:
        position = GAME.play(position, GAME.parse(position, move))
    return position


def reason(position: Position) -> str | None:
    outcome = GAME.outcome(position)
    return outcome.reason if outcome else None


def refused(text: str, move: str) -> tuple[str, tuple[str, ...]]:
    """Code and cells of the refusal; the sentence of the code can be filled."""
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(GAME.decode(text), move)
    error = caught.value
    GAME.info.refusals[error.code].message.format(**error.params)
    return error.code, error.place


def potential(text: str, cell: str) -> int:
    return GAME.decode(text).move_potential(at(cell))


def at(name: str) -> Cell:
    return Cell("abcdefgh".index(name[0]), int(name[1]) - 1)


def test_px1_white_moves_first_and_goes_up() -> None:
    start = GAME.initial(Random(0))
    assert GAME.position_text(start) == START
    assert GAME.encode(start) == f"{START} 0 1"
    assert GAME.to_move(start) == Seat(0)
    assert GAME.turn(start) == "w"
    assert GAME.turn(played(START, "b2-b3")) == "x"
    assert [seat.name.message for seat in GAME.seats] == ["White", "Black"]


def test_px2_move_potential_counts_stones_so_that_a_promoted_friend_adds_two() -> None:
    assert potential("8/8/8/8/8/8/8/W6x w -", "a1") == 2
    assert potential("8/8/8/8/8/2W5/1w6/8 w -", "b2") == 3
    assert potential("8/8/8/8/8/2W5/1w6/8 w -", "c3") == 3
    assert potential("8/8/8/8/8/2X5/1wx5/8 w -", "b2") == 1, "enemies add nothing"
    assert potential("8/8/8/8/8/1www4/1www4/1www4 w -", "c2") == 9


def test_px3_the_divisor_counts_pieces_and_the_mover_is_one_of_them() -> None:
    assert "b2,b1c2-c3" in legal(START)
    assert refused(START, "b2,b1c2-d4") == ("mp_too_small_to_carry", ("b2", "d4"))
    # A promoted rider is one piece, though it is two stones: 4 among two is 2.
    text = "7x/8/8/8/1Ww5/8/8/8 w -"
    assert potential(text, "c4") == 3
    assert "c4,b4-c5" in legal(text)
    assert refused(text, "c4,b4-c6")[0] == "mp_too_small_to_carry"
    assert "c4,b4-c6" in legal("7x/8/8/8/1Www4/8/8/8 w -")


def test_px4_neighbours_that_are_carried_count_for_the_move_potential() -> None:
    assert after(START, "b2,b1-b4") == ("1xxxxxx1/1xxxxxx1/8/8/1w6/1w6/2wwwww1/2wwwww1 x -")


def test_px5_a_single_stone_goes_sideways_and_forward() -> None:
    assert legal("8/8/8/3w4/8/8/8/7x w -") == {"d5-c5", "d5-e5", "d5-c6", "d5-d6", "d5-e6"}
    assert legal("8/8/8/3x4/8/8/8/7w x -") == {"d5-c5", "d5-e5", "d5-c4", "d5-d4", "d5-e4"}
    for move in ("d5-d4", "d5-c4", "d5-e4"):
        assert refused("8/8/8/3w4/8/8/8/7x w -", move) == ("backward", ("d5",))


def test_px5_a_promoted_piece_goes_all_eight_ways() -> None:
    directions = {"c4", "c5", "c6", "d4", "d6", "e4", "e5", "e6"}
    moves = legal("8/8/8/3W4/8/8/8/7x w -")
    assert {f"d5-{cell}" for cell in directions} <= moves
    assert len(moves) == 16


def test_px5_riders_go_where_the_mover_goes() -> None:
    text = "8/8/8/2x5/1wW5/8/8/8 w -"
    assert after(text, "c4,b4c5-c3") == "8/8/8/8/2x5/1wW5/8/8 x -"


def test_px6_a_move_is_straight_and_as_long_as_one_likes_up_to_the_move_potential() -> None:
    text = "7x/8/8/8/8/1w6/2ww4/8 w -"
    assert potential(text, "c2") == 3
    assert {move for move in legal(text) if move.startswith("c2-c")} == {"c2-c3", "c2-c4", "c2-c5"}
    assert refused(text, "c2-c6") == ("mp_too_small", ("c2", "c6"))
    assert refused(text, "c2-d4") == ("not_straight", ("c2", "d4"))
    assert refused(text, "c2-c2") == ("not_straight", ("c2", "c2"))


def test_px6_a_group_whose_share_is_nothing_does_not_move() -> None:
    text = "8/8/8/8/8/8/1wx5/2x5 w -"
    assert potential(text, "b2") == 1
    assert refused(text, "b2,c2-b3") == ("mp_too_small_to_carry", ("b2", "b3"))
    assert not any("," in move for move in legal(text))


def test_px7_nothing_is_jumped_and_only_a_capture_ends_on_an_enemy() -> None:
    text = "8/8/8/8/8/1w1x4/1ww5/1ww5 w -"
    assert refused(text, "b1-b4") == ("path_blocked", ("b2",))
    assert refused(text, "b1-b2") == ("own_piece", ("b2",))
    assert after(text, "c2-d3") == after(text, "c2d3") == after(text, "c2:d3")
    assert refused(text, "c2-e4") == ("path_blocked", ("d3",))


def test_px8_a_group_moves_at_once_and_keeps_its_shape() -> None:
    assert after(START, "b2,b1c2-c3") == "1xxxxxx1/1xxxxxx1/8/8/8/2ww4/2wwwww1/2wwwww1 x -"


def test_px8_riders_do_not_jump_leave_the_board_or_capture() -> None:
    blocked = "8/8/8/8/8/1x6/1www4/2w5 w -"
    assert refused(blocked, "c2,b2-c4") == ("transport_blocked", ("b3",))
    assert "c2,d2-c4" in legal(blocked)
    edge = "7x/8/8/8/8/8/ww6/ww6 w -"
    assert refused(edge, "b1,a1-a1") == ("off_board", ("a1",))
    assert refused(edge, "b2,a2-a3") == ("off_board", ("a2",))
    onto = "8/8/8/8/1x6/8/1www4/2w5 w -"
    assert refused(onto, "c2,b2-c4") == ("transport_blocked", ("b4",))


def test_px9_any_of_the_four_neighbours_ride_of_either_colour_and_none_across_a_corner() -> None:
    text = "8/8/8/2x5/1wWx4/2w5/3w4/8 w -"
    moves = legal(text)
    groups = {move.split("-")[0] for move in moves if move.startswith("c4,")}
    assert groups == {
        "c4,b4", "c4,c3", "c4,c5", "c4,d4",
        "c4,b4c3", "c4,b4c5", "c4,b4d4", "c4,c3c5", "c4,c3d4", "c4,c5d4",
        "c4,b4c3c5", "c4,b4c3d4", "c4,b4c5d4", "c4,c3c5d4",
        "c4,b4c3c5d4",
    } - unavailable(text)  # fmt: skip
    assert refused("7x/8/8/8/8/2w5/1ww5/8 w -", "b2,c3-b3") == ("not_a_neighbour", ("c3",))
    assert refused("7x/8/8/8/8/2w5/1ww5/8 w -", "b2,b3-b4") == ("no_piece", ("b3",))
    assert after("8/8/8/2x5/1ww5/8/8/8 w -", "c4,c5-c5") == "8/8/2x5/2w5/1w6/8/8/8 x -"


def unavailable(text: str) -> set[str]:
    """With a move potential of 4 no group of five can go."""
    assert potential(text, "c4") == 4
    return {"c4,b4c3c5d4"}


def test_px10_the_captures_of_the_worked_example() -> None:
    captures = {move for move in legal(SAMPLE) if ":" in move}
    assert captures == {"b7:b5", "d7:b5", "c7:c4", "f6:d4", "d7:d4", "e6:c4"}
    assert len(legal(SAMPLE)) == 173
    assert after(SAMPLE, "c7:c4") == ("1xxxxxx1/1x1xx3/4xx2/1w6/2xw4/8/4www1/1wwwwww1 w -")


def test_px10_a_capture_wants_a_greater_move_potential_and_an_enemy_within_reach() -> None:
    assert refused(START, "c2:c7") == ("capture_needs_greater_mp", ("c7",))
    assert refused(START, "c2-c7") == ("capture_needs_greater_mp", ("c7",))
    assert refused("7x/8/8/8/8/2X5/8/2W5 w -", "c1:c3") == ("capture_needs_greater_mp", ("c3",))
    assert refused(SAMPLE, "e7:c5") == ("nothing_to_capture", ("c5",))
    assert refused(SAMPLE, "b7:b8") == ("backward", ("b7",))
    assert refused(SAMPLE, "b8:b7") == ("own_piece", ("b7",))
    assert refused(SAMPLE, "b7:b2") == ("mp_too_small", ("b7", "b2"))


def test_px10_a_piece_that_captures_carries_nobody() -> None:
    text = "8/8/8/8/8/1x6/1ww5/1ww5 w -"
    assert refused(text, "b2,b1:b3") == ("capture_carries", ("b3",))
    assert refused(text, "b2,b1-b3") == ("capture_carries", ("b3",))
    assert "b2:b3" in legal(text)


def test_px10_a_capture_is_never_a_duty() -> None:
    assert "f8-f7" in legal(SAMPLE)


def test_px11_a_captured_promoted_piece_loses_both_stones() -> None:
    before = GAME.decode("7x/8/2X5/8/8/2w5/1wW5/8 w -")
    position = GAME.play(before, GAME.parse(before, "c3:c6"))
    assert GAME.position_text(position) == "7x/8/2w5/8/8/8/1wW5/8 x -"
    assert (before.reserve(1), position.reserve(1)) == (9, 11)


def test_px12_no_two_lateral_turns_in_a_row_by_any_piece() -> None:
    text = after("8/8/8/8/8/8/ww6/7x w -", "a2-a3", "h1-g1", "b2-c2")
    assert text.endswith(" x wx")
    assert refused(text, "g1-h1") == ("consecutive_lateral", ("g1",))
    marked = "7x/8/8/8/8/8/ww1W4/8 w w"
    for move in ("b2-c2", "a2,b2-b2", "d2-c2", "d2-e2"):
        assert refused(marked, move)[0] == "consecutive_lateral", move
    assert after(marked, "a2-a3").endswith(" x -"), "a forward turn clears the mark"
    assert after(marked, "d2-d1").endswith(" x -"), "so does a backward one"
    assert not any(move[1] == move[-1] for move in legal(marked))


def test_px12_a_lateral_capture_counts_as_lateral() -> None:
    assert after("7x/8/8/8/8/8/wwx5/8 w -", "b2:c2").endswith(" x w")
    assert refused("7x/8/8/8/8/8/wwx5/8 w w", "b2:c2") == ("consecutive_lateral", ("b2",))


def test_px12_the_marks_of_the_two_sides_are_kept_apart() -> None:
    assert after(START, "b2-a2") == "1xxxxxx1/1xxxxxx1/8/8/8/8/w1wwwww1/1wwwwww1 x w"
    assert after(START, "b2-a2", "b7-a7").endswith(" w wx")
    assert after(START, "b2-a2", "b7-b6").endswith(" w w")
    assert after(START, "b2-b3", "b7-a7").endswith(" w x")
    assert legal(START.replace(" w -", " w x")) == legal(START)


def test_px13_the_reserve_is_what_is_missing_from_twelve_stones() -> None:
    start = GAME.initial(Random(0))
    assert (start.reserve(0), start.reserve(1)) == (0, 0)
    position = GAME.decode("8/6w1/8/8/3x4/8/8/1W6 w -")
    assert (position.on_board(0), position.reserve(0), position.reserve(1)) == (3, 9, 11)
    assert GAME.play(position, GAME.parse(position, "g7-g8")).reserve(0) == 8


def test_px14_arriving_on_the_last_rank_promotes() -> None:
    assert after("8/6w1/8/8/3x4/8/8/1w6 w -", "g7-g8") == "6W1/8/8/8/3x4/8/8/1w6 x -"
    assert after("7w/8/8/8/8/8/3x4/8 x -", "d2-e1") == "7w/8/8/8/8/8/8/4X3 w -"
    captured = after("x6x/ww6/8/8/8/8/8/8 w -", "b7:a8")
    assert captured == "W6x/w7/8/8/8/8/8/8 x -", "by a capture too"


def test_px14_a_promoted_piece_gains_nothing_by_arriving_again() -> None:
    assert after("8/6W1/8/8/3x4/8/8/8 w -", "g7-g8") == "6W1/8/8/8/3x4/8/8/8 x -"


def test_px15_riders_promote_and_so_does_a_carried_enemy() -> None:
    assert after("8/1ww5/8/8/8/8/8/7x w -", "b7,c7-b8") == "1WW5/8/8/8/8/8/8/7x x -"
    assert after("8/8/8/8/8/2W5/2x5/7w w -", "c3,c2-c2") == "8/8/8/8/8/8/2W5/2X4w x -"


def test_px15_the_first_rank_promotes_nobody() -> None:
    # White's stone goes back to rank 1, Black's forward to rank 8.
    assert after("8/8/8/8/8/2W5/2w5/7x w -", "c3,c2-c2") == "8/8/8/8/8/8/2W5/2w4x x -"
    assert after("8/2xW4/8/8/8/8/8/8 w -", "d7,c7-d8") == "2xW4/8/8/8/8/8/8/8 x -"


def test_px16_a_scarce_reserve_serves_the_mover_first_then_from_file_a() -> None:
    one, two = "8/1www4/8/6x1/8/8/8/wwwwwwww w -", "8/1www4/8/6x1/8/8/8/wwwwwww1 w -"
    assert after(one, "c7,b7d7-c8") == "1wWw4/8/8/6x1/8/8/8/wwwwwwww x -"
    assert after(two, "c7,b7d7-c8") == "1WWw4/8/8/6x1/8/8/8/wwwwwww1 x -"
    # Each colour has its own reserve, also where both arrive.
    both = "8/1wW5/8/8/8/8/8/8 w -"
    assert after(both.replace("1wW5", "1xW5"), "c7,b7-c8") == "1xW5/8/8/8/8/8/8/8 x -"


def test_px17_a_stone_that_arrives_too_early_stays_single_for_good() -> None:
    text = "8/w5x1/8/8/8/8/1wwwww2/1wwwwww1 w -"
    arrived = after(text, "a7-a8")
    assert arrived == "w7/6x1/8/8/8/8/1wwwww2/1wwwwww1 x -"
    # A free stone later changes nothing, nor does a step along the last rank.
    later = "w7/6x1/8/8/8/8/1wwwww2/1wwwww2 w -"
    assert after(later, "a8-b8") == "1w6/6x1/8/8/8/8/1wwwww2/1wwwww2 x w"
    # Leaving and arriving again does: a promoted friend takes it back, then it comes again.
    again = "w6x/W7/8/8/8/8/8/8 w -"
    assert after(again, "a7,a8-a6", "h8-h7", "a7-a8") == "W7/7x/W7/8/8/8/8/8 x -"


def test_px18_a_pass_is_forced_and_clears_the_mark() -> None:
    stuck = "w7/8/8/8/8/8/8/7x w w"
    assert legal(stuck) == {"pass"}
    assert after(stuck, "pass") == "w7/8/8/8/8/8/8/7x x -"
    assert refused("w7/8/8/8/8/8/8/7x w -", "pass") == ("pass_not_forced", ())
    assert refused(START, "pass") == ("pass_not_forced", ())


def test_px19_a_player_who_captures_the_last_stone_wins() -> None:
    position = played("8/8/2X5/8/8/2w5/1wW5/8 w -", "c3:c6")
    assert GAME.outcome(position) == Outcome((1.0, 0.0), "captured_all", (Seat(0),))
    assert GAME.position_text(position) == "8/8/2w5/8/8/8/1wW5/8 x -"
    assert GAME.to_move(position) is None
    assert GAME.turn(position) == "-"
    assert GAME.legal_moves(position) == []
    assert GAME.why_illegal(position, Pass()) == Refusal("game_over")
    lost = GAME.decode("8/8/2x5/8/8/8/8/8 w -")
    assert GAME.outcome(lost) == Outcome((0.0, 1.0), "captured_all", (Seat(1),))


TWO_EACH = "W6W/8/8/8/8/8/8/X6X w -"
ROUND_TRIP = ("a8-a7", "a1-a2", "a7-a8", "a2-a1")


def test_px20i_the_third_occurrence_is_a_draw_and_the_start_is_the_first() -> None:
    assert reason(played(TWO_EACH, *ROUND_TRIP)) is None
    drawn = played(TWO_EACH, *ROUND_TRIP, *ROUND_TRIP)
    assert GAME.outcome(drawn) == Outcome((0.5, 0.5), "repetition", ())
    assert GAME.legal_moves(drawn) == []
    assert GAME.turn(drawn) == "-"


def test_px20i_other_lateral_marks_make_another_position() -> None:
    there_and_back = ("a8-b8", "a1-a2", "b8-b7", "a2-a1", "b7-a8", "h1-h2", "h8-h7", "h2-h1")
    position = played(TWO_EACH, *there_and_back)
    assert GAME.position_text(position).endswith(" w -")
    marked = played(TWO_EACH, "a8-a7", "a1-b1", "a7-a8", "b1-b2", "h8-h7", "b2-a1", "h7-h8")
    assert GAME.position_text(marked) == TWO_EACH.replace(" w ", " x ")
    assert marked.earlier.count(marked.occurrence) == 0


def test_px20i_what_a_capture_left_behind_is_forgotten_and_encode_keeps_the_rest() -> None:
    once = played(TWO_EACH, *ROUND_TRIP, "a8-a7")
    assert len(once.earlier) == 5
    again = GAME.decode(GAME.encode(once))
    assert again == once
    for move in ROUND_TRIP[1:]:
        again = GAME.play(again, GAME.parse(again, move))
    assert reason(again) == "repetition"
    bare = GAME.decode(GAME.position_text(once))
    assert bare.earlier == Past()
    assert played("8/8/2X5/8/8/2w5/1wW5/7x w -", "b2-a2", "h1-g1", "c3:c6").earlier == Past()


def test_px20ii_a_hundred_turns_without_capture_or_promotion_are_a_draw() -> None:
    text = "W6W/8/8/8/8/8/8/X6X w - 99 150"
    assert reason(GAME.decode(text)) is None
    drawn = played(text, "a8-a7")
    assert reason(drawn) == "no_progress"
    assert GAME.encode(drawn).startswith("7W/W7/8/8/8/8/8/X6X x - 100 151")
    assert GAME.decode(GAME.encode(drawn)) == drawn


def test_px20ii_a_pass_is_a_turn_and_the_promotion_of_a_carried_enemy_counts() -> None:
    assert played("w7/8/8/8/8/8/8/7x w w", "pass").quiet == 1
    position = played("8/8/8/8/8/2W5/2x5/7w w - 99 150", "c3,c2-c2")
    assert (position.quiet, reason(position)) == (0, None)


def test_px20iii_one_promoted_piece_each_is_a_draw_at_once() -> None:
    assert reason(GAME.decode("W7/8/8/8/8/8/8/7X w -")) == "one_promoted_each"
    assert reason(played("8/W7/8/8/8/1w6/X7/8 x -", "a2:b3")) == "one_promoted_each"
    assert reason(played("8/W7/8/8/8/x7/w7/7X w -", "a7-a6")) is None
    assert reason(played("W7/8/8/8/8/8/7x/8 x -", "h2-h1")) == "one_promoted_each"


def test_px20iv_two_passes_in_a_row_are_a_draw() -> None:
    stuck = "w7/8/8/8/8/8/8/7x w wx"
    once = played(stuck, "pass")
    assert GAME.encode(once).startswith("w7/8/8/8/8/8/8/7x x x 1 2 p ")
    twice = played(GAME.encode(once), "pass")
    assert reason(twice) == "two_passes"
    assert GAME.decode(GAME.encode(twice)) == twice
    # With a turn between them they are not in a row.
    assert played("w7/8/8/8/8/8/8/6x1 w w", "pass", "g1-h1").passes == 0


def test_px20_the_first_reason_of_the_list_names_the_draw() -> None:
    text = "W6W/8/8/8/8/8/8/X6X w - 92 150"
    assert reason(played(text, *ROUND_TRIP, *ROUND_TRIP)) == "repetition"
    both = "w7/8/8/8/8/8/8/7x x x 99 150 p"
    assert reason(played(both, "pass")) == "no_progress"


def test_px20v_players_may_agree_on_a_draw() -> None:
    assert GAME.info.allows_draw_offer


def test_px21_different_commands_may_give_the_same_position() -> None:
    assert after(START, "b1,b2-b2") == after(START, "b2,b1-b3")
    position = GAME.decode(START)
    moves = GAME.legal_moves(position)
    assert len(moves) == 270
    assert len({GAME.position_text(GAME.play(position, move)) for move in moves}) == 211


@pytest.mark.parametrize("text", [START, SAMPLE, "w7/8/8/8/8/8/8/7x w w"])
def test_px22_to_resign_is_open_at_any_time_and_so_no_move_of_the_game(text: str) -> None:
    assert not any("resign" in move for move in legal(text))
    with pytest.raises(MoveSyntaxError):
        GAME.parse(GAME.decode(text), "resign")


def test_a_capture_and_a_shift_never_leave_the_board() -> None:
    position = GAME.decode("7x/8/8/8/8/8/8/W7 w -")
    for move in (Shift(at("a1"), Cell(-1, 0)), Capture(at("a1"), Cell(-1, 0))):
        assert GAME.why_illegal(position, move) == Refusal("off_board", ("a1",), {"cell": "a1"})


def test_other_people_s_pieces_and_empty_cells_do_not_move() -> None:
    assert refused(START, "b7-b6") == ("not_yours", ("b7",))
    assert refused(START, "d5-d6") == ("no_piece", ("d5",))
    over = GAME.decode("W7/8/8/8/8/8/8/7X w -")
    for text in ("a8-a7", "a8:a7", "pass", "a8,b8:a7"):
        with pytest.raises(IllegalMove, match="game_over"):
            GAME.parse(over, text)


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("B2-B5", "b2-b5"),
        ("b2b5", "b2-b5"),
        ("b2 – b5", "b2-b5"),
        ("ｂ２－ｂ５", "b2-b5"),
        ("b2,c2b1-c3", "b2,b1c2-c3"),
        ("b2, c2, b1 - c3", "b2,b1c2-c3"),
        ("b2-b5=", "b2-b5"),
    ],
)
def test_parse_is_forgiving(typed: str, canonical: str) -> None:
    position = GAME.decode(START)
    assert GAME.notation(position, GAME.parse(position, typed)) == canonical


def test_parse_takes_x_for_a_capture() -> None:
    assert GAME.parse(GAME.decode(SAMPLE), "c7xc4") == Capture(at("c7"), at("c4"))


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "move_form"), ("b2", "move_form"), ("b9-b2", "move_form"), ("b2,b1c2 c3", "move_form"),
     ("b2,b1b1-b3", "rider_twice"), ("b2-b5==", "move_form"), ("passe", "move_form"),
     ("b2-b5" + " " * 500, "move_form")],
)  # fmt: skip
def test_parse_refuses_what_is_no_move(text: str, code: str) -> None:
    with pytest.raises(MoveSyntaxError) as caught:
        GAME.parse(GAME.decode(START), text)
    assert caught.value.code == code


def test_riders_are_kept_in_order_however_they_are_given() -> None:
    assert Shift(at("b2"), at("c3"), (at("c2"), at("b1"))) == Shift(
        at("b2"), at("c3"), (at("b1"), at("c2"))
    )


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "position_form"),
        ("8/8/8/8/8/8/8/8 w", "position_form"),
        ("8/8/8/8/8/8/w7/x7 w xw", "position_form"),
        ("8/8/8/8/8/8/w7 w -", "position_ranks"),
        ("9/8/8/8/8/8/w7/x7 w -", "position_form"),
        ("7/8/8/8/8/8/w7/x7 w -", "position_rank"),
        ("44/8/8/8/8/8/w7/x7 w -", "position_rank"),
        ("8/8/8/8/8/8/8/8 w -", "position_empty"),
        ("8/8/8/8/8/WWWWWWWw/w7/x7 w -", "position_stones"),
        ("8/8/8/8/8/8/w7/x7 w - 101 200", "position_count"),
        ("8/8/8/8/8/8/w7/x7 w - 1 9 pp", "position_count"),
        ("8/8/8/8/8/8/w7/x7 w - 1 9 - 8/8/8/8/8/8/w7/x7:x", "position_earlier"),
        ("8/8/8/8/8/8/w7/x7 w - 1 9 - 8/8/8/8/8/8/w7/X7:x:-", "position_earlier"),
        ("8/8/8/8/8/8/w7/x7 w - 0 9 - 8/8/8/8/8/w7/8/x7:x:-", "position_count"),
    ],
)
def test_decode_refuses_what_is_no_position(text: str, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        GAME.decode(text)
    assert caught.value.code == code
    GAME.info.refusals[code].message.format(**caught.value.params)


def test_the_text_of_a_saved_game_carries_its_counts() -> None:
    position = played(START, "b2-a2")
    first = START.replace(" ", ":")
    assert GAME.encode(position) == (
        f"1xxxxxx1/1xxxxxx1/8/8/8/8/w1wwwww1/1wwwwww1 x w 1 2 - {first}"
    )
    assert GAME.decode(GAME.encode(position)) == position


def test_steps_go_from_the_piece_over_its_riders_to_the_target() -> None:
    position = GAME.decode(START)
    move = GAME.parse(position, "b2,b1c2-c3")
    assert GAME.steps(position, move) == ("b2", "+b1", "+c2", "c3")
    first = {step.key: step for step in GAME.next_steps(position, ())}
    assert first["b2"].text == Text.of("Move {cell} (move potential {mp})", cell="b2", mp=4)
    second = GAME.next_steps(position, ("b2",))
    assert [step.key for step in second][:3] == ["+b1", "+c2", "a2"], "riders are asked for first"
    assert second[0].text == Text.of("Take {cell} along", cell="b1")
    assert (second[0].cell, second[2].cell, second[2].move) == ("b1", "a2", "b2-a2")
    assert GAME.step_text(position, ("b2",), "c3") == Text.of("To {cell}", cell="c3")


def test_riders_are_picked_in_any_order() -> None:
    position = GAME.decode(START)
    for riders in (("+b1", "+c2"), ("+c2", "+b1")):
        after_one = {step.key for step in GAME.next_steps(position, ("b2", *riders[:1]))}
        assert riders[1] in after_one
        assert riders[0] not in after_one, "nobody rides twice"
        last = {step.key: step.move for step in GAME.next_steps(position, ("b2", *riders))}
        assert last["c3"] == "b2,b1c2-c3"
    assert not GAME.next_steps(position, ("b2", "c3", "+b1")), "the target comes last"


def test_steps_of_a_capture_and_of_a_pass() -> None:
    position = GAME.decode(SAMPLE)
    assert GAME.steps(position, GAME.parse(position, "c7:c4")) == ("c7", ":c4")
    last = {step.key: step for step in GAME.next_steps(position, ("c7",))}
    assert last[":c4"].text == Text.of("Capture on {cell}", cell="c4")
    assert (last[":c4"].cell, last[":c4"].move) == ("c4", "c7:c4")
    stuck = GAME.decode("w7/8/8/8/8/8/8/7x w w")
    (only,) = GAME.next_steps(stuck, ())
    assert (only.key, only.cell, only.move) == ("pass", None, "pass")
    assert only.text == Text.of("Pass: there's no other move")


WHITE_STONE = Piece(0, "stone", Text.of("White stone"))
BLACK_STONE = Piece(1, "stone", Text.of("Black stone"))


def test_marks_show_where_the_group_was_and_where_it_is() -> None:
    position = GAME.decode(START)
    assert GAME.marks(position, GAME.parse(position, "b2,b1c2-c3")) == Marks(
        origins=("b2", "b1"), last=("c3", "c2", "d3"), arrows=(Arrow("b2", "c3", (WHITE_STONE,)),)
    )
    sample = GAME.decode(SAMPLE)
    assert GAME.marks(sample, GAME.parse(sample, "c7:c4")) == Marks(
        origins=("c7",),
        last=("c4",),
        arrows=(Arrow("c7", "c4", (BLACK_STONE,)),),
        trays=(TrayMark("captured", WHITE_STONE),),
    )
    stuck = GAME.decode("w7/8/8/8/8/8/8/7x w w")
    assert GAME.marks(stuck, Pass()) == Marks()


def test_view_shows_move_potentials_promoted_stacks_and_captured_stones() -> None:
    view = GAME.view(GAME.decode("7x/8/8/8/8/2W5/1w6/8 w w"), None)
    assert view.palette == "chess"
    assert [piece.label for piece in view.cell("c3").stack] == ["", "3"]
    assert [piece.label for piece in view.cell("b2").stack] == ["3"]
    assert view.cell("h8").stack[0].colour == 1
    assert view.cell("a1").stack == ()
    white, black = view.colours
    assert white.goal == Text.of("moves up")
    stones = Text.plural("{n} stone", "{n} stones", n=3)
    assert white.notes == (stones,)
    assert white.signs == (Sign("sideways", Text.of("went sideways last turn")),)
    assert white.trays[0].slots[0].count == 11
    assert white.trays[0].slots[0].piece.colour == 1
    assert black.trays[0].slots[0].count == 9
    assert view.captions == ()
    assert view.to_move == 0
    assert view.result is None


def test_view_warns_before_a_draw_and_names_the_result() -> None:
    near = GAME.view(GAME.decode("W6W/8/8/8/8/8/8/X6X x x 60 99"), None)
    assert near.captions == (
        Text.plural(
            "A draw in {n} turn unless a piece is captured or promoted.",
            "A draw in {n} turns unless a piece is captured or promoted.",
            n=40,
        ),
    )
    last = GAME.view(GAME.decode("W6W/8/8/8/8/8/8/X6X x x 99 120"), None)
    assert last.captions[-1] == Text.of(
        "A draw after this turn unless it captures or promotes a piece."
    )
    twice = GAME.view(played(TWO_EACH, *ROUND_TRIP), None)
    assert twice.captions == (
        Text.of("This position has occurred before. The third time is a draw."),
    )
    drawn = GAME.view(GAME.decode("W7/8/8/8/8/8/8/7X w -"), None)
    assert (drawn.to_move, drawn.winners, drawn.captions) == (None, (), ())
    assert drawn.result == Text.of("Draw: one promoted piece each")
    won = GAME.view(GAME.decode("8/8/2x5/8/8/8/8/8 w -"), None)
    assert won.winners == (1,)
    assert won.result == Text.of("Black captured every white stone")


def test_only_a_capture_takes() -> None:
    position = GAME.decode("8/1xx5/1xx5/8/8/2w5/3w4/8 x -")
    taking = {m for m in GAME.legal_moves(position) if GAME.takes(position, m)}
    assert {GAME.notation(position, m) for m in taking} == {"c6:c3"}
