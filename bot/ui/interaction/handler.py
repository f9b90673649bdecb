"""Acknowledges an interaction, handles it and answers it.

Each interaction gets exactly one private answer: a refusal in words, or for a bug a short id that
also stands in the log beside the traceback. If Discord doesn't take the answer to something that a
player did, the player is told after their next interaction.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

import discord

from bot import failpoints, metrics
from bot.domain.ids import InteractionId
from bot.errors import UserError
from bot.i18n.refusals import REFUSALS
from bot.logs import bug_id, logger
from bot.store.errors import OutcomeUnknown, StoreUnavailable, has_written
from bot.tasks import cancel
from bot.ui.interaction.context import InteractionContext, Services
from bot.ui.interaction.registry import fill_in
from bot.ui.interaction.responses import (
    TOO_OLD,
    Acknowledgement,
    Taken,
    acknowledge,
    age,
    answer,
    answer_first,
    answer_later,
    was_answered,
    whisper,
)
from bot.ui.interaction.results import MissedTurns, tell_done
from bot.ui.pages import match_text
from bot.ui.pages.components import Reply
from bot.ui.pages.refusal_text import refusal
from games.errors import GameError
from games.view import Text

_log = logger(__name__)

Act = Callable[[InteractionContext], Awaitable[Reply]]
_SLOW = 2.0
"""Seconds after which a pending answer is noted as lost, or an unknown result is told later."""
_RETRY_AFTER = 2.0
_RETRIES = 400
"""The result of an interaction is looked up for as long as its token lives."""
_LOST_AFTER = 20.0
"""Seconds after which a pending answer counts as lost."""


class Questioned(Exception):
    """The handler needs more from the player first: ``reply`` asks for it."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.plain)
        self.reply = reply


