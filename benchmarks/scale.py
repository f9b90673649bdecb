"""The cost of a hundred thousand running matches instead of a hundred.

Two SQLite databases are made: one with 100 running matches, one with 100,000 in 10,000 servers and
ten million stored events; every hundredth server has removed the bot. The same questions are put to
both in turn, each in a process of its own: start-up, ``/games`` of a player with 25 matches, a move
with everything stored for it, looking for deadlines, and looking for messages to send. The
reference is the small one, in the same run. Ends with an error if anything costs more than 1.5
times as much, if the process with the large one needs more than 250 MB, or if the bot's repeated
work takes more than 2 % of a processor.

The filling is made by copying one real match in SQL; the matches that are played in are real and
come last, so that what is checked at the start is real, too.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import bot.features  # noqa: F401 - the match has its features
from bot.app import periodic
from bot.domain.clock_text import read_clock
from bot.domain.game_state import game_state_of, player_on_turn
from bot.domain.ids import ChannelId, GuildId, InteractionId, MatchId, UserId
from bot.domain.match import Actor, Place
from bot.posts.outgoing import Batch
from bot.services.blocked import Blocked
from bot.services.departures import DepartureWatch
from bot.services.match_changes import MatchChanges
from bot.services.matches import MatchService
from bot.services.outbox_worker import OutboxWorker
from bot.services.presence import BEAT, Presence
from bot.services.timeouts import sweep_flags, sweep_offers, sweep_requests
from bot.services.untold_turns import UntoldTurns
from bot.services.vacations import VacationService
from bot.store import Store, open_store, upkeep
from bot.store import outbox as stored_outbox
from bot.store import presence as stored_presence
from bot.store.presence import guild_scope
from bot.store.records import Outage
from bot.tournaments.store.reading import due as due_tournaments

RESULTS = Path(__file__).parent / "results" / "scale.json"
MOST = 1.5
MOST_MEMORY = 250.0
MOST_SWEPT = 2.0
"""Percent of a processor."""
_SCRAPE = 15.0
"""Seconds between two readings of the series."""
BUSY = 25
"""Running matches of the person who asks for their list."""
_LOST = 100
"""Discord has lost one of so many servers, or they have removed the bot."""
_PLAYED_IN = 40
_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
_GUILD = GuildId(10**18)
_SHARD_BITS = 22
"""A server's shard follows from the bits above these."""


class _Clock:
    def now(self) -> datetime:
        return datetime.now(UTC)


class _NoOutbox(OutboxWorker):
    """Takes the deliveries leased with a move, and sends nothing."""

    def __init__(self) -> None:
        """Do nothing."""

    def take(self, batch: Batch) -> None:
        """Do nothing."""

    def reaches(self, guild_id: object) -> bool:  # noqa: ARG002
        """Any server."""
        return True

    def wake(self) -> None:
        """Do nothing."""


def _service(store: Store) -> MatchService:
    clock, outbox = _Clock(), _NoOutbox()
    changes = MatchChanges(store, clock, outbox=outbox)
    return MatchService(store, clock, Random(1), changes, outbox=outbox)


class _AllThere:
    """Nobody has left a server."""

    async def is_member(self, guild_id: GuildId, user_id: UserId) -> bool:  # noqa: ARG002
        """Everybody is."""
        return True


def _person(number: int) -> Actor:
    return Actor(UserId(10**17 + number), _GUILD)


_clicks = iter(range(10**18, 2 * 10**18))


def _click() -> InteractionId:
    return InteractionId(next(_clicks))


async def _begin(service: MatchService, one: Actor, other: Actor, channel: int) -> MatchId:
    offered = await service.challenge(
        one,
        Place(_GUILD, ChannelId(channel)),
        game="quax",
        options={"size": 11, "pie": "off"},
        opponents=(other,),
        seat=0,
        interaction_id=_click(),
        clock=read_clock("3d"),
    )
    await service.accept(other, offered.match.id, interaction_id=_click())
    return offered.match.id


async def _move(service: MatchService, match_id: MatchId, random: Random) -> None:
    match = await service.match(_person(0), match_id)
    table = game_state_of(match)
    move = random.choice(list(table.game.legal_moves(table.position)))
    text = table.game.notation(table.position, move)
    person = match.players[player_on_turn(match) or 0]
    assert person is not None
    await service.move(Actor(person, _GUILD), match_id, text=text, interaction_id=_click())


async def fill(path: Path, matches: int, servers: int, events_each: int) -> None:
    """A database with this many running matches, most of them copies of one."""
    store = await open_store(f"sqlite:///{path}")
    service = _service(store)
    template = await _begin(service, _person(1), _person(2), 10**16)
    random = Random(2)
    for _ in range(10):
        await _move(service, template, random)
    # While the store is open: the next start will find real matches at the end again.
    await asyncio.to_thread(_copy, path, template, matches - _PLAYED_IN, servers, events_each)
    for number in range(_PLAYED_IN):
        # The busy person, number 0, sits in the first of them.
        one = _person(0 if number < BUSY else 10**9 + number)
        match_id = await _begin(service, one, _person(2 * 10**9 + number), 10**15 + number)
        for _ in range(4):
            await _move(service, match_id, random)
    now = _Clock().now()
    began, ends = now - timedelta(hours=1), now + timedelta(hours=1)
    lost = range(1, servers, _LOST)
    await store.write(
        stored_presence.note_outages,
        tuple(Outage(guild_scope(_server(number)), began, ends) for number in lost),
    )
    await store.close()


