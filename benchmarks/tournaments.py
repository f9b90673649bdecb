"""The cost of tournaments: a large Swiss round, a result of it, and a move beside many events.

- A round of 256 players is paired in a process of its own; meanwhile the event loop must be as free
  as an idle one.
- The loop's own work when such a round is due, from the look at the tournament to the
  first moves, holds it up for a few milliseconds at a time. That is the loop's own processor time,
  without that of other programs.
- The transaction that ends a match of a tournament of 256 players is compared with the same of a
  match without a tournament.
- A move is stored beside 10 and beside 1,000 running tournaments.

Processor time counts, in pairs that take turns, and the median of their ratios. Ends with an error
if a bound is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from random import Random

import bot.features  # noqa: F401 - the match has its features
from bot.domain import hosted, play
from bot.domain.events import Change, CommandContext
from bot.domain.game_state import game_of
from bot.domain.ids import ChannelId, GuildId, UserId, new_match_id, new_tournament_id
from bot.domain.match import Actor, Match, Place, TournamentGame, Venue
from bot.store import Store, open_store
from bot.tournaments.domain import registration, running
from bot.tournaments.domain.facts import How
from bot.tournaments.domain.fold import TournamentAct, TournamentChange
from bot.tournaments.domain.formats.base import Ask
from bot.tournaments.domain.setup import FormatKey, Setup
from bot.tournaments.services.changes import TournamentChanges
from bot.tournaments.services.games import Games
from bot.tournaments.services.runner import TournamentRunner
from bot.tournaments.store import writing as tournament_writing
from bot.tournaments.store.records import Home, Writing
from bot.tournaments.swiss.engine import WorkerEngine

RESULTS = Path(__file__).parent / "results" / "tournaments.json"
PLAYERS = 256
LONGEST_ROUND = 5.0
MOST_LAG = 20.0
"""The additional lag of the loop in milliseconds at p99 while a round is drawn."""
MOST_HELD = 20.0
"""The longest computation of the loop between two looks, which are five ms apart at least."""
MOST_RESULT = 1.3
MOST_MOVE = 1.1
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOME = Home(GuildId(1), ChannelId(2))
PLACE = Place(HOME.guild_id, HOME.channel_id)


class FixedClock:
    """A clock that does not move."""

    def __init__(self, at: datetime) -> None:
        self._at = at

    def now(self) -> datetime:
        """Always the same instant."""
        return self._at


def a_setup(players: int) -> Setup:
    begins = NOW + timedelta(days=1)
    finish = begins + timedelta(days=90)
    made = Setup("Open", FormatKey.SWISS, "quax", begins, begins, finish, clock="1d/move")
    return replace(made, rounds=9 if players > 9 else 3, most=PLAYERS)


def entered(players: int, rng: Random) -> list[TournamentChange]:
    """A tournament with this many players, registration closed."""
    act = TournamentAct(NOW)
    id_ = new_tournament_id(rng)
    changes = [registration.create(id_, act, a_setup(players), lots=1)]
    for user in range(1, players + 1):
        found = registration.enter(changes[-1].tournament, act, UserId(user), rating=2000 - user)
        assert found is not None
        changes.append(found)
    closed = registration.close(changes[-1].tournament, act)
    assert closed is not None
    return [*changes, closed]


async def lag_of(work: Callable[[], Awaitable[object]]) -> tuple[float, float, float]:
    """The seconds of some work, and the lag of the loop in milliseconds at p99.

    Also the most processor time, in milliseconds, of the loop between two looks. The benchmark's
    many tournaments are no part of a bot and are kept from the garbage collector, which would take
    longer than the measured work.
    """
    gc.collect()
    gc.freeze()
    late: list[float] = []
    held: list[float] = []

    async def watch() -> None:
        while True:
            before, taken = time.perf_counter(), time.thread_time()
            await asyncio.sleep(0.005)
            late.append((time.perf_counter() - before - 0.005) * 1000)
            held.append((time.thread_time() - taken) * 1000)

    watching = asyncio.create_task(watch())
    began = time.perf_counter()
    await work()
    took = time.perf_counter() - began
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching
    return took, statistics.quantiles(late, n=100)[98], max(held)


async def drawn(rounds: int, rng: Random) -> tuple[dict[str, float], list[TournamentChange]]:
    """Rounds of a large Swiss, the longest, and the lag while they are drawn."""
    engine = WorkerEngine()
    changes = entered(PLAYERS, rng)
    act = TournamentAct(NOW + timedelta(days=1))
    longest, lag = 0.0, 0.0
    for _ in range(rounds):
        t = changes[-1].tournament
        asked = running.draw(t, act)
        assert isinstance(asked, Ask)
        answers: list[object] = []

        async def ask(request: object = asked.request, into: list[object] = answers) -> None:
            into.extend(await engine.pair((request,)))  # type: ignore[arg-type]

        took, late, _ = await lag_of(ask)
        longest, lag = max(longest, took), max(lag, late)
        found = running.draw(t, act, answers[0])  # type: ignore[arg-type]
        assert not isinstance(found, Ask)
        changes += found
        for played in changes[-1].tournament.pending:
            first = rng.choice((Fraction(1), Fraction(0), Fraction(1, 2)))
            points = (first, 1 - first)
            head = changes[-1].tournament
            changes += running.record(head, act, played.game.id, points, How.PLAYED)
    _, idle, _ = await lag_of(lambda: asyncio.sleep(max(longest, 2.0)))
    return {"round_seconds": longest, "lag_ms": lag, "idle_lag_ms": idle}, changes


async def held(store: Store, changes: list[TournamentChange], rng: Random) -> float:
    """The longest computation of the loop while a round is drawn and its matches begin."""
    first, *rest = changes
    clock = FixedClock(NOW + timedelta(days=2))
    await tournament_writing.commit(store, Writing(None, (first,), None, home=HOME))
    t = first.tournament
    for at in range(0, len(rest), 500):
        part = tuple(rest[at : at + 500])
        await tournament_writing.commit(store, Writing(t, part, clock.now()))
        t = part[-1].tournament
    games = Games(store, clock, rng, None)
    runner = TournamentRunner(TournamentChanges(store, clock), games, WorkerEngine().pair)
    _, _, longest = await lag_of(lambda: runner.carry_on(t.id))
    return longest


def started(rng: Random, players: tuple[UserId, UserId], of: TournamentGame | None) -> Change:
    rules = game_of("quax", {})
    game = of or TournamentGame(new_tournament_id(rng), "", takebacks=False, no_show=timedelta(1))
    change = hosted.set_up(
        new_match_id(rng),
        CommandContext(NOW),
        game="quax",
        options={},
        players=players,
        place=PLACE,
        venue=Venue.THREAD,
        rated=False,
        clock=None,
        tournament=game,
        state=rules.encode(rules.initial(rng)),
    )
    return change if of else replace(change, match=replace(change.match, tournament=None))


def resigned(match: Match) -> Change:
    return play.resign(match, CommandContext(NOW), Actor(UserId(match.players[0] or 0)))


async def cost(work: Awaitable[object]) -> float:
    began = time.process_time()
    await work
    return (time.process_time() - began) * 1000


async def results(store: Store, changes: list[TournamentChange], rng: Random) -> float:
    """The ratio of the cost of a match's end in a tournament of many players."""
    first, *rest = changes
    await tournament_writing.commit(store, Writing(None, (first,), None, home=HOME))
    t = first.tournament
    for at in range(0, len(rest), 500):
        part = tuple(rest[at : at + 500])
        # Finished games have no match here: the measured ones begin below.
        await tournament_writing.commit(store, Writing(t, part, None))
        t = part[-1].tournament
    found = running.draw(t, TournamentAct(NOW + timedelta(days=2)))
    assert isinstance(found, Ask)
    (paired,) = await WorkerEngine().pair((found.request,))
    drawn_now = running.draw(t, TournamentAct(NOW + timedelta(days=2)), paired)
    assert not isinstance(drawn_now, Ask)
    await tournament_writing.commit(store, Writing(t, drawn_now, None))
    t = drawn_now[-1].tournament
    ratios = []
    for played in t.pending:
        begun = running.begin_game(t, TournamentAct(NOW), played.game.id)
        assert begun is not None
        one, two = (UserId(number) for number in played.game.players)
        game = TournamentGame(t.id, played.game.id, takebacks=False, no_show=timedelta(days=1))
        inside = started(rng, (one, two), game)
        ids = {played.game.id: inside.match.id}
        await tournament_writing.commit(
            store, Writing(t, (begun,), None, matches=(inside,), begun=ids)
        )
        t = begun.tournament
        outside = started(rng, (one, two), None)
        await store.commit(outside)
        pair = [(inside, True), (outside, False)]
        rng.shuffle(pair)
        taken = {within: await cost(store.commit(resigned(x.match))) for x, within in pair}
        ratios.append(taken[True] / taken[False])
    return statistics.median(ratios)


