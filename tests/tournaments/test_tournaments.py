"""Tournaments as people meet them: from the set-up to the champion."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
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

_ANEW = frozenset({"tfile", "tweb", "tawait"})
"""Controls of private pages that are answered by a message of its own."""


async def _once(look: Callable[[], Awaitable[Any]]) -> Any:
    """What is there, once there is something."""
    async with asyncio.timeout(30):
        while not (found := await look()):
            await asyncio.sleep(0.05)
    return found


def _control(page: Json, what: str) -> Json:
    """The first control whose custom id goes on so after the match and version."""
    for each in walk(page["components"]):
        mine = each.get("custom_id", ":::").split(":", 3)[3]
        if mine == what or mine.startswith(f"{what}:"):
            return each
    raise LookupError(what, all_text(page))


async def _those(entries: Iterable[ScheduledEvent], status: int) -> ScheduledEvent | None:
    return next((each for each in entries if each.status == status), None)


class Club:
    """A channel where events are held, and who holds and plays them."""

    def __init__(self, table: Hosted, clock: Ahead) -> None:
        self.table = table
        self.clock = clock
        self.world = table.playground.world
        self.players: list[Person] = []

    async def fill(self, count: int) -> None:
        self.organiser = await self.table.join("Olga")
        self.channel = int(self.organiser.guild["channels"][0]["id"])
        self.guild = int(self.organiser.guild["id"])
        for number in range(count):
            self.players.append(await self.table.join(f"Player{number + 1}"))

    # ---- pages ---------------------------------------------------------------------------------

    async def press(self, page: Json, what: str, *values: str, by: Person | None = None) -> Json:
        """A button or choices of the organiser or a player; the page after it."""
        person, control = by or self.organiser, _control(page, what)
        acting = person.use(page, control["custom_id"], control["type"], values)
        if page["flags"] & 64 and what.partition(":")[0] not in _ANEW:
            return await person.shown(page, acting)
        return await person.wait_answer(await acting)

    async def form(self, page: Json, what: str) -> Json:
        """The form that a button of the organiser's page opens."""
        custom_id = _control(page, what)["custom_id"]
        return await self.organiser.form(page, custom_id=custom_id)

    async def give(self, page: Json, what: str, text: str) -> Json:
        """Fill it in; what the page shows then."""
        modal = await self.form(page, what)
        return await self.organiser.shown(page, self.organiser.submit_modal(modal, move=text))

    async def draft(self, name: str | None, kind: str = "cup", game: str = "quax") -> Json:
        """The page of the set-up."""
        named = {} if name is None else {"name": name}
        return await self.organiser.ask(
            "tournament create", self.channel, kind=kind, game=game, **named
        )

    async def announce(self, page: Json) -> None:
        made = await self.press(page, "tsetmake")
        assert "You created" in all_text(made)
        assert _control(await self.press(made, "tshow"), "tjoin")

    async def create(self, kind: str, name: str, **choices: str) -> Json:
        """An event by its preset; other choices are made on their tabs."""
        page = await self.draft(name, kind)
        for key, value in choices.items():
            tab, _, field = key.partition("_")
            page = await self.press(page, f"tset{tab}")
            page = await self.press(page, f"tpick:{field}", value)
        await self.announce(page)
        return await self.home(name)

    async def act(self, home: Json, act: str, *picked: str) -> Json:
        """The consequences of an act with its arguments, before it is confirmed."""
        page = await self.press(await self.press(home, "tmanage"), "tact", act)
        for value in picked:
            act, chosen = f"{act}", f"{act}:{value}"
            page = await self.press(page, f"tchosen:{act}", chosen)
            act = chosen
        return page

    async def done(self, page: Json) -> str:
        """Confirm it."""
        return all_text(await self.press(page, "tdo"))

    # ---- what stands ---------------------------------------------------------------------------

    async def homes(self, name: str) -> list[Json]:
        seen = await self.organiser.messages(self.channel)
        return [x for x in seen if not x["flags"] & 64 and f"## {name}" in all_text(x)]

    async def home(self, name: str, *words: str, but: str = "") -> Json:
        """The only home message, once it says all of these and is another one."""

        async def look() -> Json | None:
            found = await self.homes(name)
            assert but or len(found) <= 1, "one home message"
            said = all(word in all_text(each) for each in found for word in words)
            return found[0] if len(found) == 1 and said and found[0]["id"] != but else None

        return await _once(look)  # type: ignore[no-any-return]

    async def said(self, channel: int, *words: str) -> Json:
        """A message of a channel or thread that everybody sees, once it says all of these."""

        async def look() -> Json | None:
            with contextlib.suppress(DiscordError):  # the thread isn't there yet
                for each in await self.organiser.messages(channel):
                    if not each["flags"] & 64 and all(w in all_text(each) for w in words):
                        return each
            return None

        return await _once(look)  # type: ignore[no-any-return]

    # ---- playing -------------------------------------------------------------------------------

    async def join(self, home: Json) -> None:
        for person in self.players:
            assert "You're in" in all_text(await self.press(home, "tjoin", by=person))

    async def until(self, **by: float) -> None:
        await time_passes(self.table, self.clock, **by)

    async def until_play(self, home: Json, *, before: float = -2) -> None:
        """Let time pass until the event of a home message begins, or so many seconds before."""
        said = re.search(r"(?:Join until|Play begins) <t:(\d+):", all_text(home))
        assert said is not None, all_text(home)
        await self.until(seconds=int(said[1]) - self.clock.now().timestamp() - before)

    async def begun(self, kind: str, name: str, **choices: str) -> Json:
        """The home message of an event that all players have joined and that begins now."""
        home = await self.create(kind, name, **choices)
        await self.join(home)
        await self.until_play(home)
        return home

    async def running(self, count: int) -> list[Any]:
        """The matches that run, once there are so many, each with its thread."""

        async def look() -> list[Any]:
            found = [match for match, _ in await self.table.history()]
            there = [x for x in found if x.status.value == "running" and x.home_id and x.state]
            return there if len(there) == count else []

        return await _once(look)  # type: ignore[no-any-return]

    async def stronger_win(self, count: int) -> None:
        """In each of so many matches the player who joined later resigns."""
        for match in await self.running(count):
            loser = next(p for p in self.players[::-1] if p.id in match.players)
            asked = await loser.ask("match resign", match.home_id)
            await self.press(asked, "resignyes", by=loser)

    async def play_cup(self, name: str) -> Json:
        """A cup of four, to its end; the home message then."""
        for _ in range(2):
            await self.stronger_win(2)
        return await self.home(name, "This tournament is over.")


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
    await club.join(home)
    await club.home("Winter Cup", "**4 of 32**", f"<@{first.id}>")
    assert "You're in." in all_text(await club.press(home, "tjoin", by=first)), "twice is once"
    await club.until_play(home)
    home = await club.home("Winter Cup", "Round 1 of 2", "Still being played:")
    notice = await club.said(int(home["id"]), f"<@{first.id}>, round 1 of")
    assert [each["id"] for each in notice["mentions"]] == [str(first.id)], "and nobody else"
    assert "Your games:" in all_text(await club.press(home, "tmine", by=first))
    pairs = await club.press(home, "tpairs", by=first)
    value = _control(pairs, "twhygame")["options"][0]["value"]
    assert "Seeds 1 and 4" in all_text(await club.press(pairs, "twhygame", value, by=first))
    home = await club.play_cup("Winter Cup")
    assert f"🥇 <@{first.id}>" in all_text(home)
    champion = await club.said(club.channel, f"🏆 <@{first.id}> wins Winter Cup!")
    assert not champion["mentions"]
    table = await club.press(champion, "tbracket", by=first)
    assert any(each["type"] == 12 for each in walk(table["components"])), "a picture"
    assert "Player1" in all_text(await club.press(table, "tbracket:t", by=first))
    files = await club.press(home, "tfiles", by=first)
    for which, name in (("csv", ".csv"), ("2026", ".trf"), ("records", "")):
        file = await club.press(files, f"tfile:{which}", by=first)
        assert name in str(
            [each["file"] for each in walk(file["components"]) if each["type"] == 13]
        )
    assert ".html" in str(await first.ask("tournament page", club.channel))


