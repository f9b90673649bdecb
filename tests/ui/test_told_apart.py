"""No list of choices has two that look the same, whatever people and events are called."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.ids import MatchId
from bot.i18n import Languages
from bot.ui.pages import match_list
from bot.ui.pages.components import OPTION, Control, Option, distinct, fitting, menu
from bot.ui.pages.display_names import NameBook
from bot.ui.pages.reader import Reader
from bot.ui.pages.told_apart import told_apart
from tests.domain.people import started
from tests.support.kit import BOB

_WORDS = st.one_of(
    st.sampled_from(["Ben", "ben", "Ben (2)", "Ben · a", "Ben · a (2)", "x" * 120, "x" * 130]),
    st.text(max_size=130),
)
_CHOICES = st.lists(
    st.tuples(
        st.integers(0, 30).map(str), _WORDS, st.lists(_WORDS.filter(bool), max_size=3).map(tuple)
    ),
    max_size=25,
)


@given(_CHOICES)
def test_no_two_labels_are_equal_and_none_is_too_long(
    choices: list[tuple[str, str, tuple[str, ...]]],
) -> None:
    labels = [label for _, label, _ in choices]
    short = [tuple(mark[:40] for mark in marks) for *_, marks in choices]
    told = told_apart(labels, short, OPTION)
    assert len({each.casefold() for each in told}) == len(labels)
    assert all(len(each) <= OPTION for each in told)
    alone = [each for each in labels if len(each) <= OPTION]
    known = [each.casefold()[:OPTION] for each in labels]
    assert all(
        each in told for each in alone if known.count(each.casefold()) == 1 and "…" not in each
    )


@given(_CHOICES)
def test_neither_menus_nor_suggestions_have_two_alike(
    choices: list[tuple[str, str, tuple[str, ...]]],
) -> None:
    short = [(value, label, tuple(x[:40] for x in marks)) for value, label, marks in choices]
    row = menu(Control("x"), "?", [Option(v, label, marks=marks) for v, label, marks in short])
    options = row["components"][0]["options"]  # type: ignore[typeddict-item]
    shown = [(each["value"], each["label"]) for each in options]
    suggested = distinct(Option(v, label, marks=marks) for v, label, marks in short)
    for found in (shown, [(each.value, each.label) for each in suggested]):
        assert len({value for value, _ in found}) == len(found)
        assert len({label.casefold() for _, label in found}) == len(found)
        assert {value for value, _ in found} == {value for value, *_ in short}


def test_alike_are_told_apart_by_the_first_mark_in_which_all_differ() -> None:
    def told(*marks: tuple[str, ...]) -> list[str]:
        return told_apart(["Ben"] * len(marks), marks, OPTION)

    assert told(("3 moves", "a"), ("5 moves", "b")) == ["Ben · 3 moves", "Ben · 5 moves"]
    assert told(("3 moves", "a"), ("3 moves", "b")) == ["Ben · a", "Ben · b"]
    assert told(("a",), ("a",)) == ["Ben · a", "Ben · a (2)"]
    assert told((), ()) == ["Ben", "Ben (2)"]
    assert told_apart(["Ben", "Cyd"], [("a",), ("b",)], OPTION) == ["Ben", "Cyd"]
    assert told_apart(["Ben", "Ben", "Ben (2)"], [(), (), ()], OPTION) == [
        "Ben",
        "Ben (3)",
        "Ben (2)",
    ]


def test_what_is_typed_by_hand_means_one_choice_alone_only_if_it_is_all_of_its_label() -> None:
    found = [
        Option("a", "Cup", marks=("1",)),
        Option("b", "Cup", marks=("2",)),
        Option("c", "Cup 1"),
    ]

    def typed(text: str) -> list[str]:
        return [each.value for each in fitting(found, text)]

    assert typed("Cup") == ["a", "b", "c"]
    assert typed("cup · 2") == ["b"]
    assert typed("Cup 1") == ["c"]
    assert typed("1 cup") == ["a", "c"]
    assert typed("cap") == []


async def test_two_matches_with_one_player_are_told_apart_in_every_language() -> None:
    first = started(BOB, game="quax")
    day = replace(first, id=MatchId("a" * 10), created_at=first.created_at + timedelta(days=1))
    same = replace(first, id=MatchId("b" * 10))
    languages = Languages()
    nobody: Any = None

    def reads(code: str) -> Reader:
        return Reader(nobody, NameBook(), languages.of(code))

    for code in ("en", "de", "es", "fr", "ja", "pl", "pt-BR"):
        for side in (None, BOB.user_id):
            suggested = [
                await match_list.suggestion(each, reads(code), side) for each in (first, day, same)
            ]
            assert len({each.label for each in suggested}) == 1
            assert len({each.label for each in distinct(suggested)}) == 3
    moved = replace(first, id=MatchId("c" * 10), ply=3)
    told = distinct([await match_list.suggestion(x, reads("de"), None) for x in (first, moved)])
    assert [each.label.rpartition(" · ")[2] for each in told] == ["0 Züge", "3 Züge"]
