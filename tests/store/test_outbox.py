"""The outbox as every database keeps it: keys, slots, leases, and what holds up what."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, select, update

from bot.domain.ids import GuildId, UserId
from bot.domain.match import Place
from bot.follows.store import follow_key
from bot.posts.outgoing import (
    LEASE,
    Claim,
    Done,
    Key,
    Outgoing,
    PutOff,
    digest_key,
    key_of,
    match_key,
)
from bot.posts.sending import Delivery, DeliveryKind
from bot.store import Store, outgoing
from bot.store import outbox as stored_outbox
from bot.store.tables import outbox
from bot.webhooks.store import webhook_key
from tests.support.databases import both
from tests.support.kit import BOB, CHANNEL, GUILD, START, Club, person, waiting

pytestmark = both
NOW, SOON = START, START + timedelta(minutes=1)
ONE, TWO = key_of("thing", 1), key_of("thing", 2)


def said(*words: str, key: Key = ONE, **more: Any) -> list[Outgoing]:
    return [Outgoing("word", key, NOW, {"says": word}, **more) for word in words]


def words(*batches: Any) -> list[list[Any]]:
    return [[claim.payload["says"] for claim in batch] for batch in batches]


async def take(
    store: Store, at: datetime = NOW, limit: int = 9, **more: Any
) -> tuple[tuple[Claim, ...], ...]:
    return await store.write(stored_outbox.claim, at, at + LEASE, limit, **more)


async def test_messages_of_a_key_are_taken_in_order_and_keys_each_for_itself(store: Store) -> None:
    await store.write(outgoing.plan, *said("a", "b"), *said("c", key=TWO), *said("d"))
    assert words(*await take(store)) == [["a", "b", "d"], ["c"]]
    assert await take(store) == ()


async def test_a_commit_that_leaves_messages_wakes_their_sender(store: Store) -> None:
    woken: list[Key] = []
    store.wake_sender = lambda: woken.append(ONE)
    await store.write(outgoing.plan, *said("a"))
    assert woken == [ONE]
    ((claim,),) = await take(store)
    put_off = PutOff(SOON, "retry", certain=True)
    await store.write(stored_outbox.settle, (claim,), (put_off,), NOW, None)
    assert woken == [ONE], "nothing new is left to be sent"
    await store.write(outgoing.retry_now, (ONE,), NOW)
    assert woken == [ONE, ONE]
    ((claim,),) = await take(store)
    following = Done(then=tuple(said("b")))
    assert await store.write(stored_outbox.settle, (claim,), (following,), NOW, NOW + LEASE)
    assert woken == [ONE, ONE], "what follows is in hand"


async def test_each_key_is_taken_by_one_of_many_processes(store: Store) -> None:
    keys = [key_of("thing", number) for number in range(20)]
    for key in keys:
        await store.write(outgoing.plan, *said("a", "b", key=key))
    taken = await asyncio.gather(*(take(store, limit=8) for _ in range(5)))
    left = await take(store, limit=20)
    found = [batch[0].key for batches in (*taken, left) for batch in batches]
    assert sorted(found) == sorted(keys)


async def test_what_is_done_goes_and_what_follows_from_it_is_taken(store: Store) -> None:
    await store.write(outgoing.plan, *said("a", "b"))
    ((first, second),) = await take(store)
    (then,) = said("c")
    late = replace(then, due_at=SOON, payload={"says": "later"}, blocks_later=False)
    batch = await store.write(
        stored_outbox.settle, (first, second), (Done(then=(then, late)),), NOW, NOW + LEASE
    )
    assert words(batch) == [["b", "c"]], "what was not tried is taken again"
    assert [claim.attempts for claim in batch] == [1, 1]
    assert not batch[0].may_exist
    assert await store.write(stored_outbox.settle, batch, (Done(), Done()), NOW, NOW + LEASE) == ()
    assert await store.read(stored_outbox.next_due) == SOON
    assert words(*await take(store, SOON)) == [["later"]]


async def test_what_is_put_off_holds_up_what_comes_after_it_or_does_not(store: Store) -> None:
    for blocks_later in (True, False):
        await store.write(outgoing.plan, *said("a", blocks_later=blocks_later), *said("b"))
        (batch,) = await take(store)
        put_off = PutOff(SOON, "retry", certain=True)
        await store.write(stored_outbox.settle, batch, (put_off,), NOW, None)
        due = await store.read(stored_outbox.next_due)
        assert due == (SOON if blocks_later else NOW), "nobody looks in vain"
        assert words(*await take(store)) == ([] if blocks_later else [["b"]])
        later = SOON + LEASE
        for batch in await take(store, later):
            await store.write(
                stored_outbox.settle, batch, tuple(Done() for _ in batch), later, None
            )
    assert await store.read(stored_outbox.next_due) is None


async def test_who_tries_again_knows_since_when_it_may_be_sent(store: Store) -> None:
    await store.write(outgoing.plan, *said("a"))
    ((claim,),) = await take(store)
    assert claim.tried_at is None
    later = NOW + LEASE
    ((claim,),) = await take(store, later)
    assert (claim.attempts, claim.tried_at) == (2, NOW), "its process died with it"
    await store.write(
        stored_outbox.settle, (claim,), (PutOff(later, "retry", certain=True),), later, None
    )
    ((claim,),) = await take(store, later)
    assert claim.tried_at == NOW, "a later attempt that sent nothing changes nothing"


async def test_a_state_is_shown_once_by_what_has_waited_longest(store: Store) -> None:
    (one,) = said("a", slot="state")
    await store.write(outgoing.plan, one)
    ((claim,),) = await take(store)
    await store.write(outgoing.plan, replace(one, payload={"says": "b"}))
    assert await take(store) == (), "it waits behind what is being sent"
    await store.write(
        stored_outbox.settle, (claim,), (PutOff(SOON, "refused", certain=True),), NOW, None
    )
    assert await take(store) == (), "and behind what was refused"
    ((again,),) = await take(store, SOON)
    assert again.id == claim.id
    assert len(await waiting(store, "word")) == 1, "which is sent for both"
    await store.write(outgoing.plan, replace(one, payload={"says": "c"}))
    planned = replace(one, due_at=SOON + timedelta(hours=1), payload={"says": "d"})
    batch = await store.write(
        stored_outbox.settle, (again,), (Done(then=(planned,)),), SOON, SOON + LEASE
    )
    assert words(batch) == [["c"]], "what changed meanwhile is not lost"
    await store.write(stored_outbox.settle, batch, (Done(then=(planned,)),), SOON, None)
    assert [each.due_at for each in await waiting(store, "word")] == [planned.due_at]


async def test_planned_again_a_message_takes_the_place_of_the_one_that_waits(store: Store) -> None:
    (one,) = said("a", slot="hour", blocks_later=False)
    await store.write(outgoing.plan, replace(one, due_at=SOON), *said("other"))
    await store.write(outgoing.plan, replace(one, due_at=NOW, payload={"says": "b"}))
    await store.write(outgoing.plan, replace(one, slot="another", payload={"says": "c"}))
    assert words(*await take(store)) == [["other", "b", "c"]]


async def test_nothing_of_a_key_is_due_while_it_rests(store: Store) -> None:
    await store.write(outgoing.plan, *said("a"))
    (batch,) = await take(store)
    await store.write(outgoing.plan, *said("b"))
    assert (
        await store.write(stored_outbox.settle, batch, (Done(rest_until=SOON),), NOW, NOW + LEASE)
        == ()
    )
    assert await take(store, SOON - timedelta(seconds=1)) == ()
    assert words(*await take(store, SOON)) == [["b"]]


async def test_what_others_serve_is_left_to_them_and_hides_nothing(store: Store) -> None:
    theirs = [key_of("theirs", number) for number in range(30)]
    for key in theirs:
        await store.write(outgoing.plan, *said("theirs", key=key))
    await store.write(outgoing.plan, *said("ours"))
    mine = await take(store, limit=4, serves=lambda key: not key.startswith("theirs"))
    assert words(*mine) == [["ours"]]
    assert len(await take(store, limit=40)) == 30


async def test_what_is_about_others_servers_is_left_to_them(store: Store, club: Club) -> None:
    there = GuildId(GUILD + 1)
    here_id = await club.start(BOB)
    there_id = await club.start(
        person(2, guild=there), by=person(1, guild=there), place=Place(there, CHANNEL)
    )
    await club.worker.drain()
    keys = {
        match_key(here_id): GUILD,
        match_key(there_id): there,
        webhook_key(there): there,
        follow_key(UserId(7)): there,
        digest_key(UserId(8)): None,
    }
    about: Any = {"match": there_id}
    await store.write(outgoing.plan, *(Outgoing("word", key, NOW, about) for key in keys))
    asked: dict[GuildId | None, int] = {}

    def reaches(server: GuildId | None) -> bool:
        asked[server] = asked.get(server, 0) + 1
        return server is None

    assert {batch[0].key for batch in await take(store, SOON, reaches=reaches)} == {
        digest_key(UserId(8))
    }
    assert asked == {GUILD: 1, there: 3, None: 1}


@pytest.mark.parametrize("known", [True, False])
async def test_who_has_lost_the_lease_notes_nothing(store: Store, known: Any) -> None:
    await store.write(outgoing.plan, *said("a"))
    (lost,) = await take(store)
    (taken,) = await take(store, NOW + LEASE)
    came = Done(then=tuple(said("b"))) if known else PutOff(SOON, "retry", certain=True)
    assert (
        await store.write(stored_outbox.settle, lost, (came,), NOW + LEASE, NOW + LEASE * 2) == ()
    )
    assert len(await waiting(store, "word")) == 1
    await store.write(stored_outbox.settle, taken, (Done(),), NOW + LEASE, None)
    assert await store.read(stored_outbox.next_due) is None


async def test_a_fast_game_does_not_put_off_its_card(store: Store, club: Club) -> None:
    match_id = await club.begun(BOB)
    await club.play(match_id, "a1")
    cards = select(outbox.c.due_at).where(outbox.c.kind == DeliveryKind.OFFER.value)

    async def due() -> list[datetime]:
        return list(await store.database.read(lambda c: c.execute(cards).scalars().all()))

    (first,) = await due()
    club.clock.forward(seconds=30)
    await club.play(match_id, "b2 c3")
    assert await due() == [first]


@pytest.mark.logs_errors
async def test_a_row_that_nobody_understands_holds_up_no_other_match(
    store: Store, club: Club
) -> None:
    match_id = await club.begun(BOB)
    unknown = replace(Delivery(DeliveryKind.TIDY, 2).message(match_id, NOW), kind="newer")
    await store.write(outgoing.plan, unknown)
    await store.write(outgoing.plan, *said("other"))
    assert words(*await take(store, SOON)) == [["other"]]
    assert len(await waiting(store, "newer")) == 1, "it is left to a newer process"


@pytest.mark.parametrize("retired", ["offer_update", "card"])
async def test_rows_of_a_retired_kind_still_work(store: Store, club: Club, retired: str) -> None:
    await club.offer(BOB)

    def written_before(connection: Connection) -> int:
        changed = update(outbox).where(outbox.c.kind == DeliveryKind.OFFER.value)
        return connection.execute(changed.values(kind=retired)).rowcount

    assert await store.write(written_before) == 1
    await club.worker.drain()
    assert await waiting(store, retired) == ()
    assert len(club.discord.messages) == 1


async def test_a_redraw_of_old_still_edits_the_board(store: Store, club: Club) -> None:
    match_id = await club.begun(BOB)
    ((posted,), board) = club.discord.boards(match_id), Delivery(DeliveryKind.BOARD, 2)
    row = replace(board.message(match_id, club.clock.now()), kind="redraw", blocks_later=False)
    await store.write(outgoing.plan, row)
    await club.worker.drain()
    assert [at.message_id for _, at in club.discord.redrawn] == [posted.id]
    assert club.discord.boards(match_id) == [posted]
