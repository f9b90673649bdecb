"""Points at which a test may kill the process, to check that nothing is lost.

``PARLOUR_FAILPOINT=c4`` kills the process with SIGKILL the first time it reaches ``c4``;
``PARLOUR_FAILPOINT=c4:3`` the third time. Without the variable :func:`hit` does nothing.

=======  ======================================================================
``c1``   an interaction has been received
``c2``   before it is deferred
``c3``   deferred, before the transaction begins
``c4``   the event is written, before the commit
``c5``   committed, before the outbox wakes
``c6``   while the picture is drawn
``c7``   the picture is uploaded, the response not yet read
``c8``   the message exists, its id is not yet stored
``c9``   the old board still has its buttons
``c10``  the notice is sent, not yet marked as sent
``c12``  a migration is half done
``c13``  a backup is half written
``c14``  no longer accepting, not yet stopped
``c15``  everything is copied to another database, before the commit
``c16``  after that, before the old one is left
=======  ======================================================================
"""

from __future__ import annotations

import os
import signal

_name, _, _count = os.environ.get("PARLOUR_FAILPOINT", "").partition(":")
_left = int(_count or 1)


def hit(name: str) -> None:
    """Kill the process here if this is the requested point."""
    global _left  # noqa: PLW0603 - counts down once a process, by design
    if name != _name:
        return
    _left -= 1
    if _left <= 0:
        os.kill(os.getpid(), signal.SIGKILL)
