"""What the pages of ``/settings`` are made of: their menus, and the values that these send back.

Every choice is saved at once and the page shown anew, so there is nothing to confirm and nothing
to forget; what a menu is about stands in its custom id. Whatever a client sends back is read with
suspicion: a value that no menu offers is out of date.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from babel import Locale, UnknownLocaleError

from bot.errors import UserError
from bot.i18n import Language
from bot.services.pairing import Limits
from bot.ui.pages.components import CHOICES, Control, Option, Row, menu
from bot.ui.pages.match_text import capital
from games.view import Text
from renderers import THEMES

USUAL = "-"
"""The value of what is left to the host, to Discord, or off."""

_THEME_NAMES = {
    "dark": Text.of("dark"),
    "light": Text.of("light"),
    "contrast": Text.of("high contrast"),
    "wood": Text.of("wood"),
    "sea": Text.of("sea"),
}


@dataclass(frozen=True, slots=True)
class SettingChoices:
    """What can be chosen: languages by locale, and the defaults of the host."""

    languages: Sequence[str]
    theme: str
    limits: Limits
    threads: bool = True


def _theme_name(key: str, language: Language) -> str:
    named = _THEME_NAMES.get(key)
    return key if named is None else language(named)


def own_name(locale: str) -> str:
    """What a language calls itself."""
    try:
        name = Locale.parse(locale, sep="-").get_display_name()
    except (UnknownLocaleError, ValueError):
        return locale
    return capital(name or locale)


def themes_menu(
    field: str, prompt: str, chosen: str | None, shelf: SettingChoices, language: Language
) -> Row:
    """The menu of the looks of pictures."""
    usual = language.say("default ({choice})", choice=_theme_name(shelf.theme, language))
    lines = [(USUAL, usual), *((key, _theme_name(key, language)) for key in THEMES)]
    return setting_menu(field, prompt, lines, chosen or USUAL, language=language)


def languages_menu(
    field: str,
    prompt: str,
    usual: str,
    chosen: str | None,
    shelf: SettingChoices,
    *,
    language: Language,
) -> Row:
    """The menu of languages, each by its own name; ``usual`` says what is meant by none."""
    lines = [(USUAL, usual), *((locale, own_name(locale)) for locale in shelf.languages)]
    return setting_menu(field, prompt, lines[:CHOICES], chosen or USUAL, language=language)


def setting_menu(
    field: str,
    prompt: str,
    lines: Iterable[tuple[str, str]],
    chosen: str,
    *,
    language: Language,
    notes: Mapping[str, str] = MappingProxyType({}),
) -> Row:
    """A menu whose every line says what it is about, so that the chosen one does.

    ``notes`` say more of some values.
    """
    options = [
        Option(
            value,
            language.say("{what}: {value}", what=prompt, value=said),
            notes.get(value),
            chosen=value == chosen,
        )
        for value, said in lines
    ]
    return menu(Control(*_at(field)), prompt, options)


def _at(field: str) -> tuple[str, str, int, str]:
    """The parts of the control of a setting: ``pref/theme`` of a person, ``serv/...``."""
    action, _, name = field.partition("/")
    return action, "-", 0, name


def one(values: tuple[str, ...]) -> str:
    """The value of a menu of which one is chosen."""
    if len(values) != 1:
        raise UserError("out_of_date")
    return values[0]


def among(value: str, known: Iterable[str]) -> str | None:
    """The value if it is one of these, None for the usual; everything else is out of date."""
    if value == USUAL:
        return None
    if value not in known:
        raise UserError("out_of_date")
    return value


def number(value: str, known: Iterable[int]) -> int:
    """The number that a value stands for, one of these; everything else is out of date."""
    for each in known:
        if value == str(each):
            return each
    raise UserError("out_of_date")
