"""Keeps a world between runs: one row a thing in an SQLite file, written by one thread.

The world stays in memory; changes are gathered while a request is served and written in one
transaction before the request is answered, so everything that a client knows survives a kill. The
bytes of files do not stay in memory: they are read on demand.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from playground.wire import Json
from playground.world.model import (
    Attachment,
    Channel,
    ChannelType,
    Command,
    Emoji,
    Guild,
    Member,
    Message,
    MessageType,
    Overwrite,
    Reaction,
    Role,
    ScheduledEvent,
    User,
)
from playground.world.state import Kind, Record, State

_SCHEMA = """
CREATE TABLE IF NOT EXISTS thing (
    kind TEXT NOT NULL, key TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID
"""


@dataclass(slots=True, repr=False)
class Store:
    """A journal in a file."""

    path: Path
    _changes: dict[tuple[Kind, str], Record | None] = field(default_factory=dict)
    _thread: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(1, thread_name_prefix="playground-store")
    )
    _connection: sqlite3.Connection | None = None
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def open(self) -> list[tuple[Kind, str, bytes]]:
        """Open or create the file; returns everything in it except the bytes of files."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._open)

    def _open(self) -> list[tuple[Kind, str, bytes]]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.touch(mode=0o600)
        self.path.chmod(0o600)
        connection = sqlite3.connect(self.path, isolation_level=None)
        # A second playground on the same file would overwrite the data of this one.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(_SCHEMA)
        self._connection = connection
        return [
            (kind, key, bytes(body))
            for kind, key, body in connection.execute(
                "SELECT kind, key, CAST(body AS BLOB) FROM thing WHERE kind <> 'file' "
                "ORDER BY kind, length(key), key"
            )
        ]

    def put(self, kind: Kind, key: str, record: Record) -> None:
        """Note that a thing is new or has changed; it is read when it is written."""
        self._changes[kind, key] = record

    def drop(self, kind: Kind, key: str) -> None:
        """Note that a thing is gone."""
        self._changes[kind, key] = None

    async def settle(self) -> list[int]:
        """Write everything noted, and wait for it; returns the ids of files that are now here."""
        async with self._turn:
            if not self._changes:
                return []
            rows = [(kind, key, _encode(record)) for (kind, key), record in self._changes.items()]
            self._changes = {}
            await asyncio.get_running_loop().run_in_executor(self._thread, self._write, rows)
            return [int(key) for kind, key, body in rows if kind == "file" and body is not None]

    async def read_file(self, file_id: int) -> bytes | None:
        """The bytes of a file, if it is kept here."""
        return await asyncio.get_running_loop().run_in_executor(
            self._thread, self._read_file, file_id
        )

    def _read_file(self, file_id: int) -> bytes | None:
        if self._connection is None:
            return None
        found = self._connection.execute(
            "SELECT body FROM thing WHERE kind = 'file' AND key = ?", (str(file_id),)
        ).fetchone()
        return None if found is None else bytes(found[0])

    def _write(self, rows: list[tuple[Kind, str, bytes | None]]) -> None:
        connection = self._connection
        if connection is None:
            raise RuntimeError("the store is not open")
        connection.execute("BEGIN IMMEDIATE")
        try:
            for kind, key, body in rows:
                if body is None:
                    connection.execute("DELETE FROM thing WHERE kind = ? AND key = ?", (kind, key))
                else:
                    connection.execute(
                        "INSERT INTO thing VALUES (?, ?, ?) "
                        "ON CONFLICT DO UPDATE SET body = excluded.body",
                        (kind, key, body),
                    )
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")

    async def close(self) -> None:
        """Write the rest and close the file."""
        await self.settle()
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _encode(record: Record | None) -> bytes | None:
    match record:
        case None:
            return None
        case bytes():
            return record
        case str():
            return record.encode()
        case _:
            text = json.dumps(asdict(record), ensure_ascii=False)
            return text.encode("utf-8", "surrogatepass")


def restore(state: State, rows: list[tuple[Kind, str, bytes]]) -> None:
    """Put everything stored back into an empty state."""
    for kind, _, raw in rows:
        _restore_one(state, kind, json.loads(raw.decode("utf-8", "surrogatepass")))
    for channel_id in state.messages:
        state.messages[channel_id] = dict(sorted(state.messages[channel_id].items()))


def _restore_one(state: State, kind: Kind, data: Json) -> None:
    match kind:
        case "user":
            user = User(**data)
            state.users[user.id] = user
        case "guild":
            guild = Guild(**data | {"available": True})
            state.guilds[guild.id] = guild
        case "role":
            role = Role(**data)
            state.roles[role.id] = role
        case "member":
            member = Member(**data)
            state.members[member.guild_id, member.user_id] = member
        case "channel":
            channel = _channel(data)
            state.channels[channel.id] = channel
        case "message":
            message = _message(data)
            state.messages.setdefault(message.channel_id, {})[message.id] = message
        case "command":
            command = Command(**data)
            state.commands[command.id] = command
        case "emoji":
            emoji = Emoji(**data)
            state.emojis[emoji.id] = emoji
        case "scheduled_event":
            event = ScheduledEvent(**data)
            state.scheduled_events[event.id] = event


def _channel(data: Json) -> Channel:
    changed: dict[str, Any] = {
        "kind": ChannelType(data["kind"]),
        "overwrites": [Overwrite(**each) for each in data["overwrites"]],
        "thread_members": {int(key): value for key, value in data["thread_members"].items()},
    }
    return Channel(**data | changed)


def _message(data: Json) -> Message:
    changed: dict[str, Any] = {
        "kind": MessageType(data["kind"]),
        "attachments": [Attachment(**each) for each in data["attachments"]],
        "hidden_files": [Attachment(**each) for each in data["hidden_files"]],
        "reactions": [Reaction(**each) for each in data["reactions"]],
    }
    return Message(**data | changed)
