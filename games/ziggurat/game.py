"""The rules of Ziggurat. Numbers such as Z4 are the rulings of its rules page."""

from __future__ import annotations

import re
from random import Random

from games.api import Refusal, Seat
from games.two_sides import Ending, TwoSides
from games.view import Arrow, BoardView, Marks, Side, Text, TrayMark
from games.ziggurat.board import (
    CELLS,
    FILES,
    HOMES,
    INDEX,
    KINDS,
    LETTERS,
    SOUTH,
    Exit,
    Move,
    Pass,
    Reinforce,
    Travel,
    last_row,
    owner,
)
from games.ziggurat.guide import INFO
from games.ziggurat.position import SIDES, Position, read_position
from games.ziggurat.turns import exit_way, refuse_exit, refuse_reinforcement, refuse_travel, targets
from games.ziggurat.view import COLOURS, PICKS, draw, pyramids, unit_text

_TRAVEL = re.compile(r"([a-z][0-9]) ?[-x:×]? ?([a-z][0-9])")
_EXIT = re.compile(r"([a-z][0-9]) ?-? ?(?:\^|exit|off)")
_REINFORCE = re.compile(r"([qdw]) ?@? ?([a-z][0-9])")
_PASS = re.compile(r"-{1,2}|pass")
_FAR = (Side.TOP, Side.BOTTOM)
"""For each seat the side over which its pieces leave."""


