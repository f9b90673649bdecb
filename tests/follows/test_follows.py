"""Following matches and players: who is shown what, when, and until when."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.domain.ids import ChannelId, MessageId, UserId
from bot.domain.match import Actor, Match
from bot.domain.preferences import NoticeWay
from bot.domain.quiet_hours import QuietHours
from bot.errors import UserError
from bot.follows import store as follows
from bot.follows.delivery import FollowedMatches
from bot.follows.store import FOLLOWERS, MOST
from bot.posts.outgoing import Claim, next_digest
from bot.posts.sending import DirectRefused, Gone, Posted
from bot.privacy import store as privacy
from bot.store import Store, notices, outgoing
from tests.support.databases import both
from tests.support.kit import ANN, BOB, CYD, DAN, GUILD, Club


class Board(FollowedMatches):
    """The view of people who follow matches, on paper."""

    def __init__(self, club: Club) -> None:
        paper: Any = self
        super().__init__(club.store, club.clock, club.notices, paper, client=paper)
        self.log: list[tuple[str, int, int]] = []
        self.silent: list[bool] = []
        self.refuses: type[Exception] | None = None
        self.gone = False
        self.hidden: set[UserId] = set()
        self.meanwhile: Callable[[], Awaitable[object]] | None = None

    async def may_see(self, match: Match, user_id: UserId) -> bool:
        return user_id not in self.hidden

    async def post(self, match: Match, user_id: UserId, *, silent: bool, nonce: str) -> Posted:
        if self.refuses is not None:
            raise self.refuses("blocked")
        self.log.append(("post", user_id, match.ply))
        self.silent.append(silent)
        if self.meanwhile is not None:
            await self.meanwhile()
        return Posted(ChannelId(user_id), MessageId(len(self.log)))

    async def find(self, match: Match, user_id: UserId, claim: Claim) -> Posted | None:
        return None

    async def edit(self, match: Match, user_id: UserId, posted: Posted) -> None:
        if self.gone:
            raise Gone("message")
        self.log.append(("edit", user_id, match.ply))

    async def erase(self, posted: Posted) -> None:
        self.log.append(("erase", posted.channel_id, 0))

    async def tell(self, match: Match, user_id: UserId, claim: Claim, *, nonce: str) -> None:
        self.log.append(("tell", user_id, match.ply))


class Stand:
    def __init__(self, store: Store) -> None:
        self.club = club = Club(store)
        self.board = Board(club)
        club.handlers = (*club.handlers, self.board)
        club.worker = club.another_worker()
        self.store = store

    async def follow(self, actor: Actor, match: Match) -> None:
        await self.store.write(follows.follow, actor, match, self.club.clock.now())

    async def unfollow(self, actor: Actor, match: Match) -> bool:
        now = self.club.clock.now()
        return await self.store.write(follows.unfollow, actor.user_id, match.id, now)

    async def follow_player(self, actor: Actor, other: UserId) -> None:
        now = self.club.clock.now()
        await self.store.write(follows.follow_player, actor.user_id, other, GUILD, now)

    async def is_following(self, actor: Actor, match: Match) -> bool:
        return await self.store.read(follows.followed, actor.user_id, match.id) is not None

    async def followed_by(self, actor: Actor) -> tuple[object, ...]:
        return (
            *await self.store.read(follows.followed_by, actor.user_id),
            *await self.store.read(follows.players_followed, actor.user_id),
        )

    async def drain(self) -> None:
        for _ in range(3):
            await self.club.worker.drain()
            self.club.clock.forward(seconds=5)

    def seen(self) -> list[tuple[str, int]]:
        found, self.board.log = self.board.log, []
        return [(what, ply) for what, _, ply in found]


@pytest.fixture
async def stand(store: Store) -> Stand:
    return Stand(store)


async def _match(stand: Stand) -> Match:
    match_id = await stand.club.start(BOB)
    return await stand.club.service.match(ANN, match_id)


async def test_a_followed_match_is_one_message_edited_after_each_move_and_then_told(
    stand: Stand,
) -> None:
    match = await _match(stand)
    await stand.follow(CYD, match)
    await stand.drain()
    assert stand.seen() == [("post", 0)]
    assert stand.board.silent == [False]
    await stand.club.play(match.id, "a1")
    await stand.drain()
    assert stand.seen() == [("edit", 1)]
    await stand.club.play(match.id, "b2 c3")
    await stand.drain()
    assert stand.seen() == [("edit", 3)]
    await stand.club.resign(BOB, match.id)
    await stand.drain()
    assert stand.seen() == [("edit", 3), ("tell", 3)]
    assert not await stand.is_following(CYD, match)
    assert await stand.followed_by(CYD) == ()


async def test_nobody_follows_their_own_match_or_more_than_there_is_room_for(stand: Stand) -> None:
    match = await _match(stand)
    with pytest.raises(UserError, match="follow_own"):
        await stand.follow(ANN, match)
    for number in range(MOST):
        await stand.follow_player(CYD, type(CYD.user_id)(1000 + number))
    with pytest.raises(UserError, match="follow_many"):
        await stand.follow_player(CYD, BOB.user_id)
    with pytest.raises(UserError, match="follow_self"):
        await stand.follow_player(CYD, CYD.user_id)
    await stand.club.resign(BOB, match.id)
    over = await stand.club.service.match(ANN, match.id)
    with pytest.raises(UserError, match="match_over"):
        await stand.follow(CYD, over)


async def test_who_follows_a_player_sees_their_next_match_and_the_players_do_not(
    stand: Stand,
) -> None:
    await stand.follow_player(CYD, BOB.user_id)
    await stand.follow_player(DAN, ANN.user_id)
    await stand.follow_player(ANN, BOB.user_id)
    match = await _match(stand)
    await stand.drain()
    posted = sorted(user for what, user, _ in stand.board.log)
    assert posted == [CYD.user_id, DAN.user_id]
    assert await stand.unfollow(CYD, match)
    assert not await stand.unfollow(CYD, match)
    stand.board.log = []
    await stand.club.play(match.id, "a1")
    await stand.drain()
    assert sorted((what, user) for what, user, _ in stand.board.log) == [
        ("edit", DAN.user_id),
        ("erase", CYD.user_id),
    ]
    assert await stand.store.write(follows.unfollow_player, DAN.user_id, ANN.user_id, GUILD)


async def test_who_is_blocked_follows_a_player_no_longer(stand: Stand) -> None:
    await stand.follow_player(CYD, BOB.user_id)
    await stand.club.preferences.block(BOB.user_id, CYD.user_id)
    assert await stand.followed_by(CYD) == ()
    with pytest.raises(UserError, match="follow_blocked"):
        await stand.follow_player(CYD, BOB.user_id)


async def test_a_block_ends_the_following_of_matches_and_takes_their_message_away(
    stand: Stand,
) -> None:
    await stand.follow_player(CYD, ANN.user_id)
    match = await _match(stand)
    await stand.follow(DAN, match)
    await stand.drain()
    await stand.club.preferences.block(BOB.user_id, CYD.user_id)
    stand.board.log = []
    await stand.club.play(match.id, "a1")
    await stand.drain()
    assert sorted((what, user) for what, user, _ in stand.board.log) == [
        ("edit", DAN.user_id),
        ("erase", CYD.user_id),
    ]
    with pytest.raises(UserError, match="follow_blocked"):
        await stand.follow(CYD, match)
    await stand.club.resign(BOB, match.id)
    again = await _match(stand)
    assert not await stand.is_following(CYD, again), "a player who blocked them plays in it"


@pytest.mark.parametrize("why", ["left", "blocked", "deleted"])
async def test_following_ends_where_it_cannot_go_on(stand: Stand, why: str) -> None:
    match = await _match(stand)
    await stand.follow(CYD, match)
    if why == "blocked":
        stand.board.refuses = DirectRefused
    await stand.drain()
    stand.board.gone = why == "deleted"
    if why == "left":
        stand.board.hidden.add(CYD.user_id)
    await stand.club.play(match.id, "a1")
    await stand.drain()
    assert not await stand.is_following(CYD, match)
    chosen = await stand.club.preferences.of(CYD.user_id)
    assert (chosen.direct_refused is not None) is (why == "blocked")


async def test_the_result_waits_for_the_end_of_quiet_hours_and_edits_do_not(stand: Stand) -> None:
    now = stand.club.clock.now()
    await stand.club.preferences.change(
        CYD.user_id, lambda chosen: replace(chosen, quiet=QuietHours(now.hour, (now.hour + 2) % 24))
    )
    match = await _match(stand)
    await stand.follow(CYD, match)
    await stand.drain()
    assert stand.board.silent == [True]
    await stand.club.play(match.id, "a1")
    await stand.club.resign(BOB, match.id)
    await stand.drain()
    assert ("tell", 1) not in stand.seen()
    stand.club.clock.forward(hours=3)
    await stand.drain()
    assert stand.seen() == [("edit", 1), ("tell", 1)]


async def test_who_wants_no_notices_sees_the_message_and_is_told_nothing(stand: Stand) -> None:
    await stand.club.preferences.change(
        CYD.user_id, lambda chosen: replace(chosen, way=NoticeWay.NOTHING)
    )
    match = await _match(stand)
    await stand.follow(CYD, match)
    await stand.drain()
    await stand.club.resign(BOB, match.id)
    await stand.drain()
    assert stand.seen() == [("post", 0), ("edit", 0)]
    assert stand.board.silent == [True]


async def test_a_digest_tells_what_has_become_of_it(stand: Stand, store: Store) -> None:
    await stand.club.preferences.change(
        CYD.user_id, lambda chosen: replace(chosen, way=NoticeWay.DIGEST)
    )
    match = await _match(stand)
    await store.write(
        outgoing.plan, next_digest(CYD.user_id, stand.club.clock.now().replace(year=2099))
    )
    await stand.follow(CYD, match)
    await stand.club.play(match.id, "a1 b2")
    await stand.club.resign(BOB, match.id)
    await stand.drain()
    assert stand.seen() == []
    news = await store.read(notices.news_for, CYD.user_id, stand.club.clock.now())
    assert {each.notice.value for each in news} == {"followed"}
    assert news[-1].match.result is not None
    assert not await stand.is_following(CYD, match)


@both
async def test_what_a_player_follows_is_exported_and_erased_with_them(
    stand: Stand, store: Store
) -> None:
    match = await _match(stand)
    await stand.follow(CYD, match)
    await stand.follow_player(CYD, BOB.user_id)
    held = await store.read(privacy.held_about, CYD.user_id, stand.club.clock.now())
    for table in ("follows", "fans", "outbox"):
        rows = held[table]
        assert isinstance(rows, list)
        assert len(rows) == 1, table
    await store.write(privacy.forget, CYD.user_id, type(CYD.user_id)(-9), stand.club.clock.now())
    assert await stand.followed_by(CYD) == ()
    await stand.drain()
    assert stand.seen() == []


async def test_a_message_goes_that_was_posted_while_its_reader_stopped_following(
    stand: Stand,
) -> None:
    match = await _match(stand)
    await stand.follow(CYD, match)
    stand.board.meanwhile = lambda: stand.unfollow(CYD, match)
    await stand.drain()
    assert stand.seen() == [("post", 0), ("erase", 0)]


@pytest.mark.long
async def test_matches_of_followed_players_count_towards_what_one_can_follow(
    stand: Stand, store: Store
) -> None:
    await stand.follow_player(CYD, BOB.user_id)
    for _ in range(MOST + 1):
        await _match(stand)
    assert len(await store.read(follows.followed_by, CYD.user_id)) == MOST


@pytest.mark.long
async def test_no_more_people_are_shown_a_match_of_followed_players_than_may_follow_one(
    stand: Stand, store: Store
) -> None:
    for number in range(FOLLOWERS):
        stand.club.clock.forward(seconds=1)
        await store.write(
            follows.follow_player,
            UserId(5000 + number),
            (ANN, BOB)[number % 2].user_id,
            GUILD,
            stand.club.clock.now(),
        )
    stand.club.clock.forward(seconds=1)
    await store.write(follows.follow_player, UserId(99), ANN.user_id, GUILD, stand.club.clock.now())
    match = await _match(stand)
    assert await store.read(follows.followed, UserId(5000), match.id) is not None
    assert await store.read(follows.followed, UserId(99), match.id) is None
