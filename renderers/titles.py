"""Words and signs beside grids: their rules and bonuses, and the leader of each rank."""

from __future__ import annotations

from games.view import BoardView
from renderers.canvas import mix, rounded, rounded_frame
from renderers.emblems import emblem
from renderers.fonts import fitting, text_mask, text_width, wrapped
from renderers.incremental.layer import Layer
from renderers.layout import Layout, TitlePlace
from renderers.style import Style
from renderers.themes import Ink, Theme

_TITLE = 36
WORDS, PITCH = 33, 37
"""Size and distance of lines that a phone shows at 400 pixels."""
_SIGN = 32


def draw_titles(page: Layer, layout: Layout, style: Style, theme: Theme) -> None:
    """Write each grid's title and captions in their place in the layout."""
    for place in layout.titles:
        _draw_title(page, place, layout, style, theme)


def _draw_title(page: Layer, place: TitlePlace, layout: Layout, style: Style, theme: Theme) -> None:
    """Words in the order given, in as many lines as there is room for."""
    px, box = layout.px, place.box
    title = style.translate(place.grid.title) if place.grid.title is not None else ""
    start, lines = title_lines(place, layout, style)
    pitch = px(PITCH)
    lines = lines[: max(1, box.height // pitch)]
    y = box.top
    x = box.left + start
    if title:
        letters = text_mask(fitting(title, px(_TITLE), box.width, bold=True), px(_TITLE), bold=True)
        page.stamp(letters, box.left, y + px(30) - px(_TITLE) * 1.1, theme.text)
    for row, text in enumerate(lines):
        if text:
            letters = text_mask(fitting(text, px(WORDS), box.right - x), px(WORDS))
            page.stamp(letters, x, y + row * pitch + px(30) - px(WORDS) * 1.1, theme.muted)
        x = box.left


def title_lines(place: TitlePlace, layout: Layout, style: Style) -> tuple[int, list[str]]:
    """The offset of the first line of captions from the title, and all lines of captions."""
    px = layout.px
    title = style.translate(place.grid.title) if place.grid.title is not None else ""
    start = text_width(title, px(_TITLE), bold=True) + px(22) if title else 0
    texts = [style.translate(text) for text in place.grid.captions]
    return start, wrapped(texts, place.box.width, start, px(WORDS))


def draw_leaders(
    page: Layer, view: BoardView, layout: Layout, inks: tuple[Ink, ...], theme: Theme
) -> None:
    """A sign in the leader's colour and mark below each rank's number, or an empty frame."""
    size = layout.px(_SIGN)
    radius = layout.px(8)
    for number, x, y in layout.leaders:
        leader = view.rank_leaders[number]
        if leader is None:
            frame = rounded_frame(size, size, radius, layout.px(3))
            page.centred(frame, x, y, mix(theme.card, theme.bar_line, 0.7))
            continue
        ink = inks[leader]
        edge = layout.px(3)
        page.centred(rounded(size, size, radius), x, y, theme.text)
        page.centred(rounded(size - 2 * edge, size - 2 * edge, radius - edge), x, y, ink.body)
        page.centred(emblem(ink.mark, round(size * 0.5)), x, y, ink.ink)
