"""Power cuts: the disk as a cut may leave it, rebuilt from all writes and syncs of a process.

A process that plays is watched by ``strace``, with the PostgreSQL that it starts. At a cut the disk
holds all that was synced; of what was written since, each sector may be there or not, in any order.
Names (a new file, a rename) last once their folder is synced; of later changes to the names of a
folder the first few are there. PostgreSQL also counts on it that the name of a new file lasts once
the file is synced, as it does on ext4, XFS and Btrfs. A sync does not cover what was written while
it ran. So Pillai et al. test applications in "All File Systems Are Not Created Equal" (OSDI 2014).
The shared memory of SQLite's log (``-shm``) is never on the disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Generic, TypeVar

from sqlalchemy import select

from bot.domain.game_state import game_state_of
from bot.services.verification import verify_all
from bot.store import Store, open_store, upgrade_store
from bot.store.tables import events, metadata
from tests.support.databases import postgres_user
from tests.support.kit import ANN, BOB, CYD, Club
from tests.support.postgres_of_own import OwnPostgres

PROJECT = Path(__file__).parents[2]
SECTOR = 512
"""Bytes that a disk writes whole or not at all."""
_CALLS = (
    "openat,pwrite64,pwritev,pwritev2,write,writev,fsync,fdatasync,truncate,ftruncate,fallocate"
    ",mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,link,linkat,copy_file_range,sendfile"
)
_LINE = re.compile(r"(\d+) +(?:<\.\.\. )?(\w+)(?:\(| resumed>)(.*)")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"|<((?:\\x[0-9a-f]{2})+)>')
_RESULT = re.compile(r"\) += (-?\d+)")
_SYNCS = ("fsync", "fdatasync")
ACCEPTED, _BEGUN = "accepted", "begun"
_WRITING = ("write", "pwrite64", "pwritev")
_NAMING = ("rename", "unlink")
_ELSEWHERE = ("-shm", "/postmaster.pid", "/postmaster.opts", "/log")
"""Ends of the names of files that say nothing once the machine has started anew."""
_SMALL = ("shared_buffers=1MB", "max_wal_size=2MB", "bgwriter_delay=10ms")
"""PostgreSQL with so little room that it writes pages all the time and uses its log again."""
_CHECKPOINTS = 1.0
"""Seconds between two of PostgreSQL's checkpoints."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call:
    """A system call: its name, the files in it, what it wrote, its other words, and its thread."""

    name: str
    paths: tuple[Path, ...]
    data: bytes
    words: str
    thread: str

    @property
    def numbers(self) -> list[int]:
        """The numbers that it ends with."""
        return [int(each) for each in re.findall(r", (\d+)(?=, |$)", self.words[-80:])]


@dataclass(slots=True, eq=False)
class Synced(Generic[T]):
    """What a sync makes last, and the changes since."""

    since: list[T] = field(default_factory=list)
    lasting: int = 0
    """How many changes a sync has made last."""

    @property
    def changes(self) -> int:
        """How many there have been."""
        return self.lasting + len(self.since)

    def sync(self, up_to: int) -> None:
        """Have the first so many changes last."""
        done = max(0, up_to - self.lasting)
        for each in self.since[:done]:
            self._make(each)
        del self.since[:done]
        self.lasting += done

    def _make(self, change: T) -> None:
        raise NotImplementedError


@dataclass(slots=True, eq=False)
class File(Synced[tuple[int, bytes | None]]):
    """A file; its changes are offsets and bytes, None where it was cut to that length."""

    durable: bytearray = field(default_factory=bytearray)
    at: int = 0
    """Where the next ``write`` goes: there is one program at a time that uses it."""

    def _make(self, change: tuple[int, bytes | None]) -> None:
        offset, data = change
        if data is None:
            _cut(self.durable, offset)
        else:
            _put(self.durable, offset, data)

    def size(self) -> int:
        """Its size, as a program sees it."""
        size = len(self.durable)
        for offset, data in self.since:
            size = offset if data is None else max(size, offset + len(data))
        return size

    def left(self, random: Random, kept: float) -> bytes:
        """The bytes after a cut, if each sector written since had that chance to get there."""
        found = bytearray(self.durable)
        for offset, data in self.since:
            if data is None:
                if random.random() < kept:
                    _cut(found, offset)
                continue
            start = 0
            while start < len(data):
                end = min(len(data), start + SECTOR - (offset + start) % SECTOR)
                if random.random() < kept:
                    _put(found, offset + start, data[start:end])
                start = end
        return bytes(found)


@dataclass(slots=True, eq=False)
class Folder(Synced[tuple[Path, File | None]]):
    """The names in a folder; its changes are names that are given, or taken away (None)."""

    durable: dict[Path, File] = field(default_factory=dict)

    def _make(self, change: tuple[Path, File | None]) -> None:
        _name(self.durable, *change)

    def left(self, many: int) -> dict[Path, File]:
        """The files after so many changes."""
        names = dict(self.durable)
        for change in self.since[:many]:
            _name(names, *change)
        return names


