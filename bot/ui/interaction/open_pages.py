"""Private pages on which to act in a running match: they go once nothing is left to do on them.

Such are panels and hints of a position, and requests that can be withdrawn. Discord lets them be
changed for fifteen minutes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import discord
from cachetools import TTLCache

from bot.domain.ids import MatchId, UserId
from bot.domain.match import Match
from bot.logs import logger
from bot.ui import rest
from bot.ui.rest import FAILURES, Background

_UPDATE = discord.InteractionResponseType.deferred_message_update
_MOST = 2000
_LONGEST = 600.0

_log = logger(__name__)


@dataclass(frozen=True, slots=True)
class _Open:
    """A private page on which to act in a running match, by the newest interaction with it.

    ``request`` is the version of the request that can be withdrawn there, 0 where the page is about
    the position that stood at ``version``.
    """

    interaction: discord.Interaction[Any]
    user_id: UserId
    match_id: MatchId
    version: int
    request: int

    def is_past(self, match: Match) -> bool:
        """Whether nothing is left to do on it, as the match now is."""
        if match.status.is_final:
            return True
        if not self.request:
            return self.version < match.position_since
        is_known = self.request <= match.version
        return is_known and all(each.version != self.request for each in match.requests)


class OpenPages:
    """Remembers the pages by the interactions that opened them."""

    def __init__(self, background: Background, *, clock: Callable[[], float]) -> None:
        self._background = background
        self._open: TTLCache[int, _Open] = TTLCache(_MOST, _LONGEST, clock)

    def opened(
        self,
        interaction: discord.Interaction[Any],
        user_id: UserId,
        match: Match,
        request: int = 0,
    ) -> None:
        """A person is shown a page on which to act in a running match.

        ``request`` is the version of the request that can be withdrawn there.
        """
        page = _Open(interaction, user_id, match.id, match.version, request)
        self._open[_page_of(interaction)] = page

    def closed(self, user_id: UserId, match_id: MatchId, request: int) -> None:
        """A request is withdrawn on its page, which says so."""
        theirs = (user_id, match_id, request)
        for page_id, page in list(self._open.items()):
            if (page.user_id, page.match_id, page.request) == theirs:
                self._open.pop(page_id, None)

    def put_away(self, match: Match) -> None:
        """Take back the pages of a match on which nothing is left to do."""
        for page_id, page in list(self._open.items()):
            if page.match_id == match.id and page.is_past(match):
                self._open.pop(page_id, None)
                self._background.start(take_back(page.interaction))

    def replaced(self, interaction: discord.Interaction[Any]) -> None:
        """The answer to an interaction stands in the place of the page it was made on."""
        self._open.pop(_page_of(interaction), None)


def _page_of(interaction: discord.Interaction[Any]) -> int:
    """The interaction that opened the private page which this one is answered on."""
    message = interaction.message
    if message is None or interaction.response.type is not _UPDATE:
        return interaction.id
    opened = message.interaction_metadata
    return interaction.id if opened is None else opened.id


async def take_back(interaction: discord.Interaction[Any]) -> None:
    """Take a private message back, if it still stands."""
    try:
        await rest.delete_answer(interaction)
    except discord.NotFound:
        pass  # its reader has put it away already
    except FAILURES as error:
        _log.info("an answer could not be taken back", error=type(error).__name__)
