"""Texts in player bars shrink before they are cut: results in every language, computers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.i18n import Languages
from games import catalog
from games.pux import view as pux
from games.quux import view as quux
from games.view import Text
from games.ziggurat import view as ziggurat
from renderers import Style, bar_painting, fonts, render
from tests.support.random_views import random_views

RESULTS: dict[str, tuple[Text, ...]] = {
    "quux": (*quux._WON, *quux._DRAWN.values()),
    "ziggurat": (*ziggurat._WON.values(), *ziggurat._DRAWN.values()),
    "pux": (*pux._WON, *pux._DRAWN.values()),
}


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were cut to fit their bar."""
    found: list[str] = []
    whole = fonts.fitting

    def fitting(text: str, *args: Any, **more: Any) -> str:
        shown = whole(text, *args, **more)
        if shown != text:
            found.append(text)
        return shown

    monkeypatch.setattr(bar_painting, "fitting", fitting)
    return found


@pytest.mark.parametrize("locale", list(Languages().known()))
@pytest.mark.parametrize("key", list(RESULTS))
def test_no_result_is_cut_on_its_bar_in_any_language(key: str, locale: str, cut: list[str]) -> None:
    *_, view = random_views(key, {}, seed=1, plies=20)
    language = Languages().known()[locale]
    for result in RESULTS[key]:
        ended = replace(view, to_move=None, result=result, winners=(0,))
        render(ended, Style(names=("Zoë", "Ben"), locale=locale, translate=language))
    assert cut == []


@pytest.mark.parametrize("key", list(catalog.GAMES))
def test_the_level_of_a_computer_is_read_on_its_bar(key: str, cut: list[str]) -> None:
    view = next(random_views(key, {}, seed=1, plies=0))
    render(view, Style(names=("Computer, level 6", "Computer 2, level 6", "Zoë", "Ben")))
    assert cut == []


@pytest.mark.parametrize("locale", list(Languages().known()))
def test_the_parts_of_a_score_leave_its_sum_alone(
    locale: str, cut: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    spans: dict[int, list[tuple[float, float]]] = {}
    write = bar_painting._Pen.write

    def noted(
        pen: Any, text: str, size: float, place: Any, tone: Any, *, bold: bool = False
    ) -> None:
        end = place[0] + fonts.text_width(text, pen.head.px(size), bold=bold)
        spans.setdefault(pen.head.box.top, []).append((place[0], end))
        write(pen, text, size, place, tone, bold=bold)

    monkeypatch.setattr(bar_painting._Pen, "write", noted)
    views = list(random_views("pythagoras", {"seats": 4}, seed=0, plies=200))
    names = tuple(f"Computer {number}, level 6" for number in range(4))
    language = Languages().known()[locale]
    for view in (views[len(views) // 2], views[len(views) * 3 // 4], views[-1]):
        spans.clear()
        render(view, Style(names=names, locale=locale, translate=language))
        assert len(spans) == 4
        for _, bar in sorted(spans.items()):
            # The sum is written first.
            (start, _), *others = bar
            assert all(end < start for _, end in others)
    assert cut == []
