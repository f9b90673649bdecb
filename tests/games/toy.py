"""A game small enough to see at a glance that it is right: a pawn that walks to the end of a strip.

Two players in turn move the pawn one or two cells to the right; the one who brings it to the last
cell wins, or loses under ``last=loses``. In the text, ``1p3 w`` is a strip of five with the pawn
on b1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from games.api import (
    Choice,
    ChoiceOption,
    Game,
    GameInfo,
    GuidePage,
    IntOption,
    Outcome,
    Preset,
    Refusal,
    Seat,
    SeatInfo,
)
from games.errors import MoveSyntaxError, NotationError
from games.notation import plain
from games.view import Arrow, BoardView, Cell, Colour, Grid, Marks, Piece, SeatView, Text, Topology


@dataclass(frozen=True, slots=True)
class Strip:
    length: int
    pawn: int
    mover: int


@dataclass(frozen=True, slots=True)
class Step:
    to: int


def name(place: int) -> str:
    return f"{'abcdefghijklmnopqrstuvwxyz'[place]}1"


class Walk(Game[Strip, Step]):
    info = GameInfo(
        key="walk",
        name="Walk",
        summary=Text.of("Bring the pawn to the end."),
        designer="Nobody",
        year="2026",
        links=("https://example.org/walk",),
        rules_version=1,
        options=(
            IntOption("length", Text.of("Length"), (7, 5), minimum=4, maximum=9),
            ChoiceOption(
                "last",
                Text.of("The last step"),
                (Choice("wins", Text.of("wins")), Choice("loses", Text.of("loses"))),
            ),
        ),
        presets=(
            Preset("standard", Text.of("Standard"), Text.of("As it is played."), {"length": 7}),
        ),
        refusals={
            "form": Text.of("That is not a step."),
            "over": Text.of("The game is over."),
            "too_far": Text.of("The pawn cannot get to {cell}."),
            "off_board": Text.of("{cell} is not on the strip."),
            "position": Text.of("That is not a strip."),
        },
        reasons={"arrived": Text.of("The pawn arrived.")},
        allows_draw_offer=False,
        move_hint="c1",
        guide=(
            GuidePage(
                Text.of("The step"),
                Text.of("One or two cells to the right."),
                position="1p3 w",
                move="d1",
                options={"length": 5},
            ),
            GuidePage(Text.of("The end"), Text.of("The last cell decides.")),
        ),
    )

    @property
    def seats(self) -> tuple[SeatInfo, ...]:
        return (SeatInfo(Text.of("White"), (0,)), SeatInfo(Text.of("Black"), (1,)))

    def initial(self, rng: Random) -> Strip:
        return Strip(int(self.options["length"]), 0, 0)

    def to_move(self, position: Strip) -> Seat | None:
        return None if self.outcome(position) else Seat(position.mover)

    def turn(self, position: Strip) -> str:
        return "-" if self.outcome(position) else "wb"[position.mover]

    def legal_moves(self, position: Strip) -> list[Step]:
        if self.outcome(position):
            return []
        last = position.length - 1
        return [Step(to) for to in (position.pawn + 1, position.pawn + 2) if to <= last]

    def why_illegal(self, position: Strip, move: Step) -> Refusal | None:
        if self.outcome(position):
            return Refusal("over")
        if not 0 <= move.to < position.length:
            return Refusal("off_board", (), {"cell": name(move.to)})
        if move.to - position.pawn not in (1, 2):
            return Refusal("too_far", (name(move.to),), {"cell": name(move.to)})
        return None

    def _apply(self, position: Strip, move: Step) -> Strip:
        return Strip(position.length, move.to, 1 - position.mover)

    def outcome(self, position: Strip) -> Outcome | None:
        if position.pawn < position.length - 1:
            return None
        winner = position.mover if self.options["last"] == "loses" else 1 - position.mover
        scores = (1.0, 0.0) if winner == 0 else (0.0, 1.0)
        return Outcome(scores, "arrived", (Seat(winner),), (name(position.pawn),))

    def notation(self, position: Strip, move: Step) -> str:
        return name(move.to)

    def parse(self, position: Strip, text: str) -> Step:
        form = re.fullmatch("([a-z])1", plain(text))
        if form is None:
            raise MoveSyntaxError("form", text=text[:40])
        move = Step(ord(form[1]) - ord("a"))
        refusal = self.why_illegal(position, move)
        if refusal is not None:
            raise self.illegal(refusal, self.notation(position, move))
        return move

    def steps(self, position: Strip, move: Step) -> tuple[str, ...]:
        return name(position.pawn), name(move.to)

    def encode(self, position: Strip) -> str:
        return self.position_text(position)

    def position_text(self, position: Strip) -> str:
        before, after = position.pawn, position.length - 1 - position.pawn
        return f"{before or ''}p{after or ''} {'wb'[position.mover]}"

    def decode(self, text: str) -> Strip:
        form = re.fullmatch("([1-9]?)p([1-9]?) ([wb])", text)
        if form is None:
            raise NotationError("position")
        before, after = int(form[1] or 0), int(form[2] or 0)
        if not 4 <= before + after + 1 <= 9:
            raise NotationError("position")
        return Strip(before + after + 1, before, "wb".index(form[3]))

    def view(self, position: Strip, seat: Seat | None) -> BoardView:
        pawn = Piece(0, "pawn", Text.of("pawn"))
        outcome = self.outcome(position)
        return BoardView(
            game=self.info.key,
            topology=Topology.SQUARES,
            palette="chess",
            grids=(Grid(position.length, 1),),
            cells=tuple(
                Cell(name(place), place, 0, (pawn,) if place == position.pawn else ())
                for place in range(position.length)
            ),
            colours=(Colour(Text.of("White")), Colour(Text.of("Black"))),
            seats=(SeatView((0,), 0), SeatView((1,), 1)),
            to_move=None if outcome else position.mover,
            marks=Marks(path=outcome.path if outcome else ()),
            winners=tuple(outcome.winners) if outcome else (),
            result=Text.of("The pawn arrived") if outcome else None,
        )

    def marks(self, position: Strip, move: Step) -> Marks:
        start, end = name(position.pawn), name(move.to)
        return Marks(origins=(start,), last=(end,), arrows=(Arrow(start, end),))
