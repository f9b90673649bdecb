"""The kit for tests of matches: a clock to turn, people, a Discord that records its input."""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random
from typing import Any

import pytest
from sqlalchemy import select

import bot.features  # noqa: F401 - the match has its features
from bot.domain import offer_answers, play, request_rules, stalled
from bot.domain.history import verify
from bot.domain.ids import ChannelId, GuildId, InteractionId, MatchId, MessageId, UserId
from bot.domain.match import Actor, Match, MatchStatus, Place, Scope
from bot.domain.requests import RequestKind
from bot.domain.vacation import UserVacation
from bot.errors import UserError
from bot.posts.notices import AnyNotice, RequestNews
from bot.posts.outgoing import DIGEST, VACATION, Claim, Outgoing
from bot.posts.sending import (
    DeliveryKind,
    DirectRefused,
    Gone,
    MatchClaim,
    News,
    Notice,
    Posted,
    Recipient,
    Reminder,
    Retry,
    VacationNews,
)
from bot.services.blocked import Blocked
from bot.services.match_changes import Answer, Decision, MatchChanges
from bot.services.matches import MatchService
from bot.services.outbox_worker import OutboxWorker
from bot.services.pairing import Limits, Pairing
from bot.services.preferences import PreferenceService
from bot.services.rate_limits import ServerShares
from bot.services.ratings import RatingService
from bot.services.untold_turns import UntoldTurns
from bot.services.vacations import VacationService
from bot.store import Store, transactions
from bot.store.outbox import next_due
from bot.store.pairing import facts
from bot.store.records import PairingCheck, PairingFacts
from bot.store.rows import made
from bot.store.tables import outbox
from bot.ui.delivery.match_deliveries import MatchDeliveries
from bot.ui.delivery.notices import Notices
from bot.ui.delivery.timed import Digests, Reminders, VacationWords
from tests.support.databases import answer_instead

START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
GUILD = GuildId(900)
CHANNEL = ChannelId(901)
PLACE = Place(GUILD, CHANNEL)


def person(number: int, *, guild: GuildId | None = GUILD, is_bot: bool = False) -> Actor:
    return Actor(UserId(number), guild, is_bot)


ANN, BOB, CYD, DAN = (person(number) for number in (1, 2, 3, 4))


class HandClock:
    """A clock that moves only when it is told to."""

    def __init__(self, now: datetime = START) -> None:
        self.at = now
        self._jumped = timedelta()

    def now(self) -> datetime:
        return self.at

    def seconds(self) -> float:
        return (self.at - START - self._jumped).total_seconds()

    def jump(self, **by: float) -> None:
        """Be put ahead or back, while no time passes."""
        self._jumped += timedelta(**by)
        self.at += timedelta(**by)

    def forward(self, **by: float) -> None:
        self.at += timedelta(**by)


@dataclass
class Message:
    id: MessageId
    channel_id: ChannelId
    kind: str
    match_id: MatchId
    version: int
    at: datetime
    retired: bool = False


@dataclass
class Told:
    """A notice that reached a player."""

    match_id: MatchId
    ply: int
    player: int
    notice: AnyNotice
    to: Recipient
    silent: bool = False
    since: int = 0
    """The version at which the position arose."""


_IDS = itertools.count(5000)
"""The ids of messages go on, no matter who posts them, as those of Discord do."""


