"""Boards, lists of matches, rules and help.

A server that Parlour has just joined gets the first lines of ``/help`` in its system channel.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import Optional

import discord
from discord import app_commands

from bot.domain.game_state import waits_for
from bot.domain.ids import ChannelId, GuildId, UserId
from bot.domain.match import Match, MatchStatus, Venue
from bot.domain.playthrough import moves_of, own_last
from bot.errors import UserError
from bot.i18n import Language, Languages
from bot.i18n.sentences import STATUSES
from bot.learn.ui.lessons import LessonState, rules_page, task_page
from bot.logs import logger
from bot.posts.sending import Gone, Refused, Retry
from bot.store import blocked, match_feed, notes, transactions
from bot.store.errors import StoreUnavailable
from bot.ui import rest
from bot.ui.delivery.messenger import DiscordMessenger
from bot.ui.interaction.context import CommandMentions, InteractionContext
from bot.ui.interaction.match_lookup import (
    MATCH_FIELD,
    Sought,
    find_match,
    match_button,
    match_here,
    meant,
    suggest_matches,
)
from bot.ui.interaction.permissions import described, sees_match
from bot.ui.interaction.registry import (
    PRIVATE,
    RESUMERS,
    Click,
    id_in,
    member_in,
    number_in,
    on_button,
    on_menu,
    page_button,
    resumes,
)
from bot.ui.interaction.results import back_to_help, more_waiting, next_button
from bot.ui.interaction.slash import LONGEST, command, game_choices, text_choices
from bot.ui.pages import board_page, match_list, match_text
from bot.ui.pages import components as ui
from bot.ui.pages.components import Control, Page, Reply, rows
from bot.ui.pages.match_list import LISTED, ON_PAGE, Listed, MatchList
from bot.ui.pages.refusal_text import refusal
from bot.ui.rest import FAILURES, may_post
from games import catalog
from games.view import Text


def game_names(language: Language) -> str:
    """The names of all games, in bold."""
    return language.listed(f"**{kind.info.name}**" for kind in catalog.GAMES.values())


def help_page(language: Language) -> Reply:
    """A line for each kind of command, and buttons."""
    title = language.say("How Parlour works")
    lines = [
        language.say("Play these games here: {games}.", games=game_names(language)),
        language.say(
            "**/play** offers a match to a player, to anyone or to the computer; **/lobby** shows"
            " the offers of other players."
        ),
        language.say(
            "The buttons under a board are all you need to play; **/move** is for typing a move."
        ),
        language.say(
            "**/matches** lists your matches, finished ones too. `/match` has the rest: resign,"
            " draw, take back, pause, history, replay, rematch."
        ),
        language.say(
            "**/learn** teaches a game on a real board, **/rules** explains it, **/puzzle** has a"
            " puzzle for each day."
        ),
        language.say(
            "**/tournament show** shows a tournament of this server; join it there, and your"
            " matches start by themselves."
        ),
        language.say(
            "**/settings** sets how you're told about your turn; **/vacation** stops your clocks."
        ),
    ]
    # As a list: on a phone every line wraps.
    items: list[ui.Part] = [ui.text("\n- ".join([f"### {title}", *lines]))]
    items += ui.rows(
        [
            ui.button(Control("setup"), language.say("Play"), ui.PRIMARY),
            ui.button(Control("helplearn"), language.say("Learn a game")),
            ui.button(Control("matches", arg="mine"), language.say("My matches")),
            ui.button(Control("prefs"), language.say("Settings")),
            ui.button(Control("helporg"), language.say("For organisers")),
        ]
    )
    return Reply(title, Page(*items))


def welcome_page(language: Language) -> Page:
    """The message to a server that Parlour has just joined."""
    title = language.say("Parlour is here")
    lines = [
        language.say("**/play** offers a match to a player, or to anyone who wants to join."),
        language.say("Play these games here: {games}.", games=game_names(language)),
        language.say("**/help** shows the rest."),
    ]
    buttons = [
        ui.button(Control("setup"), language.say("Play"), ui.PRIMARY),
        ui.button(Control("helplearn"), language.say("Learn a game")),
        ui.button(Control("helporg"), language.say("For organisers")),
    ]
    return Page(ui.text("\n".join([f"### {title}", *lines])), *ui.rows(buttons))


def learning_page(language: Language) -> Reply:
    """Every game in a sentence, with menus for its lesson and its rules."""
    title = language.say("Learn a game")
    games = list(catalog.GAMES.items())[: ui.CHOICES]
    lines = [f"**{kind.info.name}** · {language(kind.info.summary)}" for _, kind in games]
    items: list[ui.Part] = [ui.text("\n".join([f"### {title}", *lines]))]
    lessons = [
        ui.Option(LessonState(key).write(), kind.info.name)
        for key, kind in games
        if key in catalog.LESSONS
    ]
    if lessons:
        items.append(ui.menu(Control("learnto"), language.say("Learn by playing"), lessons))
    guides = [ui.Option(key, kind.info.name) for key, kind in games]
    items.append(ui.menu(Control("guide"), language.say("Read the rules of a game"), guides))
    items += ui.rows([ui.button(Control("help"), language.say("Back"))])
    return Reply(title, Page(*items))


def organisers_page(language: Language) -> Reply:
    """The commands of managers."""
    title = language.say("For organisers")
    lines = [
        language.say(
            "**/server settings** chooses channels, roles, threads, the lobby and the defaults of"
            " **/play**. It needs the permission Manage Server."
        ),
        language.say("**/tournament create** holds a cup, a league, a Swiss or an arena here."),
    ]
    items: list[ui.Part] = [ui.text("\n".join([f"### {title}", *lines]))]
    begin = ui.button(Control("tcreate"), language.say("Create a tournament"))
    items += ui.rows([begin, ui.button(Control("help"), language.say("Back"))])
    return Reply(title, Page(*items))


_log = logger(__name__)


async def welcome(
    client: discord.Client, guild: discord.Guild, languages: Languages, mentions: CommandMentions
) -> None:
    """Post the welcome, if the server's system channel allows it."""
    channel = guild.system_channel
    if channel is None or not may_post(client, GuildId(guild.id), ChannelId(channel.id)):
        return
    page = welcome_page(languages.of(guild.preferred_locale))
    for part in page.texts():
        part["content"] = mentions.put_into(part["content"])
    try:
        await rest.post(client.http, channel.id, rest.message(components=page.components))
    except FAILURES as error:
        _log.info("a new server was not welcomed", error=type(error).__name__)


