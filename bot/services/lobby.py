"""The lobby: one message in a server that lists its open offers.

What changes an open offer says so of the server's lobby in the same transaction. A worker looks
every moment for lobbies that should say something else than they do, takes each on a lease, and
edits its message in place, not more often than :data:`GAP`, so many changes make one edit. A
process that dies between posting and noting it leaves a lease that runs out: whoever comes next
posts under the same nonce, and looks first whether the message is there.

Nobody tells a bot without the intent for messages that one was deleted, so it is looked for now and
then (:data:`LOOK_AGAIN`), and posted anew if it is gone.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from bot.domain.ids import ChannelId, GuildId, MatchId, UserId
from bot.domain.match import Match
from bot.failpoints import hit
from bot.services.outgoing import LEASE
from bot.services.ports import Clock, StoreUnavailable
from bot.services.ratings import RatingService, Standing
from bot.services.sending import Gone, Posted, Refused, Retry
from bot.trouble import Trouble

log = logging.getLogger(__name__)

GAP = timedelta(seconds=5)
"""The least time between two edits of a lobby."""
LOOK_AGAIN = timedelta(minutes=10)
"""How long a message may be away before it is noticed."""
POLL = 1.0
_FIRST_WAIT = timedelta(seconds=2)
_LONGEST_WAIT = timedelta(minutes=10)
_PARKED = timedelta(hours=1)
"""How long a lobby rests that Discord has refused."""
_GONE_FOR = timedelta(days=1)
"""The same where the channel is not there any more."""
_AT_ONCE = 4
_MOST = 200


@dataclass(frozen=True, slots=True)
class Lobby:
    """A lobby that this process is to show, until its lease runs out.

    ``posted`` is the message that shows it, None if there is none yet; ``digest`` what that says;
    ``posts`` the number of its next message; ``wanted`` the change it is to be shown after;
    ``closing`` that it is to be taken away; ``tried_at`` when the first attempt was made that may
    have posted it unnoticed, None if none may have.
    """

    channel_id: ChannelId
    guild_id: GuildId
    posted: Posted | None
    digest: str
    posts: int
    wanted: int
    closing: bool
    attempts: int
    tried_at: datetime | None
    lease: str

    @property
    def nonce(self) -> str:
        """The name of its next post for Discord, at most 25 characters."""
        return f"l{self.channel_id:x}.{self.posts:x}"[:25]


@dataclass(frozen=True, slots=True)
class LobbyNote:
    """What is to be known of a lobby: where it is, and a word for why it cannot be shown, if so."""

    channel_id: ChannelId
    posted: Posted | None
    trouble: str | None

    @property
    def is_given_up(self) -> bool:
        """Whether Discord will not have it there, so that somebody has to do something."""
        return self.trouble is not None and self.trouble.startswith(("refused", "gone"))


@dataclass(frozen=True, slots=True)
class Seek:
    """An open offer and what is known of who makes it: the number shown, and if it is uncertain."""

    match: Match
    points: int
    is_provisional: bool


@dataclass(frozen=True, slots=True)
class LobbyMessage:
    """What a lobby is to say, as Discord reads it, and a digest of that."""

    components: Sequence[object]
    digest: str


class LobbyStore(Protocol):
    """Where lobbies are kept. Every method is one transaction.

    Which channel a server has chosen is one of its settings, and kept together with them.
    """

    async def open_offers(self, guild_id: GuildId, now: datetime, limit: int) -> tuple[Match, ...]:
        """The offers of a server with a chair for anybody, the newest first."""
        ...

    async def lobby_of(self, guild_id: GuildId) -> LobbyNote | None:
        """The lobby of a server, None if it has none."""
        ...

    async def lobbies_due(self, now: datetime) -> tuple[tuple[ChannelId, GuildId], ...]:
        """Lobbies that should be shown now, the longest waiting first."""
        ...

    async def claim_lobby(
        self, channel_id: ChannelId, now: datetime, lease_until: datetime
    ) -> Lobby | None:
        """Take a lobby to show it, None if there is nothing to do any more or somebody is at it."""
        ...

    async def lobby_shown(
        self,
        lobby: Lobby,
        posted: Posted,
        digest: str,
        *,
        now: datetime,
        ready_at: datetime,
    ) -> None:
        """Note which message shows a lobby, and when it may be edited again."""
        ...

    async def lobby_put_off(
        self, lobby: Lobby, until: datetime, trouble: str, *, certain: bool
    ) -> None:
        """Try again then; ``certain`` says that nothing was posted this time."""
        ...

    async def lobby_closed(self, lobby: Lobby) -> None:
        """Forget a lobby whose message is gone, unless it has been chosen again."""
        ...

    async def look_at_lobbies(self, since: datetime | None) -> None:
        """Have those shown again that were last seen before then, or all."""
        ...


class LobbyBoard(Protocol):
    """Discord, as far as a lobby needs it.

    Raises :exc:`~bot.services.sending.Retry`, :exc:`~bot.services.sending.Gone` and
    :exc:`~bot.services.sending.Refused`.
    """

    async def lobby_sheet(self, lobby: Lobby, offers: Sequence[Match]) -> LobbyMessage:
        """What a lobby is to say; offers that not everybody there may see are left out."""
        ...

    async def post_lobby(self, lobby: Lobby, sheet: LobbyMessage) -> Posted:
        """Post it, silently, under the lobby's nonce."""
        ...

    async def edit_lobby(self, posted: Posted, sheet: LobbyMessage) -> None:
        """Put it in the place of what a message says."""
        ...

    async def find_lobby(self, lobby: Lobby, since: datetime) -> Posted | None:
        """A lobby of ours that was posted in its channel since an instant."""
        ...

    async def see_lobby(self, posted: Posted) -> None:
        """Look whether a message is there."""
        ...

    async def erase(self, posted: Posted) -> None:
        """Delete a message."""
        ...


