"""Tournaments as people meet them: from the set-up to the champion."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.app import periodic
from bot.domain.ids import UserId
from bot.tournaments import posts as tournament_messages
from playground.errors import DiscordError
from playground.forms import all_text
from playground.person import Person
from playground.world.controls import walk
from playground.world.model import Overwrite, ScheduledEvent
from playground.world.permissions import Permission
from tests.support.hosted import Ahead, Hosted, Json, hosted, time_passes

pytestmark = pytest.mark.slow


def _home(message: Json, name: str) -> bool:
    return not message["flags"] & 64 and f"## {name}" in all_text(message)


class Club:
    """A channel where events are held, and who holds and plays them."""

    def __init__(self, table: Hosted, clock: Ahead) -> None:
        self.table = table
        self.clock = clock
        self.organiser: Person
        self.players: list[Person] = []

    async def fill(self, count: int) -> None:
        self.organiser = await self.table.join("Olga")
        for number in range(count):
            self.players.append(await self.table.join(f"Player{number + 1}"))

    @property
    def channel(self) -> int:
        return int(self.organiser.guild["channels"][0]["id"])

    async def create(self, kind: str, name: str, **choices: str) -> Json:
        """An event by its preset; other choices are made on their tabs."""
        page = await self.draft(name, kind, "pythagoras" if kind == "table_night" else "quax")
        for key, value in choices.items():
            tab, _, field = key.partition("_")
            page = await self.organiser.turn(page, label=tab.capitalize())
            page = await self.choose(self.organiser, page, field, value)
        await self.announce(page)
        return await self.home(name)

    async def draft(self, name: str, kind: str = "cup", game: str = "quax") -> Json:
        """The page of the set-up."""
        about = {"kind": kind, "name": name, "game": game}
        told = await self.organiser.slash("tournament create", self.channel, **about)
        return await self.organiser.wait_answer(told)

    async def announce(self, page: Json) -> None:
        """**Create** on the page of the set-up."""
        page = await self.organiser.turn(page, label="Create")
        assert "You created" in all_text(page), all_text(page)

    async def home(self, name: str, *words: str) -> Json:
        """The home message, once it says all of these."""
        async with asyncio.timeout(20):
            while True:
                found = [
                    each
                    for each in await self.organiser.messages(self.channel)
                    if _home(each, name)
                ]
                assert len(found) <= 1, "one home message"
                if found and all(word in all_text(found[0]) for word in words):
                    return found[0]
                await asyncio.sleep(0.05)

    async def posted_again(self, older: Json) -> Json:
        """The only home message, once it stands in place of an older one."""
        name = all_text(older).partition("## ")[2].partition("\n")[0]
        async with asyncio.timeout(20):
            while True:
                seen = await self.organiser.messages(self.channel)
                found = [each for each in seen if _home(each, name)]
                if len(found) == 1 and found[0]["id"] != older["id"]:
                    return found[0]
                await asyncio.sleep(0.05)

    async def choose(self, person: Person, page: Json, field: str, *values: str) -> Json:
        """Choose in a menu of a private page, by the end of its custom id."""
        menu = next(
            each["custom_id"]
            for each in walk(page["components"])
            if each.get("custom_id", "").endswith(f":{field}") and each["type"] >= 3
        )
        return await person.choose(page, menu, list(values))

    async def act(self, home: Json, act: str, *picked: str) -> Json:
        """The consequences of an act with its arguments, before it is confirmed."""
        page = await self.organiser.press(home, label="Manage")
        page = await self.choose(self.organiser, page, "tact:", act)
        for value in picked:
            page = await self.choose(self.organiser, page, f"tchosen:{act}", f"{act}:{value}")
        return page

    async def give(self, page: Json, label: str, text: str) -> Json:
        """Fill in the form that a button of the organiser's page opens; what it shows then."""
        modal = await self.organiser.form(page, label=label)
        return await self.organiser.shown(page, self.organiser.submit_modal(modal, move=text))

    async def choose_way(self, person: Person, way: str) -> None:
        """How a person hears of news."""
        page = await person.ask("settings", self.channel)
        await self.choose(person, page, "way", way)

    async def undo(self, home: Json) -> Json:
        """Undo the organiser's last act."""
        page = await self.organiser.press(home, label="Manage")
        page = await self.organiser.turn(page, label="Undo last act")
        page = await self.organiser.turn(page, label="Confirm")
        assert "Undone." in all_text(page), all_text(page)
        return page

    async def join(self, home: Json) -> None:
        for person in self.players:
            answer = await person.press(home, label="Join")
            assert "You're in" in all_text(answer)

    async def until(self, **by: float) -> None:
        await time_passes(self.table, self.clock, **by)

    async def until_play(self, home: Json, *, before: float = -2) -> None:
        """Let time pass until the event of a home message begins, and a moment more.

        Or until so many seconds ``before``.
        """
        said = re.search(r"(?:Join until|Play begins) <t:(\d+):", all_text(home))
        assert said is not None, all_text(home)
        at = int(said[1])
        left = at - self.clock.now().timestamp()
        await self.until(seconds=left - before)

    async def begun(self, kind: str, name: str, **choices: str) -> Json:
        """The home message of an event that all players have joined and that begins now."""
        home = await self.create(kind, name, **choices)
        await self.join(home)
        await self.until_play(home)
        return home

    async def play_out(self, name: str) -> Json:
        """In each match that runs, the player who joined later resigns; the home message then."""
        ids = [person.id for person in self.players]
        done: set[str] = set()
        async with asyncio.timeout(60):
            while True:
                home = await self.home(name)
                if "This tournament is over." in all_text(home):
                    return home
                for match, _ in await self.table.history():
                    is_on = match.status.value == "running" and match.home_id is not None
                    if not is_on or match.id in done or not match.state:
                        continue
                    loser = max(ids.index(user) for user in match.players)
                    person = self.players[loser]
                    asked = await person.ask("match resign", match.home_id)
                    answer = await person.turn(asked, label="Resign")
                    assert "You resigned" in all_text(answer), all_text(answer)
                    done.add(match.id)
                await asyncio.sleep(0.05)

    async def running(self, count: int) -> list[Any]:
        """The matches that run, once there are so many, each with its thread."""
        async with asyncio.timeout(20):
            while True:
                found = [each for each, _ in await self.table.history()]
                there = [x for x in found if x.status.value == "running" and x.home_id is not None]
                if len(there) == count:
                    return there
                await asyncio.sleep(0.05)

    async def stronger_win(self, count: int) -> None:
        """In each of so many matches the player who joined later resigns."""
        for match in await self.running(count):
            loser = next(p for p in self.players[::-1] if p.id in match.players)
            asked = await loser.ask("match resign", match.home_id)
            await loser.turn(asked, label="Resign")

    async def said(self, channel: int, *words: str) -> Json:
        """A message of a channel or thread that everybody sees, once it says all of these."""
        async with asyncio.timeout(20):
            while True:
                with contextlib.suppress(DiscordError):  # the thread isn't there yet
                    for each in await self.organiser.messages(channel):
                        if not each["flags"] & 64 and all(w in all_text(each) for w in words):
                            return each
                await asyncio.sleep(0.05)