@pytest.mark.long
async def test_the_name_of_a_champion_who_was_erased_goes_from_home_and_podium(club: Club) -> None:
    await club.fill(4)
    await club.begun("cup", "Winter Cup")
    first, second, *_ = club.players
    await club.play_cup("Winter Cup")
    await club.said(club.channel, f"🏆 <@{first.id}> wins Winter Cup!")
    await club.press(await first.ask("privacy delete", club.channel), "forget", by=first)
    shown = [
        await club.said(club.channel, "🏆 Player ", "wins Winter Cup!"),
        await club.home("Winter Cup", "🥇 Player ", f"<@{second.id}>"),
    ]
    await club.until(seconds=20)
    await club.table.settled()
    ids = {match.home_id for match, _ in await club.table.history()}
    threads = {club.world.state.channel(each).name for each in ids}
    assert len(threads) == 4
    for told in (threads, *(each["components"] for each in shown)):
        assert not re.search(rf"{first.id}|Player1", str(told))


async def test_a_swiss_has_reasons_for_places(club: Club) -> None:
    await club.fill(4)
    await club.begun("weekend_swiss", "Open", game_rounds="3", people_least="4")
    await club.stronger_win(2)
    home = await club.home("Open", "Round 2 of 3")
    table = await club.press(home, "tstand")
    value = _control(table, "twhyplace")["options"][2]["value"]
    why = await club.press(table, "twhyplace", value)
    assert "Why place 3?" in all_text(why)
    before = all_text(why)
    assert all_text(await club.press(why, f"twhyvalue:{value}", "buchholz")) != before


