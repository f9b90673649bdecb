"""The rules of Quax, ruling by ruling, and the author's games, diagrams and claims.

Boards are position texts: ranks from the top, x Black, u Red.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from games.api import IntOption, Seat
from games.errors import IllegalMove, MoveSyntaxError, NotationError, OptionError
from games.quax import Cell, Drop, Link, Quax, Swap
from games.quax.position import Position
from games.view import Marks, Side, Text, Topology
from tests.games.quax_solver import Winner
from tests.support.not_none import not_none

BLACK, RED = Seat(0), Seat(1)

RACE = "u10/1x9/u3u6/u10/1xxxxxu4/u4uxxxxx/uuu8/3u7/4uu5/5x5/11 {} c5d4,d4e3,f7g6"
CONNECTING = "11/11/11/11/5xu4/5ux4/11/11/11/11/11 {} f7g6"
UNLINKED = "11/11/11/11/5xu4/5ux4/11/11/11/11/11 {} -"


def quax(**options: int | str) -> Quax:
    return Quax({"pie": "off", **options})


def at(text: str) -> tuple[Quax, Position]:
    """The game and the position of a text."""
    return quax(), quax().decode(text)


def start(game: Quax) -> Position:
    return game.initial(Random(0))


def play(game: Quax, position: Position, *texts: str) -> Position:
    for text in texts:
        position = game.play(position, game.parse(position, text))
    return position


def moves(text: str) -> set[str]:
    game, position = at(text)
    return {game.notation(position, move) for move in game.legal_moves(position)}


def links(text: str) -> set[str]:
    return {move for move in moves(text) if sum(c.isalpha() for c in move) == 2}


def winner(text: str) -> int | None:
    game, position = at(text)
    outcome = game.outcome(position)
    return None if outcome is None else outcome.winners[0]


def refusal(text: str, move: str) -> tuple[str, tuple[str, ...], Mapping[str, str | int]]:
    """The code, place and parameters with which a move is refused."""
    game, position = at(text)
    with pytest.raises(IllegalMove) as caught:
        game.parse(position, move)
    return caught.value.code, caught.value.place, caught.value.params


def winning_at_once(text: str) -> set[str]:
    game, position = at(text)
    return {
        game.notation(position, move)
        for move in game.legal_moves(position)
        if game.outcome(game.play(position, move))
    }


# The rulings


@pytest.mark.parametrize("size", range(3, 16))
def test_qx1_board_is_square_of_3_to_15(size: int) -> None:
    game = quax(size=size)
    assert len(list(game.legal_moves(start(game)))) == size * size
    assert game.position_text(start(game)) == "/".join([str(size)] * size) + " x -"


def test_qx1_board_has_11_files_unless_said_otherwise() -> None:
    assert Quax().options == {"size": 11, "pie": "on"}
    size = Quax.info.options[0]
    assert isinstance(size, IntOption)
    assert size.suggested == (11, 7, 9, 13, 15)


@pytest.mark.parametrize("size", [2, 16, 0, -3, "x", "٣", "", "1e1"])
def test_qx1_other_sizes_are_refused(size: int | str) -> None:
    with pytest.raises(OptionError) as caught:
        quax(size=size)
    assert caught.value.code == "option_value"
    assert caught.value.params["allowed"] == "3 to 15"


def test_qx2_black_joins_left_and_right_red_bottom_and_top() -> None:
    assert winner("3/xxx/3 u -") == BLACK
    assert winner("1u1/1u1/1u1 x -") == RED
    assert winner("1x1/1x1/1x1 u -") is None
    assert winner("3/uuu/3 x -") is None


def test_qx3_black_moves_first() -> None:
    game = quax()
    assert game.to_move(start(game)) == BLACK
    assert game.turn(start(game)) == "x"


def test_qx4_swap_exchanges_the_people_and_nothing_else() -> None:
    game = Quax({"size": 5})
    before = play(game, start(game), "c3")
    after = play(game, before, "swap")
    assert game.seating(before) == (0, 1)
    assert game.seating(after) == (1, 0)
    assert game.position_text(after) == game.position_text(before) == "5/5/2x2/5/5 u -"
    assert game.to_move(after) == RED
    later = play(game, after, "b2", "d4")
    assert game.seating(later) == (1, 0)
    assert game.position_text(later) == "5/3x1/2x2/1u3/5 u -"


def test_qx4_swap_is_open_as_second_half_turn_alone() -> None:
    game = Quax({"size": 5})
    position = start(game)
    offered = []
    for move in ("c3", "b2", "d4"):
        offered.append(Swap() in game.legal_moves(position))
        position = play(game, position, move)
    offered.append(Swap() in game.legal_moves(position))
    assert offered == [False, True, False, False]


def test_qx4_swap_happens_once() -> None:
    game = Quax({"size": 5})
    position = play(game, start(game), "c3", "swap")
    with pytest.raises(IllegalMove, match="swap_closed"):
        game.parse(position, "swap")
    with pytest.raises(IllegalMove, match="swap_closed"):
        game.parse(play(game, position, "b2"), "swap")


def test_qx4_pie_may_be_switched_off() -> None:
    game = quax(size=5)
    with pytest.raises(IllegalMove, match="swap_closed"):
        game.parse(play(game, start(game), "c3"), "swap")


def test_qx4_bare_position_has_its_swap_closed() -> None:
    game = Quax({"size": 5})
    with pytest.raises(IllegalMove, match="swap_closed"):
        game.parse(game.decode("5/5/2x2/5/5 u -"), "swap")
    assert game.parse(game.decode("5/5/2x2/5/5 u - swap"), "swap") == Swap()


def test_qx4_author_example_with_swap() -> None:
    game = Quax()
    position = play(game, start(game), "d3", "swap", "f5")
    assert game.position_text(position) == "11/11/11/11/11/11/5u5/11/3x7/11/11 x -"
    assert game.seating(position) == (1, 0)


@pytest.mark.parametrize("cell", ["a1", "e5", "c3"])
def test_qx5_first_stone_goes_anywhere(cell: str) -> None:
    game = quax(size=5)
    assert play(game, start(game), cell)


def test_qx6_a_turn_is_one_action_and_no_link_comes_by_itself() -> None:
    game = quax(size=3)
    position = play(game, start(game), "a1", "c1", "b2")
    assert game.position_text(position) == "3/1x1/x1u u -"
    position = play(game, position, "c2", "a1b2")
    assert game.position_text(position) == "3/1xu/x1u u a1b2"


def test_qx7_drop_needs_an_empty_cell() -> None:
    assert refusal(CONNECTING.format("x"), "f7") == ("occupied", ("f7",), {"cell": "f7"})
    assert refusal(CONNECTING.format("u"), "f7") == ("occupied", ("f7",), {"cell": "f7"})


def test_qx7_links_prevent_no_drop() -> None:
    assert {"a2", "b1"} < moves("3/1x1/x2 u a1b2")


@pytest.mark.parametrize("cell", ["l1", "a12", "z99", "a0"])
def test_qx7_drop_off_the_board_is_refused(cell: str) -> None:
    text = "11/11/11/11/11/11/11/11/11/11/11 x -"
    assert refusal(text, cell) == ("off_board", (), {"cell": cell, "size": 11})


def test_qx8_link_joins_two_own_diagonal_neighbours() -> None:
    assert links("3/1x1/x2 x -") == {"a1b2"}
    assert links("3/x2/1x1 x -") == {"a2b1"}


def test_qx8_link_needs_diagonal_neighbours() -> None:
    text = "4/4/1x2/xxx1 x -"
    assert refusal(text, "a1b1")[:2] == ("not_diagonal", ("a1", "b1"))
    assert refusal(text, "a1a1")[0] == "not_diagonal"
    assert refusal("2x/3/x2 x -", "a1c3")[0] == "not_diagonal"
    assert refusal("3/2x/x2 x -", "a1c2")[0] == "not_diagonal"


def test_qx8_both_ends_carry_the_movers_stones() -> None:
    assert refusal("3/1x1/3 x -", "a1b2") == ("end_empty", ("a1",), {"cell": "a1"})
    assert refusal("3/3/x2 x -", "a1b2") == ("end_empty", ("b2",), {"cell": "b2"})
    assert refusal("3/1x1/u2 x -", "a1b2") == ("not_yours", ("a1",), {"cell": "a1"})
    assert refusal("3/1u1/u2 x -", "a1b2") == ("not_yours", ("a1",), {"cell": "a1"})


def test_qx8_link_ends_lie_on_the_board() -> None:
    assert refusal("2x/3/3 x -", "c3d4") == ("off_board", (), {"cell": "d4", "size": 3})


def test_qx8_link_may_not_cross_the_opponents() -> None:
    code, place, params = refusal(CONNECTING.format("u"), "f6g7")
    assert (code, place, params) == ("crosses_link", ("f7", "g6"), {"link": "f7g6"})
    assert "e6" in moves(CONNECTING.format("u"))


def test_qx8_first_come_first_served() -> None:
    assert "f6g7" in moves(UNLINKED.format("u"))
    assert "f7g6" in moves(UNLINKED.format("x"))


def test_qx8_other_cells_of_the_block_do_not_matter() -> None:
    for others in ("1x1/x2", "ux1/x2", "1x1/xu1", "ux1/xu1"):
        assert links(f"3/{others} x -") == {"a1b2"}


def test_qx9_own_crossing_is_refused() -> None:
    text = "3/xx1/xx1 x a1b2"
    assert refusal(text, "a2b1") == ("crosses_link", ("a1", "b2"), {"link": "a1b2"})
    assert links(text) == set()


def test_qx10_redundant_link_is_legal() -> None:
    assert links("3/1x1/xx1 x -") == {"a1b2"}


def test_qx11_no_second_link_and_no_pass() -> None:
    text = CONNECTING.format("x")
    assert refusal(text, "f7g6") == ("already_linked", ("f7", "g6"), {"link": "f7g6"})
    game, position = at(text)
    for word in ("pass", "--", "-"):
        with pytest.raises(MoveSyntaxError):
            game.parse(position, word)


@pytest.mark.parametrize("size", [3, 5, 11])
def test_qx11_games_last_at_most_as_many_plies_as_cells_and_blocks(size: int) -> None:
    lengths = [len(quax(size=size).random_game(Random(seed)).moves) for seed in range(200)]
    assert max(lengths) <= size**2 + (size - 1) ** 2


def test_qx12_only_straight_neighbours_and_linked_stones_are_joined() -> None:
    assert winner("2x/1x1/x2 u -") is None
    assert winner("2x/1x1/x2 u a1b2") is None
    assert winner("2x/1x1/x2 u a1b2,b2c3") == BLACK
    assert winner("x2/1x1/2x u a3b2,b2c1") == BLACK


def test_qx12_links_of_the_opponent_join_nothing() -> None:
    assert winner("3/xu1/1xx u -") is None
    assert winner("1u1/xux/uxx u -") is None


def test_qx13_corner_belongs_to_both_edges() -> None:
    assert winner("3/3/xxx u -") == BLACK
    assert winner("u2/u2/u2 x -") == RED


def test_qx13_links_touch_no_edge() -> None:
    assert winner("4/4/1xx1/x2x u a1b2") is None
    assert winner("4/4/1xx1/x2x u a1b2,c2d1") == BLACK


def test_qx14_link_can_win() -> None:
    assert winning_at_once("2x/1x1/x2 x a1b2") == {"c2", "b3", "b2c3"}


def test_qx14_after_a_win_nothing_is_legal_and_the_loser_is_to_move() -> None:
    game, position = at("2x/1x1/x2 x a1b2")
    won = play(game, position, "b2c3")
    assert game.position_text(won) == "2x/1x1/x2 u a1b2,b2c3"
    assert game.to_move(won) is None
    assert game.turn(won) == "-"
    assert list(game.legal_moves(won)) == []
    outcome = game.outcome(won)
    assert (not_none(outcome).scores, not_none(outcome).reason, not_none(outcome).winners) == (
        (1.0, 0.0),
        "connection",
        (BLACK,),
    )
    assert not_none(outcome).path == ("a1", "b2", "c3")
    for text in ("a2", "a1b2", "swap"):
        with pytest.raises(IllegalMove, match="game_over"):
            game.parse(won, text)


def test_qx14_red_wins_too() -> None:
    game, position = at("1u1/xux/3 u -")
    outcome = game.outcome(play(game, position, "b1"))
    assert (not_none(outcome).scores, not_none(outcome).winners) == ((0.0, 1.0), (RED,))
    assert not_none(outcome).path == ("b1", "b2", "b3")


def test_qx14_path_is_a_shortest_chain() -> None:
    game, position = at("xxxxx/x3x/x1x1x/xx1xx/5 u c3d2,b2c3")
    assert not_none(game.outcome(position)).path == ("a2", "b2", "c3", "d2", "e2")


def endings(game: Quax, position: Position, seen: dict[Any, Counter[Any]]) -> Counter[Any]:
    """How many complete games end after so many further plies with a win of that seat."""
    outcome = game.outcome(position)
    if outcome is not None:
        return Counter({(0, outcome.winners): 1})
    if position not in seen:
        seen[position] = Counter()
        for move in game.legal_moves(position):
            for (plies, who), count in endings(game, game.play(position, move), seen).items():
                seen[position][plies + 1, who] += count
    return seen[position]


@pytest.mark.long
def test_qx15_every_game_on_3x3_ends_in_a_win() -> None:
    game = quax(size=3)
    found = endings(game, start(game), {})
    assert sum(found.values()) == 3_974_076
    assert sum(count for (_, who), count in found.items() if who == (BLACK,)) == 2_160_396
    assert max(plies for plies, _ in found) == 13
    assert not Quax.info.allows_draw_offer


@pytest.mark.parametrize("size", [2, 3])
def test_qx15_first_player_wins_without_the_pie(size: int) -> None:
    solved = Winner(size)
    assert any(solved.winner_after(bit) == BLACK for bit in solved.order)


def test_qx16_nobody_resigns_by_the_rules() -> None:
    game = quax()
    for word in ("resign", "draw", "offer draw"):
        with pytest.raises(MoveSyntaxError) as caught:
            game.parse(start(game), word)
        assert caught.value.text == word


def test_qx17_colours_are_black_and_red() -> None:
    assert [seat.name for seat in Quax().seats] == [Text.of("Black"), Text.of("Red")]


# The author's diagrams and claims


def test_connecting_example_red_cannot_be_joined_directly() -> None:
    assert len(moves(CONNECTING.format("x"))) == 117
    assert len(moves(CONNECTING.format("u"))) == 117
    assert links(CONNECTING.format("u")) == set()


def test_race_a7_is_blacks_only_winning_move() -> None:
    assert len(moves(RACE.format("x"))) == 96
    assert winning_at_once(RACE.format("x")) == {"a7"}
    game, position = at(RACE.format("x"))
    assert not_none(game.outcome(play(game, position, "a7"))).path == (
        *("a7", "b7", "c7", "d7", "e7", "f7"),
        *("g6", "h6", "i6", "j6", "k6"),
    )


def test_race_red_at_a7_threatens_to_join_the_top_to_f3() -> None:
    assert len(moves(RACE.format("u"))) == 97
    assert links(RACE.format("u")) == {"a6b5"}
    game, position = at(RACE.format("u"))
    position = play(game, position, "a7")
    assert winning_at_once(game.position_text(position)) == set()
    position = play(game, position, "k1", "a10")
    board, red = position.board, position.red
    group = red & board.sides[RED][1]
    while (wider := board.spread(group, red, position.rising, position.falling)) != group:
        group = wider
    assert group & board.bit(Cell(5, 2)), "f3 is joined to rank 11"


def test_tesuji_black_reaches_the_last_file() -> None:
    position = quax().decode("5/5/xxxxu/5/5 u -")
    solved = Winner(5)
    assert not solved.wins(RED, position.red, position.black, 0, 0)
    assert solved.wins(BLACK, position.black, position.red, 0, 0)


def test_won_position_of_the_mail_server() -> None:
    text = "3u4/3uxxxx/xxxxu3/4u3/4uu2/3uxuxx/2uu1xu1/2u3u1 x d3e4,d7e6,e3f2,f2g3"
    game, position = at(text)
    assert not_none(game.outcome(position)).winners == (RED,)
    assert set(not_none(game.outcome(position)).path) == {
        *("d8", "d7", "e6", "e5", "e4"),
        *("d3", "d2", "c2", "c1"),
    }


def test_won_position_of_the_first_post() -> None:
    game, position = at("1xu1/uux1/1xux/1xu1 x b3c2,b3c4,c3d2")
    assert not_none(game.outcome(position)).path == ("c1", "c2", "b3", "c4")


# What people type


@pytest.mark.parametrize(
    "text",
    [
        "c9d8",
        "d8c9",
        "C9D8",
        "C9-D8",
        "c9 d8",
        " c9 - d8 ",
        "d8–c9",
        "ｃ９ｄ８",
        "Ｃ９－Ｄ８",
        "c9\u00a0d8",
    ],
)
def test_link_is_read_in_many_spellings(text: str) -> None:
    game, position = at("11/11/2x8/3x7/11/11/11/11/11/11/11 x -")
    assert game.notation(position, game.parse(position, text)) == "c9d8"


def test_two_digit_ranks_are_read_without_a_gap() -> None:
    game, position = at("11/1x9/x10/11/11/11/11/11/11/11/11 x -")
    assert game.notation(position, game.parse(position, "a9b10")) == "a9b10"
    assert game.notation(position, game.parse(position, "b10a9")) == "a9b10"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "d",
        "3",
        "d3e",
        "d3e4f5",
        "d03",
        "d1000",
        "d٣",
        "d3,e4",
        "d3--e4",
        "swap!",
        "d3\0",
        "\ud800",
    ],
)
def test_what_is_no_move_is_refused_as_syntax(text: str) -> None:
    game = quax()
    with pytest.raises(MoveSyntaxError) as caught:
        game.parse(start(game), text)
    assert caught.value.code == "move_form"


def test_link_has_no_direction() -> None:
    a1, b2 = Cell(0, 0), Cell(1, 1)
    assert Link(b2, a1) == Link(a1, b2)
    assert Link(b2, a1).start == a1


def test_long_text_is_kept_short_in_the_refusal() -> None:
    with pytest.raises(MoveSyntaxError) as caught:
        quax().parse(start(quax()), "x" * 6000)
    assert len(caught.value.text) == 40


# Picks


def picks(
    text: str, *prefix: str
) -> list[tuple[Text | str | None, ...] | tuple[Text | str, ...] | tuple[Text | str, ...]]:
    game, position = at(text)
    return [(s.key, s.cell, s.move, s.text) for s in game.next_steps(position, prefix)]


def test_a_drop_is_one_pick_a_link_two() -> None:
    text = "1x/x1 x -"
    assert picks(text) == [
        ("b1", "b1", "b1", Text.of("Drop a stone on {cell}", cell="b1")),
        ("a2", "a2", "a2", Text.of("Drop a stone on {cell}", cell="a2")),
        ("a1", "a1", None, Text.of("Link from {cell}", cell="a1")),
    ]
    assert picks(text, "a1") == [
        ("b2", "b2", "a1b2", Text.of("Link {start} to {end}", start="a1", end="b2"))
    ]


def test_swap_is_one_pick_off_the_board() -> None:
    game = Quax({"size": 3})
    step = game.next_steps(play(game, start(game), "b2"), ())[-1]
    assert (step.key, step.cell, step.move) == ("swap", None, "swap")
    assert step.text == Text.of("Swap colours and take Black")


# Position texts


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "position_form"),
        ("3/3/3", "position_form"),
        ("3/3/3 x", "position_form"),
        ("3/3/3 y -", "position_form"),
        ("3/3/3 x - - -", "position_form"),
        ("3/3/3 x  -", "position_form"),
        ("3/3/0 x -", "position_form"),
        ("3/3/03 x -", "position_form"),
        ("3/3/300 x -", "position_form"),
        ("3/3/٣ x -", "position_form"),
        ("3/3/3 x -\0", "position_form"),
        ("3/3/3 x -" + " " * 5000, "position_form"),
        ("1 x -", "position_size"),
        ("/".join(["16"] * 16) + " x -", "position_size"),
        ("3/3/4 x -", "position_rank"),
        ("3/3/xx x -", "position_rank"),
        ("3/3/xxxx x -", "position_rank"),
        ("3/3// x -", "position_rank"),
        ("3/1x1/x2 x b2", "position_link"),
        ("3/1x1/x2 x a1b2,a1b2", "position_link"),
        ("3/1x1/x2 x a1b2,", "position_link"),
        ("3/1x1/u2 x a1b2", "position_link"),
        ("3/1x1/3 x a1b2", "position_link"),
        ("3/1x1/3 x b2c3", "position_link"),
        ("3/xx1/xx1 x a1b2,a2b1", "position_link"),
        ("3/ux1/xu1 x a1b2,a2b1", "position_link"),
        ("3/1x1/x2 x m9n8", "position_link"),
        ("3/3/xxx x -", "position_turn"),
        ("3/3/3 x - nonsense", "position_pie"),
        ("3/3/3 x - swap", "position_pie"),
        ("3/3/x2 x - swap", "position_pie"),
        ("3/3/xu1 u - swap", "position_pie"),
        ("3/3/x2 x - pie", "position_pie"),
        ("3/3/3 u - pie", "position_pie"),
        ("3/3/u2 x - swapped", "position_pie"),
    ],
)
def test_bad_position_text_is_refused(text: str, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        quax().decode(text)
    assert caught.value.code == code


def test_links_of_a_text_may_come_in_any_order() -> None:
    game, position = at("x2/1x1/x2 u b2a3,a1b2")
    assert game.position_text(position) == "x2/1x1/x2 u a1b2,a3b2"


def test_two_digit_ranks_sort_before_one_digit_ranks() -> None:
    text = "1x9/x10/11/11/11/11/11/11/1x9/x10/11 u a10b11,a2b3"
    assert at(text)[0].position_text(at(text)[1]) == text


@pytest.mark.parametrize("word", ["pie", "swap", "swapped"])
def test_state_of_the_swap_is_kept(word: str) -> None:
    game = Quax({"size": 3})
    position = start(game)
    for move in {"pie": "", "swap": "b2", "swapped": "b2 swap c3"}[word].split():
        position = play(game, position, move)
    assert game.encode(position).endswith(f" - {word}")
    assert game.decode(game.encode(position)) == position


def test_text_says_how_large_its_board_is() -> None:
    game = quax(size=11)
    assert len(list(game.legal_moves(game.decode("2/2 x -")))) == 4


# The view


def test_view_shows_sides_stones_links_and_counts() -> None:
    game, position = at("3/1xu/x1u u a1b2")
    view = game.view(position, RED)
    assert (view.game, view.topology, view.palette) == ("quax", Topology.OCTAGONS, "stones")
    assert {(edge.side, edge.colour) for edge in view.edges} == {
        (Side.LEFT, 0),
        (Side.RIGHT, 0),
        (Side.TOP, 1),
        (Side.BOTTOM, 1),
    }
    assert [piece.colour for piece in view.cell("b2").stack] == [0]
    assert [piece.colour for piece in view.cell("c1").stack] == [1]
    assert view.cell("a3").stack == ()
    assert [(link.start, link.end, link.colour) for link in view.links] == [("a1", "b2", 0)]
    black, red = view.colours
    assert black.notes == (
        Text.plural("{n} stone", "{n} stones", n=2),
        Text.plural("{n} link", "{n} links", n=1),
    )
    assert red.notes == (Text.plural("{n} stone", "{n} stones", n=2),)
    assert black.goal == Text.of("joins left and right")
    assert red.goal == Text.of("joins top and bottom")
    assert (view.to_move, view.winners, view.result) == (1, (), None)
    assert view.captions == ()


def test_view_counts_one_stone_and_several_links() -> None:
    game, position = at("u1u/1u1/u1x x a1b2,a3b2")
    black, red = game.view(position, None).colours
    assert black.notes == (Text.plural("{n} stone", "{n} stones", n=1),)
    assert red.notes == (
        Text.plural("{n} stone", "{n} stones", n=4),
        Text.plural("{n} link", "{n} links", n=2),
    )


def test_view_of_a_won_game_shows_the_chain() -> None:
    game, position = at("3/3/xxx u -")
    view = game.view(position, None)
    assert view.marks == Marks(path=("a1", "b1", "c1"))
    assert view.winners == (0,)
    assert view.result == Text.of("Black joined left and right")
    assert view.to_move is None


def test_view_tells_of_the_swap_while_it_matters() -> None:
    game = Quax({"size": 3})
    captions = []
    position = start(game)
    for move in ("b2", "swap", "c3"):
        captions.append(bool(game.view(position, None).captions))
        position = play(game, position, move)
    captions.append(bool(game.view(position, None).captions))
    assert captions == [True, True, True, False], "a swap is told until the next stone"


def test_view_after_a_swap_seats_the_other_player() -> None:
    game = Quax({"size": 3})
    position = play(game, start(game), "b2", "swap")
    assert [seat.player for seat in game.view(position, None).seats] == [1, 0]


def test_marks_show_the_move() -> None:
    game, position = at("3/1x1/x2 x -")
    assert game.marks(position, Drop(Cell(2, 2))) == Marks(last=("c3",))
    link = game.parse(position, "a1b2")
    assert game.marks(position, link) == Marks(last_links=(("a1", "b2"),))
    assert game.marks(position, Swap()) == Marks()
