"""The view of a position of Quax."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import chain, repeat

from games.api import Outcome
from games.quax.board import Cell as Place
from games.quax.board import Link as Diagonal
from games.quax.position import BLACK, RED, Pie, Position
from games.view import (
    BoardView,
    Cell,
    Colour,
    Edge,
    Grid,
    Link,
    Marks,
    Piece,
    SeatView,
    Side,
    Text,
    Topology,
)

COLOURS = (Text.of("Black"), Text.of("Red"))
_GOALS = (Text.of("joins left and right"), Text.of("joins top and bottom"))
_RESULTS = (Text.of("Black joined left and right"), Text.of("Red joined top and bottom"))
_STACKS = {
    None: (),
    BLACK: (Piece(BLACK, "stone", Text.of("Black stone")),),
    RED: (Piece(RED, "stone", Text.of("Red stone")),),
}
_EDGES = (
    Edge(Side.LEFT, BLACK),
    Edge(Side.RIGHT, BLACK),
    Edge(Side.BOTTOM, RED),
    Edge(Side.TOP, RED),
)
_PIE = {
    Pie.AHEAD: Text.of("After the first stone, the other player may swap colours."),
    Pie.OPEN: Text.of("Red may swap colours instead of dropping a stone."),
    Pie.SWAPPED: Text.of("The players have swapped colours."),
}


def draw(position: Position, seating: tuple[int, ...], outcome: Outcome | None) -> BoardView:
    """The view of the position, the same for all.

    ``seating`` has the players of Black and Red.
    """
    owners = {link: position.owner(link.start) or BLACK for link in position.links()}
    laid = [list(owners.values()).count(colour) for colour in (BLACK, RED)]
    return BoardView(
        game="quax",
        topology=Topology.OCTAGONS,
        palette="stones",
        grids=(Grid(position.size, position.size),),
        cells=_cells(position),
        colours=tuple(_colour(position, colour, laid[colour]) for colour in (BLACK, RED)),
        seats=tuple(SeatView((colour,), player) for colour, player in enumerate(seating)),
        to_move=position.mover if outcome is None else None,
        links=tuple(_link(link, colour) for link, colour in owners.items()),
        edges=_EDGES,
        connects=True,
        marks=Marks(path=outcome.path) if outcome else Marks(),
        captions=_captions(position),
        winners=() if position.winner is None else (position.winner,),
        result=None if position.winner is None else _RESULTS[position.winner],
        longest=tuple((text,) for text in _PIE.values()),
    )


def _captions(position: Position) -> tuple[Text, ...]:
    """The state of the swap; one that was made is shown until the next stone."""
    stones = position.stones(BLACK) | position.stones(RED)
    is_past = position.pie is Pie.SWAPPED and stones.bit_count() > 1
    return () if is_past or position.pie not in _PIE else (_PIE[position.pie],)


def _cells(position: Position) -> tuple[Cell, ...]:
    """All cells with their stones."""
    plain, size = position.board, position.size
    black, red = plain.rows(position.black), plain.rows(position.red)
    return tuple(chain.from_iterable(map(_rank, repeat(size), range(size), black, red)))


@lru_cache(maxsize=4096)
def _rank(size: int, rank: int, black: int, red: int) -> tuple[Cell, ...]:
    """The cells of a rank, cached: most moves change only one rank."""
    return tuple(
        _cell(file, rank, BLACK if black >> file & 1 else RED if red >> file & 1 else None)
        for file in range(size)
    )


@cache
def _cell(file: int, rank: int, owner: int | None) -> Cell:
    """A cell, empty or with a stone on it."""
    return Cell(Place(file, rank).name, file, rank, _STACKS[owner])


@cache
def _link(link: Diagonal, colour: int) -> Link:
    return Link(link.start.name, link.end.name, colour)


def _colour(position: Position, colour: int, links: int) -> Colour:
    stones = position.stones(colour).bit_count()
    notes = [Text.plural("{n} stone", "{n} stones", n=stones)]
    if links:
        notes.append(Text.plural("{n} link", "{n} links", n=links))
    return Colour(COLOURS[colour], _GOALS[colour], tuple(notes))
