"""Messages as Discord reads them, the requests that carry them, and permissions.

The library's requests handle rate limits, uploads and retries. Its views are not used, nor the
whole :class:`discord.Message` that it makes of every answer, of which only the id is wanted.

No request is cancelled before the process stops: a cancelled waiter of a global rate limit would
block every later one. Those that take longer than their caller waits go on in the
:class:`Background`.

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
from bot.i18n import closed_up
from bot.logs import logger
from bot.tasks import cancel
from bot.ui.private_parts import as_json, note_acknowledged, session_of
from games.view import Text

T = TypeVar("T")
_log = logger(__name__)
FAILURES = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)
"""Exceptions of the library where Discord can't be reached, or refuses."""
_LONGEST_REASON = 200
_PRIVATE = 1 << 6
_SILENT = 1 << 12
_COMPONENTS = 1 << 15
_TEXT = 10
_TO_A_CELL = re.compile(r"(https?://\S+)|([a-z]\d\d?-)(?=[a-z]\d)")
END_OF_WORDS = r"(?:(?<=[。！？])|(?!\S))"
"""Where what is printed may go on with other words."""
_PATIENCE = aiohttp.ClientTimeout(total=None, sock_connect=10, sock_read=20)
"""A request times out before another process may try the delivery that it is part of
(:data:`bot.posts.outgoing.LEASE`). The library would wait for five minutes."""


def in_words(error: BaseException) -> str:
    """Why a request to Discord failed, in one line for the host; a bug by its class."""
    said = str(error).partition("\n")[0][:_LONGEST_REASON]
    if not said and isinstance(error, TimeoutError):
        return "no answer in time"
    return (
        said if said and isinstance(error, FAILURES) else f"{type(error).__name__} {said}".strip()
    )


def end_in_time(http: discord.http.HTTPClient) -> None:
    """Have each request of the library time out after :data:`_PATIENCE`."""
    request = http.request

    def patient(route: Route, **given: Any) -> Coroutine[Any, Any, Any]:
        return request(route, timeout=_PATIENCE, **given)

    http.request = patient  # type: ignore[method-assign]


class Background:
    """Tasks that run to their end, even if nobody waits for them any longer."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._ending = asyncio.Event()

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run it, keep it alive, and log its failure."""
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
        """Sleep; False, and sooner, if the process is about to stop."""
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
        """Wait so long for running tasks; how many did not finish. Pauses end at once."""
        self._ending.set()
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=seconds)
        return len(self._tasks)

    async def end(self) -> None:
        """Cancel the tasks that did not finish."""
        await cancel(self._tasks)


class Garbled(discord.DiscordException):
    """The response is none of Discord's: a page of a proxy, or half an answer."""


def is_discords(error: discord.HTTPException) -> bool:
    """Whether a refusal is Discord's own: a proxy may send a page with any status."""
    kind = error.response.headers.get("Content-Type")
    return kind == "application/json" and bool(error.code or error.text)


@contextlib.contextmanager
def _read() -> Iterator[None]:
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise Garbled(repr(error)) from error


def checked(data: Any, key: str = "id") -> Any:
    """The response, if it is an object with this key; else :exc:`Garbled`."""
    if not isinstance(data, dict) or key not in data:
        raise Garbled(f"no {key} in an answer")
    return data


def printed(text: str) -> str:
    """The text as it is to be printed; blocks of code stay as they are.

    No line ends inside a move: phones break lines after a hyphen, so a word joiner follows that of
    ``f4-f6``. It is invisible, and may be copied with the move (:func:`games.notation.plain`).
    Addresses stay as they are, and sentences are :func:`~bot.i18n.closed_up`. To print what is
    printed changes nothing.
    """
    parts = text.split("```")
    parts[::2] = [closed_up(_TO_A_CELL.sub(_joined, part)) for part in parts[::2]]
    return "```".join(parts)


def _joined(found: re.Match[str]) -> str:
    return found[1] or found[2] + "\N{WORD JOINER}"


def _all_set(component: dict[str, Any]) -> dict[str, Any]:
    if component["type"] == _TEXT:
        return component | {"content": printed(component["content"])}
    inner = component.get("components")
    if not inner:
        return component
    return component | {"components": [_all_set(each) for each in inner]}


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
    """A message to post, or to replace another.

    It mentions the users ``pings`` and the ``roles`` only. ``files`` None keeps those of a message
    that is edited; an empty list removes them. Discord makes one post for each ``nonce``. A
    follow-up may be ``private``.
    """
    payload: dict[str, Any] = {
        "allowed_mentions": {"parse": [], "users": [str(user) for user in pings]}
    }
    if roles:
        payload["allowed_mentions"]["roles"] = [str(role) for role in roles]
    if content is not None:
        payload["content"] = printed(content)
    if components is not None:
        payload["components"] = [_all_set(each) for each in components]
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
    """Post a message; the message as Discord has it. Raises :exc:`Garbled` as well."""
    route = Route("POST", "/channels/{channel_id}/messages", channel_id=channel_id)
    with _read():
        return checked(await http.request(route, **_body(said)))


