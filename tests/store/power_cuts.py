"""Power cuts: the disk as a cut may leave it, rebuilt from all writes and syncs of a process.

A process that plays is watched by ``strace``. At a cut the disk holds all that was synced; of
what was written since, each sector may be there or not, in any order. Names (a new file, a rename)
last once their folder is synced; of later changes to names the first few are there. So Pillai et
al. test applications in "All File Systems Are Not Created Equal" (OSDI 2014). The shared memory of
SQLite's log (``-shm``) is never on the disk.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from sqlalchemy import select

from bot.domain.game_state import game_state_of
from bot.services.verification import verify_all
from bot.store import open_store
from bot.store.tables import events
from tests.support.kit import ANN, BOB, CYD, Club

PROJECT = Path(__file__).parents[2]
SECTOR = 512
"""Bytes that a disk writes whole or not at all."""
_CALLS = (
    "openat,pwrite64,pwritev,write,fsync,fdatasync,ftruncate,rename,renameat,renameat2"
    ",unlink,unlinkat,link,linkat,copy_file_range,sendfile,fallocate"
)
_LINE = re.compile(r"(\d+) +(?:<\.\.\. )?(\w+)(?:\(| resumed>)(.*)")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"|<((?:\\x[0-9a-f]{2})+)>')
_RESULT = re.compile(r"\) += (-?\d+)")


@dataclass(frozen=True, slots=True)
class Call:
    """A system call: its name, the paths and texts in it in order, its other words, its result."""

    name: str
    texts: tuple[bytes, ...]
    words: str
    result: int


@dataclass(slots=True)
class File:
    """A file: what a sync has made last, and what was written since."""

    durable: bytearray = field(default_factory=bytearray)
    since: list[tuple[int, bytes | None]] = field(default_factory=list)
    """Offsets and bytes; None where the file was cut to that length."""

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


class Disk:
    """The files of a folder, as the process sees them and as they last."""

    def __init__(self) -> None:
        self.names: dict[bytes, File] = {}
        self.durable: dict[bytes, File] = {}
        self.changes: list[tuple[bytes, File | None]] = []
        """Names that were given or taken away since their folder was synced."""

    def take(self, call: Call) -> None:
        """Do what a system call did."""
        match call.name:
            case "openat":
                path = call.texts[1]
                if "O_CREAT" in call.words and path not in self.names:
                    self._name(path, File())
                if "O_TRUNC" in call.words:
                    self.names[path].since.append((0, None))
            case "pwrite64":
                offset = int(call.words.rpartition(", ")[2])
                self._write(call.texts[0], offset, call.texts[1][: call.result])
            case "write":
                # At the end, as a program that writes a small file from its beginning does.
                at = len(self.names[call.texts[0]].left(Random(), 1.0))
                self._write(call.texts[0], at, call.texts[1][: call.result])
            case "ftruncate":
                size = int(call.words.rpartition(", ")[2])
                self.names[call.texts[0]].since.append((size, None))
            case "fsync" | "fdatasync" if call.texts[0] in self.names:
                file = self.names[call.texts[0]]
                file.durable, file.since = bytearray(file.left(Random(), 1.0)), []
            case "fsync" | "fdatasync":
                self.durable, self.changes = dict(self.names), []
            case "rename":
                file = self.names[call.texts[0]]
                self._name(call.texts[1], file)
                self._name(call.texts[0], None)
            case "unlink":
                self._name(call.texts[0], None)
            case other:
                raise AssertionError(f"a cut of the power can't be told after {other}")

    def _write(self, path: bytes, offset: int, data: bytes) -> None:
        self.names[path].since.append((offset, data))

    def _name(self, path: bytes, file: File | None) -> None:
        self.changes.append((path, file))
        _rename(self.names, path, file)

    def left(self, random: Random) -> dict[bytes, bytes]:
        """The files after a cut, by path."""
        kept = random.choice((0.0, 0.5, 0.9, 1.0))
        names = dict(self.durable)
        for path, file in self.changes[: random.randint(0, len(self.changes))]:
            _rename(names, path, file)
        return {path: file.left(random, kept) for path, file in names.items()}


def _rename(names: dict[bytes, File], path: bytes, file: File | None) -> None:
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


def calls_in(log: Iterable[str]) -> Iterator[Call]:
    """The calls of a log of ``strace -f -y -xx`` that succeeded, each once it was done."""
    begun: dict[str, str] = {}
    for line in log:
        found = _LINE.match(line)
        if found is None:
            continue
        thread, name, rest = found.groups()
        if rest.endswith("<unfinished ...>"):
            begun[thread] = rest.removesuffix(" <unfinished ...>")
            continue
        if " resumed>" in line:
            rest = begun.pop(thread, "") + rest
        result = _RESULT.search(rest)
        if result is None or int(result[1]) < 0:
            continue
        texts = tuple(
            bytes.fromhex((text or path).replace("\\x", "")) for text, path in _TEXT.findall(rest)
        )
        words = rest[: result.start()]
        yield Call(name, texts, words, int(result[1]))


def record(folder: Path, moves: int, seed: int) -> list[Call]:
    """The calls of a process that plays so many moves, on the files of ``folder``."""
    log, acknowledged = folder.parent / "calls", folder.parent / "acknowledged"
    play = (sys.executable, "-m", "tests.store.power_cuts", str(folder), str(moves), str(seed))
    watch = ("strace", "-f", "-y", "-xx", "-s", "10000000", "-o", str(log), "-e", f"trace={_CALLS}")
    subprocess.run((*watch, *play, str(acknowledged)), cwd=PROJECT, check=True)
    places = (os.fsencode(folder), os.fsencode(acknowledged))
    with log.open() as lines:
        return [
            call
            for call in calls_in(lines)
            if any(text.startswith(places) for text in call.texts[:2])
            and not any(text.endswith(b"-shm") for text in call.texts[:2])
        ]


async def _play(folder: Path, moves: int, seed: int, acknowledged: int) -> None:
    """Play, and write down each move once it is accepted."""
    random = Random(seed)
    store = await open_store(f"sqlite:///{folder}/parlour.db")
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
    await store.close()


async def check(folder: Path, accepted: Iterable[bytes]) -> None:
    """A store opens, is whole, and holds every move that was accepted."""
    store = await open_store(f"sqlite:///{folder}/parlour.db")
    try:
        assert (await verify_all(store)).problems == ()
        query = select(events.c.match_id, events.c.seq, events.c.hash)
        found = await store.database.read(lambda c: {tuple(row) for row in c.execute(query)})
        for line in accepted:
            match_id, seq, its_hash = line.decode().split()
            assert (match_id, int(seq), its_hash) in found
    finally:
        await store.close()


if __name__ == "__main__":
    place, number, its_seed, told = sys.argv[1:]
    told_to = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    asyncio.run(_play(Path(place), int(number), int(its_seed), told_to))
