"""Commands of managers and arrangers: clear offers, exclude a player.

All permissions are checked here, no matter what Discord shows, and all actions are logged.
:mod:`bot.servers.end_match` ends stuck matches.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import discord

from bot.domain.ids import GuildId, UserId
from bot.domain.match import Match
from bot.domain.preferences import ServerSettings
from bot.errors import UserError
from bot.lobby import store as lobbies
from bot.servers.log import arranger
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.permissions import described
from bot.ui.interaction.registry import Click, number_in, on_button
from bot.ui.interaction.slash import command
from bot.ui.pages import match_text
from bot.ui.pages.board_page import confirmation
from bot.ui.pages.components import Control, Reply
from bot.ui.settings.server_panel import SERVER
from games.view import Text

_LISTED = 10
"""Offers listed in the question."""
_LATEST = 10**17
"""Microseconds since 1970, after any offer."""


@command("clear-offers", Text.of("Withdraw all open offers of this server"), group=SERVER)
async def clear_offers(context: InteractionContext) -> Reply:
    """``/server clear-offers``: list the offers, and ask."""
    guild_id, language = await arranger(context), context.language
    found = await _open_offers(context, guild_id)
    if not found:
        return Reply(language.say("There are no open offers in this server."))
    question = language.plural(
        "Withdraw {n} open offer? The player who made it will be told.",
        "Withdraw {n} open offers? The players who made them will be told.",
        n=len(found),
    )
    lines = [f"**{question}**"]
    for match in found[:_LISTED]:
        host = match_text.mention(match.players[match.offered_by], language)
        lines.append(f"- {match_text.game_name(match)} · {host}")
    if len(found) > _LISTED:
        lines.append(language.say("And {count} more.", count=len(found) - _LISTED))
    newest = Control("clearyes", arg=_instant(found[0]))
    return confirmation("\n".join(lines), newest, language.say("Clear"), language)


async def _open_offers(context: InteractionContext, guild_id: GuildId) -> tuple[Match, ...]:
    now = context.services.clock.now()
    return await context.services.store.read(lobbies.open_offers, guild_id, now)


def _instant(match: Match) -> str:
    return str(round(match.created_at.timestamp() * 1_000_000))


@on_button("clearyes")
async def offers_cleared(context: InteractionContext, click: Click) -> Reply:
    """**Clear**: withdraw the listed offers, and no newer ones."""
    guild_id = await arranger(context)
    newest = number_in(click.arg, most=_LATEST)
    cleared = 0
    for match in await _open_offers(context, guild_id):
        if int(_instant(match)) > newest:
            continue
        with suppress(UserError):  # accepted or withdrawn meanwhile
            await context.services.matches.clear(guild_id, match.id)
            cleared += 1
    if cleared:
        await context.services.preferences.log(
            guild_id, context.user_id, "cleared", {"offers": cleared}
        )
    said = context.language.plural(
        "{n} open offer withdrawn.", "{n} open offers withdrawn.", n=cleared
    )
    return Reply(said)


@command(
    "keep-out",
    Text.of("Keep a player from offering and joining matches in this server"),
    group=SERVER,
    fields={"player": Text.of("Player")},
)
async def keep_out(context: InteractionContext, player: discord.User) -> Reply:
    """``/server keep-out``: running matches go on."""
    guild_id = await arranger(context)
    other = described(player)
    if other == context.user_id:
        raise UserError("keep_out_self")

    def decide(chosen: ServerSettings) -> ServerSettings:
        return replace(chosen, kept_out=tuple(dict.fromkeys((*chosen.kept_out, other))))

    await context.services.preferences.change_server(guild_id, context.user_id, decide)
    return Reply(
        context.language.say(
            "{player} can no longer offer or join matches here. Running matches go on.",
            player=match_text.mention(other, context.language),
        )
    )


@command(
    "let-in",
    Text.of("Let a player who was kept out play here again"),
    group=SERVER,
    fields={"player": Text.of("Player")},
)
async def let_in(context: InteractionContext, player: discord.User) -> Reply:
    """``/server let-in``."""
    guild_id = await arranger(context)
    other: UserId = described(player)

    def decide(chosen: ServerSettings) -> ServerSettings:
        if other not in chosen.kept_out:
            raise UserError("not_kept_out", player=other)
        kept = tuple(each for each in chosen.kept_out if each != other)
        return replace(chosen, kept_out=kept)

    await context.services.preferences.change_server(guild_id, context.user_id, decide)
    said = context.language.say(
        "{player} can play here again.", player=match_text.mention(other, context.language)
    )
    return Reply(said)
