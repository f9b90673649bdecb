"""Each ruling of Quux, by its number, on boards small enough to check by eye."""

from __future__ import annotations

import pickle
from random import Random

import pytest

from games.api import Outcome, Seat
from games.errors import AmbiguousMove, IllegalMove, MoveSyntaxError, NotationError, OptionError
from games.past import Past
from games.quux import Pass, Place, Position, Quux, Shift, Swap
from games.view import Arrow, Edge, Marks, Piece, Side, Sign, Text

PLAIN = Quux()
PAIRED = Quux({"supply": "paired"})
ANY = Quux({"supply": "any"})
JUMP = Quux({"path": "jump"})
PIE = Quux({"pie": "on"})
START = "4/4/4/4 W 555 555 p"
EXAMPLE_1 = "4/2,lM,1/1,Lm,2/4 W 445 445 p"
EXAMPLE_2 = "M,lMs,l,m/lMs,LmS,L,lS/Ls,S,Ms,mS/Lm,l,LmS,Ms W 000 000 m"
EXAMPLE_3 = "M,lMs,l,1/lMs,LmS,LS,lmS/Ls,S,M,ms/Lm,l,LmS,Ms W 000 000 m"
STUCK = "S,s,s/S,s,S/s,S,s W 000 000 m"
"""All tops are Small, and every cell is occupied."""
SHUFFLE = "S,2/3/2,s W 000 000 m"
ROUND = ("Sa3-b3", "Sc1-b1", "Sb3-a3", "Sb1-c1")
"""Four turns that lead back to where they started."""


def played(text: str, *moves: str, game: Quux = PLAIN) -> Position:
    position = game.decode(text)
    for move in moves:
        position = game.play(position, game.parse(position, move))
    return position


def after(text: str, *moves: str, game: Quux = PLAIN) -> str:
    """The position text once the moves are played."""
    return game.position_text(played(text, *moves, game=game))


def legal(text: str, game: Quux = PLAIN) -> set[str]:
    position = game.decode(text)
    return {game.notation(position, move) for move in game.legal_moves(position)}


def reason(position: Position) -> tuple[str, tuple[float, ...]] | None:
    outcome = PLAIN.outcome(position)
    return (outcome.reason, outcome.scores) if outcome else None


def refused(text: str, move: str, game: Quux = PLAIN) -> tuple[str, tuple[str, ...]]:
    """Code and cells of the refusal; the sentence of the code can be filled."""
    with pytest.raises(IllegalMove) as caught:
        game.parse(game.decode(text), move)
    error = caught.value
    game.info.refusals[error.code].message.format(**error.params)
    return error.code, error.place


def test_q1_white_joins_bottom_and_top_and_black_left_and_right() -> None:
    white = PLAIN.decode("S,2/M,s,1/L,2 B 343 443 p")
    assert PLAIN.outcome(white) == Outcome((1.0, 0.0), "chain", (Seat(0),), ("a1", "a2", "a3"))
    black = PLAIN.decode("3/s,m,l/L,2 W 343 333 p")
    assert PLAIN.outcome(black) == Outcome((0.0, 1.0), "chain", (Seat(1),), ("a2", "b2", "c2"))
    # The other way round neither wins.
    assert PLAIN.outcome(PLAIN.decode("3/S,M,L/s,2 B 333 343 p")) is None
    assert PLAIN.outcome(PLAIN.decode("s,2/m,S,1/l,2 B 343 333 p")) is None


def test_q1_a_chain_steps_sideways_and_up_but_not_across_a_corner() -> None:
    assert reason(PLAIN.decode("2,S,1/1,L,M,1/1,S,2/M,3 B 333 555 p")) is None
    assert reason(PLAIN.decode("2,S,1/1,L,M,1/1,S,2/1,L,2 B 333 555 p")) == ("chain", (1.0, 0.0))


