"""Boards drawn off the event loop, each once.

Pillow releases the interpreter's lock while it draws and compresses, so two threads are enough to
keep the loop free. Equal requests share one drawing, and finished ones are cached by size. If
drawing fails, there is no picture and the message has the text alone: a bug in a renderer must not
hold up a match.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from cachetools import LRUCache

from bot import failpoints
from bot.errors import UserError
from bot.logs import bug_id, logger
from games.view import BoardView
from renderers.graph import rating_graph
from renderers.picture import Picture
from renderers.replay import Replay, Views, replay
from renderers.style import Style


def give_way() -> None:
    """Keep the calling thread from interrupting others when it wakes; an initializer for pools.

    A thread that is handed work wakes up while the event loop is running, gets the processor, and
    has to wait for the interpreter's lock, which the event loop holds. On Linux a thread can
    decline the processor (``SCHED_BATCH``, man 7 sched), so that the loop runs on to its next wait.
    The price: where other processes want the processor too, the thread may hold that lock some
    milliseconds longer. Elsewhere nothing happens.
    """
    # Where it does not exist, or is not permitted, it works as well without.
    with contextlib.suppress(AttributeError, OSError):
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


_log = logger(__name__)


_FILMGOERS = 20
_FRAMES = 500
"""The most frames of a film: they take two seconds to draw, and three minutes to watch."""


T = TypeVar("T")


class _Key:
    """A view in a style.

    Its hash leaves out the cells, of which a board has many: views that differ only in them are
    rare, and comparing them is cheap, since they share equal cells.
    """

    __slots__ = ("_hash", "style", "view")

    def __init__(self, view: BoardView, style: Style) -> None:
        self.view = view
        self.style = style
        self._hash = hash((view.game, view.to_move, view.marks, view.colours, style))

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
    """Draws views in threads and caches them.

    ``limit`` and ``films`` bound the bytes of finished pictures and films, ``queue`` the number of
    waiting pictures: beyond that there is no picture, which leaves the text board.
    """

    def __init__(
        self,
        render: Callable[[BoardView, Style], Picture],
        *,
        threads: int = 2,
        limit: int = 8 << 20,
        films: int = 32 << 20,
        queue: int = 200,
    ) -> None:
        self._render = render
        self._pool = ThreadPoolExecutor(threads, "picture", initializer=give_way)
        self._queue = queue
        self._kept: LRUCache[_Key, Picture]
        self._kept = LRUCache(limit, getsizeof=lambda drawn: len(drawn.png))
        self._waiting: dict[_Key, list[asyncio.Future[Picture | None]]] = {}
        self._films: LRUCache[tuple[Hashable, Style, int], Replay]
        self._films = LRUCache(films, getsizeof=lambda film: len(film.gif))
        self._filming = asyncio.Lock()
        self._filmgoers = 0

    async def picture(self, view: BoardView, style: Style) -> Picture | None:
        """The picture, or None if it cannot be drawn now."""
        key = _Key(view, style)
        kept = self._kept.get(key)
        if kept is not None:
            return kept
        loop = asyncio.get_running_loop()
        waiting = self._waiting.get(key)
        if waiting is None:
            if len(self._waiting) >= self._queue:
                _log.warning("too many pictures at once", waiting=len(self._waiting))
                return None
            failpoints.hit("c6")
            self._pool.submit(self._draw, key, loop)
            waiting = self._waiting[key] = []
        mine: asyncio.Future[Picture | None] = loop.create_future()
        waiting.append(mine)
        return await mine

    def _draw(self, key: _Key, loop: asyncio.AbstractEventLoop) -> None:
        """Draw, in a thread, and hand the result to the event loop."""
        drawn = trouble = None
        try:
            drawn = self._render(key.view, key.style)
        except BaseException as error:  # noqa: BLE001, RUF100 - logged in _finished
            trouble = error
        with contextlib.suppress(RuntimeError):  # The loop is closed, so nothing waits.
            # The loop runs it once picture() waits, which has noted its waiter by then.
            loop.call_soon_threadsafe(self._finished, key, drawn, trouble)

    async def graph(
        self,
        title: str,
        points: Sequence[int],
        style: Style,
        *,
        start: int | None = None,
        of_moves: bool = False,
    ) -> Picture | None:
        """The graph of a rating, or None if it cannot be drawn now."""
        return await self.drawn(
            partial(rating_graph, title, points, style, start=start, of_moves=of_moves)
        )

    async def drawn(self, draw: Callable[[], Picture]) -> Picture | None:
        """The picture by a drawing function, called in a thread; None if it cannot be drawn now."""
        if len(self._waiting) >= self._queue:
            return None
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._pool, draw)
        except Exception as error:
            _log.error("a picture could not be drawn", bug=bug_id(), exc_info=error)
            return None

    async def film(
        self,
        key: Hashable,
        views: Views,
        style: Style,
        limit: int,
        run: Callable[[Callable[[], Replay]], Awaitable[Replay]],
    ) -> Replay | None:
        """A whole game as an animation of at most ``limit`` bytes, or None if there is none.

        ``key`` identifies the game up to a move; ``views`` are its views in order, of which only
        the shown ones are made. If there are too many, or the file gets too large even at half
        size, every second frame is left out, and so on, but never the last one. ``run`` calls a
        function in a thread, and its refusals are passed on. Films are made one at a time.
        """
        whole = (key, style, limit)
        if self._filmgoers >= _FILMGOERS:
            _log.warning("too many films at once", waiting=self._filmgoers)
            return None
        self._filmgoers += 1
        try:
            async with self._filming:
                kept = self._films.get(whole)
                if kept is None:
                    kept = await run(partial(_film, views, style, limit))
                    with contextlib.suppress(ValueError):  # larger than the whole cache
                        self._films[whole] = kept
                return kept
        except UserError:
            raise
        except ValueError as error:
            _log.warning("a film does not fit", limit=limit, error=str(error))
            return None
        except Exception as error:
            _log.error("a film could not be made", bug=bug_id(), exc_info=error)
            return None
        finally:
            self._filmgoers -= 1

    def _finished(self, key: _Key, drawn: Picture | None, trouble: BaseException | None) -> None:
        for each in self._waiting.pop(key):
            if not each.done():
                each.set_result(drawn)
        if drawn is None:
            _log.error("a picture could not be drawn", bug=bug_id(), exc_info=trouble)
            return
        with contextlib.suppress(ValueError):  # larger than the whole cache
            self._kept[key] = drawn

    def close(self) -> None:
        """Finish all drawings that run or wait, and refuse new ones."""
        self._pool.shutdown(wait=False)


def _film(views: Views, style: Style, limit: int) -> Replay:
    """The film with as many frames as fit; ValueError if not even two do."""
    shown = list(range(len(views)))
    while len(shown) > _FRAMES:
        shown = _every_second(shown)
    frames = [views[number] for number in shown]
    while True:
        try:
            return replay(frames, style, limit=limit)
        except ValueError:
            if len(frames) <= 2:
                raise
            frames = _every_second(frames)


def _every_second(frames: list[T]) -> list[T]:
    """Of three frames and more, the first, and every second counted from the last."""
    return [frames[0], *frames[::-2][-2::-1]]
