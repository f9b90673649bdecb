"""How people are told: in the way they chose, not in quiet hours, once."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.domain.ids import MatchId, UserId
from bot.domain.match import Place, Venue
from bot.domain.preferences import NoticeWay
from bot.domain.quiet_hours import QuietHours
from bot.domain.requests import RequestKind
from bot.posts.notices import NOTICES, NoticeKind
from bot.services.preferences import LIFETIME, PreferenceService
from bot.store import Store, outbox, people
from bot.store.errors import StoreUnavailable
from tests.support.databases import answer_instead, both
from tests.support.kit import ANN, BOB, CHANNEL, Club, HandClock, next_unsent, person

TURN, ASKED = NoticeKind.TURN, NOTICES["draw_asked"]
BERLIN = "Europe/Berlin"


def turns(club: Club) -> list[tuple[int, bool]]:
    return [
        (told.ply, told.to.channel_id is None) for told in club.discord.told if told.notice is TURN
    ]


async def begun(store: Store, clock: Any = None, **more: Any) -> Any:
    club = Club(store, clock)
    match_id = await club.begun(BOB, **more)
    club.discord.told.clear()
    return club, match_id


async def plays(club: Club, match_id: MatchId, moves: str) -> None:
    """Play moves one after another, with all that is told after each."""
    for text in moves.split():
        await club.plays(match_id, text)


@pytest.mark.parametrize(
    ("way", "told"),
    [
        (NoticeWay.MENTION, [(TURN, False), (ASKED, False)]),
        (NoticeWay.DIRECT, [(TURN, False), (ASKED, False)]),
        (NoticeWay.NOTHING, [(ASKED, True)]),
        (NoticeWay.DIGEST, [(ASKED, True)]),
    ],
)
async def test_a_turn_is_told_as_was_chosen_and_a_question_can_be_seen(
    store: Store, way: NoticeWay, told: Any
) -> None:
    club, match_id = await begun(store)
    await club.choose(BOB, way=way)
    await club.plays(match_id, "b2")
    await club.ask(ANN, match_id, RequestKind.DRAW)
    await club.worker.drain()
    assert [(each.notice, each.silent) for each in club.discord.told] == told
    home = (await club.service.match(ANN, match_id)).home_id
    where = {(each.to.user_id, each.to.channel_id) for each in club.discord.told}
    assert where == {(BOB.user_id, None if way is NoticeWay.DIRECT else home)}
    assert len(club.discord.boards(match_id)) == 2


@pytest.mark.parametrize(
    "choices",
    [{"way": NoticeWay.NOTHING}, {"way": NoticeWay.DIRECT}, {"quiet": QuietHours(22, 7)}],
)
async def test_nobody_is_told_while_choices_cannot_be_read(store: Store, choices: Any) -> None:
    club, match_id = await begun(store, HandClock(datetime(2026, 1, 12, 23, tzinfo=UTC)))
    await club.choose(BOB, **choices)
    club.clock.forward(seconds=2 * LIFETIME)

    async def unreadable(_user: UserId) -> None:
        raise StoreUnavailable("locked")

    with pytest.MonkeyPatch.context() as patch:
        answer_instead(patch, store, people.person, unreadable)
        await plays(club, match_id, "b2")
        assert club.discord.told == []
    await club.later(hours=9)
    wanted = {NoticeWay.NOTHING: [], NoticeWay.DIRECT: [(1, True)]}
    assert turns(club) == wanted.get(choices.get("way"), [(1, False)])


async def test_a_direct_message_refused_becomes_a_mention_for_good(store: Store) -> None:
    club, match_id = await begun(store)
    await club.choose(BOB, way=NoticeWay.DIRECT)
    club.discord.closed.add(BOB.user_id)
    calls = club.discord.calls.count("notify")
    await plays(club, match_id, "b2 a1 c3")
    assert turns(club) == [(1, False), (2, False), (3, False)]
    assert club.discord.calls.count("notify") == calls + 4, "one of them refused"
    # A player who chooses direct messages again has them tried again.
    club.discord.closed.clear()
    await club.choose(BOB, direct_refused=None)
    await plays(club, match_id, "c1 a3")
    assert turns(club)[-1] == (5, True)


async def test_a_turn_in_quiet_hours_is_told_when_they_end(store: Store) -> None:
    clock = HandClock(datetime(2026, 1, 10, 20, 0, tzinfo=UTC))
    club, match_id = await begun(store, clock)
    await club.choose(BOB, quiet=QuietHours(22, 7), zone=BERLIN)
    clock.forward(hours=2)
    await club.plays(match_id, "b2")
    assert turns(club) == []
    assert len(club.discord.boards(match_id)) == 2, "the board is posted at once"
    morning = datetime(2026, 1, 11, 6, 0, tzinfo=UTC)
    assert await next_unsent(store) == morning
    clock.at = morning.replace(hour=5, minute=59)
    await club.worker.drain()
    assert turns(club) == []
    clock.at = morning
    await club.worker.drain()
    assert turns(club) == [(1, False)]
    assert await store.read(outbox.next_due) is None


async def test_asking_for_the_board_at_night_wakes_nobody(store: Store) -> None:
    clock = HandClock(datetime(2026, 1, 10, 22, 0, tzinfo=UTC))
    club, match_id = await begun(store, clock)
    await club.choose(BOB, quiet=QuietHours(22, 7), zone=BERLIN)
    await club.plays(match_id, "b2")
    await club.service.show_again(ANN, match_id)
    await club.worker.drain()
    assert turns(club) == []
    clock.forward(hours=9)
    await club.worker.drain()
    assert turns(club) == [(1, False)]


async def test_a_choice_made_in_another_process_counts_within_seconds(store: Store) -> None:
    club, match_id = await begun(store)
    assert (await club.preferences.of(BOB.user_id)).way is NoticeWay.MENTION
    other = PreferenceService(store, club.clock)
    await other.change(BOB.user_id, lambda chosen: replace(chosen, way=NoticeWay.NOTHING))
    club.clock.forward(seconds=LIFETIME + 1)
    await club.plays(match_id, "b2")
    assert turns(club) == []


@both
async def test_two_processes_that_change_different_things_lose_neither(store: Store) -> None:
    one, two = (PreferenceService(store, HandClock()) for _ in range(2))
    await one.of(BOB.user_id)
    await two.of(BOB.user_id)
    await one.change(BOB.user_id, lambda chosen: replace(chosen, theme="light"))
    found = await two.change(BOB.user_id, lambda chosen: replace(chosen, zone=BERLIN))
    assert (found.theme, found.zone) == ("light", BERLIN)


async def test_a_memory_of_choices_has_a_bound(store: Store) -> None:
    service = PreferenceService(store, HandClock(), limit=10)
    people = [UserId(number) for number in range(1, 40)]
    for user in people:
        await service.of(user)
    assert sum(service.known(user) is not None for user in people) == 10


# ---- offers to people by name ---------------------------------------------------------------


@both
@pytest.mark.parametrize("direct", [False, True])
@pytest.mark.parametrize(
    ("choices", "called", "at_once", "in_the_morning"),
    [
        ({}, True, [], []),
        ({"way": NoticeWay.NOTHING}, False, [], []),
        ({"way": NoticeWay.DIGEST}, False, [], []),
        ({"way": NoticeWay.DIRECT}, None, [True], []),  # in direct messages the offer itself calls
        ({"quiet": QuietHours(22, 7)}, False, [], [True]),
    ],
)
async def test_an_offer_calls_as_was_chosen(
    store: Store, direct: bool, choices: Any, *, called: Any, at_once: Any, in_the_morning: Any
) -> None:
    club = Club(store, HandClock(datetime(2026, 1, 12, 23, tzinfo=UTC)))
    await club.choose(BOB, **choices)
    host, guest = (person(n, guild=None) if direct else person(n) for n in (1, 2))
    place: Any = {"place": Place(None, CHANNEL), "venue": Venue.DIRECT} if direct else {}
    offered = await club.offer(guest, by=host, **place)
    await club.worker.drain()
    called = direct if called is None else called
    assert club.discord.pinged == ((BOB.user_id,) if called else ())
    told = [] if direct else at_once
    assert [each.to.channel_id is None for each in club.discord.told] == told
    await club.later(hours=9)
    wanted = told + [direct for _ in in_the_morning]
    assert [each.to.channel_id is None for each in club.discord.told] == wanted, "after quiet hours"
    await club.accept(guest, offered)
    await club.worker.drain()
    kinds = [each.kind for each in club.discord.messages.values()]
    assert NoticeKind.CHALLENGED.value not in kinds, "it goes once the offer is answered"


async def test_an_offer_answered_before_the_morning_is_told_no_more(store: Store) -> None:
    club = Club(store, HandClock(datetime(2026, 1, 12, 23, tzinfo=UTC)))
    await club.choose(BOB, quiet=QuietHours(22, 7))
    offered = await club.offer(BOB)
    await club.worker.drain()
    await club.withdraw(ANN, offered.match.id)
    await club.later(hours=9)
    assert club.discord.told == []
