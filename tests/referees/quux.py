"""Quux from its rules page: a dictionary of piles, each a list of (colour, size) pairs."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

SIZES = {3: "L", 2: "M", 1: "S"}
OTHER = {"W": "B", "B": "W"}
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
Cell = tuple[int, int]


def name(cell: Cell) -> str:
    return "abcdefgh"[cell[0]] + str(cell[1] + 1)


def cell_of(text: str) -> Cell:
    return "abcdefgh".index(text[0]), int(text[1]) - 1


class Quux:
    """White joins rank 1 to the last rank, Black file a to the last file (Q1)."""

    SETTINGS: ClassVar[tuple[dict[str, str], ...]] = tuple(
        {"size": size, "supply": supply, "path": path, "pie": pie}
        for pie in ("off", "on")
        for size in ("4", "3", "5", "6")
        for path in ("slide", "jump")
        for supply in ("own", "paired", "any")
    )

    STARTS: ClassVar[tuple[str, ...]] = (
        "4/2,lM,1/1,Lm,2/4 W 445 445 p",
        "M,lMs,l,m/lMs,LmS,L,lS/Ls,S,Ms,mS/Lm,l,LmS,Ms W 000 000 m",
        "S,s,s/S,s,S/s,S,s W 000 000 m",  # nobody can move
        "Lm,lM,Lm/l,L,l/lMs,Lm,lM W 122 122 p",  # few places are left
        "3/S,1,s/3 W 000 000 m",
    )

    def __init__(
        self, size: str = "4", supply: str = "own", path: str = "slide", pie: str = "off"
    ) -> None:
        self.size, self.supply, self.path, self.pie = int(size), supply, path, pie == "on"
        self.board: dict[Cell, list[tuple[str, int]]] = {}
        self.side, self.phase = "W", "p"
        self.hands = {c: dict.fromkeys(SIZES, self.size + 1) for c in "WB"}
        self.swapped = False
        self.passes = self.movement_turns = 0
        self.seen: Counter[str] = Counter()
        self.end = ""

    def may_swap(self, *, is_so: bool) -> None:
        """Know what no position text tells: whether colours may be exchanged."""
        self.swapped = not is_so

    def set(self, text: str) -> None:
        ranks, self.side, *hands, self.phase = text.split()
        rows = ranks.split("/")
        self.size = len(rows)
        self.board = {}
        for rank, row in zip(range(self.size - 1, -1, -1), rows, strict=True):
            file = 0
            for word in row.split(","):
                if word.isdigit():
                    file += int(word)
                    continue
                self.board[file, rank] = [
                    ("W" if letter.isupper() else "B", 1 + "SML".index(letter.upper()))
                    for letter in word
                ]
                file += 1
        for colour, hand in zip("WB", hands, strict=True):
            self.hands[colour] = dict(zip((3, 2, 1), map(int, hand), strict=True))
        self.swapped = False
        self.passes = self.movement_turns = 0
        self.seen = Counter([self.text()] if self.phase == "m" else [])
        self.end = ""
        self.look_for_chains()

    def cells(self) -> list[Cell]:
        return [(f, r) for f in range(self.size) for r in range(self.size)]

    def placed(self, colour: str, size: int) -> int:
        """How many pyramids of a size a player has ever placed (Q5)."""
        return self.size + 1 - self.hands[colour][size]

    def supplied(self, size: int) -> bool:
        """Whether the side on turn may place that size at all (Q3, Q4)."""
        me = self.side
        if not self.hands[me][size]:
            return False
        if size == 3:
            return True
        if self.supply == "paired":
            return self.placed(me, size) < self.placed(me, size + 1)
        mine = self.placed(me, size + 1)
        return mine > 0 or (self.supply == "any" and self.placed(OTHER[me], size + 1) > 0)

    def legal(self) -> list[str]:
        if self.end:
            return []
        found = []
        if self.phase == "p":
            for size in filter(self.supplied, SIZES):
                for cell in self.cells():
                    pile = self.board.get(cell)
                    if not pile or (pile[-1][0] != self.side and pile[-1][1] > size):  # Q6, Q7
                        found.append(SIZES[size] + name(cell))
            on_board = sum(map(len, self.board.values()))
            if self.pie and not self.swapped and on_board == 1 and self.side == "B":
                found.append("swap")  # Q2
        else:
            for cell, pile in self.board.items():
                for colour, size in pile:
                    if colour == self.side:  # Q12
                        goals = self.goals(cell, size)
                        found += [f"{SIZES[size]}{name(cell)}-{name(goal)}" for goal in goals]
        return found or ["--"]  # Q8, Q9, Q19

    def goals(self, cell: Cell, size: int) -> list[Cell]:
        """Where a block with a piece of that size at its bottom may go (Q14 to Q17)."""
        found = []
        for files, ranks in STEPS:
            f, r = cell[0] + files, cell[1] + ranks
            while 0 <= f < self.size and 0 <= r < self.size:
                pile = self.board.get((f, r))
                if not pile or pile[-1][1] > size:
                    found.append((f, r))
                if pile and self.path == "slide":
                    break
                f, r = f + files, r + ranks
        return found

    def play(self, move: str) -> None:
        if move == "swap":
            self.swapped = True
            return
        phase = self.phase
        self.passes = self.passes + 1 if move == "--" else 0
        if move != "--":
            size, cell = 1 + "SML".index(move[0]), cell_of(move[1:3])
            if phase == "p":
                self.board.setdefault(cell, []).append((self.side, size))
                self.hands[self.side][size] -= 1
            else:
                pile = self.board.pop(cell)
                level = pile.index((self.side, size))
                if level:
                    self.board[cell] = pile[:level]
                self.board.setdefault(cell_of(move[4:]), []).extend(pile[level:])  # Q13
        self.side = OTHER[self.side]
        self.look_for_chains()
        if self.end:
            return
        if phase == "p":
            empty = not any(number for hand in self.hands.values() for number in hand.values())
            if empty or self.passes == 2:  # Q10, Q11
                self.phase, self.passes = "m", 0
                self.hands = {c: dict.fromkeys(SIZES, 0) for c in "WB"}
                self.seen[self.text()] += 1
            return
        self.movement_turns += 1
        self.seen[self.text()] += 1
        if self.passes == 2:
            self.end = "passes 0.5 0.5"  # Q19
        elif self.seen[self.text()] == 3:
            self.end = "repetition 0.5 0.5"  # Q20
        elif self.movement_turns == 100:
            self.end = "move_limit 0.5 0.5"  # Q20

    def look_for_chains(self) -> None:
        """Both sides are looked at, after every move (Q18)."""
        for colour, end in (("W", "chain 1 0"), ("B", "chain 0 1")):
            axis = 1 if colour == "W" else 0
            todo = [c for c, pile in self.board.items() if pile[-1][0] == colour and c[axis] == 0]
            seen = set(todo)
            while todo:
                f, r = here = todo.pop()
                if here[axis] == self.size - 1:
                    self.end = end
                for files, ranks in STEPS:
                    near = (f + files, r + ranks)
                    if near in self.board and self.board[near][-1][0] == colour:
                        todo += [near] * (near not in seen)
                        seen.add(near)

    def text(self) -> str:
        rows = []
        for rank in range(self.size - 1, -1, -1):
            words, empty = [], 0
            for file in range(self.size):
                pile = self.board.get((file, rank))
                if not pile:
                    empty += 1
                    continue
                if empty:
                    words.append(str(empty))
                    empty = 0
                letters = [SIZES[size] if c == "W" else SIZES[size].lower() for c, size in pile]
                words.append("".join(letters))
            rows.append(",".join(words + ([str(empty)] if empty else [])))
        hands = ["".join(str(self.hands[c][size]) for size in SIZES) for c in "WB"]
        return f"{'/'.join(rows)} {self.side} {hands[0]} {hands[1]} {self.phase}"

    def turn(self) -> str:
        return "-" if self.end else self.side

    def result(self) -> str:
        return self.end or "none"
