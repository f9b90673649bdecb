"""Looking: board_page, match_list, rules_page, help. Changes nothing."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.match import Match, Venue
from bot.domain.playthrough import moves_of
from bot.errors import UserError
from bot.i18n.sentences import STATUSES, refusal
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import Acting
from bot.ui.interaction.responses import Page, Reply
from bot.ui.interaction.results import next_button
from bot.ui.learn import rules_page
from bot.ui.pages import board_page, match_list, match_text
from bot.ui.pages.components import rows
from bot.ui.pages.custom_ids import Control


class Looking(Acting):
    """Acts of anybody who looks on."""

    async def board_here(self, context: InteractionContext) -> Reply:
        """``/board``: the board again, to this person alone."""
        return await self._board(context, await self._seen(context, "board"))

    async def show(self, context: InteractionContext, match_id: str) -> Reply:
        """The board of a match chosen from a list."""
        return await self._board(context, await self._match(context, match_id))

    async def _board(self, context: InteractionContext, match: Match) -> Reply:
        if not match.state:
            status = context.language(STATUSES[match.status])
            return Reply(context.language(refusal(UserError("offer_closed", status=status))))
        player = match.index_of(context.user_id)
        if player is not None:
            self.services.background.start(self.services.boards_there.bring_back(match, player))
        is_mine = player is not None
        return await board_page.board(match, context.presenter, context.language, buttons=is_mine)

    async def text_board(self, context: InteractionContext, control: Control) -> Reply:
        """**Text board**: position and moves in words and letters."""
        match = await self._match(context, control.match)
        if not match.state:
            raise UserError("not_started")
        moves = moves_of(await self.services.matches.history(context.actor, match.id))
        return await board_page.text_board(match, moves, context.presenter, context.language)

    async def games(self, context: InteractionContext) -> Reply:
        """``/games``: all matches of this person."""
        found = await self.services.matches.matches_of(context.user_id)
        found = tuple(map(context.presenter.credited, found))
        self.services.waiting.learn(context.user_id, found)
        return await match_list.games_page(
            found,
            context.user_id,
            context.presenter.names,
            context.language,
            onward=next_button(None, context.language),
            leaves=await context.presenter.away(*found),
        )

    async def next_game(self, context: InteractionContext, control: Control) -> Reply:
        """**Next game**: the board of the next match that waits for this person."""
        found = await self.services.matches.matches_of(context.user_id)
        self.services.waiting.learn(context.user_id, found)
        waiting = match_list.waiting_after(found, context.user_id, control.match)
        language = context.language
        if not waiting:
            return Reply(language.say("No match is waiting for your move."))
        match = waiting[0]
        lead = language.say("Your move.")
        if match.venue is not Venue.DIRECT:
            lead = f"{lead} {match_text.place(match)}"
        reply = await board_page.board(match, context.presenter, language, lead=lead)
        if len(waiting) == 1 or reply.page is None:
            return reply
        onward = rows([next_button(match, language)])
        return replace(reply, page=Page(*reply.page.components, *onward))

    async def rules(self, context: InteractionContext, key: str, number: int = 0) -> Reply:
        """``/rules``: a page of a game's guide."""
        presenter = context.presenter
        return await rules_page.rules_page(
            key, number, presenter.pictures, context.language, theme=presenter.theme
        )

    async def help(self, context: InteractionContext) -> Reply:
        """``/help``."""
        return rules_page.help_page(context.language)
