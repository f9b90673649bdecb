"""The bot and the playground together in one process, for tests that play as people do."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import discord
import discord.gateway

from bot.app.life import Bot
from bot.app.playground.child import point_at
from bot.app.wiring import create_bot
from bot.clock import Clock, DiscordClock, SystemClock
from bot.connection.gateway import Timeouts
from bot.domain.ids import UserId
from bot.i18n import Languages
from bot.settings import Settings
from bot.store import open_store, outbox, upkeep
from bot.store import presence as stored_presence
from bot.store.opening import sqlite_path
from bot.store.presence import EVERYWHERE
from bot.ui.pages.components import Control
from games import catalog
from playground.forms import all_text
from playground.gateway.gateway import GatewayLimits
from playground.person import Person
from playground.server import Playground
from playground.world.controls import walk
from playground.world.model import Command, InteractionType
from tests.support.databases import lay_sqlite
from tests.support.discord_spec import SpecObserver
from tests.support.phone import crowded

Json = dict[str, Any]

QUICK = Timeouts(refused=(0.0, 0.1))
"""As patient as for people, but for a new session, for which Discord asks to wait some seconds."""


class Ahead:
    """The machine's time and so much more."""

    def __init__(self) -> None:
        self.by = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.by


_OPEN_ANEW = frozenset({"text", "rules", "hint", "replay", "reviewit", "export"})
"""Controls that open a private page of their own."""
_PLANNED = timedelta(seconds=30)
"""Anything due later was planned for a time of its own."""


@dataclass(frozen=True, slots=True)
class Told:
    """A bot's registered commands, and its note of them."""

    commands: tuple[Command, ...]
    note: Json


_TOLD: dict[tuple[str, ...], Told] = {}
"""The commands of the first bot of this process, by its games."""


