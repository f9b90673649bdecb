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
from tests.domain.people import set_up, started
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


def test_a_rematch_is_offered_where_a_match_has_a_result_and_no_tournament() -> None:
    language = Languages().default
    mine, club = started(BOB, game="quax"), set_up(game="quax").match
    for match, status, ply, is_offered in (
        (mine, MatchStatus.FINISHED, 9, True),
        (mine, MatchStatus.FINISHED, 0, True),
        (mine, MatchStatus.ABORTED, 9, False),
        (mine, MatchStatus.ABORTED, 0, False),
        (club, MatchStatus.FINISHED, 9, False),
    ):
        shown = board_page.controls(replace(match, status=status, ply=ply), language)
        labels = [each.get("label") for each in shown]
        assert ("Rematch" in labels) is is_offered
        assert ("Replay" in labels) is (status is MatchStatus.FINISHED or ply > 0)
        assert "Text board" in labels


def test_what_a_tournament_does_not_allow_is_not_offered() -> None:
    clock = TimeControl(timedelta(days=3), per_move=True)
    language = Languages().default
    mine, club = started(BOB, game="quax"), set_up(game="quax").match
    for match, is_offered in ((mine, True), (club, False)):
        for ply, asked in ((1, {"Take back", "Pause", "Abort"}), (2, {"Take back", "Pause"})):
            shown = board_page.controls(replace(match, ply=ply, clock=clock), language)
            labels = {str(each.get("label")) for each in shown}
            assert labels & {"Take back", "Pause", "Abort"} == (asked if is_offered else set())
