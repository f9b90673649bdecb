"""Boards drawn off the event loop, each once.

Pillow lets go of the interpreter's lock while it draws and compresses, so two threads are enough
to keep the loop free. Equal requests share one drawing, finished ones are kept by size. If drawing
fails, there is no picture and the message goes out with the words alone: a bug in a renderer must
not hold up a match.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from bot import failpoints
from bot.logs import bug_id, logger
from games.view import BoardView
from renderers.style import Style

__all__ = ["Drawn", "PictureMaker"]

_log = logger(__name__)


class Drawn(Protocol):
    """A finished picture: PNG bytes, and its words for those who do not see it."""

    @property
    def png(self) -> bytes:
        """The file."""

    @property
    def alt_text(self) -> str:
        """The position in words."""


class _Key:
    """A view in a style, whose hash is counted once: a view of a full board is long to hash."""

    __slots__ = ("_hash", "style", "view")

    def __init__(self, view: BoardView, style: Style) -> None:
        self.view = view
        self.style = style
        self._hash = hash((view, style))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Key)
            and self._hash == other._hash
            and self.style == other.style
            and self.view == other.view
        )


class PictureMaker:
    """Draw views in threads, keep what was drawn.

    ``limit`` bounds the bytes of finished pictures, ``queue`` how many may wait: beyond that there
    is no picture, which leaves the text board.
    """

    def __init__(
        self,
        render: Callable[[BoardView, Style], Drawn],
        *,
        threads: int = 2,
        limit: int = 32 << 20,
        queue: int = 200,
    ) -> None:
        self._render = render
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="picture")
        self._limit = limit
        self._queue = queue
        self._size = 0
        self._kept: OrderedDict[_Key, Drawn] = OrderedDict()
        self._running: dict[_Key, asyncio.Future[Drawn]] = {}

    async def picture(self, view: BoardView, style: Style) -> Drawn | None:
        """The picture, or None if it cannot be drawn now."""
        key = _Key(view, style)
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return kept
        running = self._running.get(key)
        if running is None:
            if len(self._running) >= self._queue:
                _log.warning("too many pictures at once", waiting=len(self._running))
                return None
            failpoints.hit("c6")
            loop = asyncio.get_running_loop()
            running = loop.run_in_executor(self._pool, self._render, view, style)
            self._running[key] = running
            running.add_done_callback(lambda done: self._finished(key, done))
        try:
            return await asyncio.shield(running)
        except Exception:  # noqa: BLE001, RUF100 - logged once in _finished
            return None

    def _finished(self, key: _Key, done: asyncio.Future[Drawn]) -> None:
        self._running.pop(key, None)
        if done.cancelled():
            return
        error = done.exception()
        if error is not None:
            _log.error("a picture could not be drawn", bug=bug_id(), exc_info=error)
            return
        drawn = done.result()
        self._kept[key] = drawn
        self._size += len(drawn.png)
        while self._size > self._limit and len(self._kept) > 1:
            _, dropped = self._kept.popitem(last=False)
            self._size -= len(dropped.png)

    def close(self) -> None:
        """Let running drawings finish and take no more."""
        self._pool.shutdown(wait=False, cancel_futures=True)
