"""Commands are registered and filled in by Discord's rules."""

from __future__ import annotations

from typing import Any

import pytest

from playground.errors import DiscordError
from playground.person import Person
from playground.server import Playground
from playground.wire import Json
from playground.world.commands import is_command_name
from playground.world.state import Limits
from tests.playground.conftest import Rest

COMMANDS = "/applications/1000000000000000001/commands"


def command(name: Any = "play", **more: Any) -> Json:
    return {"name": name, "description": "d", **more}


def option(kind: Any = 3, name: Any = "cell", **more: Any) -> Json:
    return {"type": kind, "name": name, "description": "d", **more}


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("play", True),
        ("play-quax_2", True),
        ("ほし", True),
        ("l'été", True),
        ("Play", False),
        ("play quax", False),
        ("", False),
        ("x" * 33, False),
        ("play!", False),
        ("♟", False),
    ],
)
def test_names_are_lower_case_letters_and_digits(name: str, good: bool) -> None:
    assert is_command_name(name) is good


BAD = {
    "upper case": command("Play"),
    "no description": {"name": "play"},
    "long description": command(description="x" * 101),
    "26 options": command(options=[option(name=f"o{n}") for n in range(26)]),
    "26 choices": command(
        options=[option(choices=[{"name": str(n), "value": str(n)} for n in range(26)])]
    ),
    "required after optional": command(options=[option(), option(name="b", required=True)]),
    "the same option twice": command(options=[option(), option()]),
    "choices and autocomplete": command(
        options=[option(autocomplete=True, choices=[{"name": "a", "value": "a"}])]
    ),
    "subcommand beside an option": command(options=[option(1, "sub"), option()]),
    "group in a group": command(options=[option(2, "g", options=[option(2, "h")])]),
    "a choice of the wrong type": command(
        options=[option(4, choices=[{"name": "a", "value": "a"}])]
    ),
    "no command at all": "text",
    "a name that is a list": command(name=["a"]),
    "a type that is a list": command(type=[1]),
    "names by language that are a number": command(name_localizations=5),
    "options that are a number": command(options=5),
    "an option that is a text": command(options=["a"]),
    "an option whose type is a text": command(options=[option("a")]),
    "an option whose name is a list": command(options=[option(name=["a"])]),
    "choices that are texts": command(options=[option(choices=["a"])]),
    "more than 8000 characters": command(
        options=[
            option(
                name=f"o{n}",
                description="x" * 100,
                choices=[{"name": f"{m:099}", "value": f"{m:099}"} for m in range(20)],
            )
            for n in range(3)
        ]
    ),
}


@pytest.mark.parametrize("case", BAD)
async def test_50035_for_a_command_against_the_rules(
    case: str, rest: Rest, playground: Playground
) -> None:
    assert await rest.refusal("PUT", COMMANDS, [BAD[case]]) == (400, 50035)
    assert playground.world.state.commands == {}


async def test_two_commands_of_one_name_are_refused(rest: Rest) -> None:
    _, answer = await rest("PUT", COMMANDS, [command(), command()])
    assert answer["code"] == 50035


async def test_30032_more_than_a_hundred(rest: Rest) -> None:
    bodies = [command(f"c{n}") for n in range(101)]
    assert (await rest("PUT", COMMANDS, bodies))[1]["code"] == 30032
    assert (await rest("PUT", COMMANDS, bodies[:100]))[0] == 200
    assert (await rest("POST", COMMANDS, bodies[100]))[1]["code"] == 30032


async def test_30034_more_than_two_hundred_new_ones_a_day(rest: Rest, clock: Any) -> None:
    for start in (0, 100):
        bodies = [command(f"c{start + n}") for n in range(100)]
        assert (await rest("PUT", COMMANDS, bodies))[0] == 200
    assert (await rest("PUT", COMMANDS, [command("one-more")]))[1]["code"] == 30034
    clock.advance(86_401)
    assert (await rest("PUT", COMMANDS, [command("one-more")]))[0] == 200


async def test_a_command_that_stays_keeps_its_id_and_version(rest: Rest) -> None:
    _, first = await rest("PUT", COMMANDS, [command("a"), command("b")])
    _, second = await rest("PUT", COMMANDS, [command("b", description="new"), command("a")])
    by_name = {each["name"]: each for each in second}
    assert by_name["a"] == first[0]
    assert by_name["b"]["id"] == first[1]["id"]
    assert by_name["b"]["version"] != first[1]["version"]


async def test_single_commands_are_made_changed_read_and_deleted(
    rest: Rest, playground: Playground
) -> None:
    guild = COMMANDS.replace("/commands", f"/guilds/{playground.world.home.id}/commands")
    for base in (COMMANDS, guild):
        status, made = await rest("POST", base, command())
        assert status == 201
        assert (await rest("POST", base, command()))[0] == 200
        _, changed = await rest("PATCH", f"{base}/{made['id']}", {"description": "better"})
        assert changed["description"] == "better"
        assert (await rest("GET", f"{base}/{made['id']}"))[1] == changed
        assert len((await rest("GET", base))[1]) == 1
        assert (await rest("DELETE", f"{base}/{made['id']}"))[0] == 204
        assert (await rest("GET", f"{base}/{made['id']}"))[1]["code"] == 10063


