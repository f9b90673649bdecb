"""A server's lobby, kept up to date in place, and the pings of the role for new offers.

A change to the content of a lobby plans an update in the same transaction. Its slot makes many
changes one edit, and the next edit waits for :data:`GAP`. It uses the content at the time of
sending. Without the message intent Discord does not report deletions: so each update plans a check
(:data:`LOOK_AGAIN`), which posts a deleted lobby again. A key stands for one message in one
channel. A lobby that moves is closed here and opened under another key.

A new offer in a server with a lobby and a role plans a ping. Within
:data:`~bot.lobby.store.CALL_GAP` only the first one pings; its line goes when that time is over.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, partial
from typing import Any

import discord

from bot.clock import Clock
from bot.domain.ids import ChannelId, GuildId, MatchId, MessageId, RoleId
from bot.domain.match import Match
from bot.failpoints import hit
from bot.lobby import store as lobbies
from bot.lobby.services import described, server_of
from bot.lobby.store import CALL_GAP
from bot.lobby.ui import ON_PAGE, is_lobby, lobby_page
from bot.logs import logger
from bot.posts.outgoing import CALL, LOBBY, Claim, Done, Handler, Outgoing
from bot.posts.sending import (
    Gone,
    Posted,
    Recipient,
    Refused,
    Retry,
)
from bot.services.preferences import PreferenceService
from bot.services.ratings import RatingService
from bot.store import Store, standing, transactions
from bot.store.standing import LOOK_AGAIN, StandingMessage, shown_anew
from bot.ui.delivery.messenger import DiscordMessenger
from bot.ui.delivery.poster import is_line
from bot.ui.interaction.permissions import everybody_sees
from bot.ui.pages import match_text

_log = logger(__name__)

GAP = timedelta(seconds=5)
"""The least time between two edits of a lobby."""
_UNKNOWN = 30.0
"""Seconds until a server may be there that Discord has not announced yet."""


@dataclass(frozen=True, slots=True)
class LobbyText:
    """The text of a lobby, for Discord, and a digest of it."""

    components: list[Any]
    digest: str


@dataclass(eq=False)
class DiscordLobby:
    """Shows lobbies, and pings the roles for new offers in them."""

    client: discord.Client
    messenger: DiscordMessenger
    preferences: PreferenceService
    ratings: RatingService
    store: Store
    clock: Clock

    def __post_init__(self) -> None:
        self.erase = self.messenger.erase
        self.look = self.messenger.see

    async def written(self, lobby: StandingMessage) -> LobbyText:
        """The present text of a lobby.

        Offers made in channels that readers of the lobby may not see are left out.
        """
        guild = self._guild(lobby.guild_id)
        sees = cache(partial(everybody_sees, guild, lobby.channel_id))
        now = self.clock.now()
        offers = await self.store.read(lobbies.open_offers, lobby.guild_id, now)
        shown = [match for match in offers if sees(match.origin.channel_id)]
        open_offers = await described(self.ratings, shown[:ON_PAGE])
        language = await self.messenger.language_of(lobby.guild_id)
        chosen = await self.preferences.server(lobby.guild_id)
        more, has_role = len(shown) - len(open_offers), chosen.seekers is not None
        page = lobby_page(open_offers, more, language, has_role=has_role)
        said = json.dumps(page.components, sort_keys=True, separators=(",", ":"))
        return LobbyText(page.components, hashlib.sha256(said.encode()).hexdigest())

    async def post(self, lobby: StandingMessage, said: LobbyText, *, nonce: str) -> Posted:
        """Post it, silently."""
        to = Recipient(channel_id=lobby.channel_id)
        return await self.messenger.post(to, said.components, nonce=nonce)

    async def edit(self, posted: Posted, said: LobbyText) -> None:
        """Replace the content of a message."""
        await self.messenger.edit_page(posted, said.components)

    async def find(self, lobby: StandingMessage, since: datetime) -> Posted | None:
        """Look for a lobby message posted in the channel since an instant."""
        to = Recipient(channel_id=lobby.channel_id)
        return await self.messenger.find(
            to, since, lambda each: is_lobby(each.get("components") or ())
        )

    def shows(self, guild_id: GuildId, channel: ChannelId, match: Match) -> bool:
        """Whether all readers of a lobby's channel may see an offer."""
        return everybody_sees(self._guild(guild_id), channel, match.origin.channel_id)

    async def call(
        self, match: Match, channel: ChannelId, role: RoleId, *, nonce: str, since: datetime | None
    ) -> Posted:
        """Ping a role for an offer, unless an attempt since ``since`` has done so."""
        assert match.origin.guild_id is not None  # noqa: S101 - a lobby is a server's
        language = await self.messenger.language_of(match.origin.guild_id)
        said = language.say(
            "{role}: {player} offers a match of {game}. Accept it in the lobby.",
            role=f"<@&{role}>",
            player=match_text.mention(match.players[match.offered_by], language),
            game=match_text.game_name(match),
        )
        to = Recipient(channel_id=channel)
        found = await self.messenger.find(to, since, lambda each: is_line(each, said))
        return found or await self.messenger.post(to, said, nonce=nonce, roles=(role,))

    def _guild(self, guild_id: GuildId) -> discord.Guild:
        guild = self.client.get_guild(guild_id)
        if guild is None or guild.unavailable:
            raise Retry(_UNKNOWN)
        return guild


