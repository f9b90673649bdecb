"""PostgreSQL fails while people play: nobody reads a wrong word, and no accepted move is lost.

What one transaction meets is in ``tests/store/test_postgres.py``; here are servers that a test may
kill, fill and replace.
"""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg
import pytest

from bot.domain.history import verify
from bot.store import opening
from playground.forms import all_text
from playground.person import InteractionFailed
from tests.support.hosted import Game, hosted, start_quax
from tests.support.postgres_of_own import OwnPostgres, forward_to, own_postgres, place

pytestmark = [pytest.mark.postgres, pytest.mark.long, pytest.mark.logs_errors]

MOVES = ("a1", "c5", "b2", "d4", "c1", "e4", "b4", "e1")
AGAIN = ("Can't save right now", "Your last action wasn't saved")
UNSURE = "may have been saved"


@dataclass
class _Play:
    """A match whose moves are typed until they count."""

    game: Game
    accepted: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    async def try_next(self) -> str:
        """Type the next move once; what was answered."""
        number = len(self.accepted)
        person = (self.game.black, self.game.white)[number % 2]
        try:
            said = all_text(await self.game.say(person, MOVES[number]))
        except (InteractionFailed, TimeoutError):
            said = "(nothing)"
        self.said.append(said)
        if f"You played {MOVES[number]}." in said:
            self.accepted.append(MOVES[number])
        elif f"You've already played {MOVES[number]}." in said:
            assert not any(each in self.said[-2] for each in AGAIN), "a refused move has happened"
            self.accepted.append(MOVES[number])
        else:
            assert any(each in said for each in (*AGAIN, UNSURE, "(nothing)")), said
        return said

    async def next(self, *, within: float = 45) -> None:
        """Type the next move until it counts."""
        number = len(self.accepted)
        async with asyncio.timeout(within):
            while len(self.accepted) == number:
                await self.try_next()
                await asyncio.sleep(0.3)

    async def holds(self, caplog: pytest.LogCaptureFixture) -> None:
        """All that was accepted is stored and shown, and nothing was taken for a bug."""
        table = self.game.hosted
        async with asyncio.timeout(60):
            # What was being sent when the server went is taken again half a minute later.
            while True:
                with contextlib.suppress(TimeoutError):
                    await table.settled()
                    break
        ((match, events),) = await table.history()
        verify(match, events)
        stored = [each.payload["move"] for each in events if "move" in each.payload]
        assert stored == self.accepted
        assert f"{len(stored)} {stored[-1]}" in all_text(await self.game.board())
        assert not [each for each in caplog.messages if "bug" in each]


@contextlib.asynccontextmanager
async def _playing(folder: Path, url: str) -> AsyncIterator[_Play]:
    async with hosted(folder, database=url) as table:
        play = _Play(await start_quax(table))
        await play.next()
        yield play


async def test_a_server_that_is_killed_and_started_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with own_postgres() as server, _playing(tmp_path, server.url()) as play:
        for _ in range(2):
            trying = asyncio.create_task(play.try_next())
            await asyncio.sleep(0.02)
            await server.kill()
            await trying
            assert AGAIN[0] in await play.try_next()
            await server.start()
            await play.next()
        await play.holds(caplog)


async def test_a_server_with_no_connection_left(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """But those that it keeps for its administrators."""
    ours = "FROM pg_stat_activity WHERE usename = 'parlour'"
    async with own_postgres() as server, _playing(tmp_path, server.url()) as play:
        administrator = await server.connect()
        await administrator.execute("CREATE ROLE guest LOGIN")
        others: list[asyncpg.Connection] = []
        is_full = False
        while not is_full or await administrator.fetchval(f"SELECT count(*) {ours}"):
            await administrator.execute(f"SELECT pg_terminate_backend(pid) {ours}")
            try:
                others.append(await asyncpg.connect(server.url().replace("parlour@", "guest@")))
            except asyncpg.TooManyConnectionsError:
                is_full = True
        assert AGAIN[0] in await play.try_next()
        for each in others:
            await each.close()
        await play.next()
        await administrator.close()
        await play.holds(caplog)


async def test_a_server_that_answers_slowly(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with (
        own_postgres() as server,
        forward_to(server.port) as forward,
        _playing(tmp_path, server.url(forward.port)) as play,
    ):
        forward.delay = 0.05
        for _ in range(3):
            await play.next()
        forward.delay = 0
        assert "(nothing)" not in play.said
        await play.holds(caplog)


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A disk of its own, a little larger than a new server needs."""
    disk = Path(tempfile.mkdtemp(prefix="parlour-disk-"))
    mount = ("mount", "-t", "tmpfs", "-o", "size=100m", "none", str(disk))
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        disk.rmdir()
        pytest.skip(f"only root may mount a disk: {error}")
    try:
        yield disk
    finally:
        subprocess.run(("umount", str(disk)), check=True)
        disk.rmdir()


async def test_a_server_whose_disk_is_full(
    tmp_path: Path, small_disk: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It refuses what it has no room for, or ends; both pass when there is room again."""
    async with (
        own_postgres(folder=small_disk) as server,
        _playing(tmp_path / "data", server.url()) as play,
    ):
        filled = small_disk / "filled"
        with filled.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(b"x" * 4096)
        async with asyncio.timeout(60):
            while AGAIN[0] not in await play.try_next():
                await server.execute("SELECT pg_switch_wal()")
        filled.unlink()
        if not server.runs:
            await server.start()
        await play.next()
        await play.holds(caplog)


async def test_a_replica_takes_over(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that was accepted is there, since its server waited for the replica.

    What it had written when it died, and the replica had not, was not accepted.
    """
    monkeypatch.setattr(opening, "_PATIENCE", 2.0)
    with place() as files:
        async with (
            own_postgres() as server,
            forward_to(server.port) as forward,
        ):
            replica = OwnPostgres(files)
            await replica.copy(server)
            await replica.start()
            await server.execute(
                "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"
            )
            try:
                async with _playing(tmp_path, server.url(forward.port)) as play:
                    await play.next()
                    await replica.kill()
                    assert UNSURE in await play.try_next()
                    await server.kill()
                    await replica.start()
                    forward.to = replica.port
                    assert AGAIN[0] in await play.try_next(), "it only reads"
                    await replica.execute("SELECT pg_promote()")
                    await play.next()
                    assert "already played" not in " ".join(play.said)
                    await play.next()
                    await play.holds(caplog)
            finally:
                await replica.kill()
