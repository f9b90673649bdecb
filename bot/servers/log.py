"""The audit log of a server. No name in it is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.domain.events import JsonValue
from bot.domain.ids import GuildId, MatchId, UserId, is_match_id
from bot.domain.match import Venue
from bot.errors import UserError
from bot.i18n import Language
from bot.store import people
from bot.store.records import AuditEntry
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.permissions import arranged
from bot.ui.interaction.registry import Click, on_button
from bot.ui.interaction.slash import command
from bot.ui.pages import match_list, match_text
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import NO_MATCH, Page, Reply, paging, rows, text
from bot.ui.settings.panel import shown
from bot.ui.settings.server_panel import LOGGED, SERVER
from games.view import Text

ENTRIES = 8
"""Entries on a page, few enough to read each in full."""
_LINE = 450


def log_page(entries: Sequence[AuditEntry], language: Language, *, page: int = 0) -> Reply:
    """A page of the audit log, counted from 0, the newest entries first.

    One entry more than a page holds means that there are older ones.
    """
    title = language.say("What managers did in this server")
    none = language.say("Nothing yet.")
    listed = "\n".join(log_line(entry, language) for entry in entries[:ENTRIES]) or none
    pages = page + (2 if len(entries) > ENTRIES else 1)
    buttons = paging("servlog", NO_MATCH, page, pages, language, is_open=True)
    return Reply(title, Page(text(f"### {title}"), text(listed), *rows(buttons)))


def log_line(entry: AuditEntry, language: Language) -> str:
    """A line of the audit log; an entry about a match needs :func:`in_words` first."""
    said = _sentence(entry, match_text.mention(entry.user_id, language), language)
    return match_text.cut(f"-# {timestamp(entry.at, 'f')} {said}", _LINE)


_SENTENCES = {
    "ended": Text.of("{player} ended {match} without a result. Reason: {reason}"),
    "decided": Text.of("{player} decided {match}: {places}. Reason: {reason}"),
    "cleared": Text.plural(
        "{player} withdrew {n} open offer.", "{player} withdrew {n} open offers."
    ),
    "webhook": Text.of("{player} set the address for results, with a new secret: {host}"),
    "told_servers": Text.plural(
        "{player} sent {n} server a message: {words}",
        "{player} sent {n} servers a message: {words}",
    ),
}


def _sentence(entry: AuditEntry, player: str, language: Language) -> str:
    after = entry.after
    known = _SENTENCES.get(entry.act)
    if entry.act == "webhook" and after["host"] is None:
        known = Text.of("{player} removed the address for results.")
    if known is not None:
        words = {name: shown(value) for name, value in after.items() if isinstance(value, str)}
        # These come from in_words.
        made = {name: str(after[name]) for name in ("match", "places") if name in after}
        numbers = {"n": int(str(after.get("offers", after.get("servers", 0))))}
        return language(known.filled({**words, **made, **numbers, "player": player}))
    if "kept_out" in after:
        return _let_in_and_out(entry, player, language)
    changes = ", ".join(
        _change(name, entry.before.get(name), value, language) for name, value in after.items()
    )
    return language.say("{player} changed the settings: {changes}", player=player, changes=changes)


def _change(name: str, before: JsonValue, after: JsonValue, language: Language) -> str:
    known = LOGGED.get(name)
    if known is None:  # from an older or a newer release
        return f"{name}: {shown(before)} → {shown(after)}"
    was, now = (known.in_log(each, language) for each in (before, after))
    return language.pair(language(known.label), f"{was} → {now}")


def _let_in_and_out(entry: AuditEntry, who: str, language: Language) -> str:
    """The players that a change excludes or readmits."""
    before, after = entry.before.get("kept_out"), entry.after.get("kept_out")
    was = before if isinstance(before, list) else []
    now = after if isinstance(after, list) else []
    out = _written([each for each in now if each not in was], language)
    if out:
        return language.say("{player} kept {players} from playing here.", player=who, players=out)
    let = _written([each for each in was if each not in now], language)
    return language.say("{player} let {players} play here again.", player=who, players=let)


def _written(people: Sequence[JsonValue], language: Language) -> str:
    return match_text.mentions(tuple(UserId(int(str(each))) for each in people), language)


async def in_words(context: InteractionContext, entry: AuditEntry) -> AuditEntry:
    """An entry with the names of its match's players."""
    match_id, places = entry.after.get("match"), entry.after.get("places")
    if not isinstance(match_id, str) or not is_match_id(match_id):
        return entry
    try:
        match = await context.services.matches.match(context.actor, MatchId(match_id))
    except UserError:
        return entry
    label = await match_list.with_players(match, context.reader)
    if match.venue is not Venue.DIRECT:
        label = f"{label} ({match_text.place(match)})"
    told: dict[str, JsonValue] = {**entry.after, "match": label}
    if isinstance(places, list) and len(places) == len(match.players):
        names = await match_list.player_names(match.players, context.reader)
        ranked = sorted(zip(map(str, places), names, strict=True))
        told["places"] = ", ".join(f"{place}. {name}" for place, name in ranked)
    return replace(entry, after=told)


async def arranger(context: InteractionContext) -> GuildId:
    """The server, if the user may manage matches in it. Raises the errors of :func:`arranged`."""
    chosen = await context.services.preferences.server(context.place.guild_id)
    return arranged(context.interaction, chosen)


@command("log", Text.of("Show what managers did in this server"), group=SERVER)
async def log_here(context: InteractionContext) -> Reply:
    """``/server log``: the latest entries of the audit log."""
    return await _log_from(context, 0)


@on_button("servlog")
async def log_turned(context: InteractionContext, click: Click) -> Reply:
    """Another page."""
    return await _log_from(context, min(click.version, 99_999))


async def _log_from(context: InteractionContext, page: int) -> Reply:
    guild_id = await arranger(context)
    entries = await context.services.store.read(
        people.audit_of, guild_id, ENTRIES + 1, page * ENTRIES
    )
    shown = [await in_words(context, entry) for entry in entries]
    return log_page(shown, context.language, page=page)