class BoardLook(Enum):
    """How ``/board`` shows a board."""

    NORMAL = "normal"
    FLIPPED = "flipped"
    LARGE = "large"
    TEXT = "text"


_LOOKS = {
    BoardLook.NORMAL.value: Text.of("As in the match"),
    BoardLook.FLIPPED.value: Text.of("From the other side"),
    BoardLook.LARGE.value: Text.of("Larger"),
    BoardLook.TEXT.value: Text.of("As text"),
}


@command(
    "board",
    Text.of("Show the board of a match, only to you"),
    fields={"view": Text.of("How to show it (default: as in the match)"), "match": MATCH_FIELD},
    choices={"view": text_choices(_LOOKS)},
    suggest={"match": suggest_matches(Sought.SEEN)},
    personal=True,
)
async def board_here(
    context: InteractionContext,
    view: str = BoardLook.NORMAL.value,
    match: app_commands.Range[str, 0, LONGEST] = "",
) -> Reply:
    """``/board``: the board again, to this player alone."""
    return await _board(context, await meant(context, f"board/{view}", Sought.SEEN, match), view)


@on_menu("show", how=PRIVATE)
async def show(context: InteractionContext, click: Click) -> Reply:
    """The board of a match chosen from a list."""
    return await _board(context, await find_match(context, click.value))


async def _bring_back(context: InteractionContext, match: Match, player: int) -> None:
    """Post a player's board again if it was deleted, which Discord doesn't tell without asking."""
    services = context.services
    with contextlib.suppress(Refused, Retry, StoreUnavailable):
        posted = await services.store.read(blocked.board_of, match.id, player)
        try:
            if posted is not None:
                await services.of(DiscordMessenger).see(posted)
        except Gone:
            _log.info("a board was deleted and is posted again", match=match.id)
            await services.store.write(match_feed.show_again, match.id, services.clock.now())


