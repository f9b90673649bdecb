"""**Invite by list**: the members of the server that a list names, pasted or in a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import discord
from discord import app_commands
from discord.http import Route

from bot.domain.ids import GuildId, UserId, is_id
from bot.errors import UserError
from bot.history.ui.sources import downloaded
from bot.tournaments.domain.acts import Invite
from bot.tournaments.domain.inviting import Line, read_list
from bot.tournaments.domain.tournament import EntrantStatus, Invitation, Tournament
from bot.tournaments.services.service import TournamentService
from bot.tournaments.ui.event_lookup import find_event, visitor_of
from bot.tournaments.ui.managing import Lists, ask, confirm_page, directed, may_direct, so_already
from bot.tournaments.ui.player_pages import NEXT, TOURNAMENT, suggest_tournaments
from bot.tournaments.ui.words import EventText
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import Click, on_button, on_text
from bot.ui.interaction.slash import command
from bot.ui.pages.components import Reply
from bot.ui.pages.display_names import escape
from bot.ui.rest import FAILURES
from games.view import Text

_LIKE_IT = 100
"""The most members with a similar name that are compared with a line."""


_UNKNOWN = Text.of(
    "Not found in this server: {names}. Use a mention, an id or the exact user name."
)
_SEVERAL = Text.of("Several members have this name: {names}. Use a mention or an id.")
_BOT = Text.of("Bots can't enter: {names}.")
_EXCLUDED = Text.of("Excluded from this tournament: {names}.")
_UNANSWERED = Text.of("Discord didn't answer about {names}. Send these again later.")


async def _found(
    client: discord.Client, guild_id: GuildId, t: Tournament, lines: Iterable[Line]
) -> tuple[Sequence[Invitation], Mapping[Text, Sequence[str]]]:
    """The members of a list, by id or by a name that only one has; and other lines, by reason."""
    guests: dict[UserId, Invitation] = {}
    missing: dict[Text, list[str]] = {
        why: [] for why in (_UNKNOWN, _SEVERAL, _BOT, _EXCLUDED, _UNANSWERED)
    }
    for line in lines:
        found = await _member(client, guild_id, line)
        mine = None if isinstance(found, Text) else t.entrant_of(found)
        if mine is not None and mine.standing is EntrantStatus.EXCLUDED:
            found = _EXCLUDED
        if isinstance(found, Text):
            missing[found].append(line.name)
        else:
            guests.setdefault(found, Invitation(found, line.seed, line.rating))
    return tuple(guests.values()), missing


async def _member(client: discord.Client, guild_id: GuildId, line: Line) -> UserId | Text:
    try:
        if line.user_id is not None:
            if not is_id(line.user_id):
                return _UNKNOWN
            there: Mapping[str, Any] = await client.http.get_member(guild_id, line.user_id)
            found = [there]
        else:
            route = Route("GET", "/guilds/{guild_id}/members/search", guild_id=guild_id)
            params = {"query": line.name, "limit": _LIKE_IT}
            found = _called(line.name, await client.http.request(route, params=params))
    except (discord.NotFound, discord.Forbidden):
        return _UNKNOWN
    except FAILURES:
        return _UNANSWERED
    if len(found) != 1:
        return _SEVERAL if found else _UNKNOWN
    user = found[0].get("user") or {}
    if user.get("bot"):
        return _BOT
    return UserId(int(user["id"]))


def _called(name: str, members: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The members with exactly that name; one with it as the user name comes first."""
    plain = name.casefold()

    def is_called(member: Mapping[str, Any], *names: str) -> bool:
        about = {**(member.get("user") or {}), "nick": member.get("nick")}
        return plain in (str(about.get(each) or "").casefold() for each in names)

    users = [each for each in members if is_called(each, "username")]
    return users or [each for each in members if is_called(each, "nick", "global_name")]


_LARGEST = 64 << 10
"""Bytes of the largest file: more than any list needs, in any script."""
_LONGEST_TYPED = 4000
"""The most characters of a field of a form."""
_NAME = 40
_LINES = 20
"""Lines of a list that count like one command."""


@on_button("tinvite")
async def invite(context: InteractionContext, click: Click) -> Reply:
    """**Invite by list**."""
    return ask(await directed(context, click), Invite.key)


@on_text(
    "tpaste",
    "tpasted",
    Invite.label,
    Text.of("Players"),
    _LONGEST_TYPED,
    hint=Text.of("One on each line: name, seed, rating"),
    example="Ada, 1, 1850",
)
async def pasted(context: InteractionContext, click: Click) -> Reply:
    """A typed or pasted list."""
    return await _read(context, await directed(context, click), click.text)


async def _once_more(context: InteractionContext, event: EventText) -> Reply:
    """The file of a command is gone once its tournament was chosen from several."""
    gone = context.why(UserError("list_gone"))
    return ask(may_direct(context, event), Invite.key, lead=gone)


NEXT["tinvite"] = _once_more


@command(
    "invite",
    Text.of("Invite the players of a list to a tournament you direct"),
    group=TOURNAMENT,
    fields={
        "file": Text.of("Text or CSV: name, mention or id, then seed and rating if known"),
        "tournament": Text.of("Tournament (default: the one here)"),
    },
    suggest={"tournament": suggest_tournaments},
)
async def invite_command(
    context: InteractionContext,
    file: discord.Attachment,
    tournament: app_commands.Range[str, 0, 100] = "",
) -> Reply:
    """``/tournament invite``."""
    event = may_direct(context, await find_event(context, tournament, "tinvite"))
    return await _read(context, event, await _downloaded(context, file))


async def _downloaded(context: InteractionContext, file: discord.Attachment) -> str:
    """The text of a file, if it is short enough."""
    unreadable = UserError("list_unreadable", limit=_LARGEST >> 10)
    # A file without details from Discord arrives as a bare object.
    if isinstance(file, discord.Object) or type(file.size) is not int or file.size > _LARGEST:
        raise unreadable
    try:
        data = await downloaded(context, file.read())
        return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except (UserError, UnicodeDecodeError):
        raise unreadable from None


async def _read(context: InteractionContext, event: EventText, written: str) -> Reply:
    """The guests of a list, and the consequences; without guests, how lists are written."""
    t, service = event.t, context.services.of(TournamentService)
    try:
        lines = read_list(written)
        # Each line is a request to Discord.
        context.services.commands.spend(context.user_id, len(lines) / _LINES)
        client, guild_id = context.interaction.client, event.view.home.guild_id
        guests, missing = await _found(client, guild_id, t, lines)
        act = Invite(tuple(guests))
        preview = await service.preview(visitor_of(context), t.id, act)
    except UserError as error:
        return ask(event, Invite.key, lead=context.why(error))
    notes = "\n".join(
        event(why.filled({"names": ", ".join(escape(x, longest=_NAME) for x in names)}))
        for why, names in missing.items()
        if names
    )
    if not guests:
        return ask(event, Invite.key, lead=notes)
    if not preview.facts:
        return await so_already(context, event, act, notes=notes)
    context.services.memory(Lists)[context.user_id] = (t.id, act)
    return confirm_page(event, act, preview, notes=notes)
