"""A scripted person: drives the page's own interface as a Discord client would, for tests.

async with Person.join(playground.address, "Cleo") as cleo:
await cleo.slash("invite", channel, to="games", player=other.id)
message = await cleo.wait_message(lambda m: "accept" in str(m))
await cleo.click(message, label="Accept")
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

import aiohttp

from playground.errors import DiscordError
from playground.forms import fill_command, fill_modal, find_control, plain
from playground.wire import Json
from playground.world.controls import SELECTS, ComponentType

_PATIENCE = 10.0


class InteractionFailed(Exception):
    """The person was told that the interaction failed."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event that the person received."""

    name: str
    data: Json


@dataclass(slots=True, eq=False, repr=False)
class Person:
    """One user in one window. Made by :meth:`join` or :meth:`come_back`."""

    address: str
    id: int
    name: str
    session: aiohttp.ClientSession
    #: All events since the window was opened, oldest first.
    events: list[Event] = field(default_factory=list)
    ready: Json = field(default_factory=dict)
    #: Seconds to wait for an event, unless a wait sets its own time.
    patience: float = _PATIENCE
    _socket: aiohttp.ClientWebSocketResponse | None = None
    _reader: asyncio.Task[None] | None = None
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    _nonces: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    @classmethod
    async def join(
        cls, address: str, name: str, *, locale: str = "en-GB", scripted: bool = False
    ) -> Self:
        """A new person in the first server, with a window open.

        A ``scripted`` one cannot be chosen on the page.
        """
        session = aiohttp.ClientSession(address)
        about = {"name": name, "locale": locale, "scripted": scripted}
        async with session.post("/page/people", json=about) as answer:
            user = await answer.json()
        made = cls(address, int(user["id"]), name, session)
        await made.open()
        return made

    @classmethod
    async def come_back(cls, address: str, user_id: int) -> Self:
        """An existing person, in a new window."""
        session = aiohttp.ClientSession(address)
        made = cls(address, user_id, "", session)
        await made.open()
        made.name = made.ready["user"]["global_name"]
        return made

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def open(self) -> None:
        """Open the window and wait for its first event."""
        self._socket = await self.session.ws_connect(
            f"/page/gateway?user={self.id}", max_msg_size=0
        )
        self._reader = asyncio.create_task(self._read(self._socket))
        self.ready = (await self.wait_event("READY")).data

    async def close(self) -> None:
        """Close the window."""
        if self._socket is not None:
            await self._socket.close()
        if self._reader is not None:
            self._reader.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reader
        await self.session.close()

    async def _read(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        async for message in socket:
            if message.type is not aiohttp.WSMsgType.TEXT:
                break
            frame = json.loads(message.data)
            async with self._changed:
                self.events.append(Event(frame["t"], frame["d"]))
                self._changed.notify_all()

    # Seeing.

    @property
    def guild(self) -> Json:
        """The first server."""
        found: Json = self.ready["guilds"][0]
        return found

    def channel(self, name: str) -> int:
        """The id of the channel of that name in the first server."""
        return next(int(each["id"]) for each in self.guild["channels"] if each["name"] == name)

    async def request(self, method: str, path: str, body: Any = None, **query: object) -> Any:
        """A request to the page's API; raises the playground's refusals."""
        headers = {"Authorization": f"person {self.id}"}
        params = {key: str(value) for key, value in query.items() if value is not None}
        async with self.session.request(
            method, f"/page/api{path}", json=body, headers=headers, params=params
        ) as answer:
            data = await answer.json() if answer.content_type == "application/json" else None
        if answer.status >= 400:
            told = data if isinstance(data, dict) else {}
            raise DiscordError(
                answer.status,
                told.get("code", 0),
                told.get("message", ""),
                errors=told.get("errors"),
            )
        return data

    async def wait_event(
        self,
        name: str | Sequence[str],
        matches: Callable[[Json], bool] = lambda _: True,
        *,
        after: int = 0,
        patience: float | None = None,
    ) -> Event:
        """The first event of that name that ``matches``, from position ``after`` on."""
        names = {name} if isinstance(name, str) else set(name)
        seen = after

        def find() -> Event | None:
            nonlocal seen
            while seen < len(self.events):
                each = self.events[seen]
                seen += 1
                if each.name in names and matches(each.data):
                    return each
            return None

        async with asyncio.timeout(patience or self.patience), self._changed:
            while True:
                found = find()
                if found is not None:
                    return found
                await self._changed.wait()

    async def wait_message(
        self,
        matches: Callable[[Json], bool] = lambda _: True,
        *,
        after: int = 0,
        patience: float | None = None,
    ) -> Json:
        """The first message, new or edited and no longer loading, that ``matches``."""
        event = await self.wait_event(
            ("MESSAGE_CREATE", "MESSAGE_UPDATE"),
            lambda data: not data["flags"] & 128 and matches(data),
            after=after,
            patience=patience,
        )
        return event.data

    async def messages(self, channel_id: int, *, limit: int = 50) -> list[Json]:
        """The newest messages of a channel, newest first."""
        found: list[Json] = await self.request(
            "GET", f"/channels/{channel_id}/messages", limit=limit
        )
        return found

    async def message(self, channel_id: int, message_id: int | str) -> Json:
        """One message as it is now."""
        return next(
            each
            for each in await self.messages(channel_id, limit=100)
            if each["id"] == str(message_id)
        )

    # Acting.

    async def say(self, channel_id: int, content: str) -> Json:
        """Write an ordinary message."""
        made: Json = await self.request(
            "POST", f"/channels/{channel_id}/messages", {"content": content}
        )
        return made

    async def open_direct(self) -> int:
        """The direct messages with the bot."""
        made = await self.request("POST", "/users/@me/channels", {"recipient_id": "@bot"})
        return int(made["id"])

    async def command(self, name: str, channel_id: int) -> Json:
        """The command of that (full) name in a channel, once it is available there."""
        root = name.split(maxsplit=1)[0]
        async with asyncio.timeout(self.patience):
            while True:
                offered = await self.request("GET", "/application-commands", channel_id=channel_id)
                for each in offered:
                    if each["name"] == root:
                        found: Json = each
                        return found
                await asyncio.sleep(0.05)

    async def slash(self, name: str, channel_id: int, /, **options: object) -> str:
        """Run a slash command ("group sub" for subcommands); returns the interaction's nonce."""
        return await self.run(await self.command(name, channel_id), name, channel_id, **options)

    async def run(self, command: Json, name: str, channel_id: int, /, **options: object) -> str:
        """Run a slash command that has been looked up before; returns the interaction's nonce."""
        return await self._interact(2, channel_id, fill_command(command, name, options))

    async def autocomplete(
        self, name: str, channel_id: int, focused: str, /, **options: object
    ) -> list[Json]:
        """The suggestions for the option ``focused`` while the others are as given."""
        command = await self.command(name, channel_id)
        after = len(self.events)
        nonce = await self._interact(
            4, channel_id, fill_command(command, name, options, focused=focused)
        )
        told = await self.wait_event(
            "APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE",
            lambda data: data["nonce"] == nonce,
            after=after,
        )
        choices: list[Json] = told.data["choices"]
        return choices

    async def use_menu(self, name: str, channel_id: int, target_id: int | str) -> str:
        """Run a command of the context menu on a user or a message."""
        offered = await self.request("GET", "/application-commands", channel_id=channel_id)
        command = next(each for each in offered if each["name"] == name)
        data = {"id": command["id"], "type": command["type"], "target_id": str(target_id)}
        return await self._interact(2, channel_id, data)

    async def click(
        self, message: Json, *, custom_id: str | None = None, label: str | None = None
    ) -> str:
        """Press a button, found by its custom id or its label."""
        button = find_control(message, custom_id=custom_id, label=label)
        return await self.use(message, button["custom_id"], ComponentType.BUTTON)

    async def select(self, message: Json, custom_id: str, values: Sequence[object]) -> str:
        """Choose in a select menu."""
        menu = find_control(message, custom_id=custom_id)
        return await self.use(
            message, custom_id, menu["type"], [str(plain(each)) for each in values]
        )

    async def use(
        self, message: Json, custom_id: str, kind: int, values: Sequence[str] | None = None
    ) -> str:
        """Use a component of a message, whether or not it is (still) there."""
        data: Json = {"component_type": int(kind), "custom_id": custom_id}
        if kind in SELECTS:
            data["values"] = list(values or ())
        return await self._interact(3, int(message["channel_id"]), data, message_id=message["id"])

    async def wait_modal(self, nonce: str) -> Json:
        """The modal that the bot opened in answer to that action."""
        event = await self.wait_event(
            "INTERACTION_MODAL_CREATE", lambda data: data["nonce"] == nonce
        )
        return event.data

    async def submit_modal(self, modal: Json, **values: object) -> str:
        """Send a modal with these values by custom id; other fields stay as they were."""
        rows = fill_modal(modal, values)
        data = {"id": modal["id"], "custom_id": modal["custom_id"], "components": rows}
        return await self._interact(5, int(modal["channel_id"]), data)

    async def upload(self, filename: str, content: bytes) -> int:
        """Upload a file for a file option; returns its attachment id."""
        form = aiohttp.FormData()
        form.add_field("files[0]", content, filename=filename)
        headers = {"Authorization": f"person {self.id}"}
        async with self.session.post("/page/api/attachments", data=form, headers=headers) as answer:
            return int((await answer.json())["id"])

    async def wait_success(self, nonce: str) -> None:
        """Wait until the bot has answered that action; raise if the interaction failed."""
        told = await self.wait_event(
            ("INTERACTION_SUCCESS", "INTERACTION_FAILURE"),
            lambda data: data["nonce"] == nonce,
        )
        if told.name == "INTERACTION_FAILURE":
            raise InteractionFailed(nonce)

    async def wait_answer(self, nonce: str, *, patience: float | None = None) -> Json:
        """The bot's answer to that action as a message, finished (no longer thinking)."""
        told = await self.wait_event(
            ("MESSAGE_CREATE", "INTERACTION_FAILURE"),
            lambda data: data.get("nonce") == nonce,
            patience=patience,
        )
        if told.name == "INTERACTION_FAILURE":
            raise InteractionFailed(nonce)
        if not told.data["flags"] & 128:
            return told.data
        return await self.wait_message(
            lambda data: bool(data["id"] == told.data["id"]), patience=patience
        )

    # Acting, and seeing the result.

    async def ask(self, name: str, channel_id: int, /, **options: object) -> Json:
        """Run a slash command; returns the bot's answer."""
        return await self.wait_answer(await self.slash(name, channel_id, **options))

    async def press(
        self, message: Json, *, custom_id: str | None = None, label: str | None = None
    ) -> Json:
        """Press a button; returns the bot's answer."""
        return await self.wait_answer(await self.click(message, custom_id=custom_id, label=label))

    async def form(
        self, message: Json, *, custom_id: str | None = None, label: str | None = None
    ) -> Json:
        """Press a button; returns the form that it opens."""
        return await self.wait_modal(await self.click(message, custom_id=custom_id, label=label))

    async def turn(
        self, page: Json, *, custom_id: str | None = None, label: str | None = None
    ) -> Json:
        """Press a button of a page; returns the page after it."""
        return await self.shown(page, self.click(page, custom_id=custom_id, label=label))

    async def choose(self, page: Json, custom_id: str, values: Sequence[object]) -> Json:
        """Choose in a menu of a page; returns the page after it."""
        return await self.shown(page, self.select(page, custom_id, values))

    async def shown(self, page: Json, action: Coroutine[Any, Any, str]) -> Json:
        """Do an action on a page; returns the page after it."""
        after = len(self.events)
        await action
        return await self.wait_message(lambda told: bool(told["id"] == page["id"]), after=after)

    async def _interact(
        self, kind: int, channel_id: int, data: Json, *, message_id: str | None = None
    ) -> str:
        nonce = f"{self.id}-{next(self._nonces)}"[-25:]
        body: Json = {
            "type": kind,
            "application_id": self.ready["application"]["id"],
            "channel_id": str(channel_id),
            "nonce": nonce,
            "data": data,
        }
        if message_id is not None:
            body["message_id"] = message_id
        await self.request("POST", "/interactions", body)
        return nonce
