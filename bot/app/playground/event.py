"""A small event in the playground that a newcomer can join at once, with three members who play.

The members are scripts that act like people: they type commands and press buttons. One of them
announces an arena in #games as soon as the first person has come (who owns the server), all three
join it, and each plays a random legal move whenever Parlour calls them. With three of them one is
always free for the next player who joins. After a restart they continue; once an arena is over, the
next start announces another one.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Coroutine
from typing import Any

import aiohttp

from bot.logs import logger
from bot.trouble import Trouble
from playground.forms import all_text
from playground.person import InteractionFailed, Person
from playground.world.controls import walk

_log = logger(__name__)

MEMBERS = ("Robin (script)", "Rosa (script)", "Rudi (script)")
EVENT = "Playground arena"
CHANNEL = "games"
_LOOK = 1.0
"""Seconds between two looks for the first person."""
_ANSWER = 2.0
"""Seconds until a script answers a person's move."""
_BETWEEN = 1.1
"""Seconds between two actions; a higher rate hits the limit in the long run."""
_AMONG_THEMSELVES = 20.0
"""The same for moves of another script, so that a whole evening makes few matches."""
_AGAIN = 10.0
"""Seconds until the event is tried again after a failure."""
_FOR_LONG = 86_400.0 * 365
_PATIENCE = 120.0
"""Seconds that a script waits for Parlour, whose first pages are slow on a busy machine."""
_TOO_LATE = (InteractionFailed, TimeoutError)
"""Tell a script that Parlour was too slow; a bug of Parlour's is in the log already."""


async def hold_event(address: str) -> None:
    """Hold the event in the playground at an address until cancelled.

    On a busy machine Parlour may answer too late at the start: then it is tried again.
    """
    trouble = Trouble(_log, "the playground's event cannot be held", level=logging.WARNING)
    while True:
        with trouble.guard(*_TOO_LATE):
            await _hold(address, trouble)
        await asyncio.sleep(_AGAIN)


async def _hold(address: str, trouble: Trouble) -> None:
    members = await _members(address)
    try:
        await _announce(members)
        async with asyncio.TaskGroup() as group:
            for each in members:
                group.create_task(_Script(each, trouble).play())
    finally:
        for each in members:
            await each.close()


async def _members(address: str) -> list[Person]:
    """The scripts, new or from before, once there is a person to play with."""
    async with aiohttp.ClientSession(address) as session:
        while True:
            async with session.get("/page/people") as answer:
                people = await answer.json()
            if people:
                break
            await asyncio.sleep(_LOOK)
    known = {each["global_name"]: int(each["id"]) for each in people}
    members = [
        await Person.come_back(address, known[name])
        if name in known
        else await Person.join(address, name, scripted=True)
        for name in MEMBERS
    ]
    for each in members:
        each.patience = _PATIENCE
    return members


async def _announce(members: list[Person]) -> None:
    """Announce the event and join it, unless there is one that can be joined."""
    organiser = members[0]
    channel = organiser.channel(CHANNEL)
    if any(_can_be_joined(each) for each in await organiser.messages(channel)):
        return
    told = await organiser.slash(
        "tournament create", channel, kind="evening_arena", name=EVENT, game="quux"
    )
    page = await organiser.wait_answer(told)
    await asyncio.sleep(_BETWEEN)
    modal = await organiser.wait_modal(await organiser.click(page, label="Name & dates"))
    soon = "in 1 minute"
    await asyncio.sleep(_BETWEEN)
    filled = organiser.submit_modal(modal, closes=soon, begins=soon, finish="in 4 hours")
    page = await _then(organiser, page, filled)
    page = await _then(organiser, page, organiser.click(page, label="Time"))
    for field, value in (("clock", "20m+10s"), ("no_show", "600"), ("time_losses", "0")):
        menu = next(
            each["custom_id"]
            for each in walk(page["components"])
            if each.get("custom_id", "").endswith(f":{field}")
        )
        page = await _then(organiser, page, organiser.select(page, menu, [value]))
    await organiser.wait_success(await organiser.click(page, label="Create"))
    home = await organiser.wait_message(_can_be_joined, patience=60)
    for each in members:
        await each.wait_success(await each.click(home, label="Join"))


def _can_be_joined(message: dict[str, Any]) -> bool:
    """Whether a message is the home message of the event, and the event is open to join."""
    is_home = not message["flags"] & 64 and f"## {EVENT}" in all_text(message)
    return is_home and any(each.get("label") == "Join" for each in walk(message["components"]))


async def _then(
    person: Person, page: dict[str, Any], action: Coroutine[Any, Any, str]
) -> dict[str, Any]:
    """Do an action on a private page, and return the page once it is ready for the next."""
    after = len(person.events)
    await action
    shown = await person.wait_message(lambda told: told["id"] == page["id"], after=after)
    await asyncio.sleep(_BETWEEN)
    return shown


class _Script:
    """A member who plays a random legal move whenever Parlour calls them."""

    def __init__(self, person: Person, trouble: Trouble) -> None:
        self._person = person
        self._trouble = trouble

    async def play(self) -> None:
        """Play; after a restart first where it may be their turn."""
        for place in [int(each["id"]) for each in self._person.guild["threads"]]:
            with self._trouble.guard(*_TOO_LATE):
                await self._move(place)
        while True:
            told = await self._person.wait_event(
                "MESSAGE_CREATE", self._is_called, patience=_FOR_LONG
            )
            del self._person.events[:]
            place = int(told.data["channel_id"])
            with self._trouble.guard(*_TOO_LATE):
                said = str(await self._person.messages(place))
                is_among_scripts = sum(each in said for each in MEMBERS) > 1
                await asyncio.sleep(_AMONG_THEMSELVES if is_among_scripts else _ANSWER)
                await self._move(place)

    def _is_called(self, message: dict[str, Any]) -> bool:
        return any(int(each["id"]) == self._person.id for each in message["mentions"])

    async def _move(self, place: int) -> None:
        # The first suggestion opens the panel.
        moves = (await self._person.autocomplete("move", place, "move"))[1:]
        if moves:
            chosen = random.choice(moves)["value"]  # noqa: S311
            await self._person.wait_success(await self._person.slash("move", place, move=chosen))