def test_q1_only_the_top_of_a_pile_belongs_to_a_chain() -> None:
    assert reason(PLAIN.decode("S,2/Ms,2/L,2 B 333 444 p")) is None
    assert reason(PLAIN.decode("S,2/lmS,2/mS,2 B 333 444 p")) == ("chain", (1.0, 0.0))


def test_q2_white_makes_the_first_placement_from_full_hands() -> None:
    start = PLAIN.initial(Random(0))
    assert PLAIN.position_text(start) == START
    assert PLAIN.to_move(start) == Seat(0)
    assert [seat.name.message for seat in PLAIN.seats] == ["White", "Black"]


def test_q2_swap_exchanges_the_people_and_nothing_else() -> None:
    before = played(START, "Lb2", game=PIE)
    assert PIE.seating(before) == (0, 1)
    swapped = PIE.play(before, PIE.parse(before, "Swap"))
    assert PIE.position_text(swapped) == PIE.position_text(before)
    assert PIE.seating(swapped) == (1, 0)
    assert PIE.to_move(swapped) == Seat(1)
    later = PIE.play(swapped, Place("L", "c3"))
    assert PIE.seating(later) == (1, 0)
    assert PIE.seating(PIE.decode(PIE.encode(later))) == (1, 0)


def test_q2_swap_is_open_as_the_second_turn_only_and_only_once() -> None:
    one_piece = "4/4/1,L,2/4 B 455 555 p"
    assert refused(START, "swap", PIE) == ("swap_closed", ())
    assert "swap" in legal(one_piece, PIE)
    assert refused(one_piece, "swap", PLAIN) == ("swap_closed", ())
    assert refused("4/4/1,L,2/l,3 W 455 455 p", "swap", PIE) == ("swap_closed", ())
    assert refused(one_piece + " swapped", "swap", PIE) == ("swap_closed", ())
    assert refused("4/4/1,L,2/4 W 455 555 p", "swap", PIE) == ("swap_closed", ())


def test_q3_a_medium_waits_for_a_large_of_ones_own() -> None:
    assert refused(START, "Ma1") == ("supply", ())
    one = "4/4/1,L,2/4 B 455 555 p"
    assert refused(one, "Mb2") == ("supply", ())
    assert refused(one, "Sb2") == ("supply", ())
    with pytest.raises(IllegalMove) as caught:
        PLAIN.parse(PLAIN.decode(one), "Sb2")
    assert caught.value.params == {"size": "S", "larger": "M"}


def test_q3_any_lets_either_side_open_the_way() -> None:
    assert after(START, "Lb2", "Mb2", "Sb2", game=ANY) == "4/4/1,LmS,2/4 B 454 545 p"
    assert refused(START, "Mb2", ANY) == ("supply_any", ())
    assert refused("4/4/1,L,2/4 B 455 555 p", "Sb2", ANY) == ("supply_any", ())


def test_q4_one_larger_opens_the_way_for_all_but_paired_wants_one_for_each() -> None:
    assert len(legal(EXAMPLE_1)) == 43
    assert len(legal(EXAMPLE_1, PAIRED)) == 29
    assert refused(EXAMPLE_1, "Ma1", PAIRED) == ("supply_paired", ())
    assert "Sa1" in legal(EXAMPLE_1, PAIRED)
    assert "Ma1" in legal(EXAMPLE_1, PLAIN)


def test_q5_a_covered_large_still_counts() -> None:
    assert "Ma1" in legal("4/4/1,Lm,2/4 W 455 445 p")
    assert "Ma1" in legal("4/4/1,Lm,2/4 W 455 445 p", PAIRED)


def test_q6_a_placement_covers_a_larger_top_of_the_opponent_only() -> None:
    text = "4/M,L,2/m,l,2/4 W 334 445 p"
    assert refused(text, "Sb3") == ("own_top", ("b3",))
    assert refused(text, "Ma2") == ("not_larger", ("a2",))
    assert refused(text, "Lb2") == ("not_larger", ("b2",))
    assert {"Mb2", "Sb2", "Sa2"} <= legal(text)


