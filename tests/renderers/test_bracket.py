"""Knockouts, as pictures, letters and words."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from renderers.bracket import (
    Bracket,
    Match,
    Round,
    Slot,
    Stage,
    bracket_pages,
    bracket_text,
    bracket_words,
    draw_bracket,
    page_in_play,
)
from renderers.names import columns
from renderers.style import Style
from renderers.themes import THEMES, theme_named
from tests.gallery.events import double_elimination, knockout


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 7, 8, 13, 16, 17, 33, 64, 100, 256])
def test_every_match_of_a_knockout_is_on_one_page(entrants: int) -> None:
    bracket = knockout(entrants)
    pages = bracket_pages(bracket)
    for page in {0, pages - 1}:
        picture = draw_bracket(bracket, Style(), page)
        assert picture.width == 1000
        assert picture.height <= 1250
        assert len(picture.alt_text) <= 1024
    texts = [bracket_text(bracket, page) for page in range(pages)]
    matches = [match for each in bracket.stages[0].rounds for match in each.matches]
    third = bracket.stages[0].third
    told = sum(text.count("┌") for text in texts)
    for one in matches:
        if len(one.slots) == 2:
            assert any(f"{one.number} ┌" in text for text in texts), one.number
    assert told == sum(len(match.slots) == 2 for match in matches) + (third is not None)
    assert sum(text.count("─ ") for text in texts) == sum(len(one.slots) == 1 for one in matches)
    assert all(columns(line) <= 40 for text in texts for line in text.splitlines())
    assert all(len(text) < 2000 for text in texts)
    with pytest.raises(ValueError, match="no page"):
        draw_bracket(bracket, Style(), pages)


@pytest.mark.parametrize(("played", "page"), [(0, 0), (1, 2), (5, 2)])
def test_the_page_in_play_has_the_first_match_to_be_decided(played: int, page: int) -> None:
    bracket = knockout(32, played=played)
    assert bracket_pages(bracket) == 3
    assert page_in_play(bracket) == page


@pytest.mark.parametrize("entrants", [4, 8, 16, 64, 256])
def test_both_stages_of_a_double_elimination_are_there(entrants: int) -> None:
    bracket = double_elimination(entrants)
    pages = bracket_pages(bracket)
    texts = [bracket_text(bracket, page) for page in range(pages)]
    matches = [match for stage in bracket.stages for each in stage.rounds for match in each.matches]
    assert sum(text.count("┌") for text in texts) == len(matches)
    assert "Finals · Reset" in texts[-1]
    assert all(draw_bracket(bracket, Style(), page).height <= 1250 for page in (0, pages - 1))
    if entrants == 4:
        assert pages == 1, "small stages share a page"


@pytest.mark.parametrize("theme", THEMES)
def test_who_goes_on_stands_out_and_the_champion_has_a_star(theme: str) -> None:
    upper, lower = Slot("Ada", "1"), Slot("Bo", "2")
    look = theme_named(theme)

    def drawn(match: Match) -> Image.Image:
        bracket = Bracket("Cup", (Stage("", (Round("Final", (match,)),)),))
        return opened(draw_bracket(bracket, Style(theme=theme)).png)

    def count(image: Image.Image, colour: tuple[int, int, int]) -> int:
        return {b: a for a, b in image.getcolors(1 << 20) or []}.get(colour, 0)

    open_ = drawn(Match(upper, lower))
    won = drawn(Match(replace(upper, won=True, score="2"), replace(lower, lost=True)))
    first = drawn(
        Match(replace(upper, won=True, score="2"), replace(lower, lost=True), decides=True)
    )
    other = drawn(Match(replace(upper, lost=True), replace(lower, won=True, score="2")))
    assert count(won, look.selected) > count(open_, look.selected) + 150
    assert count(first, look.star) > count(won, look.star) + 300
    box = ImageChops.difference(won, other).getbbox()
    assert box is not None
    assert box[3] - box[1] >= 60, "both lines change"


def test_a_place_that_nobody_takes_is_not_drawn() -> None:
    slot = Slot("Ada", "1")
    empty = Stage("", (Round("1", (Match(), Match())), Round("2", (Match(slot),))))
    one = Stage("", (Round("1", (Match(slot), Match())), Round("2", (Match(slot),))))
    before = opened(draw_bracket(Bracket("Cup", (empty,)), Style()).png)
    after = opened(draw_bracket(Bracket("Cup", (one,)), Style()).png)
    assert ImageChops.difference(before, after).getbbox()
    assert "─" not in bracket_text(Bracket("Cup", (empty,))).split("2")[0]


def test_words_begin_with_the_final_and_mark_who_goes_on() -> None:
    words = bracket_words(knockout(4)).splitlines()
    assert words[0] == "Winter Cup. Best of three"
    assert words[1].startswith("Final: Zoë Åström 2 ✓ – ")
    assert words[2].startswith("Third place: ")
    assert words[3].startswith("Semi-finals: ")


def test_rounds_that_lead_nowhere_are_refused() -> None:
    match = Match(Slot("Ada"), Slot("Bo"))
    with pytest.raises(ValueError, match="3 matches, then 2"):
        Stage("", (Round("1", (match,) * 3), Round("2", (match,) * 2)))


def test_a_bracket_without_stages_is_an_empty_page() -> None:
    assert draw_bracket(Bracket("Cup", ()), Style()).alt_text == "Cup"


@given(st.text(max_size=60), st.text(max_size=20))
@settings(max_examples=25, deadline=None)
def test_any_name_fits(name: str, score: str) -> None:
    match = Match(Slot(name, score, score, won=True), Slot(name, waiting=True), name, decides=True)
    bracket = Bracket(name, (Stage(name, (Round(name, (match,)),), match),), name)
    assert len(draw_bracket(bracket, Style()).alt_text) <= 1024


def test_a_seed_stands_in_brackets_so_that_it_is_no_number_of_a_match() -> None:
    bracket = knockout(5)
    (first, *_) = bracket.stages[0].rounds
    assert [each.label for each in first.matches] == [f"Match {n}" for n in (1, 2, 3, 4)]
    seeds = [slot.seed for match in first.matches for slot in match.slots]
    lines = [line for line in bracket_text(bracket).splitlines() if "(" in line]
    assert [line[line.index("(") :].split()[0] for line in lines] == [f"({seed})" for seed in seeds]


def test_a_bye_leaves_the_name_all_its_room() -> None:
    """A name that fits beside no score is drawn whole beside a bye."""

    def drawn(score: str) -> Image.Image:
        match = Match(Slot("Bartholomew Feath", "1", score, won=True), None, "bye")
        bracket = Bracket("Cup", (Stage("", (Round("Round of 2", (match,)),)),))
        return opened(draw_bracket(bracket, Style()).png)

    assert ImageChops.difference(drawn("bye"), drawn("")).getbbox() is None
