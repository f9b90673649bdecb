"""``/settings``, ``/server`` and ``/block`` as people use them, and as they should not."""

from __future__ import annotations

import pytest

from bot.domain.ids import GuildId, UserId
from bot.domain.preferences import NoticeWay, ServerSettings
from bot.domain.quiet_hours import QuietHours
from bot.store import people
from playground.faults import Status
from playground.forms import all_text
from playground.person import Person
from playground.world.model import InteractionType
from tests.support.hosted import (
    MANAGE,
    Hosted,
    Json,
    choose,
    give_role,
    menus,
    offered,
    open_form,
    press,
    start_quax,
    take_role,
    turn,
    values_chosen,
)

_ADMINISTRATOR = 1 << 3


async def _mine(person: Person, channel: int | None = None) -> Json:
    where = channel or int(person.guild["channels"][0]["id"])
    return await person.ask("settings", where)


async def _servers(person: Person) -> Json:
    return await person.ask("server settings", person.channel("general"))


async def test_every_choice_of_a_person_is_saved_at_once_and_shown(table: Hosted) -> None:
    anna = await table.join("Anna")
    page = await _mine(anna)
    assert page["flags"] & 64
    assert values_chosen(page, "pref:remind") == ["12"]
    page = await choose(anna, page, "pref:theme", "light")
    assert values_chosen(page, "pref:theme") == ["light"]
    page = await choose(anna, page, "pref:way", "digest")
    page = await choose(anna, page, "pref:digest", "7")
    page = await choose(anna, page, "pref:remind", "48", "3")
    await table.restart()
    page = await choose(anna, page, "pref:quiet", "22")
    page = await choose(anna, page, "pref:until", "6")
    page = await choose(anna, page, "pref:remind")
    assert values_chosen(page, "pref:until") == ["6"]
    chosen = await table.bot.services.preferences.of(UserId(anna.id))
    assert (chosen.theme, chosen.way, chosen.digest_hour) == ("light", NoticeWay.DIGEST, 7)
    assert (chosen.reminders, chosen.quiet) == ((), QuietHours(22, 6))
    page = await choose(anna, page, "pref:quiet", "-")
    assert "pref:until" not in menus(page)
    assert values_chosen(await _mine(anna), "pref:theme") == ["light"]
    direct = await anna.open_direct()
    assert values_chosen(await _mine(anna, direct), "pref:way") == ["digest"]


async def test_a_time_zone_and_the_hours_of_reminders_are_typed(table: Hosted) -> None:
    anna = await table.join("Anna")
    page = await _mine(anna)
    for does, typed, words in (
        ("zone", "new york", "Your time zone is America/New York"),
        ("zone", "Europe/../../etc/passwd", "isn't a known time zone"),
        ("remindat", "2d, 5h", "America/New York"),
        ("remindat", "soon", "“soon” isn't clear"),
    ):
        form = await open_form(anna, page, does)
        page = await anna.shown(page, anna.submit_modal(form, move=typed))
        assert words in all_text(page)
    assert values_chosen(page, "pref:remind") == ["5", "48"]
    channel = anna.channel("general")
    found = await anna.autocomplete("settings", channel, "time_zone", time_zone="berl")
    for text, words in (
        ("UTC+99", r"“UTC\+99” isn't a known time zone"),
        (found[0]["value"], "Europe/Berlin"),
    ):
        assert words in all_text(await anna.ask("settings", channel, time_zone=text))