@pytest.fixture
async def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Club]:
    monkeypatch.setattr(periodic, "_CARRY_ON", 0.05)
    monkeypatch.setattr(tournament_messages, "_TOGETHER", timedelta(seconds=0.2))
    clock = Ahead()
    async with hosted(tmp_path) as table:
        await table.stop()
        table.clock = clock
        await table.start()
        yield Club(table, clock)


async def test_a_cup_from_the_set_up_to_the_champion(club: Club) -> None:
    await club.fill(4)
    home = await club.create("cup", "Winter Cup")
    first = club.players[0]
    assert "**0 of 32** players have joined." in all_text(home)
    await club.join(home)
    await club.home("Winter Cup", "**4 of 32**", f"<@{first.id}>")
    again = await first.press(home, label="Join")
    assert "You're in." in all_text(again), "twice is once"
    await club.until_play(home)
    home = await club.home("Winter Cup", "Round 1 of 2", "Still being played:")
    thread = int(home["id"])
    notice = await club.said(thread, f"<@{first.id}>, round 1 of", "is paired. You play:")
    assert [each["id"] for each in notice["mentions"]] == [str(first.id)], "and nobody else"
    mine = await first.press(home, label="My games")
    assert "Your games:" in all_text(mine)
    pairings = await first.press(home, label="Pairings")
    menu = next(e for e in walk(pairings["components"]) if ":twhygame:" in e.get("custom_id", ""))
    value = menu["options"][0]["value"]
    why = await first.choose(pairings, menu["custom_id"], [value])
    assert "Seeds 1 and 4" in all_text(why)
    home = await club.play_out("Winter Cup")
    assert f"🥇 <@{first.id}>" in all_text(home)
    champion = await club.said(club.channel, f"🏆 <@{first.id}> wins Winter Cup!")
    assert not champion["mentions"]
    table = await first.press(champion, label="Bracket")
    assert any(each["type"] == 12 for each in walk(table["components"])), "a picture"
    letters = await first.turn(table, label="Text version")
    assert "Player1" in all_text(letters)
    files = await first.press(home, label="Files")
    for label, name in (("CSV", ".csv"), ("TRF 2026", ".trf"), ("Records", "")):
        file = await first.press(files, label=label)
        assert "Here's the file." in all_text(file), label
        assert name in str(file)
    page = await first.ask("tournament page", club.channel)
    assert "Here's the page of **Winter Cup**" in all_text(page)
    assert ".html" in str(page)


