"""The rules of Pux. Numbers such as PX-8 are the rulings of its rules page."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import ClassVar

from games.api import Game, Outcome, Refusal, Seat, SeatInfo
from games.errors import MoveSyntaxError
from games.notation import plain
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
from games.view import Arrow, BoardView, Marks, Text, TrayMark

_START = read_position("1xxxxxx1/1xxxxxx1/8/8/8/8/1wwwwww1/1wwwwww1 w -")
_ALONE = re.compile(r"([a-h][1-8]) ?([-:x]?) ?([a-h][1-8]) ?=?")
_GROUP = re.compile(
    r"([a-h][1-8]) ?, ?([a-h][1-8](?:[ ,]{0,2}[a-h][1-8])*) ?([-:x]) ?([a-h][1-8]) ?=?"
)
_CELL = re.compile(r"[a-h][1-8]")


class Pux(Game[Position, Move]):
    """One piece moves, takes neighbours along, or captures; capturing all stones wins (PX-19)."""

    info = INFO
    _seats: ClassVar = tuple(SeatInfo(name, (colour,)) for colour, name in enumerate(COLOURS))

    @property
    def seats(self) -> tuple[SeatInfo, ...]:
        """White, Black."""
        return self._seats

    def initial(self, rng: Random) -> Position:  # noqa: ARG002
        """Twelve stones each, White to move (PX-1)."""
        return _START

    def to_move(self, position: Position) -> Seat | None:
        """White or Black, None after the end."""
        return Seat(position.mover) if _ending(position) is None else None

    def turn(self, position: Position) -> str:
        """``w``, ``x`` or ``-``."""
        return LETTERS[position.mover] if _ending(position) is None else "-"

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
            # What was before a capture or a promotion cannot come back (PX-20 i, ii).
            return replace(moved, quiet=0, earlier=NO_PAST)
        return moved

    def outcome(self, position: Position) -> Outcome | None:
        """PX-19: all enemy stones captured; or one of the draws of PX-20."""
        reason = _ending(position)
        if reason is None:
            return None
        if reason != "captured_all":
            return Outcome((0.5, 0.5), reason, ())
        winner = WHITE if position.white else BLACK
        return Outcome((1.0, 0.0) if winner == WHITE else (0.0, 1.0), reason, (Seat(winner),))

    def notation(self, position: Position, move: Move) -> str:  # noqa: ARG002
        """``b2-b5``, ``b2,b1c2-c3``, ``b7:b5`` or ``pass``; a promotion is not written."""
        match move:
            case Shift(mover, target, riders):
                company = "," + "".join(rider.name for rider in riders) if riders else ""
                return f"{mover.name}{company}-{target.name}"
            case Capture(mover, target):
                return f"{mover.name}:{target.name}"
        return "pass"

    def parse(self, position: Position, text: str) -> Move:
        """A move in any case, riders in any order; ``x`` will do for the colon, nothing for ``-``.

        ``-`` will do for the colon of a capture too: a stone cannot move without capturing onto a
        cell that is taken. No text fits two moves, so nothing is ever ambiguous.
        """
        wanted = plain(text)
        if wanted == "pass":
            return self._checked(position, Pass())
        if alone := _ALONE.fullmatch(wanted):
            mover, sign, target = alone.groups()
            shift = Shift(_cell(mover), _cell(target))
            refusal = self.why_illegal(position, shift)
            is_capture = refusal is not None and refusal.code == "write_capture"
            if sign in {"", "-"} and not is_capture:
                return self._checked(position, shift)
            return self._checked(position, Capture(shift.mover, shift.target))
        if group := _GROUP.fullmatch(wanted):
            mover, company, sign, target = group.groups()
            names = _CELL.findall(company)
            if len(set(names)) < len(names):
                raise MoveSyntaxError("rider_twice", text=text[:40])
            move = Shift(_cell(mover), _cell(target), tuple(map(_cell, names)))
            if sign == "-":
                return self._checked(position, move)
            params: dict[str, str | int] = {"cell": target, "move": f"{mover}:{target}"}
            refusal = Refusal("capture_carries", (target,), params)
            over = _ending(position) is not None
            raise self.illegal(Refusal("game_over") if over else refusal, wanted)
        raise MoveSyntaxError("move_form", text=text[:40], hint=self.info.move_hint)

    def _checked(self, position: Position, move: Move) -> Move:
        """The move if it is legal, else the error that says why not."""
        refusal = self.why_illegal(position, move)
        if refusal is not None:
            raise self.illegal(refusal, self.notation(position, move))
        return move

    def steps(self, position: Position, move: Move) -> tuple[str, ...]:  # noqa: ARG002
        """The mover ``b2``, each rider ``+b1``, then the target ``c3`` or the captured ``:b5``."""
        match move:
            case Shift(mover, target, riders):
                return (mover.name, *(f"+{rider.name}" for rider in riders), target.name)
            case Capture(mover, target):
                return mover.name, f":{target.name}"
        return ("pass",)

    def step_text(self, position: Position, prefix: tuple[str, ...], key: str) -> Text:
        """What the pick does."""
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

    def step_cell(self, position: Position, prefix: tuple[str, ...], key: str) -> str | None:  # noqa: ARG002
        """The cell of the mover, the rider or the target."""
        return None if key == "pass" else key.lstrip("+:")

    def in_any_order(self, key: str) -> bool:
        """Riders are."""
        return key.startswith("+")

    def encode(self, position: Position) -> str:
        """The position text, then the counts, passes and earlier positions of PX-20."""
        return position.whole_text()

    def position_text(self, position: Position) -> str:
        """Ranks from the top, side to move, lateral marks."""
        return position.text()

    def decode(self, text: str) -> Position:
        """The position of the text; a bare position text is the first occurrence of itself."""
        return read_position(text)

    def view(self, position: Position, seat: Seat | None) -> BoardView:  # noqa: ARG002
        """The whole board: Pux hides nothing."""
        return draw(position, self.outcome(position))

    def marks(self, position: Position, move: Move) -> Marks:
        """Where the pieces stood and where they stand now, the way of the mover, what it took."""
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
    """Why the game is over, None while it runs; the first that holds, in the order of PX-20."""
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
    """The pieces after the move, promoted where they have arrived; all else as it was."""
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
