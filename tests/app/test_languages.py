"""Private answers are in the reader's language, public messages in the server's."""

from __future__ import annotations

from pathlib import Path

from babel.messages.pofile import write_po
from hosted import all_text, hosted, start_quax

from bot.i18n import Languages
from bot.i18n.extract import catalogue


def _marked(folder: Path) -> Languages:
    """A German in which every sentence begins with a mark, as long as translations may be."""
    made = catalogue()
    made.locale = "de"
    for message in made:
        if message.id:
            message.string = f"¡{message.id}"
    path = folder / "de" / "parlour.po"
    path.parent.mkdir(parents=True)
    with path.open("wb") as target:
        write_po(target, made)
    return Languages(folder)


async def test_private_words_follow_the_reader_and_public_words_the_server(
    tmp_path: Path,
) -> None:
    languages = _marked(tmp_path / "locales")
    async with hosted(tmp_path / "data") as table:
        await table.stop()
        table.languages = languages
        await table.start()
        game = await start_quax(table)
        uwe = await table.join("Uwe", locale="de")
        answer = await uwe.wait_answer(await uwe.slash("move", game.home, move="a1"))
        assert all_text(answer).startswith("¡There is no match of yours here")
        rules = await uwe.wait_answer(await uwe.slash("rules", game.home, game="quax"))
        assert "¡The goal" in all_text(rules)
        assert "There is no match of yours" not in all_text(await game.say(game.black, "a1"))
        await table.settled()
        assert "¡" not in all_text(await game.board())
        offered = await uwe.command("play", game.channel)
        assert offered["description_localizations"]["de"].startswith("¡Offer a match")
        assert offered["name"] == "play"
