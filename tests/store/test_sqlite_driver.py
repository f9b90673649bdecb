"""The private parts of aiosqlite that our driver of SQLite uses, and whether it is still worth it.

Where this fails after an upgrade of aiosqlite or SQLAlchemy, see :mod:`bot.store.sqlite`.
"""

from __future__ import annotations

import inspect
import sqlite3
import threading
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.store.sqlite import reader_engine, writer_engine


@pytest.fixture
def errands(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The tasks of the threads of connections."""
    asked: list[Any] = []
    kept = aiosqlite.Connection._execute

    async def counted(self: aiosqlite.Connection, work: Any, *given: Any, **more: Any) -> Any:
        asked.append(work)
        return await kept(self, work, *given, **more)  # type: ignore[no-untyped-call]

    monkeypatch.setattr(aiosqlite.Connection, "_execute", counted)
    return asked


async def _two_statements(engine: AsyncEngine, errands: list[Any]) -> int:
    """How often the thread is asked for a transaction of two statements."""

    def look(connection: Connection) -> None:
        for _ in range(2):
            assert connection.exec_driver_sql("SELECT 1").scalar() == 1

    try:
        async with engine.connect():
            pass  # the first connection is set up
        errands.clear()
        async with engine.begin() as connection:
            await connection.run_sync(look)
        return len(errands)
    finally:
        await engine.dispose()


async def test_its_private_names_mean_what_they_meant(tmp_path: Path) -> None:
    connection = aiosqlite.connect(tmp_path / "file.db")
    assert isinstance(connection._thread, threading.Thread)
    assert list(inspect.signature(connection._execute).parameters) == ["fn", "args", "kwargs"]
    async with connection:
        assert isinstance(connection._conn, sqlite3.Connection)
        done: Any = connection._execute(lambda said: said, "done")  # type: ignore[no-untyped-call]
        assert await done == "done"


async def test_a_statement_is_one_errand(tmp_path: Path, errands: list[Any]) -> None:
    file = tmp_path / "file.db"
    assert await _two_statements(writer_engine(file, may_make=True), errands) == 3
    assert await _two_statements(reader_engine(file), errands) == 3


async def test_the_library_alone_asks_twice_as_often(tmp_path: Path, errands: list[Any]) -> None:
    """Otherwise the library does it by itself, and the module can go."""
    engine = create_async_engine(f"sqlite+aiosqlite:///{tmp_path / 'file.db'}")
    assert await _two_statements(engine, errands) > 2 * 3