@pytest.mark.long
async def test_the_name_of_a_champion_who_was_erased_goes_from_home_and_podium(club: Club) -> None:
    await club.fill(4)
    home = await club.begun("cup", "Winter Cup")
    await club.home("Winter Cup", "Still being played:")
    first, second, *_ = club.players
    await club.play_out("Winter Cup")
    await club.said(club.channel, f"🏆 <@{first.id}> wins Winter Cup!")
    asked = await first.ask("privacy delete", club.channel)
    await first.turn(asked, label="Erase everything")
    champion = await club.said(club.channel, "🏆 Player ", "wins Winter Cup!")
    home = await club.home("Winter Cup", "🥇 Player ", f"<@{second.id}>")
    await club.until(seconds=20)
    await club.table.settled()
    state, threads = club.table.playground.world.state, set()
    for match, _ in await club.table.history():
        assert match.home_id is not None
        threads.add(state.channel(match.home_id).name)
    assert len(threads) == 4
    assert "Player1" not in str(threads)
    for shown in (champion, home):
        assert str(first.id) not in str(shown["components"])
        assert "Player1" not in str(shown["components"])


async def test_a_swiss_has_reasons_for_places(club: Club) -> None:
    await club.fill(4)
    home = await club.begun("weekend_swiss", "Open", game_rounds="3", players_least="4")
    await club.home("Open", "Round 1 of 3")
    await club.stronger_win(2)
    home = await club.home("Open", "Round 2 of 3")
    first = club.players[0]
    table = await first.press(home, label="Standings")
    menu = next(e for e in walk(table["components"]) if ":twhyplace:" in e.get("custom_id", ""))
    value = menu["options"][2]["value"]
    why = await first.choose(table, menu["custom_id"], [value])
    assert "Why place 3?" in all_text(why)
    assert "the player above has" in all_text(why)
    why = await club.choose(first, why, "twhyvalue:" + value, "buchholz")
    assert "The points of all opponents added up" in all_text(why)


