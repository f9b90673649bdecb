"""Everything that Discord's users could see, with the time at which they saw it."""

from __future__ import annotations

import asyncio
import itertools
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from typing import Any

from bot.clock import Clock
from playground.forms import all_text, fill_command, find_control
from playground.observer import Indifferent
from playground.server import Playground
from playground.world.state import GatewayEvent
from tests.support.hosted import shown_board

Json = dict[str, Any]
_PATIENCE = 30.0
_EPHEMERAL, _LOADING = 64, 128
_DIGEST = ("### These matches are waiting", "### These are waiting", "### What has happened")


@dataclass
class Message:
    """A message of the bot that others than one person can see."""

    id: int
    channel: int
    at: datetime
    text: str
    pings: tuple[int, ...]
    direct_to: int | None
    is_board: bool
    is_asking: bool
    """Whether it has buttons under words."""
    shows: tuple[str, int, str] | None = None
    """Of a board: the match, its version and hash."""
    nonce: str | None = None
    """By which Discord knows a post for some minutes."""
    deleted_at: datetime | None = None


@dataclass(frozen=True)
class Digest:
    """A digest for a person, which their closed direct messages may have refused."""

    at: datetime
    user: int
    text: str


@dataclass
class Digests(Indifferent):
    """Sees the requests for digests, also for those that nobody gets to see."""

    clock: Clock
    asked: list[tuple[datetime, int, str]] = field(default_factory=list)

    def request(self, method: str, path: str, content: Any) -> None:
        said = str(content.get("content")) if isinstance(content, dict) else ""
        if method == "POST" and said.startswith(_DIGEST):
            self.asked.append((self.clock.now(), int(path.split("/")[2]), said))


@dataclass
class Watcher:
    """Listens to the playground, and does what people do there."""

    playground: Playground
    clock: Clock
    digests_asked: Digests
    messages: dict[int, Message] = field(default_factory=dict)
    in_channel: dict[int, list[Message]] = field(default_factory=lambda: defaultdict(list))
    problems: list[str] = field(default_factory=list)
    _fresh: set[int] = field(default_factory=set)
    _answers: dict[str, asyncio.Future[Json]] = field(default_factory=dict)
    _thinking: dict[str, str] = field(default_factory=dict)
    _clicks: set[str] = field(default_factory=set)
    _pressed: dict[str, str] = field(default_factory=dict)
    """Private pages on which something was pressed, and by which nonce."""
    _nonces: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        self.playground.world.state.listen(self._hear)

    def _hear(self, happening: GatewayEvent) -> None:
        name, data = happening.name, happening.data
        if name == "INTERACTION_FAILURE":
            nothing = {"failed": True, "content": "", "components": [], "embeds": []}
            self._answer(str(data["nonce"]), {**nothing, **data})
        elif name == "MESSAGE_DELETE":
            known = self.messages.get(int(data["id"]))
            if known is not None:
                known.deleted_at = self.clock.now()
        elif name == "MESSAGE_CREATE" and int(data["author"]["id"]) == self._bot:
            if data["flags"] & _EPHEMERAL:
                self._private(data, str(data.get("nonce")))
            else:
                self._public(data)
        elif name == "MESSAGE_UPDATE" and data["flags"] & _EPHEMERAL:
            self._private(data, None)
        elif name == "INTERACTION_SUCCESS" and str(data["nonce"]) in self._clicks:
            self._clicks.discard(str(data["nonce"]))
            self._answer(str(data["nonce"]), {})

    @property
    def _bot(self) -> int:
        return self.playground.world.state.bot_id

    @property
    def digests(self) -> list[Digest]:
        """The digests that Discord was asked to deliver, in order."""
        channels = self.playground.world.state.channels
        return [
            Digest(
                at, next(each for each in channels[channel].recipients if each != self._bot), said
            )
            for at, channel, said in self.digests_asked.asked
        ]

    def _private(self, data: Json, nonce: str | None) -> None:
        nonce = self._thinking.get(data["id"], nonce) or self._pressed.pop(data["id"], None)
        if nonce is None:
            return
        if data["flags"] & _LOADING:
            self._thinking[data["id"]] = nonce
            return
        self._thinking.pop(data["id"], None)
        self._answer(nonce, data)

    def _answer(self, nonce: str, data: Json) -> None:
        waiting = self._answers.get(nonce)
        if waiting is not None and not waiting.done():
            waiting.set_result(data)

    def _public(self, data: Json) -> None:
        channel = self.playground.world.state.channels[int(data["channel_id"])]
        kinds = {each["type"] for each in data["components"]}
        made = Message(
            int(data["id"]),
            channel.id,
            self.clock.now(),
            all_text(data),
            tuple(int(each["id"]) for each in data["mentions"]),
            next((each for each in channel.recipients if each != self._bot), None),
            17 in kinds,
            bool(kinds) and 17 not in kinds,
            shown_board(data),
            data.get("nonce"),
        )
        if data["type"] not in (0, 20, 23):
            return
        self.messages[made.id] = made
        self.in_channel[made.channel].append(made)
        self._fresh.add(made.channel)

    def fingerprint(self) -> str:
        """A few letters that are the same for two months in which the same was seen."""
        seen = sorted((str(each.at), each.text) for each in self.messages.values())
        return blake2b(repr(seen).encode(), digest_size=8).hexdigest()

    def take_fresh(self) -> list[int]:
        """The channels in which something has been posted since this was asked last."""
        fresh, self._fresh = sorted(self._fresh), set()
        return fresh

    # What people do.

    def begin(self, user: int, body: Json, *, reads: bool = False) -> asyncio.Future[Json]:
        """Do something as Discord's client would; the private answer will come.

        After a click that is only that it was taken, unless one ``reads`` what comes of it.
        """
        nonce = f"m{next(self._nonces)}"
        future = asyncio.get_running_loop().create_future()
        self._answers[nonce] = future
        if body["type"] == 3 and reads:
            self._pressed[body["message_id"]] = nonce
        elif body["type"] == 3:
            self._clicks.add(nonce)
        future.add_done_callback(lambda _: self._answers.pop(nonce, None))
        application = str(self.playground.world.state.application.id)
        body = {"application_id": application, "nonce": nonce, **body}
        self._open(int(body["channel_id"]), user)
        self.playground.world.user_actions.do(user, body)
        return future

    def _open(self, channel_id: int, user: int) -> None:
        """A thread that has slept for a week opens when a player writes in it."""
        world = self.playground.world
        channel = world.state.channel(channel_id)
        world.threads.refresh(channel)
        if channel.archived:
            world.messages.send(channel_id, user, {"content": "Where were we?"})

    async def do(self, user: int, body: Json, *, reads: bool = False) -> Json:
        """The same, and wait for the answer."""
        async with asyncio.timeout(_PATIENCE):
            return await self.begin(user, body, reads=reads)

    def command(self, channel: int, name: str, **options: object) -> Json:
        """A slash command, filled in."""
        found = next(
            each
            for each in self.playground.world.state.commands.values()
            if each.name == name.split(maxsplit=1)[0]
        )
        shape = {
            "id": str(found.id),
            "version": str(found.version),
            "name": found.name,
            "type": found.kind,
            "options": found.body.get("options", []),
        }
        data = fill_command(shape, name, options)
        return {"type": 2, "channel_id": str(channel), "data": data}

    @staticmethod
    def button(message: Json, label: str) -> Json:
        """A click on a button of a message."""
        found = find_control(message, label=label)
        return {
            "type": 3,
            "channel_id": str(message["channel_id"]),
            "message_id": str(message["id"]),
            "data": {"component_type": 2, "custom_id": found["custom_id"]},
        }