def _server(number: int) -> GuildId:
    return GuildId(_GUILD + (number << _SHARD_BITS))


def _copy(path: Path, template: str, copies: int, servers: int, events_each: int) -> None:
    """Copy a match with its last event as often as needed; every name in it is its own."""
    file = sqlite3.connect(path, isolation_level=None)
    file.execute("PRAGMA foreign_keys = OFF")
    file.execute("PRAGMA synchronous = OFF")
    file.execute("BEGIN")
    file.execute("CREATE TEMP TABLE names (number INTEGER PRIMARY KEY, id TEXT)")
    file.executemany("INSERT INTO names VALUES (?, ?)", _names(copies))
    events = [row[1] for row in file.execute("PRAGMA table_info(events)")]
    heads = [row[1] for row in file.execute("PRAGMA table_info(matches)")]
    own = {
        "id": "names.id",
        "guild_id": f"{_GUILD} + (names.number % {servers} << {_SHARD_BITS})",
        "channel_id": f"{10**16} + names.number + 1",
        "home_id": f"{10**16} + names.number + 1",
        "players": (
            f"'[' || ({10**17 + 1000} + names.number / 10)"
            f" || ',' || ({3 * 10**17} + names.number / 10) || ']'"
        ),
        "version": str(events_each),
        "position_since": str(events_each),
        # In half of them nothing has happened for a day.
        "updated_at": "matches.updated_at - 172800000000 * (names.number % 1000) / 1000",
        # In the servers that are lost, the time has run out since.
        "deadline": (
            "matches.deadline + 1000000 * (names.number % 100000)"
            f" - CASE names.number % {_LOST} WHEN 1 THEN 604800000000 ELSE 0 END"
        ),
    }
    chosen = ", ".join(own.get(name, f"matches.{name}") for name in heads)
    file.execute(
        f"INSERT INTO matches ({', '.join(heads)}) SELECT {chosen} FROM names, matches"
        " WHERE matches.id = ?",
        (template,),
    )
    for offset in (10**17 + 1000, 3 * 10**17):
        file.execute(
            "INSERT INTO seats (match_id, user_id, active)"
            f" SELECT id, {offset} + number / 10, 1 FROM names"
        )
    replaced = {
        "match_id": "names.id",
        "seq": "counted.number",
        "interaction_id": f"{10**10} + names.number * 1000 + counted.number",
        "prev_hash": "CASE counted.number WHEN 1 THEN '' ELSE events.hash END",
    }
    chosen = ", ".join(replaced.get(name, f"events.{name}") for name in events)
    file.execute("CREATE TEMP TABLE counted (number INTEGER PRIMARY KEY)")
    file.executemany("INSERT INTO counted VALUES (?)", ((n,) for n in range(1, events_each + 1)))
    file.execute(
        f"INSERT INTO events ({', '.join(events)}) SELECT {chosen} FROM names, counted, events"
        " WHERE events.match_id = ? AND events.seq = 3",
        (template,),
    )
    file.execute("COMMIT")
    file.close()


def _names(count: int) -> list[tuple[int, str]]:
    found = []
    for number in range(count):
        text, left = "", number + 1
        for _ in range(10):
            left, digit = divmod(left, 32)
            text = _LETTERS[digit] + text
        found.append((number, text))
    return found


async def _timed(question: Callable[[], Awaitable[object]]) -> float:
    begun = time.process_time()
    await question()
    return (time.process_time() - begun) * 1000


async def _swept(store: Store, clock: _Clock, presence: Presence) -> dict[str, float]:
    """Percent of a processor that each takes which the bot does again and again, and all."""
    outbox: Any = _NoOutbox()
    sweeps: dict[str, tuple[Callable[[], Awaitable[object]], float]] = {
        "heartbeat": (presence.beat, BEAT),
        "flags": (lambda: sweep_flags(store, clock, outbox), periodic._LONGEST_NAP),
        "next_flag": (
            lambda: store.read(
                stored_presence.next_deadline,
                clock.now() + timedelta(seconds=periodic._LONGEST_NAP),
            ),
            periodic._LONGEST_NAP,
        ),
        "offers": (lambda: sweep_offers(store, clock, outbox), periodic._SWEEP),
        "requests": (lambda: sweep_requests(store, clock, outbox), periodic._SWEEP),
        "vacations": (
            VacationService(store, clock, allowance=30, outbox=outbox).sweep,
            periodic._RECKON,
        ),
        "untold": (UntoldTurns(store, clock, outbox=outbox).sweep, periodic._RECKON),
        "blocked": (Blocked(store, clock).look, periodic._LOOK_AROUND),
        "tournaments": (lambda: store.read(due_tournaments, clock.now(), 8), periodic._CARRY_ON),
        "departures": (DepartureWatch(store, clock, _AllThere(), outbox).sweep, periodic._MEMBERS),
        "series": (lambda: store.read(upkeep.backlog), _SCRAPE),
    }
    found = {}
    for name, (sweep, every) in sweeps.items():
        spent = [await _timed(sweep) for _ in range(3)]
        found[f"{name}_percent"] = statistics.median(spent) / every / 10
    return found | {"sweeps_percent": sum(found.values())}