@pytest.mark.long
async def test_a_director_pairs_again_and_replaces_a_player_before_a_move(club: Club) -> None:
    await club.fill(4)
    home = await club.begun("cup", "Swap Cup", game_rated="off")
    home = await club.home("Swap Cup", "Round 1 of 2", "Still being played:")
    olga, eve = club.organiser, await club.table.join("Eve")
    state, places = club.table.playground.world.state, club.table.playground.world.places
    guild = int(olga.guild["id"])

    def may_manage_threads(is_given: bool) -> None:
        for role in state.roles_of(guild):
            rest = role.permissions & ~(Permission.MANAGE_THREADS | Permission.ADMINISTRATOR)
            given = Permission.MANAGE_THREADS if is_given and role.bot_id is not None else 0
            places.set_role_permissions(role.id, rest | given)

    may_manage_threads(False)
    first = (await club.running(2))[0]
    page = await club.act(home, "redraw")
    assert "Running matches that end:" in all_text(page)
    assert "Round 1 will be paired again." in all_text(page)
    page = await club.give(page, "Give a reason", "Wrong seeds")
    assert "Done: Pair again" in all_text(page), all_text(page)
    assert first.home_id is not None
    await club.said(first.home_id, "A director had this round paired again", "Wrong seeds")
    thread = int(home["id"])
    await club.said(thread, "the last round of **Swap Cup** is paired again.", "Wrong seeds")

    match = next(each for each in await club.running(2) if club.players[0].id in each.players)
    assert match.id != first.id
    gone, stays = (next(p for p in club.players if p.id == user) for user in match.players)
    number = next(n for n, p in enumerate(club.players, 1) if p is gone)
    page = await club.act(home, "replace")
    page = await club.choose(olga, page, "tchosen:replace", f"replace:{number}")
    page = await club.choose(olga, page, f"tperson:replace:{number}", str(stays.id))
    assert "already in this tournament" in all_text(page), all_text(page)
    page = await club.choose(olga, page, "tact:", "replace")
    page = await club.choose(olga, page, "tchosen:replace", f"replace:{number}")
    page = await club.choose(olga, page, f"tperson:replace:{number}", str(eve.id))
    assert "Running matches in which the substitute takes the seat:" in all_text(page)
    page = await olga.turn(page, label="Confirm")
    assert f"Done: Replace <@{gone.id}> with <@{eve.id}>" in all_text(page), all_text(page)
    await club.said(thread, f"<@{eve.id}>, a director entered you in **Swap Cup**.")
    await club.said(thread, f"<@{stays.id}>, <@{eve.id}> has joined **Swap Cup** as a substitute")
    room = state.channels[match.home_id]
    game, who, *occasion = room.name.split(" · ")
    assert (game, who.count("Player"), occasion) == ("Quax", 2, ["Swap Cup", "Round 1"])
    assert {gone.id, stays.id, eve.id} <= room.thread_members.keys()
    await club.said(
        thread,
        f"<@{gone.id}>, another player has taken your place in",
        "You can leave the threads of its matches.",
    )
    call = await club.said(match.home_id, f"<@{eve.id}>")
    assert str(gone.id) not in [each["id"] for each in call["mentions"]]
    refused = await gone.ask("match resign", match.home_id)
    assert "Resign" not in [each.get("label") for each in walk(refused["components"])]
    may_manage_threads(True)
    await club.undo(home)
    told = await club.said(thread, f"<@{eve.id}>, <@{gone.id}> is back in **Swap Cup**")
    assert "leave the threads" not in all_text(told), "Parlour has taken her out"
    await club.said(thread, f"<@{gone.id}>, you're back in **Swap Cup**.")
    await club.said(thread, f"<@{stays.id}>, <@{gone.id}> is back in **Swap Cup** and plays you")
    assert eve.id not in room.thread_members
    assert gone.id in room.thread_members
    back = next(each for each in await club.running(2) if each.id == match.id)
    assert back.players == match.players
    await club.play_out("Swap Cup")


