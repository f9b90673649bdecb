"""Advice: behind the rules of every game that has some, in every language, and of no other."""

from __future__ import annotations

import pytest

from bot.i18n import Languages
from bot.learn.ui.lessons import rules_page
from bot.media.pictures import PictureMaker
from bot.ui.pages.components import TEXT, walk
from bot.ui.pages.display_names import NameBook
from bot.ui.pages.reader import Reader
from games import catalog
from renderers import render
from tests.support.own_games import OWN_GAMES

GAMES = [key for key in OWN_GAMES if catalog.GAMES[key].info.advice is not None]
LANGUAGES = Languages()


@pytest.mark.parametrize("locale", ["en", "de", "es", "fr", "ja", "pl", "pt-BR"])
async def test_the_last_page_of_the_rules_is_the_advice_and_fits_a_message(locale: str) -> None:
    language = LANGUAGES.of(locale)
    maker = PictureMaker(render)
    for key in GAMES:
        info = catalog.GAMES[key].info
        reply = await rules_page(key, 99, Reader(maker, NameBook(), language))
        assert reply.page is not None
        parts = list(walk(reply.page.components))
        said = [str(part["content"]) for part in parts if part.get("type") == 10]
        assert info.advice is not None
        assert any(language(info.advice) in each for each in said)
        if locale != "en":
            assert language(info.advice) != info.advice.message
        assert sum(map(len, said)) <= TEXT
    maker.close()
