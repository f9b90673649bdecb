"""Custom ids, names, limits, suggestions kept: the small parts of the user interface."""

from __future__ import annotations

import asyncio
import re
from string import ascii_letters, ascii_lowercase, digits
from types import SimpleNamespace
from typing import Any, ClassVar

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.app.wiring import no_store
from bot.clock import SystemClock
from bot.connection.client import ParlourClient
from bot.connection.services import SessionStarts
from bot.errors import UserError
from bot.i18n import Languages
from bot.posts.notices import NOTICES
from bot.posts.sending import News
from bot.services.rate_limits import Cooldowns
from bot.ui.delivery.match_threads import thread_name
from bot.ui.interaction import registry
from bot.ui.offers.option_text import example, find_game, read_options, read_side, suggest_options
from bot.ui.pages import match_text, notice_text
from bot.ui.pages.board_page import retired
from bot.ui.pages.components import (
    Control,
    distinct,
)
from bot.ui.pages.display_names import clean, escape
from games import catalog
from games.api import IntOption
from games.errors import OptionError
from tests.domain.people import started
from tests.support.kit import ANN

LANGUAGE = Languages().default


@given(
    st.text(ascii_lowercase, min_size=1, max_size=12),
    st.just("-") | st.text(ascii_lowercase + digits, min_size=1, max_size=24),
    st.integers(0, 999_999_999),
    st.text(ascii_letters + digits + "@^!+:x/=~.,_-", max_size=40),
)
def test_a_control_is_read_back_as_it_was_written(
    action: str, match: str, version: int, arg: str
) -> None:
    control = Control(action, match, version, arg)
    assert Control.read(str(control)) == control


def test_an_id_is_never_taken_for_two_controls() -> None:
    """There is one template, and a button either opens a form or is an act of its own."""
    openers = {action for action, choice in registry.OPENERS if choice is None}
    assert not registry.BUTTONS.keys() & openers
    for action in (*registry.BUTTONS, *openers, *registry.MENUS, *registry.FORMS):
        control = Control(action, "abcdefghij", 7, "x")
        assert Control.read(str(control)) == control


@given(st.text(max_size=120))
def test_any_text_is_a_control_that_writes_itself_or_none(text: str) -> None:
    control = Control.read(text)
    if control is not None:
        assert re.fullmatch(r"p1:[a-z0-9-]+:0*(\d+):[a-z]+:.*", text, re.ASCII)
        assert Control.read(str(control)) == control


@pytest.mark.parametrize(
    ("match", "arg"),
    [("a", "ü"), ("a", "a b"), ("a", "\n"), ("a", "x" * 90), ("a:1:b", "")],
)
def test_a_control_that_could_not_be_read_back_is_never_written(match: str, arg: str) -> None:
    with pytest.raises(ValueError, match="p1"):
        str(Control("move", match, 1, arg))


@pytest.mark.parametrize("arg", ["a b", "x\n", "x" * 90])
def test_what_is_not_written_so_is_no_control(arg: str) -> None:
    assert Control.read(f"p1:abcdefghij:1:move:{arg}") is None


@given(st.text(max_size=300))
def test_a_name_is_one_short_line_without_hidden_characters(name: str) -> None:
    shown = clean(name)
    assert shown
    assert "\n" not in shown
    assert len(shown) <= 64 * 5
    assert not re.search("[\u200b\u202a-\u202e\u2066-\u2069\ufeff]", shown)


@given(st.text(alphabet="@everyone<>#:&*_~`|[]()\\-+1. ", max_size=64))
def test_an_escaped_name_mentions_nobody_and_formats_nothing(name: str) -> None:
    shown = escape(name)
    assert re.sub(r"\\.", "", shown).translate({ord(c): None for c in "*_~`|<>@#[]()"}) == re.sub(
        r"\\.", "", shown
    )


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    now = [0.0]
    buckets = Cooldowns(2.0, 3, clock=lambda: now[0])
    assert [buckets.take("a") for _ in range(5)] == [True, True, True, False, False]
    assert buckets.take("b")
    now[0] = 0.5
    assert [buckets.take("a") for _ in range(2)] == [True, False]
    now[0] = 100.0
    assert [buckets.take("a") for _ in range(4)] == [True, True, True, False]


