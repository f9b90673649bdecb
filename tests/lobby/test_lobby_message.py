"""The lobby: one message a server, whatever happens to it, to us, and to a second process."""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from bot.domain.ids import ChannelId, MatchId, MessageId
from bot.domain.match import Place
from bot.domain.preferences import ServerSettings
from bot.lobby import store as lobbies
from bot.lobby.delivery import GAP, Lobbies, LobbyText
from bot.posts.outgoing import LEASE
from bot.posts.outgoing import LOBBY as LOBBY_KIND
from bot.posts.sending import Gone, Posted, Refused, Retry
from bot.services.outbox_worker import OutboxWorker
from bot.services.pairing import Limits
from bot.store import Store, open_store
from bot.store import standing as stored_standing
from bot.store.opening import sqlite_path
from bot.store.standing import LOOK_AGAIN
from bot.store.tables import outbox
from tests.support.databases import both, lay_sqlite
from tests.support.kit import ANN, BOB, CHANNEL, GUILD, Club
from tests.support.not_none import not_none

LOBBY, OTHER = ChannelId(950), ChannelId(951)


class Killed(Exception):
    """The process is gone in the middle of it."""


class PaperBoard:
    """Channels with messages. ``trouble`` holds a method and what it raises, before or after it."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.messages: dict[Posted, Any] = {}
        self.nonces: dict[str, Posted] = {}
        self.calls: list[str] = []
        self.edits: list[Any] = []
        self.trouble: deque[Any] = deque()
        self.died = asyncio.Event()
        self.ids = itertools.count(7000)

    async def _call(self, name: str, when: str = "before") -> None:
        if when == "before":
            self.calls.append(name)
        if self.trouble and self.trouble[0][:2] == (name, when):
            error = self.trouble.popleft()[2]
            if isinstance(error, Killed):
                self.died.set()
                await asyncio.Event().wait()
            raise error

    async def written(self, standing: Any) -> LobbyText:
        now = self.club.clock.now()
        offers = await self.club.store.read(lobbies.open_offers, standing.guild_id, now)
        said = " ".join(match.id for match in offers)
        return LobbyText([said], said or "nobody")

    async def post(self, standing: Any, sheet: LobbyText, *, nonce: str) -> Posted | Any:
        await self._call("post")
        assert len(nonce) <= 25
        posted = self.nonces.get(nonce)
        if posted is None:
            posted = Posted(standing.channel_id, MessageId(next(self.ids)))
            self.nonces[nonce] = posted
            self.messages[posted] = sheet.components[0]
        await self._call("post", "after")
        return posted

    async def edit(self, posted: Posted, sheet: LobbyText) -> None:
        await self._call("edit")
        self._there(posted)
        self.messages[posted] = sheet.components[0]
        self.edits.append(posted)

    async def find(self, standing: Any, since: Any) -> Any | None:
        await self._call("find")
        found = [each for each in self.messages if each.channel_id == standing.channel_id]
        return found[-1] if found else None

    async def look(self, posted: Posted) -> None:
        await self._call("look")
        self._there(posted)

    async def erase(self, posted: Posted) -> None:
        await self._call("erase")
        self._there(posted)
        del self.messages[posted]

    def _there(self, posted: Posted) -> None:
        if posted not in self.messages:
            raise Gone("message")


class House:
    """A club with a lobby, and two processes that show it."""

    def __init__(self, store: Store) -> None:
        self.club = Club(store, limits=Limits(open_offers=100))
        self.board = PaperBoard(self.club)
        self.worker, self.second = self.process(), self.process()
        self.club.worker = self.club.changes.outbox = self.worker

    def process(self, serves: Any = lambda _: True) -> OutboxWorker:
        club = self.club
        board: Any = self.board
        shows = Lobbies(club.store, board, club.clock)
        worker = OutboxWorker(club.store, club.clock, *club.handlers, shows)
        worker.serves = serves
        return worker

    async def due(self) -> bool:
        """Whether a lobby should be shown now, and no process is at it."""
        now = self.club.clock.now()
        found = select(outbox.c.key).where(
            outbox.c.kind == LOBBY_KIND, outbox.c.due_at <= now, outbox.c.lease_until <= now
        )
        return await self.club.store.database.read(lambda c: c.execute(found).first()) is not None

    async def killed(self, worker: Any) -> None:
        """Have a process die where trouble awaits it, if it comes there."""
        self.board.died.clear()
        working = asyncio.create_task(worker.drain())
        dies = asyncio.create_task(self.board.died.wait())
        await asyncio.wait({working, dies}, return_when=asyncio.FIRST_COMPLETED)
        tasks = {working, dies, *worker._serving}
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)

    async def choose(self, channel: ChannelId | None) -> None:
        await self.club.preferences.change_server(
            GUILD, ANN.user_id, lambda chosen: replace(chosen, lobby=channel)
        )

    async def look(self, worker: Any = None) -> None:
        """Everything that is due and becomes due soon."""
        for _ in range(3):
            self.club.clock.forward(seconds=GAP.total_seconds())
            await (worker or self.worker).drain()

    def shown(self, channel: ChannelId = LOBBY) -> Any | None:
        found = [
            said for posted, said in self.board.messages.items() if posted.channel_id == channel
        ]
        assert len(found) <= 1, "one message"
        return found[0].split() if found else None

    async def open(self) -> list[MatchId]:
        now = self.club.clock.now()
        found = await self.club.store.read(lobbies.open_offers, GUILD, now)
        return [match.id for match in found]


@pytest.fixture
async def house(store: Store) -> House:
    made = House(store)
    await made.choose(LOBBY)
    await made.look()
    assert made.shown() == []
    return made


async def test_many_changes_in_a_moment_make_one_edit_and_edits_keep_their_distance(
    house: House,
) -> None:
    club, board = house.club, house.board
    club.clock.forward(minutes=1)
    for _ in range(10):
        await club.offer()
        await house.worker.drain()
    assert len(board.edits) == 1
    club.clock.forward(seconds=GAP.total_seconds() - 0.1)
    await house.worker.drain()
    assert len(board.edits) == 1
    club.clock.forward(seconds=0.1)
    await house.worker.drain()
    assert len(board.edits) == 2
    assert len(not_none(house.shown())) == 10


async def test_a_deleted_message_is_missed_and_posted_again(house: House) -> None:
    house.board.messages.clear()
    await house.look()
    assert house.shown() is None, "not every moment"
    house.club.clock.forward(seconds=LOOK_AGAIN.total_seconds())
    house.board.trouble.append(("post", "after", Killed()))
    await house.killed(house.worker)
    house.club.clock.forward(minutes=1)
    assert house.shown() == []
    await house.choose(None)
    await house.look()
    assert house.shown() is None, "also one that was posted and not noted goes with the lobby"


@both
async def test_a_process_killed_between_posting_and_noting_it_leaves_one_message(
    store: Store,
) -> None:
    house = House(store)
    await house.choose(LOBBY)
    house.board.trouble.append(("post", "after", Killed()))
    await house.killed(house.worker)
    assert house.shown() == []
    await house.look(house.second)
    assert not await house.due(), "still on the lease of the dead"
    house.club.clock.forward(seconds=LEASE.total_seconds())
    house.board.nonces.clear()
    offered = await house.club.offer()
    await house.look(house.second)
    assert house.shown() == [offered.match.id]
    assert house.board.calls.count("post") == 1


@both
async def test_after_a_restart_every_lobby_is_looked_at_and_only_wrong_ones_are_edited(
    house: House,
) -> None:
    board = house.board
    await house.club.store.write(stored_standing.look_again, LOBBY_KIND, house.club.clock.now())
    await house.second.drain()
    assert (board.edits, board.calls[-1]) == ([], "look")
    assert board.calls.count("look") == 1


@pytest.mark.parametrize(
    ("error", "trouble", "rests"),
    [
        (Refused("refused_403_50013"), "refused_403_50013", timedelta(hours=1)),
        (Gone("channel"), "gone_channel", timedelta(days=1)),
    ],
)
async def test_what_cannot_be_shown_rests_and_says_so_and_goes_on_when_it_can(
    house: House, caplog: pytest.LogCaptureFixture, error: Exception, trouble: str, rests: Any
) -> None:
    board, club = house.board, house.club
    board.trouble.append(("edit", "before", error))
    await club.offer()
    await house.look()
    assert (not_none(await club.store.read(lobbies.note, GUILD))).trouble == trouble
    assert "'kind': 'lobby'" in caplog.text
    tried = board.calls.count("edit")
    await club.offer()
    await house.look()
    assert board.calls.count("edit") == tried, "that is all"
    club.clock.forward(seconds=rests.total_seconds())
    await house.look()
    assert (not_none(await club.store.read(lobbies.note, GUILD))).trouble is None
    assert len(not_none(house.shown())) == len(await house.open())
    board.trouble.append(("edit", "before", error))
    await club.offer()
    await house.look()
    await club.preferences.change_server(GUILD, ANN.user_id, lambda _: ServerSettings())
    await house.choose(LOBBY)
    await house.look()
    assert (not_none(await club.store.read(lobbies.note, GUILD))).trouble is None, (
        "chosen anew, tried anew"
    )


async def test_an_offer_made_in_the_lobbys_channel_has_no_message_of_its_own(house: House) -> None:
    club = house.club
    there = Place(GUILD, LOBBY)
    quiet = await club.offer(place=there)
    await club.worker.drain()
    assert club.discord.messages == {}
    named = await club.offer(BOB, place=there)
    elsewhere = await club.offer()
    await club.worker.drain()
    assert {m.match_id for m in club.discord.messages.values()} == {
        named.match.id,
        elsewhere.match.id,
    }
    await house.look()
    assert set(not_none(house.shown())) == {quiet.match.id, elsewhere.match.id}
    await club.accept(BOB, quiet)
    await club.worker.drain()
    match = await club.service.match(ANN, quiet.match.id)
    assert match.home_id in club.discord.threads


LIVES = itertools.count()


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(
            [
                "offer",
                "take",
                "withdraw",
                "look",
                "second",
                "both",
                "killed",
                "deleted",
                "retry",
                "elsewhere",
                "off",
            ]
        ),
        max_size=25,
    )
)
def test_whatever_happens_it_ends_as_one_message_that_is_right(sqlite_url: str, steps: Any) -> None:
    # Each life has a database of its own: its clock begins again.
    url = f"{sqlite_url}.{next(LIVES)}"
    lay_sqlite(sqlite_path(url))
    asyncio.run(_live_through(url, steps))


async def _live_through(url: str, steps: Any) -> None:
    store = await open_store(url)
    try:
        await _live_in(House(store), steps)
    finally:
        await store.close()


async def _live_in(house: House, steps: Any) -> None:
    club, board = house.club, house.board
    await house.choose(LOBBY)
    where: ChannelId | None = LOBBY
    for step in steps:
        offers = await house.open()
        club.clock.forward(seconds=2)
        match step:
            case "offer":
                await club.offer()
            case "take" if offers:
                await club.accept(BOB, offers[0])
                await club.resign(BOB, offers[0])
            case "withdraw" if offers:
                await club.withdraw(ANN, offers[-1])
            case "look":
                await house.worker.drain()
            case "second":
                await house.second.drain()
            case "both":
                await asyncio.gather(house.worker.drain(), house.second.drain())
            case "killed":
                board.trouble.append(("post", "after", Killed()))
                board.trouble.append(("edit", "before", Killed()))
                await house.killed(house.worker)
                club.clock.forward(minutes=1)
                board.trouble.clear()
            case "deleted":
                board.messages.clear()
                board.nonces.clear()  # Discord remembers them for some minutes
            case "retry":
                board.trouble.append(("edit", "before", Retry(sent=True)))
            case "elsewhere":
                where = OTHER if where == LOBBY else LOBBY
                await house.choose(where)
            case "off":
                where = None
                await house.choose(None)
    board.trouble.clear()
    club.clock.forward(hours=1)
    await house.look(house.second)
    for channel in (LOBBY, OTHER):
        wanted = await house.open() if channel == where else None
        assert house.shown(channel) == wanted
    assert CHANNEL not in {posted.channel_id for posted in board.messages}
    for match_id in await house.open():
        await club.withdraw(ANN, match_id)
    await house.choose(None)
    await house.look()
