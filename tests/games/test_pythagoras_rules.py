"""Each ruling of Pythagoras, by its number, on boards small enough to check by eye."""

from __future__ import annotations

import re
from random import Random

import pytest

from games.api import Outcome, Refusal, Seat
from games.errors import IllegalMove, MoveSyntaxError, NotationError, OptionError
from games.pythagoras import Pin, Pit, Place, Position, Pythagoras, Score, scores
from games.pythagoras.board import SPACES
from games.pythagoras.rules import can_move
from games.view import Marks, Text

GAME = Pythagoras()
TWO = Pythagoras({"seats": 2})
START = "5/9/12/12/12 R 555 555 555 555 - - - - ---"
EXAMPLE_2 = (
    "5/9/6,G2,2,G1,2/3,R1,2,Y2,2,Y1B2,2/R3,G3,Y3,B3,R3,G2,R1,Y2,1,B3,G2,1"
    " B 353 434 424 345 - - - - ---"
)
EXAMPLE_3 = (
    "G3,1,R3,2/R1,1,G1,1,R1,B2B3,G1G2G3,Y2,1/Y3,1,Y3,1,B3,Y3,B1B2,R2,G3,2,G1/"
    "G2,Y2,B2,1,Y2,G1G2G3,R2R3,Y2B3,Y1,1,R3,R2/Y3,R3,G3,1,B3,R3,Y2,G1G2,B2B3,R1,B2,Y3"
    " R 012 003 010 003 2 1 - 1 ---"
)
SHARED = (
    "Y2,Y1G2,1,Y2,1/B3,R3,Y3,R2G3,Y3,R3,1,B1,1/G1,B1,R1,Y1,G1,B2B3,1,Y2Y3,G3,B2,2/"
    "R2,G2,Y2,R2,B2,Y2Y3,R1,G3,R1B2B3,Y1,1,G3/Y1,R1,B1,Y1,G1,R2G3,B3,R2R3,Y3,B3,B2,G1"
    " G 200 000 031 001 1 - - 1 ---"
)
"""One move before the end: the points become 13, 21, 20, 21."""
ONLY_PINS = (
    "B3,4/Y1,5,Y3,2/B3,G3,4,G3,2,Y1,R2,1/Y1,R1,2,G1,Y3,B2,R1,1,R2,G3,R1/"
    "R3,G3,1,Y3,B3,B1B2,R3,Y2Y3,G3,R3,Y1,B2 G 232 141 054 224 - - - - ---"
)
"""Green can do nothing but pin the yellow or the red Small on a4 and h2."""
ALL_FILLED = (
    "Y1,B1,R1,Y1,R1/R2,G2,Y2,G2,B2,B1,R2,Y1,G1/B3,R3,Y2G3,R3,G3,Y3,G1,B2B3,R3,G2,B1,G3/"
    "Y1,G1,R1,G1,R1,R1R2R3,B1,G3,Y3,B3,G2,B1/R2,B2,Y2,B2,Y2,G1G2G3,Y2Y3,B2R3,B3,Y1,B3,R2"
    " R 000 000 000 000 - 33 - - BRG"
)


def table(board: str, side: str = "R", *, pits: str = "- - - -", owners: str = "---") -> Position:
    """The position of a board text: whatever is neither on it nor in a Pit is in hand."""
    hands = []
    for colour, pit in zip("RYGB", pits.split(), strict=True):
        used = (len(re.findall(f"{colour}{size}", board)) + pit.count(size) for size in "321")
        hands.append("".join(str(5 - count) for count in used))
    return GAME.decode(f"{board} {side} {' '.join(hands)} {pits} {owners}")


def legal(position: Position) -> set[str]:
    return {GAME.notation(position, move) for move in GAME.legal_moves(position)}


def play(position: Position, *moves: str) -> Position:
    for move in moves:
        position = GAME.play(position, GAME.parse(position, move))
    return position


