"""The command ``parlour``.

It is separate because Parlour's packages have common names: where another package ``bot`` is found
before ours, no code inside of ours could report it.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

_PACKAGES = ("bot", "engines", "games", "playground", "renderers")
_FOR_A_PERSON = 78
_INTERRUPTED = 130


def main() -> int:
    """Run ``parlour``; returns the exit code."""
    home = Path(__file__).resolve().parent
    for name in _PACKAGES:
        found = find_spec(name)
        where = Path((found and found.origin) or "nowhere").resolve().parent
        if where != home / name:
            sys.stdout.write(
                f"{where} is another package named {name}, which Python finds before Parlour's."
                " Take it out of PYTHONPATH.\n"
            )
            return _FOR_A_PERSON
    try:
        from bot.__main__ import main as run  # noqa: PLC0415 - only now it is known to be ours

        return run()
    except KeyboardInterrupt:  # During loading, which takes seconds at first.
        return _INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