def test_a_player_at_their_limit_is_not_forgotten_though_many_others_come() -> None:
    buckets = Cooldowns(1.0, 1, clock=lambda: 0.0)
    assert all(buckets.take(number) for number in range(5000))
    assert not any(buckets.take(number) for number in range(5000))


def test_a_retired_board_keeps_all_but_its_buttons_and_whose_turn_it_was() -> None:
    components = [
        {
            "type": 17,
            "components": [
                {"type": 10, "content": "title"},
                {"type": 10, "id": 90, "content": "to move"},
                {"type": 12, "items": []},
                {"type": 1, "components": [{"type": 2, "custom_id": "x"}]},
            ],
        }
    ]
    left = [{"type": 10, "content": "title"}, {"type": 12, "items": []}]
    assert retired(components) == [{"type": 17, "components": left}]


@given(st.text(max_size=220))
def test_any_text_of_options_is_options_or_a_refusal_in_words(text: str) -> None:
    for kind in catalog.GAMES.values():
        try:
            values = read_options(kind.info, text, LANGUAGE)
        except (UserError, OptionError):
            continue
        assert dict(kind.info.resolve(values)) == dict(values)


@given(st.text(max_size=120))
def test_every_suggestion_is_accepted_as_it_is(text: str) -> None:
    for kind in catalog.GAMES.values():
        for suggestion in distinct(suggest_options(kind.info, text, LANGUAGE)):
            assert 1 <= len(suggestion.label) <= 100
            assert 1 <= len(suggestion.value) <= 100
            read_options(kind.info, suggestion.value, LANGUAGE)


@pytest.mark.parametrize(
    ("game", "text", "canonical"),
    [
        ("quax", "Board size: 7 · Swap after the first stone: off", "size 7, pie off"),
        ("quax", "board 7 swap off", "size 7, pie off"),
        ("quax", "Quick, board 9", "quick, size 9"),
        ("quax", "SIZE=7; pie: OFF", "size 7, pie off"),
        ("quax", "ｓｉｚｅ ９", "size 9"),
        ("quux", "movement over any piles; larger first any", "path jump, supply any"),
        ("quux", "supply one of either side, size 5", "supply any, size 5"),
        ("pythagoras", "players two", "seats 2"),
        ("pythagoras", "two players", "two"),
    ],
)
def test_options_are_read_by_what_is_shown_for_them(game: str, text: str, canonical: str) -> None:
    info = catalog.GAMES[game].info
    wanted = read_options(info, canonical, LANGUAGE)
    assert wanted != info.resolve({})
    assert read_options(info, text, LANGUAGE) == wanted
    assert suggest_options(info, text, LANGUAGE)[0].value == canonical


@pytest.mark.parametrize("locale", [None, 7, "xx", discord.enums.try_enum(discord.Locale, None)])
def test_a_locale_that_is_none_has_the_default_language(locale: object) -> None:
    languages = Languages(default="de")
    assert languages.of(locale) is languages.default


@pytest.mark.parametrize("locale", Languages().known())
def test_options_are_read_as_they_are_shown_in_every_language(locale: str) -> None:
    language = Languages().of(locale)
    for kind in catalog.GAMES.values():
        for option in kind.info.options:
            for value in (
                option.suggested
                if isinstance(option, IntOption)
                else [each.key for each in option.choices]
            ):
                shown = match_text.options(kind.info, {option.key: value}, language)
                assert read_options(kind.info, shown, language)[option.key] == value


@pytest.mark.parametrize("text", ["board", "one", "size 7 board 9", "after", "swap", "size size"])
def test_options_that_say_too_little_or_too_much_are_refused(text: str) -> None:
    with pytest.raises((UserError, OptionError)):
        read_options(catalog.GAMES["quax"].info, text, LANGUAGE)