def refused(position: Position, move: str) -> tuple[str, tuple[str, ...]]:
    """Code and cells of the refusal; the sentence of the code can be filled."""
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(position, move)
    error = caught.value
    GAME.info.refusals[error.code].message.format(**error.params)
    return error.code, error.place


def test_p1_three_grids_side_by_side_on_a_common_rank_1() -> None:
    ranks = [[place.name for place in SPACES if place.rank == rank] for rank in range(5)]
    assert [len(names) for names in ranks] == [12, 12, 12, 9, 5]
    assert "".join(name[0] for name in ranks[0]) == "abcdefghijkl"
    assert "".join(name[0] for name in ranks[3]) == "abcdefghi"
    assert "".join(name[0] for name in ranks[4]) == "abcde"
    assert [place.grid for place in SPACES if place.rank == 0] == [0] * 5 + [1] * 4 + [2] * 3


def test_p2_four_people_with_a_colour_each_or_two_with_opposite_colours() -> None:
    assert [seat.colours for seat in GAME.seats] == [(0,), (1,), (2,), (3,)]
    assert [seat.name.message for seat in GAME.seats] == ["Red", "Yellow", "Green", "Blue"]
    assert [seat.colours for seat in TWO.seats] == [(0, 2), (1, 3)]
    for bad in (3, 1, "all"):
        with pytest.raises(OptionError):
            Pythagoras({"seats": bad})


def test_p2_with_two_people_the_turns_go_round_the_four_colours() -> None:
    position = TWO.initial(Random(0))
    seats = []
    for move in ("3a1", "3b1", "3c1", "3d1"):
        seats.append(TWO.to_move(position))
        position = TWO.play(position, TWO.parse(position, move))
    assert seats == [0, 1, 0, 1]


def test_p3_red_starts_then_yellow_green_blue() -> None:
    position = GAME.initial(Random(0))
    assert GAME.encode(position) == GAME.position_text(position) == START
    turns = []
    for move in ("3a1", "3b1", "3c1", "3d1"):
        turns.append((GAME.turn(position), GAME.to_move(position)))
        position = play(position, move)
    assert turns == [("R", 0), ("Y", 1), ("G", 2), ("B", 3)]
    assert GAME.turn(position) == "R"


def test_example_1_of_the_rules_page() -> None:
    position = play(GAME.initial(Random(0)), "3a1", "3b1", "2f1", "3j1", "2j2")
    assert GAME.encode(position) == (
        "5/9/12/9,R2,2/R3,Y3,3,G2,3,B3,2 Y 445 455 545 455 - - - - ---"
    )
    # A red Large on b1 would have broken Rule 1.
    assert refused(table("5/9/12/12/R3,11"), "3b1") == ("adjacent_alike", ("a1",))


def test_example_2_of_the_rules_page() -> None:
    position = GAME.decode(EXAMPLE_2)
    wanted = (
        "1a2 1b2 1c2 1e2 1f2 1g4 1h2 1i1 1k2 1l1 2d3 2f2 2g4 2h2 2i1 2xg1 3d3 3f2 3g4 3h2 3k2"
        " 3xf1 3xg2 3xg3 3xh1"
    )
    assert legal(position) == set(wanted.split())


def test_example_3_of_the_rules_page() -> None:
    position = GAME.decode(EXAMPLE_3)
    once = play(position, "1i4")
    assert (GAME.turn(once), once.owes, once.bonuses) == ("R", True, (None, 0, None))
    assert legal(once) == {"2xi4"}
    over = play(once, "2xi4")
    assert GAME.turn(over) == "-"
    assert scores(over) == (
        Score(tops=24, pit=-2, pinned=-3, ranks=8, grids=4),
        Score(tops=24, pit=-1, pinned=0, ranks=9, grids=0),
        Score(tops=21, pit=0, pinned=-7, ranks=0, grids=0),
        Score(tops=21, pit=-1, pinned=-7, ranks=0, grids=0),
    )
    assert GAME.outcome(over) == Outcome((31.0, 32.0, 14.0, 13.0), "end", (Seat(1),))


