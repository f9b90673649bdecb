"""A rating over time as a picture: one line, from the first match shown to the last."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from PIL import Image, ImageDraw

from renderers.canvas import SHARP, Page, circle, mix
from renderers.fonts import drawable, fitting, text_mask, text_width
from renderers.incremental.images import RGB
from renderers.picture import Picture
from renderers.style import Style
from renderers.themes import Theme, contrast, theme_named

_WIDTH, _HEIGHT = 960, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 92, 104, 84, 40
_TITLE, _LABEL, _VALUE = 30, 20, 26
_STEPS = (25, 50, 100, 200, 250, 500, 1000)
_LINES = 5
_FEW = 8
"""Up to this many matches have a point and a number each; of more the best one has."""
_ROOM = 40
"""The least number of points on the scale, so that a quiet line does not look wild."""


def rating_graph(
    title: str,
    points: Sequence[int],
    style: Style,
    *,
    start: int | None = None,
    of_moves: bool = False,
) -> Picture:
    """The ratings after a player's matches, oldest first, at least one; ``title`` stands above.

    ``start`` is the rating before the first of them, if there were no earlier ones. A few matches
    have a point each, with its number.

    Letters of the title that no font here can draw are left out of the picture, not of the words.

    The matches lie at equal distances: their order matters, not the calendar. With ``of_moves`` the
    points are a player's chances in one match, move by move.
    """
    theme = theme_named(style.theme)
    page = Page.blank(_WIDTH, _HEIGHT, theme.card)
    shown = fitting(drawable(" ".join(title.split())), _TITLE, _WIDTH - 60, bold=True)
    page.stamp(text_mask(shown, _TITLE, bold=True), 30, 18, theme.text)
    shown_points = list(points) if start is None else [start, *points]
    low, high, step = (0, 100, 25) if of_moves else _scale(shown_points)
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    last = len(shown_points) - 1

    def across(index: int) -> float:
        return right if not last else _LEFT + (right - _LEFT) * index / last

    def down(value: float) -> float:
        return bottom - (bottom - _TOP) * (value - low) / (high - low)

    for value in range(low, high + 1, step):
        y = round(down(value))
        page.fill((_LEFT, y, right, y + 1), mix(theme.card, theme.grid, 0.6))
        label = text_mask(str(value), _LABEL)
        page.stamp(label, _LEFT - 14 - label.width, y - _LABEL * 0.8, theme.muted)
    places = [(across(index), down(value)) for index, value in enumerate(shown_points)]
    colour = _colour(theme)
    _line(page, places, colour)
    last_x, last_y = places[-1]
    page.centred(circle(18), last_x, last_y, theme.card)
    page.centred(circle(14), last_x, last_y, colour)
    now = text_mask(str(points[-1]), _VALUE, bold=True)
    page.stamp(now, last_x + 16, last_y - _VALUE * 0.8, theme.text)
    if not of_moves and last <= _FEW:
        for index, place in enumerate(places[:-1]):
            around = shown_points[max(index - 1, 0)], shown_points[index + 1]
            _point(page, place, shown_points[index], around, style)
    elif (best := max(shown_points)) != shown_points[-1]:
        _point(page, places[shown_points.index(best)], best, (best, best), style)
    words = _words(title, points, style, of_moves=of_moves)
    return Picture(_png(page.image), words, _WIDTH, _HEIGHT)


def _colour(theme: Theme) -> RGB:
    """The colour of the theme that stands out on its card."""
    return max((theme.win, theme.last, theme.selected), key=lambda one: contrast(one, theme.card))


def _scale(points: Sequence[int]) -> tuple[int, int, int]:
    """The lowest and the highest line of the grid, and the distance of its lines."""
    least, most = min(points), max(points)
    missing = max(_ROOM - (most - least), 0)
    least, most = least - missing // 2 - 5, most + missing // 2 + 5
    step = next(size for size in (*_STEPS, most - least) if (most - least) / size <= _LINES)
    return least // step * step, -(-most // step) * step, step


def _line(page: Page, places: list[tuple[float, float]], colour: RGB) -> None:
    """A smooth-edged line through all places."""
    if len(places) < 2:
        return
    large = [(x * SHARP, y * SHARP) for x, y in places]
    mask = Image.new("L", (page.image.width * SHARP, page.image.height * SHARP), 0)
    ImageDraw.Draw(mask).line(large, fill=255, width=4 * SHARP, joint="curve")
    page.stamp(mask.reduce(SHARP), 0, 0, colour)


def _point(
    page: Page, place: tuple[float, float], value: int, around: tuple[int, int], style: Style
) -> None:
    """Mark a point with its number, where the line to the points ``around`` leaves room."""
    theme = theme_named(style.theme)
    x, y = place
    page.centred(circle(12), x, y, theme.card)
    page.centred(circle(8), x, y, theme.muted)
    half = text_width(str(value), _LABEL) / 2
    before, after = around
    is_low = before >= value < after
    if not is_low:
        x += half * ((before > value > after) - (before < value < after))
    x = min(max(x, _LEFT + half), _WIDTH - _RIGHT - half)
    top = y + _LABEL * 0.2 if is_low else y - _LABEL * 2
    page.stamp(text_mask(str(value), _LABEL), x - half, top, theme.muted)


def _words(title: str, points: Sequence[int], style: Style, *, of_moves: bool) -> str:
    if of_moves:
        count = style.plural("{n} move", "{n} moves", n=len(points) - 1)
    else:
        count = style.plural("{n} match", "{n} matches", n=len(points))
    said = style.say(
        "First {first}, lowest {lowest}, highest {highest}, now {now}.",
        first=points[0],
        lowest=min(points),
        highest=max(points),
        now=points[-1],
    )
    return f"{' '.join(title.split())}. {count}. {said}"


def _png(image: Image.Image) -> bytes:
    file = BytesIO()
    image.quantize(64, dither=Image.Dither.NONE).save(file, "PNG", optimize=False)
    return file.getvalue()
