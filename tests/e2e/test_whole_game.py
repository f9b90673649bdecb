"""A whole game over HTTP and websocket, and all that ``make play`` runs killed in its middle."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator

import pytest

from playground.forms import all_text
from playground.person import Person
from playground.world.controls import walk
from tests.support.hosted import Json, Match, offered, shown_board
from tests.support.made_play import MadePlay

pytestmark = [pytest.mark.first, pytest.mark.timeout(300)]
_PATIENCE = 30.0


@pytest.fixture
async def windows() -> AsyncIterator[list[Person]]:
    """The windows that a test opens, for closing them."""
    opened: list[Person] = []
    yield opened
    for each in opened:
        await each.close()


def _pictures(message: Json) -> list[str]:
    """The descriptions of a message's pictures."""
    galleries = [each for each in walk(message["components"]) if each["type"] == 12]
    return [item["description"] for gallery in galleries for item in gallery["items"]]


async def _see(person: Person, move: str) -> None:
    """Wait until the person sees a board whose last move this is."""
    shown = re.compile(rf"Last move: [^.]*\b{re.escape(move)}\.")
    await person.wait_message(
        lambda m: not m["flags"] & 64 and bool(shown.search(str(_pictures(m)))),
        patience=_PATIENCE,
    )


async def test_a_game_with_a_kill_is_won_by_both(play: MadePlay, windows: list[Person]) -> None:
    anna, ben = [await Person.join(play.address, name) for name in ("Anna", "Ben")]
    windows += [anna, ben]
    channel = int(anna.guild["channels"][0]["id"])
    nonce = await anna.slash("play", channel, game="quax", opponent=ben, options="size 5", side="1")
    assert "Offer sent." in all_text(await anna.wait_answer(nonce, patience=_PATIENCE))
    offer = await offered(ben)
    await ben.wait_answer(await ben.click(offer, label="Accept"), patience=_PATIENCE)
    board = await anna.wait_message(lambda m: "Make a move" in str(m["components"]))
    home = int(board["channel_id"])
    assert home != channel, "a match has a thread of its own"
    match = Match(anna, ben, channel, home)

    assert "You played c3." in all_text(await match.say(anna, "c3"))
    await _see(ben, "c3")
    assert "You swapped." in all_text(await match.tap(ben, "swap"))
    await anna.wait_message(lambda m: f"<@{anna.id}> is to move (Red)" in all_text(m))

    refused = await match.say(anna, "c3")
    assert "There's already a stone on c3." in all_text(refused)
    assert "Not allowed at: c3." in _pictures(refused)[0]
    assert refused["flags"] & 64
    assert not any(event.data.get("id") == refused["id"] for event in ben.events)

    assert "You played c5." in all_text(await match.tap(anna, "c5"))
    await _see(ben, "c5")
    assert "You played a3." in all_text(await match.say(ben, "a3"))
    # The very moment after the acknowledgement: board and notice may be on their way, or not.
    await play.kill()
    await play.start()
    anna, ben = [await Person.come_back(play.address, each.id) for each in (anna, ben)]
    windows += [anna, ben]
    await _online(anna)
    match = Match(anna, ben, channel, home)
    await _repaired(match, "4 a3")

    for person, other, move in (
        (anna, ben, "c1"),
        (ben, anna, "b3"),
        (anna, ben, "a1"),
        (ben, anna, "d3"),
        (anna, ben, "a2"),
    ):
        way = match.tap if move == "b3" else match.say
        assert f"You played {move}." in all_text(await way(person, move))
        await _see(other, move)
    assert f"<@{ben.id}> wins!" in all_text(await match.tap(ben, "e3"))
    for person in (anna, ben):
        await _see(person, "e3")
        last = await match.board(person)
        assert f"<@{ben.id}> wins!" in all_text(last)
        assert "Winning chain: a3, b3, c3, d3, e3." in _pictures(last)[0]
    shown = await anna.messages(home, limit=100)
    versions = [found[1] for each in shown if (found := shown_board(each))]
    assert versions == list(range(versions[0], versions[0] - 11, -1)), "one board a version"


async def _online(person: Person) -> None:
    """Wait until the bot is there."""
    if not any(each["status"] == "online" for each in person.ready["presences"]):
        await person.wait_event(
            "PRESENCE_UPDATE", lambda data: data["status"] == "online", patience=_PATIENCE
        )


async def _repaired(match: Match, move: str) -> None:
    """Wait until the newest board shows a move, whether it was sent before the kill or after."""
    async with asyncio.timeout(_PATIENCE):
        while move not in all_text(await match.board()):
            await asyncio.sleep(0.05)
