"""The contract of every store, on both databases."""

from __future__ import annotations

import asyncio
import dataclasses
import random
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection

from bot.domain import offer_answers, offers, play
from bot.domain.events import Change, CommandContext
from bot.domain.history import HistoryError, check_chain, replay, verify
from bot.domain.ids import GuildId, InteractionId, MatchId, UserId
from bot.domain.match import Actor, Match, Scope, Venue
from bot.domain.requests import RequestKind
from bot.errors import UserError
from bot.services.verification import verify_all
from bot.store import Store, changes, transactions
from bot.store import transactions as stored_transactions
from bot.store.errors import AlreadyDone, Conflict
from tests.support.databases import both_and_pooled
from tests.support.kit import ANN, BOB, GUILD, PLACE, START, Club, head, refused
from tests.support.not_none import not_none

pytestmark = both_and_pooled


def offered(number: int = 1, *, venue: Venue = Venue.THREAD, click: Any = None) -> Change:
    return offers.offer(
        MatchId(f"match{number:05}"),
        CommandContext(START + timedelta(seconds=number), click),
        ANN,
        game="rows",
        options={},
        opponents=(BOB,),
        seat=0,
        place=PLACE,
        venue=venue,
        expires_at=START + timedelta(days=1),
        rng=Random(0),
    )


def accepted(match: Match, click: Any = None) -> Change:
    act = CommandContext(match.updated_at + timedelta(seconds=1), click)
    return offer_answers.accept(
        match, act, BOB, initial=lambda game: game.encode(game.initial(Random(0)))
    )


async def running(store: Store, number: int = 1, **more: Any) -> Match:
    change = offered(number, **more)
    await store.commit(change)
    change = accepted(change.match)
    await store.commit(change)
    return change.match


def moved(match: Match, text: str = "b2", click: Any = None) -> Change:
    return play.move(
        match, CommandContext(match.updated_at + timedelta(seconds=1), click), ANN, text=text
    )


async def test_what_is_written_is_what_is_read(store: Store) -> None:
    match = await running(store)
    change = moved(match, click=InteractionId(2**63 - 1))
    await store.commit(change)
    loaded = await store.read(
        stored_transactions.load, match.id, InteractionId(2**63 - 1), START, ANN.user_id
    )
    assert loaded.match == change.match
    assert loaded.done == change.event
    assert await store.read(stored_transactions.done, InteractionId(2**63 - 1)) == change.event
    events = await store.read(stored_transactions.history, match.id, Scope(GUILD))
    assert events[-1] == change.event
    verify(change.match, events)


async def test_the_head_is_what_the_history_leads_to(store: Store, club: Club) -> None:
    match_id = await club.start(BOB, options={"pie": "on", "size": 4})
    await club.play(match_id, "b2 swap a1 c3")
    await club.ask(ANN, match_id, RequestKind.DRAW)
    await club.answer(BOB, match_id, RequestKind.DRAW, accept=True)
    match = await club.service.match(ANN, match_id)
    events = await store.read(stored_transactions.history, match_id, Scope(GUILD))
    again = replay(events, match.invited)
    assert dataclasses.replace(again, home_id=match.home_id) == match


async def test_a_change_for_an_older_version_writes_nothing(store: Store) -> None:
    match = await running(store)
    await store.commit(moved(match, "b2"))
    late = moved(match, "a1")
    with pytest.raises(Conflict):
        await store.commit(late)
    assert len(await store.read(stored_transactions.history, match.id, Scope(GUILD))) == 3
    assert (await head(store, match.id)).last_move == "b2"


async def test_an_interaction_has_one_effect_even_on_two_matches(store: Store) -> None:
    first, second = await running(store, 1), await running(store, 2)
    click = InteractionId(42)
    change = moved(first, click=click)
    await store.commit(change)
    with pytest.raises(AlreadyDone) as caught:
        await store.commit(moved(second, click=click))
    assert caught.value.event == change.event
    assert (await head(store, second.id)) == second
    with pytest.raises(AlreadyDone):
        await store.commit(offered(3, click=click))
    assert await store.read(stored_transactions.match, MatchId("match00003")) is None


