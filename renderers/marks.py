"""The marks on a board: the last move, the winning chain, picks, targets, refusals."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, hypot

from PIL import Image

from games.view import Arrow, BoardView, Cell, Side, Topology
from renderers.board import CUT, line_width
from renderers.canvas import circle, line, polygon, ring, rounded, rounded_frame
from renderers.hexagons import hexagon, hollow_hexagon
from renderers.incremental.images import RGB, kept
from renderers.incremental.layer import Layer
from renderers.layout import Layout
from renderers.pyramids import base_of
from renderers.themes import Theme

Corners = tuple[bool, bool, bool, bool]
"""The corners of an octagon board's cell that are cut, from upper left clockwise."""


def _octagon(size: int, corners: Corners) -> Image.Image:
    """A cell of an octagon board."""
    far, cut = float(size), float(round(size * CUT))
    a, b, c, d = (cut if corner else 0.0 for corner in corners)
    return polygon(
        size,
        size,
        (
            (a, 0.0),
            (far - b, 0.0),
            (far, b),
            (far, far - c),
            (far - c, far),
            (d, far),
            (0.0, far - d),
            (0.0, a),
        ),
    )


@kept
def _hollow_octagon(size: int, corners: Corners, stroke: int) -> Image.Image:
    """The outline of a cell of an octagon board."""
    hollow = _octagon(size, corners).copy()
    hollow.paste(0, (stroke, stroke), _octagon(size - 2 * stroke, corners))
    return hollow


@kept
def _cross(size: int, stroke: float) -> Image.Image:
    near, far = stroke / 2, size - stroke / 2
    first = line(size, size, ((near, near), (far, far)), stroke).copy()
    second = line(size, size, ((near, far), (far, near)), stroke)
    first.paste(255, (0, 0), second)
    return first


@kept
def _corners(size: int, stroke: int, arm: int) -> Image.Image:
    """The four corners of a frame, each with two arms."""
    mask = Image.new("L", (size, size), 0)
    mask.paste(255, (0, 0, size, size))
    mask.paste(0, (stroke, stroke, size - stroke, size - stroke))
    mask.paste(0, (arm, 0, size - arm, size))
    mask.paste(0, (0, arm, size, size - arm))
    return mask


