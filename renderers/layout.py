"""Where things go: the page, the grids on it, the player bars, the labels.

All sizes below are in pixels of a page that is 1000 wide (1200 for boards of several grids), and
are multiplied by the scale of the picture. A page is shown at 0.3 to 0.4 of its size on phones and
desktops, so no text is smaller than 22/1000 of the page's width, no coordinate smaller than
30/1000, and no stroke that matters thinner than 2.5/1000.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from games.view import BoardView, Cell, Edge, Grid, Topology

NAME, LINE, SMALL, COORDINATE = 38, 28, 27, 33
_BAR, _NARROW_BAR, _MARGIN, _GAP = 100, 126, 20, 16
_PARTS = 38
"""How much higher a narrow bar is that has a line for the parts of a score."""
_RIM, _EDGE = 5, 27
_RANK_ROOM, _FILE_ROOM, _CAPTION = 74, 50, 38
_ROOM_RIGHT = 30
_LABEL = re.compile(r"^([^\W\d]+)(\d+)$")


@lru_cache(maxsize=1024)
def pixels(size: float, scale: float) -> int:
    """A size in page units as pixels, at least one."""
    return max(1, round(size * scale))


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels of the page; ``right`` and ``bottom`` lie just outside it."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """From side to side."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """From top to bottom."""
        return self.bottom - self.top

    def grown(self, by: int) -> Box:
        """The rectangle with so much more on every side."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)


@dataclass(frozen=True, slots=True)
class GridPlace:
    """A grid and the rectangle that its cells fill."""

    grid: Grid
    box: Box


@dataclass(frozen=True, slots=True)
class TitlePlace:
    """Where the words of a grid go: in lines that end above ``box.bottom``, or in one line."""

    grid: Grid
    box: Box
    above: bool


class Strip(NamedTuple):
    """Rows of the page from ``top`` to before ``bottom``, and whose bars lie in them, if any do."""

    top: int
    bottom: int
    bars: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The places of everything on one page; equal ones are the same one.

    ``titles`` tells for each grid with words where they go and whether that is above its cells.
    ``leaders`` has the middle of the sign below each rank's number that says who leads it.
    ``bars`` has one box a colour, ``files`` and ``ranks`` what is written beside the board with
    the middle of each label, ``captions`` the middle of the first caption line, ``middles`` the
    middle of each cell by its name. ``strips`` cuts the page into rows with bars and, between
    them, the rows of the board. ``rim`` is the width of the line around each grid and ``edge`` of
    the bars that show who wants to reach a side, 0 where nobody does; ``edges`` tells who does. On
    ``joined`` boards necks and links join the stones.
    """

    scale: float
    width: int
    height: int
    cell: int
    rim: int
    edge: int
    joined: bool
    flipped: bool
    grids: tuple[GridPlace, ...]
    bars: tuple[Box, ...]
    files: tuple[tuple[str, int, int], ...]
    ranks: tuple[tuple[str, int, int], ...]
    captions: tuple[int, int]
    titles: tuple[TitlePlace, ...] = ()
    leaders: tuple[tuple[int, int], ...] = ()
    middles: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    strips: tuple[Strip, ...] = ()
    edges: tuple[Edge, ...] = ()

    def px(self, size: float) -> int:
        """A size in page units as pixels, at least one."""
        return pixels(size, self.scale)

    def grid_of(self, file: int, rank: int) -> GridPlace:
        """The grid that the cell at this file and rank belongs to."""
        for place in self.grids:
            grid = place.grid
            if 0 <= file - grid.file < grid.files and 0 <= rank - grid.rank < grid.ranks:
                return place
        raise KeyError((file, rank))

    def centre(self, cell: Cell) -> tuple[int, int]:
        """The middle of a cell of the view that this is the layout of."""
        return self.middles[cell.name]

    def middle(self, file: int, rank: int) -> tuple[int, int]:
        """The middle of the cell at this file and rank."""
        place = self.grid_of(file, rank)
        across, up = file - place.grid.file, rank - place.grid.rank
        if self.flipped:
            across, up = place.grid.files - 1 - across, place.grid.ranks - 1 - up
        x = place.box.left + across * self.cell + self.cell // 2
        return x, place.box.bottom - up * self.cell - self.cell + self.cell // 2


def layout_of(view: BoardView, scale: float, *, flipped: bool, caption_lines: int) -> Layout:
    """The layout of a view's page; only boards of one grid can be seen from the other side."""
    frame = _Frame(
        game=view.game,
        grids=view.grids,
        cells=view.cells,
        bars=len(view.colours),
        edges=view.edges,
        joined=view.topology is Topology.OCTAGONS,
        scale=scale,
        flipped=flipped and len(view.grids) == 1,
        led=bool(view.rank_leaders),
        scored=bool(view.score_lines),
        caption_lines=caption_lines,
    )
    return _layout(frame)


@dataclass(frozen=True, slots=True)
class _Frame:
    """All of a view that its layout depends on; the cells follow from the game and the grids."""

    game: str
    grids: tuple[Grid, ...]
    cells: tuple[Cell, ...] = field(compare=False)
    bars: int
    edges: tuple[Edge, ...]
    joined: bool
    scale: float
    flipped: bool
    led: bool
    scored: bool
    caption_lines: int

    def px(self, size: float) -> int:
        return pixels(size, self.scale)


@lru_cache(maxsize=64)
def _layout(frame: _Frame) -> Layout:
    found = _portrait(frame) if len(frame.grids) == 1 else _landscape(frame)
    return replace(found, strips=tuple(_strips(found)), edges=frame.edges)