@pytest.mark.long
async def test_what_one_has_chosen_holds_where_it_has_to_be_looked_up_anew(
    table: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.services.preferences.LIFETIME", 0.0)
    game = await start_quax(table)
    page = await _mine(game.black, game.home)
    chosen = {"language": "de", "theme": "contrast", "turned": "mine", "letters": "on"}
    for menu, value in chosen.items():
        page = await choose(game.black, page, f"pref:{menu}", value)
    drawing = table.bot.services.reader.pictures
    real, seen = drawing.picture, []

    async def note(view, style):  # type: ignore[no-untyped-def]
        seen.append((style.theme, style.letters, style.mine, style.larger, style.flipped))
        return await real(view, style)

    monkeypatch.setattr(drawing, "picture", note)
    board = await game.black.ask("board", game.home)
    panel = await press(game.black, board, "move")
    await game.black.ask("match history", game.home)
    assert set(seen) == {("contrast", True, 0, False, False)}
    seen.clear()
    await game.black.ask("rules", game.home, game="quax")
    assert seen == [("contrast", True, None, False, False)]
    form = await open_form(game.black, panel, "type")
    assert form["title"] == "Zug eintippen"
    clocks = await game.black.autocomplete("play", game.home, "clock", game="quax", clock="1d")
    assert "1 Tag für jeden Zug" in clocks[0]["name"]
    refused = await game.black.ask("move", game.home, move="z9")
    assert "liegt nicht auf einem Brett" in all_text(refused)
    seen.clear()
    for look in ("normal", "large", "flipped"):
        await game.white.ask("board", game.home, view=look)
    await game.say(game.black, "a2")
    await table.settled()
    looks = [
        ("dark", False, None, *look) for look in ((False, False), (True, False), (False, True))
    ]
    assert seen[:3] == looks
    assert set(seen) == set(looks)
    await choose(game.white, await _mine(game.white, game.home), "pref:turned", "maker")
    seen.clear()
    await game.white.ask("board", game.home)
    assert seen == [("dark", False, 0, False, False)], "the side of the player who offered"


async def test_whom_one_has_blocked_can_neither_ask_nor_join(table: Hosted) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    channel = anna.channel("general")
    await ben.ask("play", channel, game="quax")
    offer = await offered(anna)

    async def block(how: str, player: Person, words: str) -> None:
        answer = await anna.ask(f"block {how}", channel, player=player)
        assert words in all_text(answer)
        assert answer["flags"] & 64

    await block("add", ben, "They won't be told")
    answer = await ben.ask("play", channel, game="quax", opponent=anna)
    assert "can't make this offer to these players" in all_text(answer)
    assert "You've blocked" in all_text(await press(anna, offer, "accept"))
    assert f"<@{ben.id}>" in all_text(await anna.ask("block list", channel))
    page = await choose(anna, await _mine(anna), "pref:unblock", ben)
    assert "pref:unblock" not in menus(page)
    assert "The match has started." in all_text(await press(anna, offer, "accept"))
    await block("remove", ben, "You haven't blocked")
    await block("add", anna, "can't block yourself")


@pytest.mark.long
async def test_a_test_notice_comes_as_real_ones_do(table: Hosted) -> None:
    anna = await table.join("Anna")
    there, direct = anna.channel("general"), await anna.open_direct()
    page = await _mine(anna, there)
    for way, where in (("mention", there), ("direct", direct)):
        page = await choose(anna, page, "pref:way", way)
        after = len(anna.events)
        page = await turn(anna, page, "trynotice")
        told = await anna.wait_message(lambda m: "this is a test" in all_text(m), after=after)
        assert int(told["channel_id"]) == where
        assert "on its way" in all_text(page)
    closed = Status(403, 50007)
    table.playground.faults.rest("POST", f"/channels/{direct}/messages", closed, times=None)
    page = await turn(anna, page, "trynotice")
    assert "blocked a direct message" in all_text(page)
    page = await choose(anna, page, "pref:way", "nothing")
    assert "You've chosen to get no notices." in all_text(await turn(anna, page, "trynotice"))


# ---- servers -----------------------------------------------------------------------------------


async def test_only_who_manages_a_server_sees_and_changes_its_settings(table: Hosted) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    role = give_role(table, anna, MANAGE)
    page = await _servers(anna)
    assert "Settings of this server" in all_text(page)
    for person, where in ((ben, ben.channel("general")), (anna, await anna.open_direct())):
        known = await person.request("GET", "/application-commands", channel_id=where)
        assert "server" not in [each["name"] for each in known]
    command = await anna.command("server", anna.channel("general"))
    data = {"id": command["id"], "name": "server", "type": 1}
    data["options"] = [{"type": 1, "name": "settings", "options": []}]
    refused = await table.raw(ben, InteractionType.COMMAND, ben.channel("general"), data)
    assert "Only people with the permission Manage Server" in all_text(refused)
    assert refused["flags"] & 64
    for person, message in ((ben, await _mine(ben)), (anna, page)):
        if person is anna:
            # The page stays open after the permission is gone; it is asked for at every choice.
            take_role(table, anna, role)
        answer = await table.raw(
            person,
            InteractionType.COMPONENT,
            int(page["channel_id"]),
            {"component_type": 3, "custom_id": "p1:-:0:serv:threads", "values": ["off"]},
            message=message,
        )
        assert "Only people with the permission" in all_text(answer)
    guild = GuildId(int(anna.guild["id"]))
    assert await table.bot.store.read(people.server, guild) == ServerSettings()


@pytest.mark.long
async def test_an_administrator_may_and_every_change_is_in_the_list(table: Hosted) -> None:
    anna = await table.join("Anna")
    give_role(table, anna, _ADMINISTRATOR)
    page = await _servers(anna)
    for menu, value in (("threads", "off"), ("running", "50"), ("website", "on")):
        page = await choose(anna, page, f"serv:{menu}", value)
    assert "Tournaments on the web: off → on" in all_text(page)
    guild = GuildId(int(anna.guild["id"]))
    entries = await table.bot.store.read(people.audit_of, guild, 10)
    assert [(dict(each.before), dict(each.after)) for each in reversed(entries)] == [
        ({"threads": None}, {"threads": False}),
        ({"running": None}, {"running": 50}),
        ({"website": False}, {"website": True}),
    ]
    assert {each.user_id for each in entries} == {anna.id}
    assert not page["mentions"]