@resumes("board")
async def _board(context: InteractionContext, match: Match, view: str = "") -> Reply:
    if not match.state:
        status = context.language(STATUSES[match.status])
        return Reply(context.language(refusal(UserError("offer_closed", status=status))))
    player = match.index_of(context.user_id)
    if player is not None:
        context.services.background.start(_bring_back(context, match, player))
    if view == BoardLook.TEXT.value:
        return await _as_text(context, match)
    reader = replace(
        context.reader,
        larger=view == BoardLook.LARGE.value,
        flipped=view == BoardLook.FLIPPED.value,
    )
    is_mine = player is not None
    return await board_page.board(match, reader, buttons=is_mine)


@match_button("text", how=PRIVATE)
async def text_board(context: InteractionContext, match: Match) -> Reply:
    """**Text board**: position and moves as text."""
    if not match.state:
        raise UserError("not_started")
    return await _as_text(context, match)


@match_button("more", how=PRIVATE)
async def more(context: InteractionContext, match: Match) -> Reply:
    """**More**: the buttons that do not fit under a board."""
    if not match.state:
        raise UserError("not_started")
    player = match.index_of(context.user_id)
    has_moved = False
    if player is not None and match.status is MatchStatus.RUNNING and match.ply:
        past = await context.services.matches.history(context.actor, match.id)
        has_moved = own_last(past, player) is not None
    is_player = player is not None and player not in match.retired
    page = board_page.more_page(match, context.language, is_player=is_player, has_moved=has_moved)
    return Reply(board_page.title(match, context.language), page)


async def _as_text(context: InteractionContext, match: Match) -> Reply:
    moves = moves_of(await context.services.matches.history(context.actor, match.id))
    return await board_page.text_board(match, moves, context.reader)


@command(
    "matches",
    Text.of("List your matches: waiting for you, running, finished, in this server"),
    fields={
        "list": Text.of("Which list? (default: running matches and offers)"),
        "player": Text.of("Whose finished matches? (default: yours)"),
    },
    choices={"list": text_choices({each.value: words for each, words in LISTED.items()})},
    personal=True,
)
async def matches(
    context: InteractionContext,
    list: str = "",  # noqa: A002 - the name of the field
    player: Optional[discord.User] = None,  # noqa: UP045 - read at run time
) -> Reply:
    """``/matches``: a list of matches, by default the player's own."""
    owner = context.user_id
    if player is not None:
        owner = described(player)
        context.reader.names.note(owner, player.display_name)
    usual = Listed.MINE if owner == context.user_id else Listed.FINISHED
    wanted = member_in(Listed, list or usual.value)
    if owner != context.user_id and wanted is not Listed.FINISHED:
        raise UserError("list_of_others")
    return await _listed(context, wanted, owner)


@on_button("matches")
@on_menu("matches")
async def matches_turned(context: InteractionContext, click: Click) -> Reply:
    """Another page, or another list."""
    listed, _, whose = (click.value or click.arg.partition(".")[0]).partition("=")
    # In controls of earlier releases the page and the player follow.
    listed, *rest = listed.split("/")
    page = number_in(rest[0], most=999) if rest else min(click.version, 999)
    whose = whose or "".join(rest[1:])
    owner = id_in(whose) if whose else context.user_id
    return await _listed(context, member_in(Listed, listed), owner, page)


async def _listed(
    context: InteractionContext, listed: Listed, owner: UserId, number: int = 0
) -> Reply:
    service = context.services.matches
    guild_id, first = context.place.guild_id, number * ON_PAGE
    if listed is Listed.SERVER:
        found = await context.services.store.read(
            transactions.running_in_server, context.server, ON_PAGE + 1, first
        )
        found = tuple(each for each in found if sees_match(context.interaction, each))
    elif listed is Listed.FAVOURITES:
        found = await context.services.store.read(
            notes.favourites_of, context.actor, ON_PAGE + 1, first
        )
    elif listed is Listed.FINISHED:
        if owner != context.user_id:
            chosen = await context.services.preferences.of(owner)
            if not chosen.open_list:
                raise UserError("list_closed", player=owner)
        found = await service.over_of(context.actor, owner, ON_PAGE + 1, first)
    else:
        every = await service.matches_of(context.user_id)
        every = tuple(map(context.reader.credited, every))
        if listed is Listed.WAITING:
            every = tuple(each for each in every if waits_for(each, context.user_id))
        found = match_list.ordered(every, context.user_id)[first : first + ON_PAGE + 1]
    shown = found[:ON_PAGE]
    page = MatchList(
        listed,
        owner,
        number,
        shown,
        is_more=len(found) > ON_PAGE,
        vacations=await context.reader.away(*shown),
        stopped=context.reader.stopped_in(shown),
    )
    return await match_list.matches_page(
        page,
        context.user_id,
        context.reader,
        onward=next_button(None, context.language),
        back=back_to_help(context),
        in_server=guild_id is not None,
    )


