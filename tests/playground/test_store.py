"""A playground that was killed comes back as it was."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest

from playground.person import Person
from playground.server import Playground
from playground.world import message_shapes, shapes
from tests.playground.conftest import Rest, channel_id

PROJECT = Path(__file__).parents[2]


def shown(playground: Playground) -> object:
    """Everything that a bot could see."""
    state = playground.world.state
    state.members = dict(sorted(state.members.items()))
    return [
        [shapes.guild_create(state, each, all_members=True) for each in state.guilds.values()],
        [shapes.channel(state, each) for each in state.channels.values()],
        [
            message_shapes.message(state, message)
            for channel in sorted(state.messages)
            for message in state.messages[channel].values()
        ],
        [each.body for each in state.commands.values()],
    ]


async def test_a_message_sent_again_after_a_kill_is_not_doubled_by_its_nonce(
    tmp_path: Path,
) -> None:
    body = {"content": "board", "nonce": "m1.4", "enforce_nonce": True}
    ids = []
    for _ in range(2):
        async with (
            Playground(state=tmp_path / "world.db") as playground,
            aiohttp.ClientSession() as session,
        ):
            rest = Rest(playground.rest_url, session, playground.token)
            path = f"/channels/{channel_id(playground)}/messages"
            _, sent = await rest("POST", path, body)
            ids.append(sent["id"])
    assert ids[0] == ids[1]


async def test_everything_but_ephemeral_messages_survives(tmp_path: Path) -> None:
    path = tmp_path / "world.db"
    async with (
        Playground(state=path) as playground,
        aiohttp.ClientSession() as session,
        await Person.join(playground.address, "Cleo") as cleo,
    ):
        rest = Rest(playground.rest_url, session, playground.token)
        games = f"/channels/{channel_id(playground)}"
        form = aiohttp.FormData(quote_fields=False)
        form.add_field("payload_json", '{"content": "with a file \\ud83d\\ude00"}')
        form.add_field("files[0]", b"bytes", filename="a.txt")
        _, sent = await rest("POST", f"{games}/messages", form=form)
        await rest("POST", f"{games}/messages/{sent['id']}/threads", {"name": "t"})
        await rest("POST", f"/channels/{sent['id']}/messages", {"content": f"<@{cleo.id}>"})
        await rest("PATCH", f"{games}/messages/{sent['id']}", {"content": "edited"})
        await rest("PUT", f"{games}/messages/{sent['id']}/reactions/👍/@me")
        _, gone = await rest("POST", f"{games}/messages", {"content": "deleted"})
        await rest("DELETE", f"{games}/messages/{gone['id']}")
        await rest(
            "PUT",
            "/applications/1000000000000000001/commands",
            [{"name": "play", "description": "d"}],
        )
        direct = await cleo.open_direct()
        await cleo.say(direct, "in private")
        before = shown(playground)
        port, cdn = playground.port, playground.cdn_url
    async with Playground(state=path, port=port) as again:
        assert again.cdn_url == cdn
        assert shown(again) == before
        async with aiohttp.request("GET", sent["attachments"][0]["url"]) as file:
            assert await file.read() == b"bytes"
        assert again.world.state.ids.next() > int(gone["id"])


async def test_a_file_belongs_to_one_playground(tmp_path: Path) -> None:
    path = tmp_path / "world.db"
    async with Playground(state=path):
        connection = sqlite3.connect(path, timeout=0.1)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            connection.execute("SELECT * FROM thing").fetchall()
        connection.close()


async def started(*arguments: str) -> tuple[asyncio.subprocess.Process, str, str]:
    """The command line at work, its address and its token."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "error", "-m", "playground", *arguments),
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONDEVMODE": "0"},
    )
    assert process.stdout is not None
    address, token = [(await process.stdout.readline()).decode().strip() for _ in range(2)]
    return process, address, token


@pytest.mark.long
async def test_what_was_answered_survives_kill_9(tmp_path: Path) -> None:
    path = tmp_path / "world.db"
    sent: list[str] = []
    for _ in range(3):
        process, address, _ = await started("--port", "0", "--state", str(path))
        async with aiohttp.ClientSession(address) as session:
            async with session.get("/page/people") as answer:
                ada = (await answer.json())[0]["id"]
            async with await Person.come_back(address, int(ada)) as person:
                games = person.channel("games")
                kept = [each["content"] for each in await person.messages(games)]
                assert kept == sent[::-1]
                for _ in range(5):
                    sent.append(str(len(sent)))
                    await person.say(games, sent[-1])
                process.send_signal(signal.SIGKILL)
                await process.wait()


@pytest.mark.long
async def test_the_command_line_tells_its_address_and_stops_on_sigterm(tmp_path: Path) -> None:
    process, address, token = await started("--port", "0")
    async with aiohttp.ClientSession(address) as session:
        headers = {"Authorization": f"Bot {token}"}
        async with session.get("/api/v10/users/@me", headers=headers) as answer:
            assert answer.status == 200
    process.terminate()
    assert await asyncio.wait_for(process.wait(), 10) == 0


@pytest.mark.long
async def test_the_next_free_port_is_taken_if_need_be() -> None:
    async with Playground() as first:
        process, address, _ = await started("--port", str(first.port))
        assert int(address.rsplit(":", 1)[1]) > first.port
        process.terminate()
        await process.wait()
