"""Actions for the managers of a server alone."""

from __future__ import annotations

import re

import pytest

from bot.domain.history import verify
from bot.domain.ids import GuildId
from bot.store import people as stored_people
from playground.forms import all_text
from playground.person import Person
from playground.world.controls import walk
from playground.world.model import InteractionType
from tests.support.hosted import (
    MANAGE,
    Game,
    Hosted,
    Json,
    actions,
    give_role,
    open_form,
    press,
    take_role,
    turn,
)

pytestmark = pytest.mark.slow


async def _say(person: Person, command: str, where: int, **fields: object) -> str:
    return all_text(await person.ask(command, where, **fields))


@pytest.mark.long
async def test_a_stuck_match_is_ended_with_a_reason_that_its_players_and_the_log_have(
    game: Game,
) -> None:
    table = game.hosted
    dora = await table.join("Dora")
    give_role(table, dora, MANAGE)
    await game.say(game.black, "a1")
    await game.say(game.white, "b2")
    found = await dora.autocomplete("server end-match", game.channel, "match", match="ben")
    assert [each["name"] for each in found] == ["Quax · Anna – Ben"]
    page = await dora.ask("server end-match", game.channel, match=found[0]["value"])
    assert "End Quax · Anna – Ben" in all_text(page)
    said = await _end(dora, page, "asleep *again*")
    assert "You ended Quax · Anna – Ben" in said
    for player in (game.black, game.white):
        told = await player.wait_message(
            lambda m, player=player: (
                "asleep \\*again\\*" in all_text(m)
                and str(player.id) in [each["id"] for each in m["mentions"]]
            )
        )
        assert "ended this match without a result" in all_text(told)
    await table.settled()
    assert "ended this match without a result: asleep" in all_text(await game.board())
    log = await _say(dora, "server log", game.channel)
    ended = (
        f"<@{dora.id}> ended Quax · Anna – Ben (<#{game.home}>) without a result. Reason: asleep"
    )
    assert ended in log
    settings = await dora.ask("server settings", game.channel)
    assert "asleep" not in all_text(settings), "what is no setting is in the log alone"
    (entry,) = await table.bot.store.read(stored_people.audit_of, GuildId(int(dora.guild["id"])), 5)
    assert "Anna" not in str(entry.after), "names are shown, never stored"
    again = await _say(dora, "server end-match", game.channel, match="quax")
    assert "no such match" in again


def _menu(page: Json, field: str) -> str:
    return next(
        str(each["custom_id"])
        for each in walk(page["components"])
        if str(each.get("custom_id")).endswith(f":{field}")
    )


async def _end(person: Person, page: Json, why: str) -> str:
    form = await open_form(person, page, "endwhy")
    answer = await person.shown(page, person.submit_modal(form, move=why))
    return all_text(answer)


async def test_a_match_is_decided_for_a_player_and_the_page_goes_on_after_a_restart(
    game: Game,
) -> None:
    table = game.hosted
    dora = await table.join("Dora")
    give_role(table, dora, MANAGE)
    await game.say(game.black, "a1")
    await game.say(game.white, "b2")
    page = await dora.ask("server end-match", game.channel, match="anna")
    control = _menu(page, "how")
    open_still = await dora.ask("server end-match", game.channel, match="anna")
    page = await dora.choose(page, control, ["1"])
    await table.restart()
    said = await _end(dora, page, "Anna's account was stolen")
    assert f"<@{game.white.id}> wins!" in said
    assert "This match is over" in await _end(dora, open_still, "again")
    await table.settled()
    board = all_text(await game.board())
    assert f"<@{game.white.id}> wins! A manager of this server decided the match: " in board
    log = await _say(dora, "server log", game.channel)
    assert (
        f"<@{dora.id}> decided Quax · Anna – Ben (<#{game.home}>): 1. Ben, 2. Anna. Reason: " in log
    )


async def test_roles_say_who_plays_who_offers_and_who_arranges(table: Hosted) -> None:
    dora, ben, cyd = [await table.join(name) for name in ("Dora", "Ben", "Cyd")]
    give_role(table, dora, MANAGE)
    general = dora.channel("general")
    members, helpers = give_role(table, ben), give_role(table, cyd)
    page = await dora.ask("server settings", general)
    for field, role in (("players", members), ("arrangers", helpers)):
        page = await dora.choose(page, f"p1:-:0:serv:{field}", [role])
    await ben.ask("play", general, game="quax")
    await table.settled()
    offer = next(m for m in await ben.messages(general) if "accept" in actions(m))
    refused = all_text(await press(cyd, offer, "accept"))
    assert f"only people with the role <@&{members}> can play" in refused
    assert "can play" in await _say(cyd, "play", general, game="quax")
    for person in (ben, cyd):
        give_role(table, person, MANAGE)  # so that the playground shows them the command
        (guild,) = {int(person.guild["id"])}
        table.playground.world.state.members[guild, person.id].roles.pop()
    log = await dora.command("server", general)
    data = {"id": log["id"], "name": "server", "type": 1}
    data["options"] = [{"type": 1, "name": "clear-offers", "options": []}]
    said = await table.raw(ben, InteractionType.COMMAND, general, data)
    assert f"managers and people with the role <@&{helpers}>" in all_text(said)
    said = await table.raw(cyd, InteractionType.COMMAND, general, data)
    assert "Withdraw 1 open offer?" in all_text(said)
    assert "Only people with the permission" not in all_text(said)
    data["options"] = [{"type": 1, "name": "settings", "options": []}]
    said = await table.raw(cyd, InteractionType.COMMAND, general, data)
    assert "Only people with the permission" in all_text(said)


