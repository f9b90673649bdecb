"""The view of a position of Quux."""

from __future__ import annotations

from games.quux.board import BLACK, RANK_OF, WHITE, owner
from games.quux.position import TURN_LIMIT, Position
from games.view import (
    BoardView,
    Cell,
    Colour,
    Edge,
    Grid,
    Marks,
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
PICKS = {
    "L": Text.of("Place a Large"),
    "M": Text.of("Place a Medium"),
    "S": Text.of("Place a Small"),
    "--": Text.of("Pass: there's no other move"),
    "swap": Text.of("Swap colours and take White"),
}
"""Words for first picks that are not cells."""
BLOCKS = {
    **PICKS,
    "L": Text.of("Lift the Large with everything on it"),
    "M": Text.of("Lift the Medium with everything on it"),
    "S": Text.of("Lift the Small alone"),
}
"""The same in the movement phase."""
_GOALS = (Text.of("joins top and bottom"), Text.of("joins left and right"))
_PIECES = {
    "L": Text.of("Large White"),
    "M": Text.of("Medium White"),
    "S": Text.of("Small White"),
    "l": Text.of("Large Black"),
    "m": Text.of("Medium Black"),
    "s": Text.of("Small Black"),
}
_PYRAMIDS = {
    letter: Piece(owner(letter) or WHITE, "pyramid", name, size=RANK_OF[letter], letter=letter)
    for letter, name in _PIECES.items()
}
_EDGES = (
    Edge(Side.BOTTOM, WHITE),
    Edge(Side.TOP, WHITE),
    Edge(Side.LEFT, BLACK),
    Edge(Side.RIGHT, BLACK),
)
_WON = (Text.of("White joined top and bottom"), Text.of("Black joined left and right"))
_DRAWN = {
    "passes": Text.of("Draw: neither side could move"),
    "repetition": Text.of("Draw: the same position for the third time"),
    "move_limit": Text.plural(
        "Draw: {n} turn without a chain",
        "Draw: {n} turns without a chain",
        n=TURN_LIMIT,
    ),
}


_REPEATED = Text.of("This position has occurred before. The third time is a draw.")
_PLACEMENT = Text.of("Placement: put a pyramid on the board.")
_MOVEMENT = Text.of("Movement: turn {turn} of {limit}.", turn=TURN_LIMIT, limit=TURN_LIMIT)
_SWAP = Text.of("Black may swap colours instead of placing a pyramid.")
_SWAPPED = Text.of("The players have swapped colours.")
_LONGEST = ((_PLACEMENT, _SWAP), (_PLACEMENT, _SWAPPED), (_MOVEMENT, _REPEATED))


def pyramids(pile: str) -> tuple[Piece, ...]:
    """The pieces of a pile, bottom first."""
    return tuple(_PYRAMIDS[letter] for letter in pile)


def draw(
    position: Position, seating: tuple[int, ...], *, may_swap: bool, must_pass: bool
) -> BoardView:
    """The view of the position, the same for all.

    ``seating`` has the players of White and Black; ``may_swap`` and ``must_pass`` say whether the
    side on turn can swap, or can only pass.
    """
    ending = position.ending
    captions = [_phase(position)]
    if position.past.recurrences(position.piles) == 1:
        captions.append(_REPEATED)
    if may_swap:
        captions.append(_SWAP)
    if position.swapped and position.is_second_turn:
        captions.append(_SWAPPED)
    return BoardView(
        game="quux",
        topology=Topology.SQUARES,
        palette="chess",
        grids=(Grid(position.size, position.size),),
        cells=tuple(
            Cell(
                name,
                place % position.size,
                place // position.size,
                pyramids(pile),
            )
            for place, (name, pile) in enumerate(
                zip(position.board.cells, position.piles, strict=True)
            )
        ),
        colours=tuple(
            _colour(position, seat, must_pass=must_pass and seat == position.mover)
            for seat in (WHITE, BLACK)
        ),
        seats=tuple(SeatView((seat,), player) for seat, player in enumerate(seating)),
        to_move=position.mover if ending is None else None,
        edges=_EDGES,
        connects=True,
        marks=Marks(path=ending.path) if ending else Marks(),
        captions=() if ending else tuple(captions),
        winners=() if ending is None or ending.winner is None else (ending.winner,),
        result=_result(position),
        longest=_LONGEST,
    )


def _phase(position: Position) -> Text:
    if not position.is_movement:
        return _PLACEMENT
    return _MOVEMENT.filled({"turn": len(position.past) + 1, "limit": TURN_LIMIT})


def _result(position: Position) -> Text | None:
    ending = position.ending
    if ending is None:
        return None
    return _DRAWN[ending.reason] if ending.winner is None else _WON[ending.winner]


def _colour(position: Position, seat: int, *, must_pass: bool) -> Colour:
    tops = sum(owner(pile) == seat for pile in position.piles)
    trays: tuple[Tray, ...] = ()
    if not position.is_movement:
        letters = "LMS" if seat == WHITE else "lms"
        slots = zip(letters, position.hands[seat], strict=True)
        trays = (
            Tray(
                "reserve",
                Text.of("in hand"),
                seat,
                tuple(TraySlot(_PYRAMIDS[letter], count) for letter, count in slots),
            ),
        )
    notes = (Text.plural("{n} top", "{n} tops", n=tops),)
    signs = (Sign("pass", Text.of("must pass")),) if must_pass else ()
    return Colour(COLOURS[seat], _GOALS[seat], notes, trays, signs=signs)
