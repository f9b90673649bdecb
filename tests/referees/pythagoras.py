"""Pythagoras from its rules page: a list of spaces with their stacks, neighbours and lines."""

from __future__ import annotations

from typing import ClassVar

COLOURS = "RYGB"
GRIDS = {"abcde": 5, "fghi": 4, "jkl": 3}
"""The files of each grid, and its bonus (which happens to be its size)."""
FILES = "".join(GRIDS)
SPACES = [(file, rank) for files in GRIDS for file in files for rank in range(1, GRIDS[files] + 1)]
GRID_OF = {file: files for files in GRIDS for file in files}
Space = tuple[str, int]


def shifted(file: str, by: int) -> str:
    place = FILES.index(file) + by
    return FILES[place] if 0 <= place < len(FILES) else "-"


ENDS = {(f, r): [s for s in ((f, r - 1), (f, r + 1)) if s in SPACES] for f, r in SPACES}
"""The spaces above and below."""
TOUCHING = {
    (f, r): ENDS[f, r] + [s for s in ((shifted(f, -1), r), (shifted(f, 1), r)) if s in SPACES]
    for f, r in SPACES
}
"""All neighbours, those across the border between two grids too (P4, P5)."""
IN_RANK = {(f, r): [(g, r) for g in GRID_OF[f] if g != f] for f, r in SPACES}
IN_COLUMN = {(f, r): [s for s in SPACES if s[0] == f and s[1] != r] for f, r in SPACES}
"""The other spaces of a rank and of a column within the grid (P6)."""
LINES = {space: IN_RANK[space] + IN_COLUMN[space] for space in SPACES}


