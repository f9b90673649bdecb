"""Commands in sentences become mentions; everything that only looks like one stays as it is."""

from __future__ import annotations

import re
from inspect import signature
from pathlib import Path

import pytest

from bot.ui.interaction.context import CommandMentions
from bot.ui.interaction.slash import COMMANDS


@pytest.fixture
def mentions() -> CommandMentions:
    found = CommandMentions()
    found.learn({"play": 1, "move": 2, "match move-here": 3, "settings": 4, "privacy export": 5})
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**/play** offers a match.", "</play:1> offers a match."),
        ("**/settings** sets your notices", "</settings:4> sets your notices"),
        ("With /play you can offer one.", "With </play:1> you can offer one."),
        ("Use /privacy export first.", "Use </privacy export:5> first."),
        ("(/play)", "(</play:1>)"),
        ("/move, or /match move-here", "</move:2>, or </match move-here:3>"),
        ("**/move**で指す", "</move:2>で指す"),
    ],
)
def test_a_command_becomes_a_mention(mentions: CommandMentions, text: str, expected: str) -> None:
    assert mentions.put_into(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "**/other** is none of ours",
        "/other is none of ours",
        "**/match** alone begins nothing",
        "https://example.org/play and a/play",
        "`/play game:Quax`",
        "</play:1> is one already",
        "1/2, and/or",
    ],
)
def test_what_is_no_command_of_ours_stays(mentions: CommandMentions, text: str) -> None:
    assert mentions.put_into(text) == text


def test_without_ids_nothing_is_put_in() -> None:
    assert CommandMentions().put_into("**/play**, /move") == "**/play**, /move"


_ROOT = Path(__file__).parents[2]
_NO_COMMANDS = {"health", "metrics"}
"""Paths of the little page for hosts."""
_TYPED = {"move", "moves", "line", "lines"}
"""Fields whose text the documents write behind a command without the name of the field."""


@pytest.mark.parametrize(
    "path", [_ROOT / "README.md", *sorted(_ROOT.glob("docs/**/*.md"))], ids=lambda each: each.name
)
def test_every_command_in_the_documents_is_there_with_its_fields(path: Path) -> None:
    groups = {group for group, _ in COMMANDS if group}
    for written in re.findall(r"`/([a-z][^`]*)`", path.read_text(encoding="utf-8")):
        name, *rest = written.split()
        if name in _NO_COMMANDS or "/" in name:
            continue
        group = ""
        if name in groups:
            if not rest:
                continue
            group, name, rest = name, rest[0], rest[1:]
        assert (group, name) in COMMANDS, written
        fields = set(signature(COMMANDS[group, name].handler).parameters)
        named = {each.partition(":")[0] for each in rest if ":" in each}
        assert named <= fields, written
        assert named or not rest or fields & _TYPED, written
