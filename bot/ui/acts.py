"""Everything that people can do: each method answers one command or one control.

Nothing here knows a game or decides anything: acts read what was sent with suspicion, ask the
services, and say what came of it.
"""

from __future__ import annotations

from bot.domain.requests import RequestKind
from bot.errors import UserError
from bot.ui.history.history_handlers import LookingBack
from bot.ui.history.record_handlers import Recording
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.responses import Reply
from bot.ui.learn.lesson_handlers import Learning
from bot.ui.lobby.lobby_handlers import Lobbying
from bot.ui.overview.overview_handlers import Looking
from bot.ui.pages.custom_ids import Control
from bot.ui.plans.plan_handlers import Planning
from bot.ui.play.move_handlers import Playing
from bot.ui.play.move_picker import MovePick
from bot.ui.ratings.rating_handlers import Ranking
from bot.ui.requests.request_handlers import Asking
from bot.ui.settings.privacy_handlers import Privacy
from bot.ui.settings.setting_handlers import Choosing
from bot.ui.settings.vacation_handlers import Vacationing


class Acts(
    Choosing,
    Asking,
    Playing,
    Looking,
    LookingBack,
    Lobbying,
    Recording,
    Learning,
    Planning,
    Privacy,
    Ranking,
    Vacationing,
):
    """All acts, and going on with one after a match has been chosen for it."""

    async def chosen(self, context: InteractionContext, control: Control, match_id: str) -> Reply:
        """Go on with a command after its match was chosen from a list."""
        command, _, rest = control.arg.partition("/")
        match = await self._match(context, match_id)
        match command:
            case "move" if rest:
                return await self.typed(context, match, rest)
            case "move":
                return await self._panel(
                    context, Control("move", match.id, match.version), MovePick()
                )
            case "resign" | "abort":
                return await self._sure(context, match, command)
            case "draw" | "takeback" | "pause":
                return await self._ask(context, match, RequestKind(command))
            case "resume":
                return await self._resume(context, match.id)
            case "movehere":
                return await self._move_here(context, match)
            case "plan":
                return await self._plan(context, match)
            case "board":
                return await self._board(context, match)
            case "history":
                return await self._history(context, match, rest)
            case "replay":
                return await self._replay(context, match)
            case "export":
                return await self._export(context, match, (rest,))
            case _:
                raise UserError("out_of_date")
