"""Entries of a server's log as they are shown: with names, which are never stored."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.events import JsonValue
from bot.domain.ids import MatchId, is_match_id
from bot.domain.match import Match
from bot.errors import UserError
from bot.services.people_store import AuditEntry
from bot.ui.interaction.context import InteractionContext
from bot.ui.pages import match_list
from bot.ui.pages.display_names import clean


async def player_names(context: InteractionContext, match: Match) -> list[str]:
    """The names of a match's players, without markup."""
    names = context.presenter.names
    return [
        "—" if each is None else clean(await names.name(each, context.language), longest=24)
        for each in match.players
    ]


async def in_words(context: InteractionContext, entry: AuditEntry) -> AuditEntry:
    """An entry of the log with the names of the players of its match."""
    match_id, places = entry.after.get("match"), entry.after.get("places")
    if not isinstance(match_id, str) or not is_match_id(match_id):
        return entry
    try:
        match = await context.services.matches.match(context.actor, MatchId(match_id))
    except UserError:
        return entry
    label = await match_list.with_players(match, context.presenter.names, context.language)
    shown: dict[str, JsonValue] = {**entry.after, "match": label}
    if isinstance(places, list) and len(places) == len(match.players):
        ranked = sorted(zip(map(str, places), await player_names(context, match), strict=True))
        shown["places"] = ", ".join(f"{place}. {name}" for place, name in ranked)
    return replace(entry, after=shown)
