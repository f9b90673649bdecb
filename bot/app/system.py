"""Optional features that this system lacks."""

from __future__ import annotations

import os
from importlib.util import find_spec

_MODULES = {
    "uvloop": "the faster event loop",
    "isal": "faster pictures",
    "resource": "a limit on the memory of computer opponents",
}


def missing_parts() -> list[str]:
    """The missing features, in words for the host; Linux has all of them."""
    found = [words for module, words in _MODULES.items() if not _is_there(module)]
    if not hasattr(os, "SCHED_IDLE"):
        found.append("computer opponents that think only where the processor is idle")
    return found


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:  # blocked from import
        return False
