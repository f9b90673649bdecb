"""A whole game as an animation: a GIF of full size.

Every frame is one view, composed like a still picture and reduced to the same palette. Each frame
is only the box with changes, and in that box only the changed pixels: the rest is transparent,
which compresses to next to nothing. To change little, no player is shown on turn until the last
frame; captions may name the player. Discord takes animated GIFs as attachments; it strips animated
PNGs.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from PIL import Image, ImageChops
from PIL.GifImagePlugin import getdata

from games.view import BoardView
from renderers.incremental.composition import Composition
from renderers.palettes import SIZE
from renderers.picture import compose, rows_for_captions
from renderers.style import Style

_LARGEST = 10 * 1024 * 1024
"""The largest file in bytes that Discord takes from any user."""
_AS_BEFORE = SIZE
_SCALES = (1.0, 0.7, 0.5)
_WHOLE, _SLOWEST, _QUICKEST, _LAST = 60_000, 1_200, 350, 4_000
"""Milliseconds: a replay's aim, the longest and the shortest frame, the last frame."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A GIF file, its size in pixels, the number of its frames, its scale (1: full size)."""

    gif: bytes
    width: int
    height: int
    frames: int
    scale: float


class Views(Protocol):
    """The views of a game, in order; each may be made on demand."""

    def __len__(self) -> int:
        """The number of views."""
        ...

    def __getitem__(self, number: int, /) -> BoardView:
        """One of them."""
        ...


def replay(views: Sequence[BoardView], style: Style, *, limit: int = _LARGEST) -> Replay:
    """All views one after another, the last one longest, in at most ``limit`` bytes.

    The views are of one game, in order, each with the marks of the move that led to it. If full
    size takes more bytes than the limit, the page is drawn smaller; :exc:`ValueError` if it does
    not fit at half size either, or if there are no views.
    """
    if not views:
        raise ValueError("a replay needs at least one view")
    for scale in _SCALES:
        found = _drawn(views, style, scale)
        if len(found.gif) <= limit:
            return found
    raise ValueError(f"{len(views)} frames do not fit into {limit} bytes")


def _drawn(views: Sequence[BoardView], style: Style, scale: float) -> Replay:
    pages = _pages(views, style, scale)
    last = next(pages)
    shown = last.reduced()
    delay = max(_QUICKEST, min(_SLOWEST, _WHOLE // len(views)))
    # A file begins with its size, its colours and how often it plays: for ever.
    palette = bytes(shown.getpalette("RGB") or ())[: 3 * SIZE].ljust(3 * 256, b"\0")
    size = struct.pack("<HH", *shown.size)
    parts = [b"GIF89a", size, b"\xf7\0\0", palette, b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"]
    # A frame includes its duration: it has to wait for the next one.
    waiting, corner, wait = _raw(shown), (0, 0), delay
    for page in pages:
        before = shown.copy()
        for patch in page.patches(last):
            part = Image.frombytes("P", (patch.width, patch.height), patch.pixels)
            shown.paste(part, (patch.left, patch.top))
        last = page
        changes = ImageChops.difference(_raw(before), _raw(shown))
        box = changes.getbbox()
        if box is None:
            wait += delay
            continue
        parts += _frame(waiting, corner, wait)
        waiting, corner, wait = _raw(shown.crop(box)), (box[0], box[1]), delay
        same = changes.crop(box).point([255] + [0] * 255)
        waiting.paste(_AS_BEFORE, (0, 0), same)
    parts += _frame(waiting, corner, wait - delay + _LAST)
    return Replay(b"".join([*parts, b";"]), *shown.size, len(views), scale)


def _frame(image: Image.Image, corner: tuple[int, int], wait: int) -> list[bytes]:
    return getdata(image, corner, duration=wait, transparency=_AS_BEFORE, disposal=1)


def _raw(frame: Image.Image) -> Image.Image:
    """The palette's indices as plain numbers, for comparing and pasting."""
    return Image.frombytes("L", frame.size, frame.tobytes())


def _pages(views: Sequence[BoardView], style: Style, scale: float) -> Iterator[Composition]:
    """Every view as a page of one layout."""
    last = views[-1]
    lines = max(rows_for_captions(view, style) for view in views)
    for view in (*(replace(view, to_move=None) for view in views[:-1]), last):
        yield compose(view, style, scale=scale, lines=lines)
