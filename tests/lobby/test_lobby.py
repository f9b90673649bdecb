"""The lobby, rating bands and the expiry of offers, as people meet them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.app.doctor import examine
from bot.app.doctor.host_checks import Finding
from bot.lobby import delivery as lobby_messages
from bot.lobby import store as lobbies
from bot.services import outbox_worker as worker
from bot.store.errors import StoreUnavailable
from playground.forms import all_text
from playground.person import Person
from playground.world.controls import walk
from playground.world.model import Overwrite
from tests.support.databases import answer_instead
from tests.support.hosted import (
    MANAGE,
    Hosted,
    Json,
    actions,
    choose,
    control,
    give_role,
    hosted,
    offered,
    open_form,
    press,
    press_action,
    turn,
)

pytestmark = pytest.mark.slow

_VIEW = 1 << 10
_ROLES = 1 << 28
_SEND = 1 << 11
_ATTACH = 1 << 15
_HISTORY = 1 << 16


def _is_lobby(message: Json) -> bool:
    return "lobby" in actions(message) and not message["flags"] & 64


async def _open_lobby(table: Hosted, host: Person) -> int:
    """A channel with a lobby, chosen on the page of settings."""
    channel = table.playground.world.places.add_channel(int(host.guild["id"]), "lobby").id
    page = await host.ask("server settings", host.channel("general"))
    page = await choose(host, page, "serv:lobby", channel)
    assert f"Lobby channel: — → <#{channel}>" in all_text(page)
    return channel


async def _lobby(person: Person, channel: int, *words: str) -> Json:
    """The one message of a lobby once it says all of these."""
    async with asyncio.timeout(15):
        while True:
            found = [each for each in await person.messages(channel) if _is_lobby(each)]
            assert len(found) <= 1, "a lobby is one message"
            if found and all(word in all_text(found[0]) for word in words):
                return found[0]
            await asyncio.sleep(0.05)


def _accepts(message: Json) -> list[str]:
    return [
        each["custom_id"]
        for each in walk(message["components"])
        if any(act in each.get("custom_id", "") for act in (":accept:", ":seat:"))
    ]


@pytest.fixture
async def quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Hosted]:
    monkeypatch.setattr(lobby_messages, "GAP", timedelta(seconds=0.2))
    monkeypatch.setattr(worker, "POLL", 0.05)
    async with hosted(tmp_path) as table:
        yield table


async def test_a_stranger_takes_a_seat_from_the_lobby_and_begins_a_seek_of_their_own_there(
    quick: Hosted,
) -> None:
    table = quick
    anna, ben = await table.join("Anna"), await table.join("Ben")
    give_role(table, anna, MANAGE)
    channel = await _open_lobby(table, anna)
    empty = await _lobby(ben, channel, "No open offers right now")
    assert empty["flags"] & 4096, "posted silently"
    general = int(anna.guild["channels"][0]["id"])
    await anna.ask(
        "play",
        general,
        game="quax",
        options="size 7",
        rated=True,
        clock="3d",
        rating="1400-1700",
        expires="6h",
    )
    shown = await _lobby(ben, channel, "Quax")
    assert shown["id"] == empty["id"], "edited in place"
    for word in (
        f"<@{anna.id}> (1500?)",
        "Board size: 7",
        "rated",
        "Clock: 3 days for each move",
        "Rating range: 1400–1700",
        "This offer expires <t:",
    ):
        assert word in all_text(shown)
    assert not shown["mentions"]
    (accept,) = _accepts(shown)
    own = await anna.press(shown, custom_id=accept)
    assert "your own offer" in all_text(own)
    assert control(own, "withdraw")
    answer = await ben.press(shown, custom_id=accept)
    assert "The match has started" in all_text(answer)
    assert f"It's in <#{general}>" in all_text(answer), "it is not played in the lobby"
    empty = await _lobby(ben, channel, "No open offers right now")
    page = await press(ben, empty, "setup")
    page = await choose(ben, page, "offer:game", "quux")
    page = await turn(ben, page, "smore")
    page = await choose(ben, page, "offer:band", "±200")
    page = await choose(ben, page, "offer:lasts", "1h")
    after = len(ben.events)
    await press_action(ben, page, "soffer")
    await ben.wait_message(lambda m: "Offer sent" in all_text(m), after=after)
    shown = await _lobby(anna, channel, "Quux", "Rating range: 1300–1700")
    assert len([m for m in await anna.messages(channel) if m["type"] == 0]) == 1, "no clutter"
    (accept,) = _accepts(shown)
    await anna.press(shown, custom_id=accept)
    await table.settled()
    await _lobby(anna, channel, "No open offers right now")
    homes = {match.home_id for match, _ in await table.history()}
    assert len(homes) == 2
    assert channel not in homes, "the match has a thread of its own"
    public = [each for each in await anna.messages(channel) if not each["flags"] & 64]
    assert len(public) == 1, "and nothing else stands in the channel"


@pytest.mark.long
async def test_a_lobby_that_may_not_be_shown_any_more_is_given_up_with_a_line_to_the_host(
    quick: Hosted,
) -> None:
    table = quick
    anna = await table.join("Anna")
    give_role(table, anna, MANAGE)
    world = table.playground.world
    closed = world.places.add_channel(int(anna.guild["id"]), "closed")
    world.places.set_overwrite(closed, Overwrite(world.state.bot_id, 1, 0, _SEND))
    channel = await _open_lobby(table, anna)
    shown = await _lobby(anna, channel)
    general = int(anna.guild["channels"][0]["id"])
    page = await anna.ask("server settings", general)
    page = await choose(anna, page, "serv:lobby", closed.id)
    assert f"Parlour can't show the lobby in <#{closed.id}>" in all_text(page), (
        "refused before it is saved"
    )
    assert f"The lobby message is in <#{channel}>" in all_text(page)

    world.messages.delete(channel, int(shown["id"]), user_id=world.state.bot_id)
    lost = Overwrite(world.state.bot_id, 1, 0, _SEND)
    world.places.set_overwrite(world.state.channel(channel), lost)
    await anna.ask("play", general, game="quax")
    async with asyncio.timeout(10):
        while f"Parlour can't show the lobby in <#{channel}>" not in all_text(page):
            page = await anna.ask("server settings", general)
            await asyncio.sleep(0.1)
    world.places.set_overwrite(world.state.channel(channel), Overwrite(world.state.bot_id, 1, 0, 0))
    await choose(anna, await choose(anna, page, "serv:lobby"), "serv:lobby", channel)
    await _lobby(anna, channel, "Quax")


@pytest.mark.long
async def test_the_doctor_says_what_a_lobby_needs_in_its_channel(quick: Hosted) -> None:
    table = quick
    anna = await table.join("Anna")
    give_role(table, anna, MANAGE)
    world = table.playground.world
    club = f"{anna.guild['name']} ({anna.guild['id']})"
    settings = table.settings.model_copy(update={"token": SecretStr(table.playground.token)})

    async def said() -> Finding | None:
        found = await examine(settings)
        assert [each.is_well for each in found if each.about == f"server {club}"] == [True]
        return next((each for each in found if each.about.startswith("lobby")), None)

    assert await said() is None, "no lobby, nothing to say"
    channel = await _open_lobby(table, anna)
    found = await said()
    assert found is not None
    assert found.is_well
    assert found.about == f"lobby of server {club}"
    place = world.state.channel(channel)
    named = f"{place.name} ({channel})"
    assert found.words == f"it can be shown in channel {named}"
    for denied, words in (
        (_ATTACH | _HISTORY, "attach files, read message history"),
        (_SEND, "send messages"),
        (_VIEW, "view channel"),
    ):
        world.places.set_overwrite(place, Overwrite(world.state.bot_id, 1, 0, denied))
        found = await said()
        assert found is not None
        assert not found.is_well
        where = channel if denied == _VIEW else named
        assert f"missing in channel {where}: " in found.words
        assert words in found.words
        assert "choose another channel with /server settings" in found.words
    world.places.remove_channel(place)
    found = await said()
    assert found is not None
    assert not found.is_well
    assert f"channel {channel} is gone" in found.words


async def test_offers_made_where_not_everybody_may_look_stay_there(quick: Hosted) -> None:
    table = quick
    anna, ben = await table.join("Anna"), await table.join("Ben")
    give_role(table, anna, MANAGE)
    world = table.playground.world
    guild = int(anna.guild["id"])
    hidden = world.places.add_channel(guild, "hosts")
    channel = await _open_lobby(table, anna)
    await anna.ask("play", hidden.id, game="quux")
    await _lobby(ben, channel, "Quux")
    world.places.set_overwrite(hidden, Overwrite(guild, 0, 0, _VIEW))
    general = int(anna.guild["channels"][0]["id"])
    await anna.ask("play", general, game="quax")
    shown = await _lobby(ben, channel, "Quax")
    assert "Quux" not in all_text(shown)
    private = await ben.ask("lobby", general)
    assert "Quax" in all_text(private)
    assert "Quux" not in all_text(private)


@pytest.mark.long
async def test_the_private_list_shows_what_became_of_the_offer_that_one_has_accepted(
    quick: Hosted,
) -> None:
    table = quick
    anna, ben, cleo = await table.join("Anna"), await table.join("Ben"), await table.join("Cleo")
    general = int(anna.guild["channels"][0]["id"])
    for game in ("quax", "quux", "pux"):
        await anna.ask("play", general, game=game)
    page = await ben.ask("lobby", general)
    pux, quux, quax = _accepts(page)
    assert "\n-# Casual · no clock\n" in all_text(page), "a line begins with a capital letter"
    stale = await cleo.ask("lobby", general)

    page = await ben.turn(page, custom_id=pux)
    assert "The match has started" in all_text(page)
    assert "It's in" not in all_text(page), "it is here"
    assert "Pux" not in all_text(page)
    assert _accepts(page) == [quux, quax]

    stale = await cleo.turn(stale, custom_id=pux)
    assert "This offer is no longer open: the match has started." in all_text(stale)
    assert _accepts(stale) == [quux, quax]
    page = await ben.turn(page, custom_id=quax)
    assert "The match has started" in all_text(page)
    assert [match.status.value for match, _ in await table.history()].count("running") == 2


@pytest.mark.long
async def test_a_seat_taken_is_told_although_the_list_cannot_be_renewed(
    quick: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben = await quick.join("Anna"), await quick.join("Ben")
    general = int(anna.guild["channels"][0]["id"])
    await anna.ask("play", general, game="quax")
    page = await ben.ask("lobby", general)

    async def away(*_: object) -> None:
        raise StoreUnavailable("away")

    answer_instead(monkeypatch, quick.bot.store, lobbies.open_offers, away)
    page = await ben.turn(page, custom_id=_accepts(page)[0])
    assert all_text(page) == "The match has started. Its board is on the way."


async def test_a_player_outside_the_band_is_refused_in_private_and_told_why(
    quick: Hosted,
) -> None:
    table = quick
    anna, ben = await table.join("Anna"), await table.join("Ben")
    general = int(anna.guild["channels"][0]["id"])
    await anna.ask("play", general, game="quax", rating="1600+")
    offer = await offered(ben)
    assert "Rating range: ≥ 1600" in all_text(offer)
    refused = await press(ben, offer, "accept")
    assert refused["flags"] & 64
    assert "ratings ≥ 1600; yours in this game is 1500?. Take another" in all_text(refused)
    await anna.ask("play", general, game="pythagoras", rating="1600+", opponent=ben)
    page = await ben.ask("lobby", general)
    assert "Rating range: ≥ 1600; yours is 1500? · " in all_text(page)
    assert len(_accepts(page)) == 1, "and who is named in an offer is welcome with any rating"
    for fields, words in (
        ({"rating": "strong"}, "“strong” isn't a rating range"),
        ({"rating": "1700-1400"}, "is out of range"),
        ({"rating": "1400-1700", "opponent": ben}, "Every seat of this offer is reserved"),
        ({"expires": "1m"}, "can stay open from 5m to 30d"),
        ({"expires": "soon"}, "“soon” isn't a duration"),
    ):
        answer = await anna.ask("play", general, game="quax", **fields)
        assert words in all_text(answer)
    assert len(await table.history()) == 2
    found = await anna.autocomplete("play", general, "rating", game="quax", rating="1450 to 1600")
    assert found[0]["value"] == "1450-1600"
    found = await anna.autocomplete("play", general, "expires", game="quax", expires="3 hours")
    assert found[0]["value"] == "3h"


@pytest.mark.long
async def test_many_offers_are_turned_through_and_a_seat_is_given_up_there(quick: Hosted) -> None:
    anna, ben = await quick.join("Anna"), await quick.join("Ben")
    for _ in range(9):
        await anna.ask("play", anna.channel("general"), game="pythagoras")
    page = await turn(ben, await ben.ask("lobby", anna.channel("general")), "lobby:n")
    page = await ben.turn(page, custom_id=_accepts(page)[0])
    assert "2 of 4 seats free" in all_text(page)
    assert "Page 2 of 2" in all_text(page)
    assert not _accepts(page), "one's own seat is left, not taken again"
    assert "3 of 4 seats free" in all_text(await turn(ben, page, "unseat"))


@pytest.mark.long
async def test_a_band_is_typed_in_the_form_and_after_enough_rated_matches_one_is_casual(
    tmp_path: Path,
) -> None:
    async with hosted(tmp_path, rated_with_one=1) as table:
        anna, ben = await table.join("Anna"), await table.join("Ben")
        general = anna.channel("general")
        page = await choose(anna, await anna.ask("play", general), "offer:game", "quax")
        page = await choose(anna, await turn(anna, page, "smore"), "offer:stakes", "rated")
        for typed, words in (("nonsense", "isn't a rating range"), ("1450 - 1612", "1450–1612")):
            form = await open_form(anna, page, "bandtype")
            page = await anna.shown(page, anna.submit_modal(form, move=typed))
            assert words in str(page["components"])
        assert "Offer sent" in all_text(await turn(anna, page, "soffer"))
        await press(ben, await offered(ben), "accept")
        ((match, _),) = await table.history()
        assert (str(match.band), match.rated) == ("1450–1612", True)
        page = await anna.ask("play", general, game="quax", opponent=ben, rated=True)
        assert "1 rated match of this game in 7 days" in all_text(page)
        assert "Offer sent" in all_text(await turn(anna, page, "soffer"))
        assert [each.rated for each, _ in await table.history()].count(False) == 1


@pytest.mark.long
async def test_players_give_themselves_a_role_that_a_new_offer_pings_once(quick: Hosted) -> None:
    table = quick
    anna, ben = await table.join("Anna"), await table.join("Ben")
    give_role(table, anna, MANAGE)
    world, guild = table.playground.world, int(anna.guild["id"])
    general = int(anna.guild["channels"][0]["id"])
    own = next(each for each in world.state.roles_of(guild) if each.bot_id is not None)
    strong = world.places.add_role(guild, "strong", MANAGE)
    seekers = world.places.add_role(guild, "seekers", 0)
    page = await anna.ask("server settings", general)

    async def chosen(role: int, said: str) -> None:
        nonlocal page
        page = await choose(anna, page, "serv:seekers", role)
        assert said in all_text(page)

    await chosen(guild, "All members have @everyone already")
    await chosen(own.id, f"An integration manages <@&{own.id}>")
    await chosen(strong.id, f"must have no permissions, and <@&{strong.id}> has some")
    await chosen(seekers.id, "needs the permission Manage Roles")
    world.places.set_role_permissions(own.id, own.permissions | _ROLES)
    await chosen(seekers.id, f"Parlour can't give <@&{seekers.id}>")
    own.position = seekers.position + 1
    world.places.set_role_permissions(own.id, own.permissions)
    assert "Role to ping for new offers" not in all_text(page), "the empty menu says it"
    await chosen(seekers.id, f"Role to ping for new offers: — → <@&{seekers.id}>")
    assert "Role to ping for new offers" in all_text(page), "a menu with a choice doesn't"

    channel = await _open_lobby(table, anna)
    shown = await _lobby(ben, channel)
    member = world.state.members[guild, ben.id]
    world.places.set_role_permissions(seekers.id, MANAGE)
    refused = await press(ben, shown, "seek:on")
    assert "must have no permissions" in all_text(refused)
    assert not member.roles, "nobody is given what a role has come to allow"
    world.places.set_role_permissions(seekers.id, 0)
    answer = await press(ben, shown, "seek:on")
    assert answer["flags"] & 64
    assert f"You have the role <@&{seekers.id}> now" in all_text(answer)
    assert member.roles == [seekers.id]
    listed = await ben.ask("lobby", general)
    assert control(listed, "seek:off"), "the private list has the button as well"
    others = await anna.ask("lobby", general)
    assert control(others, "seek:on")

    for game in ("quax", "quux"):
        await anna.ask("play", general, game=game)
        await _lobby(ben, channel, game.capitalize())
    await table.settled()
    calls = [each for each in await ben.messages(channel) if each["mention_roles"]]
    assert [each["mention_roles"] for each in calls] == [[str(seekers.id)]], "once"
    assert f"<@{anna.id}> offers a match of Quax" in calls[0]["content"]
    assert not calls[0]["mentions"]
    assert not calls[0]["flags"] & 4096, "it may wake a phone"

    world.places.set_role_permissions(own.id, own.permissions & ~_ROLES)
    kept = await turn(ben, answer, "seek:off")
    assert "Discord didn't let Parlour change your roles" in all_text(kept)
    assert member.roles == [seekers.id]
    world.places.set_role_permissions(own.id, own.permissions | _ROLES)
    answer = await press(ben, shown, "seek:on")
    gone = await turn(ben, answer, "seek:off")
    assert "New offers no longer ping you." in all_text(gone)
    assert not member.roles