@dataclass
class PaperDiscord:
    """A messenger that keeps what it is told. A nonce makes one message, however often it comes.

    ``trouble`` holds errors to raise instead, the next first; an entry is a name of a method and
    the error. ``before`` is called at the begin of every call.
    """

    messages: dict[MessageId, Message] = field(default_factory=dict)
    told: list[Told] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    updates: list[tuple[Match, Posted]] = field(default_factory=list)
    redrawn: list[tuple[Match, Posted]] = field(default_factory=list)
    """The messages that were drawn again in place."""
    threads: list[ChannelId] = field(default_factory=list)
    trouble: deque[tuple[str, Exception]] = field(default_factory=deque)
    before: Callable[[str], None] = lambda _: None
    closed: set[UserId] = field(default_factory=set)
    """The people without direct messages."""
    deleted: set[ChannelId] = field(default_factory=set)
    """Channels that are not there any more."""
    reminded: list[tuple[MatchId, int, int, bool]] = field(default_factory=list)
    """Match, ply, player index, and whether it was a direct message."""
    digests: list[tuple[UserId, tuple[MatchId, ...]]] = field(default_factory=list)
    asked: list[tuple[UserId, tuple[MatchId, ...]]] = field(default_factory=list)
    """For each digest the matches that wait for an answer."""
    news: list[tuple[UserId, tuple[tuple[MatchId, AnyNotice], ...]]] = field(default_factory=list)
    """For each digest what it tells beside these."""
    holidays: list[tuple[UserId, bool, bool]] = field(default_factory=list)
    """Those we told about their vacation, whether it was over, and whether by direct message."""
    closed_requests: list[tuple[MatchId, int | None, RequestNews]] = field(default_factory=list)
    """The requests by player, with their ends."""
    outdated: list[Posted] = field(default_factory=list)
    """Boards of which it was said that they are not the present ones."""
    nonces: dict[str, Posted] = field(default_factory=dict)
    clock: HandClock = field(default_factory=HandClock)
    _ids: itertools.count[int] = field(default_factory=lambda: _IDS)
    _threads_on: dict[Posted, ChannelId] = field(default_factory=dict)
    _digested: list[tuple[UserId, datetime]] = field(default_factory=list)

    def _call(self, name: str, direct_to: UserId | None = None) -> None:
        self.calls.append(name)
        self.before(name)
        if self.trouble and self.trouble[0][0] == name:
            raise self.trouble.popleft()[1]
        if direct_to in self.closed:
            raise DirectRefused("refused_403_50007")

    def _post(self, kind: str, match: Match | None, to: Recipient, nonce: str) -> Posted:
        assert len(nonce) <= 25
        if to.channel_id in self.deleted:
            raise Gone("10003")
        known = self.nonces.get(nonce)
        if known is not None:
            return known
        channel = to.channel_id or ChannelId(to.user_id or 0)
        posted = Posted(channel, MessageId(next(self._ids)))
        self.nonces[nonce] = posted
        about = (MatchId(""), 0) if match is None else (match.id, match.version)
        self.messages[posted.message_id] = Message(
            posted.message_id, channel, kind, *about, self.clock.at
        )
        return posted

    async def show_offer(
        self,
        match: Match,
        to: Recipient,
        posted: Posted | None = None,
        *,
        nonce: str = "",
        pings: tuple[UserId, ...] = (),
    ) -> Posted:
        if posted is not None:
            self._call("update_offer")
            self.updates.append((match, posted))
            return posted
        self._call("post_offer")
        self.pinged = pings
        return self._post("offer", match, to, nonce)

    async def find_offer(self, match: Match, to: Recipient, *, since: datetime) -> Posted | None:
        self._call("find_offer")
        return next(self._there("offer", match, to, since), None)

    def _there(
        self, kind: str, match: Match | None, to: Recipient, since: datetime
    ) -> Iterator[Posted]:
        for each in self.messages.values():
            there = (each.channel_id, each.kind) == (to.channel_id or to.user_id, kind)
            is_meant = match is None or each.match_id == match.id
            if there and is_meant and each.at >= since:
                yield Posted(each.channel_id, each.id)

    async def make_thread(
        self, match: Match, offer: Posted | None, *, may_exist: bool = False
    ) -> ChannelId:
        self._call("make_thread")
        if offer is not None and offer in self._threads_on:
            return self._threads_on[offer]
        thread = ChannelId(next(self._ids))
        self.threads.append(thread)
        if offer is not None:
            self._threads_on[offer] = thread
        return thread

    async def show_board(
        self,
        match: Match,
        to: Recipient,
        posted: Posted | None = None,
        *,
        nonce: str = "",
        pings: tuple[UserId, ...] = (),
        vacations: tuple[UserVacation, ...] = (),
    ) -> Posted:
        if posted is not None:
            self._call("redraw")
            self.redrawn.append((match, posted))
            return posted
        self._call("post_board", _direct(to))
        self.pinged = pings
        return self._post("board", match, to, nonce)

    async def find_board(
        self, match: Match, to: Recipient, *, version: int, since: datetime, but: Posted | None
    ) -> Posted | None:
        if self.trouble and self.trouble[0][0] == "find_board":
            raise self.trouble.popleft()[1]
        for each in reversed(self.boards(match.id)):
            posted = Posted(each.channel_id, each.id)
            is_meant = version <= each.version <= match.version and each.at >= since
            if posted != but and is_meant:
                return posted
        return None

    def posted_at(self, posted: Posted) -> datetime:
        return self.messages[posted.message_id].at

    async def see(self, posted: Posted) -> None:
        raise NotImplementedError

    async def outdate_board(self, match: Match, posted: Posted) -> None:
        self.outdated.append(posted)

    async def close_request(
        self, match: Match, posted: Posted, player: int | None, how: RequestNews
    ) -> None:
        self._call("close_request")
        self.closed_requests.append((match.id, player, how))

    async def retire_board(self, posted: Posted) -> None:
        self._call("retire_board")
        if posted.message_id not in self.messages:
            raise Gone("unknown message")
        self.messages[posted.message_id].retired = True

    async def notify(self, notice: Notice, to: Recipient, *, silent: bool = False) -> Posted | None:
        match, kind, since, nonce = notice.match, notice.kind, notice.since, notice.nonce
        if isinstance(kind, VacationNews):
            return await self.tell_of_vacation(notice, to)
        if match is None:
            return await self.test_notice(notice.person, to)
        if isinstance(kind, Reminder):
            return await self.remind(notice, to)
        self._call("notify", _direct(to))
        if since is not None:
            for found in self._there(kind.value, match, to, since):
                if found in notice.known:
                    continue
                if self.messages[found.message_id].version >= match.position_since:
                    return found
        if nonce not in self.nonces:
            people = match.players if notice.person in match.players else match.invited
            player = people.index(notice.person)
            told = Told(match.id, match.ply, player, kind, to, silent, match.position_since)
            self._post(kind.value, match, to, nonce)
            self.told.append(told)
        return self._post(kind.value, match, to, nonce)

    async def find_notice(self, notice: Notice, to: Recipient, since: datetime) -> Posted | None:
        match = notice.match
        if isinstance(notice.kind, VacationNews):
            return await self.find_word_of_vacation(notice.kind, to, since=since)
        assert match is not None
        if isinstance(notice.kind, Reminder):
            return await self.find_reminder(match, to, since=since)
        return await self.find_call(notice, match, to, since) if notice.kind.is_call else None

    async def find_call(
        self, notice: Notice, match: Match, to: Recipient, since: datetime
    ) -> Posted | None:
        self._call("find_call")
        found = (
            each
            for each in self._there("turn", match, to, since)
            if self.messages[each.message_id].version < match.position_since
            or match.status is not MatchStatus.RUNNING
        )
        return next((each for each in found if each not in notice.known), None)

    def around(self, match: Match) -> ChannelId | None:
        channel = match.origin.channel_id
        is_open = match.home_id not in (None, channel) and channel not in self.deleted
        return channel if is_open else None

    async def remind(self, notice: Notice, to: Recipient) -> Posted:
        match, nonce = notice.match, notice.nonce
        assert match is not None
        player = match.players.index(notice.person)
        self._call("remind", _direct(to))
        if nonce not in self.nonces:
            self.reminded.append((match.id, match.ply, player, to.channel_id is None))
        return self._post("reminder", match, to, nonce)

    async def find_reminder(self, match: Match, to: Recipient, *, since: datetime) -> Posted | None:
        self._call("find_reminder")
        return next(self._there("reminder", match, to, since), None)

    async def test_notice(self, user_id: UserId, to: Recipient) -> Posted:
        self._call("test_notice", _direct(to))
        return Posted(to.channel_id or ChannelId(user_id), MessageId(next(self._ids)))

    async def tell_of_vacation(self, notice: Notice, to: Recipient) -> Posted:
        assert isinstance(notice.kind, VacationNews)
        is_over = notice.kind.until is None
        self._call("tell_of_vacation", _direct(to))
        if notice.nonce not in self.nonces:
            self.holidays.append((notice.person, is_over, to.channel_id is None))
        return self._post(_of_vacation(notice.kind), notice.match, to, notice.nonce)

    async def find_word_of_vacation(
        self, news: VacationNews, to: Recipient, *, since: datetime
    ) -> Posted | None:
        self._call("find_word_of_vacation")
        return next(self._there(_of_vacation(news), None, to, since), None)

    async def digest(
        self,
        user_id: UserId,
        matches: tuple[Match, ...],
        *,
        asked: tuple[Match, ...] = (),
        news: tuple[News, ...] = (),
        nonce: str,
    ) -> None:
        self._call("digest", user_id)
        assert len(nonce) <= 25
        if nonce not in self.nonces:
            self.nonces[nonce] = Posted(ChannelId(user_id), MessageId(next(self._ids)))
            self.digests.append((user_id, tuple(match.id for match in matches)))
            self.asked.append((user_id, tuple(match.id for match in asked)))
            self.news.append((user_id, tuple((each.match.id, each.notice) for each in news)))
            self._digested.append((user_id, self.clock.at))

    async def find_digest(self, user_id: UserId, *, since: datetime) -> Posted | None:
        self._call("find_digest")
        sent = any(who == user_id and at >= since for who, at in self._digested)
        return Posted(ChannelId(user_id), MessageId(1)) if sent else None

    def loses_answer(self, name: str, after: float | None = None) -> None:
        """Have the next call of that name do what it is to do, and its answer be lost."""
        real = getattr(self, name)

        async def lost(*args: Any, **more: Any) -> None:
            setattr(self, name, real)
            await real(*args, **more)
            raise Retry(after, sent=True)

        setattr(self, name, lost)

    def forget_nonces(self) -> None:
        """As Discord does after some minutes."""
        self.nonces.clear()

    async def erase(self, posted: Posted) -> None:
        self._call("erase")
        if self.messages.pop(posted.message_id, None) is None:
            raise Gone("unknown message")

    def boards(self, match_id: MatchId) -> list[Message]:
        return [m for m in self.messages.values() if m.kind == "board" and m.match_id == match_id]


