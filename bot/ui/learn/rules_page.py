"""``/rules``: the pages of a game's guide with their pictures, and ``/help``."""

from __future__ import annotations

from bot.domain.game_state import game_of
from bot.i18n import Language
from bot.ui.learn.lesson_page import LessonState
from bot.ui.offers.option_text import find_game
from bot.ui.pages.components import (
    CHOICES,
    PRIMARY,
    File,
    Option,
    Part,
    Picture,
    button,
    container,
    gallery,
    menu,
    rows,
    text,
)
from bot.ui.pages.custom_ids import Control
from bot.ui.pages.match_text import cut
from bot.ui.pages.presenter import Pictures
from bot.ui.pages.reply import Page, Reply
from games import catalog
from games.api import GameInfo, GuidePage
from games.view import BoardView
from renderers import Style


def _view(info: GameInfo, page: GuidePage) -> BoardView | None:
    """The position of a page, its move played and marked if there is one."""
    if page.position is None:
        return None
    game = game_of(info.key, info.resolve(page.options))
    position = game.decode(page.position)
    if page.move is None:
        return game.view(position, None)
    move = game.parse(position, page.move)
    return game.view(game.play(position, move), None).with_marks(game.marks(position, move))


async def rules_page(
    key: str, number: int, pictures: Pictures, language: Language, *, theme: str
) -> Reply:
    """One page of a game's rules, counted from 0 and kept within the guide.

    Raises :exc:`games.errors.OptionError` if there is no such game.
    """
    info = find_game(key).info
    number = min(max(number, 0), max(len(info.guide) - 1, 0))
    items: list[Part] = []
    files: tuple[File, ...] = ()
    title = info.name
    if info.guide:
        page = info.guide[number]
        title = f"{info.name} · {language(page.title)}"
        items.append(text(f"### {title}\n{language(page.body)}"))
        view = _view(info, page)
        if view is not None:
            style = Style(theme=theme, locale=language.locale, translate=language)
            drawn = await pictures.picture(view, style)
            if drawn is not None:
                picture = Picture(File("rules.png", drawn.png), drawn.alt_text)
                items.append(gallery(picture))
                files = (picture.file,)
    else:
        items.append(text(f"### {title}\n{language(info.summary)}"))
    items.append(text(_about(info, number, language)))
    buttons = []
    if len(info.guide) > 1:
        last = len(info.guide) - 1
        buttons += [
            button(
                Control("page", arg=f"{info.key}/{max(number - 1, 0)}.b"),
                language.say("Back"),
                disabled=number == 0,
            ),
            button(
                Control("page", arg=f"{info.key}/{min(number + 1, last)}.n"),
                language.say("Next"),
                PRIMARY,
                disabled=number == last,
            ),
        ]
    if info.key in catalog.LESSONS:
        first = Control("learn", arg=LessonState(info.key).write())
        buttons.append(button(first, language.say("Learn by playing")))
    return Reply(title, Page(container(*items), *rows(buttons)), files)


def _about(info: GameInfo, number: int, language: Language) -> str:
    """Who made the game, when, and where to read more; which page this is."""
    made = language.say("{designer}, {year}", designer=info.designer, year=info.year)
    links = " ".join(f"<{link}>" for link in info.links)
    place = (
        language.say("Page {number} of {count}", number=number + 1, count=len(info.guide))
        if len(info.guide) > 1
        else ""
    )
    return cut("-# " + " · ".join(part for part in (made, links, place) if part), 1000)


def help_page(language: Language) -> Reply:
    """What one can do here, in a few lines, and the games there are."""
    lines = [
        "### " + language.say("Board games in Discord"),
        language.say("**/play** offers a match to a player, or to anyone who wants to join."),
        language.say("**/lobby** shows the open offers of this server."),
        language.say("**/move** plays a move and suggests moves while you type."),
        language.say("The first button under a board lets you pick a move from menus instead."),
        language.say("**/board** shows the board again, **/games** lists all your matches."),
        language.say(
            "**/rules** explains a game. **/resign** gives up, **/abort** ends a match before its"
            " second move, **/draw** offers a draw in games that have draws."
        ),
        language.say(
            "**/takeback** asks to take back your last move, **/pause** asks to stop the clock for"
            " a while, **/rematch** plays a finished match again."
        ),
        language.say(
            "**/plan** prepares premoves and conditional moves. **/profile** and **/leaderboard**"
            " show ratings."
        ),
        language.say(
            "**/settings me** sets your notices, quiet hours and pictures; **/block** keeps a"
            " player away from you."
        ),
        language.say("**/vacation** stops your clocks for some days."),
        language.say("**/privacy export** downloads your data, **/privacy delete** erases it."),
        language.say("**/learn** teaches a game on a real board and has puzzles."),
        language.say("**/tournament create** holds a cup, a league, a Swiss or an arena here."),
        language.say(
            "**/history** shows any position of a match, **/replay** plays it as an animation."
        ),
        language.say("**/export** downloads a match as a file, **/import** opens one."),
    ]
    options = [
        Option(key, kind.info.name, language(kind.info.summary))
        for key, kind in list(catalog.GAMES.items())[:CHOICES]
    ]
    items: list[Part] = [text("\n".join(lines))]
    if options:
        items.append(menu(Control("guide"), language.say("Read the rules of a game"), options))
    begin = button(Control("tcreate"), language.say("Create a tournament"))
    return Reply(lines[0].removeprefix("### "), Page(*items, *rows([begin])))
