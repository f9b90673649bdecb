"""The rules of Pux. Numbers such as PX-8 are the rulings of its rules page."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from games.api import Refusal, Seat
from games.errors import MoveSyntaxError
from games.pux.board import Cell, bit, shifted
from games.pux.guide import INFO
from games.pux.position import (
    BLACK,
    LETTERS,
    NO_PAST,
    QUIET_LIMIT,
    WHITE,
    Capture,
    Move,
    Pass,
    Position,
    Shift,
    read_position,
)
from games.pux.rules import generate, promote, refuse
from games.pux.view import COLOURS, draw, mover, single
from games.two_sides import Ending, TwoSides
from games.view import Arrow, BoardView, Marks, Text, TrayMark

_START = read_position("1xxxxxx1/1xxxxxx1/8/8/8/8/1wwwwww1/1wwwwww1 w -")
_ALONE = re.compile(r"([a-h][1-8]) ?([-:x]?) ?([a-h][1-8]) ?=?")
_GROUP = re.compile(
    r"([a-h][1-8]) ?, ?([a-h][1-8](?:[ ,]{0,2}[a-h][1-8])*) ?([-:x]) ?([a-h][1-8]) ?=?"
)
_CELL = re.compile(r"[a-h][1-8]")


class Pux(TwoSides[Position, Move]):
    """One piece moves, takes neighbours along, or captures; capturing all stones wins (PX-19)."""

    info = INFO
    sides = COLOURS
    letters = LETTERS

    def initial(self, rng: Random) -> Position:  # noqa: ARG002
        """Twelve stones each, White to move (PX-1)."""
        return _START

    def legal_moves(self, position: Position) -> list[Move]:
        """Movers from a1 up each file, each with its largest companies first; or the pass."""
        if _ending(position) is not None:
            return []
        moves: list[Move] = list(generate(position))
        return moves or [Pass()]  # PX-18

    def why_illegal(self, position: Position, move: Move) -> Refusal | None:
        """PX-18 for the pass, PX-5 to PX-12 for all else; nothing is legal after the end."""
        if _ending(position) is not None:
            return Refusal("game_over")
        if isinstance(move, Pass):
            return None if next(generate(position), None) is None else Refusal("pass_not_forced")
        return refuse(position, move)

    def _apply(self, position: Position, move: Move) -> Position:
        quiet = replace(
            position,
            mover=1 - position.mover,
            # A pass is not lateral: it clears the mark as any other turn does (PX-12, PX-18).
            lateral=position.lateral & ~(1 << position.mover),
            quiet=position.quiet + 1,
            turn=position.turn + 1,
            passes=0,
            earlier=position.earlier.followed_by(position.occurrence),
        )
        if isinstance(move, Pass):
            return replace(quiet, passes=position.passes + 1)
        moved = _move_pieces(quiet, move)
        if move.target.rank == move.mover.rank:
            moved = replace(moved, lateral=moved.lateral | 1 << position.mover)
        if moved.material() != position.material():
            # Positions before a capture or a promotion cannot come back (PX-20 i, ii).
            return replace(moved, quiet=0, earlier=NO_PAST)
        return moved

    def ending(self, position: Position) -> Ending | None:
        """PX-19: all enemy stones captured; or one of the draws of PX-20."""
        reason = _ending(position)
        if reason != "captured_all":
            return None if reason is None else Ending(reason)
        return Ending(reason, WHITE if position.white else BLACK)

    def notation(self, position: Position, move: Move) -> str:  # noqa: ARG002
        """``b2-b5``, ``b2,b1c2-c3``, ``b7:b5`` or ``pass``; a promotion is not written."""
        match move:
            case Shift(mover, target, riders):
                company = "," + "".join(rider.name for rider in riders) if riders else ""
                return f"{mover.name}{company}-{target.name}"
            case Capture(mover, target):
                return f"{mover.name}:{target.name}"
        return "pass"

    def read_move(self, position: Position, text: str) -> Move | None:
        """A move in any case, riders in any order; ``x`` may replace the colon, nothing ``-``.

        ``-`` may replace the colon of a capture too: without a capture a stone cannot move onto an
        occupied cell. No text fits two moves, so there is never any ambiguity.
        """
        if text == "pass":
            return Pass()
        if alone := _ALONE.fullmatch(text):
            mover, sign, target = alone.groups()
            shift = Shift(_cell(mover), _cell(target))
            refusal = self.why_illegal(position, shift)
            is_capture = refusal is not None and refusal.code == "write_capture"
            if sign in {"", "-"} and not is_capture:
                return shift
            return Capture(shift.mover, shift.target)
        if group := _GROUP.fullmatch(text):
            mover, company, sign, target = group.groups()
            names = _CELL.findall(company)
            if len(set(names)) < len(names):
                raise MoveSyntaxError("rider_twice", text=text[:40])
            if sign == "-":
                return Shift(_cell(mover), _cell(target), tuple(map(_cell, names)))
            params: dict[str, str | int] = {"cell": target, "move": f"{mover}:{target}"}
            refusal = Refusal("capture_carries", (target,), params)
            over = _ending(position) is not None
            raise self.illegal(Refusal("game_over") if over else refusal, text)
        return None

    def steps(self, position: Position, move: Move) -> tuple[str, ...]:  # noqa: ARG002
        """The mover ``b2``, each rider ``+b1``, then the target ``c3`` or the captured ``:b5``."""
        match move:
            case Shift(mover, target, riders):
                return (mover.name, *(f"+{rider.name}" for rider in riders), target.name)
            case Capture(mover, target):
                return mover.name, f":{target.name}"
        return ("pass",)

    def step_text(self, position: Position, prefix: tuple[str, ...], key: str) -> Text:
        """The words of a pick."""
        cell = key.lstrip("+:")
        if key == "pass":
            return Text.of("Pass: there's no other move")
        if not prefix:
            mp = position.move_potential(_cell(key))
            return Text.of("Move {cell} (move potential {mp})", cell=cell, mp=mp)
        if key.startswith("+"):
            return Text.of("Take {cell} along", cell=cell)
        if key.startswith(":"):
            return Text.of("Capture on {cell}", cell=cell)
        return Text.of("To {cell}", cell=cell)

    def step_label(self, position: Position, prefix: tuple[str, ...], key: str) -> Text:
        """A word distinguishes a rider from a target."""
        if key.startswith("+"):
            return self.step_text(position, prefix, key)
        return super().step_label(position, prefix, key)

    def step_cell(self, position: Position, prefix: tuple[str, ...], key: str) -> str | None:  # noqa: ARG002
        """The cell of the mover, the rider or the target."""
        return None if key == "pass" else key.lstrip("+:")

    def takes(self, position: Position, move: Move) -> bool:  # noqa: ARG002
        """Whether it is a capture."""
        return isinstance(move, Capture)

    def primer(self, position: Position, prefix: tuple[str, ...]) -> str | None:
        """The move potential before the mover is chosen, riders before the first of them."""
        if not prefix:
            return "potential"
        beside = self.next_steps(position, prefix) if len(prefix) == 1 else ()
        return "riders" if any(step.key.startswith("+") for step in beside) else None

    def in_any_order(self, key: str) -> bool:
        """True for riders."""
        return key.startswith("+")

    def decode(self, text: str) -> Position:
        """The position of the text; a bare position text is the first occurrence of itself."""
        return read_position(text)

    def view(self, position: Position, seat: Seat | None) -> BoardView:  # noqa: ARG002
        """The whole board: Pux hides nothing."""
        return draw(position, self.outcome(position))

    def marks(self, position: Position, move: Move) -> Marks:
        """The old and the new places of the pieces, the way of the mover, and its capture."""
        if isinstance(move, Pass):
            return Marks()
        riders = move.riders if isinstance(move, Shift) else ()
        group = (move.mover, *riders)
        files = move.target.file - move.mover.file
        ranks = move.target.rank - move.mover.rank
        landed = tuple(Cell(cell.file + files, cell.rank + ranks).name for cell in group)
        return Marks(
            origins=tuple(cell.name for cell in group if cell.name not in landed),
            last=landed,
            arrows=(Arrow(move.mover.name, move.target.name, (mover(position, move.mover),)),),
            trays=()
            if isinstance(move, Shift)
            else (TrayMark("captured", single(1 - position.mover)),),
        )


def _ending(position: Position) -> str | None:
    """The reason of the end, None while the game runs; in the order of PX-20 where several hold."""
    if not position.white or not position.black:
        return "captured_all"
    if position.earlier.count(position.occurrence) >= 2:
        return "repetition"
    if position.quiet >= QUIET_LIMIT:
        return "no_progress"
    if position.material() == (1, 1, 1, 1):
        return "one_promoted_each"
    if position.passes >= 2:
        return "two_passes"
    return None


def _move_pieces(position: Position, move: Shift | Capture) -> Position:
    """The pieces after the move, promoted where they have arrived; the rest as before."""
    start, end = bit(move.mover), bit(move.target)
    by = end.bit_length() - start.bit_length()
    white, black, promoted = position.white, position.black, position.promoted
    group = start
    if isinstance(move, Capture):
        # A captured piece leaves with both its stones (PX-11).
        white, black, promoted = white & ~end, black & ~end, promoted & ~end
    else:
        for rider in move.riders:
            group |= bit(rider)

    def carried(cells: int) -> int:
        return cells & ~group | shifted(cells & group, by)

    moved = replace(
        position, white=carried(white), black=carried(black), promoted=carried(promoted)
    )
    if move.mover.rank == move.target.rank:
        return moved
    risen = promote(moved, shifted(group, by), end)
    return replace(moved, promoted=moved.promoted | risen) if risen else moved


def _cell(name: str) -> Cell:
    return Cell(ord(name[0]) - ord("a"), int(name[1]) - 1)