def test_q7_only_the_top_of_a_pile_counts_for_a_placement() -> None:
    text = "4/4/Lm,lM,2/4 W 444 445 p"
    assert "Sa2" in legal(text)
    assert refused(text, "Sb2") == ("own_top", ("b2",))


@pytest.mark.parametrize("text", [START, EXAMPLE_2])
@pytest.mark.parametrize("spelling", ["--", "pass", "-", "—"])
def test_q8_nobody_passes_who_can_do_anything(text: str, spelling: str) -> None:
    assert refused(text, spelling) == ("no_pass", ())


def test_q9_a_player_without_a_place_passes_and_places_again_when_there_is_one() -> None:
    text = "S,s,s/S,s,S/s,S,l B 010 001 p"
    assert legal(text) == {"--"}
    passed = played(text, "--")
    assert PLAIN.encode(passed) == "S,s,s/S,s,S/s,S,l W 010 001 p passed"
    assert after(text, "--", "Mc1") == "S,s,s/S,s,S/s,S,lM B 000 001 p"
    assert after(text, "--", "Mc1", "Sc1") == "S,s,s/S,s,S/s,S,lMs W 000 000 m"


def test_q10_two_passes_in_a_row_end_the_placement_phase() -> None:
    text = "S,s,s/S,s,S/s,S,l B 100 100 p"
    assert after(text, "--") == "S,s,s/S,s,S/s,S,l W 100 100 p"
    assert after(text, "--", "--") == "S,s,s/S,s,S/s,S,l B 000 000 m"


def test_q10_passes_that_are_not_in_a_row_do_not() -> None:
    text = "S,s,s/S,s,S/s,S,l B 110 100 p"
    assert after(text, "--", "Mc1", "--") == "S,s,s/S,s,S/s,S,lM W 100 100 p"


def test_q10_empty_hands_end_the_placement_phase_and_the_turn_goes_on() -> None:
    assert after("3/3/1,l,1 W 001 000 p", "Sb1") == "3/3/1,lS,1 B 000 000 m"


def test_q10_a_game_won_by_the_last_placement_stays_in_its_phase() -> None:
    position = played("S,2/M,2/3 W 100 000 p", "La1")
    assert PLAIN.position_text(position) == "S,2/M,2/L,2 B 000 000 p"
    assert reason(position) == ("chain", (1.0, 0.0))


def test_q11_what_is_left_in_hand_is_out_of_the_game() -> None:
    text = after("S,s,s/S,s,S/s,S,l B 100 100 p", "--", "--")
    assert refused(text, "La1") == ("placing_is_over", ())
    assert refused(START, "Ma1-a2") == ("still_placing", ())


def test_q12_the_lowest_piece_of_a_block_has_to_be_ones_own() -> None:
    assert refused(EXAMPLE_2, "La3-b3") == ("not_yours", ("a3",))
    assert refused(EXAMPLE_2, "Mc3-c4") == ("no_such_pyramid", ("c3",))
    assert refused("L,2/3/2,s W 000 000 m", "Sb2-b3") == ("empty_cell", ("b2",))
    # From the middle of a pile, with a rider of either colour.
    assert after("lMs,2/3/3 W 000 000 m", "Ma3-b3") == "l,Ms,1/3/3 B 000 000 m"
    # From the bottom, though the top is the opponent's.
    assert after("Lms,2/3/3 W 000 000 m", "La3-c3") == "2,Lms/3/3 B 000 000 m"


def test_q13_riders_move_too_and_keep_their_owner() -> None:
    position = played(EXAMPLE_2, "Mb4-c4")
    assert (position.pile("b4"), position.pile("c4")) == ("l", "lMs")


def test_q14_a_move_may_land_on_ones_own_top() -> None:
    position = played(EXAMPLE_2, "Sd3-c3", "Md4-d3")
    assert position.pile("d3") == "lm"