class Disk:
    """The files of a folder, as the process sees them and as they last.

    What is in it at first lasts. ``with_file``: so does the name of a new file that is synced.
    """

    def __init__(self, folder: Path, *, with_file: bool) -> None:
        inner = [each for each in folder.rglob("*") if each.is_dir()]
        self.folders = {each: Folder() for each in (folder, *inner)}
        self.names: dict[Path, File] = {}
        for path, content in files_in(folder).items():
            self.names[path] = File(durable=bytearray(content))
            self.folders[path.parent].durable[path] = self.names[path]
        self._with_file = with_file
        self._begun: dict[str, int] = {}

    def take(self, call: Call) -> None:
        """Do what a system call did."""
        path, data = call.paths[0], call.data
        match call.name:
            case "openat":
                if "O_CREAT" in call.words and path not in self.names:
                    self._name(path, File())
                if path in self.names and "O_RDONLY" not in call.words:
                    file = self.names[path]
                    if "O_TRUNC" in call.words:
                        file.since.append((0, None))
                    file.at = file.size() if "O_APPEND" in call.words else 0
            case "pwrite64" | "pwritev":
                self.names[path].since.append((call.numbers[-1], data))
            case "write":
                self.names[path].since.append((self.names[path].at, data))
                self.names[path].at += len(data)
            case "truncate" | "ftruncate":
                self.names[path].since.append((call.numbers[-1], None))
            case "fallocate":
                _, offset, length = call.numbers
                file = self.names[path]
                size = file.size()
                assert offset >= size or offset + length <= size
                if offset >= size:
                    file.since.append((offset, bytes(length)))
            case "begun":
                self._begun[call.thread] = self._at(path).changes
            case "fsync" | "fdatasync":
                synced = self._at(path)
                synced.sync(self._begun.pop(call.thread, synced.changes))
                if self._with_file and isinstance(synced, File):
                    self._name_lasts(path, synced)
            case "rename":
                file = self.names[path]
                self._name(call.paths[1], file)
                self._name(path, None)
            case "unlink":
                self._name(path, None)
            case other:
                raise AssertionError(f"a cut of the power can't be told after {other}")

    def _at(self, path: Path) -> File | Folder:
        return self.folders[path] if path in self.folders else self.names[path]

    def _name_lasts(self, path: Path, file: File) -> None:
        folder = self.folders[path.parent]
        for number, change in enumerate(folder.since, folder.lasting + 1):
            if change == (path, file):
                folder.sync(number)
                return

    def _name(self, path: Path, file: File | None) -> None:
        self.folders[path.parent].since.append((path, file))
        _name(self.names, path, file)

    def left(self, random: Random) -> dict[Path, bytes]:
        """The files after a cut."""
        kept = random.choice((0.0, 0.5, 0.9, 1.0))
        return {
            path: file.left(random, kept)
            for folder in self.folders.values()
            for path, file in folder.left(random.randint(0, len(folder.since))).items()
        }

    def seen(self) -> dict[Path, bytes]:
        """The files as a program sees them."""
        return {path: file.left(Random(), 1.0) for path, file in self.names.items()}

    def put(self, files: Mapping[Path, bytes]) -> None:
        """Have nothing but these files in the folder, for the user who runs PostgreSQL."""
        shutil.rmtree(next(iter(self.folders)))
        for each in self.folders:
            each.mkdir(mode=0o700)
        for path, content in files.items():
            path.write_bytes(content)
        if user := postgres_user():
            for each in (*self.folders, *files):
                shutil.chown(each, user, user)


def files_in(folder: Path) -> dict[Path, bytes]:
    """The files of a folder and of all folders in it."""
    return {
        each: each.read_bytes()
        for each in folder.rglob("*")
        if each.is_file() and not is_elsewhere(each)
    }


def is_elsewhere(path: Path) -> bool:
    """Whether it does not count what is in that file."""
    return str(path).endswith(_ELSEWHERE)


def _name(names: dict[Path, File], path: Path, file: File | None) -> None:
    if file is None:
        names.pop(path, None)
    else:
        names[path] = file


def _put(content: bytearray, offset: int, data: bytes) -> None:
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(data)] = data


def _cut(content: bytearray, size: int) -> None:
    del content[size:]
    content.extend(bytes(size - len(content)))