@dataclass(eq=False)
class Lobbies(Handler):
    """Keeps lobbies up to date."""

    kinds = frozenset({LOBBY})

    store: Store
    board: DiscordLobby
    clock: Clock

    async def make(self, claim: Claim) -> Done:
        """Update the message, or delete it."""
        lobby = await self.store.read(standing.standing_of, claim.key)
        if lobby is None:
            return Done()
        if lobby.closing:
            await self._close(lobby, claim.tried_at)
            return Done()
        said = await self.board.written(lobby)
        posted = await self._shown(lobby, said, claim)
        hit("c8")
        now = self.clock.now()
        await self.store.write(standing.stands, claim.key, posted, said.digest, now + GAP)
        return Done(then=(shown_anew(claim.key, now + LOOK_AGAIN),), rest_until=now + GAP)

    async def _shown(self, lobby: StandingMessage, said: LobbyText, claim: Claim) -> Posted:
        """The message with this content: the present one, or a new one."""
        if lobby.posted is not None:
            try:
                if said.digest == lobby.digest:
                    await self.board.look(lobby.posted)
                else:
                    await self.board.edit(lobby.posted, said)
            except Gone as gone:
                if gone.reason != "message":
                    raise
            else:
                return lobby.posted
        if claim.tried_at is not None:
            found = await self.board.find(lobby, claim.tried_at)
            if found is not None and found != lobby.posted:
                await self.board.edit(found, said)
                return found
        nonce = f"{LOBBY[0]}{lobby.salt:x}.{claim.id:x}"[:25]
        return await self.board.post(lobby, said, nonce=nonce)

    async def _close(self, lobby: StandingMessage, tried_at: datetime | None) -> None:
        """Delete the message of a lobby that is no longer wanted.

        Also one that was posted in place of a deleted one and could not be noted.
        """
        with contextlib.suppress(Gone, Refused):
            if lobby.posted is not None:
                await self.board.erase(lobby.posted)
        with contextlib.suppress(Gone, Refused):
            found = None if tried_at is None else await self.board.find(lobby, tried_at)
            if found is not None and found != lobby.posted:
                await self.board.erase(found)
        await self.store.write(standing.stands_no_more, lobby.key)


@dataclass(eq=False)
class OfferCalls(Handler):
    """Pings the role that players give themselves to get new open offers."""

    kinds = frozenset({CALL})

    store: Store
    choices: PreferenceService
    board: DiscordLobby
    clock: Clock

    async def make(self, claim: Claim) -> Done:
        """Ping the role for an offer, or delete the line that did.

        A line that Discord refuses is given up: the lobby shows the offer all the same.
        """
        about = claim.payload
        try:
            if "message" in about:
                channel, line = (int(str(about[each])) for each in ("channel", "message"))
                await self.board.erase(Posted(ChannelId(channel), MessageId(line)))
                return Done()
            return await self._call(claim)
        except (Gone, Refused) as trouble:
            _log.info("no word of a new offer", key=claim.key, error=str(trouble))
            return Done()

    async def _call(self, claim: Claim) -> Done:
        guild_id, match_id = server_of(claim.key), MatchId(str(claim.payload["match"]))
        match = await self.store.read(transactions.match, match_id)
        lobby = await self.store.read(lobbies.note, guild_id)
        role = (await self.choices.server(guild_id)).seekers
        now = self.clock.now()
        if match is None or lobby is None or role is None or lobby.trouble is not None:
            return Done()
        if claim.tried_at is None:
            is_over = match.expires_at is not None and match.expires_at <= now
            if not match.is_open or is_over:
                return Done()
            if not self.board.shows(guild_id, lobby.channel_id, match):
                return Done()
        if not await self.store.write(lobbies.take_call, guild_id, match_id, now):
            return Done()
        posted = await self.board.call(
            match, lobby.channel_id, role, nonce=f"n{match_id}"[:25], since=claim.tried_at
        )
        about = {"channel": posted.channel_id, "message": posted.message_id}
        later = Outgoing(CALL, claim.key, now + CALL_GAP, about, blocks_later=False)
        return Done(then=(later,))