@pytest.mark.long
async def test_a_director_pairs_again_and_replaces_a_player_before_a_move(club: Club) -> None:
    await club.fill(4)
    home = await club.begun("cup", "Swap Cup", game_rated="off")
    home = await club.home("Swap Cup", "Round 1 of 2", "Still being played:")
    eve, state = await club.table.join("Eve"), club.world.state

    def may_manage_threads(is_given: bool) -> None:
        for role in state.roles_of(club.guild):
            rest = role.permissions & ~(Permission.MANAGE_THREADS | Permission.ADMINISTRATOR)
            given = Permission.MANAGE_THREADS if is_given and role.bot_id is not None else 0
            club.world.places.set_role_permissions(role.id, rest | given)

    may_manage_threads(False)
    first = (await club.running(2))[0]
    page = await club.give(await club.act(home, "redraw"), "twhy", "Wrong seeds")
    assert "Done: Pair again" in all_text(page), all_text(page)
    thread = int(home["id"])
    for channel in (first.home_id, thread):
        await club.said(channel, "Wrong seeds")

    match = next(each for each in await club.running(2) if club.players[0].id in each.players)
    assert match.id != first.id
    gone, stays = (next(p for p in club.players if p.id == user) for user in match.players)
    number = club.players.index(gone) + 1
    page = await club.act(home, "replace", str(number))
    page = await club.press(page, f"tperson:replace:{number}", str(stays.id))
    assert "already in this tournament" in all_text(page), all_text(page)
    page = await club.act(home, "replace", str(number))
    page = await club.press(page, f"tperson:replace:{number}", str(eve.id))
    assert f"Done: Replace <@{gone.id}> with <@{eve.id}>" in await club.done(page)
    for reader in (eve, stays, gone):
        told = await club.said(thread, f"<@{reader.id}>, ", "Swap Cup")
    await club.said(thread, f"<@{gone.id}>, ", "leave the threads of its matches")
    room = state.channels[match.home_id]
    game, who, *occasion = room.name.split(" · ")
    assert (game, who.count("Player"), occasion) == ("Quax", 2, ["Swap Cup", "Round 1"])
    assert {gone.id, stays.id, eve.id} <= room.thread_members.keys()
    call = await club.said(match.home_id, f"<@{eve.id}>")
    assert str(gone.id) not in [each["id"] for each in call["mentions"]]
    with pytest.raises(LookupError):
        _control(await gone.ask("match resign", match.home_id), "resignyes")
    may_manage_threads(True)
    page = await club.press(await club.press(home, "tmanage"), "tplan:undo")
    assert "Undone." in await club.done(page)
    told = await club.said(thread, f"<@{eve.id}>, <@{gone.id}> is back in **Swap Cup**")
    assert "leave the threads" not in all_text(told), "Parlour has taken her out"
    await club.said(thread, f"<@{stays.id}>, <@{gone.id}> is back in **Swap Cup**")
    assert eve.id not in room.thread_members
    assert gone.id in room.thread_members
    back = next(each for each in await club.running(2) if each.id == match.id)
    assert back.players == match.players
    await club.play_cup("Swap Cup")


