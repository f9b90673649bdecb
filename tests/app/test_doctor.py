"""The findings of ``parlour doctor`` about the bot's place in Discord, and their fixes."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import discord
import pytest
from pydantic import SecretStr

from bot.app.doctor import discord_checks, examine, host_checks
from bot.app.doctor.host_checks import Finding
from bot.settings import Settings
from playground.world.permissions import BOT, Permission
from renderers import fonts
from tests.support.hosted import Hosted


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


class _Late(datetime):
    @classmethod
    def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
        return datetime.fromtimestamp(datetime.now(UTC).timestamp() + 60, UTC)


@pytest.mark.long
async def test_what_is_wrong_is_named(table: Hosted, monkeypatch: pytest.MonkeyPatch) -> None:
    about = ("clock", "intents", "pictures", "servers", "token")
    well = await _found(table)
    assert all(well[each].is_well for each in about if each in well)
    world = table.playground.world
    (role,) = [each for each in world.state.roles.values() if each.bot_id == world.state.bot_id]
    for each in (role, world.state.roles[role.guild_id]):
        less = (each.permissions or BOT) & ~int(Permission.ATTACH_FILES)
        world.places.set_role_permissions(each.id, less)
    lacking = await _found(table)
    (server,) = [each for name, each in lacking.items() if name.startswith("server ")]
    assert not server.is_well
    assert "missing: attach files" in server.words
    wrong = f"{table.playground.token[:-4]}AAAA"
    token = (await _found(table, token=SecretStr(wrong)))["token"]
    assert wrong not in token.words

    monkeypatch.setattr(discord_checks, "datetime", _Late)
    monkeypatch.setattr(discord_checks, "INTENTS", discord.Intents(guilds=True, members=True))
    monkeypatch.setattr(host_checks, "can_draw", lambda text: text.isascii())
    for guild in list(world.state.guilds):
        world.places.leave(guild, world.state.bot_id)
    found = await _found(table) | {"token": token}
    assert not any(found[each].is_well for each in about)
    off = re.search(r"it is \+(\d+) s off", found["clock"].words)
    assert off is not None
    assert 59 <= int(off[1]) <= 62, "Discord tells its time in whole seconds"
    assert found["intents"].words.endswith(": members")
    assert "the name Ада" in found["pictures"].words
    assert "install link" in found["servers"].words
    assert "Reset Token" in token.words


@pytest.mark.parametrize("is_there", [True, False])
async def test_the_library_for_names_from_right_to_left_is_looked_for(
    monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    monkeypatch.setattr(fonts, "_can_shape", lambda: is_there)
    fonts.can_draw.cache_clear()
    try:
        (found,) = await host_checks.pictures(Settings(_env_file=None))
    finally:
        fonts.can_draw.cache_clear()
    assert ("apt install libfribidi0" in found.words) is not is_there
