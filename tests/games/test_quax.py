"""What the cases of ``rulings/quax.txt`` do not say: facts, counts, marks and views."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from games.api import IntOption, Seat
from games.errors import MoveSyntaxError, NotationError, OptionError
from games.quax import Cell, Link, Quax
from games.quax.position import Position
from games.view import Marks, Side, Text, Topology
from tests.games.quax_solver import Winner

BLACK, RED = Seat(0), Seat(1)
GAME = Quax({"pie": "off"})
LINKED = "3/1xu/x1u u a1b2"


def test_qx1_qx17_the_board_has_11_files_and_black_and_red_sit_at_it() -> None:
    assert Quax().options == {"size": 11, "pie": "on"}
    size = Quax.info.options[0]
    assert isinstance(size, IntOption)
    assert size.suggested == (11, 7, 9, 13, 15)
    assert [seat.name.message for seat in Quax().seats] == ["Black", "Red"]


@pytest.mark.parametrize("size", [2, 16, 0, -3, "x", "٣", "", "1e1"])
def test_qx1_other_sizes_are_refused(size: int | str) -> None:
    with pytest.raises(OptionError) as caught:
        Quax({"size": size})
    assert (caught.value.code, caught.value.params["allowed"]) == ("option_value", "3–15")


@pytest.mark.parametrize("size", [3, 5, 11])
def test_qx11_games_last_at_most_as_many_plies_as_cells_and_blocks(size: int) -> None:
    game = Quax({"size": size, "pie": "off"})
    lengths = [len(game.random_game(Random(seed)).moves) for seed in range(200)]
    assert max(lengths) <= size**2 + (size - 1) ** 2


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
    game = Quax({"size": 3, "pie": "off"})
    found = endings(game, game.initial(Random(0)), {})
    assert sum(found.values()) == 3_974_076
    assert sum(count for (_, who), count in found.items() if who == (BLACK,)) == 2_160_396
    assert max(plies for plies, _ in found) == 13
    assert not Quax.info.allows_draw_offer


@pytest.mark.parametrize("size", [2, 3])
def test_qx15_first_player_wins_without_the_pie(size: int) -> None:
    solved = Winner(size)
    assert any(solved.winner_after(bit) == BLACK for bit in solved.order)


def test_race_red_at_a7_has_joined_the_top_to_f3() -> None:
    race = "u10/1x9/u3u6/u10/1xxxxxu4/u4uxxxxx/uuu8/3u7/4uu5/5x5/11 u c5d4,d4e3,f7g6"
    position = GAME.decode(race)
    for text in ("a7", "k1", "a10"):
        position = GAME.play(position, GAME.parse(position, text))
    board, red = position.board, position.red
    group = red & board.sides[RED][1]
    while (wider := board.spread(group, red, position.rising, position.falling)) != group:
        group = wider
    assert group & board.bit(Cell(5, 2)), "f3 is joined to rank 11"


def test_tesuji_black_reaches_the_last_file() -> None:
    position = GAME.decode("5/5/xxxxu/5/5 u -")
    solved = Winner(5)
    assert not solved.wins(RED, position.red, position.black, 0, 0)
    assert solved.wins(BLACK, position.black, position.red, 0, 0)


def test_link_has_no_direction() -> None:
    a1, b2 = Cell(0, 0), Cell(1, 1)
    assert Link(b2, a1) == Link(a1, b2)
    assert Link(b2, a1).start == a1


def test_qx16_long_or_broken_text_is_no_move_and_kept_short_in_the_refusal() -> None:
    for text in ("x" * 6000, "d3\0", "\ud800"):
        with pytest.raises(MoveSyntaxError) as caught:
            GAME.parse(GAME.initial(Random(0)), text)
        assert caught.value.text == text[:40]


def test_a_position_has_one_line_and_a_board_of_2_to_15() -> None:
    for text in ("3/3/3 x -\0", "3/3/3 x  -", "3/3/3 x -" + " " * 5000):
        with pytest.raises(NotationError, match="position_form"):
            GAME.decode(text)


def test_a_view_has_sides_stones_links_and_the_chain() -> None:
    view = GAME.view(GAME.decode(LINKED), RED)
    assert (view.game, view.topology, view.palette) == ("quax", Topology.OCTAGONS, "stones")
    sides = {(Side.LEFT, 0), (Side.RIGHT, 0), (Side.TOP, 1), (Side.BOTTOM, 1)}
    assert {(edge.side, edge.colour) for edge in view.edges} == sides
    assert [view.cell(name).stack[0].colour for name in ("b2", "c1")] == [0, 1]
    assert [(link.start, link.end, link.colour) for link in view.links] == [("a1", "b2", 0)]
    assert (view.to_move, view.winners, view.result, view.captions) == (1, (), None, ())
    won = GAME.view(GAME.decode("3/3/xxx u -"), None)
    assert (won.marks, won.winners, won.to_move) == (Marks(path=("a1", "b1", "c1")), (0,), None)


def test_a_view_tells_of_the_swap_until_the_next_stone_and_seats_the_other_player() -> None:
    game = Quax({"size": 3})
    views = [game.view(position := game.initial(Random(0)), None)]
    for move in ("b2", "swap", "c3"):
        position = game.play(position, game.parse(position, move))
        views.append(game.view(position, None))
    assert [bool(view.captions) for view in views] == [True, True, True, False]
    assert [seat.player for seat in views[2].seats] == [1, 0]


@pytest.mark.parametrize(
    ("text", "move", "marks"),
    [
        ("3/1x1/x2 x -", "c3", Marks(last=("c3",))),
        ("3/1x1/x2 x -", "a1b2", Marks(last_links=(("a1", "b2"),))),
        ("3/1x1/3 u - swap", "swap", Marks()),
    ],
)
def test_marks_show_the_move(text: str, move: str, marks: Marks) -> None:
    game = Quax({"size": 3})
    position = game.decode(text)
    assert game.marks(position, game.parse(position, move)) == marks
    assert not game.takes(position, game.parse(position, move))


def test_a_swap_is_a_pick_off_the_board() -> None:
    game = Quax({"size": 3})
    step = game.next_steps(game.decode("3/1x1/3 u - swap"), ())[-1]
    assert (step.key, step.cell, step.text) == (
        "swap",
        None,
        Text.of("Swap colours and take Black"),
    )
