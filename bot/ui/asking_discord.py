"""Questions to Discord, whose every kind of no becomes one of the three words of the outbox.

They are those of :mod:`bot.services.sending`: try again, gone, refused. Error codes:
https://docs.discord.com/developers/topics/opcodes-and-status-codes
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import aiohttp
import discord

from bot.logs import logger
from bot.services.sending import DirectRefused, Gone, Refused, Retry
from bot.ui.answers import FAILURES

__all__ = ["Moderated", "TooMuch", "ask"]

_log = logger(__name__)
T = TypeVar("T")

_GONE = {10003: "channel", 10004: "server", 10008: "message"}
_OLD_EDITS = 30046
_NO_DIRECT = frozenset({50007, 50278})
"""The person takes none from us, or has no server in common with us any more."""
_DIRECT_TOO_FAST = 40003
_TOO_MUCH = frozenset({40005, 50035, 50045})
_MODERATED = frozenset({200000, 200001, 240000})
"""Filters of the server: words in a message, in a title, links that do harm."""
_BANNED_FOR = 600.0


async def ask(question: Callable[[], Awaitable[T]]) -> T:
    """Ask Discord, and put every kind of no into the outbox's words."""
    try:
        return await question()
    except discord.RateLimited as error:
        raise Retry(error.retry_after) from error
    except discord.HTTPException as error:
        raise _meaning(error) from error
    except aiohttp.ClientConnectorError as error:
        raise Retry from error
    except FAILURES as error:
        raise Retry(sent=True) from error
    except (KeyError, AttributeError, RuntimeError) as error:
        # The library stumbles over answers it does not expect, and over its own closed session.
        _log.warning("a request to Discord broke off", error=repr(error))
        raise Retry(sent=True) from error


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
    if error.code in _MODERATED:
        return Moderated(f"refused_{error.status}_{error.code}")
    if error.code in _NO_DIRECT:
        return DirectRefused(f"refused_{error.status}_{error.code}")
    if error.code == _DIRECT_TOO_FAST:
        return Retry(60.0)
    if error.code == _OLD_EDITS:
        return Retry(20.0)
    if error.status == 429:
        return Retry(_BANNED_FOR)
    if error.status >= 500:
        return Retry(sent=True)
    if error.status == 401:
        return Retry(60.0)
    if error.status == 404:
        return Gone(f"unknown_{error.code}")
    return Refused(f"refused_{error.status}_{error.code}")
