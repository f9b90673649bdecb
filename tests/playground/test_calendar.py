"""Scheduled events and roles, as Discord makes, changes and refuses them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from playground.server import Playground
from playground.wire import Json
from playground.world.permissions import BOT, Permission
from tests.playground.conftest import Rest


def _body(**more: Any) -> Json:
    begins = datetime.now(UTC).replace(microsecond=0) + timedelta(days=1)
    return {
        "name": "Cup",
        "entity_type": 3,
        "privacy_level": 2,
        "scheduled_start_time": begins.isoformat(),
        "scheduled_end_time": (begins + timedelta(days=2)).isoformat(),
        "entity_metadata": {"location": "here"},
        **more,
    }


def _bot_role(playground: Playground) -> int:
    state = playground.world.state
    return next(each.id for each in state.roles.values() if each.bot_id == state.bot_id)


async def test_an_entry_is_made_changed_and_closed(playground: Playground, rest: Rest) -> None:
    guild = playground.world.home.id
    path = f"/guilds/{guild}/scheduled-events"
    status, made = await rest("POST", path, _body(description="All welcome"))
    assert status == 200
    assert (made["status"], made["entity_metadata"]) == (1, {"location": "here"})
    status, changed = await rest("PATCH", f"{path}/{made['id']}", {"name": "Great Cup"})
    assert (status, changed["name"]) == (200, "Great Cup")
    assert [each["name"] for each in (await rest("GET", path))[1]] == ["Great Cup"]
    for step, wanted in ((3, 400), (2, 200), (4, 400), (3, 200), (2, 400)):
        status, _ = await rest("PATCH", f"{path}/{made['id']}", {"status": step})
        assert status == wanted, step
    assert (await rest("GET", path))[1] == [], "what is over is not listed"
    assert (await rest("DELETE", f"{path}/{made['id']}"))[0] == 204
    status, gone = await rest("GET", f"{path}/{made['id']}")
    assert (status, gone["code"]) == (404, 10070)


async def test_an_entry_that_cannot_be_is_refused(playground: Playground, rest: Rest) -> None:
    path = f"/guilds/{playground.world.home.id}/scheduled-events"
    past = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    bodies: list[Json] = [
        _body(name=""),
        _body(scheduled_start_time=past),
        _body(scheduled_end_time=past),
        _body(entity_metadata={"location": ""}),
        _body(entity_type=2),
    ]
    for body in bodies:
        status, told = await rest("POST", path, body)
        assert (status, told["code"]) == (400, 50035)


async def test_without_the_permission_there_is_none(playground: Playground, rest: Rest) -> None:
    path = f"/guilds/{playground.world.home.id}/scheduled-events"
    role = _bot_role(playground)
    playground.world.places.set_role_permissions(role, BOT & ~Permission.CREATE_EVENTS)
    status, told = await rest("POST", path, _body())
    assert (status, told["code"]) == (403, 50013)


async def test_a_role_is_given_by_who_stands_above_it(playground: Playground, rest: Rest) -> None:
    world = playground.world
    guild = world.home
    person = guild.owner_id
    medal = world.places.add_role(guild.id, "Champion", 0)
    path = f"/guilds/{guild.id}/members/{person}/roles/{medal.id}"
    bot_role = world.state.roles[_bot_role(playground)]
    assert (await rest("PUT", path))[0] == 403, "no Manage Roles"
    world.places.set_role_permissions(bot_role.id, BOT | Permission.MANAGE_ROLES)
    assert (await rest("PUT", path))[0] == 403, "the role is above the bot's"
    bot_role.position = medal.position + 1
    assert (await rest("PUT", path))[0] == 204
    assert medal.id in world.state.members[guild.id, person].roles
    assert (await rest("DELETE", path))[0] == 204
    assert medal.id not in world.state.members[guild.id, person].roles
