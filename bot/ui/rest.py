"""Requests to Discord: the messages they carry, what goes on by itself, and what a no means.

The library's requests look after rate limits, uploads and repeats. What it does around them is left
out: its views, and the whole :class:`discord.Message` that it makes of every answer, of which only
the id is wanted, and the words that a post repeated under its nonce already has.

Calls of the library are never cancelled: a cancelled waiter of a global rate limit would stop every
later request. So a request that nobody waits for any longer goes on in the background.

Documentation: https://docs.discord.com/developers/resources/message, and for error codes
https://docs.discord.com/developers/topics/opcodes-and-status-codes
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from typing import Any, TypeVar, cast

import aiohttp
import discord
from discord import InteractionResponseType
from discord.http import MultipartParameters, Route
from discord.utils import _to_json
from discord.webhook.async_ import async_context

from bot.logs import logger
from bot.services.sending import DirectRefused, Gone, Refused, Retry

_PRIVATE = 1 << 6
_SILENT = 1 << 12
_COMPONENTS = 1 << 15
_PATIENCE = aiohttp.ClientTimeout(total=None, sock_connect=10, sock_read=20)
"""Seconds without a sign of life after which a post or an edit is given up: before another may try
the delivery (:data:`bot.services.outgoing.LEASE`). The library would wait for five minutes."""


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
        payload["content"] = content
    if components is not None:
        payload["components"] = components
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
    parts: list[dict[str, Any]] = [{"name": "payload_json", "value": _to_json(payload)}]
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
    http = interaction.client.http
    with _read():
        data: Any = await async_context.get().create_interaction_response(
            interaction.id,
            interaction.token,
            session=interaction._session,
            proxy=http.proxy,
            proxy_auth=http.proxy_auth,
            params=MultipartParameters(payload, None, None),
        )
    checked(data, "interaction")
    interaction.response._response_type = kind


async def edit_answer(interaction: discord.Interaction[Any], answer: MultipartParameters) -> None:
    """Put a message in the place of what :func:`defer` has promised, or of what was said since.

    Raises what the library's own way raises, and :exc:`Garbled`.
    """
    http = interaction.client.http
    with _read():
        data: Any = await async_context.get().edit_original_interaction_response(
            interaction.application_id,
            interaction.token,
            session=interaction._session,
            proxy=http.proxy,
            proxy_auth=http.proxy_auth,
            payload=answer.payload,
            multipart=answer.multipart,
            files=answer.files,
        )
    checked(data)


async def delete_answer(interaction: discord.Interaction[Any]) -> None:
    """Take back what was answered. Raises what the library's own way raises."""
    http = interaction.client.http
    with _read():
        await async_context.get().delete_original_interaction_response(
            interaction.application_id,
            interaction.token,
            session=interaction._session,
            proxy=http.proxy,
            proxy_auth=http.proxy_auth,
        )


async def follow_up(interaction: discord.Interaction[Any], said: MultipartParameters) -> None:
    """Say one thing more, which everybody sees unless the message is private.

    Raises what the library's own way raises, and :exc:`Garbled`.
    """
    http = interaction.client.http
    with _read():
        data: Any = await async_context.get().execute_webhook(
            interaction.application_id,
            interaction.token,
            session=interaction._session,
            proxy=http.proxy,
            proxy_auth=http.proxy_auth,
            payload=said.payload,
            multipart=said.multipart,
            files=said.files,
            wait=True,
            with_components=True,
        )
    checked(data)


# ---- requests that go on by themselves -----------------------------------------------------------

T = TypeVar("T")
_log = logger(__name__)
FAILURES = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)
"""What a call of the library may raise when the way to Discord is troubled."""


class Background:
    """Tasks that run to their end although nobody waits for them."""

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

    async def drain(self, seconds: float) -> int:
        """Wait so long for what is running; how many did not finish. Nothing pauses any more."""
        self._ending.set()
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=seconds)
        return len(self._tasks)


# ---- what a no means to the outbox ---------------------------------------------------------------

