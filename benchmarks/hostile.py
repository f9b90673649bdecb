"""The harm of one stranger to a host: every command at its worst, as fast as the limits allow.

A playground and the real bot run as ever, each in a process of its own. Long matches and a
tournament of 256 players are there already. Then strangers come, one after another, each repeating
one action on a bot that has just started. For each the output has

- the peak resident memory of the bot's process, sampled from ``/proc`` twenty times a second. It is
  not limited: a limit of the address space is too coarse with threads, and not every system has
  cgroups. A process that goes beyond the bound is ended, which fails;
- seconds of processor time of the bot's process in the given time, and in a minute at that rate.
  The computer processes have limits of their own and do not count;
- the longest that the event loop was held: from one look at it to the next, the time that passed or
  the processor time that the process used, whichever is less. So it does not count that other
  programs had the processor;
- how often the bot answered, and how often it asked for patience instead.

Ends with an error if a bound is broken.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import math
import os
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from importlib import import_module
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import psutil
from sqlalchemy import delete

import bot.features  # noqa: F401 - the match has its features
from bot.domain import play
from bot.domain.ids import (
    ChannelId,
    GuildId,
    InteractionId,
    MatchId,
    TournamentId,
    UserId,
    new_tournament_id,
)
from bot.domain.match import Actor, MatchStatus, Place
from bot.history.domain import MOST_MOVES
from bot.services.match_changes import MatchChanges
from bot.services.matches import MatchService
from bot.services.outbox_worker import OutboxWorker
from bot.store import Store, open_store
from bot.store.tables import outbox
from bot.tournaments.domain import registration, running
from bot.tournaments.domain.facts import How
from bot.tournaments.domain.fold import TournamentAct
from bot.tournaments.domain.formats.base import Ask
from bot.tournaments.domain.setup import FormatKey, Setup
from bot.tournaments.store import writing as tournament_writing
from bot.tournaments.store.records import Home, Writing
from bot.tournaments.swiss.engine import WorkerEngine
from games import catalog
from games.api import Game
from playground.person import Person
from playground.server import Playground
from playground.world.controls import walk

RESULTS = Path(__file__).parent / "results" / "hostile.json"
MOST_MEMORY = 512
"""MiB, as compose.yaml has it."""
MOST_HELD = 100.0
"""Milliseconds that the event loop may be held."""
MOST_CPU = 30.0
"""Seconds of processor time in a minute for one person."""
_EVERY = 0.005
_TOLD = "held:"
"""Begins a line of the bot's process that does not come from the bot."""
_PLAYERS = 256
_TEXT = 4
"""The type of a text input."""
_BUSY = 5
"""Running matches of the person who gets suggestions while typing."""

Json = dict[str, Any]


# ---- the bot, watched ----------------------------------------------------------------------------


def watched() -> int:
    """Run the bot, and print how long its loop was held since the last question."""
    parlour: Any = import_module("bot.__main__")
    make, held = parlour.new_event_loop, [0.0]

    def new_event_loop() -> asyncio.AbstractEventLoop:
        loop: asyncio.AbstractEventLoop = make()

        def look(then: float, used: float) -> None:
            now, process = time.perf_counter(), time.process_time()
            held[0] = max(held[0], min(now - then, process - used) - _EVERY)
            loop.call_later(_EVERY, look, now, process)

        loop.call_soon(lambda: look(time.perf_counter(), time.process_time()))
        return loop

    def tell() -> None:
        for _ in sys.stdin:
            worst, held[0] = held[0], 0.0
            print(_TOLD, worst * 1000, flush=True)

    threading.Thread(target=tell, daemon=True).start()
    parlour.new_event_loop = new_event_loop
    return int(parlour.main([]))