@pytest.mark.parametrize("key", sorted(catalog.GAMES))
def test_the_example_of_options_works(key: str) -> None:
    info = catalog.GAMES[key].info
    text = example(info)
    if text != "-":
        read_options(info, text, LANGUAGE)


def test_games_are_found_by_key_and_by_name() -> None:
    for key, kind in catalog.GAMES.items():
        assert find_game(key.upper()) is kind
        assert find_game(f" {kind.info.name} ") is kind
    with pytest.raises(OptionError):
        find_game("go")


def test_a_side_is_chosen_by_number_or_word() -> None:
    info = catalog.GAMES["quax"].info
    options = info.resolve({})
    for side, player in (
        ("1", 0),
        ("black", 0),
        ("Black (moves first)", 0),
        ("RED", 1),
        ("", None),
    ):
        assert read_side(info, options, side, LANGUAGE) == player
    with pytest.raises(UserError):
        read_side(info, options, "3", LANGUAGE)


async def test_for_commands_and_suggestions_nobody_is_started_besides_the_tree() -> None:
    class Client(ParlourClient):
        seen: ClassVar[list[discord.InteractionType]] = []

        async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
            self.seen.append(interaction.type)

    starts = SessionStarts(no_store(), SystemClock())
    client = Client(Languages(), starts, SystemClock())
    client.loop = asyncio.get_running_loop()
    for kind in discord.InteractionType:
        client.dispatch("interaction", SimpleNamespace(type=kind))
    await asyncio.sleep(0)
    assert client.seen == [
        discord.InteractionType.ping,
        discord.InteractionType.component,
        discord.InteractionType.modal_submit,
    ]


@pytest.mark.parametrize(
    ("text", "longest", "shown"),
    [
        ("join links across", 17, "join links across"),
        ("join links across", 16, "join links…"),
        ("join links across", 11, "join links…"),
        ("join links across", 10, "join…"),
        ("joining", 5, "join…"),
        ("盤面を回す", 4, "盤面を…"),
        ("see " + "x" * 40, 30, "see " + "x" * 25 + "…"),
    ],
)
def test_a_text_is_cut_between_words(text: str, longest: int, shown: str) -> None:
    assert match_text.cut(text, longest) == shown
    assert len(shown) <= longest


def test_the_name_of_a_thread_keeps_game_event_and_round_whatever_the_names() -> None:
    assert thread_name("Quax", ["Anna", "Ben"], "") == "Quax · Anna – Ben"
    long = thread_name("Pythagoras", ["Maximiliane Alexandra"] * 4, "Spring Cup · Round 12")
    assert len(long) <= 100
    assert long.startswith("Pythagoras · Maximil")
    assert long.count(" – ") == 3
    assert long.endswith(" · Spring Cup · Round 12")


def test_a_number_in_a_control_is_within_its_bounds_or_out_of_date() -> None:
    assert [registry.number_in(typed, most=99) for typed in ("0", "07", "99")] == [0, 7, 99]
    for typed in ("", "-1", "+1", "1.0", "x", "\u0663", "1 ", "100", "9" * 90):
        with pytest.raises(UserError, match="out_of_date"):
            registry.number_in(typed, most=99)


@pytest.mark.parametrize("many", [0, 1, 60])
@pytest.mark.parametrize("few", [0, 1, 60])
def test_a_digest_of_everything_fits_into_a_message(many: int, few: int) -> None:
    match = started(game="quax")
    matches = (match,) * many
    told = tuple(News(match, 1, kind) for kind in NOTICES.values()) * few
    said = notice_text.digest(ANN.user_id, matches, matches, told, LANGUAGE)
    assert len(said) <= 2000
    assert ("**Quax**" in said) is bool(many or few)
    assert ("And " in said) is (many > 5 or few > 0)
