"""PostgreSQL stops for a while just when a move is to be committed."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.store import opening
from playground.forms import all_text
from tests.support.frozen import at_next_commit, processes_of, send
from tests.support.hosted import hosted, start_quax

pytestmark = pytest.mark.postgres


@pytest.mark.long
@pytest.mark.logs_errors
async def test_a_player_hears_that_the_move_may_be_saved_and_later_that_it_is(
    tmp_path: Path,
    postgres_url: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(opening, "_PATIENCE", 1.0)
    processes = await processes_of(postgres_url)
    async with hosted(tmp_path, database=postgres_url) as table:
        game = await start_quax(table)
        bot = table.bot

        def freeze(commit: Callable[[], None]) -> None:
            processes[:] = [*_backends(processes[-1]), processes[-1]]
            send(processes, signal.SIGSTOP)
            commit()

        await table.settled()
        after = len(game.black.events)
        try:
            # A heartbeat that is frozen in the move's place would leave nothing to be unsure of.
            async with table.beating:
                with at_next_commit(bot.store, freeze):
                    said = all_text(await game.say(game.black, "a1"))
            assert "may have been saved" in said
            assert "told here" in said
        finally:
            send(processes, signal.SIGCONT)
        told = await game.black.wait_message(lambda m: "You played a1." in all_text(m), after=after)
        assert told
        assert "You played b2." in all_text(await game.say(game.white, "b2"))
        ((_, events),) = await table.history()
        assert [each.payload["move"] for each in events if "move" in each.payload] == ["a1", "b2"]
    assert not [each for each in caplog.messages if "bug" in each or "nobody" in each]


def _backends(first: int) -> list[int]:
    found = Path(f"/proc/{first}/task/{first}/children").read_text(encoding="ascii")
    return [int(each) for each in found.split()]
