"""A position of Pux, its moves, and its text.

::

    1xxxxxx1/1xxxxxx1/8/8/8/8/1wwwwww1/1wwwwww1 w -         ranks from 8 down, side, lateral marks
    ... w - 12 41                                           quiet turns, number of the coming turn
    ... w - 12 41 p 8/...:x:w,8/...:w:-                     passes just made, earlier positions

The first three parts are the position text. ``w`` and ``x`` are single stones of White and Black,
capitals promoted ones, digits runs of empty cells; the marks name the colours whose previous turn
was lateral. The rest completes it: the counts for PX-20 (ii), ``p`` for each pass just made (PX-20
iv) or ``-``, and the positions since the last capture or promotion that could still come back
(PX-20 i), oldest first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from games.errors import NotationError
from games.past import Past
from games.pux.board import CELLS, NEIGHBOURS, SIZE, Cell, bit
from games.ranks import read_ranks, write_rank

WHITE, BLACK = 0, 1
LETTERS = "wx"
"""The colours in a position text."""
STONES = 12
"""The number of stones of each colour, on the board and in reserve (PX-13)."""
QUIET_LIMIT = 100
"""The number of turns without capture or promotion that is a draw (PX-20 ii)."""

_BOARD = "[1-8wWxX/]+"
_ENTRY = re.compile(rf"({_BOARD}):([wx]):(-|wx?|x)")
_FORM = re.compile(
    rf"({_BOARD}) ([wx]) (-|wx?|x)"
    r"(?: (0|[1-9][0-9]{0,2}) ([1-9][0-9]{0,6})(?: (-|p{1,2})(?: ([^ ]+))?)?)?"
)
_RANKS = [[bit(Cell(file, rank)) for file in range(SIZE)] for rank in reversed(range(SIZE))]
"""The cells of each rank as sets of one, the highest rank first."""
_MARKS = ("-", "w", "x", "wx")
NO_PAST: Past[int] = Past()
_LONGEST = 10_000


@dataclass(frozen=True, slots=True)
class Shift:
    """Move a piece to a free cell, and its ``riders`` with it by the same vector (PX-8).

    The riders are sorted by file, then rank, in any order of input.
    """

    mover: Cell
    target: Cell
    riders: tuple[Cell, ...] = ()

    def __post_init__(self) -> None:
        if len(self.riders) > 1:
            object.__setattr__(self, "riders", tuple(sorted(self.riders)))


@dataclass(frozen=True, slots=True)
class Capture:
    """Move a piece alone onto an enemy piece (PX-10)."""

    mover: Cell
    target: Cell


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing, because no other move is legal (PX-18)."""


Move = Shift | Capture | Pass


