"""The answer to a move goes once the board stands, whichever of the two comes first."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.domain.events import EventKind
from bot.domain.match import Venue
from bot.ui import rest
from bot.ui.interaction.refusal_news import RefusalNews
from bot.ui.pages.components import Reply
from bot.ui.rest import Background


@pytest.mark.parametrize("is_answered_first", [True, False])
async def test_the_answer_to_a_move_goes_whichever_comes_first(
    monkeypatch: pytest.MonkeyPatch, is_answered_first: bool
) -> None:
    gone: list[Any] = []

    async def delete(interaction: Any) -> None:
        gone.append(interaction.id)

    monkeypatch.setattr(rest, "delete_answer", delete)
    background = Background()
    nothing = cast("Any", None)
    news = RefusalNews(nothing, nothing, nothing, background)
    match = cast("Any", SimpleNamespace(id="abcdefghij", version=7, venue=Venue.DIRECT))
    interaction = cast(
        "Any",
        SimpleNamespace(id=1, channel_id=2, type=discord.InteractionType.application_command),
    )
    done = cast("Any", SimpleNamespace(match=match, code=EventKind.MOVED.value))
    news.watch(interaction, nothing, nothing, done)
    if is_answered_first:
        news.answered(1, Reply("You played a1."), update=False)
        assert not gone
        news.posted(match)
    else:
        news.posted(match)
        await asyncio.sleep(0)
        assert not gone
        news.answered(1, Reply("You played a1."), update=False)
    assert await background.drain(5) == 0
    news.posted(match)
    assert await background.drain(5) == 0
    assert gone == [1]
