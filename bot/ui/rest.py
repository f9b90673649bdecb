"""Messages as Discord reads them, the requests that carry them, and what posting needs.

The library's requests look after rate limits, uploads and repeats. What it does around them is left
out: its views, and the whole :class:`discord.Message` that it makes of every answer, of which only
the id is wanted, and the words that a post repeated under its nonce already has.

Requests are never cancelled: a cancelled waiter of a global rate limit would stop every later one.
Those that take longer than their caller waits go on in the :class:`Background`.

Documentation: https://docs.discord.com/developers/resources/message
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Coroutine, Iterator, Sequence
from typing import Any, TypeVar, cast

import aiohttp
import discord
from discord import InteractionResponseType
from discord.http import MultipartParameters, Route
from discord.webhook.async_ import async_context

from bot.domain.ids import ChannelId, GuildId
from bot.logs import logger
from bot.ui.private_parts import as_json, note_acknowledged, session_of
from games.view import Text

T = TypeVar("T")
_log = logger(__name__)
FAILURES = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)
"""What a call of the library may raise when the way to Discord is troubled."""
_LONGEST_REASON = 200
_PRIVATE = 1 << 6
_SILENT = 1 << 12
_COMPONENTS = 1 << 15
_TEXT = 10
_TO_A_CELL = re.compile(r"(https?://\S+)|([a-z]\d\d?-)(?=[a-z]\d)")
_PATIENCE = aiohttp.ClientTimeout(total=None, sock_connect=10, sock_read=20)
"""Seconds without a sign of life after which a post or an edit is given up: before another may try
the delivery (:data:`bot.posts.outgoing.LEASE`). The library would wait for five minutes."""


def in_words(error: BaseException) -> str:
    """Why the way to Discord failed, in one line for the host; a bug by the name of its class."""
    said = str(error).partition("\n")[0][:_LONGEST_REASON]
    if not said and isinstance(error, TimeoutError):
        return "no answer in time"
    return (
        said if said and isinstance(error, FAILURES) else f"{type(error).__name__} {said}".strip()
    )


class Background:
    """Tasks that run to their end, even where no caller waits for them any longer."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._ending = asyncio.Event()

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run it, keep it alive, and log how it failed if it does."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if isinstance(error, FAILURES):
            _log.info("a request to Discord failed", error=type(error).__name__)
        elif error is not None:
            _log.error("a background task failed", exc_info=error)

    async def pause(self, seconds: float) -> bool:
        """Wait so long; False, and sooner, if the process is about to stop."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ending.wait()
        return not self._ending.is_set()

    async def expect(self, event: asyncio.Event, seconds: float) -> None:
        """Wait so long for an event, or until the process is about to stop."""
        waiting = [asyncio.ensure_future(each.wait()) for each in (event, self._ending)]
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for each in waiting:
            each.cancel()

    async def drain(self, seconds: float) -> int:
        """Wait so long for what is running; how many did not finish. Pauses end at once."""
        self._ending.set()
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=seconds)
        return len(self._tasks)


class Garbled(discord.DiscordException):
    """What came back is no answer of Discord's: a page of a proxy, or half an answer."""


def is_discords(error: discord.HTTPException) -> bool:
    """Whether a refusal is Discord's own: anybody on the way may send a page with any status."""
    kind = error.response.headers.get("Content-Type")
    return kind == "application/json" and bool(error.code or error.text)