async def test_the_database_itself_keeps_a_channel_to_one_match(store: Store) -> None:
    await running(store, 1, venue=Venue.CHANNEL)
    change = offered(2, venue=Venue.CHANNEL)
    await store.commit(change)
    await refused("channel_busy", store.commit(accepted(change.match)))
    assert (await head(store, MatchId("match00002"))) == change.match


async def test_nonsense_is_refused_by_the_tables(store: Store) -> None:
    from sqlalchemy.exc import IntegrityError

    change = offered()
    bad = dataclasses.replace(
        change, match=dataclasses.replace(change.match, head_hash="not a hash")
    )
    with pytest.raises(IntegrityError):
        await store.commit(bad)
    assert await store.read(stored_transactions.match, change.match.id) is None


async def test_matches_are_seen_in_their_server_and_by_their_people_alone(store: Store) -> None:
    match = await running(store)
    for scope, seen in (
        (Scope(GUILD), True),
        (Scope(GUILD, BOB.user_id), True),
        (Scope(None, BOB.user_id), True),
        (Scope(GuildId(GUILD + 1), ANN.user_id), True),
        (Scope(GuildId(GUILD + 1), UserId(99)), False),
        (Scope(GuildId(GUILD + 1)), False),
        (Scope(None, UserId(99)), False),
        (Scope(), False),
    ):
        assert (await store.read(stored_transactions.match, match.id, scope) is not None) is seen
        assert bool(await store.read(stored_transactions.history, match.id, scope)) is seen
        assert (
            bool(await store.read(stored_transactions.running_in, PLACE.channel_id, scope)) is seen
        )


async def test_every_kind_of_tampering_shows(store: Store, club: Club) -> None:
    match_id = await club.start(BOB)
    await club.play(match_id, "b2 a1 c1")
    match = await club.service.match(ANN, match_id)
    events = list(await store.read(stored_transactions.history, match_id, Scope(GUILD)))
    verify(match, events)

    def changed(place: int, **fields: Any) -> list[Any]:
        other = dataclasses.replace(events[place], **fields)
        return [*events[:place], other, *events[place + 1 :]]

    for code, history in (
        ("empty", []),
        ("chain", changed(2, payload={"move": "c3"})),
        ("chain", changed(2, at=events[2].at + timedelta(microseconds=1))),
        ("chain", changed(3, player=0)),
        ("chain", changed(1, hash="0" * 64)),
        ("chain", changed(2, prev_hash="0" * 64)),
        ("gap", [*events[:2], *events[3:]]),
        ("gap", [events[0], *events]),
        ("gap", events[1:]),
    ):
        with pytest.raises(HistoryError) as caught:
            check_chain(history)
        assert caught.value.code == code
    with pytest.raises(HistoryError, match="head"):
        verify(match, events[:-1])
    with pytest.raises(HistoryError, match="state"):
        verify(dataclasses.replace(match, state="x../.../... o"), events)
    with pytest.raises(HistoryError, match="players"):
        verify(dataclasses.replace(match, players=match.players[::-1]), events)


async def test_verification_plays_everything_through_again(store: Store, club: Club) -> None:
    for number in range(3):
        await club.play(await club.start(BOB), "b2 a1 c1"[: 2 + 3 * number])
    found = await verify_all(store)
    assert (found.checked, found.problems) == (3, ())
    assert found.events == 3 * 2 + 1 + 2 + 3


