"""The role for new offers is pinged once, and at most once in half an hour."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any, cast

import pytest

from bot.domain.ids import ChannelId, GuildId, MessageId, RoleId
from bot.domain.match import Match
from bot.lobby.delivery import OfferCalls
from bot.lobby.store import CALL_GAP
from bot.posts.outgoing import LOBBY as LOBBY_KIND
from bot.posts.outgoing import Claim, Done, Handler
from bot.posts.sending import Posted, Refused, Retry
from bot.services.outbox_worker import OutboxWorker
from bot.services.pairing import Limits
from bot.store import Store
from tests.support.databases import both
from tests.support.kit import ANN, GUILD, Club

LOBBY, SEEKERS = ChannelId(950), RoleId(77)


class PaperCalls:
    """A channel with lines."""

    def __init__(self) -> None:
        self.lines: dict[Posted, str] = {}
        self.nonces: dict[str, Posted] = {}
        self.asked: list[datetime | None] = []
        self.trouble: list[Exception] = []
        self.hidden = False

    def shows(self, guild_id: GuildId, channel: ChannelId, match: Match) -> bool:
        return not self.hidden

    async def call(
        self, match: Match, channel: ChannelId, role: RoleId, *, nonce: str, since: datetime | None
    ) -> Posted:
        self.asked.append(since)
        assert (channel, role) == (LOBBY, SEEKERS)
        if nonce not in self.nonces:
            self.nonces[nonce] = Posted(channel, MessageId(7000 + len(self.nonces)))
            self.lines[self.nonces[nonce]] = match.id
        if self.trouble:
            raise self.trouble.pop()
        return self.nonces[nonce]

    async def erase(self, posted: Posted) -> None:
        del self.lines[posted]


class LobbyShown(Handler):
    """Lobbies that are always as they should be."""

    kinds = frozenset({LOBBY_KIND})

    async def make(self, claim: Claim) -> Done:
        return Done()


class House:
    """A club whose server has a lobby and a role."""

    def __init__(self, store: Store) -> None:
        self.club = Club(store, limits=Limits(open_offers=100))
        self.board = PaperCalls()
        club, board = self.club, cast(Any, self.board)
        calls = OfferCalls(club.store, club.preferences, board, club.clock)
        self.worker = OutboxWorker(club.store, club.clock, *club.handlers, LobbyShown(), calls)
        club.worker = club.changes.outbox = self.worker

    async def choose(self, **changes: Any) -> None:
        await self.club.preferences.change_server(
            GUILD, ANN.user_id, lambda chosen: replace(chosen, **changes)
        )

    async def offer(self) -> str:
        made = await self.club.offer()
        await self.worker.drain()
        return made.match.id


@pytest.fixture
async def house(store: Store) -> House:
    made = House(store)
    await made.choose(lobby=LOBBY, seekers=SEEKERS)
    return made


async def test_offers_ping_at_most_once_in_half_an_hour_and_the_line_goes(house: House) -> None:
    first = await house.offer()
    await house.offer()
    assert list(house.board.lines.values()) == [first]
    house.club.clock.forward(seconds=CALL_GAP.total_seconds() - 1)
    await house.offer()
    assert list(house.board.lines.values()) == [first]
    house.club.clock.forward(seconds=1)
    await house.worker.drain()
    assert not house.board.lines
    fourth = await house.offer()
    assert list(house.board.lines.values()) == [fourth]


@both
async def test_an_attempt_that_may_have_succeeded_is_not_posted_twice(house: House) -> None:
    house.board.trouble.append(Retry(sent=True))
    first = await house.offer()
    house.club.clock.forward(seconds=120)
    await house.worker.drain()
    assert list(house.board.lines.values()) == [first]
    assert house.board.asked[0] is None
    assert house.board.asked[1] is not None, "looked for before it is posted again"


async def test_nothing_is_pinged_without_a_role_a_lobby_or_an_offer_that_all_may_see(
    house: House,
) -> None:
    await house.choose(seekers=None)
    await house.offer()
    await house.choose(seekers=SEEKERS, lobby=None)
    await house.offer()
    await house.choose(lobby=LOBBY)
    house.board.hidden = True
    await house.offer()
    assert not house.board.lines
    house.board.hidden = False
    seen = await house.offer()
    assert list(house.board.lines.values()) == [seen], "what pinged nobody counts for nothing"


async def test_a_line_that_is_refused_is_given_up(house: House) -> None:
    house.board.trouble.append(Refused("refused_403_50013"))
    await house.offer()
    house.club.clock.forward(hours=2)
    await house.worker.drain()
    assert len(house.board.asked) == 1
