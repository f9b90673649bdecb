"""Names that try to break what is around them: newlines, turned text, marks on marks, markdown."""

from __future__ import annotations

import unicodedata

from playground.world.controls import walk
from tests.support.hosted import Hosted, begun, first_board

_NAMES = ("A\u202enna\n\n# big", "B\u0301\u0302\u0303\u0304\u0305\u0306en\u200b\u2066 @everyone")


def _is_plain(text: str) -> bool:
    """One line, without signs that turn or hide text, or more than three marks on a letter."""
    marks = 0
    for char in unicodedata.normalize("NFD", text):
        marks = marks + 1 if unicodedata.category(char) == "Mn" else 0
        if marks > 3 or unicodedata.category(char) in {"Cc", "Cf", "Zl", "Zp"}:
            return False
    return True


async def test_no_name_breaks_thread_list_picture_or_words(table: Hosted) -> None:
    state = table.playground.world.state
    anna, ben = await table.join("Anna"), await table.join("Ben")
    guild = int(anna.guild["id"])
    for person, name in zip((anna, ben), _NAMES, strict=True):
        state.members[guild, person.id].nick = name
    channel = anna.channel("general")
    await begun(table, anna, ben, channel, options="size 5")
    board = await first_board(anna)
    thread = state.channel(int(board["channel_id"])).name
    assert thread.startswith("Quax · Anna # big – B")
    assert len(thread) <= 100
    assert _is_plain(thread)
    described = [each["description"] for each in _pictures(board)]
    assert described
    games = await anna.ask("matches", channel)
    menu = next(each for each in walk(games["components"]) if each["type"] == 3)
    labels = [option["label"] for option in menu["options"]]
    assert len(labels) == 1
    for text in (*described[0].split("\n"), *labels):
        assert _is_plain(text), text
    assert "Anna # big" in described[0].replace("\n", "|")


def _pictures(message: dict[str, object]) -> list[dict[str, str]]:
    return [
        item
        for each in walk(message["components"])  # type: ignore[arg-type]
        for item in each.get("items", ())
    ]
