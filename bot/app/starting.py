"""Failures that keep Parlour from starting or going on: in one line what to do, and the exit code.

The codes are those of ``sysexits.h``. A supervisor should start again what ended with
:data:`TRY_AGAIN`, and leave alone what ended with :data:`FOR_A_PERSON`.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
import time
from dataclasses import dataclass
from importlib.util import find_spec

from bot.app.health import PortRefused
from bot.app.playground.child import PlaygroundFailed
from bot.connection.connection import Unmendable
from bot.settings import SettingsWrong
from bot.shutdown import Ended, Shutdown
from bot.store import StoreRefused
from bot.store.errors import StoreUnavailable

STOPPED = 0
"""The owner has stopped it."""
FOR_A_PERSON = 78
"""A restart will not help before a person has acted (EX_CONFIG)."""
TRY_AGAIN = 75
"""The problem may pass by itself (EX_TEMPFAIL)."""

_OF_FILES = frozenset(
    {
        errno.EACCES,
        errno.EPERM,
        errno.EROFS,
        errno.ENOENT,
        errno.ENOTDIR,
        errno.EISDIR,
        errno.EEXIST,
        errno.ENAMETOOLONG,
    }
)


_REASONS = {"full": "its disk is full", "io": "its disk reports an error"}


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure in words for the host, and its exit code."""

    words: str
    code: int


def failure_of(error: Exception) -> Failure | None:
    """The meaning for the host of an exception that ended the program; None for a bug."""
    match error:
        case SettingsWrong() | Unmendable():
            return Failure(str(error), FOR_A_PERSON)
        case Ended(how=Shutdown.RESTART):
            return Failure("Parlour ends, to be started again, as its owner asked.", TRY_AGAIN)
        case Ended():
            return Failure("Parlour ends, as its owner asked.", STOPPED)
        case PlaygroundFailed():
            return Failure(f"The playground did not start: {error}", FOR_A_PERSON)
        case StoreRefused() | PortRefused():
            return Failure(str(error), TRY_AGAIN if error.may_pass else FOR_A_PERSON)
        case StoreUnavailable():
            why = _REASONS.get(error.reason, error.reason)
            return Failure(f"The database cannot be used now: {why}.", TRY_AGAIN)
        case OSError() if error.errno in _OF_FILES and error.filename is not None:
            return Failure(f"{error.filename}: {error.strerror}.", FOR_A_PERSON)
        case OSError():
            return Failure(f"{type(error).__name__}: {error}", TRY_AGAIN)
    return None


class OutputFailed(Exception):
    """The output cannot be written; ``str()`` says why."""


def open_streams() -> None:
    """Make sure that all three standard streams are open.

    Otherwise the next opened file would take the number of a closed one, and output would go into a
    database.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # The lowest number that is free is this one.
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "w" if number else "r", closefd=False))  # noqa: SIM115


def flush_output() -> None:
    """Flush standard output. Raises :exc:`BrokenPipeError` and :exc:`OutputFailed`."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputFailed(error.strerror) from error


def silence_output() -> None:
    """Write nothing more to standard output, not even at the end of the process."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def hold(words: str) -> None:
    """Print a message and stay until told to stop.

    Docker, for example, restarts any process that ends.
    """
    told: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda signum, _: told.append(signum))
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()
    while not told:
        time.sleep(0.5)


_MODULES = {
    "uvloop": "the faster event loop",
    "isal": "faster pictures",
    "resource": "a limit on the memory of computer opponents",
}


def missing_parts() -> list[str]:
    """The parts that this system lacks and Parlour would use, in words for the host."""
    found = [words for module, words in _MODULES.items() if not _is_there(module)]
    if not hasattr(os, "SCHED_IDLE"):
        found.append("computer opponents that think only where the processor is idle")
    return found


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:  # kept from being imported
        return False
