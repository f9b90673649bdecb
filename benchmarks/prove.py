"""The winner of a small board of Quax after a first stone, as a certificate for others to check.

It compiles the solver beside this file (a C compiler is needed), asks it for the winner's move in
each possible position, and writes a certificate, which ``python -m games.certificate`` checks by
the rules alone.

    python -m benchmarks.prove 5 benchmarks/results/proofs/quax_5.jsonl.gz c3
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from engines.quax.board import FALLING, RISING, QuaxBoard
from games import catalog
from games.api import Game
from games.certificate import Certificate, certificate, write_certificates

_SOURCE = Path(__file__).with_name("quax_solver.c")
_TABLE_BITS = 25
"""The solver's table has 2 to this power entries of 24 bytes."""
_LARGEST = 5

Ask = Callable[[Any], str]
"""Asks the solver about a position."""


def prove(
    size: int, openings: list[str], folder: Path, bits: int = _TABLE_BITS
) -> list[Certificate]:
    """The certificates of these first stones; the program is compiled into the folder."""
    program = folder / "quax_solver"
    subprocess.run(
        ["cc", "-O2", f"-DSIZE={size}", "-o", str(program), str(_SOURCE)], check=True, timeout=120
    )
    game = catalog.create("quax", {"size": size, "pie": "off"})
    board = QuaxBoard(size)
    with subprocess.Popen(
        [str(program), str(bits)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as solver:

        def ask(position: Any) -> str:
            if solver.stdin is None or solver.stdout is None:
                raise ValueError("the solver has no pipes")
            state = board.start(position)
            solver.stdin.write(" ".join(map(str, state[:5])) + "\n")
            solver.stdin.flush()
            return solver.stdout.readline().strip()

        return [_certificate(game, board, opening, ask) for opening in openings]


def _certificate(game: Game[Any, Any], board: QuaxBoard, opening: str, ask: Ask) -> Certificate:
    start = game.initial(Random(0))
    start = game.play(start, game.parse(start, opening))
    mover = game.to_move(start)
    if mover is None:
        raise ValueError("the game is over")

    def answer(position: Any) -> Any:
        told = ask(position)
        if told == "now":
            return None
        kind, bit = map(int, told.split())
        return board.named(board.start(position), bit << (0, RISING, FALLING)[kind])

    winner = 1 - mover if ask(start) == "lost" else mover
    return certificate(game, (opening,), int(winner), answer)


def main(arguments: list[str]) -> int:
    """Prove some first stones and print the winners; returns the exit code."""
    size, file, *openings = arguments
    if not 3 <= int(size) <= _LARGEST or not openings:
        raise ValueError(f"a size from 3 to {_LARGEST}, a file and at least one first stone")
    with tempfile.TemporaryDirectory() as folder:
        found = prove(int(size), openings, Path(folder))
    write_certificates(Path(file), found)
    for each in found:
        sys.stdout.write(
            f"{each.opening[0]}: seat {each.winner} wins, {len(each.answers)} answers\n"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