FILLED = command(
    options=[
        option(3, "text", max_length=5, required=True),
        option(4, "whole", min_value=3, max_value=15),
        option(10, "real", min_value=0.5),
        option(5, "yes"),
        option(3, "game", choices=[{"name": "Quax", "value": "quax"}]),
        option(6, "rival"),
        option(7, "where"),
        option(8, "role"),
    ]
)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"text": "longer"},
        {"text": ""},
        {"text": "a", "whole": 2},
        {"text": "a", "whole": 16},
        {"text": "a", "whole": 3.5},
        {"text": "a", "whole": "3"},
        {"text": "a", "whole": True},
        {"text": "a", "real": 0.4},
        {"text": "a", "yes": "yes"},
        {"text": "a", "game": "chess"},
        {"text": "a", "rival": "nobody"},
        {"text": "a", "unknown": 1},
    ],
)
async def test_an_option_out_of_its_type_or_range_never_reaches_the_bot(
    options: dict[str, Any], rest: Rest, cleo: Person, playground: Playground
) -> None:
    await rest("PUT", COMMANDS, [FILLED])
    with pytest.raises(DiscordError) as refused:
        await cleo.slash("play", cleo.channel("games"), **options)
    assert refused.value.code == 50035
    assert playground.world.state.interactions == {}


async def test_filled_options_reach_the_bot_resolved(
    rest: Rest, cleo: Person, ada: Person, playground: Playground
) -> None:
    await rest("PUT", COMMANDS, [FILLED])
    games = cleo.channel("games")
    await cleo.slash(
        "play",
        games,
        text="a",
        whole=3,
        real=0.5,
        yes=True,
        game="quax",
        rival=ada,
        where=games,
        role=cleo.guild["id"],
    )
    (made,) = playground.world.state.interactions.values()
    resolved = made.data["resolved"]
    assert resolved["users"][str(ada.id)]["global_name"] == "Ada"
    assert "user" not in resolved["members"][str(ada.id)]
    assert resolved["channels"][str(games)]["name"] == "games"
    assert resolved["roles"][cleo.guild["id"]]["name"] == "@everyone"
    assert [each["value"] for each in made.data["options"]][:5] == ["a", 3, 0.5, True, "quax"]


async def test_subcommands_are_filled_in_by_their_path(
    rest: Rest, cleo: Person, playground: Playground
) -> None:
    tree = command(
        "club", options=[option(2, "cup", options=[option(1, "join", options=[option()])])]
    )
    await rest("PUT", COMMANDS, [tree])
    await cleo.slash("club cup join", cleo.channel("games"), cell="a1")
    (made,) = playground.world.state.interactions.values()
    assert made.command_name == "club cup join"
    assert made.data["options"][0]["options"][0]["options"][0]["value"] == "a1"


async def test_only_those_who_may_are_offered_a_command_and_only_where_it_belongs(
    rest: Rest, cleo: Person, ada: Person
) -> None:
    bodies = [
        command("everywhere"),
        command("server", contexts=[0]),
        command("direct", contexts=[1]),
        command("direct-old", dm_permission=False),
        command("manager", default_member_permissions=str(1 << 5)),
        command("nobody", default_member_permissions="0"),
    ]
    await rest("PUT", COMMANDS, bodies)

    async def names(person: Person, channel: int) -> set[str]:
        offered = await person.request("GET", "/application-commands", channel_id=channel)
        return {each["name"] for each in offered}

    games, direct = cleo.channel("games"), await cleo.open_direct()
    assert await names(cleo, games) == {"everywhere", "server", "direct-old"}
    assert await names(ada, games) == {"everywhere", "server", "direct-old", "manager", "nobody"}
    assert await names(cleo, direct) == {"everywhere", "direct", "manager", "nobody"}


async def test_a_command_that_is_gone_or_has_changed_is_refused(rest: Rest, cleo: Person) -> None:
    await rest("PUT", COMMANDS, [command()])
    games = cleo.channel("games")
    old = await cleo.command("play", games)
    await rest("PUT", COMMANDS, [command(description="new")])
    data = {"id": old["id"], "version": old["version"], "type": 1, "name": "play"}
    body = {"type": 2, "channel_id": str(games), "data": data}
    with pytest.raises(DiscordError) as refused:
        await cleo.request("POST", "/interactions", body)
    assert refused.value.code == 50035
    assert "outdated" in str(refused.value.errors)
    await rest("PUT", COMMANDS, [])
    with pytest.raises(DiscordError) as gone:
        await cleo.request("POST", "/interactions", body)
    assert gone.value.code == 10063


def test_the_limits_are_discords_own() -> None:
    limits = Limits()
    assert (limits.answer_seconds, limits.token_seconds) == (3.0, 900.0)
    assert (limits.old_edits, limits.old_edit_window) == (3, 6.0)
    assert limits.file_bytes == 10 * 1024 * 1024
