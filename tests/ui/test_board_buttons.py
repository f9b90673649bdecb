"""Rows of buttons on a phone of 400 pixels: none too wide, none alone, two under a board."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import product
from typing import Any

import pytest

from bot.domain.clock import TimeControl
from bot.domain.match import MatchStatus
from bot.i18n import Languages
from bot.ui.pages import board_page
from bot.ui.pages.components import PRIMARY, Control, button, rows, walk, width
from games import catalog
from tests.domain.people import started
from tests.support.kit import BOB, CYD, DAN
from tests.support.phone import crowded


@pytest.mark.parametrize("locale", sorted(Languages().known()))
@pytest.mark.parametrize("game", list(catalog.GAMES))
def test_a_board_has_two_rows_of_buttons_that_fit_a_phone(locale: str, game: str) -> None:
    language = Languages().of(locale)
    opponents = (BOB, CYD, DAN)[: len(catalog.GAMES[game]().seats) - 1]
    running = started(*opponents, game=game, clock=TimeControl(timedelta(days=3), per_move=True))
    over = replace(running, status=MatchStatus.FINISHED, ply=9)
    aborted = replace(over, status=MatchStatus.ABORTED)
    for match in (running, replace(running, ply=5, hints=True), over, aborted):
        shown = board_page._button_rows(match, language)
        assert 1 <= len(shown) <= 2
        for row in shown:
            labels = [str(each.get("label")) for each in row["components"]]
            assert 1 <= len(labels) <= 5
            assert sum(27 + 9 * len(label) for label in labels) + 8 * (len(labels) - 1) <= 340
        held = [each["custom_id"] for row in shown for each in row["components"]]
        behind = board_page.more_page(match, language, is_player=True, has_moved=True)
        ids = {each["custom_id"] for each in walk(behind.components) if "custom_id" in each}
        first, *others = board_page.controls(match, language)
        assert held[0] == first["custom_id"], "what one came for is never behind More"
        assert ids == {each["custom_id"] for each in others}
        last = Control.read(held[-1])
        if last is None or last.action != "more":
            assert set(held[1:]) == ids, "without More all have room"


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
    assert _labels("Mitmachen", "Tabelle", "Paarungen", "Partien", "Regeln", "Verwalten") == [
        ["Mitmachen", "Tabelle"],
        ["Paarungen", "Partien"],
        ["Regeln", "Verwalten"],
    ], "two rows of three would leave one alone below each"
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