@pytest.mark.long
async def test_players_of_a_list_are_invited_confirm_and_check_in(club: Club) -> None:
    await club.fill(4)
    olga, (ada, ben, cem, dora) = club.organiser, club.players
    home = await club.create("cup", "Listed", time_check_in="3600")
    for _ in range(2):
        await club.table.join("Twin")
    (direct,) = await club.table.open_directs(dora)
    await club.press(await dora.ask("settings", club.channel), "pref:way", "direct", by=dora)
    await club.table.bot.services.preferences.block(UserId(cem.id), UserId(olga.id))
    page = await club.give(await club.act(home, "invite"), "tpaste", "Player1, 2\nPlayer2, two")
    assert "Line 2: only numbers can follow" in all_text(page), all_text(page)
    said = f"Player1, 2\n<@{ben.id}>\nNobody\nTwin\n@player3,,1900\n{dora.id};1"
    page = await club.give(page, "tpaste", said)
    listed = f"2. <@{ada.id}>, <@{ben.id}>, <@{cem.id}> (1900), 1. <@{dora.id}>"
    for words in (f"To be invited: {listed}", "this server: Nobody.", "this name: Twin."):
        assert words in all_text(page), all_text(page)
    assert "Invited" not in all_text(await club.home("Listed")), "nothing before it is confirmed"
    await club.done(page)
    invited = await club.said(club.channel, "a director invites you to **Listed**")
    pinged = {int(each["id"]) for each in invited["mentions"]}
    assert pinged == {ada.id, ben.id}, "Dora hears in direct messages, Cem not from Olga"
    told = await dora.wait_message(
        lambda each: each["channel_id"] == str(direct) and "a director invites" in all_text(each)
    )
    assert "You're in." in all_text(await club.press(told, "tjoin", by=dora))
    key = await olga.upload("club.csv", b"player;seed\nPlayer1;3\nPlayer4;2\n")
    page = await olga.ask("tournament invite", club.channel, file=key)
    assert f"Already in: 2. <@{dora.id}>" in all_text(page), all_text(page)
    await club.done(page)
    for person in (ada, ben):
        assert "You're in." in all_text(await club.press(invited, "tjoin", by=person))
    home = await club.home("Listed", "**3 of 32**", f"Invited, not in yet: <@{cem.id}>")
    shown = all_text(await club.press(home, "tplayers"))
    order = [shown.index(f"<@{each.id}>") for each in (dora, ada, ben, cem)]
    assert order == sorted(order), shown
    page = await club.act(home, "seed", "3")
    page = await club.press(page, "tchosen:seed:3", "seed:3:1")
    assert "in place 1" in await club.done(page)
    await club.until_play(home, before=1800)
    called = await club.said(int(home["id"]), f"<@{ben.id}>", "Check in by then")
    for person in (ada, ben):
        assert "You're checked in." in all_text(await club.press(called, "there", by=person))
    await club.until_play(home)
    home = await club.home("Listed", "This tournament was cancelled")
    assert f"<@{dora.id}> · withdrawn" in all_text(await club.press(home, "tplayers"))


@pytest.mark.long
async def test_what_cannot_be_is_said_on_the_page_and_nothing_is_created(club: Club) -> None:
    await club.fill(0)
    olga, page = club.organiser, await club.draft(None)
    usual: dict[str, str] = {}
    for typed, said in (
        ({}, ""),
        ({"finish": "yesterday"}, "isn't a day and time"),
        ({"closes": "2020-01-01"}, "That date is in the past"),
        ({"finish": "in 8 days"}, "The games can't all be played by then."),
        ({"finish": "2031-01-01"}, "The last day is too far away"),
        ({"finish": "in 60 days", "begins": "in 3 days"}, "Registration must close before"),
        ({"closes": "in 3 days", "begins": "in 3 days"}, "Registration closes and play begins"),
    ):
        modal = await club.form(page, "tsetname")
        # What was refused before stands in the form again.
        fields = [each for each in walk(modal["components"]) if "value" in each]
        usual = usual or {each["custom_id"]: each["value"] for each in fields}
        filled = {**usual, "name": "Cup", **typed}
        page = await olga.shown(page, olga.submit_modal(modal, **filled))
        assert said in all_text(page), (typed, all_text(page))
        assert "Tournament without a name" not in all_text(page), "the name typed beside it stays"
    page = await club.draft("Old Cup")
    await club.until(days=9)
    for what in ("tsettry", "tsetmake"):
        page = await club.press(page, what)
        assert "That date is in the past." in all_text(page)
        assert "Old Cup" in all_text(page)
    assert not await club.homes("")
    none = await olga.ask("tournament show", club.channel, tournament="Nothing of the kind")
    assert "no such tournament" in all_text(none)


