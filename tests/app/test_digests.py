"""Digests as their readers see them: what waits, what is asked, what has happened."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.domain.ids import UserId
from bot.domain.preferences import NoticeWay
from bot.i18n import Languages
from bot.posts.outgoing import next_digest
from bot.posts.sending import NOTICES, News
from bot.store import outgoing
from bot.ui.delivery.digest_text import digest_text
from playground.forms import all_text
from playground.person import Person
from tests.hosted import Hosted, decline, start_quax


async def _reads_digests(table: Hosted, person: Person) -> None:
    await table.bot.services.preferences.change(
        UserId(person.id), lambda chosen: replace(chosen, way=NoticeWay.DIGEST)
    )


async def _digest(table: Hosted, person: Person) -> str:
    """The digest of this person, made due now; nothing if there is none."""
    bot = table.bot
    await table.settled()
    direct = await person.open_direct()
    before = {each["id"] for each in await person.messages(direct)}
    for messages in table.playground.world.state.messages.values():
        for message in messages.values():
            message.nonce = None  # as Discord forgets those of the day before
    await bot.store.write(outgoing.plan, next_digest(UserId(person.id), bot.clock.now()))
    bot.outbox.wake()
    await table.settled()
    return "\n".join(
        each["content"] for each in await person.messages(direct) if each["id"] not in before
    )


@pytest.mark.long
async def test_a_digest_tells_what_was_asked_began_ended_and_was_declined(table: Hosted) -> None:
    game = await start_quax(table)
    anna, ben = game.black, game.white
    await _reads_digests(table, ben)
    await game.say(anna, "a1")
    await anna.ask("match takeback", game.home)
    said = await _digest(table, ben)
    assert said.startswith("### These matches are waiting for your move\n**Quax** with <@")
    assert f"<@{anna.id}> asks to take a move back." in said
    for who, move in ((ben, "b2"), (anna, "c3"), (ben, "d4")):
        await game.say(who, move)  # what was declined can be asked again after two moves
    await anna.ask("match takeback", game.home)
    said = await _digest(table, ben)
    assert said.startswith("### These are waiting for your answer\n**Quax** with <@")
    assert f"<@{anna.id}> asks to take a move back." in said
    assert f"<#{game.home}>" in said

    offers = []
    for other in (anna, await table.join("Cleo")):
        await ben.ask("play", game.channel, game="quax", opponent=other, options="size 5", side="2")
        offer = await other.wait_message(
            lambda m, other=other: (
                f"would like to play Quax with <@{other.id}>" in all_text(m)
                and "Accept" in str(m["components"])
            )
        )
        offers.append((other, offer))
    after = len(ben.events)
    for (other, offer), label in zip(offers, ("Accept", "Decline"), strict=True):
        if label == "Decline":
            await decline(other, offer, saying="Not now")
        else:
            await other.press(offer, label=label)
    page = await anna.ask("match resign", game.home)
    await anna.wait_success(await anna.click(page, label="Resign"))
    async with asyncio.timeout(10):
        while not any(match.result for match, _ in await table.history()):
            await asyncio.sleep(0.01)  # the click is acknowledged before it is carried out
    await table.settled()
    told = [
        event.data for event in ben.events[after:]
        if str(ben.id) in [each["id"] for each in event.data.get("mentions", ())]
        and not event.data.get("components")
    ]  # fmt: skip
    assert not told, "nothing but the digest tells a reader of digests"
    title, *news = (await _digest(table, ben)).splitlines()
    assert title == "### What has happened"
    assert len(news) == 3
    text = "\n".join(sorted(news))
    assert f"**Quax** with <@{anna.id}> · the match has started · <#" in text
    assert f"**Quax** with <@{offers[1][0].id}> · the offer was declined: not now · <#" in text
    assert f"**Quax** with <@{anna.id}> · <@{ben.id}> wins! <@{anna.id}> resigned." in text
    assert await _digest(table, ben) == "", "each once"


@pytest.mark.long
async def test_a_digest_of_everything_fits_into_a_message(table: Hosted) -> None:
    await start_quax(table)
    ((match, _),) = await table.history()
    reader = match.players[0]
    assert reader is not None
    english = Languages().default
    news = tuple(News(match, 1, kind) for kind in NOTICES.values())
    for many in (0, 1, 60):
        for few in (0, 1, 60):
            matches, told = (match,) * many, news * few
            said = digest_text(reader, matches, matches, told, english)
            assert len(said) <= 2000
            assert ("**Quax**" in said) is bool(many or few)
            assert ("And " in said) is (many > 5 or few > 0)
