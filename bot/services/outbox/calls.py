"""Pings of the role that players give themselves to hear of new open offers.

A new offer in a server with a lobby and such a role plans one in its own transaction. Of those in
:data:`~bot.store.lobbies.CALL_GAP` the first alone pings; the line goes when that time is over.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from bot.clock import Clock
from bot.domain.ids import ChannelId, GuildId, MatchId, MessageId, RoleId
from bot.domain.match import Match
from bot.logs import logger
from bot.posts.outgoing import Claim, Done, Handler, Key, Outgoing, subject_of
from bot.posts.sending import Gone, Posted, Refused
from bot.services.lobby import server_of
from bot.services.preferences import PreferenceService
from bot.store import Store, lobbies, transactions
from bot.store.lobbies import CALL, CALL_GAP

_log = logger(__name__)


class CallBoard(Protocol):
    """Discord, as far as these lines need it."""

    def shows(self, guild_id: GuildId, channel: ChannelId, match: Match) -> bool:
        """Whether all who see the channel may hear of an offer."""
        ...

    async def call(
        self, match: Match, channel: ChannelId, role: RoleId, *, nonce: str, since: datetime | None
    ) -> Posted:
        """Ping a role for an offer, unless an attempt ``since`` then has done so."""
        ...

    async def erase(self, posted: Posted) -> None:
        """Delete a line of ours."""
        ...


class OfferCalls(Handler):
    """Pings the role. ``serves`` says whether this process looks after a server at present."""

    kinds = frozenset({CALL})

    def __init__(
        self,
        store: Store,
        choices: PreferenceService,
        board: CallBoard,
        clock: Clock,
        *,
        serves: Callable[[Key], bool] = lambda _: True,
    ) -> None:
        self._store = store
        self._choices = choices
        self._board = board
        self._clock = clock
        self._is_ours = serves

    def serves(self, key: Key) -> bool:
        """Whether this process looks after what a key stands for."""
        return subject_of(key) != CALL or self._is_ours(key)

    async def make(self, claim: Claim) -> Done:
        """Ping the role for an offer, or take away the line that did.

        A line that Discord refuses is given up: the lobby shows the offer all the same.
        """
        try:
            if "message" in claim.payload:
                await self._board.erase(_posted(claim))
                return Done()
            return await self._call(claim)
        except (Gone, Refused) as trouble:
            _log.info("no word of a new offer", key=claim.key, error=str(trouble))
            return Done()

    async def _call(self, claim: Claim) -> Done:
        guild_id, match_id = server_of(claim.key), MatchId(str(claim.payload["match"]))
        match = (await self._store.read(transactions.load, match_id, None)).match
        lobby = await self._store.read(lobbies.note, guild_id)
        role = (await self._choices.server(guild_id)).seekers
        now = self._clock.now()
        if match is None or lobby is None or role is None or lobby.trouble is not None:
            return Done()
        if claim.tried_at is None:
            is_over = match.expires_at is not None and match.expires_at <= now
            if not match.is_open or is_over:
                return Done()
            if not self._board.shows(guild_id, lobby.channel_id, match):
                return Done()
        if not await self._store.write(lobbies.take_call, guild_id, match_id, now):
            return Done()
        posted = await self._board.call(
            match, lobby.channel_id, role, nonce=f"n{match_id}"[:25], since=claim.tried_at
        )
        about = {"channel": posted.channel_id, "message": posted.message_id}
        later = Outgoing(CALL, claim.key, now + CALL_GAP, about, blocks_later=False)
        return Done(then=(later,))


def _posted(claim: Claim) -> Posted:
    channel, found = claim.payload["channel"], claim.payload["message"]
    return Posted(ChannelId(int(str(channel))), MessageId(int(str(found))))