_GONE = {10003: "channel", 10004: "server", 10008: "message"}
_OLD_EDITS = 30046
_NO_DIRECT = frozenset({50007, 50278})
"""The person takes none from us, or has no server in common with us any more."""
_DIRECT_TOO_FAST = 40003
_TOO_MUCH = frozenset({40005, 50035, 50045})
_MODERATED = frozenset({200000, 200001, 240000})
"""Filters of the server: words in a message, in a title, links that do harm."""
_FIRST_PAUSE = 15.0
_LONGEST_PAUSE = 600.0
_LONGEST_SAID = 3600.0


class RestCalls:
    """The requests of a process, none of which is made while Discord turns all of them away.

    An answer 429 that does not come from Discord itself, but from the network before it, concerns
    every request from this address, and going on with asking makes it last longer. It may be a
    hiccup or last for an hour, so nothing is asked for as long as the answer says, else for
    :data:`_FIRST_PAUSE` seconds, and twice as long each time it comes again.
    ``clock`` gives seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until = 0.0
        self._refused = 0

    async def ask(self, question: Callable[[], Awaitable[T]]) -> T:
        """Ask Discord, and put every kind of no into the outbox's words."""
        left = self._until - self._clock()
        if left > 0:
            raise Retry(left)
        try:
            answer = await question()
        except discord.RateLimited as error:
            raise Retry(error.retry_after) from error
        except discord.HTTPException as error:
            if _is_ban(error):
                raise Retry(self._paused(error)) from error
            self._refused = 0
            raise _meaning(error) from error
        except aiohttp.ClientConnectorError as error:
            raise Retry from error
        except FAILURES as error:
            raise Retry(sent=True) from error
        except (LookupError, TypeError, ValueError, AttributeError, RuntimeError) as error:
            # The library stumbles over answers it does not expect, and over its own closed session.
            # So do we: over a page of a proxy, or JSON of another shape.
            _log.warning("a request to Discord broke off", error=repr(error))
            raise Retry(sent=True) from error
        self._refused = 0
        return answer

    def _paused(self, error: discord.HTTPException) -> float:
        """Begin a pause, unless a request made at the same time has; the seconds left of it."""
        now = self._clock()
        if now >= self._until:
            wait = _seconds(error) or min(_FIRST_PAUSE * 2**self._refused, _LONGEST_PAUSE)
            self._refused += 1
            self._until = now + wait
            _log.warning("Discord turns all requests away", seconds=round(wait))
        return self._until - now


def _is_ban(error: discord.HTTPException) -> bool:
    """Whether an answer turns away all requests from here, not this one alone."""
    headers = error.response.headers
    from_discord = headers.get("Via") and headers.get("Content-Type") == "application/json"
    return error.status == 429 and not from_discord


def _seconds(error: discord.HTTPException) -> float | None:
    """How long the answer itself says to wait."""
    try:
        said = float(error.response.headers.get("Retry-After", ""))
    except ValueError:
        return None
    return min(said, _LONGEST_SAID) if said > 0 else None


class TooMuch(Refused):
    """The post is too long or its file too big."""


class Moderated(Refused):
    """A filter of the server does not let these words through."""


def _meaning(error: discord.HTTPException) -> Exception:
    """What an answer of Discord means to the outbox."""
    if error.code in _GONE:
        return Gone(_GONE[error.code])
    if error.code in _TOO_MUCH or error.status == 413:
        return TooMuch(f"refused_too_much_{error.code}")
    if error.status not in (401, 429) and not is_discords(error):
        return Retry(sent=True)
    if error.code in _MODERATED:
        return Moderated(f"refused_{error.status}_{error.code}")
    if error.code in _NO_DIRECT:
        return DirectRefused(f"refused_{error.status}_{error.code}")
    if error.code == _DIRECT_TOO_FAST:
        return Retry(60.0)
    if error.code == _OLD_EDITS:
        return Retry(20.0)
    if error.status == 429:
        return Retry(_seconds(error))
    if error.status >= 500:
        return Retry(sent=True)
    if error.status == 401:
        return Retry(60.0)
    if error.status == 404:
        return Gone(f"unknown_{error.code}")
    return Refused(f"refused_{error.status}_{error.code}")