async def test_clicks_delivered_four_times_in_any_order_count_once(store: Store) -> None:
    """At least once, in no order: each click has one effect or none."""
    rng = random.Random(11)
    clubs = [Club(store, seed=seed) for seed in (1, 2)]
    matches = [await clubs[0].start(BOB, options={"size": 5}) for _ in range(8)]
    cells = [f"{file}{rank}" for file in "abcde" for rank in "12345"]
    wanted = [
        (InteractionId(10**9 + number), rng.choice(matches), rng.choice((ANN, BOB)))
        for number in range(90)
    ]
    deliveries = [(each, rng.choice(cells)) for each in wanted] * 4
    rng.shuffle(deliveries)
    effects: dict[int, set[tuple[Any, Any]]] = {}
    # Which move a click means is fixed by the click, as it is by what was clicked.
    meant = dict.fromkeys(click for click, _, _ in wanted)
    for (click, _, _), cell in deliveries:
        meant[click] = meant[click] or cell

    async def deliver(club: Club, part: Any) -> None:
        for (click, match_id, actor), _ in part:
            try:
                answer = await club.service.move(
                    actor, match_id, text=not_none(meant[click]), interaction_id=click
                )
            except Exception as error:
                if not hasattr(error, "code"):
                    raise
            else:
                effects.setdefault(click, set()).add((match_id, answer.params["move"]))

    await asyncio.gather(
        *(deliver(clubs[number % 2], deliveries[number::8]) for number in range(8))
    )
    assert all(len(each) == 1 for each in effects.values())
    moves = []
    async for match, events in store.all_matches():
        verify(match, events)
        moves += [not_none(event.interaction_id) for event in events if event.kind.value == "moved"]
        assert match.version == len(events)
    assert sorted(moves) == sorted(effects)
    assert len(moves) > 40


async def test_a_cancelled_task_loses_and_doubles_nothing(store: Store, club: Club) -> None:
    """The answer may be lost, never the order of things: asked again, a click is done once."""
    rng = random.Random(5)
    match_ids = [await club.start(BOB, options={"size": 5}) for _ in range(8)]
    acknowledged: list[tuple[MatchId, str | int]] = []

    async def one(match_id: MatchId, text: str, click: Any, actor: Actor) -> None:
        answer = await club.service.move(actor, match_id, text=text, interaction_id=click)
        acknowledged.append((match_id, answer.params["move"]))

    cells = ["b2", "a1", "d4", "c1", "e5", "a4"]
    for number, text in enumerate(cells):
        actor = (ANN, BOB)[number % 2]
        clicks = [club.click() for _ in match_ids]
        tasks = [
            asyncio.create_task(one(match_id, text, click, actor))
            for match_id, click in zip(match_ids, clicks, strict=True)
        ]
        for task in tasks:
            if rng.random() < 0.6:
                await asyncio.sleep(rng.random() * 0.004)
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        # Discord delivers again; who was cancelled after the commit hears the same answer.
        for match_id, click in zip(match_ids, clicks, strict=True):
            await one(match_id, text, click, actor)
    for match_id in match_ids:
        match = await head(store, match_id)
        assert match.recent == tuple(cells)
        verify(match, await store.read(stored_transactions.history, match_id, Scope(GUILD)))
    assert len(acknowledged) >= len(cells) * len(match_ids)


async def test_a_read_inside_a_write_sees_it_and_no_update_is_lost(store: Store) -> None:
    """Read, then write what was read plus one, from many tasks: the sum must be there."""
    from sqlalchemy import select, update

    from bot.store.tables import matches

    match = await running(store)
    await store.commit(moved(match))

    def add(connection: Connection) -> None:
        column = matches.c.offered_by
        query = select(column).where(matches.c.id == match.id).with_for_update()
        value = connection.execute(query).scalar_one()
        change = update(matches).where(matches.c.id == match.id)
        connection.execute(change.values(offered_by=value + 1))

    async def add_some() -> None:
        for _ in range(20):
            await store.database.write(add)

    await asyncio.gather(*(add_some() for _ in range(10)))
    found = await store.database.read(lambda c: transactions.match(c, match.id, None))
    assert not_none(found).offered_by == 200


async def test_nothing_of_a_failed_transaction_stays(store: Store) -> None:
    match = await running(store)

    def half(connection: Connection) -> None:
        changes.commit(connection, moved(match))
        raise UserError("stopped")

    with pytest.raises(UserError):
        await store.database.write(half)
    assert (await head(store, match.id)) == match
    await store.commit(moved(match))
