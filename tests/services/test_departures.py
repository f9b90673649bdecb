"""Players who leave the server: their opponents are told once, and may claim, wait or abort."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.domain.ids import GuildId, UserId
from bot.domain.match import Actor, Ending, MatchStatus
from bot.posts.notices import NoticeKind
from bot.services import departures
from bot.services.departures import DepartureWatch
from bot.store import Store
from tests.support.kit import ANN, BOB, CYD, DAN, Club, head, refused


@dataclass
class Members:
    """The members of a server, in Discord's view."""

    gone: set[UserId] = field(default_factory=set)
    silent: bool = False
    asked: list[UserId] = field(default_factory=list)

    async def is_member(self, guild_id: GuildId, user_id: UserId) -> bool | None:
        self.asked.append(user_id)
        return None if self.silent else user_id not in self.gone


async def _left(store: Store, *others: Any, leaver: Actor = BOB, **more: Any) -> Any:
    """A match whose third move is made, and whose player leaves; and who looks after it."""
    club, members = Club(store), Members({leaver.user_id})
    match_id = await club.start(*(others or (BOB,)), **more)
    if not more:
        await club.play(match_id, "a1 b2 c3")
    watch = DepartureWatch(store, club.clock, members.is_member)
    await club.worker.drain()
    club.discord.told.clear()
    return club, match_id, watch, members


async def test_an_opponent_is_told_once_a_day_after_the_last_move(store: Store) -> None:
    club, match_id, watch, members = await _left(store)
    assert await watch.sweep() == 0
    assert members.asked == [], "who has moved today is there"
    club.clock.forward(days=1)
    members.silent = True
    assert await watch.sweep() == 0, "Discord does not say"
    members.silent = False
    club.clock.forward(days=1)
    assert await watch.sweep() == 1
    await club.worker.drain()
    assert [(told.player, told.notice) for told in club.discord.told] == [(0, NoticeKind.DEPARTED)]
    club.clock.forward(days=1)
    assert await watch.sweep() == 0
    match = await head(store, match_id)
    assert match.departed == (1,)


async def test_a_player_who_comes_back_and_moves_meanwhile_has_not_left(store: Store) -> None:
    club, match_id, _, _ = await _left(store)

    async def is_member(guild_id: GuildId, user_id: UserId) -> bool:
        if user_id == BOB.user_id:
            await club.move(BOB, match_id, "a2")
        return user_id != BOB.user_id

    club.clock.forward(days=1)
    assert await DepartureWatch(store, club.clock, is_member).sweep() == 0
    match = await head(store, match_id)
    assert match.departed == ()


async def test_each_quiet_match_has_its_turn(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(departures, "_BATCH", 1)
    monkeypatch.setattr(departures, "_MOST", 2)
    club, members = Club(store), Members()
    for other in (BOB, CYD, DAN):
        await club.start(other)
    watch = DepartureWatch(store, club.clock, members.is_member)
    club.clock.forward(days=1)
    await watch.sweep()
    assert len(members.asked) == 3
    await watch.sweep()
    assert set(members.asked) == {each.user_id for each in (ANN, BOB, CYD, DAN)}
    club.clock.forward(days=1)
    await watch.sweep()
    assert len(members.asked) == 7, "the first have their turn again"


@pytest.mark.long
async def test_the_match_is_claimed_or_aborted_at_once_or_goes_on(store: Store) -> None:
    club, match_id, watch, _ = await _left(store)
    before = await head(store, match_id)
    club.clock.forward(days=1)
    await watch.sweep()
    await refused("nudge_self", club.claim(BOB, match_id))
    claimed = await club.claim(ANN, match_id)
    assert claimed.match.result.winners == (0,)
    assert claimed.match.result.ending is Ending.RESIGNATION
    assert before.departed == ()

    other = await club.start(BOB)
    await club.play(other, "a1 b2 c3")
    await refused("too_late_to_abort", club.abort(ANN, other))
    club.clock.forward(days=1)
    await watch.sweep()
    aborted = await club.abort(ANN, other)
    assert aborted.match.status is MatchStatus.ABORTED

    third = await club.start(BOB)
    await club.play(third, "a1 b2 c3")
    club.clock.forward(days=1)
    await watch.sweep()
    back = await club.move(BOB, third, "a2")
    assert back.match.departed == ()
    await refused("too_late_to_abort", club.abort(ANN, third))


async def test_at_a_table_of_four_the_others_are_told_and_play_on(store: Store) -> None:
    club, match_id, watch, _ = await _left(
        store, BOB, CYD, DAN, leaver=CYD, game="pythagoras", options={"seats": "4"}
    )
    club.clock.forward(days=1)
    assert await watch.sweep() == 1
    await club.worker.drain()
    match = await head(store, match_id)
    left = match.index_of(CYD.user_id)
    assert {told.player for told in club.discord.told} == set(range(4)) - {left}
    claimed = await club.claim(DAN, match_id)
    assert claimed.match.status is MatchStatus.RUNNING
    assert claimed.match.retired == (left,)


@pytest.mark.parametrize("how", ["comes back", "claimed"])
async def test_word_of_who_left_goes_with_a_move_or_the_end(store: Store, how: str) -> None:
    club, match_id, watch, _ = await _left(store)
    club.clock.forward(days=1)
    await watch.sweep()
    await club.worker.drain()
    assert "departed" in [each.kind for each in club.discord.messages.values()]
    if how == "claimed":
        await club.claim(ANN, match_id)
    else:
        await club.play(match_id, "a3")
    await club.worker.drain()
    assert "departed" not in [each.kind for each in club.discord.messages.values()]
