"""The rules of Quux. Numbers such as Q8 are the rulings of its rules page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

from games.api import OptionValue, Refusal, Seat
from games.errors import AmbiguousMove, NotationError
from games.quux.board import (
    LETTERS,
    RANK_OF,
    SIZES,
    Move,
    Pass,
    Place,
    Shift,
    Swap,
    board,
    owner,
)
from games.quux.guide import INFO
from games.quux.position import SIDES, Hand, Position, read_position
from games.quux.view import BLOCKS, COLOURS, PICKS, draw, pyramids
from games.two_sides import Ending, TwoSides
from games.view import Arrow, BoardView, Marks, Text

_MOVE = re.compile(
    r"(?P<size>[sml]?) ?(?P<start>[a-z][0-9]{1,2})(?: ?[-x:]? ?(?P<target>[a-z][0-9]{1,2}))?"
)
_PASS = re.compile(r"-{1,2}|pass")
_NO_HAND: Hand = (0, 0, 0)


class Quux(TwoSides[Position, Move]):
    """White joins bottom and top, Black left and right (Q1); first they place, then they move."""

    info = INFO
    sides = COLOURS
    letters = SIDES

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        super().__init__(options)
        self._size = int(self.options["size"])
        self._supply = str(self.options["supply"])
        self._may_jump = self.options["path"] == "jump"
        self._has_pie = self.options["pie"] == "on"

    def initial(self, rng: Random) -> Position:  # noqa: ARG002
        """The empty board with all pyramids in hand and White to place (Q2, Q21)."""
        trios = board(self._size).trios
        return Position(("",) * self._size**2, ((trios,) * 3, (trios,) * 3), 0)

    def seating(self, position: Position) -> tuple[int, ...]:
        """The players of White and Black: a swap exchanges them and nothing else (Q2)."""
        return (1, 0) if position.swapped else (0, 1)

    def legal_moves(self, position: Position) -> list[Move]:
        """Placements or movements, then the swap; a pass where there is nothing else (Q8, Q19).

        Placements come with the larger sizes first, movements by the cell that they start from.
        """
        if position.ending is not None:
            return []
        moves: list[Move]
        if position.is_movement:
            moves = list(self._shifts(position))
        else:
            moves = list(self._placements(position))
            if self._may_swap(position):
                moves.append(Swap())
        return moves or [Pass()]

    def _placements(self, position: Position) -> Iterator[Place]:
        cells = position.board.cells
        for size in SIZES:
            if self._refuse_size(position, size) is None:
                for cell, pile in zip(cells, position.piles, strict=True):
                    if not pile or (
                        owner(pile) != position.mover and RANK_OF[pile[-1]] > RANK_OF[size]
                    ):
                        yield Place(size, cell)

    def _shifts(self, position: Position) -> Iterator[Shift]:
        cells, rays, piles = position.board.cells, position.board.rays, position.piles
        mine = LETTERS[position.mover]
        for start, pile in enumerate(piles):
            for bottom in pile:
                if bottom not in mine:
                    continue
                for ray in rays[start]:
                    for target in ray:
                        under = piles[target]
                        if not under or RANK_OF[under[-1]] > RANK_OF[bottom]:
                            yield Shift(bottom.upper(), cells[start], cells[target])
                        if under and not self._may_jump:
                            break

    def _may_swap(self, position: Position) -> bool:
        """Whether the second player may still take over the first placement (Q2)."""
        return self._has_pie and not position.swapped and position.is_second_turn

    def why_illegal(self, position: Position, move: Move) -> Refusal | None:
        """Q2 for the swap, Q3 to Q7 for a placement, Q12 to Q17 for a movement, Q8 for a pass."""
        if position.ending is not None:
            return Refusal("game_over")
        match move:
            case Place():
                return self._refuse_place(position, move)
            case Shift():
                return self._refuse_shift(position, move)
            case Swap():
                return None if self._may_swap(position) else Refusal("swap_closed")
            case _:  # Pass()
                return None if self.legal_moves(position) == [move] else Refusal("no_pass")

    def _refuse_place(self, position: Position, move: Place) -> Refusal | None:
        if position.is_movement:
            return Refusal("placing_is_over")
        if move.cell not in position.board.index:
            return _off_board(position, move.cell)
        refusal = self._refuse_size(position, move.size)
        if refusal is not None:
            return refusal
        pile = position.pile(move.cell)
        if not pile:
            return None
        if owner(pile) == position.mover:
            return Refusal("own_top", (move.cell,), {"cell": move.cell})  # Q6, Q7
        return _refuse_top(pile, move.size, move.cell)

    def _refuse_size(self, position: Position, size: str) -> Refusal | None:
        """Why a pyramid of that size cannot be placed anywhere now (Q3, Q4, Q5)."""
        which = SIZES.index(size)
        if position.hands[position.mover][which] == 0:
            return Refusal("none_in_hand", params={"size": size})
        if which == 0:
            return None
        larger = SIZES[which - 1]
        mine = position.placed[position.mover]
        theirs = position.placed[1 - position.mover]
        words = {"size": size, "larger": larger}
        match self._supply:
            case "own" if mine[which - 1] == 0:
                return Refusal("supply", params=words)
            case "any" if mine[which - 1] == theirs[which - 1] == 0:
                return Refusal("supply_any", params=words)
            case "paired" if mine[which] >= mine[which - 1]:
                return Refusal("supply_paired", params=words)
        return None

    def _refuse_shift(self, position: Position, move: Shift) -> Refusal | None:
        if not position.is_movement:
            return Refusal("still_placing")
        for cell in (move.start, move.target):
            if cell not in position.board.index:
                return _off_board(position, cell)
        start, target = move.start, move.target
        pile = position.pile(start)
        bottom = LETTERS[position.mover][SIZES.index(move.size)]
        if not pile:
            return Refusal("empty_cell", (start,), {"cell": start})
        if bottom not in pile:
            # Riders may have any owner, but the bottom piece must be one's own (Q12, Q13).
            code = "not_yours" if bottom.swapcase() in pile else "no_such_pyramid"
            return Refusal(code, (start,), {"size": move.size, "cell": start})
        if start == target:
            return Refusal("same_cell", (start,), {"cell": start})  # Q17
        index = position.board.index
        way = position.board.way(index[start], index[target])
        if way is None:
            return Refusal("not_straight", (start, target), {"start": start, "target": target})
        blocks = [position.board.cells[place] for place in way if position.piles[place]]
        if blocks and not self._may_jump:
            return Refusal("path_blocked", (blocks[0],), {"cell": blocks[0]})  # Q16
        under = position.pile(target)
        return _refuse_top(under, move.size, target) if under else None

    def _apply(self, position: Position, move: Move) -> Position:
        match move:
            case Swap():
                # Board, hands and the side to move stay; the two people change places (Q2).
                return replace(position, swapped=True)
            case Place(size, cell):
                return self._after_placing(position, size, cell)
            case Shift(size, start, target):
                piles = list(position.piles)
                index = position.board.index
                pile = position.pile(start)
                level = pile.index(LETTERS[position.mover][SIZES.index(size)])
                piles[index[start]] = pile[:level]
                piles[index[target]] += pile[level:]
                return self._next_turn(position, tuple(piles))
            case _:  # Pass()
                if position.is_movement:
                    return self._next_turn(position, position.piles, position.passes + 1)
                passed = replace(position, mover=1 - position.mover, passes=position.passes + 1)
                return self._next_phase(passed)

    def _after_placing(self, position: Position, size: str, cell: str) -> Position:
        piles = list(position.piles)
        which = SIZES.index(size)
        piles[position.board.index[cell]] += LETTERS[position.mover][which]
        hands = list(position.hands)
        left = list(hands[position.mover])
        left[which] -= 1
        hands[position.mover] = (left[0], left[1], left[2])
        placed = Position(
            tuple(piles), (hands[0], hands[1]), 1 - position.mover, swapped=position.swapped
        )
        return self._next_phase(placed)

    @staticmethod
    def _next_phase(position: Position) -> Position:
        """The movement phase, once both hands are empty or two passes have come in a row (Q10).

        The turn passes as usual, pieces left in hand are out of the game (Q11), and the count of
        passes starts again. A won game stays in its phase.
        """
        hands_are_empty = position.hands == (_NO_HAND, _NO_HAND)
        if position.ending is not None or not (hands_are_empty or position.passes == 2):
            return position
        return replace(position, hands=(_NO_HAND, _NO_HAND), is_movement=True, passes=0)

    @staticmethod
    def _next_turn(position: Position, piles: tuple[str, ...], passes: int = 0) -> Position:
        """The position after a turn of the movement phase, which joins the past (Q20)."""
        return replace(
            position,
            piles=piles,
            mover=1 - position.mover,
            passes=passes,
            past=position.past.followed_by(position.piles),
        )

    def ending(self, position: Position) -> Ending | None:
        """A chain wins (Q18); passes, repetition and the limit of turns draw (Q19, Q20)."""
        return position.ending

    def notation(self, position: Position, move: Move) -> str:  # noqa: ARG002
        """``Lb2``, ``Mc3-d3``, ``--`` or ``swap``."""
        match move:
            case Place(size, cell):
                return f"{size}{cell}"
            case Shift(size, start, target):
                return f"{size}{start}-{target}"
            case Pass():
                return "--"
            case _:  # Swap()
                return "swap"

    def read_move(self, position: Position, text: str) -> Move | None:
        """A move in any case, with or without the hyphen; a movement may leave out the size.

        Without a size it is the one block on that cell that can make the move; if there are two,
        the text is ambiguous.
        """
        if text == "swap":
            return Swap()
        if _PASS.fullmatch(text):
            return Pass()
        form = _MOVE.fullmatch(text)
        if form is None or not (form["size"] or form["target"]):
            return None
        if form["target"] is None:
            return Place(form["size"].upper(), form["start"])
        if form["size"]:
            return Shift(form["size"].upper(), form["start"], form["target"])
        return self._whichever_block(position, text, form["start"], form["target"])

    def _whichever_block(self, position: Position, text: str, start: str, target: str) -> Shift:
        """The one block on ``start`` that can go to ``target``.

        If none can, the smallest own one there, since its obstacle stops the larger ones too.
        """
        blocks = [Shift(size, start, target) for size in SIZES]
        able = [move for move in blocks if self.is_legal(position, move)]
        if len(able) > 1:
            raise AmbiguousMove(
                "which_block",
                text=text[:40],
                candidates=tuple(self.notation(position, move) for move in able),
            )
        if able:
            return able[0]
        pile = position.pile(start) if start in position.board.index else ""
        mine = [piece.upper() for piece in pile if piece in LETTERS[position.mover]]
        return Shift((mine or [pile[-1:].upper()])[-1] or "S", start, target)

    def steps(self, position: Position, move: Move) -> tuple[str, ...]:
        """Size and cell of a placement; cell, bottom piece if there is a choice, and target."""
        match move:
            case Place(size, cell):
                return size, cell
            case Shift(size, start, target):
                sizes = {other.size for other in self._shifts(position) if other.start == start}
                return (start, size, target) if len(sizes) > 1 else (start, target)
            case _:  # Pass() | Swap()
                return (self.notation(position, move),)

    def step_text(self, position: Position, prefix: tuple[str, ...], key: str) -> Text:
        """The words of a pick."""
        if key in PICKS:
            return (BLOCKS if position.is_movement else PICKS)[key]
        is_occupied = bool(position.pile(key))
        if not position.is_movement:
            if is_occupied:
                return Text.of("Cover the top of {cell}", cell=key)
            return Text.of("Place it on {cell}", cell=key)
        if not prefix:
            return Text.of("Move from {cell}", cell=key)
        if is_occupied:
            return Text.of("Move onto {cell}", cell=key)
        return Text.of("Move to {cell}", cell=key)

    def step_label(self, position: Position, prefix: tuple[str, ...], key: str) -> Text:
        """A size by its name."""
        return self.info.pieces.get(key) or super().step_label(position, prefix, key)

    def decode(self, text: str) -> Position:
        """The position of the text, which gives the size of its board.

        A bare text has no past and no swap. :exc:`NotationError` for any other text.
        """
        position = read_position(text)
        if position.swapped and (not self._has_pie or not any(position.piles)):
            raise NotationError("position_pie")
        return position

    def view(self, position: Position, seat: Seat | None) -> BoardView:  # noqa: ARG002
        """The whole board: Quux hides nothing."""
        return draw(
            position,
            self.seating(position),
            may_swap=self._may_swap(position) and position.ending is None,
            must_pass=self.legal_moves(position) == [Pass()],
        )

    def marks(self, position: Position, move: Move) -> Marks:
        """The cell of a placement, or the start and the target of a block."""
        match move:
            case Place(cell=cell):
                return Marks(last=(cell,))
            case Shift(size=size, start=start, target=target):
                pile = position.pile(start)
                level = pile.index(LETTERS[position.mover][SIZES.index(size)])
                arrow = Arrow(start, target, pyramids(pile[level:]))
                return Marks(origins=(start,), last=(target,), arrows=(arrow,))
            case _:  # Pass() | Swap()
                return Marks()


def _off_board(position: Position, cell: str) -> Refusal:
    return Refusal("off_board", params={"cell": cell, "size": position.size})


def _refuse_top(pile: str, size: str, cell: str) -> Refusal | None:
    """Why a block with a pyramid of that size at its bottom cannot stand on a pile (Q6, Q15)."""
    if RANK_OF[pile[-1]] > RANK_OF[size]:
        return None
    return Refusal("not_larger", (cell,), {"cell": cell, "size": size, "top": pile[-1].upper()})