@dataclass
class Hosted:
    """A playground with a bot that can be stopped and started again."""

    playground: Playground
    settings: Settings
    people: list[Person] = field(default_factory=list)
    languages: Languages | None = None
    clock: Clock | None = None
    """The time of matches, if it is not the machine's; Discord's own ids follow the machine."""
    _bot: Bot | None = None
    timeouts: Timeouts = QUICK
    by_hand: bool = False
    _stop: asyncio.Event = field(default_factory=asyncio.Event)
    _running: asyncio.Task[None] | None = None
    _application: int | None = None
    """The application that the database should have served."""
    seed: int = 1
    beating: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while the bot says that it lives and people can act, or a test turns the clock."""

    @property
    def bot(self) -> Bot:
        """The bot that was started last."""
        assert self._bot is not None, "no bot has been started"
        return self._bot

    async def start(self) -> Bot:
        """Start the bot on the database in the data folder and wait until it is ready."""
        bot = await self.begin()
        assert self._running is not None
        async with asyncio.timeout(40):
            while not bot.client.is_connected:
                assert not self._running.done(), self._running.result()
                await asyncio.sleep(0.01)
        return bot

    async def begin(self) -> Bot:
        """Start the bot and wait for nothing."""
        store = await open_store(self.settings.database_url())
        if self._application is not None:
            await store.write(upkeep.serve, self._application)
            self._application = None
        self._bot = create_bot(
            self.settings,
            store=store,
            rng=random.Random(self.seed),
            languages=self.languages,
            clock=self.clock,
            timeouts=self.timeouts,
            by_hand=self.by_hand,
        )
        if not isinstance(self.bot.clock, DiscordClock):
            self.bot.services.clock = SystemClock()
        self.seed += 1
        self.bot.client._connection.guild_ready_timeout = 0.01
        beat = self.bot.periodic.presence.beat

        async def beat_alone() -> None:
            async with self.beating:
                await beat()

        self.bot.periodic.presence.beat = beat_alone
        fleet = self.bot.periodic.fleet
        if fleet is not None:
            look = fleet.look

            async def look_alone() -> float | None:
                async with self.beating:
                    return await look()

            fleet.look = look_alone
        self._stop = asyncio.Event()
        self._running = asyncio.create_task(self.bot.run(self.playground.token, self._stop))
        return self.bot

    async def ended(self) -> None:
        """Wait until the bot ends by itself; raises what ended it."""
        assert self._running is not None
        running, self._running = self._running, None
        await running

    async def stop(self) -> None:
        """Stop the bot in order."""
        if self._running is not None:
            self._stop.set()
            await self._running
            self._running = None

    async def stop_for_long(self) -> None:
        """Stop the bot for longer than Discord keeps its sessions."""
        await self.stop()
        self.playground.gateway.sessions.clear()

    async def have_told(self) -> None:
        """Have the commands told to Discord before the first start.

        Every bot that is new there tells it hundreds of words in all languages, which takes longer
        than most tests: one of each process does so for all that come after it.
        """
        state, note = self.playground.world.state, self.settings.data / "commands.json"
        games = tuple(catalog.GAMES)
        told = _TOLD.get(games)
        if told is None:
            await self.start()
            async with asyncio.timeout(40):
                while not note.exists():
                    await asyncio.sleep(0.01)
            _TOLD[games] = Told(tuple(state.commands.values()), json.loads(note.read_text()))
            return
        state.commands |= {each.id: each for each in told.commands}
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(json.dumps(told.note | {"application": str(state.application.id)}))
        self._application = state.application.id
        await self.start()

    async def restart(self) -> None:
        """Stop the bot and start it again."""
        await self.stop()
        await self.start()

    async def join(self, name: str, *, locale: str = "en-GB") -> Person:
        """A new person with a window."""
        person = await Person.join(self.playground.address, name, locale=locale)
        person.patience = 60.0  # computers think where other tests leave the processor idle
        self.people.append(person)
        return person

    async def open_directs(self, *people: Person) -> list[int]:
        """The direct messages of people with the bot, in which they have used it before."""
        for each in people:
            await self.bot.services.preferences.change(
                UserId(each.id), lambda chosen: replace(chosen, direct=True)
            )
        return [await each.open_direct() for each in people]

    async def settled(self, patience: float = 12.0) -> None:
        """Wait until nothing is left to send."""
        for _ in range(round(patience / 0.03)):
            due = await self.bot.store.read(outbox.next_due)
            if due is None or due > self.bot.clock.now() + _PLANNED:
                return
            await asyncio.sleep(0.03)
        raise TimeoutError("the outbox does not get empty")

    async def raw(
        self,
        person: Person,
        kind: InteractionType,
        channel_id: int,
        data: Json,
        *,
        message: Json | None = None,
        age: float = 0.0,
        copies: int = 1,
    ) -> Json:
        """Deliver an interaction that Discord's own client would not send; the private answer."""
        after = len(person.events)
        self.playground.deliver_raw(
            kind,
            channel_id=channel_id,
            user_id=person.id,
            data=data,
            message_id=None if message is None else int(message["id"]),
            age=age,
            copies=copies,
        )
        return await person.wait_message(lambda told: bool(told["flags"] & 64), after=after)

    async def history(self) -> tuple[Any, ...]:
        """Every event of every match, to see that nothing has changed."""
        return tuple([found async for found in self.bot.store.all_matches()])


async def time_passes(table: Hosted, clock: Ahead, **by: float) -> None:
    """Let time pass in which the bot is there."""
    # A heartbeat from before, written after this one, would make an outage of that time.
    async with table.beating:
        then = clock.now() + timedelta(**by)
        await table.bot.store.write(stored_presence.beat, (EVERYWHERE,), then, timedelta(days=99))
        clock.by += timedelta(**by)


MANAGE = 1 << 5
"""The permission to manage a server."""


def give_role(table: Hosted, person: Person, permissions: int = 0) -> int:
    """A new role with these permissions for a person; its id."""
    world, guild = table.playground.world, int(person.guild["id"])
    role = world.places.add_role(guild, f"role {permissions}", permissions)
    world.state.members[guild, person.id].roles.append(role.id)
    return int(role.id)


