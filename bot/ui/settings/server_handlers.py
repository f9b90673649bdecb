"""What who manages a server can do there: end a stuck match, clear offers, keep a player out.

All of it is checked here, whatever Discord shows to whom, and stands in the server's audit log.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

import discord
from discord import app_commands

from bot.domain.ids import GuildId, MatchId, UserId, is_match_id
from bot.domain.match import Actor, Match, MatchStatus
from bot.domain.preferences import ServerSettings
from bot.errors import UserError
from bot.i18n import Language
from bot.ui.discord_api import rest
from bot.ui.discord_api.background import FAILURES
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import find_match
from bot.ui.interaction.permissions import described, managed
from bot.ui.interaction.slash import LONGEST, command, suggests
from bot.ui.pages import match_text
from bot.ui.pages.components import CHOICES
from bot.ui.pages.display_names import clean, escape
from bot.ui.pages.presenter import Names
from bot.ui.pages.reply import Reply
from bot.ui.pages.suggestion import Suggestion
from bot.ui.settings.server_page import log_page
from bot.ui.settings.setting_handlers import SERVER
from games.view import Text

_ENTRIES = 25
_MOST_CLEARED = 100


@command("log", Text.of("Show what managers did in this server"), group=SERVER)
async def log_here(context: InteractionContext) -> Reply:
    """``/server log``: the latest entries of the audit log."""
    guild_id = managed(context.interaction)
    entries = await context.services.preferences.audit_of(guild_id, _ENTRIES)
    return log_page(entries, context.language)


@command(
    "end-match",
    Text.of("End a stuck match without a result; its players are told why"),
    group=SERVER,
    fields={
        "match": Text.of("Which match? Players or game"),
        "reason": Text.of("Why? Its players and the log will show it"),
    },
)
async def end_match(
    context: InteractionContext,
    match: app_commands.Range[str, 1, LONGEST],
    reason: app_commands.Range[str, 1, LONGEST],
) -> Reply:
    """``/server end-match``: abort a match, with a reason that all read."""
    guild_id = managed(context.interaction)
    found = await _named(context, guild_id, match.strip())
    answer = await context.services.matches.end(context.actor, found.id)
    why = clean(reason, longest=LONGEST)
    label = await _label(answer.match, context.presenter.names, context.language)
    await context.services.preferences.log(
        guild_id, context.user_id, "ended", {"match": label, "reason": why}
    )
    context.services.background.start(_tell_why(context, answer.match, why))
    return Reply(context.language.say("You ended {match}. Its players are told.", match=label))


async def _tell_why(context: InteractionContext, match: Match, why: str) -> None:
    """Say where a match was played why it was ended, to its players."""
    language = context.services.languages.of(context.interaction.guild_locale)
    players = tuple(each for each in match.players if each is not None and each > 0)
    said = language.say(
        "{players}, a manager of this server ended this match: {reason}",
        players=match_text.mentions(players, language),
        reason=escape(why, longest=LONGEST),
    )
    written = rest.message(content=said, pings=players)
    where = match.home_id or match.origin.channel_id
    try:
        await rest.post(context.interaction.client.http, where, written)
    except FAILURES:
        # The board and each player's notice say that it is over all the same.
        return


async def _named(context: InteractionContext, guild_id: GuildId, typed: str) -> Match:
    """The running match of this server that a text names, by its letters or its players."""
    if is_match_id(typed.lower()):
        found = await find_match(context, typed.lower())
        if found.origin.guild_id == guild_id:
            return found
    fitting = await _fitting(context, guild_id, typed)
    if len(fitting) != 1:
        raise UserError("no_such_match" if not fitting else "match_unclear")
    return fitting[0][0]


async def _fitting(
    context: InteractionContext, guild_id: GuildId, typed: str
) -> list[tuple[Match, str]]:
    words = typed.casefold().split()
    found = []
    for match in await context.services.matches.running_in_server(guild_id, 4 * CHOICES):
        label = await _label(match, context.presenter.names, context.language)
        if all(word in label.casefold() for word in words):
            found.append((match, label))
    return found


async def _label(match: Match, names: Names, language: Language) -> str:
    players = [
        clean(await names.name(each, language), longest=24)
        for each in match.players
        if each is not None
    ]
    return match_text.cut(f"{match_text.game_name(match)} · {' – '.join(players)}", 100)


@suggests("end-match", "match", group="server")
async def suggest_running(
    context: InteractionContext, typed: str, _given: app_commands.Namespace
) -> list[Suggestion]:
    """The running matches of the server that fit what has been typed."""
    guild_id = managed(context.interaction)
    found = await _fitting(context, guild_id, typed)
    return [Suggestion(label, match.id) for match, label in found[:CHOICES]]


@command("clear-offers", Text.of("Withdraw all open offers of this server"), group=SERVER)
async def clear_offers(context: InteractionContext) -> Reply:
    """``/server clear-offers``: withdraw what anyone could still accept."""
    guild_id = managed(context.interaction)
    cleared = 0
    for match in (await context.services.lobby.offers(guild_id))[:_MOST_CLEARED]:
        maker = match.players[match.offered_by]
        if maker is None or match.status is not MatchStatus.OFFERED:
            continue
        try:
            await context.services.matches.withdraw(
                Actor(maker, guild_id), MatchId(match.id), interaction_id=None
            )
        except UserError:
            continue  # taken or withdrawn meanwhile
        cleared += 1
        await asyncio.sleep(0)
    if cleared:
        await context.services.preferences.log(
            guild_id, context.user_id, "cleared", {"offers": cleared}
        )
    return Reply(
        context.language.plural(
            "{n} open offer withdrawn.", "{n} open offers withdrawn.", n=cleared
        )
    )


@command(
    "keep-out",
    Text.of("Keep a player from offering and joining matches in this server"),
    group=SERVER,
    fields={"player": Text.of("Player")},
)
async def keep_out(context: InteractionContext, player: discord.User) -> Reply:
    """``/server keep-out``: their running matches go on."""
    guild_id = managed(context.interaction)
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
    guild_id = managed(context.interaction)
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
