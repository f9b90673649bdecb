"""Rows: three of your stones in an unbroken line, on 3 to 5 cells a side, for two or three.

A full board without a line is a draw. With the pie rule the second player may take over the first
player's stones instead of answering the first move. Three can go on as two: for a player who has
left, the first empty cell is taken.

``x.o/.../... o`` is a position text: ranks from the top, then who is to move. The whole state adds
``open`` while the swap may be played and ``swapped`` after it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

from games.api import (
    Choice,
    ChoiceOption,
    Game,
    GameInfo,
    GuidePage,
    IntOption,
    OptionValue,
    Outcome,
    Preset,
    Refusal,
    Seat,
    SeatInfo,
)
from games.errors import MoveSyntaxError, NotationError
from games.lesson import AnyMove, Lesson, Proven, Puzzle, Task, Wins, WrongMove
from games.notation import plain
from games.search import ForcedWin, OnlyDefence
from games.view import (
    BoardView,
    Cell,
    Colour,
    Grid,
    Marks,
    Piece,
    SeatView,
    Text,
    Topology,
)

STONES = "xo+"
COLOURS = (Text.of("Blue"), Text.of("Gold"), Text.of("Green"))
SWAP = "swap"


@dataclass(frozen=True, slots=True)
class Position:
    """Cells from a1 rightwards and upwards, the seat on turn, and how the pie rule stands."""

    cells: str
    mover: int
    pie: str = ""


def _lines(size: int) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    for rank in range(size):
        for file in range(size):
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = [(file + step * right, rank + step * up) for step in range(3)]
                if all(0 <= f < size and 0 <= r < size for f, r in line):
                    found.append(tuple(r * size + f for f, r in line))
    return found


class Rows(Game[Position, str]):
    """A move is the name of a cell, or ``swap``."""

    info = GameInfo(
        key="rows",
        name="Rows",
        summary=Text.of("Three in a row."),
        designer="Nobody",
        year="2026",
        links=("https://example.org/rows",),
        rules_version=1,
        options=(
            IntOption("size", Text.of("Size"), (3, 4, 5), minimum=3, maximum=5),
            IntOption("players", Text.of("Players"), (2, 3), minimum=2, maximum=3),
            ChoiceOption(
                "pie",
                Text.of("Pie rule"),
                (Choice("off", Text.of("off")), Choice("on", Text.of("on"))),
            ),
        ),
        presets=(
            Preset("small", Text.of("Small"), Text.of("Over in a minute."), {"size": 3}),
            Preset("three", Text.of("Three"), Text.of("For three."), {"size": 5, "players": 3}),
        ),
        refusals={
            "form": Text.of("That is not a move of Rows."),
            "game_over": Text.of("The game is over."),
            "occupied": Text.of("{cell} is taken."),
            "off_board": Text.of("{cell} is not on the board."),
            "swap_closed": Text.of("Only the second player may swap, at once."),
            "position": Text.of("That is not a position of Rows."),
        },
        reasons={"row": Text.of("Three in a row."), "full": Text.of("The board is full.")},
        allows_draw_offer=True,
        move_hint="b2",
        guide=(
            GuidePage(
                Text.of("Playing"),
                Text.of("Put a stone on an empty cell."),
                position=".../.x./... o",
                move="a1",
            ),
            GuidePage(Text.of("The end"), Text.of("Three of your stones in a line win.")),
        ),
    )

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        super().__init__(options)
        self._size = int(self.options["size"])
        self._players = int(self.options["players"])
        self._row = _lines(self._size)

    @property
    def seats(self) -> tuple[SeatInfo, ...]:
        return tuple(SeatInfo(COLOURS[seat], (seat,)) for seat in range(self._players))

    @property
    def moves_in_turn(self) -> bool:
        # A swap among three turns the order round.
        return self._players == 2 or self.options["pie"] == "off"

    def initial(self, rng: Random) -> Position:
        pie = "ahead" if self.options["pie"] == "on" else ""
        return Position("." * self._size**2, 0, pie)

    def to_move(self, position: Position) -> Seat | None:
        return None if self.outcome(position) else Seat(position.mover)

    def turn(self, position: Position) -> str:
        return "-" if self.outcome(position) else STONES[position.mover]

    def seating(self, position: Position) -> tuple[int, ...]:
        others = tuple(range(2, self._players))
        return (1, 0, *others) if position.pie == "swapped" else (0, 1, *others)

    def move_for_absent(self, position: Position) -> str | None:
        return self.legal_moves(position)[0] if self._players > 2 else None

    def legal_moves(self, position: Position) -> list[str]:
        if self.outcome(position):
            return []
        moves = [self._name(at) for at, stone in enumerate(position.cells) if stone == "."]
        return [*moves, SWAP] if position.pie == "open" else moves

    def why_illegal(self, position: Position, move: str) -> Refusal | None:
        if self.outcome(position):
            return Refusal("game_over")
        if move == SWAP:
            return None if position.pie == "open" else Refusal("swap_closed")
        at = self._index(move)
        if at is None:
            return Refusal("off_board", params={"cell": move})
        if position.cells[at] != ".":
            return Refusal("occupied", (move,), {"cell": move})
        return None

    def _apply(self, position: Position, move: str) -> Position:
        if move == SWAP:
            return replace(position, pie="swapped")
        at = self._index(move)
        assert at is not None
        cells = position.cells[:at] + STONES[position.mover] + position.cells[at + 1 :]
        pie = {"ahead": "open", "open": ""}.get(position.pie, position.pie)
        return Position(cells, (position.mover + 1) % self._players, pie)

    def outcome(self, position: Position) -> Outcome | None:
        cells = position.cells
        for line in self._row:
            stones = {cells[at] for at in line}
            if len(stones) == 1 and "." not in stones:
                winner = STONES.index(stones.pop())
                scores = tuple(float(seat == winner) for seat in range(self._players))
                path = tuple(self._name(at) for at in line)
                return Outcome(scores, "row", (Seat(winner),), path)
        if "." not in cells:
            return Outcome((0.5,) * self._players, "full", ())
        return None

    def notation(self, position: Position, move: str) -> str:
        return move

    def parse(self, position: Position, text: str) -> str:
        move = plain(text)
        if re.fullmatch(r"[a-z][1-9]|swap", move) is None:
            raise MoveSyntaxError("form", text=text[:40])
        refusal = self.why_illegal(position, move)
        if refusal is not None:
            raise self.illegal(refusal, move)
        return move

    def steps(self, position: Position, move: str) -> tuple[str, ...]:
        return (SWAP,) if move == SWAP else (move[0], move)

    def step_cell(self, position: Position, prefix: tuple[str, ...], key: str) -> str | None:
        return key if self._index(key) is not None else None

    def encode(self, position: Position) -> str:
        return f"{self.position_text(position)} {position.pie}".rstrip()

    def position_text(self, position: Position) -> str:
        size = self._size
        ranks = [position.cells[at : at + size] for at in range(0, size * size, size)]
        return f"{'/'.join(reversed(ranks))} {STONES[position.mover]}"

    def decode(self, text: str) -> Position:
        words = text.split(" ")
        ranks = words[0].split("/")
        allowed = STONES[: self._players]
        if len(words) not in (2, 3) or len(words[1]) != 1 or words[1] not in allowed:
            raise NotationError("position")
        if [len(rank) for rank in ranks] != [self._size] * self._size:
            raise NotationError("position")
        if set(words[0]) - {*allowed, ".", "/"} or words[2:] not in (
            [],
            ["ahead"],
            ["open"],
            ["swapped"],
        ):
            raise NotationError("position")
        pie = words[2] if len(words) == 3 else ""
        return Position("".join(reversed(ranks)), allowed.index(words[1]), pie)

    def view(self, position: Position, seat: Seat | None) -> BoardView:
        outcome = self.outcome(position)
        cells = [
            Cell(
                self._name(at),
                at % self._size,
                at // self._size,
                () if stone == "." else (self._stone(STONES.index(stone)),),
            )
            for at, stone in enumerate(position.cells)
        ]
        seating = self.seating(position)
        return BoardView(
            game=self.info.key,
            topology=Topology.SQUARES,
            palette="pair" if self._players == 2 else "four",
            grids=(Grid(self._size, self._size),),
            cells=tuple(cells),
            colours=tuple(Colour(name) for name in COLOURS[: self._players]),
            seats=tuple(SeatView((seat,), player) for seat, player in enumerate(seating)),
            to_move=None if outcome else position.mover,
            marks=Marks(path=outcome.path if outcome else ()),
            winners=tuple(outcome.winners) if outcome else (),
            result=self.info.reasons[outcome.reason] if outcome else None,
        )

    def marks(self, position: Position, move: str) -> Marks:
        return Marks() if move == SWAP else Marks(last=(move,))

    def _name(self, at: int) -> str:
        return f"{'abcde'[at % self._size]}{at // self._size + 1}"

    def _index(self, name: str) -> int | None:
        if re.fullmatch(r"[a-e][1-5]", name) is None:
            return None
        file, rank = ord(name[0]) - ord("a"), int(name[1]) - 1
        return rank * self._size + file if file < self._size and rank < self._size else None

    @staticmethod
    def _stone(colour: int) -> Piece:
        return Piece(colour, "stone", Text.of("stone"))


LESSON = Lesson(
    (
        Task(
            Text.of("Put a stone anywhere."),
            ".../.../... x",
            AnyMove(),
            "b2",
            Text.of("There it is."),
            Text.of("Anywhere."),
        ),
        Task(
            Text.of("Complete your row."),
            ".../oo./xx. x",
            Wins(),
            "c1",
            Text.of("Three in a row."),
            Text.of("On the first rank."),
            (WrongMove(AnyMove(), Text.of("Gold wins now.")),),
        ),
    ),
    Text.of("That is all."),
    (
        Puzzle(
            Text.of("Stop it"),
            (
                Task(
                    Text.of("Gold is about to win."),
                    ".../.x./o.. x",
                    Proven(("c1",), OnlyDefence()),
                    "c1",
                    Text.of("Stopped."),
                    Text.of("Not on the second rank."),
                    line=("c3", "b1"),
                ),
            ),
        ),
        Puzzle(
            Text.of("Two at once"),
            (
                Task(
                    Text.of("Win in two."),
                    ".x./.o./x.o x",
                    Proven(("a3",), ForcedWin(2)),
                    "a3",
                    Text.of("Won."),
                    Text.of("In a corner."),
                ),
            ),
        ),
    ),
)
