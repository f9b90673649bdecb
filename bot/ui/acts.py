"""Everything that people can do: each method answers one command or one control.

Nothing here knows a game or decides anything: acts read what was sent with suspicion, ask the
services, and say what came of it.
"""

from __future__ import annotations

from bot.domain.requests import Wish
from bot.errors import UserError
from bot.ui.answers import Reply
from bot.ui.asking import Asking
from bot.ui.choosing import Choosing
from bot.ui.controls import Control
from bot.ui.desk import Visit
from bot.ui.learning import Learning
from bot.ui.lobbying import Lobbying
from bot.ui.looking import Looking
from bot.ui.looking_back import LookingBack
from bot.ui.panel import Way
from bot.ui.planning import Planning
from bot.ui.playing import Playing
from bot.ui.privacy import Privacy
from bot.ui.ranking import Ranking
from bot.ui.records import Recording
from bot.ui.vacationing import Vacationing


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

    async def chosen(self, visit: Visit, control: Control, match_id: str) -> Reply:
        """Go on with a command after its match was chosen from a list."""
        command, _, rest = control.arg.partition("/")
        match = await self._match(visit, match_id)
        match command:
            case "move" if rest:
                return await self.typed(visit, match, rest)
            case "move":
                return await self._panel(visit, Control("move", match.id, match.version), Way())
            case "resign" | "abort":
                return await self._sure(visit, match, command)
            case "draw" | "takeback" | "pause":
                return await self._ask(visit, match, Wish(command))
            case "resume":
                return await self._resume(visit, match.id)
            case "movehere":
                return await self._move_here(visit, match)
            case "plan":
                return await self._plan(visit, match)
            case "board":
                return await self._board(visit, match)
            case "history":
                return await self._history(visit, match, rest)
            case "replay":
                return await self._replay(visit, match)
            case "export":
                return await self._export(visit, match, (rest,))
            case _:
                raise UserError("out_of_date")
