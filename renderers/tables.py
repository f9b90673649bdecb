"""A table of players as a picture, as letters of equal width, and in words.

Standings, crosstables, arenas and ladders are all tables: a place, a name, and columns of short
values. The caller brings every word in the reader's language. A long table goes on pages.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from io import BytesIO

from PIL import Image

from renderers.canvas import Page, mix, palette_image
from renderers.fonts import can_draw, fitting, text_mask, text_width
from renderers.names import clean_name
from renderers.palettes import palette_of
from renderers.picture import Picture
from renderers.style import Style
from renderers.themes import theme_named

ROWS = 24
"""Most rows on a page."""
COLUMNS = 8
"""Most columns of values in a picture, which leaves a name room enough."""
_WIDTH, _MARGIN, _TOP, _HEAD, _ROW, _FOOT = 1000, 24, 84, 44, 44, 60
_TITLE, _TEXT, _SMALL = 36, 30, 24
_GAP, _WIDEST = 26, 160
_LETTERS = 40
_ALT = 1024


@dataclass(frozen=True, slots=True)
class Row:
    """A player's line. ``spare`` stands for a name that no font here can draw.

    ``place`` is short, such as ``1`` or ``=3``. A row that ``stands_out`` is that of a winner,
    or of those who rise.
    """

    place: str
    name: str
    values: tuple[str, ...]
    spare: str = ""
    stands_out: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """All lines of a table, best first. ``heads`` name the columns of values, the first counts."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    footer: str = ""


def page_count(table: Table) -> int:
    """How many pages the table takes, at least one."""
    return max(1, -(-len(table.rows) // ROWS))


def draw_table(table: Table, style: Style, page: int = 0) -> Picture:
    """One page as a picture, counted from 0; :exc:`ValueError` if there is no such page."""
    words = table_words(table, page)
    table = _drawable(table)
    rows = _rows(table, page)
    theme = theme_named(style.theme)
    height = _TOP + _HEAD + _ROW * len(rows) + _FOOT
    paper = Page.blank(_WIDTH, height, theme.card)
    sheet = f"{page + 1} / {page_count(table)}" if page_count(table) > 1 else ""
    right = _WIDTH - _MARGIN
    number = text_mask(sheet, _SMALL)
    paper.stamp(number, right - number.width, 28, theme.muted)
    title = fitting(table.title, _TITLE, right - _MARGIN - number.width - _GAP)
    paper.stamp(text_mask(title, _TITLE), _MARGIN, 16, theme.text)

    edges = _edges(table, rows)
    for head, (left, end) in zip(table.heads, edges, strict=False):
        label = text_mask(fitting(head, _SMALL, end - left), _SMALL)
        paper.stamp(label, end - label.width, _TOP, theme.muted)
    places = max((text_width(row.place, _TEXT) for row in rows), default=0)
    name_left = _MARGIN + 12 + places + 20
    room = (edges[0][0] if edges else right) - _GAP - name_left
    for index, row in enumerate(rows):
        top = _TOP + _HEAD + index * _ROW
        if row.stands_out:
            paper.fill((_MARGIN, top, right, top + _ROW), theme.bar_active)
            paper.fill((_MARGIN, top, _MARGIN + 5, top + _ROW), theme.star)
        elif index % 2 == 0:
            paper.fill((_MARGIN, top, right, top + _ROW), theme.bar)
        place = text_mask(row.place, _TEXT)
        paper.stamp(place, _MARGIN + 12 + places - place.width, top, theme.muted)
        name = fitting(row.name, _TEXT, room, bold=row.stands_out)
        paper.stamp(text_mask(name, _TEXT, bold=row.stands_out), name_left, top, theme.text)
        for column, (value, (left, end)) in enumerate(zip(row.values, edges, strict=False)):
            text = text_mask(
                fitting(value, _TEXT, end - left, bold=not column), _TEXT, bold=not column
            )
            paper.stamp(text, end - text.width, top, theme.muted if column else theme.text)
    bottom = height - _FOOT
    paper.fill((_MARGIN, bottom, right, bottom + 2), mix(theme.card, theme.grid, 0.6))
    footer = fitting(table.footer, _SMALL, right - _MARGIN)
    paper.stamp(text_mask(footer, _SMALL), _MARGIN, bottom + 12, theme.muted)
    palette = palette_image(palette_of(style.theme, "pair", 2))
    file = BytesIO()
    paper.image.quantize(palette=palette, dither=Image.Dither.NONE).save(
        file, "PNG", compress_level=3
    )
    return Picture(file.getvalue(), words, _WIDTH, height)


def table_words(table: Table, page: int = 0) -> str:
    """One page in at most 1024 characters: as many rows as fit, with the first value of each."""
    said = ". ".join(part for part in (table.title, table.footer) if part)
    for row in _rows(table, page):
        first = " ".join(row.values[:1])
        more = f"\n{row.place}. {clean_name(row.name) or row.spare} {first}".rstrip()
        if len(said) + len(more) > _ALT - 1:
            return said[: _ALT - 1] + "…"
        said += more
    return said[:_ALT]


def table_text(table: Table, page: int = 0) -> str:
    """One page for letters of equal width, no line longer than 40; later columns give way."""
    rows = _rows(table, page)
    places = max((len(row.place) for row in rows), default=0)
    lines = []
    for row in rows:
        values = list(row.values)
        while values and sum(len(value) + 1 for value in values) > _LETTERS - places - 13:
            values.pop()
        end = "".join(f" {value}" for value in values)
        room = _LETTERS - places - 1 - len(end)
        name = clean_name(row.name) or row.spare
        if len(name) > room:
            name = name[: room - 1] + "…"
        lines.append(f"{row.place:>{places}} {name:<{room}}{end}")
    return "\n".join(lines)


def _rows(table: Table, page: int) -> tuple[Row, ...]:
    if not 0 <= page < page_count(table):
        raise ValueError(f"no page {page}; there are {page_count(table)}")
    return table.rows[page * ROWS : (page + 1) * ROWS]


def _drawable(table: Table) -> Table:
    """The table without whatever has letters that no font here can draw."""

    def kept(text: str) -> str:
        return text if can_draw(text) else ""

    return Table(
        kept(clean_name(table.title)),
        tuple(map(kept, table.heads)),
        tuple(
            replace(
                row,
                place=kept(row.place),
                name=_name(row),
                values=tuple(map(kept, row.values)),
            )
            for row in table.rows
        ),
        kept(table.footer),
    )


def _name(row: Row) -> str:
    name = clean_name(row.name)
    return name if name and can_draw(name) else row.spare if can_draw(row.spare) else ""


def _edges(table: Table, rows: tuple[Row, ...]) -> list[tuple[int, int]]:
    """Left and right of each column of values, as wide as what is in it."""
    widths = []
    for column, head in enumerate(table.heads[:COLUMNS]):
        values = [row.values[column] for row in rows if column < len(row.values)]
        found = [text_width(value, _TEXT, bold=not column) for value in values]
        widths.append(min(_WIDEST, max([text_width(head, _SMALL), *found])))
    while widths and sum(widths) + _GAP * len(widths) > 0.62 * _WIDTH:
        widths.pop()
    left = _WIDTH - _MARGIN - 12 - sum(widths) - _GAP * (len(widths) - 1)
    edges = []
    for width in widths:
        edges.append((left, left + width))
        left += width + _GAP
    return edges
