"""What people write in the fields of ``/play``: options of a game, and a side.

Every game brings its options, presets and seats as data; nothing here knows any of them. A text of
options is ``size 7, pie off``: an option and a value, in any order, separated by commas, semicolons
or nothing; ``=`` or ``:`` may stand between the two. A preset's name stands for all of its values.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.domain.table import game_of
from bot.errors import UserError
from bot.i18n import Language
from bot.ui.words import cut
from games import catalog
from games.api import Game, GameInfo, IntOption, OptionValue, Preset
from games.errors import OptionError

__all__ = [
    "Suggestion",
    "find_game",
    "read_options",
    "read_side",
    "suggest_options",
    "suggest_sides",
]

_LONGEST = 200
_SEPARATORS = re.compile(r"[,;=:\s]+")
_FEW = 25


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What autocomplete shows, and what it puts into the field."""

    shown: str
    value: str


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text[:_LONGEST]).casefold()


def find_game(text: str) -> type[Game[Any, Any]]:
    """The game of that key or name; :exc:`games.errors.OptionError` if there is none."""
    wanted = _plain(str(text)).strip()
    for key, kind in catalog.GAMES.items():
        if wanted in (key.casefold(), kind.info.name.casefold()):
            return kind
    raise OptionError("game_unknown", game=str(text)[:40], allowed=", ".join(catalog.GAMES))


def _tokens(text: str) -> list[str]:
    return [token for token in _SEPARATORS.split(_plain(text)) if token]


def read_options(info: GameInfo, text: str) -> Mapping[str, OptionValue]:
    """The options that a text asks for, checked; those not named keep their defaults.

    Raises :exc:`~bot.errors.UserError` (``option_unclear``, ``option_twice``) and
    :exc:`games.errors.OptionError`.
    """
    if len(text) > _LONGEST:
        raise UserError("option_unclear", text=cut(text, 40), example=example(info))
    given: dict[str, OptionValue] = {}
    preset: Mapping[str, OptionValue] = {}
    keys = {option.key.casefold(): option for option in info.options}
    presets = {preset.key.casefold(): preset for preset in info.presets}
    tokens = _tokens(text)
    at = 0
    while at < len(tokens):
        word = tokens[at]
        if word in keys:
            option = keys[word]
            if at + 1 == len(tokens):
                raise UserError("option_unclear", text=word[:40], example=example(info))
            if option.key in given:
                raise UserError("option_twice", option=option.key)
            given[option.key] = option.read(tokens[at + 1])
            at += 2
        elif word in presets:
            preset = presets[word].options
            at += 1
        else:
            raise UserError("option_unclear", text=word[:40], example=example(info))
    return info.resolve({**preset, **given})


def example(info: GameInfo) -> str:
    """Options as one might write them for this game."""
    parts = []
    for option in info.options[:2]:
        values = _values(option)
        parts.append(f"{option.key} {values[min(1, len(values) - 1)]}")
    return ", ".join(parts) or "-"


def _values(option: Any) -> list[str]:
    if isinstance(option, IntOption):
        return [str(value) for value in option.offered]
    return [choice.key for choice in option.choices]


def _labelled(option: Any, value: str, language: Language) -> str:
    if isinstance(option, IntOption):
        return f"{language(option.label)}: {value}"
    words = next(language(choice.label) for choice in option.choices if choice.key == value)
    return f"{language(option.label)}: {words}"


def suggest_options(info: GameInfo, typed: str, language: Language) -> list[Suggestion]:
    """Ways to go on from what has been typed: presets first, then each option with its values."""
    done, given, rest = _finished(info, typed)
    found: list[Suggestion] = []
    if not given:
        found += [_preset(preset, language) for preset in info.presets]
    for option in info.options:
        if option.key in given:
            continue
        for value in _values(option):
            text = f"{option.key} {value}"
            value_text = f"{done}, {text}" if done else text
            shown = f"{text} ({_labelled(option, value, language)})"
            found.append(Suggestion(f"{done}, {shown}" if done else shown, value_text))
    if done and not rest:
        found.insert(0, Suggestion(done, done))
    fitting = [one for one in found if rest in _plain(one.value.removeprefix(done))]
    return [Suggestion(cut(one.shown, 100), one.value) for one in fitting if len(one.value) <= 100][
        :_FEW
    ]


def _preset(preset: Preset, language: Language) -> Suggestion:
    return Suggestion(f"{language(preset.label)}: {language(preset.reason)}", preset.key)


def _finished(info: GameInfo, typed: str) -> tuple[str, frozenset[str], str]:
    """What of a text is complete, which options that sets, and what is still being typed."""
    keys = {option.key.casefold(): option for option in info.options}
    presets = {preset.key.casefold(): preset for preset in info.presets}
    tokens = _tokens(typed)
    done: list[str] = []
    given: set[str] = set()
    at = 0
    while at < len(tokens):
        word = tokens[at]
        option = keys.get(word)
        if option is not None and at + 1 < len(tokens):
            try:
                value = option.read(tokens[at + 1])
            except OptionError:
                break
            done.append(f"{option.key} {value}")
            given.add(option.key)
            at += 2
        elif word in presets:
            done.append(presets[word].key)
            given.update(presets[word].options)
            at += 1
        else:
            break
    return ", ".join(done), frozenset(given), " ".join(tokens[at:])


def _sides(game: Game[Any, Any], language: Language) -> list[Suggestion]:
    """A line for each side: its words, who begins, and its number from 1."""
    lines = []
    for number, seat in enumerate(game.seats):
        name = language(seat.name)
        shown = language.say("{side} (begins)", side=name) if number == 0 else name
        lines.append(Suggestion(shown, str(number + 1)))
    return lines


def suggest_sides(
    info: GameInfo, options: Mapping[str, OptionValue], typed: str, language: Language
) -> list[Suggestion]:
    """The sides of a game that fit what has been typed, and drawing lots."""
    lots = Suggestion(language.say("Draw lots"), "0")
    found = [lots, *_sides(game_of(info.key, options), language)]
    wanted = _plain(typed).strip()
    return [one for one in found if wanted in _plain(one.shown) or wanted == one.value][:_FEW]


def read_side(
    info: GameInfo, options: Mapping[str, OptionValue], text: str, language: Language
) -> int | None:
    """The player index that a text asks for, None for drawing lots.

    Takes the number of a side from 1, or its words in English or in the reader's language. Raises
    :exc:`~bot.errors.UserError` (``side_unknown``).
    """
    wanted = _plain(text).strip()
    if wanted in ("", "0", "-", "random", _plain(language.say("Draw lots"))):
        return None
    seats = game_of(info.key, options).seats
    for number, seat in enumerate(seats):
        names = {str(number + 1), _plain(seat.name.message), _plain(language(seat.name))}
        names.add(_plain(_sides(game_of(info.key, options), language)[number].shown))
        if wanted in names:
            return number
    allowed = ", ".join(language(seat.name) for seat in seats)
    raise UserError("side_unknown", side=cut(text, 40), allowed=allowed)