@pytest.mark.long
async def test_players_of_a_list_are_invited_confirm_and_check_in(club: Club) -> None:
    await club.fill(4)
    olga, (ada, ben, cem, dora) = club.organiser, club.players
    home = await club.create("cup", "Listed", time_check_in="3600")
    await club.table.join("Twin")
    await club.table.join("Twin")
    (direct,) = await club.table.open_directs(dora)
    await club.choose_way(dora, "direct")
    await club.table.bot.services.preferences.block(UserId(cem.id), UserId(olga.id))
    page = await club.act(home, "invite")
    page = await club.give(page, "Paste a list", "Player1, 2\nPlayer2, two")
    assert "Line 2: only numbers can follow" in all_text(page), all_text(page)
    said = f"Player1, 2\n<@{ben.id}>\nNobody\nTwin\n@player3,,1900\n{dora.id};1"
    page = await club.give(page, "Paste a list", said)
    listed = f"2. <@{ada.id}>, <@{ben.id}>, <@{cem.id}> (1900), 1. <@{dora.id}>"
    for words in (f"To be invited: {listed}", "this server: Nobody.", "this name: Twin."):
        assert words in all_text(page), all_text(page)
    assert "Invited" not in all_text(await club.home("Listed")), "nothing before it is confirmed"
    page = await olga.turn(page, label="Confirm")
    invited = await club.said(club.channel, "a director invites you to **Listed**")
    pinged = {int(each["id"]) for each in invited["mentions"]}
    assert pinged == {ada.id, ben.id}, "Dora hears in direct messages, Cem not from Olga"
    mine = f"<@{dora.id}>, a director invites"
    told = await dora.wait_message(lambda each: all_text(each).startswith(mine))
    assert int(told["channel_id"]) == direct
    assert "You're in." in all_text(await dora.press(told, label="Join"))
    key = await olga.upload("club.csv", b"player;seed\nPlayer1;3\nPlayer4;2\n")
    asked = await olga.slash("tournament invite", club.channel, file=key)
    page = await olga.wait_answer(asked)
    assert f"Already in: 2. <@{dora.id}>" in all_text(page), all_text(page)
    await olga.turn(page, label="Confirm")
    for person in (ada, ben):
        answer = await person.press(invited, label="Join")
        assert "You're in." in all_text(answer)
    home = await club.home("Listed", "**3 of 32**", f"Invited, not in yet: <@{cem.id}>")
    shown = all_text(await ada.press(home, label="Players"))
    order = [shown.index(f"<@{each.id}>") for each in (dora, ada, ben, cem)]
    assert order == sorted(order), shown
    page = await club.act(home, "seed", "3")
    page = await club.choose(olga, page, "tchosen:seed:3", "seed:3:1")
    assert "in place 1" in all_text(page), all_text(page)
    await olga.turn(page, label="Confirm")
    await club.until_play(home, before=1800)
    called = await club.said(int(home["id"]), f"<@{ben.id}>", "Check in by then")
    for person in (ada, ben):
        answer = await person.press(called, label="Check in")
        assert "You're checked in." in all_text(answer)
    await club.until_play(home)
    home = await club.home("Listed", "This tournament was cancelled")
    players = await olga.press(home, label="Players")
    assert f"<@{dora.id}> · withdrawn" in all_text(players), all_text(players)


