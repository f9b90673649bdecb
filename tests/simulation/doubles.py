"""Doubles for parts of the bot and of Discord in the simulated days."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.media.pictures import PictureMaker
from games.view import BoardView
from renderers import Picture, Style
from tests.support.kit import HandClock

_PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


_DOT = Picture(_PIXEL, "A dot", 1, 1)


class Dots(PictureMaker):
    """In place of drawings, which would take most of the time and have nothing to do with it."""

    def __init__(self) -> None:
        super().__init__(lambda view, style: _DOT)

    async def picture(self, view: BoardView, style: Style) -> Picture:
        return _DOT

    async def drawn(self, draw: Callable[[], Picture]) -> Picture:
        return _DOT

    async def film(self, *about: Any, **more: Any) -> None:
        return None


class Seconds:
    """The same virtual time as Discord reads it."""

    def __init__(self, clock: HandClock) -> None:
        self._clock = clock

    def now(self) -> float:
        return self._clock.at.timestamp()


class Mortal:
    """A store in which the next write of a tournament is the last thing its process does."""

    def __init__(self, store: Any, last: Callable[..., Any], *, after: bool) -> None:
        self._store = store
        self.write_proved = last(store.write_proved, after=after)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)
