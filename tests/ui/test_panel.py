"""The panel leads to every legal move of every game, in menus that Discord can show."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from bot.domain.game_state import game_of
from bot.i18n import Languages
from bot.ui.pages.components import CHOICES, Control
from bot.ui.play.move_picker import (
    Menu,
    MovePick,
    PickLostError,
    menu,
    question_after,
    question_before,
)
from games import catalog
from games.api import Game
from tests.ui.taps import positions, sized, sizes, taps

MATCH = "abcdefghij"
DEFAULT = Languages().default


def every_game() -> list[tuple[str, str]]:
    return [(key, preset) for key in catalog.GAMES for preset in ("", *_presets(key))]


def _presets(key: str) -> list[str]:
    return [preset.key for preset in catalog.GAMES[key].info.presets]


def _game(key: str, preset: str) -> Game[Any, Any]:
    info = catalog.GAMES[key].info
    options = next((p.options for p in info.presets if p.key == preset), {})
    return game_of(key, info.resolve(options))


def _positions(game: Game[Any, Any], seed: int, count: int) -> Iterator[Any]:
    rng = Random(seed)
    position = game.initial(rng)
    plies = 0
    while count:
        moves = list(game.legal_moves(position))
        if not moves:
            position = game.initial(rng)
            continue
        if plies % 7 == 0:
            yield position
            count -= 1
        position = game.play(position, rng.choice(moves))
        plies += 1


def _walk(game: Game[Any, Any], position: Any, most: int = CHOICES) -> Iterator[tuple[Menu, int]]:
    """Every question that can be reached, and every whole move, with the taps it takes."""
    waiting = [(MovePick(), 0)]
    seen = set()
    while waiting:
        way, taps = waiting.pop()
        if way in seen:
            continue
        seen.add(way)
        asked = menu(game, position, way, most)
        yield asked, taps
        on = (*asked.choices, *asked.specials)
        waiting += [(way.then(choice.value), taps + 1) for choice in on]
        if asked.singly is not None:
            waiting.append((asked.singly, taps + 1))


@pytest.mark.parametrize("most", [CHOICES, pytest.param(CHOICES - 1, marks=pytest.mark.long)])
@pytest.mark.parametrize(("key", "preset"), every_game())
def test_every_legal_move_and_no_other_can_be_tapped_and_every_choice_says_what_it_does(
    key: str, preset: str, most: int
) -> None:
    """A label in the notation alone is a whole move; all others have words.

    The menus of a plan leave room for one line more.
    """
    game = _game(key, preset)
    for position in _positions(game, 4, 4):
        legal = {game.notation(position, move) for move in game.legal_moves(position)}
        found = set()
        for asked, _ in _walk(game, position, most):
            assert len(asked.choices) <= most
            values = [choice.value for choice in (*asked.choices, *asked.specials)]
            assert len(set(values)) == len(values)
            for value in values:
                assert 1 <= len(value) <= 100
            assert Control("pick", MATCH, 999_999, str(asked.way)).is_writable
            assert str(Control("play", MATCH, 999_999, str(asked.way)))
            if asked.move is not None:
                found.add(asked.move)
            else:
                assert asked.choices or asked.specials
            assert len(asked.said) == len(asked.way.picks)
            labels = [DEFAULT(choice.label) for choice in asked.choices]
            assert len(set(labels)) == len(labels), "two lines of a menu read alike"
            for choice, label in zip(asked.choices, labels, strict=True):
                assert choice.notes or label not in legal
        assert found == legal


def test_a_player_who_wants_to_see_targets_picks_the_piece_first() -> None:
    assert [key for key in catalog.GAMES if _pieces_are_picked_first(_game(key, ""))]


def _pieces_are_picked_first(game: Game[Any, Any]) -> bool:
    """Whether that is offered; where it is, the piece leads to its targets."""
    rng = Random(3)
    offered = 0
    position = game.initial(rng)
    while moves := list(game.legal_moves(position)):
        asked = menu(game, position, MovePick())
        if asked.singly is not None:
            offered += 1
            first = menu(game, position, asked.singly)
            steps = [
                step for step in game.next_steps(position, ()) if step.move not in game.info.spoken
            ]
            assert [choice.value for choice in first.choices] == [step.key for step in steps]
            assert menu(game, position, first.way.back or MovePick()) == asked
            for choice in first.choices:
                then = menu(game, position, first.way.then(choice.value))
                cells = {choice.cells[0] for choice in then.choices if choice.cells}
                assert set(then.targets) == cells
        position = game.play(position, rng.choice(moves))
        if offered > 20:
            break
    return bool(offered)


@pytest.mark.parametrize(("key", "size"), sizes())
def test_a_move_takes_three_taps_and_one_more_for_each_further_thing_that_it_says(
    key: str, size: str
) -> None:
    """Counted from the board in sight. The preview adds its **Play**.

    A move of one or two things, such as a cell, or a piece and where it goes, takes three.
    """
    game = sized(key, size)
    for position in positions(game, most=2):
        counted = taps(game, position)
        for move in game.legal_moves(position):
            said = game.notation(position, move)
            most = 2 if said in game.info.spoken else 1 + max(2, len(game.steps(position, move)))
            assert counted[said] <= most, (said, game.position_text(position))


@pytest.mark.parametrize("key", list(catalog.GAMES))
def test_nothing_is_asked_to_which_there_is_one_answer(key: str) -> None:
    game = _game(key, "")
    for position in _positions(game, 10, 3):
        waiting = [MovePick()]
        while waiting:
            asked = question_after(game, position, waiting.pop())
            if asked.move is not None:
                continue
            assert len(asked.choices) + len(asked.specials) > 1
            before = question_before(game, position, asked.way)
            if before is not None:
                again = question_after(game, position, before)
                assert again.way == before, "Back leads to a question"
            waiting += [asked.way.then(choice.value) for choice in asked.choices]


def test_a_way_is_read_back_as_it_was_written() -> None:
    picked = MovePick(("a1", "b2"))
    singly = (MovePick(singly=True), MovePick(("a1",), singly=True))
    for way in (
        MovePick(),
        MovePick(("a1",)),
        picked,
        MovePick((), 3),
        MovePick(("a1",), 24),
        *singly,
    ):
        assert MovePick.read(str(way)) == way


@pytest.mark.parametrize(
    "text", ["=", "=x", "=-1", "=9999", "zz", "a1/zz", "=25", "a1=0", "a1/", "/", "a1=.", "=."]
)
def test_a_way_that_leads_nowhere_is_refused(text: str) -> None:
    game = game_of("quax", {"size": 11, "pie": "off"})
    position = game.initial(Random(0))
    with pytest.raises(PickLostError):
        menu(game, position, MovePick.read(text))
