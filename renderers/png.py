"""A palette image as a PNG file, put together from bands of rows.

Theory
    Most of a picture's time would go into deflating it. A PNG file is one zlib stream, and such a
    stream may be cut: a band of rows deflated with a full flush at its end refers to nothing
    before it, so the bands of two pictures go together as they are, with an empty last block and
    the checksum of all rows (Adler-32, which can be computed from those of the parts) after them.
    A picture that differs from another in some bands deflates only those.

    Rows go out unfiltered: in a flat picture of palette indices filters cost time and bytes.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from PIL import Image

try:
    from isal import isal_zlib as quick
except ImportError:  # no wheel for this machine: a little slower
    import zlib as quick  # type: ignore[no-redef]

__all__ = ["Band", "band", "png"]

_LARGE = 96 * 1024
"""Bytes of a page from which compressing better is worth four times the time."""
_PRIME = 65521
"""The modulus of Adler-32 (RFC 1950)."""


@dataclass(frozen=True, slots=True)
class Band:
    """Some rows: deflated on their own, their checksum and their number of bytes."""

    deflated: bytes
    checksum: int
    length: int


def band(image: Image.Image, top: int, bottom: int) -> Band:
    """The rows of an image (mode ``L``) from ``top`` on, up to but without ``bottom``."""
    rows = _rows(image.crop((0, top, image.width, bottom)))
    deflater = quick.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS)
    deflated = deflater.compress(rows) + deflater.flush(zlib.Z_FULL_FLUSH)
    return Band(deflated, quick.adler32(rows), len(rows))


def png(image: Image.Image, colours: bytes, bands: Iterable[Band]) -> bytes:
    """An image of palette numbers as a file, ``colours`` the palette, ``bands`` all the rows."""
    bands = list(bands)
    stream = b"".join((b"\x78\x01", *(one.deflated for one in bands), b"\x03\0", _checksum(bands)))
    if len(stream) > _LARGE:
        stream = zlib.compress(_rows(image), 6)
    width, height = image.size
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", colours),
            _chunk(b"IDAT", stream),
            _chunk(b"IEND", b""),
        )
    )


def _rows(image: Image.Image) -> bytes:
    """The rows of an image, each after a zero that stands for its filter: none.

    Pillow fills rows up with zeros to the length asked for; here each one's belongs to the next.
    """
    return b"\0" + image.tobytes("raw", "L", image.width + 1, 1)[:-1]


def _checksum(bands: list[Band]) -> bytes:
    """The checksum of all rows from those of the bands.

    Adler-32 is two sums modulo a prime: 1 plus all bytes, and the sum of the first one after each.
    """
    low, high = 1, 0
    for one in bands:
        first, second = one.checksum & 0xFFFF, one.checksum >> 16
        high = (high + second + one.length * (low - 1)) % _PRIME
        low = (low + first - 1) % _PRIME
    return struct.pack(">HH", high, low)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
