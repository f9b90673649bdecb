"""The page about the architecture names files that are there, and at most three for a change."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (?!change|---)([^|]+) \| ([^|]+) \| [^|]+ \|$", re.MULTILINE)
ROWS = ROW.findall(PAGE.partition("## Where to change what")[2])
PLACE = re.compile(r"`([\w./]+(?:\.py|/))`")
# The files of a move are held by tests/app/test_way_of_a_move.py.
ELSEWHERE = re.sub(r"### The files of a move.*?(?=\n`app/wiring.py`)", "", PAGE, flags=re.DOTALL)


def test_eleven_changes_are_there() -> None:
    assert len(ROWS) == 11


@pytest.mark.parametrize(("change", "files"), ROWS)
def test_a_change_takes_at_most_three_files(change: str, files: str) -> None:
    assert len(PLACE.findall(files)) <= 3, change


@pytest.mark.parametrize("place", sorted(set(PLACE.findall(ELSEWHERE))))
def test_every_place_on_the_page_is_there(place: str) -> None:
    roots = (ROOT, ROOT / "bot", ROOT / "bot" / "ui")
    assert any((root / place).exists() for root in roots), place
