"""Hex, whole: what a game is to write. docs/adding-a-game.md walks through it.

Black wants to join bottom and top, Red left and right, on 5 to 13 hexagons a side. They drop one
stone a turn. With the pie rule Red may answer the first stone by taking it over: the players swap
sides. The board cannot fill up without a chain, so there are no draws.

``5/5/2b2/5/5 r swap`` is a position: ranks from the top, the side to move, and a word for the pie
rule (see :data:`PIE`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from random import Random

from games.api import (
    Choice,
    ChoiceOption,
    GameInfo,
    GuidePage,
    IntOption,
    Preset,
    Refusal,
    Seat,
    SpokenMove,
)
from games.errors import NotationError
from games.ranks import read_ranks, write_ranks
from games.two_sides import Ending, TwoSides
from games.view import (
    BoardView,
    Cell,
    Colour,
    Edge,
    Grid,
    Marks,
    Piece,
    SeatView,
    Side,
    Text,
    Topology,
)

SMALLEST, LARGEST = 5, 13
SWAP = "swap"
SIDES = (Text.of("Black"), Text.of("Red"))
STONES = ((Piece(0, "stone", Text.of("Black stone")),), (Piece(1, "stone", Text.of("Red stone")),))
NEIGHBOURS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
EDGES = (Edge(Side.BOTTOM, 0), Edge(Side.TOP, 0), Edge(Side.LEFT, 1), Edge(Side.RIGHT, 1))
PIE = {"": "", "pie": "swap", "swap": "", "swapped": "swapped"}
"""How it stands with the swap, and after a stone: none, ahead, open now, done."""


@dataclass(frozen=True, slots=True)
class Position:
    """The stones, ``b``, ``r`` or empty, from a1 rightwards and upwards; the side to move."""

    size: int
    cells: tuple[str, ...]
    mover: int = 0
    pie: str = ""

    def text(self) -> str:
        ranks = (self.cells[at : at + self.size] for at in range(0, self.size**2, self.size))
        return f"{write_ranks(ranks)} {'br'[self.mover]}"

    def whole_text(self) -> str:
        return f"{self.text()} {self.pie}".rstrip()

    def name(self, at: int) -> str:
        return f"{chr(ord('a') + at % self.size)}{at // self.size + 1}"

    def index(self, cell: str) -> int | None:
        """The place of the cell of that name, None off the board."""
        file, rank = ord(cell[0]) - ord("a"), int(cell[1:]) - 1
        return rank * self.size + file if file < self.size and 0 <= rank < self.size else None

    def chain(self, side: int) -> tuple[str, ...]:
        """The shortest chain of a side between its edges, by breadth-first search; or none."""
        size, letter = self.size, "br"[side]
        begins = range(0, size**2, size) if side else range(size)
        came: dict[int, int | None] = {at: None for at in begins if self.cells[at] == letter}
        queue = list(came)
        for at in queue:
            file, rank = at % size, at // size
            if (file if side else rank) == size - 1:
                path: list[str] = []
                step: int | None = at
                while step is not None:
                    path.append(self.name(step))
                    step = came[step]
                return tuple(reversed(path))
            for right, up in NEIGHBOURS:
                if 0 <= file + right < size and 0 <= rank + up < size:
                    other = at + up * size + right
                    if self.cells[other] == letter and other not in came:
                        came[other] = at
                        queue.append(other)
        return ()


class Hex(TwoSides[Position, str]):
    """A move is the name of a cell, or ``swap``."""

    sides = SIDES
    letters = "br"
    info = GameInfo(
        key="hex",
        name="Hex",
        summary=Text.of("Join your two sides of a board of hexagons."),
        designer="Piet Hein",
        year="1942",
        links=("https://en.wikipedia.org/wiki/Hex_(board_game)",),
        rules_version=1,
        options=(
            IntOption("size", Text.of("Board size"), (11, 7, 9, 13), SMALLEST, LARGEST),
            ChoiceOption(
                "pie",
                Text.of("Pie rule"),
                (Choice("on", Text.of("on")), Choice("off", Text.of("off"))),
            ),
        ),
        presets=(
            Preset("standard", Text.of("Standard"), Text.of("As it is usually played."), {}),
            Preset("small", Text.of("Small"), Text.of("Over in ten minutes."), {"size": 7}),
        ),
        refusals={
            "move_form": Text.of("That is no move of Hex. Moves look like {hint}."),
            "game_over": Text.of("The game is over."),
            "off_board": Text.of("{cell} is not on the board."),
            "occupied": Text.of("{cell} is taken."),
            "swap_closed": Text.of("Only the first stone can be answered by a swap."),
            "position_form": Text.of("That is no position of Hex."),
            "position_pile": Text.of("{pile} is no stone."),
            "position_rank": Text.of("Rank {rank} does not have {size} cells."),
        },
        reasons={"chain": Text.of("The sides are joined.")},
        allows_draw_offer=False,
        move_hint="c3",
        spoken={
            SWAP: SpokenMove(
                Text.of("Swap sides"),
                Text.of("You swapped sides."),
                Text.of("{player} swapped sides."),
            )
        },
        guide=(
            GuidePage(
                Text.of("Playing"),
                Text.of("Drop a stone on any empty cell. Stones never move."),
                position="5/5/2b2/5/5 r",
                move="c4",
                options={"size": 5},
            ),
            GuidePage(
                Text.of("The end"),
                Text.of("Black joins bottom and top, Red left and right. One of them will."),
            ),
        ),
    )

    def initial(self, rng: Random) -> Position:
        size = int(self.options["size"])
        return Position(size, ("",) * size**2, pie="pie" if self.options["pie"] == "on" else "")

    def ending(self, position: Position) -> Ending | None:
        for side in (0, 1):
            if path := position.chain(side):
                return Ending("chain", side, path)
        return None

    def seating(self, position: Position) -> tuple[int, ...]:
        return (1, 0) if position.pie == "swapped" else (0, 1)

    def legal_moves(self, position: Position) -> list[str]:
        if self.ending(position):
            return []
        moves = [position.name(at) for at, stone in enumerate(position.cells) if not stone]
        return [*moves, SWAP] if position.pie == "swap" else moves

    def why_illegal(self, position: Position, move: str) -> Refusal | None:
        if self.ending(position):
            return Refusal("game_over")
        if move == SWAP:
            return None if position.pie == "swap" else Refusal("swap_closed")
        at = position.index(move)
        if at is None:
            return Refusal("off_board", params={"cell": move})
        return Refusal("occupied", (move,), {"cell": move}) if position.cells[at] else None

    def _apply(self, position: Position, move: str) -> Position:
        if move == SWAP:
            return replace(position, pie="swapped")
        cells = list(position.cells)
        cells[position.index(move) or 0] = self.letters[position.mover]
        return Position(position.size, tuple(cells), 1 - position.mover, PIE[position.pie])

    def notation(self, position: Position, move: str) -> str:
        return move

    def read_move(self, position: Position, text: str) -> str | None:
        return text if re.fullmatch(r"[a-z][1-9][0-9]?|swap", text) else None

    def steps(self, position: Position, move: str) -> tuple[str, ...]:
        return (move,)

    def decode(self, text: str) -> Position:
        form = re.fullmatch(r"([br0-9/]{1,200}) ([br])(?: (pie|swap|swapped))?", text)
        size = 0 if form is None else form[1].count("/") + 1
        if form is None or not SMALLEST <= size <= LARGEST:
            raise NotationError("position_form")
        ranks = read_ranks(form[1], [size] * size, "br")
        return Position(
            size, tuple(cell for rank in ranks for cell in rank), "br".index(form[2]), form[3] or ""
        )

    def view(self, position: Position, seat: Seat | None) -> BoardView:
        size, ending = position.size, self.ending(position)
        return BoardView(
            game="hex",
            topology=Topology.HEXAGONS,
            palette="stones",
            grids=(Grid(size, size),),
            cells=tuple(
                Cell(position.name(at), at % size, at // size, STONES["br".index(s)] if s else ())
                for at, s in enumerate(position.cells)
            ),
            colours=(
                Colour(SIDES[0], Text.of("joins bottom and top")),
                Colour(SIDES[1], Text.of("joins left and right")),
            ),
            seats=tuple(SeatView((s,), who) for s, who in enumerate(self.seating(position))),
            to_move=None if ending else position.mover,
            edges=EDGES,
            marks=Marks(path=ending.path if ending else ()),
            winners=(ending.winner or 0,) if ending else (),
            result=self.info.reasons["chain"] if ending else None,
        )

    def marks(self, position: Position, move: str) -> Marks:
        return Marks() if move == SWAP else Marks(last=(move,))
