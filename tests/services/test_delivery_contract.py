"""The contract of messages with a due time: each reaches its reader, once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.clock import TimeControl
from bot.domain.preferences import NoticeWay
from bot.domain.quiet_hours import QuietHours
from bot.posts.sending import Refused, Retry
from bot.store import Store
from tests.support.databases import both
from tests.support.kit import ANN, BOB, START, Club

DAY = timedelta(days=1)
THREE_DAYS = TimeControl(3 * DAY, per_move=True)


async def _digest(store: Store) -> Club:
    club = Club(store)
    await club.choose(BOB, way=NoticeWay.DIGEST, digest_hour=(START.hour + 2) % 24)
    await club.begun(ANN, by=BOB)
    club.clock.forward(hours=2)
    return club


async def _reminder(store: Store) -> Club:
    club = Club(store)
    await club.choose(BOB, reminders=(24,))
    match_id = await club.start(BOB, clock=THREE_DAYS)
    await club.plays(match_id, "b2")
    await club.later(hours=47)
    club.clock.forward(hours=1)
    return club


async def _vacation(store: Store) -> Club:
    club = Club(store)
    match_id = await club.start(BOB, clock=THREE_DAYS)
    await club.plays(match_id, "b2")
    await club.vacations.begin(BOB.user_id, lambda now: now + 3 * DAY, club.click())
    club.clock.forward(days=3)
    return club


@dataclass(frozen=True)
class Kind:
    """A kind of message: a club in which one has just fallen due, and how it is sent."""

    due: Callable[[Store], Awaitable[Club]]
    call: str
    find: str
    told: Callable[[Club], list[Any]]


KINDS = [
    Kind(_digest, "digest", "find_digest", lambda club: club.discord.digests),
    Kind(_reminder, "remind", "find_reminder", lambda club: club.discord.reminded),
    Kind(
        _vacation, "tell_of_vacation", "find_word_of_vacation", lambda club: club.discord.holidays
    ),
]
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.call)


async def sends(club: Club, kind: Kind, **later: float) -> int:
    """Let time pass; how many are sent then."""
    club.clock.forward(**later)
    before = len(kind.told(club))
    await club.worker.drain()
    return len(kind.told(club)) - before


@both
@every_kind
async def test_two_processes_send_it_once(store: Store, kind: Kind) -> None:
    club = await kind.due(store)
    await asyncio.gather(*(club.another_worker().drain() for _ in range(3)))
    assert len(kind.told(club)) == 1


@both
@every_kind
@pytest.mark.parametrize("minutes", [0.5, 20, 240])
async def test_a_dead_process_sends_it_not_twice(store: Store, kind: Kind, minutes: float) -> None:
    """Discord remembers a nonce for some minutes; afterwards the message is looked for."""
    club = await kind.due(store)
    await club.dies_after(club.discord, kind.call)
    if minutes > 5:
        club.discord.forget_nonces()
    await sends(club, kind, minutes=minutes)
    assert await sends(club, kind, hours=10) == 0
    assert len(kind.told(club)) == 1


@every_kind
async def test_one_sent_before_quiet_hours_is_not_sent_after(store: Store, kind: Kind) -> None:
    club = await kind.due(store)
    hour = club.clock.at.hour + 1
    await club.choose(BOB, quiet=QuietHours(hour % 24, (hour + 7) % 24))
    await club.dies_after(club.discord, kind.call)
    club.discord.forget_nonces()
    for _ in range(10):
        await sends(club, kind, hours=1)
    assert len(kind.told(club)) == 1


@every_kind
async def test_whether_it_was_sent_is_asked_until_discord_answers(store: Store, kind: Kind) -> None:
    club = await kind.due(store)
    club.discord.trouble.append((kind.call, Retry(sent=True)))
    assert await sends(club, kind) == 0
    club.discord.trouble.append((kind.find, Retry()))
    assert await sends(club, kind, seconds=1) == 0
    club.discord.trouble.append((kind.find, Refused("no history")))
    assert await sends(club, kind, seconds=2) == 1, "what cannot be read can still be said"


@every_kind
@pytest.mark.parametrize("looked_for", [False, True])
@pytest.mark.parametrize(("after", "seconds"), [(None, 1), (600.0, 600)])
async def test_it_is_left_alone_for_as_long_as_discord_says(
    store: Store, kind: Kind, looked_for: bool, after: float | None, seconds: float
) -> None:
    club = await kind.due(store)
    if looked_for:
        club.discord.trouble.append((kind.call, Retry(sent=True)))
        assert await sends(club, kind) == 0
        club.clock.forward(seconds=1)
        seconds = after or 2
    club.discord.trouble.append((kind.find if looked_for else kind.call, Retry(after)))
    assert await sends(club, kind) == 0
    assert not club.discord.trouble
    club.discord.calls.clear()
    assert await sends(club, kind, seconds=seconds - 1) == 0
    assert not {kind.call, kind.find} & set(club.discord.calls)
    assert await sends(club, kind, seconds=1) == 1


@every_kind
async def test_one_whose_answer_was_lost_is_looked_for_first(store: Store, kind: Kind) -> None:
    club = await kind.due(store)
    club.discord.loses_answer(kind.call, after=600.0)
    assert await sends(club, kind) == 1
    club.discord.forget_nonces()
    assert await sends(club, kind, seconds=600) == 0
    assert kind.find in club.discord.calls


@every_kind
async def test_in_quiet_hours_it_waits_for_their_end(store: Store, kind: Kind) -> None:
    club = await kind.due(store)
    hour = club.clock.at.hour
    await club.choose(BOB, quiet=QuietHours(hour, (hour + 3) % 24))
    assert await sends(club, kind) == 0
    assert await sends(club, kind, hours=2) == 0
    assert await sends(club, kind, hours=1) == 1


@pytest.mark.parametrize("kind", KINDS[1:], ids=lambda kind: kind.call)
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("way", NoticeWay)
async def test_it_comes_in_the_way_that_was_chosen(
    store: Store, kind: Kind, way: NoticeWay, closed: bool
) -> None:
    """Who lets no direct message through is mentioned from then on."""
    club = await kind.due(store)
    await club.choose(BOB, way=way)
    club.discord.closed |= {BOB.user_id} if closed else set()
    assert await sends(club, kind) == (way is not NoticeWay.NOTHING)
    directly = way in (NoticeWay.DIRECT, NoticeWay.DIGEST)
    assert [told[-1] for told in kind.told(club)] in ([], [directly and not closed])
    refused = (await club.preferences.of(BOB.user_id)).direct_refused
    assert (refused is not None) == (way is NoticeWay.DIRECT and closed)