def test_q15_the_target_is_strictly_larger_than_the_lowest_piece_that_goes() -> None:
    text = "Ms,m,1/Ls,L,1/3 W 000 000 m"
    assert refused(text, "Ma3-b3") == ("not_larger", ("b3",))
    assert refused(text, "Ma3-a2") == ("not_larger", ("a2",))
    assert refused(text, "Lb2-b3") == ("not_larger", ("b3",))
    # The block is not smaller for a small rider, and larger riders do not exist.
    assert "Mb3-b2" in legal("Ls,M,1/1,L,1/3 W 000 000 m")


def test_q16_a_block_slides_over_empty_cells_only() -> None:
    text = "S,l,L,3/6/6/6/6/6 W 000 000 m"
    six = Quux({"size": 6})
    assert refused(text, "Sa6-c6", six) == ("path_blocked", ("b6",))
    assert "Sa6-b6" in legal(text, six)
    assert refused(text, "Sa6-b5", six) == ("not_straight", ("a6", "b5"))
    assert refused(text, "Lc6-a6", six) == ("path_blocked", ("b6",))


def test_q16_jump_goes_over_any_piles_any_distance() -> None:
    text = "S,l,L,1/4/4/4 W 000 000 m"
    assert {"Sa4-c4", "Sa4-d4", "Lc4-d4"} <= legal(text, JUMP)
    assert refused(text, "Lc4-a4", JUMP) == ("not_larger", ("a4",))
    assert refused(text, "Sa4-b3", JUMP) == ("not_straight", ("a4", "b3"))


def test_q17_no_move_stays_where_it_is() -> None:
    assert refused(SHUFFLE, "Sa3-a3") == ("same_cell", ("a3",))


def test_q17_a_block_with_a_large_at_the_bottom_goes_to_empty_cells_only() -> None:
    assert legal("LmS,l,1/3/M,2 W 000 000 m") >= {"La3-a2", "Sa3-b3"}
    assert refused("LmS,l,1/3/M,2 W 000 000 m", "La3-b3") == ("not_larger", ("b3",))


def test_q18_uncovering_gives_the_opponent_the_win() -> None:
    position = played(EXAMPLE_3, "Sc1-c2")
    assert PLAIN.outcome(position) == Outcome(
        (0.0, 1.0), "chain", (Seat(1),), ("a1", "b1", "c1", "d1")
    )
    assert PLAIN.position_text(position).split()[1] == "B"
    assert PLAIN.turn(position) == "-"
    assert PLAIN.legal_moves(position) == []
    assert refused(PLAIN.encode(position), "Mb4-c4") == ("game_over", ())


def test_q18_a_rider_can_complete_the_opponents_chain() -> None:
    position = played("3/1,m,l/Ms,2 W 000 000 m", "Ma1-a2")
    assert reason(position) == ("chain", (0.0, 1.0))


def test_q18_a_move_completes_ones_own_chain() -> None:
    assert reason(played("S,2/1,M,1/L,2 W 000 000 m", "Mb2-a2")) == ("chain", (1.0, 0.0))


def test_q19_who_cannot_move_passes_and_two_passes_draw() -> None:
    assert legal(STUCK) == {"--"}
    assert reason(played(STUCK, "--")) is None
    drawn = played(STUCK, "--", "--")
    assert reason(drawn) == ("passes", (0.5, 0.5))
    assert PLAIN.outcome(drawn) == Outcome((0.5, 0.5), "passes", ())
    assert PLAIN.decode(PLAIN.encode(drawn)) == drawn


def test_q19_passes_of_the_placement_phase_do_not_count() -> None:
    begun = played("S,s,s/S,s,S/s,S,s B 100 100 p", "--", "--")
    assert PLAIN.position_text(begun) == "S,s,s/S,s,S/s,S,s B 000 000 m"
    assert reason(begun) is None
    assert reason(PLAIN.play(begun, Pass())) is None
    assert reason(PLAIN.play(PLAIN.play(begun, Pass()), Pass())) == ("passes", (0.5, 0.5))


