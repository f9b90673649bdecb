"""A table of players as a picture, as letters of equal width, and in words.

Standings, arenas and ladders are all tables: a place, a name, and columns of short values. The
caller supplies all words in the reader's language. A long table takes several pages.
"""

from __future__ import annotations

from dataclasses import dataclass

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
from renderers.themes import theme_named

ROWS = 24
"""The most rows on a page."""
COLUMNS = 8
"""The most columns of values in a picture, which leaves enough room for a name."""
LETTERS = 40
"""The most letters of equal width in a line, which a phone shows without breaking it."""
_NAME, _WIDEST_HEAD = 13, 8
"""The least letters of a name, with the blank before it, and the most of a head."""
_HEAD, _ROW = 44, 44
_GAP, _WIDEST = 26, 160
_LARGE = 28
"""The size of heads where there is room; a phone shows them as 11 pixels."""


@dataclass(frozen=True, slots=True)
class Row:
    """A player's line. ``spare`` replaces a name that no font here can draw.

    ``place`` is short, such as ``1`` or ``=3``. A row that ``stands_out`` is that of a winner, or
    of a promoted player.
    """

    place: str
    name: str
    values: tuple[str, ...]
    spare: str = ""
    stands_out: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """All lines of a table, best first.

    ``heads`` name the columns of values; the first matters most.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    footer: str = ""


def page_count(table: Table) -> int:
    """The number of pages of the table, at least one."""
    return max(1, -(-len(table.rows) // ROWS))


def draw_table(table: Table, style: Style, page: int = 0) -> Picture:
    """One page as a picture, counted from 0; :exc:`ValueError` if there is no such page."""
    rows = _rows(table, page)
    theme = theme_named(style.theme)
    right, top = WIDTH - MARGIN, TOP + _HEAD
    stripes = tuple(
        Panel((MARGIN, y, right, y + _ROW), theme.bar)
        for y in range(top, top + _ROW * len(rows), 2 * _ROW)
    )
    paper = Paper(style, top + _ROW * len(rows) + FOOT, stripes)
    paper.frame(table.title, table.footer, page, page_count(table))

    size, edges = _heads(table, rows)
    for head, (left, end) in zip(table.heads, edges, strict=False):
        paper.write(head, size, end, TOP, theme.muted, room=end - left, from_right=True)
    places = max((text_width(drawable(row.place), TEXT) for row in rows), default=0)
    name_left = MARGIN + 12 + places + 20
    room = (edges[0][0] if edges else right) - _GAP - name_left
    for index, row in enumerate(rows):
        y = top + index * _ROW
        if row.stands_out:
            paper.box((MARGIN, y, right, y + _ROW), theme.bar_active)
            paper.box((MARGIN, y, MARGIN + 6, y + _ROW), theme.star)
        place_end = MARGIN + 12 + places
        paper.write(row.place, TEXT, place_end, y, theme.muted, room=places, from_right=True)
        name = paper.name(row.name, row.spare)
        paper.write(
            name, TEXT, name_left, y, theme.text, room=room, least=SMALL, bold=row.stands_out
        )
        for column, (value, (left, end)) in enumerate(zip(row.values, edges, strict=False)):
            tone = theme.muted if column else theme.text
            room_here = end - left
            paper.write(value, TEXT, end, y, tone, room=room_here, bold=not column, from_right=True)
    return paper.picture(table_words(table, page), ("table", table.title, page))


def table_words(table: Table, page: int = 0) -> str:
    """One page in at most 1024 characters: as many rows as fit, with the first value of each."""
    lines = [
        f"{row.place}. {shown_name(row.name, row.spare)} {' '.join(row.values[:1])}".rstrip()
        for row in _rows(table, page)
    ]
    return words_in_room(". ".join(part for part in (table.title, table.footer) if part), lines)


def table_text(table: Table, page: int = 0) -> str:
    """One page for letters of equal width under heads, no line longer than 40.

    Later columns give way to names.
    """
    rows = _rows(table, page)
    places = max((columns(row.place) for row in rows), default=0)
    widths = _widths(table, rows, LETTERS - places - _NAME)
    lines = [] if not rows else [" " * places + _line("", table.heads, widths, places)]
    for row in rows:
        place = " " * (places - columns(row.place)) + row.place
        lines.append(place + _line(shown_name(row.name, row.spare), row.values, widths, places))
    return "\n".join(line.rstrip() for line in lines)


def _widths(table: Table, rows: tuple[Row, ...], room: int) -> list[int]:
    """The letters of each column of values; as many columns as there is room for."""
    widths = []
    for column in range(max((len(row.values) for row in rows), default=0)):
        found = [columns(row.values[column]) for row in rows if column < len(row.values)]
        head = columns(table.heads[column]) if column < len(table.heads) else 0
        widths.append(max([min(head, _WIDEST_HEAD), *found]))
    while widths and sum(widths) + len(widths) > room:
        widths.pop()
    return widths


def _line(name: str, values: tuple[str, ...], widths: list[int], places: int) -> str:
    """A name and values after a place, each in its column."""
    end = ""
    for column, width in enumerate(widths):
        shown = in_columns(values[column] if column < len(values) else "", width).rstrip()
        end += " " * (width - columns(shown) + 1) + shown
    return f" {in_columns(name, LETTERS - places - 1 - columns(end))}{end}"


def _rows(table: Table, page: int) -> tuple[Row, ...]:
    if not 0 <= page < page_count(table):
        raise ValueError(f"no page {page}; there are {page_count(table)}")
    return table.rows[page * ROWS : (page + 1) * ROWS]


def _heads(table: Table, rows: tuple[Row, ...]) -> tuple[int, list[tuple[int, int]]]:
    """The size of the heads, large if no head is cut and no column lost, and their columns."""
    large, small = (_edges(table, rows, size) for size in (_LARGE, SMALL))
    widths = [text_width(drawable(head), _LARGE) for head in table.heads[: len(small)]]
    fits = len(large) == len(small) and max(widths, default=0) <= _WIDEST
    return (_LARGE, large) if fits else (SMALL, small)


def _edges(table: Table, rows: tuple[Row, ...], size: int) -> list[tuple[int, int]]:
    """Left and right of each column of values, as wide as its content."""
    widths = []
    for column, head in enumerate(table.heads[:COLUMNS]):
        values = [drawable(row.values[column]) for row in rows if column < len(row.values)]
        found = [text_width(value, TEXT, bold=not column) for value in values]
        widths.append(min(_WIDEST, max([text_width(drawable(head), size), *found])))
    while widths and sum(widths) + _GAP * len(widths) > 0.62 * WIDTH:
        widths.pop()
    left = WIDTH - MARGIN - 12 - sum(widths) - _GAP * (len(widths) - 1)
    edges = []
    for width in widths:
        edges.append((left, left + width))
        left += width + _GAP
    return edges
