"""Limits of one person and one server; waiting for them costs no player time."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import discord
import pytest

from bot.domain.clock import TimeControl
from bot.domain.ids import GuildId
from bot.domain.match import Venue
from bot.domain.preferences import NoticeWay
from bot.domain.quiet_hours import QuietHours
from bot.i18n import Languages
from bot.posts.notices import NoticeKind
from bot.posts.outgoing import QUIET, PutOff
from bot.posts.sending import Notice, Posted
from bot.services.pairing import Limits
from bot.services.rate_limits import CROWDED, DiscordShare, ServerShares
from bot.services.timeouts import sweep_flags
from bot.settings import Settings
from bot.store import Store, presence
from bot.store.presence import EVERYWHERE
from bot.ui.delivery.match_deliveries import MatchDeliveries
from bot.ui.delivery.notices import Notices
from bot.ui.interaction.obstacles import Obstacles
from tests.support.kit import BOB, GUILD, Club, HandClock, a_match, next_unsent

OTHER = GuildId(99)


def test_the_host_begins_with_the_limits_that_are_promised() -> None:
    given = Settings(_env_file=None)
    assert (given.commands_per_second, given.commands_burst) == (1.0, 5)
    assert given.suggestions_per_second == 5
    assert (given.open_offers, given.offers_to_one, given.cool_down_hours) == (10, 3, 24)
    assert (given.running_matches, given.computer_matches, given.computer_moves) == (25, 2, 10)
    assert (given.server_matches, given.server_threads) == (200, 30)
    assert (given.server_messages, given.server_tournaments) == (60, 3)
    assert given.computers_waiting == 50
    limits = Limits()
    assert (limits.computer_matches, limits.computers_waiting) == (2, 50)


def test_a_server_has_its_share_of_a_minute_and_others_have_theirs() -> None:
    clock = HandClock()
    shares = ServerShares(clock, 3, seconds=clock.seconds)
    assert [shares.take(GUILD, each) for each in "abc"] == [None] * 3
    assert shares.is_used_up(GUILD)
    waits = [shares.take(GUILD, each) for each in "def"]
    assert [each - clock.now() for each in waits if each] == [
        timedelta(seconds=20 * number) for number in (1, 2, 3)
    ], "each waits for a place of its own"
    assert shares.take(OTHER, "g") is None
    assert all(shares.take(None, "h") is None for _ in range(9)), "direct messages have no share"
    assert shares.take(GUILD, "d") == waits[0], "asking again changes nothing"
    clock.forward(seconds=20)
    assert shares.is_used_up(GUILD), "what is free is promised"
    late = shares.take(GUILD, "i")
    assert late == clock.now() + timedelta(seconds=60), "whatever comes later waits behind them"
    assert shares.take(GUILD, "d") is None
    assert shares.take(GUILD, "e") == waits[1]
    clock.forward(minutes=2)
    assert not shares.is_used_up(GUILD)
    assert [shares.take(GUILD, each) for each in "efij"] == [
        None,
        None,
        None,
        clock.now() + timedelta(seconds=20),
    ]


async def test_what_is_told_in_direct_messages_or_later_uses_up_no_share(store: Store) -> None:
    club, match_id = await a_match(store, BOB, venue=Venue.CHANNEL)
    match = await club.service.match(BOB, match_id)
    shares = ServerShares(club.clock, 1, seconds=club.clock.seconds)
    messenger: Any = club.discord
    notices = Notices(messenger, club.clock, club.preferences, shares)

    async def told(number: int) -> object:
        return await notices.tell(Notice(match, BOB.user_id, NoticeKind.TURN, f"n{number}"))

    def wants(way: NoticeWay, quiet: QuietHours | None = None) -> Any:
        chosen = lambda before: replace(before, way=way, quiet=quiet)  # noqa: E731
        return club.preferences.change(BOB.user_id, chosen)

    await wants(NoticeWay.DIRECT)
    assert isinstance(await told(1), Posted)
    await wants(NoticeWay.NOTHING)
    assert await told(2) is None
    hour = club.clock.now().hour
    await wants(NoticeWay.MENTION, QuietHours(hour, (hour + 1) % 24))
    waits = await told(3)
    assert isinstance(waits, PutOff)
    assert waits.trouble == QUIET
    await wants(NoticeWay.MENTION)
    assert isinstance(await told(4), Posted), "the share was not used up before"
    waits = await told(5)
    assert isinstance(waits, PutOff)
    assert waits.trouble == CROWDED


async def test_what_waits_for_its_servers_share_costs_nobody_time(store: Store, club: Club) -> None:
    await store.write(presence.beat, (EVERYWHERE,), club.clock.now(), timedelta(days=99))
    minute = TimeControl(timedelta(minutes=1), per_move=True)
    match_id = await club.start(BOB, clock=minute, venue=Venue.CHANNEL)
    for move in ("", "b2", "a1"):
        await club.plays(match_id, move)
    shares = ServerShares(club.clock, 1, seconds=club.clock.seconds)
    messenger: Any = club.discord
    few = MatchDeliveries(messenger, club.notices, club.clock, club.pairing, shares)
    club.handlers = (few, *club.handlers[1:])
    worker = club.changes.outbox = club.worker = club.another_worker()
    worker.settled = club.blocked.settled
    assert shares.take(GUILD, "other") is None, "something else was posted there just now"
    posted = len(club.discord.boards(match_id))
    await club.play(match_id, "a2")
    await worker.drain()
    assert len(club.discord.boards(match_id)) == posted
    await club.blocked.look()
    match = await club.service.match(BOB, match_id)
    turn = club.blocked.turn(match)
    assert turn is not None, "the clock waits with the board"
    assert turn.user_id is not None
    client = discord.Client(intents=discord.Intents.none())
    obstacles = Obstacles(client, club.blocked, shares.is_used_up)
    said = obstacles.of(match, turn.user_id, Languages().default).words
    assert not said, "the player on turn sees the board"
    said = obstacles.words(match, None, turn, Languages().default)
    assert said.startswith("There are many messages in this server just now")
    for _ in range(4):
        club.clock.forward(minutes=1)
        await store.write(presence.beat, (EVERYWHERE,), club.clock.now(), timedelta(days=99))
        await worker.drain()
        await club.untold_turns.sweep()
        assert await sweep_flags(store, club.clock, club.vacations) == 0
        await club.blocked.look()
        if club.blocked.turn(await club.service.match(BOB, match_id)) is None:
            break
    assert len(club.discord.boards(match_id)) == posted + 1
    match = await club.service.match(BOB, match_id)
    assert match.deadline == club.clock.now() + minute.bank
    assert await next_unsent(store) is None or shares.is_used_up(GUILD)


@pytest.mark.parametrize("step", [-3600, 3600])
def test_a_machine_whose_clock_jumps_makes_no_server_wait_longer(step: int) -> None:
    clock = HandClock()
    shares = ServerShares(clock, 1, seconds=clock.seconds)
    assert shares.take(GUILD, "a") is None
    clock.jump(seconds=step)
    assert shares.take(GUILD, "b") == clock.now() + timedelta(minutes=1)
    clock.forward(minutes=1)
    assert shares.take(GUILD, "b") is None


@pytest.mark.parametrize("processes", [1, 3])
def test_all_processes_together_ask_no_more_of_discord_than_it_takes(processes: int) -> None:
    now = 100.0
    shares = [DiscordShare(seconds=lambda: now) for _ in range(processes)]
    for each in shares:
        each.among(processes)
    made = sorted(now + each.wait() for each in shares for _ in range(200))
    assert made[0] == now, "a lone request need not wait"
    for first, later in zip(made, made[51:], strict=False):
        assert later - first >= 0.999
    assert made[-1] < now + 200 * processes / 40, "and hardly less"
