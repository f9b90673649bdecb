"""Options of a game, and sides, as players type them.

Every game brings its options, presets and seats as data. A text of options is ``size 7, pie off``:
an option and a value, in any order, separated by commas, semicolons or nothing; ``=`` or ``:`` may
stand between the two. The name of a preset stands for all of its values.
"""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

from bot.domain.game_state import game_of
from bot.errors import UserError
from bot.i18n import Language
from bot.ui.pages.components import OPTION, Option
from bot.ui.pages.match_text import cut
from games import catalog
from games.api import ChoiceOption, Game, GameInfo, IntOption, OptionValue
from games.errors import OptionError
from games.view import Text

T = TypeVar("T")

_LONGEST = 400
_SEPARATORS = re.compile(r"[,、;=:·\s]+")


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text[:_LONGEST]).casefold()


def find_game(text: str) -> type[Game[Any, Any]]:
    """The game of that key or name. Raises :exc:`games.errors.OptionError`."""
    wanted = _plain(str(text)).strip()
    for key, kind in catalog.GAMES.items():
        if wanted in (key.casefold(), kind.info.name.casefold()):
            return kind
    raise OptionError("game_unknown", game=str(text)[:40], allowed=", ".join(catalog.GAMES))


def game_named(text: str) -> str | None:
    """The key of the game of that key or name; None for no text."""
    return find_game(text).info.key if text else None


def _tokens(text: str) -> list[str]:
    return [token for token in _SEPARATORS.split(_plain(text)) if token]


_Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a text of options: its canonical form, its values, and the words after it.

    ``option`` is the key of an option, the standard rules, or None for a preset.
    """

    text: str
    option: str | None
    values: Mapping[str, OptionValue]
    rest: list[str]


def _named(things: Iterable[tuple[T, str, Text]], language: Language) -> Mapping[_Words, T]:
    """Things by their names: key, label, and first words of a label that no other has."""
    keys: dict[_Words, T] = {}
    labels: dict[_Words, list[T]] = {}
    for thing, key, label in things:
        keys[tuple(_tokens(key))] = thing
        for name in {tuple(_tokens(label.message)), tuple(_tokens(language(label)))}:
            for end in range(1, len(name) + 1):
                labels.setdefault(name[:end], []).append(thing)
    alone = {
        name: found[0]
        for name, found in labels.items()
        if all(thing is found[0] for thing in found)
    }
    return {**alone, **keys}


def _matching(named: Mapping[_Words, T], words: list[str]) -> Iterator[tuple[T, list[str]]]:
    """The things whose names these words begin with, the longest first, and the words after."""
    for end in range(min(len(words), max(map(len, named), default=0)), 0, -1):
        found = named.get(tuple(words[:end]))
        if found is not None:
            yield found, words[end:]


def _parts(info: GameInfo, words: list[str], language: Language) -> Iterator[_Part]:
    """The parts of a text in their order, up to the first unknown word.

    Raises :exc:`games.errors.OptionError` for a value that its option does not take.
    """
    options = _named(((each, each.key, each.label) for each in info.options), language)
    presets = _named(((each, each.key, each.label) for each in info.presets), language)
    standard = _standard(info, language)
    while words:
        part = _option(_matching(options, words), language)
        if part is None:
            part = next(
                (
                    _Part("standard rules", "standard rules", *each)
                    for each in _matching(standard, words)
                ),
                None,
            )
        if part is None:
            preset, rest = next(_matching(presets, words), (None, words))
            if preset is None:
                _refuse_bare(option for option, left in _matching(options, words) if not left)
                return
            part = _Part(preset.key, None, preset.options, rest)
        yield part
        words = part.rest


def _refuse_bare(found: Iterable[IntOption | ChoiceOption]) -> None:
    """Refuse an option without a value (``option_bare``)."""
    for option in found:
        try:
            option.read("")
        except OptionError as error:
            allowed = error.params["allowed"]
            raise OptionError("option_bare", option=option.key, allowed=allowed) from None


def _standard(info: GameInfo, language: Language) -> Mapping[_Words, Mapping[str, OptionValue]]:
    """The standard rules, by their names."""
    rules = {each.key: each.default for each in info.options if isinstance(each, ChoiceOption)}
    names = ("standard rules", language.say("standard rules"))
    return {tuple(_tokens(name)): rules for name in names if rules}


def _option(
    found: Iterable[tuple[IntOption | ChoiceOption, list[str]]], language: Language
) -> _Part | None:
    """The first option that is followed by one of its values; None if nothing follows."""
    refused: OptionError | None = None
    for option, words in found:
        if not words:
            continue
        try:
            value, rest = _value(option, words, language)
        except OptionError as error:
            refused = refused or error
            continue
        return _Part(f"{option.key} {value}", option.key, {option.key: value}, rest)
    if refused is not None:
        raise refused
    return None


def _value(
    option: IntOption | ChoiceOption, words: list[str], language: Language
) -> tuple[OptionValue, list[str]]:
    """The value that these words begin with, and the words after it."""
    if isinstance(option, ChoiceOption):
        choices = ((choice.key, choice.key, choice.label) for choice in option.choices)
        for key, rest in _matching(_named(choices, language), words):
            return key, rest
    return option.read(words[0]), words[1:]


def read_options(
    info: GameInfo,
    text: str,
    language: Language,
    usual: Mapping[str, OptionValue] = MappingProxyType({}),
) -> Mapping[str, OptionValue]:
    """The options of a text, checked; others are as ``usual``, or have the game's defaults.

    Raises ``option_unclear``, ``option_twice`` and :exc:`games.errors.OptionError`.
    """
    if len(text) > _LONGEST:
        raise UserError("option_unclear", text=cut(text, 40), example=example(info))
    given: dict[str, OptionValue] = {}
    preset: Mapping[str, OptionValue] = {}
    tokens = _tokens(text)
    for part in _parts(info, tokens, language):
        tokens = part.rest
        if part.option is None:
            preset = part.values
        elif not given.keys().isdisjoint(part.values):
            raise UserError("option_twice", option=part.option)
        else:
            given |= part.values
    if tokens:
        raise UserError("option_unclear", text=tokens[0][:40], example=example(info))
    return info.resolve({**usual, **preset, **given})


def example(info: GameInfo) -> str:
    """An example of options of this game."""
    parts = []
    for option in info.options[:2]:
        values = _values(option)
        parts.append(f"{option.key} {values[min(1, len(values) - 1)]}")
    return ", ".join(parts) or "-"


def _values(option: Any) -> list[str]:
    if isinstance(option, IntOption):
        return [str(value) for value in option.suggested]
    return [choice.key for choice in option.choices]


def _labelled(option: Any, value: str, language: Language) -> str:
    words = value
    if not isinstance(option, IntOption):
        words = next(language(choice.label) for choice in option.choices if choice.key == value)
    return language.pair(language(option.label), words)


def suggest_options(info: GameInfo, typed: str, language: Language) -> list[Option]:
    """Continuations of a text: presets first, then each option with its values."""
    done, given, rest = _finished(info, typed, language)
    found: list[Option] = []
    if not given:
        found += [
            Option(
                each.key,
                language.pair(language(each.label), language(each.reason)),
            )
            for each in info.presets
        ]
    for option in info.options:
        if option.key in given:
            continue
        for value in _values(option):
            text = f"{option.key} {value}"
            value_text = f"{done}, {text}" if done else text
            shown = f"{text} ({_labelled(option, value, language)})"
            found.append(Option(value_text, f"{done}, {shown}" if done else shown))
    if done and not rest:
        found.insert(0, Option(done, done))
    return [
        one
        for one in found
        if rest in _plain(one.value.removeprefix(done)) or rest in " ".join(_tokens(one.label))
        if len(one.value) <= OPTION
    ]


def _finished(info: GameInfo, typed: str, language: Language) -> tuple[str, frozenset[str], str]:
    """The complete part of a text, its options, and what is still being typed."""
    tokens = _tokens(typed)
    done: list[str] = []
    given: set[str] = set()
    with contextlib.suppress(OptionError):
        for part in _parts(info, tokens, language):
            tokens = part.rest
            done.append(part.text)
            given.update(part.values)
    return ", ".join(done), frozenset(given), " ".join(tokens)


def sides(info: GameInfo, options: Mapping[str, OptionValue]) -> dict[int | None, Text]:
    """The sides of a game by player index, and None for a random one."""
    first, *others = (seat.name for seat in game_of(info.key, options).seats)
    moves_first = Text.of("{side} (moves first)", side=(first,))
    return {None: Text.of("Random"), 0: moves_first, **dict(enumerate(others, 1))}


def suggest_sides(
    info: GameInfo, options: Mapping[str, OptionValue], typed: str, language: Language
) -> list[Option]:
    """The sides of a game that fit what has been typed, and a random one."""
    named = sides(info, options).values()
    found = [Option(str(number), language(name)) for number, name in enumerate(named)]
    wanted = _plain(typed).strip()
    return [one for one in found if wanted in _plain(one.label) or wanted == one.value]


def read_side(
    info: GameInfo, options: Mapping[str, OptionValue], text: str, language: Language
) -> int | None:
    """The player index of a typed side, None for a random one.

    Takes the number of a side from 1, or its words in English or in the reader's language. Raises
    ``side_unknown``.
    """
    wanted = _plain(text).strip()
    if wanted in ("", "0", "-", "random", _plain(language.say("Random"))):
        return None
    seats, named = game_of(info.key, options).seats, sides(info, options)
    for number, seat in enumerate(seats):
        names = (seat.name.message, language(seat.name), language(named[number]))
        if wanted in (str(number + 1), *map(_plain, names)):
            return number
    allowed = ", ".join(language(seat.name) for seat in seats)
    raise UserError("side_unknown", side=cut(text, 40), allowed=allowed)
