"""The pairing engine of Parlour: a child process that pairs.

It runs gacrux (:mod:`bot.tournaments.swiss.worker`), or another program of the host's choice
(:mod:`bot.tournaments.swiss.program`). Every answer is checked.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from bot import metrics
from bot.tournaments.domain.swiss_pairing import (
    NoPairing,
    Paired,
    PairingFailed,
    PairingRequest,
    check_paired,
)
from bot.tournaments.domain.trf_writing import write_trf

LONGEST = 60.0
"""Seconds after which a process is ended. 256 players take it about two."""
_COMMAND = (sys.executable, "-P", "-m", "bot.tournaments.swiss.worker")
_OTHER = (sys.executable, "-P", "-m", "bot.tournaments.swiss.program")


def _end(pid: int) -> None:
    """End a process and all its children."""
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


class WorkerEngine:
    """Pairs in a process of its own, one request at a time; the event loop only waits for it.

    ``program`` pairs instead of gacrux.
    """

    def __init__(self, program: Path | None = None, *, longest: float = LONGEST) -> None:
        self._command = _COMMAND if program is None else (*_OTHER, str(program))
        self._longest = longest
        self._one = asyncio.Lock()

    async def pair(self, requests: Sequence[PairingRequest]) -> Sequence[Paired]:
        """See :data:`~bot.tournaments.domain.swiss_pairing.Pair`."""
        if not requests:
            return ()
        # Writing a report of 256 players takes some milliseconds.
        asked = await asyncio.to_thread(_ask, requests)
        with metrics.PAIRINGS.track_inprogress():
            out, errors, code = await self._run(asked)
        return _answers(requests, code, out, errors)

    async def _run(self, asked: bytes) -> tuple[bytes, bytes, int | None]:
        """The output and exit code of the process, once earlier ones are done."""
        async with self._one:
            try:
                process = await asyncio.create_subprocess_exec(
                    *self._command,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.PIPE,
                    start_new_session=True,
                )
            except OSError as error:
                raise PairingFailed(f"no process can be started: {error}") from error
            try:
                async with asyncio.timeout(self._longest):
                    out, errors = await process.communicate(asked)
            except TimeoutError as error:
                raise PairingFailed(f"no pairing after {self._longest:g} seconds") from error
            finally:
                _end(process.pid)
                await process.wait()
        return out, errors, process.returncode


def pair_now(requests: Sequence[PairingRequest], program: Path | None = None) -> Sequence[Paired]:
    """The same without an event loop, with time for many rounds: on the command line."""
    return asyncio.run(WorkerEngine(program, longest=10 * LONGEST).pair(requests))


def _ask(requests: Sequence[PairingRequest]) -> bytes:
    return json.dumps(
        [{"trf": _bare(each), "round": each.round} for each in requests], ensure_ascii=True
    ).encode("ascii")


def _bare(request: PairingRequest) -> str:
    """The report without the names, which the process does not need."""
    players = tuple(replace(each, name=f"Player {each.number}") for each in request.report.players)
    report = replace(request.report, players=players, name="Tournament", system="", ranks={})
    return write_trf(report)


def _answers(
    requests: Sequence[PairingRequest], code: int | None, out: bytes, errors: bytes
) -> Sequence[Paired]:
    if code != 0:
        last = errors.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise PairingFailed(f"the pairing process ended with {code}: {last}")
    found = []
    for request, answer in zip(requests, json.loads(out), strict=True):
        if "none" in answer:
            raise NoPairing(f"round {request.round}: {answer['none']}")
        pairs = tuple((first, second) for first, second in answer["pairs"])
        paired = Paired(pairs, answer["bye"])
        check_paired(request, paired)
        found.append(paired)
    return found