def test_rule_2_a_pyramid_goes_on_the_lowest_empty_space_of_its_column() -> None:
    position = table("5/9/12/12/R3,11", "Y")
    assert refused(position, "2c3") == ("column_not_ready", ("c1",))
    assert refused(position, "2a3") == ("column_not_ready", ("a2",))
    assert refused(position, "2a1") == ("occupied", ("a1",))
    assert refused(table("5/9/12/12/R2,11", "Y"), "3a1") == ("write_pin", ("a1",))
    assert "2a2" in legal(position)


def test_p4_adjacent_is_orthogonal() -> None:
    # g2 touches f1, a red Small, across a corner only.
    assert "1g2" in legal(table("5/9/12/12/5,R1,Y3,5", "R"))


def test_p5_neighbours_across_the_borders_of_grids_count() -> None:
    assert refused(GAME.decode(EXAMPLE_2), "3i1") == ("adjacent_alike", ("j1",))
    assert refused(table("5/9/12/12/4,R3,7"), "3f1") == ("adjacent_alike", ("e1",))
    assert "2f1" in legal(table("5/9/12/12/4,R3,7"))


def test_p6_the_environments_hold_within_their_grid_only() -> None:
    position = table("5/9/12/12/5,R1,3,R2,2", "R")
    # Rank 1 has a red top in the 4x4, which does not matter for the 5x5 or the 3x3.
    assert {"3a1", "3l1", "1l1", "2a1"} <= legal(position)
    assert refused(position, "3g1") == ("same_colour_in_rank", ("f1",))
    assert refused(position, "3f2") == ("same_colour_in_column", ("f1",))
    assert refused(position, "2l1") == ("same_size_in_rank", ("j1",))
    other = table("5/9/12/12/5,R1,3,R2,2", "Y")
    assert refused(other, "2j2") == ("same_size_in_column", ("j1",))
    assert "3g1" in legal(other)


def test_p7_the_first_piece_of_a_5x5_rank_fixes_its_size() -> None:
    position = table("5/9/12/12/1,R3,10", "Y")
    assert refused(position, "2d1") == ("other_size_in_rank", ("b1",))
    assert "3d1" in legal(position)
    assert refused(position, "3b2") == ("same_size_above_or_below", ("b1",))
    assert refused(table("5/9/12/12/1,R3,10", "R"), "2b2") == (
        "same_colour_above_or_below",
        ("b1",),
    )
    assert "2b2" in legal(position)


def test_p8_the_whole_board_can_be_filled() -> None:
    position = GAME.decode(ALL_FILLED)
    assert all(position.stack(place) for place in SPACES)
    assert GAME.outcome(position) is not None


def test_p9_a_pin_may_be_made_at_any_height() -> None:
    position = table("5/9/5,Y1,6/5,B3,6/5,R1,6", "G")
    assert {"2xf1", "2xf3"} <= legal(position)
    assert position.stack(SPACES[5])[0].size == 1


def test_p10_a_pin_is_exactly_one_size_larger() -> None:
    position = table("5/9/12/12/5,Y1,1,Y2,1,B3,2", "G")
    assert {"2xf1", "3xh1"} <= legal(position)
    assert refused(position, "3xf1") == ("not_one_size_smaller", ("f1",))
    assert refused(position, "2xh1") == ("not_one_size_smaller", ("h1",))
    assert refused(position, "1xf1") == ("not_one_size_smaller", ("f1",))
    assert refused(position, "1xj1") == ("not_one_size_smaller", ("j1",))
    assert refused(position, "2xg1") == ("nothing_to_pin", ("g1",))
    twice = play(table("5/9/12/12/5,Y1,6", "G"), "2xf1", "3xf1")
    assert [(p.colour, p.size) for p in twice.stack(SPACES[5])] == [(1, 1), (2, 2), (3, 3)]


