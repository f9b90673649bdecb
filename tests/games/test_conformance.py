"""Every game of the catalogue keeps the promises of ``conformance.py``.

``PARLOUR_GAMES=N`` sets how many random games of each game are played.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games import catalog
from games.api import IntOption
from tests.games import conformance

RANDOM_GAMES = int(os.environ.get("PARLOUR_GAMES", "5"))
CHUNKS = min(10, RANDOM_GAMES)
"""Parts in which the random games of one game are run, so that processors can share them."""
CLOSE_LOOK = 10
"""Of so many games one is looked at in detail; the others have to come to their end."""

games = pytest.mark.parametrize("key", list(catalog.GAMES))


@games
def test_facts_are_whole(key: str) -> None:
    conformance.check_facts(catalog.GAMES[key])
    assert catalog.GAMES[key].info.key == key


@games
def test_every_set_of_options_plays(key: str) -> None:
    for given_options in conformance.option_sets(catalog.GAMES[key]):
        conformance.check_random_game(catalog.create(key, given_options), 0, closely=4)


@games
@pytest.mark.timeout(900)  # long games on a busy machine
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_play_keeps_every_promise(key: str, chunk: int) -> None:
    kind = catalog.GAMES[key]
    tables = [kind(given_options) for given_options in conformance.option_sets(kind)]
    for number, seed in enumerate(range(chunk, RANDOM_GAMES, CHUNKS)):
        # Within a part as from part to part, games and close looks go round all tables.
        table = tables[(chunk + number + number // CLOSE_LOOK) % len(tables)]
        if number % CLOSE_LOOK == 0:
            conformance.check_random_game(table, seed)
        else:
            conformance.check_game_ends(table, seed)


def positions(game: Any, seeds: Iterable[int] = range(4)) -> list[Any]:
    """Some positions from the start, the middle and the end of random games."""
    found = []
    for seed in seeds:
        rng = Random(seed)
        position = game.initial(rng)
        line = [position]
        while moves := list(game.legal_moves(position)):
            position = game.play(position, rng.choice(moves))
            line.append(position)
        found += [line[0], line[1], line[len(line) // 2], line[-1]]
    return found


def spellings(game: Any, found: list[Any]) -> st.SearchStrategy[Any]:
    """Texts that are moves and positions, and texts that nearly are."""
    exact = []
    for position in found:
        exact += [game.encode(position), game.position_text(position)]
        exact += [game.notation(position, move) for move in game.legal_moves(position)]
    near = st.lists(st.sampled_from(exact), min_size=1, max_size=3).map(" ".join)
    letters = sorted(set("".join(exact)))
    anything = st.text(st.characters(codec=None, categories=None), max_size=40)
    return st.one_of(
        st.sampled_from(exact),
        near,
        st.text(st.sampled_from(letters), max_size=12),
        st.builds(_with_a_slip, st.sampled_from(exact), st.integers(0, 400), anything),
        anything,
    )


def _with_a_slip(text: str, place: int, slip: str) -> str:
    place %= len(text) + 1
    return text[:place] + slip[:1] + text[place + len(slip) % 2 :]


def small_and_default() -> Iterator[Any]:
    """Each game at its defaults and, where it has numbers to choose, at the least of them."""
    for key, kind in catalog.GAMES.items():
        yield key, {}
        if least := {o.key: o.minimum for o in kind.info.options if isinstance(o, IntOption)}:
            yield key, least


@pytest.mark.parametrize(("key", "given_options"), list(small_and_default()))
def test_any_text_is_read_or_refused_as_declared(key: str, given_options: dict[str, Any]) -> None:
    game = catalog.create(key, given_options)
    found = positions(game)

    @settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow])
    @given(st.sampled_from(found), spellings(game, found))
    def read(position: Any, text: Any) -> None:
        conformance.check_any_text(game, position, text)

    read()


HOSTILE = [
    "",
    " ",
    "\0",
    "a1\0",
    "\ud800",
    "a\udfff1",
    "a" * 6000,
    "9" * 6000,
    "1" * 6000 + " x -",
    "/" * 6000,
    "a1" * 3000,
    "٣a",
    "a٣",
    "a²",
    "①①",
    "a1\n",
    "a1;b2",
    "--",
    "@everyone",
    "😀",
    "ﷺ" * 100,
    "{text}",
    "%s",
    "None",
    "-1",
    "a-1",
    "a0",
    "a1 - -",
    "x -",
]


@games
def test_hostile_text_is_refused_as_declared(key: str) -> None:
    game = catalog.create(key)
    for position in positions(game, [0]):
        for text in HOSTILE:
            conformance.check_any_text(game, position, text)
