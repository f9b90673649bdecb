"""The sixth game of the tests keeps the promises that the five keep, so it can stand in for any."""

from __future__ import annotations

import pytest

from tests.games import conformance
from tests.sixth_game import Rows


def test_facts_are_whole() -> None:
    conformance.check_facts(Rows)


@pytest.mark.parametrize("seed", range(6))
def test_random_play_keeps_every_promise(seed: int) -> None:
    for options in conformance.option_sets(Rows):
        conformance.check_random_game(Rows(options), seed, closely=1)
