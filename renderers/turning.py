"""The side of the board at the bottom of the picture.

A colour sits at its home, and without a home at the sides that it wants to connect; for one with
the left and the right side the board is turned by a quarter. Names of cells go with their cells, so
coordinates are right from every side.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from games.view import Arrow, BoardView, Colour, Side, Topology
from renderers.style import Style

_QUARTER = {
    Side.LEFT: Side.BOTTOM,
    Side.BOTTOM: Side.RIGHT,
    Side.RIGHT: Side.TOP,
    Side.TOP: Side.LEFT,
}


class Seen(NamedTuple):
    """A view for its viewer: perhaps turned by a quarter, and ``flipped`` by half a turn.

    The bar of the ``nearest`` colour is below the board, if the viewer has a side.
    """

    view: BoardView
    flipped: bool
    nearest: int | None


def seen(view: BoardView, style: Style) -> Seen:
    """The view from the side of the style's viewer; boards of several grids are never turned."""
    if len(view.grids) > 1:
        return Seen(view, False, None)
    mine = next((seat.colours[0] for seat in view.seats if seat.player == style.mine), None)
    flipped, nearest = style.flipped, None
    shown = view
    if mine is not None:
        sides = _sides(view, mine)
        # Hexagons cannot be turned by a quarter.
        if sides <= {Side.LEFT, Side.RIGHT} and sides and view.topology is not Topology.HEXAGONS:
            shown = _by_a_quarter(view)
            sides = frozenset(_QUARTER[side] for side in sides)
        flipped ^= Side.TOP in sides and Side.BOTTOM not in sides
        nearest = 1 - mine if style.flipped and len(view.colours) == 2 else mine
    if flipped or shown.turned:
        shown = replace(shown, colours=_with_goals(view, shown, flipped=flipped))
    return Seen(shown, flipped, nearest)


def _sides(view: BoardView, colour: int) -> frozenset[Side]:
    home = view.colours[colour].home
    if home is not None:
        return frozenset({home})
    return frozenset(edge.side for edge in view.edges if edge.colour == colour)


def _with_goals(view: BoardView, turned: BoardView, *, flipped: bool) -> tuple[Colour, ...]:
    """The colours with goals for the turned board: a goal names sides."""
    goals = {_sides(view, number): one.goal for number, one in enumerate(view.colours)}
    colours = []
    for number, one in enumerate(view.colours):
        sides = _sides(view, number)
        for _ in range(turned.turned + 2 * flipped):
            sides = frozenset(_QUARTER[side] for side in sides)
        colours.append(replace(one, goal=goals.get(sides, one.goal)))
    return tuple(colours)


def _by_a_quarter(view: BoardView) -> BoardView:
    """The view with its left side at the bottom."""
    grid = view.grids[0]
    top = grid.rank + grid.ranks - 1

    def arrow(one: Arrow) -> Arrow:
        return one if one.side is None else replace(one, side=_QUARTER[one.side])

    cells = (replace(cell, file=top - cell.rank, rank=cell.file - grid.file) for cell in view.cells)
    return replace(
        view,
        turned=True,
        grids=(replace(grid, files=grid.ranks, ranks=grid.files, file=0, rank=0),),
        cells=tuple(cells),
        edges=tuple(replace(edge, side=_QUARTER[edge.side]) for edge in view.edges),
        marks=replace(view.marks, arrows=tuple(map(arrow, view.marks.arrows))),
    )
