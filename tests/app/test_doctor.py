"""What ``parlour doctor`` finds out about the bot's place in Discord, and how to mend it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import discord
import pytest
from pydantic import SecretStr

from bot.app.doctor import discord_checks, examine, host_checks
from bot.app.doctor.host_checks import Finding
from playground.world.permissions import BOT, Permission
from renderers import fonts
from tests.hosted import Hosted


async def _found(table: Hosted, **changed: object) -> dict[str, Finding]:
    token = SecretStr(table.playground.token)
    settings = table.settings.model_copy(update={"token": token, **changed})
    return {each.about: each for each in await examine(settings)}


@pytest.mark.long
async def test_every_server_is_looked_at_however_many_there_are(
    table: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = table.playground.world
    anna = await table.join("Anna")
    for number in range(4):
        made = world.places.add_guild(f"Club {number}", anna.id)
        world.places.join(made.id, world.state.bot_id)
    monkeypatch.setattr(discord_checks, "_PAGE", 2)
    servers = [about for about in await _found(table) if about.startswith("server ")]
    assert len(servers) == 5
    assert {"Club 0", "Club 3"} <= {
        about.split(" (")[0].removeprefix("server ") for about in servers
    }


async def test_what_is_not_allowed_in_a_server_is_named(table: Hosted) -> None:
    world = table.playground.world
    (role,) = [each for each in world.state.roles.values() if each.bot_id == world.state.bot_id]
    everyone = world.state.roles[role.guild_id]
    for each in (role, everyone):
        less = (each.permissions or BOT) & ~int(Permission.ATTACH_FILES)
        world.places.set_role_permissions(each.id, less)
    found = await _found(table)
    (server,) = [each for about, each in found.items() if about.startswith("server ")]
    assert not server.is_well
    assert "missing: attach files" in server.words


@pytest.mark.long
async def test_a_bot_in_no_server_is_told_how_to_get_into_one(table: Hosted) -> None:
    world = table.playground.world
    for guild in list(world.state.guilds):
        world.places.leave(guild, world.state.bot_id)
    found = (await _found(table))["servers"]
    assert not found.is_well
    assert "install link" in found.words


@pytest.mark.long
async def test_a_token_that_discord_does_not_take_is_named_and_not_shown(table: Hosted) -> None:
    wrong = f"{table.playground.token[:-4]}AAAA"
    found = (await _found(table, token=SecretStr(wrong)))["token"]
    assert not found.is_well
    assert "Reset Token" in found.words
    assert wrong not in found.words


@pytest.mark.long
async def test_a_clock_that_is_off_is_named(table: Hosted, monkeypatch: pytest.MonkeyPatch) -> None:
    class Late(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return datetime.fromtimestamp(datetime.now(UTC).timestamp() + 60, UTC)

    assert (await _found(table))["clock"].is_well
    monkeypatch.setattr(discord_checks, "datetime", Late)
    found = (await _found(table))["clock"]
    assert not found.is_well
    off = re.search(r"it is \+(\d+) s off", found.words)
    assert off is not None
    assert 59 <= int(off[1]) <= 62, "Discord tells its time in whole seconds"


@pytest.mark.long
async def test_letters_that_cannot_be_drawn_are_named(
    table: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await _found(table))["pictures"].is_well
    monkeypatch.setattr(host_checks, "can_draw", lambda text: text.isascii())
    found = (await _found(table))["pictures"]
    assert not found.is_well
    assert "the name Ада" in found.words


@pytest.mark.long
async def test_intents_that_would_have_to_be_allowed_are_named(
    table: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await _found(table))["intents"].is_well
    monkeypatch.setattr(discord_checks, "INTENTS", discord.Intents(guilds=True, members=True))
    found = (await _found(table))["intents"]
    assert not found.is_well
    assert found.words.endswith(": members")


@pytest.mark.long
@pytest.mark.parametrize("is_there", [True, False])
async def test_the_library_for_names_from_right_to_left_is_looked_for(
    table: Hosted, monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    monkeypatch.setattr(fonts, "_can_shape", lambda: is_there)
    fonts.can_draw.cache_clear()
    try:
        words = (await _found(table))["pictures"].words
    finally:
        fonts.can_draw.cache_clear()
    assert ("apt install libfribidi0" in words) is not is_there


def test_the_container_can_draw_names_from_right_to_left() -> None:
    image = (Path(__file__).parents[2] / "Dockerfile").read_text(encoding="utf-8")
    last_stage = image.rpartition("\nFROM ")[2].replace("\\\n", "")
    (installs,) = [line for line in last_stage.splitlines() if "apt-get install" in line]
    assert "libfribidi0" in installs.split()