@dataclass(frozen=True, slots=True)
class Position:
    """The pieces, the side to move, and the memory of the draws and the rule of lateral moves.

    ``white``, ``black`` and ``promoted`` are sets of cells (see :mod:`games.pux.board`).
    ``lateral`` is the set of colours whose previous turn was lateral, 1 for White plus 2 for Black;
    ``quiet`` counts the turns since the last capture or promotion, ``turn`` is the number of the
    coming turn, ``passes`` counts the passes just made. ``earlier`` holds the :attr:`occurrence` of
    each position since the last capture or promotion. Those before can never come back: a capture
    takes a piece away for good, and a promotion leaves one single piece less for good.
    """

    white: int
    black: int
    promoted: int = 0
    mover: int = WHITE
    lateral: int = 0
    quiet: int = 0
    turn: int = 1
    passes: int = 0
    earlier: Past[int] = NO_PAST

    def stones_of(self, colour: int) -> int:
        """The set of cells with a piece of that colour."""
        return self.black if colour else self.white

    def on_board(self, colour: int) -> int:
        """The number of stones of that colour on the board; a promoted piece is two (PX-2)."""
        own = self.stones_of(colour)
        return own.bit_count() + (own & self.promoted).bit_count()

    def reserve(self, colour: int) -> int:
        """The number of stones of that colour off the board (PX-13)."""
        return STONES - self.on_board(colour)

    def colour_at(self, cell: Cell) -> int | None:
        """The colour of the piece on the cell, None where there is none."""
        one = bit(cell)
        return WHITE if self.white & one else BLACK if self.black & one else None

    def is_promoted(self, cell: Cell) -> bool:
        """Whether the piece on the cell is two stones."""
        return bool(self.promoted & bit(cell))

    def may_go_sideways(self, colour: int) -> bool:
        """Whether the colour's previous turn was not lateral (PX-12)."""
        return not self.lateral >> colour & 1

    def move_potential(self, cell: Cell) -> int:
        """The stones of the piece on the cell and of its friends around it (PX-2, PX-4)."""
        return self.potential_at(bit(cell))

    def potential_at(self, one: int) -> int:
        """The same for the cell of that bit."""
        friends = NEIGHBOURS[one] & (self.white if self.white & one else self.black) | one
        return friends.bit_count() + (friends & self.promoted).bit_count()

    @property
    def occurrence(self) -> int:
        """The part that must be equal for a position to repeat (PX-20 i), as one number."""
        return (
            self.white
            | self.black << 96
            | self.promoted << 192
            | self.mover << 288
            | self.lateral << 289
        )

    def text(self) -> str:
        """The position text."""
        return " ".join(self._parts())

    def whole_text(self) -> str:
        """The position text and everything else that legality needs."""
        words = [*self._parts(), str(self.quiet), str(self.turn)]
        if self.passes or self.earlier:
            words.append("p" * self.passes or "-")
        if self.earlier:
            entries = (":".join(_recall(occurrence)._parts()) for occurrence in self.earlier)
            words.append(",".join(entries))
        return " ".join(words)

    def _parts(self) -> tuple[str, str, str]:
        ranks = [write_rank(map(self._letter, cells)) for cells in _RANKS]
        return "/".join(ranks), LETTERS[self.mover], _MARKS[self.lateral]

    def _letter(self, one: int) -> str:
        if not (self.white | self.black) & one:
            return ""
        letter = LETTERS[BLACK if self.black & one else WHITE]
        return letter.upper() if self.promoted & one else letter

    def material(self) -> tuple[int, ...]:
        """Pieces and promoted pieces of each colour, which only captures and promotions change."""
        return (
            self.white.bit_count(),
            self.black.bit_count(),
            (self.white & self.promoted).bit_count(),
            (self.black & self.promoted).bit_count(),
        )


def _recall(occurrence: int) -> Position:
    """The position of an :attr:`Position.occurrence`, without its counts."""
    mask = (1 << 96) - 1
    return Position(
        white=occurrence & mask,
        black=occurrence >> 96 & mask,
        promoted=occurrence >> 192 & mask,
        mover=occurrence >> 288 & 1,
        lateral=occurrence >> 289,
    )


def read_position(text: str) -> Position:
    """The position of a whole text, or of a bare position text.

    A bare one begins to count: no quiet turn, turn 1. Raises :exc:`NotationError`.
    """
    form = _FORM.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if form is None:
        raise NotationError("position_form")
    ranks, side, marks, quiet, turn, passes, earlier = form.groups()
    now = _read_board(ranks, side, marks)
    position = Position(
        now.white,
        now.black,
        now.promoted,
        now.mover,
        now.lateral,
        quiet=int(quiet or 0),
        turn=int(turn or 1),
        passes=(passes or "").count("p"),
        earlier=Past(_read_entry(entry, now) for entry in earlier.split(","))
        if earlier
        else NO_PAST,
    )
    if position.quiet > QUIET_LIMIT or max(position.passes, len(position.earlier)) > position.quiet:
        raise NotationError("position_count", limit=QUIET_LIMIT)
    return position


def _read_entry(entry: str, now: Position) -> int:
    """The occurrence of an earlier position, from which quiet turns must lead to ``now``."""
    form = _ENTRY.fullmatch(entry)
    if form is None:
        raise NotationError("position_earlier", entry=entry[:80])
    ranks, side, marks = form.groups()
    then = _read_board(ranks, side, marks)
    if then.material() != now.material():
        raise NotationError("position_earlier", entry=entry[:80])
    return then.occurrence


def _read_board(ranks: str, side: str, marks: str) -> Position:
    if ranks.count("/") != SIZE - 1:
        raise NotationError("position_ranks", size=SIZE)
    sets = dict.fromkeys(["w", "W", "x", "X", ""], 0)
    read = read_ranks(ranks, [SIZE] * SIZE, sets)
    for cell in CELLS:
        sets[read[cell.rank][cell.file]] |= bit(cell)
    position = Position(
        white=sets["w"] | sets["W"],
        black=sets["x"] | sets["X"],
        promoted=sets["W"] | sets["X"],
        mover=LETTERS.index(side),
        lateral=_MARKS.index(marks),
    )
    if not position.white | position.black:
        raise NotationError("position_empty")
    for colour in (WHITE, BLACK):
        if position.on_board(colour) > STONES:
            raise NotationError("position_stones", side=LETTERS[colour], limit=STONES)
    return position
