"""The files that an accepted move enters are those that docs/architecture.md names."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from bot.app.periodic import PeriodicWork
from bot.health import LoopWatch
from bot.ui.interaction import handler
from tests.hosted import hosted, start_quax

_ROOT = Path(__file__).parents[2]
_BOT = f"{_ROOT / 'bot'}/"
_PAGE = _ROOT / "docs" / "architecture.md"
_BOUND = 65
"""So many files are still a story; more are a reason to look for what only passes on."""


class Entered:
    """Files of ``bot/`` in the order in which something in them was called first."""

    def __init__(self) -> None:
        self.is_on = False
        self.files: dict[str, None] = {}

    def __call__(self, frame: FrameType, event: str, _arg: Any) -> None:
        if self.is_on and event == "call" and frame.f_code.co_filename.startswith(_BOT):
            self.files.setdefault(frame.f_code.co_filename.removeprefix(_BOT))


@contextmanager
def _entered() -> Iterator[Entered]:
    """Watch this thread and all that begin from now on."""
    found, before = Entered(), sys.getprofile()
    threading.setprofile(found)
    sys.setprofile(found)
    try:
        yield found
    finally:
        sys.setprofile(before)
        threading.setprofile(None)


async def _nothing(_watch: LoopWatch) -> None:
    """Nothing that happens every second is a part of a move."""


def _named() -> list[str]:
    """The files that the page names, in its order."""
    page = _PAGE.read_text(encoding="utf-8")
    part = page.partition("### The files of a move")[2].partition("\n## ")[0]
    found = []
    for row in re.findall(r"^\| .* \| (`.*`) \|$", part, flags=re.MULTILINE):
        folder = ""
        for name in re.findall(r"`([^`]+)`", row):
            folder = name.rpartition("/")[0] if "/" in name else folder
            found.append(name if "/" in name else f"{folder}/{name}".removeprefix("/"))
    return found


async def test_the_page_names_the_files_of_an_accepted_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PeriodicWork, "start", lambda _: [])
    monkeypatch.setattr(LoopWatch, "run", _nothing)
    monkeypatch.setattr(handler, "_A_MOMENT", 60.0)  # on a busy machine no answer is owed
    with _entered() as entered:
        async with hosted(tmp_path, clock="3d") as table:
            game = await start_quax(table)
            for person, move in ((game.black, "a1"), (game.white, "b2"), (game.black, "c3")):
                await game.say(person, move)
                await table.settled()
            command = await game.white.command("move", game.home)
            entered.is_on = True
            await game.white.run(command, "move", game.home, move="d4")
            await game.black.wait_message(lambda told: "played d4" in str(told["content"]))
            await table.settled()
            assert table.bot is not None
            await table.bot.services.background.drain(5)
            entered.is_on = False
    named = _named()
    assert sorted(named) == sorted(set(named)), "a file is named twice"
    assert set(entered.files) - set(named) == set(), "the page does not name these"
    assert set(named) - set(entered.files) == set(), "no move enters these any longer"
    assert len(named) <= _BOUND
