"""The commands of ``parlour``, a module for each subject.

Each is a coroutine of the parsed arguments and the settings, and returns the exit code.
"""

from __future__ import annotations

import sys

from bot.app.starting import flush_output


def tell(words: str) -> None:
    """Tell the host."""
    sys.stdout.write(words.rstrip() + "\n")
    flush_output()


def counted(n: int, thing: str) -> str:
    """A number with its noun in English: the command line speaks to the host alone."""
    more = "es" if thing.endswith("ch") else "s"
    return f"{n:,} {thing}" if n == 1 else f"{n:,} {thing}{more}"
