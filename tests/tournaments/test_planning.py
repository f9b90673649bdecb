"""The meaning of an event for people, presets, and impossible set-ups."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.errors import UserError
from bot.tournaments.domain import registration
from bot.tournaments.domain.planning import (
    check_game,
    check_setup,
    event_plan,
    event_plan_of,
    moves_a_day,
)
from bot.tournaments.domain.setup import PRESETS, FormatKey, from_preset
from tests.tournaments.events_made import NOW, Event, a_setup

DAY = timedelta(days=1)


def test_the_plan_says_how_much_it_is() -> None:
    setup = from_preset(PRESETS["monthly_round_robin"], "Spring", "quax", NOW)
    found = event_plan(setup, 10)
    # 9 games of 20 moves in 28 days, at most 3 at a time: 6.4 moves a day, 2.1 in each game.
    assert (found.rounds, found.games, found.at_once) == (9, 9, 3)
    assert moves_a_day(setup, found.games) == pytest.approx(180 / 28)
    evening = from_preset(PRESETS["evening_arena"], "Spring", "quax", NOW)
    assert moves_a_day(evening, 20) == 0
    assert event_plan(a_setup(FormatKey.KNOCKOUT), 1).games == 0
    assert event_plan(a_setup(FormatKey.LADDER), 9).at_once == 1


@pytest.mark.parametrize(
    ("form", "about", "code"),
    [
        (FormatKey.SWISS, {"most": 1, "least": 1}, "tournament_size"),
        (FormatKey.SWISS, {"most": 10_000}, "tournament_size"),
        (FormatKey.SWISS, {"least": 20, "most": 10}, "tournament_size"),
        (FormatKey.TABLES, {"least": 3}, "tournament_size"),
        (FormatKey.SWISS, {"rounds": 40}, "tournament_rounds"),
        (FormatKey.SWISS, {"rounds": 2}, "tournament_rounds"),
        (FormatKey.SWISS, {"rounds": 5, "most": 4}, "tournament_rounds"),
        (FormatKey.ROUND_ROBIN, {"rounds": 9}, "tournament_rounds"),
        (FormatKey.KNOCKOUT, {"best_of": 5}, "tournament_range"),
        (FormatKey.ROUND_ROBIN, {"division": 11}, "tournament_range"),
        (FormatKey.ROUND_ROBIN, {"division": 6, "promoted": 4}, "tournament_range"),
        (FormatKey.KNOCKOUT, {"both_sides": True}, "tournament_range"),
        (FormatKey.TABLES, {"least": 4, "both_sides": True}, "tournament_range"),
        (FormatKey.SWISS, {"no_show": timedelta(0)}, "tournament_range"),
        (FormatKey.SWISS, {"name": "  "}, "tournament_name"),
        (FormatKey.SWISS, {"name": "x" * 81}, "tournament_name"),
        (FormatKey.SWISS, {"rating_from": 1500, "rating_to": 1500}, "tournament_ratings"),
        (FormatKey.SWISS, {"closes": NOW}, "date_past"),
        (FormatKey.SWISS, {"begins": NOW + DAY / 2}, "dates_order"),
        (FormatKey.SWISS, {"finish": NOW + DAY}, "dates_order"),
        (FormatKey.SWISS, {"finish": NOW + 400 * DAY}, "tournament_long"),
        (FormatKey.ARENA, {}, "arena_length"),
        (FormatKey.SWISS, {"rounds": 15, "finish": NOW + 10 * DAY}, "finish_early_days"),
        (FormatKey.KNOCKOUT, {"clock": "2d/move", "finish": NOW + 9 * DAY}, "finish_early_days"),
        (
            FormatKey.SWISS,
            {"clock": "1h+0s", "rounds": 13, "finish": NOW + 2 * DAY},
            "finish_early",
        ),
    ],
)
def test_what_cannot_be_is_refused(form: FormatKey, about: dict[str, Any], code: str) -> None:
    with pytest.raises(UserError) as error:
        check_setup(a_setup(form, **about), NOW)
    assert error.value.code == code


def test_a_table_of_four_takes_a_game_of_four() -> None:
    with pytest.raises(UserError, match="format_seats"):
        check_game(a_setup(FormatKey.TABLES, game="quax"))


def test_names_of_every_script_and_fast_clocks_are_welcome() -> None:
    check_setup(a_setup(FormatKey.SWISS, name="Весна 春 ربيع 🌸"), NOW)
    fast = a_setup(FormatKey.SWISS, clock="1h+0s", rounds=12, finish=NOW + 2 * DAY)
    check_setup(fast, NOW)


@pytest.mark.parametrize(
    ("form", "players", "rounds"),
    [(FormatKey.KNOCKOUT, 8, 3), (FormatKey.ROUND_ROBIN, 8, 7), (FormatKey.SWISS, 17, 5)],
)
def test_players_who_leave_take_no_rounds_with_them(
    form: FormatKey, players: int, rounds: int
) -> None:
    event = Event(a_setup(form, least=2))
    event.enter(500)
    event.do(registration.withdraw, 1, by=500)
    event.begin(players)
    assert event_plan_of(event.t).rounds == rounds
    for number in range(2, players):
        event.do(registration.withdraw, number)
    assert event_plan_of(event.t).rounds == rounds