@contextlib.contextmanager
def _read() -> Iterator[None]:
    """Read an answer; the library stumbles over those it does not expect."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise Garbled(repr(error)) from error


def checked(data: Any, key: str = "id") -> Any:
    """The same, if it is an object that has this, as those of Discord do; else :exc:`Garbled`."""
    if not isinstance(data, dict) or key not in data:
        raise Garbled(f"no {key} in an answer")
    return data


def _on_one_line(text: str) -> str:
    """The text so that no line ends inside a move: a word joiner follows the hyphen of ``f4-f6``.

    Phones break lines after a hyphen. Nobody sees the joiner, and whoever copies it with a move is
    understood (:func:`games.notation.plain`). Addresses and blocks of code stay as they are.
    """
    parts = text.split("```")
    parts[::2] = [_TO_A_CELL.sub(_joined, part) for part in parts[::2]]
    return "```".join(parts)


def _joined(found: re.Match[str]) -> str:
    return found[1] or found[2] + "\N{WORD JOINER}"


def _moves_on_one_line(component: dict[str, Any]) -> dict[str, Any]:
    if component["type"] == _TEXT:
        return component | {"content": _on_one_line(component["content"])}
    inner = component.get("components")
    if not inner:
        return component
    return component | {"components": [_moves_on_one_line(each) for each in inner]}


def message(
    *,
    content: str | None = None,
    components: list[Any] | None = None,
    files: Sequence[discord.File] | None = None,
    nonce: str | None = None,
    pings: Sequence[int] = (),
    roles: Sequence[int] = (),
    silent: bool = False,
    private: bool = False,
) -> MultipartParameters:
    """A message to post or to put in the place of another.

    It mentions the users ``pings`` and the ``roles`` and nobody else, whatever it says. ``files``
    None leaves those of a message that is edited; an empty list takes them away. Discord makes a
    post that is repeated under its ``nonce`` only once. What follows an answer may be ``private``.
    """
    payload: dict[str, Any] = {
        "allowed_mentions": {"parse": [], "users": [str(user) for user in pings]}
    }
    if roles:
        payload["allowed_mentions"]["roles"] = [str(role) for role in roles]
    if content is not None:
        payload["content"] = _on_one_line(content)
    if components is not None:
        payload["components"] = [_moves_on_one_line(each) for each in components]
    flags = _SILENT if silent else 0
    flags |= _COMPONENTS if components is not None else 0
    flags |= _PRIVATE if private else 0
    if flags:
        payload["flags"] = flags
    if nonce is not None:
        payload["nonce"] = nonce
        payload["enforce_nonce"] = True
    if files is not None:
        payload["attachments"] = [file.to_dict(number) for number, file in enumerate(files)]
    if not files:
        return MultipartParameters(payload, None, None)
    parts: list[dict[str, Any]] = [{"name": "payload_json", "value": as_json(payload)}]
    parts += (
        {
            "name": f"files[{number}]",
            "value": file.fp,
            "filename": file.filename,
            "content_type": "application/octet-stream",
        }
        for number, file in enumerate(files)
    )
    return MultipartParameters(None, parts, files)


async def post(http: discord.http.HTTPClient, channel_id: int, said: MultipartParameters) -> Any:
    """Post a message; the message that Discord made of it. Raises :exc:`Garbled` as well."""
    route = Route("POST", "/channels/{channel_id}/messages", channel_id=channel_id)
    with _read():
        return checked(await http.request(route, **_body(said), timeout=_PATIENCE))


async def edit_message(
    http: discord.http.HTTPClient, channel_id: int, message_id: int, said: MultipartParameters
) -> None:
    """Put words, components and files in the place of those of a message.

    Raises :exc:`Garbled` as well.
    """
    path = "/channels/{channel_id}/messages/{message_id}"
    route = Route("PATCH", path, channel_id=channel_id, message_id=message_id)
    with _read():
        checked(await http.request(route, **_body(said), timeout=_PATIENCE))


def _body(said: MultipartParameters) -> dict[str, Any]:
    """What a request carries: JSON, or JSON and files."""
    if said.multipart:
        return {"files": said.files, "form": said.multipart}
    return {"json": said.payload}


async def delete_message(http: discord.http.HTTPClient, channel_id: int, message_id: int) -> None:
    """Delete a message. Raises :exc:`Garbled` as well."""
    with _read():
        said: Any = await cast(Awaitable[Any], http.delete_message(channel_id, message_id))
    if said != "":
        raise Garbled("words where there should be none")


def _way_of(interaction: discord.Interaction[Any]) -> dict[str, Any]:
    """The session and the proxy by which an interaction is answered."""
    http = interaction.client.http
    session = session_of(interaction)
    return {"session": session, "proxy": http.proxy, "proxy_auth": http.proxy_auth}


async def defer(interaction: discord.Interaction[Any], *, private: bool) -> None:
    """Tell Discord that an answer will come: a new one for this person alone, or a changed message.

    Raises what the library's own way raises, and :exc:`Garbled`.
    """
    if interaction.response.is_done():
        raise discord.InteractionResponded(interaction)
    kind = InteractionResponseType.deferred_message_update
    payload: dict[str, Any] = {}
    if private:
        kind = InteractionResponseType.deferred_channel_message
        payload["data"] = {"flags": _PRIVATE}
    payload["type"] = kind.value
    with _read():
        data: Any = await async_context.get().create_interaction_response(
            interaction.id,
            interaction.token,
            **_way_of(interaction),
            params=MultipartParameters(payload, None, None),
        )
    checked(data, "interaction")
    note_acknowledged(interaction, kind)


async def edit_answer(interaction: discord.Interaction[Any], answer: MultipartParameters) -> None:
    """Put a message in the place of what :func:`defer` has promised, or of what was said since.

    Raises what the library's own way raises, and :exc:`Garbled`.
    """
    with _read():
        data: Any = await async_context.get().edit_original_interaction_response(
            interaction.application_id,
            interaction.token,
            **_way_of(interaction),
            payload=answer.payload,
            multipart=answer.multipart,
            files=answer.files,
        )
    checked(data)


async def delete_answer(interaction: discord.Interaction[Any]) -> None:
    """Take back what was answered. Raises what the library's own way raises."""
    with _read():
        await async_context.get().delete_original_interaction_response(
            interaction.application_id,
            interaction.token,
            **_way_of(interaction),
        )


