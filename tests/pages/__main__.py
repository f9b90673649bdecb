"""Write the golden pages again: ``python -m tests.pages``, as ``make pages`` does."""

from __future__ import annotations

import asyncio

from tests.pages.all_pages import ROOMS
from tests.pages.test_pages import GOLDEN, written


def main() -> None:
    """Write a file for each room, and remove files of none."""
    for each in GOLDEN.glob("*.txt"):
        if each.stem not in ROOMS:
            each.unlink()
    for room in ROOMS:
        text = asyncio.run(written(room))
        (GOLDEN / f"{room}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
