"""``/help``: a few lines and buttons by what a player wants, and the pages behind them.

A server that Parlour has just joined gets the first of them in its system channel.
"""

from __future__ import annotations

import discord

from bot.domain.ids import ChannelId, GuildId
from bot.i18n import Language, Languages
from bot.logs import logger
from bot.ui import rest
from bot.ui.interaction.context import CommandMentions
from bot.ui.learn.lessons import LessonState
from bot.ui.pages import components as ui
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.rest import FAILURES, may_post
from games import catalog


def game_names(language: Language) -> str:
    """The names of all games, in bold."""
    return language.listed(f"**{kind.info.name}**" for kind in catalog.GAMES.values())


def help_page(language: Language) -> Reply:
    """What Parlour is for, a line for each kind of command, and buttons for what one wants."""
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
            "**/tournament show** shows a tournament of this server; join it there, and your games"
            " start by themselves."
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
            ui.button(Control("matches", arg="mine/0"), language.say("My matches")),
            ui.button(Control("prefs"), language.say("Settings")),
            ui.button(Control("helporg"), language.say("For organisers")),
        ]
    )
    return Reply(title, Page(*items))


def welcome_page(language: Language) -> Page:
    """What is said once in a server that Parlour has just joined."""
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
    """What those who look after a server can do."""
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
    """Say in a new server what to do first, if there is a place where that is welcome."""
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