def take_role(table: Hosted, person: Person, role: int) -> None:
    guild = int(person.guild["id"])
    table.playground.world.state.members[guild, person.id].roles.remove(role)


async def files(person: Person, answer: Json) -> dict[str, bytes]:
    """The files of an answer by name."""
    found = {}
    for part in walk(answer["components"]):
        if part["type"] == 13:
            async with person.session.get(part["file"]["url"]) as reply:
                found[part["file"]["url"].rsplit("/", 1)[1].partition("?")[0]] = await reply.read()
    return found


def menus(page: Json) -> dict[str, Json]:
    """The menus of a page by what they do, as ``pref:theme``."""
    return {
        each["custom_id"].split(":", 3)[3]: each
        for each in walk(page["components"])
        if "custom_id" in each and each["type"] in range(3, 9)
    }


def values_chosen(page: Json, menu: str) -> list[str]:
    """The selected values in a menu of a page."""
    return [each["value"] for each in menus(page)[menu]["options"] if each.get("default")]


async def choose(person: Person, page: Json, menu: str, *values: object) -> Json:
    """Choose in a menu, named by what it does; what the page shows then."""
    return await person.choose(page, menus(page)[menu]["custom_id"], list(values))


def control(page: Json, does: str) -> Json:
    """The button of a page that does this, whatever it is called.

    An action such as ``accept``, or one of several buttons by the end of its argument: ``pick:c3``.
    """
    action, _, end = does.partition(":")
    found: dict[str, Json] = {}
    for each in walk(page["components"]):
        read = Control.read(each.get("custom_id")) if each["type"] == 2 else None
        if read is not None and read.action == action and read.arg.endswith(end):
            found.setdefault(read.arg, each)
    if not found:
        raise LookupError(f"no {does!r} among {sorted(actions(page))}")
    return found.get(end) or next(iter(found.values()))


def actions(page: Json) -> set[str]:
    """All that the controls of a page do."""
    read = (Control.read(each.get("custom_id")) for each in walk(page["components"]))
    return {each.action for each in read if each is not None}


async def press_action(person: Person, page: Json, does: str) -> str:
    """Press the button that does this; the nonce of the press."""
    return await person.click(page, custom_id=control(page, does)["custom_id"])


async def press(person: Person, page: Json, does: str) -> Json:
    """Press the button that does this; the answer."""
    return await person.wait_answer(await press_action(person, page, does))


async def turn(person: Person, page: Json, does: str) -> Json:
    """Press the button that does this; the page after it."""
    return await person.shown(page, press_action(person, page, does))


async def open_form(person: Person, page: Json, does: str) -> Json:
    """Press the button that does this; the form that it opens."""
    return await person.wait_modal(await press_action(person, page, does))


async def press_board(person: Person, board: Json, does: str) -> Json:
    """Press a button of a board, or behind its **More**; the private page that opens."""
    shown = actions(board)
    if does in shown or "more" not in shown:
        return await press(person, board, does)
    page = await press(person, board, "more")
    return await (press if does in _OPEN_ANEW else turn)(person, page, does)


async def offered(person: Person, *, after: int = 0) -> Json:
    """The first public offer that a person sees."""
    return await person.wait_message(lambda m: "would like to play" in all_text(m), after=after)


async def first_board(person: Person, *, after: int = 0) -> Json:
    """The first board on which somebody can move that a person sees."""
    return await person.wait_message(lambda m: ":move:" in str(m["components"]), after=after)


async def decline(person: Person, offer: Json, why: str = "") -> Json:
    """Have a person decline an offer, and say why; what they are told."""
    return await turn(person, await press(person, offer, "decline"), f"declined:{why}")


