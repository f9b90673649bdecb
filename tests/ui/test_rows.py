"""Rows of buttons on a phone of 400 pixels: none too wide, none alone without need."""

from __future__ import annotations

from itertools import product
from typing import Any

from bot.ui.pages.components import PRIMARY, Control, button, rows, width
from tests.support.phone import crowded


def _labels(*labels: str) -> list[list[str]]:
    made: list[Any] = rows([button(Control("help"), label) for label in labels])
    return [[str(each["label"]) for each in row["components"]] for row in made]


def test_a_row_that_a_phone_would_wrap_is_divided_so_that_none_is_alone() -> None:
    assert _labels("Plan", "History", "Text board", "Rules") == [
        ["Plan", "History"],
        ["Text board", "Rules"],
    ]
    assert _labels("Yes", "No") == [["Yes", "No"]]
    assert _labels("Type a rating range", "Rules", "More options") == [
        ["Type a rating range", "Rules", "More options"]
    ], "three in two lines leave one alone in any case"
    assert _labels("First", "Previous", "Next", "Last", "Go to move") == [
        ["First", "Previous"],
        ["Next", "Last", "Go to move"],
    ], "outside a frame four have room, and one would be left"
    assert _labels("Text board", "Favourite", "Previous", "Download") == [
        ["Text board", "Favourite", "Previous", "Download"]
    ], "a phone wraps that well by itself"


def test_no_page_of_buttons_leaves_one_alone_that_need_not_be() -> None:
    words = ("Go", "Rules", "Text board", "Play the computer", "終局を見る")
    for count in range(1, 6):
        for labels in product(words, repeat=count):
            made: list[Any] = rows([button(Control("help"), each, PRIMARY) for each in labels])
            held = [each["label"] for row in made for each in row["components"]]
            assert held == list(labels), "in their order"
            assert not [each for each in crowded(made) if "alone" in each], labels
    wide = crowded(rows([button(Control("help"), "x" * 40)]))
    assert wide == [f"too wide for a phone: {'x' * 40}"]
    many = rows([button(Control("help"), "Play the computer") for _ in range(5)])
    assert [each.partition(":")[0] for each in crowded(many)] == ["5 lines of buttons on a phone"]
    assert width("あ") > width("a")
