"""The base of the state machines of matches: a host whose process can be restarted."""

from __future__ import annotations

import dataclasses
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from hypothesis.stateful import RuleBasedStateMachine

from bot.domain.events import Event
from bot.domain.ids import MatchId
from bot.domain.match import Match, Scope
from bot.store import Store, open_store, transactions
from tests.support.databases import lay_sqlite
from tests.support.kit import GUILD, Club, HandClock
from tests.support.loop import new_event_loop
from tests.support.not_none import not_none

T = TypeVar("T")
EXAMPLES = int(os.environ.get("PARLOUR_EXAMPLES", "8"))


class HostMachine(RuleBasedStateMachine):
    """A host with one match: its files are in ``place``, its process the one of ``starts``."""

    match_id: MatchId | None = None

    @property
    def id(self) -> MatchId:
        """The id of the match, once there is one."""
        return not_none(self.match_id)

    club: Club
    store: Store

    def __init__(self) -> None:
        super().__init__()
        self.loop = new_event_loop()
        self.folder = Path(tempfile.mkdtemp(prefix="parlour-machine-"))
        self.place = self.folder / "1"
        lay_sqlite(self.place / "parlour.db")
        self.clock = HandClock()
        self.starts = 0
        self.open()

    def open(self) -> None:
        """Begin a process on the files that are there; Discord is the same as before."""
        self.starts += 1
        before: Any = self.club.discord if self.starts > 1 else None
        file = self.place / "parlour.db"
        self.store = self.run(open_store(f"sqlite:///{file}"))
        self._watch = sqlite3.connect(file)
        self._read: dict[str, Any] = {}
        self._read_at = -1
        self.club = Club(self.store, self.clock, seed=self.starts)
        if before is not None:
            self.club.discord = self.club.notices.messenger = before
            for handler in self.club.handlers:
                handler.messenger = before

    def close(self) -> None:
        """End the process in order."""
        self.run(self.club.worker.stop())
        self._watch.close()
        self.run(self.store.close())

    def run(self, question: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(question)

    def teardown(self) -> None:
        self.run(self.club.worker.drain())
        self.close()
        self.loop.close()
        shutil.rmtree(self.folder)

    def as_stored(self, name: str, read: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The store's answer to a question; asked once until the next write."""
        (written,) = self._watch.execute("PRAGMA data_version").fetchone()
        if written != self._read_at:
            self._read, self._read_at = {}, written
        if name not in self._read:
            self._read[name] = self.run(read())
        found: T = self._read[name]
        return found

    def match(self) -> Match:
        """The match as it is, but for where it is shown, which the outbox finds out by and by."""
        found = self.as_stored("match", lambda: self.store.read(transactions.match, self.id))
        return dataclasses.replace(not_none(found), home_id=None)

    def events(self) -> tuple[Event, ...]:
        return self.as_stored(
            "events", lambda: self.store.read(transactions.history, self.id, Scope(GUILD))
        )
