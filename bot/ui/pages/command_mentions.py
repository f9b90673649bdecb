"""Names of commands in sentences, as something to press.

Discord shows a mention of a command (``</play:123>``) as a button that begins the command, whatever
the command is called in the reader's language; a bare name is only words, and those in English.

Documentation: https://docs.discord.com/developers/reference, "Message Formatting"
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from discord import app_commands

_COMMAND = re.compile(r"\*\*/([a-z -]+)\*\*|(?<![\w/<`:*])/([a-z][a-z-]*)(?: ([a-z][a-z-]*))?")
"""A bold path, or a bare one, which may be followed by any word."""


def paths(commands: Iterable[app_commands.AppCommand]) -> dict[str, int]:
    """The id behind each thing that can be begun: ``play``, ``match resign``."""
    found: dict[str, int] = {}
    for command in commands:
        groups = [
            option for option in command.options if isinstance(option, app_commands.AppCommandGroup)
        ]
        for name in [f"{command.name} {group.name}" for group in groups] or [command.name]:
            found[name] = command.id
    return found


class CommandMentions:
    """Knows by which ids Discord knows our commands."""

    def __init__(self) -> None:
        self._ids: Mapping[str, int] = {}

    def learn(self, ids: Mapping[str, int]) -> None:
        """Take the ids of all commands by their paths, as :func:`paths` gives them."""
        self._ids = ids

    def put_into(self, text: str) -> str:
        """The text with a mention in place of each command in it, bold or not."""
        return _COMMAND.sub(self._mention, text) if "/" in text else text

    def _mention(self, found: re.Match[str]) -> str:
        bold, name, word = found.groups()
        for path, rest in ((bold, ""), (f"{name} {word}", ""), (name, f" {word}" if word else "")):
            if path in self._ids:
                return f"</{path}:{self._ids[path]}>{rest}"
        return found[0]
