"""Deciding again where another change was committed first."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from bot.store.errors import Conflict, StoreUnavailable

P = ParamSpec("P")
T = TypeVar("T")

_TRIES = 50


def retried(work: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """Do it from the start, once more each time that it raises :exc:`Conflict`.

    Raises :exc:`StoreUnavailable` (``contended``) where others get in first time and again.
    """

    @functools.wraps(work)
    async def tried(*args: P.args, **kwargs: P.kwargs) -> T:
        for _ in range(_TRIES):
            try:
                return await work(*args, **kwargs)
            except Conflict:
                continue
        raise StoreUnavailable("contended")

    return tried
