"""The buttons under a board: two rows on a phone, in every language."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.clock import TimeControl
from bot.domain.match import MatchStatus
from bot.i18n import Languages
from bot.ui.pages import board_page
from bot.ui.pages.components import Control, walk
from games import catalog
from tests.domain.people import started
from tests.support.kit import BOB, CYD, DAN


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