@dataclass(frozen=True, slots=True)
class MarkPainter:
    """Draws the marks of a view onto a page: some below the pieces, some above them."""

    page: Layer
    view: BoardView
    layout: Layout
    theme: Theme

    def below(self) -> None:
        """Tints of cells, the glow of a new link and the ribbon of the winning chain."""
        marks, theme = self.view.marks, self.theme
        for name in (*marks.origins, *marks.earlier):
            if name in marks.earlier:
                # Moves of their own: framed like the last one, in a paler tone.
                spare = 2 * line_width(self.layout)
                self._tint(self.view.cell(name), theme.casing, spare=spare)
            self._tint(self.view.cell(name), theme.origin)
        for name in marks.last:
            if name in marks.path:
                continue
            cell = self.view.cell(name)
            # On squares a piece may fill its cell: there the tint reaches out of it.
            spare = 0 if self._is_whole else round(self.layout.cell * 0.06) // 2 * 2
            self._tint(cell, theme.casing, spare=spare + 2 * line_width(self.layout))
            self._tint(cell, theme.last, spare=spare)
        for start, end in marks.last_links:
            self._glow(start, end)
        if marks.path:
            self._chain(theme.casing, 2 * line_width(self.layout))
            self._chain(theme.win, 0)
            for name in set(marks.last).intersection(marks.path):
                self._tint(self.view.cell(name), theme.casing, hollow=True)

    def between(self) -> None:
        """Above links, below pieces: arrows, and the line that continues the winning chain."""
        marks, theme, cell = self.view.marks, self.theme, self.layout.cell
        if self._is_whole:
            for start, end in pairwise(marks.path):
                self._stroke(self._middle(start), self._middle(end), cell * 0.12, theme.win)
        for arrow in marks.arrows:
            self._arrow(arrow)

    def above(self) -> None:
        """Dots, rings, frames and crosses."""
        marks, theme, page, cell = self.view.marks, self.theme, self.page, self.layout.cell
        for name in marks.selected:
            self._tint(self.view.cell(name), theme.selected, hollow=True)
        for start, end in marks.target_links:
            self._bar(start, end, theme.target)
        for name in marks.targets:
            if self.view.cell(name).stack:
                self._around(name, theme.target)
            else:
                dot = circle(max(self.layout.px(14), round(cell * 0.24)))
                page.centred(dot, *self._middle(name), theme.target)
        for name in marks.captures:
            self._around(name, theme.capture)
        for name in marks.refused:
            self._tint(self.view.cell(name), theme.refused, hollow=True)
            x, y = self._middle(name)
            size, stroke = round(cell * 0.52), max(self.layout.px(7), cell * 0.1)
            casing = self.layout.px(3)
            page.centred(_cross(size + 2 * casing, stroke + 2 * casing), x, y, (252, 252, 252))
            page.centred(_cross(size, stroke), x, y, theme.refused)

    @property
    def _is_whole(self) -> bool:
        """Whether cells leave no gaps between them."""
        return self.layout.topology is not Topology.SQUARES

    def _middle(self, name: str) -> tuple[int, int]:
        return self.layout.middles[name]

    def _shape(self, cell: Cell, size: int, stroke: int = 0) -> Image.Image:
        """The mask of a cell, ``size`` pixels wide; only its outline if ``stroke`` is given."""
        if self.layout.topology is Topology.HEXAGONS:
            return hollow_hexagon(size, stroke) if stroke else hexagon(size)
        if self.layout.topology is Topology.SQUARES:
            radius = max(self.layout.px(4), round(self.layout.cell * 0.03))
            if stroke:
                return rounded_frame(size, size, radius, stroke)
            return rounded(size, size, radius)
        grid = self.layout.grid_of(cell.file, cell.rank).grid
        left, right = cell.file > grid.file, cell.file < grid.file + grid.files - 1
        down, up = cell.rank > grid.rank, cell.rank < grid.rank + grid.ranks - 1
        if self.layout.flipped:
            left, right, down, up = right, left, up, down
        corners = (left and up, right and up, right and down, left and down)
        return _hollow_octagon(size, corners, stroke) if stroke else _octagon(size, corners)

    def _tint(self, cell: Cell, colour: RGB, *, hollow: bool = False, spare: int = 0) -> None:
        x, y = self.layout.centre(cell)
        size = (self.layout.cell - line_width(self.layout)) // 2 * 2 + spare
        shape = self._shape(cell, size)
        if hollow:
            # Thinner on a chain, whose gold has to be visible there as well.
            least, part = (3, 0.035) if cell.name in self.view.marks.path else (5, 0.065)
            stroke = max(self.layout.px(least), round(self.layout.cell * part))
            shape = self._shape(cell, size, stroke)
        self.page.centred(shape, x, y, colour)

    def _around(self, name: str, colour: RGB) -> None:
        """A ring around a stone; around a pyramid, which may fill its cell, corners outside it."""
        x, y = self._middle(name)
        cell = self.layout.cell
        if self.view.cell(name).stack[-1].kind == "pyramid":
            size = (cell - line_width(self.layout)) // 2 * 2
            thick = (size - ceil(cell * base_of(3))) // 2
            self.page.centred(_corners(size, thick, round(cell * 0.3)), x, y, colour)
            return
        stroke = max(self.layout.px(5), cell * 0.07)
        self.page.centred(ring(round(cell * 0.9), stroke), x, y, colour)

    def _chain(self, colour: RGB, spare: int) -> None:
        """The winning chain as one ribbon from cell to cell, wider than needed by ``spare``."""
        cells = [self.view.cell(name) for name in self.view.marks.path]
        for cell in cells:
            self._tint(cell, colour, spare=spare)
        size = (self.layout.cell - line_width(self.layout)) // 2 * 2 + spare
        for first, second in pairwise(cells):
            (ax, ay), (bx, by) = self.layout.centre(first), self.layout.centre(second)
            if self._is_whole:
                self._stroke((ax, ay), (bx, by), self.layout.cell * 0.58 + spare, colour)
                continue
            # As wide as the cells are, to the pixel: a band without jogs.
            bridge = rounded(abs(ax - bx) + size, abs(ay - by) + size, self.layout.px(4))
            self.page.centred(bridge, (ax + bx) / 2, (ay + by) / 2, colour)

    def _stroke(
        self, start: tuple[int, int], end: tuple[int, int], stroke: float, colour: RGB
    ) -> None:
        left, top = min(start[0], end[0]), min(start[1], end[1])
        spare = round(stroke)
        width = abs(start[0] - end[0]) + 2 * spare
        height = abs(start[1] - end[1]) + 2 * spare
        ends = (
            (float(start[0] - left + spare), float(start[1] - top + spare)),
            (float(end[0] - left + spare), float(end[1] - top + spare)),
        )
        self.page.stamp(line(width, height, ends, stroke), left - spare, top - spare, colour)

    def _glow(self, start: str, end: str) -> None:
        """A light band on a dark casing along a new link, which is drawn over its middle."""
        (ax, ay), (bx, by) = self._middle(start), self._middle(end)
        near, far = (
            (round(ax + (bx - ax) * part), round(ay + (by - ay) * part)) for part in (0.27, 0.73)
        )
        cell = self.layout.cell
        band, casing = round(cell * 0.68), max(self.layout.px(3), cell * 0.034)
        self._stroke(near, far, band + 2 * casing, self.theme.casing)
        self._stroke(near, far, band, self.theme.last)

    def _arrow(self, arrow: Arrow) -> None:
        """An arrow from a cell to the near side of another, or over the edge of the board.

        It begins in the middle of a cell that is empty now, and at the border of one where pieces
        remain; it lies below pieces.
        """
        cell = self.layout.cell
        ax, ay = self._middle(arrow.start)
        bx, by = self._middle(arrow.end) if arrow.end else self._beyond(arrow)
        length = hypot(bx - ax, by - ay)
        if not length:
            return
        way = ((bx - ax) / length, (by - ay) / length)
        remains = self.view.cell(arrow.start).stack
        # Over the edge there is no room except beside the piece itself.
        reach = base_of(remains[-1].size) if remains and arrow.end is None else 1.0
        border = cell * reach / 2 / max(abs(way[0]), abs(way[1]))
        head, half, wing = cell * 0.19, cell * 0.042, cell * 0.105
        far = length - (cell * 0.4 if arrow.end else 0)
        begin = min(border, far - head) if remains else 0.0
        casing = max(self.layout.px(3), cell * 0.025)
        for spare, tone in ((casing, self.theme.casing), (0.0, self.theme.last)):
            outline = (
                (begin - spare, half + spare),
                (far - head - spare * 0.2, half + spare),
                (far - head - spare, wing + spare * 1.9),
                (far + spare * 1.9, 0.0),
                (far - head - spare, -wing - spare * 1.9),
                (far - head - spare * 0.2, -half - spare),
                (begin - spare, -half - spare),
            )
            self._turned(outline, (ax, ay), way, tone)

    def _beyond(self, arrow: Arrow) -> tuple[float, float]:
        """The place of a piece that leaves the board, past the edge on its way."""
        box = self.layout.grids[0].box
        ax, ay = self._middle(arrow.start)
        vx, vy = self._middle(arrow.via or arrow.start)
        onwards = (arrow.side not in (Side.BOTTOM, Side.LEFT)) != self.layout.flipped
        past = self.layout.rim + self.layout.px(3)
        if arrow.side in (Side.LEFT, Side.RIGHT):
            x = box.right + past if onwards else box.left - past
            down = (vy - ay) / abs(vx - ax) if vx != ax else 0.0
            return x, ay + down * abs(x - ax)
        y = box.top - past if onwards else box.bottom + past
        across = (vx - ax) / abs(vy - ay) if vy != ay else 0.0
        return ax + across * abs(y - ay), y

    def _turned(
        self,
        outline: tuple[tuple[float, float], ...],
        start: tuple[float, float],
        way: tuple[float, float],
        tone: RGB,
    ) -> None:
        """Fill an outline given along and across a ``way`` (of length 1) from ``start``."""
        points = [
            (
                start[0] + along * way[0] - across * way[1],
                start[1] + along * way[1] + across * way[0],
            )
            for along, across in outline
        ]
        left, top = (floor(min(point[axis] for point in points)) for axis in (0, 1))
        width, height = (
            ceil(max(point[axis] for point in points)) - near + 1
            for axis, near in ((0, left), (1, top))
        )
        inside = tuple((x - left, y - top) for x, y in points)
        self.page.stamp(polygon(width, height, inside), left, top, tone)

    def _bar(self, start: str, end: str, colour: RGB) -> None:
        """A short bar on the diamond of a possible link, in its direction."""
        (ax, ay), (bx, by) = self._middle(start), self._middle(end)
        x, y = (ax + bx) / 2, (ay + by) / 2
        reach = 0.14
        first = (round(x + (ax - x) * 2 * reach), round(y + (ay - y) * 2 * reach))
        second = (round(x + (bx - x) * 2 * reach), round(y + (by - y) * 2 * reach))
        self._stroke(first, second, self.layout.cell * 0.13, colour)
