"""Functions that are carried out in transactions of SQLite, past SQLAlchemy where that is slow."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

T = TypeVar("T")

BEGIN = "BEGIN IMMEDIATE"
"""Holds the write lock from the first moment of a transaction."""


def driver_of(connection: Connection) -> sqlite3.Connection:
    """SQLite's own connection."""
    return cast(sqlite3.Connection, connection.connection.dbapi_connection)


def execute(statement: str, driver: sqlite3.Connection) -> Any:
    """Have SQLite carry out a statement, past SQLAlchemy; the first row of what it answers.

    Also says where a transaction or a part of one begins or ends; the driver would wait with it.
    Errors are wrapped here as SQLAlchemy wraps all others.
    """
    try:
        return driver.execute(statement).fetchone()
    except sqlite3.Error as error:
        raise OperationalError(statement, None, error) from error


def in_transaction(connection: Connection, work: Callable[[Connection], T]) -> T:
    """Read in a transaction."""
    driver = driver_of(connection)
    execute("BEGIN", driver)
    try:
        return work(connection)
    finally:
        if driver.in_transaction:
            execute("COMMIT", driver)


@dataclass(slots=True)
class Job(Generic[T]):
    """A function to be run in a transaction, and who waits for its result."""

    work: Callable[[Connection], T]
    done: asyncio.Future[T]
    result: T | None = None
    error: BaseException | None = None

    def run(self, connection: Connection, driver: sqlite3.Connection, *, first: bool) -> bool:
        """Run it in the transaction of those before it, or begin one; whether one is open now.

        If it refuses, what it did is taken back and the others are left in peace. Raises what is
        the fault of the database.
        """
        execute(BEGIN if first else "SAVEPOINT job", driver)
        try:
            self.result = self.work(connection)
        except Exception as error:
            if isinstance(error, DBAPIError) and not isinstance(error, IntegrityError):
                raise
            self.error = error
            execute("ROLLBACK" if first else "ROLLBACK TO job", driver)
        if first:
            return self.error is None
        execute("RELEASE job", driver)
        return True

    def tell(self) -> None:
        """Say what came of it."""
        if self.done.done():
            return
        if self.error is None:
            self.done.set_result(cast(T, self.result))
        else:
            self.done.set_exception(self.error)


def tell(jobs: list[Job[Any]], trouble: BaseException | None) -> None:
    """Say to everybody what came of their job, or what kept all of them from being done."""
    for job in jobs:
        job.error = trouble or job.error
        job.tell()
