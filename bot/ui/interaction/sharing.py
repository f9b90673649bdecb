"""**Share here**: shows everyone what a player sees alone, here or in another channel."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from dataclasses import dataclass, field
from typing import Any

import discord
from cachetools import LRUCache

from bot.domain.ids import ChannelId
from bot.domain.match import Match, MatchStatus
from bot.errors import UserError
from bot.i18n.refusals import REFUSALS
from bot.ui import rest
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import match_here
from bot.ui.interaction.permissions import may_write
from bot.ui.pages.components import Reply
from bot.ui.rest import FAILURES

_MOST_SHARED = 1000
_SHARING = 20.0
"""Seconds that Discord may take to show what is shared."""


@dataclass
class _Memory:
    """Lasts from one click to the next."""

    shared: LRUCache[Hashable, bool] = field(default_factory=lambda: LRUCache(_MOST_SHARED))


def private_page(context: InteractionContext) -> int:
    """The id of the private page whose control was pressed; ``out_of_date`` for any other."""
    page = context.interaction.message
    if page is None or not page.flags.ephemeral:
        raise UserError("out_of_date")
    return page.id


def _may_write(interaction: discord.Interaction, channel_id: int | None) -> bool:
    """Whether the user may write in this channel, or in another, themselves."""
    if channel_id is not None:
        guild, channel = interaction.guild, ChannelId(channel_id)
        return guild is not None and may_write(guild, interaction.user, channel)
    if interaction.guild_id is None:
        return True
    may = interaction.permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    return may.send_messages_in_threads if in_thread else may.send_messages


async def share(
    context: InteractionContext,
    what: Hashable,
    public: Callable[[InteractionContext], Awaitable[Reply]],
    channel_id: int | None = None,
) -> tuple[str, bool]:
    """Share a private page, here or in another channel; what to say, and whether it is shared.

    ``what`` is the page, or more exactly what it shows, which is shared once; ``public`` makes the
    message.
    """
    language, there = context.language, {"channel": f"<#{channel_id}>"}
    if not _may_write(context.interaction, channel_id):
        code = "may_not_share" if channel_id is None else "may_not_share_there"
    elif not await _share_once(context, what, public, channel_id):
        code = "not_shared" if channel_id is None else "not_shared_there"
    elif channel_id is None:
        return language.say("Shared: everyone here can see this now."), True
    else:
        return language.say("Shared: everyone in {channel} can see this replay now.", **there), True
    return language(REFUSALS[code].filled({} if channel_id is None else there)), False


async def _share_once(
    context: InteractionContext,
    what: Hashable,
    public: Callable[[InteractionContext], Awaitable[Reply]],
    channel_id: int | None,
) -> bool:
    """Post what ``public`` makes of the interaction, once; whether it is posted."""
    shared = context.services.memory(_Memory).shared
    if what in shared:
        return True
    shared[what] = True
    here = await _match_here(context) if channel_id is None else None
    everyone = await context.services.for_everyone(context, here)
    if await _post(context, await public(everyone), channel_id):
        return True
    shared.pop(what, None)
    return False


async def _match_here(context: InteractionContext) -> Match | None:
    """The match of this thread, or the running one of this channel."""
    match = await match_here(context)
    if match is None or isinstance(context.interaction.channel, discord.Thread):
        return match
    return match if match.status is MatchStatus.RUNNING else None


async def _post(context: InteractionContext, reply: Reply, channel_id: int | None) -> bool:
    """Post a message that pings nobody; whether Discord took it.

    Here it is a follow-up, which needs no permission.
    """
    if reply.page is None:
        return False
    files = [file.open() for file in reply.files]
    said = rest.message(components=reply.page.components, files=files)
    interaction = context.interaction
    sending: Coroutine[Any, Any, Any] = (
        rest.follow_up(interaction, said)
        if channel_id is None
        else rest.post(interaction.client.http, channel_id, said)
    )
    task = context.services.background.start(sending)
    done, _ = await asyncio.wait({task}, timeout=_SHARING)
    return bool(done) and not isinstance(task.exception(), FAILURES)
