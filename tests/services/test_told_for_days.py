"""Days in the lives of players who sleep, choose differently and are in several time zones."""

from __future__ import annotations

import contextlib
import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.clock import TimeControl
from bot.domain.ids import MatchId, UserId
from bot.domain.match import MatchStatus
from bot.domain.preferences import NoticeWay, Preferences
from bot.domain.quiet import QuietHours
from bot.domain.table import player_on_turn, table_of
from bot.errors import UserError
from bot.services.digests import sweep_digests
from bot.services.ports import NoticeKind
from tests.kit import Club, HandClock, person

STEP = timedelta(minutes=30)
FIVE_DAYS = TimeControl(timedelta(days=5), per_move=True)
CHOICES = (
    Preferences(),
    Preferences(quiet=QuietHours(22, 7), zone="Europe/Berlin", reminders=(48, 24, 3)),
    Preferences(way=NoticeWay.DIRECT, quiet=QuietHours(23, 8), zone="America/New_York"),
    Preferences(way=NoticeWay.DIGEST, zone="Asia/Tokyo", digest_hour=7, reminders=(72, 12)),
    Preferences(way=NoticeWay.NOTHING, reminders=(72,)),
    Preferences(quiet=QuietHours(9, 17), zone="Australia/Lord_Howe", reminders=(72, 24, 12, 6)),
)


@dataclass
class Days:
    """What was told to whom and when, and when each turn began and ended."""

    club: Club
    rng: random.Random
    turns: list[tuple[MatchId, int, UserId, datetime]] = field(default_factory=list)
    reminders: list[tuple[MatchId, int, UserId, datetime, bool]] = field(default_factory=list)
    digests: list[tuple[UserId, datetime]] = field(default_factory=list)
    lasted: dict[tuple[MatchId, int], tuple[UserId, datetime, datetime]] = field(
        default_factory=dict
    )
    running: dict[MatchId, tuple[int, UserId, datetime]] = field(default_factory=dict)

    def listen(self) -> None:
        """Note the time of everything that is told."""
        discord, clock = self.club.discord, self.club.clock
        notify, remind, digest = discord.notify, discord.remind, discord.digest

        async def note_notice(match, player, notice, to, **more):
            if notice is NoticeKind.TURN:
                self.turns.append((match.id, match.ply, match.players[player], clock.at))
            return await notify(match, player, notice, to, **more)

        async def note_reminder(match, player, deadline, to, **more):
            user = match.players[player]
            direct = to.channel_id is None
            self.reminders.append((match.id, match.ply, user, clock.at, direct))
            assert clock.at < deadline
            return await remind(match, player, deadline, to, **more)

        async def note_digest(user_id, matches, **more):
            self.digests.append((user_id, clock.at))
            return await digest(user_id, matches, **more)

        discord.notify, discord.remind, discord.digest = note_notice, note_reminder, note_digest

    async def begin(self) -> None:
        """One more match between two of them."""
        one, two = self.rng.sample(range(1, len(CHOICES) + 1), 2)
        match_id = await self.club.start(person(two), by=person(one), clock=FIVE_DAYS)
        await self.note(match_id)

    async def note(self, match_id: MatchId) -> None:
        """Note whose turn it is now, and how long the one before lasted."""
        match = (await self.club.store.load(match_id, None)).match
        now = self.club.clock.at
        before = self.running.pop(match_id, None)
        if before is not None:
            ply, user, since = before
            self.lasted[match_id, ply] = (user, since, now)
        if match.status is MatchStatus.RUNNING:
            user = match.players[player_on_turn(match)]
            self.running[match_id] = (match.ply, user, now)

    async def step(self) -> None:
        """Some move, if they are awake and like to; then the host tells what there is to tell."""
        for match_id, (_, user, _) in list(self.running.items()):
            chosen = CHOICES[user - 1]
            if chosen.quiet_until(self.club.clock.at) or self.rng.random() > 0.025:
                continue
            match = (await self.club.store.load(match_id, None)).match
            table = table_of(match)
            legal = table.game.legal_moves(table.position)
            moves = [table.game.notation(table.position, move) for move in legal]
            with contextlib.suppress(UserError):  # their time has run out
                await self.club.move(person(user), match_id, self.rng.choice(moves))
            await self.note(match_id)
            if match_id not in self.running:
                await self.begin()
        await self.club.worker.drain()
        await self.club.reminding.sweep()
        await sweep_digests(self.club.store, self.club.discord, self.club.notices, self.club.clock)


@pytest.mark.parametrize("seed", [1, 2])
async def test_every_turn_is_told_once_and_nothing_in_quiet_hours(store, seed):
    # In these days clocks are put back, first in Berlin and then in New York.
    club = Club(store, HandClock(datetime(2026, 10, 24, tzinfo=UTC)), seed=seed)
    days = Days(club, random.Random(seed))
    days.listen()
    for number, chosen in enumerate(CHOICES, 1):
        await club.preferences.change(UserId(number), lambda _, chosen=chosen: chosen)
    for _ in range(8):
        await days.begin()
    end = club.clock.at + timedelta(days=9)
    outage = club.clock.at + timedelta(days=4)
    while club.clock.at < end:
        if not outage <= club.clock.at < outage + timedelta(hours=6):
            await days.step()
        club.clock.at += STEP

    told = [(match_id, ply) for match_id, ply, _, _ in days.turns]
    assert len(told) == len(set(told)), "no turn is told twice"
    by_turn = {(match_id, ply): (user, at) for match_id, ply, user, at in days.turns}
    for (match_id, ply), (user, since, until) in days.lasted.items():
        chosen = CHOICES[user - 1]
        found = by_turn.get((match_id, ply))
        if chosen.way in (NoticeWay.NOTHING, NoticeWay.DIGEST):
            assert found is None
            continue
        due = chosen.quiet_until(since) or since
        if outage <= due < outage + timedelta(hours=6):
            due = outage + timedelta(hours=6)
            due = chosen.quiet_until(due) or due
        if due + STEP < until:
            assert found is not None, (match_id, ply, user, since, until)
        if found is not None:
            assert found[0] == user, "nobody else is told"
            assert due <= found[1] <= due + STEP
    for user, at in (
        [(user, at) for _, _, user, at in days.turns]
        + [(user, at) for _, _, user, at, _ in days.reminders]
        + days.digests
    ):
        assert CHOICES[user - 1].quiet_until(at) is None
    for _, _, user, _, direct in days.reminders:
        way = CHOICES[user - 1].way
        assert way is not NoticeWay.NOTHING
        assert direct == (way is not NoticeWay.MENTION)
    assert {user for user, _ in days.digests} == {UserId(4)}
    assert len({at.date() for _, at in days.digests}) == len(days.digests) <= 10
    assert len(days.lasted) > 60
    assert days.reminders
