"""The entry of a tournament in the server's calendar, against Discord's rules for entries."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

from bot.i18n import Languages
from bot.tournaments.delivery.server_calendar import ServerCalendar
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import Tournament, TournamentStatus
from bot.ui.delivery.poster import RestCalls
from tests.tournaments.events_made import Event
from tests.tournaments.views import setup_of, view_of

_LANGUAGE = Languages().known()["en"]
_NOW = datetime(2030, 1, 1, 12, tzinfo=UTC)


class Discord:
    """Keeps one entry, starts and ends it at its times, and refuses what Discord refuses."""

    def __init__(self) -> None:
        self.now = _NOW
        self.entry: dict[str, Any] | None = None
        self.refused: list[dict[str, Any]] = []
        self.edits: list[dict[str, Any]] = []

    def _move(self) -> None:
        if self.entry is None:
            return
        if self.entry["status"] == 1 and self._at("start") <= self.now:
            self.entry["status"] = 2
        if self.entry["status"] == 2 and self._at("end") <= self.now:
            self.entry["status"] = 3

    def _at(self, which: str) -> datetime:
        assert self.entry is not None
        return datetime.fromisoformat(self.entry[f"scheduled_{which}_time"])

    async def get_scheduled_events(self, _guild: int, **_: Any) -> list[dict[str, Any]]:
        self._move()
        return [] if self.entry is None or self.entry["status"] > 2 else [dict(self.entry)]

    async def create_guild_scheduled_event(self, _guild: int, **made: Any) -> dict[str, Any]:
        self._judge(made)
        self.entry = {**made, "id": "7", "status": 1}
        return self.entry

    async def edit_scheduled_event(self, _guild: int, _id: int, **changes: Any) -> None:
        self._move()
        changes.pop("reason")
        assert self.entry is not None
        self._judge(changes)
        if self.entry["status"] != 1 and "scheduled_start_time" in changes:
            self.refused.append(changes)
        steps = {1: (1, 2, 4), 2: (2, 3)}.get(self.entry["status"], ())
        if "status" in changes and changes["status"] not in steps:
            self.refused.append(changes)
        self.edits.append(changes)
        self.entry.update(changes)

    def _judge(self, body: dict[str, Any]) -> None:
        start = body.get("scheduled_start_time")
        if start is not None and datetime.fromisoformat(start) <= self.now:
            self.refused.append(body)


def _tournament() -> Tournament:
    t = Event(setup_of(FormatKey.SWISS)).t
    return replace(t, begins=_NOW + timedelta(hours=1), finish=_NOW + timedelta(hours=5))


def _calendar(discord: Discord, *, may_create: bool = True) -> ServerCalendar:
    may = SimpleNamespace(create_events=may_create, manage_events=False)
    guild = SimpleNamespace(me=SimpleNamespace(guild_permissions=may))
    client: Any = SimpleNamespace(http=discord, get_guild=lambda _id: guild)
    return ServerCalendar(client, RestCalls(), lambda: discord.now)


async def _keep(calendar: ServerCalendar, t: Tournament, **about: Any) -> None:
    await calendar.keep(view_of(replace(t, **about)), _LANGUAGE)


async def test_what_discord_has_started_and_ended_by_itself_is_not_started_again() -> None:
    discord, t = Discord(), _tournament()
    calendar = _calendar(discord)
    await _keep(calendar, t)
    discord.now = t.begins + timedelta(minutes=1)
    await _keep(calendar, t, status=TournamentStatus.CLOSED)
    await _keep(calendar, t, status=TournamentStatus.RUNNING)
    discord.now = t.finish + timedelta(minutes=1)
    await _keep(calendar, t, status=TournamentStatus.FINISHED)
    assert (discord.refused, discord.edits) == ([], [])


async def test_a_start_that_has_passed_is_never_sent() -> None:
    discord, t = Discord(), _tournament()
    discord.now = t.begins + timedelta(minutes=1)
    await _keep(_calendar(discord), t)
    assert (discord.entry, discord.refused) == (None, []), "nothing to come is announced"
    discord.now = _NOW
    await _keep(_calendar(discord), t)
    discord.now = t.begins - timedelta(minutes=10)
    early = discord.now - timedelta(minutes=1)
    await _keep(_calendar(discord), t, begins=early, status=TournamentStatus.CLOSED)
    assert discord.refused == []


async def test_a_new_process_edits_nothing_that_is_said_already() -> None:
    discord, t = Discord(), _tournament()
    await _keep(_calendar(discord), t)
    await _keep(_calendar(discord), t)
    assert discord.edits == []
    later = t.begins + timedelta(minutes=30)
    await _keep(_calendar(discord), t, begins=later)
    assert discord.edits == [{"scheduled_start_time": later.replace(microsecond=0).isoformat()}]


async def test_without_create_events_only_the_servers_entry_is_missing() -> None:
    discord, t = Discord(), _tournament()
    await _keep(_calendar(discord, may_create=False), t)
    assert discord.entry is None
