"""The board from a player's own side: theirs at the bottom, every cell still under its name."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games import catalog
from games.view import BoardView, Side, Text, Topology
from renderers import Style, render
from renderers.layout import Layout, layout_of
from renderers.turning import seen
from tests.support.own_games import OWN_GAMES


def _view(key: str, plies: int = 8) -> BoardView:
    game: Any = catalog.GAMES[key](catalog.GAMES[key].info.resolve({}))
    random = Random(4)
    position = game.initial(random)
    for _ in range(plies):
        position = game.play(position, random.choice(list(game.legal_moves(position))))
    view: BoardView = game.view(position, None)
    return view


ONE_GRID = [key for key in OWN_GAMES if len(_view(key, 0).grids) == 1]
"""Boards of several grids are not turned."""


def _layout(view: BoardView, style: Style) -> tuple[BoardView, Layout]:
    turned, flipped, nearest = seen(view, style)
    return turned, layout_of(turned, 1.0, flipped=flipped, caption_lines=0, nearest=nearest)


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("key", ONE_GRID)
def test_each_player_has_their_own_side_below(key: str, player: int, *, flipped: bool) -> None:
    view = _view(key)
    turned, layout = _layout(view, Style(mine=player, flipped=flipped))
    mine = next(seat.colours[0] for seat in view.seats if seat.player == player)
    bottom = Side.TOP if layout.flipped else Side.BOTTOM
    home = view.colours[mine].home
    owned = {edge.side for edge in turned.edges if edge.colour == mine}
    if home is not None:
        assert (home is bottom) != flipped
    elif owned:  # a colour may have neither
        assert bottom in owned
    board = layout.grids[0].box
    assert (layout.bars[mine].top > board.bottom) != flipped


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("key", ONE_GRID)
def test_coordinates_beside_a_turned_board_are_those_of_its_cells(key: str, player: int) -> None:
    turned, layout = _layout(_view(key), Style(mine=player))
    columns = {x: text for text, x, _ in layout.files}
    rows = {y: text for text, _, y in layout.ranks}
    assert len({layout.centre(cell) for cell in turned.cells}) == len(turned.cells)
    for cell in turned.cells:
        x, y = layout.centre(cell)
        assert cell.name in (columns[x] + rows[y], rows[y] + columns[x])


@pytest.mark.parametrize("key", OWN_GAMES)
def test_what_a_bar_says_of_a_side_is_true_of_the_turned_board(key: str) -> None:
    view = _view(key)
    sides: dict[Text | None, set[tuple[bool, ...]]] = {}
    for style in (Style(), Style(flipped=True), Style(mine=0), Style(mine=1)):
        turned, flipped, _ = seen(view, style)
        for number, colour in enumerate(turned.colours):
            owned = {edge.side for edge in turned.edges if edge.colour == number}
            low = colour.home is (Side.TOP if flipped else Side.BOTTOM)
            sides.setdefault(colour.goal, set()).add((low, Side.TOP in owned))
    assert all(len(each) == 1 for each in sides.values())


def test_a_quarter_turn_keeps_neighbours_links_and_what_lies_where() -> None:
    game: Any = catalog.create("quax")
    view = _view("quax", 0)
    turned = seen(view, Style(mine=0)).view
    assert view.topology is Topology.OCTAGONS
    assert turned is not view
    assert {cell.name: cell.stack for cell in turned.cells} == {
        cell.name: cell.stack for cell in view.cells
    }
    places = {cell.name: (cell.file, cell.rank) for cell in turned.cells}
    for cell in view.cells:
        for other in view.cells:
            if abs(cell.file - other.file) + abs(cell.rank - other.rank) == 1:
                (file, rank), (far, up) = places[cell.name], places[other.name]
                assert abs(file - far) + abs(rank - up) == 1
    assert places["a1"] == (game.view(game.initial(Random(0)), None).grids[0].ranks - 1, 0)


@pytest.mark.long
def test_pictures_of_both_sides_differ_and_are_told_in_the_same_words() -> None:
    for key in ONE_GRID:
        view = _view(key)
        shown = [render(view, Style(mine=player)) for player in (None, 0, 1)]
        assert len({each.alt_text for each in shown}) == 1
        assert shown[1].png != shown[2].png


def test_boards_of_several_grids_stay_as_they_are() -> None:
    view = _view("pythagoras")
    assert render(view, Style(mine=1)).png == render(view, Style()).png
