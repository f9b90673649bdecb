"""Quux once more, written from the rules page alone, slow and plain.

The board is a dictionary from (file, rank) to a list of (colour, size) pairs, sizes 3, 2, 1; the
chain is looked for by painting. Nothing of ``games`` is used.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

NAMES = {3: "L", 2: "M", 1: "S"}
OTHER = {"W": "B", "B": "W"}
Spot = tuple[int, int]


@dataclass
class Reference:
    """A game in progress; :meth:`play` changes it."""

    size: int = 4
    supply: str = "own"
    path: str = "slide"
    pie: str = "off"
    board: dict[Spot, list[tuple[str, int]]] = field(default_factory=dict)
    side: str = "W"
    phase: str = "p"
    turns: int = 0
    passes: int = 0
    movement_turns: int = 0
    exchanged: bool = False
    result: tuple[str, float, float] | None = None

    def __post_init__(self) -> None:
        self.hands = {c: dict.fromkeys((3, 2, 1), self.size + 1) for c in "WB"}
        self.ever = {c: dict.fromkeys((3, 2, 1), 0) for c in "WB"}
        self.seen: Counter[str] = Counter()

    def spots(self) -> list[Spot]:
        return [(f, r) for f in range(self.size) for r in range(self.size)]

    def name(self, spot: Spot) -> str:
        return "abcdefgh"[spot[0]] + str(spot[1] + 1)

    def top(self, spot: Spot) -> tuple[str, int] | None:
        pile = self.board.get(spot)
        return pile[-1] if pile else None

    def supplied(self, size: int) -> bool:
        if not self.hands[self.side][size]:
            return False
        if size == 3:
            return True
        mine, theirs = self.ever[self.side], self.ever[OTHER[self.side]]
        if self.supply == "paired":
            return mine[size] < mine[size + 1]
        if self.supply == "any":
            return mine[size + 1] + theirs[size + 1] > 0
        return mine[size + 1] > 0

    def legal(self) -> set[str]:
        if self.result:
            return set()
        found = set()
        if self.phase == "p":
            for size in (3, 2, 1):
                for spot in self.spots():
                    top = self.top(spot)
                    fits = top is None or (top[0] != self.side and top[1] > size)
                    if fits and self.supplied(size):
                        found.add(NAMES[size] + self.name(spot))
            if self.pie == "on" and self.turns == 1 and not self.exchanged:
                found.add("swap")
        else:
            for spot in self.spots():
                for colour, size in self.board.get(spot, []):
                    if colour == self.side:
                        for target in self.goals(spot, size):
                            found.add(f"{NAMES[size]}{self.name(spot)}-{self.name(target)}")
        return found or {"--"}

    def goals(self, spot: Spot, size: int) -> list[Spot]:
        found = []
        for target in self.spots():
            same_file, same_rank = target[0] == spot[0], target[1] == spot[1]
            if same_file == same_rank:  # the cell itself, or off both lines
                continue
            low, high = sorted((spot, target))
            between = [
                cell
                for cell in self.spots()
                if low < cell < high and (cell[0] == spot[0] if same_file else cell[1] == spot[1])
            ]
            if self.path == "slide" and any(self.top(cell) for cell in between):
                continue
            top = self.top(target)
            if top is None or top[1] > size:
                found.append(target)
        return found

    def play(self, move: str) -> None:
        assert move in self.legal(), move
        if move == "swap":
            self.exchanged = True
            return
        self.turns += 1
        was = self.phase
        if move == "--":
            self.passes += 1
        else:
            self.passes = 0
            size = {name: size for size, name in NAMES.items()}[move[0]]
            spot = self.spot(move[1:3])
            if len(move) == 3:
                self.board.setdefault(spot, []).append((self.side, size))
                self.hands[self.side][size] -= 1
                self.ever[self.side][size] += 1
            else:
                level = self.board[spot].index((self.side, size))
                block = self.board[spot][level:]
                self.board[spot] = self.board[spot][:level]
                self.board.setdefault(self.spot(move[4:6]), []).extend(block)
        self.side = OTHER[self.side]
        if self.painted("W"):
            self.result = ("chain", 1, 0)
        elif self.painted("B"):
            self.result = ("chain", 0, 1)
        elif was == "p":
            hands = [n for hand in self.hands.values() for n in hand.values()]
            if self.passes == 2 or not any(hands):
                self.phase, self.passes = "m", 0
                self.hands = {c: dict.fromkeys((3, 2, 1), 0) for c in "WB"}
                self.seen[self.text()] += 1
        else:
            self.movement_turns += 1
            self.seen[self.text()] += 1
            if self.passes == 2:
                self.result = ("passes", 0.5, 0.5)
            elif self.seen[self.text()] == 3:
                self.result = ("repetition", 0.5, 0.5)
            elif self.movement_turns == 100:
                self.result = ("move_limit", 0.5, 0.5)

    def spot(self, name: str) -> Spot:
        return "abcdefgh".index(name[0]), int(name[1]) - 1

    def painted(self, colour: str) -> bool:
        axis = 1 if colour == "W" else 0
        mine = {spot for spot in self.spots() if (self.top(spot) or " ")[0] == colour}
        paint = {spot for spot in mine if spot[axis] == 0}
        while True:
            more = {s for s in mine if any(abs(s[0] - p[0]) + abs(s[1] - p[1]) == 1 for p in paint)}
            if more <= paint:
                return any(spot[axis] == self.size - 1 for spot in paint)
            paint |= more

    def text(self) -> str:
        ranks = []
        for rank in range(self.size - 1, -1, -1):
            words, empty = [], 0
            for file in range(self.size):
                pile = self.board.get((file, rank))
                if not pile:
                    empty += 1
                    continue
                words += [str(empty)] if empty else []
                empty = 0
                letters = [NAMES[size] if c == "W" else NAMES[size].lower() for c, size in pile]
                words.append("".join(letters))
            ranks.append(",".join(words + ([str(empty)] if empty else [])))
        hands = ["".join(str(self.hands[c][size]) for size in (3, 2, 1)) for c in "WB"]
        return f"{'/'.join(ranks)} {self.side} {hands[0]} {hands[1]} {self.phase}"
