"""The turns of pieces and piles in Ziggurat: travels, captures, exits, reinforcements.

Each ``refuse_`` function states a rule and returns the :class:`Refusal` of a move that breaks it;
:func:`targets` finds the travels of one pile from the same geometry.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.api import Refusal
from games.ziggurat.board import (
    CELLS,
    EXITS,
    FILES,
    HOMES,
    INDEX,
    JUMPS,
    KEEPS,
    RANK_OF,
    RAYS,
    SOUTH,
    TOWERS,
    Exit,
    Reinforce,
    Travel,
    last_row,
    owner,
)
from games.ziggurat.position import Position

_DIAGONALS = ((-1, -1), (1, -1), (-1, 1), (1, 1))
_STRAIGHTS = ((0, -1), (-1, 0), (1, 0), (0, 1))


def is_capture(unit: str, under: str) -> bool:
    """Whether a Zig, Tower or Keep may land on a pile of the other side (Z6 to Z10).

    The one rule for all captures: the result is a proper Tower or Keep.
    """
    return owner(unit) != owner(under) and (under + unit).upper() in TOWERS | KEEPS


def _reach(unit: str) -> int:
    """The reach of a Zig or a Keep: the value of its smallest piece, the lowest one (Z5)."""
    return RANK_OF[unit[0].upper()]


def _forward(seat: int) -> int:
    return 1 if seat == SOUTH else -1


def targets(position: Position, start: int) -> Iterator[int]:
    """The places that the pile on ``start`` may travel to, captures included."""
    unit = position.piles[start]
    if unit.upper() in TOWERS:
        for target, *ways in JUMPS[start]:
            if any(not position.piles[way] for way in ways):
                under = position.piles[target]
                if not under or is_capture(unit, under):
                    yield target
        return
    is_keep = unit.upper() in KEEPS
    forward = _forward(position.mover)
    for right, up in _STRAIGHTS if is_keep else _DIAGONALS:
        for target in RAYS[right, up][start][: _reach(unit)]:
            under = position.piles[target]
            if under:
                if is_capture(unit, under):
                    yield target
                break
            if is_keep or up == forward:
                yield target


def refuse_travel(position: Position, move: Travel) -> Refusal | None:
    """Why the pile on ``start`` may not go to ``target``."""
    start, target = move.start, move.target
    refusal = _refuse_unit(position, start)
    if refusal is not None:
        return refusal
    if target not in INDEX:
        return Refusal("off_board", params={"cell": target})
    if start == target:
        return Refusal("same_cell", (start,), {"cell": start})
    unit, under = position.pile(start), position.pile(target)
    refusal = (
        _refuse_jump(position, move)
        if unit.upper() in TOWERS
        else _refuse_line(position, move, unit)
    )
    if refusal is not None:
        return refusal
    if under:
        return _refuse_capture(unit, under, target)
    forward = _forward(position.mover)
    up = INDEX[target] // FILES - INDEX[start] // FILES
    if len(unit) == 1 and up * forward < 0:
        return Refusal("backwards", (start, target), {"cell": start})  # Z2
    return None


def _refuse_unit(position: Position, cell: str) -> Refusal | None:
    """Why the unit on that square cannot be moved by the side on turn (Z9)."""
    if cell not in INDEX:
        return Refusal("off_board", params={"cell": cell})
    if not position.pile(cell):
        return Refusal("empty_cell", (cell,), {"cell": cell})
    if owner(position.pile(cell)) != position.mover:
        return Refusal("not_yours", (cell,), {"cell": cell})
    return None


def _refuse_jump(position: Position, move: Travel) -> Refusal | None:
    """Towers: a knight's move by way of at least one empty square (Z4)."""
    for target, *ways in JUMPS[INDEX[move.start]]:
        if CELLS[target] == move.target:
            first, second = (CELLS[way] for way in ways)
            if position.pile(first) and position.pile(second):
                params = {"first": first, "second": second}
                return Refusal("both_ways_blocked", (first, second), params)
            return None
    params = {"start": move.start, "target": move.target}
    return Refusal("not_knight", (move.start, move.target), params)


