"""Secrets that are planted, and then looked for in all that anybody else can get.

Ben plans a move that he never comes to play, and writes to the bot. Anna, his opponent,
and Cleo, who looks on, then use all that there is, until the match is over and after it. What the
bot sends is taken from the wire, and what the two can see from their own clients.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot import metrics
from bot.plans import store as stored_plans
from bot.plans.services import PlanService
from playground.forms import all_text
from playground.person import Person
from playground.rest import front
from playground.world.controls import walk
from playground.world.model import Upload
from tests.support.hosted import (
    Game,
    Hosted,
    Json,
    actions,
    hosted,
    open_form,
    press_action,
    press_board,
    start_quax,
    turn,
)

PLANNED = "k9"
"""A cell that no page here lists and nobody plays."""
SECRET = re.compile(rf"(?<![A-Za-z0-9]){PLANNED}(?![A-Za-z0-9])", re.IGNORECASE)
LINE = f"a1 b2 a2 c2 a3 d2 a4 {PLANNED}"
WRITTEN = "my grandmother's zeppelin"
TYPED = "zanzibar17"


@dataclass
class Sent:
    """A request of the bot: where to, its JSON as text, and its files."""

    path: str
    said: str
    files: list[Upload]


@dataclass
class Wire:
    """All requests of the bot."""

    sent: list[Sent] = field(default_factory=list)

    def tap(self, patch: pytest.MonkeyPatch) -> None:
        read = front.read_body

        async def heard(request: Any) -> tuple[Any, list[Upload]]:
            content, files = await read(request)
            said = json.dumps(content, ensure_ascii=False)
            self.sent.append(Sent(request.path_qs, said, files))
            return content, files

        patch.setattr(front, "read_body", heard)


def holds(text: str) -> list[str]:
    """The secrets of Ben that a text gives away."""
    text = text.replace(r"\n", " ")  # the end of a line in JSON is no letter before a move
    found = [SECRET.search(text), re.search(re.escape(WRITTEN), text), re.search(TYPED, text)]
    return [each[0] for each in found if each is not None]


def words_in(file: Upload) -> str:
    """All text in a file: of a picture what was written into it, of a record everything."""
    if file.data[:4] in (b"\x89PNG", b"GIF8", b"RIFF"):
        with Image.open(io.BytesIO(file.data)) as picture:
            return f"{file.filename} {picture.info}"
    return f"{file.filename} {file.data.decode()}"


async def fetch(person: Person, page: Json) -> bytes:
    """The file of an answer."""
    url = next(part["file"]["url"] for part in walk(page["components"]) if part["type"] == 13)
    async with person.session.get(url) as reply:
        return bytes(await reply.read())


async def plans(game: Game) -> None:
    """Ben plans in every way there is, and is shown what he has planned."""
    ben = game.white
    page = await ben.ask("plan", game.home, line=LINE)
    assert PLANNED in all_text(page)
    await turn(ben, page, "plansave")
    page = await ben.ask("plan", game.home, line=f"* {PLANNED}")
    page = await turn(ben, page, "plansave")
    form = await open_form(ben, page, "plantype")
    page = await ben.shown(page, ben.submit_modal(form, move=f"a4 {PLANNED}\nb1 {TYPED}"))
    assert TYPED in all_text(page)
    page = await turn(ben, page, "planpick")
    for wanted in ("e5", PLANNED):
        page = await picked(ben, page, wanted)
    assert PLANNED in all_text(page)
    page = await turn(ben, page, "plankeep")
    assert page["flags"] & 64
    lines = next(p for p in walk(page["components"]) if ":planline:" in str(p.get("custom_id")))
    anything = next(o["value"] for o in lines["options"] if o["label"].startswith("any move"))
    page = await ben.choose(page, lines["custom_id"], [anything])
    page = await turn(ben, page, "plandrop")
    assert f"any move → **{PLANNED}**" not in all_text(page)


async def picked(person: Person, page: Json, move: str) -> Json:
    """Pick a move from the menus of a line, by way of its column if need be."""
    for _ in range(3):
        menu = next(
            part
            for part in walk(page["components"])
            if part["type"] == 3 and ":planpick:" in part["custom_id"]
        )
        labels = {each["label"]: each["value"] for each in menu["options"]}
        value = labels.get(move) or labels.get(f"Column {move[0]}")
        assert value is not None, labels
        page = await person.choose(page, menu["custom_id"], [value])
        if move in labels:
            break
    return page


async def looks(person: Person, game: Game) -> list[bytes]:
    """Use all that shows anything of a match; the records that were got."""
    home, got = game.home, []
    match = (await game.hosted.history())[0][0].id
    for command in ("board", "matches", "help", "profile"):
        await person.ask(command, home)
    for command in ("match history", "match replay"):
        await person.ask(command, home, match=match)
    await person.ask("profile", home, player=game.white)
    for command in ("rules", "leaderboard"):
        await person.ask(command, home, game="quax")
    await person.ask("settings", home)
    await person.autocomplete("move", home, "move", move="")
    for form in ("text", "json"):
        answer = await person.ask("match download", home, match=match, format=form)
        if any(part["type"] == 13 for part in walk(answer["components"])):
            got.append(await fetch(person, answer))
    answer = await person.ask("privacy export", home)
    got.append(await fetch(person, answer))
    board = await game.board(person)
    for does in ("text", "export", "history", "replay"):
        if does in actions(board):
            await press_board(person, board, does)
    return got


@pytest.mark.logs_errors
async def test_what_one_player_plans_and_writes_is_nowhere_for_anybody_else(
    tmp_path: Path, written: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = Wire()
    wire.tap(monkeypatch)
    async with hosted(tmp_path, clock="3d") as table:
        game = await start_quax(table, options="size 11, pie off")
        anna, ben = game.black, game.white
        cleo = await table.join("Cleo")
        await ben.say(await ben.open_direct(), WRITTEN)
        await plans(game)
        assert PLANNED in (await fetch(ben, await ben.ask("privacy export", game.home))).decode()
        await _a_bug_in_planning(game, monkeypatch)

        records = []
        for move, answered in (("a1", "b2"), ("a2", "c2")):
            records += await looks(anna, game)
            await game.say(anna, move)
            await table.settled()
            assert f"{move} · " in all_text(await game.board())
            assert answered in all_text(await game.board()), "the plan is followed"
        await table.restart()
        asked = await anna.ask("match draw", game.home)
        assert asked["flags"] & 64
        await table.settled()
        assert not await _rows_without(table, PLANNED), "the plan is still there"
        await game.say(anna, "b5")
        assert await _rows_without(table, PLANNED), "the game has left the plan"
        await game.say(ben, TYPED)
        records += await looks(cleo, game)
        await game.resign(anna)
        for person in (anna, cleo):
            records += await looks(person, game)
        board = await game.board()
        film = await press_board(anna, board, "replay")
        before = len(cleo.events)
        await press_action(anna, film, "share")
        await cleo.wait_message(lambda told: not told["flags"] & 64, after=before)
        await table.settled()

        seen = [
            json.dumps(each.data, ensure_ascii=False) for p in (anna, cleo) for each in p.events
        ]
        assert len(seen) > 100
        assert len(records) > 6
        for text in (
            *seen,
            *(each.decode() for each in records),
            metrics.text().decode(),
            repr(await table.history()),
        ):
            assert not holds(text), text
        _only_to_ben_alone(wire, table, ben)
        _no_token(wire, table, [*seen, written.getvalue(), metrics.text().decode()])
    said = written.getvalue()
    assert "a bug" in said
    assert not holds(said)


async def _a_bug_in_planning(game: Game, patch: pytest.MonkeyPatch) -> None:
    """Right after a plan was kept; Ben is told only its number."""
    kept = PlanService.add

    async def broken(*args: Any, **more: Any) -> Any:
        await kept(*args, **more)
        raise ZeroDivisionError

    with patch.context() as within:
        within.setattr(PlanService, "add", broken)
        page = await game.white.ask("plan", game.home, line=f"g7 {PLANNED}")
        after = len(game.white.events)
        await press_action(game.white, page, "plansave")
        answer = await game.white.wait_message(
            lambda m: m["flags"] & 64 and "Something went wrong" in all_text(m), after=after
        )
    assert answer["flags"] & 64
    assert not holds(all_text(answer))


async def _rows_without(table: Hosted, planned: str) -> bool:
    ((match, _),) = await table.history()
    found = await table.bot.store.read(stored_plans.plan, match.id, 1)
    return planned not in repr(found)


def _mark(file: Upload) -> str:
    return hashlib.sha256(file.data).hexdigest()


def _pictures_of_it(sent: Sent) -> set[str]:
    """The pictures of a request that show what is planned, as their own words say."""
    told = json.loads(sent.said)
    body = told.get("data", told)
    shown = {
        item["media"]["url"].removeprefix("attachment://")
        for part in walk(body.get("components") or [])
        for item in part.get("items", ())
        if holds(str(item.get("description")))
    }
    return {_mark(each) for each in sent.files if each.filename in shown}


def _only_to_ben_alone(wire: Wire, table: Hosted, ben: Person) -> None:
    """Messages with a secret, and their pictures, went to Ben alone, in private answers."""
    state = table.playground.world.state
    his = {each.token for each in state.interactions.values() if each.user_id == ben.id}
    private: set[str] = set()
    for sent in wire.sent:
        gives_away = [*holds(sent.said), *(s for f in sent.files for s in holds(words_in(f)))]
        # A token is random, so by chance it has the letters of a move.
        gives_away += holds(re.sub(r"[\w-]{40,}", "", sent.path))
        if gives_away:
            assert any(token in sent.path for token in his), (sent.path, gives_away)
            private |= _pictures_of_it(sent)
    assert len(private) > 1, "previews were drawn"
    for sent in wire.sent:
        if not any(token in sent.path for token in his):
            assert not {_mark(each) for each in sent.files} & private, sent.path
    for messages in state.messages.values():
        for message in messages.values():
            told = f"{message.content} {message.components} {message.attachments}"
            if message.author_id == state.bot_id and not message.flags & 64:
                assert not holds(told), "a message that others can read"


def _no_token(wire: Wire, table: Hosted, texts: list[str]) -> None:
    """No token is said anywhere; in addresses each is where Discord wants it."""
    interactions = table.playground.world.state.interactions.values()
    tokens = [table.playground.token, *(each.token for each in interactions)]
    everything = "\n".join([*texts, *(sent.said for sent in wire.sent)])
    everything += "\n".join(words_in(each) for sent in wire.sent for each in sent.files)
    for token in tokens:
        assert token not in everything
