"""Every catalogue is whole, fits its placeholders, and stays within what Discord shows."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import discord
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from discord import app_commands

from bot.i18n import COMMAND_NAME, LOCALES, OPTION_NAME, Languages
from bot.i18n.extract import PACKAGES, forms, is_translated
from bot.tournaments.ui import words as tournament_words
from bot.ui.command_sync import CatalogueTranslator, is_name
from bot.ui.interaction.handler import InteractionHandler
from bot.ui.interaction.slash import Tree, build
from bot.ui.offers.option_text import suggest_options
from bot.ui.pages import board_page
from games import catalog
from tests.support.sentences import source_sentences, together

pytestmark = together

_CATALOGUES = sorted(LOCALES.glob("*/parlour.po"))
every_language = pytest.mark.parametrize("path", _CATALOGUES, ids=lambda path: path.parent.name)


def _read(path: Path) -> Catalog:
    with path.open("rb") as source:
        return read_po(source, locale=path.parent.name.replace("-", "_"))


def _entries(path: Path) -> list[Message]:
    return [message for message in _read(path) if message.id]


def _key(message: Message) -> tuple[str | None, tuple[str, ...]]:
    return message.context, forms(message)


def _said(message: Message) -> tuple[str, ...]:
    """The translation, in each of its plural forms if the sentence counts."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def _pairs(path: Path) -> Iterator[tuple[str, str]]:
    """Each form of a translation beside the English of it, the plural for all but the first."""
    for entry in _entries(path):
        said = _said(entry)
        for index, words in enumerate(said):
            if words:
                yield forms(entry)[-1 if index or len(said) == 1 else 0], words


# ---- the sentences that are found -------------------------------------------------------------


def _calls(path: Path) -> Iterator[ast.Call]:
    """Every call in a module that makes a sentence of its first argument."""
    source = path.read_text(encoding="utf-8")
    if re.search(r"\b(Text\.of|say|plural)\(", source) is None:
        return
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="Text"), attr="of")):
                yield node
            case ast.Call(func=ast.Attribute(attr="say" | "plural") | ast.Name(id="say")):
                yield node


def _modules() -> Iterator[Path]:
    for package in PACKAGES:
        for path in sorted(package.rglob("*.py")):
            if path.name != "gallery.py":
                yield path


def test_every_sentence_of_the_source_is_found_and_is_a_literal() -> None:
    """Babel's extractor sees neither computed words nor calls inside an f-string or too deep."""
    found = {words for message in source_sentences() if message.id for words in forms(message)}
    forwarding = {"games/view.py", "renderers/style.py", "bot/i18n/__init__.py"}
    for path in _modules():
        name = path.relative_to(PACKAGES[0].parent).as_posix()
        for call in _calls(path):
            wanted = call.args[: 2 if getattr(call.func, "attr", "") == "plural" else 1]
            for argument in wanted:
                if isinstance(argument, ast.Constant):
                    assert argument.value in found, (name, call.lineno)
                else:
                    assert name in forwarding | {"bot/ui/command_sync.py"}, (
                        name,
                        call.lineno,
                    )


# ---- catalogues -------------------------------------------------------------------------------


def test_no_catalogue_lacks_a_sentence() -> None:
    """The one test that fails when an English sentence is new and not yet translated."""
    wanted = {_key(message) for message in source_sentences() if message.id}
    lacking = {
        path.parent.name: sorted(
            words[0]
            for _, words in wanted - {_key(each) for each in _entries(path) if is_translated(each)}
        )
        for path in _CATALOGUES
    }
    lacking = {locale: words for locale, words in lacking.items() if words}
    assert not lacking, (
        f"run `make words`, then fill the empty msgstr in bot/i18n/locales/*/parlour.po: {lacking}"
    )


@every_language
def test_no_entry_is_guessed_or_unused(path: Path) -> None:
    used = {_key(message) for message in source_sentences() if message.id}
    found = _read(path)
    assert not [message.id for message in found if message.fuzzy and message.id]
    assert not found.obsolete
    unused = sorted(forms(each)[0] for each in _entries(path) if _key(each) not in used)
    assert not unused, f"run `make words`; it drops: {unused}"


