"""A page of palette numbers as a PNG file, kept in bands of rows.

Theory
    Most of a picture's time would go into deflating it. A PNG file is one zlib stream, and such a
    stream may be cut: a band of rows deflated with a full flush at its end refers to nothing
    before it, so the bands of two pictures go together as they are, with an empty last block and
    the checksum of all rows (Adler-32, which can be computed from those of the parts) after them.
    A picture that differs from another in some bands deflates only those.

    Rows go out unfiltered: in a flat picture of palette numbers filters cost time and bytes. A
    zero before each row says so. It is kept at the end of the row before, as Pillow fills rows up;
    so the stream begins with one zero more, and its last band ends with one less.
"""

from __future__ import annotations

import struct
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from PIL import Image

try:
    from isal import isal_zlib as quick
except ImportError:  # no wheel for this machine: a little slower
    import zlib as quick  # type: ignore[no-redef]

__all__ = ["Bands", "Patch"]

_HIGH = 40
"""Rows of a band at most, but for those that must not be cut."""
_LARGE = 96 * 1024
"""Bytes of a page from which compressing better is worth four times the time."""
_ZERO = b"\0\1\0\xfe\xff\0"
"""A block that is not compressed, of one zero (RFC 1951)."""
_PRIME = 65521
"""The modulus of Adler-32 (RFC 1950)."""
_OVERHEAD = 500
"""Bytes that a band takes besides its rows."""


class Patch(NamedTuple):
    """Palette numbers (mode ``P``) for a part of a page, and where their corner goes."""

    image: Image.Image
    left: int
    top: int


class _Band(NamedTuple):
    """Some rows as an image, and deflated on their own; ``image`` is None to save memory.

    ``length`` is the number of bytes that were deflated, ``checksum`` theirs.
    """

    image: Image.Image | None
    deflated: bytes
    checksum: int
    length: int

    @classmethod
    def of(cls, image: Image.Image, *, last: bool) -> _Band:
        """The band of some rows."""
        rows = memoryview(image.tobytes("raw", "P", image.width + 1, 1))
        if last:
            rows = rows[:-1]
        deflater = quick.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS)
        deflated = deflater.compress(rows) + deflater.flush(zlib.Z_FULL_FLUSH)
        return cls(image, deflated, quick.adler32(rows), len(rows))

    def rows(self) -> bytes:
        """The rows as they go out."""
        return quick.decompressobj(-zlib.MAX_WBITS).decompress(self.deflated)

    def inflated(self, width: int) -> Image.Image:
        """The rows as an image, from memory or not."""
        if self.image is not None:
            return self.image
        pitch = width + 1
        rows = self.rows().ljust(ceil(self.length / pitch) * pitch, b"\0")
        return Image.frombytes("P", (width, len(rows) // pitch), rows, "raw", "P", pitch, 1)

    def weight(self) -> int:
        """Bytes that it takes, nearly."""
        return len(self.deflated) + _OVERHEAD + (self.length if self.image is not None else 0)


@dataclass(frozen=True, slots=True)
class Bands:
    """A page: its width and height in pixels, its palette as bytes, its rows."""

    width: int
    height: int
    palette: bytes
    _cuts: tuple[int, ...]
    _bands: tuple[_Band, ...]

    @classmethod
    def of(cls, image: Image.Image, whole: Iterable[tuple[int, int]]) -> Bands:
        """An image of palette numbers (mode ``P``).

        ``whole`` has the tops and bottoms of parts that change as a whole.
        """
        width, height = image.size
        cuts = tuple(_cuts(height, whole))
        bands = (
            _Band.of(image.crop((0, top, width, end)), last=end == height)
            for top, end in pairwise(cuts)
        )
        return cls(width, height, bytes(image.getpalette("RGB") or ()), cuts, tuple(bands))

    def pasted(self, patches: Iterable[Patch]) -> Bands:
        """The page with some parts of it replaced, all else shared."""
        cuts = self._cuts
        changed: dict[int, Image.Image] = {}
        for image, left, top in patches:
            bottom = top + image.height
            for index in range(bisect_right(cuts, top) - 1, bisect_left(cuts, bottom)):
                if index not in changed:
                    changed[index] = self._bands[index].inflated(self.width).copy()
                changed[index].paste(image, (left, top - cuts[index]))
        bands = list(self._bands)
        for index, rows in changed.items():
            bands[index] = _Band.of(rows, last=index == len(bands) - 1)
        return replace(self, _bands=tuple(bands))

    def packed(self) -> Bands:
        """The same page in a tenth of the memory, a little slower to paste onto."""
        return replace(self, _bands=tuple(band._replace(image=None) for band in self._bands))

    def weight(self) -> int:
        """Bytes that it takes, nearly."""
        return sum(band.weight() for band in self._bands)

    def png(self) -> bytes:
        """The page as a PNG file."""
        deflated = (band.deflated for band in self._bands)
        stream = b"".join((b"\x78\x01", _ZERO, *deflated, b"\x03\0", _checksum(self._bands)))
        if len(stream) > _LARGE:
            stream = zlib.compress(b"\0" + b"".join(band.rows() for band in self._bands), 6)
        size = struct.pack(">IIBBBBB", self.width, self.height, 8, 3, 0, 0, 0)
        return b"".join(
            (
                b"\x89PNG\r\n\x1a\n",
                *_chunk(b"IHDR", size),
                *_chunk(b"PLTE", self.palette),
                *_chunk(b"IDAT", stream),
                *_chunk(b"IEND", b""),
            )
        )


def _cuts(height: int, whole: Iterable[tuple[int, int]]) -> Iterator[int]:
    """Where to cut a page of that height: around parts that change as a whole, else evenly."""
    kept = sorted(set(whole))
    for top, end in pairwise(sorted({0, height, *(row for part in kept for row in part)})):
        parts = 1 if (top, end) in kept else ceil((end - top) / _HIGH)
        yield from (top + (end - top) * part // parts for part in range(parts))
    yield height


def _checksum(bands: Sequence[_Band]) -> bytes:
    """The checksum of a zero and all rows from those of the bands.

    Adler-32 is two sums modulo a prime: 1 plus all bytes, and the sum of the first one after each.
    """
    low, high = 1, 1
    for one in bands:
        first, second = one.checksum & 0xFFFF, one.checksum >> 16
        high = (high + second + one.length * (low - 1)) % _PRIME
        low = (low + first - 1) % _PRIME
    return struct.pack(">HH", high, low)


def _chunk(kind: bytes, data: bytes) -> tuple[bytes, ...]:
    check = quick.crc32(data, quick.crc32(kind))
    return struct.pack(">I", len(data)), kind, data, struct.pack(">I", check)
