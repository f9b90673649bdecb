"""Quax from its rules page: a dictionary of stones, a set of links, a chain by walking."""

from __future__ import annotations

from typing import ClassVar

FILES = "abcdefghijklmno"
Cell = tuple[int, int]


def name(cell: Cell) -> str:
    return f"{FILES[cell[0]]}{cell[1]}"


class Quax:
    """Black ``x`` joins the first file to the last, Red ``u`` rank 1 to the last (QX-2)."""

    SETTINGS: ClassVar[tuple[dict[str, str], ...]] = tuple(
        {"size": str(size), "pie": pie}
        for size in (11, 3, 7, 4, 9, 5, 13, 6, 15, 8, 10, 12, 14)
        for pie in ("on", "off")
    )

    STARTS: ClassVar[tuple[str, ...]] = (
        "11/11/11/11/5xu4/5ux4/11/11/11/11/11 u f7g6",
        "u10/1x9/u3u6/u10/1xxxxxu4/u4uxxxxx/uuu8/3u7/4uu5/5x5/11 x c5d4,d4e3,f7g6",
        "1x1/xux/1xu u b2c1",
    )

    def __init__(self, size: str = "11", pie: str = "on") -> None:
        self.size, self.pie = int(size), pie == "on"
        self.stones: dict[Cell, str] = {}
        self.links: set[tuple[Cell, Cell]] = set()
        """Pairs of cells, the left one first."""
        self.side = "x"
        self.half_turns = 0
        self.winner = ""

    def may_swap(self, *, is_so: bool) -> None:
        """Know what no position text tells: whether the first stone may be taken over."""
        self.pie, self.half_turns = is_so, 1

    def set(self, text: str) -> None:
        ranks, self.side, links = text.split()
        rows = ranks.split("/")
        self.size, self.pie, self.winner = len(rows), False, ""
        self.stones, self.links = {}, set()
        for rank, row in zip(range(self.size, 0, -1), rows, strict=True):
            file, run = 0, ""
            for letter in f"{row}/":
                if letter.isdigit():
                    run += letter
                    continue
                file, run = file + int(run or 0), ""
                if letter in "xu":
                    self.stones[file, rank] = letter
                    file += 1
        for link in links.replace("-", "").split(","):
            if link:
                self.links.add(self.ends(link))
        for colour in "xu":
            if self.joins(colour):
                self.winner = colour

    def ends(self, link: str) -> tuple[Cell, Cell]:
        second = next(place for place, letter in enumerate(link) if place and letter in FILES)
        return self.cell(link[:second]), self.cell(link[second:])

    def cell(self, text: str) -> Cell:
        return FILES.index(text[0]), int(text[1:])

    def legal(self) -> list[str]:
        if self.winner:
            return []
        cells = [(f, r) for r in range(1, self.size + 1) for f in range(self.size)]
        found = [name(cell) for cell in cells if cell not in self.stones]  # QX-7
        for left, colour in self.stones.items():
            if colour != self.side:
                continue
            for up in (1, -1):
                right = (left[0] + 1, left[1] + up)
                if self.stones.get(right) != colour or (left, right) in self.links:
                    continue  # QX-8, QX-11
                other = ((left[0], right[1]), (right[0], left[1]))
                if other not in self.links:  # QX-8, QX-9
                    found.append(name(left) + name(right))
        if self.pie and self.half_turns == 1:
            found.append("swap")  # QX-4
        return found

    def play(self, move: str) -> None:
        self.half_turns += 1
        if move == "swap":
            return  # the persons change, the board and the side to move do not
        if sum(letter in FILES for letter in move) == 2:
            self.links.add(self.ends(move))
        else:
            self.stones[self.cell(move)] = self.side
        if self.joins(self.side):
            self.winner = self.side
        self.side = "u" if self.side == "x" else "x"

    def joins(self, colour: str) -> bool:
        """Whether stones of that colour touch both of its edges in one piece (QX-12 to QX-14)."""
        axis, first, last = (0, 0, self.size - 1) if colour == "x" else (1, 1, self.size)
        todo = [c for c, stone in self.stones.items() if stone == colour and c[axis] == first]
        seen = set(todo)
        while todo:
            here = todo.pop()
            if here[axis] == last:
                return True
            f, r = here
            near = [(f - 1, r), (f + 1, r), (f, r - 1), (f, r + 1)]
            near += [c for c in ((f + 1, r + 1), (f + 1, r - 1)) if (here, c) in self.links]
            near += [c for c in ((f - 1, r + 1), (f - 1, r - 1)) if (c, here) in self.links]
            for cell in near:
                if cell not in seen and self.stones.get(cell) == colour:
                    seen.add(cell)
                    todo.append(cell)
        return False

    def text(self) -> str:
        rows = []
        for rank in range(self.size, 0, -1):
            row, empty = "", 0
            for file in range(self.size):
                stone = self.stones.get((file, rank))
                if stone is None:
                    empty += 1
                else:
                    row += (str(empty) if empty else "") + stone
                    empty = 0
            rows.append(row + (str(empty) if empty else ""))
        links = ",".join(sorted(name(left) + name(right) for left, right in self.links))
        return f"{'/'.join(rows)} {self.side} {links or '-'}"

    def turn(self) -> str:
        return "-" if self.winner else self.side

    def result(self) -> str:
        return {"": "none", "x": "connection 1 0", "u": "connection 0 1"}[self.winner]
