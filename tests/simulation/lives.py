"""People: when they sleep, how fast they answer, how they want to be told."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

from bot.domain.preferences import NoticeWay, Preferences
from bot.domain.quiet_hours import QuietHours

_ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "Asia/Tokyo",
    "Australia/Lord_Howe",
    "America/Sao_Paulo",
    "Asia/Kolkata",
    "UTC",
)
_WAYS = (*(NoticeWay.MENTION,) * 5, *(NoticeWay.DIRECT,) * 3, NoticeWay.DIGEST, NoticeWay.NOTHING)
_QUIET = (None, (22, 7), (23, 8), (0, 6), (9, 17), (13, 14))
_REMINDERS = ((12,), (48, 24, 3), (72, 12), (), (24, 6))


@dataclass(frozen=True)
class Life:
    """One of the players. Hours are of their own day; ``pace`` is hours until they answer."""

    user: int
    zone: str
    wakes: int
    sleeps: int
    pace: float
    free_weekends: bool
    away: tuple[datetime, datetime] | None
    forgets: float
    chosen: Preferences
    takes_direct: bool

    @classmethod
    def draw(cls, user: int, rng: Random, start: datetime, days: float) -> Life:
        zone = rng.choice(_ZONES)
        quiet = rng.choice(_QUIET)
        away = None
        if rng.random() < 0.2:
            vacations = start + timedelta(days=rng.uniform(0, days))
            away = (vacations, vacations + timedelta(days=rng.uniform(1, 6)))
        chosen = Preferences(
            way=rng.choice(_WAYS),
            quiet=None if quiet is None else QuietHours(*quiet),
            zone=zone,
            reminders=rng.choice(_REMINDERS),
            digest_hour=rng.randrange(24),
        )
        return cls(
            user,
            zone,
            rng.randrange(5, 10),
            rng.randrange(20, 24),
            rng.choice((0.2, 1.0, 4.0, 10.0)),
            rng.random() < 0.3,
            away,
            0.2 if rng.random() < 0.25 else 0.005,
            chosen,
            rng.random() < 0.75,
        )

    def is_quiet(self, at: datetime) -> bool:
        """Whether they are to be told nothing."""
        quiet = self.chosen.quiet
        if quiet is None:
            return False
        hour = at.astimezone(ZoneInfo(self.zone)).hour
        if quiet.begin < quiet.end:
            return quiet.begin <= hour < quiet.end
        return hour >= quiet.begin or hour < quiet.end

    def is_there(self, at: datetime) -> bool:
        """Whether they are awake and look at Discord."""
        local = at.astimezone(ZoneInfo(self.zone))
        if self.away is not None and self.away[0] <= at < self.away[1]:
            return False
        if self.free_weekends and local.weekday() >= 5:
            return False
        return self.wakes <= local.hour < self.sleeps

    def acts_at(self, at: datetime, rng: Random) -> datetime:
        """When they get to something that came up at an instant."""
        when = at + timedelta(seconds=20 + rng.expovariate(1 / (self.pace * 3600)))
        while not self.is_there(when):
            when += timedelta(minutes=rng.randrange(20, 40), seconds=rng.randrange(60))
        return when
