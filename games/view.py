"""The public view of a position: plain frozen data, without pixels, colours or languages.

A :class:`BoardView` is the only input of a renderer, an alt text or a text board. Every value is
immutable and hashes, so a picture can be cached by its view.

Coordinates
    A cell has a ``name`` that people type (``d3``) and whole-number places ``file`` and ``rank``,
    counted from 0 at the lower left corner of the whole board. Gaps between grids are not cells;
    the renderer lays grids out from :attr:`Grid.file` onwards.

Colours
    ``colour`` is the index of a set of pieces in :attr:`BoardView.colours`, in the order of the
    rules page (Black, Red; Red, Yellow, Green, Blue). A seat may own several colours.

Words
    :class:`Text` holds an English sentence with named placeholders, which is also the key under
    which a catalogue translates it. Nothing in this module speaks to people by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum


@dataclass(frozen=True, slots=True)
class Text:
    """An English sentence that catalogues translate, with the values of its ``{placeholders}``.

    A sentence with a number is ``message`` for one and ``many`` for any other number; the number is
    the parameter named ``counted``. Other languages have as many forms as their grammar needs. A
    parameter that is a tuple is a list, which each language joins in its own way; texts in it are
    said in that language.
    """

    message: str
    params: tuple[tuple[str, str | int | tuple[str | Text, ...]], ...] = ()
    many: str = ""
    counted: str = "n"

    @classmethod
    def of(cls, message: str, **params: str | int | tuple[str | Text, ...]) -> Text:
        """Build a text with named parameters."""
        return cls(message, tuple(sorted(params.items())))

    @classmethod
    def plural(cls, one: str, many: str, *, by: str = "n", **params: str | int) -> Text:
        """Build a text whose words depend on a number, the parameter named ``by``."""
        return cls(one, tuple(sorted(params.items())), many, by)

    def filled(self, params: Mapping[str, str | int | tuple[str | Text, ...]]) -> Text:
        """The same sentence with these parameters instead of its own."""
        return replace(self, params=tuple(sorted(params.items())))

    def english(self) -> str:
        """The English sentence; raises :exc:`KeyError` where a placeholder has no parameter."""
        params = dict(self.params)
        pattern = self.many if self.many and params[self.counted] != 1 else self.message
        return pattern.format_map(params) if params else pattern


class Topology(Enum):
    """The neighbours of cells, and so the drawing of the board."""

    SQUARES = "squares"
    """Square cells in a grid."""
    OCTAGONS = "octagons"
    """Octagonal cells with a diamond in each corner where four meet; links lie on diamonds."""
    HEXAGONS = "hexagons"
    """Hexagonal cells, each rank half a cell to the right of the one below.

    A cell touches its neighbours on its rank and its file, and those one file to the right and one
    rank down, one file to the left and one rank up.
    """


class Side(Enum):
    """A side of the board as drawn, first rank at the bottom."""

    LEFT = "left"
    RIGHT = "right"
    BOTTOM = "bottom"
    TOP = "top"


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece.

    ``kind`` is ``stone``, ``pyramid`` or the like; ``size`` orders pieces of one kind from 1
    (small) upwards; ``label`` is printed on it (a count, or nothing); ``name`` is the word for it.
    ``letter`` is its letter in moves and position texts, empty if it has none.
    """

    colour: int
    kind: str
    name: Text
    size: int = 1
    label: str = ""
    letter: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell with its stack, bottom to top; ``ghost`` is a faint hint at a possible piece."""

    name: str
    file: int
    rank: int
    stack: tuple[Piece, ...] = ()
    ghost: Piece | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    """A rectangle of cells: ``files`` by ``ranks``, its lower left cell at (``file``, ``rank``).

    ``title`` and ``captions`` are words to show beside it: first those that may change (its bonus),
    then constant ones (its rule), which an alt text leaves out when room is scarce.
    """

    files: int
    ranks: int
    file: int = 0
    rank: int = 0
    title: Text | None = None
    captions: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A connection between two diagonal neighbours, named by their cells."""

    start: str
    end: str
    colour: int


@dataclass(frozen=True, slots=True)
class Edge:
    """A side of the board that a colour wants to reach. A side of hexagons may be a slanted one."""

    side: Side
    colour: int


@dataclass(frozen=True, slots=True)
class TraySlot:
    """A number of equal pieces in a tray; ``count`` 0 shows an empty place for it."""

    piece: Piece
    count: int


@dataclass(frozen=True, slots=True)
class Tray:
    """Pieces off the board: ``key`` is ``reserve``, ``captured``, ``exited`` or ``pit``."""

    key: str
    title: Text
    colour: int
    slots: tuple[TraySlot, ...]


@dataclass(frozen=True, slots=True)
class Sign:
    """A fact about a colour that is shown as a sign: its ``key`` (``sideways``) and its words."""

    key: str
    words: Text