def _direct(to: Recipient) -> UserId | None:
    """The person to whom a message goes directly."""
    return to.user_id if to.channel_id is None else None


def _of_vacation(news: VacationNews) -> str:
    return "vacation over" if news.until is None else "vacation"


class Club:
    """A service on a store with its outbox, and short words for what people do.

    Without ``limits`` nothing keeps people from being brought together.
    """

    def __init__(
        self,
        store: Store,
        clock: HandClock | None = None,
        *,
        seed: int = 7,
        limits: Limits | None = None,
        discord: PaperDiscord | None = None,
    ) -> None:
        self.store = store
        self.clock = clock or HandClock()
        self.discord = discord or PaperDiscord(clock=self.clock)
        self.preferences = PreferenceService(store, self.clock, seconds=self._seconds)
        self.ratings = RatingService(store, self.clock)
        self.pairing = Pairing(
            store,
            self.preferences,
            self.clock,
            limits or Limits(threads_an_hour=1_000_000),
            ratings=self.ratings,
        )
        pairing = None if limits is None else self.pairing
        shares = ServerShares(self.clock, 1_000_000, seconds=self.clock.seconds)
        messenger: Any = self.discord
        self.notices = Notices(messenger, self.clock, self.preferences, shares)
        self.reminding = Reminders(store, self.notices, self.clock)
        self.deliveries = MatchDeliveries(messenger, self.notices, self.clock, self.pairing, shares)
        told = (store, self.notices, self.clock)
        self.handlers: tuple[Any, ...] = (
            self.deliveries,
            self.reminding,
            Digests(*told),
            VacationWords(*told),
        )
        self.worker = self.another_worker()
        self.blocked = Blocked(store, self.clock, hurried=self.worker.retry_now)
        self.worker.settled = self.blocked.settled
        self.untold_turns = UntoldTurns(store, self.clock)
        self.vacations = VacationService(store, self.clock, allowance=30)
        self.changes = MatchChanges(
            store,
            self.clock,
            outbox=self.worker,
            pairing=pairing,
            vacations=self.vacations,
        )
        self.service = MatchService(store, self.clock, Random(seed), self.changes)
        self._interactions = itertools.count(seed * 1_000_000)

    def _seconds(self) -> float:
        return self.clock.at.timestamp()

    def another_worker(self, store: Store | None = None, *, at_once: int = 8) -> OutboxWorker:
        """A worker such as that of another process."""
        return OutboxWorker(store or self.store, self.clock, *self.handlers, at_once=at_once)

    async def dies_after(self, where: object, name: str) -> None:
        """Have this process die after its next call of that name, before it can go on."""
        real, died = getattr(where, name), asyncio.Event()

        async def last(*args: Any, **more: Any) -> None:
            await real(*args, **more)
            died.set()
            await asyncio.Event().wait()

        object.__setattr__(where, name, last)
        await self._dies(died)
        object.__setattr__(where, name, real)

    async def dies_before(self, transaction: Callable[..., Any]) -> None:
        """Have this process die before its next transaction of that sort."""
        died = asyncio.Event()

        async def last(*_args: Any, **_more: Any) -> None:
            died.set()
            await asyncio.Event().wait()

        with pytest.MonkeyPatch.context() as patch:
            answer_instead(patch, self.store, transaction, last)
            await self._dies(died)

    async def _dies(self, died: asyncio.Event) -> None:
        """Work until then; after it there is another process in the place of this one."""
        working, there = asyncio.create_task(self.worker.drain()), asyncio.create_task(died.wait())
        await asyncio.wait({working, there}, return_when=asyncio.FIRST_COMPLETED)
        assert died.is_set()
        tasks = {working, there, *self.worker._serving}
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        self.worker = self.changes.outbox = self.another_worker()

    async def choose(self, actor: Actor, **choices: Any) -> None:
        """Change what a person has chosen."""
        await self.preferences.change(actor.user_id, lambda own: replace(own, **choices))

    async def later(self, **by: float) -> None:
        """After some time, send what is due then."""
        self.clock.forward(**by)
        await self.worker.drain()

    async def verified(self, match_id: MatchId) -> Match:
        """A match as it is stored, which is what its history leads to."""
        match = await head(self.store, match_id)
        verify(match, await self.store.read(transactions.history, match_id, Scope(GUILD)))
        return match

    def click(self) -> InteractionId:
        return InteractionId(next(self._interactions))

    async def offer(
        self, *opponents: Actor, by: Actor = ANN, seat: int | None = 0, **more: Any
    ) -> Answer:
        more.setdefault("game", "rows")
        more.setdefault("place", PLACE)
        place = more.pop("place")
        return await self.service.challenge(
            by, place, opponents=opponents, seat=seat, interaction_id=self.click(), **more
        )

    async def start(self, *others: Actor, by: Actor = ANN, **more: Any) -> MatchId:
        """A match that runs: ``by`` begins, the others in the order given unless lots are drawn."""
        others = others or (BOB,)
        offered = await self.offer(*others, by=by, **more)
        for other in others:
            await self.service.accept(other, offered.match.id, interaction_id=self.click())
        return offered.match.id

    async def begun(self, *others: Actor, **more: Any) -> MatchId:
        """The same, and all is told about its start."""
        match_id = await self.start(*others, **more)
        await self.worker.drain()
        return match_id

    async def act(
        self,
        actor: Actor,
        match_id: MatchId,
        decide: Decision,
        *,
        click: InteractionId | None = None,
        past: bool = False,
        **more: Any,
    ) -> Answer:
        return await self.service.act(
            actor,
            match_id,
            partial(decide, **more),
            interaction_id=click or self.click(),
            past=past,
        )

    async def accept(
        self, actor: Actor, match_id: MatchId, click: InteractionId | None = None
    ) -> Answer:
        return await self.service.accept(actor, match_id, interaction_id=click or self.click())

    async def decline(self, actor: Actor, match_id: MatchId, **more: Any) -> Answer:
        return await self.act(actor, match_id, offer_answers.decline, **more)

    async def withdraw(self, actor: Actor, match_id: MatchId, **more: Any) -> Answer:
        return await self.act(actor, match_id, offer_answers.withdraw, **more)

    async def resign(self, actor: Actor, match_id: MatchId, **more: Any) -> Answer:
        return await self.act(actor, match_id, play.resign, **more)

    async def abort(self, actor: Actor, match_id: MatchId, **more: Any) -> Answer:
        return await self.act(actor, match_id, stalled.abort, **more)

    async def nudge(self, actor: Actor, match_id: MatchId, **more: Any) -> Answer:
        return await self.act(actor, match_id, stalled.nudge, **more)

    async def claim(self, actor: Actor, match_id: MatchId, **more: Any) -> Answer:
        return await self.act(actor, match_id, stalled.claim, past=True, **more)

    async def ask(self, actor: Actor, match_id: MatchId, wish: RequestKind, **more: Any) -> Answer:
        ask = request_rules.request
        return await self.act(actor, match_id, ask, wish=wish, past=True, **more)

    async def answer(
        self, actor: Actor, match_id: MatchId, wish: RequestKind, *, accept: bool, **more: Any
    ) -> Answer:
        answer = request_rules.answer
        return await self.act(actor, match_id, answer, wish=wish, accept=accept, past=True, **more)

    async def retract(
        self, actor: Actor, match_id: MatchId, wish: RequestKind, **more: Any
    ) -> Answer:
        return await self.act(actor, match_id, request_rules.withdraw, wish=wish, **more)

    async def resume(self, actor: Actor, match_id: MatchId, **more: Any) -> Answer:
        return await self.act(actor, match_id, request_rules.resume, **more)

    async def move(
        self,
        actor: Actor,
        match_id: MatchId,
        text: str,
        *,
        click: InteractionId | None = None,
        **more: Any,
    ) -> Answer:
        return await self.service.move(
            actor, match_id, text=text, interaction_id=click or self.click(), **more
        )

    async def play_as(self, people: tuple[Actor, ...], match_id: MatchId, moves: str) -> Match:
        """Play the moves, each by the one of these people who is on turn."""
        from bot.domain.game_state import player_on_turn

        by_id = {actor.user_id: actor for actor in people}
        match = await self.service.match(people[0], match_id)
        for text in moves.split():
            user = match.players[player_on_turn(match) or 0]
            assert user is not None
            match = (await self.move(by_id[user], match_id, text)).match
        return match

    async def plays(self, match_id: MatchId, moves: str) -> Match:
        """Play the moves, after which all is told about the last."""
        match = await self.play(match_id, moves)
        await self.worker.drain()
        return match

    async def waits(self, **by: float) -> None:
        """Let time pass, with all that comes due when it does."""
        end = self.clock.at + timedelta(**by)
        await self.worker.drain()
        while self.clock.at < end:
            due = await self.store.read(next_due) or end
            self.clock.at = min(end, max(due, self.clock.at + timedelta(minutes=1)))
            await self.worker.drain()

    async def play(self, match_id: MatchId, moves: str) -> Match:
        """Play the moves in the usual server, each by the player on turn."""
        match = await self.service.match(ANN, match_id)
        people = tuple(Actor(user, GUILD) for user in match.players if user is not None)
        return await self.play_as(people, match_id, moves)


