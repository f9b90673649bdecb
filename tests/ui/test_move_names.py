"""Moves typed with the words of a language."""

from __future__ import annotations

from random import Random

import pytest

from bot.domain.game_state import game_of
from bot.i18n import Languages
from bot.ui.pages.match_text import as_written, pieces_begun
from games import catalog

LANGUAGES = Languages()


@pytest.mark.long
@pytest.mark.parametrize("locale", LANGUAGES.known())
@pytest.mark.parametrize("key", [k for k, kind in catalog.GAMES.items() if kind.info.pieces])
def test_the_name_of_a_piece_is_taken_for_its_letter(key: str, locale: str) -> None:
    language = LANGUAGES.of(locale)
    game = game_of(key, catalog.GAMES[key].info.resolve({}))
    rng = Random(2)
    named: set[str] = set()
    position = game.initial(rng)
    for _ in range(30):
        moves = list(game.legal_moves(position))
        for move in rng.sample(moves, min(len(moves), 12)):
            written = game.notation(position, move)
            for letter, name in game.info.pieces.items():
                rest = written.removeprefix(letter).removeprefix("@")
                if written == rest or len(named) > 200:
                    continue
                for said in {language(name), name.english(), language(name).upper()}:
                    for typed in (f"{said} {rest}.", f"`{said}{rest}`"):
                        text = as_written(key, typed, language)
                        assert game.parse(position, text) == move, typed
                named.add(letter)
        if not moves:
            break
        position = game.play(position, rng.choice(moves))
    assert named


@pytest.mark.parametrize("key", [k for k, kind in catalog.GAMES.items() if kind.info.pieces])
def test_half_a_name_means_every_piece_that_begins_so(key: str) -> None:
    german = LANGUAGES.of("de")
    for letter, name in catalog.GAMES[key].info.pieces.items():
        for said in (german(name)[:3].upper(), f"`{name.english()[:2]}"):
            assert letter in pieces_begun(key, said, german)
    assert pieces_begun(key, "", german) == pieces_begun("nogame", "a", german) == []


def test_a_swap_and_a_pass_are_taken_in_words_and_all_else_is_left_as_it_is() -> None:
    german = LANGUAGES.of("de")
    for key, kind in catalog.GAMES.items():
        for move, spoken in kind.info.spoken.items():
            for said in (german(spoken.label), spoken.label.english().upper()):
                assert as_written(key, f" {said}.", german) == move
    assert len(as_written("pux", "x" * 5000, german)) < 200
    for typed in ("a1", "", "\0", "b2,b1c2-c3"):
        assert as_written("pux", typed, german) == typed
    assert as_written("nogame", "Swap", german) == "Swap"