@pytest.mark.long
async def test_open_offers_are_cleared_after_a_question_and_their_players_are_told(
    table: Hosted,
) -> None:
    dora, ben, cyd = [await table.join(name) for name in ("Dora", "Ben", "Cyd")]
    give_role(table, dora, MANAGE)
    general = dora.channel("general")
    assert "no open offers" in await _say(dora, "server clear-offers", general)
    await _say(ben, "play", general, game="quax")
    await _say(cyd, "play", general, game="pythagoras")
    await table.settled()
    offer = next(m for m in await ben.messages(general) if "to play Pythagoras" in all_text(m))
    await press(ben, offer, "accept")
    ask = await dora.ask("server clear-offers", general)
    assert all_text(ask).splitlines() == [
        "**Withdraw 2 open offers? The players who made them will be told.**",
        f"- Pythagoras · <@{cyd.id}>",
        f"- Quax · <@{ben.id}>",
    ]
    kept = await turn(dora, ask, "nevermind")
    assert all_text(kept) == "Nothing has changed."
    ask = await dora.ask("server clear-offers", general)
    await _say(ben, "play", general, game="pux")
    done = await turn(dora, ask, "clearyes")
    assert "2 open offers withdrawn." in all_text(done)
    for person, words in (
        (ben, "a manager of the server withdrew your Quax offer"),
        (cyd, "a manager of the server withdrew your Pythagoras offer"),
        (ben, "the Pythagoras offer where you had a seat was withdrawn"),
    ):
        told = await person.wait_message(lambda m, words=words: words in str(m["content"]))
        assert [each["id"] for each in told["mentions"]] == [str(person.id)]
    assert f"<@{dora.id}> withdrew 2 open offers." in await _say(dora, "server log", general)
    left = await _say(dora, "server clear-offers", general)
    assert "Withdraw 1 open offer?" in left, "a newer one was not in the question"
    assert f"- Pux · <@{ben.id}>" in left
    for match, events in await table.history():
        verify(match, events)


@pytest.mark.long
async def test_a_player_is_kept_out_and_let_in_and_the_log_is_turned_through(table: Hosted) -> None:
    dora, ben = await table.join("Dora"), await table.join("Ben")
    give_role(table, dora, MANAGE)
    general = dora.channel("general")
    for other in (ben, *[await table.join(f"P{number}") for number in range(9)]):
        said = await _say(dora, "server keep-out", general, player=other)
        assert "can no longer offer or join" in said
    newest = await dora.ask("server log", general)
    assert f"<@{ben.id}>" not in all_text(newest)
    older = await turn(dora, newest, "servlog:n")
    assert f"kept <@{ben.id}> from playing here" in all_text(older)
    assert all_text(await turn(dora, older, "servlog:b")) == all_text(newest)
    await _say(dora, "play", general, game="quax")
    await table.settled()
    offer = next(m for m in await ben.messages(general) if "accept" in actions(m))
    for said in (
        await _say(ben, "play", general, game="quax"),
        all_text(await press(ben, offer, "accept")),
    ):
        assert "don't let you play here" in said
    for words in ("can play here again", "can play here already"):
        assert words in await _say(dora, "server let-in", general, player=ben)
    assert "has started" in all_text(await press(ben, offer, "accept"))


async def test_nobody_else_can_do_any_of_it(game: Game) -> None:
    table = game.hosted
    dora = await table.join("Dora")
    give_role(table, dora, MANAGE)
    command = await dora.command("server", game.channel)
    for leaf in command["options"]:
        fields = {"match": "quax", "reason": "x", "player": str(game.black.id)}
        options = [
            {"type": each["type"], "name": each["name"], "value": fields[each["name"]]}
            for each in leaf.get("options", [])
            if each.get("required") or each["name"] in fields
        ]
        data = {"id": command["id"], "name": "server", "type": 1}
        data["options"] = [{"type": 1, "name": leaf["name"], "options": options}]
        said = await table.raw(game.white, InteractionType.COMMAND, game.channel, data)
        refused = ("Only people with the permission", "choose the player again")
        assert any(each.lower() in all_text(said).lower() for each in refused), leaf["name"]
    ((match, _),) = await table.history()
    assert not match.status.is_final


async def test_the_secret_of_an_address_for_results_is_shown_once_to_its_manager_alone(
    game: Game,
) -> None:
    table = game.hosted
    dora = await table.join("Dora")
    role = give_role(table, dora, MANAGE)
    page = await dora.ask("server webhook", game.channel)
    assert page["flags"] & 64, "to nobody else"
    modal = await open_form(dora, page, "hook")
    page = await dora.shown(page, dora.submit_modal(modal, move="https://127.0.0.1/"))
    assert "isn't an address" in all_text(page)
    modal = await open_form(dora, page, "hook")
    page = await dora.shown(page, dora.submit_modal(modal, move="https://hook.invalid/x"))
    (secret,) = re.findall(r"\|\|`([\w-]{43})`\|\|", all_text(page))
    assert "https://hook.invalid/x" in all_text(page)
    again = await _say(dora, "server webhook", game.channel)
    assert "https://hook.invalid/x" in again
    assert secret not in again
    page = await turn(dora, page, "hooknew")
    (other,) = re.findall(r"\|\|`([\w-]{43})`\|\|", all_text(page))
    assert other != secret
    log = await _say(dora, "server log", game.channel)
    assert "set the address for results, with a new secret: hook.invalid" in log
    assert secret not in log
    page = await turn(dora, page, "hookoff")
    assert "hook.invalid" not in all_text(page)
    modal = await open_form(dora, page, "hook")
    take_role(table, dora, role)
    await dora.submit_modal(modal, move="https://hook.invalid/y")
    await dora.wait_message(lambda m: "Only people with the permission" in all_text(m))
