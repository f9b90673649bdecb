"""Registers the slash commands with Discord, in every language, when they have changed.

Discord shows localised names and sends the English ones, so nothing else of the bot uses them.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import discord
from discord import app_commands

from bot.durable import write_whole
from bot.i18n import COMMAND_NAME, OPTION_NAME, Languages
from bot.logs import logger
from bot.ui.interaction.context import CommandMentions, paths
from bot.ui.interaction.handler import InteractionHandler
from bot.ui.interaction.slash import Tree, build
from games.view import Text

_NAME = re.compile(r"[-\w]{1,32}")
_LONGEST = 32
"""Characters of the name of a menu's entry."""
_Spot = app_commands.TranslationContextLocation
_CONTEXTS = {
    _Spot.command_name: COMMAND_NAME,
    _Spot.group_name: COMMAND_NAME,
    _Spot.parameter_name: OPTION_NAME,
}


def is_name(word: str) -> bool:
    """Whether Discord takes a word for a command or an option: small letters, digits, - and _.

    https://docs.discord.com/developers/interactions/application-commands, "Naming"
    """
    return _NAME.fullmatch(word) is not None and word == word.lower()


class CatalogueTranslator(app_commands.Translator):
    """Translates names and descriptions of commands by our catalogues.

    Choices are translated only if :func:`bot.ui.interaction.slash.said` made them; games have one
    name everywhere.
    """

    def __init__(self, languages: Languages) -> None:
        self._languages = {each: languages.nearest(each.value) for each in discord.Locale}
        self.stamp = languages.stamp()

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The text in that language, None where there is none that Discord would take."""
        language = self._languages[locale]
        if language is None or language.locale == "en":
            return None
        if string.extras.get("sentence"):
            said = language(Text.of(string.message))
            is_too_long = context.location is _Spot.command_name and len(said) > _LONGEST
            return None if is_too_long else said
        place = _CONTEXTS.get(context.location)
        if place is None:
            return None
        name = language.name(place, string.message)
        return name if is_name(name) else None


async def fingerprint(tree: Tree, owner_server: int | None = None) -> str:
    """A digest of all commands and their translations; Discord is told when it changes."""
    commands = tree.get_commands()
    if owner_server is not None:
        commands += tree.get_commands(guild=discord.Object(owner_server))
    payload = [command.to_dict(tree) for command in commands]
    text = json.dumps(payload, sort_keys=True, ensure_ascii=True, default=str)
    translator = tree.translator
    if isinstance(translator, CatalogueTranslator):
        text += translator.stamp
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def names() -> Iterator[tuple[str, str]]:
    """Context and English name of every command, sub-command and option, in their order."""
    client = discord.Client(intents=discord.Intents.none())
    tree = Tree(client)
    # No command is run here, so no services have to be there.
    build(tree, InteractionHandler.__new__(InteractionHandler), owner_server=1)
    for command in (*tree.get_commands(), *tree.get_commands(guild=discord.Object(1))):
        if isinstance(command, app_commands.Command | app_commands.Group):
            yield from _names(command)


def names_for_babel(
    *_: object, **__: object
) -> Iterator[tuple[int, str, tuple[str, str], list[str]]]:
    """The same as a Babel extractor gives it: line, function, arguments, comments."""
    for context, name in names():
        yield 0, "pgettext", (context, name), []


def _names(
    command: app_commands.Command[Any, ..., Any] | app_commands.Group,
) -> Iterator[tuple[str, str]]:
    yield COMMAND_NAME, command.name
    if isinstance(command, app_commands.Group):
        for child in command.commands:
            yield from _names(child)
    else:
        for option in command.parameters:
            yield OPTION_NAME, option.name


# ---- only when they have changed -----------------------------------------------------------------

_log = logger(__name__)


async def sync_commands(
    tree: Tree,
    application_id: int | None,
    mentions: CommandMentions,
    note: Path,
    *,
    only_if_changed: bool = True,
    owner_server: int | None = None,
) -> bool:
    """Register the commands with Discord; whether that was needed. The client must be logged in.

    The file ``note`` has what was registered last. A server that was the owner's before is updated,
    too.
    """
    now: dict[str, Any] = {
        "application": str(application_id),
        "commands": await fingerprint(tree, owner_server),
        "owner_server": owner_server,
    }
    found = await asyncio.to_thread(_read, note)
    if only_if_changed and found is not None and now.items() <= found.items():
        mentions.learn(found["ids"])
        return False
    ids = paths(await tree.sync())
    mentions.learn(ids)
    before = None if found is None else found.get("owner_server")
    for server in dict.fromkeys(each for each in (before, owner_server) if each is not None):
        try:
            await tree.sync(guild=discord.Object(server))
        except discord.Forbidden:
            _log.warning("the owner's commands cannot be in a server without Parlour", id=server)
            now["owner_server"] = None  # It is told at the next start, if Parlour is there then.
    await asyncio.to_thread(_write, note, {**now, "ids": ids})
    _log.info("Discord knows the commands")
    return True


def _read(note: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(note.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and isinstance(found.get("ids"), dict) else None


def _write(note: Path, content: dict[str, Any]) -> None:
    note.parent.mkdir(parents=True, exist_ok=True)
    write_whole(note, json.dumps(content))