@every_language
def test_every_plural_has_all_forms_of_its_language(path: Path) -> None:
    found = _read(path)
    expected = {"de": 2, "es": 2, "fr": 2, "ja": 1, "pl": 3, "pt-BR": 2}
    assert found.num_plurals == expected.get(path.parent.name, found.num_plurals)
    assert f"nplurals={found.num_plurals}; plural=" in path.read_text(encoding="utf-8")
    counting = [entry for entry in found if entry.pluralizable]
    assert counting
    for entry in counting:
        assert len(_said(entry)) == found.num_plurals, entry.id
        assert all(_said(entry)), entry.id


def _holes(words: str) -> list[str]:
    return sorted(re.findall(r"\{[^{}]*\}|<[@#t:][^<>]*>", words))


def _commands(words: str) -> set[str]:
    return set(re.findall(r"(?<![\w/<])/[a-z]+(?:-[a-z]+)?", words))


@every_language
def test_whatever_is_no_word_stays_as_it_is(path: Path) -> None:
    wrong = []
    for english, said in _pairs(path):
        if not (
            _holes(english) == _holes(said)
            and _commands(english) == _commands(said)
            and english.count("**") == said.count("**")
            and english.count("\n") == said.count("\n")
            and (len(english) - len(english.lstrip())) == (len(said) - len(said.lstrip()))
            and (len(english) - len(english.rstrip())) == (len(said) - len(said.rstrip()))
        ):
            wrong.append((english, said))
    assert not wrong


@every_language
def test_every_name_is_one_that_discord_takes(path: Path) -> None:
    wrong = [
        (str(entry.id), str(entry.string))
        for entry in _entries(path)
        if entry.context in {COMMAND_NAME, OPTION_NAME} and entry.string
        if not is_name(str(entry.string))
    ]
    assert not wrong


# ---- what Discord is told about the commands -----------------------------------------------------


async def _payloads() -> list[dict[str, Any]]:
    tree = Tree(discord.Client(intents=discord.Intents.none()))
    build(tree, InteractionHandler.__new__(InteractionHandler))
    translator = CatalogueTranslator(Languages())
    return [
        dict(await command.get_translated_payload(tree, translator))
        for command in tree.get_commands()
        if isinstance(command, app_commands.Command | app_commands.Group)
    ]


def _shown(nodes: Iterable[dict[str, Any]], key: str, locale: str) -> list[str]:
    return [(node.get(f"{key}_localizations") or {}).get(locale, node[key]) for node in nodes]


def _longest(node: dict[str, Any], key: str) -> int:
    return max(
        len(words)
        for words in (node.get(key, ""), *(node.get(f"{key}_localizations") or {}).values())
    )


def _total(node: dict[str, Any]) -> int:
    """https://docs.discord.com/developers/interactions/application-commands, 8,000 in all."""
    choices = node.get("choices", ())
    return (
        _longest(node, "name")
        + _longest(node, "description")
        + sum(_longest(choice, "name") + len(str(choice["value"])) for choice in choices)
        + sum(_total(option) for option in node.get("options", ()))
    )