class LobbyService:
    """What can be asked about the open offers of a server."""

    def __init__(self, store: LobbyStore, ratings: RatingService, clock: Clock) -> None:
        self._store = store
        self._ratings = ratings
        self._clock = clock

    async def offers(self, guild_id: GuildId) -> tuple[Match, ...]:
        """The open offers of a server, the newest first."""
        return await self._store.open_offers(guild_id, self._clock.now(), _MOST)

    async def described(self, matches: Sequence[Match]) -> tuple[Seek, ...]:
        """The same offers with what is known of those who make them."""
        seeks = []
        for match in matches:
            host = match.players[match.offered_by]
            assert host is not None  # noqa: S101 - an offer that is open has its host
            standing = await self._ratings.standing(host, match.game)
            seeks.append(Seek(match, standing.points, standing.is_provisional))
        return tuple(seeks)

    async def closed_to(
        self, user_id: UserId, matches: Sequence[Match]
    ) -> Mapping[MatchId, Standing]:
        """The offers that somebody's rating does not fit, each with that rating."""
        found = {}
        for match in matches:
            band = match.band_for(user_id)
            if band is not None and match.index_of(user_id) is None:
                standing = await self._ratings.standing(user_id, match.game)
                if standing.points not in band:
                    found[match.id] = standing
        return found

    async def note(self, guild_id: GuildId) -> LobbyNote | None:
        """The lobby of a server, None if it has none."""
        return await self._store.lobby_of(guild_id)

    async def shows(self, match: Match) -> bool:
        """Whether an offer stands in the lobby of the very channel where it was made.

        Then it needs no message of its own there.
        """
        guild_id = match.origin.guild_id
        if guild_id is None or not match.is_open or any(match.invited):
            return False
        try:
            lobby = await self._store.lobby_of(guild_id)
        except StoreUnavailable:
            return False
        return (
            lobby is not None
            and lobby.channel_id == match.origin.channel_id
            and lobby.trouble is None
        )


