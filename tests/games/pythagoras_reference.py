"""Pythagoras once more, written from the rules page alone, slow and plain.

A board is a dictionary from names of spaces to stacks such as ``B1R2``; nothing of
``games.pythagoras`` is used.
"""

from __future__ import annotations

COLOURS = "RYGB"
GRIDS = ("abcde", "fghi", "jkl")
FILES = "".join(GRIDS)
COLUMNS = {file: len(grid) for grid in GRIDS for file in grid}
NAMES = [f"{f}{r}" for f in FILES for r in range(1, COLUMNS[f] + 1)]
Board = dict[str, str]


class Table:
    """One game at one moment."""

    def __init__(self, text: str) -> None:
        board, side, *rest = text.split()
        self.board: Board = {}
        for rank, row in zip(range(5, 0, -1), board.split("/"), strict=True):
            files = [f for f in FILES if COLUMNS[f] >= rank]
            cells: list[str] = []
            for word in row.split(","):
                cells += [""] * int(word) if word.isdigit() else [word]
            for file, stack in zip(files, cells, strict=True):
                if stack:
                    self.board[f"{file}{rank}"] = stack
        self.side, self.owed = side[0], side.endswith("+1")
        self.hands = {
            c: dict(zip("321", map(int, h), strict=True))
            for c, h in zip(COLOURS, rest, strict=False)
        }
        self.pits = {c: p.strip("-") for c, p in zip(COLOURS, rest[4:], strict=False)}
        self.owners = list(rest[8])

    def text(self) -> str:
        rows = []
        for rank in range(5, 0, -1):
            words: list[str] = []
            empty = 0
            for file in (f for f in FILES if COLUMNS[f] >= rank):
                stack = self.board.get(f"{file}{rank}", "")
                if not stack:
                    empty += 1
                    continue
                words += [str(empty)] * (empty > 0) + [stack]
                empty = 0
            rows.append(",".join(words + [str(empty)] * (empty > 0)))
        hands = ["".join(str(self.hands[c][s]) for s in "321") for c in COLOURS]
        pits = ["".join(sorted(self.pits[c], reverse=True)) or "-" for c in COLOURS]
        side = self.side + "+1" * self.owed
        return " ".join(["/".join(rows), side, *hands, *pits, "".join(self.owners)])

    def top(self, name: str) -> str:
        """Colour and pips of the top, nothing for an empty space or one off the board."""
        return self.board.get(name, "")[-2:]

    def fits(self, name: str, piece: str) -> bool:
        """Whether the piece may be the new top there, by Rule 1 and the three environments."""
        file, rank = name[0], int(name[1])
        here = FILES.index(file)
        sides = [f"{FILES[n]}{rank}" for n in (here - 1, here + 1) if 0 <= n < len(FILES)]
        ends = [f"{file}{rank - 1}", f"{file}{rank + 1}"]
        if piece in [self.top(other) for other in sides + ends]:
            return False
        grid = next(g for g in GRIDS if file in g)
        in_rank = [self.top(f"{f}{rank}") for f in grid if f != file]
        in_column = [self.top(f"{file}{r}") for r in range(1, 6) if r != rank]
        tops_in_rank, lines = list(filter(None, in_rank)), list(filter(None, in_rank + in_column))
        if len(grid) == 3:
            return all(top[1] != piece[1] for top in lines)
        if len(grid) == 4:
            return all(top[0] != piece[0] for top in lines)
        touching = list(filter(None, map(self.top, ends)))
        return all(top[1] == piece[1] for top in tops_in_rank) and all(
            top[0] != piece[0] and top[1] != piece[1] for top in touching
        )

    def on_board(self, colour: str) -> set[str]:
        moves = set()
        for size in (s for s in "321" if self.hands[colour][s]):
            for name in NAMES:
                file, rank = name[0], int(name[1])
                stack = self.board.get(name, "")
                below_full = all(f"{file}{r}" in self.board for r in range(1, rank))
                if not stack and below_full and self.fits(name, colour + size):
                    moves.add(f"{size}{name}")
                if stack and int(stack[-1]) == int(size) - 1 and self.fits(name, colour + size):
                    moves.add(f"{size}x{name}")
        return moves

    def legal(self) -> set[str]:
        if not any(self.on_board(colour) for colour in COLOURS):
            return set()
        pit = {f"{size}!" for size in "321" if self.hands[self.side][size]}
        return self.on_board(self.side) or pit

    def play(self, move: str) -> None:
        size, name = move[0], move[-2:]
        self.hands[self.side][size] -= 1
        again = False
        if move.endswith("!"):
            self.pits[self.side] += size
        else:
            self.board[name] = self.board.get(name, "") + self.side + size
        if "x" not in move and "!" not in move:
            file, rank = name
            column = all(f"{file}{r}" in self.board for r in range(1, COLUMNS[file] + 1))
            whole = all(other in self.board for other in NAMES if other[1] == rank)
            again = column or whole
            for number, grid in enumerate(GRIDS):
                if file in grid and all(o in self.board for o in NAMES if o[0] in grid):
                    self.owners[number] = self.side
        self.owed = again and any(self.hands[self.side].values())
        if self.owed:
            return
        turn = COLOURS.index(self.side)
        order = [COLOURS[(turn + n) % 4] for n in (1, 2, 3, 4)]
        self.side = next((c for c in order if any(self.hands[c].values())), self.side)

    def totals(self) -> list[int]:
        points = dict.fromkeys(COLOURS, 0)
        for stack in self.board.values():
            pips = [int(p) for p in stack[1::2]]
            points[stack[-2]] += pips[-1] - sum(pips[:-1])
        for colour in COLOURS:
            points[colour] -= sum(map(int, self.pits[colour]))
        for owner, bonus in zip(self.owners, (5, 4, 3), strict=True):
            if owner != "-":
                points[owner] += bonus
        for rank in "12345":
            tops = [self.top(name) for name in NAMES if name[1] == rank and self.top(name)]
            counts = {c: [int(t[1]) for t in tops if t[0] == c] for c in COLOURS}
            most = max(map(len, counts.values()))
            leaders = [c for c in COLOURS if len(counts[c]) == most]
            if len(leaders) == 1:
                points[leaders[0]] += int(rank) * max(counts[leaders[0]])
        return [points[c] for c in COLOURS]