class Ziggurat(TwoSides[Position, Move]):
    """South moves up and North down; the first to exit one piece of each kind wins."""

    info = INFO
    sides = COLOURS
    letters = SIDES

    def initial(self, rng: Random) -> Position:  # noqa: ARG002
        """Both home rows set up, one piece of each kind in reserve, South to move (Z1, Z24)."""
        empty = ("",) * FILES * (FILES - 2)
        return Position((*HOMES, *empty, *HOMES.lower()), SOUTH, (KINDS, KINDS), ("", ""))

    def legal_moves(self, position: Position) -> list[Move]:
        """Turns on the board by the square they start from, then reinforcements.

        A pass where there is nothing else (Z17, Z19).
        """
        if position.ending is not None:
            return []
        moves: list[Move] = []
        for place, pile in enumerate(position.piles):
            if owner(pile) == position.mover:
                moves += (Travel(CELLS[place], CELLS[to]) for to in targets(position, place))
                exit_move = Exit(CELLS[place])
                if refuse_exit(position, exit_move) is None:
                    moves.append(exit_move)
        home = last_row(1 - position.mover) * FILES
        for kind in position.reserves[position.mover]:
            moves += (
                Reinforce(kind, CELLS[home + file])
                for file in range(FILES)
                if HOMES[file] == kind and not position.piles[home + file]
            )
        return moves or [Pass()]

    def why_illegal(self, position: Position, move: Move) -> Refusal | None:
        """Z2 to Z10 for travels, Z11 to Z16 for exits, Z18 for reinforcements, Z19 for a pass."""
        if position.ending is not None:
            return Refusal("game_over")
        match move:
            case Travel():
                return refuse_travel(position, move)
            case Exit():
                return refuse_exit(position, move)
            case Reinforce():
                return refuse_reinforcement(position, move)
            case _:  # Pass()
                return None if self.legal_moves(position) == [move] else Refusal("no_pass")

    def _apply(self, position: Position, move: Move) -> Position:
        piles = list(position.piles)
        mover = position.mover
        match move:
            case Travel(start, target):
                unit, under = position.pile(start), position.pile(target)
                piles[INDEX[start]] = ""
                piles[INDEX[target]] = under + unit
                is_reversible = len(unit) > 1 and not under
                return position.with_turn(tuple(piles), is_reversible=is_reversible)
            case Exit(start):
                # The rest of a pile stays and belongs to its new top.
                kind = position.pile(start)[-1].upper()
                piles[INDEX[start]] = position.pile(start)[:-1]
                gone = _changed(position.exited, mover, position.exited[mover] + kind)
                return position.with_turn(tuple(piles), exited=gone)
            case Reinforce(kind, cell):
                piles[INDEX[cell]] = LETTERS[mover][KINDS.index(kind)]
                left = position.reserves[mover].replace(kind, "")
                kept = _changed(position.reserves, mover, left)
                return position.with_turn(tuple(piles), reserves=kept)
            case _:  # Pass()
                return position.with_turn(position.piles, is_pass=True, is_reversible=True)

    def ending(self, position: Position) -> Ending | None:
        """The third exit or lost control decide (Z22); passes and repetition draw (Z19, Z23)."""
        return position.ending

    def notation(self, position: Position, move: Move) -> str:
        """``a1-c3``, ``c4xd5``, ``c6^``, ``Q@a1`` or ``--``."""
        match move:
            case Travel(start, target):
                under = position.pile(target) if target in INDEX else ""
                sign = "x" if owner(under) == 1 - position.mover else "-"
                return f"{start}{sign}{target}"
            case Exit(start):
                return f"{start}^"
            case Reinforce(kind, cell):
                return f"{kind}@{cell}"
            case _:  # Pass()
                return "--"

    def read_move(self, position: Position, text: str) -> Move | None:  # noqa: ARG002
        """A move in any case; two squares name one turn, with any sign between them.

        No text fits two moves, so there is never any ambiguity.
        """
        if _PASS.fullmatch(text):
            return Pass()
        if form := _TRAVEL.fullmatch(text):
            return Travel(form[1], form[2])
        if form := _EXIT.fullmatch(text):
            return Exit(form[1])
        if form := _REINFORCE.fullmatch(text):
            return Reinforce(form[1].upper(), form[2])
        return None

    def steps(self, position: Position, move: Move) -> tuple[str, ...]:
        """The square, then the target or ``^``; a piece of the reserve, then its square."""
        match move:
            case Travel(start, target):
                return start, target
            case Exit(start):
                return start, "^"
            case Reinforce(kind, cell):
                return f"{kind}@", cell
            case _:  # Pass()
                return (self.notation(position, move),)

    def takes(self, position: Position, move: Move) -> bool:
        """Whether it lands on a pile of the other side."""
        return isinstance(move, Travel) and bool(position.pile(move.target))

    def step_text(self, position: Position, prefix: tuple[str, ...], key: str) -> Text:
        """The words of a pick."""
        if key in PICKS:
            return PICKS[key]
        if not prefix:
            return unit_text(position.pile(key), key)
        if prefix[0] not in INDEX:
            return Text.of("Place it on {cell}", cell=key)
        if position.pile(key):
            return Text.of("Capture on {cell}", cell=key)
        return Text.of("Move to {cell}", cell=key)

    def step_label(self, position: Position, prefix: tuple[str, ...], key: str) -> Text:
        """A piece of the reserve by its name."""
        if key.endswith("@"):
            return self.info.pieces[key[0]]
        return super().step_label(position, prefix, key)

    def decode(self, text: str) -> Position:
        """The position of the text; a bare one has no past.

        :exc:`NotationError` for any other text.
        """
        return read_position(text)

    def view(self, position: Position, seat: Seat | None) -> BoardView:  # noqa: ARG002
        """The whole board: Ziggurat hides nothing."""
        return draw(position, must_pass=self.legal_moves(position) == [Pass()])

    def marks(self, position: Position, move: Move) -> Marks:
        """The start and the target of a piece or pile."""
        match move:
            case Travel(start, target):
                arrow = Arrow(start, target, pyramids(position.pile(start)))
                return Marks(origins=(start,), last=(target,), arrows=(arrow,))
            case Exit(start):
                pieces = pyramids(position.pile(start)[-1])
                arrow = Arrow(start, None, pieces, exit_way(position, move), _FAR[position.mover])
                left = TrayMark("exited", pieces[0])
                return Marks(origins=(start,), arrows=(arrow,), trays=(left,))
            case Reinforce(cell=cell):
                return Marks(last=(cell,))
            case _:  # Pass()
                return Marks()


def _changed(pair: tuple[str, str], seat: int, kinds: str) -> tuple[str, str]:
    """The pair with the kinds of ``seat`` replaced, in the order Q D W."""
    ordered = "".join(kind for kind in KINDS if kind in kinds)
    return (ordered, pair[1]) if seat == SOUTH else (pair[0], ordered)
