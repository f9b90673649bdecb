"""What players ask one another for: draws, takebacks, pauses, and the same game again."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.clock_text import write_clock
from bot.domain.ids import MatchId, UserId
from bot.domain.match import Match
from bot.domain.requests import RequestKind, find
from bot.errors import UserError
from bot.i18n.sentences import refusal
from bot.services.matches import Answer
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.responses import Page, Reply
from bot.ui.offers.offer_handlers import Offering
from bot.ui.offers.setup_page import Draft
from bot.ui.pages import board_page
from bot.ui.pages.components import Button, rows, text
from bot.ui.pages.custom_ids import Control

_OLD_ANSWERS = {"drawyes": True, "drawno": False}
"""Buttons of draw offers that were posted when there was nothing else to ask for."""


class Asking(Offering):
    """Acts about what needs the consent of others."""

    async def ask(self, context: InteractionContext, control: Control) -> Reply:
        """**Offer draw**, **Take back**, **Pause**."""
        match = await self._match(context, control.match)
        return await self._ask(context, match, RequestKind(control.action))

    async def draw_here(self, context: InteractionContext) -> Reply:
        """``/draw``: offer a draw, or accept the one on offer."""
        return await self._ask(context, await self._mine(context, "draw"), RequestKind.DRAW)

    async def take_back_here(self, context: InteractionContext) -> Reply:
        """``/takeback``: ask to take back one's own last move."""
        return await self._ask(context, await self._mine(context, "takeback"), RequestKind.TAKEBACK)

    async def pause_here(self, context: InteractionContext) -> Reply:
        """``/pause``: ask to let the clock stand still, or agree to it."""
        return await self._ask(context, await self._mine(context, "pause"), RequestKind.PAUSE)

    async def _ask(self, context: InteractionContext, match: Match, wish: RequestKind) -> Reply:
        try:
            answer = await self.services.requests.ask(
                context.actor, match.id, wish, interaction_id=context.id
            )
        except UserError as error:
            match = await self._match(context, match.id)
            return _with_a_way_on(context, match, wish, error)
        return self._asked(context, answer, wish)

    def _asked(self, context: InteractionContext, answer: Answer, wish: RequestKind) -> Reply:
        """What has been done; while others are still to answer, with a way to withdraw it."""
        reply = self._done(context, answer)
        request = find(answer.match.requests, wish)
        mine = answer.match.index_of(context.user_id)
        if request is None or request.asker != mine:
            return reply
        return _with(reply, board_page.withdrawal(answer.match, request, context.language))

    async def answer(self, context: InteractionContext, control: Control) -> Reply:
        """**Agree** or **Decline**."""
        old = _OLD_ANSWERS.get(control.action)
        answer = await self.services.requests.answer(
            context.actor,
            MatchId(control.match),
            RequestKind.DRAW if old is not None else _wish(control),
            accept=control.action == "agree" if old is None else old,
            version=control.version if old is None else None,
            interaction_id=context.id,
        )
        return self._done(context, answer)

    async def retract(self, context: InteractionContext, control: Control) -> Reply:
        """**Withdraw**: ask for it no longer."""
        answer = await self.services.requests.withdraw(
            context.actor,
            MatchId(control.match),
            _wish(control),
            version=control.version,
            interaction_id=context.id,
        )
        return self._done(context, answer)

    async def resume(self, context: InteractionContext, control: Control) -> Reply:
        """**Go on** under the board of a match whose clock stands still."""
        return await self._resume(context, MatchId(control.match))

    async def resume_here(self, context: InteractionContext) -> Reply:
        """``/resume``: let the clock run on."""
        return await self._resume(context, (await self._mine(context, "resume")).id)

    async def _resume(self, context: InteractionContext, match_id: MatchId) -> Reply:
        answer = await self.services.requests.resume(
            context.actor, match_id, interaction_id=context.id
        )
        return self._done(context, answer)

    async def rematch(self, context: InteractionContext, control: Control) -> Reply:
        """**Rematch** under a finished board."""
        return await self._rematch(context, MatchId(control.match))

    async def rematch_here(self, context: InteractionContext) -> Reply:
        """``/rematch``: the last match of this person here, once more."""
        last = await self.services.rematches.last_here(context.actor, context.place.channel_id)
        return await self._rematch(context, last.id)

    async def _rematch(self, context: InteractionContext, match_id: MatchId) -> Reply:
        venue = await self._venue(context)
        try:
            answer = await self.services.rematches.rematch(
                context.actor, match_id, context.place, venue, interaction_id=context.id
            )
        except UserError as error:
            before = await self._match(context, match_id)
            return await self._casually(context, _once_more(before, context.user_id), error)
        return self._done(context, answer)


def _once_more(match: Match, user_id: UserId) -> Draft:
    """What a rematch would be, as an offer in the making."""
    seat = match.index_of(user_id)
    others = (user for user in match.players if user not in (None, user_id))
    return Draft(
        match.game,
        tuple((key, str(value)) for key, value in match.options.items()),
        tuple(user for user in others if user is not None),
        "0" if seat is None else str((seat + 1) % len(match.players) + 1),
        clock=write_clock(match.clock),
    )


def _wish(control: Control) -> RequestKind:
    try:
        return RequestKind(control.arg)
    except ValueError:
        raise UserError("out_of_date") from None


def _with_a_way_on(
    context: InteractionContext, match: Match, wish: RequestKind, error: UserError
) -> Reply:
    """A refusal because something is being asked for already, with the buttons that settle it.

    Every other refusal is raised again.
    """
    request = find(match.requests, wish)
    if request is None or error.code not in (f"{wish.value}_pending", "takeback_first"):
        raise error
    reply = Reply(context.language(refusal(error, match.game)))
    if request.asker == match.index_of(context.user_id):
        return _with(reply, board_page.withdrawal(match, request, context.language))
    if error.code == "takeback_first":
        return _with(reply, *board_page.answers(match, request, context.language))
    return reply


def _with(reply: Reply, *buttons: Button) -> Reply:
    page = Page(text(reply.plain), *rows(buttons))
    return replace(reply, page=page)