@dataclass
class Watched:
    """The bot's process."""

    child: asyncio.subprocess.Process
    process: psutil.Process
    most: int = 0
    """The peak resident memory in bytes."""
    cpu: float = 0.0
    """Seconds of processor time."""

    async def held(self) -> float:
        """The longest hold of the loop in milliseconds since the last question.

        Infinite if the process has ended.
        """
        assert self.child.stdin is not None
        assert self.child.stdout is not None
        if self.child.returncode is not None:
            return math.inf
        self.child.stdin.write(b"?\n")
        async with asyncio.timeout(60):
            while (line := await self.child.stdout.readline()).partition(b" ")[0] != _TOLD.encode():
                if not line:
                    return math.inf
        return float(line.split()[1])

    async def is_quiet(self) -> None:
        """Wait until its tasks at the start are done, such as verifying all matches."""
        async with asyncio.timeout(180):
            while True:
                before = self.cpu
                await asyncio.sleep(3)
                if self.cpu - before < 0.3:
                    return

    async def sample(self) -> None:
        """Sample its memory until it ends; end it if it takes too much."""
        with contextlib.suppress(psutil.NoSuchProcess):
            while True:
                self.most = max(self.most, int(self.process.memory_info().rss))
                times = self.process.cpu_times()
                self.cpu = times.user + times.system
                if self.most > MOST_MEMORY << 20:
                    self.process.kill()
                    return
                await asyncio.sleep(0.05)


@contextlib.asynccontextmanager
async def bot_on(playground: Playground, folder: Path) -> AsyncIterator[Watched]:
    """The bot, with the default limits."""
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "benchmarks.hostile",
        "--bot",
        env={
            **os.environ,
            "PARLOUR_DATA": str(folder),
            "PARLOUR_PLAYGROUND": playground.address,
            "PARLOUR_PLAYGROUND_TOKEN": playground.token,
            "PARLOUR_LOG_LEVEL": "ERROR",
            "DISCORD_TOKEN": "",
        },
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[1],
    )
    bot = Watched(child, psutil.Process(child.pid))
    sampling = asyncio.create_task(bot.sample())
    try:
        yield bot
    finally:
        sampling.cancel()
        with contextlib.suppress(ProcessLookupError):
            child.terminate()
        await child.wait()


# ---- the stored matches --------------------------------------------------------------------------


class _Clock:
    def now(self) -> datetime:
        return datetime.now(UTC)


class _NoOutbox(OutboxWorker):
    def __init__(self) -> None:
        """Do nothing."""

    def take(self, batch: object) -> None:
        """Do nothing."""

    def reaches(self, guild_id: object) -> bool:  # noqa: ARG002
        """Any server."""
        return True


_clicks = iter(range(10**18, 2 * 10**18))


def prolonged(game: Game[Any, Any], plies: int) -> Iterator[str]:
    """Random moves that do not end the game while there are others.

    In a game that remembers, reversible ones come first, so that it has much to remember.
    """
    rng = Random(1)
    position = game.initial(rng)
    for ply in range(plies):
        moves = list(game.legal_moves(position))
        rng.shuffle(moves)
        chosen = None
        for move in moves:
            after = game.play(position, move)
            if game.outcome(after) is not None:
                continue
            if chosen is None:
                chosen = move, after
            if ply < 10 or getattr(after, "past", True):
                chosen = move, after
                break
        if chosen is None:
            return
        yield game.notation(position, chosen[0])
        position = chosen[1]


def a_file(plies: int) -> bytes:
    """A file of a match of Ziggurat with this many moves."""
    moves = tuple(prolonged(catalog.create("ziggurat", {}), plies))
    rows = (" ".join(moves[at : at + 2]) for at in range(0, plies, 2))
    lines = (f"{number}. {row}" for number, row in enumerate(rows, 1))
    heads = ('[Game "Ziggurat"]', '[Player1 "Ada"]', '[Player2 "Ben"]', "")
    return "\n".join([*heads, *lines, ""]).encode()


_LONG = {
    "quax": {"size": "15", "pie": "off"},
    "quux": {"size": "6"},
    "ziggurat": {},
    "pux": {},
    "pythagoras": {"seats": "2"},
}


