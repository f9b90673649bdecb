"""PostgreSQL servers that a test may kill, fill and replace, and an address that leads to them."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg

from bot.store import upgrade_store
from tests.support.databases import WATCH, postgres_program, postgres_user
from tests.support.made_play import free_port

_SMALL = ("max_connections=12", "max_wal_size=16MB", "min_wal_size=2MB", "shared_buffers=8MB")


@dataclass
class OwnPostgres:
    """A server in a folder, on a port of this machine."""

    folder: Path
    settings: tuple[str, ...] = ()
    port: int = field(default_factory=free_port)
    _process: subprocess.Popen[bytes] | None = None

    async def make(self) -> None:
        """Make its files, with segments of the log so small that they fit on a small disk."""
        await self._run("initdb", "-U", "postgres", "-A", "trust", "-N", "--wal-segsize=1")

    async def copy(self, source: OwnPostgres) -> None:
        """Make it a replica of another server."""
        here = ("-h", "127.0.0.1", "-p", str(source.port), "-U", "postgres")
        await self._run("pg_basebackup", *here, "-R", "-X", "stream", "-c", "fast")

    async def start(self, *, patience: float = 30) -> None:
        """Start it, and wait until it can be asked."""
        given = ("listen_addresses=127.0.0.1", "unix_socket_directories=", *_SMALL, *self.settings)
        options = [part for each in given for part in ("-c", each)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                (postgres_program("postgres"), "-D", self.folder, "-p", str(self.port), *options),
                stdout=subprocess.DEVNULL,
                stderr=log,
                user=postgres_user(),
                group=postgres_user(),
            )
        async with asyncio.timeout(patience):
            while True:
                assert self._process.poll() is None, (self.folder / "log").read_text()[-2000:]
                with contextlib.suppress(OSError, asyncpg.PostgresError):
                    await self.execute("SELECT 1")
                    return
                await asyncio.sleep(0.05)

    @property
    def pid(self) -> int | None:
        """The number of its first process."""
        return None if self._process is None else self._process.pid

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        return self._process is not None and self._process.poll() is None

    async def kill(self) -> None:
        """End it and all its connections at once, as a power cut would."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            await asyncio.to_thread(self._process.wait)

    async def execute(self, *statements: str) -> Any:
        """Run statements as its administrator; the first value that the last one finds."""
        connection = await self.connect()
        found = [await connection.fetchval(each, timeout=30) for each in statements]
        await connection.close()
        return found[-1]

    async def connect(self) -> asyncpg.Connection:
        """A connection of its administrator."""
        return await asyncpg.connect(f"postgresql://postgres@127.0.0.1:{self.port}/postgres")

    def url(self, port: int | None = None) -> str:
        """The address for a bot, whose user is no administrator."""
        return f"postgresql://parlour@127.0.0.1:{port or self.port}/parlour"

    async def prepare(self) -> None:
        """Make an empty database, with all tables, and a user who owns it."""
        await self.execute("CREATE ROLE parlour LOGIN", "CREATE DATABASE parlour OWNER parlour")
        await upgrade_store(self.url())

    async def _run(self, program: str, *arguments: str) -> None:
        command: tuple[str | Path, ...] = (postgres_program(program), "-D", self.folder, *arguments)
        by = postgres_user()
        await asyncio.to_thread(
            lambda: subprocess.run(command, check=True, capture_output=True, user=by, group=by)
        )


@contextlib.contextmanager
def place(folder: Path | None = None) -> Iterator[Path]:
    """A folder for the files of a server, which ends with the tests, however they end."""
    kept = folder or Path(tempfile.mkdtemp(prefix="parlour-own-postgres-"))
    user = postgres_user()
    if user is not None:
        shutil.chown(kept, user, user)
    files = kept / "files"
    watch = (sys.executable, "-c", WATCH, str(files))
    try:
        with subprocess.Popen(watch, stdin=subprocess.PIPE, start_new_session=True):
            yield files
    finally:
        if folder is None:
            shutil.rmtree(kept, ignore_errors=True)


@contextlib.asynccontextmanager
async def own_postgres(*settings: str, folder: Path | None = None) -> AsyncIterator[OwnPostgres]:
    """A running server with an empty database of Parlour's."""
    with place(folder) as files:
        server = OwnPostgres(files, settings)
        try:
            await server.make()
            await server.start()
            await server.prepare()
            yield server
        finally:
            await server.kill()


@dataclass
class Forward:
    """An address that leads to a server, and to another one once ``to`` is another.

    That is a port, a socket or None, where nobody answers.
    """

    to: int | Path | None
    delay: float = 0.0
    """Seconds after which each answer of the server arrives."""
    port: int = 0
    flows: asyncio.Event = field(default_factory=asyncio.Event)
    """Unset where connections stand and nothing comes through."""
    _writers: set[asyncio.StreamWriter] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.flows.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, here = await self._connected()
        except OSError:
            writer.close()
            return
        both = {writer, here}
        self._writers |= both
        with contextlib.suppress(OSError):
            await asyncio.gather(
                self._pass(reader, here, slow=False), self._pass(there, writer, slow=True)
            )
        self._writers -= both

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if isinstance(self.to, Path):
            return await asyncio.open_unix_connection(str(self.to))
        if self.to is None:
            raise ConnectionRefusedError
        return await asyncio.open_connection("127.0.0.1", self.to)

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, slow: bool
    ) -> None:
        with contextlib.suppress(OSError):
            while part := await reader.read(1 << 16):
                if slow and self.delay:
                    await asyncio.sleep(self.delay)
                await self.flows.wait()
                writer.write(part)
                await writer.drain()
        writer.close()

    def cut(self) -> None:
        """Break all connections that there are."""
        for each in self._writers:
            each.transport.abort()


@contextlib.asynccontextmanager
async def forward_to(server: int | Path) -> AsyncIterator[Forward]:
    """A :class:`Forward` at a port of its own."""
    made = Forward(server)
    listening = await asyncio.start_server(made._serve, "127.0.0.1", 0)
    made.port = listening.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        made.flows.set()
        listening.close()
        made.cut()
