"""Says what a player has done, and appends missed turns and news to an answer.

Every answer is followed by the turns that the player doesn't know about, and by other news that
couldn't be posted. From then on the player's clock runs.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.domain.events import EventKind
from bot.domain.game_state import waits_for
from bot.domain.ids import MatchId, UserId
from bot.domain.match import Match, Venue
from bot.domain.untold_turns import UntoldTurn
from bot.domain.wishes import WISHES
from bot.errors import UserError
from bot.i18n import Language
from bot.logs import logger
from bot.posts.deliveries import is_news
from bot.posts.notices import AnyNotice, NoticeKind, asks
from bot.posts.sending import News
from bot.services.blocked import Blocked
from bot.services.match_changes import Answer, Decision
from bot.services.untold_turns import UntoldTurns
from bot.store import Store, notices, transactions
from bot.store import blocked as stored_blocked
from bot.store.errors import StoreUnavailable
from bot.store.records import RefusedDelivery
from bot.ui import rest
from bot.ui.interaction.answer_lifecycle import HAS_STARTED, whereabouts
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.obstacles import Obstacles
from bot.ui.pages import board_page, clock_text, match_list, match_text, notice_text
from bot.ui.pages import components as ui
from bot.ui.pages.board_page import move_button
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.rest import FAILURES
from games.view import Text

_OF_HELP = frozenset({"help", "helplearn"})
"""Controls of ``/help``, and of pages that lead back to it."""
_DONE: dict[str, Text] = {
    EventKind.OFFERED.value: Text.of("Offer sent."),
    EventKind.JOINED.value: Text.of("You have a seat. The match starts when all seats are taken."),
    EventKind.STARTED.value: HAS_STARTED,
    EventKind.LEFT.value: Text.of("You gave up your seat."),
    EventKind.DECLINED.value: Text.of("You declined."),
    EventKind.WITHDRAWN.value: Text.of("You withdrew your offer."),
    EventKind.MOVED.value: Text.of("You played {move}."),
    EventKind.RESIGNED.value: Text.of("You resigned."),
    EventKind.ABORTED.value: Text.of("You aborted the match."),
    EventKind.NUDGED.value: Text.of("You reminded your opponent. They'll be told now."),
    EventKind.CLAIMED.value: Text.of("You claimed the match."),
    EventKind.RESUMED.value: Text.of("Resumed. The clock is running again."),
    **{
        f"{kind.value}_{step.value}": said
        for kind, wish in WISHES.items()
        for step, said in wish.done.items()
    },
}


def tell_done(
    context: InteractionContext, answer: Answer, *, more: str = "", waiting: Sequence[Match] = ()
) -> Reply:
    """The act in words, and the end of the match if it has ended.

    After a move, the number of other matches ``waiting`` for the player follows, with a link and a
    button to the next one.
    """
    context.touched.add(answer.match.id)
    context.services.answers.watch(context.interaction, context.user_id, context.language, answer)
    sentence = _DONE[answer.code]
    if answer.code == EventKind.MOVED.value:
        spoken = match_text.spoken(answer.match.game, str(answer.params["move"]))
        sentence = sentence if spoken is None else spoken.done
    said = context.language(sentence.filled(answer.params))
    if answer.code == EventKind.STARTED.value:
        place = whereabouts(answer.match, context.place.channel_id, context.language)
        said = f"{said} {place}".rstrip()
    if answer.match.result is not None and answer.code != "draw_agreed":
        # A player who resigned needn't read it twice.
        is_known = answer.code == EventKind.RESIGNED.value
        end = match_text.winners if is_known else match_text.outcome
        said = f"{said} {end(answer.match, context.language)}"
    said = f"{said} {more}".rstrip()
    if answer.code != EventKind.MOVED.value:
        return Reply(said)
    buttons = []
    if _is_again(answer.match, context.user_id):
        # No notice calls them: this answer and the board do.
        again = context.language.say("It's your turn again.")
        said = f"{said} {again}"
        buttons.append(move_button(answer.match, context.language))
    if waiting:
        said = f"{said} {more_waiting(waiting, context.user_id, context.language)}"
        buttons.append(next_button(answer.match, context.language))
    return Reply(said, Page(ui.text(said), *ui.rows(buttons)) if buttons else None)


async def done(
    context: InteractionContext, match_id: str, decide: Decision, *, past: bool = False
) -> Reply:
    """Do something about a match for the player, and say what has been done."""
    answer = await context.services.matches.act(
        context.actor, MatchId(match_id), decide, interaction_id=context.id, past=past
    )
    return tell_done(context, answer)


def _is_again(match: Match, user_id: UserId) -> bool:
    mover = None if match.moved_by is None else match.players[match.moved_by]
    return mover == user_id and waits_for(match, user_id)


def next_button(match: Match | None, language: Language) -> ui.Button:
    """**Next match**: the next one after this that waits for the player."""
    match_id = ui.NO_MATCH if match is None else match.id
    return ui.button(Control("next", match_id), language.say("Next match"), ui.PRIMARY)


def back_to_help(context: InteractionContext) -> list[ui.Button]:
    """**Back** under a page opened from ``/help``; it stays when the page is redrawn."""
    before = [] if context.interaction.message is None else context.parts()
    if not any(each.action in _OF_HELP for each in ui.controls_in(before)):
        return []
    return [ui.button(Control("help"), context.language.say("Back"))]


def more_waiting(waiting: Sequence[Match], user_id: UserId, language: Language) -> str:
    """The number of matches that wait for a player besides the one at hand, linking the first."""
    return language.plural(
        "{n} more match waits for you: {match}",
        "{n} more matches wait for you. Next: {match}",
        n=len(waiting),
        match=match_list.linked(waiting[0], user_id, language),
    )


async def waiting_elsewhere(context: InteractionContext, match: Match) -> tuple[Match, ...]:
    """The other matches that wait for the player's move; none if they can't be read."""
    with contextlib.suppress(UserError):
        found = await context.services.matches.matches_of(context.user_id)
        around = match_list.waiting_after(found, context.user_id, match.id)
        return tuple(each for each in around if each.id != match.id)
    return ()


# ---- what they could not be told before ----------------------------------------------------------

_log = logger(__name__)

_NEWS_LONGEST = 2000
_MOST = 5
"""Matches listed at a time; the others follow with the next interaction."""


@dataclass(eq=False)
class MissedTurns:
    """Appends missed turns and news to an answer."""

    store: Store
    blocked: Blocked
    untold_turns: UntoldTurns
    obstacles: Obstacles
    _telling: set[UserId] = field(default_factory=set, init=False)

    async def tell(self, context: InteractionContext, reply: Reply) -> None:
        """Send a player who has just read ``reply`` what they have missed."""
        user = context.user_id
        turns, news = self.blocked.owed_to(user)
        is_unread = self.blocked.has_unread(user)
        if not (turns or news or is_unread) or user in self._telling:
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
        turns: Sequence[UntoldTurn],
        news: Sequence[RefusedDelivery],
    ) -> None:
        told: list[UntoldTurn] = []
        said: list[str] = []
        for turn in turns[:_MOST]:
            match = await self.store.read(transactions.match, turn.match_id)
            if match is None or not turn.is_of(match):
                await self.blocked.learn(turn.match_id)
            elif _shows(reply, match):
                await self.untold_turns.reached(turn)
                await self.blocked.learn(match.id)
            else:
                told.append(turn)
                said.append(self._turn(context, match))
        buttons = [next_button(None, context.language)] if told else []
        passed: list[RefusedDelivery] = []
        for each in news[:_MOST]:
            match = await self.store.read(transactions.match, each.match.id)
            if match is not None and each.delivery.notice is not None:
                passed.append(each)
                line, answers = self._news(context, match, each.delivery.notice)
                said += [line] if line else []
                buttons += answers
        followed: tuple[News, ...] = ()
        if self.blocked.has_unread(context.user_id):
            followed = await self.store.read(
                notices.news_for, context.user_id, context.services.clock.now()
            )
        if followed:
            said.append(_followed(followed, context.language))
        if said and not await self._follow_up(
            context, Page(ui.text("\n\n".join(said)), *ui.rows(buttons))
        ):
            return
        for turn in told:
            await self.untold_turns.reached(turn)
        for each in passed:
            await self.store.write(stored_blocked.notice_told, each)
        if followed:
            await self.store.write(notices.news_told, context.user_id, followed)
        self.blocked.read(context.user_id)
        heard = {*(each.match_id for each in told), *(each.match.id for each in passed)}
        for match_id in heard:
            await self.blocked.learn(match_id)

    def _turn(self, context: InteractionContext, match: Match) -> str:
        """The words for the player's turn: until when, and why they weren't notified."""
        language = context.language
        line = notice_text.line(match, context.user_id, NoticeKind.TURN, language)
        until = clock_text.deadline_words(context.reader.credited(match), language)
        why = self.obstacles.words(match, self.blocked.parked(match), None, language)
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
        context: InteractionContext, match: Match, notice: AnyNotice
    ) -> tuple[str, list[ui.Button]]:
        """A line that couldn't be posted, with buttons where it asks something."""
        asked = notice_text.request_of(match, notice)
        if asks(notice) and asked is None:
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


def _followed(news: Sequence[News], language: Language) -> str:
    """The news of the matches that a player follows, a line each."""
    latest = {each.match.id: each.match for each in news}
    lines = [match_list.seen_line(each, language) for each in latest.values()]
    title = language.say("What has happened")
    return match_text.cut("\n".join([f"**{title}**", *lines]), _NEWS_LONGEST)


def _shows(reply: Reply, match: Match) -> bool:
    """Whether an answer shows the present board of a match."""
    page = reply.page
    if page is None:
        return False
    name = board_page.file_name(match)
    shown = board_page.version_shown(page.components, match) == match.version
    return shown or any(name in file.name for file in reply.files)
