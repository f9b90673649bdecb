"""Variations of a record: moves tried beside those played, as a tree and as a text.

Positions have numbers: those of the moves played, from 0 for the start, then those after each tried
move, in the order of the text. In the text a variation stands in parentheses after the turn, or the
move of another variation, that it replaces, and begins in the position before it; one that
continues from the last position repeats the last turn. Variations may be nested.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, TypeAlias

from bot.errors import UserError
from bot.history.domain.claims import FileText, Variation
from bot.history.domain.record import Tried
from games.api import Game

MOST_TRIED = 200
"""The most moves that may be tried beside those played,"""
DEEPEST = 40
"""and the most in one line."""
_MOST_READ = 10 * MOST_TRIED
"""The most moves of variations that are read, including beginnings that repeat others."""
NESTED = 2 * DEEPEST
"""The deepest nesting of parentheses."""


def refuse(line: int) -> UserError:
    """The refusal of more variations than a file may hold."""
    return UserError("record_variations", line=line, most=MOST_TRIED, deepest=DEEPEST)


Parse: TypeAlias = "Callable[[Any, str, FileText, int], tuple[Any, str]]"
"""Reads the first move of a text, of that number, in a position; also returns the rest of it."""


class Tree:
    """The positions of a game and of all moves tried beside it."""

    def __init__(
        self, game: Game[Any, Any], positions: Sequence[Hashable], moves: Sequence[str]
    ) -> None:
        """``moves`` are those played, in canonical notation; they led to the ``positions``."""
        self.game = game
        self.plies = len(moves)
        self.positions: list[Any] = list(positions)
        self.tried: list[Tried] = []
        self._ways: list[dict[str, int]] = [{move: ply} for ply, move in enumerate(moves, 1)]
        self._ways += [{} for _ in range(len(positions) - len(moves))]
        self._depths = [0] * len(positions)
        self._read = 0

    def next(self, at: int) -> dict[str, int]:
        """The moves that continue from a position, the one played first, and where they lead."""
        return self._ways[at]

    def path(self, at: int) -> list[int]:
        """The positions after each tried move on the way from the game to this one."""
        found: list[int] = []
        while at > self.plies:
            found.append(at)
            at = self.tried[at - self.plies - 1].after
        return found[::-1]

    def base(self, at: int) -> int:
        """The number of moves of the game before the way to a position leaves it."""
        path = self.path(at)
        return self.tried[path[0] - self.plies - 1].after if path else at

    def has_room(self, at: int) -> bool:
        """Whether another move can be tried in a position."""
        return len(self.tried) < MOST_TRIED and self._depths[at] < DEEPEST

    def go(self, at: int, move: Any) -> int | None:
        """The position after a legal move, perhaps a new one; None if there is no room for it."""
        before = self.positions[at]
        words = self.game.notation(before, move)
        known = self._ways[at].get(words)
        if known is not None:
            return known
        if not self.has_room(at):
            return None
        self.tried.append(Tried(at, words))
        self.positions.append(self.game.play(before, move))
        self._ways.append({})
        self._depths.append(self._depths[at] + 1)
        self._ways[at][words] = len(self.positions) - 1
        return len(self.positions) - 1

    def without(self, at: int) -> tuple[Tried, ...]:
        """The tried moves, without the one that leads to a position and all that follow it."""
        gone = {at}
        for number, each in enumerate(self.tried, self.plies + 1):
            if each.after in gone:
                gone.add(number)
        numbered = enumerate(self.tried, self.plies + 1)
        kept = {number: each for number, each in numbered if number not in gone}
        new = {number: self.plies + 1 + place for place, number in enumerate(kept)}
        return tuple(Tried(new.get(each.after, each.after), each.move) for each in kept.values())

    def read(self, variation: Variation, starts: Sequence[int], parse: Parse) -> None:
        """Read a variation of a file, whose turns begin with the plies ``starts``."""
        self._take(variation, starts[variation.turn] if variation.turn >= 0 else 0, parse)

    def _take(self, variation: Variation, base: int, parse: Parse) -> None:
        at = before = base
        for part in variation.parts:
            if isinstance(part, Variation):
                self._take(part, before, parse)
                continue
            before, rest = at, part.text
            while rest:
                number = self.base(at) + self._depths[at] + 1
                move, rest = parse(self.positions[at], rest, part, number)
                self._read += 1
                after = None if self._read > _MOST_READ else self.go(at, move)
                if after is None:
                    raise refuse(part.line)
                at = after


def arranged(plies: int, tried: Sequence[Tried]) -> tuple[tuple[Tried, ...], dict[int, int]]:
    """The tried moves in the order of the text, and the new number of each."""
    found = [
        number
        for ply in sorted({each.after for each in tried if each.after <= plies})
        for each in _branches(plies, tried, ply)
        for number in _line(plies, tried, [each])
        if isinstance(number, int)
    ]
    numbers = {old: plies + 1 + place for place, old in enumerate(found)}
    moved = (tried[old - plies - 1] for old in found)
    return tuple(Tried(numbers.get(each.after, each.after), each.move) for each in moved), numbers


def written(plies: int, tried: Sequence[Tried], turn: Sequence[str], first: int) -> str:
    """The variations after a turn whose first move is that of this ply."""
    if not tried:
        return ""
    words = []
    last = first + len(turn)
    for ply in range(first, last + (last == plies)):
        for each in _branches(plies, tried, ply):
            line = [
                part if isinstance(part, str) else tried[part - plies - 1].move
                for part in _line(plies, tried, [each])
            ]
            words.append(f"({' '.join([*turn[: ply - first], *line])})")
    return " ".join(words).replace("( ", "(").replace(" )", ")")


def _branches(plies: int, tried: Sequence[Tried], at: int) -> list[int]:
    return [plies + 1 + place for place, each in enumerate(tried) if each.after == at]


def _line(plies: int, tried: Sequence[Tried], ways: list[int]) -> Iterator[int | str]:
    """The first of these moves, the others in parentheses, and the continuation of the first."""
    while ways:
        yield ways[0]
        for other in ways[1:]:
            yield "("
            yield from _line(plies, tried, [other])
            yield ")"
        ways = _branches(plies, tried, ways[0])
