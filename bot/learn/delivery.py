"""Puzzles of the day as public messages in a channel."""

from __future__ import annotations

from datetime import datetime

from bot.domain.ids import ChannelId, GuildId
from bot.learn.ui.puzzles import posted_page, solve_button
from bot.posts.sending import Recipient
from bot.services.preferences import PreferenceService
from bot.ui.delivery.messenger import DiscordMessenger
from bot.ui.delivery.poster import has_control
from bot.ui.pages.presenter import BoardPresenter


class DiscordPuzzles:
    """Posts puzzles of the day."""

    def __init__(
        self,
        messenger: DiscordMessenger,
        presenter: BoardPresenter,
        preferences: PreferenceService,
    ) -> None:
        self._messenger = messenger
        self._presenter = presenter
        self._preferences = preferences

    async def post_puzzle(
        self, guild_id: GuildId, channel: ChannelId, number: int, *, since: datetime | None
    ) -> None:
        """Post a puzzle, unless an attempt since ``since`` has done so."""
        to, known = Recipient(channel_id=channel), solve_button(number)
        if await self._messenger.find(to, since, lambda each: has_control(each, known)):
            return
        language = await self._messenger.language_of(guild_id)
        seen = self._presenter.in_theme((await self._preferences.server(guild_id)).theme)
        reply = await posted_page(number, seen, language)
        assert reply.page is not None  # noqa: S101 - it is always a page
        await self._messenger.post(
            to,
            reply.page.components,
            nonce=f"z{guild_id:x}.{number:x}",
            files=reply.files,
        )