def _levels(nodes: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Commands or options that stand beside one another, so that their names must differ."""
    yield nodes
    for node in nodes:
        yield from _levels(node.get("options", []))


async def test_names_differ_and_commands_are_short_enough_in_every_language() -> None:
    payloads = await _payloads()
    for nodes in _levels(payloads):
        for locale in [path.parent.name for path in _CATALOGUES]:
            shown = _shown(nodes, "name", locale)
            assert len(set(shown)) == len(shown), (locale, sorted(shown))
        for node in nodes:
            assert 1 <= _longest(node, "description") <= 100, node
            for choice in node.get("choices", ()):
                assert _longest(choice, "name") <= 100, choice
    for payload in payloads:
        assert _total(payload) <= 8000, (payload["name"], _total(payload))


async def test_a_name_that_discord_would_refuse_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / "parlour.po").write_text(
        f'msgctxt "{COMMAND_NAME}"\nmsgid "play"\nmsgstr "Zwei Worte"\n\n'
        f'msgctxt "{COMMAND_NAME}"\nmsgid "move"\nmsgstr "zug"\n'
    )
    tree = Tree(discord.Client(intents=discord.Intents.none()))
    build(tree, InteractionHandler.__new__(InteractionHandler))
    translator = CatalogueTranslator(Languages(tmp_path))
    for name, expected in (("play", None), ("move", "zug")):
        command = tree.get_command(name)
        assert isinstance(command, app_commands.Command)
        payload = await command.get_translated_payload(tree, translator)
        assert (payload.get("name_localizations") or {}).get("de") == expected


# ---- what is shown in small places ------------------------------------------------------------

_PLACES = {
    "button": (80, 80),
    "menu": (150, 150),
    "choice_menu": (100, 100),
    "Choice": (100, 100),
    "_Menu": (100, 100),
    "Option": (100, 100),
    "UserSelect": (150, 150),
    "ChannelSelect": (150, 150),
    "RoleSelect": (150, 150),
    "one_field": (45, 100),
    "on_text": (45, 100),
}
"""Functions that fill small places: the limit of their words, and that of a ``hint``.

https://docs.discord.com/developers/components/reference
"""


def _words(node: ast.AST) -> Iterator[str]:
    """The sentences said directly for this argument, not those of another place inside it."""
    if isinstance(node, ast.Call):
        name = _called(node)
        if name in _PLACES:
            return
        if name in ("say", "of") and node.args and isinstance(node.args[0], ast.Constant):
            yield str(node.args[0].value)
    for child in ast.iter_child_nodes(node):
        yield from _words(child)


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


@functools.cache
def _small() -> Mapping[str, int]:
    """Every sentence that stands in a small place, and the most characters that fit there."""
    found: dict[str, int] = {}

    def note(words: str, limit: int) -> None:
        found[words] = min(limit, found.get(words, limit))

    for path in sorted(PACKAGES[2].rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or _called(call) not in _PLACES:
                continue
            limit, hint = _PLACES[_called(call)]
            for argument in call.args:
                for words in _words(argument):
                    note(words, limit)
            for keyword in call.keywords:
                for words in _words(keyword.value):
                    note(words, hint if keyword.arg == "hint" else limit)
    for label in (*board_page._LABELS.values(), *tournament_words.LABELS.values()):
        note(label.message, 80)
    for kind in catalog.GAMES.values():
        info = kind.info
        note(info.summary.message, 100)
        for preset in info.presets:
            note(preset.label.message, 100)
            note(preset.reason.message, 100)
        for option in info.options:
            note(option.label.message, 45)
            for choice in getattr(option, "choices", ()):
                note(choice.label.message, 100 - 47)
    for lesson in catalog.LESSONS.values():
        for puzzle in lesson.puzzles:
            note(puzzle.title.message, 80)
    return found


def test_the_english_words_fit_into_their_places_too() -> None:
    assert not {words: limit for words, limit in _small().items() if len(words) > limit}


def test_a_preset_is_suggested_with_its_whole_reason_in_every_language() -> None:
    for language in Languages().known().values():
        for kind in catalog.GAMES.values():
            for preset in kind.info.presets:
                (shown,) = [
                    each.label
                    for each in suggest_options(kind.info, "", language)
                    if each.value == preset.key
                ]
                assert shown.endswith(language(preset.reason)), shown


@every_language
def test_words_fit_into_their_places(path: Path) -> None:
    small = _small()
    long = {
        words: (len(words), small[forms(entry)[0]])
        for entry in _entries(path)
        for words in _said(entry)
        if not entry.context and len(words) > small.get(forms(entry)[0], 10_000)
    }
    assert not long
