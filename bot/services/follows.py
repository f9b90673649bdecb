"""Following a match, or a player's next matches, in a server.

A follower has one direct message that shows the match. It is edited in place after each move, which
wakes no phone, and the result follows in one line. Readers of a daily digest find it there instead.
Following asks for no player's consent, since the matches of a server are public in it;
a player cannot be followed by a person they have blocked.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.domain.ids import GuildId, MatchId, UserId
from bot.domain.match import Actor, Match, MatchStatus, Venue
from bot.errors import UserError
from bot.services.outgoing import Key, Outbox, Outgoing, Payload, key_of
from bot.services.ports import Clock, ask
from bot.services.sending import Posted

FOLLOW = "follow"
"""The kind of what shows a person a match that they follow, and the word in its key."""
MOST = 25
"""How many matches, and how many players, one person can follow at a time."""
FOLLOWERS = 50
"""How many people can follow one match: each move edits a message for each of them."""
FANS = 50
"""How many people can follow one player in a server."""


@dataclass(frozen=True, slots=True)
class Followed:
    """That a person follows a match, and the direct message that shows it, once posted."""

    user_id: UserId
    posted: Posted | None


@dataclass(frozen=True, slots=True)
class Fan:
    """Another player, whose next matches in a server a person follows."""

    other_id: UserId
    guild_id: GuildId


def follow_key(user_id: UserId) -> Key:
    """The key of what a person is sent of all that they follow."""
    return key_of(FOLLOW, user_id)


def show_followed(user_id: UserId, match_id: MatchId, at: datetime) -> Outgoing:
    """What is to be sent so that a person sees how a match stands that they follow."""
    payload = {"match": match_id}
    return Outgoing(FOLLOW, follow_key(user_id), at, payload, slot=match_id, holds_up=False)


def erase_followed(user_id: UserId, posted: Posted, at: datetime) -> Outgoing:
    """What deletes the message about a match that a person has stopped following."""
    payload: Payload = {"erase": [posted.channel_id, posted.message_id]}
    return Outgoing(FOLLOW, follow_key(user_id), at, payload, holds_up=False)


class FollowStore(Protocol):
    """Where is written who follows what. Every method is one transaction.

    As with :class:`bot.services.ports.Store` they raise
    :exc:`~bot.services.ports.StoreUnavailable`.
    """

    async def follow(self, user_id: UserId, match: Match, at: datetime) -> str:
        """Have a person follow a match and see it at once; why not, as a code, else ''."""
        ...

    async def unfollow(self, user_id: UserId, match_id: MatchId, at: datetime) -> bool:
        """Stop following a match and delete its message; whether they followed it."""
        ...

    async def follows_no_more(self, user_id: UserId, match_id: MatchId) -> None:
        """Stop following a match; the message that shows it stays."""
        ...

    async def followed(self, user_id: UserId, match_id: MatchId) -> Followed | None:
        """What is known of a match that a person follows, None if they do not."""
        ...

    async def shows_followed(
        self, user_id: UserId, match_id: MatchId, posted: Posted, at: datetime
    ) -> bool:
        """Note which message shows a person a match; if they stopped following, have it go."""
        ...

    async def followed_by(self, user_id: UserId) -> tuple[Match, ...]:
        """The matches that a person follows, the first one first."""
        ...

    async def become_fan(
        self, user_id: UserId, other: UserId, guild_id: GuildId, at: datetime
    ) -> str:
        """Have a person follow a player's next matches in a server; why not, as a code, else ''."""
        ...

    async def be_no_fan(self, user_id: UserId, other: UserId, guild_id: GuildId) -> bool:
        """Stop following a player in a server; whether they followed them."""
        ...

    async def fan_of(self, user_id: UserId) -> tuple[Fan, ...]:
        """Whose next matches a person follows."""
        ...

    async def tell_in_digest(
        self, user_id: UserId, match: Match, now: datetime, *, is_over: bool
    ) -> None:
        """Have a person's next digest tell of a match; it stops being followed if ``is_over``."""
        ...


class FollowService:
    """What people can follow."""

    def __init__(self, store: FollowStore, clock: Clock, outbox: Outbox) -> None:
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
        refused = await ask(self._store.follow(actor.user_id, match, self._clock.now()))
        if refused:
            raise UserError(refused, most=MOST)
        self._outbox.wake()

    async def unfollow(self, actor: Actor, match_id: MatchId) -> bool:
        """Stop following a match; whether this person followed it."""
        did = await ask(self._store.unfollow(actor.user_id, match_id, self._clock.now()))
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
        refused = await ask(self._store.become_fan(actor.user_id, other, guild_id, now))
        if refused:
            raise UserError(refused, most=MOST)

    async def unfollow_player(self, actor: Actor, other: UserId, guild_id: GuildId) -> bool:
        """Stop following a player's matches there; whether this person did."""
        return await ask(self._store.be_no_fan(actor.user_id, other, guild_id))

    async def is_following(self, actor: Actor, match_id: MatchId) -> bool:
        """Whether a person follows a match."""
        return await ask(self._store.followed(actor.user_id, match_id)) is not None

    async def of(self, user_id: UserId) -> tuple[tuple[Match, ...], tuple[Fan, ...]]:
        """The matches, and the players, that a person follows."""
        return await ask(self._store.followed_by(user_id)), await ask(self._store.fan_of(user_id))