def test_p11_one_may_pin_one_s_own() -> None:
    position = table("5/9/12/12/5,R1,6", "R")
    assert "2xf1" in legal(position)
    own = play(position, "2xf1")
    assert scores(own)[0].tops + scores(own)[0].pinned == 1


def test_p12_a_pin_obeys_all_laws_and_what_is_covered_counts_no_more() -> None:
    # Rule 1, the 4x4 and the 3x3, each for the new top.
    assert refused(table("5/9/12/12/4,G2,Y1,6", "G"), "2xf1") == ("adjacent_alike", ("e1",))
    assert refused(table("5/9/12/12/5,Y1,1,G3,4", "G"), "2xf1") == ("same_colour_in_rank", ("h1",))
    assert refused(table("5/9/12/12/9,Y1,1,R2", "G"), "2xj1") == ("same_size_in_rank", ("l1",))
    # In the 5x5 only the sole piece of a rank can be pinned.
    assert "2xb1" in legal(table("5/9/12/12/1,Y1,10", "G"))
    assert refused(table("5/9/12/12/1,Y1,R1,9", "G"), "2xb1") == ("other_size_in_rank", ("c1",))
    # A covered red Small no longer keeps Red from its rank and column, nor its neighbours.
    covered = table("5/9/12/12/5,R1B2,6", "R")
    assert {"1g1", "1f2", "1e1"} <= legal(covered)


def test_p13_a_top_is_worth_its_pips_less_all_beneath_it() -> None:
    position = table("5/9/12/12/5,R1Y2B3,6", "R")
    assert [score.tops + score.pinned for score in scores(position)] == [0, 0, 0, 0]
    assert scores(position)[3].tops == 3
    assert scores(table("5/9/12/12/5,Y2B3,6"))[3].pinned == -2


PIT_FORCED = (
    "1,B3,3/1,Y1G2,Y2,R2,1,G1G2G3,1,R2,1/1,Y2B3,R3,B3,1,G2Y3,1,B2B3,R2G3,1,R1,1/"
    "Y1,R1,Y1,G1,B1,B3,R1,G3,Y3,1,R3,G2/B2,Y2,B2,R2,G2,R1,G3,Y3,B1B2,R1,Y2,R3"
    " B 210 212 103 013 - - - - ---"
)


def test_p14_a_player_who_can_move_has_to_and_the_pit_is_for_one_who_cannot() -> None:
    start = GAME.decode(START)
    code, place = refused(start, "1!")
    assert code == "must_move_before_pit"
    assert place == tuple(f"{file}1" for file in "abcdefghijkl")
    position = GAME.decode(PIT_FORCED)
    assert legal(position) == {"1!", "2!"}
    assert refused(position, "3!") == ("not_in_hand", ())
    after = play(position, "2!")
    assert GAME.encode(after).endswith(" R 210 212 103 003 - - - 2 ---")
    assert scores(after)[3].pit == -2


ROW_BUT_ONE = "R3,Y3,R3,Y3,B3,G2,R1,Y2,B1,R1,Y2,1"
GRID_BUT_ONE = "R2,Y2,R2,Y2,1/G3,B3,G3,B3,G3,4/R1,Y1,R1,Y1,R1,7/G2,B2,G2,B2,G2,7/R3,Y3,R3,Y3,R3,7"


def test_p15_a_rank_is_finished_when_it_is_full_across_all_grids() -> None:
    in_grid = play(table("5/9/12/12/R3,Y3,R3,Y3,8", "B"), "3e1")
    assert (in_grid.owes, in_grid.mover) == (False, 0), "five spaces of twelve"
    whole = play(table(f"5/9/12/12/{ROW_BUT_ONE}", "B"), "3l1")
    assert (whole.owes, whole.mover) == (True, 3)
    assert GAME.encode(whole).split()[1] == "B+1"


def test_p16_a_column_is_finished_in_its_grid() -> None:
    assert play(table("5/9/12/9,Y2,2/9,R3,2", "G"), "1j3").owes
    assert not play(table("5/9/12/5,Y2,6/5,R3,6", "G"), "1f3").owes
    assert play(table("5/9/5,G1,6/5,Y2,6/5,R3,6", "B"), "1f4").owes