async def fill(
    store: Store, guild: GuildId, channel: ChannelId, people: list[Person], plies: int
) -> Json:
    """Matches of the greatest length, one of each game that is over, and some running ones."""
    clock, outbox = _Clock(), _NoOutbox()
    changes = MatchChanges(store, clock, outbox=outbox)
    service = MatchService(store, clock, Random(1), changes)
    ann, ben = (Actor(UserId(each.id), guild) for each in people)
    place = Place(guild, channel)

    async def begun(game: str, options: Json, plies: int) -> MatchId:
        offered = await service.challenge(
            ann,
            place,
            game=game,
            options=options,
            opponents=(ben,),
            seat=0,
            interaction_id=InteractionId(next(_clicks)),
        )
        match_id = offered.match.id
        await service.accept(ben, match_id, interaction_id=InteractionId(next(_clicks)))
        made = catalog.create(game, options)
        position = made.initial(Random(1))
        for text in prolonged(made, plies):
            mover = (ann, ben)[made.seating(position)[made.to_move(position) or 0]]
            position = made.play(position, made.parse(position, text))
            click = InteractionId(next(_clicks))
            await service.move(mover, match_id, text=text, interaction_id=click)
        return match_id

    found: Json = {}
    for game, options in _LONG.items():
        match_id = await begun(game, options, plies)
        match = await service.match(ann, match_id)
        if match.status is MatchStatus.RUNNING:
            click = InteractionId(next(_clicks))
            await service.act(ann, match_id, play.resign, interaction_id=click)
        print(f"{game}: {match.ply} moves", flush=True)
        found[game] = match_id
    for number in range(_BUSY):
        await begun("pux", {}, 6 + number)
    return found


async def say_nothing_of_it(store: Store) -> None:
    """Mark all messages about it as sent: these thousands of moves had no readers."""
    await store.write(lambda connection: connection.execute(delete(outbox)))


async def hold(store: Store, home: Home, form: FormatKey, rounds: int) -> TournamentId:
    """A tournament of 256 players that is over."""
    now, rng = datetime.now(UTC), Random(form.value)
    act = TournamentAct(now - timedelta(days=2))
    begins = act.at + timedelta(hours=1)
    made = Setup(
        form.value, form, "quax", begins, begins, now + timedelta(days=90), clock="1d/move"
    )
    made = replace(made, most=_PLAYERS, rounds=rounds if form is FormatKey.SWISS else made.rounds)
    id_ = new_tournament_id(rng)
    changes = [registration.create(id_, act, made, lots=1)]
    for user in range(1, _PLAYERS + 1):
        entered = registration.enter(changes[-1].tournament, act, UserId(user), rating=2000 - user)
        assert entered is not None
        changes.append(entered)
    closed = registration.close(changes[-1].tournament, act)
    assert closed is not None
    changes.append(closed)
    for _ in range(rounds):
        t = changes[-1].tournament
        drawn = running.draw(t, act)
        if isinstance(drawn, Ask):
            (paired,) = await WorkerEngine().pair((drawn.request,))
            drawn = running.draw(t, act, paired)
        assert not isinstance(drawn, Ask)
        changes += drawn
        for played in changes[-1].tournament.pending:
            first = Fraction(rng.randrange(2))
            head = changes[-1].tournament
            points = (first, 1 - first)
            changes += running.record(head, act, played.game.id, points, How.PLAYED)
    ended = running.end(changes[-1].tournament, act)
    assert ended is not None
    changes.append(ended)
    await tournament_writing.commit(store, Writing(None, (changes[0],), None, home=home))
    for at in range(1, len(changes), 500):
        part = tuple(changes[at : at + 500])
        await tournament_writing.commit(store, Writing(changes[at - 1].tournament, part, None))
    return id_


# ---- strangers -------------------------------------------------------------------------------


_TOO_MUCH = ("That was a lot at once", "a lot of work in a short time")


class Slowed(Exception):
    """The bot asks for patience."""


