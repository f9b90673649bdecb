"""The view of a position of Pythagoras."""

from __future__ import annotations

from collections.abc import Sequence

from games.api import Outcome, SeatInfo
from games.pythagoras.board import GRIDS, SPACES, Space
from games.pythagoras.position import COLOURS, SIZES, Position, Pyramid
from games.pythagoras.scoring import Score, rank_leaders, scores
from games.view import (
    BoardView,
    Cell,
    Colour,
    Grid,
    Piece,
    ScoreLine,
    SeatView,
    Text,
    Topology,
    Tray,
    TraySlot,
)

COLOUR_NAMES = (Text.of("Red"), Text.of("Yellow"), Text.of("Green"), Text.of("Blue"))
SIZE_WORDS = {
    1: Text.of("Small ({left} in hand)"),
    2: Text.of("Medium ({left} in hand)"),
    3: Text.of("Large ({left} in hand)"),
}
_NAMES = (
    (Text.of("Small Red"), Text.of("Medium Red"), Text.of("Large Red")),
    (Text.of("Small Yellow"), Text.of("Medium Yellow"), Text.of("Large Yellow")),
    (Text.of("Small Green"), Text.of("Medium Green"), Text.of("Large Green")),
    (Text.of("Small Blue"), Text.of("Medium Blue"), Text.of("Large Blue")),
)
_PIECES = {
    Pyramid(colour, size): Piece(colour, "pyramid", _NAMES[colour][size - 1], size=size)
    for colour in COLOURS
    for size in SIZES
}
_TITLES = (Text.of("5 × 5"), Text.of("4 × 4"), Text.of("3 × 3"))
_LAWS = (
    Text.of("one size per rank; neighbours in a file differ in size and colour"),
    Text.of("no colour twice in a rank or file"),
    Text.of("no size twice in a rank or file"),
)
_BONUS = Text.of("bonus {points}")
_BONUS_TAKEN = (
    Text.of("bonus {points} won by Red"),
    Text.of("bonus {points} won by Yellow"),
    Text.of("bonus {points} won by Green"),
    Text.of("bonus {points} won by Blue"),
)
_AGAIN = (
    Text.of("Red filled a line and moves again."),
    Text.of("Yellow filled a line and moves again."),
    Text.of("Green filled a line and moves again."),
    Text.of("Blue filled a line and moves again."),
)
_MUST_PIT = (
    Text.of("Red has no move and must put a pyramid into the pit."),
    Text.of("Yellow has no move and must put a pyramid into the pit."),
    Text.of("Green has no move and must put a pyramid into the pit."),
    Text.of("Blue has no move and must put a pyramid into the pit."),
)
_PARTS: tuple[tuple[Text, str], ...] = (
    (Text.of("Tops"), "tops"),
    (Text.of("Pit"), "pit"),
    (Text.of("Pinned"), "pinned"),
    (Text.of("Ranks"), "ranks"),
    (Text.of("Grids"), "grids"),
    (Text.of("Total"), "total"),
)


def draw(
    position: Position, seats: Sequence[SeatInfo], outcome: Outcome | None, *, must_pit: bool
) -> BoardView:
    """The view of the position, the same for all.

    ``must_pit`` says that the colour on turn can only use its Pit.
    """
    found = scores(position)
    winners = () if outcome is None else outcome.winners
    return BoardView(
        game="pythagoras",
        topology=Topology.SQUARES,
        palette="four",
        grids=tuple(_grid(position, index) for index in range(len(GRIDS))),
        cells=tuple(_cell(position, place) for place in SPACES),
        colours=tuple(_colour(position, colour, found[colour]) for colour in COLOURS),
        seats=tuple(SeatView(seat.colours, player) for player, seat in enumerate(seats)),
        to_move=position.mover if outcome is None else None,
        captions=_captions(position, seats, found, must_pit=must_pit, over=outcome is not None),
        rank_leaders=rank_leaders(position),
        score_lines=tuple(
            ScoreLine(title, tuple(getattr(score, part) for score in found))
            for title, part in _PARTS
        ),
        winners=tuple(colour for seat in winners for colour in seats[seat].colours),
        result=None if outcome is None else _result(outcome),
        longest=tuple(
            (again, must, *_sums(seats, (88,) * len(COLOURS)))
            for again, must in zip(_AGAIN, _MUST_PIT, strict=True)
        ),
    )


def _grid(position: Position, index: int) -> Grid:
    grid, owner = GRIDS[index], position.bonuses[index]
    bonus = _BONUS if owner is None else _BONUS_TAKEN[owner]
    return Grid(
        files=grid.size,
        ranks=grid.size,
        file=grid.file,
        title=_TITLES[index],
        captions=(bonus.filled({"points": grid.bonus}), _LAWS[index]),
    )


def _cell(position: Position, place: Space) -> Cell:
    stack = tuple(_PIECES[piece] for piece in position.stack(place))
    return Cell(place.name, place.file, place.rank, stack)


def _colour(position: Position, colour: int, score: Score) -> Colour:
    """Hand and Pit, the largest first; the hand also shows used-up sizes, the Pit does not."""
    hand = [
        TraySlot(_PIECES[Pyramid(colour, size)], position.in_hand(colour, size))
        for size in reversed(SIZES)
    ]
    pit = [
        TraySlot(_PIECES[Pyramid(colour, size)], position.in_pit(colour, size))
        for size in reversed(SIZES)
        if position.in_pit(colour, size)
    ]
    return Colour(
        COLOUR_NAMES[colour],
        trays=(
            Tray("reserve", Text.of("in hand"), colour, tuple(hand)),
            Tray("pit", Text.of("pit"), colour, tuple(pit)),
        ),
        score=score.total,
    )


def _captions(
    position: Position,
    seats: Sequence[SeatInfo],
    found: Sequence[Score],
    *,
    must_pit: bool,
    over: bool,
) -> tuple[Text, ...]:
    captions = []
    if not over and position.owes:
        captions.append(_AGAIN[position.mover])
    if must_pit:
        captions.append(_MUST_PIT[position.mover])
    return (*captions, *_sums(seats, [score.total for score in found]))


def _sums(seats: Sequence[SeatInfo], totals: Sequence[int]) -> tuple[Text, ...]:
    """The points of each of two players; with four each colour has its own."""
    if len(seats) > 2:
        return ()
    first, second = (sum(totals[colour] for colour in seat.colours) for seat in seats)
    return (
        Text.plural("Red and Green: {n} point.", "Red and Green: {n} points.", n=first),
        Text.plural("Yellow and Blue: {n} point.", "Yellow and Blue: {n} points.", n=second),
    )


def piece(colour: int, size: int) -> Piece:
    """A pyramid on the board or in a tray."""
    return _PIECES[Pyramid(colour, size)]


def _result(outcome: Outcome) -> Text:
    points = int(max(outcome.scores))
    if len(outcome.winners) > 1:
        return Text.plural("Shared with {n} point", "Shared with {n} points", n=points)
    return Text.plural("Won with {n} point", "Won with {n} points", n=points)
