"""Pux once more, written from the rules page alone, slow and plain.

A board is a dictionary from cell names to letters (w W x X); nothing of ``games.pux`` is used. It
knows what a move is and does, and nothing of draws.
"""

from __future__ import annotations

import re
from itertools import combinations

FILES = "abcdefgh"
LAST_RANK = {"w": 8, "x": 1}
Board = dict[str, str]


def read(text: str) -> tuple[Board, str, str]:
    ranks, side, marks = text.split()
    board = {}
    for rank, row in zip(range(8, 0, -1), ranks.split("/"), strict=True):
        cells = re.sub("[1-8]", lambda run: "." * int(run[0]), row)
        for file, letter in zip(FILES, cells, strict=True):
            if letter != ".":
                board[f"{file}{rank}"] = letter
    return board, side, marks.strip("-")


def write(board: Board, side: str, marks: str) -> str:
    rows = ["".join(board.get(f"{f}{r}", ".") for f in FILES) for r in range(8, 0, -1)]
    ranks = re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(rows))
    return f"{ranks} {side} {marks or '-'}"


def stones(letter: str) -> int:
    return 2 if letter.isupper() else 1


def step(cell: str, files: int, ranks: int) -> str | None:
    file, rank = FILES.index(cell[0]) + files, int(cell[1]) + ranks
    return f"{FILES[file]}{rank}" if 0 <= file < 8 and 1 <= rank <= 8 else None


def potential(board: Board, cell: str) -> int:
    around = [step(cell, f, r) for f in (-1, 0, 1) for r in (-1, 0, 1)]
    own = board[cell].lower()
    return sum(stones(board[c]) for c in around if c in board and board[c].lower() == own)


def results(text: str) -> dict[str, str]:
    """For each legal move, in notation, the position text after it."""
    board, side, marks = read(text)
    enemy = "x" if side == "w" else "w"
    ahead = 1 if side == "w" else -1
    found = {}
    for mover in (cell for cell in board if board[cell].lower() == side):
        mp = potential(board, mover)
        beside = [step(mover, *d) for d in ((-1, 0), (0, -1), (0, 1), (1, 0))]
        riders_at = sorted(cell for cell in beside if cell in board)
        for files, ranks in [(f, r) for f in (-1, 0, 1) for r in (-1, 0, 1) if f or r]:
            if ranks == -ahead and board[mover].islower():
                continue
            if ranks == 0 and side in marks:
                continue
            after_marks = "".join(
                m for m in "wx" if (m in marks and m != side) or (m == side and ranks == 0)
            )
            for count in range(len(riders_at) + 1):
                for riders in combinations(riders_at, count):
                    group = (mover, *riders)
                    for length in range(1, mp // len(group) + 1):
                        landed = {c: step(c, files * length, ranks * length) for c in group}
                        if None in landed.values():
                            break
                        rest = {c: p for c, p in board.items() if c not in group}
                        hit = [c for c in landed.values() if c in rest]
                        if hit:
                            target = hit[0]
                            if (
                                not riders
                                and rest[target].lower() == enemy
                                and mp > potential(board, target)
                            ):
                                after = {**rest, target: board[mover]}
                                promote(after, [target], ranks)
                                found[f"{mover}:{target}"] = write(after, enemy, after_marks)
                            break
                        after = {**rest, **{landed[c]: board[c] for c in group}}
                        others = sorted(landed[c] for c in riders)
                        promote(after, [landed[mover], *others], ranks)
                        company = "," + "".join(riders) if riders else ""
                        move = f"{mover}{company}-{landed[mover]}"
                        found[move] = write(after, enemy, after_marks)
    return found or {"pass": write(board, enemy, marks.replace(side, ""))}


def promote(board: Board, arrived: list[str], ranks: int) -> None:
    if ranks == 0:
        return
    for cell in arrived:
        letter = board[cell]
        if not letter.islower() or int(cell[1]) != LAST_RANK[letter]:
            continue
        if sum(stones(p) for p in board.values() if p.lower() == letter) < 12:
            board[cell] = letter.upper()