def _strips(layout: Layout) -> Iterator[Strip]:
    """The page from top to bottom; bars side by side are in one strip."""
    rows = sorted({(box.top, box.bottom) for box in layout.bars})
    above = [bottom for _, bottom in rows if bottom <= layout.grids[0].box.top]
    below = [top for top, _ in rows[len(above) :]]
    for top, bottom in pairwise([0, *above, *below, layout.height]):
        inside = (top <= box.top and box.bottom <= bottom for box in layout.bars)
        bars = tuple(colour for colour, is_inside in enumerate(inside) if is_inside)
        yield Strip(top, bottom, bars)


def _portrait(frame: _Frame) -> Layout:
    """One grid, the first player's bar below it and the others' above."""
    px = frame.px
    grid = frame.grids[0]
    width = px(1000)
    rim, edge = px(_RIM), px(_EDGE) if frame.edges else 0
    around = rim + edge
    room = width - px(_RANK_ROOM) - px(_ROOM_RIGHT) - 2 * around
    cell = min(room // grid.files, px(860) // grid.ranks)
    above = [index for index in range(frame.bars) if (index != 0) != frame.flipped]
    below = [index for index in range(frame.bars) if index not in above]
    pitch = px(_BAR + 10)
    top = px(14) + len(above) * pitch - px(10) + px(_GAP) + around
    left = px(_RANK_ROOM) + around + (room - cell * grid.files) // 2
    box = Box(left, top, left + cell * grid.files, top + cell * grid.ranks)
    labels = box.bottom + around
    captions = labels + px(_FILE_ROOM)
    lower = captions + frame.caption_lines * px(_CAPTION) + (px(8) if frame.caption_lines else 0)
    boxes: dict[int, Box] = {}
    for start, indices in ((px(14), reversed(above)), (lower, below)):
        for row, index in enumerate(indices):
            y = start + row * pitch
            boxes[index] = Box(px(_MARGIN), y, width - px(_MARGIN), y + px(_BAR))
    found = Layout(
        scale=frame.scale,
        width=width,
        height=lower + len(below) * pitch - px(10) + px(14),
        cell=cell,
        rim=rim,
        edge=edge,
        joined=frame.joined,
        flipped=frame.flipped,
        grids=(GridPlace(grid, box),),
        bars=tuple(boxes[index] for index in range(frame.bars)),
        files=(),
        ranks=(),
        captions=(width // 2, captions + px(_CAPTION) // 2),
    )
    return _labelled(frame, found, box.left - around - px(27), labels + px(25))


def _landscape(frame: _Frame) -> Layout:
    """Grids side by side on their ranks, all bars above them in two columns."""
    px = frame.px
    width, margin, rim = px(1200), px(14), px(_RIM + 1)
    bar = (width - 2 * margin - px(12)) // 2
    high_bar = _NARROW_BAR + (_PARTS if frame.scored else 0)
    boxes = []
    for index in range(frame.bars):
        left = margin + index % 2 * (bar + px(12))
        top = px(12) + index // 2 * px(high_bar + 10)
        boxes.append(Box(left, top, left + bar, top + px(high_bar)))
    order = sorted(frame.grids, key=lambda grid: grid.file)
    gap = px(28)
    room = width - px(58) - px(26) - gap * (len(order) - 1)
    high = max(grid.rank + grid.ranks for grid in order)
    cell = min(room // sum(grid.files for grid in order), px(620) // high)
    top = boxes[-1].bottom + px(26)
    base = top + high * cell
    left = px(58)
    places: list[GridPlace] = []
    for grid in order:
        floor = base - grid.rank * cell
        box = Box(left, floor - grid.ranks * cell, left + grid.files * cell, floor)
        places.append(GridPlace(grid, box))
        left = box.right + gap
    y = base + rim + px(_FILE_ROOM)
    titles: list[TitlePlace] = []
    for index, place in enumerate(places):
        if place.grid.title is None and not place.grid.captions:
            continue
        right = places[index + 1].box.left - px(6) if index + 1 < len(places) else width - px(8)
        above = place.box.top - top >= px(80)
        if above:
            box = Box(place.box.left, top - px(10), right, place.box.top - rim - px(8))
        else:
            box = Box(place.box.left, y, width - margin, y + px(_CAPTION))
            y += px(_CAPTION)
        titles.append(TitlePlace(place.grid, box, above))
    height = y + frame.caption_lines * px(_CAPTION) + px(12)
    found = Layout(
        scale=frame.scale,
        width=width,
        height=height,
        cell=cell,
        rim=rim,
        edge=0,
        joined=frame.joined,
        flipped=False,
        grids=tuple(places),
        bars=tuple(boxes),
        files=(),
        ranks=(),
        captions=(width // 2, y + px(_CAPTION) // 2),
        titles=tuple(titles),
    )
    found = _labelled(frame, found, px(27), base + rim + px(25))
    if not frame.led:
        return found
    apart = px(22)
    return replace(
        found,
        ranks=tuple((text, x, y - apart) for text, x, y in found.ranks),
        leaders=tuple((x, y + apart) for _, x, y in found.ranks),
    )


def _labelled(frame: _Frame, layout: Layout, x: int, y: int) -> Layout:
    """The layout with its coordinates: ranks in a column at ``x``, files in a row at ``y``."""
    files: dict[int, tuple[str, int, int]] = {}
    ranks: dict[int, tuple[str, int, int]] = {}
    middles: dict[str, tuple[int, int]] = {}
    for cell in frame.cells:
        across, up = middles[cell.name] = layout.middle(cell.file, cell.rank)
        split = _LABEL.match(cell.name)
        letters, digits = split.groups() if split else (str(cell.file + 1), str(cell.rank + 1))
        files.setdefault(cell.file, (letters, across, y))
        ranks.setdefault(cell.rank, (digits, x, up))
    return replace(
        layout, files=tuple(files.values()), ranks=tuple(ranks.values()), middles=middles
    )
