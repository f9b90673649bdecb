"""What players ask one another for: draws, takebacks, pauses, and the same game again."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.clock_text import write_clock
from bot.domain.ids import MatchId, UserId
from bot.domain.match import Match
from bot.domain.requests import Wish, find
from bot.errors import UserError
from bot.i18n.sentences import refusal
from bot.services.matches import Answer
from bot.ui import boards
from bot.ui.answers import Page, Reply
from bot.ui.controls import Control
from bot.ui.desk import Visit
from bot.ui.offering import Offering
from bot.ui.parts import Button, rows, text
from bot.ui.setup import Draft

_OLD_ANSWERS = {"drawyes": True, "drawno": False}
"""Buttons of draw offers that were posted when there was nothing else to ask for."""


class Asking(Offering):
    """Acts about what needs the consent of others."""

    async def ask(self, visit: Visit, control: Control) -> Reply:
        """**Offer draw**, **Take back**, **Pause**."""
        match = await self._match(visit, control.match)
        return await self._ask(visit, match, Wish(control.action))

    async def draw_here(self, visit: Visit) -> Reply:
        """``/draw``: offer a draw, or accept the one on offer."""
        return await self._ask(visit, await self._mine(visit, "draw"), Wish.DRAW)

    async def take_back_here(self, visit: Visit) -> Reply:
        """``/takeback``: ask to take back one's own last move."""
        return await self._ask(visit, await self._mine(visit, "takeback"), Wish.TAKEBACK)

    async def pause_here(self, visit: Visit) -> Reply:
        """``/pause``: ask to let the clock stand still, or agree to it."""
        return await self._ask(visit, await self._mine(visit, "pause"), Wish.PAUSE)

    async def _ask(self, visit: Visit, match: Match, wish: Wish) -> Reply:
        try:
            answer = await self.desk.requests.ask(
                visit.actor, match.id, wish, interaction_id=visit.id
            )
        except UserError as error:
            match = await self._match(visit, match.id)
            return _with_a_way_on(visit, match, wish, error)
        return self._asked(visit, answer, wish)

    def _asked(self, visit: Visit, answer: Answer, wish: Wish) -> Reply:
        """What has been done; while others are still to answer, with a way to withdraw it."""
        reply = self._done(visit, answer)
        request = find(answer.match.requests, wish)
        mine = answer.match.index_of(visit.user_id)
        if request is None or request.asker != mine:
            return reply
        return _with(reply, boards.withdrawal(answer.match, request, visit.language))

    async def answer(self, visit: Visit, control: Control) -> Reply:
        """**Agree** or **Decline**."""
        old = _OLD_ANSWERS.get(control.action)
        answer = await self.desk.requests.answer(
            visit.actor,
            MatchId(control.match),
            Wish.DRAW if old is not None else _wish(control),
            accept=control.action == "agree" if old is None else old,
            version=control.version if old is None else None,
            interaction_id=visit.id,
        )
        return self._done(visit, answer)

    async def retract(self, visit: Visit, control: Control) -> Reply:
        """**Withdraw**: ask for it no longer."""
        answer = await self.desk.requests.withdraw(
            visit.actor,
            MatchId(control.match),
            _wish(control),
            version=control.version,
            interaction_id=visit.id,
        )
        return self._done(visit, answer)

    async def resume(self, visit: Visit, control: Control) -> Reply:
        """**Go on** under the board of a match whose clock stands still."""
        return await self._resume(visit, MatchId(control.match))

    async def resume_here(self, visit: Visit) -> Reply:
        """``/resume``: let the clock run on."""
        return await self._resume(visit, (await self._mine(visit, "resume")).id)

    async def _resume(self, visit: Visit, match_id: MatchId) -> Reply:
        answer = await self.desk.requests.resume(visit.actor, match_id, interaction_id=visit.id)
        return self._done(visit, answer)

    async def rematch(self, visit: Visit, control: Control) -> Reply:
        """**Rematch** under a finished board."""
        return await self._rematch(visit, MatchId(control.match))

    async def rematch_here(self, visit: Visit) -> Reply:
        """``/rematch``: the last match of this person here, once more."""
        last = await self.desk.rematches.last_here(visit.actor, visit.place.channel_id)
        return await self._rematch(visit, last.id)

    async def _rematch(self, visit: Visit, match_id: MatchId) -> Reply:
        venue = await self._venue(visit)
        try:
            answer = await self.desk.rematches.rematch(
                visit.actor, match_id, visit.place, venue, interaction_id=visit.id
            )
        except UserError as error:
            before = await self._match(visit, match_id)
            return await self._casually(visit, _once_more(before, visit.user_id), error)
        return self._done(visit, answer)


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


def _wish(control: Control) -> Wish:
    try:
        return Wish(control.arg)
    except ValueError:
        raise UserError("out_of_date") from None


def _with_a_way_on(visit: Visit, match: Match, wish: Wish, error: UserError) -> Reply:
    """A refusal because something is being asked for already, with the buttons that settle it.

    Every other refusal is raised again.
    """
    request = find(match.requests, wish)
    if request is None or error.code not in (f"{wish.value}_pending", "takeback_first"):
        raise error
    reply = Reply(visit.language(refusal(error, match.game)))
    if request.asker == match.index_of(visit.user_id):
        return _with(reply, boards.withdrawal(match, request, visit.language))
    if error.code == "takeback_first":
        return _with(reply, *boards.answers(match, request, visit.language))
    return reply


def _with(reply: Reply, *buttons: Button) -> Reply:
    page = Page(text(reply.plain), *rows(buttons))
    return replace(reply, page=page)
