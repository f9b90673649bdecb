"""The commands as players find them: which there are, and which match each of them means."""

from __future__ import annotations

import pytest
from discord import AppCommandType

from playground.forms import all_text
from playground.person import Person
from playground.world.controls import walk
from tests.support.hosted import Game, Hosted, begun, press_action, start_quax

TOP = {
    *("play", "move", "board", "plan", "matches", "match", "lobby", "rules", "learn", "profile"),
    *("leaderboard", "vacation", "settings", "server", "block", "privacy", "open", "help"),
    *("puzzle", "review", "tournament", "view"),
}
PERSONAL = {
    *("move", "board", "plan", "matches", "match", "rules", "learn", "profile", "vacation"),
    *("settings", "privacy", "open", "help", "puzzle", "review"),
}
IN_MATCH = {
    *("resign", "abort", "draw", "takeback", "pause", "resume", "rematch"),
    *("history", "replay", "download", "move-here", "claim", "substitute"),
}


async def test_the_commands_are_few_and_grouped_and_some_can_be_taken_along(
    table: Hosted,
) -> None:
    anna = await table.join("Anna")
    await anna.command("play", anna.channel("general"))
    state = table.playground.world.state
    bodies = [each.body for each in state.commands.values()]
    slash = {each["name"]: each for each in bodies if each["type"] == 1}
    assert slash.keys() == TOP
    inside = {each["name"]: each for each in slash["match"]["options"]}
    assert inside.keys() == IN_MATCH
    for name, each in inside.items():
        fields = {field["name"]: field for field in each["options"]}
        assert fields["match"]["autocomplete"], name
        assert not fields["match"].get("required"), name
    for name, body in slash.items():
        expected = {0, 1} if name in PERSONAL else {0}
        assert set(body["integration_types"]) == expected, name
    assert slash["server"]["default_member_permissions"] == "32"
    said = slash["plan"]["description"]
    assert "premoves and conditional moves" in said
    views = {field["name"]: field for field in slash["board"]["options"]}["view"]["choices"]
    assert {each["value"] for each in views} == {"normal", "flipped", "large", "text"}
    menus = {each["name"] for each in bodies if each["type"] == AppCommandType.user.value}
    assert {"Challenge", "Ratings"} == menus


def _manages(table: Hosted, person: Person) -> None:
    """Have a person manage the server."""
    world, guild = table.playground.world, int(person.guild["id"])
    role = world.places.add_role(guild, "managers", 1 << 5)
    world.state.members[guild, person.id].roles.append(role.id)


async def _finished(game: Game) -> None:
    asked = await game.black.ask("match resign", game.home)
    await game.black.turn(asked, label="Resign")
    await game.hosted.settled()


@pytest.mark.long
async def test_in_its_thread_every_command_means_that_match_even_after_its_end(
    table: Hosted,
) -> None:
    game = await start_quax(table)
    anna, cleo = game.black, await table.join("Cleo")

    async def say(person: object, command: str, **fields: object) -> str:
        nonce = await person.slash(command, game.home, **fields)  # type: ignore[attr-defined]
        return all_text(await person.wait_answer(nonce))  # type: ignore[attr-defined]

    await game.say(anna, "a1")
    await game.say(game.white, "b2")
    assert "Only the players of this match" in await say(cleo, "match resign")
    assert "2 moves" in await say(cleo, "match replay")
    assert "is to move" in await say(cleo, "view")
    await _finished(game)
    # Another match of Anna's runs, and is not meant here all the same.
    await begun(table, anna, game.white, game.channel)
    over = "This match is over."
    for command, fields in (
        ("move", {"move": "a3"}),
        ("match resign", {}),
        ("match draw", {}),
        *((f"match {each}", {}) for each in ("abort", "takeback", "pause", "resume")),
        *((f"match {each}", {}) for each in ("claim", "substitute", "move-here")),
        ("plan", {}),
    ):
        assert over in await say(anna, command, **fields), command
    _manages(table, cleo)
    assert over in await say(cleo, "server end-match")
    for person in (anna, cleo):
        assert "Move 2 of 2: b2" in await say(person, "match history")
        assert "wins!" in await say(person, "board")
        assert "```" in await say(person, "board", view="text")
        assert "wins!" in await say(person, "view")
        assert "2 moves" in await say(person, "match replay")
        assert "### Quax" in await say(person, "rules")
        assert "Step 1 of" in await say(person, "learn")
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
    await anna.wait_answer(await press_action(anna, offer, "accept"))
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
async def test_lists_of_matches_turn_their_pages_and_link_to_boards(table: Hosted) -> None:
    game = await start_quax(table)
    anna, ben, general = game.black, game.white, game.channel
    cleo = await table.join("Cleo")

    async def listed(person: object, **fields: object) -> str:
        nonce = await person.slash("matches", general, **fields)  # type: ignore[attr-defined]
        return all_text(await person.wait_answer(nonce))  # type: ignore[attr-defined]

    assert "Your matches" in await listed(anna)
    assert f"<#{game.home}>" in await listed(anna, list="turn")
    assert "No match is waiting" in await listed(ben, list="turn")
    running = await listed(cleo, list="server")
    assert f"<@{anna.id}> (to move)" in running
    assert running.count(f"<@{anna.id}>") == 1, "each player is named once"
    assert "No finished matches yet" in await listed(anna, list="finished")
    await _finished(game)
    assert "**lost**" in await listed(anna, list="finished")
    assert f"Finished matches of <@{ben.id}>" in await listed(cleo, player=ben)
    assert "**won**" in await listed(cleo, player=ben, list="finished")
    assert "only the finished matches" in await listed(cleo, player=ben, list="turn")
    page = await anna.ask("matches", general)
    menus = [each for each in walk(page["components"]) if each["type"] == 3]
    page = await anna.choose(page, menus[-1]["custom_id"], ["finished"])
    assert "**lost**" in all_text(page)


@pytest.mark.long
async def test_a_person_is_challenged_or_looked_up_from_their_menu(table: Hosted) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    general = anna.channel("general")
    await anna.command("play", general)
    page = await anna.wait_answer(await anna.use_menu("Challenge", general, ben.id))
    assert str(ben.id) in str(page["components"])
    shown = await anna.wait_answer(await anna.use_menu("Ratings", general, ben.id))
    assert f"<@{ben.id}>" in all_text(shown)
    mine = await anna.wait_answer(await anna.use_menu("Challenge", general, anna.id))
    assert "can't play against yourself" in all_text(mine)


@pytest.mark.long
async def test_what_is_opened_from_help_leads_back_however_often_it_is_redrawn(
    table: Hosted,
) -> None:
    anna = await table.join("Anna")
    general = anna.channel("general")
    helped = await anna.ask("help", general)
    for label, menu, value in (
        ("Settings", "p1:-:0:pref:preview", "off"),
        ("My matches", "p1:-:0:matches:", "finished"),
    ):
        page = await anna.turn(helped, label=label)
        page = await anna.choose(page, menu, [value])
        helped = await anna.turn(page, label="Back")
        assert "How Parlour works" in all_text(helped)
    for label in ("Learn a game", "For organisers"):
        page = await anna.turn(helped, label=label)
        helped = await anna.turn(page, label="Back")
    page = await anna.turn(helped, label="For organisers")
    kinds = await anna.press(page, label="Create a tournament")
    assert kinds["id"] != page["id"], "it stands beside the help, as the page of /play does"
    for name in ("settings", "matches"):
        page = await anna.ask(name, general)
        labels = [each.get("label") for each in walk(page["components"])]
        assert "Back" not in labels, "it was not opened from there"
