"""The process is killed in the middle of an event of each of the six formats, and each ends right.

All six are held at once by four people in one channel, so that one kill is in the middle of each.
They were announced before: an arena and a ladder end on their day, which is made to come soon.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.domain.ids import ChannelId, GuildId, TournamentId, UserId
from bot.domain.match import Actor, Place
from bot.store import open_store
from bot.tournaments.domain.fold import TournamentEvent
from bot.tournaments.domain.setup import FormatKey, Setup
from bot.tournaments.domain.tournament import TournamentStatus
from bot.tournaments.services.verifying import verify_tournaments
from bot.tournaments.services.views import EventView, Visitor
from bot.tournaments.store import reading as tournament_reading
from playground.errors import DiscordError
from playground.forms import all_text
from playground.observer import Observer
from playground.person import InteractionFailed, Person
from playground.server import Playground
from playground.world.controls import walk
from tests.simulation.contest_judge import Ledger
from tests.simulation.places import wrong_places
from tests.simulation.rungs import wrong_rungs
from tests.support.bot_process import BotProcess
from tests.support.databases import lay_sqlite
from tests.support.kit import HandClock
from tests.tournaments.kit import Hall

Json = dict[str, Any]
_DAY = timedelta(days=1)
_LIVE = timedelta(minutes=30)
_SOON = timedelta(seconds=60)
"""When the arena and the ladder end; both kills are over before, also on a busy machine."""
_OPEN_ENDED = (FormatKey.ARENA, FormatKey.LADDER)
_NAMES = {form: f"Evening {form.value.replace('_', ' ')}" for form in FormatKey}
_GONE = (InteractionFailed, TimeoutError, LookupError, DiscordError)
"""The errors for people while the bot is dead."""


def _setup(form: FormatKey, now: datetime) -> Setup:
    """An event that has just begun and lasts a day, or is over soon."""
    finish = now + (_SOON if form in _OPEN_ENDED else _DAY)
    lasts = {FormatKey.ARENA: _LIVE, FormatKey.LADDER: 7 * _DAY}.get(form, _DAY)
    begins = min(finish - lasts, now)
    return Setup(
        _NAMES[form],
        form,
        "pythagoras" if form is FormatKey.TABLES else "quux",
        begins,
        begins,
        finish,
        clock="5m+3s",
        rounds={FormatKey.SWISS: 3, FormatKey.TABLES: 2}.get(form),
        no_show=timedelta(minutes=5),
        least=4,
        most=4,
    )


@dataclass
class Evening:
    """Six events of four people, whose bot is killed."""

    bot: BotProcess
    people: list[Person]
    channel: int
    events: dict[FormatKey, TournamentId]

    async def announce(self) -> None:
        """Have all events announced and entered, as if it had been some days ago."""
        path = self.bot.data / "parlour.db"
        lay_sqlite(path)
        store = await open_store(f"sqlite:///{path}")
        now = datetime.now(UTC)
        hall = Hall(store, HandClock(now - 20 * _DAY))
        place = Place(GuildId(int(self.people[0].guild["id"])), ChannelId(self.channel))
        for form in FormatKey:
            visitors = [Visitor(Actor(UserId(x.id), place.guild_id)) for x in self.people]
            made = await hall.service.create(
                visitors[0], place, _setup(form, now), interaction_id=hall.club.click()
            )
            self.events[form] = made.tournament.id
            for each in visitors:
                await hall.service.join(each, made.tournament.id, interaction_id=hall.club.click())
        await store.close()

    # ---- what is stored, read without the bot's help --------------------------------------------

    def over(self, form: FormatKey) -> int:
        """How many games of an event have a result."""
        return sum(
            how is not None
            for (how,) in self.bot.read(
                "SELECT how FROM tournament_games WHERE tournament_id = ?", self.events[form]
            )
        )

    def ended(self, form: FormatKey) -> int:
        """How many matches of an event have ended."""
        of_event = self.events[form]
        query = "SELECT count(*) FROM matches m JOIN tournament_games g ON g.match_id = m.id"
        where = " WHERE g.tournament_id = ? AND m.status = 'finished'"
        return int(str(self.bot.read(query + where, of_event)[0][0]))

    def statuses(self) -> dict[FormatKey, str]:
        """How far each event is."""
        rows = self.bot.read("SELECT id, status FROM tournaments")
        found = {str(id_): str(status) for id_, status in rows}
        return {form: found[id_] for form, id_ in self.events.items()}

    def running(self, form: FormatKey) -> list[tuple[int, list[int]]]:
        """The matches of an event that are on: the thread, and who still plays."""
        rows = self.bot.read(
            "SELECT m.home_id, m.players, m.retired FROM matches m JOIN tournament_games g"
            " ON g.match_id = m.id WHERE g.tournament_id = ? AND m.status = 'running'"
            " AND m.home_id IS NOT NULL ORDER BY g.position",
            self.events[form],
        )
        found = []
        for home, players, retired in rows:
            out = json.loads(str(retired))
            there = [int(x) for at, x in enumerate(json.loads(str(players))) if at not in out]
            found.append((int(str(home)), there))
        return found

    # ---- what people do --------------------------------------------------------------------------

    async def messages(self, place: int) -> list[Json]:
        return await self.people[0].messages(place, limit=100)

    async def homes(self, form: FormatKey) -> list[Json]:
        """The home messages of an event that have buttons."""
        seen = await self.messages(self.channel)
        return [
            each
            for each in seen
            if any(
                ":trules:" in part.get("custom_id", "") and self.events[form] in part["custom_id"]
                for part in walk(each["components"])
            )
        ]

    async def resign(self, home: int, loser: int) -> None:
        """A player gives up a match, unless the bot dies."""
        person = next(each for each in self.people if each.id == loser)
        with contextlib.suppress(*_GONE):
            asked = await person.wait_answer(await person.slash("match resign", home), patience=5)
            after = len(person.events)
            await person.click(asked, label="Resign")
            await person.wait_message(lambda m: m["id"] == asked["id"], after=after, patience=5)

    async def play(self, form: FormatKey) -> bool:
        """The player who joined last resigns from a match that is on, if there is one."""
        ids = [each.id for each in self.people]
        for home, there in self.running(form)[:1]:
            await self.resign(home, max(there, key=ids.index))
            return True
        return False

    async def challenge(self) -> None:
        """The last of the ladder challenges the first, who accepts."""
        low, top = self.people[3], self.people[0]
        ladder = f"## {_NAMES[FormatKey.LADDER]}"
        home = await self.seen(
            self.channel,
            lambda m: ladder in all_text(m) and '"Challenge"' in json.dumps(m["components"]),
        )
        page = await low.press(home, label="Challenge")
        menu = next(x for x in walk(page["components"]) if ":tchallenge:" in x.get("custom_id", ""))
        await low.wait_success(await low.select(page, menu["custom_id"], ["1"]))
        asked = await self.seen(int(home["id"]), lambda m: "challenges you" in all_text(m))
        await top.wait_success(await top.click(asked, label="Accept"))

    async def seen(self, place: int, is_it: Callable[[Json], bool]) -> Json:
        """A message of a place, once it is there."""
        async with asyncio.timeout(60):
            while True:
                with contextlib.suppress(DiscordError):  # the thread may not be there yet
                    for each in await self.messages(place):
                        if is_it(each):
                            return each
                await asyncio.sleep(0.05)

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(90):
            while not holds():
                await asyncio.sleep(0.05)


@pytest.mark.long
@pytest.mark.timeout(500)
async def test_a_kill_in_each_format_and_all_end_well(tmp_path: Path, observer: Observer) -> None:
    async with Playground(observer=observer) as playground:
        bot = BotProcess(
            playground,
            tmp_path,
            {
                "PARLOUR_COMMANDS_PER_SECOND": "50",
                "PARLOUR_COMMANDS_BURST": "50",
                "PARLOUR_SERVER_MESSAGES": "6000",
            },
        )
        people = [await Person.join(playground.address, name) for name in ("Ann", "Bo", "Cy", "Di")]
        try:
            evening = Evening(bot, people, int(people[0].guild["channels"][0]["id"]), {})
            await evening.announce()
            await _until_the_kill(evening)
            await _second_kill(evening)
            await _to_the_end(evening)
            await _check_messages(evening)
            await bot.kill()
            await _check_store(evening)
        finally:
            if bot.process is not None:
                await bot.kill()
            for person in people:
                await person.close()
    assert playground.problems == []


async def _until_the_kill(evening: Evening) -> None:
    """A game of each has ended, that of the ladder is on, and the last end may not be recorded."""
    await evening.bot.start()
    await evening.until(lambda: set(evening.statuses().values()) == {"running"})
    challenging = asyncio.create_task(evening.challenge())
    for form in FormatKey:
        if form is FormatKey.LADDER:
            await challenging
        await evening.until(lambda form=form: bool(evening.running(form)))
        for _ in range({FormatKey.TABLES: 3, FormatKey.LADDER: 0}.get(form, 1)):
            await evening.play(form)
    await evening.play(FormatKey.ROUND_ROBIN)
    await evening.bot.kill()
    assert set(evening.statuses().values()) == {"running"}, "in the middle of each"
    assert [form for form in FormatKey if not evening.ended(form)] == [FormatKey.LADDER]


async def _second_kill(evening: Evening) -> None:
    """It dies once more, when the end of a match is written and not committed."""
    evening.bot.forget_sessions()
    await evening.bot.start(failpoint="c4")
    dying = asyncio.create_task(evening.bot.died(patience=60))
    while not dying.done():
        with contextlib.suppress(*_GONE):
            if not await evening.play(FormatKey.ROUND_ROBIN):
                break
    assert await dying
    assert set(evening.statuses().values()) == {"running"}


async def _to_the_end(evening: Evening) -> None:
    """All that is on is played; the arena and the ladder end on their day, and not before."""
    evening.bot.forget_sessions()
    await evening.bot.start()
    async with asyncio.timeout(180):
        while any(each == "running" for each in evening.statuses().values()):
            for form in FormatKey:
                # With more games the first of an arena would be no surer.
                if form is not FormatKey.ARENA or evening.over(form) < 4:
                    await evening.play(form)
            await asyncio.sleep(0.05)
    assert set(evening.statuses().values()) == {"finished"}


async def _check_messages(evening: Evening) -> None:
    """Each event has one home message, which says that it is over, and one champion, told once."""
    for name in _NAMES.values():
        await evening.seen(evening.channel, lambda m, x=name: f" wins {x}!" in all_text(m))
    await evening.until(lambda: not evening.bot.waiting())
    texts = [all_text(each) for each in await evening.messages(evening.channel)]
    for form, name in _NAMES.items():
        assert sum(f" wins {name}!" in each for each in texts) == 1, name
        (home,) = await evening.homes(form)
        assert "This tournament is over." in all_text(home)
        with contextlib.suppress(DiscordError):  # an arena calls its players by the match alone
            told = Counter(all_text(x) for x in await evening.messages(int(home["id"])))
            assert not [each for each, times in told.items() if times > 1], name


async def _check_store(evening: Evening) -> None:
    """Stored data is complete, and the standings follow from its facts."""
    store = await open_store(f"sqlite:///{evening.bot.data / 'parlour.db'}")
    try:
        hall = Hall(store, HandClock(datetime.now(UTC)))
        assert (await verify_tournaments(store)).problems == ()
        guild = GuildId(int(evening.people[0].guild["id"]))
        for form, id_ in evening.events.items():
            asks = Visitor(Actor(UserId(evening.people[0].id), guild))
            view = await hall.service.tournament(asks, id_)
            problems = list(_wrong(view, await store.read(tournament_reading.history, id_)))
            assert not problems, (form, problems)
            t = await hall.check(id_)
            assert t.status is TournamentStatus.FINISHED
            assert len(view.champion) == 1, form
    finally:
        await store.close()


def _wrong(view: EventView, history: tuple[TournamentEvent, ...]) -> Iterator[str]:
    ledger, t = Ledger.of(history), view.tournament
    yield from (f"{name} began {x} times" for name, x in ledger.begun.items() if x > 1)
    yield from (f"{name} counts {x} times" for name, x in ledger.scored.items() if x > 1)
    if len(ledger.ended) != 1:
        yield f"ended {len(ledger.ended)} times"
    # At each table of four three resign, so that there are the 4 points of the first place alone.
    places = (sorted(x) for x in ledger.results.values() if len(x) == 4)
    yield from (f"a table has {x}" for x in places if x != [0, 0, 0, 4])
    found = wrong_places(view, ledger.results, ledger.by_director)
    yield from (each for each in found if not each.endswith("are not 7 points"))
    if t.setup.format in _OPEN_ENDED and ledger.ended[0][0] < t.setup.finish:
        yield "ended too early"
    if t.setup.format is FormatKey.LADDER:
        facts = [event.fact for event in history]
        yield from wrong_rungs(facts, [each.number for each in view.standings])
