"""Threads beside the event loop."""

from __future__ import annotations

import contextlib
import os
import sys


def give_way() -> None:
    """Never have the calling thread interrupt another one by waking up; for pools as initializer.

    A thread that is handed work wakes up in the middle of what the event loop is doing, is given
    the processor, and finds that it has to wait for the interpreter's lock, which the event loop
    holds. On Linux one can ask not to be given it (``SCHED_BATCH``, man 7 sched), so that the loop
    goes on to where it waits. The price: where other processes want the processor too, the thread
    may sit on that lock some milliseconds longer. Elsewhere nothing happens.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # The host does not let us: it works as well without.
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