class _Reader(SpecObserver):
    """Reads what Discord reads, and what a person with a phone does."""

    def request(self, method: str, path: str, content: Any) -> None:
        """Check what the bot asks, and the page that it sends, if it is one."""
        super().request(method, path, content)
        if not self.check_requests or not isinstance(content, dict):
            return
        data = content.get("data") or {}
        shown = content.get("components") or data.get("components")
        if isinstance(shown, list):
            self.problems += crowded(shown)
            for each in walk(shown):
                self._told_apart("label", each.get("options") or ())
        self._told_apart("name", data.get("choices") or ())

    def _told_apart(self, shown: str, choices: Iterable[Json]) -> None:
        """Of two that look the same a person cannot choose the second."""
        for what in (shown, "value"):
            found = Counter(str(each.get(what)).casefold() for each in choices)
            alike = [each for each, times in found.items() if times > 1]
            self.problems += [f"several choices have the {what} {each}" for each in alike]


@contextlib.asynccontextmanager
async def hosted(
    tmp_path: Path,
    *,
    shards: int = 1,
    limits: GatewayLimits | None = None,
    timeouts: Timeouts = QUICK,
    time: Clock | None = None,
    languages: Languages | None = None,
    new: bool = False,
    **settings: Any,
) -> AsyncIterator[Hosted]:
    """A playground and a running bot that plays in it, with these settings of its host.

    ``new``: neither Discord nor the database knows the bot yet.

    Every request, answer and event is held against Discord's own description, the buttons of every
    page against a phone's width, every list of choices against its likes, and a test fails for what
    does not fit.
    """
    kept = (
        discord.http.Route.BASE,
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY,
        discord.Asset.BASE,
    )
    # Tests of other things ask the same person more often than people should.
    settings.setdefault("offers_to_one", 100)
    settings.setdefault("session_seconds", 0)
    # And they act as fast as programs do.
    settings.setdefault("commands_per_second", 8)
    settings.setdefault("commands_burst", 40)
    settings.setdefault("suggestions_per_second", 60)
    settings.setdefault("server_messages", 10_000)
    settings.setdefault("server_tournaments", 20)
    settings.setdefault("computer_moves", 1000)
    settings.setdefault("computer_matches", 5)
    settings.setdefault("clock", "none")
    observer = _Reader()
    limits = limits or GatewayLimits(shards=shards)
    async with Playground(
        allow_faults=True, observer=observer, gateway_limits=limits
    ) as playground:
        point_at(playground.address)
        given = Settings(_env_file=None, data=tmp_path, **settings)
        if "database" not in settings:
            lay_sqlite(sqlite_path(given.database_url()))
        made = Hosted(playground, given, languages=languages, clock=time, timeouts=timeouts)
        try:
            if new or languages is not None:
                await made.start()
            else:
                await made.have_told()
            yield made
            await made.stop()
            assert not playground.problems, "\n".join(playground.problems)
            assert not observer.problems, "\n".join(observer.problems)
        finally:
            await made.stop()
            for person in made.people:
                await person.close()
            discord.http.Route.BASE = kept[0]
            discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = kept[1]
            discord.Asset.BASE = kept[2]


@dataclass
class Match:
    """A match between two people who take turns; ``black`` begins."""

    black: Person
    white: Person
    channel: int
    home: int

    async def board(self, person: Person | None = None) -> Json:
        """The newest board in the home of the match that everybody sees."""
        for message in await (person or self.black).messages(self.home):
            frames = [each for each in message["components"] if each["type"] == 17]
            if frames and not message["flags"] & 64:
                return message
        raise LookupError("no board")

    async def say(self, person: Person, move: str) -> Json:
        """Type a move; the private answer."""
        return await person.ask("move", self.home, move=move)

    async def panel(self, person: Person, *picks: str) -> Json:
        """The page of **Make a move**, with these picks made."""
        page = await press(person, await self.board(person), "move")
        for each in picks:
            page = await turn(person, page, f"pick:{each}")
        return page

    async def tap(self, person: Person, move: str) -> Json:
        """Pick a move in the panel and confirm it; the private answer."""
        panel = await self.panel(person)
        shown = panel["id"]
        for each in walk(panel["components"]):
            # A move that is no place on the board has a button of its own.
            if each["type"] == 2 and each["custom_id"].endswith(f":way:{move}"):
                panel = await person.turn(panel, custom_id=each["custom_id"])
                break
        for _ in range(6):
            after = len(person.events)
            special = _special(panel, move)
            if special is not None:
                await person.wait_success(await person.click(panel, custom_id=special))
            elif offered := picks(panel):
                chosen = _choice(offered, move)
                await person.wait_success(await person.click(panel, custom_id=chosen))
            else:
                break
            panel = await person.wait_message(lambda m: m["id"] == shown, after=after)
        after = len(person.events)
        confirm = next(
            each for each in walk(panel["components"]) if ":play:" in each.get("custom_id", "")
        )
        await person.click(panel, custom_id=confirm["custom_id"])
        return await person.wait_message(lambda m: m["id"] == shown, after=after)


