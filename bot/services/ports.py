"""What services need of Discord beside messages."""

from __future__ import annotations

from typing import Protocol

from bot.domain.ids import GuildId, UserId


class Membership(Protocol):
    """Knows who is a member of a server."""

    async def is_member(self, guild_id: GuildId, user_id: UserId) -> bool | None:
        """Whether they are; None if that is not to be had now."""
        ...