def test_q20_the_third_occurrence_draws_and_the_first_board_of_the_phase_counts() -> None:
    twice = played(SHUFFLE, *ROUND, *ROUND[:3])
    assert reason(twice) is None
    assert reason(PLAIN.play(twice, PLAIN.parse(twice, ROUND[3]))) == ("repetition", (0.5, 0.5))


def test_q20_the_same_board_with_the_other_side_to_move_is_another_position() -> None:
    # White goes around in three turns while Black takes two, then the other way round.
    white_loses_a_turn = ("Sa3-b3", "Sc1-b1", "Sb3-c3", "Sb1-c1", "Sc3-a3")
    black_loses_a_turn = ("Sc1-b1", "Sa3-b3", "Sb1-a1", "Sb3-a3", "Sa1-c1")
    assert after(SHUFFLE, *white_loses_a_turn) == SHUFFLE.replace("W", "B")
    second = played(SHUFFLE, *white_loses_a_turn, *black_loses_a_turn)
    assert (PLAIN.position_text(second), reason(second)) == (SHUFFLE, None)
    third = played(SHUFFLE, *white_loses_a_turn, *black_loses_a_turn, *ROUND)
    assert reason(third) == ("repetition", (0.5, 0.5))


def test_q20_occurrences_in_the_placement_phase_do_not_count() -> None:
    begun = played("S,s,s/S,s,S/s,S,s B 100 100 p", "--", "--")
    assert begun.past == Past()


def boards(count: int) -> str:
    return "past " + " ".join(["s,2/3/3"] * count)


def test_q20_a_hundred_turns_of_movement_draw() -> None:
    assert reason(played(f"{SHUFFLE} {boards(98)}", "Sa3-b3")) is None
    assert reason(played(f"{SHUFFLE} {boards(99)}", "Sa3-b3")) == ("move_limit", (0.5, 0.5))


def test_q20_a_forced_pass_counts_as_a_turn() -> None:
    assert reason(played(f"{STUCK} {boards(99)}", "--")) == ("move_limit", (0.5, 0.5))


def test_q20_a_chain_made_by_the_last_turn_still_wins() -> None:
    text = f"S,2/1,M,1/L,2 W 000 000 m {boards(99)}"
    assert reason(played(text, "Mb2-a2")) == ("chain", (1.0, 0.0))


@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_q21_each_side_has_one_trio_more_than_the_board_has_files(size: int) -> None:
    game = Quux({"size": size})
    start = game.initial(Random(0))
    assert start.hands == ((size + 1,) * 3,) * 2
    assert len(game.legal_moves(start)) == size * size


@pytest.mark.parametrize("size", [2, 7, 8])
def test_q21_other_boards_are_not_offered(size: int) -> None:
    with pytest.raises(OptionError):
        Quux({"size": size})


@pytest.mark.parametrize("word", ["resign", "draw", "undo", "takeback"])
def test_q22_resigning_draw_offers_and_takebacks_are_no_moves(word: str) -> None:
    with pytest.raises(MoveSyntaxError):
        PLAIN.parse(PLAIN.decode(START), word)


def test_example_1_covering() -> None:
    assert after(START, "Lb2", "Lc3", "Mc3", "Mb2") == EXAMPLE_1


def test_example_2_a_block_with_a_rider_and_a_target_of_ones_own() -> None:
    placements = (
        "Lb3 Lb4 Lc1 La3 La1 Lc4 Ma4 Lb1 Md1 Ld3 Sb2 Md2 Sd2 Mb3 La2 Sa2 Mb4 Mc1 Sb3 Sb4 Ma3 Sa3"
        " Lc3 Sd1 Mc2 Sc2 Sc1 Md4 Sd3 Ma1"
    )
    assert after(START, *placements.split()) == EXAMPLE_2
    listed = "Mb4-c4 Mc2-c3 Sb2-b1 Sb3-c3 Sc1-b1 Sd3-c3 Sd3-d4"
    assert legal(EXAMPLE_2) == set(listed.split())


