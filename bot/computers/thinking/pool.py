"""Engine processes (:mod:`~bot.computers.thinking.worker`), one question each at a time."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections import deque
from collections.abc import Mapping
from typing import Any

from bot.computers.domain.hints import Found, FoundMove
from bot.computers.domain.questions import Question, ThinkingFailed, Thought

LONGEST = 60.0
"""Seconds after which a process is ended. The top level takes about ten, on an idle machine."""
NICE = 10
_COMMAND = (sys.executable, "-P", "-m", "bot.computers.thinking.worker")
_LONGEST_LINE = 1 << 20


class WorkerPool:
    """Starts processes when they are first needed and keeps them; replaces one that fails."""

    def __init__(
        self,
        workers: int = 1,
        *,
        memory: int = 512,
        longest: float = LONGEST,
        command: tuple[str, ...] = _COMMAND,
    ) -> None:
        """``memory`` is how many MiB each process may use, 0 for no limit."""
        self._free = asyncio.Semaphore(workers)
        self._command = (*command, "--nice", str(NICE), "--memory", str(memory))
        self._longest = longest
        self._idle: deque[asyncio.subprocess.Process] = deque()
        self._all: set[asyncio.subprocess.Process] = set()
        self.started = 0

    async def think(self, question: Question) -> Thought:
        """The answer of an engine. Raises :exc:`ThinkingFailed`."""
        async with self._free:
            process = await self._process()
            is_well = False
            try:
                async with asyncio.timeout(self._longest):
                    said = await _ask(process, question)
                is_well = True
            except TimeoutError as error:
                raise ThinkingFailed(f"nothing after {self._longest:g} seconds") from error
            except (OSError, ValueError) as error:
                raise ThinkingFailed(f"the process has ended: {error!r}") from error
            finally:
                if is_well:
                    self._idle.append(process)
                else:
                    await self._end(process)
        if "error" in said:
            raise ThinkingFailed(str(said["error"]))
        return Thought(
            said.get("move"),
            resigns=bool(said.get("resigns")),
            offers_draw=bool(said.get("offers_draw")),
            accepts=bool(said.get("accepts")),
            found=Found(tuple(map(_move, said.get("moves") or ()))),
        )

    async def close(self) -> None:
        """End all processes."""
        for process in tuple(self._all):
            await self._end(process)
        self._idle.clear()

    async def _process(self) -> asyncio.subprocess.Process:
        while self._idle:
            process = self._idle.popleft()
            if process.returncode is None:
                return process
            await self._end(process)
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=_LONGEST_LINE,
                # A signal to the bot must not reach them: they end when it closes their input.
                start_new_session=True,
            )
        except OSError as error:
            raise ThinkingFailed(f"no process can be started: {error}") from error
        self.started += 1
        self._all.add(process)
        return process

    async def _end(self, process: asyncio.subprocess.Process) -> None:
        self._all.discard(process)
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await asyncio.shield(process.wait())
        if process.stdin is not None:
            process.stdin.close()


def _move(said: Mapping[str, Any]) -> FoundMove:
    return FoundMove(**{**said, "line": tuple(said["line"])})


async def _ask(process: asyncio.subprocess.Process, question: Question) -> dict[str, Any]:
    assert process.stdin is not None  # noqa: S101 - it was made with pipes
    assert process.stdout is not None  # noqa: S101
    process.stdin.write(question.as_json().encode("ascii") + b"\n")
    await process.stdin.drain()
    line = await process.stdout.readline()
    if not line.endswith(b"\n"):
        raise ValueError("it closed its output")
    said: dict[str, Any] = json.loads(line)
    return said
