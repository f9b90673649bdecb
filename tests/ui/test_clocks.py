"""Clocks in words."""

from __future__ import annotations

import dataclasses
import gettext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from bot.domain import play, stalled
from bot.domain.clock import TimeControl, Vacations, pause
from bot.domain.clock_text import PRESETS, read_clock, write_clock
from bot.domain.events import CommandContext
from bot.domain.ids import TournamentId
from bot.domain.match import TournamentGame
from bot.errors import UserError
from bot.i18n import Language, Languages
from bot.i18n.refusals import REFUSALS
from bot.settings import Settings
from bot.ui.pages.clock_text import clock_line, clock_words, duration, suggest_clocks, time_left
from bot.ui.pages.match_text import outcome, turn
from bot.ui.tournaments.setup_menus import CLOCKS
from games.view import Text
from tests.domain.people import played, started
from tests.kit import ANN, BOB, CYD, START
from tests.not_none import not_none

LANGUAGE = Languages().default


@pytest.mark.parametrize(
    ("clock", "words"),
    [
        ("none", "No clock"),
        ("1d", "1 day for each move"),
        ("1d12h", "1 day 12 hours for each move"),
        ("10m+0", "10 minutes for the whole match"),
        ("7d+1d", "7 days, plus 1 day after each move"),
        ("7d+1d max 14d", "7 days, plus 1 day after each move, 14 days at most"),
        ("2d no weekends", "2 days for each move; stopped on Saturday and Sunday (UTC)"),
    ],
)
def test_a_clock_is_said_in_a_sentence(clock: str, words: str) -> None:
    assert clock_words(read_clock(clock), LANGUAGE) == words


@pytest.mark.parametrize(
    ("clock", "words"),
    [
        ("none", "No clock"),
        ("3d", "3 days for each move"),
        ("10m+0", "10 minutes for the whole match"),
        ("30m+30s", "30 minutes + 30 seconds a move"),
        ("7d+1d max 14d, no vacations", "7 days + 1 day a move, max 14 days"),
        ("2d no weekends", "2 days for each move, Mon–Fri"),
    ],
)
def test_a_clock_is_a_short_line_in_a_menu(clock: str, words: str) -> None:
    assert clock_line(read_clock(clock), LANGUAGE) == words


@pytest.mark.parametrize("locale", Languages().known())
def test_the_clocks_that_are_offered_fit_a_menu_on_a_phone(locale: str) -> None:
    language = Languages().of(locale)
    offered = [*CLOCKS, *(write_clock(each.control) for each in PRESETS)]
    shown = [clock_line(read_clock(each), language) for each in offered]
    assert [each for each in shown if len(each) > 37] == []


def test_lengths_are_in_the_plurals_of_each_language() -> None:
    time = timedelta(days=2, hours=5, minutes=59, seconds=59)
    said = {name: duration(time, _speaking(name)) for name in ("en", "de", "pl", "ja", "pt-BR")}
    assert said["en"] == "2 days 5 hours"
    assert said["de"] == "2 Tage 5 Stunden"
    assert said["pl"] == "2 dni 5 godzin"
    assert len(set(said.values())) == 5
    assert duration(timedelta(seconds=-3), LANGUAGE) == "0 seconds"
    assert duration(timedelta(days=1, seconds=5), LANGUAGE) == "1 day"
    assert duration(time, _speaking("xx-nowhere")) == "2 days 5 hours"


@pytest.mark.parametrize("locale", Languages().known())
@pytest.mark.parametrize("unit", ["days", "hours", "minutes", "seconds"])
@pytest.mark.parametrize("count", [1, 3, 5])
def test_every_unit_of_time_has_its_word_in_every_language_spoken(
    locale: str, unit: str, count: int
) -> None:
    assert "duration" not in duration(timedelta(**{unit: count}), _speaking(locale))


def _speaking(locale: str) -> Language:
    return Language(locale, gettext.NullTranslations)


