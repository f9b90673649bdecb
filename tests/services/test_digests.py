"""Digests: one a day, at the hour that was chosen, about what waits, and nothing otherwise."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from bot.domain.clock import TimeControl
from bot.domain.ids import ChannelId, MatchId, UserId
from bot.domain.match import Place, Venue
from bot.domain.preferences import NoticeWay
from bot.domain.requests import RequestKind
from bot.follows import store as follows
from bot.posts.notices import NOTICES, AnyNotice, NoticeKind, RequestNews
from bot.posts.outgoing import DIGEST
from bot.posts.sending import DirectRefused, Gone, Refused, Retry
from bot.store import Store, notices
from tests.support.databases import both
from tests.support.kit import ANN, BOB, CYD, DAN, Club, HandClock, person, waiting

BERLIN = "Europe/Berlin"
THREE_DAYS = TimeControl(timedelta(days=3), per_move=True)


async def digesting(store: Store, *, at: str = "2026-01-10 06:00", **choices: Any) -> Club:
    """Bob has a digest at nine in Berlin, which is at eight in UTC."""
    club = Club(store, HandClock(datetime.fromisoformat(at).replace(tzinfo=UTC)))
    chosen = {"way": NoticeWay.DIGEST, "zone": BERLIN, "digest_hour": 9, **choices}
    await club.choose(BOB, **chosen)
    return club


async def sweep(club: Club) -> int:
    """Send what is due; returns how many digests that were."""
    before = len(club.discord.digests)
    await club.worker.drain()
    return len(club.discord.digests) - before


async def due(club: Club) -> list[datetime]:
    """When digests are due."""
    return [each.due_at for each in await waiting(club.store, DIGEST)]


async def test_a_digest_lists_what_waits_once_a_day_and_nothing_that_does_not(store: Store) -> None:
    club = await digesting(store)
    first, second = await club.start(BOB), await club.start(BOB)
    await club.start(ANN, by=BOB)
    await club.start(CYD)
    await club.play(first, "b2")
    assert await sweep(club) == 0, "it is not nine in Berlin"
    club.clock.forward(hours=2)
    assert await sweep(club) == 1
    assert await sweep(club) == 0
    ((who, what),) = club.discord.digests
    assert who == BOB.user_id
    assert first in what
    assert second not in what
    assert len(what) == 2
    club.clock.forward(hours=24)
    assert await sweep(club) == 1


async def test_digests_that_keep_failing_keep_nobody_behind_them_waiting(store: Store) -> None:
    club = await digesting(store, digest_hour=10)
    club.worker = club.another_worker(at_once=1)
    await club.start(ANN, by=BOB)
    failing = {UserId(number) for number in range(100, 103)}  # three times as many as at once
    for user in failing:
        await club.preferences.change(
            user, lambda before: replace(before, way=NoticeWay.DIGEST, digest_hour=8)
        )
        await club.start(ANN, by=person(user))
    send = club.discord.digest

    async def digest(user_id: UserId, *args: Any, **more: Any) -> None:
        if user_id in failing:
            raise Retry
        return await send(user_id, *args, **more)

    club.discord.digest = digest
    club.clock.forward(hours=3, seconds=10)
    assert await sweep(club) == 1
    assert [who for who, _ in club.discord.digests] == [BOB.user_id]


async def test_a_reminder_that_is_refused_keeps_no_match_from_a_digest(store: Store) -> None:
    club = await digesting(store, reminders=(71,))
    timed = await club.start(BOB, clock=THREE_DAYS)
    await club.play(timed, "b2")
    waits = {timed, await club.start(ANN, by=BOB)}
    club.discord.closed.add(BOB.user_id)
    club.clock.forward(minutes=70)
    await sweep(club)
    assert [(match, player) for match, _, player, _ in club.discord.reminded] == [(timed, 1)]
    club.discord.told.clear()
    club.clock.forward(hours=1)
    await sweep(club)
    told = [(each.match_id, each.notice) for each in club.discord.told]
    assert sorted(told) == sorted((each, NoticeKind.TURN) for each in waits)
    assert (await club.preferences.of(BOB.user_id)).present_way is NoticeWay.MENTION


@both
@pytest.mark.parametrize(
    ("trouble", "way"),
    [
        (DirectRefused("no server in common"), NoticeWay.MENTION),
        (Refused("blocked"), NoticeWay.DIGEST),
        (Gone("channel"), NoticeWay.DIGEST),
    ],
)
async def test_a_refused_digest_is_mention(
    store: Store, trouble: Exception, way: NoticeWay
) -> None:
    club = await digesting(store)
    waiting = {await club.start(ANN, by=BOB), await club.start(ANN, by=BOB)}
    await club.start(BOB)
    await club.worker.drain()
    club.discord.told.clear()
    club.clock.forward(hours=2)
    club.discord.trouble.append(("digest", trouble))
    assert await sweep(club) == 0
    assert await sweep(club) == 0
    told = [(each.match_id, each.notice, each.to.user_id) for each in club.discord.told]
    assert len(told) == 2
    assert set(told) == {(each, NoticeKind.TURN, BOB.user_id) for each in waiting}
    assert all(each.to.channel_id in club.discord.threads for each in club.discord.told)
    assert (await club.preferences.of(BOB.user_id)).present_way is way
    match_id = waiting.pop()
    await club.plays(match_id, "b2")
    lines = [each for each in club.discord.messages.values() if each.kind == "turn"]
    assert [each.match_id for each in lines].count(match_id) == 1, "that of Ann"


async def test_a_refused_digest_mentions_what_waits_for_an_answer(store: Store) -> None:
    club = await digesting(store)
    match_id = await club.start(BOB)
    await club.ask(ANN, match_id, RequestKind.DRAW)
    offered = await club.offer(BOB, by=CYD)
    await club.worker.drain()
    club.discord.told.clear()
    club.discord.closed.add(BOB.user_id)
    club.clock.forward(hours=2)
    await sweep(club)
    asked = NOTICES["draw_asked"]
    assert {
        (each.match_id, each.player, each.notice, each.silent) for each in club.discord.told
    } == {
        (match_id, 1, asked, False),
        (offered.match.id, 1, NoticeKind.CHALLENGED, False),
    }
    kinds = [each.kind for each in club.discord.messages.values()]
    assert (kinds.count(asked.value), kinds.count("challenged")) == (1, 1), "each stands once"
    await club.answer(BOB, match_id, RequestKind.DRAW, accept=False)
    await club.accept(BOB, offered)
    await club.worker.drain()
    assert [how for *_, how in club.discord.closed_requests] == [RequestNews.DECLINED]
    assert "challenged" not in {each.kind for each in club.discord.messages.values()}


async def test_mentions_instead_of_a_refused_digest_are_made_in_the_end(store: Store) -> None:
    club = await digesting(store)
    for _ in range(2):
        await club.start(ANN, by=BOB)
    await club.worker.drain()
    club.discord.told.clear()
    club.discord.closed.add(BOB.user_id)
    club.clock.forward(hours=2)
    club.discord.trouble.append(("notify", Retry()))
    await sweep(club)
    assert (await club.preferences.of(BOB.user_id)).present_way is NoticeWay.DIGEST
    club.clock.forward(seconds=1)
    await sweep(club)
    assert len({each.match_id for each in club.discord.told}) == 2
    assert (await club.preferences.of(BOB.user_id)).present_way is NoticeWay.MENTION


async def test_a_refused_digest_mentions_no_match_of_direct_messages(store: Store) -> None:
    club = await digesting(store)
    direct = Place(None, ChannelId(77))
    await club.start(ANN, by=BOB, place=direct, venue=Venue.DIRECT)
    await club.worker.drain()
    club.discord.closed.add(BOB.user_id)
    club.discord.told.clear()
    club.clock.forward(hours=2)
    assert await sweep(club) == 0
    assert club.discord.told == []
    assert (await club.preferences.of(BOB.user_id)).direct_refused is not None


async def test_news_of_matches_in_direct_messages_wait_for_who_closed_them(store: Store) -> None:
    club = await digesting(store)
    direct = Place(None, ChannelId(77))
    lost = await club.start(BOB, place=direct, venue=Venue.DIRECT)
    goes_on = await club.start(BOB, place=direct, venue=Venue.DIRECT)
    await club.resign(ANN, lost)
    await club.ask(BOB, goes_on, RequestKind.DRAW)
    await club.answer(ANN, goes_on, RequestKind.DRAW, accept=False)
    await club.worker.drain()
    club.discord.closed.add(BOB.user_id)
    club.clock.forward(hours=2)
    await club.dies_before(notices.hand_back)
    club.clock.forward(minutes=1)
    assert await sweep(club) == 0
    await sweep(club)
    owed: set[tuple[MatchId, AnyNotice]]
    owed = {(lost, NoticeKind.OVER), (goes_on, NOTICES["draw_declined"])}

    def told() -> set[tuple[MatchId, AnyNotice | None]]:
        return {
            (each.match.id, each.delivery.notice) for each in club.blocked.owed_to(BOB.user_id)[1]
        }

    await club.blocked.look()
    assert told() == owed, "they are told at their next word, each once"
    assert await store.read(notices.news_for, BOB.user_id, club.clock.at) == ()
    club.discord.closed.clear()
    club.clock.forward(hours=2)
    await sweep(club)
    mine = [each for each in club.discord.told if each.to.user_id == BOB.user_id]
    assert sorted((each.match_id, each.notice.value) for each in mine) == sorted(
        (match_id, notice.value) for match_id, notice in owed
    )
    await club.blocked.look()
    assert told() == set()


async def test_what_another_refusal_kept_from_a_digest_is_in_the_next(store: Store) -> None:
    club = await digesting(store)
    direct = Place(None, ChannelId(77))
    match_id = await club.start(BOB, place=direct, venue=Venue.DIRECT)
    await club.resign(ANN, match_id)
    await club.worker.drain()
    club.clock.forward(hours=2)
    club.discord.trouble.append(("digest", Refused("blocked")))
    assert await sweep(club) == 0
    assert await told(club) == [{(match_id, NoticeKind.OVER)}]
    assert await told(club) == []


@pytest.mark.parametrize(
    ("choice", "sent"), [({"way": NoticeWay.MENTION}, 0), ({"theme": "light"}, 1)]
)
async def test_no_digest_comes_after_one_has_chosen_otherwise(
    store: Store, choice: Any, sent: int
) -> None:
    club = await digesting(store)
    await club.start(ANN, by=BOB)
    club.clock.forward(hours=2)
    await club.choose(BOB, **choice)
    assert await sweep(club) == sent


# ---- what has happened ---------------------------------------------------------------------------


async def told(club: Club) -> list[set[tuple[MatchId, AnyNotice]]]:
    """Let the day pass until the next digest; what it tells beside the matches that wait."""
    await club.worker.drain()
    club.clock.forward(hours=24)
    before = len(club.discord.news)
    await sweep(club)
    return [set(news) for _, news in club.discord.news[before:]]


async def test_a_digest_tells_once_of_what_began_ended_and_was_answered(store: Store) -> None:
    club = await digesting(store)
    ended = await club.start(BOB)
    await club.resign(ANN, ended)
    offered = await club.offer(BOB, CYD, DAN, game="pythagoras")
    for guest in (BOB, CYD, DAN):
        await club.accept(guest, offered)
    accepted, declined = await club.offer(ANN, by=BOB, seat=1), await club.offer(CYD, by=BOB)
    await club.accept(ANN, accepted)
    await club.decline(CYD, declined.match.id)
    assert await told(club) == [
        {
            (ended, NoticeKind.OVER),
            (offered.match.id, NoticeKind.STARTED),
            (accepted.match.id, NoticeKind.STARTED),
            (declined.match.id, NoticeKind.DECLINED),
        }
    ]
    assert not [each for each in club.discord.told if each.to.user_id == BOB.user_id]
    assert await told(club) == []


async def test_what_is_past_when_the_digest_comes_is_left_out(store: Store) -> None:
    club = await digesting(store)
    match_id = await club.begun(BOB, clock=THREE_DAYS)
    for wish in (RequestKind.PAUSE, RequestKind.DRAW):
        await club.ask(BOB, match_id, wish)
        await club.answer(ANN, match_id, wish, accept=wish is RequestKind.PAUSE)
    await club.worker.drain()
    assert {
        each.notice for each in await store.read(notices.news_for, BOB.user_id, club.clock.at)
    } == {
        NoticeKind.PAUSED,
        NOTICES["draw_declined"],
    }
    await club.resume(ANN, match_id)
    assert await told(club) == [
        {(match_id, NOTICES["draw_declined"]), (match_id, NoticeKind.RESUMED)}
    ]


async def test_what_waits_for_an_answer_is_listed_until_it_is_answered(store: Store) -> None:
    club = await digesting(store)
    match_id = await club.start(BOB)
    await club.ask(ANN, match_id, RequestKind.DRAW)
    offered = await club.offer(BOB, by=CYD)
    await told(club)
    await told(club)
    asked = {match_id, offered.match.id}
    assert [(who, set(what)) for who, what in club.discord.asked] == [(BOB.user_id, asked)] * 2
    await club.answer(BOB, match_id, RequestKind.DRAW, accept=False)
    await club.decline(BOB, offered.match.id)
    await told(club)
    assert len(club.discord.digests) == 2


async def test_where_no_digest_gets_through_news_are_told_in_their_matches(store: Store) -> None:
    club = await digesting(store)
    match_id = await club.start(BOB)
    await club.resign(ANN, match_id)
    await club.worker.drain()
    club.discord.closed.add(BOB.user_id)
    assert await told(club) == []
    mine = [each for each in club.discord.told if each.to.user_id == BOB.user_id]
    assert [(each.match_id, each.notice) for each in mine] == [(match_id, NoticeKind.OVER)]
    assert mine[0].to.channel_id in club.discord.threads
    assert await told(club) == []
    assert len([each for each in club.discord.told if each.to.user_id == BOB.user_id]) == 1


async def test_who_leaves_digests_finds_nothing_old_in_a_later_one(store: Store) -> None:
    club = await digesting(store)
    match_id = await club.start(BOB)
    await club.resign(ANN, match_id)
    await club.worker.drain()
    for way in (NoticeWay.MENTION, NoticeWay.DIGEST):
        await club.preferences.change(BOB.user_id, partial(replace, way=way))
    assert await told(club) == []


@pytest.mark.parametrize("trouble", [DirectRefused("403"), Refused("blocked")])
async def test_news_of_followed_matches_outlast_a_digest(store: Store, trouble: Refused) -> None:
    club = await digesting(store)
    match_id = await club.start(CYD)
    await club.resign(ANN, match_id)
    over = await club.service.match(BOB, match_id)
    await store.write(follows.tell_in_digest, BOB.user_id, over, club.clock.at, is_over=True)
    await club.worker.drain()
    await club.blocked.look()
    assert not club.blocked.has_unread(BOB.user_id), "its digest is to come"
    club.clock.forward(hours=2)
    club.discord.trouble.append(("digest", trouble))
    assert await sweep(club) == 0
    await club.blocked.look()
    no_more = isinstance(trouble, DirectRefused)
    assert club.blocked.has_unread(BOB.user_id) is no_more
    if no_more:
        await club.choose(BOB, direct_refused=None)
        await club.blocked.look()
        assert not club.blocked.has_unread(BOB.user_id), "one is to come again"
    assert await told(club) == [{(match_id, NoticeKind.FOLLOWED)}]
    assert await told(club) == []
