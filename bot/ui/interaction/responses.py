"""Defers and answers interactions, however Discord behaves meanwhile.

The order is always the same: check the interaction's age, defer, act, edit the answer. Discord
allows three seconds for the first response; :func:`acknowledge` retries while the interaction is
younger than :data:`TOO_OLD`. Acting is allowed once Discord has taken the response. It is not if
Discord no longer knows the interaction (10062: the user has been shown a failure) or if the outcome
is unknown.

Discord may say that there is a response already (40060): either another process handles the same
interaction, or an earlier attempt arrived although its answer was lost. :func:`was_answered` waits
a moment for the other to answer. If nobody does, one may act in its place, since services are
idempotent; otherwise a latecomer could put "not your turn" over "you played a1".

An answer that Discord doesn't take is retried while the interaction's token lives
(:func:`answer_later`); the user is told after the next interaction all the same
(:class:`bot.services.lost_answers.LostAnswers`).

Calls of the library are never cancelled: a cancelled waiter of a global rate limit would block
every later request. A call that nobody waits for any longer goes on in the background
(:mod:`bot.ui.rest`).

Documentation: https://docs.discord.com/developers/interactions/receiving-and-responding
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any, TypeVar

import discord
from discord.http import MultipartParameters

from bot import failpoints
from bot.logs import logger
from bot.ui import rest
from bot.ui.pages.components import Page, Reply, text
from bot.ui.private_parts import forget_answer
from bot.ui.rest import FAILURES, Background

T = TypeVar("T")

_log = logger(__name__)

TOO_OLD = timedelta(seconds=2.5)
"""An interaction of this age may already have failed on the screen: change nothing."""

_ANSWERED_ALREADY = 40060
_UNKNOWN_MESSAGE = 10008
_UNKNOWN_INTERACTION = 10062
_GONE = frozenset({_UNKNOWN_MESSAGE, 10015, _UNKNOWN_INTERACTION, 50027})
_TOO_MUCH = frozenset({40005, 50035, 50045})
_AGAIN_AFTER = (0.1, 0.2, 0.4)
"""Seconds before each retry of a first response whose outcome is unknown; then as the last."""
_RETRY_AFTER = (0.5, 2.0)
_LATER = (5.0, 15.0, 40.0, 60.0, 120.0, 240.0, 360.0)
"""Seconds before each further round: 14 minutes in all, and a token lives for 15."""
_LOOKS = (0.15, 0.35, 0.7)
"""Seconds before each look whether another process has answered."""


class Acknowledgement(Enum):
    """The ways to defer."""

    PRIVATE = "private"
    """A new answer that only the user will see."""
    UPDATE = "update"
    """The message of the control will be edited, or nothing visible happens."""


class Taken(Enum):
    """The outcome of a first response."""

    NO = "no"
    """Discord refused it: do nothing."""
    NOW = "now"
    """It was taken: act and answer."""
    LATE = "late"
    """It was taken, but so late that the user may have seen it fail: only say so."""
    UNSURE = "unsure"
    """It may have been taken, and it is too late to act: say so if no other process answers."""
    BEFORE = "before"
    """Discord had one already: perhaps another process is handling it."""


def age(interaction: discord.Interaction[Any], now: datetime) -> timedelta:
    """The time since Discord made the interaction, by its id."""
    return now - interaction.created_at.astimezone(UTC)


async def acknowledge(
    interaction: discord.Interaction[Any], how: Acknowledgement, *, now: datetime
) -> Taken:
    """Defer; whether acting is allowed now."""
    failpoints.hit("c2")
    private = how is Acknowledgement.PRIVATE
    return await answer_first(
        interaction, lambda: rest.defer(interaction, private=private), now=now
    )


async def answer_first(
    interaction: discord.Interaction[Any], send: Callable[[], Awaitable[object]], *, now: datetime
) -> Taken:
    """Send a first response; retry while its outcome is unknown and there is time."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    left = TOO_OLD - max(age(interaction, now), timedelta())
    until = began + left.total_seconds()
    attempts = 0
    while (taken := await _attempt(interaction, send)) is None:
        pause = _AGAIN_AFTER[min(attempts, len(_AGAIN_AFTER) - 1)]
        if loop.time() + pause >= until:
            break
        attempts += 1
        await asyncio.sleep(pause)
    if taken is Taken.NO or (taken is not None and loop.time() <= until):
        return taken
    took = round(loop.time() - began, 1)
    _log.warning("an acknowledgement was slow", interaction=interaction.id, seconds=took)
    return Taken.LATE if taken is Taken.NOW else Taken.UNSURE


async def _attempt(
    interaction: discord.Interaction[Any], send: Callable[[], Awaitable[object]]
) -> Taken | None:
    """Send a first response once; None if the outcome is unknown."""
    try:
        await send()
    except discord.InteractionResponded:
        return Taken.BEFORE
    except discord.HTTPException as error:
        if error.code == _ANSWERED_ALREADY:
            return Taken.BEFORE
        if error.status >= 500 or not rest.is_discords(error):
            trouble: Exception = error
        elif error.code == _UNKNOWN_INTERACTION:
            _log.info("an interaction came too late", interaction=interaction.id)
            return Taken.NO
        else:
            _log.warning(
                "an acknowledgement was refused",
                interaction=interaction.id,
                status=error.status,
                code=error.code,
            )
            return Taken.NO
    except FAILURES as error:
        trouble = error
    else:
        return Taken.NOW
    _log.warning(
        "an acknowledgement failed", interaction=interaction.id, error=type(trouble).__name__
    )
    return None


