"""Results of meetings between players: a picture, letters of equal width, and words.

In a round robin the columns are the opponents, in other formats the rounds; either way a cell has
the result of one meeting for the player of its row. Long tables take several pages, first the
columns of the first rows, then the next rows. The caller supplies all words in the reader's
language.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from renderers.canvas import line
from renderers.fonts import drawable, text_width
from renderers.names import columns, in_columns
from renderers.papers import (
    FOOT,
    MARGIN,
    SMALL,
    TEXT,
    TOP,
    WIDTH,
    Panel,
    Paper,
    shown_name,
    words_in_room,
)
from renderers.picture import Picture
from renderers.style import Style
from renderers.tables import LETTERS
from renderers.themes import theme_named

CROSS_ROWS, CROSS_TALL_ROWS = 24, 16
"""The most rows on a page, also where cells name the opponent."""
CROSS_COLUMNS, CROSS_NOTED = 10, 7
"""The most columns on a page, also where cells name the opponent."""
_HEAD, _ROW, _TALL_ROW = 44, 44, 66
_NOTE = (26, 24, 22)
"""The sizes of notes: a page uses the largest that fits in all of its cells."""
_CELL, _NAME = (54, 84), 330
"""The least and the greatest width of a cell, and the least width of a name where possible."""
_LIGHT = (252, 252, 252)


class Met(Enum):
    """The result in a cell of a crosstable, for the player of its row."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    OPEN = "open"
    """Not played yet, or no meeting."""
    SELF = "self"
    """The cell of a player against themselves."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A cell: the ``points`` of the player of its row as letters (``1``, ``½``, ``1 0``, ``+``).

    ``note`` names the opponent in very few letters (``12w``) where the columns do not.
    """

    met: Met
    points: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class CrossRow:
    """A player's line, with a cell a column and the ``total`` of the points.

    ``label`` comes before the name: the number by which cells name the line, or its place.
    ``spare`` replaces a name that no font here can draw; a row that ``stands_out`` is a winner's.
    """

    label: str
    name: str
    cells: tuple[Meeting, ...]
    total: str
    spare: str = ""
    stands_out: bool = False


@dataclass(frozen=True, slots=True)
class Crosstable:
    """All lines, best first. ``heads`` name the columns of cells, ``total`` that of the sums."""

    title: str
    heads: tuple[str, ...]
    total: str
    rows: tuple[CrossRow, ...]
    footer: str = ""


def crosstable_pages(table: Crosstable) -> int:
    """The number of pages of the table, at least one."""
    return _row_pages(table) * len(_column_cuts(table))


