"""Questions to Discord, whose every kind of no becomes one of the three words of the outbox.

They are those of :mod:`bot.posts.sending`: try again, gone, refused. Error codes:
https://docs.discord.com/developers/topics/opcodes-and-status-codes
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import aiohttp
import discord

from bot.logs import logger
from bot.posts.sending import DirectRefused, Gone, Refused, Retry
from bot.ui.rest import FAILURES, is_discords

_log = logger(__name__)
T = TypeVar("T")

_GONE = {10003: "channel", 10004: "server", 10008: "message"}
_OLD_EDITS = 30046
_NO_DIRECT = frozenset({50007, 50278})
"""The person takes none from us, or no longer shares a server with us."""
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
