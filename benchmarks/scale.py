"""The cost of a hundred thousand running matches instead of a hundred.

Two databases are made, of SQLite or each in a PostgreSQL of its own: one with 100 running matches,
one with 100,000 in 10,000 servers and ten million stored events; every twentieth server has removed
the bot. The same questions are put to both in turn, each in a process of its own: start-up,
``/games`` of a player with 25 matches, a move with everything stored for it, looking for deadlines,
and looking for messages to send. Processor time is that of this process and, where there is one, of
PostgreSQL. The reference is the small one, in the same run. Ends with an error if anything costs
more than 1.5 times as much, if the process with the large one needs more than 250 MB, or if the
bot's repeated work takes more than 2 % of a processor.

The filling is made by copying one real match in SQL; the matches that are played in are real and
come last, so that what is checked at the start is real, too.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import re
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import asyncpg

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
from bot.store.tables import events, matches
from bot.tournaments.store.reading import due as due_tournaments
from tests.support.postgres_of_own import own_postgres

RESULTS = Path(__file__).parent / "results"
MOST = 1.5
MOST_MEMORY = 250.0
MOST_SWEPT = 2.0
"""Percent of a processor."""
_SCRAPE = 15.0
"""Seconds between two readings of the series."""
BUSY = 25
"""Running matches of the person who asks for their list."""
_LOST = 20
"""Discord has lost one of so many servers, or they have removed the bot."""
_PLAYED_IN = 40
_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
_GUILD = GuildId(10**18)
_SHARD_BITS = 22
"""A server's shard follows from the bits above these."""
_USUAL = ("max_connections=100", "max_wal_size=1GB", "shared_buffers=128MB")
"""What PostgreSQL is set to if nobody says anything else."""


@dataclass(frozen=True, slots=True)
class _Database:
    url: str
    server: int | None = None
    """The first process of its PostgreSQL."""


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


def _service(store: Store) -> MatchService:
    clock, outbox = _Clock(), _NoOutbox()
    changes = MatchChanges(store, clock, outbox=outbox)
    return MatchService(store, clock, Random(1), changes)


async def _is_there(guild_id: GuildId, user_id: UserId) -> bool:  # noqa: ARG001
    """Nobody has left a server."""
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


@contextlib.asynccontextmanager
async def _empty(*, postgres: bool) -> AsyncIterator[_Database]:
    if postgres:
        async with own_postgres(*_USUAL) as server:
            yield _Database(server.url(), server.pid)
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield _Database(f"sqlite:///{folder}/parlour.db")


async def fill(url: str, number: int, servers: int, events_each: int) -> None:
    """Put this many running matches into an empty database, most of them copies of one."""
    store = await open_store(url)
    service = _service(store)
    template = await _begin(service, _person(1), _person(2), 10**16)
    random = Random(2)
    for _ in range(10):
        await _move(service, template, random)
    # While the store is open: the next start will find real matches at the end again.
    copies = _copies(template, number - _PLAYED_IN, servers, events_each)
    if url.startswith("sqlite"):
        await asyncio.to_thread(_copy_sqlite, url, copies)
    else:
        await _copy_postgres(url, copies)
    for each in range(_PLAYED_IN):
        # The busy person, number 0, sits in the first of them.
        one = _person(0 if each < BUSY else 10**9 + each)
        match_id = await _begin(service, one, _person(2 * 10**9 + each), 10**15 + each)
        for _ in range(4):
            await _move(service, match_id, random)
    now = _Clock().now()
    began, ends = now - timedelta(hours=1), now + timedelta(hours=1)
    lost = range(1, servers, _LOST)
    await store.write(
        stored_presence.note_outages,
        tuple(Outage(guild_scope(_server(each)), began, ends) for each in lost),
    )
    await store.close()


def _server(number: int) -> GuildId:
    return GuildId(_GUILD + (number << _SHARD_BITS))


def _copy_sqlite(url: str, statements: list[str]) -> None:
    with contextlib.closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as file, file:
        file.execute("PRAGMA foreign_keys = OFF")
        file.execute("PRAGMA synchronous = OFF")
        for each in statements:
            file.execute(each)