async def edit_message(
    http: discord.http.HTTPClient, channel_id: int, message_id: int, said: MultipartParameters
) -> None:
    """Replace text, components and files of a message. Raises :exc:`Garbled` as well."""
    path = "/channels/{channel_id}/messages/{message_id}"
    route = Route("PATCH", path, channel_id=channel_id, message_id=message_id)
    with _read():
        checked(await http.request(route, **_body(said)))


def _body(said: MultipartParameters) -> dict[str, Any]:
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
    http = interaction.client.http
    session = session_of(interaction)
    return {"session": session, "proxy": http.proxy, "proxy_auth": http.proxy_auth}


async def defer(interaction: discord.Interaction[Any], *, private: bool) -> None:
    """Promise an answer: a new one for this user alone, or an edited message.

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
    """Replace the deferred answer, or an earlier one.

    Raises what the library's own way raises, and :exc:`Garbled`.
    """
    await _answered(interaction, "edit_original_interaction_response", answer)


async def delete_answer(interaction: discord.Interaction[Any]) -> None:
    """Delete the answer. Raises what the library's own way raises."""
    with _read():
        await async_context.get().delete_original_interaction_response(
            interaction.application_id,
            interaction.token,
            **_way_of(interaction),
        )


async def follow_up(interaction: discord.Interaction[Any], said: MultipartParameters) -> None:
    """Post a follow-up, which everyone sees unless the message is private.

    Raises what the library's own way raises, and :exc:`Garbled`.
    """
    await _answered(interaction, "execute_webhook", said, wait=True, with_components=True)


async def _answered(
    interaction: discord.Interaction[Any], name: str, said: MultipartParameters, **how: bool
) -> None:
    request = getattr(async_context.get(), name)
    body = {"payload": said.payload, "multipart": said.multipart, "files": said.files}
    with _read():
        data: Any = await request(
            interaction.application_id, interaction.token, **_way_of(interaction), **body, **how
        )
    checked(data)


# ---- what posting needs --------------------------------------------------------------------------

_FILES = Text.of("Attach Files")


def permissions(may: discord.Permissions, *, in_thread: bool) -> list[Text]:
    """Permissions that posting lacks, by their names in Discord's settings."""
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
    """Permissions that threads lack in a channel, beside those for posting."""
    wanted = (
        (Text.of("Create Public Threads"), may.create_public_threads),
        (Text.of("Send Messages in Threads"), may.send_messages_in_threads),
    )
    return [name for name, is_given in wanted if not is_given]


def _known(
    client: discord.Client, guild_id: GuildId | None, channel_id: ChannelId
) -> tuple[discord.abc.GuildChannel | discord.Thread, discord.Permissions] | None:
    """A channel or thread, and our permissions in it; None if unknown."""
    guild = client.get_guild(guild_id or 0)
    channel = None if guild is None else guild.get_channel_or_thread(channel_id)
    place = channel.parent if isinstance(channel, discord.Thread) else channel
    if guild is None or channel is None or place is None or guild.me is None:
        return None
    return channel, place.permissions_for(guild.me)


def missing_for_threads(
    client: discord.Client, guild_id: GuildId, channel_id: ChannelId
) -> list[Text]:
    """The same for a text channel by its id, as far as known."""
    known = _known(client, guild_id, channel_id)
    return [] if known is None or not has_threads(known[0].type) else for_threads(known[1])


def may_thread(client: discord.Client, guild_id: GuildId, channel_id: ChannelId) -> bool:
    """Whether threads can be made in a channel; yes if unknown."""
    known = _known(client, guild_id, channel_id)
    return known is None or (has_threads(known[0].type) and not for_threads(known[1]))


def missing(client: discord.Client, guild_id: GuildId | None, channel_id: ChannelId) -> list[Text]:
    """Permissions that posting lacks in a channel, as far as known."""
    known = _known(client, guild_id, channel_id)
    if known is None:
        return []
    return permissions(known[1], in_thread=isinstance(known[0], discord.Thread))


def lacks_files_alone(
    client: discord.Client, guild_id: GuildId | None, channel_id: ChannelId
) -> bool:
    """Whether messages can be posted in a channel, but no pictures."""
    return missing(client, guild_id, channel_id) == [_FILES]


def may_post(client: discord.Client, guild_id: GuildId | None, channel_id: ChannelId) -> bool:
    """Whether messages can be posted in a channel; yes if unknown."""
    if any(name != _FILES for name in missing(client, guild_id, channel_id)):
        return False
    known = _known(client, guild_id, channel_id)
    is_locked = known is not None and isinstance(known[0], discord.Thread) and known[0].locked
    return known is None or not is_locked or known[1].manage_threads
