"""Telling Discord the slash commands, only when they have changed."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from bot.logs import logger
from bot.ui.commands import translation
from bot.ui.commands.tree import Tree
from bot.ui.pages.command_mentions import CommandMentions, paths

_log = logger(__name__)


async def sync_commands(
    tree: Tree,
    application_id: int | None,
    mentions: CommandMentions,
    note: Path,
    *,
    only_if_changed: bool = True,
) -> bool:
    """Tell Discord the commands; whether it had to be told. The tree's client must be logged in.

    What Discord was told last stands in the file ``note``.
    """
    now = {
        "application": str(application_id),
        "commands": await translation.fingerprint(tree),
    }
    found = await asyncio.to_thread(_read, note)
    if only_if_changed and found is not None and now.items() <= found.items():
        mentions.learn(found["ids"])
        return False
    ids = paths(await tree.sync())
    mentions.learn(ids)
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
    part = note.with_suffix(".part")
    part.write_text(json.dumps(content), encoding="utf-8")
    part.replace(note)  # never half a note, be it after a crash or for one who reads it now