@pytest.mark.long
async def test_of_two_tournaments_the_one_chosen_is_meant_and_usually_the_one_that_runs(
    club: Club,
) -> None:
    await club.fill(0)
    olga = club.organiser
    for game in ("quax", "pux"):
        await club.announce(await club.draft("Spring Cup", game=game))

    async def rules(**which: str) -> str:
        return all_text(await olga.ask("tournament rules", club.channel, **which))

    found = await olga.autocomplete(
        "tournament rules", club.channel, "tournament", tournament="spring"
    )
    assert len({each["name"] for each in found}) == 2
    typed = (found[0]["value"], found[1]["name"])
    meant = [re.findall("Quax|Pux", await rules(tournament=each))[0] for each in typed]
    assert {*meant} == {"Quax", "Pux"}
    assert "Which tournament?" in await rules(tournament="Spring Cup")

    async def both() -> list[Json]:
        found = await club.homes("Spring Cup")
        return found if len(found) == 2 else []

    home, _ = await _once(both)
    page = await club.give(await club.act(home, "cancel"), "twhy", "Too few players")
    assert "Done: Cancel" in all_text(page), all_text(page)
    assert "Spring Cup" in await rules(), "the one that runs"
    asked = await olga.ask("tournament page", club.channel)
    value = _control(asked, "tawait")["options"][1]["value"]
    page = await club.press(asked, "tawait", value)
    assert ".html" in str(page), "also of one that is over"
    assert page["id"] != asked["id"], "a message of its own says at once that it is being made"


async def test_where_there_is_no_tournament_it_says_so_and_where_to_find_one(club: Club) -> None:
    await club.fill(1)
    (player,) = club.players
    assert "no tournament here yet" in all_text(await player.ask("tournament show", club.channel))
    (direct,) = await club.table.open_directs(player)
    assert "entered a tournament" in all_text(await player.ask("tournament show", direct))
    home = await club.create("cup", "Winter Cup")
    await club.join(home)
    assert "Winter Cup" in all_text(await player.ask("tournament show", direct))


@pytest.mark.long
async def test_registration_is_closed_and_reopened_for_a_length_of_time(club: Club) -> None:
    await club.fill(1)
    home = await club.create("cup", "Late Cup")
    await club.join(home)
    (player,) = club.players
    done, again = [await club.done(x) for x in [await club.act(home, "close") for _ in range(2)]]
    assert "Done" in done
    assert "it is so already, so nothing was changed." in again
    home = await club.home("Late Cup", "Registration is closed.")
    late = await club.act(home, "withdraw", "1")
    told = await player.ask("tournament withdraw", club.channel)
    assert "you can't come back by yourself" in all_text(told), "asked, for nobody can join now"
    assert "You've left" in all_text(await club.press(told, "tleft", by=player))
    assert "it is so already, so nothing was changed." in await club.done(late)
    page = await club.give(await club.act(home, "reopen"), "tday", "in 2 days")
    assert "Done: Reopen registration until" in await club.done(page)


@pytest.mark.long
async def test_the_servers_calendar_the_winners_role_and_a_medal(club: Club) -> None:
    await club.fill(4)
    world, state, first = club.world, club.world.state, club.players[0]
    own = next(each for each in state.roles_of(club.guild) if each.bot_id is not None)
    champion = world.places.add_role(club.guild, "Champion", 0)
    own.position = champion.position + 1
    world.places.set_role_permissions(own.id, own.permissions | Permission.MANAGE_ROLES)
    home = await club.create("cup", "Prize Cup", people_winner_role=str(champion.id))

    async def entry(status: int) -> Any:
        return await _once(lambda: _those(state.scheduled_events.values(), status))

    entries = [await entry(1)]
    await club.join(home)
    await club.until_play(home)
    entries.append(await entry(2))
    world.messages.delete(club.channel, int(home["id"]), user_id=state.bot_id)
    page = await club.organiser.ask("tournament show", club.channel)
    page = await club.press(page, "tmanage")
    for _ in range(2):
        page, older = await club.press(page, "tagain"), home["id"]
        home = await club.home("Prize Cup", but=older)
        assert int(home["id"]) > int(older)
    await club.play_cup("Prize Cup")
    entries.append(await entry(3))
    assert len({each.id for each in entries}) == 1, "one entry, kept in step"
    assert entries[0].location.endswith(f"/{club.channel}")
    await club.said(club.channel, f"🏆 <@{first.id}> wins Prize Cup!")

    async def has_role() -> bool:
        return champion.id in state.members[club.guild, first.id].roles

    await _once(has_role)
    profile = await first.ask("profile", club.channel)
    assert "🥇 Prize Cup · Quax · 4 players" in all_text(profile)