class _Answer(Enum):
    OWED = "owed"
    GIVEN = "given"
    GONE = "gone"
    UNKNOWN = "unknown"


async def was_answered(interaction: discord.Interaction[Any], *, wait: bool) -> bool:
    """Whether another process has answered an interaction that was deferred before.

    With ``wait`` it is given a moment. A private answer is pending while it says that the bot is
    thinking; a message to be edited, while it is unchanged. If Discord doesn't tell, nobody has.
    """
    for pause in _LOOKS if wait else (0.0,):
        await asyncio.sleep(pause)
        if await _look(interaction) in (_Answer.GIVEN, _Answer.GONE):
            return True
    return False


async def _look(interaction: discord.Interaction[Any]) -> _Answer:
    try:
        forget_answer(interaction)
        shown = await interaction.original_response()
    except discord.HTTPException as error:
        return _Answer.GONE if _is_gone(error) else _Answer.UNKNOWN
    except (*FAILURES, LookupError, TypeError, ValueError, AttributeError) as error:
        # The library stumbles over answers it does not expect.
        _log.info("an answer could not be looked up", error=type(error).__name__)
        return _Answer.UNKNOWN
    return _Answer.OWED if _is_owed(shown, interaction.message) else _Answer.GIVEN


def _is_gone(error: discord.HTTPException) -> bool:
    """Whether Discord no longer knows the answer to an interaction, or never did."""
    return rest.is_discords(error) and (error.code in _GONE or error.status == 404)


def _is_owed(shown: discord.Message, source: discord.Message | None) -> bool:
    """Whether the answer to an interaction with a control of ``source`` is pending."""
    if source is None or shown.id != source.id:
        return shown.flags.loading
    return shown.edited_at == source.edited_at and _outline(shown) == _outline(source)


def _outline(message: discord.Message) -> list[object]:
    """The components of a message without addresses of files, which Discord signs anew."""
    parts: list[object] = [component.to_dict() for component in message.components]
    found: list[object] = []
    while parts:
        part = parts.pop()
        if isinstance(part, list):
            parts += part
        elif isinstance(part, dict):
            parts += [part.get("components"), part.get("options"), part.get("accessory")]
            found.append([part.get(key) for key in ("custom_id", "content", "value", "default")])
    return found


async def answer(interaction: discord.Interaction[Any], reply: Reply, *, update: bool) -> bool:
    """Edit the deferred answer; whether Discord took it.

    ``update`` edits the message of the control, which is a page already. If that is gone, such as a
    panel behind an open form, the answer is a new message. Editing is idempotent, so it is retried.
    """
    page = reply.page
    if page is None and update:
        page = Page(text(reply.plain))

    def written(*, private: bool = False) -> MultipartParameters:
        if page is None:
            return rest.message(content=reply.plain, private=private)
        files = [file.open() for file in reply.files]
        return rest.message(components=page.components, files=files, private=private)

    for pause in (*_RETRY_AFTER, None):
        try:
            await rest.edit_answer(interaction, written())
        except discord.HTTPException as error:
            if update and _is_gone(error) and error.code == _UNKNOWN_MESSAGE:
                return await _add(interaction, written(private=True))
            if _is_gone(error):
                _log.info("an answer came too late", interaction=interaction.id, code=error.code)
                return False
            if (error.code in _TOO_MUCH or error.status == 413) and reply.page is not None:
                _log.warning("an answer was too much", interaction=interaction.id, code=error.code)
                plain = Reply(reply.plain[:2000])
                return await answer(interaction, plain, update=True)
            trouble = f"{error.status} {error.code}"
        except FAILURES as error:
            trouble = type(error).__name__
        else:
            return True
        if pause is None:
            break
        await asyncio.sleep(pause)
    _log.warning("an answer could not be given", interaction=interaction.id, error=trouble)
    return False


async def answer_later(
    interaction: discord.Interaction[Any], reply: Reply, *, update: bool, background: Background
) -> bool:
    """Retry an answer while the interaction's token lives; whether the user has one now.

    It may be an earlier attempt that has arrived. Stops when the process is about to.
    """
    for pause in _LATER:
        if not await background.pause(pause):
            return False
        found = await _look(interaction)
        if found in (_Answer.GIVEN, _Answer.GONE):
            return found is _Answer.GIVEN
        if await answer(interaction, reply, update=update):
            return True
    return False


async def whisper(interaction: discord.Interaction[Any], said: str) -> bool:
    """Send a private follow-up, once; whether Discord took it."""
    return await _add(interaction, rest.message(content=said, private=True))


async def _add(interaction: discord.Interaction[Any], written: MultipartParameters) -> bool:
    try:
        await rest.follow_up(interaction, written)
    except FAILURES as error:
        _log.info("something could not be added to an answer", error=type(error).__name__)
        return False
    return True