def test_p17_a_pin_finishes_nothing() -> None:
    position = table("5/5,G1,3/5,B3,6/5,Y2,6/5,R3,6", "G")
    after = play(position, "2xf4")
    assert (after.owes, after.mover) == (False, 3)


def test_p18_column_and_rank_at_once_are_one_extra_move() -> None:
    once = play(table(GRID_BUT_ONE, "R"), "2e5")
    assert (once.owes, once.mover) == (True, 0)
    after = play(once, "1f1")
    assert (after.owes, after.mover) == (False, 1)


def test_p18_an_extra_move_may_earn_the_next() -> None:
    position = table("5/9/12/9,Y2,B1,1/9,R3,G2,1", "R")
    once = play(position, "1j3")
    again = play(once, "3k3")
    assert (once.owes, again.owes, again.mover) == (True, True, 0)


def test_p19_an_extra_move_without_a_legal_move_goes_to_the_pit() -> None:
    position = GAME.decode(
        "G2,2,R1R2,Y2/B3,2,G3,B2R3,B1B2B3,R1,Y3,G1/G1,1,R1,Y1,G1,R3,B3,G1G2,Y2,Y1,R3,G2/"
        "Y3,1,B3,G3,Y3,G3,Y3,B3,R2,R3,R2,G1/B2,1,Y2,R2,B2,Y1Y2Y3,G3,R2R3,R1B2,G2,B1,Y2G3"
        " R+1 001 001 010 003 - 1 - - -RG"
    )
    assert legal(position) == {"1!"}
    after = play(position, "1!")
    assert (GAME.turn(after), after.owes) == ("Y", False)


def test_p19_with_an_empty_hand_the_extra_move_lapses() -> None:
    last = table("5/9/12/9,Y2,2/9,B3,2", "R", pits="33333222221111 - - -")
    after = play(last, "1j3")
    assert (after.has_pieces(0), after.owes, GAME.turn(after)) == (False, False, "Y")


def test_players_without_pieces_are_skipped() -> None:
    position = table("5/9/12/12/12", "R", pits="- 333332222211111 - 333332222211111")
    after = play(position, "3a1")
    assert GAME.turn(after) == "G"
    assert GAME.turn(play(after, "3b1")) == "R"


def test_p20_filling_the_last_space_of_a_grid_earns_its_bonus() -> None:
    after = play(table(GRID_BUT_ONE, "R"), "2e5")
    assert after.bonuses == (0, None, None)
    assert scores(after)[0].grids == 5
    small = play(table("5/9/9,R2,Y1,1/9,B1,G3,B2/9,Y3,B2,R1", "Y"), "3l3")
    assert small.bonuses == (None, None, 1)
    assert scores(small)[1].grids == 3


def test_p21_the_game_ends_when_nobody_can_place_or_pin() -> None:
    over = play(GAME.decode(EXAMPLE_3), "1i4", "2xi4")
    assert over.has_pieces(0), "what is left in hand counts nothing"
    assert GAME.legal_moves(over) == []
    assert GAME.to_move(over) is None
    assert GAME.why_illegal(over, Pit(1)) == Refusal("game_over")
    assert GAME.encode(over).split()[1] == "Y"
    # Blue has no move, but others have: it goes on.
    position = GAME.decode(PIT_FORCED)
    assert not can_move(position, 3)
    assert any(can_move(position, colour) for colour in (0, 1, 2))
    assert GAME.outcome(position) is None


def test_p21_with_all_hands_empty_the_last_mover_stays_on_turn() -> None:
    everything = "333332222211111"
    position = table(
        "5/9/12/12/12", "B", pits=f"{everything} {everything} {everything} 33333222221111"
    )
    over = play(position, "1a1")
    assert GAME.encode(over).split()[1] == "B"
    assert GAME.outcome(over) is not None