class InteractionHandler:
    """Handles interactions, all at once."""

    def __init__(self, services: Services, missed_turns: MissedTurns) -> None:
        self.services = services
        self._missed_turns = missed_turns
        self.is_open = True
        self._inside: dict[int, asyncio.Task[Any]] = {}
        """By the ids of their interactions."""
        self._pending: dict[InteractionId, float] = {}
        """Pending answers, and since when."""

    @property
    def inside(self) -> int:
        """The number of interactions in progress."""
        return len(self._inside)

    async def close(self, *, within: float) -> None:
        """Stop taking interactions, and wait up to ``within`` seconds for those in progress."""
        self.is_open = False
        if self._inside:
            await asyncio.wait(self._inside.values(), timeout=within)

    async def end(self) -> None:
        """Cancel the interactions in progress; what they have committed is shown all the same."""
        await cancel(self._inside.values())

    async def handle(
        self,
        interaction: discord.Interaction[Any],
        how: Acknowledgement,
        act: Act,
        *,
        game: str | None = None,
    ) -> None:
        """Defer, act, answer. ``game`` is the key of the game that refusals are about.

        After :meth:`close` nothing is handled, and Discord tells the player that the interaction
        failed. One that is delivered again while it is in progress is ignored.
        """
        failpoints.hit("c1")
        if not self.is_open:
            return
        if interaction.id in self._inside:
            _count(interaction, "repeated")
            return
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - the library starts one for each interaction
        self._inside[interaction.id] = task
        try:
            with (
                metrics.ANSWER_SECONDS.labels(interaction.type.name).time(),
                metrics.whole(f"interaction {interaction.type.name}"),
            ):
                await self._handle(interaction, how, act, game=game)
        finally:
            del self._inside[interaction.id]

    def _context(self, interaction: discord.Interaction[Any]) -> InteractionContext | None:
        try:
            return self.services.context(interaction)
        except ValueError:
            _log.warning("an interaction without a user or a channel", interaction=interaction.id)
            return None

    async def _handle(
        self,
        interaction: discord.Interaction[Any],
        how: Acknowledgement,
        act: Act,
        *,
        game: str | None,
    ) -> None:
        context = self._context(interaction)
        if context is None:
            return
        early = self._refused_early(context)
        if early is not None:
            how = Acknowledgement.PRIVATE
        taken = await acknowledge(interaction, how, now=self.services.clock.now())
        if taken is Taken.NO:
            _count(interaction, "not_taken")
            return
        if taken in (Taken.LATE, Taken.UNSURE):
            _count(interaction, "late")
            await self._tell_late(context, how, is_ours=taken is Taken.LATE)
            return
        if taken is Taken.BEFORE:
            if await was_answered(interaction, wait=True):
                return
            act = self._unless_done(act)
        context = await self.services.as_chosen(context)
        reply = Reply(context.language(early)) if early is not None else None
        if early is not None:
            _count(interaction, "slowed" if early is REFUSALS["slow_down"] else "too_old")
        if reply is None:
            await self.services.note_language(context)
            self.services.answers.clicked(interaction)
            reply = await self.outcome(context, act, game=game)
        if taken is Taken.BEFORE and await was_answered(interaction, wait=False):
            return
        pressable = self._pressable(reply)
        update = how is Acknowledgement.UPDATE
        await self._give(context, pressable, update=update)
        if early is None:
            self.services.background.start(self._contact(context, pressable))

    async def _contact(self, context: InteractionContext, reply: Reply) -> None:
        """Retry posts of the matches just used, and append missed turns and news."""
        for match_id in context.touched:
            self.services.blocked.touched(match_id)
        await self._missed_turns.tell(context, reply)

    async def _tell_late(
        self, context: InteractionContext, how: Acknowledgement, *, is_ours: bool
    ) -> None:
        """Answer an interaction that came too late to act on, unless another process has."""
        interaction = context.interaction
        if not is_ours and await was_answered(interaction, wait=True):
            return
        said = context.language(REFUSALS["too_late"])
        if how is Acknowledgement.UPDATE:
            # The page that they have clicked on stays as it is.
            await whisper(interaction, said)
        elif not await answer(interaction, Reply(said), update=False):
            self._answer_later(context, Reply(said), update=False)

    async def _give(self, context: InteractionContext, reply: Reply, *, update: bool) -> None:
        """Answer, then send earlier results whose answers got lost.

        Note an answer that is slow or fails.
        """
        giving = self.services.background.start(answer(context.interaction, reply, update=update))
        self._pending[context.id] = asyncio.get_running_loop().time()
        giving.add_done_callback(lambda _: self._pending.pop(context.id, None))
        try:
            await asyncio.wait({giving}, timeout=_SLOW)
        finally:  # also if the process stops meanwhile
            is_lost = not giving.done() or not giving.result()
            if is_lost:
                await self.services.owed.owe(context.id)
        if not await giving:
            self._answer_later(context, reply, update=update)
            return
        self.services.answers.answered(context.id, reply, update=update)
        if is_lost:
            await self.services.owed.told(context.id)
        await self._tell_lost(context)

    def _answer_later(self, context: InteractionContext, reply: Reply, *, update: bool) -> None:
        """Retry an answer while the interaction's token lives."""
        background = self.services.background

        async def go_on() -> None:
            interaction = context.interaction
            if await answer_later(interaction, reply, update=update, background=background):
                await self.services.owed.told(context.id)
                self.services.answers.answered(context.id, reply, update=update)

        background.start(go_on())

    async def _tell_lost(self, context: InteractionContext) -> None:
        """Tell a player the results of earlier interactions whose answers got lost.

        An answer still on its way is slow, not lost.
        """
        for done in await self.services.owed.of(context.user_id):
            if self._is_pending(done.interaction_id):
                continue
            said = context.language.say(
                "An earlier answer didn't get through. {match}: {answer}",
                match=match_text.which(done.answer.match),
                answer=tell_done(context, done.answer).plain,
            )
            if await whisper(context.interaction, said):
                await self.services.owed.told(done.interaction_id)

    def _is_pending(self, interaction_id: InteractionId) -> bool:
        since = self._pending.get(interaction_id)
        return since is not None and asyncio.get_running_loop().time() - since < _LOST_AFTER

    def _pressable(self, reply: Reply) -> Reply:
        put = self.services.mentions.put_into
        if reply.page is None:
            said = put(reply.plain)
            return reply if said == reply.plain else replace(reply, plain=said)
        for text in reply.page.texts():
            text["content"] = put(text["content"])
        return reply

    def _unless_done(self, act: Act) -> Act:
        """Do nothing if this interaction has already been carried out; answer with its result."""

        async def instead(context: InteractionContext) -> Reply:
            done = await self.services.matches.done(context.id)
            return await act(context) if done is None else tell_done(context, done)

        return instead

    async def outcome(
        self, context: InteractionContext, act: Act, *, game: str | None = None
    ) -> Reply:
        """The reply of a handler, or of its refusal or bug."""
        has_written.set(False)
        try:
            reply = await act(context)
        except Questioned as asked:
            reply = asked.reply
        except StoreUnavailable as error:
            return await self._unsaved(context, error)
        except (UserError, GameError) as error:
            if isinstance(error.__cause__, StoreUnavailable):
                return await self._unsaved(context, error.__cause__)
            try:
                said = context.language(refusal(error, game))
            except KeyError:
                return self.bug(context, error)
            _count(context.interaction, "refused")
            return Reply(said)
        except UnicodeEncodeError:
            # Half a character, which no client sends: nobody can have meant what it was to name.
            _count(context.interaction, "refused")
            return Reply(context.language(REFUSALS["out_of_date"]))
        except Exception as error:
            return self.bug(context, error)
        _count(context.interaction, "done")
        return reply

    async def _unsaved(self, context: InteractionContext, trouble: StoreUnavailable) -> Reply:
        """The reply where the database failed: nothing has changed, or what is known of it."""
        _count(context.interaction, "unavailable")
        if not has_written.get() and not isinstance(trouble, OutcomeUnknown):
            return Reply(context.language(REFUSALS["store_unavailable"]))
        finding = self.services.background.start(self._find_out(context, trouble))
        await asyncio.wait({finding}, timeout=_SLOW)
        if finding.done():
            return finding.result() or Reply(context.language(REFUSALS["outcome_unknown"]))
        self.services.background.start(self._tell_found(context, finding))
        return Reply(context.language(REFUSALS["known_later"]))

    async def _find_out(
        self, context: InteractionContext, trouble: StoreUnavailable
    ) -> Reply | None:
        """The result of an act, once the database answers; None if it stays unknown."""
        has_happened = None
        if isinstance(trouble, OutcomeUnknown):
            await asyncio.wait({trouble.outcome})
            has_happened = trouble.outcome.result()
        for _ in range(_RETRIES):
            try:
                done = await self.services.matches.done(context.id)
            except (StoreUnavailable, UserError):
                if not await self.services.background.pause(_RETRY_AFTER):
                    return None
                continue
            if done is not None:
                return tell_done(context, done)
            if has_happened is None:
                return None
            code = "saved_after_all" if has_happened else "not_saved"
            return Reply(context.language(REFUSALS[code]))
        return None

    async def _tell_found(
        self, context: InteractionContext, finding: asyncio.Task[Reply | None]
    ) -> None:
        """Send the result as a follow-up; if that fails, note it for the next interaction."""
        await asyncio.wait({finding})
        reply = finding.result() or Reply(context.language(REFUSALS["outcome_unknown"]))
        if not await whisper(context.interaction, reply.plain):
            await self.services.owed.owe(context.id)

    def bug(self, context: InteractionContext, error: BaseException) -> Reply:
        """Log an unexpected exception under an id, and show the player that id."""
        bug = bug_id()
        _count(context.interaction, "bug")
        _log.error("a bug", bug=bug, interaction=context.interaction.id, exc_info=error)
        return Reply(context.language(REFUSALS["bug"].filled({"bug": bug})))

    def _refused_early(self, context: InteractionContext) -> Text | None:
        """A refusal that needs no database: the interaction is too old, or its user too fast."""
        old = age(context.interaction, self.services.clock.now())
        if old > TOO_OLD:
            _log.warning(
                "an interaction is too old",
                interaction=context.interaction.id,
                seconds=round(old.total_seconds(), 1),
            )
            return REFUSALS["too_late"]
        if not self.services.commands.take(context.user_id):
            return REFUSALS["slow_down"]
        return None

    async def form(
        self,
        interaction: discord.Interaction[Any],
        make: Callable[[InteractionContext], discord.ui.Modal],
    ) -> None:
        """Show a form. It is the first response itself, so nothing slow may come before it."""
        if not self.is_open:
            return
        context = self._context(interaction)
        if context is None:
            return
        if self._refused_early(context) is not None:
            await self.handle(interaction, Acknowledgement.PRIVATE, _raises(UserError("slow_down")))
            return
        context = await self.services.as_chosen(context)
        try:
            modal = make(context)
            fill_in(context, modal)
        except Exception as error:
            await self.handle(interaction, Acknowledgement.PRIVATE, _raises(error))
            return
        modal.stop()
        send = partial(interaction.response.send_modal, modal)
        now = self.services.clock.now()
        self.services.background.start(answer_first(interaction, send, now=now))


def _raises(error: Exception) -> Act:
    async def act(_context: InteractionContext) -> Reply:
        raise error

    return act


def _count(interaction: discord.Interaction[Any], outcome: str) -> None:
    metrics.INTERACTIONS.labels(interaction.type.name, outcome).inc()
