"""Pages of palette numbers as PNG files, stored in bands of rows.

Theory
    Most of a picture's time would go into deflating it. A PNG file is one zlib stream, and such a
    stream may be cut: a band of rows deflated with a full flush at its end refers to nothing before
    it, so the bands of two pictures go together as they are, with an empty last block and the
    checksum of all rows (Adler-32, which can be computed from those of the parts) after them. The
    file may have the stream in any number of chunks, so a band is kept as a chunk of its own. A
    picture that differs from another in some bands deflates only those.

    Rows go out unfiltered: in a flat picture of palette numbers filters cost time and bytes. A zero
    before each row says so.
"""

from __future__ import annotations

import struct
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from PIL import Image

try:
    from isal import isal_zlib as quick
except ImportError:  # no wheel for this machine: a little slower
    import zlib as quick  # type: ignore[no-redef]


_HIGH = 40
"""The most rows of a band."""
_LARGE = 96 * 1024
"""The size of a page in bytes from which better compression is worth four times the time."""
_PRIME = 65521
"""The modulus of Adler-32 (RFC 1950)."""
_OVERHEAD = 500
"""Bytes of a band besides its rows."""


class Patch(NamedTuple):
    """Palette numbers for a part of a page, row by row, and the place of their corner.

    ``width`` and ``height`` are those of the part, in pixels.
    """

    pixels: bytes
    width: int
    height: int
    left: int
    top: int

    @classmethod
    def of(cls, image: Image.Image) -> Patch:
        """An image of palette numbers (mode ``P``), for the corner of a page."""
        return cls(image.tobytes(), *image.size, 0, 0)


class _Band(NamedTuple):
    """Some rows, and the chunk of a file with them deflated; ``rows`` is None to save memory.

    ``length`` and ``checksum`` are those of the bytes before deflating.
    """

    rows: bytes | memoryview | None
    chunk: bytes
    checksum: int
    length: int

    @classmethod
    def of(cls, rows: bytes | memoryview) -> _Band:
        """The band of some rows of the file."""
        deflater = quick.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS)
        deflated = deflater.compress(rows) + deflater.flush(zlib.Z_FULL_FLUSH)
        return cls(rows, _chunk(b"IDAT", deflated), quick.adler32(rows), len(rows))

    def inflated(self) -> bytes | memoryview:
        """The rows, from memory or not."""
        if self.rows is not None:
            return self.rows
        return quick.decompressobj(-zlib.MAX_WBITS).decompress(memoryview(self.chunk)[8:-4])

    def weight(self) -> int:
        """Its approximate bytes."""
        return len(self.chunk) + _OVERHEAD + (self.length if self.rows is not None else 0)


@dataclass(frozen=True, slots=True)
class Bands:
    """Rows of a page: its width in pixels, its palette as bytes.

    ``_cuts`` are the first rows of the bands, and the end of the last one. ``weight`` are the
    approximate bytes of the bands.
    """

    width: int
    palette: bytes
    _cuts: tuple[int, ...]
    bands: tuple[_Band, ...]
    weight: int

    @classmethod
    def of(cls, image: Image.Image) -> Bands:
        """An image of palette numbers (mode ``P``)."""
        width, height = image.size
        parts = ceil(height / _HIGH)
        cuts = tuple(height * part // parts for part in range(parts + 1))
        # Pillow fills rows up at their ends: with the zero before the next one.
        pitch = width + 1
        data = b"\0" + image.tobytes("raw", "P", pitch, 1)[:-1]
        bands = tuple(_Band.of(data[top * pitch : end * pitch]) for top, end in pairwise(cuts))
        palette = bytes(image.getpalette("RGB") or ())
        return cls(width, palette, cuts, bands, sum(band.weight() for band in bands))

    @property
    def height(self) -> int:
        """The number of rows."""
        return self._cuts[-1]

    def pasted(self, patches: Iterable[Patch]) -> Bands:
        """The rows with some parts replaced, the rest shared."""
        cuts, pitch = self._cuts, self.width + 1
        changed: dict[int, memoryview] = {}
        for data, width, height, left, top in patches:
            bottom = top + height
            for index in range(bisect_right(cuts, top) - 1, bisect_left(cuts, bottom)):
                rows = changed.get(index)
                if rows is None:
                    rows = memoryview(bytearray(self.bands[index].inflated()))
                    changed[index] = rows
                first, end = max(top, cuts[index]), min(bottom, cuts[index + 1])
                at = (first - cuts[index]) * pitch + 1 + left
                for start in range((first - top) * width, (end - top) * width, width):
                    rows[at : at + width] = data[start : start + width]
                    at += pitch
        bands, weight = list(self.bands), self.weight
        for index, rows in changed.items():
            band = _Band.of(rows)
            weight += band.weight() - bands[index].weight()
            bands[index] = band
        return Bands(self.width, self.palette, cuts, tuple(bands), weight)

    def packed(self) -> Bands:
        """The same rows in a tenth of the memory, a little slower to paste onto."""
        if all(band.rows is None for band in self.bands):
            return self
        bands = tuple(band._replace(rows=None) for band in self.bands)
        return replace(self, bands=bands, weight=sum(band.weight() for band in bands))


def png(parts: Sequence[Bands]) -> bytes:
    """A page as a PNG file, from its parts from top to bottom."""
    bands = [band for part in parts for band in part.bands]
    chunks = [_FIRST, *[band.chunk for band in bands], _last(bands)]
    if sum(map(len, chunks)) > _LARGE:
        whole = b"".join(band.inflated() for band in bands)
        chunks = [_chunk(b"IDAT", zlib.compress(whole, 6))]
    height = sum(part.height for part in parts)
    return b"".join((_head(parts[0].width, height, parts[0].palette), *chunks, _END))


@lru_cache(maxsize=64)
def _head(width: int, height: int, palette: bytes) -> bytes:
    """The part of the file before the pixels."""
    size = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    return b"".join((b"\x89PNG\r\n\x1a\n", _chunk(b"IHDR", size), _chunk(b"PLTE", palette)))


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = quick.crc32(data, quick.crc32(kind))
    return b"".join((struct.pack(">I", len(data)), kind, data, struct.pack(">I", check)))


_FIRST = _chunk(b"IDAT", b"\x78\x01")
"""The header of the stream."""
_END = _chunk(b"IEND", b"")


def _last(bands: Sequence[_Band]) -> bytes:
    """The end of the stream: an empty last block, and the checksum of all rows.

    Adler-32 is two sums modulo a prime: 1 plus all bytes, and the total of the first sum's values.
    """
    low, high = 1, 0
    for one in bands:
        first, second = one.checksum & 0xFFFF, one.checksum >> 16
        high = (high + second + one.length * (low - 1)) % _PRIME
        low = (low + first - 1) % _PRIME
    return _chunk(b"IDAT", b"\x03\0" + struct.pack(">HH", high, low))
