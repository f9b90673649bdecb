"""``parlour doctor``: checks that the bot has all it needs, and says how to fix the rest."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.app.doctor import discord_checks, host_checks
from bot.app.doctor.host_checks import Finding
from bot.app.starting import failure_of
from bot.settings import Settings


async def examine(settings: Settings) -> list[Finding]:
    """Run all checks; a failure of one does not hide another."""
    looks: tuple[tuple[str, Callable[[Settings], Awaitable[list[Finding]]]], ...] = (
        ("versions", host_checks.versions),
        ("settings", host_checks.setting_names),
        ("data folder", host_checks.folder),
        ("database", host_checks.database),
        ("matches", host_checks.matches),
        ("games", host_checks.games),
        ("pictures", host_checks.pictures),
        ("Discord", discord_checks.discord_itself),
    )
    found: list[Finding] = []
    for about, look in looks:
        try:
            found += await look(settings)
        except Exception as error:
            failure = failure_of(error)
            words = f"the check itself failed: {error!r}" if failure is None else failure.words
            found.append(Finding(about, False, words))
    return found
