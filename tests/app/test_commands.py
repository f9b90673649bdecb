"""The commands as players find them: which there are, and which match each of them means."""

from __future__ import annotations

import pytest

from playground.forms import all_text
from playground.person import Person
from tests.support.hosted import MANAGE, Hosted, actions, begun, give_role, press, start_quax, turn

PERSONAL = {
    *("move", "board", "plan", "matches", "match", "rules", "learn", "profile", "vacation"),
    *("settings", "privacy", "open", "help", "puzzle", "review"),
}


async def test_some_commands_can_be_taken_along_and_each_of_a_match_takes_its_name(
    table: Hosted,
) -> None:
    anna = await table.join("Anna")
    await anna.command("play", anna.channel("general"))
    bodies = [each.body for each in table.playground.world.state.commands.values()]
    slash = {each["name"]: each for each in bodies if each["type"] == 1}
    for each in slash["match"]["options"]:
        field = next(field for field in each["options"] if field["name"] == "match")
        assert (field["autocomplete"], field.get("required", False)) == (True, False), each["name"]
    for name, body in slash.items():
        expected = {0, 1} if name in PERSONAL else {0}
        assert set(body["integration_types"]) == expected, name
    assert slash["server"]["default_member_permissions"] == str(MANAGE)


@pytest.mark.long
async def test_in_its_thread_every_command_means_that_match_even_after_its_end(
    table: Hosted,
) -> None:
    game = await start_quax(table)
    anna, cleo = game.black, await table.join("Cleo")

    async def say(person: Person, command: str, **fields: object) -> str:
        return all_text(await person.ask(command, game.home, **fields))

    await game.moves("a1 b2")
    assert "Only the players of this match" in await say(cleo, "match resign")
    assert "2 moves" in await say(cleo, "match replay")
    assert "is to move" in await say(cleo, "view")
    await game.resign(anna)
    # Another match of Anna's runs, and is not meant here all the same.
    await begun(table, anna, game.white, game.channel)
    over = "This match is over."
    for command, fields in (
        ("move", {"move": "a3"}),
        ("match resign", {}),
        ("match draw", {}),
        ("match takeback", {}),
        ("match claim", {}),
        ("plan", {}),
    ):
        assert over in await say(anna, command, **fields), command
    give_role(table, cleo, MANAGE)
    assert over in await say(cleo, "server end-match")
    for person in (anna, cleo):
        for command, words in (
            ("match history", "Move 2 of 2: b2"),
            ("board", "wins!"),
            ("view", "wins!"),
            ("match replay", "2 moves"),
            ("rules", "### Quax"),
            ("learn", "Step 1 of"),
        ):
            assert words in await say(person, command)
    assert "quax match as a file" in (await say(cleo, "match download")).lower()
    assert "looking through the match" in await say(anna, "review")
    assert "Offer sent" in await say(anna, "match rematch")


@pytest.mark.long
async def test_a_match_is_named_by_its_opponent_or_game(table: Hosted) -> None:
    game = await start_quax(table)
    anna, general = game.black, game.channel
    cleo = await table.join("Cleo")
    await cleo.ask("play", general, game="pux", opponent=anna, side="2")
    offer = await anna.wait_message(lambda m: "play Pux" in all_text(m))
    await press(anna, offer, "accept")
    await table.settled()
    found = await anna.autocomplete("match resign", general, "match", match="")
    assert {each["name"] for each in found} == {
        "Quax · Ben · your move",
        "Pux · Cleo · your move",
    }
    (only,) = await anna.autocomplete("match resign", general, "match", match="cle pux")
    assert only["name"] == "Pux · Cleo · your move"
    for typed in (only["value"], "cleo", "PUX"):
        said = await anna.ask("match resign", general, match=typed)
        assert "Resign this Pux match?" in all_text(said), typed
    which = await anna.ask("match resign", general, match="x")
    assert "several matches" in all_text(which)
    none = await anna.ask("match resign", general, match="dora")
    assert "no such match" in all_text(none)


@pytest.mark.long
async def test_a_person_is_challenged_or_looked_up_from_their_menu(table: Hosted) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    general = anna.channel("general")
    await anna.command("play", general)
    for name, who, words in (
        ("Challenge", ben, f"'id': '{ben.id}'"),
        ("Ratings", ben, f"<@{ben.id}>"),
        ("Challenge", anna, "can't play against yourself"),
    ):
        page = await anna.wait_answer(await anna.use_menu(name, general, who.id))
        assert words in str(page)


@pytest.mark.long
async def test_what_is_opened_from_help_leads_back_however_often_it_is_redrawn(
    table: Hosted,
) -> None:
    anna = await table.join("Anna")
    general = anna.channel("general")
    helped = await anna.ask("help", general)
    for does, menu, value in (
        ("prefs", "p1:-:0:pref:preview", "off"),
        ("matches", "p1:-:0:matches:", "finished"),
    ):
        page = await turn(anna, helped, does)
        page = await anna.choose(page, menu, [value])
        helped = await turn(anna, page, "help")
        assert "How Parlour works" in all_text(helped)
    for does in ("helplearn", "helporg"):
        page = await turn(anna, helped, does)
        helped = await turn(anna, page, "help")
    page = await turn(anna, helped, "helporg")
    kinds = await press(anna, page, "tcreate")
    assert kinds["id"] != page["id"], "it stands beside the help, as the page of /play does"
    for name in ("settings", "matches"):
        page = await anna.ask(name, general)
        assert "help" not in actions(page), "it was not opened from there"


@pytest.mark.long
async def test_lists_show_what_waits_and_of_others_only_what_is_over(table: Hosted) -> None:
    game = await start_quax(table)
    anna, ben, cleo = game.black, game.white, await table.join("Cleo")

    async def listed(person: Person, **fields: object) -> str:
        return all_text(await person.ask("matches", game.channel, **fields))

    assert f"<#{game.home}>" in await listed(anna, list="turn")
    assert "No match is waiting" in await listed(ben, list="turn")
    await game.resign(anna)
    assert "**lost**" in await listed(anna, list="finished")
    assert f"Finished matches of <@{ben.id}>" in await listed(cleo, player=ben)
    assert "only the finished matches" in await listed(cleo, player=ben, list="turn")