@pytest.mark.long
async def test_what_cannot_be_is_said_on_the_page_and_nothing_is_created(club: Club) -> None:
    await club.fill(0)
    olga = club.organiser
    told = await olga.slash("tournament create", club.channel, kind="cup", game="quax")
    page = await olga.wait_answer(told)
    assert "Not ready yet: Give the tournament a name" in all_text(page)
    usual: dict[str, str] = {}
    for typed, said in (
        ({"finish": "yesterday"}, "isn't a day and time"),
        ({"closes": "2020-01-01"}, "That date is in the past"),
        ({"finish": "in 8 days"}, "The games can't all be played by then."),
        ({"finish": "2031-01-01"}, "The last day is too far away"),
        ({"finish": "in 60 days", "begins": "in 3 days"}, "Registration must close before"),
        ({"closes": "in 3 days", "begins": "in 3 days"}, "Registration closes and play begins"),
    ):
        modal = await olga.form(page, label="Name & dates")
        # What was refused before stands in the form again.
        usual = usual or {
            each["custom_id"]: each["value"]
            for each in walk(modal["components"])
            if "value" in each
        }
        filled = {**usual, "name": "Cup", **typed}
        page = await olga.shown(page, olga.submit_modal(modal, **filled))
        assert said in all_text(page), (typed, all_text(page))
        assert "Tournament without a name" not in all_text(page), "the name typed beside it stays"
    assert not [each for each in await olga.messages(club.channel) if _home(each, "Cup")]
    direct = await olga.ask("tournament show", club.channel, tournament="Nothing of the kind")
    assert "no such tournament" in all_text(direct)


@pytest.mark.long
async def test_of_two_tournaments_of_one_name_the_one_chosen_is_meant(club: Club) -> None:
    await club.fill(0)
    olga = club.organiser
    for game in ("quax", "pux"):
        await club.announce(await club.draft("Spring Cup", game=game))
    found = await olga.autocomplete(
        "tournament rules", club.channel, "tournament", tournament="spring"
    )
    assert len({each["name"] for each in found}) == 2
    games = set()
    for typed in (found[0]["value"], found[1]["name"]):
        told = await olga.slash("tournament rules", club.channel, tournament=typed)
        rules = all_text(await olga.wait_answer(told))
        games |= {game for game in ("Quax", "Pux") if game in rules}
    assert games == {"Quax", "Pux"}
    told = await olga.slash("tournament rules", club.channel, tournament="Spring Cup")
    asked = await olga.wait_answer(told)
    assert "Which tournament?" in all_text(asked)


async def test_a_page_is_offered_also_of_a_tournament_that_is_over(club: Club) -> None:
    await club.fill(0)
    home = await club.create("cup", "Spring Cup")
    page = await club.give(await club.act(home, "cancel"), "Give a reason", "Too few players")
    assert "Done: Cancel" in all_text(page), all_text(page)
    home = await club.create("cup", "Summer Cup")
    asked = await club.organiser.ask("tournament page", club.channel)
    assert "Which tournament?" in all_text(asked)
    (menu,) = [each for each in walk(asked["components"]) if each["type"] == 3]
    chosen = [menu["options"][0]["value"]]
    nonce = await club.organiser.select(asked, menu["custom_id"], chosen)
    page = await club.organiser.wait_answer(nonce)
    assert "Here's the page" in all_text(page)
    assert page["id"] != asked["id"], "a message of its own says at once that it is being made"
    rules = await club.organiser.ask("tournament rules", club.channel)
    assert "Summer Cup" in all_text(rules), "other commands mean the one that runs"


async def test_a_set_up_whose_days_have_passed_stays_whatever_is_pressed(club: Club) -> None:
    await club.fill(0)
    page = await club.draft("Old Cup")
    await club.until(days=9)
    for label in ("Rehearse", "Create"):
        page = await club.organiser.turn(page, label=label)
        assert "That date is in the past." in all_text(page)
        assert "Old Cup" in all_text(page)