def test_p22_p23_only_tops_count_in_a_rank() -> None:
    # Red has three pyramids in rank 1, but two of them are covered.
    position = table("5/9/12/12/R3,4,R1Y2,1,R1Y2,4")
    assert scores(position)[1].ranks == 2
    assert scores(position)[0].ranks == 0


def test_p24_the_largest_top_in_that_rank_counts() -> None:
    position = table("5/9/12/9,R1,R2,1/9,Y3,G2,B1")
    assert scores(position)[0].ranks == 2 * 2


def test_p25_a_rank_need_not_be_full() -> None:
    position = table("R3,4/B1,8/G3,11/Y2,11/B3,11")
    assert [score.ranks for score in scores(position)] == [15, 4, 9, 3 + 4]


def test_p26_a_rank_that_two_share_rewards_nobody() -> None:
    position = table("5/9/12/12/R3,Y3,10")
    assert [score.ranks for score in scores(position)] == [0, 0, 0, 0]
    assert GAME.view(position, None).rank_leaders == (None,) * 5


def test_p27_equal_best_scores_share_the_win() -> None:
    position = GAME.decode(SHARED)
    outcome = GAME.outcome(play(position, "2e5"))
    assert outcome is not None
    assert outcome == Outcome((13.0, 21.0, 20.0, 21.0), "end", (Seat(1), Seat(3)))
    view = GAME.view(play(position, "2e5"), None)
    assert view.winners == outcome.winners
    assert view.result == Text.plural("Shared with {n} point", "Shared with {n} points", n=21)


def test_p28_everybody_sees_everything() -> None:
    position = GAME.decode(EXAMPLE_3)
    views = {GAME.view(position, seat) for seat in (None, Seat(0), Seat(1), Seat(2), Seat(3))}
    assert len(views) == 1


def test_p29_there_is_no_pass() -> None:
    with pytest.raises(MoveSyntaxError):
        GAME.parse(GAME.decode(START), "pass")


# A player who has left


def test_a_player_who_left_uses_the_pit_where_the_rules_allow_it() -> None:
    assert GAME.move_for_absent(GAME.decode(PIT_FORCED)) == Pit(1)


def test_else_it_is_a_pin_on_an_own_pyramid_then_a_place_then_a_pin_on_another() -> None:
    own = table("5/9/12/12/5,Y1,1,R1,4", "R")
    assert {"2xh1", "1a1"} <= legal(own)
    assert GAME.move_for_absent(own) == Pin(2, "h1")
    assert GAME.move_for_absent(GAME.decode(START)) == Place(1, "a1")
    only_pins = GAME.decode(ONLY_PINS)
    assert legal(only_pins) == {"2xh2", "2xa4"}
    assert GAME.move_for_absent(only_pins) == Pin(2, "h2")
    no_own = table("5/9/12/12/5,Y1,6", "R")
    assert GAME.move_for_absent(no_own) == Place(1, "a1")


def test_the_move_for_an_absent_player_is_always_legal_and_its_game_comes_to_an_end() -> None:
    for seed in range(10):
        rng = Random(seed)
        position = GAME.initial(rng)
        while moves := GAME.legal_moves(position):
            chosen = GAME.move_for_absent(position)
            assert chosen in moves
            if position.mover == 2:
                position = GAME.play(position, chosen)
            else:
                position = GAME.play(position, rng.choice(moves))
        assert GAME.move_for_absent(position) is None


def test_with_two_people_leaving_ends_the_game() -> None:
    assert TWO.move_for_absent(TWO.initial(Random(0))) is None


# Texts


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("3a1", "3a1"),
        ("L a1", "3a1"),
        ("la1", "3a1"),
        ("ll1", "3l1"),
        ("Ｍ ｋ１", "2k1"),
        ("2XF1", "2xf1"),
        ("m x f1", "2xf1"),
        ("2×f1", "2xf1"),
    ],
)
def test_parse_is_forgiving(typed: str, canonical: str) -> None:
    position = table("5/9/12/12/5,Y1,6", "R")
    assert GAME.notation(position, GAME.parse(position, typed)) == canonical


