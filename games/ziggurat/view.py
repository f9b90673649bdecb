"""The view of a position of Ziggurat."""

from __future__ import annotations

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
from games.ziggurat.board import (
    CELLS,
    FILES,
    HOMES,
    KEEPS,
    KINDS,
    LETTERS,
    NORTH,
    RANK_OF,
    SOUTH,
    TOWERS,
)
from games.ziggurat.position import Position

COLOURS = (Text.of("South"), Text.of("North"))
PICKS = {
    "Q@": Text.of("Place a Queen from the reserve"),
    "D@": Text.of("Place a Drone from the reserve"),
    "W@": Text.of("Place a Worker from the reserve"),
    "^": Text.of("Leave the board"),
    "--": Text.of("Pass: there's no other move"),
}
"""Words for picks that are not squares."""
_GOALS = (Text.of("moves up"), Text.of("moves down"))
_NAMES = {
    "Q": Text.of("South Queen"),
    "D": Text.of("South Drone"),
    "W": Text.of("South Worker"),
    "q": Text.of("North Queen"),
    "d": Text.of("North Drone"),
    "w": Text.of("North Worker"),
}
_PYRAMIDS = {
    letter: Piece(
        SOUTH if letter.isupper() else NORTH,
        "pyramid",
        name,
        size=RANK_OF[letter.upper()],
        letter=letter,
    )
    for letter, name in _NAMES.items()
}
_WON = {
    ("exit", SOUTH): Text.of("South brought off all three kinds"),
    ("exit", NORTH): Text.of("North brought off all three kinds"),
    ("control", SOUTH): Text.of("North lost control of a kind"),
    ("control", NORTH): Text.of("South lost control of a kind"),
}
_DRAWN = {
    "passes": Text.of("Draw: neither side could move"),
    "repetition": Text.of("Draw by repetition"),
}
_OUTLINES = Text.of("Outlines: where a piece of the reserve can come in.")
_REPEATED = Text.of("This position has occurred before. The third time is a draw.")


def pyramids(pile: str) -> tuple[Piece, ...]:
    """The pieces of a pile, bottom first."""
    return tuple(_PYRAMIDS[letter] for letter in pile)


def unit_text(unit: str, cell: str) -> Text:
    """Words for picking the pile ``unit`` on ``cell``."""
    if unit.upper() in TOWERS:
        return Text.of("Tower on {cell}", cell=cell)
    if unit.upper() in KEEPS:
        return Text.of("Keep on {cell}", cell=cell)
    if unit.upper() == "Q":
        return Text.of("Queen on {cell}", cell=cell)
    if unit.upper() == "D":
        return Text.of("Drone on {cell}", cell=cell)
    return Text.of("Worker on {cell}", cell=cell)


def draw(position: Position, *, must_pass: bool) -> BoardView:
    """The view of the position, the same for all.

    ``must_pass`` says whether the side on turn can only pass.
    """
    ending = position.ending
    captions = []
    if ending is None and position.past.recurrences(position.piles) == 1:
        captions.append(_REPEATED)
    return BoardView(
        game="ziggurat",
        topology=Topology.SQUARES,
        palette="pair",
        grids=(Grid(FILES, FILES),),
        cells=tuple(_cell(position, place) for place in range(FILES * FILES)),
        colours=tuple(
            _colour(position, seat, must_pass=must_pass and seat == position.mover)
            for seat in (SOUTH, NORTH)
        ),
        seats=(SeatView((SOUTH,), 0), SeatView((NORTH,), 1)),
        to_move=position.mover if ending is None else None,
        captions=tuple(captions),
        winners=() if ending is None or ending.winner is None else (ending.winner,),
        result=_result(position),
        ghosts=_OUTLINES,
        longest=((_REPEATED,),),
    )


def _cell(position: Position, place: int) -> Cell:
    file, rank = place % FILES, place // FILES
    pile = position.piles[place]
    ghost = None
    seat = {0: SOUTH, FILES - 1: NORTH}.get(rank)
    can_come_in = not pile and position.ending is None
    if can_come_in and seat is not None and HOMES[file] in position.reserves[seat]:
        # An empty home square shows which kind may come in there (Z18).
        ghost = _PYRAMIDS[LETTERS[seat][KINDS.index(HOMES[file])]]
    return Cell(CELLS[place], file, rank, pyramids(pile), ghost)


def _colour(position: Position, seat: int, *, must_pass: bool) -> Colour:
    trays = (
        _tray("exited", Text.of("exited"), seat, position.exited[seat]),
        _tray("reserve", Text.of("reserve"), seat, position.reserves[seat]),
    )
    signs = (Sign("pass", Text.of("must pass")),) if must_pass else ()
    home = Side.BOTTOM if seat == SOUTH else Side.TOP
    return Colour(COLOURS[seat], _GOALS[seat], trays=trays, signs=signs, home=home)


def _tray(key: str, title: Text, seat: int, kinds: str) -> Tray:
    slots = tuple(
        TraySlot(_PYRAMIDS[letter], int(kind in kinds))
        for kind, letter in zip(KINDS, LETTERS[seat], strict=True)
    )
    return Tray(key, title, seat, slots)


def _result(position: Position) -> Text | None:
    ending = position.ending
    if ending is None:
        return None
    if ending.winner is None:
        return _DRAWN[ending.reason]
    return _WON[ending.reason, ending.winner]
