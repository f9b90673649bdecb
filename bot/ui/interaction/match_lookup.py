"""What all acts have in common: whom they serve, what they say, which match is meant."""

from __future__ import annotations

from bot.domain.ids import MatchId
from bot.domain.match import Match, MatchStatus
from bot.errors import UserError
from bot.i18n.sentences import REFUSALS, refusal
from bot.services.matches import Answer
from bot.ui.interaction.context import InteractionContext, Services
from bot.ui.interaction.handler import Questioned
from bot.ui.interaction.responses import Reply
from bot.ui.interaction.results import tell_done
from bot.ui.pages import board_page, match_list
from bot.ui.pages.custom_ids import Control


class Acting:
    """The ground on which the acts stand."""

    def __init__(self, services: Services) -> None:
        self.services = services

    def _done(self, context: InteractionContext, answer: Answer) -> Reply:
        return tell_done(self.services, context, answer)

    async def _present(self, context: InteractionContext, match_id: str, error: UserError) -> Reply:
        """A refusal together with the board as it is now."""
        match = await self._match(context, match_id)
        lead = context.language(refusal(error, match.game))
        if not match.state:
            return Reply(lead)
        mine = match.index_of(context.user_id) is not None
        return await board_page.board(
            match, context.presenter, context.language, lead=lead, buttons=mine
        )

    async def out_of_date(self, context: InteractionContext, match_id: str | None = None) -> Reply:
        """Say that a control is none of ours any more, and show the board it may have been for."""
        lead = context.language(REFUSALS["out_of_date"])
        try:
            if match_id is not None:
                match = await self._match(context, match_id)
            else:
                here = await self.services.matches.running_in(
                    context.actor, context.place.channel_id
                )
                if len(here) != 1:
                    return Reply(lead)
                match = here[0]
            if not match.state:
                return Reply(lead)
            mine = match.index_of(context.user_id) is not None
            return await board_page.board(
                match, context.presenter, context.language, lead=lead, buttons=mine
            )
        except UserError:
            return Reply(lead)

    async def _match(self, context: InteractionContext, match_id: str) -> Match:
        match = await self.services.matches.match(context.actor, MatchId(match_id))
        context.touched.add(match.id)
        return match

    async def _mine(
        self, context: InteractionContext, purpose: str, *, to_move: bool = False
    ) -> Match:
        """The one match of this person that a command can mean here, or ask which.

        ``purpose`` is the command, as the argument of the control that asks; what was typed after
        it, behind a slash, is left out if it cannot be written there. Of several, those that wait
        for this person are meant if ``to_move``.
        """
        key = (context.user_id, context.place.channel_id)
        found = await self.services.heads.around(key, lambda: self.services.around(context))
        if len(found) != 1 or found[0].status is not MatchStatus.RUNNING:
            found = await self.services.around(context)
        if to_move and len(found) > 1:
            found = tuple(m for m in found if match_list.is_on_turn(m, context.user_id)) or found
        if not found:
            raise UserError("no_match_here")
        if len(found) == 1:
            context.touched.add(found[0].id)
            return found[0]
        control = Control("choose", arg=purpose)
        if not control.is_writable:
            control = Control("choose", arg=purpose.partition("/")[0])
        raise Questioned(
            await match_list.choose(
                found,
                context.language(REFUSALS["choose_match"]),
                control,
                user_id=context.user_id,
                names=context.presenter.names,
                language=context.language,
            )
        )

    async def _seen(self, context: InteractionContext, purpose: str) -> Match:
        """The match that a command looks at: one of this person's, or the one played here."""
        here = await self.services.matches.running_in(context.actor, context.place.channel_id)
        if len(here) == 1:
            context.touched.add(here[0].id)
            return here[0]
        return await self._mine(context, purpose)
