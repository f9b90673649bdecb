"""The answer to a move goes once the board stands, whichever of the two comes first."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.domain.events import EventKind
from bot.domain.ids import UserId
from bot.domain.match import Venue
from bot.ui.discord_api import rest
from bot.ui.discord_api.background import Background
from bot.ui.interaction.refusal_news import RefusalNews
from bot.ui.pages.components import button, rows, text
from bot.ui.pages.custom_ids import Control
from bot.ui.pages.reply import Page, Reply

_NEXT = button(Control("next"), "Next match")


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


async def test_an_answer_with_a_button_goes_when_the_next_one_comes_in_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gone: list[Any] = []

    async def delete(interaction: Any) -> None:
        gone.append(interaction.id)

    monkeypatch.setattr(rest, "delete_answer", delete)
    background, now = Background(), 0.0
    nothing = cast("Any", None)
    news = RefusalNews(nothing, nothing, nothing, background, clock=lambda: now)
    leading = Reply("You played a1.", Page(text("You played a1."), *rows([_NEXT])))

    async def played(number: int, user: int, channel: int, reply: Reply) -> None:
        match = cast("Any", SimpleNamespace(id="abcdefghij", version=number, venue=Venue.DIRECT))
        kind = discord.InteractionType.application_command
        interaction = cast("Any", SimpleNamespace(id=number, channel_id=channel, type=kind))
        done = cast("Any", SimpleNamespace(match=match, code=EventKind.MOVED.value))
        news.watch(interaction, UserId(user), nothing, done)
        news.answered(number, reply, update=False)
        news.posted(match)
        for _ in range(5):
            await asyncio.sleep(0)

    await played(1, 7, 2, leading)
    assert gone == []
    await played(2, 7, 3, leading)
    await played(3, 8, 2, leading)
    assert gone == [], "elsewhere, or another player's"
    await played(4, 7, 2, leading)
    assert gone == [1]
    await played(5, 7, 2, Reply("You played b2."))
    assert gone == [1, 4, 5]
    now = 1000.0
    await played(6, 8, 2, leading)
    assert gone == [1, 4, 5], "Discord lets nobody take back what is that old"
    assert await background.drain(5) == 0
