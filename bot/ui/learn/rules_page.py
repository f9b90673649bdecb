"""``/rules``: the pages of a game's guide with their pictures, and its advice."""

from __future__ import annotations

from bot.domain.game_state import game_of
from bot.i18n import Language
from bot.ui.history.sources import sample_name
from bot.ui.learn.lessons import LessonState
from bot.ui.offers.option_text import find_game
from bot.ui.pages import components as ui
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.pages.match_text import cut, game_facts
from bot.ui.pages.presenter import Pictures
from games import catalog
from games.api import GameInfo, GuidePage, SampleGame
from games.view import BoardView
from renderers import Style


def _view(info: GameInfo, page: GuidePage) -> BoardView | None:
    """The position of a page, with its move played and marked."""
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
    """One page of a game's rules, counted from 0 and kept within them.

    Raises :exc:`games.errors.OptionError` if there is no such game.
    """
    info = find_game(key).info
    number = min(max(number, 0), max(len(info.pages) - 1, 0))
    items: list[ui.Part] = []
    title = info.name
    if info.pages:
        page = info.pages[number]
        title = f"{info.name} · {language(page.title)}"
        items.append(ui.text(f"### {title}"))
        view = _view(info, page)
        if view is not None:
            style = Style(theme=theme, locale=language.locale, translate=language)
            drawn = await pictures.picture(view, style)
            if drawn is not None:
                items.append(
                    ui.gallery(ui.Picture(ui.File("rules.png", drawn.png), drawn.alt_text))
                )
        # Below the picture, as in lessons: a phone shows the end of a long message.
        items.append(ui.text(language(page.body)))
    else:
        items.append(ui.text(f"### {title}\n{language(info.summary)}"))
    items.append(ui.text(_about(info, number, language)))
    samples: list[ui.Part] = []
    if info.samples and number == 0:
        lines = [
            ui.Option(sample_name(info.key, index), language(each.title), _players(each, language))
            for index, each in enumerate(info.samples)
        ]
        samples.append(ui.menu(Control("sample"), language.say("Replay a sample game"), lines))
    buttons = []
    if len(info.pages) > 1:
        last = len(info.pages) - 1
        buttons += [
            ui.button(
                Control("page", arg=f"{info.key}/{max(number - 1, 0)}.b"),
                language.say("Back"),
                disabled=number == 0,
            ),
            ui.button(
                Control("page", arg=f"{info.key}/{min(number + 1, last)}.n"),
                language.say("Next"),
                ui.PRIMARY,
                disabled=number == last,
            ),
        ]
    if info.key in catalog.LESSONS:
        first = Control("learn", arg=LessonState(info.key).write())
        buttons.append(ui.button(first, language.say("Learn by playing")))
    return Reply(title, Page(ui.container(*items), *samples, *ui.rows(buttons)))


def _players(sample: SampleGame, language: Language) -> str:
    return " – ".join(language(each) for each in sample.players)


def _about(info: GameInfo, number: int, language: Language) -> str:
    """The page number; on the first also facts about the game, its designer, and links."""
    made = language.say("{designer}, {year}", designer=info.designer, year=info.year)
    links = " ".join(f"<{link}>" for link in info.links)
    place = (
        language.say("Page {number} of {count}", number=number + 1, count=len(info.pages))
        if len(info.pages) > 1
        else ""
    )
    first = () if number else (game_facts(info, language), made, links)
    return cut("-# " + " · ".join(part for part in (*first, place) if part), 1000)