@pytest.mark.long
async def test_registration_is_closed_and_reopened_for_a_length_of_time(club: Club) -> None:
    await club.fill(1)
    home = await club.create("cup", "Late Cup")
    await club.join(home)
    (player,) = club.players
    pages = [await club.act(home, "close") for _ in range(2)]
    done, again = [all_text(await club.organiser.turn(each, label="Confirm")) for each in pages]
    assert "Done" in done
    assert "Close registration: it is so already, so nothing was changed." in again
    assert "Done" not in again
    home = await club.home("Late Cup", "Registration is closed.")
    late = await club.act(home, "withdraw", "1")
    told = await player.ask("tournament withdraw", club.channel)
    assert "you can't come back by yourself" in all_text(told), "asked, for nobody can join now"
    assert "You've left" in all_text(await player.turn(told, label="Leave tournament"))
    late = await club.organiser.turn(late, label="Confirm")
    assert "it is so already, so nothing was changed." in all_text(late)
    page = await club.give(await club.act(home, "reopen"), "Choose a day", "in 2 days")
    page = await club.organiser.turn(page, label="Confirm")
    assert "Done: Reopen registration until" in all_text(page), all_text(page)


@pytest.mark.long
async def test_the_servers_calendar_the_winners_role_and_a_medal(club: Club) -> None:
    await club.fill(4)
    world = club.table.playground.world
    guild = int(club.organiser.guild["id"])
    own = next(each for each in world.state.roles_of(guild) if each.bot_id is not None)
    champion = world.places.add_role(guild, "Champion", 0)
    own.position = champion.position + 1
    world.places.set_role_permissions(own.id, own.permissions | Permission.MANAGE_ROLES)
    home = await club.create("cup", "Prize Cup", players_winner_role=str(champion.id))

    async def entry(status: int) -> ScheduledEvent:
        async with asyncio.timeout(20):
            while True:
                for each in world.state.scheduled_events.values():
                    if each.name == "Prize Cup" and each.status == status:
                        return each
                await asyncio.sleep(0.05)

    made = await entry(1)
    assert made.location.endswith(f"/{club.channel}")
    await club.join(home)
    await club.until_play(home)
    await entry(2)
    world.messages.delete(club.channel, int(home["id"]), user_id=world.state.bot_id)
    olga = club.organiser
    page = await olga.ask("tournament show", club.channel)
    page = await olga.turn(page, label="Manage")
    page = await olga.turn(page, label="Post again")
    assert "The home message is posted again." in all_text(page)
    again = await club.posted_again(home)
    page = await olga.turn(page, label="Post again")
    last = await club.posted_again(again)
    assert int(last["id"]) > int(again["id"]) > int(home["id"])
    await club.play_out("Prize Cup")
    assert (await entry(3)).id == made.id, "one entry, kept in step"
    first = club.players[0]
    await club.said(club.channel, f"🏆 <@{first.id}> wins Prize Cup!")
    async with asyncio.timeout(20):
        while champion.id not in world.state.members[guild, first.id].roles:
            await asyncio.sleep(0.05)
    profile = await first.ask("profile", club.channel)
    assert "🥇 Prize Cup · Quax · 4 players" in all_text(profile)


@pytest.mark.long
async def test_a_board_in_direct_messages_names_its_tournament(club: Club) -> None:
    await club.fill(4)
    home = await club.create("cup", "Post Cup", rules_venue="direct")
    await club.join(home)
    direct = [(person, await person.open_direct()) for person in club.players]
    await club.until_play(home)
    boards: list[Json] = []
    async with asyncio.timeout(20):
        while len(boards) < 2:
            await asyncio.sleep(0.05)
            seen = [each for person, place in direct for each in await person.messages(place)]
            boards = [each for each in seen if "Make a move" in str(each["components"])]
    for board in boards:
        assert all_text(board).startswith("-# Post Cup · Round 1\n### Quax")