def calls_in(log: Iterable[str], folder: Path) -> Iterator[Call]:
    """The calls of a log of ``strace -f -y -xx`` that succeeded, each once it was done.

    Names that are not whole are of PostgreSQL, which stands in its folder.
    """
    begun: dict[str, str] = {}
    for line in log:
        found = _LINE.match(line)
        if found is None:
            continue
        thread, name, rest = found.groups()
        is_begun = rest.endswith("<unfinished ...>")
        if is_begun:
            begun[thread] = rest.removesuffix(" <unfinished ...>")
            if name not in _SYNCS:
                continue
            name = _BEGUN
        elif " resumed>" in line:
            rest = begun.pop(thread, "") + rest
        result = _RESULT.search(rest)
        if not is_begun and (result is None or int(result[1]) < 0):
            continue
        texts = [bytes.fromhex((a or b).replace("\\x", "")) for a, b in _TEXT.findall(rest)]
        # Of what was opened, the number that is returned has the whole name.
        names = texts[-1:] if name == "openat" else texts if name in _NAMING else texts[:1]
        yield Call(
            name,
            tuple(folder / os.fsdecode(each) for each in names),
            b"".join(texts[1:])[: int(result[1])] if result and name in _WRITING else b"",
            rest[: result.start()] if result else "",
            thread,
        )


def record(folder: Path, moves: int, seed: int, *, postgres: bool) -> list[Call]:
    """The calls of a process that plays so many moves, on the files of ``folder``.

    One named :data:`ACCEPTED` tells of a move that was accepted.
    """
    log, acknowledged = folder.parent / "calls", folder.parent / "acknowledged"
    play = (sys.executable, "-m", "tests.store.power_cuts", str(folder), str(moves), str(seed))
    watch = ("strace", "-f", "-y", "-xx", "-s", "10000000", "-o", str(log), "-e", f"trace={_CALLS}")
    more = (str(acknowledged), *["postgres"][: int(postgres)])
    subprocess.run((*watch, "--seccomp-bpf", *play, *more), cwd=PROJECT, check=True)
    found = []
    with log.open() as lines:
        for call in calls_in(lines, folder):
            if call.paths == (acknowledged,) and call.name == "write":
                found.append(replace(call, name=ACCEPTED))
            elif call.paths and call.paths[0].is_relative_to(folder):
                found += [] if is_elsewhere(call.paths[0]) else [call]
    return found


async def make(folder: Path, *, postgres: bool) -> None:
    """Make the folder, and in it what is there before Parlour first starts."""
    if not postgres:
        folder.mkdir()
        return
    server = OwnPostgres(folder)
    await server.make()
    try:
        await server.start()
        role = "CREATE ROLE parlour LOGIN IN ROLE pg_checkpoint"
        await server.execute(role, "CREATE DATABASE parlour OWNER parlour")
    finally:
        await server.kill()


@contextlib.asynccontextmanager
async def served(folder: Path, *, postgres: bool) -> AsyncIterator[Store]:
    """The store whose files are in the folder."""
    if not postgres:
        async with await open_store(f"sqlite:///{folder}/parlour.db") as store:
            yield store
        return
    server = OwnPostgres(folder, _SMALL)
    try:
        await server.start()
        await upgrade_store(server.url())
        async with await open_store(server.url()) as store:
            yield store
    finally:
        await server.kill()


async def _play(store: Store, moves: int, seed: int, acknowledged: int) -> None:
    """Play, and write down each move once it is accepted."""
    random = Random(seed)
    club = Club(store, seed=seed)
    running = [await club.start(each, options={"size": 5}) for each in (BOB, CYD, BOB)]
    for _ in range(moves):
        place = random.randrange(len(running))
        match = await club.service.match(ANN, running[place])
        table = game_state_of(match)
        legal = [*table.game.legal_moves(table.position)]
        text = table.game.notation(table.position, random.choice(legal))
        match = await club.play(match.id, text)
        os.write(acknowledged, f"{match.id} {match.version} {match.head_hash}\n".encode())
        if match.result is not None:
            running[place] = await club.start(BOB, options={"size": 5})
        if random.random() < 0.5:
            await club.worker.drain()


async def check(store: Store, accepted: Iterable[str]) -> None:
    """A store is whole, and holds every move that was accepted."""
    assert (await verify_all(store)).problems == ()
    query = select(events.c.match_id, events.c.seq, events.c.hash)
    found = await store.database.read(lambda c: {tuple(row) for row in c.execute(query)})
    for each in metadata.sorted_tables:
        await store.read(lambda c, each=each: c.execute(select(each)).all())
    for line in accepted:
        match_id, seq, its_hash = line.split()
        assert (match_id, int(seq), its_hash) in found


async def _main(folder: str, moves: str, seed: str, told: str, *kind: str) -> None:
    acknowledged = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    async with served(Path(folder), postgres=bool(kind)) as store:
        playing = asyncio.create_task(_play(store, int(moves), int(seed), acknowledged))
        while not playing.done():
            await asyncio.wait({playing}, timeout=_CHECKPOINTS)
            if kind:
                await store.read(lambda c: c.exec_driver_sql("CHECKPOINT").close())
        await playing


if __name__ == "__main__":
    asyncio.run(_main(*sys.argv[1:]))
