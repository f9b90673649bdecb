"""The legal moves of Pythagoras: the rule space by space, and the same on sets of spaces.

:func:`refuse` states the rulings one after the other. :func:`generate` lists the moves that it
would allow; it works on sets of spaces, because every move has to check for the end of the game,
for all four colours (P21). The tests compare the two.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.api import Refusal
from games.pythagoras.board import (
    ALL,
    BOTTOM,
    SPACE_OF_BIT,
    SPACES,
    UP,
    Space,
    around,
    bits,
    space,
)
from games.pythagoras.position import (
    COLOURS,
    SIZES,
    SMALL,
    Move,
    Pin,
    Pit,
    Place,
    Position,
    Pyramid,
)


def refuse(position: Position, move: Move) -> Refusal | None:
    """The ruling that forbids the colour on turn this move, None if there is none."""
    colour = position.mover
    if not position.in_hand(colour, move.size):
        return Refusal("not_in_hand", params={"size": move.size})
    if isinstance(move, Pit):
        open_spaces = {other.space for other in generate(position, colour)}
        if open_spaces:  # P14: a move comes first, and the Pit is for colours without one
            return Refusal("must_move_before_pit", tuple(sorted(open_spaces)))
        return None
    place = space(move.space)
    stack = position.stack(place)
    if isinstance(move, Place):
        refusal = _refuse_height(position, place, stack, move.size)
    else:
        refusal = _refuse_pin(place, stack, move.size)
    if refusal is not None:
        return refusal
    piece = Pyramid(colour, move.size)
    return _refuse_neighbour(position, place, piece) or _LAWS[place.grid](position, place, piece)


def _refuse_height(
    position: Position, place: Space, stack: tuple[Pyramid, ...], size: int
) -> Refusal | None:
    """The author's Rule 2: a pyramid is placed on the lowest empty space of its column."""
    if stack:
        if stack[-1].size != size - 1:
            return Refusal("occupied", (place.name,), {"cell": place.name})
        params: dict[str, str | int] = {"cell": place.name, "move": f"{size}x{place.name}"}
        return Refusal("write_pin", (place.name,), params)
    for below in SPACES:
        if below.file == place.file and below.rank < place.rank and not position.stack(below):
            params = {"cell": place.name, "lowest": below.name}
            return Refusal("column_not_ready", (below.name,), params)
    return None


def _refuse_pin(place: Space, stack: tuple[Pyramid, ...], size: int) -> Refusal | None:
    """P9 to P11: over any top that is exactly one size smaller, at any height, of any colour."""
    if not stack:
        return Refusal("nothing_to_pin", (place.name,), {"cell": place.name})
    if stack[-1].size != size - 1:
        params: dict[str, str | int] = {"cell": place.name, "size": size, "top": stack[-1].size}
        return Refusal("not_one_size_smaller", (place.name,), params)
    return None


def _tops(position: Position, places: int) -> list[tuple[str, Pyramid]]:
    """The tops on a set of spaces, with the names of the spaces; covered pieces are out (P12)."""
    stacks = [(SPACE_OF_BIT[bit].name, position.stack(SPACE_OF_BIT[bit])) for bit in bits(places)]
    return [(name, stack[-1]) for name, stack in stacks if stack]


def _refuse_neighbour(position: Position, place: Space, piece: Pyramid) -> Refusal | None:
    """The author's Rule 1, across the borders between grids too (P4, P5)."""
    alike = tuple(name for name, top in _tops(position, place.beside) if top == piece)
    return Refusal("adjacent_alike", alike, {"cell": alike[0]}) if alike else None


def _refuse_in_5x5(position: Position, place: Space, piece: Pyramid) -> Refusal | None:
    """One size a rank (P7); above and below, neither the same size nor the same colour."""
    others = [name for name, top in _tops(position, place.rank_mates) if top.size != piece.size]
    if others:
        return Refusal("other_size_in_rank", tuple(others), {"cell": others[0]})
    for name, top in _tops(position, place.above_and_below):
        if top.size == piece.size:
            return Refusal("same_size_above_or_below", (name,), {"cell": name})
        if top.colour == piece.colour:
            return Refusal("same_colour_above_or_below", (name,), {"cell": name})
    return None


def _refuse_in_4x4(position: Position, place: Space, piece: Pyramid) -> Refusal | None:
    """No colour twice in a rank or column of this grid (P6)."""
    lines = (
        ("same_colour_in_rank", place.rank_mates),
        ("same_colour_in_column", place.column_mates),
    )
    for code, mates in lines:
        for name, top in _tops(position, mates):
            if top.colour == piece.colour:
                return Refusal(code, (name,), {"cell": name})
    return None


def _refuse_in_3x3(position: Position, place: Space, piece: Pyramid) -> Refusal | None:
    """No size twice in a rank or column of this grid (P6)."""
    lines = (
        ("same_size_in_rank", place.rank_mates),
        ("same_size_in_column", place.column_mates),
    )
    for code, mates in lines:
        for name, top in _tops(position, mates):
            if top.size == piece.size:
                return Refusal(code, (name,), {"cell": name})
    return None


_LAWS = (_refuse_in_5x5, _refuse_in_4x4, _refuse_in_3x3)
"""The environment of each grid."""


def generate(position: Position, colour: int) -> Iterator[Place | Pin]:
    """Every place and pin that the rules allow that colour, as if it were on turn.

    Small ones first; for each size the places and then the pins, a1 b1 c1 ... upwards.
    """
    tops = position.tops_by_size()
    occupied = sum(tops)
    lowest = ALL & ~occupied & (BOTTOM | occupied << UP)
    own = position.tops_of_colour(colour)
    for size in SIZES:
        if not position.in_hand(colour, size):
            continue
        same = tops[size - 1]
        shut = around(position.at(colour, size) & same)
        for bit in bits(lowest & ~shut):
            if _fits(SPACE_OF_BIT[bit], occupied, same, own):
                yield Place(size, SPACE_OF_BIT[bit].name)
        if size > SMALL:
            for bit in bits(tops[size - 2] & ~shut):
                if _fits(SPACE_OF_BIT[bit], occupied, same, own):
                    yield Pin(size, SPACE_OF_BIT[bit].name)


def _fits(place: Space, occupied: int, same: int, own: int) -> bool:
    """Whether the law of the grid allows a top on a space.

    ``same`` are the spaces with tops of its size, ``own`` those with tops of its colour. The
    space itself never counts: it is empty, or about to be covered (P12).
    """
    if place.grid == 0:
        others_in_rank = place.rank_mates & occupied & ~same
        return not others_in_rank and not place.above_and_below & (same | own)
    return not (place.rank_mates | place.column_mates) & (own if place.grid == 1 else same)


def can_move(position: Position, colour: int) -> bool:
    """Whether that colour could place or pin if it were on turn."""
    return next(generate(position, colour), None) is not None


def is_over(position: Position) -> bool:
    """Whether no colour can place or pin any longer (P21); one with an empty hand cannot."""
    return not any(can_move(position, colour) for colour in COLOURS)
