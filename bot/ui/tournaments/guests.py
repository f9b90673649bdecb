"""The members of a server that a director's list names, found one by one.

Discord gives lists of members only to bots with the intent for them, which Parlour does without. It
may ask for one member by id, and for those whose user name or name there begins with some letters.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import discord
from discord.http import Route

from bot.domain.ids import GuildId, TournamentId, UserId, is_id
from bot.domain.tournaments.acts import Invite
from bot.domain.tournaments.inviting import Guest, Line
from bot.domain.tournaments.tournament import EntrantStatus, Tournament
from bot.errors import UserError
from bot.ui.rest import FAILURES

_LIKE_IT = 100
"""Members whose names begin like one on the list that are compared with it."""
_KEPT = 50


class Why(Enum):
    """Why nobody is invited for a line of a list."""

    UNKNOWN = "unknown"
    SEVERAL = "several"
    """Several members have that name."""
    BOT = "bot"
    EXCLUDED = "excluded"
    UNANSWERED = "unanswered"
    """Discord does not say."""


@dataclass(frozen=True, slots=True)
class FoundGuests:
    """Who is on a list, and which of its lines name nobody who could be invited, and why."""

    guests: tuple[Guest, ...]
    missing: tuple[tuple[str, Why], ...]


class Lists:
    """The last list of each director while it is to be confirmed; the longest unseen goes first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[UserId, tuple[TournamentId, Invite]] = OrderedDict()

    def keep(self, user_id: UserId, tournament_id: TournamentId, act: Invite) -> None:
        """Remember a list in the place of an earlier one."""
        self._kept.pop(user_id, None)
        self._kept[user_id] = (tournament_id, act)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)

    def of(self, user_id: UserId, tournament_id: str) -> Invite:
        """The list of a person for a tournament. Raises ``list_gone``."""
        kept = self._kept.get(user_id)
        if kept is None or kept[0] != tournament_id:
            raise UserError("list_gone")
        return kept[1]


async def find_guests(
    client: discord.Client, guild_id: GuildId, t: Tournament, lines: Iterable[Line]
) -> FoundGuests:
    """Look for the member that each line means: by id, or by a name that only one has."""
    guests: dict[UserId, Guest] = {}
    missing = []
    for line in lines:
        found = await _member(client, guild_id, line)
        if isinstance(found, Why):
            missing.append((line.name, found))
            continue
        mine = t.entrant_of(found)
        if mine is not None and mine.standing is EntrantStatus.EXCLUDED:
            missing.append((line.name, Why.EXCLUDED))
        else:
            guests.setdefault(found, Guest(found, line.seed, line.rating))
    return FoundGuests(tuple(guests.values()), tuple(missing))


async def _member(client: discord.Client, guild_id: GuildId, line: Line) -> UserId | Why:
    try:
        if line.user_id is not None:
            if not is_id(line.user_id):
                return Why.UNKNOWN
            there: Mapping[str, Any] = await client.http.get_member(guild_id, line.user_id)
            found = [there]
        else:
            found = _called(line.name, await _like(client, guild_id, line.name))
    except (discord.NotFound, discord.Forbidden):
        return Why.UNKNOWN
    except FAILURES:
        return Why.UNANSWERED
    if len(found) != 1:
        return Why.SEVERAL if found else Why.UNKNOWN
    user = found[0].get("user") or {}
    if user.get("bot"):
        return Why.BOT
    return UserId(int(user["id"]))


async def _like(client: discord.Client, guild_id: GuildId, name: str) -> list[dict[str, Any]]:
    route = Route("GET", "/guilds/{guild_id}/members/search", guild_id=guild_id)
    params = {"query": name, "limit": _LIKE_IT}
    found: list[dict[str, Any]] = await client.http.request(route, params=params)
    return found


def _called(name: str, members: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The members of that very name; one whose user name it is comes before all others."""
    plain = name.casefold()

    def is_called(member: Mapping[str, Any], *names: str) -> bool:
        about = {**(member.get("user") or {}), "nick": member.get("nick")}
        return plain in (str(about.get(each) or "").casefold() for each in names)

    users = [each for each in members if is_called(each, "username")]
    return users or [each for each in members if is_called(each, "nick", "global_name")]
