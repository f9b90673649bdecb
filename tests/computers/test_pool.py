"""The processes that think: killed, hung, out of memory or wrong, they are replaced."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.computers.domain.questions import Question, ThinkingFailed
from bot.computers.thinking.pool import WorkerPool
from bot.computers.thinking.worker import answer
from engines.catalog import engine_for
from games import catalog

pytestmark = pytest.mark.slow


def question(**more: Any) -> Question:
    game = catalog.create("quax", {"size": 5})
    state = game.encode(game.initial(Random(1)))
    asked = {"game": "quax", "options": game.options, "state": state, "level": 2, "seed": 7}
    return Question(**{**asked, "plies": 0, **more})


@asynccontextmanager
async def pool(processes: int = 1, **more: Any) -> AsyncIterator[WorkerPool]:
    made = WorkerPool(processes, **more)
    try:
        yield made
    finally:
        await made.close()
        assert not made._all


def doing(tmp_path: Path, body: str) -> tuple[str, str]:
    """The command of a process that does something else."""
    file = tmp_path / "worker.py"
    file.write_text("import json, os, sys, time\n" + body, encoding="utf-8")
    return sys.executable, str(file)


async def test_the_same_question_has_the_same_answer_in_every_process() -> None:
    game = catalog.create("quax", {"size": 5})
    position = game.initial(Random(1))
    here = engine_for(game)
    expected = game.notation(position, here.choose(position, here.level(2), 7))
    async with pool(2) as thinker:
        for _ in range(2):
            thought = await thinker.think(question())
            assert thought.move == expected
        assert thinker.started == 1
        (process,) = thinker._all
        process.send_signal(signal.SIGKILL)
        await process.wait()
        assert (await thinker.think(question())).move == expected
        assert thinker.started == 2
        with pytest.raises(ThinkingFailed, match="levels go from 1"):
            await thinker.think(question(level=0))
        assert (await thinker.think(question(about="draw"))).accepts is False
        assert thinker.started == 2


@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="this system has no such scheduler")
async def test_a_process_that_thinks_gives_way_to_any_other() -> None:
    async with pool() as thinker:
        await thinker.think(question())
        (process,) = thinker._all
        assert os.sched_getscheduler(process.pid) == os.SCHED_IDLE
        assert os.getsid(process.pid) == process.pid, "its share is not taken from the bot's"


def test_a_level_that_failed_is_thought_about_less() -> None:
    asked = json.loads(question(level=6, attempt=3).as_json())
    assert answer(asked)["resigns"] is False


async def test_one_that_is_killed_while_it_thinks_is_replaced(tmp_path: Path) -> None:
    mark = tmp_path / "once"
    body = f"""
for line in sys.stdin:
    if not os.path.exists({str(mark)!r}):
        open({str(mark)!r}, "w").close()
        os.kill(os.getpid(), 9)
    print(json.dumps({{"move": "a1"}}), flush=True)
"""
    async with pool(command=doing(tmp_path, body)) as thinker:
        with pytest.raises(ThinkingFailed, match="ended"):
            await thinker.think(question())
        assert (await thinker.think(question())).move == "a1"


def saying(text: str) -> str:
    return f"for line in sys.stdin: print({text!r}, flush=True); break\n"


GREEDY = """
from bot.computers.thinking import worker

def answer(asked):
    return {"move": str(len(bytearray(1 << 30)))}

worker.answer = answer
sys.exit(worker.main())
"""


@pytest.mark.parametrize(
    ("body", "limits", "failure"),
    [
        (
            "for line in sys.stdin: time.sleep(60)\n",
            {"longest": 0.5},
            r"nothing after 0\.5 seconds",
        ),
        (saying("not json"), {}, "ended"),
        (saying(""), {}, "ended"),
        (saying("x" * (1 << 21)), {}, "ended"),
        pytest.param(
            GREEDY,
            {"memory": 400},
            "ended",
            marks=pytest.mark.skipif(not hasattr(os, "fork"), reason="no such limits here"),
        ),
    ],
    ids=["hangs", "no JSON", "nothing", "endless", "too much memory"],
)
async def test_one_that_fails_is_ended_and_the_host_goes_on(
    tmp_path: Path, body: str, limits: dict[str, Any], failure: str
) -> None:
    async with pool(command=doing(tmp_path, body), **limits) as thinker:
        with pytest.raises(ThinkingFailed, match=failure):
            await thinker.think(question())
        assert not thinker._all


async def test_a_command_that_is_not_there_is_a_failure_like_any_other() -> None:
    async with pool(command=("/nowhere/at/all",)) as thinker:
        with pytest.raises(ThinkingFailed, match="no process"):
            await thinker.think(question())
