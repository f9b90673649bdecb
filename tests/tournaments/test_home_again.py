"""The home message: looked for, and with **Post again** further down, once, whatever happens."""

from __future__ import annotations

import pytest

from bot.posts.outgoing import LEASE
from bot.store import Store, outbox, standing
from bot.tournaments.delivery import telling
from bot.tournaments.domain.notices import MessageKind
from tests.support.databases import both
from tests.tournaments.kit import Hall

HOME = {  # 7001 stands first
    "a look each ten minutes is no edit, and one that is gone comes back, also at a start": """
        wait 10m | sweep | wait 10m | sweep | ? (looked, told(None, "home")) == (2, 1)
        deleted | wait 10m | sweep | ? homes == [7002]
        deleted | starts | sweep | ? homes == [7003]""",
    "the older one goes when it is posted again": """
        again | wait 5s | sweep | ? homes == [7002]
        again | wait 5s | sweep | ? homes == [7003]""",
    "pressed twice at once it is posted again once": """
        again 2 | wait 5s | sweep | ? (homes, told(None, "home")) == ([7002], 2)""",
    "pressed once more while it is being posted": """
        again | meanwhile | wait 5s | sweep | ? homes == [7002]""",
    "updates before and after it change nothing": """
        join 1 | again | join 2 | wait 5s | sweep | ? homes == [7002]
        ? len(views("home")[-1].tournament.active) == 2""",
    "that one is looked for in ten minutes does not hold it up": """
        wait 1s | again | drain | ? homes == [7002]""",
    "the older one is put away later where Discord is slow": """
        again | fails put_away retry 1 | drain | ? homes == [7001, 7002]
        wait 5s | sweep | ? homes == [7002]""",
    "one that was deleted meanwhile comes back once": """
        deleted | join 1 | again | wait 5s | drain | wait 5s | sweep | ? homes == [7002]""",
    "after permissions were lost and given back it is the same": """
        fails home refused refused | join 1 | wait 5s | sweep | wait 1h | sweep | wait 1h | sweep
        ? homes == [7001]""",
    "one that was deleted while permissions were lost comes back": """
        fails home gone refused | deleted | join 1
        wait 5s | sweep | wait 1h | sweep | wait 1h | sweep | ? len(homes) == 1
        ? homes != [7001]""",
    "that of an event that is over may be posted again, and is not looked for": """
        cancel | wait 5s | sweep | again | wait 5s | sweep | ? homes == [7002]
        ? next_due is None or next_due > now + timedelta(hours=1)""",
}


@both
@pytest.mark.parametrize("text", HOME.values(), ids=HOME)
async def test_one_home_message_stands(hall: Hall, text: str) -> None:
    id_ = await hall.told(f"swiss 0 | sweep | ? homes == [7001] | {text}")
    assert [(await hall.stored(id_)).home.message_id] == hall.announcer.homes


async def test_that_of_a_live_event_is_looked_for_every_minute(hall: Hall) -> None:
    id_ = await hall.told("arena 2 clock=30m+3s no_show=30m | sweep")
    before = hall.announcer.looked
    await hall.tell(id_, "wait 1m | sweep | wait 1m | sweep | ? not t.status.is_final")
    assert hall.announcer.looked == before + 2


class _KilledError(BaseException):
    """Stands for the end of the process."""


async def _killed_at(hall: Hall, kind: MessageKind, point: str) -> None:
    """The process dies at a point of telling that; its work is free for another one."""
    now = hall.clock.now()
    keys = await hall.store.write(outbox.claim, now, now + LEASE, 9)
    (claim,) = (x for key in keys for x in key if x.payload["message"] == kind.value)

    def hit(name: str) -> None:
        if name == point:
            raise _KilledError

    with pytest.MonkeyPatch.context() as spiked:
        spiked.setattr(telling, "hit", hit)
        with pytest.raises(_KilledError):
            await hall.telling.make(claim)
    hall.clock.forward(seconds=LEASE.total_seconds())


@both
@pytest.mark.parametrize(("point", "noted"), [("c8", 7001), ("c9", 7002)])
async def test_a_kill_leaves_one_home_message(hall: Hall, point: str, noted: int) -> None:
    """Once when the new one is not noted yet, once when the older one is not deleted yet."""
    id_ = await hall.told("swiss 0 | sweep | again")
    await _killed_at(hall, MessageKind.HOME, point)
    assert (hall.announcer.homes, (await hall.stored(id_)).home.message_id) == ([7001, 7002], noted)
    # A director who saw nothing presses again.
    await hall.tell(id_, "restart | again | wait 5s | sweep | ? homes == [7002]")
    assert (await hall.stored(id_)).home.message_id == 7002


@both
@pytest.mark.long
async def test_a_challenge_is_closed_where_it_was_told_after_a_kill_and_another_home_message(
    store: Store, hall: Hall
) -> None:
    id_ = await hall.told("ladder 4")
    hall.club.worker.take = hall.worker.take = lambda batch: None
    await hall.tell(id_, "challenge 2 1")
    hall.clock.forward(seconds=LEASE.total_seconds())
    await _killed_at(hall, MessageKind.CHALLENGED, "c8")
    assert await store.read(standing.noted_places, "challenge:") == ()
    await hall.tell(id_, "restart | sweep")
    ((_, asked),) = await store.read(standing.noted_places, "challenge:")
    await hall.tell(id_, "again | sweep | decline 1 2 | sweep")
    closed = [m for m, _ in hall.announcer.told if m.kind is MessageKind.ANSWERED]
    assert [each.shown for each in closed] == [asked]
    assert await store.read(standing.noted_places, "challenge:") == ()