async def _copy_postgres(url: str, statements: list[str]) -> None:
    connection = await asyncpg.connect(url, user="postgres")
    # Without a look at every reference; and with the care that a server takes of itself in time.
    for each in ("SET session_replication_role = replica", *statements, "VACUUM (ANALYZE)"):
        await connection.execute(each)
    await connection.close()


def _copies(template: str, copies: int, servers: int, events_each: int) -> list[str]:
    """Copy a match with its last event as often as needed; every name in it is its own."""
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
    replaced = {
        "match_id": "names.id",
        "seq": "counted.number",
        "interaction_id": f"{10**10} + names.number * 1000 + counted.number",
        "prev_hash": "CASE counted.number WHEN 1 THEN '' ELSE events.hash END",
    }
    name = " || ".join(
        f"substr('{_LETTERS}', CAST((number >> {5 * place}) & 31 AS INTEGER) + 1, 1)"
        for place in reversed(range(10))
    )
    heads = ", ".join(own.get(each, f"matches.{each}") for each in matches.c.keys())  # noqa: SIM118
    chosen = ", ".join(replaced.get(each, f"events.{each}") for each in events.c.keys())  # noqa: SIM118
    return [
        "CREATE TEMP TABLE counted (number BIGINT PRIMARY KEY)",
        (
            "INSERT INTO counted WITH RECURSIVE n(number) AS (SELECT 1 UNION ALL SELECT number + 1"
            f" FROM n WHERE number < {max(copies, events_each)}) SELECT number FROM n"
        ),
        "CREATE TEMP TABLE names (number BIGINT PRIMARY KEY, id TEXT)",
        f"INSERT INTO names SELECT number - 1, {name} FROM counted WHERE number <= {copies}",
        (
            f"INSERT INTO matches ({', '.join(matches.c.keys())})"
            f" SELECT {heads} FROM names, matches WHERE matches.id = '{template}'"
        ),
        *(
            "INSERT INTO seats (match_id, user_id, active)"
            f" SELECT id, {offset} + number / 10, 1 FROM names"
            for offset in (10**17 + 1000, 3 * 10**17)
        ),
        (
            f"INSERT INTO events ({', '.join(events.c.keys())}) SELECT {chosen}"
            f" FROM names, counted, events WHERE counted.number <= {events_each}"
            f" AND events.match_id = '{template}' AND events.seq = 3"
        ),
    ]


class _Meter:
    """Processor time of this process, and of a PostgreSQL with all its processes."""

    def __init__(self, server: int | None) -> None:
        self._server = server

    def spent(self) -> float:
        """All of it so far, in milliseconds."""
        theirs = 0
        if self._server is not None:
            children = Path(f"/proc/{self._server}/task/{self._server}/children").read_text()
            for each in (self._server, *children.split()):
                with contextlib.suppress(FileNotFoundError):
                    theirs += int(Path(f"/proc/{each}/schedstat").read_text().split()[0])
        return time.process_time() * 1e3 + theirs / 1e6

    async def of(self, question: Callable[[], Awaitable[object]]) -> float:
        """That of an answer."""
        begun = self.spent()
        await question()
        return self.spent() - begun


async def _swept(
    store: Store, clock: _Clock, presence: Presence, meter: _Meter
) -> dict[str, float]:
    """Percent of a processor that each takes which the bot does again and again, and all."""
    sweeps: dict[str, tuple[Callable[[], Awaitable[object]], float]] = {
        "heartbeat": (presence.beat, BEAT),
        "flags": (lambda: sweep_flags(store, clock), periodic._LONGEST_NAP),
        "next_flag": (
            lambda: store.read(
                stored_presence.next_deadline,
                clock.now() + timedelta(seconds=periodic._LONGEST_NAP),
            ),
            periodic._LONGEST_NAP,
        ),
        "offers": (lambda: sweep_offers(store, clock), periodic._SWEEP),
        "requests": (lambda: sweep_requests(store, clock), periodic._SWEEP),
        "vacations": (
            VacationService(store, clock, allowance=30).sweep,
            periodic._RECKON,
        ),
        "untold": (UntoldTurns(store, clock).sweep, periodic._RECKON),
        "blocked": (Blocked(store, clock).look, periodic._LOOK_AROUND),
        "tournaments": (lambda: store.read(due_tournaments, clock.now(), 8), periodic._CARRY_ON),
        "departures": (DepartureWatch(store, clock, _is_there).sweep, periodic._MEMBERS),
        "series": (lambda: store.read(upkeep.backlog), _SCRAPE),
    }
    found = {}
    for name, (sweep, every) in sweeps.items():
        spent = [await meter.of(sweep) for _ in range(3)]
        found[f"{name}_percent"] = statistics.median(spent) / every / 10
    return found | {"sweeps_percent": sum(found.values())}


