"""How much of what Parlour sends one server may have, so that no server keeps others waiting.

Discord limits how many requests a bot makes, and the outbox sends to a few places at a time. A
server that has had its share of a minute waits for the next messages until a place is free, in the
order in which it asked; the others go on. What waits so costs no player time
(:mod:`bot.domain.unreached`).
"""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.domain.ids import GuildId
from bot.services.ports import Clock

CROWDED = "crowded"
"""The trouble of a message that waits because its server has had its share."""
_MINUTE = timedelta(minutes=1)
_SWEEP = 4096


class ServerShares:
    """At most ``a_minute`` messages in any minute for each server, all at once or spread.

    Each message has a ``ticket``, the same however often it is tried. One that has to wait is
    promised a time, and whatever is asked for later comes after it.
    """

    def __init__(self, clock: Clock, a_minute: int = 60) -> None:
        self._clock = clock
        self._gap = _MINUTE / a_minute
        self._paid_until: dict[GuildId, datetime] = {}
        self._line: dict[GuildId, datetime] = {}
        self._promised: dict[tuple[GuildId, str], datetime] = {}

    def take(self, guild_id: GuildId | None, ticket: str) -> datetime | None:
        """Count a message that is sent now; when to try again if it is not to be sent now.

        In direct messages nothing is counted.
        """
        if guild_id is None:
            return None
        now, key = self._clock.now(), (guild_id, ticket)
        promised = self._promised.get(key)
        if promised is not None and promised > now:
            return promised
        free = self._free_at(guild_id, now)
        end = now if promised is not None else self._line.get(guild_id, now)
        if free <= now and end <= now:
            self._promised.pop(key, None)
            paid = max(self._paid_until.get(guild_id, now), now)
            self._paid_until[guild_id] = paid + self._gap
            if len(self._paid_until) > _SWEEP or len(self._promised) > _SWEEP:
                self._sweep(now)
            return None
        due = max(free, self._line.get(guild_id, now) + self._gap)
        self._line[guild_id] = self._promised[key] = due
        return due

    def is_used_up(self, guild_id: GuildId | None) -> bool:
        """Whether the next message of a server would have to wait."""
        if guild_id is None:
            return False
        now = self._clock.now()
        return max(self._free_at(guild_id, now), self._line.get(guild_id, now)) > now

    def _free_at(self, guild_id: GuildId, now: datetime) -> datetime:
        """When the next message of a server may be sent."""
        return self._paid_until.get(guild_id, now) + self._gap - _MINUTE

    def _sweep(self, now: datetime) -> None:
        """Forget the servers that have their whole share again, and what was never asked again."""
        self._paid_until = {each: at for each, at in self._paid_until.items() if at > now}
        self._line = {each: at for each, at in self._line.items() if at > now}
        late = now - _MINUTE
        self._promised = {each: at for each, at in self._promised.items() if at > late}
