"""Records over Discord: who gets them, and what files from people do."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import discord
import pytest

from bot.history.domain import LARGEST, read_record
from games import catalog
from playground.forms import all_text
from playground.world.controls import walk
from tests.support.hosted import Game, Json, files, press_board, shown_board

pytestmark = pytest.mark.slow

RECORD = """[Game "Quax"]
[Player1 "Ada"]
[Player2 "Ben"]
[Options "size=3 pie=off"]

1. a1 a2
2. b1 b2
3. c1
"""
WON = "Ada wins!"


async def look(game: Game, data: bytes | str, name: str = "game.txt") -> Json:
    """Bring a file; the private answer."""
    anna = game.black
    content = data.encode() if isinstance(data, str) else data
    key = await anna.upload(name, content)
    before = await game.hosted.history()
    answer = await anna.ask("open", game.channel, file=key)
    assert answer["flags"] & 64, "an answer to a file is private"
    assert await game.hosted.history() == before, "a file changes nothing"
    return answer


async def resigned(game: Game) -> Json:
    """The finished board of a match in which two moves were played."""
    await game.say(game.black, "a3")
    await game.say(game.white, "b2")
    asked = await game.white.ask("match resign", game.home)
    await game.white.click(asked, label="Resign")
    await game.black.wait_message(lambda m: "resigned" in all_text(m))
    await game.hosted.settled()
    return await game.board()


def the_match(board: Json) -> str:
    """The letters of the match on a board."""
    shown = shown_board(board)
    assert shown is not None
    return shown[0]


async def test_a_running_match_is_given_to_its_players_alone(game: Game) -> None:
    await game.say(game.black, "a3")
    answer = await game.white.ask("match download", game.home)
    assert answer["flags"] & 64
    (name, data), *more = (await files(game.white, answer)).items()
    assert not more
    assert name.startswith("quax-")
    assert name.endswith(".txt")
    for number in (game.home, game.channel, game.black.id, game.black.guild["id"]):
        assert str(number).encode() not in data
    record = read_record(data).record
    assert record.moves == ("a3",)
    assert [person.name for person in record.players] == ["Anna", "Ben"]
    assert record.conclusion.value == "unfinished"
    answer = await game.white.ask("match download", game.home, format="json")
    ((name, data),) = (await files(game.white, answer)).items()
    assert name.endswith(".json")
    assert json.loads(data)["moves"] == [["a3", None]]
    cleo = await game.hosted.join("Cleo")
    for place, more_said in (
        (game.home, {"match": the_match(await game.board())}),
        (game.home, {}),
        (game.channel, {}),
    ):
        answer = await cleo.ask("match download", place, **more_said)
        assert "Only its players" in all_text(answer)


@pytest.mark.long
async def test_a_finished_match_has_its_record_under_the_board(game: Game) -> None:
    board = await resigned(game)
    cleo = await game.hosted.join("Cleo")
    answer = await press_board(cleo, board, "export")
    assert answer["flags"] & 64
    found = await files(cleo, answer)
    assert sorted(name.rpartition(".")[2] for name in found) == ["json", "txt"]
    for data in found.values():
        record = read_record(data).record
        assert record.moves == ("a3", "b2")
        assert record.conclusion.value == "resignation"
        assert record.winners == (0,)
    by_name = await cleo.ask("match download", game.channel, match=f" {the_match(board).upper()} ")
    assert len(await files(cleo, by_name)) == 1


HOSTILE: list[tuple[bytes, str]] = [
    (b" \n", "file is empty"),
    (b"x" * (LARGEST + 1), "The maximum is 256 KiB"),
    (b"\x89PNG\r\n\x1a\n" + b"\0" * 100, "isn't UTF"),
    (RECORD.encode("utf-16"), "isn't UTF"),
    (RECORD.replace("Ada", "A\0a").encode(), "U\\+0000"),
    (b'{"header": ' + b"[" * 10_000, "12 levels deep"),
    (b'{"header": {"x": "\\ud800"}}', "U\\+D800"),
    (b'{"header": {}, "moves"', "this isn't JSON"),
    (RECORD.replace("Quax", "@everyone").encode(), "Choose from: Quax"),
    (RECORD.replace("size=3", "size=400").encode(), "Line 4"),
    (RECORD.replace("size=3", "`x`=3").encode(), "Line 4"),
    (RECORD.replace("2. b1 b2", "2. b1 a1").encode(), "Line 7: move 4, “a1”, isn't possible"),
    (RECORD.replace("2. b1", "2. **b1**").encode(), "Line 7: move 3"),
    (RECORD.replace("[Options", '[Result "0-1"]\n[Options').encode(), "lead to “1\\-0”"),
    ((RECORD * 100).encode(), "A file holds only one"),
    (RECORD.encode() + b"{ never closed", "has no end"),
    (RECORD.encode() + b"(" * 10_000, "variations"),
    (b"https://evil.example/game.txt", "“Game” is missing"),
    (b"<svg onload='alert(1)'/>", "“Game” is missing"),
]


async def test_a_file_is_played_through_or_answered_with_what_is_wrong(game: Game) -> None:
    answer = await look(game, RECORD)
    assert WON in all_text(answer)
    assert "Move 5 of 5" in all_text(answer)
    assert any(part["type"] == 12 for part in walk(answer["components"]))
    (clean,) = (await files(game.black, answer)).values()
    assert clean.decode().endswith("1. a1 a2\n2. b1 b2\n3. c1\n")
    assert '[Result "1-0"]' in clean.decode()
    assert WON in all_text(await look(game, clean, "again.json"))
    plain = next(each for each in catalog.GAMES.values() if not each.info.options)
    players = "".join(f'[Player{seat} "Ada"]\n' for seat in (1, 2))
    opened = await look(game, f'[Game "{plain.info.name}"]\n{players}')
    assert f"### {plain.info.name}\n" in all_text(opened), "a game without options"
    evil = "@everyone <@1> **b** [x](https://evil.example) \u202e# h"
    answer = await look(game, RECORD.replace("Ada", evil).replace("Ben", "`|| " + "x" * 3000))
    said = all_text(answer)
    for trick in ("@everyone", "<@1>", "**b", "](", "https://", "\u202e", "x" * 100):
        assert trick not in said.replace("\\@everyone", "").replace("x" * 61, "")
    assert not answer["mentions"]
    assert not answer["mention_everyone"]
    for data, words in HOSTILE:
        said = all_text(await look(game, data, "game.json"))
        assert words in said, said
        assert len(said) < 400
        assert "@everyone" not in said.replace("\\@everyone", "")


@pytest.mark.long
async def test_a_bad_file_is_said_to_be_one(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched: list[int] = []

    async def read(self: Any, **_: Any) -> bytes:
        fetched.append(self.size)
        return b""

    async def lost(self: Any, **_: Any) -> bytes:
        raise OSError

    async def never(self: Any, **_: Any) -> bytes:
        await asyncio.sleep(0.3)
        return RECORD.encode()

    monkeypatch.setattr("bot.history.ui.sources._DOWNLOAD", 0.05)
    monkeypatch.setattr(discord.Attachment, "read", read)
    assert "256 KiB" in all_text(await look(game, b"x" * (LARGEST + 1)))
    assert not fetched, "it is never fetched"
    assert "file is empty" in all_text(await look(game, b"x"))
    assert fetched == [1]
    for missing in (lost, never):
        monkeypatch.setattr(discord.Attachment, "read", missing)
        assert "didn't hand over this file" in all_text(await look(game, RECORD))
