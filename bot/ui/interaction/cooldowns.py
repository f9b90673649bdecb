"""How much one person may ask for."""

from __future__ import annotations

import time

from discord.ext.commands import CooldownMapping

from bot.domain.ids import UserId

Cooldowns = CooldownMapping[UserId]


def cooldowns(rate: float, burst: int) -> Cooldowns:
    """For each person ``burst`` acts in as many seconds as they take at ``rate`` a second."""
    return Cooldowns.from_cooldown(burst, burst / rate, lambda user_id: user_id)


def take(cooldowns: Cooldowns, user_id: UserId) -> bool:
    """Whether this act is within the limit; it counts either way."""
    return cooldowns.update_rate_limit(user_id, time.monotonic()) is None
