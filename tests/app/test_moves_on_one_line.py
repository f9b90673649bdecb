"""No line of a message ends inside a move, and a move that is copied from one can be typed."""

from __future__ import annotations

import pytest

from bot.ui import rest
from bot.ui.pages.components import container, text
from playground.world.controls import walk

JOINER = "\N{WORD JOINER}"


@pytest.mark.parametrize(
    ("said", "sent"),
    [
        ("f4-f6", f"f4-{JOINER}f6"),
        ("**a10-b11** and d2-c3-b4", f"**a10-{JOINER}b11** and d2-{JOINER}c3-{JOINER}b4"),
        (f"f4-{JOINER}f6", f"f4-{JOINER}f6"),
        ("c2,c1d2-c3", f"c2,c1d2-{JOINER}c3"),
        ("`f4-f6`", f"`f4-{JOINER}f6`"),
        ("```\nf4-f6\n```", "```\nf4-f6\n```"),
        ("https://example.org/f4-f6 f4-f6", f"https://example.org/f4-f6 f4-{JOINER}f6"),
        ("着手しました。 次は /play。 · 終わり", "着手しました。次は /play。 · 終わり"),
        ("10-15, Jean-Luc, 2026-11-27, -f6", "10-15, Jean-Luc, 2026-11-27, -f6"),
    ],
)
def test_a_message_joins_the_places_of_a_move_and_wide_sentences(said: str, sent: str) -> None:
    payload = rest.message(content=said).payload
    assert payload is not None
    assert payload["content"] == sent
    page = rest.message(components=[container(text(said))]).payload
    assert page is not None
    assert [each.get("content") for each in walk(page["components"])] == [None, sent]
