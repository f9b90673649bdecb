"""A commit whose answer is lost: it is found out what has happened before anything is said."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection, insert

from bot.connection import store as shards
from bot.errors import UserError
from bot.store import Store
from bot.store.errors import OutcomeUnknown, StoreUnavailable
from bot.store.tables import session_starts
from bot.tournaments.domain import acts
from bot.tournaments.domain.setup import FormatKey
from tests.support.databases import both
from tests.support.frozen import at_next_commit, lost
from tests.support.kit import ANN, BOB, a_match, head
from tests.tournaments.kit import Hall, a_setup


@both
@pytest.mark.logs_errors
async def test_a_move_that_is_stored_is_answered_as_one(store: Store) -> None:
    club, match_id = await a_match(store, BOB)

    def unheard(commit: Callable[[], None]) -> None:
        commit()
        raise lost(store)

    with at_next_commit(store, unheard):
        answer = await club.move(ANN, match_id, "b2")
    assert answer.code == "moved"
    assert answer.params == {"move": "b2"}
    assert (await head(store, match_id)).version == 3
    await club.later(seconds=31)
    assert any(board.version == 3 for board in club.discord.boards(match_id))


@both
@pytest.mark.logs_errors
async def test_a_move_that_is_not_stored_is_refused(store: Store) -> None:
    club, match_id = await a_match(store, BOB)

    def unsent(_commit: Callable[[], None]) -> None:
        raise lost(store)

    with at_next_commit(store, unsent), pytest.raises(UserError) as caught:
        await club.move(ANN, match_id, "b2")
    assert caught.value.code == "store_unavailable"
    assert (await head(store, match_id)).version == 2
    assert (await club.move(ANN, match_id, "b2")).code == "moved"


@both
@pytest.mark.logs_errors
async def test_an_act_of_a_director_is_done_or_refused(store: Store, hall: Hall) -> None:
    id_ = await hall.create(a_setup(FormatKey.SWISS))
    await hall.join(id_, 1, 2, 3)

    def unheard(commit: Callable[[], None]) -> None:
        commit()
        raise lost(store)

    def unsent(_commit: Callable[[], None]) -> None:
        raise lost(store)

    with at_next_commit(store, unsent), pytest.raises(UserError, match="store_unavailable"):
        await hall.direct(id_, acts.Withdraw(1))
    assert len((await hall.head(id_)).active) == 3
    with at_next_commit(store, unheard):
        view = await hall.direct(id_, acts.Withdraw(2))
    assert len(view.tournament.active) == len((await hall.check(id_)).active) == 2


def _write(writing: Any, connection: Connection) -> None:
    connection.execute(writing)


@both
@pytest.mark.logs_errors
async def test_what_no_event_is_written_of(store: Store) -> None:
    """PostgreSQL remembers what became of a transaction; of SQLite nothing is claimed."""

    def unheard(commit: Callable[[], None]) -> None:
        commit()
        raise lost(store)

    def unsent(_commit: Callable[[], None]) -> None:
        raise lost(store)

    assert not await store.read(shards.session_starts)
    for name, commit in (("stored", unheard), ("not", unsent)):
        writing = insert(session_starts).values(name=name, at=datetime.now(UTC))
        with at_next_commit(store, commit):
            try:
                await store.database.write(partial(_write, writing))
                said = "stored"
            except OutcomeUnknown as unknown:
                said = "unknown" if await unknown.outcome is None else "known"
            except StoreUnavailable:
                said = "not"
        assert said == ("unknown" if hasattr(store.database, "_writer") else name)
    assert list(await store.read(shards.session_starts)) == ["stored"]


@pytest.mark.logs_errors
async def test_the_end_of_a_transaction_whose_caller_has_gone_is_collected(store: Store) -> None:
    strays: list[str] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: strays.append(context["message"]))

    def fails(_: object) -> None:
        raise ZeroDivisionError

    writing = asyncio.create_task(store.database.write(fails))
    while not store.database._running:
        await asyncio.sleep(0)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    while store.database._running:
        await asyncio.sleep(0.01)
    del writing
    await asyncio.sleep(0)
    assert strays == []