class Pythagoras:
    """Red, Yellow, Green, Blue place, pin or use the Pit; each move is one pyramid."""

    SETTINGS: ClassVar[tuple[dict[str, str], ...]] = ({"seats": "4"}, {"seats": "2"})

    STARTS: ClassVar[tuple[str, ...]] = (
        "5/9/12/9,R2,2/R3,Y3,3,G2,3,B3,2 Y 445 455 545 455 - - - - ---",
        (
            "5/9/6,G2,2,G1,2/3,R1,2,Y2,2,Y1B2,2/R3,G3,Y3,B3,R3,G2,R1,Y2,1,B3,G2,1"
            " B 353 434 424 345 - - - - ---"
        ),
        (
            "G3,1,R3,2/R1,1,G1,1,R1,B2B3,G1G2G3,Y2,1/Y3,1,Y3,1,B3,Y3,B1B2,R2,G3,2,G1/"
            "G2,Y2,B2,1,Y2,G1G2G3,R2R3,Y2B3,Y1,1,R3,R2/Y3,R3,G3,1,B3,R3,Y2,G1G2,B2B3,R1,B2,Y3"
            " R 012 003 010 003 2 1 - 1 ---"
        ),
    )

    def __init__(self, seats: str = "4") -> None:
        self.seats = COLOURS if seats == "4" else ("RG", "YB")
        self.set("5/9/12/12/12 R 555 555 555 555 - - - - ---")

    def set(self, text: str) -> None:
        ranks, side, *rest = text.split()
        self.stacks: dict[Space, str] = {}
        """Colours and pips from the bottom, ``B1R2``."""
        self.tops: dict[Space, str] = {}
        for rank, row in zip(range(5, 0, -1), ranks.split("/"), strict=True):
            files = [f for f in FILES if (f, rank) in SPACES]
            for word in row.split(","):
                if word.isdigit():
                    files = files[int(word) :]
                else:
                    self.put((files.pop(0), rank), word)
        self.side, self.owed = side[0], side.endswith("+1")
        self.hands = {
            c: {s: int(n) for s, n in zip("321", h, strict=True)}
            for c, h in zip(COLOURS, rest[:4], strict=True)
        }
        self.pits = {c: pit.strip("-") for c, pit in zip(COLOURS, rest[4:8], strict=True)}
        self.owners = dict(zip(GRIDS, rest[8], strict=True))
        self.moves: list[str] | None = None

    def put(self, space: Space, pieces: str) -> None:
        self.stacks[space] = self.stacks.get(space, "") + pieces
        self.tops[space] = pieces[-2:]

    def fits(self, space: Space, colour: str, size: str) -> bool:
        """Whether the piece may be the new top there (Rule 1, P4 to P7, P12)."""
        tops = self.tops
        piece = colour + size
        for other in TOUCHING[space]:
            if tops.get(other) == piece:
                return False
        grid = GRID_OF[space[0]]
        if grid == "jkl":
            return not any(other in tops and tops[other][1] == size for other in LINES[space])
        if grid == "fghi":
            return not any(other in tops and tops[other][0] == colour for other in LINES[space])
        for other in IN_RANK[space]:
            if other in tops and tops[other][1] != size:
                return False
        for other in ENDS[space]:
            if other in tops and (tops[other][0] == colour or tops[other][1] == size):
                return False
        return True

    def on_board(self, colour: str) -> list[str]:
        """The places and pins of a colour."""
        hand = self.hands[colour]
        found = []
        for file in FILES:
            rank = 1
            while (file, rank) in self.stacks:
                rank += 1
            if (file, rank) in TOUCHING:  # P9: the lowest empty space of a column
                sizes = [size for size in "321" if hand[size]]
                found += [
                    f"{size}{file}{rank}" for size in sizes if self.fits((file, rank), colour, size)
                ]
        for space, top in self.tops.items():
            if top[1] != "3":
                size = "2" if top[1] == "1" else "3"  # P10
                if hand[size] and self.fits(space, colour, size):
                    found.append(f"{size}x{space[0]}{space[1]}")
        return found

    def legal(self) -> list[str]:
        if self.moves is None:
            self.moves = self.on_board(self.side)
            # P21: over when nobody who holds pieces can place or pin; else the Pit (P14, P19).
            if not self.moves and any(self.on_board(colour) for colour in COLOURS):
                self.moves = [f"{size}!" for size in "321" if self.hands[self.side][size]]
        return self.moves

    def play(self, move: str) -> None:
        self.moves = None
        colour, size = self.side, move[0]
        self.hands[colour][size] -= 1
        again = False
        if move[1] == "!":
            self.pits[colour] += size
        else:
            space = (move[-2], int(move[-1]))
            self.put(space, colour + size)
            if move[1] != "x":  # P17
                again = self.finishes(space)
                grid = GRID_OF[space[0]]
                if all(other in self.stacks for other in SPACES if other[0] in grid):
                    self.owners[grid] = colour  # P20
        holds = {c for c in COLOURS if any(self.hands[c].values())}
        self.owed = again and colour in holds
        if not self.owed:
            turn = COLOURS.index(colour)
            order = COLOURS[turn + 1 :] + COLOURS[: turn + 1]
            self.side = next((c for c in order if c in holds), colour)

    def finishes(self, space: Space) -> bool:
        """Whether a column or a whole rank is full now (P15, P16)."""
        column = all(other in self.stacks for other in IN_COLUMN[space])
        return column or all(o in self.stacks for o in SPACES if o[1] == space[1])

    def points(self) -> dict[str, int]:
        found = {c: -sum(map(int, self.pits[c])) for c in COLOURS}
        for stack in self.stacks.values():
            pips = [int(letter) for letter in stack[1::2]]
            found[stack[-2]] += pips[-1] - sum(pips[:-1])  # P13
        for grid, owner in self.owners.items():
            if owner != "-":
                found[owner] += GRIDS[grid]
        for rank in range(1, 6):
            tops = [top for space, top in self.tops.items() if space[1] == rank]
            counts = [sum(top[0] == c for top in tops) for c in COLOURS]
            if counts.count(max(counts)) == 1:  # P23, P25, P26
                leader = COLOURS[counts.index(max(counts))]
                found[leader] += rank * max(int(top[1]) for top in tops if top[0] == leader)  # P24
        return found

    def text(self) -> str:
        rows = []
        for rank in range(5, 0, -1):
            words, empty = [], 0
            for file in FILES:
                if (file, rank) not in TOUCHING:
                    continue
                stack = self.stacks.get((file, rank))
                if stack is None:
                    empty += 1
                    continue
                if empty:
                    words.append(str(empty))
                    empty = 0
                words.append(stack)
            rows.append(",".join(words + ([str(empty)] if empty else [])))
        hands = ["".join(str(self.hands[c][size]) for size in "321") for c in COLOURS]
        pits = ["".join(sorted(self.pits[c], reverse=True)) or "-" for c in COLOURS]
        side = self.side + ("+1" if self.owed else "")
        return " ".join(["/".join(rows), side, *hands, *pits, "".join(self.owners.values())])

    def turn(self) -> str:
        return self.side if self.legal() else "-"

    def result(self) -> str:
        if self.legal():
            return "none"
        points = self.points()
        return " ".join(["end", *(str(sum(points[c] for c in seat)) for seat in self.seats)])