async def moves_beside(store: Store, many: int, moves: int, rng: Random) -> list[float]:
    """The cost of a move beside ``many`` running tournaments, each with a game drawn."""
    for _ in range(many):
        changes = entered(4, rng)
        await tournament_writing.commit(store, Writing(None, tuple(changes), None, home=HOME))
    change = started(rng, (UserId(1), UserId(2)), None)
    await store.commit(change)
    match, found = change.match, []
    for _ in range(moves):
        table = game_of("quax", {})
        position = table.decode(match.state)
        move = rng.choice(list(table.legal_moves(position)))
        actor = Actor(UserId(match.players[match.ply % 2] or 0))
        after = play.move(match, CommandContext(NOW), actor, text=table.notation(position, move))
        found.append(await cost(store.commit(after)))
        match = after.match
    return found


async def measure(rounds: int, moves: int) -> dict[str, float]:
    rng = Random(11)
    found, changes = await drawn(rounds, rng)
    with tempfile.TemporaryDirectory() as folder:
        alone = await open_store(f"sqlite:///{folder}/alone.db")
        found["held_ms"] = await held(alone, changes, rng)
        await alone.close()
        store = await open_store(f"sqlite:///{folder}/parlour.db")
        found["result_ratio"] = await results(store, changes, rng)
        await store.close()
        few = await open_store(f"sqlite:///{folder}/few.db")
        beside_few = await moves_beside(few, 10, moves, rng)
        await few.close()
        lot = await open_store(f"sqlite:///{folder}/many.db")
        beside_many = await moves_beside(lot, 1000, moves, rng)
        await lot.close()
    found["move_ratio"] = statistics.median(beside_many) / statistics.median(beside_few)
    return found


def main() -> None:
    """Measure, print a table, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--moves", type=int, default=60)
    given = parser.parse_args()
    found = asyncio.run(measure(given.rounds, given.moves))
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(found, indent=1) + "\n")
    for name, value in found.items():
        print(f"{name:<14}  {value:8.3f}")
    bounds = {
        "round_seconds": LONGEST_ROUND,
        "lag_ms": found["idle_lag_ms"] + MOST_LAG,
        "held_ms": MOST_HELD,
        "result_ratio": MOST_RESULT,
        "move_ratio": MOST_MOVE,
    }
    missed = [f"{name} is above {most:g}" for name, most in bounds.items() if found[name] > most]
    if missed:
        sys.exit("; ".join(missed))


if __name__ == "__main__":
    main()
