"""Where things go: the page, the grids on it, the player bars, the labels.

All sizes below are in pixels of a page that is 1000 wide (1200 for boards of several grids), and
are multiplied by the scale of the picture. A page is shown at 0.3 to 0.4 of its size on phones and
desktops, so no text is smaller than 22/1000 of the page's width, no coordinate smaller than
30/1000, and no stroke that matters thinner than 2.5/1000.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from games.view import BoardView, Cell, Grid

__all__ = ["Box", "GridPlace", "Layout", "Place", "layout_of"]

NAME, LINE, SMALL, COORDINATE = 38, 28, 27, 33
_BAR, _MARGIN, _GAP = 100, 20, 16
_RIM, _EDGE = 5, 27
_RANK_ROOM, _FILE_ROOM, _CAPTION = 74, 50, 38
_ROOM_RIGHT = 30
_LABEL = re.compile(r"^([^\W\d]+)(\d+)$")


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
class Place:
    """The file and rank of a cell, from 0."""

    file: int
    rank: int


@dataclass(frozen=True, slots=True)
class GridPlace:
    """A grid and the rectangle that its cells fill."""

    grid: Grid
    box: Box


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of everything on one page.

    ``bars`` has one box a colour, ``files`` and ``ranks`` what is written beside the board with
    the middle of each label, ``captions`` the middle of the first caption line. ``rim`` is the
    width of the line around each grid and ``edge`` of the bars that show who wants to reach a
    side, 0 where nobody does.
    """

    scale: float
    width: int
    height: int
    cell: int
    rim: int
    edge: int
    flipped: bool
    grids: tuple[GridPlace, ...]
    bars: tuple[Box, ...]
    files: tuple[tuple[str, int, int], ...]
    ranks: tuple[tuple[str, int, int], ...]
    captions: tuple[int, int]

    def px(self, size: float) -> int:
        """A size in page units as pixels, at least one."""
        return max(1, round(size * self.scale))

    def grid_of(self, file: int, rank: int) -> GridPlace:
        """The grid that the cell at this file and rank belongs to."""
        for place in self.grids:
            grid = place.grid
            if 0 <= file - grid.file < grid.files and 0 <= rank - grid.rank < grid.ranks:
                return place
        raise KeyError((file, rank))

    def centre(self, cell: Cell) -> tuple[int, int]:
        """The middle of a cell."""
        return self.middle(cell.file, cell.rank)

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
        grids=view.grids,
        cells=tuple((cell.name, cell.file, cell.rank) for cell in view.cells),
        bars=len(view.colours),
        owned=bool(view.edges),
        scale=scale,
        flipped=flipped and len(view.grids) == 1,
        caption_lines=caption_lines,
    )
    return _layout(frame)


@dataclass(frozen=True, slots=True)
class _Frame:
    """All of a view that its layout depends on."""

    grids: tuple[Grid, ...]
    cells: tuple[tuple[str, int, int], ...]
    bars: int
    owned: bool
    scale: float
    flipped: bool
    caption_lines: int

    def px(self, size: float) -> int:
        return max(1, round(size * self.scale))


@lru_cache(maxsize=64)
def _layout(frame: _Frame) -> Layout:
    px = frame.px
    grid = frame.grids[0]
    width = px(1000)
    rim, edge = px(_RIM), px(_EDGE) if frame.owned else 0
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
        flipped=frame.flipped,
        grids=(GridPlace(grid, box),),
        bars=tuple(boxes[index] for index in range(frame.bars)),
        files=(),
        ranks=(),
        captions=(width // 2, captions + px(_CAPTION) // 2),
    )
    return _labelled(frame, found, box.left - around - px(27), labels + px(25))


def _labelled(frame: _Frame, layout: Layout, x: int, y: int) -> Layout:
    """The layout with its coordinates: ranks in a column at ``x``, files in a row at ``y``."""
    files: dict[int, tuple[str, int, int]] = {}
    ranks: dict[int, tuple[str, int, int]] = {}
    for name, file, rank in frame.cells:
        across, up = layout.middle(file, rank)
        split = _LABEL.match(name)
        letters, digits = split.groups() if split else (str(file + 1), str(rank + 1))
        files.setdefault(file, (letters, across, y))
        ranks.setdefault(rank, (digits, x, up))
    return replace(layout, files=tuple(files.values()), ranks=tuple(ranks.values()))
