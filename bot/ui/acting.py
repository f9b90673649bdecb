"""What all acts have in common: whom they serve, what they say, which match is meant."""

from __future__ import annotations

from bot.domain.ids import MatchId
from bot.domain.match import Match, MatchStatus
from bot.errors import UserError
from bot.i18n.sentences import REFUSALS, refusal
from bot.services.matches import Answer
from bot.ui import boards, lists
from bot.ui.answers import Reply
from bot.ui.controls import Control
from bot.ui.desk import Desk, Visit
from bot.ui.done import tell_done
from bot.ui.door import Questioned


class Acting:
    """The ground on which the acts stand."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def _done(self, visit: Visit, answer: Answer) -> Reply:
        return tell_done(self.desk, visit, answer)

    async def _present(self, visit: Visit, match_id: str, error: UserError) -> Reply:
        """A refusal together with the board as it is now."""
        match = await self._match(visit, match_id)
        lead = visit.language(refusal(error, match.game))
        if not match.state:
            return Reply(lead)
        mine = match.index_of(visit.user_id) is not None
        return await boards.board(match, visit.stage, visit.language, lead=lead, buttons=mine)

    async def out_of_date(self, visit: Visit, match_id: str | None = None) -> Reply:
        """Say that a control is none of ours any more, and show the board it may have been for."""
        lead = visit.language(REFUSALS["out_of_date"])
        try:
            if match_id is not None:
                match = await self._match(visit, match_id)
            else:
                here = await self.desk.matches.running_in(visit.actor, visit.place.channel_id)
                if len(here) != 1:
                    return Reply(lead)
                match = here[0]
            if not match.state:
                return Reply(lead)
            mine = match.index_of(visit.user_id) is not None
            return await boards.board(match, visit.stage, visit.language, lead=lead, buttons=mine)
        except UserError:
            return Reply(lead)

    async def _match(self, visit: Visit, match_id: str) -> Match:
        match = await self.desk.matches.match(visit.actor, MatchId(match_id))
        visit.touched.add(match.id)
        return match

    async def _mine(self, visit: Visit, purpose: str, *, to_move: bool = False) -> Match:
        """The one match of this person that a command can mean here, or ask which.

        ``purpose`` is the command, as the argument of the control that asks; what was typed after
        it, behind a slash, is left out if it cannot be written there. Of several, those that wait
        for this person are meant if ``to_move``.
        """
        key = (visit.user_id, visit.place.channel_id)
        found = await self.desk.heads.around(key, lambda: self.desk.around(visit))
        if len(found) != 1 or found[0].status is not MatchStatus.RUNNING:
            found = await self.desk.around(visit)
        if to_move and len(found) > 1:
            found = tuple(m for m in found if lists.is_on_turn(m, visit.user_id)) or found
        if not found:
            raise UserError("no_match_here")
        if len(found) == 1:
            visit.touched.add(found[0].id)
            return found[0]
        control = Control("choose", arg=purpose)
        if not control.is_writable:
            control = Control("choose", arg=purpose.partition("/")[0])
        raise Questioned(
            await lists.choose(
                found,
                visit.language(REFUSALS["choose_match"]),
                control,
                user_id=visit.user_id,
                names=visit.stage.names,
                language=visit.language,
            )
        )

    async def _seen(self, visit: Visit, purpose: str) -> Match:
        """The match that a command looks at: one of this person's, or the one played here."""
        here = await self.desk.matches.running_in(visit.actor, visit.place.channel_id)
        if len(here) == 1:
            visit.touched.add(here[0].id)
            return here[0]
        return await self._mine(visit, purpose)
