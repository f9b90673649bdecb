"""Each game's own process against a second implementation that knows only its rules page.

``make referee`` plays a million plies of each game, this here some thousand.
"""

from __future__ import annotations

import ast
import itertools
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from games import catalog
from games.api import IntOption
from tests.games.test_perft import COUNTS
from tests.referees import REFEREES, quax
from tests.referees.match import Disagreement, compare
from tests.referees.pux import Pux

pytestmark = pytest.mark.long

FOLDER = Path(__file__).parents[1] / "referees"
PLIES = {"quax": 3500, "quux": 3000}


@pytest.mark.parametrize("key", list(REFEREES))
def test_the_shell_agrees_with_an_independent_referee_move_for_move(key: Any) -> None:
    tally = compare(key, PLIES.get(key, 2000), seed=1)
    assert tally.refusals > 100
    assert tally.games >= len(REFEREES[key].SETTINGS), "some options were not played"


@pytest.mark.parametrize("key", list(REFEREES))
def test_a_referee_plays_every_value_of_every_option(key: Any) -> None:
    for option in catalog.GAMES[key].info.options:
        played = {settings[option.key] for settings in REFEREES[key].SETTINGS}
        if isinstance(option, IntOption) and set(option.suggested) != {3, 4, 5, 6}:
            assert played == {str(n) for n in range(option.minimum, option.maximum + 1)}
        else:
            assert played == {str(value) for value in values(option)}


def values(option: Any) -> Any:
    return option.suggested if isinstance(option, IntOption) else [c.key for c in option.choices]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_a_referee_knows_nothing_of_the_games(path: Any) -> None:
    """Only the standard library, and for the table of all referees each other."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        for name in names:
            is_own = name.startswith("tests.referees") and path.stem in {
                "__init__",
                "__main__",
                "match",
            }
            assert is_own or name.split(".")[0] in sys.stdlib_module_names, name


@pytest.mark.parametrize(("key", "options", "text", "counts"), COUNTS)
def test_a_referee_counts_as_the_page_does(key: Any, options: Any, text: Any, counts: Any) -> None:
    referee = REFEREES[key](**{name: str(value) for name, value in options.items()})
    if text:
        referee.set(text)
    known = [int(each) for each in counts.split()]
    known = [each for before, each in itertools.pairwise([1, *known]) if before < 1_200]
    assert [count(referee, depth + 1) for depth in range(len(known))] == known


def count(referee: Any, depth: Any) -> Any:
    """How many sequences of so many moves there are."""
    moves = referee.legal()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = deepcopy(referee)
        after.play(move)
        total += count(after, depth - 1)
    return total


class LinksMayCross(quax.Quax):
    """Forgets QX-8."""

    def legal(self) -> Any:
        crossed = []
        for left, colour in self.stones.items():
            for up in (1, -1):
                right = (left[0] + 1, left[1] + up)
                across = ((left[0], right[1]), (right[0], left[1]))
                is_own = colour == self.side == self.stones.get(right)
                if is_own and not self.winner and across in self.links:
                    crossed.append(quax.name(left) + quax.name(right))
        return super().legal() + crossed


class PromotedCountsOne(Pux):
    """Forgets PX-2."""

    def potential(self, cell: Any) -> Any:
        board, own = self.board, self.board[cell]
        near = [board[cell + step] for step in (-11, -10, -9, -1, 1, 9, 10, 11)]
        return 1 + own.isupper() + sum(letter.lower() == own.lower() for letter in near)


@pytest.mark.parametrize(("key", "wrong"), [("quax", LinksMayCross), ("pux", PromotedCountsOne)])
def test_a_referee_who_has_a_rule_wrong_is_found_out(key: Any, wrong: Any) -> None:
    with pytest.raises(Disagreement, match=rf"(?s)new {key}.*legal\n  referee.*\n  game"):
        compare(key, 20_000, seed=1, referee=wrong)
