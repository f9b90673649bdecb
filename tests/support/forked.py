"""The bot in processes of its own that begin with everything imported.

``python -m bot`` takes a second of the processor to import what it needs and half of one to read
all languages, and the tests start it some hundred times, mostly to kill it. Here a server has done
both once, and each process is a fork of that, with an environment, a folder, an output and a death
of its own, that runs ``main`` from its first line. So it is with other programs of tests, which may
be written to as well.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(
    ["tests", "bot.__main__", "tests.support.read_languages", "tests.store.one_process"]
)


def run_bot(arguments: tuple[str, ...]) -> None:
    """``parlour`` with these arguments."""
    from bot import __main__ as bot_main

    sys.exit(bot_main.main(list(arguments)))


def _begin(
    program: Callable[[tuple[str, ...]], None],
    arguments: tuple[str, ...],
    folder: str,
    environment: dict[str, str],
    pipes: tuple[Connection, Connection],
) -> None:
    given, output = pipes
    sys.stdin = os.fdopen(os.dup(given.fileno()))
    given.close()
    os.dup2(output.fileno(), 1)
    os.dup2(output.fileno(), 2)
    output.close()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    from bot import failpoints

    # It is the one module that looks at the environment when it is imported.
    importlib.reload(failpoints)
    program(arguments)


_ONE = threading.Lock()
"""A start reads the exit codes of all that have ended, each of which can be read once."""


def _start(process: ForkServerProcess) -> None:
    with _ONE:
        process.start()


class _Output(asyncio.StreamReaderProtocol):
    """Closes the pipe at its end, which uvloop leaves to its owner."""

    def eof_received(self) -> bool:
        super().eof_received()
        return False


_WIDE = {
    "PARLOUR_COMMANDS_PER_SECOND": "8",
    "PARLOUR_COMMANDS_BURST": "40",
    "PARLOUR_SUGGESTIONS_PER_SECOND": "60",
    "PARLOUR_SERVER_MESSAGES": "10000",
}


@dataclass(slots=True)
class Forked:
    """A running process; like :class:`asyncio.subprocess.Process`, as far as tests need it."""

    _process: ForkServerProcess
    stdin: asyncio.StreamWriter
    """Its input, for programs that read any."""
    stdout: asyncio.StreamReader
    """Its output, on both streams."""
    _ended: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    async def start(
        cls,
        *arguments: str,
        folder: Path,
        environment: Mapping[str, str],
        program: Callable[[tuple[str, ...]], None] = run_bot,
    ) -> Forked:
        """Run a program with these arguments in a folder, with this environment alone.

        Tests act faster than people do, so its limits are wide unless the environment sets them.
        """
        loop = asyncio.get_running_loop()
        given, giving = _FORKS.Pipe(duplex=False)
        reading, writing = _FORKS.Pipe(duplex=False)
        about = (program, arguments, str(folder), {**_WIDE, **environment}, (given, writing))
        process = _FORKS.Process(target=_begin, args=about)
        # The first has to wait for the server.
        await asyncio.to_thread(_start, process)
        given.close()
        writing.close()
        # Not every test reads it, and none may keep the process waiting.
        stdout = asyncio.StreamReader(limit=2**24)
        # uvloop closes the number itself. Were the file to close it once more, it might be that of
        # a file which a thread has just opened.
        closes = isinstance(loop, asyncio.BaseEventLoop)
        pipe = os.fdopen(os.dup(reading.fileno()), "rb", buffering=0, closefd=closes)
        reading.close()
        await loop.connect_read_pipe(lambda: _Output(stdout), pipe)
        pipe = os.fdopen(os.dup(giving.fileno()), "wb", buffering=0, closefd=closes)
        giving.close()
        to_it, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, pipe)
        made = cls(process, asyncio.StreamWriter(to_it, protocol, None, loop), stdout)
        loop.add_reader(process.sentinel, made._end)
        return made

    def _end(self) -> None:
        asyncio.get_running_loop().remove_reader(self._process.sentinel)
        with _ONE:
            self._process.join()
        self.stdin.close()
        self._ended.set()

    @property
    def pid(self) -> int:
        """Its number."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """Its exit code, negative for a signal; None while it runs."""
        return self._process.exitcode if self._ended.is_set() else None

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it still runs; that it ended may not be known yet."""
        if not self._ended.is_set():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """``kill -9``."""
        self.send_signal(signal.SIGKILL)

    async def wait(self) -> int:
        """Wait until it ends; its exit code."""
        await self._ended.wait()
        assert self._process.exitcode is not None
        return self._process.exitcode

    async def communicate(self) -> tuple[bytes, None]:
        """Read all that it writes, to its end."""
        said = await self.stdout.read()
        await self.wait()
        return said, None