def _refuse_line(position: Position, move: Travel, unit: str) -> Refusal | None:
    """Zigs go diagonally, Keeps straight, over empty squares, as far as they reach (Z3, Z5)."""
    is_keep = unit.upper() in KEEPS
    start, target = INDEX[move.start], INDEX[move.target]
    for direction in _STRAIGHTS if is_keep else _DIAGONALS:
        ray = RAYS[direction][start]
        if target in ray:
            break
    else:
        code = "not_straight" if is_keep else "not_diagonal"
        params = {"start": move.start, "target": move.target}
        return Refusal(code, (move.start, move.target), params)
    way = ray[: ray.index(target)]
    blocks = [CELLS[place] for place in way if position.piles[place]]
    if blocks:
        return Refusal("path_blocked", (blocks[0],), {"cell": blocks[0]})
    reach = _reach(unit)
    if len(way) >= reach:
        params_reach: dict[str, str | int] = {"cell": move.start, "reach": reach}
        return Refusal("too_far", (move.start, move.target), params_reach)
    return None


def _refuse_capture(unit: str, under: str, cell: str) -> Refusal | None:
    """Captures leave a proper Tower or Keep, and never hit a pile of one's own (Z8 to Z10)."""
    if owner(unit) == owner(under):
        return Refusal("own_pile", (cell,), {"cell": cell})
    if is_capture(unit, under):
        return None
    if len(under) + len(unit) > 3 or min(len(under), len(unit)) > 1:
        return Refusal("too_high", (cell,), {"cell": cell})
    top, lowest = under[-1].upper(), unit[0].upper()
    gap = RANK_OF[top] - RANK_OF[lowest]
    params = {"cell": cell, "top": top, "piece": lowest}
    if unit.upper() in TOWERS and gap != 1:
        return Refusal("not_one_size_larger", (cell,), params)
    if unit.upper() in KEEPS and gap != -1:
        return Refusal("not_one_size_smaller", (cell,), params)
    if abs(gap) != 1:
        return Refusal("not_one_size_apart", (cell,), params)
    return Refusal("no_pile", (cell,), {"cell": cell, "pile": (under + unit).upper()})


def refuse_exit(position: Position, move: Exit) -> Refusal | None:
    """Why the Zig, or the top of the pile, on that square may not leave the board."""
    cell = move.start
    refusal = _refuse_unit(position, cell)
    if refusal is not None:
        return refusal
    unit = position.pile(cell)
    kind = unit[-1].upper()
    if kind in position.exited[position.mover]:
        return Refusal("already_exited", (cell,), {"kind": kind})  # Z16
    place = INDEX[cell]
    if len(unit) > 1:
        # The far row of the top's owner; one step for any kind, with nothing in its way (Z14, Z15).
        if place // FILES == last_row(position.mover):
            return None
        return Refusal("not_in_last_row", (cell,), {"cell": cell})
    ways = [way for way in EXITS[position.mover][place] if len(way) < RANK_OF[kind]]
    if not ways:
        return Refusal("exit_too_far", (cell,), {"cell": cell, "reach": RANK_OF[kind]})  # Z11
    blocks = [CELLS[step] for way in ways for step in way if position.piles[step]]
    if all(any(position.piles[step] for step in way) for way in ways):
        return Refusal("exit_blocked", tuple(blocks), {"cell": cell})  # Z13
    return None


def exit_way(position: Position, move: Exit) -> str:
    """The last square that a Zig crosses as it leaves, empty where that is its start."""
    ways = [
        way
        for way in EXITS[position.mover][INDEX[move.start]]
        if not any(position.piles[step] for step in way)
    ]
    if len(position.pile(move.start)) > 1 or not ways:
        return ""
    return "".join(CELLS[step] for step in min(ways, key=len)[-1:])


def refuse_reinforcement(position: Position, move: Reinforce) -> Refusal | None:
    """Why a piece of the reserve may not be put on that square (Z18)."""
    kind, cell = move.kind, move.cell
    if cell not in INDEX:
        return Refusal("off_board", params={"cell": cell})
    if kind not in position.reserves[position.mover]:
        return Refusal("none_in_reserve", params={"kind": kind})
    file, rank = INDEX[cell] % FILES, INDEX[cell] // FILES
    if rank != last_row(1 - position.mover):
        return Refusal("not_home", (cell,), {"cell": cell})
    if HOMES[file] != kind:
        return Refusal("wrong_size", (cell,), {"cell": cell, "kind": kind, "home": HOMES[file]})
    if position.pile(cell):
        return Refusal("occupied", (cell,), {"cell": cell})
    return None
