"""Levels of computers in words, and what a person may type for one."""

from __future__ import annotations

from bot.domain.computers import OfferedLevel, levels_for
from bot.errors import UserError
from bot.i18n import Language
from bot.ui.pages.components import Suggestion

MY_STRENGTH = "0"
"""Stands in place of a level for the one that suits the person."""


def level_words(level: OfferedLevel, language: Language) -> str:
    """A level with its rating, if that was measured."""
    if level.rating is None:
        return language.say("Level {level}", level=level.number)
    return language.say("Level {level} (rating {rating})", level=level.number, rating=level.rating)


def my_strength(level: int, language: Language) -> str:
    """The level that is suggested first."""
    return language.say("About my strength: level {level}", level=level)


def suggest_levels(
    game: str, typed: str, suggested: int | None, language: Language
) -> list[Suggestion]:
    """Levels that fit what has been typed; about one's own strength is the first."""
    found = []
    if suggested is not None:
        found.append(Suggestion(my_strength(suggested, language), MY_STRENGTH))
    found += [
        Suggestion(level_words(each, language), str(each.number)) for each in levels_for(game)
    ]
    wanted = typed.strip().casefold()
    return [each for each in found if wanted in each.shown.casefold() or wanted == each.value]


def read_level(game: str, typed: str) -> int:
    """The level that a text means, 0 for the one that suits the person; else ``no_such_level``."""
    digits = "".join(character for character in typed if character in "0123456789")
    most = len(levels_for(game))
    if len(digits) not in (1, 2) or int(digits) > most:
        raise UserError("no_such_level", levels=most)
    return int(digits)