@dataclass
class Stranger:
    """A person with a grudge."""

    person: Person
    channel: int
    found: Json
    page: Json | None = None
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def answer(self, nonce: str) -> Json:
        """The bot's final answer; :exc:`Slowed` if it asked for patience."""
        said = await self.person.wait_answer(nonce, patience=120)
        if any(each in str(said["content"]) for each in _TOO_MUCH):
            raise Slowed
        return said

    async def slash(self, name: str, **options: object) -> Json:
        """A command."""
        return await self.answer(await self.person.slash(name, self.channel, **options))

    async def open(self, data: bytes) -> Json:
        """``/open`` of a file."""
        return await self.slash("open", file=await self.person.upload("game.txt", data))

    async def press(self, *labels: str) -> None:
        """The first button with one of those names that the present page offers."""
        assert self.page is not None
        told = (each.data for each in reversed(self.person.events) if isinstance(each.data, dict))
        now = next(each for each in told if each.get("id") == self.page["id"] and "flags" in each)
        for each in walk(now["components"]):
            if each.get("label") in labels and not each.get("disabled"):
                nonce = await self.person.use(now, each["custom_id"], 2)
                return await self.person.wait_success(nonce)
        raise LookupError(labels)


Action = Callable[[Stranger], Awaitable[object]]


def actions(files: dict[str, bytes]) -> dict[str, Action]:
    """All actions by name."""

    def opened(name: str) -> Action:
        return lambda one: one.open(files[name])

    def of_match(name: str, **options: object) -> Action:
        games = cycle(_LONG)
        return lambda one: one.slash(name, match=one.found[next(games)], **options)

    def in_file(*labels: str) -> Action:
        async def action(one: Stranger) -> None:
            async with one.opening:
                if one.page is None:
                    one.page = await one.open(files["longest"])
            await one.press(*labels)

        return action

    def table(kind: str, *labels: str) -> Action:
        async def action(one: Stranger) -> None:
            async with one.opening:
                if one.page is None:
                    page = await one.slash("tournament standings", tournament=one.found[kind])
                    one.page = page
            await one.press(*labels)

        return action

    async def suggested(one: Stranger) -> None:
        for name, option in (("move", "move"), ("plan", "line"), ("match replay", "match")):
            await one.person.autocomplete(name, one.channel, option, **{option: "zz"})

    async def analysis(one: Stranger) -> Json:
        """The analysis board of a file."""
        async with one.opening:
            if one.page is None:
                opened = await one.open(files["longest"])
                await asyncio.sleep(5)
                one.page = await one.answer(await one.person.click(opened, label="Analyse"))
                await asyncio.sleep(5)
            return one.page

    async def computers_view(one: Stranger) -> None:
        await analysis(one)
        await one.press("Computer's view")

    async def form(one: Stranger) -> None:
        nonce = await one.person.click(await analysis(one), label="Type a move")
        try:
            modal = await one.person.wait_modal(nonce)
        except TimeoutError:
            raise Slowed from None
        (asked,) = (each for each in walk(modal["components"]) if each["type"] == _TEXT)
        values = {asked["custom_id"]: ("c3-" * 33)[: asked["max_length"]]}
        await one.person.wait_success(await one.person.submit_modal(modal, **values))

    async def long_texts(one: Stranger) -> None:
        await one.slash("move", move="c3-" * 33)
        await one.slash("plan", line="* " * 49)

    return {
        "open 10,000 moves": opened("too long"),
        "open the longest": opened("longest"),
        "open 256 KiB of JSON": opened("json"),
        "a page of a file": in_file("Previous"),
        "analyse a file": in_file("Analyse"),
        "replay a file": in_file("Replay"),
        "computer's view": computers_view,
        "typed into a form": form,
        "replay the longest": of_match("match replay"),
        "history": of_match("match history", move=40),
        "download": of_match("match download", format="json"),
        "review": of_match("review"),
        "suggestions": suggested,
        "longest texts": long_texts,
        "crosstable of 256": table("swiss", "Crosstable", "Standings"),
        "bracket of 256": table("knockout", "Bracket", "Standings"),
        "web page of 256": lambda one: one.slash("tournament page", tournament=one.found["swiss"]),
    }


@dataclass
class Tally:
    """The results."""

    answered: int = 0
    slowed: int = 0
    failed: int = 0
    why: str = ""