@dataclass
class Game(Match):
    """A match whose bot is at hand."""

    hosted: Hosted

    async def moves(self, moves: str) -> None:
        """Type moves in turn, Black's first, until all is told about the last."""
        for number, move in enumerate(moves.split()):
            await self.say((self.black, self.white)[number % 2], move)
        await self.hosted.settled()

    async def resign(self, person: Person) -> Json:
        """Have a player resign, until all is told about it; what they are told."""
        told = await turn(person, await person.ask("match resign", self.home), "resignyes")
        await self.hosted.settled()
        return told


def _special(panel: Json, move: str) -> str | None:
    """The button of a move that is no place on the board, such as a swap."""
    for each in walk(panel["components"]):
        if ":way:" in each.get("custom_id", "") and each.get("label", "").casefold() == move:
            return str(each["custom_id"])
    return None


def picks(panel: Json) -> dict[str, str]:
    """The choices of the **Make a move** panel: the custom ids of its buttons by label."""
    return {
        str(each["label"]): str(each["custom_id"])
        for each in walk(panel["components"])
        if ":pick:" in each.get("custom_id", "")
    }


def _choice(offered: dict[str, str], move: str) -> str:
    for label, custom_id in offered.items():
        if label in {move, move[0]} or _covers(label, move):
            return custom_id
    raise LookupError(f"no way to {move} among {list(offered)}")


def _covers(label: str, move: str) -> bool:
    """Whether a part of a column, such as "e1 to e5", holds the cell of a move."""
    first, _, last = label.partition(" to ")
    found = re.match("[a-z][0-9]+", move)
    if not last or found is None or first[0] != move[0]:
        return False
    return int(first[1:]) <= int(found[0][1:]) <= int(last[1:])


async def begun(
    table: Hosted, host: Person, guest: Person, where: int | None = None, **fields: Any
) -> int:
    """Have one person offer a match, as the first side, and another accept it; its home."""
    where = where or host.channel("general")
    before, seen = len(host.events), len(guest.events)
    fields = {"game": "quax", "side": "1", "opponent": guest, **fields}
    answer = await host.ask("play", where, **fields)
    assert "Offer sent" in all_text(answer), all_text(answer)
    await press(guest, await offered(guest, after=seen), "accept")
    await table.settled()
    return int((await first_board(host, after=before))["channel_id"])


async def start_quax(
    table: Hosted, *, options: str = "size 5, pie off", channel_name: str | None = None
) -> Game:
    """Two people who have begun a match of Quax, the first of them as Black."""
    anna = await table.join("Anna")
    ben = await table.join("Ben")
    channel = (
        int(anna.guild["channels"][0]["id"]) if channel_name is None else anna.channel(channel_name)
    )
    return Game(anna, ben, channel, await begun(table, anna, ben, channel, options=options), table)


_BOARD = re.compile(r"board-([a-z2-7]{10})-(\d+)-([0-9a-f]{8})\.png")


def shown_board(message: Json) -> tuple[str, int, str] | None:
    """The match, version and hash of the board on a message, by the name of its picture."""
    found = _BOARD.search(str(message["components"]))
    return None if found is None else (found[1], int(found[2]), found[3])


def moves_named(text: str) -> set[str]:
    """The words of a text or of JSON, moves among them.

    The letters of a move may stand by chance within an id or the check letters of a board.
    """
    return set(re.findall(r"\w+", text.replace(r"\n", " ")))