def test_parse_reads_the_pit() -> None:
    position = GAME.decode(PIT_FORCED)
    for typed in ("1!", "s !", "Ｓ！"):
        assert GAME.parse(position, typed) == Pit(1)
    assert GAME.notation(position, Pit(2)) == "2!"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "move_form"),
        ("a1", "move_form"),
        ("4a1", "move_form"),
        ("3a1 3b1", "move_form"),
        ("3a1,3b1", "one_at_a_time"),
        ("3f5", "no_such_space"),
        ("2xj4", "no_such_space"),
        ("3a9", "no_such_space"),
        ("!", "move_form"),
    ],
)
def test_parse_refuses_what_is_no_single_move(text: str, code: str) -> None:
    with pytest.raises(MoveSyntaxError) as caught:
        GAME.parse(GAME.decode(START), text)
    assert caught.value.code == code
    GAME.info.refusals[code].message.format(**caught.value.params)


def test_parse_after_the_end() -> None:
    assert refused(GAME.decode(ALL_FILLED), "1a1") == ("game_over", ())


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "position_form"),
        (START + " 1", "position_form"),
        (START.replace(" R ", " W "), "position_form"),
        (START.replace(" R ", " R+2 "), "position_form"),
        (START.replace("555", "655", 1), "position_form"),
        (START.replace(" - ", " 12 ", 1), "position_form"),
        (START.replace("---", "--"), "position_form"),
        (START.replace("5/9/", "5/"), "position_form"),
        (START.replace("5/9/", "5/8/"), "position_rank"),
        (START.replace("5/9/", "5/0,9/"), "position_stack"),
        (START.replace("5/9/", "5/13/"), "position_stack"),
        (START.replace("12 R", "R4,11 R"), "position_stack"),
        (START.replace("12 R", "R1R3,11 R"), "position_stack"),
        (START.replace("12 R", "R2R1,11 R"), "position_stack"),
        (START.replace("12 R", "R1,11 R"), "position_hand"),
        (START.replace("5/9/12/12/12 R 555", "5/9/12/R1,11/12 R 554"), "position_hole"),
        (START.replace("---", "R--"), "position_bonus"),
        (ALL_FILLED.replace("BRG", "-RG"), "position_bonus"),
        (ALL_FILLED.replace(" R 000", " R+1 000"), "position_turn"),
        ("5/9/12/12/12 R 000 555 555 555 333332222211111 - - - ---", "position_turn"),
    ],
)
def test_decode_refuses_what_no_game_can_lead_to(text: str, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        GAME.decode(text)
    assert caught.value.code == code
    GAME.info.refusals[code].message.format(**caught.value.params)


# What is to be picked and seen


def test_steps_ask_for_the_size_and_then_for_the_space() -> None:
    position = table("5/9/12/12/5,Y1,6", "R")
    assert GAME.steps(position, Pin(2, "f1")) == ("2", "xf1")
    first = GAME.next_steps(position, ())
    assert [step.key for step in first] == ["1", "2", "3"]
    assert first[2].text == Text.of("Large ({left} in hand)", left=5)
    assert first[2].cell is None
    second = {step.key: step for step in GAME.next_steps(position, ("2",))}
    assert (second["xf1"].cell, second["xf1"].move) == ("f1", "2xf1")
    assert second["xf1"].text == Text.of("Pin the pyramid on {cell}", cell="f1")
    assert second["a1"].text == Text.of("Place it on {cell}", cell="a1")
    pit = GAME.decode(PIT_FORCED)
    (last,) = GAME.next_steps(pit, ("1",))
    assert (last.key, last.cell, last.move) == ("!", None, "1!")
    assert last.text == Text.of("Put it into the pit")


def test_marks_show_the_space() -> None:
    position = table("5/9/12/12/5,Y1,6", "R")
    assert GAME.marks(position, Pin(2, "f1")) == Marks(last=("f1",))
    (pit,) = GAME.marks(position, Pit(1)).trays
    assert (pit.key, pit.piece.colour, pit.piece.size) == ("pit", 0, 1)


def test_earlier_marks_go_back_to_the_last_move_of_the_player_on_turn() -> None:
    position, moves = GAME.initial(Random(0)), ["3a1", "1f1", "2h1", "3j1"]
    found = []
    for number, notation in enumerate(moves, 1):
        position = GAME.play(position, GAME.parse(position, notation))
        found.append(GAME.earlier_marks(position, moves[:number]).earlier)
    assert GAME.to_move(position) == 0
    assert found[-1] == ("f1", "h1"), "the last one is marked as such"
    assert found[0] == (), "nobody else has moved"
    told = ["1!", "3a1", "1f1", "2!", "3j1"]
    assert GAME.earlier_marks(position, told).earlier == ("f1",), "what went into a pit is there"
    assert GAME.earlier_marks(position, []).earlier == ()


def test_view_shows_grids_hands_pits_and_every_part_of_the_score() -> None:
    view = GAME.view(GAME.decode(EXAMPLE_3), None)
    assert [(grid.files, grid.file) for grid in view.grids] == [(5, 0), (4, 5), (3, 9)]
    assert view.grids[0].title == Text.of("5 × 5")
    assert view.grids[0].captions[0] == Text.of("bonus {points}", points=5)
    assert [piece.size for piece in view.cell("f2").stack] == [1, 2, 3]
    red = view.colours[0]
    assert [slot.count for slot in red.trays[0].slots] == [0, 1, 2]
    assert [(tray.key, tray.colour) for tray in red.trays] == [("reserve", 0), ("pit", 0)]
    assert [(slot.piece.size, slot.count) for slot in red.trays[1].slots] == [(2, 1)]
    assert view.colours[2].trays[1].slots == ()
    parts = {line.title.message: line.points for line in view.score_lines}
    assert parts["Pit"] == (-2, -1, 0, -1)
    assert parts["Total"] == tuple(colour.score for colour in view.colours)
    assert view.captions == ()
    assert len(view.rank_leaders) == 5


def test_view_tells_of_extra_moves_bonuses_and_the_pit() -> None:
    once = GAME.view(play(GAME.decode(EXAMPLE_3), "1i4"), None)
    assert once.captions == (Text.of("Red filled a line and moves again."),)
    assert once.grids[1].captions[0] == Text.of("bonus {points} won by Red", points=4)
    pit = GAME.view(GAME.decode(PIT_FORCED), None)
    assert pit.captions == (Text.of("Blue has no move and must put a pyramid into the pit."),)
    over = GAME.view(play(GAME.decode(EXAMPLE_3), "1i4", "2xi4"), None)
    assert (over.to_move, over.winners, over.captions) == (None, (1,), ())
    assert over.result == Text.plural("Won with {n} point", "Won with {n} points", n=32)


def test_view_for_two_people_gives_both_sums() -> None:
    position = TWO.decode(EXAMPLE_3)
    view = TWO.view(position, None)
    totals = [colour.score for colour in view.colours]
    assert all(total is not None for total in totals)
    first, second = (totals[0] or 0) + (totals[2] or 0), (totals[1] or 0) + (totals[3] or 0)
    assert view.captions == (
        Text.plural("Red and Green: {n} point.", "Red and Green: {n} points.", n=first),
        Text.plural("Yellow and Blue: {n} point.", "Yellow and Blue: {n} points.", n=second),
    )
    assert [seat.colours for seat in view.seats] == [(0, 2), (1, 3)]
    over = play(position, "1i4", "2xi4")
    assert TWO.outcome(over) == Outcome((45.0, 45.0), "end", (Seat(0), Seat(1)))
    full = TWO.decode(ALL_FILLED)
    outcome = TWO.outcome(full)
    assert outcome is not None
    assert TWO.view(full, None).winners in {(0, 2), (1, 3)}
