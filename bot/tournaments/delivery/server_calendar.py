"""A tournament in the server's own list of scheduled events, kept in step with it.

Each entry names its tournament, so nothing is stored. Without the permission Create Events there
are no entries, and everything else works.

Discord accepts no start in the past, no other times for an entry that is under way, and starts and
ends entries by itself at their times. So the cached state of an entry is valid until its next time;
after that Discord is asked for its status.

Documentation: https://docs.discord.com/developers/resources/guild-scheduled-event
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any, cast

import discord
from cachetools import LRUCache

from bot.domain.ids import TournamentId
from bot.i18n import Language
from bot.logs import logger
from bot.posts.sending import Gone, Refused, Retry
from bot.tournaments.domain.tournament import TournamentStatus
from bot.tournaments.services.views import EventView
from bot.tournaments.ui import setup_words
from bot.ui.delivery.poster import Json, RestCalls
from bot.ui.pages.display_names import clean

_log = logger(__name__)

_ELSEWHERE, _MEMBERS_ONLY = 3, 2
_SCHEDULED, _ACTIVE, _COMPLETED, _CANCELLED = 1, 2, 3, 4
_REMEMBERED = 2000
_NOBODY = 0
_START, _END = "scheduled_start_time", "scheduled_end_time"


class ServerCalendar:
    """Makes and changes entries through a connected client."""

    def __init__(
        self, client: discord.Client, calls: RestCalls, now: Callable[[], datetime]
    ) -> None:
        self._client = client
        self._calls = calls
        self._now = now
        self._known: LRUCache[TournamentId, tuple[int, Json]] = LRUCache(_REMEMBERED)
        """The entry of each tournament and its content, 0 for none."""

    async def keep(self, view: EventView, language: Language) -> None:
        """Update the entry of a tournament; troubles are logged, not raised."""
        t = view.tournament
        if not self._may(view):
            return
        wanted = _entry(view, language)
        try:
            known = self._known.get(t.id)
            if known is None or _may_have_moved(known[1], self._now()):
                known = await self._found(view)
            number, said = known
            is_to_come = t.status in (TournamentStatus.REGISTRATION, TournamentStatus.CLOSED)
            if number == _NOBODY and is_to_come and t.begins > self._now():
                create = self._client.http.create_guild_scheduled_event
                made = {**wanted, "entity_type": _ELSEWHERE, "privacy_level": _MEMBERS_ONLY}
                ask: Any = partial(create, view.home.guild_id, reason=None, **made)
                number = int((await self._calls.ask(ask))["id"])
                said = {**wanted, "status": _SCHEDULED}
            elif number != _NOBODY:
                said = await self._change(view, number, said, wanted)
            self._known[t.id] = number, said
        except (Gone, Refused, Retry) as trouble:
            self._known.pop(t.id, None)
            _log.info("a scheduled event is not up to date", error=type(trouble).__name__)

    def _may(self, view: EventView) -> bool:
        guild = self._client.get_guild(view.home.guild_id)
        if guild is None or guild.me is None:
            return False
        may = guild.me.guild_permissions
        return may.create_events or may.manage_events

    async def _found(self, view: EventView) -> tuple[int, Json]:
        """The entry that an earlier process made."""
        asked = self._client.http.get_scheduled_events
        look = partial(asked, view.home.guild_id, with_user_count=False)
        for each in cast(list[Json], await self._calls.ask(look)):
            is_its_own = str(each.get("description") or "").endswith(_mark(view))
            if is_its_own and int(each["status"]) not in (_COMPLETED, _CANCELLED):
                return int(each["id"]), _said(each)
        return _NOBODY, {}

    async def _change(self, view: EventView, number: int, said: Json, wanted: Json) -> Json:
        """Update an entry: its words before the start, then only its status."""
        status = said.get("status", _SCHEDULED)
        aim = _status(view.tournament.status, status)
        changes: Json = {}
        if status == _SCHEDULED and aim == _SCHEDULED:
            changes = {key: value for key, value in wanted.items() if said.get(key) != value}
            if view.tournament.begins <= self._now():
                changes.pop(_START, None)
        steps = [{"status": step} for step in _steps(status, aim)]
        edit, guild_id = self._client.http.edit_scheduled_event, view.home.guild_id
        for each in (*([changes] if changes else []), *steps):
            await self._calls.ask(partial(edit, guild_id, number, reason=None, **each))
        return {**said, **(wanted if aim == _SCHEDULED else {}), "status": aim}


def _mark(view: EventView) -> str:
    """The end of an entry, which identifies its tournament."""
    return f"· {view.tournament.id}"


def _entry(view: EventView, language: Language) -> Json:
    """The content of the entry of a tournament before its start."""
    t = view.tournament
    place = f"https://discord.com/channels/{view.home.guild_id}/{view.home.channel_id}"
    lines = [
        setup_words.terms(t.setup, language).replace("**", ""),
        language.say(
            "Registration, boards and results: {place}", place=f"<#{view.home.channel_id}>"
        ),
        _mark(view),
    ]
    return {
        "name": clean(t.setup.name, longest=90),
        "description": "\n".join(lines),
        _START: _iso(t.begins),
        _END: _iso(t.finish),
        "entity_metadata": {"location": place},
    }


def _said(entry: Json) -> Json:
    """The content of an entry, in the form of :func:`_entry`, and its status."""
    times = {
        key: _iso(datetime.fromisoformat(str(entry[key])).astimezone(UTC))
        for key in (_START, _END)
        if entry.get(key)
    }
    return {
        "name": entry.get("name"),
        "description": entry.get("description"),
        "entity_metadata": entry.get("entity_metadata"),
        "status": int(entry["status"]),
        **times,
    }


def _may_have_moved(said: Json, now: datetime) -> bool:
    """Whether Discord may have started or ended an entry since it was like this."""
    key = {_SCHEDULED: _START, _ACTIVE: _END}.get(said.get("status", 0))
    at = None if key is None else said.get(key)
    return at is not None and datetime.fromisoformat(at) <= now


def _iso(at: datetime) -> str:
    return at.replace(microsecond=0).isoformat()


def _status(status: TournamentStatus, before: int) -> int:
    """The right status of an entry."""
    ended = _CANCELLED if before == _SCHEDULED else _COMPLETED
    return {
        TournamentStatus.RUNNING: _ACTIVE,
        TournamentStatus.FINISHED: _COMPLETED,
        TournamentStatus.CANCELLED: ended,
    }.get(status, before)


def _steps(before: int, aim: int) -> tuple[int, ...]:
    """The changes of status from one to the other that Discord allows: one after another."""
    if before == aim or before in (_COMPLETED, _CANCELLED):
        return ()
    if before == _SCHEDULED and aim == _COMPLETED:
        return (_ACTIVE, _COMPLETED)
    return (aim,)
