"""Every ruling has a test that is named after it, and a place in the game's page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.reference import reference
from tests.reference.extract import RULINGS

ROOT = Path(__file__).parents[2]


def page(key: str) -> set[str]:
    """The rulings that the game's page tells of; ``P28, P29`` and ``Q3 to Q5`` name several."""
    text = " ".join((ROOT / "docs/games" / f"{key}.md").read_text(encoding="utf-8").split())
    found = set(re.findall(rf"\b{RULINGS[key]}\b", text))
    for first, last in re.findall(rf"({RULINGS[key]}) to ({RULINGS[key]})", text):
        letters = first.rstrip("0123456789")
        low, high = (int(number.removeprefix(letters)) for number in (first, last))
        found |= {f"{letters}{number}" for number in range(low, high + 1)}
    return found


def covered(key: str) -> set[str]:
    """The rulings that tests of the game begin their names with."""
    letters = RULINGS[key].removesuffix(r"\d+")
    start = letters.lower().replace("-", "")
    found = set()
    for path in Path(__file__).parent.glob(f"test_{key}*.py"):
        text = path.read_text(encoding="utf-8")
        for name in re.findall(rf"def test((?:_{start}\d+[a-z]*)+)_", text):
            found |= {f"{letters}{number}" for number in re.findall(r"\d+", name)}
    return found


@pytest.mark.parametrize("key", list(RULINGS))
def test_every_ruling_of_the_games_page_has_a_test_named_after_it(key: str) -> None:
    assert page(key) - covered(key) == set()
    assert covered(key) - page(key) == set(), "tests of rulings that the page does not tell of"


@pytest.mark.parametrize("key", list(RULINGS))
def test_every_ruling_of_the_rules_is_told_and_tested(key: str) -> None:
    rulings = set(reference("rulings")[key])
    assert len(rulings) > 15
    assert rulings - covered(key) == set()
    assert rulings - page(key) == set()
