"""The view of a position of Pux."""

from __future__ import annotations

from games.api import Outcome
from games.pux.board import CELLS, SIZE
from games.pux.board import Cell as Place
from games.pux.position import BLACK, QUIET_LIMIT, STONES, WHITE, Position
from games.view import (
    BoardView,
    Cell,
    Colour,
    Grid,
    Piece,
    SeatView,
    Side,
    Sign,
    Text,
    Topology,
    Tray,
    TraySlot,
)

COLOURS = (Text.of("White"), Text.of("Black"))
_GOALS = (Text.of("moves up"), Text.of("moves down"))
_SINGLE = (Text.of("White stone"), Text.of("Black stone"))
_PROMOTED = (Text.of("White promoted stone"), Text.of("Black promoted stone"))
_WON = (Text.of("White captured every black stone"), Text.of("Black captured every white stone"))
_DRAWN = {
    "repetition": Text.of("Draw: the same position for the third time"),
    "no_progress": Text.plural(
        "Draw: {n} turn without a capture or a promotion",
        "Draw: {n} turns without a capture or a promotion",
        n=QUIET_LIMIT,
    ),
    "one_promoted_each": Text.of("Draw: one promoted piece each"),
    "two_passes": Text.of("Draw: both sides had to pass"),
}
_WARN_AFTER = QUIET_LIMIT // 2
"""From this many quiet turns on the board says how many are left."""


_REPEATED = Text.of("This position has occurred before. The third time is a draw.")


def _drawn_in(turns: int) -> Text:
    return Text.plural(
        "A draw in {n} turn unless a piece is captured or promoted.",
        "A draw in {n} turns unless a piece is captured or promoted.",
        n=turns,
    )


_LONGEST = ((_REPEATED, _drawn_in(_WARN_AFTER)),)


def draw(position: Position, outcome: Outcome | None) -> BoardView:
    """The view of the position, the same for all."""
    winners = tuple(int(seat) for seat in outcome.winners) if outcome else ()
    result = None
    if outcome is not None:
        result = _WON[winners[0]] if winners else _DRAWN[outcome.reason]
    return BoardView(
        game="pux",
        topology=Topology.SQUARES,
        palette="chess",
        grids=(Grid(SIZE, SIZE),),
        cells=tuple(_cell(position, place) for place in CELLS),
        colours=tuple(_colour(position, colour, outcome) for colour in (WHITE, BLACK)),
        seats=(SeatView((WHITE,), WHITE), SeatView((BLACK,), BLACK)),
        to_move=position.mover if outcome is None else None,
        captions=_captions(position) if outcome is None else (),
        winners=winners,
        result=result,
        longest=_LONGEST,
        labels=Text.of("The number of a piece is its move potential."),
    )


def _cell(position: Position, place: Place) -> Cell:
    """A piece shows its move potential; a promoted one is a stack of two."""
    colour = position.colour_at(place)
    if colour is None:
        return Cell(place.name, place.file, place.rank)
    label = str(position.move_potential(place))
    if position.is_promoted(place):
        stack: tuple[Piece, ...] = (
            Piece(colour, "stone", _SINGLE[colour]),
            Piece(colour, "stone", _PROMOTED[colour], label=label),
        )
    else:
        stack = (Piece(colour, "stone", _SINGLE[colour], label=label),)
    return Cell(place.name, place.file, place.rank, stack)


def _colour(position: Position, colour: int, outcome: Outcome | None) -> Colour:
    signs: tuple[Sign, ...] = ()
    if outcome is None and not position.may_go_sideways(colour):
        signs = (Sign("sideways", Text.of("went sideways last turn")),)
    enemy = 1 - colour
    captured = STONES - position.on_board(enemy)
    tray = Tray("captured", Text.of("captured"), enemy, (TraySlot(single(enemy), captured),))
    return Colour(
        COLOURS[colour],
        _GOALS[colour],
        (Text.plural("{n} stone", "{n} stones", n=position.on_board(colour)),),
        (tray,) if captured else (),
        signs=signs,
        home=Side.BOTTOM if colour == WHITE else Side.TOP,
    )


def single(colour: int) -> Piece:
    """A stone in a tray."""
    return Piece(colour, "stone", _SINGLE[colour])


def mover(position: Position, place: Place) -> Piece:
    """The piece on a cell, without its number."""
    colour = position.colour_at(place)
    assert colour is not None  # noqa: S101 - a legal move starts here
    names = _PROMOTED if position.is_promoted(place) else _SINGLE
    return Piece(colour, "stone", names[colour])


def _captions(position: Position) -> tuple[Text, ...]:
    """The approaching draws of PX-20."""
    captions = []
    if position.occurrence in position.earlier:
        captions.append(_REPEATED)
    if position.quiet >= _WARN_AFTER:
        left = QUIET_LIMIT - position.quiet
        captions.append(
            Text.of("A draw after this turn unless it captures or promotes a piece.")
            if left == 1
            else _drawn_in(left)
        )
    return tuple(captions)