def test_example_3_a_move_that_loses_by_uncovering() -> None:
    assert after(EXAMPLE_2, "Sd3-c3", "Md4-d3", "Sd2-d3", "Sc2-d2") == EXAMPLE_3


# Reading and writing


@pytest.mark.parametrize(
    ("text", "spelling", "move"),
    [
        (START, "lB2", Place("L", "b2")),
        (START, " L b2 ", Place("L", "b2")),
        (EXAMPLE_2, "mb4c4", Shift("M", "b4", "c4")),
        (EXAMPLE_2, "Mb4–c4", Shift("M", "b4", "c4")),
        (EXAMPLE_2, "M b4 - c4", Shift("M", "b4", "c4")),
        (EXAMPLE_2, "b4-c4", Shift("M", "b4", "c4")),
        (EXAMPLE_2, "b4c4", Shift("M", "b4", "c4")),
        (STUCK, "--", Pass()),
        (STUCK, "PASS", Pass()),
    ],
)
def test_moves_are_read_in_many_spellings(text: str, spelling: str, move: object) -> None:
    assert PLAIN.parse(PLAIN.decode(text), spelling) == move


@pytest.mark.parametrize(
    "text", ["", "b2", "Lb", "L", "Xb2", "Lb2-c2-d2", "Lb2 Lc3", "draw", "---"]
)
def test_what_is_no_move_is_a_syntax_error(text: str) -> None:
    with pytest.raises(MoveSyntaxError) as caught:
        PLAIN.parse(PLAIN.decode(START), text)
    assert caught.value.code == "move_form"


def test_two_blocks_of_one_cell_need_their_size() -> None:
    position = PLAIN.decode("1,LMS,1/3/3 W 000 000 m")
    with pytest.raises(AmbiguousMove) as caught:
        PLAIN.parse(position, "b3-c3")
    assert caught.value.candidates == ("Lb3-c3", "Mb3-c3", "Sb3-c3")
    assert PLAIN.parse(position, "sb3-c3") == Shift("S", "b3", "c3")


def test_a_move_without_size_is_refused_for_the_smallest_own_block() -> None:
    text = "LmS,s,1/l,2/3 W 000 000 m"
    assert refused(text, "a3-b3") == ("not_larger", ("b3",))
    assert refused(text, "a3-c3") == ("path_blocked", ("b3",))
    assert refused(text, "b3-c3") == ("not_yours", ("b3",))
    assert refused(text, "c3-c2") == ("empty_cell", ("c3",))
    assert refused(text, "e3-c2") == ("off_board", ())
    assert refused(START, "a1-a2") == ("still_placing", ())


def test_cells_beyond_the_board_are_named() -> None:
    assert refused(START, "Le1") == ("off_board", ())
    assert refused(SHUFFLE, "Sa3-a4") == ("off_board", ())
    assert refused(SHUFFLE, "Sd3-a3") == ("off_board", ())


