"""The private parts of aiosqlite that :mod:`bot.store.sqlite` uses."""

from __future__ import annotations

import inspect
import sqlite3
import threading
from pathlib import Path
from typing import Any

import aiosqlite


async def test_its_private_names_mean_what_they_meant(tmp_path: Path) -> None:
    connection = aiosqlite.connect(tmp_path / "file.db")
    assert isinstance(connection._thread, threading.Thread)
    assert connection._connection is None
    assert list(inspect.signature(connection._execute).parameters) == ["fn", "args", "kwargs"]
    async with connection:
        assert isinstance(connection._connection, sqlite3.Connection)
        done: Any = connection._execute(lambda said: said, "done")
        assert await done == "done"
    assert connection._connection is None
