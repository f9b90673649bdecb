"""What who manages a server can do there, and that nobody else can."""

from __future__ import annotations

from playground.forms import all_text, find_control
from playground.person import Person
from playground.world.model import InteractionType
from tests.app.test_settings import _MANAGE, _give
from tests.hosted import Game, Hosted, then


async def _say(person: Person, command: str, where: int, **fields: object) -> str:
    return all_text(await person.wait_answer(await person.slash(command, where, **fields)))


async def test_a_stuck_match_is_ended_with_a_reason_that_its_players_and_the_log_have(
    game: Game,
) -> None:
    table = game.hosted
    dora = await table.join("Dora")
    _give(table, dora, _MANAGE)
    await game.say(game.black, "a1")
    await game.say(game.white, "b2")
    found = await dora.autocomplete("server end-match", game.channel, "match", match="ben")
    assert [each["name"] for each in found] == ["Quax · Anna – Ben"]
    said = await _say(
        dora, "server end-match", game.channel, match=found[0]["value"], reason="asleep *again*"
    )
    assert "You ended Quax · Anna – Ben" in said
    told = await game.black.wait_message(lambda m: "a manager of this server ended" in all_text(m))
    assert "asleep \\*again\\*" in all_text(told)
    assert {each["id"] for each in told["mentions"]} == {str(game.black.id), str(game.white.id)}
    await table.settled()
    assert "This match was aborted" in all_text(await game.board())
    log = await _say(dora, "server log", game.channel)
    assert f"<@{dora.id}> ended a match: match: Quax · Anna – Ben, reason: asleep" in log
    again = await _say(dora, "server end-match", game.channel, match="quax", reason="x")
    assert "no such match" in again


async def test_open_offers_are_cleared_and_a_player_is_kept_out_and_let_in(table: Hosted) -> None:
    dora, ben = await table.join("Dora"), await table.join("Ben")
    _give(table, dora, _MANAGE)
    general = dora.channel("general")
    await _say(ben, "play", general, game="quax")
    assert "1 open offer withdrawn" in await _say(dora, "server clear-offers", general)
    assert "0 open offers withdrawn" in await _say(dora, "server clear-offers", general)
    assert "No open offers" in await _say(dora, "lobby", general)
    assert "can no longer offer or join" in await _say(dora, "server keep-out", general, player=ben)
    assert "don't let you play here" in await _say(ben, "play", general, game="quax")
    await _say(dora, "play", general, game="quax")
    await table.settled()
    offer = next(m for m in await ben.messages(general) if "Accept" in str(m["components"]))
    refused = all_text(await ben.wait_answer(await ben.click(offer, label="Accept")))
    assert "don't let you play here" in refused
    page = await ben.wait_answer(await ben.slash("lobby", general))
    page = await then(
        ben, page, ben.click(page, custom_id=find_control(page, label="Accept")["custom_id"])
    )
    assert "don't let you play here" in all_text(page)
    assert "can play here again" in await _say(dora, "server let-in", general, player=ben)
    assert "can play here already" in await _say(dora, "server let-in", general, player=ben)
    assert "has started" in all_text(await ben.wait_answer(await ben.click(offer, label="Accept")))


async def test_nobody_else_can_do_any_of_it(game: Game) -> None:
    table = game.hosted
    dora = await table.join("Dora")
    _give(table, dora, _MANAGE)
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
