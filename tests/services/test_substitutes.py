"""At a table of four a substitute takes the seat of a player who has left, by consent of all."""

from __future__ import annotations

from typing import Any

import pytest

from bot.domain import stalled
from bot.domain.events import Change, CommandContext, EventKind
from bot.domain.ids import MatchId
from bot.domain.match import Match, MatchStatus, Venue
from bot.errors import UserError
from bot.store import Store, transactions
from tests.support.databases import both
from tests.support.kit import ANN, BOB, CYD, DAN, Club, head, person, refused

EVE = person(5)
TABLE: dict[str, Any] = {"game": "pythagoras", "options": {"seats": "4"}}


async def _left(store: Store, leaver: int = 1, **more: Any) -> tuple[Club, Match]:
    """A table of four after two moves, whose player of that index has left the server."""
    club = Club(store)
    match_id = await club.start(BOB, CYD, DAN, **{**TABLE, **more})
    await club.play(match_id, "3i1 3f1")
    await _leaves(club, match_id, leaver)
    await club.worker.drain()  # the match has its thread
    return club, await head(store, match_id)


async def _leaves(club: Club, match_id: MatchId, leaver: int) -> None:
    match = await head(club.store, match_id)
    change = stalled.depart(match, CommandContext(club.clock.at), leaver)
    assert change is not None
    await club.store.commit(change)


async def _asks(club: Club, actor: Any, match_id: MatchId) -> Any:
    return await club.service.substitute(actor, match_id, interaction_id=club.click())


async def _accepts(club: Club, actor: Any, match_id: MatchId) -> Any:
    return await club.accept(actor, match_id)


async def test_a_match_goes_on_where_it_stands_once_all_have_accepted(store: Store) -> None:
    club, before = await _left(store)
    gone = before.players[1]
    rest = [each for each in (ANN, BOB, CYD, DAN) if each.user_id != gone]
    offered = await _asks(club, rest[0], before.id)
    assert offered.code == "offered"
    assert offered.match.continues == before.id
    assert offered.match.invited[1] is None, "the seat of who left is open to all"
    assert (await _asks(club, rest[1], before.id)).code == "joined", "asking consents as well"
    assert (await _accepts(club, EVE, offered.match.id)).code == "joined"
    assert (await head(store, before.id)).status is MatchStatus.RUNNING, "one has not consented"
    started = await _accepts(club, rest[2], offered.match.id)
    assert started.code == "started"
    match = await head(store, offered.match.id)
    assert match.state == before.state
    assert match.players == (before.players[0], EVE.user_id, *before.players[2:])
    over = await head(store, before.id)
    assert over.status is MatchStatus.ABORTED
    assert over.result is None
    await club.worker.drain()
    people = {each.user_id: each for each in (*rest, EVE)}
    moved = await club.play_as(tuple(people.values()), match.id, "3b1 2l1")
    assert moved.ply == 2


async def test_who_declines_leaves_the_match_as_it_was(store: Store) -> None:
    club, before = await _left(store)
    rest = [each for each in (ANN, BOB, CYD, DAN) if each.user_id != before.players[1]]
    offered = await _asks(club, rest[0], before.id)
    await club.decline(rest[1], offered.match.id)
    assert (await head(store, before.id)) == before
    again = await _asks(club, rest[1], before.id)
    assert again.match.id != offered.match.id, "it can be asked for again"


async def test_who_comes_back_keeps_the_seat(store: Store) -> None:
    club, before = await _left(store, leaver=2)
    rest = [each for each in (ANN, BOB, CYD, DAN) if each.user_id != before.players[2]]
    offered = await _asks(club, rest[0], before.id)
    await club.play(before.id, "3b1")
    await refused("no_substitute", _accepts(club, EVE, offered.match.id))
    assert (await head(store, before.id)).status is MatchStatus.RUNNING


@pytest.mark.long
async def test_where_there_can_be_no_substitute_that_is_refused(store: Store) -> None:
    club, before = await _left(store)
    for actor, match_id, code in (
        (EVE, before.id, "not_a_player"),
        (ANN, await club.start(BOB), "no_substitute"),
        (ANN, await club.start(BOB, CYD, DAN, **TABLE), "no_substitute"),
    ):
        with pytest.raises(UserError, match=code):
            await _asks(club, actor, match_id)
    channel = await club.start(BOB, CYD, DAN, venue=Venue.CHANNEL, **TABLE)
    await _leaves(club, channel, 1)
    stays = (await head(store, channel)).players[0]
    actor = next(each for each in (ANN, BOB, CYD, DAN) if each.user_id == stays)
    await refused("no_substitute", _asks(club, actor, channel))
    await club.abort(actor, channel)
    await refused("match_over", _asks(club, actor, channel))


async def _almost_taken(store: Store) -> tuple[Club, Match, Match, Any]:
    """The match, the offer to go on in which one seat is free, and the player who may take it."""
    club, before = await _left(store)
    rest = [each for each in (ANN, BOB, CYD, DAN) if each.user_id != before.players[1]]
    offered = await _asks(club, rest[0], before.id)
    for each in (rest[1], EVE):
        await _accepts(club, each, offered.match.id)
    return club, before, offered.match, rest[2]


@both
async def test_a_death_leaves_one_running(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    club, before, offer, last = await _almost_taken(store)
    click = club.click()
    write = transactions.write

    def dies(connection: Any, change: Change) -> None:
        write(connection, change)
        if change.event.kind is EventKind.ABORTED:
            raise RuntimeError("dies")

    with monkeypatch.context() as patched:
        patched.setattr(transactions, "write", dies)
        with pytest.raises(RuntimeError, match="dies"):
            await club.service.accept(last, offer.id, interaction_id=click)
    assert (await head(store, before.id)).status is MatchStatus.RUNNING
    assert (await head(store, offer.id)).status is MatchStatus.OFFERED
    for _ in range(2):
        done = await club.service.accept(last, offer.id, interaction_id=click)
        assert done.code == "started"
    assert (await head(store, before.id)).status is MatchStatus.ABORTED
    aborted = [each.kind for each in await store.read(transactions.history, before.id, None)]
    assert aborted.count(EventKind.ABORTED) == 1


async def test_a_move_just_before_is_kept(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    club, before, offer, last = await _almost_taken(store)
    commit = store.commit

    async def late(change: Change, **more: Any) -> Any:
        monkeypatch.setattr(store, "commit", commit)
        await club.play(before.id, "3b1")
        return await commit(change, **more)

    monkeypatch.setattr(store, "commit", late)
    assert (await _accepts(club, last, offer.id)).code == "started"
    over, match = await head(store, before.id), await head(store, offer.id)
    assert (over.ply, over.status) == (3, MatchStatus.ABORTED)
    assert match.state == over.state