@dataclass(frozen=True, slots=True)
class Colour:
    """A set of pieces: its word (``Black``), its goal, facts in few words, trays.

    ``score`` is the present score where the game counts points; ``signs`` are facts that hold now
    and then. ``home`` is the side of the board that it begins at, None where it begins at none.
    """

    name: Text
    goal: Text | None = None
    notes: tuple[Text, ...] = ()
    trays: tuple[Tray, ...] = ()
    score: int | None = None
    signs: tuple[Sign, ...] = ()
    home: Side | None = None


@dataclass(frozen=True, slots=True)
class SeatView:
    """A side of the table: its ``colours`` and ``player``, the index of the person sitting here."""

    colours: tuple[int, ...]
    player: int


@dataclass(frozen=True, slots=True)
class Arrow:
    """From cell to cell; ``pieces`` went that way, bottom first.

    ``end`` None means off the board: over its ``side``, with ``via`` as the last crossed cell,
    empty where that is the start.
    """

    start: str
    end: str | None
    pieces: tuple[Piece, ...] = ()
    via: str = ""
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class TrayMark:
    """A piece that the last move put into the tray with that key (see :class:`Tray`)."""

    key: str
    piece: Piece


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks on a board. All entries are cell names but for links, arrows and trays.

    ``origins`` and ``last`` are the start and the end of the last move, ``last_links`` its new
    links, ``arrows`` its way, ``trays`` the pieces that it put off the board; ``earlier`` are the
    targets of the moves before it since the player on turn moved last, the oldest first.
    ``selected`` are a person's picks so far, ``targets`` and ``captures`` the possible next picks,
    ``target_links`` the possible links; ``refused`` are the cells where a rule forbids a move;
    ``path`` is the winning chain in order.
    """

    origins: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    last_links: tuple[tuple[str, str], ...] = ()
    arrows: tuple[Arrow, ...] = ()
    selected: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    captures: tuple[str, ...] = ()
    target_links: tuple[tuple[str, str], ...] = ()
    refused: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    trays: tuple[TrayMark, ...] = ()
    earlier: tuple[str, ...] = ()

    def merge(self, other: Marks) -> Marks:
        """Both sets of marks, ours first."""
        names = self.__dataclass_fields__
        return Marks(**{name: getattr(self, name) + getattr(other, name) for name in names})


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One part of a score: its name, and the points of each colour."""

    title: Text
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BoardView:
    """The complete view of one position.

    ``game`` is the key of the game and ``palette`` the role of its colours in a theme: ``stones``
    (black and red), ``pair`` (two strong hues), ``chess`` (white and black) or ``four`` (red,
    yellow, green, blue), so that colours look as they are called. ``cells`` fill the ``grids``; in
    one game the same grids always have the same cells, by the same names. ``to_move`` is the colour
    on turn, None after the end. ``result`` is the end in words. ``rank_leaders`` has for each rank
    from the bottom the colour that leads it, None for none; it is empty in games that do not count
    ranks. ``labels`` is a sentence that explains the labels of the pieces, for readers of the
    position in words; ``ghosts`` explains the ghosts to viewers of the picture, where there are no
    captions. Where a game ``connects``, neighbours with tops of one colour belong together: a
    picture joins them, and shows pieces below a top paler. ``longest`` are the sets of captions
    that take most room in this game, so that all pages of a match have the same height. A renderer
    has ``turned`` it by a quarter; games never do.
    """

    game: str
    topology: Topology
    palette: str
    grids: tuple[Grid, ...]
    cells: tuple[Cell, ...]
    colours: tuple[Colour, ...]
    seats: tuple[SeatView, ...]
    to_move: int | None
    links: tuple[Link, ...] = ()
    edges: tuple[Edge, ...] = ()
    marks: Marks = field(default_factory=Marks)
    captions: tuple[Text, ...] = ()
    rank_leaders: tuple[int | None, ...] = ()
    score_lines: tuple[ScoreLine, ...] = ()
    winners: tuple[int, ...] = ()
    result: Text | None = None
    labels: Text | None = None
    ghosts: Text | None = None
    connects: bool = False
    longest: tuple[tuple[Text, ...], ...] = ()
    turned: bool = False

    def with_marks(self, *marks: Marks) -> BoardView:
        """The same view with further marks."""
        merged = self.marks
        for extra in marks:
            merged = merged.merge(extra)
        return replace(self, marks=merged)

    def cell(self, name: str) -> Cell:
        """The cell of that name; :exc:`KeyError` if the board has none."""
        for cell in self.cells:
            if cell.name == name:
                return cell
        raise KeyError(name)

    def at(self, file: int, rank: int) -> Cell:
        """The cell at this place; :exc:`KeyError` if the board has none there."""
        for cell in self.cells:
            if cell.file == file and cell.rank == rank:
                return cell
        raise KeyError((file, rank))

    def named(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of the names that are cells of this board, in the order given."""
        known = {cell.name for cell in self.cells}
        return tuple(name for name in names if name in known)
