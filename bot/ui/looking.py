"""Looking: boards, lists, rules, help. Changes nothing."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.match import Match, Venue
from bot.domain.playthrough import moves_of
from bot.errors import UserError
from bot.i18n.sentences import STATUSES, refusal
from bot.ui import boards, lists, rules, words
from bot.ui.acting import Acting
from bot.ui.answers import Page, Reply
from bot.ui.controls import Control
from bot.ui.desk import Visit
from bot.ui.done import next_button
from bot.ui.parts import rows


class Looking(Acting):
    """Acts of anybody who looks on."""

    async def board_here(self, visit: Visit) -> Reply:
        """``/board``: the board again, to this person alone."""
        return await self._board(visit, await self._seen(visit, "board"))

    async def show(self, visit: Visit, match_id: str) -> Reply:
        """The board of a match chosen from a list."""
        return await self._board(visit, await self._match(visit, match_id))

    async def _board(self, visit: Visit, match: Match) -> Reply:
        if not match.state:
            status = visit.language(STATUSES[match.status])
            return Reply(visit.language(refusal(UserError("offer_closed", status=status))))
        player = match.index_of(visit.user_id)
        if player is not None:
            self.desk.background.start(self.desk.boards_there.bring_back(match, player))
        is_mine = player is not None
        return await boards.board(match, visit.stage, visit.language, buttons=is_mine)

    async def text_board(self, visit: Visit, control: Control) -> Reply:
        """**Text board**: position and moves in words and letters."""
        match = await self._match(visit, control.match)
        if not match.state:
            raise UserError("not_started")
        moves = moves_of(await self.desk.matches.history(visit.actor, match.id))
        return await boards.text_board(match, moves, visit.stage, visit.language)

    async def games(self, visit: Visit) -> Reply:
        """``/games``: all matches of this person."""
        found = await self.desk.matches.matches_of(visit.user_id)
        found = tuple(map(visit.stage.credited, found))
        self.desk.waiting.learn(visit.user_id, found)
        return await lists.games_page(
            found,
            visit.user_id,
            visit.stage.names,
            visit.language,
            onward=next_button(None, visit.language),
            leaves=await visit.stage.away(*found),
        )

    async def next_game(self, visit: Visit, control: Control) -> Reply:
        """**Next game**: the board of the next match that waits for this person."""
        found = await self.desk.matches.matches_of(visit.user_id)
        self.desk.waiting.learn(visit.user_id, found)
        waiting = lists.waiting_after(found, visit.user_id, control.match)
        language = visit.language
        if not waiting:
            return Reply(language.say("No match is waiting for your move."))
        match = waiting[0]
        lead = language.say("Your move.")
        if match.venue is not Venue.DIRECT:
            lead = f"{lead} {words.place(match)}"
        reply = await boards.board(match, visit.stage, language, lead=lead)
        if len(waiting) == 1 or reply.page is None:
            return reply
        onward = rows([next_button(match, language)])
        return replace(reply, page=Page(*reply.page.components, *onward))

    async def rules(self, visit: Visit, key: str, number: int = 0) -> Reply:
        """``/rules``: a page of a game's guide."""
        stage = visit.stage
        return await rules.rules_page(
            key, number, stage.pictures, visit.language, theme=stage.theme
        )

    async def help(self, visit: Visit) -> Reply:
        """``/help``."""
        return rules.help_page(visit.language)