async def measure(path: Path, rounds: int) -> dict[str, float]:
    """Median milliseconds of processor time a question, and this process's memory in MB."""
    begun, began = time.process_time(), time.perf_counter()
    store = await open_store(f"sqlite:///{path}")
    found = {
        "start": (time.process_time() - begun) * 1000,
        # With all waiting for the disk.
        "start_elapsed": (time.perf_counter() - began) * 1000,
    }
    service = _service(store)
    clock, random = _Clock(), Random(3)
    presence = Presence(store, clock)
    await presence.beat()
    mine = await service.matches_of(_person(0).user_id)
    assert len(mine) == BUSY
    spent: dict[str, list[float]] = {"games": [], "move": [], "deadlines": [], "outbox": []}
    now = clock.now()
    for number in range(rounds):
        match = mine[number % BUSY].id
        spent["games"].append(await _timed(lambda: service.matches_of(_person(0).user_id)))
        spent["move"].append(await _timed(lambda match=match: _move(service, match, random)))  # type: ignore[misc]
        spent["outbox"].append(
            await _timed(
                lambda: store.write(stored_outbox.claim, now, now + timedelta(seconds=30), 8)
            )
        )
    # Apart, since it goes through pages that the others do not need.
    for _ in range(rounds):
        spent["deadlines"].append(await _timed(lambda: sweep_flags(store, clock, _NoOutbox())))
    servers = await store.read(stored_presence.servers_playing)
    found["servers"] = await _timed(lambda: presence.named(servers))
    await presence.restore()
    found |= await _swept(store, clock, presence)
    await store.close()
    found |= {name: statistics.median(each) for name, each in spent.items()}
    found["memory_mb"] = _most_memory()
    return found


def _most_memory() -> float:
    """The peak memory of this process in MB.

    Without a report of the system it is getrusage's: on Linux at least the memory of the process
    that started this one.
    """
    status = Path("/proc/self/status")
    told = status.read_text(encoding="ascii") if status.exists() else ""
    peak = re.search(r"^VmHWM:\s+(\d+) kB$", told, re.MULTILINE)
    if peak is not None:
        return int(peak[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _ask(path: Path, rounds: int) -> dict[str, float]:
    """The same in a process of its own."""
    command = [
        sys.executable,
        "-m",
        "benchmarks.scale",
        "--ask",
        str(path),
        "--rounds",
        str(rounds),
    ]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found: dict[str, float] = json.loads(said)
    return found


def compare(
    matches: int, servers: int, events_each: int, turns: int, rounds: int
) -> dict[str, float]:
    """Medians of both over several turns, and their ratios."""
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder) / "small.db", Path(folder) / "large.db"
        asyncio.run(fill(small, 100, 20, events_each))
        asyncio.run(fill(large, matches, servers, events_each))
        asked: dict[Path, list[dict[str, float]]] = {small: [], large: []}
        for _ in range(turns):
            for path, answers in asked.items():
                answers.append(_ask(path, rounds))
        size = large.stat().st_size / 1024 / 1024
    found = {"matches": float(matches), "events": float(matches * events_each), "large_mb": size}
    for name in asked[small][0]:
        few, many = (
            statistics.median(each[name] for each in asked[path]) for path in (small, large)
        )
        found |= {f"{name}_small": few, f"{name}_large": many, f"{name}_ratio": many / few}
    return found


def main() -> None:
    """Measure, print a table, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--servers", type=int, default=10_000)
    parser.add_argument("--events", type=int, default=100, help="events a match")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--ask", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.ask is not None:
        print(json.dumps(asyncio.run(measure(given.ask, given.rounds))))
        return
    found = compare(given.matches, given.servers, given.events, given.turns, given.rounds)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(found, indent=1) + "\n")
    width = max(map(len, found))
    for name, value in found.items():
        print(f"{name:<{width}}  {value:12.2f}")
    compared = ("start", "start_elapsed", "games", "move", "outbox")
    bounds = {f"{name}_ratio": MOST for name in compared}
    bounds |= {"memory_mb_large": MOST_MEMORY, "sweeps_percent_large": MOST_SWEPT}
    beyond = [name for name, most in bounds.items() if found[name] > most]
    if beyond:
        sys.exit(f"out of bounds: {', '.join(beyond)}")


if __name__ == "__main__":
    main()