@pytest.mark.long
async def test_a_board_in_direct_messages_names_its_tournament(club: Club) -> None:
    await club.fill(4)
    home = await club.create("cup", "Post Cup", rules_venue="direct")
    await club.join(home)
    direct = [(person, await person.open_direct()) for person in club.players]
    await club.until_play(home)

    async def boards() -> list[str]:
        seen = [each for person, place in direct for each in await person.messages(place)]
        found = [all_text(x) for x in seen if ":move:" in str(x["components"])]
        return found if len(found) >= 2 else []

    for board in await _once(boards):
        assert board.startswith("-# Post Cup · Round 1\n### Quax")


@pytest.mark.long
async def test_a_ladder_is_climbed_by_a_challenge(club: Club) -> None:
    await club.fill(3)
    home = await club.begun("club_ladder", "Ladder", game_rated="off")
    home = await club.home("Ladder", "Running until")
    low, top, thread = club.players[2], club.players[0], int(home["id"])
    asked: list[Json] = []
    for answer in ("no", "yes"):
        page = await club.press(home, "tladder", by=low)
        options = _control(page, "tchallenge")["options"]
        assert [each["label"] for each in options] == ["Player1", "Player2"]
        done = await club.press(page, "tchallenge", "1", by=low)
        assert f"You challenged <@{top.id}>." in all_text(done)
        asked.append(await club.said(thread, f"<@{top.id}>, <@{low.id}> challenges you"))
        page = await club.press(asked[-1], f"tanswer:{answer}", by=top)
        said = "declined" if answer == "no" else "accepted"
        ended = await club.said(thread, f"<@{top.id}>, you {said} the challenge by")
        assert ended["id"] == asked[-1]["id"], "the message itself says so"
        assert not [each for each in walk(ended["components"]) if each["type"] == 2], "no buttons"
    assert f"Your board is on the way. It's in <#{club.channel}>" in all_text(page)
    assert asked[0]["id"] != asked[1]["id"]
    await club.home("Ladder", "Still being played:", f"<@{low.id}>")
    (match,) = await club.running(1)
    told = await top.ask("match abort", match.home_id)
    assert "Tournament matches can't be aborted." in all_text(told)
    assert not [each for each in walk(told["components"]) if each["type"] == 2], "nothing is asked"
    await club.press(await top.ask("match resign", match.home_id), "resignyes", by=top)
    await club.home("Ladder", "Latest changes on", f"<@{low.id}> climbed from rung 3 to 1")


@pytest.mark.long
async def test_where_threads_are_not_allowed_set_up_start_and_the_servers_page_say_so(
    club: Club,
) -> None:
    await club.fill(4)
    world, state = club.world, club.world.state
    denied = Overwrite(state.bot_id, 1, 0, int(Permission.CREATE_PUBLIC_THREADS))
    world.places.set_overwrite(state.channel(club.channel), denied)
    page = await club.draft("Side Cup")
    said = "Threads can't be made in this channel"
    assert said in all_text(page)
    page = await club.press(page, "tsetrules")
    for venue in ("direct", "thread"):
        page = await club.press(page, "tpick:venue", venue)
        assert (said in all_text(page)) is (venue == "thread")
    await club.announce(page)
    home = await club.home("Side Cup")
    everyone = state.roles[club.guild]
    world.places.set_role_permissions(everyone.id, everyone.permissions | Permission.MANAGE_GUILD)
    settings = await club.organiser.ask("server settings", club.channel)
    assert f"Threads can't be made in <#{club.channel}>" in all_text(settings)
    await club.join(home)
    await club.until_play(home)
    places = (club.channel, await club.organiser.open_direct())

    async def warned() -> list[Json]:
        seen = [x for place in places for x in await club.organiser.messages(place)]
        said = "threads can't be made in the channel of **Side Cup**"
        return [each for each in seen if said in all_text(each)]

    assert len(await _once(warned)) == 1
