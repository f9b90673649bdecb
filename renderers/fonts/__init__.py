"""Letters: their font, width and shape.

A text is split into runs by the first font that has each character: Open Sans, then DejaVu Sans,
then Noto Sans CJK if it is installed, else the part of it beside this file, which is enough for
Parlour's own sentences in Japanese (README.md there says how it is made). A text with a letter that
none of them has cannot be drawn, nor can text from right to left without the shaping library;
:func:`can_draw` says so and the caller writes something else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock

from PIL import Image, ImageDraw, ImageFont, features

from renderers.fonts import noto
from renderers.incremental.images import kept
from renderers.names import shortened

__all__ = [
    "can_draw",
    "drawable",
    "extras_would_draw",
    "fitting",
    "size_for",
    "text_mask",
    "text_width",
    "wrapped",
]

_HERE = Path(__file__).parent
_LATIN, _BOLD = str(_HERE / "OpenSans-SemiBold.ttf"), str(_HERE / "OpenSans-Bold.ttf")
_DEJAVU, _JAPANESE = str(_HERE / "DejaVuSans.ttf"), str(_HERE / "NotoSansCJK-JIS1.otf")
_LINE = 1.5
_BASELINE = 1.1
_PIECE = re.compile(r"[0-9 ]|[^0-9 ]+")
_lock = Lock()


@cache
def _faces(bold: bool) -> tuple[str, ...]:
    """The font files to look for a letter, in order."""
    return _BOLD if bold else _LATIN, _DEJAVU, _installed() or _JAPANESE


@cache
def _installed() -> str | None:
    """All of Noto Sans CJK, if it is installed."""
    found = noto.installed()
    return None if found is None else str(found)


@cache
def _font(path: str, size: int, shaped: bool) -> ImageFont.FreeTypeFont:
    engine = ImageFont.Layout.RAQM if shaped else ImageFont.Layout.BASIC
    return ImageFont.truetype(path, size, layout_engine=engine)


@lru_cache(maxsize=4096)
def _has(path: str, char: str) -> bool:
    """Whether the font draws something else for the character than its sign for "missing"."""
    if char == " ":
        return True
    font = _font(path, 24, shaped=False)
    with _lock:
        drawn, missing = font.getmask(char), font.getmask("\U0010fffd")
    if unicodedata.category(char) in ("Mn", "Me") and not drawn.size[0]:
        return False
    return drawn.size != missing.size or bytes(drawn) != bytes(missing)


def _face_for(char: str, bold: bool) -> str | None:
    return next((face for face in _faces(bold) if _has(face, char)), None)


def _is_right_to_left(text: str) -> bool:
    return not text.isascii() and any(
        unicodedata.bidirectional(char) in ("R", "AL", "AN") for char in text
    )


@cache
def _can_shape() -> bool:
    return bool(features.check("raqm") and features.check("fribidi"))


@lru_cache(maxsize=1024)
def can_draw(text: str) -> bool:
    """Whether every letter of the text has a shape here, in the right order."""
    if _is_right_to_left(text):
        return _can_shape() and all(_has(_DEJAVU, char) for char in text)
    return all(
        _face_for(char, bold=False) is not None
        for char in text
        if unicodedata.category(char)[0] in "LN"
    )


def extras_would_draw(text: str) -> bool:
    """Whether the extras' font has all letters that are missing to draw the text."""
    if can_draw(text) or _installed() or _is_right_to_left(text):
        return False
    missing = [char for char in text if _face_for(char, bold=False) is None]
    return all(unicodedata.east_asian_width(char) == "W" for char in missing)


@lru_cache(maxsize=1024)
def drawable(text: str) -> str:
    """The text without letters that no font here can draw; empty if its order would be wrong."""
    if can_draw(text):
        return text
    if _is_right_to_left(text):
        return ""
    return "".join(char for char in text if _face_for(char, bold=False) is not None)


@dataclass(frozen=True, slots=True)
class _Run:
    text: str
    face: str
    shaped: bool = False


