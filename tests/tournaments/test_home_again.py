"""**Post again**: the home message stands further down, once, whenever the process dies."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.domain.ids import TournamentId
from bot.posts.outgoing import LEASE
from bot.posts.sending import Gone, Refused, Retry
from bot.store import Store, outbox, standing
from bot.tournaments.domain import acts, challenges
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.posts import MessageKind
from bot.tournaments.services import telling
from bot.tournaments.services.views import Visitor
from tests.support.databases import both
from tests.support.kit import person
from tests.support.not_none import not_none
from tests.tournaments.kit import Hall, a_setup

pytestmark = both


class _KilledError(BaseException):
    """Stands for the end of the process."""


async def _event(store: Store) -> tuple[Hall, TournamentId, int]:
    """A hall with an event whose home message stands, and its id."""
    hall = Hall(store)
    id_ = await hall.create(a_setup(FormatKey.SWISS))
    await hall.sweep()
    return hall, id_, int(not_none((await hall.stored(id_)).home.message_id))


async def _only_home(hall: Hall, id_: TournamentId) -> int:
    """The home message that stands, after everything was sent: there is one, and it is noted."""
    hall.clock.forward(seconds=5)
    await hall.sweep()
    (stands,) = hall.announcer.homes
    assert (await hall.stored(id_)).home.message_id == stands
    return stands


async def test_the_older_home_message_goes_when_it_is_posted_again(store: Store) -> None:
    hall, id_, first = await _event(store)
    await hall.service.show_home_again(id_)
    second = await _only_home(hall, id_)
    assert second != first
    await hall.service.show_home_again(id_)
    assert await _only_home(hall, id_) not in (first, second)


async def test_pressed_twice_at_once_it_is_posted_again_once(store: Store) -> None:
    hall, id_, first = await _event(store)
    await asyncio.gather(*(hall.service.show_home_again(id_) for _ in range(2)))
    said = hall.announcer.kinds().count(MessageKind.HOME)
    assert await _only_home(hall, id_) == first + 1
    assert hall.announcer.kinds().count(MessageKind.HOME) == said + 1


async def test_pressed_once_more_while_it_is_being_posted(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall, id_, first = await _event(store)
    announce, pressed = hall.announcer.announce, False

    async def meanwhile(*about: object) -> object:
        nonlocal pressed
        if not pressed:
            pressed = True
            await hall.service.show_home_again(id_)
        return await announce(*about)  # type: ignore[arg-type]

    monkeypatch.setattr(hall.announcer, "announce", meanwhile)
    await hall.service.show_home_again(id_)
    assert await _only_home(hall, id_) == first + 1


async def test_an_update_before_and_after_it_changes_nothing(store: Store) -> None:
    hall, id_, first = await _event(store)
    await hall.join(id_, 1)
    await hall.service.show_home_again(id_)
    await hall.join(id_, 2)
    assert await _only_home(hall, id_) == first + 1
    shown = [view for message, view in hall.announcer.told if message.kind is MessageKind.HOME]
    assert len(shown[-1].tournament.active) == 2


async def test_what_only_looks_for_the_home_message_does_not_hold_it_up(store: Store) -> None:
    hall, id_, first = await _event(store)
    hall.clock.forward(seconds=1)
    await hall.service.show_home_again(id_)
    await hall.worker.drain()
    assert hall.announcer.homes == [first + 1], "at once, though a look is due in ten minutes"


@pytest.mark.parametrize("point", ["c8", "c9"])
async def test_a_kill_leaves_one_home_message(
    store: Store, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    """Once when the new one is not noted yet, once when the older one is not deleted yet."""
    hall, id_, first = await _event(store)

    def hit(name: str) -> None:
        if name == point:
            raise _KilledError

    await hall.service.show_home_again(id_)
    monkeypatch.setattr(telling, "hit", hit)
    now = hall.clock.now()
    ((claim,),) = await store.write(outbox.claim, now, now + LEASE, 1)
    with pytest.raises(_KilledError):
        await hall.telling.make(claim)
    monkeypatch.undo()
    assert hall.announcer.homes == [first, first + 1]
    noted = (await hall.stored(id_)).home.message_id
    assert noted == (first if point == "c8" else first + 1)
    after = hall.restarted()
    after.announcer = after.telling.announcer = hall.announcer
    hall.clock.forward(seconds=LEASE.total_seconds())
    await hall.service.show_home_again(id_)  # a director who saw nothing presses again
    assert await _only_home(after, id_) == first + 1


async def test_the_older_one_is_put_away_later_where_discord_is_slow(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall, id_, first = await _event(store)
    put_away, tries = hall.announcer.put_away, 0

    async def slow(*about: object) -> None:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise Retry
        await put_away(*about)  # type: ignore[arg-type]

    monkeypatch.setattr(hall.announcer, "put_away", slow)
    await hall.service.show_home_again(id_)
    await hall.worker.drain()
    assert hall.announcer.homes == [first, first + 1]
    assert await _only_home(hall, id_) == first + 1
    assert tries == 2


async def test_one_that_was_deleted_meanwhile_comes_back_once(store: Store) -> None:
    hall, id_, first = await _event(store)
    hall.announcer.gone.add(first)
    hall.announcer.homes.remove(first)
    await hall.join(id_, 1)
    await hall.service.show_home_again(id_)
    hall.clock.forward(seconds=5)
    await hall.worker.drain()
    assert await _only_home(hall, id_) == first + 1


@pytest.mark.parametrize("is_there", [True, False])
async def test_a_home_that_may_be_written_in_again_has_one_message(
    store: Store, *, is_there: bool
) -> None:
    """Permissions were lost and given back; the message that stood there meanwhile is known."""
    hall, id_, first = await _event(store)
    refusal = Refused("50013") if is_there else Gone("message")
    hall.announcer.fails[MessageKind.HOME] = [refusal, Refused("50013")]
    if not is_there:
        hall.announcer.homes.remove(first)
        hall.announcer.gone.add(first)
    await hall.join(id_, 1)
    hall.clock.forward(seconds=5)
    await hall.sweep()
    hall.clock.forward(hours=1)
    await hall.sweep()
    hall.clock.forward(hours=1)
    await hall.sweep()
    assert hall.announcer.fails[MessageKind.HOME] == []
    assert (await _only_home(hall, id_) == first) is is_there


async def test_an_event_that_is_over_may_be_shown_again(store: Store) -> None:
    hall, id_, first = await _event(store)
    await hall.direct(id_, acts.Cancel())
    await _only_home(hall, id_)
    await hall.service.show_home_again(id_)
    assert await _only_home(hall, id_) == first + 1
    due = await store.read(outbox.next_due)
    assert due is None or due > hall.clock.now() + timedelta(hours=1)


@pytest.mark.long
async def test_a_challenge_is_closed_where_it_was_told_after_a_kill_and_another_home_message(
    store: Store, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process dies when the challenge is posted and not noted yet."""
    id_ = await hall.begun(FormatKey.LADDER, 4)
    hall.club.worker.take = hall.worker.take = lambda batch: None
    await hall.challenge(2, id_, 1)
    hall.clock.forward(seconds=LEASE.total_seconds())
    now = hall.clock.now()
    claims = [each for key in await store.write(outbox.claim, now, now + LEASE, 9) for each in key]
    (claim,) = (each for each in claims if each.payload["message"] == MessageKind.CHALLENGED.value)

    def hit(name: str) -> None:
        if name == "c8":
            raise _KilledError

    monkeypatch.setattr(telling, "hit", hit)
    with pytest.raises(_KilledError):
        await hall.telling.make(claim)
    monkeypatch.undo()
    assert await store.read(standing.noted_places, "challenge:") == ()
    hall.clock.forward(seconds=LEASE.total_seconds())
    after = hall.restarted()
    await after.sweep()
    ((_, asked),) = await store.read(standing.noted_places, "challenge:")
    await after.service.show_home_again(id_)
    await after.sweep()
    await after.service.play(
        Visitor(person(1)), id_, challenges.decline, 2, interaction_id=hall.club.click()
    )
    await after.sweep()
    closed = [m for m, _ in after.announcer.told if m.kind is MessageKind.ANSWERED]
    assert [each.shown for each in closed] == [asked]
    assert await store.read(standing.noted_places, "challenge:") == ()