async def measure(url: str, server: int | None, rounds: int) -> dict[str, float]:
    """Median milliseconds of processor time a question, and this process's memory in MB."""
    meter = _Meter(server)
    begun, began = meter.spent(), time.perf_counter()
    store = await open_store(url)
    found = {
        "start": meter.spent() - begun,
        # With all waiting for the disk.
        "start_elapsed": (time.perf_counter() - began) * 1000,
    }
    service = _service(store)
    clock, random = _Clock(), Random(3)
    presence = Presence(store, clock)
    await presence.restore()
    await presence.beat()
    mine = await service.matches_of(_person(0).user_id)
    assert len(mine) == BUSY
    spent: dict[str, list[float]] = {"games": [], "move": [], "deadlines": [], "outbox": []}
    now = clock.now()
    for number in range(rounds):
        match = mine[number % BUSY].id
        spent["games"].append(await meter.of(lambda: service.matches_of(_person(0).user_id)))
        spent["move"].append(await meter.of(lambda match=match: _move(service, match, random)))  # type: ignore[misc]
        spent["outbox"].append(
            await meter.of(
                lambda: store.write(stored_outbox.claim, now, now + timedelta(seconds=30), 8)
            )
        )
    # Apart, since it goes through pages that the others do not need.
    for _ in range(rounds):
        spent["deadlines"].append(await meter.of(lambda: sweep_flags(store, clock)))
    servers = await store.read(stored_presence.servers_playing)
    found["servers"] = await meter.of(lambda: presence.named(servers))
    found |= await _swept(store, clock, presence, meter)
    found["database_mb"] = (await store.read(upkeep.backlog)).size / 1024 / 1024
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


def _ask(of: _Database, rounds: int) -> dict[str, float]:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.scale", "--rounds", str(rounds), "--ask", of.url]
    command += [] if of.server is None else ["--server", str(of.server)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found: dict[str, float] = json.loads(said)
    return found


async def compare(
    number: int, servers: int, events_each: int, turns: int, rounds: int, *, postgres: bool
) -> dict[str, float]:
    """Medians of both over several turns, and their ratios."""
    async with _empty(postgres=postgres) as small, _empty(postgres=postgres) as large:
        await fill(small.url, 100, 20, events_each)
        began = time.monotonic()
        await fill(large.url, number, servers, events_each)
        print(f"filled in {time.monotonic() - began:.0f} s", file=sys.stderr)
        asked: dict[_Database, list[dict[str, float]]] = {small: [], large: []}
        for _ in range(turns):
            for each, answers in asked.items():
                answers.append(await asyncio.to_thread(_ask, each, rounds))
    found = {"matches": float(number), "events": float(number * events_each)}
    for name in asked[small][0]:
        few, many = (
            statistics.median(each[name] for each in asked[which]) for which in (small, large)
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
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL")
    parser.add_argument("--ask", help=argparse.SUPPRESS)
    parser.add_argument("--server", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.ask is not None:
        print(json.dumps(asyncio.run(measure(given.ask, given.server, given.rounds))))
        return
    found = asyncio.run(
        compare(
            *(given.matches, given.servers, given.events, given.turns, given.rounds),
            postgres=given.postgres,
        )
    )
    RESULTS.mkdir(exist_ok=True)
    name = "scale_postgres.json" if given.postgres else "scale.json"
    (RESULTS / name).write_text(json.dumps(found, indent=1) + "\n")
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