async def a_match(store: Store, *others: Actor, **more: Any) -> tuple[Club, MatchId]:
    """A club in which a match has begun and all is told about its start."""
    club = Club(store)
    return club, await club.begun(*others, **more)


async def facts_of(
    store: Store, people: tuple[UserId, ...], guild_id: GuildId | None, since: datetime
) -> PairingFacts:
    """The facts that would decide now whether these people may meet."""
    check = PairingCheck(people, guild_id, since, None, since, lambda _: None)
    return await store.database.read(lambda connection: facts(connection, check))


async def head(store: Store, match_id: MatchId) -> Match:
    """A match as it is stored."""
    match = await store.read(transactions.match, match_id)
    assert match is not None
    return match


def of_match(claim: Claim) -> MatchClaim:
    """The claim, which is a delivery of a match."""
    assert isinstance(claim, MatchClaim)
    return claim


async def waiting(store: Store, kind: str) -> tuple[Outgoing, ...]:
    """The messages of a kind that are still to be sent, in order."""
    found = select(outbox).where(outbox.c.kind == kind).order_by(outbox.c.id)
    rows = await store.database.read(lambda connection: connection.execute(found).all())
    return tuple(made(Outgoing, row, blocks_later=row.holds_up) for row in rows)


async def next_unsent(store: Store) -> datetime | None:
    """When the next message is due, but for those that wait for their hour."""
    planned = (DeliveryKind.REMINDER.value, DIGEST, VACATION)
    is_card = (outbox.c.kind == DeliveryKind.OFFER.value) & (outbox.c.holds_up == 0)
    found = select(outbox.c.due_at, outbox.c.lease_until).where(
        outbox.c.kind.not_in(planned), ~is_card
    )
    rows = await store.database.read(lambda connection: connection.execute(found).all())
    return min(map(max, rows), default=None)


async def refused(code: str, asked: Any) -> dict[str, Any]:
    """The parameters of the refusal with which a question ends."""
    with pytest.raises(UserError) as caught:
        await asked
    assert caught.value.code == code
    return caught.value.params
