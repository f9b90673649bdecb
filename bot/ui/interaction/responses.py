"""Answering an interaction: acknowledge first, answer by editing, whatever Discord does meanwhile.

The order is always the same: look at the interaction's age, acknowledge, act, edit the answer.
Discord gives three seconds for the first; :func:`acknowledge` tries as long as the interaction is
younger than :data:`TOO_OLD`, and says what came of it (:class:`Taken`). Acting is permitted when
Discord took the acknowledgement by then. It is not when Discord no longer knows the interaction
(10062: the person has been shown a failure) or when nothing is known about what Discord did.

Discord may also say that there is one already (40060): either the same interaction has been
delivered twice, and another process is at it; or an earlier attempt of ours has arrived although
its answer was lost. :func:`was_answered` tells the two apart by waiting a moment for the other to
answer. Only if nobody does may one act in its place, for which the services' idempotency is there;
otherwise a latecomer could put "not your turn" over the other's "you have played", or carry out
what the person has just been told is refused.

An answer that Discord does not take is tried again while the interaction's token lives
(:func:`answer_later`); what the person has done is told at their next interaction all the same
(:mod:`bot.services.notices`).

Calls of the library are never cancelled: a cancelled waiter of a global rate limit would stop
every later request. So an acknowledgement and an answer are waited for to their end, however long
they take; where nobody waits for a call any longer, it goes on in the background
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
"""An interaction of this age may already have failed in front of the person: change nothing."""

_ANSWERED_ALREADY = 40060
_UNKNOWN_MESSAGE = 10008
_UNKNOWN_INTERACTION = 10062
_GONE = frozenset({_UNKNOWN_MESSAGE, 10015, _UNKNOWN_INTERACTION, 50027})
_TOO_MUCH = frozenset({40005, 50035, 50045})
_AGAIN_AFTER = (0.1, 0.2, 0.4)
"""Seconds before each new attempt of a first answer whose fate is not known; then as the last."""
_RETRY_AFTER = (0.5, 2.0)
_LATER = (5.0, 15.0, 40.0, 60.0, 120.0, 240.0, 360.0)
"""Seconds before each new round of attempts to answer: 14 minutes, and a token lives for 15."""
_LOOKS = (0.15, 0.35, 0.7)
"""Seconds before each look whether another process answers an interaction."""


class Acknowledgement(Enum):
    """How to tell Discord that we are at work."""

    PRIVATE = "private"
    """A new answer that only this person will see."""
    UPDATE = "update"
    """The message of the control will change, or nothing visible happens."""


class Taken(Enum):
    """What came of an acknowledgement."""

    NO = "no"
    """Discord did not take it, or nothing is known: do nothing."""
    NOW = "now"
    """It was taken: act and answer."""
    LATE = "late"
    """It was taken, but so slowly that the person may have seen it fail: do nothing but say so."""
    UNSURE = "unsure"
    """It may have been taken, now or before, and it is too late to act: do nothing but say so if
    a person waits for an answer and nobody else gives one."""
    BEFORE = "before"
    """Discord had one already: perhaps another process is at it."""


def age(interaction: discord.Interaction[Any], now: datetime) -> timedelta:
    """How long ago Discord made the interaction, by its id."""
    return now - interaction.created_at.astimezone(UTC)


async def acknowledge(
    interaction: discord.Interaction[Any], how: Acknowledgement, *, now: datetime
) -> Taken:
    """Tell Discord that we are at work; whether acting is permitted now."""
    failpoints.hit("c2")
    private = how is Acknowledgement.PRIVATE
    return await answer_first(
        interaction, lambda: rest.defer(interaction, private=private), now=now
    )


async def answer_first(
    interaction: discord.Interaction[Any], send: Callable[[], Awaitable[object]], *, now: datetime
) -> Taken:
    """Send a first answer, again if its fate is not known and the interaction is young enough."""
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
    """Send a first answer once; what came of it, None if that is not known."""
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
    """What has become of the answer to an interaction, as far as Discord tells."""

    OWED = "owed"
    GIVEN = "given"
    GONE = "gone"
    UNKNOWN = "unknown"


async def was_answered(interaction: discord.Interaction[Any], *, wait: bool) -> bool:
    """Whether another process has answered an interaction that was acknowledged before us.

    With ``wait`` they are given a moment. A private answer is still owed while it says that the bot
    is thinking; a message that is to be edited, while it is as it was when its control was used. If
    Discord does not tell, nobody has answered.
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
    """Whether the answer to an interaction with a control of ``source`` is still to come."""
    if source is None or shown.id != source.id:
        return shown.flags.loading
    return shown.edited_at == source.edited_at and _outline(shown) == _outline(source)


def _outline(message: discord.Message) -> list[object]:
    """Components of a message but for the addresses of files, which Discord signs anew."""
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
    """Put the answer in the place that was acknowledged; whether Discord took it.

    ``update`` says that the message of the control is edited, which is a page already; where that
    has gone meanwhile, such as a panel behind an open form, the answer is a message of its own.
    Editing is idempotent, so it is tried again where the way is troubled.
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
    """Give an answer that Discord has not taken, while the interaction's token lives.

    Returns whether the person has one now: this, or one that was given meanwhile, such as an
    earlier attempt that has arrived. They have none if the process is about to stop.
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
    """Say one thing more to the person alone, once; whether Discord took it."""
    return await _add(interaction, rest.message(content=said, private=True))


async def _add(interaction: discord.Interaction[Any], written: MultipartParameters) -> bool:
    try:
        await rest.follow_up(interaction, written)
    except FAILURES as error:
        _log.info("something could not be added to an answer", error=type(error).__name__)
        return False
    return True
