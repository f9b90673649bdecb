"""Shows people the matches that they follow: one direct message a match, edited in place.

Edits are silent, so they come in quiet hours too; a first message comes silently then. The result
follows in a line after their quiet hours, unless they want no notices. Readers of a digest find it
there instead. People stop following a match when they leave the server, lose access to its channel,
refuse direct messages, or delete the message.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import discord
from cachetools import TTLCache

from bot.clock import Clock
from bot.domain.ids import ChannelId, GuildId, MatchId, MessageId, UserId, is_match_id
from bot.domain.match import Match
from bot.domain.preferences import NoticeWay, Preferences
from bot.follows import store as follows
from bot.follows.store import Followed
from bot.follows.ui import followed_board, over_line, unfollow_control
from bot.logs import logger
from bot.posts.outgoing import FOLLOW, Claim, Done, Handler, Outcome, id_in
from bot.posts.sending import (
    DirectRefused,
    Gone,
    Posted,
    Recipient,
    Refused,
    Retry,
)
from bot.store import Store, transactions
from bot.ui.delivery.messenger import DiscordMessenger
from bot.ui.delivery.notices import Notices, quiet
from bot.ui.delivery.poster import TooMuch, has_control, is_line
from bot.ui.interaction.permissions import may_see
from bot.ui.pages.components import File
from bot.ui.rest import FAILURES

_log = logger(__name__)

GAP = timedelta(seconds=3)
"""The least time between two messages to one person about followed matches."""
_LIFETIME = timedelta(minutes=10)
"""How long membership and roles of a person are cached. A match of 60 moves with 50 followers would
otherwise cost 3,000 requests that Discord limits.
"""
_MEMBERS = 2000


@dataclass(eq=False)
class FollowedMatches(Handler):
    """Sends the messages about followed matches, and edits them."""

    kinds = frozenset({FOLLOW})

    store: Store
    clock: Clock
    notices: Notices
    messenger: DiscordMessenger
    client: discord.Client
    reaches: Callable[[GuildId], bool] = lambda _: True
    _members: TTLCache[tuple[GuildId, UserId], discord.Member] = field(
        default_factory=lambda: TTLCache(_MEMBERS, _LIFETIME.total_seconds()), init=False
    )

    async def post(self, match: Match, user_id: UserId, *, silent: bool, nonce: str) -> Posted:
        """Show a person a match; as text where pictures are not possible."""
        to, pings = Recipient(user_id=user_id), () if silent else (user_id,)
        page, files = await self._page(match, user_id)
        try:
            return await self.messenger.post(to, page, nonce=nonce, files=files, pings=pings)
        except TooMuch:
            page, _ = await self._page(match, user_id, drawn=False)
            return await self.messenger.post(to, page, nonce=nonce, pings=pings)

    async def find(self, match: Match, user_id: UserId, claim: Claim) -> Posted | None:
        """Look for such a message."""
        to, known = Recipient(user_id=user_id), unfollow_control(match.id)
        return await self.messenger.find(to, claim.begun_at, lambda each: has_control(each, known))

    async def edit(self, match: Match, user_id: UserId, posted: Posted) -> None:
        """Update the message to the match's present state."""
        page, files = await self._page(match, user_id)
        await self.messenger.edit_page(posted, page, files)

    async def may_see(self, match: Match, user_id: UserId) -> bool | None:
        """Ask Discord for the member; an unknown channel counts as readable.

        A member whose roles allowed it lately is not asked for again at each move.
        """
        guild_id = match.origin.guild_id
        if guild_id is None:
            return False
        if not self.reaches(guild_id):
            raise Retry  # The process with this server sends it later.
        guild = self.client.get_guild(guild_id)
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

    async def tell(self, match: Match, user_id: UserId, claim: Claim, *, nonce: str) -> None:
        """Notify a person of a match's result."""
        to = Recipient(user_id=user_id)
        said = over_line(match, await self.messenger.language_for(match, to))
        if not await self.messenger.find(to, claim.tried_at, lambda each: is_line(each, said)):
            await self.messenger.post(to, said, nonce=nonce)

    async def _page(
        self, match: Match, user_id: UserId, *, drawn: bool = True
    ) -> tuple[list[Any], tuple[File, ...]]:
        reader = await self.messenger.reader_for(match, Recipient(user_id=user_id))
        reply = await followed_board(match, replace(reader, viewer=user_id), drawn=drawn)
        assert reply.page is not None  # noqa: S101 - a board is always a page
        return reply.page.components, reply.files

    async def make(self, claim: Claim) -> Outcome:
        """Show a person a match's present state, if they still follow it and may see it."""
        erased = claim.payload.get("erase")
        if isinstance(erased, list):
            channel, message = (int(str(each)) for each in erased)
            with contextlib.suppress(Gone, Refused):
                await self.messenger.erase(Posted(ChannelId(channel), MessageId(message)))
            return Done()
        user, match_id = UserId(int(id_in(claim.key))), str(claim.payload.get("match"))
        if not is_match_id(match_id):
            return Done()
        followed = await self.store.read(follows.followed, user, MatchId(match_id))
        if followed is None:
            return Done()
        match = await self.store.read(transactions.match, MatchId(match_id))
        if match is not None and await self.may_see(match, user) is not False:
            chosen = await self.notices.chosen_by(user)
            try:
                outcome = await self._shown(claim, match, followed, chosen)
            except DirectRefused:
                await self.notices.refused(user)
            except (Gone, Refused) as error:
                _log.info("not shown to its follower", match=match.id, reason=error.reason)
            else:
                if outcome is not None:
                    return outcome
        await self.store.write(follows.follows_no_more, user, MatchId(match_id))
        return Done(rest_until=self.clock.now() + GAP)

    async def _shown(
        self, claim: Claim, match: Match, followed: Followed, chosen: Preferences
    ) -> Outcome | None:
        """Show the match, and notify of its end by the reader's choices; None after the end."""
        user, now, is_over = followed.user_id, self.clock.now(), match.status.is_final
        if chosen.present_way is NoticeWay.DIGEST:
            await self.store.write(follows.tell_in_digest, user, match, now, is_over=is_over)
            return Done()
        wants_words, wait = chosen.present_way is not NoticeWay.NOTHING, quiet(chosen, now)
        stands = posted = followed.posted
        if posted is None and claim.tried_at is not None:
            posted = await self.find(match, user, claim)
        is_new = posted is None
        if posted is None:
            silent = not wants_words or wait is not None
            nonce = f"w{user:x}.{claim.id:x}"[:25]
            posted = await self.post(match, user, silent=silent, nonce=nonce)
        if posted != stands:
            goes_on = await self.store.write(follows.shows_followed, user, match.id, posted, now)
            if is_new and not goes_on:
                return Done(rest_until=now + GAP)
        if not is_new:
            await self.edit(match, user, posted)
        if not is_over:
            return Done(rest_until=now + GAP)
        if wants_words and wait is not None:
            return wait
        if wants_words:
            await self.tell(match, user, claim, nonce=f"x{user:x}.{claim.id:x}"[:25])
        return None


def _reads(guild: discord.Guild, member: discord.Member, match: Match) -> bool | None:
    """Whether a member may read the channel of a match; None if Discord does not say.

    An archived thread is not known, but its parent channel is.
    """
    places = (match.home_id or match.origin.channel_id, match.origin.channel_id)
    known = (each for each in places if guild.get_channel_or_thread(each) is not None)
    place = next(known, None)
    return None if place is None else may_see(guild, member, place)
