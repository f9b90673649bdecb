"""Each page reads as its golden file says; ``make pages`` writes these again, for you to read."""

from __future__ import annotations

from pathlib import Path

import pytest

from games import catalog
from tests.pages.all_pages import ROOMS
from tests.pages.as_text import as_text
from tests.support.own_games import OWN_GAMES

GOLDEN = Path(__file__).with_name("golden")


async def written(room: str) -> str:
    """All pages of a room, one after another, whichever other games are installed."""
    with pytest.MonkeyPatch.context() as installed:
        for known in (catalog.GAMES, catalog.LESSONS):
            for key in set(known) - set(OWN_GAMES):
                installed.delitem(known, key)
        pages = await ROOMS[room]()
    return "\n".join(f"==== {name}\n{as_text(page)}" for name, page in pages.items())


@pytest.mark.parametrize("room", ROOMS)
async def test_each_page_reads_as_it_is_kept(room: str) -> None:
    kept = (GOLDEN / f"{room}.txt").read_text(encoding="utf-8")
    assert await written(room) == kept, "if it should, run `make pages` and read the diff"
