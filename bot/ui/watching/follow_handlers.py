"""``/view``, **Follow**, and what one follows."""

from __future__ import annotations

from typing import Optional

import discord
from discord import app_commands

from bot.domain.ids import GuildId, MatchId, UserId, is_match_id, read_id
from bot.domain.match import Match
from bot.domain.preferences import NoticeWay
from bot.errors import UserError
from bot.store import follows
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import (
    find_match,
    fitting_matches,
    match_here,
    one_named,
)
from bot.ui.interaction.permissions import described, sees_match
from bot.ui.interaction.registry import PRIVATE, Click, on_button, on_menu
from bot.ui.interaction.slash import LONGEST, command, suggests
from bot.ui.pages import board_page, match_list, match_text
from bot.ui.pages.components import CHOICES, Reply, Suggestion
from bot.ui.watching.follow_page import (
    follows_page,
    may_be_followed,
    player_page,
    watched,
    which_player_page,
)
from games.view import Text

_LOOKED_AT = 4 * CHOICES


@command(
    "view",
    Text.of("Watch a match of others, and follow matches and players"),
    fields={
        "match": Text.of("Which match? Players or game"),
        "player": Text.of("Whose running matches?"),
    },
)
async def view(
    context: InteractionContext,
    match: app_commands.Range[str, 0, LONGEST] = "",
    player: Optional[discord.User] = None,  # noqa: UP045 - read at run time
) -> Reply:
    """``/view``: a match, the matches of a player, or all that one follows."""
    if match.strip():
        return await view_board(context, await _named(context, match.strip()))
    if player is not None:
        context.presenter.names.note(described(player), player.display_name)
        return await _of_player(context, described(player))
    if isinstance(context.interaction.channel, discord.Thread):
        here = await match_here(context)
        if here is not None:
            return await view_board(context, here)
    return await _followed(context)


@suggests("view", "match")
async def suggest_visible(
    context: InteractionContext, typed: str, _given: app_commands.Namespace
) -> list[Suggestion]:
    """The running matches of this server that fit what has been typed."""
    return (await fitting_matches(context, await _visible(context), typed))[:CHOICES]


async def _visible(context: InteractionContext) -> list[Match]:
    """The running matches of this server that the person who asks may see."""
    guild_id = context.place.guild_id
    if guild_id is None:
        return []
    found = await context.services.matches.running_in_server(guild_id, _LOOKED_AT)
    return [each for each in found if sees_match(context.interaction, each)]


async def _named(context: InteractionContext, typed: str) -> Match:
    """The match that a text names, by its letters or its players."""
    if is_match_id(typed.lower()):
        return await _seen(context, typed.lower())
    if context.place.guild_id is None:
        raise UserError("server_only")
    found = await _visible(context)
    return one_named(found, await fitting_matches(context, found, typed))


async def _seen(context: InteractionContext, match_id: str) -> Match:
    """A match by its id, if the person who asks may see where it is played."""
    found = await find_match(context, match_id)
    if not sees_match(context.interaction, found):
        raise UserError("no_such_match")
    return found


@on_menu("view", how=PRIVATE)
async def view_chosen(context: InteractionContext, click: Click) -> Reply:
    """The board of a match chosen from a list, with **Follow**."""
    return await view_board(context, await _seen(context, click.value))


async def view_board(context: InteractionContext, match: Match) -> Reply:
    """The board of a match; with **Follow** for people who do not play in it."""
    mine = match.index_of(context.user_id) is not None
    shown = await board_page.board(match, context.presenter, context.language, buttons=mine)
    if mine or not may_be_followed(match):
        return shown
    found = await context.services.store.read(follows.followed, context.user_id, match.id)
    return watched(shown, match, context.language, is_following=found is not None)


async def _of_player(context: InteractionContext, player: UserId) -> Reply:
    if context.place.guild_id is None:
        raise UserError("server_only")
    found = [each for each in await _visible(context) if player in each.players][:CHOICES]
    names, language = context.presenter.names, context.language
    options = [await match_list.option(each, names, language) for each in found]
    lines = [match_list.seen_line(each, language) for each in found]
    return player_page(player, lines, options, language)


