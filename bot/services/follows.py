"""Following a match, or a player's next matches, in a server.

A follower has one direct message that shows the match. It is edited in place after each move, which
wakes no phone, and the result follows in one line. Readers of a daily digest find it there instead.
Following asks for no player's consent, since the matches of a server are public in it;
a player cannot be followed by a person they have blocked.
"""

from __future__ import annotations

from bot.clock import Clock
from bot.domain.ids import GuildId, MatchId, UserId
from bot.domain.match import Actor, Match, MatchStatus, Venue
from bot.errors import UserError
from bot.posts.outgoing import Outbox
from bot.store import Store, follows
from bot.store.follows import MOST, PlayerFollow


class FollowService:
    """What people can follow."""

    def __init__(self, store: Store, clock: Clock, outbox: Outbox) -> None:
        self._store = store
        self._clock = clock
        self._outbox = outbox

    async def follow(self, actor: Actor, match: Match) -> None:
        """Follow a running match of a server, and see it in a direct message at once.

        Raises :exc:`~bot.errors.UserError`: ``follow_own``, ``follow_direct``, ``not_started``,
        ``match_over``, ``follow_blocked`` by one of its players, ``follow_many``,
        ``followers_many``.
        """
        if match.index_of(actor.user_id) is not None:
            raise UserError("follow_own")
        if match.venue is Venue.DIRECT or match.origin.guild_id is None:
            raise UserError("follow_direct")
        if match.status is not MatchStatus.RUNNING:
            over = match.status.is_final
            raise UserError("match_over" if over else "not_started", status=match.status.value)
        refused = await self._store.write(follows.follow, actor.user_id, match, self._clock.now())
        if refused:
            raise UserError(refused, most=MOST)
        self._outbox.wake()

    async def unfollow(self, actor: Actor, match_id: MatchId) -> bool:
        """Stop following a match; whether this person followed it."""
        did = await self._store.write(follows.unfollow, actor.user_id, match_id, self._clock.now())
        self._outbox.wake()
        return did

    async def follow_player(self, actor: Actor, other: UserId, guild_id: GuildId) -> None:
        """Follow the next matches of a player in a server.

        Raises :exc:`~bot.errors.UserError`: ``follow_self``, ``follow_blocked``, ``follow_many``,
        ``followers_many``.
        """
        if actor.user_id == other:
            raise UserError("follow_self")
        now = self._clock.now()
        refused = await self._store.write(
            follows.follow_player, actor.user_id, other, guild_id, now
        )
        if refused:
            raise UserError(refused, most=MOST)

    async def unfollow_player(self, actor: Actor, other: UserId, guild_id: GuildId) -> bool:
        """Stop following a player's matches there; whether this person did."""
        return await self._store.write(follows.unfollow_player, actor.user_id, other, guild_id)

    async def is_following(self, actor: Actor, match_id: MatchId) -> bool:
        """Whether a person follows a match."""
        return await self._store.read(follows.followed, actor.user_id, match_id) is not None

    async def of(self, user_id: UserId) -> tuple[tuple[Match, ...], tuple[PlayerFollow, ...]]:
        """The matches, and the players, that a person follows."""
        return await self._store.read(follows.followed_by, user_id), await self._store.read(
            follows.players_followed, user_id
        )
