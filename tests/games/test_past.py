"""The past that positions share."""

from __future__ import annotations

import pickle
import tracemalloc
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import catalog
from games.past import Past
from tests.support.prolonged import prolonged

PLIES = 3000


@given(st.lists(st.integers(0, 5), max_size=150), st.integers(0, 5))
def test_a_past_is_the_sequence_of_its_entries(entries: list[int], entry: int) -> None:
    past = Past(entries)
    assert list(past) == entries
    assert list(reversed(past)) == entries[::-1]
    assert len(past) == len(entries)
    assert past.count(entry) == entries.count(entry)
    assert past.recurrences(entry) == entries[-2::-2].count(entry)
    assert (entry in past) == (entry in entries)
    assert list(past.followed_by(entry)) == [*entries, entry]
    assert list(past) == entries, "it never changes"


@given(st.lists(st.integers(0, 2), max_size=100), st.lists(st.integers(0, 2), max_size=100))
def test_pasts_are_equal_where_their_entries_are(some: list[int], others: list[int]) -> None:
    assert (Past(some) == Past(others)) == (some == others)
    assert Past(some) == Past(some)
    assert hash(Past(some)) == hash(Past(list(some)))
    assert Past(some) != some
    assert Past([*some, -1]) != Past([*some, -2]), "-1 and -2 have one hash"
    assert repr(Past(some)) == f"Past({some})"


def test_a_very_long_past_is_compared_copied_and_forgotten() -> None:
    entries = [f"{number}" for number in range(100_000)]
    past = Past(entries)
    assert pickle.loads(pickle.dumps(past)) == past
    assert Past(entries[:-1]) != past
    del past


@pytest.mark.long
def test_positions_of_a_long_game_share_their_past() -> None:
    """Two people prolong a game: they undo what they can, and no position comes a third time."""
    game = catalog.create("ziggurat", {})
    moves = prolonged(PLIES)
    tracemalloc.start()
    positions = [game.decode(game.encode(game.initial(Random(1))))]
    for move in moves:
        positions.append(game.play(positions[-1], game.parse(positions[-1], move)))
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert max(len(position.past) for position in positions) > PLIES // 2
    assert used < 2000 * PLIES, "a position takes no more memory than at the beginning"
    last = positions[-1]
    assert game.decode(game.encode(last)) == last
    assert pickle.loads(pickle.dumps(last)) == last
