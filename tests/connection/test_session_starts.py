"""Sessions begun with Discord are counted, whatever ends the bot, and used up slowly."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from bot.app.doctor import examine
from bot.app.health import is_healthy
from bot.connection import left_sessions
from bot.connection import store as sessions
from bot.connection.domain.session_budget import BUDGET, DEPOSIT, SessionBudget
from bot.store import open_store
from playground.gateway.gateway import GatewayLimits
from playground.server import Playground
from tests.support.bot_process import BotProcess
from tests.support.databases import both
from tests.support.hosted import Hosted, hosted
from tests.support.made_play import free_port

pytestmark = pytest.mark.slow

BUDGETED = SessionBudget()


async def _until(holds: Callable[..., bool], *, patience: float = 15.0) -> None:
    async with asyncio.timeout(patience):
        while not holds():
            await asyncio.sleep(0.005)


async def _use_up(url: str, *, but: int = 0) -> None:
    """As many processes would that died before they were ready."""
    now = datetime.now(UTC)
    store = await open_store(url)
    cost = BUDGETED.left(None, now) - but
    await store.write(
        sessions.change_session_starts,
        lambda moments: ({**moments, BUDGET: BUDGETED.spend(None, now, cost)}, None),
    )
    await store.close()


@both
@pytest.mark.logs_errors
@pytest.mark.long
async def test_a_process_that_crashes_over_and_over_waits_at_last(
    tmp_path: Path,
    database_url: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    given: dict[str, Any] = {"database": SecretStr(database_url), "shutdown_seconds": 0.2}
    async with hosted(tmp_path, **given) as table:
        await table.stop_for_long()
        gateway = table.playground.gateway
        await _use_up(database_url, but=3 * DEPOSIT + 2)
        gateway.trouble.withhold_ready = True
        before = gateway.asked_to_identify
        for number in range(3):
            await table.begin()
            await _until(lambda number=number: gateway.asked_to_identify == before + number + 1)
            await table.stop_for_long()
        gateway.trouble.withhold_ready = False
        opened = gateway.opened
        caplog.clear()
        bot = await table.begin()
        await _until(lambda: bot.client.connection.starts.waits_until is not None)
        await asyncio.sleep(0.3)
        assert gateway.opened == opened, "it does not even connect"
        errors = [each.getMessage() for each in caplog.records if each.levelname == "ERROR"]
        assert len(errors) == 1
        assert "TOO MANY SESSIONS" in errors[0]
        assert "parlour run --now" in errors[0]
        assert "too many sessions were begun: waits until 20" in bot.client.connection.describe()
        await table.stop_for_long()
        table.by_hand = True
        await table.start()
        assert gateway.asked_to_identify == before + 4


@pytest.mark.first
async def test_a_process_counts_a_session_before_it_begins_it(tmp_path: Path) -> None:
    """A kill in between cannot hide it."""
    async with Playground(allow_faults=True) as playground:
        playground.gateway.trouble.withhold_ready = True
        process = BotProcess(playground, tmp_path)
        await process.start()
        await process.kill()
        with sqlite3.connect(tmp_path / "parlour.db") as database:
            ((at,),) = database.execute("SELECT at FROM session_starts WHERE name = 'budget'")
        database.close()
        spent = datetime.fromtimestamp(at / 1e6, UTC) - datetime.now(UTC)
        assert spent / BUDGETED.each > DEPOSIT - 1
        # The rest of the budget goes, and only a start by hand gets through.
        await _use_up(f"sqlite:///{tmp_path / 'parlour.db'}")
        playground.gateway.trouble.withhold_ready = False
        by_hand = BotProcess(playground, tmp_path, arguments=("run", "--now"))
        await by_hand.start()
        assert by_hand.process is not None
        await playground.gateway.close_all(4013)
        assert await asyncio.wait_for(by_hand.process.wait(), 30) == 78, "do not restart (F16)"


@pytest.mark.long
@pytest.mark.postgres
async def test_two_processes_begin_sessions_in_turn(tmp_path: Path, postgres_url: str) -> None:
    """As Discord asks of the shards of a bot, wherever they run."""
    limits = GatewayLimits(shards=4, identify_seconds=0.2)
    given: dict[str, Any] = {"database": SecretStr(postgres_url), "shard_count": 4}
    async with hosted(
        tmp_path,
        limits=limits,
        session_seconds=2.0,  # a busy machine may take most of it
        shard_ids=(0, 1),
        **given,
    ) as table:
        await table.stop_for_long()
        gateway = table.playground.gateway
        before = gateway.asked_to_identify
        (tmp_path / "other").mkdir()
        settings = table.settings.model_copy(
            update={"data": tmp_path / "other", "shard_ids": (2, 3)}
        )
        other = Hosted(table.playground, settings, seed=99)
        try:
            await asyncio.gather(table.start(), other.start())
            assert gateway.asked_to_identify == before + 4, "none had to be made again"
            assert len(gateway.identified) == gateway.asked_to_identify
        finally:
            await other.stop()


@pytest.mark.long
@pytest.mark.logs_errors
async def test_what_discord_says_is_left_counts_as_well(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Something else may begin sessions with the same token."""
    monkeypatch.setattr(left_sessions, "_YOUNG", timedelta())
    async with hosted(tmp_path, limits=GatewayLimits(identifies_a_day=100)) as table:
        await table.stop_for_long()
        gateway = table.playground.gateway
        gateway.identified[:] = [gateway.world.state.clock.now()] * 95
        opened = gateway.opened
        bot = await table.begin()
        await _until(lambda: bot.client.connection.starts.waits_until is not None)
        assert bot.client.connection.starts.left == 0
        assert gateway.opened == opened
        assert "TOO MANY SESSIONS" in caplog.text
        await table.stop_for_long()
        table.by_hand = True
        await table.start()
        assert gateway.opened == opened + 1


@pytest.mark.long
async def test_doctor_and_health_tell_how_many_sessions_are_left(tmp_path: Path) -> None:
    async with hosted(tmp_path, health_port=(port := free_port())) as table:
        starts = table.bot.client.connection.starts
        await _until(lambda: starts.left == 449)
        token = SecretStr(table.playground.token)
        settings = table.settings.model_copy(update={"token": token})

        async def found() -> tuple[bool, str]:
            (finding,) = [each for each in await examine(settings) if each.about == "sessions"]
            return finding.is_well, finding.words

        well, said = await asyncio.to_thread(is_healthy, port)
        assert well
        assert '"gateway": "connected"' in said
        assert '"session_starts_left": 449' in said
        assert await found() in (
            (True, "449 more may be begun now"),
            (True, "450 more may be begun now"),
        )
        await table.stop_for_long()
        await _use_up(settings.database_url(), but=DEPOSIT - 1)
        is_well, words = await found()
        assert not is_well
        assert "parlour run --now" in words
        until = datetime.fromisoformat(words.split("waits until ")[1].split(": ")[0])
        wait = until - datetime.now(UTC)
        assert timedelta() < wait <= BUDGETED.each + timedelta(seconds=2)
