"""Watching matches of others, and following matches and players: ``/view`` and **Follow**."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Optional

import discord
from discord import app_commands

from bot.domain.ids import GuildId, MatchId, UserId, is_match_id
from bot.domain.match import Match, MatchStatus
from bot.domain.preferences import NoticeWay
from bot.errors import UserError
from bot.follows import store as follows
from bot.follows.store import PlayerFollow
from bot.i18n import Language, Sentences
from bot.store import transactions
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import find_match, match_here, one_named, suggest_among
from bot.ui.interaction.permissions import described, sees_match
from bot.ui.interaction.registry import PRIVATE, Click, id_in, on_button, on_menu
from bot.ui.interaction.slash import LONGEST, command
from bot.ui.pages import board_page, match_list, match_text
from bot.ui.pages import components as ui
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.pages.display_names import clean, mark_of
from bot.ui.pages.offer_page import follow_button, may_be_followed
from bot.ui.pages.reader import Reader
from games.view import Text


def unfollow_control(match_id: MatchId) -> Control:
    """**Unfollow**, by which the message with a followed match is found again."""
    return Control("unfollow", match_id)


async def followed_board(match: Match, reader: Reader, *, drawn: bool = True) -> Reply:
    """The board of a match in the direct messages of a follower."""
    there, language = match_text.place(match), reader.language
    if match.status is MatchStatus.RUNNING:
        lead = language.say("You follow this match: {place}", place=there)
    else:
        lead = language.say("A match you followed is over: {place}", place=there)
    shown = await board_page.board(match, reader, lead=lead, buttons=False, drawn=drawn)
    if shown.page is None:
        return shown
    if match.status is not MatchStatus.RUNNING:
        return shown
    stop = ui.button(unfollow_control(match.id), language.say("Unfollow"))
    return replace(shown, page=Page(*shown.page.components, *ui.rows([stop])))


def over_line(match: Match, language: Language) -> str:
    """The line about the end of a followed match."""
    return language.say(
        "A {game} match that you follow is over. {outcome} {place}",
        game=match_text.game_name(match),
        outcome=match_text.turn(match, language),
        place=match_text.place(match),
    )


def watched(shown: Reply, match: Match, language: Language, *, is_following: bool) -> Reply:
    """The board for a person who does not play, with **Follow** under it."""
    if shown.page is None or not may_be_followed(match):
        return shown
    button_here = follow_button(match, language)
    if is_following:
        button_here = ui.button(unfollow_control(match.id), language.say("Unfollow"))
    players = [each for each in match.players if each is not None and each > 0]
    buttons = [button_here]
    if players:
        control = Control("fan", match.id)
        buttons.append(ui.button(control, language.say("Follow a player")))
    return replace(shown, page=Page(*shown.page.components, *ui.rows(buttons)))


async def which_player_page(match: Match, reader: Reader) -> Reply:
    """Asks which player to follow."""
    language = reader.language
    players = [each for each in match.players if each is not None and each > 0]
    options = [
        ui.Option(str(each), clean(await reader.name(each), longest=40), marks=(mark_of(each),))
        for each in players
    ]
    question = language.say(
        "Whose matches do you want to follow? When one starts in this server, you get it as a"
        " direct message."
    )
    row = ui.menu(Control("fanof", match.id), language.say("Choose a player"), options)
    return Reply(question, Page(ui.text(question), row))


async def follows_page(
    matches: Sequence[Match],
    players: Sequence[PlayerFollow],
    reader: Reader,
    *,
    lead: str = "",
    is_blocked: bool = False,
    in_server: bool = True,
) -> Reply:
    """The matches and players that a person follows, with menus to unfollow.

    ``is_blocked``: Discord has blocked a direct message; ``in_server``: there are matches to list.
    """
    language = reader.language
    title = language.say("What you follow")
    said = Sentences(language)
    if is_blocked:
        said.say(
            "Discord blocked a direct message to you. Allow direct messages from this server, or"
            " you won't see the matches you follow."
        )
    said += [match_list.seen_line(each, language) for each in matches]
    if players:
        there = match_text.mentions(tuple(each.other_id for each in players), language)
        said.say("Next matches of {players}", players=there)
    if not matches and not players:
        said.say(
            "You follow nothing yet. Open a match with /view, or from the list below, and press"
            " Follow: a direct message then shows it to you after each move."
        )
    items: list[ui.Part] = [ui.text(match_text.cut(ui.heading(title, *said, lead=lead), 3800))]
    if matches:
        options = [await match_list.option(each, reader) for each in matches[: ui.CHOICES]]
        if in_server:
            items.append(ui.menu(Control("view"), language.say("Show a board"), options))
        items.append(ui.menu(Control("unfollowed"), language.say("Unfollow a match"), options))
    if players:
        options = [
            ui.Option(
                f"{each.other_id}/{each.guild_id}",
                clean(await reader.name(each.other_id), longest=40),
                marks=(mark_of(each.other_id), mark_of(each.guild_id)),
            )
            for each in players[: ui.CHOICES]
        ]
        items.append(ui.menu(Control("nofan"), language.say("Unfollow a player"), options))
    if in_server:
        running = Control("matches", arg="server")
        items += ui.rows([ui.button(running, language.say("Running in this server"))])
    return Reply(lead or title, Page(*items))


def player_page(
    player: UserId, lines: Sequence[str], options: Sequence[ui.Option], language: Language
) -> Reply:
    """The running matches of a player in this server, and **Follow** for the next ones."""
    title = language.say("Running matches of {player}", player=match_text.mention(player, language))
    none = language.say("No running matches here.")
    said = "\n".join((f"### {title}", *(lines or (none,))))
    items: list[ui.Part] = [ui.text(match_text.cut(said, 3800))]
    if options:
        items.append(ui.menu(Control("view"), language.say("Show a board"), options))
    following = ui.button(Control("fanone", arg=str(player)), language.say("Follow their matches"))
    items += ui.rows([following])
    return Reply(title, Page(*items))


_LOOKED_AT = 4 * ui.CHOICES


async def _visible(context: InteractionContext) -> list[Match]:
    """The running matches of this server that the user may see. Raises ``server_only``."""
    running = transactions.running_in_server
    found = await context.services.store.read(running, context.server, _LOOKED_AT)
    return [each for each in found if sees_match(context.interaction, each)]


@command(
    "view",
    Text.of("Watch a match of others, and follow matches and players"),
    fields={
        "match": Text.of("Which match? Players or game"),
        "player": Text.of("Whose running matches?"),
    },
    suggest={"match": suggest_among(_visible)},
)
async def view(
    context: InteractionContext,
    match: app_commands.Range[str, 0, LONGEST] = "",
    player: Optional[discord.User] = None,  # noqa: UP045 - read at run time
) -> Reply:
    """``/view``: a match, the matches of a player, or all that the user follows."""
    if match.strip():
        return await view_board(context, await _named(context, match.strip()))
    if player is not None:
        context.reader.names.note(described(player), player.display_name)
        return await _of_player(context, described(player))
    if isinstance(context.interaction.channel, discord.Thread):
        here = await match_here(context)
        if here is not None:
            return await view_board(context, here)
    return await _followed(context)


async def _named(context: InteractionContext, typed: str) -> Match:
    """The match named by a text, by its id or its players."""
    if is_match_id(typed.lower()):
        return await _seen(context, typed.lower())
    return await one_named(context, await _visible(context), typed)


async def _seen(context: InteractionContext, match_id: str) -> Match:
    """A match by its id, if the user may see where it is played."""
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
    shown = await board_page.board(match, context.reader, buttons=mine)
    if mine or not may_be_followed(match):
        return shown
    found = await context.services.store.read(follows.followed, context.user_id, match.id)
    return watched(shown, match, context.language, is_following=found is not None)


async def _of_player(context: InteractionContext, player: UserId) -> Reply:
    found = [each for each in await _visible(context) if player in each.players][: ui.CHOICES]
    options = [await match_list.option(each, context.reader) for each in found]
    lines = [match_list.seen_line(each, context.language) for each in found]
    return player_page(player, lines, options, context.language)


async def _followed(context: InteractionContext, *, lead: str = "") -> Reply:
    store = context.services.store
    matches = await store.read(follows.followed_by, context.user_id)
    players = await store.read(follows.players_followed, context.user_id)
    guild_id = context.place.guild_id
    chosen = await context.services.preferences.of(context.user_id)
    return await follows_page(
        matches,
        players,
        context.reader,
        lead=lead,
        is_blocked=chosen.direct_refused is not None,
        in_server=guild_id is not None,
    )


@on_button("follow", how=PRIVATE)
async def follow(context: InteractionContext, click: Click) -> Reply:
    """**Follow** a match."""
    match = await _seen(context, click.match)
    await context.services.note_language(context, anywhere=True)
    services = context.services
    await services.store.write(follows.follow, context.actor, match, services.clock.now())
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


@on_button("fan", how=PRIVATE)
async def choose_player(context: InteractionContext, click: Click) -> Reply:
    """**Follow a player**: the choice of the player."""
    match = await _seen(context, click.match)
    return await which_player_page(match, context.reader)


@on_menu("fanof")
async def follow_chosen(context: InteractionContext, click: Click) -> Reply:
    """The chosen player."""
    match, player = await _seen(context, click.match), id_in(click.value)
    if player not in match.players:
        raise UserError("out_of_date")
    return await _follow_player(context, player)


@on_button("fanone")
async def follow_player(context: InteractionContext, click: Click) -> Reply:
    """**Follow their matches** under the matches of a player."""
    return await _follow_player(context, id_in(click.arg))


async def _follow_player(context: InteractionContext, player: UserId) -> Reply:
    services, guild_id = context.services, context.server
    await services.note_language(context, anywhere=True)
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
    player, guild = id_in(who), GuildId(id_in(where))
    await context.services.store.write(follows.unfollow_player, context.user_id, player, guild)
    said = context.language.say(
        "You no longer follow {player}.", player=match_text.mention(player, context.language)
    )
    return await _followed(context, lead=said)
