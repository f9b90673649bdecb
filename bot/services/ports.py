"""What services need of Discord beside messages, and what they say where others were faster."""

from __future__ import annotations

from typing import Protocol

from bot.domain.ids import GuildId, UserId
from bot.errors import UserError


def contended() -> UserError:
    """What a person is told when others were faster time and again."""
    return UserError("store_unavailable", reason="contended")


class Membership(Protocol):
    """Knows who is a member of a server."""

    async def is_member(self, guild_id: GuildId, user_id: UserId) -> bool | None:
        """Whether they are; None if that is not to be had now."""
        ...
