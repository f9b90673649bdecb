"""Every field of every command with people, files and numbers that Discord's client never sends."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from discord import AppCommandOptionType as Kind
from discord import app_commands

from playground.world import shapes
from playground.world.model import InteractionType
from tests.app.bad_input.conftest import SELECT, Still
from tests.support.hosted import Json
from tests.support.until import until

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.xdist_group("bad_commands")]

HUGE = 2**63
UNDESCRIBED = ["4713", str(HUGE), "9" * 400]
WRONG: dict[Kind, list[object]] = {
    Kind.user: [*UNDESCRIBED, "x", None],
    Kind.attachment: [*UNDESCRIBED, None],
    Kind.integer: [HUGE, 10**400, 1.5, "7", None, -1],
    Kind.string: [10**400, None],
    Kind.boolean: [HUGE, None],
}
FITTING: dict[str, object] = {
    "game": "quax",
    "move": "c3",
    "player": "4713",
    "file": "4713",
    "match": "nothing like it",
    "reason": "a test",
}


def _leaves(tree: app_commands.CommandTree[Any]) -> list[app_commands.Command[Any, ..., Any]]:
    return [each for each in tree.walk_commands() if isinstance(each, app_commands.Command)]


def _leaf(tree: app_commands.CommandTree, name: str) -> app_commands.Command[Any, ..., Any]:
    return next(each for each in _leaves(tree) if each.qualified_name == name)


async def _call(
    still: Still, leaf: app_commands.Command[Any, ..., Any], fields: Json, **more: object
) -> Json:
    """A call of a command with these fields and those that it cannot do without."""
    top, _, inner = leaf.qualified_name.partition(" ")
    kinds = {each.name: each.type for each in leaf.parameters}
    wanted = {each.name: FITTING[each.name] for each in leaf.parameters if each.required}
    given = [
        {"type": kinds[name].value, "name": name, "value": value}
        for name, value in {**wanted, **fields}.items()
    ]
    commands = still.table.playground.world.state.commands.values()
    found = next(each for each in commands if each.name == top)
    options = [{"type": 1, "name": inner, "options": given}] if inner else given
    return {"id": str(found.id), "name": top, "type": 1, "options": options, **more}


def _wrong(
    tree: app_commands.CommandTree[Any],
) -> Iterator[tuple[app_commands.Command[Any, ..., Any], Json]]:
    for leaf in _leaves(tree):
        for each in leaf.parameters:
            assert each.type in WRONG, f"/{leaf.qualified_name} {each.name}: what would be wrong?"
            for value in WRONG[each.type]:
                yield leaf, {each.name: value}


async def _answered(still: Still, data: Json) -> str:
    """The private answer to a command that must change nothing."""
    answer = await still.refused(data, kind=InteractionType.COMMAND, where=still.game.channel)
    return json.dumps(answer)


async def test_no_field_of_any_command_takes_what_does_not_fit_for_a_bug(still: Still) -> None:
    asked = 0
    for leaf, fields in _wrong(still.table.bot.client.tree):
        if leaf.name == "play" and {"rated", "clock"} & fields.keys():
            continue  # an offer is a fitting answer to a field that says nothing
        data = await _call(still, leaf, fields)
        try:
            await _answered(still, data)
        except (AssertionError, TimeoutError) as error:
            raise AssertionError(f"/{leaf.qualified_name} {fields}") from error
        asked += 1
    assert asked > 100


@pytest.mark.parametrize("name", ["block add", "block remove", "profile"])
async def test_a_player_whom_discord_does_not_describe_is_to_be_chosen_again(
    still: Still, name: str
) -> None:
    leaf = _leaf(still.table.bot.client.tree, name)
    for value in UNDESCRIBED:
        said = await _answered(still, await _call(still, leaf, {"player": value}))
        assert "choose the player again" in said.lower(), said


@pytest.mark.parametrize("name", ["block add", "block remove", "profile", "play"])
async def test_a_player_with_a_number_beyond_all_numbers_is_nobody(still: Still, name: str) -> None:
    leaf = _leaf(still.table.bot.client.tree, name)
    shape = shapes.user(still.table.playground.world.state.user(still.game.white.id))
    shape |= {"id": str(HUGE)}
    member: Json = {"roles": [], "joined_at": None, "deaf": False, "mute": False, "flags": 0}
    field = "opponent" if name == "play" else "player"
    resolved = {"users": {str(HUGE): shape}, "members": {str(HUGE): member}}
    more = {"game": "quax"} if name == "play" else {}
    data = await _call(still, leaf, {field: str(HUGE), **more}, resolved=resolved)
    assert "choose the player again" in (await _answered(still, data)).lower()


@pytest.mark.parametrize("number", ["4713", str(HUGE), "9" * 20])
async def test_controls_with_numbers_beyond_all_numbers(still: Still, number: str) -> None:
    await still.click(f"p1:-:0:best:{number}")
    values = {"component_type": SELECT, "values": ["quax"]}
    await still.refused(values | {"custom_id": f"p1:-:0:profile:{number}"}, message=still.board)
    for custom_id in ("p1:-:0:pref:unblock", "p1:-:0:serv:lobby", "p1:-:0:serv:role"):
        data = {"component_type": 3, "custom_id": custom_id, "values": [number]}
        await still.refused(data, message=still.board)


@pytest.mark.parametrize("how", [{"age": 4.0}, {"copies": 2}], ids=["late", "twice"])
async def test_suggestions_that_come_too_late_or_twice_are_no_error(
    still: Still, how: Json, caplog: pytest.LogCaptureFixture, written: io.StringIO
) -> None:
    fields = {"move": "move", "play": "options", "vacation": "until"}
    for name, field in fields.items():
        leaf = still.table.bot.client.tree.get_command(name)
        assert isinstance(leaf, app_commands.Command)
        data = await _call(still, leaf, {"game": "quax"} if name == "play" else {})
        data["options"] = [each for each in data["options"] if each["name"] != field]
        data["options"].append({"type": 3, "name": field, "value": "c", "focused": True})
        before = written.getvalue().count("suggestions")
        still.table.playground.deliver_raw(
            InteractionType.AUTOCOMPLETE,
            channel_id=still.game.home,
            user_id=still.game.black.id,
            data=data,
            **how,
        )
        await until(lambda before=before: written.getvalue().count("suggestions") > before)
    assert "Traceback" not in written.getvalue()
    assert not [each for each in caplog.records if each.levelname == "ERROR"]


async def test_suggestions_for_what_is_no_text_are_none(still: Still) -> None:
    for leaf in _leaves(still.table.bot.client.tree):
        for each in leaf.parameters:
            for value in (7, 10**400, None, 1.5, True):
                if not each.autocomplete:
                    continue
                data = await _call(still, leaf, {each.name: value})
                options = data["options"]
                for option in options[0].get("options") or options:
                    option["focused"] = option["name"] == each.name
                still.table.playground.deliver_raw(
                    InteractionType.AUTOCOMPLETE,
                    channel_id=still.game.home,
                    user_id=still.game.black.id,
                    data=data,
                )
    said = await still.game.black.ask("help", still.game.channel)
    assert said, "all before it have been looked at"
