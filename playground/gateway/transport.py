"""Transport compression: none, zlib-stream, zstd-stream."""

from __future__ import annotations

import contextlib
import importlib
import zlib
from typing import Any, Protocol


class Packer(Protocol):
    """Makes a message ready for the wire: text, or bytes of one long compressed stream."""

    def pack(self, text: str) -> str | bytes:
        """The frame for ``text``."""
        ...


class Plain:
    """No compression."""

    def pack(self, text: str) -> str | bytes:
        """The text itself."""
        return text


class ZlibStream:
    """One zlib context for the connection, flushed after every message."""

    def __init__(self) -> None:
        self._context = zlib.compressobj()

    def pack(self, text: str) -> str | bytes:
        """The next piece of the stream."""
        return self._context.compress(text.encode()) + self._context.flush(zlib.Z_SYNC_FLUSH)


class ZstdStream:
    """One zstd context for the connection, a block flushed after every message."""

    def __init__(self, context: Any, flush_block: Any) -> None:
        self._context = context
        self._flush_block = flush_block

    def pack(self, text: str) -> str | bytes:
        """The next piece of the stream."""
        data: bytes = self._context.compress(text.encode())
        rest: bytes = self._context.flush(self._flush_block)
        return data + rest


def packer(name: str | None) -> Packer | None:
    """The packer that a client requests by ``?compress=``; None if it is not available."""
    if name is None:
        return Plain()
    if name == "zlib-stream":
        return ZlibStream()
    if name == "zstd-stream":
        return _zstd()
    return None


def _zstd() -> Packer | None:
    # Part of Python from 3.14 on; before that from one of two packages, if one is there.
    for name in ("compression.zstd", "backports.zstd"):
        with contextlib.suppress(ImportError):
            module = importlib.import_module(name)
            return ZstdStream(module.ZstdCompressor(), module.ZstdCompressor.FLUSH_BLOCK)
    with contextlib.suppress(ImportError):
        module = importlib.import_module("zstandard")
        return ZstdStream(module.ZstdCompressor().compressobj(), module.COMPRESSOBJ_FLUSH_BLOCK)
    return None
