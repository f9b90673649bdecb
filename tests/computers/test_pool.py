"""The processes that think: killed, hung, out of memory or wrong, they are replaced."""

from __future__ import annotations

import json
import os
import signal
import sys
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


def pool(tmp_path: Path, body: str, **more: Any) -> WorkerPool:
    """A pool whose processes do something else."""
    file = tmp_path / "worker.py"
    file.write_text("import json, os, sys, time\n" + body, encoding="utf-8")
    return WorkerPool(command=(sys.executable, str(file)), **more)


async def test_the_same_question_has_the_same_answer_in_every_process() -> None:
    game = catalog.create("quax", {"size": 5})
    position = game.initial(Random(1))
    here = engine_for(game)
    expected = game.notation(position, here.choose(position, here.level(2), 7))
    thinker = WorkerPool(2)
    try:
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
    finally:
        await thinker.close()
    assert not thinker._all


@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="this system has no such scheduler")
async def test_a_process_that_thinks_gives_way_to_any_other() -> None:
    thinker = WorkerPool()
    try:
        await thinker.think(question())
        (process,) = thinker._all
        assert os.sched_getscheduler(process.pid) == os.SCHED_IDLE
        assert os.getsid(process.pid) == process.pid, "its share is not taken from the bot's"
    finally:
        await thinker.close()


def test_a_level_that_failed_is_thought_about_less() -> None:
    asked = json.loads(question(level=6, attempt=3).as_json())
    assert answer(asked)["resigns"] is False


async def test_one_that_is_killed_while_it_thinks_is_replaced(tmp_path: Path) -> None:
    mark = tmp_path / "once"
    thinker = pool(
        tmp_path,
        f"""
for line in sys.stdin:
    if not os.path.exists({str(mark)!r}):
        open({str(mark)!r}, "w").close()
        os.kill(os.getpid(), 9)
    print(json.dumps({{"move": "a1"}}), flush=True)
""",
    )
    try:
        with pytest.raises(ThinkingFailed, match="ended"):
            await thinker.think(question())
        assert (await thinker.think(question())).move == "a1"
    finally:
        await thinker.close()


async def test_one_that_hangs_is_ended(tmp_path: Path) -> None:
    thinker = pool(tmp_path, "for line in sys.stdin: time.sleep(60)\n", longest=0.5)
    try:
        with pytest.raises(ThinkingFailed, match=r"nothing after 0\.5 seconds"):
            await thinker.think(question())
        assert not thinker._all
    finally:
        await thinker.close()


@pytest.mark.parametrize("said", ["not json", "", "x" * (1 << 21)])
async def test_one_that_talks_nonsense_is_ended(tmp_path: Path, said: Any) -> None:
    thinker = pool(tmp_path, f"for line in sys.stdin: print({said!r}, flush=True); break\n")
    try:
        with pytest.raises(ThinkingFailed):
            await thinker.think(question())
        assert not thinker._all
    finally:
        await thinker.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no limits of this kind here")
async def test_one_that_needs_too_much_memory_ends_itself_and_not_the_host(tmp_path: Path) -> None:
    thinker = pool(
        tmp_path,
        """
from bot.computers.thinking import worker

def answer(asked):
    return {"move": str(len(bytearray(1 << 30)))}

worker.answer = answer
sys.exit(worker.main())
""",
        memory=400,
    )
    try:
        with pytest.raises(ThinkingFailed, match="ended"):
            await thinker.think(question())
    finally:
        await thinker.close()


async def test_a_command_that_is_not_there_is_a_failure_like_any_other() -> None:
    thinker = WorkerPool(command=("/nowhere/at/all",))
    with pytest.raises(ThinkingFailed, match="no process"):
        await thinker.think(question())
    await thinker.close()