def test_the_board_says_until_when_and_what_the_others_have() -> None:
    match = played(started(BOB, clock=TimeControl(timedelta(hours=2))), "b2 a1")
    at = int(not_none(match.deadline).timestamp())
    assert time_left(match, LANGUAGE) == (
        f"Time runs out <t:{at}:R>: <t:{at}:f>. Time left: <@{BOB.user_id}> 2 hours"
    )
    event = TournamentGame(
        TournamentId("abcdefghij"), "1.1", takebacks=False, no_show=timedelta(hours=1)
    )
    early = dataclasses.replace(match, ply=1, tournament=event)
    at = int(not_none(early.deadline).timestamp())
    first = f"Time for the first move runs out <t:{at}:R>: <t:{at}:f>."
    assert time_left(early, LANGUAGE).startswith(first), "which is shorter than the clock's"
    late = dataclasses.replace(match, tournament=event)
    assert time_left(late, LANGUAGE) == time_left(match, LANGUAGE)
    stopped = pause(not_none(match.clock), not_none(match.times), START + timedelta(minutes=30))
    paused = dataclasses.replace(match, times=stopped)
    assert time_left(paused, LANGUAGE).startswith(
        f"The clock is stopped. Time left: <@{ANN.user_id}> 1 hour 30 minutes"
    )


def test_where_every_move_has_the_same_time_only_the_deadline_is_said() -> None:
    match = played(started(BOB, clock=TimeControl(timedelta(days=3), per_move=True)), "b2")
    assert "Time left" not in time_left(match, LANGUAGE)
    assert "<t:" in time_left(match, LANGUAGE)
    assert time_left(started(BOB), LANGUAGE) == ""


def test_suggestions_begin_with_what_was_typed_if_it_is_a_clock() -> None:
    assert suggest_clocks("4d+2h", LANGUAGE)[0].value == "4d+2h"
    assert [each.value for each in suggest_clocks("zzz", LANGUAGE)] == []
    everything = suggest_clocks("", LANGUAGE)
    assert len(PRESETS) < len(everything) <= 15, "a list that one can look through"
    for each in everything:
        assert len(each.shown) <= 100
        assert not each.shown.endswith("…")
        read_clock(each.value)
    assert suggest_clocks("3d", LANGUAGE)[0].value == "3d/move"


def values(typed: str, language: Any = LANGUAGE) -> list[str]:
    return [each.value for each in suggest_clocks(typed, language)]


def test_with_nothing_typed_the_list_shows_what_can_be_said_of_vacation() -> None:
    shown = values("")
    assert shown[: len(PRESETS)] == [write_clock(preset.control) for preset in PRESETS]
    assert {"3d/move, automatic vacation", "3d/move, no vacation"} <= set(shown)
    assert shown[-1] == "none"


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("5d", ["5d/move", "5d/move, automatic vacation", "5d/move, no vacation"]),
        ("5d vac", ["5d/move, automatic vacation", "5d/move, no vacation"]),
        ("5 days, no v", ["5d/move, no vacation"]),
        ("7d+2d max 14d, auto", ["7d+2d max 14d, automatic vacation"]),
        ("5d, no vacation", ["5d/move, no vacation", "5d/move, weekends off, no vacation"]),
        ("5d week", ["5d/move, weekends off"]),
        ("10+5", ["10m+5s"]),
    ],
)
def test_a_clock_is_suggested_with_what_it_does_on_weekends_and_vacations(
    typed: str, wanted: list[str]
) -> None:
    assert values(typed)[: len(wanted)] == wanted
    assert not [each for each in values(typed) if each.startswith("10m") and "vacation" in each]


