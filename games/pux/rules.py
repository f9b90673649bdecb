"""The legal moves of Pux: the rule in plain code, and the same on sets of cells.

:func:`refuse` states the rulings one after the other, cell by cell. :func:`generate` lists the
moves that it would allow; it tests a whole group of pieces in one step, because a position can have
hundreds of moves. The tests compare the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from games.api import Refusal
from games.pux.board import (
    ADJACENT,
    CELL_OF_BIT,
    RIM,
    Cell,
    Direction,
    bits,
    directions,
    shifted,
)
from games.pux.position import BLACK, Capture, Position, Shift


def forward(colour: int) -> int:
    """White goes up the board, Black down: the step of a forward move in ranks."""
    return -1 if colour == BLACK else 1


def refuse(position: Position, move: Shift | Capture) -> Refusal | None:
    """The ruling that forbids the move, None if there is none."""
    mover, target = move.mover, move.target
    riders = move.riders if isinstance(move, Shift) else ()
    colour = position.colour_at(mover)
    if colour is None:
        return Refusal("no_piece", (mover.name,), {"cell": mover.name})
    if colour != position.mover:
        return Refusal("not_yours", (mover.name,), {"cell": mover.name})
    for rider in riders:
        if not rider.touches(mover):  # PX-9: orthogonal neighbours alone
            params: dict[str, str | int] = {"cell": rider.name, "mover": mover.name}
            return Refusal("not_a_neighbour", (rider.name,), params)
        if position.colour_at(rider) is None:
            return Refusal("no_piece", (rider.name,), {"cell": rider.name})
    direction = Direction.between(mover, target)
    if direction is None:
        ends: dict[str, str | int] = {"start": mover.name, "end": target.name}
        return Refusal("not_straight", (mover.name, target.name), ends)
    return (
        _refuse_direction(position, mover, direction)
        or _refuse_length(position, mover, target, len(riders))
        or _refuse_way(position, move, (mover, *riders), direction)
        or (_refuse_capture(position, mover, target) if isinstance(move, Capture) else None)
    )


def _refuse_direction(position: Position, mover: Cell, direction: Direction) -> Refusal | None:
    """PX-5: the mover alone decides the directions of a group.

    PX-12: no two lateral turns in a row.
    """
    if direction.ranks == -forward(position.mover) and not position.is_promoted(mover):
        return Refusal("backward", (mover.name,), {"cell": mover.name})
    if direction.is_lateral and not position.may_go_sideways(position.mover):
        return Refusal("consecutive_lateral", (mover.name,))
    return None


def _refuse_length(position: Position, mover: Cell, target: Cell, riders: int) -> Refusal | None:
    """PX-3, PX-6: at most the move potential, shared evenly among the moving pieces."""
    potential = position.move_potential(mover)
    reach = potential // (1 + riders)
    distance = max(abs(target.file - mover.file), abs(target.rank - mover.rank))
    if distance <= reach:
        return None
    params = {"mp": potential, "pieces": 1 + riders, "reach": reach, "distance": distance}
    code = "mp_too_small" if riders == 0 else "mp_too_small_to_carry"
    return Refusal(code, (mover.name, target.name), params)


def _refuse_way(
    position: Position, move: Shift | Capture, group: tuple[Cell, ...], direction: Direction
) -> Refusal | None:
    """PX-7, PX-8: at each step every piece of the group is on the board and on no other piece.

    The only exception is the last step of a capture.
    """
    here = group
    while here[0] != move.target:
        here = tuple(cell.next(direction) for cell in here)
        for start, cell in zip(group, here, strict=True):
            if not cell.is_on_board:
                return Refusal("off_board", (start.name,), {"cell": start.name})
            if position.colour_at(cell) is None or cell in group:
                continue
            if start != move.mover:
                params: dict[str, str | int] = {"cell": cell.name, "rider": start.name}
                return Refusal("transport_blocked", (cell.name,), params)
            if cell != move.target:
                return Refusal("path_blocked", (cell.name,), {"cell": cell.name})
            if position.colour_at(cell) == position.mover:
                return Refusal("own_piece", (cell.name,), {"cell": cell.name})
            if isinstance(move, Shift):
                code = "write_capture" if len(group) == 1 else "capture_carries"
                wanted = f"{move.mover.name}:{cell.name}"
                return Refusal(code, (cell.name,), {"cell": cell.name, "move": wanted})
    return None


def _refuse_capture(position: Position, mover: Cell, target: Cell) -> Refusal | None:
    """PX-10: onto an enemy piece, whose move potential has to be smaller."""
    if position.colour_at(target) is None:
        return Refusal("nothing_to_capture", (target.name,), {"cell": target.name})
    ours, theirs = position.move_potential(mover), position.move_potential(target)
    if ours <= theirs:
        params: dict[str, str | int] = {"cell": target.name, "mp": ours, "target_mp": theirs}
        return Refusal("capture_needs_greater_mp", (target.name,), params)
    return None


def generate(position: Position) -> Iterator[Shift | Capture]:
    """Every legal move but the pass.

    Movers from a1 up each file; for each the largest companies first and the piece alone last;
    then by direction and distance.
    """
    own = position.stones_of(position.mover)
    enemies = position.stones_of(1 - position.mover)
    occupied = own | enemies
    ahead = forward(position.mover)
    sideways = position.may_go_sideways(position.mover)
    for mover, adjacent in ADJACENT.items():
        if not mover & own:
            continue
        promoted = bool(mover & position.promoted)
        potential = position.potential_at(mover)
        for riders in _companies(adjacent & occupied):
            group, ways = _ways(mover, riders, ahead, promoted, sideways)
            reach = potential // (1 + len(riders))
            # PX-8 for all pieces and cells together: the pieces outside the group.
            others = occupied & ~group
            for way in ways:
                for there, shift in way[:reach]:
                    if not there & others:
                        yield shift
                        continue
                    if not riders and there & enemies and potential > position.potential_at(there):
                        yield Capture(shift.mover, shift.target)
                    break


@lru_cache(maxsize=8192)
def _ways(
    mover: int, riders: tuple[int, ...], ahead: int, promoted: bool, sideways: bool
) -> tuple[int, tuple[tuple[tuple[int, Shift], ...], ...]]:
    """A group, and each direction that PX-5 and PX-12 leave to it, step by step up to the rim.

    A step has the cells of the group after it, and the shift to there. Results are cached, since
    the same ones come up again and again: some five thousand of them in a few dozen games.
    """
    group = sum(riders, mover)
    start = CELL_OF_BIT[mover]
    company = tuple(CELL_OF_BIT[rider] for rider in riders)
    ways = []
    for step in directions(ahead, promoted=promoted):
        if step.is_lateral and not sideways:
            continue
        way = []
        there, target = shifted(group, step.shift), start.next(step)
        while not there & RIM:
            way.append((there, Shift(start, target, company)))
            there, target = shifted(there, step.shift), target.next(step)
        ways.append(tuple(way))
    return group, tuple(ways)


@cache
def _companies(beside: int) -> list[tuple[int, ...]]:
    """Every selection of the pieces beside a mover (PX-9), each after all that begin with it."""
    companies: list[tuple[int, ...]] = [()]
    for rider in sorted(bits(beside), key=CELL_OF_BIT.__getitem__, reverse=True):
        companies = [(rider, *company) for company in companies] + companies
    return companies


def promote(position: Position, arrived: int, last: int) -> int:
    """The cells whose stones promote, of those that a non-lateral move has reached.

    PX-14 and PX-15: a single stone of either colour on its own last rank, while its reserve lasts.
    PX-16: first the piece that moved, which stands on ``last``, then from file a to h. ``position``
    has the pieces after the move.
    """
    singles = arrived & ~position.promoted
    spare = [position.reserve(0), position.reserve(1)]
    found = 0
    for one in sorted(bits(singles), key=lambda one: (one != last, CELL_OF_BIT[one])):
        cell = CELL_OF_BIT[one]
        colour = BLACK if position.black & one else 0
        if cell.rank == (0 if colour == BLACK else 7) and spare[colour]:
            spare[colour] -= 1
            found |= one
    return found