async def follow_up(interaction: discord.Interaction[Any], said: MultipartParameters) -> None:
    """Say one thing more, which everybody sees unless the message is private.

    Raises what the library's own way raises, and :exc:`Garbled`.
    """
    with _read():
        data: Any = await async_context.get().execute_webhook(
            interaction.application_id,
            interaction.token,
            **_way_of(interaction),
            payload=said.payload,
            multipart=said.multipart,
            files=said.files,
            wait=True,
            with_components=True,
        )
    checked(data)


# ---- what posting needs --------------------------------------------------------------------------

_FILES = Text.of("Attach Files")


def permissions(may: discord.Permissions, *, in_thread: bool) -> list[Text]:
    """What posting needs and is not given, by the names that Discord shows in its settings."""
    if not may.view_channel:
        return [Text.of("View Channel")]
    sending, may_send = Text.of("Send Messages"), may.send_messages
    if in_thread:
        sending, may_send = Text.of("Send Messages in Threads"), may.send_messages_in_threads
    wanted = ((sending, may_send), (_FILES, may.attach_files))
    return [name for name, is_given in wanted if not is_given]


_THREADED = (discord.ChannelType.text, discord.ChannelType.news)
"""The kinds of channel in which the thread of a match can be made."""


def has_threads(kind: object) -> bool:
    """Whether a kind of channel can have threads for matches."""
    return kind in _THREADED


def for_threads(may: discord.Permissions) -> list[Text]:
    """What threads for matches need in a channel beside posting, and is not given."""
    wanted = (
        (Text.of("Create Public Threads"), may.create_public_threads),
        (Text.of("Send Messages in Threads"), may.send_messages_in_threads),
    )
    return [name for name, is_given in wanted if not is_given]


def missing_for_threads(
    client: discord.Client, guild_id: GuildId, channel_id: ChannelId
) -> list[Text]:
    """What threads need in a text channel and is not given, as far as is known."""
    guild = client.get_guild(guild_id)
    channel = None if guild is None else guild.get_channel(channel_id)
    if guild is None or channel is None or guild.me is None or not has_threads(channel.type):
        return []
    return for_threads(channel.permissions_for(guild.me))


def may_thread(client: discord.Client, guild_id: GuildId, channel_id: ChannelId) -> bool:
    """Whether threads can be made in a channel, as far as is known; what is not known may be."""
    guild = client.get_guild(guild_id)
    channel = None if guild is None else guild.get_channel_or_thread(channel_id)
    if channel is not None and not has_threads(channel.type):
        return False
    return not missing_for_threads(client, guild_id, channel_id)


def missing(client: discord.Client, guild_id: GuildId | None, channel_id: ChannelId) -> list[Text]:
    """The permissions that posting in a channel needs and that are not given, as far as known."""
    guild = client.get_guild(guild_id or 0)
    channel = None if guild is None else guild.get_channel_or_thread(channel_id)
    if guild is None or channel is None or guild.me is None:
        return []
    in_thread = isinstance(channel, discord.Thread)
    parent = channel.parent if isinstance(channel, discord.Thread) else channel
    if parent is None:
        return []
    return permissions(parent.permissions_for(guild.me), in_thread=in_thread)


def lacks_files_alone(
    client: discord.Client, guild_id: GuildId | None, channel_id: ChannelId
) -> bool:
    """Whether messages can be posted in a channel, but no pictures, as far as is known."""
    return missing(client, guild_id, channel_id) == [_FILES]


def may_post(client: discord.Client, guild_id: GuildId | None, channel_id: ChannelId) -> bool:
    """Whether messages can be posted in a channel, as far as is known; what is not known may be."""
    if any(name != _FILES for name in missing(client, guild_id, channel_id)):
        return False
    guild = client.get_guild(guild_id or 0)
    thread = None if guild is None else guild.get_thread(channel_id)
    if guild is None or thread is None or thread.parent is None or guild.me is None:
        return True
    return not thread.locked or thread.parent.permissions_for(guild.me).manage_threads