def test_the_clocks_with_names_have_variants_for_who_asks_for_them() -> None:
    days = [preset.control for preset in PRESETS if preset.control.bank >= timedelta(days=1)]
    for word, rule in (("auto", Vacations.AUTOMATIC), ("no vacation", Vacations.NEVER)):
        found = [read_clock(each) for each in values(word)]
        assert {dataclasses.replace(each, vacations=rule) for each in days} <= set(found)
    assert values("weekends")[0] == "2d/move, weekends off"
    assert "7d+1d max 14d, weekends off" in values("weekends")


@pytest.mark.parametrize("locale", Languages().known())
@pytest.mark.parametrize("typed", ["", "vacation", "7d+1d max 14d", "90d no weekends", "a", "1"])
def test_suggested_clocks_are_whole_and_few_enough_for_discord_in_every_language(
    locale: str, typed: str
) -> None:
    found = suggest_clocks(typed, Languages().of(locale))
    assert found
    assert len(found) <= 25
    assert len({each.value for each in found}) == len(found)
    for each in found:
        assert len(each.shown) <= 100
        assert not each.shown.endswith("…")
        assert write_clock(read_clock(each.value)) == each.value


@pytest.mark.parametrize("locale", Languages().known())
def test_what_the_refusal_of_a_clock_names_is_understood_in_every_language(locale: str) -> None:
    with pytest.raises(UserError) as refused:
        read_clock("2d vac")
    sentence = REFUSALS[refused.value.code]
    said = Languages().of(locale)(Text.of(sentence.message, **refused.value.params))
    assert "2d vac" in said
    for clock in ("3d", "7d+1d", "7d+1d max 14d", "none"):
        assert clock in said
        read_clock(clock)
    for addition in ("weekends off", "no vacation", "automatic vacation"):
        assert addition in said
        assert addition in write_clock(read_clock(f"3d, {addition}"))


def test_deadlines_are_whole_seconds_since_1970_in_utc() -> None:
    match = played(started(BOB, clock=TimeControl(timedelta(days=1), per_move=True)), "b2")
    stamp = not_none(match.deadline).timestamp()
    assert datetime.fromtimestamp(stamp, UTC) == match.deadline
    assert f"<t:{int(stamp)}:R>" in time_left(match, LANGUAGE)


def test_a_host_may_choose_the_usual_clock_and_is_told_what_is_none(tmp_path: Path) -> None:
    assert Settings(_env_file=None, data=tmp_path).clock == "3d/move"
    assert Settings(_env_file=None, data=tmp_path, clock="3 days a move").clock == "3d/move"
    with pytest.raises(ValidationError, match="write it as 3d"):
        Settings(_env_file=None, data=tmp_path, clock="1d1d")


def test_a_match_that_was_aborted_for_time_says_so_and_whose() -> None:
    match = played(started(BOB, clock=TimeControl(timedelta(hours=1), per_move=True)), "b2")
    late = not_none(play.flag(match, CommandContext(not_none(match.deadline)))).match
    assert turn(late, LANGUAGE).startswith(f"<@{BOB.user_id}> ran out of time before the second")
    other = stalled.abort(match, CommandContext(match.updated_at), ANN).match
    assert turn(other, LANGUAGE) == "This match was aborted. It has no result."


def test_of_those_who_left_a_table_of_three_the_end_is_said_of_the_last() -> None:
    clock = TimeControl(timedelta(hours=1), per_move=True)
    options = {"players": 3, "size": 5}
    match = played(started(BOB, CYD, options=options, clock=clock), "a1 b1 c1")
    late = not_none(play.flag(match, CommandContext(not_none(match.deadline)))).match
    left = play.resign(late, CommandContext(late.updated_at), BOB).match
    assert outcome(left, LANGUAGE) == f"<@{CYD.user_id}> wins! <@{BOB.user_id}> resigned."
    first = play.resign(match, CommandContext(match.updated_at), BOB).match
    late = not_none(play.flag(first, CommandContext(not_none(first.deadline)))).match
    assert outcome(late, LANGUAGE) == f"<@{CYD.user_id}> wins! <@{ANN.user_id}> ran out of time."