@pytest.mark.long
async def test_a_ladder_is_climbed_by_a_challenge(club: Club) -> None:
    await club.fill(3)
    home = await club.begun("club_ladder", "Ladder", game_rated="off")
    home = await club.home("Ladder", "Running until")
    low, top = club.players[2], club.players[0]
    page = await low.press(home, label="Challenge")
    menu = next(e for e in walk(page["components"]) if ":tchallenge:" in e.get("custom_id", ""))
    assert [each["label"] for each in menu["options"]] == ["Player1", "Player2"]
    done = await low.choose(page, menu["custom_id"], ["1"])
    assert f"You challenged <@{top.id}>." in all_text(done)
    asked = await club.said(int(home["id"]), f"<@{top.id}>, <@{low.id}> challenges you")
    answer = await top.press(asked, label="Decline")
    assert "You declined. Declining again before your next game counts as a loss." in all_text(
        answer
    )
    ended = await club.said(int(home["id"]), f"<@{top.id}>, you declined the challenge by")
    assert ended["id"] == asked["id"], "the message itself says so"
    assert not [each for each in walk(ended["components"]) if each["type"] == 2], "no buttons"
    page = await low.press(home, label="Challenge")
    await low.choose(page, menu["custom_id"], ["1"])
    asked = await club.said(int(home["id"]), f"<@{top.id}>, <@{low.id}> challenges you")
    assert asked["id"] != ended["id"]
    answer = await top.press(asked, label="Accept")
    assert f"Your board is on the way. It's in <#{club.channel}>" in all_text(answer)
    await club.said(int(home["id"]), f"<@{top.id}>, you accepted the challenge by")
    await club.home("Ladder", "Still being played:", f"<@{low.id}>")
    (match,) = await club.running(1)
    asked = await top.ask("match resign", match.home_id)
    await top.turn(asked, label="Resign")
    await club.home("Ladder", "Latest changes on", f"<@{low.id}> climbed from rung 3 to 1")


@pytest.mark.long
async def test_a_match_of_a_tournament_is_not_aborted_and_nothing_is_asked(club: Club) -> None:
    await club.fill(4)
    await club.begun("cup", "Sure Cup", game_rated="off")
    match = (await club.running(2))[0]
    player = next(each for each in club.players if each.id in match.players)
    told = await player.ask("match abort", match.home_id)
    assert "Tournament matches can't be aborted." in all_text(told)
    assert "Never mind" not in str(told["components"])


@pytest.mark.long
async def test_where_threads_are_not_allowed_set_up_start_and_the_servers_page_say_so(
    club: Club,
) -> None:
    await club.fill(4)
    world = club.table.playground.world
    world.places.set_overwrite(
        world.state.channel(club.channel),
        Overwrite(world.state.bot_id, 1, 0, int(Permission.CREATE_PUBLIC_THREADS)),
    )
    page = await club.draft("Side Cup")
    assert "Threads can't be made in this channel" in all_text(page)
    assert "**Create Public Threads**" in all_text(page)
    direct = await club.organiser.turn(page, label="Rules")
    direct = await club.choose(club.organiser, direct, "venue", "direct")
    assert "Threads can't be made" not in all_text(direct)
    again = await club.choose(club.organiser, direct, "venue", "thread")
    await club.announce(again)
    home = await club.home("Side Cup")
    everyone = world.state.roles[int(club.organiser.guild["id"])]
    world.places.set_role_permissions(everyone.id, everyone.permissions | Permission.MANAGE_GUILD)
    settings = await club.organiser.ask("server settings", club.channel)
    assert f"Threads can't be made in <#{club.channel}>" in all_text(settings)
    await club.join(home)
    await club.until_play(home)
    direct_to = await club.organiser.open_direct()
    said = "threads can't be made in the channel of **Side Cup**"
    async with asyncio.timeout(20):
        while True:
            warned = [
                each
                for place in (club.channel, direct_to)
                for each in await club.organiser.messages(place)
                if said in all_text(each)
            ]
            if warned:
                break
            await asyncio.sleep(0.05)
    assert "Allow Parlour Create Public Threads" in all_text(warned[0])
    assert len(warned) == 1
