"""The message to a server that Parlour has just joined."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.i18n import Languages
from bot.learn.ui.help import welcome
from bot.ui import rest
from bot.ui.interaction.context import CommandMentions


def _guild(*, may: bool = True, there: bool = True) -> Any:
    allowed = SimpleNamespace(view_channel=may, send_messages=may, attach_files=may)
    channel = SimpleNamespace(id=7, permissions_for=lambda _me: allowed)
    return SimpleNamespace(
        id=3,
        system_channel=channel if there else None,
        get_channel_or_thread=lambda _id: channel,
        get_thread=lambda _id: None,
        me=object(),
        preferred_locale="de",
    )


@pytest.mark.parametrize(
    ("guild", "said"), [(_guild(), 1), (_guild(may=False), 0), (_guild(there=False), 0)]
)
async def test_a_new_server_is_told_of_play_first(
    monkeypatch: pytest.MonkeyPatch, guild: Any, said: int
) -> None:
    posted: list[tuple[int, Any]] = []

    async def post(_http: object, channel: int, message: Any) -> None:
        posted.append((channel, message.payload))

    monkeypatch.setattr(rest, "post", post)
    mentions = CommandMentions()
    mentions.learn({"play": 5})
    client: Any = SimpleNamespace(http=None, get_guild=lambda _id: guild)
    await welcome(client, guild, Languages(), mentions)
    assert len(posted) == said
    for channel, payload in posted:
        assert channel == 7
        words = payload["components"][0]["content"]
        assert words.splitlines()[1].startswith("</play:5>")
        assert not payload["allowed_mentions"].get("parse")


async def test_a_refusal_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    async def post(*_args: object) -> None:
        raise discord.DiscordException

    monkeypatch.setattr(rest, "post", post)
    client: Any = SimpleNamespace(http=None, get_guild=lambda _id: _guild())
    await welcome(client, _guild(), Languages(), CommandMentions())
