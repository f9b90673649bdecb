"""The layout of a page: the grids on it, the player bars, the labels.

All sizes below are in pixels of a page that is 1000 wide, and are multiplied by the scale of the
picture. Phones and desktops show a page at 0.3 to 0.4 of its size, so no text is smaller than
22/1000 of the page's width, no coordinate smaller than 30/1000, and no stroke that matters thinner
than 2.5/1000.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

from games.view import BoardView, Cell, Edge, Grid, Topology

NAME, LINE, SMALL, COORDINATE = 38, 28, 27, 33
_BAR, LEAN_BAR, _MARGIN, _GAP = 100, 77, 20, 16
_RIM, _EDGE = 5, 27
_RANK_ROOM, _FILE_ROOM, _CAPTION = 74, 50, 38
_ROOM_RIGHT = 30
_GRIDS_HIGH = 936
"""The height of the cells of several grids together."""
_WORDS_OF_ALL = 40
"""The letters of a rule that take as much room as the title of a grid and its bonus."""
_SLANT = sqrt(3) / 2
"""The distance of the ranks of hexagons, in widths of a cell."""
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
        """The distance from side to side."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """The distance from top to bottom."""
        return self.bottom - self.top

    def grown(self, by: int) -> Box:
        """The rectangle with ``by`` more on every side."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)


@dataclass(frozen=True, slots=True)
class GridPlace:
    """A grid and the rectangle that its cells fill."""

    grid: Grid
    box: Box


@dataclass(frozen=True, slots=True)
class TitlePlace:
    """The place of the words of a grid, in as many lines as the box holds."""

    grid: Grid
    box: Box


class Strip(NamedTuple):
    """Rows of the page from ``top`` to before ``bottom``, and the colours of the bars in them."""

    top: int
    bottom: int
    bars: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The places of everything on one page; equal ones are the same object.

    ``titles`` has the place of each grid's words. ``leaders`` has the number of a rank from the
    bottom and the middle of the sign, below that number, for its leader. ``bars`` has one box a
    colour, ``files`` and ``ranks`` the texts beside the board with the middle of each label,
    ``captions`` the middle of the first caption line, ``middles`` the middle of each cell by its
    name. ``strips`` cuts the page into rows with bars and, between them, the rows of the board.
    ``rim`` is the width of the line around each grid and ``edge`` of the bars at sides that players
    want to reach, 0 where there are none; ``edges`` has their owners. ``cell`` is the width of a
    cell.
    """

    scale: float
    width: int
    height: int
    cell: int
    rim: int
    edge: int
    topology: Topology
    flipped: bool
    grids: tuple[GridPlace, ...]
    bars: tuple[Box, ...]
    files: tuple[tuple[str, int, int], ...]
    ranks: tuple[tuple[str, int, int], ...]
    captions: tuple[int, int]
    titles: tuple[TitlePlace, ...] = ()
    leaders: tuple[tuple[int, int, int], ...] = ()
    middles: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    strips: tuple[Strip, ...] = ()
    edges: tuple[Edge, ...] = ()

    def px(self, size: float) -> int:
        """A size in page units as pixels, at least one."""
        return pixels(size, self.scale)

    def grid_of(self, file: int, rank: int) -> GridPlace:
        """The grid of the cell at this file and rank."""
        for place in self.grids:
            grid = place.grid
            if 0 <= file - grid.file < grid.files and 0 <= rank - grid.rank < grid.ranks:
                return place
        raise KeyError((file, rank))

    def centre(self, cell: Cell) -> tuple[int, int]:
        """The middle of a cell of this layout's view."""
        return self.middles[cell.name]

    def middle(self, file: int, rank: int) -> tuple[int, int]:
        """The middle of the cell at this file and rank."""
        place = self.grid_of(file, rank)
        across, up = file - place.grid.file, rank - place.grid.rank
        if self.flipped:
            across, up = place.grid.files - 1 - across, place.grid.ranks - 1 - up
        tall, rise, lean = _measures(self.topology, self.cell)
        x = place.box.left + across * self.cell + up * lean + self.cell // 2
        return x, place.box.bottom - up * rise - tall + tall // 2

    def step(self, files: int, ranks: int) -> tuple[int, int]:
        """The distance across and down to the cell ``files`` to the right and ``ranks`` up."""
        _, rise, lean = _measures(self.topology, self.cell)
        turned = -1 if self.flipped else 1
        return turned * (files * self.cell + ranks * lean), turned * -ranks * rise


def _measures(topology: Topology, cell: int) -> tuple[int, int, int]:
    """The height of a cell, and how far the cell of the next rank lies above and to the right."""
    if topology is not Topology.HEXAGONS:
        return cell, cell, 0
    return round(cell / _SLANT), round(cell * _SLANT), cell // 2


