"""A whole game as pictures to step through: the position at the start, and each move's changes.

Theory
    A page that shows any position of a game needs no picture of each. The first one is drawn whole;
    every later one has *layers*, which make it when laid over all earlier ones. A layer is the
    smallest box around the changes, transparent where there are none. It is as large as a cell or
    two, so a game takes about as many bytes as four still pictures, and many layers are equal: a
    cell that is empty again looks like every other. Lossless WebP, since a palette would take more
    bytes than the pixels that need it.

    A browser scales the layers, and at the edge of a transparent part blends them with the pixels
    below. So two more pixels around each change are included, which are equal in both.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from PIL import Image, ImageChops, ImageFilter

from games.view import BoardView
from renderers.incremental.composition import Composition
from renderers.incremental.images import Box
from renderers.incremental.png import Patch
from renderers.picture import compose, rows_for_captions
from renderers.style import Style
from renderers.words import alt_text

SCALE = 0.6
"""The size relative to a full one: 600 pixels across, which is sharp on a phone."""
_AROUND = 2
"""Pixels around each changed one."""


@dataclass(frozen=True, slots=True)
class PictureLayer:
    """A lossless WebP file and its box on the page, in pixels from the upper left corner."""

    webp: bytes
    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Steps:
    """Layers that make the first position, then those of each further one.

    ``alt_texts`` has each position in words, one more than there are ``changes``; ``width`` and
    ``height`` are those of the page in pixels.
    """

    width: int
    height: int
    first: tuple[PictureLayer, ...]
    changes: tuple[tuple[PictureLayer, ...], ...]
    alt_texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Base:
    page: Composition
    shown: Image.Image
    layer: PictureLayer


@dataclass(frozen=True, slots=True)
class SharedLayers:
    """Layers that the games of one document share.

    Each is encoded once; and games begin alike, so that the first position of a later one has only
    the changes to a whole picture of an earlier one: the names of its players, for example.
    """

    files: dict[bytes, bytes] = field(default_factory=dict)
    """By a digest of the pixels."""
    bases: dict[tuple[int, int], _Base] = field(default_factory=dict)
    """Whole pictures by their size."""


def steps(views: Sequence[BoardView], style: Style, shared: SharedLayers | None = None) -> Steps:
    """All positions of a game in order, each view with the marks of the move that led to it.

    No player is shown on turn, so that little changes. ``shared`` is of the document that the game
    is for. :exc:`ValueError` if there are no views.
    """
    if not views:
        raise ValueError("a game has at least one position")
    shared = shared or SharedLayers()
    lines = max(rows_for_captions(view, style) for view in views)
    pages = (
        compose(replace(view, to_move=None), style, scale=SCALE, lines=lines) for view in views
    )
    last = next(pages)
    shown = last.reduced()
    base = shared.bases.get(shown.size)
    if base is None:
        whole = PictureLayer(_webp(shown.convert("RGB")), 0, 0, *shown.size)
        base = shared.bases[shown.size] = _Base(last, shown.copy(), whole)
    boxes = [_box(patch) for patch in last.patches(base.page)]
    first = (base.layer, *_layers(base.shown, shown, boxes, shared.files))
    changes = []
    for page in pages:
        before = shown.copy()
        boxes = []
        for patch in page.patches(last):
            part = Image.frombytes("P", (patch.width, patch.height), patch.pixels)
            shown.paste(part, (patch.left, patch.top))
            boxes.append(_box(patch))
        changes.append(tuple(_layers(before, shown, boxes, shared.files)))
        last = page
    alt_texts = tuple(alt_text(view, style) for view in views)
    return Steps(*shown.size, first, tuple(changes), alt_texts)


def _box(patch: Patch) -> Box:
    return patch.left, patch.top, patch.left + patch.width, patch.top + patch.height


def _layers(
    before: Image.Image,
    shown: Image.Image,
    boxes: Iterable[Box],
    files: dict[bytes, bytes],
) -> Iterator[PictureLayer]:
    """The changes of a page, in some boxes of it."""
    for box in boxes:
        tight = ImageChops.difference(_raw(before.crop(box)), _raw(shown.crop(box))).getbbox()
        if tight is None:
            continue
        left, top = (max(0, box[side] + tight[side] - _AROUND) for side in (0, 1))
        right = min(shown.width, box[0] + tight[2] + _AROUND)
        bottom = min(shown.height, box[1] + tight[3] + _AROUND)
        old, new = (each.crop((left, top, right, bottom)) for each in (before, shown))
        mask = _opaque(ImageChops.difference(_raw(old), _raw(new)))
        layer = Image.new("RGBA", new.size)
        layer.paste(new.convert("RGB"), (0, 0), _wider(mask))
        pixels = hashlib.sha256(b"%d %b" % (layer.width, layer.tobytes())).digest()
        if pixels not in files:
            files[pixels] = _webp(layer)
        yield PictureLayer(files[pixels], left, top, *layer.size)


def _wider(mask: Image.Image) -> Image.Image:
    """The mask and ``_AROUND`` more on each side; a tenth of the time of a maximum filter."""
    return _opaque(mask.filter(ImageFilter.BoxBlur(_AROUND)))


def _opaque(mask: Image.Image) -> Image.Image:
    """The mask with 255 wherever it is not 0, without the table of 256 values of ``point``."""
    return ImageChops.add(mask, mask, scale=1 / 255)


def _raw(image: Image.Image) -> Image.Image:
    """Palette numbers as plain ones, for comparing."""
    return Image.frombytes("L", image.size, image.tobytes())


def _webp(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "WEBP", lossless=True, quality=75, method=3)
    return file.getvalue()