@on_button("next")
async def next_game(context: InteractionContext, click: Click) -> Reply:
    """**Next match**: the board of the next match that waits for this player."""
    found = await context.services.matches.matches_of(context.user_id)
    waiting = match_list.waiting_after(found, context.user_id, click.match)
    language = context.language
    if not waiting:
        return Reply(language.say("No match is waiting for your move."))
    match = waiting[0]
    lead = language.say("Your move.")
    if match.venue is not Venue.DIRECT:
        lead = f"{lead} {match_text.place(match)}"
    if len(waiting) > 1:
        lead = f"{lead}\n{more_waiting(waiting[1:], context.user_id, language)}"
    reply = await board_page.board(match, context.reader, lead=lead)
    if len(waiting) == 1 or reply.page is None:
        return reply
    onward = rows([next_button(match, language)])
    return replace(reply, page=Page(*reply.page.components, *onward))


_on_a_game = partial(
    command,
    fields={"game": Text.of("Which game? (default: that of the match here)")},
    choices={"game": game_choices},
    personal=True,
)


@_on_a_game("rules", Text.of("Read the rules of a game"))
async def rules(context: InteractionContext, game: str = "") -> Reply:
    """``/rules``: the first page of a game's guide; without a game here, all of them to choose."""
    found = game or await _game_here(context)
    if not found:
        return learning_page(context.language)
    return await rules_page(found, 0, context.reader)


@_on_a_game("learn", Text.of("Learn a game on a real board, then solve puzzles"))
async def learn(context: InteractionContext, game: str = "") -> Reply:
    """``/learn``: the first page of a game's lesson; without a game here, all of them to choose."""
    found = game or await _game_here(context)
    if not found:
        return learning_page(context.language)
    return await task_page(LessonState(found), context.reader)


async def _game_here(context: InteractionContext) -> str:
    """The key of the game that is or was played here, '' if unknown."""
    match = await match_here(context)
    return match.game if match is not None and match.game in catalog.GAMES else ""


@on_button("rules", how=PRIVATE)
@on_menu("guide", how=PRIVATE)
async def rules_chosen(context: InteractionContext, click: Click) -> Reply:
    """**Rules** under a board or an offer, and the menu of games under ``/help``."""
    return await rules_page(click.value or click.arg, 0, context.reader)


@on_button("learnit", how=PRIVATE)
async def learn_button(context: InteractionContext, click: Click) -> Reply:
    """**Learn** under an offer."""
    if click.arg not in catalog.GAMES:
        raise UserError("out_of_date")
    return await task_page(LessonState(click.arg), context.reader)


@on_button("page")
async def rules_turned(context: InteractionContext, click: Click) -> Reply:
    """Another page of the rules."""
    # In controls of earlier releases the number of the page follows a slash.
    key, _, number = click.arg.partition(".")[0].partition("/")
    return await rules_page(key, number_in(number) if number else click.version, context.reader)


@on_menu("choose")
async def match_chosen(context: InteractionContext, click: Click) -> Reply:
    """Continue a command after its match was chosen from a list."""
    name, _, rest = click.arg.partition("/")
    resume = RESUMERS.get(name)
    if resume is None:
        raise UserError("out_of_date")
    return await resume(context, await find_match(context, click.value), rest)


@page_button("help")
@command("help", Text.of("See how Parlour works"), personal=True)
async def help_here(context: InteractionContext) -> Reply:
    """``/help``."""
    return help_page(context.language)


@page_button("helplearn")
async def help_learning(context: InteractionContext) -> Reply:
    """**Learn a game**."""
    return learning_page(context.language)


@page_button("helporg")
async def help_organisers(context: InteractionContext) -> Reply:
    """**For organisers**."""
    return organisers_page(context.language)
