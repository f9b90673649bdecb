"""Pux from its rules page: a board of letters with a border, every group tried step by step.

The board is a list of 100 letters, ten a rank; the cell with file f and rank r, both from 1, is at
10 * r + f. What lies around the 64 cells is ``#``, so that no step ever leaves the list.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import ClassVar

START = "1xxxxxx1/1xxxxxx1/8/8/8/8/1wwwwww1/1wwwwww1 w -"
CELLS = [10 * rank + file for file in range(1, 9) for rank in range(1, 9)]
NAMES = {cell: f"{'.abcdefgh'[cell % 10]}{cell // 10}" for cell in CELLS}
CELL_OF = {name: cell for cell, name in NAMES.items()}
LEFT, BELOW, ABOVE, RIGHT = -1, -10, 10, 1
AROUND = (-11, -10, -9, -1, 1, 9, 10, 11)
FORWARD = {"w": (9, 10, 11), "x": (-11, -10, -9)}
OTHER = {"w": "x", "x": "w"}
STONES = {
    "w": {".": 0, "#": 0, "w": 1, "W": 2, "x": 0, "X": 0},
    "x": {".": 0, "#": 0, "w": 0, "W": 0, "x": 1, "X": 2},
}
LAST_RANK = {"w": 8, "x": 1}


class Pux:
    """White ``w`` goes up, Black ``x`` down; capitals are promoted."""

    SETTINGS: ClassVar[tuple[dict[str, str], ...]] = ({},)

    STARTS: ClassVar[tuple[str, ...]] = (
        "1xxxxxx1/1xxxx3/4xx2/1w6/2ww4/8/4www1/1wwwwww1 x -",
        "8/8/8/2x5/1ww5/8/8/8 w -",
        "8/8/8/8/8/2W5/2x5/7w w -",
        "8/1www4/8/6x1/8/8/8/wwwwwwww w -",
        "w7/8/8/8/8/8/8/7x w w",
        "w7/8/8/8/8/8/8/7x w wx",  # both have to pass
        "W6W/8/8/8/8/8/8/3X4 x -",
        "8/8/8/xwwWWx2/xWWWx3/8/8/8 w -",
    )

    def __init__(self) -> None:
        self.set(START)

    def set(self, text: str) -> None:
        ranks, self.side, marks = text.split()
        self.board = ["#"] * 100
        for rank, row in zip(range(8, 0, -1), ranks.split("/"), strict=True):
            file = 1
            for letter in row:
                run = int(letter) if letter.isdigit() else 1
                for cell in range(10 * rank + file, 10 * rank + file + run):
                    self.board[cell] = "." if letter.isdigit() else letter
                file += run
        self.lateral = {colour: colour in marks for colour in "wx"}
        self.quiet = self.passes = 0
        self.seen: Counter[str] = Counter()
        self.end = ""
        self.look_for_the_end()

    def potential(self, cell: int) -> int:
        """The stones of a piece and of its friends around it (PX-2)."""
        board = self.board
        stones = STONES[board[cell].lower()]
        return stones[board[cell]] + sum([stones[board[cell + step]] for step in AROUND])

    def reserve(self, colour: str) -> int:
        return 12 - sum([STONES[colour][letter] for letter in self.board])

    def legal(self) -> list[str]:
        if self.end:
            return []
        board, side, enemy = self.board, self.side, OTHER[self.side]
        sideways = () if self.lateral[side] else (LEFT, RIGHT)  # PX-12
        found = []
        for mover in CELLS:
            letter = board[mover]
            if letter.lower() != side:
                continue
            mp = self.potential(mover)
            ahead = FORWARD[side]
            back = FORWARD[enemy] if letter.isupper() else ()  # PX-5
            beside = [mover + step for step in (LEFT, BELOW, ABOVE, RIGHT)]
            riders_at = [cell for cell in beside if board[cell] not in ".#"]  # PX-9
            for direction in (*sideways, *ahead, *back):
                target = mover
                for _ in range(mp):
                    target += direction
                    if board[target] == ".":
                        found.append(f"{NAMES[mover]}-{NAMES[target]}")
                        continue
                    if board[target].lower() == enemy and mp > self.potential(target):
                        found.append(f"{NAMES[mover]}:{NAMES[target]}")  # PX-10
                    break
                for count in range(1, min(len(riders_at), mp - 1) + 1):
                    for riders in combinations(riders_at, count):
                        target = mover
                        group = (mover, *riders)
                        for _ in range(mp // (1 + count)):  # PX-3
                            target += direction
                            by = target - mover
                            for cell in group:  # PX-8
                                if board[cell + by] != "." and cell + by not in group:
                                    break
                            else:
                                company = "".join([NAMES[rider] for rider in riders])
                                found.append(f"{NAMES[mover]},{company}-{NAMES[target]}")
                                continue
                            break
        return found or ["pass"]  # PX-18

    def play(self, move: str) -> None:
        side, board = self.side, self.board
        self.lateral[side] = False
        self.side = OTHER[side]
        if move == "pass":
            self.passes += 1
            self.quiet += 1
        else:
            self.passes = 0
            group, target = move.replace(":", "-").split("-")
            mover, end = CELL_OF[group[:2]], CELL_OF[target]
            riders = [CELL_OF[group[place : place + 2]] for place in range(3, len(group), 2)]
            by = end - mover
            lifted = {cell: board[cell] for cell in (mover, *riders)}
            for cell in lifted:
                board[cell] = "."
            for cell, letter in lifted.items():
                board[cell + by] = letter
            self.lateral[side] = mover // 10 == end // 10
            promoted = False
            if not self.lateral[side]:
                # PX-16: the mover first; CELLS and the cells beside a piece go from file a to h.
                others = sorted((cell + by for cell in riders), key=CELLS.index)
                for cell in (end, *others):
                    promoted = self.promote(cell) or promoted
            self.quiet = 0 if ":" in move or promoted else self.quiet + 1
        self.look_for_the_end()

    def promote(self, cell: int) -> bool:
        """PX-14, PX-15, PX-17: a single stone of either colour on its own last rank."""
        letter = self.board[cell]
        if letter.isupper() or LAST_RANK[letter] != cell // 10 or not self.reserve(letter):
            return False
        self.board[cell] = letter.upper()
        return True

    def look_for_the_end(self) -> None:
        """PX-19, then the draws of PX-20 in the order of the page."""
        position = self.text()
        self.seen[position] += 1
        pieces = "".join(self.board).replace("#", "").replace(".", "")
        if not set(pieces) & set("xX"):
            self.end = "captured_all 1 0"
        elif not set(pieces) & set("wW"):
            self.end = "captured_all 0 1"
        elif self.seen[position] == 3:
            self.end = "repetition 0.5 0.5"
        elif self.quiet == 100:
            self.end = "no_progress 0.5 0.5"
        elif sorted(pieces) == ["W", "X"]:
            self.end = "one_promoted_each 0.5 0.5"
        elif self.passes == 2:
            self.end = "two_passes 0.5 0.5"

    def text(self) -> str:
        board = self.board
        ranks = ["".join(board[10 * rank + 1 : 10 * rank + 9]) for rank in range(8, 0, -1)]
        text = "/".join(ranks)
        for run in range(8, 0, -1):
            text = text.replace("." * run, str(run))
        marks = "".join(colour for colour in "wx" if self.lateral[colour])
        return f"{text} {self.side} {marks or '-'}"

    def turn(self) -> str:
        return "-" if self.end else self.side

    def result(self) -> str:
        return self.end or "none"
