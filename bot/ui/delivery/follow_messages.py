"""The direct messages that show people the matches they follow, on Discord."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import discord
from cachetools import TTLCache

from bot.domain.ids import GuildId, UserId
from bot.domain.match import Match
from bot.posts.outgoing import Claim
from bot.posts.sending import Posted, Recipient, Retry
from bot.services.preferences import PreferenceService
from bot.ui.delivery.discord_errors import TooMuch
from bot.ui.delivery.messenger import DiscordMessenger
from bot.ui.delivery.poster import has_control, is_line, posted_at
from bot.ui.interaction.permissions import may_see
from bot.ui.pages.components import File
from bot.ui.pages.presenter import BoardPresenter
from bot.ui.rest import FAILURES
from bot.ui.watching import followed_board, over_line, unfollow_control

_LIFETIME = timedelta(minutes=10)
"""So long a member is taken to be in the server, with the same roles. A match of 60 moves that 50
people follow would otherwise cost 3,000 requests that Discord limits."""
_MEMBERS = 2000


class DiscordFollowed:
    """Posts and edits them by the ways of the outbox's messenger."""

    def __init__(
        self,
        client: discord.Client,
        messenger: DiscordMessenger,
        presenter: BoardPresenter,
        preferences: PreferenceService,
        *,
        reaches: Callable[[GuildId], bool] = lambda _: True,
    ) -> None:
        self._client = client
        self._reaches = reaches
        self._messenger = messenger
        self._presenter = presenter
        self._preferences = preferences
        self._members: TTLCache[tuple[GuildId, UserId], discord.Member]
        self._members = TTLCache(_MEMBERS, _LIFETIME.total_seconds())

    async def post(self, match: Match, user_id: UserId, *, silent: bool, nonce: str) -> Posted:
        """Show a person a match; in letters where the picture is too much."""
        to, pings = Recipient(user_id=user_id), () if silent else (user_id,)
        page, files = await self._page(match, user_id)
        try:
            return await self._messenger.post_page(to, page, nonce=nonce, files=files, pings=pings)
        except TooMuch:
            page, _ = await self._page(match, user_id, drawn=False)
            return await self._messenger.post_page(to, page, nonce=nonce, pings=pings)

    async def find(self, match: Match, user_id: UserId, claim: Claim) -> Posted | None:
        """Look for such a message."""
        found = await self._messenger.since(Recipient(user_id=user_id), claim.begun_at)
        known = unfollow_control(match.id)
        return next((posted_at(each) for each in found if has_control(each, known)), None)

    async def edit(self, match: Match, user_id: UserId, posted: Posted) -> None:
        """Have it show the match as it is now."""
        page, files = await self._page(match, user_id)
        await self._messenger.edit_page(posted, page, files)

    async def may_see(self, match: Match, user_id: UserId) -> bool | None:
        """Ask Discord for the member; a channel that is not known is as good as one they may read.

        A member whose roles let them read it lately is not asked for again at each move.
        """
        guild_id = match.origin.guild_id
        if guild_id is None:
            return False
        if not self._reaches(guild_id):
            raise Retry  # The process that has this server comes to it next.
        guild = self._client.get_guild(guild_id)
        if guild is None or guild.unavailable:
            return None
        known = self._members.get((guild_id, user_id))
        if known is not None and (seen := _reads(guild, known, match)) is not False:
            return seen
        try:
            member = await guild.fetch_member(user_id)
        except discord.NotFound:
            return False
        except FAILURES:
            return None
        self._members[guild_id, user_id] = member
        return _reads(guild, member, match)

    async def erase(self, posted: Posted) -> None:
        """Delete it."""
        await self._messenger.erase(posted)

    async def tell(self, match: Match, user_id: UserId, claim: Claim, *, nonce: str) -> None:
        """Tell a person how a match ended."""
        to = Recipient(user_id=user_id)
        said = over_line(match, await self._messenger.language_for(match, to))
        if claim.tried_at is not None:
            found = await self._messenger.since(to, claim.tried_at)
            if any(is_line(each, said) for each in found):
                return
        await self._messenger.post_line(to, said, nonce=nonce)

    async def _page(
        self, match: Match, user_id: UserId, *, drawn: bool = True
    ) -> tuple[list[Any], tuple[File, ...]]:
        language = await self._messenger.language_for(match, Recipient(user_id=user_id))
        chosen = await self._preferences.of(user_id)
        presenter = replace(self._presenter.chosen_by(user_id, chosen), viewer=user_id)
        reply = await followed_board(match, presenter, language, drawn=drawn)
        assert reply.page is not None  # noqa: S101 - a board is always a page
        return reply.page.components, reply.files


def _reads(guild: discord.Guild, member: discord.Member, match: Match) -> bool | None:
    """Whether a member may read the channel of a match; None if Discord does not say.

    A thread that has been put away is not known, but the channel that it hangs from is.
    """
    places = (match.home_id or match.origin.channel_id, match.origin.channel_id)
    known = (each for each in places if guild.get_channel_or_thread(each) is not None)
    place = next(known, None)
    return None if place is None else may_see(guild, member, place)