def test_a_hand_can_be_empty_of_a_size() -> None:
    assert refused("l,3/4/4/4 W 055 455 p", "Lb1") == ("none_in_hand", ())


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "position_form"),
        ("4/4/4/4 W 555 555", "position_form"),
        ("4/4/4/4 x 555 555 p", "position_form"),
        ("4/4/4/4 W 555 555 p past", "position_form"),
        ("4/4/4/4 W 855 555 p", "position_form"),
        ("2/2 W 333 333 p", "position_size"),
        ("7/7/7/7/7/7/7 W 777 777 p", "position_size"),
        ("4/4/5/4 W 555 555 p", "position_rank"),
        ("4/4/4/3 W 555 555 p", "position_rank"),
        ("4/4/0,4/4 W 555 555 p", "position_pile"),
        ("4/4/SL,3/4 W 555 555 p", "position_pile"),
        ("4/4/Mm,3/4 W 555 555 p", "position_pile"),
        ("4/4/x,3/4 W 555 555 p", "position_pile"),
        ("4/4/4/4 W 655 555 p", "position_hands"),
        ("4/4/4/4 W 000 000 p", "position_hands"),
        ("4/4/4/4 W 000 100 m", "position_hands"),
        ("4/4/4/4 W 555 555 p past 4/4/4/4", "position_past"),
        ("4/4/4/4 W 000 000 m passed", "position_past"),
        ("4/4/4/4 W 000 000 m past 3/3/3", "position_past"),
        ("3/3/3 W 000 000 m " + boards(101), "position_past"),
        ("4/4/1,L,2/4 B 455 555 p swapped", "position_pie"),
        ("9" * 20_001, "position_form"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        PLAIN.decode(text)
    assert caught.value.code == code
    PLAIN.info.refusals[code].message.format(**caught.value.params)


def test_nobody_has_swapped_before_the_first_placement() -> None:
    with pytest.raises(NotationError):
        PIE.decode(f"{START} swapped")


@pytest.mark.parametrize(
    ("moves", "text"),
    [(ROUND[:2], "1,S,1/3/1,s,1 W 000 000 m past S,2/3/2,s 1,S,1/3/2,s"), ((*ROUND, *ROUND), None)],
)
def test_encode_keeps_the_past_of_the_movement_phase(
    moves: tuple[str, ...], text: str | None
) -> None:
    position = played(SHUFFLE, *moves)
    encoded = PLAIN.encode(position)
    assert text is None or encoded == text
    again = PLAIN.decode(encoded)
    assert again == position
    assert PLAIN.outcome(again) == PLAIN.outcome(position)
    assert pickle.loads(pickle.dumps(position)).ending == position.ending


def test_a_bare_text_may_have_any_supply() -> None:
    position = PLAIN.decode("4/4/4/L,3 W 555 111 p")
    assert PLAIN.position_text(position) == "4/4/4/L,3 W 555 111 p"


# Picks and sights


def picks(text: str, *prefix: str, game: Quux = PLAIN) -> list[tuple[str, str, str | None]]:
    steps = game.next_steps(game.decode(text), prefix)
    return [
        (step.key, step.text.message.format(**dict(step.text.params)), step.move) for step in steps
    ]


def test_a_placement_is_picked_by_size_and_cell() -> None:
    text = "4/2,l,1/1,L,2/4 W 455 455 p"
    assert picks(text) == [("L", "Place a Large", None), ("M", "Place a Medium", None)]
    assert ("c3", "Cover the top of c3", "Mc3") in picks(text, "M")
    assert ("c2", "Place it on c2", "Mc2") in picks(text, "M")


def test_a_movement_is_picked_by_cell_and_by_block_only_where_there_is_a_choice() -> None:
    text = "LmS,l,1/3/M,2 W 000 000 m"
    assert picks(text) == [("a1", "Move from a1", None), ("a3", "Move from a3", None)]
    assert picks(text, "a3") == [
        ("L", "Lift the Large with everything on it", None),
        ("S", "Lift the Small alone", None),
    ]
    assert picks(text, "a3", "S") == [
        ("b3", "Move onto b3", "Sa3-b3"),
        ("a2", "Move to a2", "Sa3-a2"),
        ("a1", "Move onto a1", "Sa3-a1"),
    ]
    assert ("a2", "Move to a2", "Ma1-a2") in picks(text, "a1")


def test_pass_and_swap_are_picked_by_their_words() -> None:
    assert picks(STUCK) == [("--", "Pass: there's no other move", "--")]
    assert picks("4/4/1,L,2/4 B 455 555 p", game=PIE)[-1] == (
        "swap",
        "Swap colours and take White",
        "swap",
    )


def test_marks_show_where_a_move_came_from_and_went_to() -> None:
    start, moving = PLAIN.decode(START), PLAIN.decode(EXAMPLE_2)
    assert PLAIN.marks(start, Place("L", "b2")) == Marks(last=("b2",))
    assert PLAIN.marks(moving, Shift("M", "b4", "c4")) == Marks(
        origins=("b4",),
        last=("c4",),
        arrows=(
            Arrow(
                "b4",
                "c4",
                (
                    Piece(0, "pyramid", Text.of("Medium White"), 2, letter="M"),
                    Piece(1, "pyramid", Text.of("Small Black"), 1, letter="s"),
                ),
            ),
        ),
    )
    assert PLAIN.marks(PLAIN.decode(STUCK), Pass()) == Marks()
    assert PIE.marks(PIE.decode("4/4/1,L,2/4 B 455 555 p"), Swap()) == Marks()


def test_view_shows_piles_bottom_first_hands_and_owned_sides() -> None:
    view = PLAIN.view(PLAIN.decode(EXAMPLE_1), None)
    assert view.palette == "chess"
    assert [(p.colour, p.kind, p.size, p.name.message) for p in view.cell("c3").stack] == [
        (1, "pyramid", 3, "Large Black"),
        (0, "pyramid", 2, "Medium White"),
    ]
    assert set(view.edges) == {
        Edge(Side.BOTTOM, 0),
        Edge(Side.TOP, 0),
        Edge(Side.LEFT, 1),
        Edge(Side.RIGHT, 1),
    }
    white, black = view.colours
    assert white.goal == Text.of("joins top and bottom")
    assert black.goal == Text.of("joins left and right")
    (tray,) = white.trays
    assert (tray.key, [slot.count for slot in tray.slots]) == ("reserve", [4, 4, 5])
    assert [slot.piece.size for slot in tray.slots] == [3, 2, 1]
    assert white.notes == (Text.plural("{n} top", "{n} tops", n=1),)
    assert (view.to_move, view.result, view.winners) == (0, None, ())
    assert view.captions == (Text.of("Placement: put a pyramid on the board."),)


def test_view_of_the_movement_phase_counts_turns_and_has_no_hands() -> None:
    view = PLAIN.view(played(EXAMPLE_2, "Sd3-c3"), None)
    assert view.captions == (Text.of("Movement: turn {turn} of {limit}.", turn=2, limit=100),)
    assert all(colour.trays == () for colour in view.colours)
    assert view.to_move == 1


def test_view_says_who_must_pass_may_swap_or_comes_near_a_draw() -> None:
    stuck = PLAIN.view(PLAIN.decode(STUCK), None)
    assert [colour.signs for colour in stuck.colours] == [(Sign("pass", Text.of("must pass")),), ()]
    assert (
        Text.of("Black may swap colours instead of placing a pyramid.")
        in PIE.view(PIE.decode("4/4/1,L,2/4 B 455 555 p"), None).captions
    )
    again = Text.of("This position has occurred before. The third time is a draw.")
    assert again in PLAIN.view(played(SHUFFLE, *ROUND), None).captions
    assert again not in PLAIN.view(played(SHUFFLE, *ROUND[:2]), None).captions


def test_view_shows_the_winning_chain_and_names_the_result() -> None:
    won = PLAIN.view(played(EXAMPLE_3, "Sc1-c2"), None)
    assert won.marks == Marks(path=("a1", "b1", "c1", "d1"))
    assert (won.winners, won.to_move, won.captions) == ((1,), None, ())
    assert won.result == Text.of("Black joined left and right")
    drawn = PLAIN.view(played(STUCK, "--", "--"), None)
    assert drawn.result == Text.of("Draw: neither side could move")
    assert drawn.winners == ()
