"""Proofs that a side wins, and a check of them that uses nothing but the rules.

A certificate has the winner's answer in each position that can occur. The check plays all moves of
the other side and only the answers of the winner, and finds that every game ends with the winner's
win. A position without an answer must have a move that wins immediately. ``python -m
games.certificate FILE ...`` checks files of them, a line of JSON each, packed by gzip.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from games import catalog
from games.api import Game, OptionValue


class FlawError(ValueError):
    """A certificate whose proof fails."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """That the seat ``winner`` wins after ``opening``, with its answers by encoded position."""

    game: str
    options: Mapping[str, OptionValue]
    opening: tuple[str, ...]
    winner: int
    answers: Mapping[str, str]

    def check(self) -> int:
        """Play all games that it allows; returns the number of their positions.

        :exc:`FlawError` if one of them does not end with the win. For games that cannot go on for
        ever.
        """
        game = catalog.create(self.game, self.options)
        position = game.initial(Random(0))
        for text in self.opening:
            position = game.play(position, game.parse(position, text))
        left, seen = [position], {position}
        while left:
            for then in self._following(game, left.pop()):
                if then not in seen:
                    seen.add(then)
                    left.append(then)
        return len(seen)

    def _following(self, game: Game[Any, Any], position: Any) -> list[Any]:
        """The possible next positions."""
        outcome = game.outcome(position)
        if outcome is not None:
            if outcome.winners != (self.winner,):
                raise FlawError(f"not won: {game.encode(position)}")
            return []
        after = [game.play(position, move) for move in game.legal_moves(position)]
        if game.to_move(position) != self.winner:
            return after
        answer = self.answers.get(game.encode(position))
        if answer is not None:
            return [game.play(position, game.parse(position, answer))]
        for then in after:
            outcome = game.outcome(then)
            if outcome is not None and outcome.winners == (self.winner,):
                return []
        raise FlawError(f"no answer in {game.encode(position)}")


def certificate(
    game: Game[Any, Any],
    opening: Sequence[str],
    winner: int,
    answer: Callable[[Any], Any],
) -> Certificate:
    """The certificate of a seat that wins after these moves by the moves of ``answer``.

    ``answer`` returns None where a move wins immediately.
    """
    start = game.initial(Random(0))
    for text in opening:
        start = game.play(start, game.parse(start, text))
    answers: dict[str, str] = {}
    left, seen = [start], {start}
    while left:
        here = left.pop()
        moves = list(game.legal_moves(here))
        if game.to_move(here) == winner:
            move = answer(here)
            if move is None:
                continue
            answers[game.encode(here)] = game.notation(here, move)
            moves = [move]
        for move in moves:
            then = game.play(here, move)
            if game.outcome(then) is None and then not in seen:
                seen.add(then)
                left.append(then)
    return Certificate(game.info.key, dict(game.options), tuple(opening), winner, answers)


def write_certificates(file: Path, certificates: Sequence[Certificate]) -> None:
    """Write a file of certificates; the same ones make the same file."""
    lines = "".join(json.dumps(asdict(each), sort_keys=True) + "\n" for each in certificates)
    file.write_bytes(gzip.compress(lines.encode(), mtime=0))


def read_certificates(file: Path) -> Iterator[Certificate]:
    """The certificates of a file."""
    for line in gzip.decompress(file.read_bytes()).decode().splitlines():
        told = json.loads(line)
        yield Certificate(**told | {"opening": tuple(told["opening"])})


def main(names: Sequence[str]) -> int:
    """Check the files of these names; 1 if a proof fails."""
    code = 0
    for name in names:
        for each in read_certificates(Path(name)):
            what = f"{each.game} {dict(each.options)} after {' '.join(each.opening) or 'nothing'}"
            try:
                count = each.check()
                line = f"{what}: seat {each.winner} wins, checked in {count} positions"
            except FlawError as flaw:
                line, code = f"{what}: {flaw}", 1
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
    return code


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