def draw_crosstable(table: Crosstable, style: Style, page: int = 0) -> Picture:
    """One page as a picture, counted from 0; :exc:`ValueError` if there is no such page."""
    rows, shown = _part(table, page)
    theme = theme_named(style.theme)
    high = _TALL_ROW if _is_noted(table) else _ROW
    right, top = WIDTH - MARGIN, TOP + _HEAD
    stripes = tuple(
        Panel((MARGIN, y, right, y + high), theme.bar)
        for y in range(top, top + high * len(rows), 2 * high)
    )
    paper = Paper(style, top + high * len(rows) + FOOT, stripes)
    paper.frame(table.title, table.footer, page, crosstable_pages(table))

    labels = max((text_width(drawable(row.label), TEXT) for row in rows), default=0)
    totals = [text_width(drawable(row.total), TEXT, bold=True) for row in rows]
    widest = min(160, max([text_width(drawable(table.total), SMALL), *totals]))
    name_left, cells_end = MARGIN + 12 + labels + 20, right - 12 - widest - 20
    room = cells_end - name_left - _NAME
    width = max(_CELL[0], min(_CELL[1], room // max(1, len(shown))))
    start = cells_end - width * len(shown)
    notes = {row.cells[at].note for row in rows for at in shown if at < len(row.cells)}
    note = next((size for size in _NOTE if _widest(notes, size) <= width - 4), _NOTE[-1])
    paper.write(table.total, SMALL, right - 12, TOP, theme.muted, room=widest, from_right=True)
    for at, column in enumerate(shown):
        middle = start + at * width + width // 2
        paper.centred(table.heads[column], SMALL, middle, TOP, theme.muted, room=width - 2)
    for index, row in enumerate(rows):
        y = top + index * high
        lower = y + (high - TEXT * 3 // 2) // 2
        if row.stands_out:
            paper.box((MARGIN, y, right, y + high), theme.bar_active)
            paper.box((MARGIN, y, MARGIN + 6, y + high), theme.star)
        label_end = MARGIN + 12 + labels
        paper.write(row.label, TEXT, label_end, lower, theme.muted, room=labels, from_right=True)
        name = paper.name(row.name, row.spare)
        room = start - 16 - name_left
        paper.write(
            name, TEXT, name_left, lower, theme.text, room=room, least=SMALL, bold=row.stands_out
        )
        paper.write(
            row.total, TEXT, right - 12, lower, theme.text, room=widest, bold=True, from_right=True
        )
        for at, column in enumerate(shown):
            if column < len(row.cells):
                box = (start + at * width, y, start + (at + 1) * width, y + high)
                _draw_meeting(paper, row.cells[column], box, note)
    return paper.picture(crosstable_words(table, page), ("cross", table.title, page))


def _widest(notes: Iterable[str], size: int) -> int:
    return max((text_width(drawable(each), size) for each in notes), default=0)


def _draw_meeting(paper: Paper, cell: Meeting, box: tuple[int, int, int, int], note: int) -> None:
    """A cell: wins on green, draws on a lighter background, all with their points."""
    theme, (left, top, right, bottom) = paper.theme, box
    inside = (left + 2, top + 2, right - 2, bottom - 2)
    width, height = right - left, bottom - top
    middle = (left + right) // 2
    if cell.met is Met.SELF:
        across = line(width, height, ((10.0, height - 10.0), (width - 10.0, 10.0)), 3)
        paper.shape(across, left + width / 2, top + height / 2, theme.bar_line)
        return
    ground = {Met.WON: theme.selected, Met.DRAWN: theme.bar_line}.get(cell.met)
    if ground is not None:
        paper.box(inside, ground, 6)
    tone = theme.muted
    if cell.met is Met.WON:
        tone = _LIGHT
    elif cell.met is Met.DRAWN:
        tone = _LIGHT if sum(theme.bar_line) < 384 else (0, 0, 0)
    points, size = cell.points or ("·" if cell.met is Met.OPEN else ""), TEXT - 2
    while size > _NOTE[-1] and text_width(drawable(points), size, bold=True) > width - 6:
        size -= 2
    upper = (height - size * 3 // 2) // 2 - (11 if cell.note else 0)
    if cell.points or not cell.note:
        paper.centred(points, size, middle, top + upper, tone, room=width - 4)
    if cell.note:
        below = top + height - 14 - note if cell.points else top + (height - note * 3 // 2) // 2
        paper.centred(cell.note, note, middle, below, tone, room=width - 4)


def crosstable_words(table: Crosstable, page: int = 0) -> str:
    """One page in at most 1024 characters: every result, or the totals alone if that is too long.

    The end is cut off where there is no room for it.
    """
    rows, shown = _part(table, page)
    head = ". ".join(part for part in (table.title, table.footer) if part)
    heads = [f"{row.label}. {shown_name(row.name, row.spare)} {row.total}".rstrip() for row in rows]
    full = [
        f"{start}: {', '.join(met)}" if met else start
        for start, row in zip(heads, rows, strict=True)
        for met in [
            [
                " ".join(filter(None, (table.heads[column], cell.note, cell.points)))
                for column in shown
                if column < len(row.cells)
                for cell in [row.cells[column]]
                if cell.points
            ]
        ]
    ]
    whole = words_in_room(head, full)
    return words_in_room(head, heads) if whole.endswith("…") else whole


def crosstable_text(table: Crosstable, page: int = 0) -> str:
    """One page for letters of equal width under heads, no line longer than 40.

    The cells are in the line of their player, or in lines of their own below a longer one. Heads
    have as many letters as cells, the last ones of their text.
    """
    rows, shown = _part(table, page)
    cells = [[_letters(row, column) for column in shown] for row in rows]
    wide = max((columns(cell) for line in cells for cell in line), default=0)
    wide = min(wide, LETTERS - 3)
    labels = max((columns(row.label) for row in rows), default=0)
    totals = max((columns(row.total) for row in rows), default=0)
    room = LETTERS - labels - totals - 2
    beside = room - len(shown) * (wide + 1) >= 12
    rows_of_cells = 1 if beside else -(-len(shown) // max(1, (LETTERS - 2) // (wide + 1)))
    in_row = max(1, -(-len(shown) // max(1, rows_of_cells)))

    def told(found: list[str]) -> list[str]:
        lines = [found[at : at + in_row] for at in range(0, len(found), in_row)]
        return ["".join(f" {in_columns(each, wide)}" for each in line) for line in lines]

    heads = told([table.heads[column][-wide:] for column in shown]) if rows and wide else []
    indent = " " * (labels + 1 + room - sum(map(columns, heads))) if beside else "  "
    lines = [f"{indent}{head}".rstrip() for head in heads]
    for row, found in zip(rows, cells, strict=True):
        label = " " * (labels - columns(row.label)) + row.label
        total = " " * (totals - columns(row.total)) + row.total
        name = shown_name(row.name, row.spare)
        parts = told(found)
        if beside:
            beside_it = "".join(parts)
            name = in_columns(name, room - columns(beside_it))
            lines.append(f"{label} {name}{beside_it} {total}")
        else:
            lines.append(f"{label} {in_columns(name, room)} {total}")
            lines += [f"  {each}".rstrip() for each in parts if each.strip()]
    return "\n".join(lines)


def _letters(row: CrossRow, column: int) -> str:
    cell = row.cells[column] if column < len(row.cells) else Meeting(Met.OPEN)
    if cell.met is Met.SELF:
        return "-"
    # "62=1", since "621" could be read in three ways.
    return "=".join(filter(None, (cell.note, cell.points))) or "."


def _is_noted(table: Crosstable) -> bool:
    return any(cell.note for row in table.rows for cell in row.cells)


def _row_pages(table: Crosstable) -> int:
    return max(1, -(-len(table.rows) // _rows_a_page(table)))


def _rows_a_page(table: Crosstable) -> int:
    return CROSS_TALL_ROWS if _is_noted(table) else CROSS_ROWS


def _column_cuts(table: Crosstable) -> list[range]:
    """The columns of each page, evenly divided."""
    count = len(table.heads)
    most = CROSS_NOTED if _is_noted(table) else CROSS_COLUMNS
    parts = max(1, -(-count // most))
    cuts = [count * part // parts for part in range(parts + 1)]
    return [range(first, last) for first, last in pairwise(cuts)]


def _part(table: Crosstable, page: int) -> tuple[tuple[CrossRow, ...], range]:
    """The rows and the columns of a page."""
    cuts = _column_cuts(table)
    if not 0 <= page < crosstable_pages(table):
        raise ValueError(f"no page {page}; there are {crosstable_pages(table)}")
    most = _rows_a_page(table)
    start = page // len(cuts) * most
    return table.rows[start : start + most], cuts[page % len(cuts)]
