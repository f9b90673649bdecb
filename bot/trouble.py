"""Reporting lasting failures in the log without flooding it.

A task that is tried every second and fails for an hour is one line when that begins, one every ten
minutes while it lasts, and one when it is over.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from cachetools import FIFOCache

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

EVERY = 600.0
"""Seconds between two lines while it lasts."""
SURE = 5.0
"""Seconds without a failure after which it counts as over: a recurring failure is one trouble."""
_MOST_REASONS = 20


class Trouble:
    """A failure that may last for a while, as ``what`` says: "the database cannot be used".

    It may be tried in several ways, and is over when each way that has failed works again. It can
    be used from any thread.
    """

    def __init__(
        self,
        log: FilteringBoundLogger,
        what: str,
        *,
        level: int = logging.ERROR,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._log = log
        self._what = what
        self._level = level
        self._seconds = seconds
        self._lock = threading.Lock()
        self._failing: set[str] = set()
        self._reasons: set[str] = set()
        self._failures = 0
        self._began = self._told = self._last = 0.0

    @property
    def is_on(self) -> bool:
        """Whether the last attempt failed."""
        return bool(self._failing)

    def met(self, why: str, *, way: str = "", error: BaseException | None = None) -> None:
        """Note a failure; with an ``error``, which is a bug, its traceback is logged as well."""
        with self._lock:
            now = self._last = self._seconds()
            self._failing.add(way)
            self._failures += 1
            if self._failures == 1:
                self._began = self._told = now
                said = f"{self._what}: {why}"
            elif now - self._told >= EVERY:
                self._told = now
                lasting = round(now - self._began)
                said = f"{self._what} for {lasting} s, after {self._failures} attempts: {why}"
            elif why not in self._reasons and len(self._reasons) < _MOST_REASONS:
                said = f"{self._what}, for another reason now: {why}"
            else:
                return
            self._reasons.add(why)
        level = self._level if error is None else logging.ERROR
        self._log.log(level, said, exc_info=error)

    def passed(self, *, way: str = "") -> None:
        """Note a success."""
        if not self._failures:
            return
        with self._lock:
            self._failing.discard(way)
            now = self._seconds()
            if self._failing or not self._failures or now - self._last < SURE:
                return
            lasted, failures = round(now - self._began), self._failures
            self._failures = 0
            self._reasons.clear()
        self._log.warning(f"over, after {lasted} s and {failures} failed attempts: {self._what}")

    @contextlib.contextmanager
    def guard(self, *known: type[Exception]) -> Iterator[None]:
        """Go on after any exception inside; errors in ``known`` are reported elsewhere."""
        try:
            yield
        except known:
            return
        except Exception as error:
            self.met(type(error).__name__, error=error)
        else:
            self.passed()


class Troubles:
    """One :class:`Trouble` for each of many things; the oldest are forgotten first."""

    def __init__(
        self, log: FilteringBoundLogger, *, level: int = logging.ERROR, most: int = 1000
    ) -> None:
        self._log = log
        self._level = level
        self._each: FIFOCache[str, Trouble] = FIFOCache(most)

    def of(self, what: str) -> Trouble:
        """The trouble with this description."""
        found = self._each.get(what)
        if found is None:
            found = self._each[what] = Trouble(self._log, what, level=self._level)
        return found
