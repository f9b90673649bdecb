"""From a view to a picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, partial

from PIL import Image

from games.view import BoardView, Text
from renderers.bar_painting import bar_sheet
from renderers.bars import bars_of
from renderers.board import BoardKey, empty_board
from renderers.canvas import palette_image
from renderers.emblems import lettered
from renderers.fonts import fitting, text_mask, wrapped
from renderers.incremental.composition import Composition
from renderers.incremental.images import kept
from renderers.incremental.layer import Layer
from renderers.incremental.sheet import Sheet, ground_in
from renderers.layout import SMALL, Layout, layout_of
from renderers.letters import letters_of
from renderers.links import draw_links
from renderers.marks import MarkPainter
from renderers.palettes import palette_of
from renderers.pieces import draw_cells, draw_ghosts
from renderers.style import Style
from renderers.themes import Theme, theme_named
from renderers.titles import draw_leaders, draw_titles
from renderers.turning import seen
from renderers.words import alt_text

_CAPTION_ROOM = 940


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG file, its size in pixels, and the position in at most 1024 characters."""

    png: bytes
    alt_text: str
    width: int
    height: int


def render(view: BoardView, style: Style) -> Picture:
    """The picture of a view; the same bytes for the same view and style, from any thread.

    :exc:`ValueError` if there is no theme of the style's name.
    """
    page = compose(view, style)
    return Picture(
        page.png((view.game, style.names, style.locale)),
        alt_text(view, style),
        page.width,
        page.height,
    )


def palette_for(view: BoardView, style: Style) -> Image.Image:
    """The palette of the view's role in the style's theme."""
    return stored_palette(style.theme, view.palette, len(view.colours))


def compose(
    view: BoardView,
    style: Style,
    *,
    scale: float | None = None,
    lines: int | None = None,
    exact: bool = False,
) -> Composition:
    """The complete page of the view.

    ``scale`` overrides the style's size; ``lines`` reserves room for this many lines of captions
    below the board. ``exact`` leaves all colours as they were drawn, for the fitting of palettes;
    else the empty grounds are in the palette's.
    """
    captions = caption_lines(view, style)
    view, flipped, nearest = seen(view, style)
    layout = layout_of(
        view,
        scale or (1.5 if style.larger else 1.0),
        flipped=flipped,
        nearest=nearest,
        caption_lines=rows_for_captions(view, style) if lines is None else lines,
    )
    letters = letters_of(view, style) if style.letters else ()
    key = _board_key(layout, style.theme, view.palette, letters)
    theme, inks = key.theme, key.inks
    palette = None if exact else palette_for(view, style)
    bars = bars_of(view, style, key)
    sheets: list[Sheet] = []
    for strip in layout.strips:
        if strip.bars:
            sheets.append(bar_sheet(bars, strip, key, palette))
            continue
        ground = ground_in(partial(empty_board, key), key, palette)
        sheet = Sheet(ground, palette, strip.top)
        marks = MarkPainter(sheet, view, layout, theme)
        marks.below()
        draw_links(sheet, view, layout, inks)
        draw_ghosts(sheet, view, layout, inks, theme)
        marks.between()
        draw_cells(sheet, view, layout, inks)
        marks.above()
        draw_titles(sheet, layout, style, theme)
        draw_leaders(sheet, view, layout, inks, theme)
        _draw_captions(sheet, captions, layout, theme)
        sheets.append(sheet)
    return Composition(tuple(sheets))


@lru_cache(maxsize=64)
def _board_key(layout: Layout, theme: str, role: str, letters: tuple[str, ...]) -> BoardKey:
    look = theme_named(theme)
    inks = look.inks(role, len(layout.bars))
    if letters:
        inks = tuple(
            replace(ink, mark=lettered(letter)) for ink, letter in zip(inks, letters, strict=False)
        )
    return BoardKey(look, inks, layout)


def caption_lines(view: BoardView, style: Style) -> tuple[str, ...]:
    """The captions of a view in lines that fit its page; short ones share a line.

    Without captions, the text about its ghosts.
    """
    return _in_lines(view.captions or _of_ghosts(view), style)


def _of_ghosts(view: BoardView) -> tuple[Text, ...]:
    if view.ghosts is None or not any(cell.ghost and not cell.stack for cell in view.cells):
        return ()
    return (view.ghosts,)


def rows_for_captions(view: BoardView, style: Style) -> int:
    """The lines that a page reserves for captions: the most of any page of the match."""
    ghosts = () if view.ghosts is None else (view.ghosts,)
    return max(len(_in_lines(texts, style)) for texts in (view.captions, ghosts, *view.longest))


def _in_lines(texts: tuple[Text, ...], style: Style) -> tuple[str, ...]:
    lines = wrapped([style.translate(text) for text in texts], _CAPTION_ROOM, 0, SMALL)
    return tuple(fitting(line, SMALL, _CAPTION_ROOM) for line in lines if line)


def _draw_captions(page: Layer, captions: tuple[str, ...], layout: Layout, theme: Theme) -> None:
    x, y = layout.captions
    for row, text in enumerate(captions):
        letters = text_mask(text, layout.px(SMALL))
        middle = y + row * layout.px(38)
        page.stamp(letters, x - letters.width / 2, middle - letters.height / 2, theme.muted)


@kept
def stored_palette(theme: str, role: str, colours: int) -> Image.Image:
    """The palette of a page with that many sets of pieces in a role of a theme."""
    return palette_image(palette_of(theme, role, colours))