class LobbyWorker:
    """Shows lobbies until it is stopped.

    ``serves`` says whether this process looks after a server at present.
    """

    def __init__(
        self,
        store: LobbyStore,
        board: LobbyBoard,
        service: LobbyService,
        clock: Clock,
        *,
        serves: Callable[[GuildId], bool] = lambda _: True,
    ) -> None:
        self._store = store
        self._board = board
        self._service = service
        self._clock = clock
        self._serves = serves
        self._stopping = asyncio.Event()
        self._serving: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Show what should be shown until :meth:`stop`; at the start look at every lobby."""
        begun = False
        trouble = Trouble(log, "the lobbies cannot be looked at")
        while not self._stopping.is_set():
            with trouble.guard(StoreUnavailable):
                if not begun:
                    await self._store.look_at_lobbies(None)
                    begun = True
                await self.look()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL):
                    await self._stopping.wait()

    async def stop(self, *, within: float = 10.0) -> None:
        """Take nothing more, and wait for what is being shown, but no longer than ``within`` s."""
        self._stopping.set()
        if self._serving:
            await asyncio.wait(set(self._serving), timeout=within)

    async def look_again(self) -> None:
        """Look whether the messages are still there that nobody has looked at for a while."""
        await self._store.look_at_lobbies(self._clock.now() - LOOK_AGAIN)

    async def look(self) -> int:
        """Show every lobby that is due now; how many were."""
        due = await self._store.lobbies_due(self._clock.now())
        mine = [channel for channel, guild in due if self._serves(guild)]
        for at in range(0, len(mine), _AT_ONCE):
            if self._stopping.is_set():
                break
            tasks = {asyncio.create_task(self._show(each)) for each in mine[at : at + _AT_ONCE]}
            self._serving |= tasks
            for task in tasks:
                task.add_done_callback(self._serving.discard)
            # Not cancelled with whoever waits: a request that is on its way is to be noted.
            await asyncio.wait(tasks)
        return len(mine)

    async def _show(self, channel_id: ChannelId) -> None:
        now = self._clock.now()
        with contextlib.suppress(StoreUnavailable):
            lobby = await self._store.claim_lobby(channel_id, now, now + LEASE)
            if lobby is None:
                return
            try:
                await self._bring_up_to_date(lobby)
            except Retry as retry:
                doubled: timedelta = _FIRST_WAIT * (1 << min(lobby.attempts - 1, 16))
                wait = min(doubled, _LONGEST_WAIT)
                if retry.after is not None:
                    wait = timedelta(seconds=retry.after)
                await self._put_off(lobby, wait, "retry", certain=not retry.sent)
            except Gone as gone:
                log.warning(
                    "the lobby of server %s cannot be shown: its %s is gone",
                    lobby.guild_id,
                    gone.reason,
                )
                await self._put_off(lobby, _GONE_FOR, f"gone_{gone.reason}", certain=True)
            except Refused as refused:
                log.warning(
                    "the lobby of server %s cannot be shown: %s", lobby.guild_id, refused.reason
                )
                await self._put_off(lobby, _PARKED, refused.reason, certain=True)
            except StoreUnavailable:
                raise
            except Exception:
                bug = secrets.token_hex(4)
                log.exception("bug %s: the lobby of server %s", bug, lobby.guild_id)
                await self._put_off(lobby, _LONGEST_WAIT, f"bug {bug}", certain=False)

    async def _put_off(self, lobby: Lobby, wait: timedelta, trouble: str, *, certain: bool) -> None:
        until = self._clock.now() + wait
        await self._store.lobby_put_off(lobby, until, trouble, certain=certain)

    async def _bring_up_to_date(self, lobby: Lobby) -> None:
        if lobby.closing:
            await self._close(lobby)
            return
        sheet = await self._board.lobby_sheet(lobby, await self._service.offers(lobby.guild_id))
        posted = await self._shown(lobby, sheet)
        hit("c8")
        now = self._clock.now()
        await self._store.lobby_shown(lobby, posted, sheet.digest, now=now, ready_at=now + GAP)

    async def _shown(self, lobby: Lobby, sheet: LobbyMessage) -> Posted:
        """The message that says it: the one that is there, or one that had to be posted."""
        if lobby.posted is not None:
            try:
                if sheet.digest == lobby.digest:
                    await self._board.see_lobby(lobby.posted)
                else:
                    await self._board.edit_lobby(lobby.posted, sheet)
            except Gone as gone:
                if gone.reason != "message":
                    raise
            else:
                return lobby.posted
        if lobby.tried_at is not None:
            found = await self._board.find_lobby(lobby, lobby.tried_at)
            if found is not None and found != lobby.posted:
                await self._board.edit_lobby(found, sheet)
                return found
        return await self._board.post_lobby(lobby, sheet)

    async def _close(self, lobby: Lobby) -> None:
        """Take away the message of a lobby that is not wanted any more.

        Also one that was posted in the place of a deleted one and could not be noted.
        """
        with contextlib.suppress(Gone, Refused):
            if lobby.posted is not None:
                await self._board.erase(lobby.posted)
        with contextlib.suppress(Gone, Refused):
            since = lobby.tried_at
            found = None if since is None else await self._board.find_lobby(lobby, since)
            if found is not None and found != lobby.posted:
                await self._board.erase(found)
        await self._store.lobby_closed(lobby)
