"""Private answers are in the reader's language, public messages in the server's."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from gettext import NullTranslations
from pathlib import Path

import discord
import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from discord import app_commands

from bot.domain.ids import GuildId, UserId
from bot.domain.preferences import NoticeWay
from bot.i18n import COMMAND_NAME, Languages
from bot.ui.command_sync import CatalogueTranslator
from games.view import BoardView
from playground.forms import all_text
from playground.person import Person
from renderers import Picture, Style
from tests.support.hosted import (
    Hosted,
    choose,
    hosted,
    offered,
    open_form,
    press,
    start_quax,
    turn,
)
from tests.support.sentences import marked_german, together


@pytest.fixture
async def german(tmp_path: Path) -> AsyncIterator[Hosted]:
    """A bot whose German marks each sentence."""
    languages = marked_german(tmp_path / "locales")
    async with hosted(tmp_path / "data", languages=languages) as table:
        yield table


@together
async def test_private_words_follow_the_reader_and_public_words_the_server(
    german: Hosted,
) -> None:
    table = german
    game = await start_quax(table)
    uwe = await table.join("Uwe", locale="de")
    answer = await uwe.ask("move", game.home, move="a1")
    assert all_text(answer).startswith("¡Only the players of this match")
    rules = await uwe.ask("rules", game.home, game="quax")
    assert "¡The goal" in all_text(rules)
    assert "Only the players" not in all_text(await game.say(game.black, "a1"))
    await table.settled()
    assert "¡" not in all_text(await game.board())
    known = await uwe.command("play", game.channel)
    assert known["description_localizations"]["de"].startswith("¡Offer a match")
    assert known["name"] == "play"


@pytest.mark.long
@together
async def test_everything_public_of_a_match_is_in_the_language_chosen_with_its_offer(
    german: Hosted,
) -> None:
    table = german
    anna, ben = await table.join("Anna"), await table.join("Ben")
    general = anna.channel("general")
    page = await anna.ask("play", general)
    page = await turn(anna, await choose(anna, page, "offer:game", "quax"), "smore")
    for menu, value in (("language", "de"), ("guests", ben), ("seat", "0")):
        page = await choose(anna, page, f"offer:{menu}", value)
    assert "Language: Deutsch" in all_text(page)
    assert all_text(await turn(anna, page, "soffer")) == "Offer sent."
    offer = await offered(ben)
    assert "¡Language" in all_text(offer)
    told = await press(ben, offer, "accept")
    assert all_text(told).startswith("The match has started")
    await table.settled()
    ((match, _),) = await table.history()
    home = int(match.home_id or 0)
    await anna.ask("move", home, move="a1")
    await table.restart()
    answer = await ben.ask("match resign", home)
    assert "¡" not in all_text(answer), "what Ben alone sees is as before"
    await turn(ben, answer, "resignyes")
    await table.settled()
    for place in (general, home):
        public = await anna.messages(place)
        words = [all_text(each) for each in public if not each["flags"] & 64 and all_text(each)]
        assert words
        assert all("¡" in each for each in words), words
    page = await anna.ask("match replay", home)
    await turn(anna, page, "share")
    assert "¡" in all_text((await ben.messages(home, limit=1))[0])
    page = await anna.ask("profile", general)
    await turn(anna, page, "sharecard")
    assert "¡" not in all_text((await ben.messages(general, limit=1))[0])


@pytest.mark.long
@together
async def test_players_are_told_once_that_they_share_another_language_than_their_match(
    german: Hosted,
) -> None:
    table = german
    uwe, eva = await table.join("Uwe", locale="de"), await table.join("Eva", locale="de")
    general = uwe.channel("general")

    async def told(**more: object) -> str:
        return all_text(await uwe.ask("play", general, game="quax", **more))

    assert await told(opponent=eva) == "¡Offer sent.", "nobody knows what Eva reads"
    await eva.ask("matches", general)
    assert await told(opponent=eva, language="de") == "¡Offer sent."
    assert await told() == "¡Offer sent.", "nobody knows who takes it"
    await table.settled()
    offers = await eva.messages(general, limit=3)
    to_all = next(each for each in offers if f"<@{eva.id}>" not in all_text(each))
    said = await told(opponent=eva)
    assert said.startswith(f"¡Offer sent. ¡You and <@{eva.id}> use the same language")
    assert "withdraw the offer" in said
    assert await told(opponent=eva) == "¡Offer sent.", "Uwe knows it now"
    accepted = all_text(await press(eva, to_all, "accept"))
    assert f"¡You and <@{uwe.id}> use the same language" in accepted
    assert "your next match" in accepted


@pytest.mark.long
@together
async def test_a_language_that_is_chosen_comes_before_the_one_of_discord(
    german: Hosted,
) -> None:
    table = german
    bot = table.bot
    game = await start_quax(table)
    preferences = bot.services.preferences
    black, white = UserId(game.black.id), UserId(game.white.id)
    guild = GuildId(int(game.black.guild["id"]))
    await preferences.change(black, lambda chosen: replace(chosen, language="de"))
    answer = await game.say(game.black, "a1")
    assert all_text(answer).startswith("¡You played")
    await table.settled()
    assert "¡" not in all_text(await game.board()), "what everybody sees is as it was"
    await preferences.change_server(guild, black, lambda chosen: replace(chosen, language="de"))
    await preferences.change(
        white, lambda chosen: replace(chosen, language="en", way=NoticeWay.DIRECT)
    )
    await preferences.change(black, lambda chosen: replace(chosen, way=NoticeWay.DIRECT))
    after = len(game.black.events)
    assert all_text(await game.say(game.white, "b2")).startswith("You played")
    told = await game.black.wait_message(lambda m: "your move in Quax" in m["content"], after=after)
    assert told["content"].startswith("¡")
    await table.settled()
    assert "¡" in all_text(await game.board())
    after = len(game.white.events)
    await game.say(game.black, "c3")
    direct = str(await game.white.open_direct())
    told = await game.white.wait_message(lambda m: m["channel_id"] == direct, after=after)
    assert told["content"].startswith("<@"), "in the language of who reads it"


def _spanish(folder: Path) -> Languages:
    spanish = Catalog(locale="es")
    spanish.add("play", "jugar", context=COMMAND_NAME)
    path = folder / "es" / "parlour.po"
    path.parent.mkdir()
    with path.open("wb") as target:
        write_po(target, spanish)
    return Languages(folder)


async def test_catalogues_are_read_beside_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers: list[threading.Thread] = []

    def read(path: Path, _more: object) -> NullTranslations:
        readers.append(threading.current_thread())
        return NullTranslations()

    monkeypatch.setattr("bot.i18n._read_all", read)
    async with hosted(tmp_path / "data", languages=_spanish(tmp_path), new=True) as table:
        anna = await table.join("Anna", locale="es-ES")
        await anna.ask("play", anna.channel("general"))
    assert readers
    assert threading.main_thread() not in readers


@pytest.mark.parametrize("locale", ["es-ES", "es-419"])
async def test_one_spanish_names_commands_in_both_that_discord_knows(
    tmp_path: Path, locale: str
) -> None:
    translator = CatalogueTranslator(_spanish(tmp_path))
    word = app_commands.locale_str("play")
    place: app_commands.TranslationContextTypes = app_commands.TranslationContext(
        app_commands.TranslationContextLocation.command_name, _play
    )
    assert await translator.translate(word, discord.Locale(locale), place) == "jugar"
    assert await translator.translate(word, discord.Locale("fr"), place) is None


@app_commands.command(name="play", description="-")
async def _play(interaction: discord.Interaction) -> None:
    """A command to be named."""


@pytest.mark.long
@together
async def test_in_direct_messages_offers_and_boards_are_in_the_language_and_theme_of_each(
    german: Hosted,
) -> None:
    table = german
    bot = table.bot
    anna, uwe = await table.join("Anna"), await table.join("Uwe", locale="de")
    cleo = await table.join("Cleo")
    await bot.services.preferences.change(
        UserId(cleo.id), lambda chosen: replace(chosen, language="de", theme="light")
    )
    people = (anna, uwe, cleo)
    opened = await table.open_directs(*people)
    direct = {each: str(place) for each, place in zip(people, opened, strict=True)}
    shown: list[tuple[str, str]] = []
    draw = bot.services.reader.pictures.picture

    async def picture(view: BoardView, style: Style) -> Picture | None:
        shown.append((style.theme, style.locale))
        return await draw(view, style)

    bot.services.reader.pictures.picture = picture

    async def newest(person: Person) -> str:
        return all_text((await person.messages(int(direct[person])))[0])

    for guest, known in ((uwe, False), (cleo, True)):
        given = {"game": "quax", "options": "size 3, pie off", "side": "1"}
        await anna.ask("play", int(direct[anna]), opponent=guest, **given)
        offer = await offered(guest)
        assert ("¡" in all_text(offer)) is known, "of who was never there nothing is known"
        assert "¡" not in await newest(anna)
        await press(guest, offer, "accept")
        await table.settled()
        closed = await guest.message(int(direct[guest]), offer["id"])
        assert "¡The match has started." in all_text(closed)
        assert "¡" in await newest(guest)
        mine = await anna.messages(int(direct[anna]))
        assert not any("¡" in all_text(each) for each in mine)
    assert set(shown) == {("dark", "en"), ("dark", "de"), ("light", "de")}

    # What is known of them outlives the process.
    await table.restart()
    (with_uwe,) = [each for each, _ in await table.history() if uwe.id in each.players]
    pages = await anna.messages(int(direct[anna]))
    board = next(each for each in pages if with_uwe.id in str(each["components"]))

    form = await open_form(anna, await press(anna, board, "move"), "type")
    await anna.wait_success(await anna.submit_modal(form, move="a1"))
    await table.settled()
    said = [all_text(each) for each in (await uwe.messages(int(direct[uwe])))[:2]]
    assert all("¡" in each for each in said), "the board, and the line that calls him"
