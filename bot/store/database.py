"""What the store needs of a database: a place where a function of a connection is a transaction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from sqlalchemy import Connection

T = TypeVar("T")


class Database(Protocol):
    """A place where a plain function of a connection runs as one transaction.

    Whoever awaits may be cancelled at any time; the transaction goes on to its end all the same.
    Raises :exc:`~bot.services.ports.StoreUnavailable` where the database cannot do it now.
    """

    @property
    def is_well(self) -> bool:
        """Whether the database did what it was asked last, and lets nobody wait for long."""
        ...

    async def look(self, work: Callable[[Connection], T]) -> T:
        """Run a transaction that reads a few rows by their keys and changes nothing."""
        ...

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a transaction that changes nothing, may take its time, and is of one moment."""
        ...

    async def read_afresh(self, work: Callable[[Connection], T]) -> T:
        """The same, of what the disk holds and not of what was read from it before."""
        ...

    async def write(self, work: Callable[[Connection], T], *, durable: bool = True) -> T:
        """Run a transaction that is the only one to write while it runs, or checks versions.

        One that is not ``durable`` may be lost in a power cut, together with those after it that
        are not either; a durable one makes all before it durable. It may also wait a moment, and
        share the fate of a durable one in whose company it is carried out, but for refusals.
        """
        ...

    async def scrub(self) -> None:
        """Leave nothing in the files of what has been erased, as far as that is up to us."""
        ...

    async def close(self) -> None:
        """Let running transactions end, then close every connection."""
        ...
