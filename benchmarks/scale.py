"""The cost of a hundred thousand running matches instead of a hundred.

Two SQLite databases are made: one with 100 running matches, one with 100,000 and ten million stored
events. The same questions are put to both in turn, each in a process of its own: start-up,
``/games`` of a player with 25 matches, a move with everything stored for it, looking for deadlines,
and looking for messages to send. The reference is the small one, in the same run. Ends with an
error if anything costs more than 1.5 times as much, or if the process with the large one needs more
than 250 MB.

The filling is made by copying one real match in SQL; the matches for the moves are real and come
last, so that the check at the start reads real ones, too.
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

import bot.features  # noqa: F401 - the match has its features
from bot.domain.clock_text import read_clock
from bot.domain.game_state import game_state_of, player_on_turn
from bot.domain.ids import ChannelId, GuildId, InteractionId, MatchId, UserId
from bot.domain.match import Actor, Place
from bot.posts.outgoing import Batch
from bot.services.match_changes import MatchChanges
from bot.services.matches import MatchService
from bot.services.timeouts import sweep_flags
from bot.store import Store, open_store
from bot.store import outbox as stored_outbox

RESULTS = Path(__file__).parent / "results" / "scale.json"
MOST = 1.5
MOST_MEMORY = 250.0
BUSY = 25
"""Running matches of the person who asks for their list."""
_PLAYED_IN = 40
_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
_GUILD = GuildId(10**18)


class _Clock:
    def now(self) -> datetime:
        return datetime.now(UTC)


class _NoOutbox:
    """Takes the deliveries leased with a move, like a worker, and sends nothing."""

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


async def fill(path: Path, matches: int, events_each: int) -> None:
    """A database with this many running matches, most of them copies of one."""
    store = await open_store(f"sqlite:///{path}")
    service = _service(store)
    template = await _begin(service, _person(1), _person(2), 10**16)
    random = Random(2)
    for _ in range(10):
        await _move(service, template, random)
    # While the store is open: the next start will find real matches at the end again.
    await asyncio.to_thread(_copy, path, template, matches - _PLAYED_IN, events_each)
    for number in range(_PLAYED_IN):
        # The busy person, number 0, sits in the first of them.
        one = _person(0 if number < BUSY else 10**9 + number)
        match_id = await _begin(service, one, _person(2 * 10**9 + number), 10**15 + number)
        for _ in range(4):
            await _move(service, match_id, random)
    await store.close()


def _copy(path: Path, template: str, copies: int, events_each: int) -> None:
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
        "channel_id": f"{10**16} + names.number + 1",
        "home_id": f"{10**16} + names.number + 1",
        "players": (
            f"'[' || ({10**17 + 1000} + names.number / 10)"
            f" || ',' || ({3 * 10**17} + names.number / 10) || ']'"
        ),
        "version": str(events_each),
        "position_since": str(events_each),
        "deadline": "matches.deadline + 1000000 * (names.number % 100000)",
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


async def measure(path: Path, rounds: int) -> dict[str, float]:
    """Median milliseconds of processor time a question, and this process's memory in MB."""
    begun, began = time.process_time(), time.perf_counter()
    store = await open_store(f"sqlite:///{path}")
    found = {
        "start": (time.process_time() - begun) * 1000,
        # Including all waits for the disk.
        "start_elapsed": (time.perf_counter() - began) * 1000,
    }
    service = _service(store)
    clock, random = _Clock(), Random(3)
    mine = await service.matches_of(_person(0).user_id)
    assert len(mine) == BUSY
    spent: dict[str, list[float]] = {"games": [], "move": [], "deadlines": [], "outbox": []}
    now = clock.now()
    for number in range(rounds):
        match = mine[number % BUSY].id
        spent["games"].append(await _timed(lambda: service.matches_of(_person(0).user_id)))
        spent["move"].append(await _timed(lambda match=match: _move(service, match, random)))  # type: ignore[misc]
        spent["deadlines"].append(await _timed(lambda: sweep_flags(store, clock, _NoOutbox())))
        spent["outbox"].append(
            await _timed(
                lambda: store.write(stored_outbox.claim, now, now + timedelta(seconds=30), 8)
            )
        )
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


def compare(matches: int, events_each: int, turns: int, rounds: int) -> dict[str, float]:
    """Medians of both over several turns, and their ratios."""
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder) / "small.db", Path(folder) / "large.db"
        asyncio.run(fill(small, 100, events_each))
        asyncio.run(fill(large, matches, events_each))
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
    parser.add_argument("--events", type=int, default=100, help="events a match")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--ask", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.ask is not None:
        print(json.dumps(asyncio.run(measure(given.ask, given.rounds))))
        return
    found = compare(given.matches, given.events, given.turns, given.rounds)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(found, indent=1) + "\n")
    width = max(map(len, found))
    for name, value in found.items():
        print(f"{name:<{width}}  {value:12.2f}")
    slow = [
        name
        for name, value in found.items()
        if name.endswith("_ratio") and name != "memory_mb_ratio" and value > MOST
    ]
    if slow or found["memory_mb_large"] > MOST_MEMORY:
        sys.exit(f"out of bounds: {', '.join(slow) or 'memory'}")


if __name__ == "__main__":
    main()
