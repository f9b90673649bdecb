"""Every code has a sentence, every sentence gets its words, and catalogues can be made of them."""

from __future__ import annotations

import ast
import dataclasses
import string
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

import bot
from bot.domain.events import DRAWS, EventKind
from bot.domain.requests import RequestKind
from bot.domain.wishes import WISHES
from bot.errors import UserError
from bot.i18n import Language, Languages, extract
from bot.i18n.extract import forms, update
from bot.i18n.refusals import REFUSALS
from bot.posts.notices import RequestNews
from bot.ui.interaction.results import _DONE
from bot.ui.pages import notice_text
from bot.ui.pages.refusal_text import refusal
from games import catalog
from games.errors import AmbiguousMove, IllegalMove, OptionError
from games.view import Text
from tests.support.own_games import OWN_GAMES
from tests.support.sentences import marked_german, own_source_sentences, source_sentences, together

pytestmark = together

BOT = Path(bot.__file__).parent
FIELDS = string.Formatter()


def _fields(message: str) -> set[str]:
    return {name for _, name, _, _ in FIELDS.parse(message) if name is not None}


def _raised() -> dict[str, set[str]]:
    """Codes that anything in the bot raises as a UserError, with their parameters."""
    found: dict[str, set[str]] = {}
    for path in BOT.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source if "UserError(" in source else "")):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id != "UserError" or not node.args:
                continue
            values = [each for each in ast.walk(node.args[0]) if isinstance(each, ast.Constant)]
            names = {keyword.arg or "" for keyword in node.keywords}
            for value in values:
                if isinstance(value.value, str):
                    found.setdefault(value.value, set()).update(names)
    return found


def test_every_code_that_is_raised_has_a_sentence_whose_words_it_fills() -> None:
    raised = _raised()
    assert len(raised) > 20
    for code, names in raised.items():
        assert code in REFUSALS, code
        assert _fields(REFUSALS[code].message) <= names, code


def test_no_sentence_waits_for_a_refusal_that_nothing_raises() -> None:
    sentences = BOT / "i18n" / "refusals.py"
    written = "".join(
        path.read_text(encoding="utf-8")
        for folder in (BOT, BOT.parent / "games")
        for path in folder.rglob("*.py")
        if path != sentences
    )
    assert [code for code in REFUSALS if f'"{code}"' not in written] == []


def test_every_event_and_status_has_its_words() -> None:
    silent = {EventKind.EXPIRED, EventKind.FLAGGED, EventKind.CREDITED, EventKind.LAPSED}
    silent |= {EventKind.ADJUDICATED, EventKind.DEPARTED, EventKind.SUBSTITUTED}
    asking = {*DRAWS, EventKind.RETRACTED}
    wanted = {kind.value for kind in EventKind if kind not in silent | asking | {*DRAWS.values()}}
    wanted |= {f"{wish.value}_{kind.value}" for wish in RequestKind for kind in asking}
    assert wanted == set(_DONE)


def test_every_request_and_what_becomes_of_it_can_be_said() -> None:
    assert set(notice_text._ENDED) == set(RequestNews) - {RequestNews.ASKED}
    assert set(WISHES) == set(RequestKind)


def test_refusals_of_games_and_options_become_sentences() -> None:
    language = Languages().default
    said = language(refusal(IllegalMove("occupied", text="a1", place=("a1",), cell="a1"), "quax"))
    assert said == "There's already a stone on a1."
    said = language(refusal(AmbiguousMove("which", text="a1", candidates=("a1b2", "a1c2"))))
    assert "a1b2, a1c2" in said
    for error in (
        OptionError("option_unknown", option="komi", allowed="size"),
        OptionError("option_value", option="size", value="99", allowed="3–15"),
        OptionError("game_unknown", game="go", allowed="quax"),
    ):
        assert "{" not in language(refusal(error))
    for typed in (
        UserError("band_unclear", text="**1** @everyone"),
        OptionError("option_value", option="size", value="**1** @everyone", allowed="3–15"),
        AmbiguousMove("which", text="**1** @everyone", candidates=("a1b2",)),
    ):
        assert r"\*\*1\*\* \@everyone" in language(refusal(typed))
    with pytest.raises(KeyError):
        refusal(UserError("no_such_code"))


def _messages() -> set[str]:
    return {forms(message)[0] for message in source_sentences() if message.id}


