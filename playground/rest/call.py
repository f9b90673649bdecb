"""One request and its reply, free of HTTP's details."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from playground import errors
from playground.errors import form_error
from playground.wire import Json, read_id
from playground.world.model import Upload
from playground.world.world import World


@dataclass(frozen=True, slots=True)
class Call:
    """A request that has been read, with its sender and its body."""

    world: World
    path: Mapping[str, str]
    query: Mapping[str, str]
    #: The parsed JSON: usually an object, for some routes a list, None without a body.
    content: Any
    uploads: Sequence[Upload] = ()

    @property
    def body(self) -> Json:
        """The body as an object; empty if there is none."""
        if self.content is None:
            return {}
        if not isinstance(self.content, dict):
            raise form_error("", "BASE_TYPE_BAD_TYPE", "Only objects are allowed.")
        return self.content

    @property
    def me(self) -> int:
        """The bot's user id."""
        return self.world.state.bot_id

    def id(self, name: str) -> int:
        """The snowflake in the address under that name; 50035 if it is none."""
        found = read_id(self.path[name])
        if found is None:
            raise form_error(
                name, "NUMBER_TYPE_COERCE", f'Value "{self.path[name]}" is not snowflake.'
            )
        return found

    def guild_id(self) -> int:
        """The server of the address, if the bot is in it."""
        guild = self.world.state.guild(self.id("guild_id"))
        if (guild.id, self.me) not in self.world.state.members:
            raise errors.missing_access()
        return guild.id

    def limit(self, default: int, most: int) -> int:
        """The requested number of items in the query, from 1 to ``most``; 50035 if invalid."""
        text = self.query.get("limit")
        if text is None:
            return default
        if not text.isdigit() or not 1 <= int(text) <= most:
            raise form_error("limit", "NUMBER_TYPE_MAX", f"int value should be from 1 to {most}.")
        return int(text)

    def moment(self, name: str) -> int | None:
        """A snowflake in the query, if it is there."""
        return read_id(self.query.get(name))

    def check_application(self) -> None:
        """Raise 10002 unless the address names the bot's own application."""
        if self.id("application_id") != self.world.state.application.id:
            raise errors.unknown("Application")


@dataclass(frozen=True, slots=True)
class Reply:
    """A status and a JSON body (None for none)."""

    status: int = 204
    content: Any = None


def ok(content: Any) -> Reply:
    """200 with a body."""
    return Reply(200, content)


Handler: TypeAlias = Callable[[Call], Reply]


@dataclass(frozen=True, slots=True)
class Route:
    """A method, a path under /api/v10 in the form of Discord's description, and a handler.

    ``open`` routes carry their token in the address and need no Authorization.
    """

    method: str
    path: str
    handler: Handler
    open: bool = False
