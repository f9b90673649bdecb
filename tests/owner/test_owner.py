"""Actions in Discord for the bot's owner alone."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable

import pytest

from bot.app.starting import TRY_AGAIN, failure_of
from bot.domain.ids import GuildId
from bot.posts.outgoing import host_message
from bot.shutdown import Ended, Shutdown, Supervisor, supervisor
from bot.store import outbox, people
from playground.faults import Drop
from playground.forms import all_text, find_control
from playground.person import Person
from playground.world.model import InteractionType
from tests.app.test_posted_once import POST, _forget_nonces, _struck
from tests.support.hosted import Hosted, Json, press_action

pytestmark = pytest.mark.slow


async def _owned(table: Hosted) -> Person:
    """The owner, in the owner's server, which has the command."""
    anna = await table.join("Anna")
    home = table.playground.world.home
    home.owner_id = anna.id
    await table.stop()
    table.settings = table.settings.model_copy(update={"owner_server": home.id})
    note = table.settings.data / "commands.json"
    before = note.read_text()
    await table.start()
    await anna.command("owner", anna.channel("general"))
    await _until(lambda: note.read_text() != before)
    return anna


async def _until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not is_so():
            await asyncio.sleep(0.01)


async def _page(person: Person) -> Json:
    return await person.ask("owner", person.channel("general"))


def _tells_managers(table: Hosted, *guilds: int) -> dict[int, int]:
    """Have servers a channel for what Discord tells managers; the channels by server."""
    found = {}
    for each in guilds:
        guild = table.bot.client.get_guild(each)
        assert guild is not None
        guild._public_updates_channel_id = found[each] = guild.text_channels[0].id
    return found


async def _previewed(person: Person, words: str) -> Json:
    page = await _page(person)
    form = await person.wait_modal(await press_action(person, page, "ownertell"))
    return await person.shown(page, person.submit_modal(form, move=words))


def _told(table: Hosted, channel: int, words: str) -> int:
    said = table.playground.world.state.messages.get(channel, {}).values()
    return sum(words in str(each.components) for each in said if not each.flags & 64)


@pytest.mark.long
async def test_the_command_is_in_the_owners_server_alone_and_refuses_all_others(
    table: Hosted,
) -> None:
    anna, ben = await _owned(table), await table.join("Ben")
    world = table.playground.world
    (found,) = [each for each in world.state.commands.values() if each.name == "owner"]
    assert found.guild_id == world.home.id
    assert found.body["default_member_permissions"] == "8"
    said = all_text(await _page(anna))
    assert "1 server; shards connected: 1 of 1" in said
    assert "0 running matches" in said
    # Discord hides it from Ben, but not from what he might send.
    page = await _page(anna)
    role = world.places.add_role(world.home.id, "administrators", 1 << 3)
    for each in (anna, ben):
        world.state.members[world.home.id, each.id].roles.append(role.id)
    refused = await _page(ben)
    assert "Only the owner of this bot" in all_text(refused)
    assert refused["flags"] & 64
    own = await ben.ask("help", ben.channel("general"))
    buttons = re.findall(r"p1:-:0:owner\w*:\w*", str(page["components"]))
    for custom_id in (*buttons, "p1:-:0:ownerendyes:stop", "p1:-:0:ownersend:1"):
        if "ownertell" in custom_id:
            continue
        answer = await table.raw(
            ben,
            InteractionType.COMPONENT,
            ben.channel("general"),
            {"component_type": 2, "custom_id": custom_id},
            message=own,
        )
        assert "Only the owner of this bot" in all_text(answer), custom_id
    world.home.owner_id = ben.id
    assert "Only the owner of this bot" in all_text(await _page(anna)), "it is asked each time"
    await table.stop()
    table.settings = table.settings.model_copy(update={"owner_server": None})
    await table.start()
    commands = world.state.commands
    await _until(lambda: all(each.name != "owner" for each in commands.values()))


async def test_all_servers_are_told_once_whatever_is_pressed_again_or_dies(table: Hosted) -> None:
    anna = await _owned(table)
    world = table.playground.world
    other = world.places.add_guild("Other", anna.id)
    world.places.join(other.id, world.state.bot_id)
    silent = world.places.add_guild("Silent", anna.id)
    world.places.join(silent.id, world.state.bot_id)
    await table.restart()
    channels = _tells_managers(table, world.home.id, other.id)
    put_into = table.bot.services.mentions.put_into
    await _until(lambda: put_into("/help") != "/help")
    assert "Write a message first." in all_text(await _previewed(anna, "  \n "))
    assert "too long" in all_text(await _previewed(anna, "/help " * 240))
    words = "Parlour moves on **Monday**,\nat 8. @everyone"
    preview = await _previewed(anna, words)
    assert "Send this to 2 servers?" in all_text(preview)
    assert "1 server has no such channel" in all_text(preview)
    assert not _told(table, channels[other.id], "Monday")
    # The answer to the first post is lost, the process ends, and Discord forgets what it knew.
    lost = table.playground.faults.rest("POST", POST, Drop(), when="after", times=None)
    send = find_control(preview, label="Send")["custom_id"]
    await table.raw(
        anna,
        InteractionType.COMPONENT,
        anna.channel("general"),
        {"component_type": 2, "custom_id": send},
        message=preview,
        copies=2,
    )
    await _struck(lost)
    await table.stop()
    _forget_nonces(table)
    table.playground.faults.clear()
    await table.start()
    _tells_managers(table, world.home.id, other.id)
    await table.settled()
    assert await table.bot.store.read(outbox.next_due) is None
    for channel in channels.values():
        assert _told(table, channel, "A message from the host of Parlour") == 1
        assert _told(table, channel, "at 8. @everyone") == 1
    (entry,) = await table.bot.store.read(people.audit_of, GuildId(world.home.id), 5)
    again = (host_message(entry.guild_id, words, entry.at),)
    assert not await table.bot.store.write(people.tell_servers, entry, again)
    log = await anna.ask("server log", anna.channel("general"))
    assert "sent 2 servers a message: Parlour moves" in all_text(log)


@pytest.mark.long
@pytest.mark.parametrize("how", Shutdown)
async def test_it_ends_once_the_owner_is_answered(table: Hosted, how: Shutdown) -> None:
    anna = await _owned(table)
    page = await _page(anna)
    asked = await anna.turn(page, label=how.value.title())
    assert "no clock runs while Parlour is away" in all_text(asked)
    answer = await anna.shown(asked, press_action(anna, asked, "ownerendyes"))
    assert "Parlour ends now" in all_text(answer)
    with pytest.raises(Ended) as ended:
        await table.ended()
    assert ended.value.how is how


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, Supervisor.UNKNOWN),
        ({"SYSTEMD_EXEC_PID": str(os.getpid())}, Supervisor.SYSTEMD),
        ({"SYSTEMD_EXEC_PID": "1"}, Supervisor.UNKNOWN),
        ({"KUBERNETES_SERVICE_HOST": "10.0.0.1"}, Supervisor.KUBERNETES),
        ({"KUBERNETES_SERVICE_HOST": "10.0.0.1", "PARLOUR_HOLD": "true"}, Supervisor.HELD),
    ],
)
def test_what_is_said_of_an_end_follows_from_what_started_it(
    environment: dict[str, str], expected: Supervisor
) -> None:
    assert supervisor(environment) is expected


def test_a_restart_asks_to_be_started_again_and_a_stop_does_not() -> None:
    codes = {how: failure.code for how in Shutdown if (failure := failure_of(Ended(how)))}
    assert codes == {Shutdown.RESTART: TRY_AGAIN, Shutdown.STOP: 0}