def _runs(text: str, bold: bool) -> Iterator[_Run]:
    if _is_right_to_left(text):
        yield _Run(text, _DEJAVU, shaped=True)
        return
    run = ""
    face: str | None = None
    for char in text:
        # A mark stays with its letter, even where another font has a better one.
        found = face if face and _has(face, char) else _face_for(char, bold)
        if found is None:
            continue
        if face is not None and found != face:
            yield _Run(run, face)
            run = ""
        run, face = run + char, found
    if face is not None and run:
        yield _Run(run, face)


def _pieces(text: str) -> list[str]:
    """The words and digits of a text and its blanks, each drawn once and cached.

    From move to move little but the numbers of a text changes, and digits are equally wide. Text
    from right to left is shaped as a whole.
    """
    return [text] if _is_right_to_left(text) else _PIECE.findall(text)


@lru_cache(maxsize=8192)
def _advance(piece: str, size: int, bold: bool) -> float:
    """The distance in pixels from the beginning of a piece to that of the next one."""
    width = 0.0
    for run in _runs(piece, bold):
        font = _font(run.face, size, run.shaped)
        with _lock:
            width += font.getlength(run.text)
    return width


@lru_cache(maxsize=4096)
def text_width(text: str, size: int, *, bold: bool = False) -> int:
    """The width of the text in pixels."""
    return int(sum(_advance(piece, size, bold) for piece in _pieces(text)) + 0.999)


@kept
def text_mask(text: str, size: int, *, bold: bool = False) -> Image.Image:
    """The text as a mask one line high, for any content; the baseline lies at 1.1 sizes."""
    width = max(1, text_width(text, size, bold=bold))
    image = Image.new("L", (width, round(size * _LINE)), 0)
    x = 0.0
    for piece in _pieces(text):
        if piece != " ":
            image.paste(_piece_mask(piece, size, bold), (round(x), 0))
        x += _advance(piece, size, bold)
    return image


@kept
def _piece_mask(piece: str, size: int, bold: bool) -> Image.Image:
    image = Image.new("L", (int(_advance(piece, size, bold) + 0.999), round(size * _LINE)), 0)
    draw = ImageDraw.Draw(image)
    x = 0.0
    for run in _runs(piece, bold):
        font = _font(run.face, size, run.shaped)
        with _lock:
            draw.text((x, size * _BASELINE), run.text, fill=255, font=font, anchor="ls")
            x += font.getlength(run.text)
    return image


@lru_cache(maxsize=4096)
def fitting(text: str, size: int, room: int, *, bold: bool = False) -> str:
    """The text, or as many of its words as ``room`` pixels hold, with an ellipsis.

    A long word that would leave little is cut.
    """
    if text_width(text, size, bold=bold) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if text_width(shortened(text, middle), size, bold=bold) <= room:
            low = middle
        else:
            high = middle - 1
    return shortened(text, low) if low else ""


def size_for(
    text: str,
    sizes: Sequence[float],
    room: int,
    pixels: Callable[[float], int],
    *,
    bold: bool = False,
) -> float:
    """The first of the sizes at which the text fits into ``room`` pixels, else the last.

    ``pixels`` turns a size into pixels.
    """
    fits = (size for size in sizes if text_width(text, pixels(size), bold=bold) <= room)
    return next(fits, sizes[-1])


def wrapped(texts: list[str], room: int, start: int, size: int) -> list[str]:
    """The texts in lines of ``room`` pixels, the first one shorter by ``start``.

    Texts share a line where they fit it whole; only a text longer than a line is broken, between
    words. A word longer than a line is broken anywhere, as a language without blanks needs.
    """
    lines = [""]
    left = room - start
    for text in texts:
        joined = f"{lines[-1]}   {text}" if lines[-1] else text
        if text_width(joined, size) <= left:
            lines[-1] = joined
            continue
        if lines[-1] or start:
            lines.append("")
            left = room
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if lines[-1] and text_width(longer, size) > left:
                lines.append("")
                left, longer = room, word
            while text_width(longer, size) > left:
                fits = max(1, len(fitting(longer, size, left)) - 1)
                lines[-1], longer = longer[:fits], longer[fits:]
                lines.append("")
                left = room
            lines[-1] = longer
    return lines