def _spans(topology: Topology, grid: Grid) -> tuple[float, float]:
    """The width and the height of a grid, in widths of a cell."""
    if topology is not Topology.HEXAGONS:
        return grid.files, grid.ranks
    return grid.files + (grid.ranks - 1) / 2, (grid.ranks - 1) * _SLANT + 1 / _SLANT


def _box(topology: Topology, grid: Grid, cell: int, left: int, bottom: int) -> Box:
    """The rectangle of a grid of such cells from its lower left corner."""
    tall, rise, lean = _measures(topology, cell)
    up = grid.ranks - 1
    return Box(left, bottom - up * rise - tall, left + grid.files * cell + up * lean, bottom)


def _largest(topology: Topology, width: float, height: float) -> int:
    """The width of the largest cell within this width and height; for hexagons an even number."""
    cell = int(min(width, height))
    return max(4, cell // 2 * 2) if topology is Topology.HEXAGONS else cell


def layout_of(
    view: BoardView,
    scale: float,
    *,
    flipped: bool,
    caption_lines: int,
    nearest: int | None = None,
) -> Layout:
    """The layout of a view's page; only boards of one grid can be seen from the other side.

    The bar of the ``nearest`` colour is below such a board; if none is, that of the first, or on a
    flipped board those of the others.
    """
    frame = _Frame(
        game=view.game,
        grids=view.grids,
        cells=view.cells,
        bars=len(view.colours),
        edges=view.edges,
        topology=view.topology,
        scale=scale,
        flipped=flipped and len(view.grids) == 1,
        turned=view.turned,
        nearest=nearest,
        led=bool(view.rank_leaders),
        caption_lines=caption_lines,
    )
    return _layout(frame)


@dataclass(frozen=True, slots=True)
class _Frame:
    """The part of a view that its layout depends on; cells follow from the game and the grids."""

    game: str
    grids: tuple[Grid, ...]
    cells: tuple[Cell, ...] = field(compare=False)
    bars: int
    edges: tuple[Edge, ...]
    topology: Topology
    scale: float
    flipped: bool
    turned: bool
    nearest: int | None
    led: bool
    caption_lines: int

    def px(self, size: float) -> int:
        return pixels(size, self.scale)


@lru_cache(maxsize=64)
def _layout(frame: _Frame) -> Layout:
    found = _portrait(frame) if len(frame.grids) == 1 else _stacked(frame)
    return replace(found, strips=tuple(_strips(found)), edges=frame.edges)


def _strips(layout: Layout) -> Iterator[Strip]:
    """The page from top to bottom; bars side by side share a strip."""
    rows = sorted({(box.top, box.bottom) for box in layout.bars})
    above = [bottom for _, bottom in rows if bottom <= layout.grids[0].box.top]
    below = [top for top, _ in rows[len(above) :]]
    for top, bottom in pairwise([0, *above, *below, layout.height]):
        inside = (top <= box.top and box.bottom <= bottom for box in layout.bars)
        bars = tuple(colour for colour, is_inside in enumerate(inside) if is_inside)
        yield Strip(top, bottom, bars)


def _portrait(frame: _Frame) -> Layout:
    """One grid, the nearest player's bar below it and the others' above."""
    px = frame.px
    grid = frame.grids[0]
    width = px(1000)
    rim, edge = px(_RIM), px(_EDGE) if frame.edges else 0
    around = rim + edge
    room = width - px(_RANK_ROOM) - px(_ROOM_RIGHT) - 2 * around
    wide, high = _spans(frame.topology, grid)
    cell = _largest(frame.topology, room / wide, px(860) / high)
    if frame.nearest is None:
        below = [index for index in range(frame.bars) if (index == 0) != frame.flipped]
    else:
        below = [frame.nearest]
    above = [index for index in range(frame.bars) if index not in below]
    pitch = px(_BAR + 10)
    top = px(14) + len(above) * pitch - px(10) + px(_GAP) + around
    box = _box(frame.topology, grid, cell, 0, 0)
    left = px(_RANK_ROOM) + around + (room - box.width) // 2
    box = Box(left, top, left + box.width, top + box.height)
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
        topology=frame.topology,
        flipped=frame.flipped,
        grids=(GridPlace(grid, box),),
        bars=tuple(boxes[index] for index in range(frame.bars)),
        files=(),
        ranks=(),
        captions=(width // 2, captions + px(_CAPTION) // 2),
    )
    return _labelled(frame, found, box.left - around - px(27), labels + px(25))


def _stacked(frame: _Frame) -> Layout:
    """Several grids in two rows, the first one above the others, all bars in lines above them.

    The words of all grids are beside the first where there is room down to the next row, else below
    the last. Ranks are numbered in each row.
    """
    px = frame.px
    width, margin, rim, gap = px(1000), px(14), px(_RIM + 1), px(28)
    boxes = []
    for index in range(frame.bars):
        top = px(12) + index * px(LEAN_BAR + 7)
        boxes.append(Box(margin, top, width - margin, top + px(LEAN_BAR)))
    first, *others = sorted(frame.grids, key=lambda grid: grid.file)
    rows = ((first,), tuple(others))
    room = min(width - px(58) - px(26) - gap * (len(row) - 1) for row in rows)
    spans = [[_spans(frame.topology, grid) for grid in row] for row in rows]
    widest = max(sum(wide for wide, _ in row) for row in spans)
    high = sum(max(high for _, high in row) for row in spans)
    cell = _largest(frame.topology, room / widest, px(_GRIDS_HIGH) / high)
    y = boxes[-1].bottom + px(18)
    places: list[GridPlace] = []
    labels: list[tuple[tuple[Grid, ...], int]] = []
    for row in rows:
        base = y + rim + max(_box(frame.topology, grid, cell, 0, 0).height for grid in row)
        left = px(58)
        for grid in row:
            box = _box(frame.topology, grid, cell, left, base)
            places.append(GridPlace(grid, box))
            left = box.right + gap
        labels.append((row, base + rim + px(25)))
        y = base + rim + px(_FILE_ROOM)
    y -= px(6)
    beside = places[0].box
    worded = [place.grid for place in places if place.grid.title or place.grid.captions]
    titles: list[TitlePlace] = []
    start = beside.right + rim + px(24)
    if width - px(20) - start >= px(300):
        below = [place.box.top - rim for place in places[1:] if place.box.right + rim > start]
        high, shares = min([*below, y]) - beside.top, [_share(grid) for grid in worded]
        for number, grid in enumerate(worded):
            top, bottom = (
                beside.top + high * sum(shares[:end]) // sum(shares) for end in (number, number + 1)
            )
            titles.append(TitlePlace(grid, Box(start, top, width - px(20), bottom)))
    else:
        for grid in worded:
            titles.append(TitlePlace(grid, Box(px(58), y, width - margin, y + px(_CAPTION))))
            y += px(_CAPTION)
    found = Layout(
        scale=frame.scale,
        width=width,
        height=y + frame.caption_lines * px(_CAPTION) + px(12),
        cell=cell,
        rim=rim,
        edge=0,
        topology=frame.topology,
        flipped=False,
        grids=tuple(places),
        bars=tuple(boxes),
        files=(),
        ranks=(),
        captions=(width // 2, y + px(_CAPTION) // 2),
        titles=tuple(titles),
    )
    parts = [_labelled(frame, found, px(27), below, row) for row, below in labels]
    apart = px(22) if frame.led else 0
    return replace(
        found,
        files=tuple(label for part in parts for label in part.files),
        ranks=tuple((text, x, y - apart) for part in parts for text, x, y in part.ranks),
        leaders=tuple(
            (number, x, y + apart)
            for part in parts
            for number, (_, x, y) in enumerate(part.ranks)
            if frame.led
        ),
        middles={name: middle for part in parts for name, middle in part.middles.items()},
    )


def _share(grid: Grid) -> int:
    """The part of the room beside the grids for its words, by the length of the constant ones."""
    rule = len(grid.captions[-1].message) if grid.captions else 0
    return _WORDS_OF_ALL + rule


def _labelled(
    frame: _Frame, layout: Layout, x: int, y: int, grids: tuple[Grid, ...] = ()
) -> Layout:
    """The layout with its coordinates: ranks in a column at ``x``, files in a row at ``y``.

    Coordinates cover the cells of some ``grids``, or of all if none are given. The column leans as
    the ranks of hexagons do.
    """
    lean = layout.step(0, 1)[0]
    lowest = max(cell.rank for cell in frame.cells) if layout.flipped else 0
    files: dict[int, tuple[str, int, int]] = {}
    ranks: dict[int, tuple[str, int, int]] = {}
    middles: dict[str, tuple[int, int]] = {}
    for cell in frame.cells:
        if grids and layout.grid_of(cell.file, cell.rank).grid not in grids:
            continue
        across, up = middles[cell.name] = layout.middle(cell.file, cell.rank)
        split = _LABEL.match(cell.name)
        letters, digits = split.groups() if split else (str(cell.file + 1), str(cell.rank + 1))
        if frame.turned:
            letters, digits = digits, letters
        away = cell.rank - lowest
        files.setdefault(cell.file, (letters, across - away * lean, y))
        # Beside a leaning board the side of the rank below reaches under the number.
        ranks.setdefault(cell.rank, (digits, x + away * lean, up - frame.px(8) * bool(lean)))
    return replace(
        layout, files=tuple(files.values()), ranks=tuple(ranks.values()), middles=middles
    )