async def _followed(context: InteractionContext, *, lead: str = "") -> Reply:
    store = context.services.store
    matches = await store.read(follows.followed_by, context.user_id)
    players = await store.read(follows.players_followed, context.user_id)
    guild_id = context.place.guild_id
    chosen = await context.services.preferences.of(context.user_id)
    return await follows_page(
        matches,
        players,
        context.presenter.names,
        context.language,
        lead=lead,
        is_blocked=chosen.direct_refused is not None,
        in_server=guild_id is not None,
    )


@on_button("follow", how=PRIVATE)
async def follow(context: InteractionContext, click: Click) -> Reply:
    """**Follow**: see a match in a direct message from now on."""
    match = await _seen(context, click.match)
    await context.services.note_language(context, anywhere=True)
    services = context.services
    await services.store.write(follows.follow, context.actor, match, services.clock.now())
    services.outbox.wake()
    language = context.language
    chosen = await context.services.preferences.of(context.user_id)
    if chosen.present_way is NoticeWay.DIGEST:
        return Reply(language.say("You follow this match. Your daily message tells how it goes."))
    said = language.say(
        "You follow this match. A direct message shows it to you after each move, without waking"
        " you. If none comes, allow direct messages from this server."
    )
    return Reply(said)


@on_button("unfollow", how=PRIVATE)
async def unfollow(context: InteractionContext, click: Click) -> Reply:
    """**Unfollow**, in the direct message or under the board."""
    await _unfollow(context, MatchId(click.match))
    return Reply(context.language.say("You no longer follow this match."))


@on_menu("unfollowed")
async def unfollow_chosen(context: InteractionContext, click: Click) -> Reply:
    """The menu of ``/view``: stop following a match."""
    if not is_match_id(click.value):
        raise UserError("out_of_date")
    await _unfollow(context, MatchId(click.value))
    said = context.language.say("You no longer follow this match.")
    return await _followed(context, lead=said)


async def _unfollow(context: InteractionContext, match_id: MatchId) -> None:
    services = context.services
    await services.store.write(follows.unfollow, context.user_id, match_id, services.clock.now())
    services.outbox.wake()


@on_button("fan", how=PRIVATE)
async def choose_player(context: InteractionContext, click: Click) -> Reply:
    """**Follow a player**: which one."""
    match = await _seen(context, click.match)
    return await which_player_page(match, context.presenter.names, context.language)


@on_menu("fanof")
async def follow_chosen(context: InteractionContext, click: Click) -> Reply:
    """The player chosen there."""
    match, player = await _seen(context, click.match), read_id(click.value)
    if player is None or player not in match.players:
        raise UserError("out_of_date")
    return await _follow_player(context, UserId(player))


@on_button("fanone")
async def follow_player(context: InteractionContext, click: Click) -> Reply:
    """**Follow their matches** under the matches of a player."""
    player = read_id(click.arg)
    if player is None:
        raise UserError("out_of_date")
    return await _follow_player(context, UserId(player))


async def _follow_player(context: InteractionContext, player: UserId) -> Reply:
    guild_id = context.place.guild_id
    if guild_id is None:
        raise UserError("server_only")
    await context.services.note_language(context, anywhere=True)
    services = context.services
    await services.store.write(
        follows.follow_player, context.user_id, player, guild_id, services.clock.now()
    )
    said = context.language.say(
        "You follow {player}. When a match of theirs starts in this server, you see it in a direct"
        " message. /view lists what you follow.",
        player=match_text.mention(player, context.language),
    )
    return Reply(said)


@on_menu("nofan")
async def unfollow_player(context: InteractionContext, click: Click) -> Reply:
    """The menu of ``/view``: stop following a player."""
    who, _, where = click.value.partition("/")
    player, guild = read_id(who), read_id(where)
    if player is None or guild is None:
        raise UserError("out_of_date")
    await context.services.store.write(
        follows.unfollow_player, context.user_id, UserId(player), GuildId(guild)
    )
    said = context.language.say(
        "You no longer follow {player}.",
        player=match_text.mention(UserId(player), context.language),
    )
    return await _followed(context, lead=said)