def _texts(thing: object) -> Iterator[Text]:
    """Every text anywhere inside a value of plain data."""
    if isinstance(thing, Text):
        yield thing
    elif dataclasses.is_dataclass(thing):
        for each in dataclasses.fields(thing):
            yield from _texts(getattr(thing, each.name))
    elif isinstance(thing, list | tuple | frozenset):
        for part in thing:
            yield from _texts(part)


@pytest.mark.parametrize("key", OWN_GAMES)
@pytest.mark.long
def test_whatever_a_game_says_is_in_the_catalogue_and_is_filled(key: str) -> None:
    messages = _messages()
    english = Languages().default
    for preset in catalog.GAMES[key].info.presets:
        game = catalog.create(key, preset.options)
        rng = Random(7)
        position = game.initial(rng)
        said: set[Text] = set()
        for _ in range(20):
            moves = list(game.legal_moves(position))
            if not moves:
                break
            steps = game.next_steps(position, ())
            deeper = game.next_steps(position, (rng.choice(steps).key,))
            said |= set(_texts([game.view(position, None), *steps, *deeper, *game.seats]))
            position = game.play(position, rng.choice(moves))
        assert said
        for text in said:
            assert text.message in messages, text
            assert "{" not in english(text), text


def test_a_sentence_that_is_filled_badly_is_still_a_sentence() -> None:
    language = Languages().default
    assert language(Text.of("{a} and {b}", a=1)) == "{a} and {b}"
    assert language(Text.of("{a.__class__}", a=1)) is not None
    assert language(Text.plural("{n} stone", "{n} stones")) == "{n} stones"


def test_a_sentence_that_counts_follows_the_grammar_of_its_language(tmp_path: Path) -> None:
    path = tmp_path / "pl" / "parlour.po"
    path.parent.mkdir()
    made = Catalog(locale="pl")
    made.add(("{n} stone", "{n} stones"), ("{n} kamień", "{n} kamienie", "{n} kamieni"))
    made.add(("{most} seat is free", "{most} seats are free"), ("", "", ""))
    with path.open("wb") as target:
        write_po(target, made)
    languages = Languages(tmp_path)
    for number, english, polish in (
        (0, "0 stones", "0 kamieni"),
        (1, "1 stone", "1 kamień"),
        (2, "2 stones", "2 kamienie"),
        (5, "5 stones", "5 kamieni"),
        (12, "12 stones", "12 kamieni"),
        (23, "23 stones", "23 kamienie"),
    ):
        text = Text.plural("{n} stone", "{n} stones", n=number)
        assert text.english() == languages.of("en")(text) == english
        assert languages.of("pl").plural("{n} stone", "{n} stones", n=number) == polish
    template = Text.plural("{most} seat is free", "{most} seats are free", by="most")
    for locale in ("en", "pl"):
        assert languages.of(locale)(template.filled({"most": 1})) == "1 seat is free"
        assert languages.of(locale)(template.filled({"most": 3})) == "3 seats are free"


def test_a_catalogue_is_read_as_it_is_and_the_nearest_language_is_found(tmp_path: Path) -> None:
    languages = marked_german(tmp_path)
    for locale in ("de", "de-AT"):
        assert languages.of(locale).say("Rules") == "¡Rules"
    assert languages.of("en-GB").locale == "en"
    assert Languages().of("pt-PT").locale == "pt-BR", "of the two regions there is one"
    assert languages.of("ja").locale == "en"
    assert languages.of(None).locale == "en"
    said = languages.of("de")(Text.of(REFUSALS["already_played"].message, move="a1"))
    assert said == "¡You've already played a1."


def test_a_translation_with_a_wrong_placeholder_falls_back_to_english(tmp_path: Path) -> None:
    path = tmp_path / "fr" / "parlour.po"
    path.parent.mkdir()
    made = Catalog(locale="fr")
    made.add("You played {move}.", "Vous avez joué {coup}.")
    with path.open("wb") as target:
        write_po(target, made)
    french: Language = Languages(tmp_path).of("fr")
    assert french.say("You played {move}.", move="a1") == "You played a1."


def test_a_catalogue_is_begun_and_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extract, "catalogue", own_source_sentences)
    path = update("de", tmp_path)
    with path.open("rb") as source:
        begun = read_po(source)
    entry = begun["Rules"]
    entry.string = "Regeln"
    with path.open("wb") as target:
        write_po(target, begun)
    update("de", tmp_path)
    assert Languages(tmp_path).of("de").say("Rules") == "Regeln"
