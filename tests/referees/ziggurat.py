"""Ziggurat from its rules page: a dictionary from square names to piles of (side, kind) pairs.

Captures are read off the page's table rather than derived, and every position of the game is kept
for the repetition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from typing import ClassVar

FILES = "abcdef"
VALUE = {"Q": 3, "D": 2, "W": 1}
HOME = dict(zip(FILES, "QDWWDQ", strict=True))
OTHER = {"S": "N", "N": "S"}
TABLE = {
    "Q": {"D", "WD"},
    "D": {"W", "Q"},
    "W": {"D", "QD"},
    "DW": {"Q"},
    "DQ": {"W"},
}
"""For each mover what it may land on."""
TOWERS, KEEPS = ("QD", "DW", "QDW"), ("WD", "DQ", "WDQ")
Pile = list[tuple[str, str]]


class Ziggurat:
    """South ``S`` moves up, North ``N`` down."""

    SETTINGS: ClassVar[tuple[dict[str, str], ...]] = ({},)

    STARTS: ClassVar[tuple[str, ...]] = (
        "q,D,w,3/2,w,3/4,d,1/1,w,1,dQ,2/D,W,QdW,q,1,D/Q,q,4 S W|- -|-",
        "Q,2,wD,2/d,w,1,Q,q,1/6/2,q,Wd,2/1,W,2,W,1/Q,Dq,Dw,3 N -|d -|-",
        "DQ,W,4/W,5/6/6/5,w/4,w,dq S -|- QW|qw",  # nobody can move
        "DQ,W,4/W,5/6/6/4,q,1/4,w,dq N -|- QW|qw",
    )

    def __init__(self) -> None:
        self.board: dict[str, Pile] = {}
        for file, kind in HOME.items():
            self.board[f"{file}1"] = [("S", kind)]
            self.board[f"{file}6"] = [("N", kind)]
        self.side = "S"
        self.reserve = {"S": set("QDW"), "N": set("QDW")}
        self.exited: dict[str, set[str]] = {"S": set(), "N": set()}
        self.passes = 0
        self.end = ""
        self.seen = Counter([self.text()])

    def set(self, text: str) -> None:
        ranks, self.side, reserve, exited = text.split()
        self.board = {}
        for rank, row in zip("654321", ranks.split("/"), strict=True):
            file = 0
            for word in row.split(","):
                if word.isdigit():
                    file += int(word)
                else:
                    pile = [("S" if letter.isupper() else "N", letter.upper()) for letter in word]
                    self.board[FILES[file] + rank] = pile
                    file += 1
        for kept, words in ((self.reserve, reserve), (self.exited, exited)):
            for side, kinds in zip("SN", words.split("|"), strict=True):
                kept[side] = set(kinds.upper()) - {"-"}
        self.passes = 0
        self.end = ""
        self.seen = Counter([self.text()])
        for side in (OTHER[self.side], self.side):  # who has just moved comes first (Z22)
            if not self.end and len(self.exited[side]) == 3:
                self.win("exit", side)
        for side in (self.side, OTHER[self.side]):
            if not self.end and self.lost(side):
                self.win("control", OTHER[side])

    def forward(self, side: str) -> int:
        return 1 if side == "S" else -1

    def at(self, cell: str, files: int, ranks: int) -> str | None:
        """The square so far away; ``beyond`` for one in the row behind the far home row."""
        file, rank = FILES.index(cell[0]) + files, int(cell[1]) + ranks
        if not 0 <= file < 6:
            return None
        if rank == (7 if self.side == "S" else 0):
            return "beyond"
        return FILES[file] + str(rank) if 1 <= rank <= 6 else None

    def takes(self, cell: str, target: str) -> bool:
        """Whether the pile on ``cell`` may land on ``target``, empty or not."""
        if target not in self.board:
            return True
        if self.board[target][-1][0] == self.side:
            return False
        return self.kinds(target) in TABLE.get(self.kinds(cell), set())

    def kinds(self, cell: str) -> str:
        return "".join(kind for _, kind in self.board[cell])

    def walk(self, cell: str, files: int, ranks: int, most: int) -> list[str]:
        """The squares in a direction to step on: empty ones, then one more of any kind."""
        found = []
        for steps in range(1, most + 1):
            target = self.at(cell, steps * files, steps * ranks)
            if target is None:
                break
            found.append(target)
            if target == "beyond" or target in self.board:
                break
        return found

    def legal(self) -> list[str]:
        if self.end:
            return []
        found: set[str] = set()
        for cell, pile in self.board.items():
            if pile[-1][0] == self.side:
                found |= self.turns(cell)
        home = "1" if self.side == "S" else "6"
        for file, kind in HOME.items():
            if kind in self.reserve[self.side] and file + home not in self.board:
                found.add(f"{kind}@{file}{home}")
        return list(found) or ["--"]

    def turns(self, cell: str) -> Set[str]:
        kinds, side = self.kinds(cell), self.side
        may_exit = kinds[-1] not in self.exited[side]
        targets: set[str] = set()
        found = set()
        if len(kinds) == 1:
            for files in (-1, 1):
                for ranks in (-1, 1):
                    for target in self.walk(cell, files, ranks, VALUE[kinds]):
                        if target == "beyond":
                            if may_exit and ranks == self.forward(side):
                                found.add(f"{cell}^")
                        elif target in self.board or ranks == self.forward(side):
                            targets.add(target)
        elif kinds in TOWERS:
            for files, ranks in [(f, r) for f in (-2, -1, 1, 2) for r in (-2, -1, 1, 2)]:
                if abs(files) + abs(ranks) != 3:
                    continue
                there = self.at(cell, files, ranks)
                if there in (None, "beyond"):
                    continue
                long_way = (files // 2, 0) if abs(files) == 2 else (0, ranks // 2)
                short = (files // abs(files), ranks // abs(ranks))
                if any(self.at(cell, *step) not in self.board for step in (long_way, short)):
                    targets.add(str(there))
        else:
            for files, ranks in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                targets |= set(self.walk(cell, files, ranks, VALUE[kinds[0]])) - {"beyond"}
        for target in targets:
            if self.takes(cell, target):
                found.add(f"{cell}{'x' if target in self.board else '-'}{target}")
        if len(kinds) > 1 and may_exit and cell[1] == ("6" if side == "S" else "1"):
            found.add(f"{cell}^")
        return found

    def play(self, move: str) -> None:
        me, foe = self.side, OTHER[self.side]
        self.passes = self.passes + 1 if move == "--" else 0
        if "@" in move:
            self.board[move[2:]] = [(me, move[0])]
            self.reserve[me].remove(move[0])
        elif move.endswith("^"):
            self.exited[me].add(self.board[move[:2]].pop()[1])
            if not self.board[move[:2]]:
                del self.board[move[:2]]
        elif move != "--":
            self.board[move[3:]] = self.board.get(move[3:], []) + self.board.pop(move[:2])
        self.side = foe
        position = self.text()
        self.seen[position] += 1
        if len(self.exited[me]) == 3:
            self.win("exit", me)
        elif self.lost(foe):
            self.win("control", me)
        elif self.lost(me):
            self.win("control", foe)
        elif self.passes == 2:
            self.end = "passes 0.5 0.5"
        elif self.seen[position] == 3:
            self.end = "repetition 0.5 0.5"

    def win(self, reason: str, side: str) -> None:
        self.end = f"{reason} {'1 0' if side == 'S' else '0 1'}"

    def lost(self, side: str) -> bool:
        for kind in "QDW":
            if kind not in self.exited[side] | self.reserve[side]:
                held = [pile for pile in self.board.values() if (side, kind) in pile]
                if held and all(pile[-1][0] != side for pile in held):
                    return True
        return False

    def text(self) -> str:
        ranks = []
        for rank in "654321":
            row = []
            for file in FILES:
                pile = self.board.get(file + rank, [])
                row.append("".join(k if s == "S" else k.lower() for s, k in pile) or "1")
            words: list[str] = []
            for word in row:
                if word == "1" and words and words[-1].isdigit():
                    words[-1] = str(int(words[-1]) + 1)
                else:
                    words.append(word)
            ranks.append(",".join(words))
        both = []
        for kept in (self.reserve, self.exited):
            kinds = {s: "".join(k for k in "QDW" if k in kept[s]) or "-" for s in "SN"}
            both.append(f"{kinds['S']}|{kinds['N'].lower()}")
        return f"{'/'.join(ranks)} {self.side} {' '.join(both)}"

    def turn(self) -> str:
        return "-" if self.end else self.side

    def result(self) -> str:
        return self.end or "none"
