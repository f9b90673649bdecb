"""The connected people, and the events for each of them."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import dataclass, field

from aiohttp import WSMsgType, web

from playground.wire import Json
from playground.world import shapes
from playground.world.model import Channel, ChannelType, InteractionType
from playground.world.permissions import Permission, permissions_in
from playground.world.state import GatewayEvent
from playground.world.world import World


@dataclass(slots=True, eq=False, repr=False)
class Window:
    """One open window of one person."""

    user_id: int
    waiting: asyncio.Queue[str] = field(default_factory=asyncio.Queue)
    sequence: int = 0

    def send(self, name: str, data: Json) -> None:
        """Queue an event."""
        self.sequence += 1
        self.waiting.put_nowait(
            json.dumps({"op": 0, "t": name, "s": self.sequence, "d": data}, ensure_ascii=False)
        )


@dataclass(slots=True, repr=False)
class Hub:
    """All windows."""

    world: World
    windows: set[Window] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.world.state.listen(self.hear)

    def hear(self, happening: GatewayEvent) -> None:
        """Pass an event on to every person who may see it."""
        if not happening.to_people:
            return
        if happening.name == "INTERACTION_CREATE":
            self._watch_deadline(int(happening.data["id"]))
        seen: dict[int, bool] = {}
        for window in self.windows:
            user_id = window.user_id
            if user_id not in seen:
                seen[user_id] = self._sees(happening, user_id)
            if seen[user_id]:
                window.send(happening.name, self._shape(happening, user_id))
                joined = happening.name == "GUILD_MEMBER_ADD"
                if joined and happening.data["user"]["id"] == str(user_id):
                    window.send("GUILD_CREATE", self._guild(happening.guild_id or 0, user_id))

    def _sees(self, happening: GatewayEvent, user_id: int) -> bool:
        state = self.world.state
        if happening.only_for is not None:
            return happening.only_for == user_id
        if happening.channel_id is not None and happening.channel_id in state.channels:
            channel = state.channels[happening.channel_id]
            if happening.name.startswith(("CHANNEL_", "THREAD_")) and channel.guild_id is not None:
                return (channel.guild_id, user_id) in state.members
            return bool(permissions_in(state, channel, user_id) & Permission.VIEW_CHANNEL)
        if happening.guild_id is not None:
            return (happening.guild_id, user_id) in state.members
        return True

    def _shape(self, happening: GatewayEvent, user_id: int) -> Json:
        state = self.world.state
        channel = state.channels.get(happening.channel_id or 0)
        if channel is None:
            return happening.data
        if happening.name == "CHANNEL_CREATE" and channel.kind is ChannelType.DM:
            return shapes.channel(state, channel, user_id)
        if happening.name in {"THREAD_CREATE", "THREAD_UPDATE"}:
            return shapes.thread(channel, user_id)
        return happening.data

    def ready(self, user_id: int) -> Json:
        """The first event for a window."""
        state = self.world.state
        return {
            "v": 10,
            "user": shapes.user(state.user(user_id)) | {"locale": state.users[user_id].locale},
            "guilds": [
                self._guild(guild.id, user_id)
                for guild in state.guilds.values()
                if (guild.id, user_id) in state.members
            ],
            "private_channels": [
                shapes.channel(state, each, user_id)
                for each in state.channels.values()
                if each.kind is ChannelType.DM and user_id in each.recipients
            ],
            "application": {
                "id": str(state.application.id),
                "name": state.application.name,
                "first_command": state.application.first_command,
                "bot": shapes.user(state.users[state.bot_id]),
            },
            "presences": [
                {
                    "user": {"id": str(state.bot_id)},
                    "status": "online" if state.bot_online else "offline",
                    "activities": [],
                }
            ],
            "time": state.clock.now(),
        }

    def _guild(self, guild_id: int, user_id: int) -> Json:
        state = self.world.state
        there = [each for each in state.channels_of(guild_id) if self._is_open(each, user_id)]
        return {
            "id": str(guild_id),
            "name": state.guilds[guild_id].name,
            "owner_id": str(state.guilds[guild_id].owner_id),
            "channels": [
                shapes.partial_channel(state, each, user_id) for each in there if not each.is_thread
            ],
            "threads": [shapes.thread(each, user_id) for each in there if each.is_thread],
            "members": [shapes.member(state, each) for each in state.members_of(guild_id)],
            "roles": [shapes.role(each) for each in state.roles_of(guild_id)],
        }

    def _is_open(self, channel: Channel, user_id: int) -> bool:
        return bool(permissions_in(self.world.state, channel, user_id) & Permission.VIEW_CHANNEL)

    async def serve(self, request: web.Request, user_id: int) -> web.WebSocketResponse:
        """One window from opening to closing."""
        socket = web.WebSocketResponse(heartbeat=20.0, max_msg_size=2**16)
        await socket.prepare(request)
        window = Window(user_id)
        window.send("READY", self.ready(user_id))
        self.windows.add(window)

        async def write() -> None:
            while True:
                await socket.send_str(await window.waiting.get())

        writer = asyncio.create_task(write())
        try:
            async for message in socket:
                if message.type is WSMsgType.ERROR:
                    break
        finally:
            self.windows.discard(window)
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError, ConnectionError, RuntimeError):
                await writer
        return socket

    def _watch_deadline(self, interaction_id: int) -> None:
        record = self.world.state.interactions.get(interaction_id)
        if record is None:
            return
        # When the three seconds are over without an answer, the person gets an error.
        wait = self.world.state.limits.answer_seconds
        if record.kind is not InteractionType.AUTOCOMPLETE:
            asyncio.get_running_loop().call_later(
                wait, self.world.interactions.fail_if_unanswered, record
            )