async def rush(one: Stranger, action: Action, seconds: float) -> Tally:
    """Do it five times together and then every second; then wait for the rest."""
    tally = Tally()
    tasks: list[asyncio.Task[None]] = []

    async def once() -> None:
        try:
            await action(one)
            tally.answered += 1
        except Slowed:
            tally.slowed += 1
        except Exception as error:
            tally.failed += 1
            tally.why = repr(error)[:100]

    begun = time.perf_counter()
    while (gone := time.perf_counter() - begun) < seconds:
        if len(tasks) < 5 + gone:
            tasks.append(asyncio.create_task(once()))
        await asyncio.sleep(0.05)
    await asyncio.wait(tasks, timeout=60)
    for task in tasks:
        task.cancel()
    return tally


async def measure(seconds: float, plies: int, only: str) -> dict[str, dict[str, float]]:
    """The figures of all actions."""
    files = {"too long": a_file(10_000), "longest": a_file(MOST_MOVES)}
    files["json"] = (b'{"header": {"game": {"name": "Quax"}, "players": [' + b"{}," * 87_000)[
        : 255 << 10
    ] + b'{}]}, "moves": []}'
    rows: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        async with Playground() as playground, contextlib.AsyncExitStack() as people:
            ann, ben = [
                await people.enter_async_context(await Person.join(playground.address, name))
                for name in ("Ann", "Ben")
            ]
            guild, channel = GuildId(int(ann.guild["id"])), int(ann.guild["channels"][0]["id"])
            store = await open_store(f"sqlite:///{folder}/parlour.db")
            found = await fill(store, guild, ChannelId(channel), [ann, ben], plies)
            home = Home(guild, ChannelId(channel))
            found["swiss"] = await hold(store, home, FormatKey.SWISS, 3)
            found["knockout"] = await hold(store, home, FormatKey.KNOCKOUT, 8)
            await say_nothing_of_it(store)
            await store.close()
            for name, action in actions(files).items():
                if only not in name:
                    continue
                async with bot_on(playground, Path(folder)) as bot:
                    ann.patience = 120.0
                    await ann.command("open", channel)
                    await bot.is_quiet()
                    person = ann
                    if name not in ("suggestions", "longest texts"):
                        person = await people.enter_async_context(
                            await Person.join(playground.address, "Stranger")
                        )
                    await bot.held()
                    cpu, begun = bot.cpu, time.perf_counter()
                    tally = await rush(Stranger(person, channel, found), action, seconds)
                    gone = time.perf_counter() - begun
                    rows[name] = {
                        "memory_mib": bot.most / (1 << 20),
                        "cpu_s": bot.cpu - cpu,
                        "cpu_a_minute": (bot.cpu - cpu) / gone * 60,
                        "held_ms": await bot.held(),
                        "answered": tally.answered,
                        "slowed": tally.slowed,
                        "failed": tally.failed,
                    }
                    show(name, rows[name], tally.why)
    return rows


def show(name: str, row: dict[str, float], why: str) -> None:
    """A line of the table."""
    print(
        f"{name:<22} {row['memory_mib']:6.0f} MiB  {row['cpu_s']:6.1f} s"
        f"  {row['cpu_a_minute']:6.1f} s/min  {row['held_ms']:7.0f} ms"
        f"  {row['answered']:4.0f} answered  {row['slowed']:4.0f} slowed"
        f"  {row['failed']:3.0f} not {why}",
        flush=True,
    )


def broken(rows: dict[str, dict[str, float]]) -> list[str]:
    """The bounds that do not hold."""
    bounds = {"memory_mib": MOST_MEMORY, "cpu_a_minute": MOST_CPU, "held_ms": MOST_HELD}
    found = [
        f"{name}: {key} {row[key]:.0f}, not {most:.0f}"
        for name, row in rows.items()
        for key, most in bounds.items()
        if row[key] > most
    ]
    return found + [f"{name}: no answer" for name, row in rows.items() if not row["answered"]]


def main() -> None:
    """Measure, print a table, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="for each stranger")
    parser.add_argument("--plies", type=int, default=3000, help="of the longest matches")
    parser.add_argument("--only", default="", help="what is in the names of what is tried")
    parser.add_argument("--bot", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.bot:
        sys.exit(watched())
    rows = asyncio.run(measure(given.seconds, given.plies, given.only))
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(rows, indent=1) + "\n")
    if wrong := broken(rows):
        sys.exit("out of bounds:\n" + "\n".join(wrong))


if __name__ == "__main__":
    main()
