"""The terms of an offer: lines of menus, and what the fields of ``/play`` suggest."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from bot.domain.clock_text import OFFERED, parse_offer_expiry, write_duration
from bot.domain.computers import OfferedLevel, levels_for
from bot.domain.rating_range import Around, RatingRange, format_rating_range, parse_rating_range
from bot.errors import UserError
from bot.i18n import Language
from bot.ui.pages.clock_text import duration
from bot.ui.pages.components import Control, Line, Row, Suggestion, choice_menu
from bot.ui.pages.match_text import cut
from bot.ui.pages.typed_times import in_letters
from games import catalog
from games.api import ChoiceOption, GameInfo, IntOption, OptionValue

_AROUND = (Around(100), Around(200), Around(400))
_FIXED = (RatingRange(1500, None), RatingRange(None, 1500))


def band_for(text: str, rating: int) -> RatingRange | None:
    """The band that a player with that rating asks for; None where it is for everybody.

    Raises :exc:`~bot.errors.UserError` (``band_unclear``, ``band_range``).
    """
    found = parse_rating_range(text)
    return found.of(rating) if isinstance(found, Around) else found


def _label(band: RatingRange | Around | None, language: Language) -> str:
    if band is None:
        return language.say("For all ratings")
    return language.say("Rating range: {band}", band=str(band))


def game_lines(language: Language) -> list[Line]:
    """The lines of a menu of games."""
    return [
        (key, kind.info.name, language(kind.info.summary)) for key, kind in catalog.GAMES.items()
    ]


def preset_lines(
    info: GameInfo, values: Mapping[str, OptionValue], language: Language
) -> tuple[list[Line], str]:
    """The lines of a menu of a game's presets, and the one that all values are as in, if any is."""
    same = (each.key for each in info.presets if dict(info.resolve(each.options)) == values)
    lines = [(each.key, language(each.label), language(each.reason)) for each in info.presets]
    return [*lines], next(same, "")


def option_lines(
    option: IntOption | ChoiceOption, values: Mapping[str, OptionValue], language: Language
) -> list[Line]:
    """The lines of the menu of an option: what the game offers, and the present value."""
    if isinstance(option, IntOption):
        offered = {str(value): str(value) for value in option.suggested}
    else:
        offered = {choice.key: language(choice.label) for choice in option.choices}
    now, what = str(values[option.key]), language(option.label)
    offered.setdefault(now, now)
    return [
        (value, language.say("{what}: {value}", what=what, value=words))
        for value, words in offered.items()
    ]


def band_menu(chosen: str, rating: int | None, language: Language) -> Row:
    """For everybody, some bands around one's own rating, and the chosen one.

    ``rating`` is one's own, so that they say what they come to.
    """
    now = parse_rating_range(chosen)
    lines: list[Line] = []
    for band in dict.fromkeys((None, *_AROUND, now)):
        note = str(band.of(rating)) if isinstance(band, Around) and rating is not None else None
        lines.append((format_rating_range(band), _label(band, language), note))
    label = language.say("Rating range")
    return choice_menu(Control("sband"), label, lines, format_rating_range(now))


def lasting_menu(chosen: timedelta, usual: timedelta, language: Language) -> Row:
    """How long an offer stands."""
    return choice_menu(
        Control("slasts"),
        language.say("Expires after"),
        [
            (
                write_duration(time),
                language.say("Expires after {time}", time=duration(time, language)),
            )
            for time in sorted({*OFFERED, usual, chosen})
        ],
        write_duration(chosen),
    )


def suggest_bands(typed: str, language: Language) -> list[Suggestion]:
    """What has been typed, if it is a band, and some that one may want."""
    offered: list[RatingRange | Around | None] = [*_AROUND, *_FIXED, None]
    if typed.strip():
        try:
            offered.insert(0, parse_rating_range(typed))
        except UserError:
            wanted = typed.strip().casefold()
            offered = [band for band in offered if wanted in format_rating_range(band)]
    return [
        Suggestion(cut(_label(band, language), 100), format_rating_range(band))
        for band in dict.fromkeys(offered)
    ]


def suggest_lasting(typed: str, usual: timedelta, language: Language) -> list[Suggestion]:
    """What has been typed, if it is a length of time, and some that one may want."""
    offered = sorted({*OFFERED, usual})
    if typed.strip():
        try:
            offered.insert(0, parse_offer_expiry(in_letters(typed, language), usual))
        except UserError:
            wanted = typed.strip().casefold()
            offered = [
                time
                for time in offered
                if wanted in write_duration(time) or wanted in duration(time, language).casefold()
            ]
    return [
        Suggestion(cut(duration(time, language), 100), write_duration(time))
        for time in dict.fromkeys(offered)
    ]


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
