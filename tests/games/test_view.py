"""The plain data that games show."""

from __future__ import annotations

import pytest

from games.quax import Quax
from games.view import BoardView, Marks, Text


def view() -> BoardView:
    game = Quax({"size": 3, "pie": "off"})
    return game.view(game.decode("3/1x1/3 u -"), None)


def test_a_cell_is_found_by_its_name() -> None:
    assert view().cell("b2").stack
    with pytest.raises(KeyError):
        view().cell("d4")


def test_a_cell_is_found_by_its_place() -> None:
    assert view().at(1, 1) is view().cell("b2")
    assert view().at(2, 0).name == "c1"
    with pytest.raises(KeyError):
        view().at(3, 0)


def test_named_keeps_cells_of_the_board_in_the_order_given() -> None:
    assert view().named(["c3", "z9", "a1"]) == ("c3", "a1")


def test_marks_are_added_ours_first() -> None:
    marked = view().with_marks(Marks(last=("a1",)), Marks(last=("b2",), path=("c3",)))
    assert marked.marks == Marks(last=("a1", "b2"), path=("c3",))
    assert view().marks == Marks()


def test_texts_with_the_same_parameters_are_equal() -> None:
    assert Text.of("{a} {b}", a=1, b=2) == Text.of("{a} {b}", b=2, a=1)
