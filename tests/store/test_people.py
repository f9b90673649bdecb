"""The store's contract for people and servers, on both databases."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from bot.domain.computers import computer
from bot.domain.ids import GuildId, MessageId, UserId
from bot.domain.match import Actor, Match, Place
from bot.domain.preferences import Preferences, ServerSettings
from bot.errors import UserError
from bot.posts.deliveries import fates
from bot.posts.outgoing import LEASE
from bot.posts.sending import Posted
from bot.privacy import store as privacy
from bot.store import Store, match_feed, outbox, pairing, people
from bot.store.records import TallyKind
from tests.support.databases import both
from tests.support.kit import (
    ANN,
    BOB,
    CHANNEL,
    CYD,
    DAN,
    GUILD,
    START,
    Club,
    a_match,
    facts_of,
    of_match,
    refused,
)

pytestmark = both

A, B, C, D = (each.user_id for each in (ANN, BOB, CYD, DAN))
OTHER_GUILD = GuildId(77)


async def test_what_many_change_at_once_is_all_kept(store: Store) -> None:
    def later(chosen: Preferences) -> Preferences:
        return replace(chosen, digest_hour=chosen.digest_hour + 1)

    first = (await store.read(people.person, A)).digest_hour
    for _ in range(2):  # a new row, and one that is there
        await asyncio.gather(
            *(store.write(people.change_person, A, later, START) for _ in range(4))
        )
    assert (await store.read(people.person, A)).digest_hour == first + 8
    assert await store.read(people.person, B) == Preferences()


async def test_what_is_refused_or_changes_nothing_is_not_stored(store: Store) -> None:
    def refuse(_chosen: Preferences) -> Preferences:
        raise UserError("out_of_date")

    await refused("out_of_date", store.write(people.change_person, A, refuse, START))
    await store.write(people.change_person, A, lambda chosen: chosen, START)
    await store.write(people.change_server, GUILD, A, lambda chosen: chosen, START)
    assert (await store.read(privacy.held_about, A, START))["people"] == []
    assert await store.read(people.audit_of, GUILD, 10) == ()


async def test_a_server_is_never_changed_without_its_audit_entry(store: Store) -> None:
    def threads(chosen: ServerSettings) -> ServerSettings:
        return replace(chosen, threads=None if chosen.threads else True)

    await store.write(people.change_server, GUILD, A, threads, START)
    await store.write(people.change_server, GUILD, B, threads, START)
    await store.write(people.change_server, OTHER_GUILD, A, threads, START)
    assert await store.read(people.server, GUILD) == ServerSettings()
    assert await store.read(people.server, OTHER_GUILD) == threads(ServerSettings())
    newest, oldest = await store.read(people.audit_of, GUILD, 10)
    assert (newest.user_id, newest.before, newest.after) == (B, oldest.after, oldest.before)
    assert (oldest.at, oldest.user_id) == (START, A)
    assert oldest.before != oldest.after
    assert await store.read(people.audit_of, GUILD, 1) == (newest,)
    assert len(await store.read(people.audit_of, OTHER_GUILD, 10)) == 1


async def test_blocks_count_both_ways_and_among_those_asked_about(store: Store) -> None:
    await store.write(people.block, A, B, START, 2)
    await store.write(people.block, A, B, START, 2)
    await store.write(people.block, A, C, START + timedelta(seconds=1), 2)
    await refused("too_many_blocked", store.write(people.block, A, D, START, 2))
    await store.write(people.block, D, A, START, 2)
    assert await store.read(people.blocked_by, A) == (C, B)
    assert await store.read(people.blocked_by, B) == ()
    facts = await facts_of(store, (B, A), None, START)
    assert facts.blocks == {(A, B)}
    facts = await facts_of(store, (A, B, D), None, START)
    assert facts.blocks == {(A, B), (D, A)}
    assert await store.write(people.unblock, A, B)
    assert not await store.write(people.unblock, A, B)
    assert (await facts_of(store, (A, B), None, START)).blocks == frozenset()


async def test_what_runs_and_is_offered_is_counted(store: Store, club: Club) -> None:
    await club.start(BOB)
    await club.offer(CYD)
    await club.offer(by=BOB)
    facts = await facts_of(store, (A, B, C), GUILD, START - timedelta(days=1))
    assert dict(facts.running) == {A: 1, B: 1, C: 0}
    assert facts.offers == 1
    assert facts.running_in_server == 1
    facts = await facts_of(store, (C,), OTHER_GUILD, START)
    assert (dict(facts.running), facts.offers, facts.running_in_server) == ({C: 0}, 0, 0)


async def test_offers_and_refusals_are_tallied_for_a_time(store: Store, club: Club) -> None:
    offered = await club.offer(BOB)
    club.clock.forward(hours=1)
    await club.decline(BOB, offered.match.id)
    await club.offer()
    facts = await facts_of(store, (A, B), None, START - timedelta(hours=1))
    assert [(each.kind, each.other) for each in sorted(facts.tallies, key=lambda t: t.at)] == [
        (TallyKind.OFFER, B),
        (TallyKind.DECLINE, B),
    ]
    assert (await facts_of(store, (B, A), None, START - timedelta(hours=1))).tallies == ()
    await club.offer(Actor(computer(2), GUILD))
    of_it = await facts_of(store, (A, computer(2)), None, START - timedelta(hours=1))
    assert of_it.tallies == (), "a computer is not pestered"
    later = await facts_of(store, (A, B), None, START + timedelta(minutes=30))
    assert [each.kind for each in later.tallies] == [TallyKind.DECLINE]
    await store.write(pairing.forget_tallies, START + timedelta(hours=2))
    assert (await facts_of(store, (A, B), None, START - timedelta(hours=1))).tallies == ()


async def test_a_thread_counts_for_its_server_once_until_it_is_returned(store: Store) -> None:
    one, two = [(await Club(store, seed=seed).offer(BOB)).match for seed in (7, 8)]
    hour = timedelta(hours=1)

    async def reserve(match: Match, at: datetime = START, gone: Any = None, most: int = 1) -> bool:
        return await store.write(pairing.reserve_thread, match, gone, at, at - hour, most)

    assert await reserve(one)
    assert await reserve(one), "another try for the same thread"
    assert not await reserve(two)
    assert not await reserve(one, gone=CHANNEL), "a new thread in place of one that is gone"
    assert await reserve(one, gone=CHANNEL, most=2)
    elsewhere = replace(two, origin=Place(OTHER_GUILD, CHANNEL))
    assert await reserve(elsewhere)
    await store.write(pairing.return_thread, one, CHANNEL)
    assert await reserve(two, most=2)
    await store.write(pairing.return_thread, one, None)
    await store.write(pairing.return_thread, two, None)
    assert await reserve(two)
    assert await reserve(one, at=START + 2 * hour)


async def test_a_reminder_takes_the_place_of_the_line_that_called_the_player(store: Store) -> None:
    club, match_id = await a_match(store, BOB)
    match = await club.service.match(ANN, match_id)
    called = next(m for m in club.discord.messages.values() if m.kind == "turn")
    reminder = Posted(called.channel_id, MessageId(9998))
    await store.write(match_feed.replace_line, match, 0, reminder)
    await store.write(match_feed.replace_line, match, 0, reminder)
    await club.worker.drain()
    assert called.id not in club.discord.messages, "the one before is deleted"
    assert club.discord.calls.count("erase") == 1
    await store.write(match_feed.replace_line, match, 0, Posted(called.channel_id, MessageId(9999)))
    ((claim,),) = await store.write(outbox.claim, club.clock.now(), club.clock.now() + LEASE, 9)
    ((past, end),) = fates(of_match(claim).posts, match).items()
    assert (past.posted, end) == (reminder, "goes")


async def test_ids_of_any_size_that_discord_gives_out_are_kept(store: Store) -> None:
    huge = UserId(2**63 - 1)
    chosen = Preferences(digest_hour=3)
    await store.write(people.change_person, huge, lambda _: chosen, START)
    assert await store.read(people.person, huge) == chosen
    await store.write(people.block, huge, A, START, 1)
    assert await store.read(people.blocked_by, huge) == (A,)
