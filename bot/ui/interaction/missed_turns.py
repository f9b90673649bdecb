"""Telling people at their next interaction what they could not be told before.

Whatever they do, wherever they do it, their answer is followed by a private word of each turn that
they do not know of, and of other news that could not be posted. From then on their clock runs.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from bot.domain.ids import UserId
from bot.domain.match import Match, Venue
from bot.domain.unreached import Unreached
from bot.logs import logger
from bot.services.blocked import Blocked
from bot.services.blocked_store import Parked
from bot.services.overtaken import is_news
from bot.services.ports import StoreUnavailable
from bot.services.sending import NoticeKind
from bot.services.unreached import UnreachedService, UnreachedStore
from bot.ui.discord_api import rest
from bot.ui.discord_api.rest import FAILURES
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.obstacles import Obstacles
from bot.ui.interaction.results import next_button
from bot.ui.pages import board_page, clock_text, match_text, notice_text
from bot.ui.pages.components import Button, rows, text
from bot.ui.pages.reply import Page, Reply

_log = logger(__name__)

_MOST = 5
"""Matches of which a person is told at once; the others follow with the next interaction."""


class MissedTurns:
    """Follows answers up with what is owed."""

    def __init__(
        self,
        store: UnreachedStore,
        blocked: Blocked,
        unreached: UnreachedService,
        obstacles: Obstacles,
    ) -> None:
        self._store = store
        self._blocked = blocked
        self._unreached = unreached
        self._obstacles = obstacles
        self._telling: set[UserId] = set()

    async def tell(self, context: InteractionContext, reply: Reply) -> None:
        """Tell a person who has just read ``reply`` what they could not be told before."""
        user = context.user_id
        turns, news = self._blocked.owed_to(user)
        if not (turns or news) or user in self._telling:
            return
        self._telling.add(user)
        try:
            with contextlib.suppress(StoreUnavailable):
                await self._tell(context, reply, turns, news)
        finally:
            self._telling.discard(user)

    async def _tell(
        self,
        context: InteractionContext,
        reply: Reply,
        turns: Sequence[Unreached],
        news: Sequence[Parked],
    ) -> None:
        told: list[Unreached] = []
        said: list[str] = []
        for turn in turns[:_MOST]:
            match = (await self._store.load(turn.match_id, None)).match
            if match is None or not turn.is_of(match):
                await self._blocked.learn(turn.match_id)
            elif _shows(reply, match):
                await self._unreached.reached(turn)
                await self._blocked.learn(match.id)
            else:
                told.append(turn)
                said.append(self._turn(context, match))
        buttons = [next_button(None, context.language)] if told else []
        passed: list[Parked] = []
        for each in news[:_MOST]:
            match = (await self._store.load(each.match_id, None)).match
            if match is not None and each.notice is not None:
                passed.append(each)
                line, answers = self._news(context, match, each.notice)
                said += [line] if line else []
                buttons += answers
        if said and not await self._follow_up(
            context, Page(text("\n\n".join(said)), *rows(buttons))
        ):
            return
        for turn in told:
            await self._unreached.reached(turn)
        for each in passed:
            await self._store.notice_told(each)
        heard = {*(each.match_id for each in told), *(each.match_id for each in passed)}
        for match_id in heard:
            await self._blocked.learn(match_id)

    def _turn(self, context: InteractionContext, match: Match) -> str:
        """That it is their turn, until when, and why they were not called."""
        language = context.language
        line = notice_text.line(match, context.user_id, NoticeKind.TURN, language)
        until = clock_text.deadline_words(context.presenter.credited(match), language)
        why = self._obstacles.words(match, self._blocked.parked(match), None, language)
        said = (
            [line, until] if match.venue is Venue.DIRECT else [line, until, match_text.place(match)]
        )
        if why and match.venue is Venue.DIRECT:
            said.append(why)
        elif why:
            said += [language.say("You weren't notified there."), why]
        return " ".join(each for each in said if each)

    @staticmethod
    def _news(
        context: InteractionContext, match: Match, notice: NoticeKind
    ) -> tuple[str, list[Button]]:
        """A line that could not be posted, with buttons where an answer is wanted."""
        asked = notice_text.request_of(match, notice)
        if notice.is_question and asked is None:
            return "", []
        if not is_news(match, notice, context.user_id):
            return "", []
        line = notice_text.line(match, context.user_id, notice, context.language)
        answers = [] if asked is None else board_page.answers(match, asked, context.language)
        if match.venue is Venue.DIRECT:
            return line, answers
        return f"{line} {match_text.place(match)}", answers

    @staticmethod
    async def _follow_up(context: InteractionContext, page: Page) -> bool:
        written = rest.message(components=page.components, private=True)
        try:
            await rest.follow_up(context.interaction, written)
        except FAILURES as error:
            _log.info("a private word could not be given", error=type(error).__name__)
            return False
        return True


def _shows(reply: Reply, match: Match) -> bool:
    """Whether an answer has the present board of a match on it."""
    page = reply.page
    if page is None:
        return False
    name = board_page.file_name(match)
    shown = board_page.version_shown(page.components, match) == match.version
    return shown or any(name in file.name for file in reply.files)
